#include "engine/modelica/given_parameters.h"

#include <set>
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

  /// Parameters that samples hang on: their times are known before the run.
  void findNeeded(const Instance& instance) {
    for (const Scope& scope : instance.definitions) {
      findNeeded(scope.lexical->equations, scope);
      for (const auto& section : scope.lexical->algorithms) findNeeded(section, scope);
    }
    forComponents(instance, [&](const Component& c) {
      if (c.value()) findNeeded(*c.value()->expression, c.value()->scope);
      if (c.instance && c.type.kind == TypeKind::composite) findNeeded(*c.instance);
    });
  }

  /// Those that hang on nothing but parameters with a value. True: some have got one, or are needed, too.
  bool give(Instance& instance) {
    bool any = false;
    for (const Scope& scope : instance.definitions)
      any = give(scope.lexical->initialEquations, instance, scope) || any;
    const auto inside = [&](const auto& self, Component& c) -> void {
      if (c.isRemoved || c.inner) return;
      for (const auto& element : c.elements) self(self, *element);
      if (c.instance && c.type.kind == TypeKind::composite) any = give(*c.instance) || any;
    };
    for (const auto& c : instance.components) inside(inside, *c);
    return any;
  }

 private:
  void findNeeded(const std::vector<Equation>& all, const Scope& scope) {
    for (const Equation& e : all) {
      for (const auto* side : {&e.left, &e.right}) {
        if (*side) findNeeded(**side, scope);
      }
      for (const Equation::Branch& b : e.branches) {
        if (b.condition) findNeeded(*b.condition, scope);
        findNeeded(b.equations, scope);
      }
    }
  }
  void findNeeded(const Expression& e, const Scope& scope) {
    forAll(e, [&](const Expression& one) {
      if (calledName(one) == "sample") need(one, scope);
    });
  }

  /// Parameters in an expression, and those in their values. True: some were not known as such.
  bool need(const Expression& e, const Scope& scope) {
    bool any = false;
    forNames(e, [&](const Expression& name, bool) {
      const auto t = evaluation_.componentNamed(name, scope);
      if (!t || !t->component->isParameter() || !needed_.insert(t->component).second) return;
      any = true;
      if (const Binding* v = t->component->value()) need(*v->expression, v->scope);
    });
    return any;
  }

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
    const bool isOfTime = anyIn(right, isTime);
    if (isOfTime && !isBefore && c->type.kind == TypeKind::real && c->sizes.empty() &&
        !needed_.contains(c))
      return false;  // the start finds it
    const bool isNew = needed_.contains(c) && need(right, scope);
    replaceTime(right);
    Modifier& m = isBefore ? c->modifier.part("start") : c->modifier;
    if (m.value || !isOfParameters(right, scope)) return isNew;
    if (result > 0) right.number = static_cast<double>(result);
    m.value = Binding{&instance.values.emplace_back(std::move(right)), scope, {}};
    if (!isBefore && !isOfTime) c->givenBy = &left;
    return true;
  }

  static bool isTime(const Expression& e) {
    return e.kind == ExpressionKind::name && e.name.size() == 1 && e.name[0].name == "time";
  }

  void replaceTime(Expression& e) const {
    if (isTime(e)) e = numberAt(e.at, start_);
    if (rateArgument(e)) return;
    for (Expression& a : e.arguments) replaceTime(a);
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
  std::set<const Component*> needed_;  ///< before the run
  double start_ = 0;                   ///< [s]
};

}  // namespace

void giveParameters(Instance& model, Evaluation& evaluation) {
  GivenParameters given(model, evaluation);
  given.findNeeded(model);
  while (given.give(model)) {
  }
}

}  // namespace cardan::modelica
