/// CatalogueInputs: the signal inputs that a component of the catalogue has with the Booleans and
/// choices that a model gives it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/modelica/value.h"

namespace cardan::modelica {

/// Names of the inputs; `given` tells the value of a parameter, where the model says one.
std::vector<std::string> signalInputsOf(
    const CatalogueEntry& entry,
    const std::function<std::optional<Value>(const std::string&)>& given);

}  // namespace cardan::modelica
