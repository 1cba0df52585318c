#include "engine/sensitivities/explicit_sensitivities.h"

#include <algorithm>
#include <utility>

namespace cardan {

ExplicitSensitivities::ExplicitSensitivities(
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
  const auto handOver = [this, complete = std::move(complete)](
                            double t, const std::vector<double>& y, const std::vector<double>& yp) {
    std::ranges::copy(this->tangents(t), tangents_.s.begin());
    complete(t, y, yp);
  };
  automatic_.emplace(system, options,
                     AutomaticIntegrator::Beside{&states_, std::move(ida), handOver});
}

const ExplicitIntegrator* ExplicitSensitivities::inForce() const {
  if (explicit_) return &*explicit_;
  return automatic_->isExplicit() ? &automatic_->explicitMethod() : nullptr;
}

Integrator::StepResult ExplicitSensitivities::step(double tStop) {
  states_.follow();
  return now().step(tStop);
}

std::span<const double> ExplicitSensitivities::tangents(double t) const {
  const ExplicitIntegrator* const method = inForce();
  if (!method) return ida_->tangents(t);
  states_.spread(method->extension(t).data(), all_);
  return all_;
}

std::span<const int> ExplicitSensitivities::rootsFound() const {
  const ExplicitIntegrator* const method = inForce();
  return method ? method->rootsFound() : ida_->rootsFound();
}

void ExplicitSensitivities::mapHistory(const std::function<void(double* y)>& map) {
  if (inForce()) {
    std::ranges::copy(tangents(time()), tangents_.s.begin());
    mapTangents(map, y(), equations_.state.nominals, tangents_.s);
  }
  now().mapHistory(map);
}

}  // namespace cardan
