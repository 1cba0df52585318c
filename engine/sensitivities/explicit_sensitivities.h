/// ExplicitSensitivities: the explicit method on a model and its derivatives by parameters, with IDA
/// taking over or without.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/integration/automatic_integrator.h"
#include "engine/model_file/simulation_settings.h"
#include "engine/sensitivities/sensitivity_integrator.h"

namespace cardan {

/// The derivatives of the states are stepped with the states, those of all else follow.
class ExplicitSensitivities final : public ForwardingIntegrator, public TangentMethod {
 public:
  /// `tangents`: what start() and restart() begin with beside the model's values. `complete`: makes
  /// them those of a point on the way, with all that follows from the states, where IDA takes over.
  /// Pre: `choice` is explicitMethod or automatic.
  ExplicitSensitivities(
      IntegratorChoice choice, MultibodySystem& system, std::vector<VariedParameter>& parameters,
      Tangents& tangents, std::function<ModelVariant&()> self,
      std::function<void(double t, const std::vector<double>& y, const std::vector<double>& yp)>
          complete,
      const IntegratorOptions& options);

  StepResult step(double tStop) override;
  std::span<const double> tangents(double t) const override;
  std::span<const int> rootsFound() const override;
  void mapHistory(const std::function<void(double* y)>& map) override;

 private:
  Integrator& now() override {
    return automatic_ ? static_cast<Integrator&>(*automatic_) : *explicit_;
  }
  const Integrator& now() const override {
    return automatic_ ? static_cast<const Integrator&>(*automatic_) : *explicit_;
  }
  /// The explicit method, where it is in force; else null.
  const ExplicitIntegrator* inForce() const;

  const Equations& equations_;
  Tangents& tangents_;
  TangentStates states_;
  std::optional<AutomaticIntegrator> automatic_;  ///< or
  std::optional<ExplicitIntegrator> explicit_;
  SensitivityIntegrator* ida_ = nullptr;  ///< that of automatic_
  mutable std::vector<double> all_;       ///< work space
};

}  // namespace cardan
