#include "apps/cardan/fmu_xml.h"

#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "engine/expression/units.h"
#include "engine/expression/value.h"
#include "engine/text/escaped.h"
#include "engine/version.h"

namespace cardan {
namespace {

/// Elements and attributes, one below the other; "" as a value leaves an attribute out.
class Xml {
 public:
  using Attributes = std::vector<std::pair<const char*, std::string>>;

  void open(const char* name, const Attributes& attributes = {}) {
    line(name, attributes, ">");
    open_.emplace_back(name);
  }
  void close() {
    const std::string name = open_.back();
    open_.pop_back();
    text_ += std::string(2 * open_.size(), ' ') + "</" + name + ">\n";
  }
  void leaf(const char* name, const Attributes& attributes = {}) { line(name, attributes, "/>"); }
  std::string take() {
    while (!open_.empty()) close();
    return std::move(text_);
  }

 private:
  void line(const char* name, const Attributes& attributes, const char* end) {
    text_ += std::string(2 * open_.size(), ' ') + "<" + name;
    for (const auto& [key, value] : attributes) {
      if (!value.empty()) text_ += std::string(" ") + key + "=\"" + escapedXml(value) + "\"";
    }
    text_ += std::string(end) + "\n";
  }

  std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::vector<std::string> open_;
};

const char* causality(const FmuVariable& v) {
  switch (v.role) {
    case FmuRole::independent:
      return "independent";
    case FmuRole::input:
      return "input";
    case FmuRole::parameter:
    case FmuRole::tunable:
      return "parameter";
    case FmuRole::calculated:
      return "calculatedParameter";
    default:
      return v.isOutput ? "output" : "local";
  }
}

const char* variability(const FmuVariable& v) {
  switch (v.role) {
    case FmuRole::constant:
      return "constant";
    case FmuRole::parameter:
    case FmuRole::calculated:
      return "fixed";
    case FmuRole::tunable:
      return "tunable";
    default:
      return v.kind == FmuKind::real ? "continuous" : "discrete";
  }
}

/// "" where the standard wants none, or it is the default.
const char* initial(const FmuVariable& v) {
  switch (v.role) {
    case FmuRole::independent:
    case FmuRole::input:
      return "";
    case FmuRole::constant:
    case FmuRole::parameter:
    case FmuRole::tunable:
    case FmuRole::exactStart:
      return "exact";
    case FmuRole::approxStart:
      return "approx";
    default:
      return "calculated";
  }
}

/// Calls list(element, isOne) for the lists of the model structure, which have these names; of what the
/// start determines the standard wants one.
template <class F>
void forEachList(const std::array<const char*, 4>& names, F list) {
  const auto isRate = [](const FmuVariable& v) { return v.role == FmuRole::derivative; };
  list(names[0], [](const FmuVariable& v) { return v.isOutput; });
  list(names[1], isRate);
  list(names[2], [&](const FmuVariable& v) {
    const bool isTold = v.isOutput || !v.nominal.empty();
    return v.role == FmuRole::calculated || isRate(v) || v.role == FmuRole::state ||
           (isTold && v.isResult() && v.role != FmuRole::exactStart);
  });
  list(names[3], [](const FmuVariable& v) { return v.role == FmuRole::indicator; });
}

/// Of a real number; `firstIndex`: of the first variable, as derivatives name them.
void addReal(Xml::Attributes& attributes, const FmuVariable& v, int firstIndex) {
  if (v.kind != FmuKind::real) return;
  attributes.emplace_back("unit", v.unit);
  attributes.emplace_back("nominal", v.nominal);
  attributes.emplace_back("derivative",
                          v.stateOf < 0 ? "" : std::to_string(v.stateOf + firstIndex));
  attributes.emplace_back("reinit", v.nominal.empty() ? "" : "true");
}

void writeUnits(Xml& xml, const std::vector<FmuVariable>& variables) {
  std::map<std::string, bool> names;
  for (const FmuVariable& v : variables) {
    if (!v.unit.empty()) names[v.unit];
  }
  if (names.empty()) return;
  xml.open("UnitDefinitions");
  for (const auto& [name, unused] : names) {
    UnitError error;
    const auto unit = parseUnit(name, error);
    if (!unit) {
      xml.leaf("Unit", {{"name", name}});
      continue;
    }
    const auto exponent = [&](Dimension::Base b) {
      const int e = unit->dimension.exponents[b];
      return e == 0 ? std::string() : std::to_string(e);
    };
    const double factor = unit->numerator / unit->denominator * std::pow(10.0, unit->power);
    const auto number = [](double x, double none) { return x == none ? "" : formatNumber(x); };
    xml.open("Unit", {{"name", name}});
    xml.leaf("BaseUnit", {{"kg", exponent(Dimension::mass)},
                          {"m", exponent(Dimension::length)},
                          {"s", exponent(Dimension::time)},
                          {"A", exponent(Dimension::current)},
                          {"K", exponent(Dimension::temperature)},
                          {"mol", exponent(Dimension::amount)},
                          {"cd", exponent(Dimension::intensity)},
                          {"rad", exponent(Dimension::angle)},
                          {"factor", number(factor, 1)},
                          {"offset", number(unit->offset * factor, 0)}});
    xml.close();
  }
  xml.close();
}

void writeCategories(Xml& xml) {
  xml.open("LogCategories");
  xml.leaf("Category",
           {{"name", "logEvents"}, {"description", "events inside steps: what switches"}});
  xml.leaf("Category", {{"name", "logStatusWarning"}, {"description", "warnings of the run"}});
  xml.leaf("Category",
           {{"name", "logStatusError"}, {"description", "errors, which are told always"}});
  xml.close();
}

void writeExperiment(Xml& xml, const FmuDescription& fmu) {
  xml.leaf("DefaultExperiment", {{"startTime", formatNumber(fmu.start)},
                                 {"stopTime", formatNumber(fmu.stop)},
                                 {"tolerance", formatNumber(fmu.tolerance)},
                                 {"stepSize", formatNumber(fmu.interval)}});
}

/// What both versions say of a variable; `i`: its number.
Xml::Attributes attributesOf(const FmuVariable& v, size_t i) {
  return {{"name", v.name},
          {"valueReference", std::to_string(i)},
          {"description", v.description},
          {"causality", causality(v)},
          {"variability", variability(v)},
          {"initial", initial(v)}};
}

void writeVariables2(Xml& xml, const FmuDescription& fmu) {
  constexpr std::array kTypes{"Real", "Integer", "Boolean", "String"};
  xml.open("ModelVariables");
  for (size_t i = 0; i < fmu.variables.size(); ++i) {
    const FmuVariable& v = fmu.variables[i];
    xml.open("ScalarVariable", attributesOf(v, i));
    Xml::Attributes attributes{{"start", v.start}};
    addReal(attributes, v, 1);
    xml.leaf(kTypes[static_cast<size_t>(v.kind)], attributes);
    xml.close();
  }
  xml.close();
  xml.open("ModelStructure");
  const auto list = [&](const char* name, auto isOne) {
    bool any = false;
    for (size_t i = 0; i < fmu.variables.size(); ++i) {
      if (!isOne(fmu.variables[i])) continue;
      if (!std::exchange(any, true)) xml.open(name);
      xml.leaf("Unknown", {{"index", std::to_string(i + 1)}});
    }
    if (any) xml.close();
  };
  forEachList({"Outputs", "Derivatives", "InitialUnknowns", ""}, list);
  xml.close();
}

void writeVariables3(Xml& xml, const FmuDescription& fmu) {
  constexpr std::array kTypes{"Float64", "Int32", "Boolean", "String"};
  xml.open("ModelVariables");
  for (size_t i = 0; i < fmu.variables.size(); ++i) {
    const FmuVariable& v = fmu.variables[i];
    const bool isText = v.kind == FmuKind::text;
    Xml::Attributes attributes = attributesOf(v, i);
    attributes.emplace_back("start", isText ? "" : v.start);
    addReal(attributes, v, 0);
    const char* type = kTypes[static_cast<size_t>(v.kind)];
    if (!isText) {
      xml.leaf(type, attributes);
      continue;
    }
    xml.open(type, attributes);
    xml.leaf("Start", {{"value", v.start.empty() ? " " : v.start}});
    xml.close();
  }
  xml.close();
  xml.open("ModelStructure");
  forEachList({"Output", "ContinuousStateDerivative", "InitialUnknown", "EventIndicator"},
              [&](const char* name, auto isOne) {
                for (size_t i = 0; i < fmu.variables.size(); ++i) {
                  if (isOne(fmu.variables[i]))
                    xml.leaf(name, {{"valueReference", std::to_string(i)}});
                }
              });
  xml.close();
}

}  // namespace

std::string modelDescriptionXml(const FmuDescription& fmu, int fmiVersion,
                                const std::string& identifier, const std::string& description) {
  const bool is3 = fmiVersion == 3;
  const bool isExchange = fmu.noExchange.empty();
  Xml xml;
  xml.open("fmiModelDescription",
           {{"fmiVersion", is3 ? "3.0" : "2.0"},
            {"modelName", fmu.name},
            {is3 ? "instantiationToken" : "guid", fmu.token},
            {"description", description},
            {"generationTool", std::string("Cardan ") + version},
            {"variableNamingConvention", "structured"},
            {"numberOfEventIndicators", isExchange && !is3 ? std::to_string(fmu.indicators) : ""}});
  Xml::Attributes abilities{{"modelIdentifier", identifier},
                            {is3 ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", "true"},
                            {is3 ? "canSerializeFMUState" : "canSerializeFMUstate", "true"},
                            {is3 ? "" : "canNotUseMemoryManagementFunctions", is3 ? "" : "true"}};
  if (isExchange) {
    abilities.emplace_back("needsCompletedIntegratorStep", is3 ? "true" : "");
    xml.leaf("ModelExchange", abilities);
    abilities.pop_back();
  }
  abilities.emplace_back("canHandleVariableCommunicationStepSize", "true");
  abilities.emplace_back(is3 ? "providesDirectionalDerivatives" : "providesDirectionalDerivative",
                         "true");
  if (is3) abilities.emplace_back("hasEventMode", "true");
  xml.leaf("CoSimulation", abilities);
  writeUnits(xml, fmu.variables);
  writeCategories(xml);
  writeExperiment(xml, fmu);
  is3 ? writeVariables3(xml, fmu) : writeVariables2(xml, fmu);
  return xml.take();
}

}  // namespace cardan
