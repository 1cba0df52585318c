#include "engine/integration/make_integrator.h"

#include "engine/integration/automatic_integrator.h"
#include "engine/integration/bridging_integrator.h"
#include "engine/integration/explicit_integrator.h"
#include "engine/integration/ida_integrator.h"
#include "engine/integration/stepping_integrator.h"

namespace cardan {

namespace {

std::unique_ptr<Integrator> ofEvents(IntegratorChoice choice, MultibodySystem& system,
                                     const IntegratorOptions& options) {
  switch (choice) {
    case IntegratorChoice::automatic:
      return std::make_unique<AutomaticIntegrator>(system, options);
    case IntegratorChoice::explicitMethod:
      return std::make_unique<ExplicitIntegrator>(system, options);
    default:
      return std::make_unique<IdaIntegrator>(system, options);
  }
}

}  // namespace

std::unique_ptr<Integrator> makeIntegrator(IntegratorChoice choice, MultibodySystem& system,
                                           const IntegratorOptions& options) {
  if (choice == IntegratorChoice::stepping)
    return std::make_unique<SteppingIntegrator>(system, options);
  return std::make_unique<BridgingIntegrator>(ofEvents(choice, system, options), system, options);
}

}  // namespace cardan
