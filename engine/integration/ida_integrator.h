/// IdaIntegrator: a DaeSystem in time with SUNDIALS IDA (variable-order, variable-step BDF).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "engine/integration/step_method.h"
#include "engine/integration/step_roots.h"

namespace cardan {

/// Steps a DaeSystem forward in time, one internal step at a call.
///
/// Three things differ from IDA as it comes. The Newton matrix is made anew in every step (where it is
/// dear it may serve up to 20 further ones, DaeSystem::isMatrixDear), and one iteration per step is
/// accepted when the quadratic convergence seen before says that a second one would change nothing, and
/// nothing bends where no event tells of it. Switching functions are looked at inside every step by StepRoots; IDA
/// sees none. And IDA counts time from the start of the run, so that a late start does not cost
/// digits.
class IdaIntegrator final : public StepMethod {
 public:
  /// The system must outlive the integrator; sizes, nominals and root count are read once, here.
  /// `allowances`: how many tolerances the error of each unknown may be; none: one.
  IdaIntegrator(DaeSystem& system, IntegratorOptions options, std::vector<double> allowances = {});
  ~IdaIntegrator() override;

  void start(double t, std::span<const double> y, std::span<const double> yp,
             double h = 0) override;
  /// At order 1.
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h) override;
  bool startsAtOrderOne() const override { return true; }

  StepResult step(double tStop) override;

  /// The unknown that last made a Newton iteration fail, -1: none.
  int troublesomeUnknown() const override;
  int leadingError() const override;

  double lastStep() const override;
  int lastOrder() const override;
  double regularStep() const override { return regularStep_; }
  double nextStep() const override;

  /// The Newton update of the difference in the residual.
  double effectOfTime(double t) override;
  double norm(std::span<const double> change, std::span<const double> y) const override;

  /// After Root, by DaeSystem::refine().
  bool isRefined() const override { return roots_.isRefinedAt(time_); }

  /// Per switching function +1 (rising), -1 (falling), 0; all 0 unless the last step ended with
  /// Root. All 0 with Root: modes that do not fit, without a function that tells of it.
  std::span<const int> rootsFound() const { return roots_.found(); }

  /// Order and step stay; in the very short steps after a start the order may fall.
  void mapHistory(const std::function<void(double* y)>& map) override;

  bool regularises() const override { return true; }

  IntegratorStatistics statistics() const override;

  /// IDA's history and step control, the rates learned, the search for events.
  void exchange(StateArchive& archive) override;
  /// Own numbers; exchange() has IDA's and the search for events, too.
  auto kept() {
    return std::tie(time_, previousTime_, regularStep_, origin_, y_, yp_, stepEnd_, stepEndIsStop_,
                    endY_, endYp_, previousYp_, methods_);
  }

 private:
  // Opaque, because one file only may know SUNDIALS.
  struct Memory;

  void begin(double t, std::span<const double> y, std::span<const double> yp, double h);
  StepResult arrive();
  void polynomial(double t, double* y, double* yp) const override;
  int approachSwitch(int flag, double attempted, double& t);
  SolverError failureAtLimit(SolverError::Cause cause) const;
  std::string solverReport() const override;
  SolverError failureOfIda(int flag) const;
  int limitingUnknown(SolverError::Cause cause) const;

  DaeSystem& system_;
  IntegratorOptions options_;
  double regularStep_ = 0;
  std::vector<double> previousYp_;          ///< at the beginning of the last step
  std::vector<double> insideY_, insideYp_;  // work space
  std::vector<double> history_;             // work space of mapHistory
  std::unique_ptr<Memory> memory_;
};

}  // namespace cardan
