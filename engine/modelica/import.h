/// Import: a model of Modelica files as a model file of components of the catalogue.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/text/imported_model.h"

namespace cardan::modelica {

struct ImportOptions {
  std::string className;               ///< "": the last model of the file that can run alone
  std::vector<std::string> libraries;  ///< folders with packages
  bool readsModelicaPath = true;       ///< also those of the environment's MODELICAPATH
};

/// Reads a file, and what it needs from others. Everything that is wrong, or that a model file
/// cannot say, is in `diagnostics`; nothing is returned then.
std::optional<ImportedModel> importModel(const Catalogue& catalogue, const std::string& path,
                                         const ImportOptions& options, Diagnostics& diagnostics);

/// The same from a text; `name` stands for its file in messages.
std::optional<ImportedModel> importText(const Catalogue& catalogue, std::string_view text,
                                        const std::string& name, const ImportOptions& options,
                                        Diagnostics& diagnostics);

ModelFormat modelicaFormat(const ImportOptions& options = {});

/// True of names of Modelica files.
inline bool isModelicaFile(std::string_view path) { return path.ends_with(".mo"); }

}  // namespace cardan::modelica
