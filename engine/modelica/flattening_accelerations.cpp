// Rates of what is a rate of a potential are accelerations: an inertia of zero makes the node's motion one of
// states, and has its acceleration.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/modelica/flattening.h"
#include "engine/modelica/flow_source.h"

namespace cardan::modelica {
namespace {

bool isFlange(const FlowSource& source) { return source.connector.ends_with("flange"); }

}  // namespace

class Flattening::Accelerations {
 public:
  explicit Accelerations(Flattening& flattening)
      : f_(flattening), translation_(flattening.translation_) {}

  void find() {
    for (const auto& [instance, rows] : f_.potentialRows_) {
      f_.inBody(f_.folding_.bodyOf(*instance),
                [&, &in = *instance] { f_.guarded([&] { look(in); }); });
    }
    for (const auto& [potential, all] : nodes_) measure(all);
  }

 private:
  /// A variable that is a flange's velocity, or a name of its angle or place, but for a factor.
  struct Second {
    const Instance* instance;
    const Component* rate;      ///< or null
    const Component* variable;  ///< the name, if it is one of a variable
    Tree position;
    const Driven* driven;
    Tree factor, shift;
  };

  /// `variable = der(of)`, or, of none, `der(der(of))`
  struct Rate {
    const Component* variable;
    const Expression* of;
    const Scope* scope;
  };

  /// Rates in a composite of which rates are asked for.
  void look(const Instance& instance) {
    twice_.clear();
    rates_.clear();
    for (const auto& c : instance.components) {
      if (!c->value() || c->isParameter() || c->isRemoved || !c->type.isSimple()) continue;
      const Scope& scope = c->value()->scope;
      read(*c->value()->expression, scope);
      if (scope.instance == &instance) pair(c.get(), *c->value()->expression, scope);
    }
    for (const FlatEquation& e : f_.equations_) {
      if (e.scope.instance == &instance)
        forSimple({&e, 1}, [&](const FlatEquation& one) { read(one); });
    }
    for (const Rate& r : rates_) {
      if (!r.variable || twice_.contains(r.variable)) add(r);
    }
  }

  void read(const Expression& e, const Scope& scope) {
    forNames(e, [&](const Expression& name, bool isRate) {
      if (const Component* c = isRate ? translation_.variableIn(name, scope) : nullptr)
        twice_.insert(c);
    });
    forAll(e, [&](const Expression& one) {
      const Expression* rate = rateArgument(one);
      if (const Expression* of = rate ? rateNamed(*rate) : nullptr)
        rates_.push_back({nullptr, of, &scope});
    });
  }

  void read(const FlatEquation& e) {
    if (e.equation->kind != EquationKind::equal) return;
    const Expression &left = *e.equation->left, &right = *e.equation->right;
    read(left, e.scope);
    read(right, e.scope);
    pair(translation_.variableIn(left, e.scope), right, e.scope);
    pair(translation_.variableIn(right, e.scope), left, e.scope);
  }

  void pair(const Component* variable, const Expression& e, const Scope& scope) {
    const Expression* of = rateNamed(e);
    if (variable && of) rates_.push_back({variable, of, &scope});
  }

  void add(const Rate& rate) {
    const Instance& instance = *rate.scope->instance;
    const Tree position = positionOf(*rate.of, *rate.scope);
    if (!position) return;
    for (const Driven& d : f_.driven_) {
      if (&ownerOf(*d.connector) != &instance || !isFlange(*d.source)) continue;
      const std::string potential = f_.potentialOf(d);
      const auto form = linearIn(position, potential);
      if (!form || numberIn(*form->factor) == 0 || !f_.isOfParameters(*form->factor) ||
          !f_.isOfParameters(*form->rest))
        continue;
      nodes_[f_.tiedTo(potential)].push_back(
          {&instance, rate.variable, translation_.variableIn(*rate.of, *rate.scope),
           translation_.tree(*rate.of, *rate.scope), &d, form->factor, form->rest});
      return;
    }
  }

  /// What a name is, as an expression of potentials; null where that is not known.
  Tree positionOf(const Expression& name, const Scope& scope) {
    const Instance& instance = *scope.instance;
    if (const Component* x = translation_.variableIn(name, scope)) {
      const auto& rows = f_.potentialRows_[&instance];
      const auto row = rows.find(x->path);
      if (row == rows.end()) return nullptr;
      const std::string here = translation_.nameHere(x->path);
      return f_.withDefinitions(f_.valueIn(row->second, here), instance, row->second);
    }
    return translation_.tree(name, scope);
  }

  /// Inertias of zero at the flanges of a node make its motion one of states and give the accelerations.
  void measure(const std::vector<Second>& node) {
    std::set<const Driven*> measured;
    for (const Second& s : node) {
      f_.inBody(f_.folding_.bodyOf(*s.instance), [&] {
        const SourceMark at = s.driven->connector->mark();
        const std::string part = besides(*s.driven->connector, "_acceleration"),
                          name = translation_.nameHere(part);
        const bool isTurning = s.driven->source->connector.starts_with("rotational");
        const char *const q = isTurning ? ".phi" : ".s", *const v = isTurning ? ".w" : ".v";
        const Tree velocity = productOf(s.factor, nameNode(name + v)),
                   a = productOf(s.factor, nameNode(name + ".a"));
        if (s.rate) {
          translation_.addAcceleration(*s.rate, a);
          f_.coordinates_.insert({s.rate, {part + v, s.factor, numberNode(0)}});
          holdGuess(*s.rate);
        }
        translation_.addMotion(s.position, velocity, a);
        if (s.variable) f_.coordinates_.insert({s.variable, {part + q, s.factor, s.shift}});
        if (!measured.insert(s.driven).second) return;
        f_.addPart(name, isTurning ? "Rotational.Inertia" : "Translational.Mass",
                   {{isTurning ? "J" : "m", numberNode(0)}}, at);
        f_.out_->connections.push_back(
            {translation_.nameHere(s.driven->end()), name + ".flange_a", at});
      });
    }
  }

  /// A velocity that is no state of its own starts where it is guessed, too.
  void holdGuess(const Component& rate) {
    const Modifier* start = rate.modifier.find("start");
    if (!start || !start->value || rate.modifier.find("fixed")) return;
    const std::optional<Value> v = f_.evaluation_.known(*start->value);
    if (v && v->isNumber() && v->number == 0) return;
    f_.guarded([&] {
      f_.addInitial(nameNode(translation_.nameHere(rate.path)), translation_.tree(*start->value),
                    start->at);
    });
  }

  Flattening& f_;
  Translation& translation_;
  std::map<std::string, std::vector<Second>> nodes_;  ///< by the potential of flanges that are one
  // Of the composite that is looked at.
  std::set<const Component*> twice_;  ///< of which a rate is asked for
  std::vector<Rate> rates_;
};

void Flattening::findAccelerations() { Accelerations(*this).find(); }

}  // namespace cardan::modelica
