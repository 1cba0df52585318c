/// ModelFormat: a kind of file that is no model file, and how it becomes a model.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/text/imported_model.h"

namespace cardan {

struct ModelFormat {
  /// True of names of such files.
  std::function<bool(std::string_view path)> owns;
  /// Reads one. Everything that is wrong is in the diagnostics; nothing is returned then.
  std::function<std::optional<ImportedModel>(const Catalogue&, const std::string& path,
                                             Diagnostics&)>
      read;
};

/// Whoever puts a program together says which there are: {modelicaFormat(), robotFormat()}.
using ModelFormats = std::vector<ModelFormat>;

/// The model of a file by the first format that it belongs to; nothing where it belongs to none.
/// Throws ModelError with all that is wrong; else `warnings` gets what is not.
std::optional<ImportedModel> importedModel(const Catalogue& catalogue, const ModelFormats& formats,
                                           const std::string& path, Diagnostics& warnings);

}  // namespace cardan
