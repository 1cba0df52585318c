/// AutomaticIntegrator: the explicit method while it is the right one, IDA otherwise.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "engine/integration/explicit_integrator.h"
#include "engine/integration/forwarding_integrator.h"
#include "engine/integration/multibody_system.h"

namespace cardan {

/// Begins with the explicit method where the model is an explicit ODE, as examine() has found. IDA takes over from the
/// present point where the motion is stiff, where what fades sets the length of steps that are counted dearer
/// than its own, where loops come close to a singular position, and where
/// explicit steps fail again and again. It stays until the next event; then the explicit method comes
/// back if IDA's last regular step was shorter than its own, or, counted, dearer.
///
/// Nothing but numbers of the integration decides, so that a run repeats bit for bit.
class AutomaticIntegrator final : public ForwardingIntegrator {
 public:
  AutomaticIntegrator(MultibodySystem& system, const IntegratorOptions& options);

  /// What is stepped beside the model, by either method.
  struct Beside {
    OdeExtension* extension;          ///< of the explicit method
    std::unique_ptr<Integrator> ida;  ///< of model and extension
    /// IDA takes over at time(), of these values of the model.
    std::function<void(double t, const std::vector<double>& y, const std::vector<double>& yp)>
        handOver;
  };
  AutomaticIntegrator(MultibodySystem& system, const IntegratorOptions& options, Beside beside);

  /// The method to begin with is chosen here.
  std::string examine(double t, const std::vector<double>& y) override;
  void start(double t, std::span<const double> y, std::span<const double> yp,
             double h = 0) override;
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h) override;

  StepResult step(double tStop) override;

  const ExplicitIntegrator& explicitMethod() const { return explicit_; }
  bool isExplicit() const { return isExplicit_; }

  IntegratorStatistics statistics() const override;
  std::vector<MethodChange> methods() const override { return methods_; }

  /// Of both methods, as far as they have begun.
  void exchange(StateArchive& archive) override;
  /// Own numbers.
  auto kept() { return std::tie(isExplicit_, idaBegun_, obstacle_, stableStep_, dear_, methods_); }

 private:
  Integrator& now() override { return isExplicit_ ? static_cast<Integrator&>(explicit_) : *ida_; }
  const Integrator& now() const override {
    return isExplicit_ ? static_cast<const Integrator&>(explicit_) : *ida_;
  }
  void beginIda(double t, std::span<const double> y, std::span<const double> yp, double h);
  void goToIda(const std::string& reason);
  bool isDearer();
  double firstStepOfIda() const;

  MultibodySystem& system_;
  ExplicitIntegrator explicit_;
  std::unique_ptr<Integrator> ida_;
  decltype(Beside::handOver) handOver_;
  bool isExplicit_ = false;
  bool idaBegun_ = false;
  std::string obstacle_;   ///< why the explicit method never can
  double stableStep_ = 0;  ///< [s]  shorter steps of IDA cost more than explicit ones
  double dear_ =
      0;  ///< counted operations of an explicit step by those of one of IDA; 0: not known yet
  std::vector<MethodChange> methods_;
};

}  // namespace cardan
