#include "engine/model_file/type_description.h"

#include <algorithm>

#include "engine/model_file/parameter_walk.h"
#include "engine/structure/flat_model.h"
#include "engine/structure/variable_table.h"

namespace cardan {
namespace {

constexpr const char* kName = "x";  // of the instance; cut off again

/// Keeps all defaults but one: the Boolean or enumeration parameter `name` gets another value.
class OneChange final : public ParameterWalk {
 public:
  OneChange(const WorldSettings& world, std::string name, int choice)
      : ParameterWalk(world), name_(std::move(name)), choice_(choice) {}

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override {
    if (full(info.name) != name_) return;
    if (bool** boolean = std::get_if<bool*>(&target)) **boolean = !**boolean;
    if (auto* choice = std::get_if<EnumerationTarget>(&target)) choice->set(choice_);
  }

 private:
  std::string name_;
  int choice_;
};

const char* flangeKind(Domain domain) {
  static constexpr const char* kinds[] = {"rotational flange", "translational flange", "pin",
                                          "heat port"};
  return kinds[static_cast<int>(domain)];
}

/// The class alone in a model, declared.
class Specimen {
 public:
  Specimen(const CatalogueEntry& entry, const WorldSettings& world, ParameterReader& reader) {
    std::vector<NamedComponent> components;
    components.push_back({kName, entry.type, {}, entry.make()});
    components.back().component->read(reader);
    components.back().component->parametersChanged();
    flatModel_ = makeFlatModel(world, std::move(components), {}, diagnostics_);
  }

  std::vector<TypeDescription::Connector> connectors(const std::string& condition) const {
    std::vector<TypeDescription::Connector> result;
    for (const FlatModel::Frame& f : flatModel_.frames) {
      if (!f.internal && isOwn(f.name)) result.push_back({local(f.name), "frame", condition});
    }
    for (const FlatModel::Flange& f : flatModel_.flanges) {
      if (isOwn(f.name)) result.push_back({local(f.name), flangeKind(f.domain), condition});
    }
    for (const FlatModel::Input& i : flatModel_.inputs) {
      if (!isOwn(i.name)) continue;
      const std::string size = i.size == 1 ? "" : " of " + std::to_string(i.size);
      result.push_back({local(i.name), "input" + size, condition});
    }
    return result;
  }

  std::vector<TypeDescription::Variable> variables() {
    const VariableTable table(flatModel_, diagnostics_);
    const std::vector<TypeDescription::Connector> own = connectors("");
    std::vector<TypeDescription::Variable> result;
    for (int i : table.all()) {
      const VariableTable::Variable& v = table[i];
      if (v.name.rfind(std::string(kName) + ".", 0) != 0) continue;
      std::string name = local(v.name);
      const bool ofConnector = std::any_of(
          own.begin(), own.end(), [&](const auto& c) { return name.rfind(c.name + ".", 0) == 0; });
      if (ofConnector) continue;
      std::string size;
      for (int d : v.dimensions) size += (size.empty() ? "" : ",") + std::to_string(d);
      if (!size.empty()) name += "[" + size + "]";
      result.push_back({std::move(name), v.info.unit == "1" ? "" : v.info.unit, v.info.description,
                        v.info.output});
    }
    return result;
  }

 private:
  static std::string local(const std::string& name) {
    return name.substr(std::string(kName).size() + 1);
  }
  /// A connector of the class itself, not of a part inside.
  static bool isOwn(const std::string& name) {
    const std::string prefix = std::string(kName) + ".";
    return name.rfind(prefix, 0) == 0 && name.find('.', prefix.size()) == std::string::npos;
  }

  Diagnostics diagnostics_;  // of a specimen nobody connected: of no interest
  FlatModel flatModel_;
};

}  // namespace

TypeDescription describeType(const CatalogueEntry& entry) {
  WorldSettings world;
  world.prepare();
  TypeDescription result;
  ParameterDocumentation documentation(world);
  Specimen plain(entry, world, documentation);
  result.parameters = documentation.parameters();
  result.connectors = plain.connectors("");
  result.variables = plain.variables();

  auto addNew = [&](const std::string& parameter, int choice, const std::string& value) {
    OneChange change(world, parameter, choice);
    const Specimen other(entry, world, change);
    for (TypeDescription::Connector& c : other.connectors(parameter + ": " + value)) {
      const bool known = std::any_of(result.connectors.begin(), result.connectors.end(),
                                     [&](const auto& k) { return k.name == c.name; });
      if (!known) result.connectors.push_back(std::move(c));
    }
  };
  for (const DocumentedParameter& p : result.parameters) {
    if (p.type == "boolean") addNew(p.name, 0, p.defaultValue == "true" ? "false" : "true");
    for (int i = 0; i < std::ssize(p.choices); ++i) {
      if (p.choices[i] != p.defaultValue) addNew(p.name, i, p.choices[i]);
    }
  }
  return result;
}

}  // namespace cardan
