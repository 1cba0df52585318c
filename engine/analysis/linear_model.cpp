#include "engine/analysis/linear_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/analysis/reduction.h"
#include "engine/model_file/model_source.h"
#include "engine/model_parts.h"
#include "engine/structure/unknowns.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

using Eigen::MatrixXd;

constexpr double kAtRest = 1e-8;      // of a rate, in the model's own units
constexpr double kSameTurned = 1e-7;  // of A after a hundredth of a radian
constexpr double kAlways = 1e4, kPrefer = 1e2, kAvoid = 1e-2, kNever = 1e-4;
constexpr size_t kMostNames = 6;

/// How much an unknown is wanted as a state, by stateSelect.
std::vector<double> stateWeights(const PointEquations& equations) {
  std::map<std::string, double, std::less<>> wanted;
  for (const PointStart& s : equations.starts()) {
    const double w = s.select == StateSelect::always   ? kAlways
                     : s.select == StateSelect::prefer ? kPrefer
                     : s.select == StateSelect::avoid  ? kAvoid
                     : s.select == StateSelect::never  ? kNever
                                                       : 1;
    if (w != 1) wanted[s.name] = w;
  }
  std::vector<double> weights;
  for (const Unknowns::Unknown& u : equations.unknowns().unknowns) {
    const auto w = wanted.find(u.name);
    weights.push_back(w == wanted.end() ? 1 : w->second);
  }
  return weights;
}

/// Linearises at one point; what stays for all points of a model.
class Lineariser {
 public:
  Lineariser(const PointEquations& equations, const LinearisationOptions& options)
      : equations_(equations), layout_(equations.unknowns()) {
    findInputs(options.inputs);
    findOutputs(options.outputs);
    diagnostics_.throwIfErrors();
    reduction_.emplace(equations, inputs_, stateWeights(equations));
  }

  LinearModel at(const MotionPoint& point, bool descriptor) {
    LinearModel m;
    m.name = equations_.source().name;
    m.time = point.time;
    const ReducedSystem reduced = reduction_->reduce(point);
    refuseDrives(reduced);
    m.A = reduced.A;
    m.B = reduced.B;
    m.mass = reduced.mass;
    m.stiffness = reduced.stiffness;
    m.sizes.resize(m.A.rows());
    m.unknowns = reduced.y;
    m.rates = reduced.yp;
    for (int s : reduced.states) {
      const Unknowns::Unknown& u = layout_.unknowns[s];
      m.sizes[m.states.size()] = equations_.nominal(s);
      m.states.push_back({u.name, u.unit, point.y[s]});
    }
    for (const PointInput& i : inputs_) m.inputs.push_back({i.name, i.unit, equations_.input(i)});
    pairRates(m);
    outputs(point, reduced, m);
    judge(point, reduced, m);
    m.frozen = equations_.modes();
    m.bends = equations_.bends(point);
    if (descriptor) addDescriptor(point, reduced, m);
    return m;
  }

 private:
  void findInputs(const std::vector<std::string>& names);
  void findOutputs(const std::vector<OutputPattern>& patterns);
  void refuseDrives(const ReducedSystem& reduced) const;
  void outputs(const MotionPoint& point, const ReducedSystem& reduced, LinearModel& m);
  void judge(const MotionPoint& point, const ReducedSystem& reduced, LinearModel& m);
  bool changesAlong(const MotionPoint& point, const ReducedSystem& reduced);
  std::string whatTurns(const MotionPoint& point) const;
  void addDescriptor(const MotionPoint& point, const ReducedSystem& reduced, LinearModel& m);
  /// Of a rate, in the model's own units.
  double rateOf(const MotionPoint& point, int unknown) const {
    return std::abs(point.yp[unknown]) * equations_.typicalTime() / equations_.nominal(unknown);
  }

  PointEquations equations_;
  const Unknowns& layout_;
  Diagnostics diagnostics_;
  std::vector<PointInput> inputs_;
  std::vector<PointOutput> outputs_;
  std::vector<std::string> leftOut_;
  std::optional<Reduction> reduction_;
};

void Lineariser::findInputs(const std::vector<std::string>& names) {
  const std::vector<PointInput> all = equations_.inputs();
  std::vector<std::string> known;
  for (const PointInput& i : all) known.push_back(i.name);
  std::set<std::string> taken;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) {
      diagnostics_.error(
          {equations_.source().file, 0, 0},
          fmt::format("'{}' is no input of the model that has a number{}", name,
                      known.empty() ? "; the model has none"
                                    : didYouMean(name, known, "inputs: " + joinMost(known, 20))));
    } else if (taken.insert(name).second) {
      inputs_.push_back(all[found - known.begin()]);
    }
  }
}

void Lineariser::findOutputs(const std::vector<OutputPattern>& patterns) {
  for (PointOutput& e : equations_.outputs(patterns, diagnostics_)) {
    if (!e.readsDerivatives) {
      outputs_.push_back(std::move(e));
    } else if (patterns.empty()) {
      leftOut_.push_back(e.name);
    } else {
      diagnostics_.error({equations_.source().file, 0, 0},
                         fmt::format("output '{}' contains a time derivative that is taken along "
                                     "the run: it is no function of states and inputs",
                                     e.name));
    }
  }
}

void Lineariser::refuseDrives(const ReducedSystem& reduced) const {
  Diagnostics diagnostics;
  for (size_t k = 0; k < inputs_.size(); ++k) {
    if (!reduced.needsRate[k]) continue;
    diagnostics.error(
        {equations_.source().file, 0, 0},
        fmt::format("input '{}' prescribes a motion, so that its rates act as well as "
                    "its value; let it be a force or torque, or an acceleration that "
                    "two integrators make a motion of",
                    inputs_[k].name));
  }
  diagnostics.throwIfErrors();
}

/// Rows of C and D: the variables differentiated along what every state and input does.
void Lineariser::outputs(const MotionPoint& point, const ReducedSystem& reduced, LinearModel& m) {
  const Eigen::Index ns = m.A.rows(), nu = m.B.cols(), ny = std::ssize(outputs_);
  MatrixXd CD(ny, ns + nu);
  Eigen::VectorXd values(ny);
  reduction_->derivatives().ofOutputs(point, outputs_, ns + nu, reduced.y.data(), reduced.yp.data(),
                                      CD.data(), values.data());
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < ny; ++i) {
    const PointOutput& e = outputs_[i];
    if (!CD.row(i).allFinite() || !std::isfinite(values[i])) {
      leftOut_.push_back(e.name);
      continue;
    }
    kept.push_back(i);
    m.outputs.push_back({e.name, e.unit, values[i]});
  }
  m.C.resize(std::ssize(kept), ns);
  m.D.resize(std::ssize(kept), nu);
  for (size_t i = 0; i < kept.size(); ++i) {
    m.C.row(i) = CD.row(kept[i]).head(ns);
    m.D.row(i) = CD.row(kept[i]).tail(nu);
  }
  if (!leftOut_.empty()) {
    m.warnings.push_back("left out, as they have no derivatives by the states here: " +
                         joinMost(leftOut_, kMostNames));
  }
}

/// A at points further along the motion differs.
bool Lineariser::changesAlong(const MotionPoint& point, const ReducedSystem& reduced) {
  Eigen::VectorXd sizes(std::ssize(reduced.states));
  for (size_t i = 0; i < reduced.states.size(); ++i)
    sizes[i] = equations_.nominal(reduced.states[i]);
  const MatrixXd scaled = sizes.cwiseInverse().asDiagonal() * reduced.A * sizes.asDiagonal();
  const double h = reduction_->shortTime(point.yp);
  for (const double dt : {h, 7 * h}) {
    MotionPoint next = point;
    next.time += dt;
    for (int i = 0; i < layout_.lambdaOffset(); ++i) next.y[i] += dt * point.yp[i];
    if (!equations_.makeConsistent(next)) return true;
    const ReducedSystem there = reduction_->reduce(next, &reduced.states);
    const MatrixXd change =
        sizes.cwiseInverse().asDiagonal() * (there.A - reduced.A) * sizes.asDiagonal();
    if (change.cwiseAbs().maxCoeff() > kSameTurned * scaled.cwiseAbs().maxCoeff()) return true;
  }
  return false;
}

/// Coordinates that move on, those of free orientations first.
std::string Lineariser::whatTurns(const MotionPoint& point) const {
  std::vector<std::string> roots, names;
  for (const PointJoint& s : equations_.joints()) {
    double rate = 0;
    for (int i = 0; i < s.nq; ++i) rate = std::max(rate, rateOf(point, s.q + i));
    if (rate <= kAtRest) continue;
    if (!s.name.empty() && s.nq + s.nv > 2 && !s.plain) {
      roots.push_back(s.name);
    } else {
      for (int i = 0; i < s.nq; ++i) {
        if (rateOf(point, s.q + i) > kAtRest) names.push_back(layout_.unknowns[s.q + i].name);
      }
    }
  }
  return roots.empty() ? joinMost(names, kMostNames)
                       : "the free orientation of " + joinMost(roots, kMostNames);
}

void Lineariser::judge(const MotionPoint& point, const ReducedSystem& reduced, LinearModel& m) {
  double position = 0, velocity = 0;
  for (int i = 0; i < layout_.lambdaOffset(); ++i) {
    double& largest = i < layout_.nq ? position : velocity;
    if (layout_.unknowns[i].differential) largest = std::max(largest, rateOf(point, i));
  }
  using Kind = LinearModel::Kind;
  // Where nothing moves, too: what acts on it may change with time.
  const bool changes = changesAlong(point, reduced);
  if (velocity > kAtRest) {
    m.kind = Kind::motion;
    m.warnings.push_back(
        "the point is neither an equilibrium nor a steady motion: velocities change, and A is of "
        "this instant; its eigenvalues do not say whether the motion is stable");
  } else if (changes && position <= kAtRest) {
    m.kind = Kind::motion;
    m.warnings.push_back(
        "nothing moves at this instant, but what acts changes with time: A is of this instant");
  } else if (changes) {
    m.kind = Kind::turning;
    m.warnings.push_back(fmt::format(
        "A turns with the motion, by {}: its coefficients are periodic, and the eigenvalues of one "
        "instant do not say whether the motion is stable; choose coordinates that do not turn (a "
        "frame that does not spin as the floating root)",
        whatTurns(point)));
  } else {
    m.kind = position > kAtRest ? Kind::steady : Kind::equilibrium;
  }
  if (reduced.hidden && m.kind != Kind::equilibrium) {
    m.warnings.push_back(
        "equations tie states to each other; along this motion their derivatives are taken as if "
        "they did not change");
  }
}

void Lineariser::addDescriptor(const MotionPoint& point, const ReducedSystem& reduced,
                               LinearModel& m) {
  LinearModel::Descriptor out{{}, reduced.fullE, reduced.fullA, reduced.fullB};
  for (int u : reduction_->derivatives().unknowns()) {
    const Unknowns::Unknown& unknown = layout_.unknowns[u];
    out.unknowns.push_back({unknown.name, unknown.unit, point.y[u]});
  }
  m.descriptor = std::move(out);
}

}  // namespace

std::string word(LinearModel::Kind kind) {
  switch (kind) {
    case LinearModel::Kind::equilibrium:
      return "equilibrium";
    case LinearModel::Kind::steady:
      return "steady motion";
    case LinearModel::Kind::turning:
      return "steady motion in turning coordinates";
    case LinearModel::Kind::motion:
      break;
  }
  return "instant of a motion";
}

void pairRates(LinearModel& m) {
  m.rateOf.assign(m.states.size(), -1);
  for (Eigen::Index i = 0; i < m.A.rows(); ++i) {
    Eigen::Index one = -1;
    bool plain = (m.B.row(i).array() == 0).all();
    for (Eigen::Index k = 0; plain && k < m.A.cols(); ++k) {
      const double a = m.A(i, k);
      if (std::abs(a - 1) < 1e-13 && one < 0) {
        one = k;
      } else {
        plain = std::abs(a) < 1e-13;
      }
    }
    if (!plain || one < 0 || one == i || m.rateOf[one] >= 0) continue;
    m.rateOf[one] = i;
    m.A.row(i).setZero();
    m.A(i, one) = 1;
  }
}

LinearModel linearise(Simulation& simulation, const MotionPoint& point,
                      const LinearisationOptions& options) {
  refuseOutside(simulation,
                "what it does is no equation of the model, so that there is no linear one");
  PointEquations equations(simulation);
  Lineariser lineariser(equations, options);
  MotionPoint exact = point;
  const RegularAngles angles(simulation, exact);
  if (!equations.makeConsistent(exact))
    throw AnalysisError("the accelerations and reactions at this point cannot be found");
  LinearModel m = lineariser.at(exact, options.descriptor);
  for (const int i : angles.renewed()) m.elsewhere.push_back(equations.unknowns().unknowns[i].name);
  if (!m.elsewhere.empty()) {
    m.warnings.push_back("singular here, so counted from this place: " +
                         joinMost(m.elsewhere, kMostNames));
  }
  return m;
}

}  // namespace cardan
