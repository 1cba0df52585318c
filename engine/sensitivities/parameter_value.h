/// ModelParameterValue: what a parameter of a model is worth, by the name that overrides have for it.
#pragma once

#include <string>

#include "components/catalogue_entry.h"
#include "engine/derivative_tools.h"

namespace cardan {

ModelParameterValue parameterValue(const Simulation& simulation, const std::string& name,
                                   const Catalogue& catalogue);

}  // namespace cardan
