/// The model file (one YAML file describes one model), read and flattened.
#pragma once

#include <string>
#include <string_view>

#include "engine/model_file/model_source.h"

namespace cardan {

/// Reads a model file, its includes and submodels. All errors found are in `diagnostics`;
/// the description then holds what could be understood, so that later stages can find more.
ModelSource loadModel(const std::string& path, const Overrides& overrides,
                      Diagnostics& diagnostics);

/// The same from a text; `path` is its name in messages, and includes are relative to its folder.
ModelSource parseModel(std::string_view text, const std::string& path, const Overrides& overrides,
                       Diagnostics& diagnostics);

/// The same from a tree, as another kind of file gives it; `path` is that file's.
ModelSource readModel(const YamlNode& own, const std::string& path, const Overrides& overrides,
                      Diagnostics& diagnostics);

}  // namespace cardan
