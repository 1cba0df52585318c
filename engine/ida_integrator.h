/// Integration of a DaeSystem in time with SUNDIALS IDA (variable-order, variable-step BDF).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/dae_system.h"
#include "engine/solver_error.h"

namespace cardan {

struct IdaOptions {
  double relativeTolerance = 1e-8;
  double maximumStep = 0;  ///< [s]  0: none
  double initialStep = 0;  ///< [s]  0: chosen from y'
  int maximumOrder = 5;    ///< 1..5
  long maximumSteps = 0;   ///< of the whole run; 0: unlimited
  bool timing = false;     ///< measure the time shares in IntegratorStatistics
};

/// What a run has cost, summed over its restarts.
struct IntegratorStatistics {
  long steps = 0;
  long residuals = 0;
  long newtonMatrices = 0;
  long newtonIterations = 0;
  long errorTestFailures = 0;
  long newtonFailures = 0;  ///< steps repeated: residual, matrix or Newton iteration failed
  long restarts = 0;
  double residualSeconds = 0;      ///< [s]  these three only with IdaOptions::timing
  double newtonMatrixSeconds = 0;  ///< [s]
  double linearSolveSeconds = 0;   ///< [s]
};

/// Steps a DaeSystem forward in time, one internal step at a call.
///
/// Two things differ from IDA as it comes (FORMULATION.md, R1 and R2): the Newton matrix is fresh
/// in every step, and one iteration per step is accepted when the quadratic convergence seen before
/// says that a second one would change nothing. Initial values must be consistent: nothing is
/// corrected here.
class IdaIntegrator {
 public:
  enum class StepResult { Stepped, ReachedStop, Root };

  /// The system must outlive the integrator; sizes, nominals and root count are read once, here.
  IdaIntegrator(DaeSystem& system, IdaOptions options);
  ~IdaIntegrator();

  /// Begins a run at (t, y, y') and clears the statistics.
  void start(double t, std::span<const double> y, std::span<const double> yp);

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

  double lastStep() const;  ///< [s]  size of the last internal step
  int lastOrder() const;

  /// [s] The last step size that was not cut short by a stop time: the one to give to restart().
  double regularStep() const { return regularStep_; }

  /// Per root function +1 (rising), -1 (falling), 0; all 0 unless the last step ended with Root.
  std::span<const int> rootsFound() const { return rootsFound_; }

  /// Changes the coordinates without a restart: order and step stay. `map` turns the unknowns y of
  /// any recent time, in place, from the old into the new coordinates (FORMULATION.md, H1); the
  /// system must speak the new ones from here on. In the very short steps after a start the order
  /// may fall. Throws std::logic_error before the first step and between Root and the end of its
  /// step.
  void mapHistory(const std::function<void(double* y)>& map);

  IntegratorStatistics statistics() const;

 private:
  // Opaque, because one file only may know SUNDIALS.
  struct Memory;

  void begin(double t, std::span<const double> y, std::span<const double> yp, double h);
  SolverError failure(SolverError::Cause cause) const;
  SolverError failure(SolverError::Cause cause, int unknown, double value) const;
  SolverError failureOfIda(int flag) const;
  int limitingUnknown(SolverError::Cause cause) const;

  DaeSystem& system_;
  IdaOptions options_;
  double time_ = 0;
  double previousTime_ = 0;
  double regularStep_ = 0;
  std::vector<double> y_, yp_;
  std::vector<int> rootsFound_;
  std::vector<double> history_;  // work space of mapHistory
  std::unique_ptr<Memory> memory_;
};

}  // namespace cardan
