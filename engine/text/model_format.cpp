#include "engine/text/model_format.h"

#include <algorithm>

namespace cardan {

std::optional<ImportedModel> importedModel(const Catalogue& catalogue, const ModelFormats& formats,
                                           const std::string& path, Diagnostics& warnings) {
  const auto format = std::ranges::find_if(formats, [&](const auto& f) { return f.owns(path); });
  if (format == formats.end()) return std::nullopt;
  Diagnostics diagnostics;
  std::optional<ImportedModel> model = format->read(catalogue, path, diagnostics);
  diagnostics.throwIfErrors();
  warnings.add(diagnostics);
  return model;
}

}  // namespace cardan
