/// ExplicitSensitivities: the explicit method on a model and its derivatives by parameters, with IDA
/// taking over or without.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
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
      const IntegratorOptions& options)
      : equations_(system.equations()),
        tangents_(tangents),
        states_(equations_, parameters, tangents, std::move(self), options.relativeTolerance) {
    if (choice == IntegratorChoice::explicitMethod) {
      explicit_.emplace(system, options, ExplicitIntegrator::kMostRefused, &states_);
      return;
    }
    auto ida = std::make_unique<SensitivityIntegrator>(system, parameters, tangents, options);
    ida_ = ida.get();
    const auto handOver = [this, complete = std::move(complete)](double t,
                                                                 const std::vector<double>& y,
                                                                 const std::vector<double>& yp) {
      std::ranges::copy(this->tangents(t), tangents_.s.begin());
      complete(t, y, yp);
    };
    automatic_.emplace(system, options,
                       AutomaticIntegrator::Beside{&states_, std::move(ida), handOver});
  }

  StepResult step(double tStop) override {
    states_.follow();
    return now().step(tStop);
  }
  std::span<const double> tangents(double t) const override {
    const ExplicitIntegrator* const method = inForce();
    if (!method) return ida_->tangents(t);
    states_.spread(method->extension(t).data(), all_);
    return all_;
  }
  std::span<const int> rootsFound() const override {
    const ExplicitIntegrator* const method = inForce();
    return method ? method->rootsFound() : ida_->rootsFound();
  }
  void mapHistory(const std::function<void(double* y)>& map) override {
    if (inForce()) {
      std::ranges::copy(tangents(time()), tangents_.s.begin());
      mapTangents(map, y(), equations_.state.nominals, tangents_.s);
    }
    now().mapHistory(map);
  }

 private:
  Integrator& now() override {
    return automatic_ ? static_cast<Integrator&>(*automatic_) : *explicit_;
  }
  const Integrator& now() const override {
    return automatic_ ? static_cast<const Integrator&>(*automatic_) : *explicit_;
  }
  /// The explicit method, where it is in force; else null.
  const ExplicitIntegrator* inForce() const {
    if (explicit_) return &*explicit_;
    return automatic_->isExplicit() ? &automatic_->explicitMethod() : nullptr;
  }

  const Equations& equations_;
  Tangents& tangents_;
  TangentStates states_;
  std::optional<AutomaticIntegrator> automatic_;  ///< or
  std::optional<ExplicitIntegrator> explicit_;
  SensitivityIntegrator* ida_ = nullptr;  ///< that of automatic_
  mutable std::vector<double> all_;       ///< work space
};

}  // namespace cardan
