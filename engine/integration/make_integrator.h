/// makeIntegrator: the integrator that was asked for.
#pragma once

#include <memory>

#include "engine/integration/integrator.h"
#include "engine/integration/multibody_system.h"
#include "engine/model_file/simulation_settings.h"

namespace cardan {

/// The system outlives it.
std::unique_ptr<Integrator> makeIntegrator(IntegratorChoice choice, MultibodySystem& system,
                                           const IntegratorOptions& options);

}  // namespace cardan
