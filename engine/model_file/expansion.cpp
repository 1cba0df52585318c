#include "engine/model_file/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "components/names.h"
#include "engine/expression/functions.h"
#include "engine/expression/tokens.h"
#include "engine/model_file/quantities.h"
#include "engine/model_file/repetition.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

// More than a run can carry; nested submodels get there with few lines.
constexpr double kMaxComponents = 1'000'000;
constexpr double kMaxValues = 3e7;           ///< of parameters, with those of all instances
constexpr size_t kDeepestSubmodel = 50;      ///< expansion recurses
constexpr size_t kLongestListOfNames = 100;  ///< in a message

std::string counted(double n) {
  return n < 1e15 ? fmt::format("{:.0f}", n) : fmt::format("{:.1e}", n);
}

/// What a list of components amounts to once its submodels are written out; counted before
/// anything is, so that nothing large is built to be refused.
struct Extent {
  double components = 0;
  double values = 0;
  size_t depth = 0;
};

/// Values of a parameter, and its text as far as that is longer than a number.
double weightOf(const YamlNode& node) {
  double n = 1 + static_cast<double>(node.text.size() / 64);
  for (const YamlNode& item : node.items) n += weightOf(item);
  for (const YamlNode::Entry& entry : node.entries) n += weightOf(entry.value);
  return n;
}

class Measuring {
 public:
  explicit Measuring(const Submodels& submodels) : submodels_(submodels) {}

  /// Each submodel is measured once. Those that contain themselves count as empty there: that is
  /// an error of its own.
  Extent of(const ModelSections& sections) {
    Extent all;
    for (const NamedNode& p : sections.parameters) all.values += weightOf(p.value);
    for (const VariableDescription& v : sections.variables)
      all.values += v.expression ? weight(*v.expression) : 1;
    for (const auto& e : sections.equations) all.values += weight(e.one);
    for (const auto& e : sections.initialEquations) all.values += weight(e.one);
    for (const AssertDescription& a : sections.assertions) all.values += weight(a.condition);
    for (const WhenDescription& w : sections.whens) {
      for (const WhenBranchDescription& b : w.branches) {
        for (const SourceExpression& e : b.conditions) all.values += weight(e);
        for (const auto* list : {&b.set, &b.reinit}) {
          for (const auto& a : *list) all.values += weight(a.value);
        }
      }
    }
    all.values += static_cast<double>(sections.connections.size() + sections.connectors.size());
    for (const ComponentDescription& c : sections.components) {
      const Extent one = of(c);
      all.components += one.components;
      all.values += one.values;
      all.depth = std::max(all.depth, one.depth);
    }
    return all;
  }
  Extent of(const ComponentDescription& c) {
    const auto submodel = submodels_.find(c.type);
    if (submodel == submodels_.end()) return {1, weightOf(c.arguments), 0};
    const auto [known, isNew] = known_.try_emplace(c.type);
    if (isNew && ++depth_ <= kDeepestSubmodel) {
      const Extent extent = of(submodel->second.sections);
      known_[c.type] = {extent.components + 1, extent.values, extent.depth + 1};
    } else if (isNew) {
      known_[c.type].depth = kDeepestSubmodel;  // and what contains it is deeper
    }
    if (isNew) --depth_;
    Extent result = known_[c.type];
    result.values += weightOf(c.arguments);
    return result;
  }

 private:
  template <class Tree>
  static double weight(const SourceText<Tree>& e) {
    return 1 + static_cast<double>(e.text.size() / 64);
  }

  const Submodels& submodels_;
  std::map<std::string, Extent> known_;
  size_t depth_ = 0;
};

/// What a name means in every expression, so that nothing else can have it; "" for most names.
std::string meaningInExpressions(const std::string& name) {
  if (name == "time") return "the time of the run";
  if (isKeyword(name)) return "a word of the language";
  double value = 0;
  return findConstant(name, value) ? "the constant " + formatNumber(value) : "";
}

/// True of `link[n].phi` and `link[1:n].*`; `link[*].phi` is a pattern and stays one.
bool hasIndexToWrite(const std::string& pattern) {
  bool found = false;
  for (size_t open = pattern.find('['); open != std::string::npos;
       open = pattern.find('[', open + 1)) {
    const size_t close = pattern.find(']', open);
    if (close == std::string::npos || close == open + 1) return false;
    const std::string_view inside = std::string_view(pattern).substr(open + 1, close - open - 1);
    if (inside.find_first_of("*?[") != std::string_view::npos) return false;
    found = found || inside.find_first_not_of("0123456789,") != std::string_view::npos;
  }
  return found;
}

class Expander {
 public:
  Expander(const Submodels& submodels, const std::vector<NamedNode>& settings, ModelSource& model,
           Diagnostics& diagnostics)
      : submodels_(submodels),
        settings_(settings),
        model_(model),
        diagnostics_(diagnostics),
        repetitions_(model, diagnostics) {}

  void expandModel(const ModelSections& sections, const std::vector<OutputPattern>& outputs) {
    if (isTooLarge(sections)) return;
    taken_.emplace(model_.world.name, Taken{"the World", model_.world.at});
    for (const NamedNode& p : sections.parameters) {
      if (take(p.name, p.name, "parameter", p.at))
        addParameter({p.name, p.at, p.value, 0, {}, false, statedUnit(p.value)});
    }
    for (const InputDescription& in : sections.inputs) {
      if (take(in.name, in.name, "input", in.at)) model_.inputs.push_back(in);
    }
    expand(sections, 0);
    addOutputs(outputs);
  }

 private:
  /// Reports at the component that goes beyond what a model may hold.
  bool isTooLarge(const ModelSections& sections) {
    Measuring measuring(submodels_);
    Extent all;
    for (const ComponentDescription& c : sections.components) {
      const Extent one = measuring.of(c);
      all.components += one.components;
      all.values += one.values;
      const auto refuse = [&](const std::string& most, const std::string& found) {
        diagnostics_.error(c.at, "a model must not have " + most +
                                     " once its submodels are written out, found " + found +
                                     " up to '" + c.name + "'");
        return true;
      };
      if (one.depth > kDeepestSubmodel) {
        diagnostics_.error(c.at, "submodels must not be nested deeper than " +
                                     std::to_string(kDeepestSubmodel) + " levels");
        return true;
      }
      if (all.components > kMaxComponents) {
        return refuse("more than " + counted(kMaxComponents) + " components",
                      counted(all.components));
      }
      if (all.values > kMaxValues) {
        return refuse("more than " + counted(kMaxValues) + " values of parameters",
                      counted(all.values));
      }
    }
    return false;
  }

  /// An error in a submodel is the same for all its instances: once is enough.
  bool report(const SourceMark& at, const std::string& text) {
    if (!reported_.insert(Diagnostic{Severity::error, at, text}.format()).second) return false;
    diagnostics_.error(at, text);
    return true;
  }

  const std::string& prefixOf(int scope) const { return model_.scopes[scope].prefix; }
  int parentOf(int scope) const { return model_.scopes[scope].parent; }

  void addParameter(ModelParameter p) {
    model_.parameters.push_back(std::move(p));
    applyTo(model_.parameters.back(), settings_);
  }

  void expand(const ModelSections& sections, int scope) {
    std::vector<ComponentDescription> claimed;  // all of this level, before parts look outwards
    for (const ComponentDescription& c : sections.components) claimElements(c, scope, claimed);
    for (ComponentDescription& full : claimed) {
      if (tooMany_) return;
      const auto submodel = submodels_.find(full.type);
      if (submodel == submodels_.end()) {
        addComponent(std::move(full));
      } else {
        addInstance(full, submodel->first, submodel->second.sections);
      }
    }
    for (const auto& c : sections.connections) addConnection(c, scope, {});
    for (const VariableDescription& v : sections.variables) addVariable(v, scope);
    for (const auto& e : sections.equations) addEquation(e, scope, {}, model_.equations);
    for (const auto& e : sections.initialEquations)
      addEquation(e, scope, {}, model_.initialEquations);
    addEvents(sections, scope);
  }

  /// The component under its name in full; of an array all elements; those that an `if` leaves out
  /// are remembered as absent.
  void claimElements(const ComponentDescription& c, int scope,
                     std::vector<ComponentDescription>& claimed) {
    const std::string name = prefixOf(scope) + c.name;
    const YamlNode* const count = c.arguments.find("count");
    const YamlNode* const condition = c.arguments.find("if");
    if (!count && !condition) {
      claimed.push_back(c);
      claimed.back().name = name;
      claimed.back().scope = scope;
      repetitions_.write(claimed.back().arguments, scope, {});
      if (!claim(claimed.back())) claimed.pop_back();
      return;
    }
    ComponentDescription one = c;
    std::erase_if(one.arguments.entries,
                  [](const auto& e) { return e.key == "count" || e.key == "if"; });
    const std::vector<ArrayElement> elements = repetitions_.elements(count, name, scope);
    if (count) {
      arrays_.emplace(name, elements.empty() ? "" : elements.back().suffix);
      values_ += weightOf(one.arguments) * static_cast<double>(elements.size());
      if (!isRoomFor(c.at, name)) return;
      // Its name is taken, too.
      if (!take(name, c.name, "component", c.at)) return;
    }
    for (const ArrayElement& element : elements) {
      one.name = name + element.suffix;
      if (condition &&
          !repetitions_.holds(*condition, "component '" + name + "'", scope, element.indices)) {
        absent_.insert(one.name);
        model_.absent.push_back({one.name, condition->mark()});
        continue;
      }
      claimed.push_back(one);
      claimed.back().scope = scope;
      repetitions_.write(claimed.back().arguments, scope, element.indices);
      if (!claim(claimed.back())) claimed.pop_back();
    }
  }

  /// False, and reported, once arrays have made more values than a model may hold.
  bool isRoomFor(const SourceMark& at, const std::string& name) {
    if (values_ <= kMaxValues) return true;
    if (!tooMany_) {
      report(at, "a model must not have more than " + counted(kMaxValues) +
                     " values of parameters once its arrays are written out, found " +
                     counted(values_) + " up to '" + name + "'");
    }
    tooMany_ = true;
    return false;
  }

  void addConnection(const Repeatable<ConnectionDescription>& c, int scope,
                     const IndexValues& indices) {
    if (c.several) {
      repeat(*c.several, scope, indices, [&](const auto& statement, const IndexValues& inside) {
        addConnection(statement, scope, inside);
      });
      return;
    }
    const std::vector<std::string> a = ends(c.one.a, c.one.aAt, scope, indices);
    const std::vector<std::string> b = ends(c.one.b, c.one.bAt, scope, indices);
    if (a.empty() || b.empty()) return;
    if (a.size() != b.size()) {
      report(c.one.aAt,
             fmt::format("a connection must have as many connectors on both sides, found "
                         "{} in '{}' and {} in '{}'",
                         a.size(), c.one.a, b.size(), c.one.b));
      model_.unread.insert(prefixOf(scope) + c.one.a);
      return;
    }
    for (size_t k = 0; k < a.size(); ++k) addConnection(a[k], b[k], c.one, scope);
  }
  void addConnection(const std::string& a, const std::string& b, const ConnectionDescription& at,
                     int scope) {
    const End first = connector(a, at.aAt, scope), second = connector(b, at.bAt, scope);
    if (first.isAbsent || second.isAbsent) {
      model_.absentConnections.push_back(
          {prefixOf(scope) + a, prefixOf(scope) + b, at.aAt, at.bAt});
    } else if (!first.name.empty() && !second.name.empty()) {
      model_.connections.push_back({first.name, second.name, at.aAt, at.bAt});
    } else {
      model_.unread.insert(prefixOf(scope) + (first.name.empty() ? a : b));
    }
  }
  std::vector<std::string> ends(const std::string& text, const SourceMark& at, int scope,
                                const IndexValues& indices) {
    if (isName(text)) return {text};
    return repetitions_.names(text, at, scope, indices);
  }

  void addVariable(VariableDescription v, int scope) {
    const std::string written = v.name;
    v.name = prefixOf(scope) + v.name;
    v.scope = scope;
    if (v.expression) place(*v.expression, scope, {});
    if (take(v.name, written, "variable", v.at)) model_.variables.push_back(std::move(v));
  }
  void addEquation(const Repeatable<SourceEquation>& e, int scope, const IndexValues& indices,
                   std::vector<SourceEquation>& equations) {
    if (e.several) {
      repeat(*e.several, scope, indices, [&](const auto& statement, const IndexValues& inside) {
        addEquation(statement, scope, inside, equations);
      });
      return;
    }
    equations.push_back(e.one);
    place(equations.back(), scope, indices);
  }
  template <class Tree>
  void place(SourceText<Tree>& e, int scope, const IndexValues& indices) {
    std::string text = repetitions_.written(e.text, e.at, scope, indices);
    if (text != e.text) e.tree.reset();
    e.text = std::move(text);
    e.scope = scope;
    e.read();
  }

  template <class T, class F>
  void repeat(const Repetition<T>& r, int scope, const IndexValues& outer, F f) {
    repetitions_.forEach(r.indices, scope, outer, [&](const IndexValues& indices) {
      if (!repetitions_.holds(r.condition, "a statement", scope, indices)) return;
      for (const Repeatable<T>& statement : r.statements) f(statement, indices);
    });
  }

  void addOutputs(const std::vector<OutputPattern>& outputs) {
    for (const OutputPattern& o : outputs) {
      if (!hasIndexToWrite(o.pattern)) {
        model_.outputs.push_back(o);
        continue;
      }
      for (const std::string& name : repetitions_.names(o.pattern, o.at, 0, {}))
        model_.outputs.push_back({name, o.at});
    }
  }

  void addEvents(const ModelSections& sections, int scope) {
    for (AssertDescription a : sections.assertions) {
      place(a.condition, scope, {});
      model_.assertions.push_back(std::move(a));
    }
    for (WhenDescription w : sections.whens) {
      w.scope = scope;
      for (WhenBranchDescription& b : w.branches) {
        for (SourceExpression& e : b.conditions) place(e, scope, {});
        for (AssertDescription& a : b.assertions) place(a.condition, scope, {});
        for (auto* list : {&b.set, &b.reinit}) {
          for (auto& a : *list) place(a.value, scope, {});
        }
      }
      model_.whens.push_back(std::move(w));
    }
  }

  /// A name in full that something has.
  struct Taken {
    std::string by;  ///< "parameter", "component", ...
    SourceMark at;
  };

  /// False, and reported, if the name is taken: by something else, or (as `written`, without a
  /// prefix) by the language of expressions, which would read it as its own.
  bool take(const std::string& full, const std::string& written, const std::string& by,
            const SourceMark& at) {
    if (const std::string meaning = meaningInExpressions(written); !meaning.empty()) {
      report(at, "name '" + full + "' is taken: in expressions it is " + meaning + "; give the " +
                     by + " another one");
      return false;
    }
    const auto [found, isNew] = taken_.try_emplace(full, Taken{by, at});
    if (isNew) return true;
    const Taken& first = found->second;
    // Alone the name means the parameter, with a dot what belongs to the component.
    if (by == "parameter" && first.by == "component") return true;
    if (full == model_.world.name) {
      report(at, "name '" + full + "' is taken: it is the World's");
    } else if (report(at, first.by == by ? by + " name '" + full + "' is used twice"
                                         : "name '" + full + "' is used twice, for a " + first.by +
                                               " and a " + by)) {
      diagnostics_.note(first.at, "first used here");
    }
    return false;
  }

  /// False, and reported, if the name is taken.
  bool claim(const ComponentDescription& c) {
    if (c.name == model_.world.name) {
      report(c.at,
             "component name '" + c.name + "' is the World's; its parameters stand under 'world:'");
      return false;
    }
    const bool isInstance = submodels_.count(c.type) > 0;
    const auto [found, isNew] = taken_.try_emplace(c.name, Taken{"component", c.at});
    // As in take().
    if (!isNew && found->second.by != "parameter") {
      const std::string& by = found->second.by;
      if (report(c.at, by == "component" ? "component name '" + c.name + "' is used twice"
                                         : "name '" + c.name + "' is used twice, for a " + by +
                                               " and a component")) {
        diagnostics_.note(found->second.at, "first used here");
      }
      // Of a parameter and a component both are kept: what they are connected to is no error.
      if (by == "component") return false;
    }
    names_.try_emplace(c.name, Name{c.at, c.type, isInstance});
    return true;
  }

  void addComponent(ComponentDescription c) {
    if (static_cast<double>(model_.components.size()) >= kMaxComponents) {
      report(c.at, "a model must not have more than " + counted(kMaxComponents) +
                       " components once its arrays are written out");
      tooMany_ = true;
      return;
    }
    model_.components.push_back(std::move(c));
  }

  void addInstance(const ComponentDescription& instance, const std::string& type,
                   const ModelSections& sections) {
    if (std::find(chain_.begin(), chain_.end(), type) != chain_.end()) {
      // The ways through submodels that contain one another are many, the places few.
      if (!circles_.insert({instance.typeAt.file, instance.typeAt.line, instance.typeAt.column})
               .second)
        return;
      std::string circle;
      for (auto t = std::find(chain_.begin(), chain_.end(), type); t != chain_.end(); ++t) {
        circle += *t + " -> ";
      }
      report(instance.typeAt, "a submodel must not contain itself: " + circle + type);
      return;
    }
    // Where there are circles, what submodels contain is looked at once more, and not on every way to them.
    if (!circles_.empty() && !chain_.empty() && !seenWithCircles_.insert(type).second) return;
    // Submodels that contain one another reach many more places than they were measured at.
    if (static_cast<double>(model_.scopes.size()) >= kMaxComponents) {
      report(instance.at, "a model must not have more than " + counted(kMaxComponents) +
                              " instances of submodels");
      tooMany_ = true;
      return;
    }
    const int scope = std::ssize(model_.scopes);
    model_.scopes.push_back({instance.name + ".", instance.scope});
    addParameters(instance, sections, scope);

    chain_.push_back(type);
    expand(sections, scope);
    chain_.pop_back();

    for (const NamedNode& c : sections.connectors) {
      if (!c.value.isMap()) {
        addConnector(instance, c, c.name, c.value, scope, {});
        continue;
      }
      const std::string name = instance.name + "." + c.name;
      for (const ArrayElement& element :
           repetitions_.elements(c.value.find("count"), name, scope)) {
        addConnector(instance, c, c.name + element.suffix, *c.value.find("connector"), scope,
                     element.indices);
      }
    }
  }

  void addConnector(const ComponentDescription& instance, const NamedNode& c,
                    const std::string& name, const YamlNode& target, int scope,
                    const IndexValues& indices) {
    const std::string full = instance.name + "." + name;
    if (!take(full, name, "connector", c.at)) return;
    const std::vector<std::string> names = ends(target.text, target.mark(), scope, indices);
    if (names.size() > 1) {
      report(target.mark(), "connector '" + name +
                                "' must stand for one connector of a part, found " +
                                std::to_string(names.size()));
    }
    if (names.size() != 1) return;
    const End end = connector(names[0], target.mark(), scope);
    if (end.isAbsent) absent_.insert(full);
    if (!end.name.empty()) model_.connectorAliases[full] = end.name;
    connectors_[instance.name].push_back(name);
  }

  /// Keys of the instance are looked up around it, defaults inside.
  void addParameters(const ComponentDescription& instance, const ModelSections& sections,
                     int scope) {
    std::vector<std::string> known;
    for (const NamedNode& p : sections.parameters) {
      known.push_back(p.name);
      const YamlNode::Entry* given = instance.arguments.findEntry(p.name);
      ModelParameter full{instance.name + "." + p.name, p.at, p.value, scope, {}, false,
                          statedUnit(p.value)};
      if (given) {
        full.at = given->keyMark();
        full.expression = given->value;
        full.scope = instance.scope;
        if (full.unit.empty()) full.unit = statedUnit(given->value);
      }
      if (full.expression.isNull() || full.expression.isMap()) {
        report(full.expression.mark(), instance.type + " '" + instance.name + "': '" + p.name +
                                           "' must be a value or an expression, found " +
                                           full.expression.describe());
        full.failed = true;
      }
      if (take(full.name, p.name, "parameter", p.at)) addParameter(std::move(full));
    }
    std::sort(known.begin(), known.end());
    for (const YamlNode::Entry& entry : instance.arguments.entries) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      std::string text = instance.type + " '" + instance.name + "': unknown key '" + entry.key +
                         "'" + didYouMean(entry.key, known);
      if (!known.empty() && known.size() <= kLongestListOfNames) {
        text += (text.back() == '?' ? " known keys: " : "; known keys: ") + joined(known, ", ");
      }
      report(entry.keyMark(), text);
    }
  }

  /// Length of the longest beginning of `name`, up to a '.', that is a component or an instance; 0
  /// if none is.
  size_t ownerLength(const std::string& name) const {
    for (auto owner = ownerName(name); !owner.empty(); owner = ownerName(owner)) {
      if (owner == model_.world.name || names_.contains(std::string(owner))) return owner.size();
    }
    return 0;
  }

  /// One end of a connection.
  struct End {
    std::string name;  ///< in full; "" and reported if there is no such component
    bool isAbsent = false;
  };

  /// True of what belongs to a component that an `if` leaves out.
  bool isAbsent(const std::string& full) const {
    if (absent_.empty()) return false;
    for (std::string_view part = full; !part.empty(); part = ownerName(part, ".[")) {
      if (absent_.contains(std::string(part))) return true;
    }
    return false;
  }

  /// An input of the model, or an element of one.
  bool isInput(const std::string& name) const {
    const std::string whole = name.ends_with(']') ? name.substr(0, name.rfind('[')) : name;
    return std::ranges::any_of(model_.inputs, [&](const InputDescription& in) {
      return in.name == name || in.name == whole;
    });
  }

  /// What the name of a connector written in a scope stands for.
  End connector(const std::string& written, const SourceMark& at, int scope) {
    for (int s = scope; s >= 0; s = parentOf(s)) {
      const std::string full = prefixOf(s) + written;
      if (isAbsent(full)) return {"", true};
      if (isInput(full)) return {full};
      const size_t length = ownerLength(full);
      // "arm1." itself is an instance: the rest of the name has to be found inside it.
      if (length <= prefixOf(s).size()) continue;
      const std::string owner = full.substr(0, length);
      const auto name = names_.find(owner);
      if (name == names_.end() || !name->second.isInstance) return {full};
      std::string target = model_.withoutAliases(full);
      if (target != full) return {target};
      const auto exported = connectors_.find(owner);
      const std::string rest = full.substr(length + 1);
      report(at, name->second.type + " '" + owner + "': no connector or part '" + rest + "'" +
                     (exported == connectors_.end() ? "" : didYouMean(rest, exported->second)));
      return {};
    }
    if (names_.count(prefixOf(scope) + written) > 0 || written == model_.world.name) {
      const bool isWorld = written == model_.world.name;
      report(at, "a connection must name a connector, as '" + written +
                     (isWorld ? ".frame_b', found the World"
                              : ".frame_a', found component '" + written + "'"));
      return {};
    }
    const std::string owner = written.substr(0, written.rfind('.'));
    for (int s = scope; s >= 0; s = parentOf(s)) {
      if (reportElement(prefixOf(s) + owner, owner, at)) return {};
    }
    const auto known = [&] {
      std::vector<std::string> names{model_.world.name};
      for (const auto& [name, unused] : names_) {
        if (name.starts_with(prefixOf(scope))) names.push_back(name.substr(prefixOf(scope).size()));
      }
      std::sort(names.begin(), names.end());
      return names;
    };
    report(at, "unknown component '" + owner + "'" + diagnostics_.suggestion(owner, known));
    return {};
  }

  /// True, and reported, of an array without an index and of an element that it does not have.
  bool reportElement(const std::string& full, const std::string& written, const SourceMark& at) {
    if (arrays_.empty()) return false;
    const size_t open = full.ends_with(']') ? full.rfind('[') : std::string::npos;
    const auto array = arrays_.find(full.substr(0, open));
    if (array == arrays_.end()) return false;
    const std::string base =
        written.substr(0, written.size() - (full.size() - array->first.size()));
    const std::string& last = array->second;
    report(at, open == std::string::npos
                   ? "component '" + base + "' is an array, its elements are '" + base +
                         "[1]' to '" + base + last + "'; found it without an index"
                   : "component '" + base + "' has no element '" + written + "'" +
                         (last.empty() ? ": its count is 0"
                                       : "; the last one is '" + base + last + "'"));
    return true;
  }

  struct Name {
    SourceMark at;
    std::string type;
    bool isInstance = false;
  };

  const Submodels& submodels_;
  const std::vector<NamedNode>& settings_;
  ModelSource& model_;
  Diagnostics& diagnostics_;
  Repetitions repetitions_;
  std::unordered_map<std::string, std::string> arrays_;  ///< suffix of the last element; "" of none
  std::unordered_set<std::string> absent_;  ///< components and connectors that an `if` leaves out
  double values_ = 0;                       ///< of the arguments of arrays
  std::unordered_map<std::string, Name> names_;
  std::unordered_map<std::string, Taken> taken_;
  std::unordered_map<std::string, std::vector<std::string>> connectors_;  ///< exported by instances
  std::vector<std::string> chain_;  ///< submodels that are being expanded
  std::set<std::string> reported_;
  std::set<std::tuple<std::string, int, int>> circles_;  ///< places that close one
  std::set<std::string> seenWithCircles_;  ///< types of inner instances, once there is one
  bool tooMany_ = false;
};

}  // namespace

void expandSections(const ModelSections& sections, const Submodels& submodels,
                    const std::vector<OutputPattern>& outputs,
                    const std::vector<NamedNode>& settings, ModelSource& model,
                    Diagnostics& diagnostics) {
  Expander(submodels, settings, model, diagnostics).expandModel(sections, outputs);
}

}  // namespace cardan
