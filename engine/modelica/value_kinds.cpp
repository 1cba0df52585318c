#include "engine/modelica/value_kinds.h"

#include "engine/text/words.h"

namespace cardan::modelica {
namespace {

/// Of values of which any may be the one: a Real where one of them is.
ValueKind oneOf(ValueKind a, ValueKind b) {
  if (a == b) return a;
  const bool areNumbers = a != ValueKind::truth && b != ValueKind::truth;
  if (areNumbers && (a == ValueKind::real || b == ValueKind::real)) return ValueKind::real;
  return ValueKind::unknown;
}

ValueKind kindOf(TypeKind type) {
  switch (type) {
    case TypeKind::real:
      return ValueKind::real;
    case TypeKind::integer:
      return ValueKind::integer;
    case TypeKind::boolean:
      return ValueKind::truth;
    default:
      return ValueKind::unknown;
  }
}

ValueKind kindOfName(const Expression& e, const Scope& scope, Evaluation& evaluation) {
  if (e.name.size() == 1 && scope.local(e.name[0].name))
    return kindOf(evaluation.kindOfLocal(e.name[0].name));
  if (const auto t = evaluation.componentNamed(e, scope))
    return t->tail.empty() ? kindOf(t->component->type.kind) : ValueKind::unknown;
  return e.name.size() == 1 && e.name[0].name == "time" ? ValueKind::real : ValueKind::unknown;
}

ValueKind kindOfCall(const Expression& e, const Scope& scope, Evaluation& evaluation) {
  const FunctionTarget f = evaluation.function(e, scope);
  if (f.definition) return ValueKind::unknown;
  if (isOneOf(f.name, {"der", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh",
                       "tanh", "exp", "log", "log10", "sqrt", "floor", "ceil"}))
    return ValueKind::real;
  if (isOneOf(f.name, {"edge", "change", "initial", "terminal"})) return ValueKind::truth;
  if (isOneOf(f.name, {"integer", "Integer", "size", "ndims"})) return ValueKind::integer;
  const bool isOfFirst = isOneOf(f.name, {"pre", "noEvent", "abs", "sum"});
  return isOfFirst && e.arguments.size() == 1 ? kindOf(e.arguments[0], scope, evaluation)
                                              : ValueKind::unknown;
}

}  // namespace

ValueKind kindOf(const Expression& e, const Scope& scope, Evaluation& evaluation) {
  const auto of = [&](size_t i) { return kindOf(e.arguments[i], scope, evaluation); };
  switch (e.kind) {
    case ExpressionKind::number:
      return e.text.find_first_of(".eE") == e.text.npos ? ValueKind::integer : ValueKind::real;
    case ExpressionKind::boolean:
      return ValueKind::truth;
    case ExpressionKind::name:
      return kindOfName(e, scope, evaluation);
    case ExpressionKind::call:
      return kindOfCall(e, scope, evaluation);
    case ExpressionKind::unary:
      return e.op == Operator::logicalNot ? ValueKind::truth : of(0);
    case ExpressionKind::binary: {
      const int rank = formOf(e.op).rank;
      if (rank <= kComparison) return ValueKind::truth;
      if (withoutPoint(e.op) == Operator::divide || rank == kPower) return ValueKind::real;
      return oneOf(of(0), of(1));
    }
    case ExpressionKind::conditional: {
      ValueKind kind = of(1);
      for (size_t i = 3; i < e.arguments.size(); i += 2) kind = oneOf(kind, of(i));
      return oneOf(kind, of(e.arguments.size() - 1));
    }
    case ExpressionKind::element:
      return of(0);
    case ExpressionKind::array: {
      if (e.arguments.empty()) return ValueKind::unknown;
      ValueKind kind = of(0);
      for (size_t i = 1; i < e.arguments.size(); ++i) kind = oneOf(kind, of(i));
      return kind;
    }
    default:
      return ValueKind::unknown;
  }
}

std::string mismatchOf(TypeKind type, ValueKind kind) {
  const bool isTruth = kind == ValueKind::truth;
  if (kind == ValueKind::unknown) return "";
  if (type == TypeKind::boolean && !isTruth) return "a Boolean, and its value a number";
  if (type == TypeKind::real && isTruth) return "a Real, and its value a Boolean";
  if (type == TypeKind::integer && isTruth) return "an Integer, and its value a Boolean";
  if (type == TypeKind::integer && kind == ValueKind::real)
    return "an Integer, and its value a Real; integer(...) makes one of it";
  return "";
}

}  // namespace cardan::modelica
