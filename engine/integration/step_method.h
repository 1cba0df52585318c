/// StepMethod: what the methods that step by themselves have alike.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/integration/dae_system.h"
#include "engine/integration/integrator.h"
#include "engine/integration/solver_error.h"
#include "engine/integration/step_roots.h"

namespace cardan {

/// Nominal value of unknown i, as tolerances need it: positive and finite, else std::invalid_argument.
double usableNominal(const DaeSystem& system, int i);

/// The point that was reached, which may lie inside of an internal step already done, and how it is
/// asked for.
class StepMethod : public Integrator {
 public:
  double time() const final { return time_; }
  double previousTime() const final { return previousTime_; }
  std::span<const double> y() const final { return y_; }
  std::span<const double> yp() const final { return yp_; }
  void interpolate(double t, std::span<double> y, std::span<double> yp) const final;

  std::vector<MethodChange> methods() const final { return methods_; }
  IntegratorStatistics statistics() const override { return counts_; }

 protected:
  /// `name`: of the class, for the mistakes of a caller. The system outlives the method.
  StepMethod(DaeSystem& system, const char* name);

  /// y and y' at t in the last internal step.
  virtual void polynomial(double t, double* y, double* yp) const = 0;

  /// Goes to a start. Throws, and changes nothing, where it is not finite.
  void place(double t, std::span<const double> y, std::span<const double> yp);
  /// A step to tStop is empty: it lies within roundoff of time(), which it then is. Throws
  /// std::invalid_argument where it lies before.
  bool isThere(double tStop);
  /// Looks for the first event from time() to the end of the internal step, which is `width` long.
  /// Where the functions cannot be computed there is no way on, and the step ends at time().
  StepRoots::Found search(double resolution, const IntegratorOptions& options, double width,
                          const StepRoots::Interpolate& inside);
  StepRoots::Found search(double resolution, const IntegratorOptions& options, double width);
  /// Goes on to t: to the point of roots_ where that is `refined`, else to that of the step.
  void goTo(double t, bool refined);
  StepResult resultAtEnd() const {
    return stepEndIsStop_ ? StepResult::ReachedStop : StepResult::Stepped;
  }
  /// For mapHistory(). Throws std::logic_error where no step was made, or time() is inside one.
  void requireHistory(bool anyStep) const;
  /// What stops the run at the unknown (-1: none) of this value.
  SolverError failure(SolverError::Cause cause, int unknown = -1, double value = 0) const;
  /// What a solver behind the method says of it.
  virtual std::string solverReport() const { return ""; }

  double origin_ = 0;  ///< [s]  start of the run
  double time_ = 0, previousTime_ = 0;
  double stepEnd_ = 0;  ///< [s]  of the internal step, beyond time() after Root
  bool stepEndIsStop_ = false;
  std::vector<double> y_, yp_;
  std::vector<double> endY_, endYp_;  ///< at the end of the internal step
  IntegratorStatistics counts_;
  std::vector<MethodChange> methods_;
  StepRoots roots_;

 private:
  const DaeSystem& dae_;
  std::string name_;
};

}  // namespace cardan
