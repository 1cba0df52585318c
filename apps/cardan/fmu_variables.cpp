#include "apps/cardan/fmu_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "apps/cosimulation/types.h"
#include "engine/expression/units.h"
#include "engine/expression/value.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_source.h"
#include "engine/model_file/type_description.h"
#include "engine/model_parts.h"
#include "engine/motion_exchange.h"
#include "engine/motion_point.h"
#include "engine/results/run_options.h"
#include "engine/structure/unknowns.h"
#include "engine/text/glob.h"

namespace cardan {
namespace {

/// "m.kg.s-2" of a dimension, for values that are in SI units whatever the file says; `perSecond`: of
/// their rates.
std::string siName(const std::string& unit, bool perSecond = false) {
  UnitError error;
  auto parsed = unit.empty() ? std::nullopt : parseUnit(unit, error);
  if (!parsed || (parsed->isSi() && !perSecond)) return perSecond ? "" : unit;
  if (perSecond) --parsed->dimension.exponents[Dimension::time];
  constexpr const char* kBases[] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad", ""};
  std::string name;
  for (int b = 0; b < Dimension::kBases; ++b) {
    const int exponent = parsed->dimension.exponents[b];
    if (exponent == 0 || !*kBases[b]) continue;
    name += (name.empty() ? "" : ".") + std::string(kBases[b]);
    if (exponent != 1) name += std::to_string(exponent);
  }
  return name.empty() ? "1" : name;
}

/// A number as it stands, with or without a unit; a list of them.
bool isLiteral(const YamlNode& node) {
  if (node.isSequence())
    return !node.items.empty() && std::ranges::all_of(node.items, [](const YamlNode& item) {
      return item.isScalar() && isLiteral(item);
    });
  return node.isScalar() && (fmuNumber(node.text) || asQuantity(node.text));
}

/// The argument of a dotted name, which composites have as nested maps; null: not given.
const YamlNode* argument(const YamlNode& arguments, const std::string& name) {
  if (const YamlNode* whole = arguments.find(name)) return whole;
  for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
    const YamlNode* part = arguments.find(name.substr(0, dot));
    if (!part || !part->isMap()) continue;
    if (const YamlNode* found = argument(*part, name.substr(dot + 1))) return found;
  }
  return nullptr;
}

std::string baseOf(const std::string& name) {
  return name.ends_with(']') ? name.substr(0, name.rfind('[')) : name;
}

class Collector {
 public:
  Collector(Simulation& simulation, const FmuChoice& choice)
      : simulation_(simulation), choice_(choice), parts_(simulation), point_(simulation) {}

  std::vector<FmuVariable> collect() {
    variables_.push_back({"time", FmuKind::real, FmuRole::independent, "", "", false, "s", "time"});
    taken_.insert("time");
    addInputs();
    addOwnParameters();
    addComponentParameters(parts_.source().world);
    for (const ComponentDescription& c : parts_.source().components) addComponentParameters(c);
    for (const std::string& p : choice_.parameters) {
      if (!used_.contains(p))
        diagnostics_.error({}, "--parameter '" + p + "' names no number of a component");
    }
    addResults();
    diagnostics_.throwIfErrors();
    return std::move(variables_);
  }

 private:
  void add(FmuVariable v) {
    if (taken_.insert(v.name).second) variables_.push_back(std::move(v));
  }

  /// A number, or the elements of a vector.
  void addValue(FmuVariable v, const ExpressionValue& x) {
    if (x.isString() && x.string().find_first_of("\t\n\r") != std::string::npos) return;
    if (x.isMatrix() || (!x.isReal() && !x.isBoolean() && !x.isString())) return;
    if (x.isBoolean() || x.isString()) {
      v.kind = x.isBoolean() ? FmuKind::boolean : FmuKind::text;
      v.start = x.isString() ? x.string() : x.boolean() ? "true" : "false";
      if (v.role == FmuRole::parameter) v.role = FmuRole::constant;
      if (v.kind == FmuKind::text) v.role = FmuRole::constant;
    }
    if (v.role != FmuRole::parameter) v.target.clear();
    const std::string name = v.name;
    for (int k = 0; k < x.size() || (k == 0 && x.isString()); ++k) {
      if (x.isVector()) v.name = fmt::format("{}[{}]", name, k + 1);
      if (x.isReal()) v.start = formatNumber(x.elements()[k]);
      if (v.role == FmuRole::calculated) v.start.clear();
      if (x.isReal() && !std::isfinite(x.elements()[k])) return;
      add(v);
    }
  }

  void addInputs() {
    const std::vector<InputDescription>& own = parts_.source().inputs;
    for (const PointInput& i : point_.inputs()) {
      FmuVariable v{i.name, FmuKind::real, FmuRole::tunable, formatNumber(point_.input(i)),
                    "",     false,         i.unit,           "number at a signal input"};
      const auto in = std::ranges::find_if(own, [&](const InputDescription& d) {
        return d.name == i.name || d.name == baseOf(i.name);
      });
      if (in != own.end()) {
        v.role = FmuRole::input;
        v.description = in->description;
      } else if (!isGiven(i.name)) {
        continue;
      }
      add(std::move(v));
    }
  }

  /// The file has a number for this input of a component.
  bool isGiven(const std::string& name) const {
    for (const ComponentDescription& c : parts_.source().components) {
      if (!name.starts_with(c.name + ".")) continue;
      const YamlNode* given = argument(c.arguments, baseOf(name).substr(c.name.size() + 1));
      if (given && isLiteral(*given)) return true;
    }
    return false;
  }

  void addOwnParameters() {
    std::map<std::string, ExpressionValue> own;
    for (const auto& [name, x] : parts_.ownParameters()) own.emplace(name, x);
    for (const auto& [name, x] : parts_.foundParameters()) own.erase(name);
    for (const ModelParameter& p : parts_.source().parameters) {
      if (!p.value || !own.contains(p.name)) continue;
      const bool isSet = isLiteral(p.expression) || p.value->isBoolean();
      addValue({p.name, FmuKind::real, isSet ? FmuRole::parameter : FmuRole::calculated, "", p.name,
                false, siName(p.unit), "parameter of the model"},
               *p.value);
    }
  }

  void addComponentParameters(const ComponentDescription& c) {
    const auto values = parts_.parameters(c);
    if (values.empty()) return;
    const std::map<std::string, DocumentedParameter>& known = documentation(c.type);
    for (const auto& [key, x] : values) {
      const auto d = known.find(key);
      if (d == known.end() || d->second.type == "start value" || d->second.type == "input")
        continue;
      const std::string name = c.name + "." + key;
      const YamlNode* given = argument(c.arguments, key);
      const bool isNumber = d->second.type == "number" || d->second.type.starts_with("vector");
      const bool isAsked = isNumber && !given && isWanted(name);
      if (!(given && isLiteral(*given)) && !(given && x.isBoolean() && given->isScalar()) &&
          !isAsked)
        continue;
      FmuVariable v{name,
                    d->second.type == "integer" ? FmuKind::integer : FmuKind::real,
                    isNumber ? FmuRole::parameter : FmuRole::constant,
                    "",
                    name,
                    false,
                    d->second.unit,
                    d->second.description};
      addValue(std::move(v), x);
    }
  }

  bool isWanted(const std::string& name) {
    bool wanted = false;
    for (const std::string& p : choice_.parameters) {
      if (!matchesGlob(name, p)) continue;
      used_.insert(p);
      wanted = true;
    }
    return wanted;
  }

  const std::map<std::string, DocumentedParameter>& documentation(const std::string& type) {
    const auto [at, isNew] = documented_.try_emplace(type);
    if (!isNew) return at->second;
    for (const CatalogueEntry& e : allTypes()) {
      if (e.type != type) continue;
      for (DocumentedParameter& p : describeType(e).parameters) {
        std::string name = p.name;
        at->second.emplace(std::move(name), std::move(p));
      }
    }
    return at->second;
  }

  void addResults() {
    std::vector<std::string> stated;
    for (const Unknowns::Unknown& u : point_.unknowns().unknowns) {
      if (u.differential && !point_.unknowns().still) stated.push_back(u.name);
    }
    stated.insert(stated.end(), choice_.locals.begin(), choice_.locals.end());
    const std::map<std::string, FmuVariable> starts = startValues();
    addColumns({}, true, starts);
    std::vector<OutputPattern> locals;
    for (const std::string& s : stated) {
      // Not all states are variables with a name.
      if (parts_.hasVariable(baseOf(s)) ||
          std::ranges::find(choice_.locals, s) != choice_.locals.end())
        locals.push_back({s, {}});
    }
    if (!locals.empty()) addColumns(locals, false, starts);
  }

  void addColumns(const std::vector<OutputPattern>& patterns, bool isOutput,
                  const std::map<std::string, FmuVariable>& starts) {
    const std::vector<OutputPattern>& those = patterns.empty() ? parts_.source().outputs : patterns;
    const PointRows rows(simulation_, those, nullptr, diagnostics_);
    for (const Column& c : rows.columns()) {
      FmuVariable v{c.name,
                    c.isBoolean ? FmuKind::boolean : FmuKind::real,
                    FmuRole::result,
                    "",
                    "",
                    isOutput,
                    c.unit,
                    c.description};
      if (const auto s = starts.find(c.name); s != starts.end() && !c.isBoolean) {
        v.role = s->second.role;
        v.start = s->second.start;
        v.target = s->second.target;
      }
      add(std::move(v));
    }
  }

  /// States with a start value, what the start has found for it; a vector only where all of it is one.
  std::map<std::string, FmuVariable> startValues() const {
    std::map<std::string, double> states;
    const std::vector<Unknowns::Unknown>& unknowns = point_.unknowns().unknowns;
    for (size_t i = 0; i < unknowns.size(); ++i) {
      if (unknowns[i].differential) states.emplace(unknowns[i].name, simulation_.y()[i]);
    }
    std::map<std::string, FmuVariable> starts;
    std::map<std::string, size_t> elements;
    for (const PointStart& s : point_.starts()) {
      const auto u = states.find(s.name);
      if (u == states.end()) continue;
      starts[s.name] = {s.name,
                        FmuKind::real,
                        s.fixed ? FmuRole::exactStart : FmuRole::approxStart,
                        formatNumber(u->second),
                        baseOf(s.name) + ".start",
                        false,
                        "",
                        ""};
      ++elements[baseOf(s.name)];
    }
    std::erase_if(starts, [&](const auto& entry) {
      const std::vector<int> d = parts_.dimensions(baseOf(entry.first));
      return entry.first.ends_with(']') &&
             (d.size() != 1 || elements[baseOf(entry.first)] != static_cast<size_t>(d[0]));
    });
    return starts;
  }

  Simulation& simulation_;
  const FmuChoice& choice_;
  ModelParts parts_;
  PointEquations point_;
  Diagnostics diagnostics_;
  std::vector<FmuVariable> variables_;
  std::set<std::string> taken_, used_;
  std::map<std::string, std::map<std::string, DocumentedParameter>> documented_;
};

/// What --set needs for the variables of one target, all as they are, the first one moved by `change`.
std::string overrideOf(const std::vector<FmuVariable>& variables, const std::string& target,
                       double change) {
  std::string text;
  bool isList = false;
  for (const FmuVariable& v : variables) {
    if (v.target != target) continue;
    isList = isList || v.isListElement();
    const double x = fmuNumber(v.start).value_or(0) + (text.empty() ? change : 0);
    text += (text.empty() ? "" : ", ") + formatNumber(x);
  }
  return target + "=" + (isList ? "[" + text + "]" : text);
}

std::vector<std::string> namesOf(const Simulation& simulation) {
  std::vector<std::string> names;
  for (const ModelParts::Variable& v : ModelParts(simulation).variables())
    names.push_back(fmt::format("{}{}", v.name, fmt::join(v.dimensions, ",")));
  return names;
}

/// How a model with overrides compares with the one without.
class FmuTrial {
 public:
  using Loader = std::function<Simulation(const Overrides&)>;
  FmuTrial(const Simulation& simulation, const Loader& load)
      : load_(load), names_(namesOf(simulation)), parts_(simulation) {}

  /// It has the same variables.
  bool keepsStructure(const Overrides& overrides) const {
    return holds(overrides, [&](const Simulation& s) { return namesOf(s) == names_; });
  }
  /// It has the same values.
  bool changesNothing(const Overrides& overrides) const {
    return holds(overrides, [&](const Simulation& s) {
      const ModelParts parts(s);
      return namesOf(s) == names_ && parts.parameters() == parts_.parameters() &&
             parts.ownParameters() == parts_.ownParameters();
    });
  }

 private:
  template <class F>
  bool holds(const Overrides& overrides, F f) const {
    try {
      return f(load_(overrides));
    } catch (const ModelError&) {
      return false;
    }
  }

  const Loader& load_;
  std::vector<std::string> names_;
  ModelParts parts_;
};

}  // namespace

std::vector<FmuVariable> fmuVariables(Simulation& simulation, const FmuChoice& choice,
                                      const std::function<Simulation(const Overrides&)>& loadWith,
                                      std::vector<std::string>& dropped) {
  simulation.initialise();
  std::vector<FmuVariable> variables = Collector(simulation, choice).collect();
  const FmuTrial trial(simulation, loadWith);
  std::vector<std::string> targets;
  std::set<std::string> structural;
  for (const FmuVariable& v : variables) {
    if (v.target.empty() || (!targets.empty() && targets.back() == v.target)) continue;
    targets.push_back(v.target);
    // A whole number may count parts: one more of them is another structure.
    const double x = fmuNumber(v.start).value_or(0.5);
    if (v.role == FmuRole::parameter && v.unit.empty() && !v.isListElement() &&
        x == std::floor(x) && !trial.keepsStructure({overrideOf(variables, v.target, 1)}))
      structural.insert(v.target);
  }
  Overrides all;
  for (const std::string& t : targets) all.push_back(overrideOf(variables, t, 0));
  std::set<std::string> wrong;
  if (!trial.changesNothing(all)) {
    for (const std::string& t : targets) {
      if (!trial.changesNothing({overrideOf(variables, t, 0)})) wrong.insert(t);
    }
  }
  for (FmuVariable& v : variables) {
    if (v.target.empty() || (!wrong.contains(v.target) && !structural.contains(v.target))) continue;
    if (!v.isStart() && wrong.contains(v.target)) dropped.push_back(v.name);
    // A start that goes by another name (a body's w_0_start) is none of the variable.
    if (v.isStart()) v.start.clear();
    v.role = v.isStart() ? FmuRole::result : FmuRole::constant;
    v.target.clear();
  }
  return variables;
}

void addExchange(FmuDescription& fmu, Simulation& simulation, int fmiVersion) {
  MotionExchange exchange(simulation);
  try {
    fmu.noExchange = exchange.start({});
  } catch (const SolverError& e) {
    fmu.noExchange = e.what();
  } catch (const ModelError& e) {
    fmu.noExchange = e.what();
  }
  std::ranges::replace_if(
      fmu.noExchange, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  if (!fmu.noExchange.empty()) return;
  std::map<std::string, size_t> known;
  for (const FmuVariable& v : fmu.variables) known.emplace(v.name, known.size());
  const auto add = [&](std::string name, FmuRole role, size_t ordinal, const std::string& unit) {
    while (!known.emplace(name, known.size()).second) name = "_" + name;
    fmu.variables.push_back({name, FmuKind::real, role, "", "", false, unit, ""});
    fmu.variables.back().ordinal = static_cast<int>(ordinal);
  };
  const std::vector<Unknowns::Unknown>& unknowns = PointEquations(simulation).unknowns().unknowns;
  const std::vector<int> places = MotionExchange::states(simulation);
  const std::vector<double> nominals = exchange.nominals();
  std::vector<int> references;
  for (size_t k = 0; k < places.size(); ++k) {
    const Unknowns::Unknown& u = unknowns[places[k]];
    const auto at = known.find(u.name);
    const bool isResult = at != known.end() && fmu.variables[at->second].isResult();
    references.push_back(static_cast<int>(isResult ? at->second : known.size()));
    if (!isResult) add(u.name, FmuRole::state, k, siName(u.unit));
    fmu.variables[references.back()].ordinal = static_cast<int>(k);
    fmu.variables[references.back()].nominal = formatNumber(nominals[k]);
  }
  for (size_t k = 0; k < places.size(); ++k) {
    const Unknowns::Unknown& u = unknowns[places[k]];
    std::string name = "der(" + u.name + ")";
    // Speeds of one-dimensional parts go by such a name themselves.
    if (u.name.starts_with("der(")) name = u.name.substr(0, u.name.size() - 1) + ",2)";
    if (known.contains(name)) name = "rate." + u.name;
    add(name, FmuRole::derivative, k, siName(u.unit, true));
    fmu.variables.back().stateOf = references[k];
  }
  fmu.states = places.size();
  fmu.indicators = exchange.margins();
  for (size_t k = 0; fmiVersion == 3 && k < fmu.indicators; ++k)
    add(fmt::format("eventIndicator[{}]", k + 1), FmuRole::indicator, k, "");
}

}  // namespace cardan
