/// Import: the elements of a URDF file as a model of components of the catalogue.
#pragma once

#include <optional>
#include <string>

#include "engine/text/import_report.h"
#include "engine/text/imported_model.h"
#include "engine/urdf/import_options.h"

namespace cardan::urdf {

/// `path` stands for the file in messages, and for the place of meshes. Everything that is wrong is in
/// `diagnostics`, and nothing is returned then; what has become of each element is in `report`.
std::optional<ImportedModel> importModel(const XmlElement& root, const std::string& path,
                                         const ImportOptions& options, ImportReport& report,
                                         Diagnostics& diagnostics);

}  // namespace cardan::urdf
