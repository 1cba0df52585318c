/// SensitivityIntegrator: IDA on a SensitivitySystem; to its run it is an integrator of the model.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/integration/forwarding_integrator.h"
#include "engine/integration/ida_integrator.h"
#include "engine/sensitivities/sensitivity_system.h"
#include "engine/sensitivities/tangent_states.h"

namespace cardan {

/// What a run with derivatives asks of its method beside what an integrator is.
class TangentMethod {
 public:
  virtual ~TangentMethod() = default;
  /// Derivatives of y at t in [previousTime(), time()], laid out as Tangents::s; where they follow from
  /// those of the states they may be 0.
  virtual std::span<const double> tangents(double t) const = 0;
  /// Per switching function +1, -1 or 0.
  virtual std::span<const int> rootsFound() const = 0;
};

/// The derivatives `s` of all unknowns in the coordinates that `map` turns y into: y is where they are.
void mapTangents(const std::function<void(double* y)>& map, std::span<const double> y,
                 const std::vector<double>& nominals, std::span<double> s);

class SensitivityIntegrator final : public ForwardingIntegrator, public TangentMethod {
 public:
  /// `tangents`: what start() and restart() begin with beside the model's values.
  SensitivityIntegrator(MultibodySystem& system, std::vector<VariedParameter>& parameters,
                        const Tangents& tangents, const IntegratorOptions& options);

  void start(double t, std::span<const double> y, std::span<const double> yp, double h) override;
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h) override;
  StepResult step(double tStop) override;
  std::span<const double> y() const override { return ida_.y().first(n_); }
  std::span<const double> yp() const override { return ida_.yp().first(n_); }
  void interpolate(double t, std::span<double> y, std::span<double> yp) const override;
  std::span<const double> tangents(double t) const override;
  std::span<const int> rootsFound() const override { return ida_.rootsFound(); }

  int troublesomeUnknown() const override { return ofModel(ida_.troublesomeUnknown()); }
  int leadingError() const override { return ofModel(ida_.leadingError()); }
  double norm(std::span<const double> change, std::span<const double> y) const override;
  /// The derivatives are those of the new coordinates afterwards.
  void mapHistory(const std::function<void(double* y)>& map) override;

 private:
  Integrator& now() override { return ida_; }
  const Integrator& now() const override { return ida_; }
  int ofModel(int i) const {
    const int n = n_;
    return i < 0 ? i : i % n;
  }
  /// The model's y and y', each with its derivatives behind it, into all_ and allRates_.
  void join(std::span<const double> y, std::span<const double> yp);

  const std::vector<double>& nominals_;
  SensitivitySystem system_;
  const Tangents& tangents_;
  size_t n_;
  IdaIntegrator ida_;
  mutable std::vector<double> all_, allRates_;  ///< work space
};

}  // namespace cardan
