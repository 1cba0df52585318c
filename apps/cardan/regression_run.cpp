#include "apps/cardan/regression_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <new>

#include "apps/cardan/comparison_report.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/plot_results.h"
#include "apps/cosimulation/types.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_file.h"
#include "engine/model_file/model_source.h"
#include "engine/model_parts.h"
#include "engine/results/output_file.h"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostPanels = 8;          // of a report, a model
constexpr double kTightest = 1e-8;         // the proof's tolerance is a tenth of at most this
constexpr double kMostRows = 200;          // of a reference, about
constexpr double kCrossCheckMargin = 0.1;  // two runs that make a reference agree ten times better
// Steps of the cross-check: bounded, so that it passes over nothing that lasts longer, and by a
// prime, so that they keep no time with the model's periods.
constexpr double kCrossCheckSteps = 997;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ResultTable tableOf(const Trajectory& rows) {
  ResultTable table;
  table.time = rows.time();
  for (const Column& c : rows.columns()) table.add(c.name) = rows[c.name];
  return table;
}

struct RunResult {
  ResultTable table;
  RunReport report;
  double start = 0, stop = 0, interval = 0;  ///< [s]  as the model says
};

/// The signals that the model has, as the model writes them; none: the model's own outputs.
std::vector<std::string> known(const Simulation& simulation,
                               const std::vector<std::string>& signals) {
  const ModelParts model(simulation);
  std::vector<std::string> names;
  for (const std::string& s : signals) {
    const std::string name = model.source().withoutAliases(plainName(s));
    if (model.hasVariable(name)) names.push_back(plainName(s));
  }
  return names;
}

/// How exact a run is: of steps that have one length their length, else the tolerance.
struct Accuracy {
  double tolerance = 0;
  std::optional<double> step = {};         ///< [s]  of all steps
  std::optional<double> maximumStep = {};  ///< [s]
};

RunResult run(const RegressionCase& c, const RegressionSettings& how,
              const std::vector<std::string>& signals, const Accuracy& accuracy,
              std::optional<double> stop) {
  Simulation simulation(allTypes(), c.model);
  RunOptions options;
  options.tolerance = accuracy.tolerance;
  options.maximumStep = accuracy.maximumStep;
  options.step = accuracy.step ? accuracy.step : how.step;
  options.integrator = how.integrator;
  options.impact = how.impact;
  options.outputs = known(simulation, signals);
  const SimulationSettings& settings = simulation.source().simulation;
  if (stop && *stop<settings.stop&& * stop> settings.start) {
    options.stopTime = *stop;
    options.outputInterval = settings.interval.value_or((settings.stop - settings.start) / 500);
  }
  Trajectory rows;
  RunResult result;
  result.report = simulation.run(rows, options);
  result.table = tableOf(rows);
  result.start = settings.start;
  result.stop = settings.stop;
  result.interval = settings.interval.value_or((settings.stop - settings.start) / 500);
  return result;
}

RegressionFigures figuresOf(const RunReport& r, const Accuracy& accuracy) {
  RegressionFigures f;
  f.tolerance = accuracy.tolerance;
  f.step = accuracy.step.value_or(0);
  f.steps = r.integrator.steps;
  f.residuals = r.integrator.residuals + r.integrator.rates;
  f.newtonMatrices = r.integrator.newtonMatrices;
  f.events = r.events;
  f.seconds = r.initialisationSeconds + r.integrationSeconds + r.outputSeconds;
  return f;
}

/// "2 of 8 signals: r.phi missing in the result"
std::string whatFails(const Comparison& c) {
  if (c.signals.empty()) return "the reference has no signal to compare";
  long failed = 0;
  const SignalComparison* first = nullptr;
  for (const SignalComparison& s : c.signals) {
    if (s.passes()) continue;
    ++failed;
    // What cannot be compared is the more important news.
    if (first == nullptr || (first->usable() && !s.usable())) first = &s;
  }
  if (first == nullptr) return "";
  return fmt::format("{} of {} signals fail: {} {}", failed, c.signals.size(), first->name,
                     explain(*first, c));
}

/// What a run is compared with.
class Judge {
 public:
  Judge(const RegressionCase& c, const RegressionSettings& settings)
      : reference_(ResultTable::read(c.reference)), tube_(settings.tube) {
    tube_.until = settings.until ? settings.until : c.until;
    for (const std::string& s : c.signals.empty() ? reference_.names() : c.signals) {
      if (!c.quarantined.contains(plainName(s))) signals.push_back(s);
    }
  }

  /// Fills in the verdict; false if the comparison itself is impossible.
  bool judge(const ResultTable& result, RegressionFigures& f) const {
    const Comparison c = compareResults(result, reference_, signals, tube_);
    f.pass = c.passes() && !signals.empty();
    f.margin = c.margin();
    f.worst = worstPlace(c);
    f.why = whatFails(c);
    return c.usable() && !signals.empty();
  }

  std::optional<double> until() const { return tube_.until; }
  /// The first signals that do not pass, as SVG.
  std::string draw(const ResultTable& result) const {
    const Comparison c = compareResults(result, reference_, signals, tube_);
    Plot plot = comparisonPlot(result, reference_, c, tube_, true, {});
    if (plot.panels.empty()) return "";
    if (plot.panels.size() > kMostPanels) plot.panels.resize(kMostPanels);
    return formatSvg(plot);
  }

  std::vector<std::string> signals;

 private:
  ResultTable reference_;
  TubeOptions tube_;
};

/// As the model and the command say. A step that is needed and not given is missed by the run.
Accuracy ownAccuracy(const RegressionCase& c, const RegressionSettings& how) {
  Diagnostics ignored;
  const SimulationSettings file = loadModel(c.model, {}, ignored).simulation;
  Accuracy own{.tolerance = how.tolerance.value_or(c.tolerance.value_or(file.tolerance))};
  if (how.integrator.value_or(file.integrator) == IntegratorChoice::stepping)
    own.step = how.step ? how.step : file.step;
  return own;
}

/// That of the run which proves what the other one says.
Accuracy proofAccuracy(const Accuracy& own) {
  if (own.step) return {.tolerance = own.tolerance, .step = 0.5 * *own.step};
  return {.tolerance = proofTolerance(own.tolerance)};
}

/// The first line, and how many errors there are.
std::string inOneLine(const ModelError& e) {
  std::string text = e.what();
  text = text.substr(0, text.find('\n'));
  if (const int n = e.diagnostics().errorCount(); n > 1) {
    text += fmt::format(" (and {} more error{})", n - 1, n > 2 ? "s" : "");
  }
  return text;
}

std::string inOneLine(const SolverError& e) {
  const std::string text = e.what();
  std::string line = text.substr(0, text.find('\n'));
  const SolverError::Details& d = e.details();
  if (!d.unknown.empty()) line += fmt::format(" ('{}' = {:g})", d.unknown, d.value);
  return line;
}

RegressionOutcome compareCase(const RegressionCase& c, const RegressionSettings& settings) {
  RegressionOutcome outcome;
  if (!c.hasReference) {
    // Whether the model can be read at all is the first thing to know.
    Simulation(allTypes(), c.model);
    outcome.message = "no reference '" + c.reference + "' (--update writes it)";
    return outcome;
  }
  const Accuracy own = ownAccuracy(c, settings);
  const Judge judge(c, settings);
  // Rows beyond `until` are of no use, but steps are counted over the whole run.
  const RunResult first = run(c, settings, judge.signals, own, std::nullopt);
  outcome.own = figuresOf(first.report, own);
  bool usable = judge.judge(first.table, *outcome.own);
  bool pass = outcome.own->pass;
  if (usable && !settings.ownOnly && !settings.tolerance) {
    const Accuracy tight = proofAccuracy(own);
    try {
      const RunResult second = run(c, settings, judge.signals, tight, judge.until());
      outcome.proof = figuresOf(second.report, tight);
      usable = judge.judge(second.table, *outcome.proof);
    } catch (const SolverError& e) {
      outcome.message = fmt::format("{} {}, but {} {}", pass ? "agrees" : "differs",
                                    accuracyOf(*outcome.own, true),
                                    accuracyOf(figuresOf(RunReport{}, tight), false), inOneLine(e));
      return outcome;
    }
    // A run as the model says that agrees is no less an agreement where the tight one does not:
    // the line says so.
    pass = outcome.proof->pass || outcome.own->pass;
  }
  outcome.status = !usable ? RegressionStatus::error
                   : pass  ? RegressionStatus::pass
                           : RegressionStatus::fail;
  if (outcome.status != RegressionStatus::pass) outcome.message = outcome.deciding()->why;
  if (settings.draw && outcome.status != RegressionStatus::pass)
    outcome.plot = judge.draw(first.table);
  return outcome;
}

/// About 200 rows on the output grid, and the last one.
ResultTable thinned(const RunResult& r) {
  const std::vector<double>& t = r.table.time;
  const double rows = std::max(1.0, std::round((t.back() - r.start) / r.interval));
  const double stride = std::ceil(rows / kMostRows) * r.interval;
  const double roundOff = 1e-9 * std::max(r.interval, t.back() - r.start);
  std::vector<size_t> chosen;
  for (size_t i = 0; i < t.size(); ++i) {
    const double k = std::round((t[i] - r.start) / stride);
    const bool onGrid = std::abs(t[i] - (r.start + k * stride)) <= roundOff;
    if (onGrid || i + 1 == t.size()) chosen.push_back(i);
  }
  ResultTable result;
  for (const size_t i : chosen) result.time.push_back(t[i]);
  for (const std::string& n : r.table.names()) {
    const std::vector<double>& values = *r.table.find(n);
    std::vector<double>& column = result.add(n);
    for (const size_t i : chosen) column.push_back(values[i]);
  }
  return result;
}

/// Twelve digits: more than the run is accurate to, and a small file.
std::string csvOf(const ResultTable& table) {
  std::string text = "\"time\"";
  std::vector<const std::vector<double>*> columns;
  for (const std::string& n : table.names()) {
    text += ",\"" + n + "\"";
    columns.push_back(table.find(n));
  }
  text += '\n';
  auto append = [&](double x) {
    fmt::format_to(std::back_inserter(text), "{:.12g}", x == 0 ? 0.0 : x);
  };
  for (size_t i = 0; i < table.time.size(); ++i) {
    append(table.time[i]);
    for (const auto* values : columns) {
      text += ',';
      append((*values)[i]);
    }
    text += '\n';
  }
  return text;
}

/// The reference is no file of the model.
void protectSources(const RegressionCase& c) {
  Diagnostics ignored;
  protectFiles({{c.reference, "the reference"}}, sourcesOf(loadModel(c.model, {}, ignored)));
}

/// The two runs of updateCase, the exact one first: with tolerances ten times apart and other steps, or
/// with steps of half the length.
std::pair<RunResult, RunResult> twoRuns(const RegressionCase& c, const RegressionSettings& settings,
                                        const Accuracy& fine, Accuracy coarse) {
  RunResult first = run(c, settings, {}, fine, std::nullopt);
  if (!coarse.step && first.stop > first.start)
    coarse.maximumStep = (first.stop - first.start) / kCrossCheckSteps;
  RunResult second = run(c, settings, {}, coarse, std::nullopt);
  return {std::move(first), std::move(second)};
}

/// Two runs have to agree; the more exact one is written.
RegressionOutcome updateCase(const RegressionCase& c, const RegressionSettings& settings) {
  RegressionOutcome outcome;
  protectSources(c);
  const Accuracy own = ownAccuracy(c, settings);
  const Accuracy rough = own.step || settings.tolerance ? own : proofAccuracy(own);
  const Accuracy exact =
      own.step ? proofAccuracy(own) : Accuracy{.tolerance = rough.tolerance / 10};
  const auto [fine, coarse] = twoRuns(c, settings, exact, rough);
  const ResultTable reference = thinned(fine);
  const Comparison check =
      compareResults(coarse.table, reference, reference.names(), settings.tube);
  outcome.own = figuresOf(fine.report, exact);
  outcome.own->margin = check.margin();
  outcome.own->worst = worstPlace(check);
  if (!check.passes() || check.margin() > kCrossCheckMargin) {
    const std::string runs = own.step
                                 ? fmt::format("steps of {:g} and {:g} s", *rough.step, *exact.step)
                                 : fmt::format("the tolerances {:g} and {:g} and other steps",
                                               rough.tolerance, exact.tolerance);
    outcome.message = fmt::format(
        "no reference written: two runs with {} must agree to {:g} of the tube, they differ by "
        "{:.3g} of it ({}); shorten the run, {}make the motion depend less on its start",
        runs, kCrossCheckMargin, check.margin(), worstPlace(check),
        own.step ? "take a shorter step, or " : "or ");
    return outcome;
  }
  std::string changed = "new";
  if (c.hasReference) {
    try {
      RegressionFigures f;
      Judge(c, settings).judge(fine.table, f);
      changed = f.pass ? fmt::format("the old one agreed, margin {:.3g}", f.margin)
                       : "the old one differed: " + f.why;
    } catch (const ResultFileError&) {
      changed = "the old one could not be read";
    }
  }
  std::filesystem::create_directories(std::filesystem::path(c.reference).parent_path());
  writeTextFile(c.reference, csvOf(reference));
  outcome.status = RegressionStatus::wrote;
  outcome.message = fmt::format("{} ({} rows, cross-check {:.2g} of the tube; {})", c.reference,
                                reference.time.size(), check.margin(), changed);
  return outcome;
}

/// f(name, member) of all of them.
template <class Figures, class F>
void forEachFigure(Figures& x, F f) {
  f("tolerance", x.tolerance);
  f("step", x.step);
  f("pass", x.pass);
  f("margin", x.margin);
  f("worst", x.worst);
  f("why", x.why);
  f("steps", x.steps);
  f("residuals", x.residuals);
  f("newtonMatrices", x.newtonMatrices);
  f("events", x.events);
  f("seconds", x.seconds);
}

void put(Json& j, const char* key, const std::optional<RegressionFigures>& f) {
  if (f) forEachFigure(*f, [&](const char* name, const auto& x) { j[key][name] = x; });
}

std::optional<RegressionFigures> get(const Json& j, const char* key) {
  if (!j.contains(key)) return std::nullopt;
  RegressionFigures f;
  forEachFigure(f, [&](const char* name, auto& x) { j[key][name].get_to(x); });
  return f;
}

}  // namespace

const RegressionFigures* RegressionOutcome::deciding() const {
  if (proof && (proof->pass || !(own && own->pass))) return &*proof;
  return own ? &*own : nullptr;
}

std::string accuracyOf(const RegressionFigures& f, bool isOwn) {
  const std::string own = isOwn ? "its own " : "";
  if (f.step > 0) return fmt::format("with {}steps of {:g} s", own, f.step);
  return fmt::format("at {}{:g}", isOwn ? "its own tolerance " : "", f.tolerance);
}

double proofTolerance(double own) { return std::min(own, kTightest) / 10; }

RegressionOutcome runCase(const RegressionCase& c, const RegressionSettings& settings) {
  const Clock::time_point begun = Clock::now();
  RegressionOutcome outcome;
  try {
    outcome = settings.update ? updateCase(c, settings) : compareCase(c, settings);
  } catch (const ModelError& e) {
    outcome.message = inOneLine(e);
  } catch (const SolverError& e) {
    outcome.message = inOneLine(e);
  } catch (const std::bad_alloc&) {
    outcome.message = "not enough memory";
  } catch (const std::exception& e) {
    outcome.message = e.what();
  }
  outcome.seconds = secondsSince(begun);
  return outcome;
}

const char* word(RegressionStatus status) {
  static constexpr const char* kWords[] = {"pass", "FAIL", "error", "wrote"};
  return kWords[static_cast<size_t>(status)];
}

Json outcomeJson(const RegressionOutcome& o) {
  Json j{{"status", o.status == RegressionStatus::fail ? "fail" : word(o.status)},
         {"message", o.message},
         {"seconds", o.seconds}};
  if (!o.plot.empty()) j["plot"] = o.plot;
  put(j, "own", o.own);
  put(j, "proof", o.proof);
  return j;
}

RegressionOutcome outcomeOf(const Json& j) {
  RegressionOutcome o;
  const std::string status = j["status"];
  for (const RegressionStatus s :
       {RegressionStatus::pass, RegressionStatus::error, RegressionStatus::wrote}) {
    if (status == word(s)) o.status = s;
  }
  if (status == "fail") o.status = RegressionStatus::fail;
  o.message = j["message"];
  o.seconds = j["seconds"];
  if (j.contains("plot")) o.plot = j["plot"];
  o.own = get(j, "own");
  o.proof = get(j, "proof");
  return o;
}

}  // namespace cardan
