/// CatalogueInputs: the signal inputs that a component of the catalogue has with the Booleans and
/// choices that a model gives it, and the Booleans themselves.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/modelica/value.h"

namespace cardan::modelica {

struct CatalogueInputs {
  std::vector<std::string> names;
  std::map<std::string, bool> booleans;  ///< parameters with the values that they have
  std::set<std::string> keys;            ///< first names of all parameters
};
/// `given` tells the value of a parameter, where the model says one.
CatalogueInputs signalInputsOf(
    const CatalogueEntry& entry,
    const std::function<std::optional<Value>(const std::string&)>& given);

}  // namespace cardan::modelica
