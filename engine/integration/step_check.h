/// StepCheck: what must hold at the end of every accepted step, whatever is recorded.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/initialisation/loop_report.h"
#include "engine/integration/integrator.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/solver_error.h"

namespace cardan {

/// Stops a run whose steps are accepted although the model does not hold any more: a constraint
/// that gives way (a mechanism driven through a dead point or beyond its reach), a constraint left
/// out as redundant that is not implied any more, Newton's method or the error test failing again and
/// again, the error test above all while nothing gets anywhere; accelerations of an explicit method that
/// do not satisfy the equations.
///
/// Costs next to nothing while all is well: the residues that the integrator has computed on its way
/// tell whether a look at the point itself is due; accelerations are looked at every sixteenth step.
class StepCheck {
 public:
  /// `loops`: of the start, to say where. `tolerance`: relative, of the run up to `stop` [s].
  StepCheck(MultibodySystem& system, std::vector<LoopReport> loops, double tolerance, double stop)
      : system_(system),
        loops_(std::move(loops)),
        tolerance_(tolerance),
        stop_(stop),
        w_(system.equations().makeWorkspace<double>()) {}

  /// After an accepted step of the integrator. Throws SolverError, by name.
  void operator()(const Integrator& integrator) {
    if (integrator.regularises()) throwIfGivenWay(integrator);
    throwIfOpened(integrator);
    if (integrator.hasFixedStep()) return;
    if (!integrator.startsAtOrderOne()) throwIfWrong(integrator);
    throwIfCrawling(integrator);
  }

  auto kept() {
    return std::tie(window_.steps, window_.newton, window_.error, window_.restarts, window_.time,
                    window_.states, still_);
  }

 private:
  /// What a constraint may give way to its reaction, in tolerances and in its scale: on position
  /// level; and on velocity level, where a large reaction alone moves it a little.
  static constexpr double kMostGiven = 10;
  static constexpr double kLeastGiven = 1e-7;
  static constexpr double kMostGivenRate = 1000;
  static constexpr double kLeastGivenRate = 1e-4;
  /// What a constraint that the others imply may be open, in tolerances and in its scale: it is met
  /// only as well as they let it.
  static constexpr double kMostOpened = 100;
  static constexpr double kLeastOpened = 1e-6;
  /// What solving for accelerations once more, from those found and the residue that they leave, may still
  /// change, relative to 1 or to what they are; and how many steps lie between two such looks.
  static constexpr double kMostWrong = 1e-6;
  static constexpr long kBetweenLooks = 16;
  /// Newton's method hardly ever fails where a model is well; here in a quarter of so many steps.
  static constexpr long kWindow = 1000;
  static constexpr long kMostInWindow = kWindow / 4;
  /// The error test fails so often, too, where events follow each other; but without one so many steps go
  /// on by more than this part of the model's time.
  static constexpr double kStandstill = 1e-7;
  /// A motion that is too quick for long steps gets somewhere; of a mechanism that cannot move (stretched to
  /// the end of its reach), rounding and constraints that contradict each other drive velocities alone. So
  /// many windows in a row, without an event, no other state has gone further than this, in tolerances, and
  /// of such steps the rest of the run would take so many: of those that the error test keeps refusing a
  /// mechanism with loops, and of others. What rests on a stiff surface is refused steps that are too long
  /// for an explicit method, too, but comes to its end.
  static constexpr int kMostStill = 3;
  static constexpr double kStillWhereRefused = 1000, kStill = 1;
  static constexpr double kEndlessWhereRefused = 1e5, kEndless = 1e7;

  /// A row G v - eps (lambda - lambda_ref) = 0 is solved in every step: what it misses by is what its
  /// regularisation gives way.
  void throwIfGivenWay(const Integrator& integrator) const {
    const Equations& e = system_.equations();
    const Layout& l = e.layout();
    for (int k = 0; k < l.nlambda; ++k) {
      const size_t i = k;
      if (e.state.redundant[i]) continue;
      const double lambda = integrator.y()[l.lambdaOffset() + k];
      const double velocity = e.state.regularisation[i] * (lambda - e.state.multiplierReference[i]);
      double position = 0;
      if (const int m = l.muOfLambda[i]; m >= 0) {
        position = e.state.positionRegularisation[i] * integrator.y()[l.muOffset() + m];
      }
      const double most = std::max(kMostGiven * tolerance_, kLeastGiven) * e.positionScale(k);
      const double mostRate =
          std::max(kMostGivenRate * tolerance_, kLeastGivenRate) * e.velocityScale(k);
      if (std::abs(velocity) <= mostRate && std::abs(position) <= most) continue;
      SolverError::Details details = detailsAt(integrator, SolverError::Cause::ConstraintLost);
      details.unknown = l.rowNames[i];
      details.value = std::abs(position) > most ? position : velocity;
      details.where = loopOf(k);
      throw SolverError(std::move(details));
    }
  }
  /// The residues of the last Newton iteration, a tolerance or so beside the accepted point, tell
  /// whether that is to be looked at.
  void throwIfOpened(const Integrator& integrator) {
    const Equations& e = system_.equations();
    const int k = widestOpen(system_.lastEvaluated());
    if (k < 0) return;
    e.evaluateAt(w_, integrator.time(), integrator.y(), integrator.yp(), {.kinematicRows = false});
    const int open = widestOpen(w_);
    if (open < 0) return;
    const size_t i = open;
    SolverError::Details details = detailsAt(integrator, SolverError::Cause::RedundancyEnded);
    details.unknown = e.layout().rowNames[i];
    details.value = e.layout().muOfLambda[i] >= 0 ? w_.positionResidues[i] : w_.velocityResidues[i];
    details.where = loopOf(open);
    throw SolverError(std::move(details));
  }
  /// An implicit method solves the residual itself; here an elimination has to be believed, over hundreds
  /// of joints at times.
  void throwIfWrong(const Integrator& integrator) {
    if (integrator.statistics().steps % kBetweenLooks != 1 || !integrator.isRefined()) return;
    const Equations& e = system_.equations();
    if (!again_) {
      again_ = std::make_unique<Completion>(e);
      again_->useTreeSolver();
    }
    std::copy(integrator.y().begin(), integrator.y().end(), w_.y.begin());
    std::copy(integrator.yp().begin(), integrator.yp().end(), w_.yp.begin());
    if (!again_->complete(integrator.time(), w_.y, w_.yp) || again_->singular()) return;
    const Layout& l = e.layout();
    for (size_t i = l.nq; i < static_cast<size_t>(l.nq) + l.nv; ++i) {
      const double found = integrator.yp()[i], change = w_.yp[i] - found;
      if (std::abs(change) <= kMostWrong * (1 + std::abs(found))) continue;
      SolverError::Details details = detailsAt(integrator, SolverError::Cause::AccelerationsWrong);
      details.unknown = system_.unknownName(i);
      details.value = change;
      throw SolverError(std::move(details));
    }
  }
  void throwIfCrawling(const Integrator& integrator) {
    const IntegratorStatistics s = integrator.statistics();
    const bool fails = s.newtonFailures - window_.newton >= kMostInWindow;
    if (s.steps - window_.steps < kWindow && !fails) return;
    const bool undisturbed = s.restarts == window_.restarts;
    const bool refused = undisturbed && s.errorTestFailures - window_.error >= kMostInWindow;
    const double advance = integrator.time() - window_.time;
    const bool stands = refused && advance < kStandstill * system_.equations().state.scales.time;
    const double rest = (stop_ - integrator.time()) * (s.steps - window_.steps);
    const bool locked = refused && !loops_.empty();
    const bool still = undisturbed && rest > (locked ? kEndlessWhereRefused : kEndless) * advance &&
                       largestMove(integrator) < (locked ? kStillWhereRefused : kStill);
    still_ = still ? still_ + 1 : 0;
    window_ = {s.steps,    s.newtonFailures,  s.errorTestFailures,
               s.restarts, integrator.time(), {integrator.y().begin(), integrator.y().end()}};
    const bool ends = still_ >= kMostStill;
    if (fails || (ends && !loops_.empty())) throwCrawling(integrator);
    if (!ends && !stands) return;
    SolverError::Details details = detailsAt(integrator, SolverError::Cause::ErrorTest);
    const int troublesome = integrator.troublesomeUnknown();
    if (const int i = troublesome >= 0 ? troublesome : integrator.leadingError(); i >= 0) {
      details.unknown = system_.unknownName(i);
      details.value = integrator.y()[i];
    }
    throw SolverError(std::move(details));
  }
  /// Of states that are no velocities, since the window began, in tolerances.
  double largestMove(const Integrator& integrator) const {
    if (window_.states.empty()) return std::numeric_limits<double>::infinity();
    const Layout& l = system_.equations().layout();
    double largest = 0;
    for (int i = 0; i < l.lambdaOffset(); ++i) {
      if (!l.unknowns[i].differential || (i >= l.nq && i < l.nq + l.nv)) continue;
      const double now = integrator.y()[i];
      const double unit = tolerance_ * (system_.nominal(i) + std::abs(now));
      largest = std::max(largest, std::abs(now - window_.states[i]) / unit);
    }
    return largest;
  }
  [[noreturn]] void throwCrawling(const Integrator& integrator) const {
    SolverError::Details details = detailsAt(integrator, SolverError::Cause::Crawling);
    if (const int i = integrator.troublesomeUnknown(); i >= 0) {
      details.unknown = system_.unknownName(i);
      details.value = integrator.y()[i];
    }
    for (const LoopReport& loop : loops_) {
      details.where += (details.where.empty() ? "" : "; ") + loop.name();
    }
    throw SolverError(std::move(details));
  }
  /// The row left out as redundant that is farthest from being implied by the others; -1: all are.
  int widestOpen(const Workspace<double>& w) const {
    const Equations& e = system_.equations();
    int worst = -1;
    double largest = std::max(kMostOpened * tolerance_, kLeastOpened);
    for (int k = 0; k < e.layout().nlambda; ++k) {
      const size_t i = k;
      if (!e.state.redundant[i]) continue;
      const double open = e.layout().muOfLambda[i] >= 0
                              ? std::abs(w.positionResidues[i]) / e.positionScale(k)
                              : std::abs(w.velocityResidues[i]) / e.velocityScale(k);
      if (open <= largest) continue;
      largest = open;
      worst = k;
    }
    return worst;
  }
  SolverError::Details detailsAt(const Integrator& integrator, SolverError::Cause cause) const {
    SolverError::Details details;
    details.cause = cause;
    details.time = integrator.time();
    details.step = integrator.lastStep();
    details.steps = integrator.statistics().steps;
    details.order = integrator.lastOrder();
    return details;
  }
  /// The loop that a row closes, or "".
  std::string loopOf(int row) const {
    const std::string& name = system_.equations().layout().rowNames[row];
    for (const LoopReport& loop : loops_) {
      if (name.starts_with(loop.cut + ".") || name.starts_with(loop.cut + "[")) return loop.name();
    }
    return "";
  }

  MultibodySystem& system_;
  std::vector<LoopReport> loops_;
  double tolerance_, stop_;
  Workspace<double> w_;
  std::unique_ptr<Completion> again_;  ///< null: not needed so far
  /// Counts of the run at the beginning of the present window of steps.
  struct Window {
    long steps = 0;
    long newton = 0, error = 0;  ///< failures
    long restarts = 0;
    double time = 0;             ///< [s]
    std::vector<double> states;  ///< unknowns there
  };
  Window window_;
  int still_ = 0;  ///< windows in a row that got nowhere
};

}  // namespace cardan
