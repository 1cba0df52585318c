/// StepCheck: what must hold at the end of every accepted step, whatever is recorded.
#pragma once

#include <memory>
#include <string>
#include <tuple>
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
  StepCheck(MultibodySystem& system, std::vector<LoopReport> loops, double tolerance, double stop);

  /// After an accepted step of the integrator. Throws SolverError, by name.
  void operator()(const Integrator& integrator);

  auto kept() {
    return std::tie(window_.steps, window_.newton, window_.error, window_.restarts, window_.time,
                    window_.states, still_);
  }

 private:
  void throwIfGivenWay(const Integrator& integrator) const;
  void throwIfOpened(const Integrator& integrator);
  void throwIfWrong(const Integrator& integrator);
  void throwIfCrawling(const Integrator& integrator);
  double largestMove(const Integrator& integrator) const;
  [[noreturn]] void throwCrawling(const Integrator& integrator) const;
  int widestOpen(const Workspace<double>& w) const;
  SolverError::Details detailsAt(const Integrator& integrator, SolverError::Cause cause) const;
  std::string loopOf(int row) const;

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
