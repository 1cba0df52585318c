/// The model file (one YAML file describes one model), read and flattened.
#pragma once

#include <string>
#include <string_view>

#include "engine/model_file/sections.h"

namespace cardan {

/// Reads a model file, its includes and submodels. All errors found are in `diagnostics`;
/// the description then holds what could be understood, so that later stages can find more.
ModelSource loadModel(const std::string& path, const Overrides& overrides,
                      Diagnostics& diagnostics);

/// The same from a text; `path` is its name in messages, and includes are relative to its folder.
ModelSource parseModel(std::string_view text, const std::string& path, const Overrides& overrides,
                       Diagnostics& diagnostics);

/// What a model file says before any parameter has a value: read once, it makes a model of each set
/// of overrides, as if the file had been read for it alone.
class ModelDocument {
 public:
  /// From a tree, as another kind of file gives it, too; `path` is that file's.
  ModelDocument(YamlNode tree, std::string path);

  ModelSource model(const Overrides& overrides, Diagnostics& diagnostics) const;

 private:
  void read();

  YamlNode root_;
  ModelSource head_;  ///< the model without what its sections hold
  Submodels submodels_;
  ModelSections sections_;
  std::vector<OutputPattern> outputs_;
  bool hasSections_ = false;
  Diagnostics found_;
};

}  // namespace cardan
