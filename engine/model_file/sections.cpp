#include "engine/model_file/sections.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "engine/model_file/known_keys.h"
#include "engine/text/joined.h"
#include "engine/text/plain_number.h"

namespace cardan {
namespace {

/// True for the first entry of each key.
class FirstEntries {
 public:
  explicit FirstEntries(const YamlNode& map) {
    for (const YamlNode::Entry& entry : map.entries) first_.emplace(entry.key, &entry);
  }
  const YamlNode::Entry& of(const YamlNode::Entry& entry) const { return *first_.at(entry.key); }
  bool isFirst(const YamlNode::Entry& entry) const { return &of(entry) == &entry; }

 private:
  std::unordered_map<std::string_view, const YamlNode::Entry*> first_;
};

/// Names in full repeat those around them, for every instance of a submodel.
constexpr size_t kLongestName = 200;

/// Reads `node` as a name of `what`; "" and reported if it is none.
std::string readName(const std::string& name, const SourceMark& at, const std::string& what,
                     Diagnostics& diagnostics) {
  if (name.size() > kLongestName) {
    diagnostics.error(at, what + " name must not be longer than " + std::to_string(kLongestName) +
                              " characters, found " + std::to_string(name.size()));
    return "";
  }
  if (isName(name)) return name;
  diagnostics.error(at, what +
                            " name must be made of letters, digits and '_', with '.' between its" +
                            " parts, found '" + name + "'");
  return "";
}

/// Calls read(entry, name) for the entries of a section `name: ...` of `nouns` that have a name, those that are
/// given twice the first time; reports the others. `rule`: what the section is a map of.
template <class Read>
void forNamed(const YamlNode* section, const std::string& nouns, const std::string& rule,
              Diagnostics& diagnostics, Read read) {
  if (!isSectionMap(section, nouns, rule, diagnostics)) return;
  const std::string noun = nouns.substr(0, nouns.size() - 1);
  reportDuplicateKeys(*section, noun, diagnostics);
  const FirstEntries first(*section);
  const std::string owner = (noun == "input" ? "an " : "a ") + noun + "'s";
  for (const YamlNode::Entry& entry : section->entries) {
    const std::string name = readName(entry.key, entry.keyMark(), owner, diagnostics);
    if (!name.empty() && first.isFirst(entry)) read(entry, name);
  }
}

/// The text under `key` of what a map is about, "variable 'x'"; "" where there is none.
std::string textUnder(const YamlNode& map, const char* key, const std::string& what,
                      const std::string& rule, Diagnostics& diagnostics) {
  const YamlNode* const node = map.find(key);
  if (!node) return "";
  return readText(*node, std::string("'") + key + "' of " + what, rule, diagnostics).value_or("");
}

/// `{fixed: false, start: 2}`: a parameter that initialisation finds.
bool isFree(const YamlNode& parameter) {
  const YamlNode* fixed = parameter.isMap() ? parameter.find("fixed") : nullptr;
  return fixed && fixed->isScalar() && fixed->text == "false";
}

std::optional<YamlNode> copyOf(const YamlNode* node) {
  return node ? std::optional(*node) : std::nullopt;
}

std::vector<NamedNode> readParameters(const YamlNode* section, Diagnostics& diagnostics) {
  std::vector<NamedNode> parameters;
  const auto read = [&](const YamlNode::Entry& entry, const std::string& name) {
    if (entry.value.isNull() || (entry.value.isMap() && !isFree(entry.value))) {
      diagnostics.error(entry.value.mark(), "parameter '" + name +
                                                "' must be a value or an expression, found " +
                                                entry.value.describe());
    } else {
      parameters.push_back({name, entry.keyMark(), entry.value});
    }
  };
  forNamed(section, "parameters", "of 'name: value'", diagnostics, read);
  return parameters;
}

/// Writes every free parameter `d: {fixed: false, start: 2}` where a component takes it (`d: d`):
/// what initialisation finds is a component's parameter, and `d` a variable that shows it. Where none
/// does, it is an unknown of the model's own equations.
void placeFreeParameters(ModelSections& s, Diagnostics& diagnostics) {
  for (const NamedNode& p : s.parameters) {
    if (!isFree(p.value)) continue;
    std::string taken;
    for (ComponentDescription& c : s.components) {
      for (YamlNode::Entry& entry : c.arguments.entries) {
        const YamlNode& value = entry.value;
        if (!value.isScalar() || (value.text != p.name && value.text != "=" + p.name)) continue;
        if (taken.empty()) {
          taken = c.name + "." + entry.key;
          entry.value = p.value;
        } else {
          diagnostics.error(value.mark(),
                            "parameter '" + p.name +
                                "' with 'fixed: false' can be taken once; it is by '" + taken +
                                "'");
        }
      }
    }
    if (taken.empty() && !(s.equations.empty() && s.initialEquations.empty())) {
      // Equations of the model's own read it: an unknown that stays what the start has found.
      VariableDescription& found = s.variables.emplace_back();
      found.name = p.name;
      found.at = p.at;
      found.start.start = copyOf(p.value.find("start"));
      SourceEquation constant{"der(" + p.name + ") = 0", p.at};
      constant.read();
      s.equations.push_back({std::move(constant), nullptr});
      continue;
    }
    if (taken.empty()) {
      diagnostics.error(p.at, "parameter '" + p.name +
                                  "' with 'fixed: false' must be taken by a component, as 'd: " +
                                  p.name + "', found none");
      continue;
    }
    VariableDescription& shown = s.variables.emplace_back();
    shown.name = p.name;
    shown.isParameter = true;
    shown.at = p.at;
    shown.expression = SourceExpression{taken, p.at, 0};
  }
  std::erase_if(s.parameters, [](const NamedNode& p) { return isFree(p.value); });
}

std::vector<ComponentDescription> readComponents(const YamlNode* section,
                                                 Diagnostics& diagnostics) {
  std::vector<ComponentDescription> components;
  if (!isSectionMap(section, "components", "of 'name: {type: ...}'", diagnostics))
    return components;
  const FirstEntries first(*section);
  for (const YamlNode::Entry& entry : section->entries) {
    ComponentDescription c;
    c.at = entry.keyMark();
    c.name = readName(entry.key, c.at, "a component's", diagnostics);
    if (c.name.empty()) continue;
    if (!entry.value.isMap()) {
      diagnostics.error(entry.value.mark(), "component '" + c.name +
                                                "' must be a map with its 'type', found " +
                                                entry.value.describe());
      continue;
    }
    if (!first.isFirst(entry)) {
      diagnostics.error(c.at, "component name '" + c.name + "' is used twice");
      diagnostics.note(first.of(entry).keyMark(), "first used here");
      continue;
    }
    const YamlNode* type = entry.value.find("type");
    if (!type) {
      diagnostics.error(c.at, "component '" + c.name + "' must have a 'type'");
      continue;
    }
    const auto text =
        readText(*type, "'type' of component '" + c.name + "'", "the name of a class", diagnostics);
    if (!text) continue;
    c.type = *text;
    c.typeAt = type->mark();
    c.arguments = entry.value;
    std::erase_if(c.arguments.entries, [](const auto& e) { return e.key == "type"; });
    reportDuplicateKeysBelow(entry.value, diagnostics);
    components.push_back(std::move(c));
  }
  return components;
}

/// Reads `{for: ..., if: ..., KEY: statements}`; `read` takes a list of statements, or one.
template <class T, class Read>
std::optional<Repeatable<T>> readRepetition(const YamlNode& map, const std::string& key, Read read,
                                            Diagnostics& diagnostics) {
  reportDuplicateKeys(map, "key", diagnostics);
  reportUnknownKeys(map, "key beside 'for' and 'if':", {"for", "if", key}, diagnostics);
  auto repetition = std::make_shared<Repetition<T>>();
  const YamlNode* const indices = map.find("for");
  const YamlNode* const condition = map.find("if");
  const YamlNode* const statements = map.find(key);
  if (!indices && !condition) {
    diagnostics.error(map.mark(), "a map must have 'for' or 'if' here, as {for: \"i in 1:3\", " +
                                      key + ": ...}, found neither");
    return std::nullopt;
  }
  if (indices) {
    if (!readText(*indices, "'for'", "like 'i in 1:3'", diagnostics)) return std::nullopt;
    repetition->indices = *indices;
  }
  if (condition) {
    if (!readText(*condition, "'if'", "true, false or an expression", diagnostics))
      return std::nullopt;
    repetition->condition = *condition;
  }
  if (!statements) {
    diagnostics.error(map.mark(), "'" + std::string(indices ? "for" : "if") + "' must have '" +
                                      key + "' beside it");
    return std::nullopt;
  }
  repetition->statements = read(*statements);
  return Repeatable<T>{{}, std::move(repetition)};
}

using ConnectionList = std::vector<Repeatable<ConnectionDescription>>;

void readConnection(const YamlNode& item, ConnectionList& connections, Diagnostics& diagnostics) {
  if (item.isMap()) {
    const auto inside = [&](const YamlNode& node) {
      ConnectionList statements;
      const bool isList = node.isSequence() && (node.items.empty() || !node.items[0].isScalar());
      if (!isList) {
        readConnection(node, statements, diagnostics);
      } else {
        for (const YamlNode& one : node.items) readConnection(one, statements, diagnostics);
      }
      return statements;
    };
    auto several = readRepetition<ConnectionDescription>(item, "connect", inside, diagnostics);
    if (several) connections.push_back(std::move(*several));
    return;
  }
  if (!item.isSequence() || item.items.size() != 2) {
    diagnostics.error(item.mark(),
                      "a connection must be a list of two connectors, as [a.frame_b, b.frame_a], "
                      "found " +
                          item.describe());
    return;
  }
  const auto end = [&](const YamlNode& node) {
    if (node.isScalar() && isIndexedName(node.text)) return true;
    diagnostics.error(node.mark(), "a connection must name a connector, as 'body.frame_a', found " +
                                       node.describe());
    return false;
  };
  const bool fine = end(item.items[0]);
  if (!end(item.items[1]) || !fine) return;
  connections.push_back(
      {{item.items[0].text, item.items[1].text, item.items[0].mark(), item.items[1].mark()},
       nullptr});
}

ConnectionList readConnections(const YamlNode* section, Diagnostics& diagnostics) {
  ConnectionList connections;
  if (!isSectionList(section, "connections", "of [a, b]", diagnostics)) return connections;
  for (const YamlNode& item : section->items) readConnection(item, connections, diagnostics);
  return connections;
}

std::vector<NamedNode> readConnectors(const YamlNode* section, Diagnostics& diagnostics) {
  std::vector<NamedNode> connectors;
  if (!isSectionMap(section, "connectors", "of 'name: part.connector'", diagnostics))
    return connectors;
  reportDuplicateKeys(*section, "connector", diagnostics);
  for (const YamlNode::Entry& entry : section->entries) {
    const std::string name = readName(entry.key, entry.keyMark(), "a connector's", diagnostics);
    if (name.empty()) continue;
    const YamlNode& value = entry.value;
    const YamlNode* const target = value.isMap() ? value.find("connector") : &value;
    const bool isNamed = target && target->isScalar() && isIndexedName(target->text);
    if (value.isMap()) {  // an array of connectors
      reportDuplicateKeys(value, "key", diagnostics);
      reportUnknownKeys(value, "key of connector '" + name + "':", {"connector", "count"},
                        diagnostics);
    }
    if (isNamed && (!value.isMap() || value.find("count"))) {
      connectors.push_back({name, entry.keyMark(), value});
    } else {
      diagnostics.error(value.mark(),
                        "connector '" + name + "' must name a connector of a part, " +
                            (value.isMap() ? "or several of them as {count: 3, connector: "
                                             "\"finger[i].frame_a\"}"
                                           : "as 'base.frame_a', found " + value.describe()));
    }
  }
  return connectors;
}

/// An element of a list of expressions, as it stands in `{a, b}`.
std::string arrayText(const YamlNode& node) {
  if (!node.isSequence()) return node.text;
  return "{" + joined(node.items, ", ", arrayText) + "}";
}

bool isArrayOfTexts(const YamlNode& node) {
  if (node.isScalar()) return !node.text.empty();
  return node.isSequence() && !node.items.empty() &&
         std::all_of(node.items.begin(), node.items.end(), isArrayOfTexts);
}

/// The sizes of `{size: [3]}`; `what` is "variable 'x'".
std::vector<int> readSizes(const YamlNode& node, const std::string& what,
                           Diagnostics& diagnostics) {
  constexpr double kMostElements = 1e6;
  std::vector<int> sizes;
  double all = 1;
  for (const YamlNode& item : itemsOf(node)) {
    const int n = plainNumber<int>(item.text).value_or(0);
    all *= item.isScalar() && n >= 1 ? n : 2 * kMostElements;
    sizes.push_back(n);
  }
  if (!sizes.empty() && sizes.size() <= 2 && all <= kMostElements) return sizes;
  diagnostics.error(node.mark(),
                    "'size' of " + what +
                        " must be one or two numbers from 1, and of a million elements "
                        "at most, found " +
                        node.describe());
  return {};
}

/// `{size: 3, start: [0, 0, 1], fixed: true, nominal: 10, unit: m, der: {start: 1}}`
void readVariableMap(const YamlNode& map, VariableDescription& v, Diagnostics& diagnostics) {
  reportDuplicateKeysBelow(map, diagnostics);
  const std::string what = "variable '" + v.name + "'";
  reportUnknownKeys(map, "key of " + what + ":", variableKeys(), diagnostics);
  const auto text = [&](const char* key, const std::string& rule) {
    return textUnder(map, key, what, rule, diagnostics);
  };
  if (const YamlNode* size = map.find("size")) v.size = readSizes(*size, what, diagnostics);
  v.type = text("type", "the name of a class");
  v.unit = text("unit", "a unit, as 'm/s'");
  v.description = text("description", "a text");
  v.nominal = copyOf(map.find("nominal"));
  v.min = copyOf(map.find("min"));
  v.max = copyOf(map.find("max"));
  v.stateSelect = text("stateSelect", "never, avoid, default, prefer or always");
  v.start = {copyOf(map.find("start")), copyOf(map.find("fixed"))};
  const YamlNode* rate = map.find("der");
  if (!rate) return;
  if (!rate->isMap()) {
    diagnostics.error(
        rate->mark(),
        "'der' of " + what + " must be a map with 'start' or 'fixed', found " + rate->describe());
    return;
  }
  reportUnknownKeys(*rate, "key of 'der' of " + what + ":", {"fixed", "start"}, diagnostics);
  v.rate = {copyOf(rate->find("start")), copyOf(rate->find("fixed"))};
}

std::vector<VariableDescription> readVariables(const YamlNode* section, Diagnostics& diagnostics) {
  std::vector<VariableDescription> variables;
  const auto readOne = [&](const YamlNode::Entry& entry, const std::string& name) {
    const YamlNode& value = entry.value;
    VariableDescription v;
    v.at = entry.keyMark();
    v.name = name;
    if (value.isMap()) {
      readVariableMap(value, v, diagnostics);
    } else if (isArrayOfTexts(value)) {
      v.expression = value.isScalar() ? readSource<Expression>(value)
                                      : SourceExpression{arrayText(value), value.mark(), 0};
    } else {
      diagnostics.error(value.mark(),
                        "variable '" + v.name +
                            "' must be an expression or a map with its 'size', found " +
                            value.describe());
      return;
    }
    variables.push_back(std::move(v));
  };
  forNamed(section, "variables", "of 'name: expression'", diagnostics, readOne);
  return variables;
}

/// `u: {unit: N, start: 0}`, or the start alone.
std::vector<InputDescription> readInputs(const YamlNode* section, Diagnostics& diagnostics) {
  std::vector<InputDescription> inputs;
  const auto readOne = [&](const YamlNode::Entry& entry, const std::string& name) {
    InputDescription& in = inputs.emplace_back();
    in.at = entry.keyMark();
    in.name = name;
    const YamlNode& map = entry.value;
    if (!map.isMap()) {
      if (!map.isNull()) in.start = map;
      return;
    }
    const std::string what = "input '" + name + "'";
    reportDuplicateKeysBelow(map, diagnostics);
    reportUnknownKeys(map, "key of " + what + ":", inputKeys(), diagnostics);
    in.start = copyOf(map.find("start"));
    if (const YamlNode* size = map.find("size")) in.size = readSizes(*size, what, diagnostics);
    in.unit = textUnder(map, "unit", what, "a unit, as 'm/s'", diagnostics);
    in.description = textUnder(map, "description", what, "a text", diagnostics);
  };
  forNamed(section, "inputs", "of 'name: {unit: ..., start: ...}'", diagnostics, readOne);
  return inputs;
}

using EquationList = std::vector<Repeatable<SourceEquation>>;

void readEquation(const YamlNode& item, EquationList& equations, Diagnostics& diagnostics) {
  if (item.isScalar() && !item.text.empty()) {
    equations.push_back({readSource<Equation>(item), nullptr});
  } else if (item.isMap()) {
    const auto inside = [&](const YamlNode& node) {
      EquationList statements;
      for (const YamlNode& one : itemsOf(node)) readEquation(one, statements, diagnostics);
      return statements;
    };
    auto several = readRepetition<SourceEquation>(item, "equations", inside, diagnostics);
    if (several) equations.push_back(std::move(*several));
  } else {
    diagnostics.error(item.mark(),
                      "an equation must be a text \"a = b\", found " + item.describe());
  }
}

EquationList readEquations(const YamlNode* section, const std::string& name,
                           Diagnostics& diagnostics) {
  EquationList equations;
  if (!isSectionList(section, name, "of \"a = b\"", diagnostics)) return equations;
  for (const YamlNode& item : section->items) readEquation(item, equations, diagnostics);
  return equations;
}

}  // namespace

bool isName(std::string_view text) {
  const auto letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  size_t i = 0;
  const auto digits = [&] {
    const size_t first = i;
    while (i < text.size() && digit(text[i])) ++i;
    return i > first;
  };
  while (true) {
    if (i >= text.size() || !letter(text[i])) return false;
    while (i < text.size() && (letter(text[i]) || digit(text[i]))) ++i;
    if (i < text.size() && text[i] == '[') {
      do {
        ++i;
        if (!digits()) return false;
      } while (i < text.size() && text[i] == ',');
      if (i >= text.size() || text[i] != ']') return false;
      ++i;
    }
    if (i == text.size()) return true;
    if (text[i] != '.') return false;
    ++i;
  }
}

bool isParameterName(const std::string& name, const SourceMark& at, Diagnostics& diagnostics) {
  if (isName(name)) return true;
  diagnostics.error(at,
                    "a parameter's name must be made of letters, digits, '_', '.' and indices, "
                    "found '" +
                        name + "'");
  return false;
}

bool isIndexedName(std::string_view text) {
  std::string plain;
  int depth = 0;
  bool isEmpty = false;
  for (const char c : text) {
    if (c == '[' && depth++ == 0) {
      plain += "[1]";
      isEmpty = true;
    } else if (c == ']') {
      if (--depth < 0 || isEmpty) return false;
    } else if (depth == 0) {
      plain += c;
    } else if (c != ' ') {
      isEmpty = false;
    }
  }
  return depth == 0 && isName(plain);
}

std::optional<std::string> readText(const YamlNode& node, const std::string& what,
                                    const std::string& rule, Diagnostics& diagnostics) {
  if (node.isScalar() && !node.text.empty()) return node.text;
  diagnostics.error(node.mark(), what + " must be " + rule + ", found " + node.describe());
  return std::nullopt;
}

void reportUnknownKeys(const YamlNode& map, const std::string& noun,
                       const std::vector<std::string>& known, Diagnostics& diagnostics) {
  for (const YamlNode::Entry& entry : map.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    std::string text = "unknown " + noun + " '" + entry.key + "'" + didYouMean(entry.key, known);
    if (text.back() != '?') text += ";";
    diagnostics.error(entry.keyMark(), text + " known are " + joined(known, ", "));
  }
}

bool isSectionMap(const YamlNode* node, const std::string& name, const std::string& rule,
                  Diagnostics& diagnostics) {
  if (!node || node->isNull()) return false;
  if (node->isMap()) return true;
  diagnostics.error(node->mark(),
                    "'" + name + "' must be a map " + rule + ", found " + node->describe());
  return false;
}

void reportSetting(const YamlNode& node, const std::string& key,
                   const std::vector<std::string>& words, Diagnostics& diagnostics) {
  diagnostics.error(
      node.mark(),
      fmt::format("simulation: '{}' must be one of {}, found {}{}", key, fmt::join(words, ", "),
                  node.describe(), node.isScalar() ? didYouMean(node.text, words) : std::string()));
}

bool isSectionList(const YamlNode* node, const std::string& name, const std::string& rule,
                   Diagnostics& diagnostics) {
  if (!node || node->isNull()) return false;
  if (node->isSequence()) return true;
  diagnostics.error(node->mark(),
                    "'" + name + "' must be a list " + rule + ", found " + node->describe());
  return false;
}

ModelSections readSections(const YamlNode& map, Diagnostics& diagnostics) {
  ModelSections s;
  s.parameters = readParameters(map.find("parameters"), diagnostics);
  s.components = readComponents(map.find("components"), diagnostics);
  s.connections = readConnections(map.find("connections"), diagnostics);
  s.connectors = readConnectors(map.find("connectors"), diagnostics);
  s.inputs = readInputs(map.find("inputs"), diagnostics);
  s.variables = readVariables(map.find("variables"), diagnostics);
  s.equations = readEquations(map.find("equations"), "equations", diagnostics);
  s.initialEquations =
      readEquations(map.find("initial_equations"), "initial_equations", diagnostics);
  s.whens = readWhens(map.find("when"), diagnostics);
  s.assertions = readAssertions(map.find("assert"), diagnostics);
  placeFreeParameters(s, diagnostics);
  return s;
}

}  // namespace cardan
