#include "engine/equations/when_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/equations/equations.h"
#include "engine/equations/model_names.h"
#include "engine/equations/own_unknowns.h"
#include "engine/structure/reading_order.h"

namespace cardan {
namespace {

class Binding {
 public:
  Binding(WhenClauses& whens, const OwnEquations& equations, const ModelSource& model,
          VariableTable& table, ParameterTable& parameters, Diagnostics& diagnostics)
      : whens_(whens),
        equations_(equations),
        model_(model),
        table_(table),
        parameters_(parameters),
        diagnostics_(diagnostics) {}

  void all() {
    for (const WhenDescription& w : model_.whens) {
      std::vector<WhenClauses::Branch>& clause = whens_.clauses.emplace_back();
      for (const WhenBranchDescription& b : w.branches) branch(b, w.scope, clause);
    }
    for (const AssertDescription& a : model_.assertions) assertion(a, whens_.assertions);
    order();
  }

 private:
  /// "'when h < 0'", for messages.
  std::unique_ptr<ExpressionVariable> bound(const SourceExpression& e) {
    const std::optional<Expression> parsed = e.readTree(diagnostics_);
    if (!parsed) return nullptr;
    return makeExpressionVariable(*parsed, e.scope, table_, parameters_, model_, diagnostics_,
                                  ExpressionPlace::when);
  }
  /// A scalar Boolean, or null and reported.
  std::unique_ptr<ExpressionVariable> condition(const SourceExpression& e, const char* what) {
    auto result = bound(e);
    if (!result) return nullptr;
    const BoundExpression& x = result->expression();
    if (x.isBoolean() && x.size() == 1) return result;
    diagnostics_.error(e.at, fmt::format("{} must be a Boolean, found {}", what,
                                         x.size() == 1 ? "a number" : "a " + x.shape().describe()));
    return nullptr;
  }

  void assertion(const AssertDescription& a, std::vector<WhenClauses::Assertion>& out) {
    if (auto c = condition(a.condition, "the condition of an assertion"))
      out.push_back({a.message, std::move(c)});
  }

  void branch(const WhenBranchDescription& b, int scope, WhenClauses::Clause& clause) {
    WhenClauses::Branch result;
    result.at = b.at;
    result.terminate = b.terminate;
    for (const SourceExpression& e : b.conditions) {
      result.text += (result.text.empty() ? "" : ", ") + e.text;
      if (auto c = condition(e, "the condition of 'when'"))
        result.conditions.push_back({std::move(c), whens_.held.slot()});
    }
    if (b.conditions.size() > 1) result.text = "{" + result.text + "}";
    result.text = (clause.empty() ? "when " : "elsewhen ") + result.text;
    for (const AssertDescription& a : b.assertions) assertion(a, result.assertions);
    for (const auto& a : b.set) set(a, scope, result);
    for (const auto& a : b.reinit) reinit(a, scope, result);
    clause.push_back(std::move(result));
  }

  void set(const WhenBranchDescription::Assignment& a, int scope, WhenClauses::Branch& out) {
    const auto v = equations_.variable(a.target, scope);
    if (!v) {
      std::vector<std::string> own;
      for (const VariableDescription& d : model_.variables) own.push_back(d.name);
      const bool parameter = parameters_.lookup(a.target, scope).isKnown();
      diagnostics_.error(a.at, "'set' must name one of the model's own variables, found " +
                                   std::string(parameter ? "parameter '" : "'") + a.target + "'" +
                                   didYouMean(a.target, own));
      return;
    }
    const VariableDescription& d = model_.variables[*v];
    if (!d.name.ends_with(a.target)) {
      diagnostics_.error(a.at, "'set' must name a whole variable, found '" + a.target + "'");
      return;
    }
    if (d.expression) {
      diagnostics_.error(a.at, "variable '" + d.name +
                                   "' is defined by its expression, so that 'when' cannot set it");
      return;
    }
    const HeldValues::Discrete* discrete = whens_.held.discrete(d.name);
    if (!discrete) return;  // reported
    const size_t clause = whens_.clauses.size() - 1;
    const auto [first, isNew] = setIn_.try_emplace(d.name, clause, a.at);
    if (!isNew && first->second.first != clause) {
      diagnostics_.error(a.at, "variable '" + d.name +
                                   "' is set by two 'when', whose order is open; use 'elsewhen'");
      diagnostics_.note(first->second.second, "first set here");
      return;
    }
    auto value = bound(a.value);
    if (!value) return;
    const BoundExpression& x = value->expression();
    const bool isBoolean = table_[discrete->variable].info.isBoolean;
    if (x.isBoolean() != isBoolean || x.size() != discrete->size) {
      diagnostics_.error(
          a.value.at,
          fmt::format("'{}' is {}, found {}", d.name,
                      isBoolean            ? std::string("a Boolean")
                      : discrete->size > 1 ? fmt::format("a vector of {} numbers", discrete->size)
                                           : std::string("a number"),
                      x.size() != 1 ? "a " + x.shape().describe()
                                    : std::string(x.isBoolean() ? "a Boolean" : "a number")) +
              (x.isBoolean() && !isBoolean ? "; say 'type: Boolean' under 'variables'" : ""));
      return;
    }
    out.set.push_back(
        {d.name, discrete->offset, discrete->size, d.type == "Integer", std::move(value)});
  }

  void reinit(const WhenBranchDescription::Assignment& a, int scope, WhenClauses::Branch& out) {
    WhenClauses::Reinit r;
    r.at = a.at;
    for (int s = scope; s >= 0 && r.elements.empty(); s = model_.scopes[s].parent) {
      r.name = model_.withoutAliases(model_.scopes[s].prefix + a.target);
      r.elements = table_.elements(r.name);
    }
    if (r.elements.empty()) {
      if (!model_.isUnread(a.target)) {
        diagnostics_.error(a.at,
                           "'reinit' must name a state, found '" + a.target + "'" +
                               diagnostics_.suggestion(a.target, [&] { return table_.names(); }));
      }
      return;
    }
    r.value = bound(a.value);
    if (!r.value) return;
    const BoundExpression& x = r.value->expression();
    if (x.isBoolean() || x.size() != std::ssize(r.elements)) {
      diagnostics_.error(a.value.at,
                         fmt::format("'reinit' of '{}' takes {} number{}, found {}", a.target,
                                     r.elements.size(), r.elements.size() == 1 ? "" : "s",
                                     x.isBoolean() ? "a Boolean" : "a " + x.shape().describe()));
      return;
    }
    out.reinit.push_back(std::move(r));
  }

  /// New values that others read come first; circles are reported.
  void order() {
    std::map<int, std::vector<size_t>> setters;  // by variable: numbers of the assignments
    std::vector<WhenClauses::Place> places;
    std::vector<const WhenClauses::Assignment*> list;
    for (size_t c = 0; c < whens_.clauses.size(); ++c) {
      for (size_t b = 0; b < whens_.clauses[c].size(); ++b) {
        for (size_t a = 0; a < whens_.clauses[c][b].set.size(); ++a) {
          const WhenClauses::Assignment& x = whens_.clauses[c][b].set[a];
          setters[whens_.held.discrete(x.name)->variable].push_back(list.size());
          places.push_back({c, b, a});
          list.push_back(&x);
        }
      }
    }
    std::vector<std::set<size_t>> reads(list.size());
    for (size_t i = 0; i < list.size(); ++i) {
      for (const int v : readBy(*list[i]->value, table_)) {
        if (const auto found = setters.find(v); found != setters.end())
          reads[i].insert(found->second.begin(), found->second.end());
      }
    }
    ReadingOrder order(reads);
    while (const auto i = order.next()) whens_.order.push_back(places[*i]);
    for (const size_t i : order.left()) {
      diagnostics_.error(list[i]->value->at(),
                         "the new value of '" + list[i]->name +
                             "' depends on itself; the value before the event is 'pre(" +
                             list[i]->name + ")'");
    }
  }

  WhenClauses& whens_;
  const OwnEquations& equations_;
  const ModelSource& model_;
  VariableTable& table_;
  ParameterTable& parameters_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::pair<size_t, SourceMark>> setIn_;
};

}  // namespace

std::set<int> readBy(const ExpressionVariable& e, const VariableTable& table) {
  std::vector<int> direct;
  for (const ExpressionVariable::Source& s : e.sources()) direct.push_back(s.variable);
  std::set<int> result;
  forEachRead(table, direct, [&](int v) { result.insert(v); });
  return result;
}

void addDiscretes(WhenClauses& whens, const OwnEquations& equations, ModelSource& model,
                  VariableTable& table, ParameterTable& parameters, Diagnostics& diagnostics) {
  (void)table;
  for (const size_t i : equations.discretes()) {
    const VariableDescription& v = model.variables[i];
    if (model.unread.contains(v.name)) continue;
    static constexpr const char* kTypes[] = {"", "Real", "Integer", "Boolean"};
    if (std::ranges::find(kTypes, v.type) == std::end(kTypes)) {
      diagnostics.error(v.at, "variable '" + v.name + "': unknown type '" + v.type +
                                  "'; what 'when' sets is Real, Integer or Boolean");
      model.unread.insert(v.name);
      continue;
    }
    if (equations.order(i) > 0 || v.rate.start || v.rate.fixed) {
      diagnostics.error(v.at,
                        "variable '" + v.name + "' is set by 'when', so that it has no derivative");
      model.unread.insert(v.name);
      continue;
    }
    std::optional<std::vector<int>> sizes = statedSizes(v);
    const bool isBoolean = model.isBoolean(v);
    const int errors = diagnostics.errorCount();
    const ModelEquations::StartValues start =
        readStart(v, v.start, v.name, sizes, parameters, diagnostics, isBoolean);
    if (diagnostics.errorCount() > errors) {
      model.unread.insert(v.name);
      continue;
    }
    VariableInfo info{v.name, v.unit, v.description.empty() ? "set at events" : v.description};
    info.isBoolean = isBoolean;
    whens.held.addDiscrete(v.name, std::move(info), std::move(*sizes), start.start);
  }
}

void bindWhens(WhenClauses& whens, const OwnEquations& equations, const ModelSource& model,
               VariableTable& table, ParameterTable& parameters, Diagnostics& diagnostics) {
  Binding(whens, equations, model, table, parameters, diagnostics).all();
}

namespace {

/// Derivatives of a variable by the differential unknowns that are not zero, at a point that `shift`
/// chooses.
std::map<int, double> derivativesAt(const Equations& equations, const VariableTable& table,
                                    VariableElement e, double shift) {
  const Layout& l = equations.layout();
  Workspace<Dual> w = equations.makeWorkspace<Dual>();
  for (size_t i = 0; i < w.y.size(); ++i) {
    w.y[i] = Dual(l.unknowns[i].start + shift + 0.01 * static_cast<double>(i % 7));
    w.yp[i] = Dual(0.3);
  }
  std::vector<Dual> out(table[e.variable].size);
  std::map<int, double> found;
  for (int i = 0; i < l.lambdaOffset(); ++i) {
    w.y[i].setLane(0, 1);
    equations.evaluate(w, {.kinematicRows = false, .measure = true});
    table[e.variable].function->evaluate(View<Dual>(w.tables), out.data());
    const double slope = out[e.element].lane(0);
    if (slope != 0) found[i] = slope;
    w.y[i].setLane(0, 0);
  }
  return found;
}

/// The unknown that setting a variable sets; none where it is none.
WhenClauses::Reinit::Target targetOf(VariableElement e, const Equations& equations,
                                     const VariableTable& table,
                                     const std::map<std::pair<int, int>, int>& unknownOf) {
  WhenClauses::Reinit::Target target;
  const Level level = table[e.variable].info.level;
  if (const auto u = unknownOf.find({e.variable, e.element}); u != unknownOf.end()) {
    target.unknown = u->second;
  } else if (level == Level::Position || level == Level::Velocity) {
    // A variable that is one unknown under another name (an inertia's angle behind a gear) has the
    // same derivatives at two points, and one only.
    const auto here = derivativesAt(equations, table, e, 0.1);
    const auto there = derivativesAt(equations, table, e, 0.37);
    if (here.size() == 1 && here == there &&
        equations.layout().unknowns[here.begin()->first].differential)
      target = {here.begin()->first, here.begin()->second};
  }
  return target;
}

}  // namespace

void bindReinits(WhenClauses& whens, const Equations& equations, const VariableTable& table,
                 Diagnostics& diagnostics) {
  const Layout& l = equations.layout();
  std::map<std::pair<int, int>, int> unknownOf;
  bool any = false;
  for (const WhenClauses::Clause& c : whens.clauses) {
    for (const WhenClauses::Branch& b : c) any = any || !b.reinit.empty();
  }
  if (!any) return;
  for (int i = 0; i < l.lambdaOffset(); ++i) {
    if (!l.unknowns[i].differential) continue;
    const auto e = table.elements(l.unknowns[i].name);
    if (e.size() == 1) unknownOf.insert({{e[0].variable, e[0].element}, i});
  }
  for (WhenClauses::Clause& c : whens.clauses) {
    for (WhenClauses::Branch& b : c) {
      for (WhenClauses::Reinit& r : b.reinit) {
        for (const VariableElement& e : r.elements) {
          const auto target = targetOf(e, equations, table, unknownOf);
          if (target.unknown < 0) {
            diagnostics.error(r.at,
                              "'reinit' must name a state: a variable with a derivative in "
                              "the equations, or a coordinate of a joint in the tree or of "
                              "a part with inertia, found '" +
                                  table.nameOf(e) + "'");
            break;
          }
          r.targets.push_back(target);
        }
      }
    }
  }
}

}  // namespace cardan
