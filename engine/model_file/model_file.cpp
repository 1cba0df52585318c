#include "engine/model_file/model_file.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "engine/model_file/bases.h"
#include "engine/model_file/contacts.h"
#include "engine/model_file/expansion.h"
#include "engine/model_file/known_keys.h"
#include "engine/model_file/least_tolerance.h"
#include "engine/model_file/parameter_table.h"
#include "engine/model_file/quantities.h"

namespace cardan {
namespace {

void readHead(const YamlNode& root, ModelSource& model, Diagnostics& diagnostics) {
  model.name = std::filesystem::path(model.file).stem().string();
  if (const YamlNode* node = root.find("model")) {
    model.name = readText(*node, "'model'", "the model's name", diagnostics).value_or(model.name);
  }
  if (const YamlNode* node = root.find("description"); node && !node->isNull()) {
    model.description = readText(*node, "'description'", "a text", diagnostics).value_or("");
  }
}

void readWorld(const YamlNode* section, ModelSource& model, Diagnostics& diagnostics) {
  model.world.at = model.world.typeAt = {model.file, 0, 0};
  model.world.arguments.kind = YamlNode::Kind::map;
  model.world.arguments.file = std::make_shared<const std::string>(model.file);
  if (!isSectionMap(section, "world", "of World's parameters", diagnostics)) return;
  reportDuplicateKeysBelow(*section, diagnostics);
  model.world.at = model.world.typeAt = section->mark();
  model.world.arguments = *section;
  std::vector<YamlNode::Entry>& entries = model.world.arguments.entries;
  for (auto entry = entries.begin(); entry != entries.end();) {
    if (entry->key != "name") {
      ++entry;
      continue;
    }
    const auto name =
        readText(entry->value, "'name' of the world", "a component's name", diagnostics);
    if (name && isName(*name)) {
      model.world.name = *name;
      model.world.at = entry->value.mark();
    } else if (name) {
      diagnostics.error(entry->value.mark(),
                        "'name' of the world must be a component's name, found '" + *name + "'");
    }
    entry = entries.erase(entry);
  }
}

std::vector<OutputPattern> readOutputs(const YamlNode* section, Diagnostics& diagnostics) {
  std::vector<OutputPattern> outputs;
  if (!isSectionList(section, "outputs", "of names or patterns", diagnostics)) return outputs;
  for (const YamlNode& item : section->items) {
    if (const auto text =
            readText(item, "an entry of 'outputs'", "a name or a pattern", diagnostics)) {
      outputs.push_back({*text, item.mark()});
    }
  }
  return outputs;
}

/// Reads `simulation`; its values may be expressions over the model's parameters.
class SimulationReader {
 public:
  SimulationReader(const YamlNode& section, ParameterTable& parameters, Diagnostics& diagnostics)
      : section_(section), parameters_(parameters), diagnostics_(diagnostics) {}

  SimulationSettings read() {
    reportDuplicateKeys(section_, "key", diagnostics_);
    reportUnknownKeys(section_, "key of simulation:", simulationKeys(), diagnostics_);
    SimulationSettings s;
    s.start = number("start").value_or(s.start);
    if (const auto stop = number("stop")) {
      s.stop = *stop;
      if (s.stop <= s.start) {
        fail("stop", "must be greater than 'start' (" + formatNumber(s.start) + ")", s.stop);
      } else if (const std::string why = tooShortToRun(s.start, s.stop); !why.empty()) {
        fail("stop", why, s.stop);
      }
    } else {
      s.stop = s.start + 1;
    }
    s.interval = number("interval");
    if (s.interval && *s.interval <= 0) {
      fail("interval", "must be greater than 0", *s.interval);
    } else if (s.interval && (s.stop - s.start) / *s.interval > kMostOutputPoints) {
      fail("interval",
           "must not ask for more than " + formatNumber(kMostOutputPoints) + " output points",
           *s.interval);
    } else if (s.interval && (s.stop - s.start) / *s.interval > kManyOutputPoints) {
      diagnostics_.warning(section_.find("interval")->mark(),
                           "simulation: 'interval' asks for " +
                               formatNumber(std::round((s.stop - s.start) / *s.interval)) +
                               " rows");
    }
    if (const auto tolerance = number("tolerance")) {
      s.tolerance = *tolerance;
      if (s.tolerance <= 0 || s.tolerance >= 1) {
        fail("tolerance", "must be greater than 0 and less than 1", s.tolerance);
      } else if (s.tolerance < kLeastTolerance) {
        fail("tolerance", kLeastToleranceRule, s.tolerance);
      }
    }
    if ((s.step = number("step"))) {
      s.stepAt = section_.find("step")->mark();
      if (*s.step <= 0) fail("step", "must be greater than 0", *s.step);
    }
    readChoice("integrator", s.integrator, s.integratorAt);
    readChoice("impact", s.impact, s.impactAt);
    return s;
  }

 private:
  static constexpr double kManyOutputPoints = 1e7;

  void fail(const std::string& key, const std::string& rule, double found) {
    diagnostics_.error(section_.find(key)->mark(),
                       "simulation: '" + key + "' " + rule + ", found " + formatNumber(found));
  }

  template <class Choice>
  void readChoice(const char* key, Choice& choice, SourceMark& at) {
    const YamlNode* node = section_.find(key);
    if (!node) return;
    at = node->mark();
    if (const auto found = readSetting<Choice>(*node, key, diagnostics_)) choice = *found;
  }

  std::optional<double> number(const std::string& key) {
    const YamlNode* node = section_.find(key);
    if (!node) return std::nullopt;
    const std::string rule = "simulation: '" + key + "' must be a number, found ";
    if (!node->isScalar()) {
      diagnostics_.error(node->mark(), rule + node->describe());
      return std::nullopt;
    }
    const auto plain = withoutUnits(*node, wantedUnit(key == "tolerance" ? "1" : "s"),
                                    [&](const SourceMark& at, const std::string& text) {
                                      diagnostics_.error(at, "simulation: '" + key + "' " + text);
                                    });
    if (!plain) return std::nullopt;
    const ParameterTable::Result result =
        parameters_.evaluate(*plain, 0, "simulation." + key, diagnostics_);
    if (result.state == ParameterTable::Result::State::deferred) {
      diagnostics_.error(node->mark(), "simulation: '" + key +
                                           "' must not depend on a default of a "
                                           "component");
    }
    if (!result.isKnown()) return std::nullopt;
    if (result.value.isScalar()) return result.value.real();
    diagnostics_.error(node->mark(), rule + result.value.describe());
    return std::nullopt;
  }

  const YamlNode& section_;
  ParameterTable& parameters_;
  Diagnostics& diagnostics_;
};

void evaluateParameters(ModelSource& model, const YamlNode* simulation, Diagnostics& diagnostics) {
  ParameterTable table(model, diagnostics);
  for (size_t i = 0; i < model.parameters.size(); ++i) table.parameter(i);
  if (isSectionMap(simulation, "simulation", kSimulationRule, diagnostics)) {
    model.simulation = SimulationReader(*simulation, table, diagnostics).read();
  }
  // Only now: values that were already in the model would hide what the table found out.
  for (size_t i = 0; i < model.parameters.size(); ++i) {
    const ParameterTable::Result result = table.parameter(i);
    if (result.isKnown()) model.parameters[i].value = result.value;
    if (result.state == ParameterTable::Result::State::failed) model.parameters[i].failed = true;
  }
}

ModelSource modelOf(std::optional<YamlNode> root, const std::string& path,
                    const Overrides& overrides, Diagnostics& diagnostics) {
  if (root) return ModelDocument(std::move(*root), path).model(overrides, diagnostics);
  ModelSource model;
  model.file = path;
  return model;
}

}  // namespace

ModelSource loadModel(const std::string& path, const Overrides& overrides,
                      Diagnostics& diagnostics) {
  return modelOf(readYaml(path, diagnostics), path, overrides, diagnostics);
}

ModelSource parseModel(std::string_view text, const std::string& path, const Overrides& overrides,
                       Diagnostics& diagnostics) {
  return modelOf(parseYaml(text, path, diagnostics), path, overrides, diagnostics);
}

ModelDocument::ModelDocument(YamlNode tree, std::string path) : root_(std::move(tree)) {
  head_.file = std::move(path);
  checkTopLevel(root_, found_);
  if (root_.isMap()) read();
}

void ModelDocument::read() {
  const std::string& path = head_.file;
  const int errors = found_.errorCount();
  std::vector<std::string> bases;
  if (root_.find("extends")) {
    root_ = withBases(std::move(root_), path, bases, found_);
    // What is missing because a base could not be read says nothing new.
    if (found_.errorCount() > errors) return;
  }
  readHead(root_, head_, found_);
  readWorld(root_.find("world"), head_, found_);
  submodels_ = readSubmodels(root_, path, head_.included, found_);
  head_.included.insert(head_.included.end(), bases.begin(), bases.end());
  for (const auto& [type, submodel] : submodels_) {
    head_.submodels.push_back(type);
    head_.submodelPlaces.push_back({type, submodel.at});
  }
  head_.contacts = readContacts(root_.find("contacts"), found_);
  sections_ = readSections(root_, found_);
  outputs_ = readOutputs(root_.find("outputs"), found_);
  hasSections_ = true;
}

ModelSource ModelDocument::model(const Overrides& overrides, Diagnostics& diagnostics) const {
  diagnostics.add(found_);
  ModelSource model = head_;
  if (!hasSections_) return model;
  const std::vector<NamedNode> settings = readSettings(root_.find("set"), overrides, diagnostics);
  expandSections(sections_, submodels_, outputs_, settings, model, diagnostics);
  applySettings(settings, model, diagnostics);
  evaluateParameters(model, root_.find("simulation"), diagnostics);
  return model;
}

}  // namespace cardan
