/// The parameters of a class as a JSON schema (draft 07) of the map that sets them.
#pragma once

#include <nlohmann/json.hpp>

#include "components/catalogue_entry.h"

namespace cardan {

/// An object schema that knows every key the class reads, whatever the others say: with unit and
/// text, default, range, choices and shape.
nlohmann::ordered_json parameterSchema(const CatalogueEntry& entry);

}  // namespace cardan
