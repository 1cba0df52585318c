#include "engine/model_parts.h"

#include <set>

#include "engine/equations/model.h"
#include "engine/model_file/model_source.h"
#include "engine/simulation.h"

namespace cardan {

void refuseOutside(const Simulation& simulation, const std::string& why, Diagnostics& diagnostics) {
  const FlatModel& flat = simulation.model().assembly().flatModel;
  for (const int i : flat.outsides)
    diagnostics.error(flat.instances[i].at, flat.typeAndName(i) + ": " + why);
}

void refuseOutside(const Simulation& simulation, const std::string& why) {
  Diagnostics diagnostics;
  refuseOutside(simulation, why, diagnostics);
  diagnostics.throwIfErrors();
}

ModelParts::ModelParts(const Simulation& simulation) : model_(simulation.model()) {}

const ModelSource& ModelParts::source() const { return model_.description(); }
const WorldSettings& ModelParts::world() const { return *model_.assembly().flatModel.world; }
int ModelParts::size() const { return std::ssize(model_.assembly().flatModel.instances); }

ModelPart ModelParts::operator[](int i) const {
  const Instance& instance = model_.assembly().flatModel.instances[i];
  return {instance.name, instance.type, instance.parent, *instance.component};
}

const std::string& ModelParts::frameName(FrameId frame) const {
  return model_.assembly().flatModel.frames[frame.index].name;
}
int ModelParts::node(FrameId frame) const {
  return model_.assembly().spanningTree.nodeOfFrame[frame.index];
}

std::vector<std::pair<std::string, FrameId>> ModelParts::frames() const {
  std::vector<std::pair<std::string, FrameId>> frames;
  for (const auto& [name, ref] : model_.assembly().flatModel.connectors) {
    if (ref.kind == ConnectorKind::frame) frames.emplace_back(name, FrameId{ref.index});
  }
  return frames;
}

std::vector<int> ModelParts::partsOfFrames() const {
  std::vector<int> parts;
  for (const FlatModel::Frame& f : model_.assembly().flatModel.frames) parts.push_back(f.instance);
  return parts;
}

std::vector<int> ModelParts::dimensions(const std::string& variable) const {
  const VariableTable& table = model_.assembly().variables;
  const auto v = table.find(variable);
  return v ? table[*v].dimensions : std::vector<int>{};
}

std::vector<ModelParts::Variable> ModelParts::variables() const {
  const VariableTable& table = model_.assembly().variables;
  std::vector<Variable> variables;
  for (const int i : table.all()) {
    const VariableTable::Variable& v = table[i];
    variables.push_back({v.name, v.info.unit, v.info.description, v.dimensions});
  }
  return variables;
}

std::vector<std::pair<std::string, std::string>> ModelParts::aliases() const {
  const VariableTable& table = model_.assembly().variables;
  std::set<std::string> own;
  for (const int i : table.all()) own.insert(table[i].name);
  std::vector<std::pair<std::string, std::string>> aliases;
  for (const std::string& name : table.names()) {
    const auto target = table.find(name);
    if (!own.contains(name) && target) aliases.emplace_back(name, table[*target].name);
  }
  return aliases;
}

bool ModelParts::hasVariable(const std::string& name) const {
  return !model_.assembly().variables.elements(name).empty();
}

std::string ModelParts::unseenComparison(const std::string& variable) const {
  const VariableTable& table = model_.assembly().variables;
  const auto v = table.find(variable);
  const ExpressionVariable* e = v ? table[*v].expression : nullptr;
  if (!e) return "";
  return e->unseenComparison([&](int i) { return model_.whens().held.isDiscrete(i); });
}

std::optional<ModelParts::Input> ModelParts::input(const std::string& name) const {
  const auto input = model_.pictureInput(name);
  if (!input) return std::nullopt;
  const int v = input->variable;
  return Input{input->numbers, v, v < 0 ? 0 : model_.assembly().variables[v].size};
}

std::vector<std::pair<std::string, ExpressionValue>> ModelParts::parameters() const {
  std::vector<std::pair<std::string, ExpressionValue>> parameters;
  model_.parameters().forEachComponent([&](const ComponentDescription& c, const auto& values) {
    for (const ParameterTable::Published* p : values)
      parameters.emplace_back(c.name + "." + p->key, p->value);
  });
  return parameters;
}

std::vector<std::pair<std::string, ExpressionValue>> ModelParts::parameters(
    const ComponentDescription& component) const {
  std::vector<std::pair<std::string, ExpressionValue>> parameters;
  for (const ParameterTable::Published* p : model_.parameters().publishedBy(component))
    parameters.emplace_back(p->key, p->value);
  return parameters;
}

bool ModelParts::isParameter(const std::string& name) const {
  return model_.parameters().isPublished(name);
}

std::vector<std::pair<std::string, ExpressionValue>> ModelParts::ownParameters() const {
  return model_.ownParameters();
}
std::vector<std::pair<std::string, double>> ModelParts::foundParameters() const {
  return model_.foundParameters();
}

}  // namespace cardan
