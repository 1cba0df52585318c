/// Import: the elements of an MJCF file as a model of components of the catalogue.
#pragma once

#include <optional>
#include <string>

#include "engine/text/import_report.h"
#include "engine/text/imported_model.h"
#include "engine/urdf/import_options.h"

namespace cardan::mjcf {

/// `path` stands for the file in messages, and for the place of those that it includes, whose elements
/// are put into `root`. Everything that is wrong is in `diagnostics`, and nothing is returned then; what
/// has become of each element is in `report`. The options are those of URDF.
std::optional<ImportedModel> importModel(XmlElement& root, const std::string& path,
                                         const urdf::ImportOptions& options, ImportReport& report,
                                         Diagnostics& diagnostics);

}  // namespace cardan::mjcf
