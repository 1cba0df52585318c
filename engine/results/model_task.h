/// What files about many runs of a model say: ModelTask, overrides, settings of the runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/results/run_options.h"
#include "engine/text/yaml_document.h"

namespace cardan {

/// Reads a task from a file at `path`. Its keys, of which messages speak as `noun`, are those of all tasks
/// and `sections`. What is wrong is reported, here and below.
void readTask(const YamlNode& root, const std::string& path, const std::string& noun,
              const std::vector<std::string>& sections, ModelTask& task, Diagnostics& diagnostics);

/// `file`, as the file at `path` names it.
std::string besideFile(const std::string& path, const std::string& file);

/// The section `set`: null, or a map of parameters and their values.
void readOverrides(const YamlNode* section, std::vector<std::string>& overrides,
                   Diagnostics& diagnostics);

/// The override of the parameter `name` among them; null: none.
const std::string* overrideOf(const std::string& name, const std::vector<std::string>& overrides);

/// The section `simulation`: null, or a map of start, stop, interval, tolerance, maximum_step, integrator,
/// step, impact.
void readRunSection(const YamlNode* section, RunOptions& options, Diagnostics& diagnostics);

/// The number of a key, an expression of constants.
std::optional<double> readNumber(const YamlNode& node, const std::string& key,
                                 Diagnostics& diagnostics);

/// A value of a YAML file as text of a single line.
std::string yamlText(const YamlNode& node);

}  // namespace cardan
