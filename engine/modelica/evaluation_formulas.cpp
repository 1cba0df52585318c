// Functions of variables: their statements are carried out with formulas in place of numbers.
#include <algorithm>
#include <optional>
#include <utility>

#include "components/names.h"
#include "engine/expression/functions.h"
#include "engine/modelica/evaluation.h"
#include "engine/modelica/formula.h"
#include "engine/modelica/value_kinds.h"
#include "engine/text/mapped.h"
#include "engine/text/meanwhile.h"

namespace cardan::modelica {
namespace {

constexpr int kLongestDimension = 10'000;

/// True if the value is one number, given whether all arguments are.
bool isScalarFunction(FunctionKind kind, bool hasScalars) {
  switch (kind) {
    case FunctionKind::elementwise:
    case FunctionKind::conversion:
    case FunctionKind::before:
    case FunctionKind::edge:
    case FunctionKind::change:
      return hasScalars;
    case FunctionKind::minimum:
    case FunctionKind::maximum:
    case FunctionKind::dot:
    case FunctionKind::length:
    case FunctionKind::sum:
    case FunctionKind::product:
    case FunctionKind::initial:
    case FunctionKind::terminal:
    case FunctionKind::sample:
      return true;
    default:
      return false;
  }
}

bool areScalar(const std::vector<Value>& all) { return std::ranges::all_of(all, &Value::isScalar); }

/// True of functions that are done element by element.
bool isOfElements(FunctionKind kind) {
  using K = FunctionKind;
  return kind == K::elementwise || kind == K::conversion || kind == K::derivative ||
         kind == K::before || kind == K::edge || kind == K::change;
}

}  // namespace

Value Evaluation::inlined(const FunctionTarget& f, const Expression& e, const Scope& scope,
                          const Caller& caller) {
  Value v = asked(caller, [&] { return resultOf(results(f, e, scope), e, scope); });
  limitLength(v, scope.mark(e.at));
  return v;
}

Value Evaluation::formula(const Expression& e, const Scope& scope, const Caller& caller) {
  return asked(caller, [&] { return value(e, scope); });
}

/// A name of the model by its elements, where formulas are asked for.
Value Evaluation::ofModel(const Expression& e, const Scope& scope, const Target& t) {
  const Caller& caller = *caller_;
  {
    const Meanwhile<const Caller*> ofModel(caller_, nullptr);
    if (caller.isSettled(e, scope)) return value(e, scope);
  }
  if (auto record = recordOf(e, scope)) return *std::move(record);
  const auto said = [&](const Expression& name) {
    const Meanwhile<const Caller*> ofModel(caller_, nullptr);
    return caller.formula(name, scope);
  };
  const std::vector<Expression>& subscripts = e.name.back().subscripts;
  const Component& c = *t.component;
  const bool isVariable = t.tail.empty() && c.type.isSimple();
  if (!isVariable && (!subscripts.empty() || t.tail.empty())) return said(e);
  const auto sizes = isVariable ? std::optional(c.sizes) : sizesInSpace(c.path + "." + t.tail);
  if (sizes && sizes->empty()) return said(e);
  Expression whole = e;
  whole.name.back().subscripts.clear();
  if (!sizes) {
    if (caller.isOfSizes)
      refuse(scope, e.at, "the size of '" + calledName(e) + "' is not known before the run");
    Value v = said(e);
    v.isMaybeArray = true;
    return v;
  }
  return select(elementsOf(said(whole), *sizes), subscripts, scope, e.at);
}

/// Of an index that the run finds: a Boolean has places.
Value Evaluation::placeFound(Value index, const Expression& e, const Scope& scope) {
  const bool isTruth = modelica::kindOf(e, scope, *this) == ValueKind::truth;
  return isTruth ? chosen(index, Value::real(2), Value::real(1)) : index;
}

void Evaluation::limitLength(const Value& v, const SourceMark& at) {
  if (v.isFormula() && isTooLong(*v.tree))
    throw Refusal{at, "the expression is too long with all statements of the function put in"};
  for (const Value& item : v.items) limitLength(item, at);
}

/// Without formulas.
Value Evaluation::settled(const Expression& e, const Scope& scope) {
  const Meanwhile<const Caller*> known(caller_, nullptr);
  return value(e, scope);
}

/// An argument as the caller has it.
Value Evaluation::argument(const Expression& e, const Scope& scope, const Element& input,
                           const Scope& inner) {
  // Of the model a formula, of a function's own statements what they have found.
  const auto one = [&](const auto& self, const Expression& a) -> Value {
    if (!scope.instance) return value(a, scope);
    const Caller& caller = *caller_;
    {
      const Meanwhile<const Caller*> ofModel(caller_, nullptr);
      if (caller.isSettled(a, scope)) return value(a, scope);
    }
    if (a.kind == ExpressionKind::name) {
      if (const auto elements = spread(a, scope)) return self(self, *elements);
    }
    if (auto record = recordOf(a, scope)) return *std::move(record);
    if (a.kind != ExpressionKind::array && a.kind != ExpressionKind::matrix) {
      const Meanwhile<const Caller*> ofModel(caller_, nullptr);
      return caller.formula(a, scope);
    }
    return Value::array(
        mapped(a.arguments, [&](const Expression& item) { return self(self, item); }));
  };
  Value v = one(one, e);
  // What is not declared for good the argument knows itself.
  const bool isOpen =
      std::ranges::find(input.sizes, ExpressionKind::all, &Expression::kind) != input.sizes.end();
  const bool isForOne = isForScalars(input, inner);
  if (v.isFormula() && scope.instance && (isOpen || isForOne)) {
    try {
      const std::vector<int> sizes = likeness(e, scope).sizes();
      const auto isLong = [](int n) { return n < 1 || n > kLongestDimension; };
      if (!sizes.empty() && sizes.size() <= 2 && std::ranges::none_of(sizes, isLong))
        return elementsOf(v, sizes);
    } catch (const Refusal&) {
      // Said where it is asked for.
    }
  }
  return shaped(std::move(v), input, inner, scope.mark(e.at));
}

/// A record of variables that is named, constructed or made by a function; nothing for other expressions.
std::optional<Value> Evaluation::recordOf(const Expression& e, const Scope& scope) {
  if (e.kind == ExpressionKind::call) {
    const FunctionTarget f = function(e, scope);
    const bool isFunction = f.definition && f.definition->restriction == "function";
    bool isRecord = f.definition && f.definition->restriction == "record";
    if (isFunction && e.text.empty() && e.number == 0) {
      FunctionBody body;
      gatherElements(body, *f.definition, f.scope, false, 0);
      for (const Scope& text : body.classes) {
        for (const Element& element : text.lexical->elements) {
          if (body.outputs.empty() || &element != body.outputs[0] || !element.sizes.empty())
            continue;
          const Entity type = lookup_.base(element.type, text);
          isRecord = type.definition && type.definition->restriction == "record";
        }
      }
    }
    return isRecord ? std::optional(results(f, e, scope)[0]) : std::nullopt;
  }
  const Component* named = recordNamed(e, scope);
  if (!named) return std::nullopt;
  Value record;
  record.kind = Value::Kind::record;
  for (const auto& field : named->instance->components) {
    Expression part = e;
    part.name.push_back({field->name, {}});
    record.fields.emplace_back(field->name, argument(part, scope, *field->element, scope));
  }
  return record;
}

/// A formula of an array as its elements, by the sizes that the declaration says.
Value Evaluation::shaped(Value v, const Element& declared, const Scope& inner,
                         const SourceMark& at) {
  if (!v.isFormula() || declared.sizes.empty()) return v;
  std::vector<int> sizes;
  for (const Expression& size : declared.sizes) {
    if (size.kind == ExpressionKind::all)
      refuseUnsupported(at, "the size of '" + declared.name + "' is not known");
    const Value n = settled(size, inner);
    if (!n.isNumber() || n.number < 1 || n.number > kLongestDimension)
      refuseUnsupported(at, "the size of '" + declared.name + "' must be a number from 1 to " +
                                std::to_string(kLongestDimension) + ", found " + n.describe());
    sizes.push_back(static_cast<int>(n.number));
  }
  if (sizes.size() > 2)
    refuseUnsupported(at, "'" + declared.name + "' must not have more than 2 dimensions");
  return elementsOf(v, sizes);
}

/// `f(x)` of what varies.
Value Evaluation::formulaOf(const std::string& name, const std::vector<Value>& arguments) {
  const std::string last(lastName(name));
  const FunctionInfo* info = findFunction(name);
  const bool isSum = last == "sum" && arguments[0].isArray();
  if (isSum && areScalar(arguments[0].items)) return totalOf(arguments[0].items);
  const auto list = std::ranges::find_if(arguments, &Value::isArray);
  if (list != arguments.end() && isOfElements(info->kind)) {
    std::vector<Value> items;
    for (size_t i = 0; i < list->items.size(); ++i) {
      std::vector<Value> each = arguments;
      for (Value& a : each) {
        if (a.isArray() && i < a.items.size()) a = Value(a.items[i]);
      }
      items.push_back(formulaOf(name, each));
    }
    return Value::array(std::move(items));
  }
  const bool isShort = findFunction(last) == info && info->kind != FunctionKind::orientation;
  return Value::formula(callNode(isShort ? last : name, treesOf(arguments)),
                        !isScalarFunction(info->kind, areScalar(arguments)));
}

Value Evaluation::operated(const Value& a, Operator op, const Value& b) {
  constexpr Operator times = Operator::multiply;
  const auto each = [&](const std::vector<Value>& left, const std::vector<Value>& right) {
    std::vector<Value> items;
    for (size_t i = 0; i < left.size(); ++i) items.push_back(operated(left[i], op, right[i]));
    return Value::array(std::move(items));
  };
  if (a.isArray() && b.isArray() && !a.items.empty()) {
    const size_t n = a.items.size(), m = b.items.size();
    if (op != times && op != Operator::divide && op != Operator::power && n == m)
      return each(a.items, b.items);
    const bool isMatrix = a.items[0].isArray();
    if (op == times && isMatrix) {
      return Value::array(mapped(a.items, [&](const Value& row) { return operated(row, op, b); }));
    }
    if (op == times && areScalar(a.items) && n == m) {
      Value sum = operated(a.items[0], op, b.items[0]);
      for (size_t i = 1; i < n; ++i)
        sum = operated(sum, Operator::add, operated(a.items[i], op, b.items[i]));
      return sum;
    }
  }
  const bool isScaling = formOf(op).rank == kProduct;
  if (a.isArray() && b.isScalar() && isScaling)
    return each(a.items, std::vector<Value>(a.items.size(), b));
  if (a.isScalar() && b.isArray() && (op == times || op == Operator::elementwiseMultiply))
    return each(std::vector<Value>(b.items.size(), a), b.items);
  if (a.isNumber() && b.isNumber()) {
    const double x = a.number, y = b.number;
    const char last = symbolOf(op).back();
    if (last == '+') return Value::real(x + y);
    if (last == '-') return Value::real(x - y);
    if (last == '*') return Value::real(x * y);
    if (last == '/' && y != 0) return Value::real(x / y);
  }
  return combined(a, op, b);
}

/// `if` of variables: what its branches leave, chosen by their conditions. Behind a `return` in one of
/// them all stays as it is where its condition holds.
Evaluation::Flow Evaluation::branch(const Statement& s, Scope& scope) {
  const SourceMark at = scope.mark(s.at);
  Locals* frame = scope.locals.get();
  while (frame->outer) frame = frame->outer.get();
  using Values = std::map<std::string, Value, std::less<>>;
  std::vector<std::pair<Value, Values>> results;
  std::optional<Values> before;
  std::optional<Value> returned;
  for (const Statement::Branch& b : s.branches) {
    const Value c = b.condition ? value(*b.condition, scope) : Value::boolean(true);
    const bool isOpen = caller_ && c.isFormula();
    if (!isOpen && b.condition && !truthOf(c, *b.condition, scope)) continue;
    if (!isOpen && results.empty()) return run(b.equations, scope);
    if (!before) before = frame->values;
    std::optional<Value> here = condition_;
    for (const auto& [other, values] : results)
      here = both(here, prefixed(Operator::logicalNot, other));
    const Meanwhile inside(condition_, isOpen ? both(here, c) : here);
    const Flow flow = run(b.equations, scope);
    if (flow == Flow::leave)
      refuseUnsupported(at, "'break' under a condition of variables is not supported");
    if (flow == Flow::finish)
      returned = returned ? operated(*returned, Operator::logicalOr, *condition_) : *condition_;
    if (!isOpen) break;
    results.emplace_back(c, std::exchange(frame->values, *before));
  }
  for (auto r = results.rbegin(); r != results.rend(); ++r) {
    for (auto& [name, v] : frame->values) {
      v = chosen(r->first, r->second[name], v);
      limitLength(v, at);
    }
  }
  if (returned && returned_) returned = operated(*returned_, Operator::logicalOr, *returned);
  if (returned) returned_ = returned;
  return Flow::next;
}

}  // namespace cardan::modelica
