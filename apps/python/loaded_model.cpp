#include "apps/python/loaded_model.h"

#include <stdexcept>
#include <utility>

#include "apps/cosimulation/types.h"
#include "engine/model_file/model_source.h"

namespace cardan::python {
namespace {

bool canShare(const Simulation& simulation) {
  try {
    simulation.another();
    return true;
  } catch (const std::logic_error&) {
    return false;
  }
}

Simulation load(const LoadedModel::Read& read, const Overrides& overrides) {
  Simulation simulation =
      Simulation::fromDocument(allTypes(), read.document, read.files, overrides);
  const ModelSource& source = simulation.source();
  if (!source.isLibrary()) return simulation;
  Diagnostics diagnostics;
  diagnostics.error({source.file, 0, 0},
                    "a library file cannot be run: it defines submodels and no model");
  throw ModelError(diagnostics);
}

std::shared_ptr<LoadedModel> made(YamlNode tree, std::vector<std::string> files,
                                  Diagnostics ofImport, const Overrides& overrides) {
  const auto read = std::make_shared<const LoadedModel::Read>(
      LoadedModel::Read{std::move(tree), std::move(files), std::move(ofImport)});
  return std::make_shared<LoadedModel>(read, overrides);
}

}  // namespace

LoadedModel::LoadedModel(std::shared_ptr<const Read> read, const Overrides& overrides)
    : read_(std::move(read)),
      overrides_(overrides),
      prototype_(load(*read_, overrides)),
      shares_(canShare(prototype_)) {}

std::shared_ptr<LoadedModel> LoadedModel::open(const std::string& path, const Overrides& overrides,
                                               const modelica::ImportOptions& modelica,
                                               const robots::ImportOptions& robot) {
  Diagnostics diagnostics;
  const ModelFormats formats{modelica::modelicaFormat(modelica), robotFormat(robot)};
  if (const auto imported = importedModel(allTypes(), formats, path, diagnostics)) {
    return made(imported->tree(), imported->files, std::move(diagnostics), overrides);
  }
  auto tree = readYaml(path, diagnostics);
  diagnostics.throwIfErrors();
  return made(std::move(*tree), {path}, std::move(diagnostics), overrides);
}

std::shared_ptr<LoadedModel> LoadedModel::parse(const std::string& text, const std::string& name,
                                                const Overrides& overrides) {
  Diagnostics diagnostics;
  auto tree = parseYaml(text, name, diagnostics);
  diagnostics.throwIfErrors();
  return made(std::move(*tree), {name}, std::move(diagnostics), overrides);
}

std::shared_ptr<LoadedModel> LoadedModel::with(const Overrides& overrides) const {
  return std::make_shared<LoadedModel>(read_, overrides);
}

Simulation LoadedModel::simulation() const { return shares_ ? prototype_.another() : reloaded({}); }

Simulation LoadedModel::reloaded(const Overrides& more) const {
  Overrides all = overrides_;
  all.insert(all.end(), more.begin(), more.end());
  return load(*read_, all);
}

std::vector<std::string> LoadedModel::warnings() const {
  Diagnostics all = read_->ofImport;
  all.add(prototype_.warnings());
  std::vector<std::string> texts;
  for (const Diagnostic& d : all.all()) texts.push_back(d.format());
  return texts;
}

}  // namespace cardan::python
