/// CatalogueInputs: the parameters of a component of the catalogue with what a model gives it, and the
/// signal inputs that it has with these.
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
  std::map<std::string, Value> values;  ///< of parameters, also of those that are not given
  std::set<std::string> keys;           ///< first names of all parameters
  std::map<std::string, int> starts;    ///< variables with start values, and of how many elements
  std::vector<std::string> texts;       ///< parameters of another kind that are given a text
};
/// `given` tells the value of a parameter, where the model says one.
CatalogueInputs signalInputsOf(
    const CatalogueEntry& entry,
    const std::function<std::optional<Value>(const std::string&)>& given);

}  // namespace cardan::modelica
