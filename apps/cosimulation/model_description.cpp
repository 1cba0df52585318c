#include "apps/cosimulation/model_description.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include "engine/expression/units.h"
#include "engine/robots/xml_document.h"
#include "engine/text/plain_number.h"

namespace cardan::cosimulation {
namespace {

constexpr int kMostElements = 100'000;  // of an array

std::string attribute(const XmlElement& e, std::string_view name, const char* otherwise = "") {
  const XmlAttribute* a = e.attribute(name);
  return a ? a->value : otherwise;
}

bool isTrue(const std::string& text) { return text == "true" || text == "1"; }

/// The numbers of a start value; what is none is left out, so that the count tells.
std::vector<double> numbersIn(const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(" \t\n"); at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    const std::string word = text.substr(at, end - at);
    if (word == "true" || word == "false") {
      numbers.push_back(word == "true" ? 1 : 0);
    } else if (const auto x = plainNumber<double>(word); x && std::isfinite(*x)) {
      numbers.push_back(*x);
    }
    at = text.find_first_not_of(" \t\n", end);
  }
  return numbers;
}

/// A unit that values can be given in; "1": the FMU's is no unit of SI, so that numbers are plain.
std::string siUnit(const std::string& unit) {
  UnitError ignored;
  const auto parsed = unit.empty() ? std::nullopt : parseUnit(unit, ignored);
  return parsed && parsed->isSi() ? unit : "1";
}

/// Reads one file.
class Description {
 public:
  explicit Description(const XmlElement& root) : root_(root) {
    for (const char* list : {"TypeDefinitions"}) {
      const XmlElement* types = root.child(list);
      for (const XmlElement& t : types ? types->children : std::vector<XmlElement>()) {
        const std::string inside = t.children.empty() ? "" : attribute(t.children[0], "unit");
        units_[attribute(t, "name")] = attribute(t, "unit", inside.c_str());
      }
    }
  }

  void into(FmuFile& fmu) const;

 private:
  struct Scalar {
    FmuPort port;
    std::string causality;
  };
  std::optional<Scalar> scalar(const XmlElement& variable, int version) const;
  std::vector<int> sizes(const XmlElement& variable) const;
  static void addTo(std::vector<FmuPort>& ports, FmuPort port);

  const XmlElement& root_;
  std::map<std::string, std::string> units_;  ///< of declared types
};

std::optional<FmuType> typeNamed(const std::string& name, int version) {
  static const std::map<std::string, FmuType> types{
      {"Real", FmuType::Float64},    {"Integer", FmuType::Int32}, {"Float64", FmuType::Float64},
      {"Float32", FmuType::Float32}, {"Int8", FmuType::Int8},     {"UInt8", FmuType::UInt8},
      {"Int16", FmuType::Int16},     {"UInt16", FmuType::UInt16}, {"Int32", FmuType::Int32},
      {"UInt32", FmuType::UInt32},   {"Int64", FmuType::Int64},   {"UInt64", FmuType::UInt64},
      {"Boolean", FmuType::Boolean}, {"String", FmuType::String}};
  if (name == "Enumeration") return version == 2 ? FmuType::Int32 : FmuType::Int64;
  const auto found = types.find(name);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

/// Of an array of FMI 3, by dimension; what they follow from keeps its start. 0: it has none that is known.
std::vector<int> Description::sizes(const XmlElement& variable) const {
  std::vector<int> sizes;
  for (const XmlElement& d : variable.children) {
    if (d.name != "Dimension") continue;
    std::string text = attribute(d, "start");
    const std::string by = attribute(d, "valueReference");
    for (const XmlElement& v : root_.child("ModelVariables")->children) {
      if (!by.empty() && attribute(v, "valueReference") == by) text = attribute(v, "start");
    }
    sizes.push_back(std::max(plainNumber<int>(text).value_or(0), 0));
  }
  return sizes;
}

/// The number of elements; 0: not known, or too many.
int product(const std::vector<int>& sizes) {
  int all = 1;
  for (const int n : sizes) all = n > 0 && all <= kMostElements / n ? all * n : 0;
  return all;
}

std::optional<Description::Scalar> Description::scalar(const XmlElement& variable,
                                                       int version) const {
  const XmlElement* typed = &variable;
  for (const XmlElement& e : variable.children) {
    if (version == 2 && e.name != "Annotations") typed = &e;
  }
  const auto type = typeNamed(typed->name, version);
  const std::string name = attribute(variable, "name");
  Scalar s;
  s.causality = attribute(variable, "causality", "local");
  if (!type || (*type == FmuType::String && s.causality != "parameter")) return std::nullopt;
  const std::vector<int> sizes = this->sizes(variable);
  const int size = product(sizes);
  const auto reference = plainNumber<std::uint32_t>(attribute(variable, "valueReference"));
  if (!reference) throw std::runtime_error("its variable '" + name + "' has no valueReference");
  const bool isSignal = s.causality == "input" || s.causality == "output";
  if (isSignal && (size < 1 || sizes.size() > 1))
    throw std::runtime_error("its variable '" + name + "' is an array " +
                             (sizes.size() > 1 ? "of more than one dimension, which no signal is"
                                               : "without a size that can be used"));
  if (size < 1 || sizes.size() > 2) return std::nullopt;
  std::string unit = attribute(*typed, "unit");
  if (const auto known = units_.find(attribute(*typed, "declaredType")); known != units_.end()) {
    if (unit.empty()) unit = known->second;
  }
  unit = *type == FmuType::Boolean ? "" : siUnit(unit);
  s.port = {name, unit, attribute(variable, "description"), {{*reference, *type, size}}, {}};
  std::vector<double> start = numbersIn(attribute(*typed, "start"));
  if (const XmlElement* first = typed->child("Start")) s.port.text = attribute(*first, "value");
  if (*type == FmuType::String && version == 2) s.port.text = attribute(*typed, "start");
  start.resize(size, start.size() == 1 ? start[0] : 0.0);
  s.port.start = std::move(start);
  if (sizes.size() == 2) s.port.columns = sizes[1];
  return s;
}

/// The next element of the last array, or a port of its own.
void Description::addTo(std::vector<FmuPort>& ports, FmuPort port) {
  const std::size_t open = port.name.rfind('[');
  if (port.name.ends_with(']') && open > 0 && open != std::string::npos && port.size() == 1) {
    const std::string array = port.name.substr(0, open);
    const auto index =
        plainNumber<int>(std::string_view(port.name).substr(open + 1, port.name.size() - open - 2));
    if (index == 1) {
      port.name = array;
    } else if (!ports.empty() && ports.back().name == array && index == ports.back().size() + 1 &&
               ports.back().type() == port.type()) {
      ports.back().slots.push_back(port.slots[0]);
      ports.back().start.push_back(port.start[0]);
      return;
    }
  }
  ports.push_back(std::move(port));
}

void Description::into(FmuFile& fmu) const {
  const std::string version = attribute(root_, "fmiVersion");
  fmu.version = version.starts_with("2.") ? 2 : version.starts_with("3.") ? 3 : 0;
  if (root_.name != "fmiModelDescription" || fmu.version == 0)
    throw std::runtime_error("it is of FMI '" + version + "'; 2.0 and 3.0 are read");
  const XmlElement* slave = root_.child("CoSimulation");
  fmu.isExchange = !slave;
  if (!slave) slave = root_.child("ModelExchange");
  if (!slave) throw std::runtime_error("it is neither for co-simulation nor for model exchange");
  const bool is2 = fmu.version == 2;
  fmu.identifier = attribute(*slave, "modelIdentifier");
  fmu.token = attribute(root_, is2 ? "guid" : "instantiationToken");
  if (fmu.identifier.empty() || fmu.identifier.find('/') != std::string::npos)
    throw std::runtime_error("its modelIdentifier '" + fmu.identifier + "' is no name of a file");
  if (is2 && isTrue(attribute(*slave, "needsExecutionTool")))
    throw std::runtime_error("it needs the tool that made it (needsExecutionTool)");
  fmu.hasVariableSteps =
      fmu.isExchange || isTrue(attribute(*slave, "canHandleVariableCommunicationStepSize"));
  if (is2 && fmu.isExchange) {
    const XmlElement* structure = root_.child("ModelStructure");
    const XmlElement* rates = structure ? structure->child("Derivatives") : nullptr;
    fmu.states = rates ? static_cast<int>(rates->children.size()) : 0;
    fmu.indicators = plainNumber<int>(attribute(root_, "numberOfEventIndicators")).value_or(0);
  }
  fmu.savesStates =
      isTrue(attribute(*slave, is2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState")) &&
      isTrue(attribute(*slave, is2 ? "canSerializeFMUstate" : "canSerializeFMUState"));
  if (const XmlElement* e = root_.child("DefaultExperiment"))
    fmu.stepSize = plainNumber<double>(attribute(*e, "stepSize"));
  if (fmu.stepSize && !(*fmu.stepSize > 0 && std::isfinite(*fmu.stepSize))) fmu.stepSize.reset();
  const XmlElement* categories = root_.child("LogCategories");
  for (const XmlElement& c : categories ? categories->children : std::vector<XmlElement>()) {
    const std::string name = attribute(c, "name");
    if (name.starts_with("logStatus") && name != "logStatusPending")
      fmu.logCategories.push_back(name);
  }
  const XmlElement* variables = root_.child("ModelVariables");
  for (const XmlElement& v : variables ? variables->children : std::vector<XmlElement>()) {
    auto s = scalar(v, fmu.version);
    if (!s) continue;
    if (s->causality == "input")
      addTo(fmu.inputs, std::move(s->port));
    else if (s->causality == "output")
      addTo(fmu.outputs, std::move(s->port));
    else if (s->causality == "parameter")
      fmu.parameters.push_back(std::move(s->port));
  }
}

}  // namespace

void readModelDescription(const std::string& xml, FmuFile& fmu) {
  Diagnostics diagnostics;
  const auto root = parseXml(xml, "modelDescription.xml", diagnostics);
  if (!root) {
    std::string why = "broken XML";
    if (!diagnostics.all().empty()) {
      const Diagnostic& first = diagnostics.all().front();
      why = fmt::format("line {}: {}", first.at.line, first.text);
    }
    throw std::runtime_error("its modelDescription.xml, " + why);
  }
  Description(*root).into(fmu);
}

}  // namespace cardan::cosimulation
