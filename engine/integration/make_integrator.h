/// makeIntegrator: the integrator that was asked for.
#pragma once

#include <memory>
#include <vector>

#include "engine/integration/integrator.h"
#include "engine/integration/multibody_system.h"
#include "engine/model_file/integrator_choice.h"

namespace cardan {

/// `redundantRows`: of the start. The system outlives it.
std::unique_ptr<Integrator> makeIntegrator(IntegratorChoice choice, MultibodySystem& system,
                                           const std::vector<int>& redundantRows,
                                           const IntegratorOptions& options);

}  // namespace cardan
