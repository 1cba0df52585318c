/// ExampleModel: a small model that runs, for any type of the catalogue.
#pragma once

#include <string>

#include "components/catalogue_entry.h"
#include "engine/model_file/type_description.h"

namespace cardan {

/// A model file with one component `x` of the type, its connectors connected to what makes it move;
/// "" where none of the arrangements that are tried runs.
std::string exampleModel(const CatalogueEntry& entry, const TypeDescription& description);

}  // namespace cardan
