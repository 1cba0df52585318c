/// ShownStudy: a study file as the page shows it: which command makes its runs, and the model that they are of.
#pragma once

#include <optional>
#include <string>

#include "engine/results/run_options.h"
#include "engine/simulation.h"
#include "engine/text/diagnostics.h"
#include "engine/text/yaml_document.h"

namespace cardan::studio {

struct ShownStudy {
  std::string command;  ///< "sweep", "fit", "optimize"
  long runs = 0;        ///< 0: they depend on what is found
  std::string model;    ///< its file
  Overrides overrides;  ///< of all runs
  RunOptions settings;  ///< where they differ from the model's

  /// Reads and tries what `text`, which stands for `file`, says; nothing where that is no study. What is
  /// to be told besides goes to `messages`. Throws ModelError with all that is wrong.
  static std::optional<ShownStudy> read(const std::string& text, const std::string& file,
                                        Diagnostics& messages);
};

/// The tree of a study; nothing where `text` is none, or no YAML.
std::optional<YamlNode> studyTree(const std::string& text, const std::string& file);

}  // namespace cardan::studio
