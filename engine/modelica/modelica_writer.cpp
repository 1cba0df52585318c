#include "engine/modelica/modelica_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "components/names.h"
#include "components/world_settings.h"
#include "engine/model_file/bases.h"
#include "engine/model_file/expansion.h"
#include "engine/model_file/parameter_documentation.h"
#include "engine/model_file/parameter_table.h"
#include "engine/model_file/quantities.h"
#include "engine/model_file/sections.h"
#include "engine/modelica/known_classes.h"
#include "engine/modelica/modelica_expression.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

using modelica::libraryEnumeration;
using modelica::libraryPath;

constexpr size_t kWidestLine = 100;

/// No name for what a class declares.
bool isTaken(const std::string& name) {
  constexpr std::string_view kTypes[] = {"Real", "Integer", "Boolean", "String", "StateSelect"};
  return isModelicaWord(name) || name == "assert" || name == "pi" || name == "D2R" ||
         name == "time" || name == "Modelica" ||
         std::ranges::find(kTypes, name) != std::end(kTypes);
}

/// `cylinder1.piston` and `wheel[2]` as one word each.
std::string identifierOf(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      result += c;
    } else if (c != ']') {
      result += '_';
    }
  }
  return isTaken(result) ? result + "_" : result;
}

/// True where the value has this name in it; "": any one.
bool usesName(const YamlNode& node, const std::string& name) {
  if (node.isScalar()) {
    TokenError error;
    const auto tokens = splitTokens(node.text, error);
    return !holdsQuantity(node) && std::ranges::any_of(tokens, [&](const Token& t) {
      return t.kind == TokenKind::name && (name.empty() || t.source == name);
    });
  }
  return std::ranges::any_of(node.items, [&](const YamlNode& n) { return usesName(n, name); }) ||
         std::ranges::any_of(node.entries, [&](const auto& e) { return usesName(e.value, name); });
}

/// What a connector of a kind is in the library, on either side of its component.
struct ConnectorClass {
  std::string_view kind, a, b;
};
constexpr ConnectorClass kConnectorClasses[] = {
    {"frame", "Mechanics.MultiBody.Interfaces.Frame_a", "Mechanics.MultiBody.Interfaces.Frame_b"},
    {"rotational flange", "Mechanics.Rotational.Interfaces.Flange_a",
     "Mechanics.Rotational.Interfaces.Flange_b"},
    {"translational flange", "Mechanics.Translational.Interfaces.Flange_a",
     "Mechanics.Translational.Interfaces.Flange_b"},
    {"pin", "Electrical.Analog.Interfaces.PositivePin", "Electrical.Analog.Interfaces.NegativePin"},
    {"heat port", "Thermal.HeatTransfer.Interfaces.HeatPort_a",
     "Thermal.HeatTransfer.Interfaces.HeatPort_b"},
    {"input", "Blocks.Interfaces.RealInput", "Blocks.Interfaces.RealInput"},
    {"output", "Blocks.Interfaces.RealOutput", "Blocks.Interfaces.RealOutput"},
};

/// `start = {1, 2}, each unit = "m"`: what is said of a variable, once for all elements of an array but in lists.
class AttributeTexts {
 public:
  explicit AttributeTexts(bool isArray) : isArray_(isArray) {}

  void add(const std::string& key, const std::string& value, bool isList = false) {
    text_ += (text_.empty() ? "" : ", ") + std::string(isArray_ && !isList ? "each " : "");
    text_ += key + " = " + value;
  }
  const std::string& text() const { return text_; }

 private:
  bool isArray_;
  std::string text_;
};

/// Documentation of the parameters of a type, by their names with inner parts in front.
using Documentation = std::map<std::string, DocumentedParameter>;

/// Writes one class: the model, or a submodel.
class ClassWriter {
 public:
  /// `scopes`: of the flat model, one for each of what is of this class.
  ClassWriter(const Catalogue& catalogue, const ModelFacts& facts, const Submodels& submodels,
              std::vector<int> scopes, Diagnostics& diagnostics)
      : catalogue_(catalogue),
        facts_(facts),
        submodels_(submodels),
        scopes_(std::move(scopes)),
        diagnostics_(diagnostics),
        table_(*facts.model, diagnostics),
        expressions_(names_, diagnostics) {}

  std::string write(const std::string& name, const std::string& description, const ModelSections& s,
                    const std::string& classes, const std::string& experiment, int level) {
    level_ = level;
    names_.isModel = level == 0;
    declareNames(s);
    for (const WhenDescription& w : s.whens) {
      for (const WhenBranchDescription& b : w.branches) {
        for (const auto& a : b.set) discretes_.insert(a.target);
      }
    }
    const std::string head = classes + (names_.isModel ? world(facts_.model->world) : "");
    std::string parts, connects, equations;
    for (const ComponentDescription& c : s.components) parts += component(c);
    for (const NamedNode& c : s.connectors) parts += connectorDeclaration(c, s, connects);
    for (const auto& c : s.connections) connects += connection(c, 1, {});
    for (const InputDescription& in : s.inputs) parts += input(in);
    for (const VariableDescription& v : s.variables) parts += variable(v);
    for (const auto& e : s.equations) equations += equation(e, 1, {});
    for (const WhenDescription& w : s.whens) equations += when(w);
    for (const AssertDescription& a : s.assertions) equations += assertion(a, 1);
    std::string initial = initial_;
    for (const auto& e : s.initialEquations) initial += equation(e, 1, {});
    // Parameters last: by now it is known which are whole numbers.
    std::string parameters;
    for (const NamedNode& p : s.parameters) parameters += parameter(p);
    std::string text = line(0, "model " + name + comment(description));
    if (!expressions_.constants().empty()) {
      const std::string all = joined(expressions_.constants(), ", ");
      text += line(1, expressions_.constants().size() == 1
                          ? "import Modelica.Constants." + all + ";"
                          : "import Modelica.Constants.{" + all + "};");
    }
    text += parameters;
    if (!parameters.empty() && head.starts_with("  model ")) text += "\n";
    text += head;
    if (level > 0 && usesWorld_) text += line(1, "outer Modelica.Mechanics.MultiBody.World world;");
    text += parts;
    if (!initial.empty()) text += line(0, "initial equation") + initial;
    if (!(connects + equations).empty()) text += line(0, "equation") + connects + equations;
    text += experiment;
    return text + line(0, "end " + name + ";");
  }

 private:
  /// `name(modifications)` of the World.
  std::string world(const ComponentDescription& w) {
    ComponentDescription c = w;
    c.type = "World";
    return line(1, "inner Modelica.Mechanics.MultiBody.World world" +
                       inParentheses(modifications(c, documentationOf("World"))) + ";");
  }
  std::string line(int indent, const std::string& text) const {
    return std::string(2 * (indent + level_), ' ') + text + "\n";
  }
  static std::string comment(const std::string& text) {
    return text.empty() ? "" : " " + quotedText(text);
  }
  static std::string inParentheses(const std::string& text) {
    return text.empty() ? "" : "(" + text + ")";
  }
  void refuse(const SourceMark& at, const std::string& text) { diagnostics_.error(at, text); }

  void declareNames(const ModelSections& s) {
    std::set<std::string> used{"world"};
    const auto declare = [&](const std::string& name) {
      std::string identifier = identifierOf(name);
      while (!used.insert(identifier).second) identifier += "_";
      names_.identifiers[name] = identifier;
    };
    names_.identifiers["world"] = "world";
    if (names_.isModel) names_.identifiers[facts_.model->world.name] = "world";
    for (const ComponentDescription& c : s.components) declare(c.name);
    // A parameter and a component may have one name; in Modelica they may not.
    for (const NamedNode& p : s.parameters) {
      if (!names_.identifiers.contains(p.name)) {
        declare(p.name);
        continue;
      }
      std::string identifier = identifierOf(p.name) + "_value";
      while (!used.insert(identifier).second) identifier += "_";
      names_.values[p.name] = identifier;
    }
    const auto declareNew = [&](const auto& all) {
      for (const auto& one : all) {
        if (!names_.identifiers.contains(one.name)) declare(one.name);
      }
    };
    declareNew(s.inputs);
    declareNew(s.variables);
    declareNew(s.connectors);
  }

  const Documentation& documentationOf(const std::string& type) {
    const auto [found, isNew] = documentation_.try_emplace(type);
    if (!isNew) return found->second;
    for (const CatalogueEntry& e : catalogue_) {
      const bool isIt =
          e.type == type || (type.starts_with("Modelica.") && libraryPath(e.type) == type);
      if (!isIt) continue;
      WorldSettings settings;
      settings.prepare();
      ParameterDocumentation reader(settings);
      e.make()->read(reader);
      for (const DocumentedParameter& p : reader.parameters()) found->second.emplace(p.name, p);
    }
    return found->second;
  }

  std::string translated(const YamlNode& node, const std::set<std::string>& indices = {}) {
    const size_t skip = node.text.starts_with('=') ? 1 : 0;
    return expressions_.translated(node.text.substr(skip), node.markInText(skip), indices);
  }

  /// A value: numbers and expressions as they are, lists as arrays.
  std::string value(const YamlNode& node, const DocumentedParameter* about,
                    const std::set<std::string>& indices) {
    if (node.isSequence()) {
      const auto one = [&](const YamlNode& item) { return value(item, about, indices); };
      return "{" + joined(node.items, ", ", one) + "}";
    }
    if (about && !about->choices.empty()) {
      const std::string last(lastName(node.text));
      const std::string path = libraryEnumeration(about->choices);
      if (path.empty())
        refuse(node.mark(), "Modelica's class has no '" + about->name + "', and no '" + last + "'");
      return path + "." + last;
    }
    if (about && about->type.starts_with("text") && !node.text.starts_with('='))
      return quotedText(node.text);
    const WantedUnit wanted = about && !about->unit.empty() && about->unit != "1"
                                  ? wantedUnit(about->unit)
                                  : WantedUnit{};
    if (holdsQuantity(node)) return plain(node, wanted).text;
    return inUnit(translated(node, indices), node, wanted);
  }

  YamlNode plain(const YamlNode& node, const WantedUnit& wanted) {
    return withoutUnits(node, wanted,
                        [&](const SourceMark& at, const std::string& text) { refuse(at, text); })
        .value_or(YamlNode{});
  }
  /// Of a variable or input that is measured in `unit`.
  std::string ownValue(const YamlNode& node, const std::string& unit) {
    return value(plain(node, unit.empty() ? WantedUnit{} : wantedUnit(unit)), nullptr, {});
  }

  /// `text`, the value of `node`, in the unit of what it is given to: a parameter of the model whose unit
  /// the file states is in SI units.
  std::string inUnit(const std::string& text, const YamlNode& node, const WantedUnit& wanted) {
    if (!wanted.unit || wanted.unit->isSi()) return text;
    size_t stated = 0;
    for (const int s : scopes_) {
      if (!table_.unitOf(node, s).empty() && !table_.lookup(node.text, s).value.isMatrix())
        ++stated;
    }
    if (stated == 0) return text;
    if (stated < scopes_.size()) {
      refuse(node.mark(), "Modelica has no class for '" + node.text +
                              "' with a unit here and without one there: give its default a unit");
    }
    if (wanted.shown == "deg" || wanted.shown == "degC")
      return "Modelica.Units.Conversions.to_" + wanted.shown + "(" + text + ")";
    const Unit si{wanted.unit->dimension, 1, 1, 0, 0};
    return formatNumber(convert(1, si, *wanted.unit)) + "*" + text;
  }

  /// `m = 2, phi(start = 0.1, fixed = true)`
  std::string modifications(const ComponentDescription& c, const Documentation& known) {
    std::string all;
    for (const YamlNode::Entry& e : c.arguments.entries) {
      if (e.key == "count" || e.key == "if") continue;
      const std::string one = modification(c, e, "", known);
      if (!one.empty()) all += (all.empty() ? "" : ", ") + one;
    }
    return all;
  }

  std::string modification(const ComponentDescription& c, const YamlNode::Entry& e,
                           const std::string& prefix, const Documentation& known) {
    const auto submodel = submodels_.find(c.type);
    if (submodel != submodels_.end() && e.value.isMap()) {
      // What `set` says of what is inside.
      const auto& parts = submodel->second.sections.components;
      const auto part = std::ranges::find(parts, e.key, &ComponentDescription::name);
      if (e.key.ends_with("]") || e.value.find("der") || usesName(e.value, "")) {
        refuse(e.keyMark(), "Modelica has no way to set '" + e.key + "' in '" + c.name +
                                "' from outside but to a plain value, and as a whole");
        return "";
      }
      if (part != parts.end()) {
        ComponentDescription inside = *part;
        inside.arguments = e.value;
        return identifierOf(e.key) +
               inParentheses(modifications(inside, documentationOf(inside.type)));
      }
    }
    if (e.key == "redeclare") {
      refuse(e.keyMark(),
             c.type + " '" + c.name + "': a redeclared function is not written to Modelica files");
      return "";
    }
    for (const char* own : {"cut", "friction", "limits"}) {
      if (e.key != own) continue;
      refuse(e.keyMark(), c.type + " '" + c.name + "': Modelica's class has no '" + e.key + "'");
      return "";
    }
    const bool isOffset = (c.type == "Prismatic" && e.key == "s_offset") ||
                          (c.type == "Revolute" && e.key == "phi_offset");
    if (isOffset) {
      refuse(e.keyMark(),
             c.type + " '" + c.name + "': Modelica's class has no '" + e.key + "' any more");
      return "";
    }
    const std::string full = prefix + e.key;
    const auto about = known.find(full);
    const DocumentedParameter* const p = about == known.end() ? nullptr : &about->second;
    const std::string each = isArray_ && !usesIndex(e.value) && !e.value.isMap() ? "each " : "";
    if (!e.value.isMap()) return each + keyOf(c, e.key) + " = " + element(e.value, p);
    std::string inside;
    for (const YamlNode::Entry& below : e.value.entries) {
      const bool isOfVariable = p != nullptr;
      std::string one;
      if (isOfVariable) {
        const std::string eachOne = isArray_ && !usesIndex(below.value) ? "each " : "";
        if (below.key == "stateSelect") {
          one = eachOne + "stateSelect = StateSelect." + below.value.text;
        } else if (below.key == "displayUnit") {
          one = eachOne + "displayUnit = " + quotedText(below.value.text);
        } else if (below.key == "fixed" && isBooleanWord(below.value) && isVector(*p)) {
          one = "each fixed = " + below.value.text;
        } else {
          DocumentedParameter number = *p;
          number.choices.clear();
          one = eachOne + below.key + " = " + element(below.value, &number);
        }
      } else {
        one = modification(c, below, full + ".", known);
      }
      if (!one.empty()) inside += (inside.empty() ? "" : ", ") + one;
    }
    return e.key + inParentheses(inside);
  }

  /// The parameter's name in the class that is written for a submodel.
  std::string keyOf(const ComponentDescription& c, const std::string& key) const {
    const auto submodel = submodels_.find(c.type);
    if (submodel == submodels_.end()) return key;
    const bool isShared = std::ranges::any_of(submodel->second.sections.components,
                                              [&](const auto& d) { return d.name == key; });
    return isShared ? identifierOf(key) + "_value" : identifierOf(key);
  }

  /// True of the start value of a vector.
  static bool isVector(const DocumentedParameter& p) {
    return p.type.find(" of ") != std::string::npos;
  }

  bool usesIndex(const YamlNode& node) const {
    return std::ranges::any_of(loop_,
                               [&](const auto& index) { return usesName(node, index.first); });
  }

  /// A value of one component, or of all elements of an array.
  std::string element(const YamlNode& node, const DocumentedParameter* about) {
    std::set<std::string> indices;
    for (const auto& [name, size] : loop_) indices.insert(name);
    std::string text = value(node, about, indices);
    if (!isArray_ || !usesIndex(node)) return text;
    for (auto index = loop_.rbegin(); index != loop_.rend(); ++index)
      text = "{" + text + " for " + index->first + " in 1:" + index->second + "}";
    return text;
  }

  std::string component(const ComponentDescription& c) {
    const YamlNode* const count = c.arguments.find("count");
    const YamlNode* const condition = c.arguments.find("if");
    isArray_ = count != nullptr;
    loop_.clear();
    std::string sizes;
    if (count) {
      const char* index = "i";
      for (const YamlNode& n : itemsOf(*count)) {
        expressions_.countAsWhole(n.text);
        const std::string size = translated(n);
        sizes += (sizes.empty() ? "" : ", ") + size;
        loop_.emplace_back(index, size);
        index = "j";
      }
      sizes = "[" + sizes + "]";
    }
    if (condition && usesIndex(*condition)) {
      refuse(condition->mark(), "component '" + c.name +
                                    "': in Modelica a condition holds for a whole array, found one "
                                    "of its elements");
    }
    const std::string when = condition ? " if " + translated(*condition) : "";
    const bool isOfFile = submodels_.contains(c.type);
    const std::string path = isOfFile ? identifierOf(c.type) : libraryPath(c.type);
    if (path.empty()) {
      refuse(c.typeAt, "component '" + c.name + "': Modelica has no class '" + c.type + "'");
    }
    const std::string text = path + " " + names_.identifiers[c.name] + sizes +
                             inParentheses(modifications(c, documentationOf(c.type))) + when + ";";
    isArray_ = false;
    loop_.clear();
    return wrapped(text);
  }

  /// A long declaration goes on in further lines, broken behind a comma, between modifications where
  /// that is possible.
  std::string wrapped(const std::string& text) const {
    std::string result;
    size_t from = 0;
    while (from < text.size()) {
      const bool isFirst = from == 0;
      const size_t room = kWidestLine - 2 * (level_ + (isFirst ? 1 : 3));
      const size_t end = text.size() - from > room ? breakOf(text, from, room) : text.size();
      std::string piece = text.substr(from, end - from);
      while (!piece.empty() && piece.back() == ' ') piece.pop_back();
      result += line(isFirst ? 1 : 3, piece);
      from = end;
    }
    return result;
  }

  /// Where a line that begins at `from` ends: behind the last comma in the fewest brackets that leaves
  /// it not too long, else behind the first '(', else behind the first comma.
  static size_t breakOf(const std::string& text, size_t from, size_t room) {
    size_t best = std::string::npos, opened = std::string::npos;
    int depth = 0, least = 1000;
    bool isQuoted = false;
    for (size_t i = 0; i + 1 < text.size(); ++i) {
      const char c = text[i];
      if (c == '"' && (i == 0 || text[i - 1] != '\\')) isQuoted = !isQuoted;
      if (isQuoted) continue;
      if (c == '(' || c == '{' || c == '[') ++depth;
      if (c == ')' || c == '}' || c == ']') --depth;
      if (c == '(' && i > from && opened == std::string::npos) opened = i + 1;
      if (c != ',' || text[i + 1] != ' ' || i <= from) continue;
      const bool fits = i + 1 - from <= room;
      if (!fits && best != std::string::npos) break;
      if (!fits && opened != std::string::npos) return opened;
      if (depth <= least) {
        best = i + 2;
        least = depth;
      }
      if (!fits) break;
    }
    return best == std::string::npos ? text.size() : best;
  }

  /// Kind of a connector by the way to it from this class.
  std::string kindOf(const std::string& way, const ModelSections& s, int depth = 0) const {
    if (depth > 50) return "";
    for (auto owner = ownerName(way); !owner.empty(); owner = ownerName(owner)) {
      const std::string head(owner);
      const auto c = std::ranges::find_if(s.components, [&](const ComponentDescription& d) {
        return d.name == head ||
               (d.arguments.find("count") && d.name == head.substr(0, head.find('[')));
      });
      if (c == s.components.end()) continue;
      const std::string rest = way.substr(head.size() + 1), base = rest.substr(0, rest.find('['));
      const auto submodel = submodels_.find(c->type);
      if (submodel == submodels_.end()) return facts_.connectorKind(c->type, base);
      for (const NamedNode& below : submodel->second.sections.connectors) {
        if (below.name != base) continue;
        const YamlNode* target = below.value.isMap() ? below.value.find("connector") : &below.value;
        return kindOf(target->text, submodel->second.sections, depth + 1);
      }
    }
    return "";
  }

  std::string connectorDeclaration(const NamedNode& c, const ModelSections& s,
                                   std::string& connects) {
    const YamlNode* const count = c.value.isMap() ? c.value.find("count") : nullptr;
    const YamlNode& target = count ? *c.value.find("connector") : c.value;
    const std::string kind = kindOf(target.text, s);
    const std::string last(lastName(target.text));
    const bool isSecond = last.ends_with("b") || last == "n" || last == "axis";
    const auto found = std::ranges::find_if(
        kConnectorClasses, [&](const ConnectorClass& one) { return kind.starts_with(one.kind); });
    std::string type = "Modelica.";
    if (found != std::end(kConnectorClasses)) {
      type += isSecond ? found->b : found->a;
    } else {
      refuse(target.mark(),
             "connector '" + c.name + "': Modelica's class of '" + target.text + "' is not known");
    }
    const std::string name = names_.identifiers[c.name];
    const size_t of = kind.rfind(" of ");
    std::string size = of == std::string::npos ? "" : kind.substr(of + 4);
    if (count) {
      expressions_.countAsWhole(count->text);
      size = translated(*count);
      connects += line(1, "for i in 1:" + size + " loop") +
                  line(2, "connect(" + name + "[i], " +
                              expressions_.translated(target.text, target.mark(), {"i"}) + ");") +
                  line(1, "end for;");
    } else {
      connects +=
          line(1, "connect(" + name + ", " + connectorName(target.text, target.mark(), {}) + ");");
    }
    return line(1, type + " " + name + (size.empty() ? "" : "[" + size + "]") + ";");
  }

  std::string connectorName(const std::string& text, const SourceMark& at,
                            const std::set<std::string>& indices) {
    if (text.starts_with(facts_.model->world.name + ".") || text.starts_with("world."))
      usesWorld_ = true;
    return expressions_.translated(text, at, indices);
  }

  /// `for` and `if` around what `inside` writes, one level further in.
  template <class T, class F>
  std::string repeated(const Repetition<T>& r, int indent, std::set<std::string> indices,
                       F inside) {
    std::string text, end;
    if (!r.indices.isNull()) {
      expressions_.countAsWhole(r.indices.text);
      std::string whole = r.indices.text;
      for (size_t at = 0; (at = whole.find(" in ", at)) != std::string::npos; at += 4) {
        size_t first = at;
        while (first > 0 && (std::isalnum(static_cast<unsigned char>(whole[first - 1])) != 0 ||
                             whole[first - 1] == '_'))
          --first;
        indices.insert(whole.substr(first, at - first));
      }
      std::set<std::string> words = indices;
      words.insert("in");
      text +=
          line(indent, "for " + expressions_.translated(whole, r.indices.mark(), words) + " loop");
      end = line(indent, "end for;");
      ++indent;
    }
    if (!r.condition.isNull()) {
      std::set<std::string> words = indices;
      text += line(
          indent,
          "if " + expressions_.translated(r.condition.text, r.condition.mark(), words) + " then");
      end = line(indent, "end if;") + end;
      ++indent;
    }
    for (const Repeatable<T>& one : r.statements) text += inside(one, indent, indices);
    return text + end;
  }

  std::string connection(const Repeatable<ConnectionDescription>& c, int indent,
                         const std::set<std::string>& indices) {
    if (c.several) {
      return repeated(*c.several, indent, indices,
                      [&](const auto& one, int in, const std::set<std::string>& inner) {
                        return connection(one, in, inner);
                      });
    }
    return line(indent, "connect(" + connectorName(c.one.a, c.one.aAt, indices) + ", " +
                            connectorName(c.one.b, c.one.bAt, indices) + ");");
  }

  std::string equation(const Repeatable<SourceEquation>& e, int indent,
                       const std::set<std::string>& indices) {
    if (e.several) {
      return repeated(*e.several, indent, indices,
                      [&](const auto& one, int in, const std::set<std::string>& inner) {
                        return equation(one, in, inner);
                      });
    }
    return line(indent, expressions_.translated(e.one.text, e.one.at, indices) + ";");
  }

  std::string assertion(const AssertDescription& a, int indent) {
    return line(indent, "assert(" + expressions_.translated(a.condition.text, a.condition.at) +
                            ", " + quotedText(a.message) + ");");
  }

  std::string when(const WhenDescription& w) {
    std::string text;
    for (const WhenBranchDescription& b : w.branches) {
      std::string conditions = joined(b.conditions, ", ", [&](const SourceExpression& c) {
        return expressions_.translated(c.text, c.at);
      });
      if (b.conditions.size() > 1) conditions = "{" + conditions + "}";
      text += line(1, (text.empty() ? "when " : "elsewhen ") + conditions + " then");
      for (const auto& a : b.set) {
        text += line(2, expressions_.translated(a.target, a.at) + " = " +
                            expressions_.translated(a.value.text, a.value.at) + ";");
      }
      for (const auto& a : b.reinit) {
        text += line(2, "reinit(" + expressions_.translated(a.target, a.at) + ", " +
                            expressions_.translated(a.value.text, a.value.at) + ");");
      }
      for (const AssertDescription& a : b.assertions) text += assertion(a, 2);
      if (!b.terminate.empty()) text += line(2, "terminate(" + quotedText(b.terminate) + ");");
    }
    return text + line(1, "end when;");
  }

  static std::string sizeText(const std::vector<int>& sizes) {
    return sizes.empty() ? "" : fmt::format("[{}]", fmt::join(sizes, ", "));
  }

  /// A connector at the top of a model is its input.
  std::string input(const InputDescription& in) {
    std::vector<int> sizes = in.size;
    if (sizes.empty() && in.start && in.start->isSequence())
      sizes.push_back(in.start->items.size());
    AttributeTexts attributes(!sizes.empty());
    if (in.start) attributes.add("start", ownValue(*in.start, in.unit), in.start->isSequence());
    if (!in.unit.empty()) attributes.add("unit", quotedText(in.unit));
    return wrapped("Modelica.Blocks.Interfaces.RealInput " + names_.identifiers[in.name] +
                   sizeText(sizes) + inParentheses(attributes.text()) + comment(in.description) +
                   ";");
  }

  /// `Real x[3](start = {0, 0, 1}, each fixed = true) = ...;`
  std::string variable(const VariableDescription& v) {
    const std::string name = names_.identifiers[v.name];
    if (v.type.ends_with("Frames.Orientation"))
      return line(1, "Modelica.Mechanics.MultiBody.Frames.Orientation " + name + ";");
    std::vector<int> sizes = v.size;
    if (names_.isModel) sizes = facts_.sizesOf(v.name);
    if (sizes.empty() && v.start.start && v.start.start->isSequence())
      sizes.push_back(v.start.start->items.size());
    AttributeTexts attributes(!sizes.empty());
    const auto add = [&](const char* key, const std::optional<YamlNode>& node) {
      if (node) attributes.add(key, ownValue(*node, v.unit), node->isSequence());
    };
    add("start", v.start.start);
    const bool isDiscrete = discretes_.contains(v.name);
    if (isDiscrete && !v.start.fixed) attributes.add("fixed", "true");
    add("fixed", v.start.fixed);
    add("nominal", v.nominal);
    add("min", v.min);
    add("max", v.max);
    if (!v.stateSelect.empty()) attributes.add("stateSelect", "StateSelect." + v.stateSelect);
    if (!v.unit.empty()) attributes.add("unit", quotedText(v.unit));
    // What the derivative is at the start is an equation there.
    const bool isFixed = v.rate.fixed && v.rate.fixed->isScalar() && v.rate.fixed->text == "true";
    if (isFixed) {
      const std::string rate = v.rate.start    ? value(*v.rate.start, nullptr, {})
                               : sizes.empty() ? std::string("0")
                                               : fmt::format("zeros({})", sizes[0]);
      initial_ += line(1, "der(" + name + ") = " + rate + ";");
    } else if (v.rate.start || v.rate.fixed) {
      refuse(v.at, "variable '" + v.name + "': Modelica has no guess of a derivative");
    }
    const bool isBoolean = facts_.model->isBoolean(v);
    std::string text = isBoolean || v.type == "Integer" ? "" : isDiscrete ? "discrete " : "";
    text += isBoolean ? "Boolean " : v.type == "Integer" ? "Integer " : "Real ";
    text += name + sizeText(sizes) + inParentheses(attributes.text());
    if (v.expression) text += " = " + expressions_.translated(v.expression->text, v.expression->at);
    return wrapped(text + comment(v.description) + ";");
  }

  std::string parameter(const NamedNode& p) {
    const auto clash = names_.values.find(p.name);
    const std::string name =
        clash == names_.values.end() ? names_.identifiers[p.name] : clash->second;
    const ExpressionValue* known = nullptr;
    for (const ModelParameter& m : facts_.model->parameters) {
      const bool isIt = names_.isModel ? m.name == p.name : m.name.ends_with("." + p.name);
      if (isIt && m.value) known = &*m.value;
    }
    std::string type = "Real", sizes;
    if (isBooleanWord(p.value) || (known && known->type() == ValueType::boolean)) type = "Boolean";
    if (known && known->isString()) type = "String";
    if (known && known->shape().isVector()) sizes = fmt::format("[{}]", known->rows());
    if (known && known->shape().isMatrix())
      sizes = fmt::format("[{}, {}]", known->rows(), known->columns());
    if (!known && p.value.isSequence()) sizes = fmt::format("[{}]", p.value.items.size());
    const bool isWhole =
        known && type == "Real" && std::ranges::all_of(known->elements(), [](double x) {
          return ExpressionValue(x).isInteger();
        });
    if (isWhole && expressions_.wholeNumbers().contains(name)) type = "Integer";
    std::string unit = statedUnit(p.value);
    if (!unit.empty()) {
      const WantedUnit si = siUnitOf(unit);
      const std::string described = si.unit ? si.unit->dimension.describe() : "";
      const size_t open = described.rfind('[');
      unit = open == std::string::npos
                 ? ""
                 : "(unit = \"" + described.substr(open + 1, described.size() - open - 2) + "\")";
      if (!sizes.empty() && !unit.empty()) unit.replace(1, 0, "each ");
    }
    return wrapped("parameter " + type + " " + name + sizes + unit + " = " +
                   value(p.value, nullptr, {}) + ";");
  }

  const Catalogue& catalogue_;
  const ModelFacts& facts_;
  const Submodels& submodels_;
  std::vector<int> scopes_;
  Diagnostics& diagnostics_;
  ParameterTable table_;
  ModelicaNames names_;
  ModelicaExpressions expressions_;
  std::map<std::string, Documentation> documentation_;
  int level_ = 0;
  bool usesWorld_ = false;
  bool isArray_ = false;  ///< of the component that is being written
  std::vector<std::pair<std::string, std::string>> loop_;  ///< its indices and their sizes
  std::set<std::string> discretes_;                        ///< what `when` sets
  std::string initial_;  ///< equations at the start that variables say
};

std::string experimentOf(const YamlNode* simulation, const SimulationSettings& s) {
  if (!simulation || !simulation->isMap()) return "";
  std::string all;
  const auto add = [&](const char* key, const char* name, double x) {
    if (simulation->find(key))
      all += (all.empty() ? "" : ", ") + fmt::format("{} = {}", name, formatNumber(x));
  };
  add("start", "StartTime", s.start);
  add("stop", "StopTime", s.stop);
  if (s.interval) add("interval", "Interval", *s.interval);
  add("tolerance", "Tolerance", s.tolerance);
  return all.empty() ? "" : "  annotation (experiment(" + all + "));\n";
}

/// What `set` says, put in where it belongs: in Modelica a declaration says it.
void applySet(const YamlNode& root, const ModelSource& flat, ModelSections& s,
              Diagnostics& diagnostics) {
  ModelSource written;
  written.world = flat.world;
  written.contacts = flat.contacts;
  for (const NamedNode& p : s.parameters) {
    written.parameters.emplace_back().name = p.name;
    written.parameters.back().expression = p.value;
  }
  written.components = s.components;
  written.inputs = s.inputs;
  written.variables = s.variables;
  for (const NamedNode& one : readSettings(root.find("set"), {}, diagnostics)) {
    // What is right for the model with its parts, and not here, is one of several.
    Diagnostics wrong;
    applySettings({one}, written, wrong);
    if (wrong.errorCount() > 0)
      diagnostics.error(one.at, "Modelica has no way to set '" + one.name +
                                    "' alone, an element of what is declared as a whole");
  }
  for (size_t i = 0; i < s.parameters.size(); ++i)
    s.parameters[i].value = written.parameters[i].expression;
  s.components = written.components;
  s.inputs = written.inputs;
  s.variables = written.variables;
}

/// The scopes of the flat model by the type of what they are of; "": the model.
std::map<std::string, std::vector<int>> scopesByType(const ModelSource& flat,
                                                     const ModelSections& sections,
                                                     const Submodels& submodels) {
  std::map<std::string, std::vector<int>> scopes{{"", {0}}};
  std::vector<std::string> types{""};
  for (size_t i = 1; i < flat.scopes.size(); ++i) {
    const NameScope& s = flat.scopes[i];
    std::string name = s.prefix.substr(flat.scopes[s.parent].prefix.size());
    name.pop_back();
    const std::string& around = types[s.parent];
    const auto& parts = (around.empty() ? sections : submodels.at(around).sections).components;
    auto part = std::ranges::find(parts, name, &ComponentDescription::name);
    if (part == parts.end())
      part = std::ranges::find(parts, name.substr(0, name.find('[')), &ComponentDescription::name);
    types.push_back(part->type);
    scopes[part->type].push_back(static_cast<int>(i));
  }
  return scopes;
}

void refuseShapes(const ModelFacts& facts, Diagnostics& diagnostics) {
  for (const ComponentDescription& c : facts.model->components) {
    if (std::ranges::find(facts.shapes, c.name) == facts.shapes.end()) continue;
    diagnostics.error(c.at, "component '" + c.name + "': contacts have no Modelica counterpart");
  }
}

}  // namespace

std::optional<std::string> modelicaText(const Catalogue& catalogue, const YamlNode& own,
                                        const std::string& path, const ModelFacts& facts,
                                        Diagnostics& diagnostics) {
  const int errors = diagnostics.errorCount();
  refuseShapes(facts, diagnostics);
  std::vector<std::string> files;
  const YamlNode root = withBases(own, path, files, diagnostics);
  const Submodels submodels = readSubmodels(root, path, files, diagnostics);
  ModelSections sections = readSections(root, diagnostics);
  applySet(root, *facts.model, sections, diagnostics);
  auto scopes = scopesByType(*facts.model, sections, submodels);
  std::string classes;
  for (const auto& [name, submodel] : submodels) {
    classes += ClassWriter(catalogue, facts, submodels, scopes[name], diagnostics)
                   .write(identifierOf(name), "", submodel.sections, "", "", 1) +
               "\n";
  }
  ClassWriter writer(catalogue, facts, submodels, scopes[""], diagnostics);
  std::string text =
      writer.write(identifierOf(facts.model->name), facts.model->description, sections, classes,
                   experimentOf(root.find("simulation"), facts.model->simulation), 0);
  if (diagnostics.errorCount() > errors) return std::nullopt;
  return text;
}

}  // namespace cardan
