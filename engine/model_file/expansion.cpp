#include "engine/model_file/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "engine/expression/functions.h"
#include "engine/expression/tokens.h"

namespace cardan {
namespace {

// More than a run can carry; nested submodels get there with few lines.
constexpr double kMaxComponents = 100'000;
constexpr double kMaxValues = 3e6;           ///< of parameters, with those of all instances
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
    for (const VariableDescription& v : sections.variables) all.values += weight(v.expression);
    for (const SourceExpression& e : sections.equations) all.values += weight(e);
    for (const SourceExpression& e : sections.initialEquations) all.values += weight(e);
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
  static double weight(const std::optional<SourceExpression>& e) {
    return e ? 1 + static_cast<double>(e->text.size() / 64) : 1;
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

class Expander {
 public:
  Expander(const Submodels& submodels, ModelSource& model, Diagnostics& diagnostics)
      : submodels_(submodels), model_(model), diagnostics_(diagnostics) {}

  void expandModel(const ModelSections& sections) {
    if (isTooLarge(sections)) return;
    taken_.emplace(model_.world.name, Taken{"the World", model_.world.at});
    for (const NamedNode& p : sections.parameters) {
      if (take(p.name, p.name, "parameter", p.at))
        model_.parameters.push_back({p.name, p.at, p.value, 0, {}, false});
    }
    expand(sections, 0);
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

  const std::string& prefixOf(int scope) const {
    return model_.scopes[static_cast<size_t>(scope)].prefix;
  }
  int parentOf(int scope) const { return model_.scopes[static_cast<size_t>(scope)].parent; }

  void expand(const ModelSections& sections, int scope) {
    const std::string prefix = prefixOf(scope);
    std::vector<ComponentDescription> claimed;  // all of this level, before parts look outwards
    for (const ComponentDescription& c : sections.components) {
      claimed.push_back(c);
      claimed.back().name = prefix + c.name;
      claimed.back().scope = scope;
      if (!claim(claimed.back())) claimed.pop_back();
    }
    for (ComponentDescription& full : claimed) {
      if (tooMany_) return;
      const auto submodel = submodels_.find(full.type);
      if (submodel == submodels_.end()) {
        addComponent(std::move(full));
      } else {
        addInstance(full, submodel->first, submodel->second.sections);
      }
    }
    for (const ConnectionDescription& c : sections.connections) {
      const std::string a = connector(c.a, c.aAt, scope);
      const std::string b = connector(c.b, c.bAt, scope);
      if (!a.empty() && !b.empty()) model_.connections.push_back({a, b, c.aAt, c.bAt});
    }
    for (VariableDescription v : sections.variables) {
      const std::string written = v.name;
      v.name = prefix + v.name;
      v.scope = scope;
      if (v.expression) v.expression->scope = scope;
      if (take(v.name, written, "variable", v.at)) model_.variables.push_back(std::move(v));
    }
    for (SourceExpression e : sections.equations) {
      e.scope = scope;
      model_.equations.push_back(std::move(e));
    }
    for (SourceExpression e : sections.initialEquations) {
      e.scope = scope;
      model_.initialEquations.push_back(std::move(e));
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

  void addComponent(ComponentDescription c) { model_.components.push_back(std::move(c)); }

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
    // Submodels that contain one another reach many more places than they were measured at.
    if (static_cast<double>(model_.scopes.size()) >= kMaxComponents) {
      report(instance.at, "a model must not have more than " + counted(kMaxComponents) +
                              " instances of submodels");
      tooMany_ = true;
      return;
    }
    const int scope = static_cast<int>(model_.scopes.size());
    model_.scopes.push_back({instance.name + ".", instance.scope});
    addParameters(instance, sections, scope);

    chain_.push_back(type);
    expand(sections, scope);
    chain_.pop_back();

    for (const NamedNode& c : sections.connectors) {
      if (!take(instance.name + "." + c.name, c.name, "connector", c.at)) continue;
      const std::string target = connector(c.value.text, c.value.mark(), scope);
      if (!target.empty()) model_.connectorAliases[instance.name + "." + c.name] = target;
      connectors_[instance.name].push_back(c.name);
    }
  }

  /// Keys of the instance are looked up around it, defaults inside.
  void addParameters(const ComponentDescription& instance, const ModelSections& sections,
                     int scope) {
    std::vector<std::string> known;
    for (const NamedNode& p : sections.parameters) {
      known.push_back(p.name);
      const YamlNode::Entry* given = instance.arguments.findEntry(p.name);
      ModelParameter full{instance.name + "." + p.name, p.at, p.value, scope, {}, false};
      if (given) {
        full.at = given->keyMark();
        full.expression = given->value;
        full.scope = instance.scope;
      }
      if (full.expression.isNull() || full.expression.isMap()) {
        report(full.expression.mark(), instance.type + " '" + instance.name + "': '" + p.name +
                                           "' must be a value or an expression, found " +
                                           full.expression.describe());
        full.failed = true;
      }
      if (take(full.name, p.name, "parameter", p.at)) model_.parameters.push_back(std::move(full));
    }
    std::sort(known.begin(), known.end());
    for (const YamlNode::Entry& entry : instance.arguments.entries) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      std::string text = instance.type + " '" + instance.name + "': unknown key '" + entry.key +
                         "'" + didYouMean(entry.key, known);
      if (!known.empty() && known.size() <= kLongestListOfNames) {
        text += text.back() == '?' ? " known keys: " : "; known keys: ";
        for (size_t i = 0; i < known.size(); ++i) text += (i > 0 ? ", " : "") + known[i];
      }
      report(entry.keyMark(), text);
    }
  }

  /// Length of the longest beginning of `name`, up to a '.', that is a component or an instance; 0
  /// if none is.
  size_t ownerLength(const std::string& name) const {
    for (size_t end = name.rfind('.'); end != std::string::npos && end > 0;
         end = name.rfind('.', end - 1)) {
      const std::string owner = name.substr(0, end);
      if (owner == model_.world.name || names_.count(owner) > 0) return end;
    }
    return 0;
  }

  /// The full name of a connector written in a scope; "" and reported if there is no such
  /// component.
  std::string connector(const std::string& written, const SourceMark& at, int scope) {
    for (int s = scope; s >= 0; s = parentOf(s)) {
      const std::string full = prefixOf(s) + written;
      const size_t length = ownerLength(full);
      // "arm1." itself is an instance: the rest of the name has to be found inside it.
      if (length <= prefixOf(s).size()) continue;
      const std::string owner = full.substr(0, length);
      const auto name = names_.find(owner);
      if (name == names_.end() || !name->second.isInstance) return full;
      std::string target = model_.withoutAliases(full);
      if (target != full) return target;
      const auto exported = connectors_.find(owner);
      const std::string rest = full.substr(length + 1);
      report(at, name->second.type + " '" + owner + "': no connector or part '" + rest + "'" +
                     (exported == connectors_.end() ? "" : didYouMean(rest, exported->second)));
      return "";
    }
    if (names_.count(prefixOf(scope) + written) > 0 || written == model_.world.name) {
      const bool isWorld = written == model_.world.name;
      report(at, "a connection must name a connector, as '" + written +
                     (isWorld ? ".frame_b', found the World"
                              : ".frame_a', found component '" + written + "'"));
      return "";
    }
    const std::string owner = written.substr(0, written.rfind('.'));
    std::vector<std::string> known{model_.world.name};
    for (const auto& [name, unused] : names_) {
      if (name.starts_with(prefixOf(scope))) known.push_back(name.substr(prefixOf(scope).size()));
    }
    std::sort(known.begin(), known.end());
    report(at, "unknown component '" + owner + "'" + didYouMean(owner, known));
    return "";
  }

  struct Name {
    SourceMark at;
    std::string type;
    bool isInstance = false;
  };

  const Submodels& submodels_;
  ModelSource& model_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, Name> names_;
  std::unordered_map<std::string, Taken> taken_;
  std::unordered_map<std::string, std::vector<std::string>> connectors_;  ///< exported by instances
  std::vector<std::string> chain_;  ///< submodels that are being expanded
  std::set<std::string> reported_;
  std::set<std::tuple<std::string, int, int>> circles_;  ///< places that close one
  bool tooMany_ = false;
};

}  // namespace

void expandSections(const ModelSections& sections, const Submodels& submodels, ModelSource& model,
                    Diagnostics& diagnostics) {
  Expander(submodels, model, diagnostics).expandModel(sections);
}

}  // namespace cardan
