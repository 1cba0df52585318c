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

Simulation load(const YamlNode& tree, const std::vector<std::string>& files,
                const Overrides& overrides) {
  Simulation simulation = Simulation::fromTree(allTypes(), tree, files, overrides);
  const ModelSource& source = simulation.source();
  if (!source.isLibrary()) return simulation;
  Diagnostics diagnostics;
  diagnostics.error({source.file, 0, 0},
                    "a library file cannot be run: it defines submodels and no model");
  throw ModelError(diagnostics);
}

}  // namespace

LoadedModel::LoadedModel(std::shared_ptr<const YamlNode> tree, std::vector<std::string> files,
                         Diagnostics ofImport, const Overrides& overrides)
    : tree_(std::move(tree)),
      files_(std::move(files)),
      ofImport_(std::move(ofImport)),
      overrides_(overrides),
      prototype_(load(*tree_, files_, overrides)),
      shares_(canShare(prototype_)) {}

std::shared_ptr<LoadedModel> LoadedModel::open(const std::string& path, const Overrides& overrides,
                                               const modelica::ImportOptions& modelica,
                                               const robots::ImportOptions& robot) {
  Diagnostics diagnostics;
  const ModelFormats formats{modelica::modelicaFormat(modelica), robotFormat(robot)};
  if (const auto imported = importedModel(allTypes(), formats, path, diagnostics)) {
    return std::make_shared<LoadedModel>(std::make_shared<const YamlNode>(imported->tree()),
                                         imported->files, std::move(diagnostics), overrides);
  }
  auto tree = readYaml(path, diagnostics);
  diagnostics.throwIfErrors();
  return std::make_shared<LoadedModel>(std::make_shared<const YamlNode>(std::move(*tree)),
                                       std::vector{path}, std::move(diagnostics), overrides);
}

std::shared_ptr<LoadedModel> LoadedModel::parse(const std::string& text, const std::string& name,
                                                const Overrides& overrides) {
  Diagnostics diagnostics;
  auto tree = parseYaml(text, name, diagnostics);
  diagnostics.throwIfErrors();
  return std::make_shared<LoadedModel>(std::make_shared<const YamlNode>(std::move(*tree)),
                                       std::vector{name}, std::move(diagnostics), overrides);
}

std::shared_ptr<LoadedModel> LoadedModel::with(const Overrides& overrides) const {
  return std::make_shared<LoadedModel>(tree_, files_, ofImport_, overrides);
}

Simulation LoadedModel::simulation() const { return shares_ ? prototype_.another() : reloaded({}); }

Simulation LoadedModel::reloaded(const Overrides& more) const {
  Overrides all = overrides_;
  all.insert(all.end(), more.begin(), more.end());
  return load(*tree_, files_, all);
}

std::vector<std::string> LoadedModel::warnings() const {
  Diagnostics all = ofImport_;
  all.add(prototype_.warnings());
  std::vector<std::string> texts;
  for (const Diagnostic& d : all.all()) texts.push_back(d.format());
  return texts;
}

}  // namespace cardan::python
