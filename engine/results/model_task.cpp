#include "engine/results/model_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/expression/constant_evaluation.h"
#include "engine/model_file/known_keys.h"
#include "engine/model_file/sections.h"
#include "engine/text/joined.h"

namespace cardan {

void readTask(const YamlNode& root, const std::string& path, const std::string& noun,
              const std::vector<std::string>& sections, ModelTask& task, Diagnostics& diagnostics) {
  reportDuplicateKeysBelow(root, diagnostics);
  std::vector<std::string> known{"study", "description", "model_file", "set"};
  known.insert(known.end(), sections.begin(), sections.end());
  known.emplace_back("simulation");
  reportUnknownKeys(root, noun, known, diagnostics);
  if (const YamlNode* n = root.find("study"))
    task.name = readText(*n, "'study'", "the study's name", diagnostics).value_or("");
  if (const YamlNode* n = root.find("model_file")) {
    const auto file = readText(*n, "'model_file'", "the path of a model", diagnostics);
    if (file) task.modelFile = besideFile(path, *file);
  } else {
    diagnostics.error(root.mark(), "a study must name its model: 'model_file: MODEL.yaml'");
  }
  readOverrides(root.find("set"), task.overrides, diagnostics);
  readRunSection(root.find("simulation"), task.settings, diagnostics);
}

std::string besideFile(const std::string& path, const std::string& file) {
  return (std::filesystem::path(path).parent_path() / file).lexically_normal().string();
}

void readOverrides(const YamlNode* section, std::vector<std::string>& overrides,
                   Diagnostics& diagnostics) {
  if (!isSectionMap(section, "set", "of parameters and their values", diagnostics)) return;
  for (const YamlNode::Entry& e : section->entries)
    overrides.push_back(e.key + "=" + yamlText(e.value));
}

const std::string* overrideOf(const std::string& name, const std::vector<std::string>& overrides) {
  const auto found = std::ranges::find_if(overrides, [&](const std::string& o) {
    return trimmed(std::string_view(o).substr(0, o.find('='))) == name;
  });
  return found == overrides.end() ? nullptr : &*found;
}

void readRunSection(const YamlNode* section, RunOptions& options, Diagnostics& diagnostics) {
  if (!isSectionMap(section, "simulation", kSimulationRule, diagnostics)) return;
  std::vector<std::string> known = simulationKeys();
  known.emplace_back("maximum_step");
  reportUnknownKeys(*section, "key of simulation:", known, diagnostics);
  const auto read = [&](const char* key, std::optional<double>& x, bool positive) {
    const YamlNode* node = section->find(key);
    if (!node) return;
    x = readNumber(*node, key, diagnostics);
    if (x && positive && !(*x > 0)) {
      diagnostics.error(
          node->mark(),
          fmt::format("simulation: '{}' must be greater than 0, found {}", key, node->describe()));
    }
  };
  read("start", options.startTime, false);
  read("stop", options.stopTime, false);
  read("interval", options.outputInterval, true);
  read("tolerance", options.tolerance, true);
  read("maximum_step", options.maximumStep, true);
  read("step", options.step, true);
  if (const YamlNode* n = section->find("integrator"))
    options.integrator = readSetting<IntegratorChoice>(*n, "integrator", diagnostics);
  if (const YamlNode* n = section->find("impact"))
    options.impact = readSetting<ImpactLaw>(*n, "impact", diagnostics);
}

std::optional<double> readNumber(const YamlNode& node, const std::string& key,
                                 Diagnostics& diagnostics) {
  if (node.isScalar() && !node.text.empty())
    return readConstant(node.text, node.markInText(0), diagnostics);
  diagnostics.error(node.mark(), "'" + key + "' must be a number, found " + node.describe());
  return std::nullopt;
}

std::string yamlText(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "null";
    case YamlNode::Kind::scalar:
      return node.text;
    case YamlNode::Kind::sequence: {
      std::string text;
      for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + yamlText(item);
      return "[" + text + "]";
    }
    case YamlNode::Kind::map: {
      std::string text;
      for (const YamlNode::Entry& e : node.entries)
        text += (text.empty() ? "" : ", ") + e.key + ": " + yamlText(e.value);
      return "{" + text + "}";
    }
  }
  return "";
}

}  // namespace cardan
