#include "engine/modelica/given_parameters.h"

#include <utility>

namespace cardan::modelica {
namespace {

class GivenParameters {
 public:
  GivenParameters(Instance& model, Evaluation& evaluation) : evaluation_(evaluation) {
    for (const auto& [name, e] : model.definition->experiment) {
      if (name != "StartTime") continue;
      if (const auto v = evaluation_.known(e, {model.definition, nullptr, nullptr}))
        start_ = v->number;
    }
    gather(model);
  }

  /// As one may hang on another: until no more have a value.
  void give() {
    for (bool isMore = true; isMore;) {
      isMore = false;
      for (const Candidate& c : candidates_) {
        Modifier& m = c.isStart ? c.component->modifier.part("start") : c.component->modifier;
        if (m.value || !isOfParameters(*c.value, c.scope)) continue;
        m.value = Binding{c.value, c.scope, {}};
        c.component->isGiven = !c.isStart && !c.isOfTime;
        isMore = true;
      }
    }
  }

 private:
  struct Candidate {
    Component* component;
    const Expression* value;
    Scope scope;
    bool isStart, isOfTime;
  };

  void gather(Instance& instance) {
    for (const ClassDefinition* d : instance.definitions)
      gather(d->initialEquations, instance, {d, &instance, nullptr});
    const auto inside = [&](const auto& self, Component& c) -> void {
      if (c.isRemoved || c.inner) return;
      for (const auto& element : c.elements) self(self, *element);
      if (c.instance && c.type.kind == TypeKind::composite) gather(*c.instance);
    };
    for (const auto& c : instance.components) inside(inside, *c);
  }

  void gather(const std::vector<Equation>& all, Instance& instance, const Scope& scope) {
    for (const Equation& e : all) {
      if (e.kind == EquationKind::conditional) {
        for (const Equation::Branch& b : e.branches) {
          const auto holds = b.condition ? evaluation_.known(*b.condition, scope) : std::nullopt;
          if (b.condition && !holds) break;
          if (holds && holds->number == 0) continue;
          gather(b.equations, instance, scope);
          break;
        }
      } else if (e.kind == EquationKind::equal && e.left->kind == ExpressionKind::tuple) {
        for (size_t k = 0; k < e.left->arguments.size(); ++k)
          add(e.left->arguments[k], *e.right, k, instance, scope);
      } else if (e.kind == EquationKind::equal) {
        add(*e.left, *e.right, 0, instance, scope);
      }
    }
  }

  /// `isBefore`: of pre(left), where a variable begins that `when` sets.
  void add(const Expression& left, Expression right, size_t result, Instance& instance,
           const Scope& scope, bool isBefore = false) {
    if (calledName(left) == "pre" && left.arguments.size() == 1)
      return add(left.arguments[0], std::move(right), 0, instance, scope, true);
    const bool isName = left.kind == ExpressionKind::name && left.name.size() == 1 &&
                        left.name[0].subscripts.empty();
    Component* c = isName ? instance.find(left.name[0].name) : nullptr;
    if (!c || c->value() || !c->type.isSimple()) return;
    const auto fixed = evaluation_.known(c->modifier.find("fixed"));
    const bool isFree = c->isParameter() && fixed && fixed->number == 0;
    if (isBefore ? c->variability != Variability::discrete : !isFree) return;
    if (result > 0) right.number = static_cast<double>(result);
    const bool isOfTime = replaceTime(right);
    const Expression& value = instance.values.emplace_back(std::move(right));
    candidates_.push_back({c, &value, scope, isBefore, isOfTime});
  }

  bool replaceTime(Expression& e) {
    bool isOfTime =
        e.kind == ExpressionKind::name && e.name.size() == 1 && e.name[0].name == "time";
    if (isOfTime) e = numberAt(e.at, start_);
    for (Expression& a : e.arguments) isOfTime = replaceTime(a) || isOfTime;
    return isOfTime;
  }

  bool isOfParameters(const Expression& e, const Scope& scope) {
    bool is = true;
    forNames(e, [&](const Expression& name, bool isRate) {
      try {
        const Target t = evaluation_.resolve(name, scope);
        is = is && !isRate &&
             (t.kind == Target::Kind::value ||
              (t.component->isParameter() &&
               (t.component->value() || t.component->isOfWhole() || t.component->isEmpty())));
      } catch (const Refusal&) {
        is = false;
      }
    });
    return is;
  }

  Evaluation& evaluation_;
  std::vector<Candidate> candidates_;
  double start_ = 0;  ///< [s]
};

}  // namespace

void giveParameters(Instance& model, Evaluation& evaluation) {
  GivenParameters(model, evaluation).give();
}

}  // namespace cardan::modelica
