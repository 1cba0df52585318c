#include "engine/sensitivities/parameter_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/equations/model.h"
#include "engine/expression/units.h"
#include "engine/expression/value.h"
#include "engine/model_file/parameter_documentation.h"
#include "engine/simulation.h"
#include "engine/text/element_name.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

using Found = ModelParameterValue;

constexpr size_t kMostKnown = 8;

/// "[m]" of "a length [m]".
std::string siUnit(const std::string& unit) {
  UnitError error;
  const std::optional<Unit> parsed = parseUnit(unit, error);
  if (!parsed) return "";
  const std::string text = parsed->dimension.describe();
  const size_t open = text.rfind('[');
  return open == std::string::npos ? "1" : text.substr(open + 1, text.size() - open - 2);
}

/// What a value says, of which the element at `indices` is asked for (none: all of it).
Found inValue(const ExpressionValue& value, const std::vector<int>& indices,
              const std::string& name) {
  if (!value.isReal()) return {{}, "'" + name + "' is no number", ""};
  if (indices.empty() && value.size() != 1) {
    return {{},
            fmt::format("'{0}' is a {1}: ask for an element, as '{0}[{2}]'", name,
                        value.shape().describe(), value.isMatrix() ? "1,1" : "1"),
            ""};
  }
  ValueShape chosen;
  std::vector<int> elements{0};
  if (!indices.empty() &&
      (!selectElements(value.shape(), indices, chosen, elements).empty() || !chosen.isScalar())) {
    return {{}, "'" + name + "' has no such element", ""};
  }
  return {value.elements()[elements.front()], "", ""};
}

std::string unitOfKey(const std::string& type, const std::string& key, const Catalogue& catalogue) {
  for (const CatalogueEntry& e : catalogue) {
    if (e.type != type) continue;
    WorldSettings settings;
    settings.prepare();
    ParameterDocumentation reader(settings);
    e.make()->read(reader);
    for (const DocumentedParameter& p : reader.parameters()) {
      if (p.name == key || p.name + ".start" == key) return p.unit;
    }
  }
  return "";
}

}  // namespace

ModelParameterValue parameterValue(const Simulation& simulation, const std::string& asked,
                                   const Catalogue& catalogue) {
  const Model& model = simulation.model();
  std::string name = asked;
  const std::vector<int> indices = takeIndices(name);
  const ModelSource& source = model.description();
  std::vector<std::string> known;
  for (const auto& [own, value] : model.ownParameters()) {
    known.push_back(own);
    if (own != name) continue;
    Found found = inValue(value, indices, asked);
    for (const ModelParameter& p : source.parameters) {
      if (p.name == own && !p.unit.empty()) found.unit = siUnit(p.unit);
    }
    return found;
  }
  std::optional<Found> found;
  model.parameters().forEachComponent([&](const ComponentDescription& c, const auto& values) {
    if (found || !name.starts_with(c.name + ".")) return;
    const std::string key = name.substr(c.name.size() + 1);
    for (const ParameterTable::Published* p : values) {
      known.push_back(c.name + "." + p->key);
      if (p->key != key) continue;
      found = inValue(p->value, indices, asked);
      found->unit = unitOfKey(c.type, key, catalogue);
    }
  });
  if (found) return *found;
  // A start value: of a variable by any of its names, or of an unknown.
  const std::string_view suffix = ".start";
  const size_t start = std::min(asked.rfind(suffix), asked.size());
  const std::string element = asked.substr(std::min(start + suffix.size(), asked.size()));
  const VariableTable& variables = model.assembly().variables;
  std::vector<VariableElement> of;
  if (start < asked.size() && (element.empty() || element.front() == '['))
    of = variables.elements(source.withoutAliases(asked.substr(0, start)) + element);
  if (of.size() == 1) {
    for (const VariableTable::Start& s : variables.starts()) {
      if (s.of.variable == of[0].variable && s.of.element == of[0].element)
        return {s.start, "", variables[s.of.variable].info.unit};
    }
    const std::string variable = variables.nameOf(of[0]);
    for (const Layout::Unknown& u : model.assembly().layout.unknowns) {
      if (u.name == variable) return {u.start, "", u.unit};
    }
  }
  return {{},
          fmt::format(
              "'{}' is no parameter of the model or of a component{}", asked,
              didYouMean(name, known, "parameters of the model: " + joinMost(known, kMostKnown))),
          ""};
}

}  // namespace cardan
