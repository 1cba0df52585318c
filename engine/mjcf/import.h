/// Import: a robot of an MJCF file as a model file of components of the catalogue.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/urdf/import.h"

namespace cardan::mjcf {

/// What comes out, and the options, are those of robots in URDF: bodies are links. Of the options
/// --floating and --merge-fixed have no meaning here.
using urdf::Import;
using urdf::ImportOptions;

/// Reads a file and those that it includes. Everything that is wrong is in `diagnostics`, and nothing
/// is returned then.
std::optional<Import> importModel(const std::string& path, const ImportOptions& options,
                                  Diagnostics& diagnostics);

/// The same from a text; `name` stands for its file in messages, and for the place of other files.
std::optional<Import> importText(std::string_view text, const std::string& name,
                                 const ImportOptions& options, Diagnostics& diagnostics);

/// True of names of MJCF files.
bool isMjcfFile(std::string_view path);

}  // namespace cardan::mjcf
