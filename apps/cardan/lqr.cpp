// cardan lqr: the linear feedback that holds a model at a point at the least cost.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/cardan/analysis_options.h"
#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/extending_model.h"
#include "apps/cardan/feedback_model.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/run_options.h"
#include "engine/control/linear_feedback.h"
#include "engine/model_file/model_source.h"
#include "engine/results/output_file.h"
#include "engine/structure/unknowns.h"
#include "engine/text/glob.h"

namespace cardan {
namespace {

constexpr double kNoPart = 1e-9;  // of the largest: a dependence that is rounding

constexpr const char* kLqrFooter =
    R"(Finds K of u = u_0 - K (x - x_0), by which the integral of the sum of Q x^2 and R u^2 is least, for
the model as cardan linearize sees it. Weights Q are of states, by names or patterns of these (a later
one counts; 0 where none does), weights R of inputs (default 1). With --sample the inputs keep their
values so long, and the same integral is least. What is not stabilised by any feedback is an error that
names the mode, unless its states are left to themselves with --leave. -o FILE.yaml is a model that extends
this one and is held by the controller, -o FILE.json has the gains with names and poles.

With --kalman the gain L of x' = A x + B u + L (y - C x - D u) is found instead: -Q are then intensities of
what drives the states, -R those of the noise of the outputs -y. With --sample, outputs are read at samples
alone, each reading with the noise of a mean over the sample, and L predicts the next one:
x[k+1] = A x[k] + B u[k] + L (y[k] - C x[k] - D u[k]).

With --process-noise and --measurement-noise, intensities by names or patterns of states and of the outputs
-y, both are found, and the model that is written knows its states from these outputs alone: an observer is
part of it (LQG).

Examples:
  cardan lqr cart_pole.yaml --at-equilibrium -u u -Q '**=1' -R u=0.1 -o held.yaml
  cardan lqr arm.yaml -u motor.tau -Q 'joint.phi=100' -Q 'joint.w=1' --sample 0.01 -o held.yaml
  cardan lqr cart_pole.yaml --kalman -u u -y track.s -Q '**=1' -R track.s=1e-4 -o observer.json
  cardan lqr cart_pole.yaml --at-equilibrium -u u -y track.s -y pivot.phi -Q '**=1' \
      --process-noise '**=1' --measurement-noise '**=1e-4' -o held.yaml

Exit codes: 0 done, 1 there is no such feedback, 2 the model or the command line is wrong.)";

struct LqrOptions {
  AnalysisOptions where;
  std::vector<std::string> inputs, outputs, q, r, drives, noises, left;
  std::string output;
  double sample = 0;
  bool kalman = false;

  /// There is a controller and an observer.
  bool both() const { return !drives.empty(); }
};

/// "GLOB=NUMBER" on signals of these names.
void weigh(const std::vector<std::string>& texts, const char* option,
           const std::vector<LinearSignal>& signals, const char* what, Eigen::VectorXd& weights) {
  std::vector<std::string> names;
  for (const LinearSignal& s : signals) names.push_back(s.name);
  for (const std::string& text : texts) {
    const size_t equals = text.rfind('=');
    const std::string pattern = text.substr(0, equals);
    char* end = nullptr;
    const double weight =
        equals == std::string::npos ? -1 : std::strtod(text.c_str() + equals + 1, &end);
    if (equals == std::string::npos || *end != '\0' || end == text.c_str() + equals + 1 ||
        !std::isfinite(weight) || weight < 0)
      refuse(
          fmt::format("{} must be NAME=NUMBER, the number not negative, found '{}'", option, text));
    bool found = false;
    for (size_t i = 0; i < names.size(); ++i) {
      if (!matchesGlob(names[i], pattern)) continue;
      weights[static_cast<Eigen::Index>(i)] = weight;
      found = true;
    }
    if (!found)
      refuse(fmt::format("{}: no {} '{}'{}", option, what, pattern, didYouMean(pattern, names)));
  }
}

/// The model without states that match: nothing that is left, and, with an observer, no output may depend on
/// them.
LinearModel leftAlone(const LinearModel& m, const std::vector<std::string>& patterns,
                      bool isObserved) {
  std::vector<std::string> names;
  for (const LinearSignal& x : m.states) names.push_back(x.name);
  std::vector<Eigen::Index> kept, left;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool isLeft =
        std::ranges::any_of(patterns, [&](const auto& p) { return matchesGlob(names[i], p); });
    (isLeft ? left : kept).push_back(static_cast<Eigen::Index>(i));
  }
  for (const std::string& p : patterns) {
    if (std::ranges::none_of(names, [&](const auto& name) { return matchesGlob(name, p); }))
      refuse(fmt::format("--leave: no state '{}'{}", p, didYouMean(p, names)));
  }
  const Eigen::MatrixXd A = m.sizes.cwiseInverse().asDiagonal() * m.A * m.sizes.asDiagonal();
  const Eigen::MatrixXd C = m.C * m.sizes.asDiagonal();
  for (const Eigen::Index j : left) {
    const auto dependent = std::ranges::find_if(kept, [&](Eigen::Index i) {
      return std::abs(A(i, j)) > kNoPart * A.cwiseAbs().maxCoeff();
    });
    const Eigen::Index shows =
        isObserved ? (C.col(j).cwiseAbs().array() > kNoPart * C.rowwise().norm().array()).count()
                   : 0;
    if (dependent != kept.end() || shows > 0)
      throw AnalysisError(
          fmt::format("'{}' cannot be left alone: {} on it", names[j],
                      shows > 0 ? "an output depends" : "'" + names[*dependent] + "' depends"));
  }
  LinearModel rest = m;
  rest.A = m.A(kept, kept);
  rest.B = m.B(kept, Eigen::all);
  rest.C = m.C(Eigen::all, kept);
  rest.sizes = m.sizes(kept);
  rest.states.clear();
  rest.rateOf.clear();
  for (const Eigen::Index i : kept) {
    rest.states.push_back(m.states[i]);
    const auto of = std::ranges::find(kept, static_cast<Eigen::Index>(m.rateOf[i]));
    rest.rateOf.push_back(of == kept.end() ? -1 : static_cast<int>(of - kept.begin()));
  }
  return rest;
}

/// A coordinate that moves on at the point is nowhere to be held.
void refuseWhatMovesOn(const LinearModel& m, LinearFeedback& feedback) {
  for (size_t v = 0; v < m.states.size(); ++v) {
    const int of = m.rateOf[v];
    if (of < 0 || std::abs(m.states[v].value) < 1e-9 * m.sizes[static_cast<Eigen::Index>(v)])
      continue;
    const double most = (feedback.K * m.sizes.asDiagonal()).cwiseAbs().maxCoeff();
    if (feedback.K.col(of).cwiseAbs().maxCoeff() * m.sizes[of] > 1e-9 * most)
      refuse(fmt::format("'{}' moves on at this point, at {:.6g}: give it no weight",
                         m.states[static_cast<size_t>(of)].name, m.states[v].value));
    feedback.K.col(of).setZero();
  }
}

std::string table(const LinearModel& m, const LinearFeedback& f, bool isObserver, double sample) {
  const auto& rows = isObserver ? m.outputs : m.inputs;
  std::string text;
  for (size_t j = 0; j < rows.size(); ++j) {
    text += isObserver ? "gains from " + rows[j].name + "\n" : "gains to " + rows[j].name + "\n";
    for (size_t i = 0; i < m.states.size(); ++i)
      text += fmt::format("  {:<30} {:>17.10g}\n", m.states[i].name,
                          f.K(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)));
  }
  text += sample > 0 ? "poles, the factors of a sample\n" : "poles [1/s]\n";
  for (const std::complex<double> z : f.poles) {
    if (z.imag() >= 0)
      text += z.imag() > 0 ? fmt::format("  {:.6g} +- {:.6g}j\n", z.real(), z.imag())
                           : fmt::format("  {:.6g}\n", z.real());
  }
  return text;
}

/// Gains by the name that papers have, and poles.
void addGains(nlohmann::ordered_json& all, const LinearFeedback& f, bool isObserver,
              const char* polesName) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array(), poles = rows;
  const Eigen::MatrixXd gains = isObserver ? Eigen::MatrixXd(f.K.transpose()) : f.K;
  for (const auto& row : gains.rowwise())
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  for (const std::complex<double> z : f.poles) poles.push_back({z.real(), z.imag()});
  all[isObserver ? "L" : "K"] = rows;
  all[polesName] = poles;
}

std::string gainsJson(const LinearModel& m, const LinearFeedback& f,
                      const std::optional<LinearFeedback>& observer, const LqrOptions& o) {
  const auto named = [](const std::vector<LinearSignal>& signals) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const LinearSignal& s : signals)
      list.push_back({{"name", s.name}, {"unit", s.unit}, {"value", s.value}});
    return list;
  };
  nlohmann::ordered_json all{{"model", m.name},
                             {"states", named(m.states)},
                             {"inputs", named(m.inputs)},
                             {"outputs", named(m.outputs)}};
  addGains(all, f, o.kalman, "poles");
  if (observer) addGains(all, *observer, true, "observerPoles");
  if (o.sample > 0) all["sample"] = o.sample;
  return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void check(const LqrOptions& o) {
  const bool isModel = o.output.ends_with(".yaml") || o.output.ends_with(".yml");
  if (!o.output.empty() && !isModel && !o.output.ends_with(".json"))
    refuse("-o: '" + o.output + "' ends neither in .yaml nor in .json");
  if (o.kalman && isModel) refuse("--kalman finds gains alone: -o FILE.json");
  if (o.kalman && o.outputs.empty()) refuse("--kalman: name the outputs that are measured with -y");
  if (!o.kalman && o.inputs.empty()) refuse("name the inputs that hold the model with -u");
  if (o.both() && o.kalman)
    refuse("--process-noise is of a controller with an observer: no --kalman");
  if (o.both() && o.outputs.empty())
    refuse("--process-noise: name the outputs that are measured with -y");
  if (!o.both() && !o.noises.empty())
    refuse("--measurement-noise: say what drives the states with --process-noise");
  if (isModel) checkExtensible(o.where.model.path, "a model that is held");
}

/// Weights, or intensities, by what the options say of states and of inputs or outputs.
QuadraticCost costOf(const LinearModel& m, const std::vector<std::string>& ofStates,
                     const std::vector<std::string>& ofOthers, const char* stateOption,
                     const char* otherOption, bool isObserver) {
  const std::vector<LinearSignal>& others = isObserver ? m.outputs : m.inputs;
  Eigen::VectorXd q = Eigen::VectorXd::Zero(std::ssize(m.states));
  Eigen::VectorXd r = Eigen::VectorXd::Ones(std::ssize(others));
  weigh(ofStates, stateOption, m.states, "state", q);
  weigh(ofOthers, otherOption, others, isObserver ? "output" : "input", r);
  if (!(r.minCoeff() > 0)) refuse(std::string(otherOption) + ": weights must be positive");
  if (!(q.size() > 0 && q.maxCoeff() > 0))
    refuse(std::string(stateOption) + ": no state has a weight");
  return {q.asDiagonal().toDenseMatrix(), r.asDiagonal().toDenseMatrix()};
}

/// Of what moves on the outputs do, too, and x_0 is nowhere.
LinearFeedback observerOf(const LinearModel& m, const QuadraticCost& noise, double sample) {
  for (size_t v = 0; v < m.states.size(); ++v) {
    if (m.rateOf[v] >= 0 &&
        std::abs(m.states[v].value) >= 1e-9 * m.sizes[static_cast<Eigen::Index>(v)])
      throw AnalysisError(
          fmt::format("'{}' moves on at this point: --process-noise is for models "
                      "that rest",
                      m.states[static_cast<size_t>(m.rateOf[v])].name));
  }
  return kalmanGain(m, noise, sample);
}

int lqr(const LqrOptions& o) {
  check(o);
  const AnalysisOptions::Place place = o.where.go();
  const ModelSource& source = place.simulation.source();
  protectFiles({{o.output, "the result"}}, sourcesOf(source));

  const LinearModel whole = AnalysisOptions::linearAt(place, o.inputs, o.outputs);
  o.where.printNotes(whole);
  if (!whole.elsewhere.empty())
    throw AnalysisError("'" + whole.elsewhere.front() +
                        "' is singular at this point and no state to be held by: "
                        "useQuaternions: true, or another sequence_angleStates");
  const LinearModel m = o.left.empty() ? whole : leftAlone(whole, o.left, o.kalman || o.both());
  if (m.kind != LinearModel::Kind::equilibrium && m.kind != LinearModel::Kind::steady)
    throw AnalysisError("the model moves at this point (" + word(m.kind) +
                        "): --at-equilibrium finds one where it rests and can be held");
  const QuadraticCost cost = costOf(m, o.q, o.r, "-Q", "-R", o.kalman);
  LinearFeedback f =
      o.kalman ? kalmanGain(m, cost, o.sample) : quadraticFeedback(m, cost, o.sample);
  if (!o.kalman) refuseWhatMovesOn(m, f);
  std::optional<LinearFeedback> observer;
  if (o.both())
    observer = observerOf(
        m, costOf(m, o.drives, o.noises, "--process-noise", "--measurement-noise", true), o.sample);
  printOutput(table(m, f, o.kalman, o.sample) +
              (observer ? table(m, *observer, true, o.sample) : ""));
  if (o.output.ends_with(".json")) {
    writeTextFile(o.output, gainsJson(m, f, observer, o));
  } else if (!o.output.empty()) {
    const PointEquations equations(place.simulation);
    const auto valueOf = [&](const std::string& name) {
      const auto& all = equations.unknowns().unknowns;
      const auto found = std::ranges::find(all, name, &Unknowns::Unknown::name);
      if (found != all.end()) return place.point.y[static_cast<size_t>(found - all.begin())];
      for (const PointInput& input : equations.inputs()) {
        if (input.name == name) return equations.input(input);
      }
      return std::numeric_limits<double>::quiet_NaN();
    };
    writeTextFile(o.output, feedbackModel(source, o.output, o.where.model.overrides, m, f,
                                          observer ? &*observer : nullptr, o.sample, valueOf));
  }
  return kDone;
}

}  // namespace

CommandRun addLqr(CLI::App& app) {
  auto o = std::make_shared<LqrOptions>();
  o->where.add(app);
  addRepeatable(app, "-u,--input", o->inputs, "NAME", "input that holds the model (repeatable)");
  addPatterns(app, "-y,--output", o->outputs,
              "names or patterns of the outputs that are measured (repeatable, or separated by ;)");
  addRepeatable(app, "-Q", o->q, "GLOB=NUMBER", "weight of a state (repeatable)");
  addRepeatable(app, "-R", o->r, "GLOB=NUMBER",
                "weight of an input, with --kalman of an output (repeatable)");
  addRepeatable(app, "--process-noise", o->drives, "GLOB=NUMBER",
                "intensity of what drives a state: the controller knows the outputs alone\n"
                "(repeatable)");
  addRepeatable(app, "--measurement-noise", o->noises, "GLOB=NUMBER",
                "intensity of the noise of an output (repeatable; default 1)");
  addPatterns(app, "--leave", o->left,
              "states that are left to themselves, on which nothing else depends: the place of\n"
              "what goes along at a speed (repeatable, or separated by ;)");
  addOption(app, "--sample", o->sample, "S",
            "inputs keep their values so long, and an observer reads as often [s]",
            positiveNumber());
  app.add_flag("--kalman", o->kalman, "gain of an observer from outputs, in place of a controller");
  addOption(app, "-o,--output-file", o->output, "FILE",
            "the model held by the controller (.yaml), or the gains (.json)");
  app.footer(kLqrFooter);
  return [o] { return lqr(*o); };
}

}  // namespace cardan
