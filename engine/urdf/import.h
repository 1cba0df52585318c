/// Import: a robot of a URDF file as a model file of components of the catalogue.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/text/import_report.h"
#include "engine/text/imported_model.h"
#include "engine/urdf/import_options.h"

namespace cardan::urdf {

struct Import {
  ImportedModel model;
  ImportReport report;  ///< its warnings are among the diagnostics, too
};

/// Reads a file. Everything that is wrong is in `diagnostics`, and nothing is returned then.
std::optional<Import> importModel(const std::string& path, const ImportOptions& options,
                                  Diagnostics& diagnostics);

/// The same from a text; `name` stands for its file in messages, and for the place of meshes.
std::optional<Import> importText(std::string_view text, const std::string& name,
                                 const ImportOptions& options, Diagnostics& diagnostics);

/// True of names of URDF files, and of the templates that they are made from.
bool isUrdfFile(std::string_view path);

}  // namespace cardan::urdf
