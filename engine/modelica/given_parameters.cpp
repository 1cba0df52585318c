#include "engine/modelica/given_parameters.h"

#include <utility>

namespace cardan::modelica {
namespace {

class GivenParameters {
 public:
  GivenParameters(const Instance& model, Evaluation& evaluation) : evaluation_(evaluation) {
    for (const auto& [name, e] : model.definition->experiment) {
      if (name != "StartTime") continue;
      if (const auto v = evaluation_.known(e, {model.definition, nullptr, nullptr}))
        start_ = v->number;
    }
  }

  /// Those that hang on nothing but parameters with a value. True: some have got one.
  bool give(Instance& instance) {
    bool any = false;
    for (const ClassDefinition* d : instance.definitions)
      any = give(d->initialEquations, instance, {d, &instance, nullptr}) || any;
    const auto inside = [&](const auto& self, Component& c) -> void {
      if (c.isRemoved || c.inner) return;
      for (const auto& element : c.elements) self(self, *element);
      if (c.instance && c.type.kind == TypeKind::composite) any = give(*c.instance) || any;
    };
    for (const auto& c : instance.components) inside(inside, *c);
    return any;
  }

 private:
  bool give(const std::vector<Equation>& all, Instance& instance, const Scope& scope) {
    bool any = false;
    for (const Equation& e : all) {
      for (const Equation::Branch& b : e.branches) {
        if (e.kind != EquationKind::conditional) break;
        const auto holds =
            b.condition ? evaluation_.known(*b.condition, scope) : Value::boolean(true);
        if (holds && holds->number == 0) continue;
        if (holds) any = give(b.equations, instance, scope) || any;
        break;
      }
      if (e.kind != EquationKind::equal) continue;
      const bool isTuple = e.left->kind == ExpressionKind::tuple;
      for (size_t k = 0; k < (isTuple ? e.left->arguments.size() : 1); ++k)
        any = give(isTuple ? e.left->arguments[k] : *e.left, *e.right, k, instance, scope) || any;
    }
    return any;
  }

  /// `result`: which one of the right side's.
  bool give(const Expression& left, Expression right, size_t result, Instance& instance,
            const Scope& scope) {
    const bool isBefore = calledName(left) == "pre" && left.arguments.size() == 1;
    const Expression& of = isBefore ? left.arguments[0] : left;
    const bool isName =
        of.kind == ExpressionKind::name && of.name.size() == 1 && of.name[0].subscripts.empty();
    Component* c = isName ? instance.find(of.name[0].name) : nullptr;
    if (!c || c->value() || !c->type.isSimple()) return false;
    const auto fixed = evaluation_.known(c->modifier.find("fixed"));
    const bool isFree = c->isParameter() && fixed && fixed->number == 0;
    if (isBefore ? c->variability != Variability::discrete : !isFree) return false;
    const bool isOfTime = replaceTime(right);
    Modifier& m = isBefore ? c->modifier.part("start") : c->modifier;
    if (m.value || !isOfParameters(right, scope)) return false;
    if (result > 0) right.number = static_cast<double>(result);
    m.value = Binding{&instance.values.emplace_back(std::move(right)), scope, {}};
    c->isGiven = !isBefore && !isOfTime;
    return true;
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
        const Component* c = t.component;
        is = is && !isRate &&
             (t.kind == Target::Kind::value ||
              (c->isParameter() && (c->value() || c->isOfWhole() || c->isEmpty())));
      } catch (const Refusal&) {
        is = false;
      }
    });
    return is;
  }

  Evaluation& evaluation_;
  double start_ = 0;  ///< [s]
};

}  // namespace

void giveParameters(Instance& model, Evaluation& evaluation) {
  GivenParameters given(model, evaluation);
  while (given.give(model)) {
  }
}

}  // namespace cardan::modelica
