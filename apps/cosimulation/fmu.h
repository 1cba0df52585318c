/// Fmu: an FMU of anyone for co-simulation as a component with signals.
#pragma once

#include <memory>

#include "components/component.h"

namespace cardan::cosimulation {

/// `isPermitted`: native code of others may be run; else a model with an FMU is refused.
std::unique_ptr<Component> makeFmu(bool isPermitted);

}  // namespace cardan::cosimulation
