#include "engine/analysis/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "engine/analysis/modes.h"
#include "engine/analysis/rest_pose.h"
#include "engine/model_parts.h"
#include "engine/motion_point.h"
#include "engine/structure/dense_algebra.h"
#include "engine/structure/unknowns.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kAtRestRate = 1e-11;  // of rates in the model's own units
constexpr double kGoodRate = 1e-8;     // where rounding lets it come no nearer
constexpr double kInPlace = 1e-10;     // of held coordinates
constexpr double kSteady = 1e-6;       // of rates a little later
constexpr double kSameLater = 1e-7;    // of A a little later
constexpr double kLongestStep = 0.2;   // in the model's own units
constexpr double kAnyStep = std::numeric_limits<double>::infinity();
constexpr double kLandingStep = 0.005;  // onto what it touches
constexpr double kLevel = 1e-9;         // of the largest stiffness: neither up nor down
constexpr double kNear = 1e-3;          // of rates: Newton's method is tried in every step
constexpr double kNearer = 0.98;        // what a step of it has to leave of them at most
constexpr double kUnbalanced = 1e-8;    // of a rate, in the model's own units
constexpr size_t kMostUnbalanced = 5;
constexpr int kPatience = 10;  // steps without it after it has failed
constexpr int kMostSteps = 400;
constexpr int kHalvings = 6;
constexpr int kMostBranches = 20;  // of conditions that are tried

/// The search: a pose, its rates and what they depend on.
class RestSearch {
 public:
  /// `leaves`: what the rates depend on is something else at this point; `landing`: the longest step that leads there.
  RestSearch(RestConditions& conditions, std::function<bool(const MotionPoint&)> leaves,
             bool downhill, double landing)
      : conditions_(conditions),
        leaves_(std::move(leaves)),
        downhill_(downhill),
        landing_(landing) {}

  /// Steps from a settled pose until it rests, leaves, or no longer gets anywhere.
  bool run(const RestPose& start, int& iterations) {
    here_ = start;
    left_ = false;
    look();
    const bool staysThere = worst() < kGoodRate;  // be it stable or not
    double horizon = 1, before = 0;               // of a step in the model's own time
    int stuck = 0;                                // so many steps without Newton's method
    for (int steps = 0; steps < kMostSteps; ++steps, ++iterations) {
      if (worst() < kAtRestRate && inPlace()) return true;
      left_ = steps > 0 && leaves_(here_.point);
      if (left_) return false;
      const double shift = downhill_ && !staysThere ? steepestDescent() : 0;
      if (shift == 0 && (stuck == 0 || worst() < kNear)) {
        if (newton()) continue;
        if (worst() < kGoodRate && inPlace()) return true;
        stuck = kPatience;
      } else if (shift > 0 && transientStep(shift, true)) {
        continue;
      }
      stuck = std::max(0, stuck - 1);
      const double now = rates_.norm();
      if (before > 0) horizon *= std::clamp(before / now, 0.5, 4.0);
      before = now;
      if (!transientStep(shift + 1 / (horizon * horizon), false)) return false;
    }
    return worst() < kGoodRate && inPlace();
  }

  bool left() const { return left_; }
  const RestPose& pose() const { return here_; }
  const RestConditions::Slopes& slopes() const { return slopes_; }

 private:
  double worst() const { return rates_.size() > 0 ? rates_.cwiseAbs().maxCoeff() : 0; }
  bool inPlace() const {
    const VectorXd drift = conditions_.drift(here_.point);
    return drift.size() == 0 || drift.cwiseAbs().maxCoeff() < kInPlace;
  }
  double merit(const RestPose& p) const {
    return conditions_.rates(p.point).norm() + conditions_.drift(p.point).norm();
  }

  void look() {
    slopes_ = conditions_.slopes(here_);
    rates_ = conditions_.rates(here_.point);
  }

  /// By how much the stiffness has to be raised to be positive: 0 where it is, the mass being its
  /// measure; else a little more than is enough, so that a step goes down the potential.
  double steepestDescent() const {
    const Index n = conditions_.mechanical();
    if (n == 0) return 0;
    const MatrixXd F = slopes_.mass * slopes_.J.topLeftCorner(n, n);
    const MatrixXd stiffness = -(F + F.transpose()) / 2;
    const double scale =
        (stiffness.diagonal().cwiseAbs().array() / slopes_.mass.diagonal().cwiseAbs().array())
            .maxCoeff();
    if (!(scale > 0) || !std::isfinite(scale)) return 0;
    const auto positive = [&](double shift) {
      return isPositiveDefinite(stiffness + shift * slopes_.mass);
    };
    double low = kLevel * scale;
    if (positive(low)) return 0;
    double high = 4 * low;
    for (; !positive(high); low = high, high *= 4) {
      if (high > 1e9 * scale) return 0;  // the mass is none
    }
    while (high > 1.2 * low) {
      const double middle = std::sqrt(low * high);
      (positive(middle) ? high : low) = middle;
    }
    return 1.2 * high;
  }

  static double longest(const VectorXd& change) {
    return change.size() > 0 ? change.cwiseAbs().maxCoeff() : 0;
  }

  /// False: it does not come nearer.
  bool newton() {
    VectorXd change = VectorXd::Zero(rates_.size());
    if (rates_.size() > 0) change = OrthogonalFactors(slopes_.J, kFlat).leastNorm(-rates_);
    const double now = merit(here_);
    return go(change, [&](const RestPose& p, const VectorXd&) { return merit(p) < kNearer * now; });
  }

  /// Implicit in time, the velocities of the step taken away: (shift - J) change = rates. `falls`:
  /// the forces on the way have to do work, as the mean of both ends has it.
  bool transientStep(double shift, bool falls) {
    const Index n = conditions_.mechanical(), all = rates_.size();
    MatrixXd A = -slopes_.J;
    A.diagonal().head(n).array() += shift;
    A.diagonal().tail(all - n).array() += std::sqrt(shift);
    DenseLu lu;
    lu.factor(A);
    if (!lu.pivotsExceed(0)) return false;
    VectorXd change(all);
    lu.solve(rates_, change);
    return go(change, [&](const RestPose& p, const VectorXd& by) {
      if (!falls) return true;
      const VectorXd sum = (conditions_.rates(p.point) + rates_).head(n);
      return by.head(n).dot(slopes_.mass * sum) > 0;
    });
  }

  /// Along a change, half of it where that cannot be or is not good.
  template <class IsGood>
  bool go(VectorXd change, IsGood isGood) {
    if (!change.allFinite()) return false;
    if (const double size = longest(change); size > kLongestStep) change *= kLongestStep / size;
    for (int k = 0; k < kHalvings; ++k, change /= 2) {
      RestPose p = conditions_.moved(here_, slopes_, change);
      if (!conditions_.settle(p) || !isGood(p, change)) continue;
      if (k + 1 < kHalvings && longest(change) > landing_ && leaves_(p.point)) continue;
      here_ = std::move(p);
      look();
      return true;
    }
    return false;
  }

  RestConditions& conditions_;
  std::function<bool(const MotionPoint&)> leaves_;
  bool downhill_, left_ = false;
  double landing_;
  RestPose here_;
  RestConditions::Slopes slopes_;
  VectorXd rates_;
};

/// Searches with what is in force held, each from where the one before left it.
class BranchSearch {
 public:
  /// `landing`: modes of parts, too, become those of the place, by steps that are no longer than this; none:
  /// they stay.
  BranchSearch(RestConditions& conditions, PointEquations& equations, std::optional<double> landing)
      : conditions_(conditions),
        equations_(equations),
        landing_(landing),
        downhill_(search(true)),
        anywhere_(search(false)) {}
  BranchSearch(const BranchSearch&) = delete;

  /// True: it rests there with what is in force.
  bool run(RestPose begin, int& iterations) {
    none_.clear();
    for (int branches = 0;;) {
      bool found = false;
      for (RestSearch* one : {&downhill_, &anywhere_}) {
        last_ = one;
        found = last_->run(begin, iterations);
        if (found || last_->left()) break;
      }
      const std::vector<std::string> changed = others(last_->pose().point, true);
      if (changed.empty()) return found;
      if (found && ++branches > kMostBranches) {
        none_ = changed.front();
        return false;
      }
      begin = last_->pose();
      if (iterations >= kMostSteps || !conditions_.settle(begin)) return false;
    }
  }

  const RestPose& pose() const { return last_->pose(); }
  const RestConditions::Slopes& slopes() const { return last_->slopes(); }
  /// Throws AnalysisError where the search went in a circle.
  void throwIfNone() const {
    if (none_.empty()) return;
    throw AnalysisError(
        fmt::format("no equilibrium found: where the model rests with '{}' as it is, that is not "
                    "so, and where it rests with it otherwise neither",
                    none_));
  }

 private:
  RestSearch search(bool downhill) {
    const auto leaves = [this](const MotionPoint& p) { return !others(p, false).empty(); };
    return RestSearch(conditions_, leaves, downhill, landing_.value_or(kAnyStep));
  }
  std::vector<std::string> others(const MotionPoint& p, bool take) {
    std::vector<std::string> changed = equations_.otherConditions(p, take);
    if (landing_ && changed.empty()) changed = equations_.otherModes(p, take);
    return changed;
  }

  RestConditions& conditions_;
  PointEquations& equations_;
  std::optional<double> landing_;
  RestSearch downhill_, anywhere_;
  RestSearch* last_ = &downhill_;
  std::string none_;  ///< what is otherwise at each place
};

/// What moves goes on, and what rests rests, a little later: else throws. True: A changes with it.
bool turns(RestConditions& conditions, const RestPose& pose, const RestConditions::Slopes& slopes) {
  RestPose next = pose;
  const double dt = conditions.timeAhead(pose.point);
  next.point.time += dt;
  for (size_t i = 0; i < next.point.y.size(); ++i) next.point.y[i] += dt * pose.point.yp[i];
  const bool settled = conditions.settle(next);
  const RestConditions::Slopes there =
      settled ? conditions.slopes(next, &slopes.system.states) : slopes;
  const VectorXd rates = conditions.rates(next.point);
  if (!settled || (rates.size() > 0 && rates.cwiseAbs().maxCoeff() > kSteady)) {
    throw AnalysisError(
        "what moves at this time does not move steadily: what rests now does not a little later");
  }
  const MatrixXd A = conditions.scaled(slopes);
  return (conditions.scaled(there) - A).cwiseAbs().maxCoeff() >
         kSameLater * A.cwiseAbs().maxCoeff();
}

void judge(RestConditions& conditions, const RestPose& pose, const RestConditions::Slopes& slopes,
           Equilibrium& e) {
  const LinearModel free = conditions.freeModel(pose, slopes);
  if (e.moves) e.turning = turns(conditions, pose, slopes);
  const ModalAnalysis a = findModes(free);
  e.unstable = a.unstable;
  // Coordinates of a held orientation are still among the states.
  const int gone = slopes.system.states.size() - free.states.size();
  e.zeros = std::max<int>(0, a.zeros - (2 * std::ssize(conditions.drives()) - gone));
}

std::vector<HoldingForce> heldBy(const RestConditions& conditions, const RestPose& pose) {
  std::vector<HoldingForce> forces;
  for (const int drive : conditions.drives()) {
    const DriveName name = conditions.nameOf(drive);
    forces.push_back(
        {name.name, pose.forces[std::ssize(forces)], name.unit, conditions.keeps(drive)});
  }
  return forces;
}

/// The states that rest least, the worst first.
std::vector<RestlessState> restless(const RestConditions& conditions, const Unknowns& layout,
                                    const MotionPoint& p) {
  const VectorXd all = conditions.rates(p);
  const std::vector<int> states = conditions.freeStates();
  std::vector<Index> order;
  for (Index i = 0; i < all.size(); ++i) order.push_back(i);
  std::ranges::sort(order, [&](Index a, Index b) { return std::abs(all[a]) > std::abs(all[b]); });
  std::vector<RestlessState> worst;
  for (Index i : order) {
    if (std::abs(all[i]) < kUnbalanced || worst.size() == kMostUnbalanced) break;
    const size_t s = states[i];
    worst.push_back({layout.unknowns[s].name, p.yp[s], layout.unknowns[s].unit});
  }
  return worst;
}

}  // namespace

Equilibrium findEquilibrium(Simulation& simulation, const MotionPoint& start,
                            const EquilibriumOptions& options) {
  refuseOutside(simulation, "what it does is no equation of the model, so that no rest is found");
  PointEquations equations(simulation);
  RestConditions conditions(equations, options.free, options.steady);
  MotionPoint from = start;
  RegularAngles angles(simulation, from, 0.5);
  const RestPose begin = conditions.begin(from);
  int iterations = 0;
  const auto endOf = [&](const BranchSearch& search, bool found) {
    const RestPose& pose = search.pose();
    Equilibrium e;
    e.point = pose.point;
    e.found = found;
    e.moves = conditions.moves();
    e.held = heldBy(conditions, pose);
    if (found) {
      conditions.checkKept(pose.point);
      judge(conditions, pose, search.slopes(), e);
    } else {
      e.unbalanced = restless(conditions, equations.unknowns(), pose.point);
    }
    return e;
  };
  const auto run = [&](BranchSearch& search) {
    int steps = 0;
    const bool found = search.run(begin, steps);
    iterations += steps;
    return found;
  };
  using Branch = std::shared_ptr<const PointEquations::Branch>;
  const Branch atStart = equations.branch();
  BranchSearch held(conditions, equations, std::nullopt);
  const bool found = run(held);
  const std::vector<std::string> unfit = equations.otherModes(held.pose().point, false);
  std::optional<Equilibrium> best;
  if (!unfit.empty() || (!found && !equations.modes().empty())) {
    Branch last = equations.branch();
    // Gently, so that it stays on top of what it touches; or with a push, out of where friction catches it.
    for (const double landing : {kLandingStep, kAnyStep}) {
      equations.takeBranch(*atStart);
      BranchSearch changing(conditions, equations, landing);
      if (!run(changing)) continue;
      Equilibrium there = endOf(changing, true);
      if (best && there.unstable >= best->unstable) continue;
      best = std::move(there);
      last = equations.branch();
      if (best->unstable == 0) break;
    }
    equations.takeBranch(*last);
  }
  if (!best) {
    if (!found) held.throwIfNone();
    best = endOf(held, found);
    best->unfit = unfit;
  }
  best->iterations = iterations;
  angles.leave(best->point);
  return *best;
}

std::string warningOfUnfit(const Equilibrium& e) {
  constexpr size_t kMostNamed = 8;
  if (e.unfit.empty()) return "";
  return fmt::format("held in the modes of the start, which are not those of the place {}: {}",
                     e.found ? "found" : "where the search ended", joinMost(e.unfit, kMostNamed));
}

std::string explainNoEquilibrium(const Equilibrium& e) {
  std::string text =
      fmt::format("no equilibrium found in {} steps; what does not rest:", e.iterations);
  for (const RestlessState& r : e.unbalanced)
    text += fmt::format("\n  der({}) = {:.6g} {}", r.name, r.rate,
                        r.unit.empty() ? "1/s" : "(" + r.unit + ")/s");
  if (!e.unfit.empty()) text += "\n" + warningOfUnfit(e);
  return text;
}

}  // namespace cardan
