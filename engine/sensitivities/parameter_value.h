/// ModelParameterValue: what a parameter of a model is worth, by the name that overrides have for it.
#pragma once

#include <optional>
#include <string>

#include "components/catalogue_entry.h"

namespace cardan {

class Simulation;

/// A parameter of the model or of a component, an element of one, or a start value.
struct ModelParameterValue {
  std::optional<double> value;  ///< as it stands; nothing: it is none that can vary
  std::string wrong;            ///< why
  std::string unit;             ///< SI; "": not known
};

ModelParameterValue parameterValue(const Simulation& simulation, const std::string& name,
                                   const Catalogue& catalogue);

}  // namespace cardan
