/// Integration of a DaeSystem in time with SUNDIALS IDA (variable-order, variable-step BDF).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "engine/integration/dae_system.h"
#include "engine/integration/integrator_statistics.h"
#include "engine/integration/root_search.h"
#include "engine/integration/solver_error.h"

namespace cardan {

struct IdaOptions {
  double relativeTolerance = 1e-8;
  double maximumStep = 0;  ///< [s]  0: none
  double initialStep = 0;  ///< [s]  0: chosen from y'
  int maximumOrder = 5;    ///< 1..5
  long maximumSteps = 0;   ///< of the whole run; 0: unlimited
  bool timing = false;     ///< measure the time shares in IntegratorStatistics
};

/// Steps a DaeSystem forward in time, one internal step at a call.
///
/// Three things differ from IDA as it comes. The Newton matrix is fresh in every step, and one
/// iteration per step is accepted when the quadratic convergence seen before says that a second one
/// would change nothing. Switching functions are looked at inside every step by RootSearch; IDA
/// sees none. And IDA counts time from the start of the run, so that a late start does not cost
/// digits. Initial values must be consistent: nothing is corrected here.
class IdaIntegrator {
 public:
  enum class StepResult { Stepped, ReachedStop, Root };

  /// The system must outlive the integrator; sizes, nominals and root count are read once, here.
  IdaIntegrator(DaeSystem& system, IdaOptions options);
  ~IdaIntegrator();

  /// Begins a run at (t, y, y') with a step h [s] (0: IdaOptions::initialStep) and clears the
  /// statistics.
  void start(double t, std::span<const double> y, std::span<const double> yp, double h = 0);

  /// Continues from other values after a real discontinuity, at order 1 with a step h [s]
  /// (0: automatic). A refused start or restart (SolverError) changes nothing.
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h);

  /// One internal step, never past tStop; ReachedStop: time() == tStop exactly. A step to a tStop
  /// within roundoff of time() is empty. After Root, either restart or step on to the end of the
  /// internal step. Throws SolverError, or what the system threw; time(), y() and yp() stay those
  /// of the last good step. Pre: tStop >= time(), and not inside an internal step already done.
  StepResult step(double tStop);

  double time() const { return time_; }                  ///< [s]
  double previousTime() const { return previousTime_; }  ///< [s]  time() before the last step
  std::span<const double> y() const { return y_; }
  std::span<const double> yp() const { return yp_; }

  /// y and y' at t in [previousTime(), time()]. Throws std::out_of_range elsewhere.
  void interpolate(double t, std::span<double> y, std::span<double> yp) const;

  /// The unknown that last made a Newton iteration fail, -1: none.
  int troublesomeUnknown() const;

  double lastStep() const;  ///< [s]  size of the last internal step
  int lastOrder() const;

  /// [s] The last step size that was not cut short by a stop time: the one to give to restart().
  double regularStep() const { return regularStep_; }

  /// [s] Size of the next internal step, as far as known: it may still be shortened.
  double nextStep() const;

  /// How far the system moves if its explicit time alone goes on to `t` [s]: the Newton update of
  /// the difference in the residual, in units of the tolerance. Infinity where that is not
  /// computable.
  double effectOfTime(double t);

  /// Weighted root mean square of a change of the differential unknowns at `y`, in units of the
  /// tolerance.
  double norm(std::span<const double> change, std::span<const double> y) const;

  /// After Root: y() and yp() satisfy the equations already, by DaeSystem::refine().
  bool isRefined() const { return refinedAt_ == time_; }

  /// Per switching function +1 (rising), -1 (falling), 0; all 0 unless the last step ended with
  /// Root. All 0 with Root: modes that do not fit, without a function that tells of it.
  std::span<const int> rootsFound() const { return rootsFound_; }

  /// Changes the coordinates without a restart: order and step stay. `map` turns the unknowns y of
  /// any recent time, in place, from the old into the new coordinates; the
  /// system must speak the new ones from here on. In the very short steps after a start the order
  /// may fall. Throws std::logic_error before the first step and between Root and the end of its
  /// step.
  void mapHistory(const std::function<void(double* y)>& map);

  IntegratorStatistics statistics() const;

  /// Everything that the next step depends on: IDA's history and step control, the rates learned,
  /// the search for events. The system's own memory is not in it.
  class Snapshot;
  std::shared_ptr<const Snapshot> save() const;
  /// Goes on from where `snapshot` was taken, bit by bit as from there; it may be another
  /// integrator's, of a system of the same structure with the same options. Pre: started.
  void restore(const Snapshot& snapshot);
  /// Own numbers; save() has IDA's, too.
  auto kept() {
    return std::tie(time_, previousTime_, regularStep_, origin_, y_, yp_, rootsFound_, search_,
                    searchBegun_, modesAsked_, stepEnd_, stepEndIsStop_, endY_, endYp_, previousYp_,
                    refinedY_, refinedYp_, refinedAt_);
  }

 private:
  // Opaque, because one file only may know SUNDIALS.
  struct Memory;

  void begin(double t, std::span<const double> y, std::span<const double> yp, double h);
  StepResult arrive();
  bool sample(RootSearch::Sample& s, const double* y, const double* yp);
  bool refinedSample(RootSearch::Sample& s);
  void polynomial(double t, double* y, double* yp) const;
  double switchAhead(double longest);
  int approachSwitch(int flag, double attempted, double& t);
  SolverError failure(SolverError::Cause cause) const;
  SolverError failure(SolverError::Cause cause, int unknown, double value) const;
  SolverError failureOfIda(int flag) const;
  int limitingUnknown(SolverError::Cause cause) const;

  DaeSystem& system_;
  IdaOptions options_;
  double time_ = 0;
  double previousTime_ = 0;
  double regularStep_ = 0;
  double origin_ = 0;  ///< [s]  IDA counts time from the start of the run
  std::vector<double> y_, yp_;
  std::vector<int> rootsFound_;
  RootSearch search_;
  bool searchBegun_ = false;
  bool modesAsked_ = false;  ///< an event of this step came from modes that do not fit
  double stepEnd_ = 0;       ///< [s]  of the internal step, beyond time() after Root
  bool stepEndIsStop_ = false;
  std::vector<double> endY_, endYp_;  ///< there
  std::vector<double> previousYp_;    ///< at the beginning of the last step
  std::vector<double> insideY_, insideYp_, refinedY_, refinedYp_;  // work space of the search
  double refinedAt_ = 0;                                           ///< [s]  of refinedY_
  std::vector<double> history_;                                    // work space of mapHistory
  std::unique_ptr<Memory> memory_;
};

}  // namespace cardan
