#include "engine/integration/make_integrator.h"

#include "engine/integration/automatic_integrator.h"
#include "engine/integration/explicit_integrator.h"
#include "engine/integration/ida_integrator.h"
#include "engine/integration/stepping_integrator.h"

namespace cardan {

std::unique_ptr<Integrator> makeIntegrator(IntegratorChoice choice, MultibodySystem& system,
                                           const IntegratorOptions& options) {
  switch (choice) {
    case IntegratorChoice::automatic:
      return std::make_unique<AutomaticIntegrator>(system, options);
    case IntegratorChoice::explicitMethod:
      return std::make_unique<ExplicitIntegrator>(system, options);
    case IntegratorChoice::stepping:
      return std::make_unique<SteppingIntegrator>(system, options);
    case IntegratorChoice::ida:
      break;
  }
  return std::make_unique<IdaIntegrator>(system, options);
}

}  // namespace cardan
