#include "engine/modelica/inlining.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "components/names.h"
#include "engine/expression/functions.h"
#include "engine/modelica/formula.h"
#include "engine/modelica/named_arguments.h"

namespace cardan::modelica {
namespace {

constexpr int kLongestDimension = 100;

bool isTruth(const Value& v) { return v.kind == Value::Kind::boolean; }

[[noreturn]] void refuse(const SourceMark& at, const std::string& text) {
  throw Refusal{at, text, ErrorKind::unsupported};
}

void limitLength(const Value& v, const SourceMark& at) {
  if (v.isFormula() && isTooLong(*v.tree))
    throw Refusal{at, "the expression is too long with all statements of the function put in"};
  for (const Value& item : v.items) limitLength(item, at);
}

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

Value negated(const Value& x) {
  if (x.isNumber())
    return x.kind == Value::Kind::integer ? Value::integer(-x.number) : Value::real(-x.number);
  if (!x.isArray())
    return Value::formula(operationNode(Operator::negate, treeOf(x)), x.isMaybeArray);
  std::vector<Value> items;
  for (const Value& item : x.items) items.push_back(negated(item));
  return Value::array(std::move(items));
}

bool areScalar(const std::vector<Value>& all) { return std::ranges::all_of(all, &Value::isScalar); }

/// Of all items.
Value totalOf(const std::vector<Value>& items) {
  Value sum = Value::integer(0);
  for (const Value& item : items) sum = combined(sum, Operator::add, item);
  return sum;
}

/// Sums of products of two vectors.
Value product(const std::vector<Value>& a, const std::vector<Value>& b) {
  Value sum = Value::integer(0);
  for (size_t i = 0; i < a.size(); ++i)
    sum = combined(sum, Operator::add, combined(a[i], Operator::multiply, b[i]));
  return sum;
}

}  // namespace

Value Inlining::call(const ClassDefinition& f, const Expression& e, const Scope& scope) {
  Value v = resultOf(results(f, e, scope), e, scope);
  limitLength(v, scope.mark(e.at));
  return v;
}

std::vector<Value> Inlining::results(const ClassDefinition& f, const Expression& e,
                                     const Scope& scope) {
  if (++depth_ > kDeepestCalls) {
    depth_ = 0;
    throw Refusal{scope.mark(e.at), "calls of functions are nested too deep"};
  }
  const auto given = [&](const Expression& a, const Element& input, const Scope& inner) {
    return argument(a, scope, input, inner);
  };
  const auto byDefault = [&](const Expression& a, const Scope& inner) { return value(a, inner); };
  FunctionBody body = evaluation_.enter(f, e, scope, given, byDefault);
  std::vector<const Element*> outer = std::exchange(declared_, body.all);
  run(body.definition->algorithm, body.inner);
  declared_ = std::move(outer);
  std::vector<Value> all;
  for (const Element* output : body.outputs) all.push_back(body.inner.locals->values[output->name]);
  --depth_;
  return all;
}

/// An argument as the caller has it.
Value Inlining::argument(const Expression& e, const Scope& scope, const Element& input,
                         const Scope& inner) {
  if (e.kind == ExpressionKind::function)
    refuse(scope.mark(e.at), "functions as arguments are not supported");
  // Of the model a formula, of a function's own statements what they have found.
  const auto one = [&](const auto& self, const Expression& a) -> Value {
    if (!scope.instance) return value(a, scope);
    if (isSettled_(a, scope)) return evaluation_.value(a, scope);
    if (auto record = recordOf(a, scope)) return *std::move(record);
    const bool isMatrix = a.kind == ExpressionKind::matrix;
    if (a.kind != ExpressionKind::array && !isMatrix) return formula_(a, scope);
    std::vector<Value> items;
    for (const Expression& item : a.arguments) items.push_back(self(self, item));
    return Value::array(std::move(items));
  };
  Value v = one(one, e);
  // A variable of the model knows its size itself.
  std::vector<int> sizes;
  if (v.isFormula() && e.kind == ExpressionKind::name && scope.instance) {
    const Target t = evaluation_.resolve(e, scope);
    const bool isWhole =
        t.kind == Target::Kind::component && t.tail.empty() && t.part && t.part->subscripts.empty();
    if (isWhole) sizes = t.component->sizes;
  }
  const bool isSmall =
      std::ranges::all_of(sizes, [](int n) { return 1 <= n && n <= kLongestDimension; });
  if (!sizes.empty() && sizes.size() == input.sizes.size() && sizes.size() <= 2 && isSmall)
    return elementsOf(v, sizes);
  return shaped(std::move(v), input, inner, scope.mark(e.at));
}

/// A record of variables that is named or constructed; nothing for other expressions.
std::optional<Value> Inlining::recordOf(const Expression& e, const Scope& scope) {
  Value record;
  record.kind = Value::Kind::record;
  if (e.kind == ExpressionKind::name && scope.instance) {
    const Target t = evaluation_.resolve(e, scope);
    const bool isRecord = t.kind == Target::Kind::component && t.tail.empty() &&
                          t.component->type.kind == TypeKind::record && t.component->instance;
    if (!isRecord) return std::nullopt;
    for (const auto& field : t.component->instance->components) {
      Expression part = e;
      part.name.push_back({field->name, {}});
      record.fields.emplace_back(field->name, argument(part, scope, *field->element, scope));
    }
    return record;
  }
  if (e.kind != ExpressionKind::call) return std::nullopt;
  const FunctionTarget f = evaluation_.function(e, scope);
  if (!f.definition || f.definition->restriction != "record") return std::nullopt;
  FunctionBody body = evaluation_.enter(
      *f.definition, e, scope,
      [&](const Expression& a, const Element& field, const Scope& inner) {
        return argument(a, scope, field, inner);
      },
      [&](const Expression& a, const Scope& inner) { return value(a, inner); });
  for (const Element* field : body.all)
    record.fields.emplace_back(field->name, body.inner.locals->values[field->name]);
  return record;
}

Value Inlining::shaped(Value v, const Element& declared, const Scope& inner, const SourceMark& at) {
  if (!v.isFormula() || declared.sizes.empty()) return v;
  std::vector<int> sizes;
  for (const Expression& size : declared.sizes) {
    if (size.kind == ExpressionKind::all)
      refuse(at, "the size of '" + declared.name + "' is not known");
    const Value n = evaluation_.value(size, inner);
    if (!n.isNumber() || n.number < 1 || n.number > kLongestDimension)
      refuse(at, "the size of '" + declared.name + "' is not known");
    sizes.push_back(static_cast<int>(n.number));
  }
  if (sizes.size() > 2) refuse(at, "'" + declared.name + "' must not have more than 2 dimensions");
  return elementsOf(v, sizes);
}

Value Inlining::value(const Expression& e, const Scope& scope) {
  std::optional<Refusal> why;
  try {
    return evaluation_.value(e, scope);
  } catch (const Refusal& r) {
    why = r;
  }
  Value v = symbolic(e, scope, *why);
  limitLength(v, scope.mark(e.at));
  return v;
}

/// What has no value before the run.
Value Inlining::symbolic(const Expression& e, const Scope& scope, const Refusal& why) {
  switch (e.kind) {
    case ExpressionKind::unary: {
      const Value v = value(e.arguments[0], scope);
      if (e.op == Operator::logicalNot) return Value::formula(operationNode(e.op, treeOf(v)));
      return e.op == Operator::plus ? v : negated(v);
    }
    case ExpressionKind::binary:
      return operated(value(e.arguments[0], scope), e.op, value(e.arguments[1], scope));
    case ExpressionKind::conditional:
      return conditional(e, scope);
    case ExpressionKind::array:
      return Value::array(values(e.arguments, scope));
    case ExpressionKind::matrix: {
      std::vector<Value> rows;
      for (const Expression& row : e.arguments) {
        rows.push_back(Value::array(values(row.arguments, scope)));
        if (!areScalar(rows.back().items))
          refuse(scope.mark(e.at), "a matrix of variables must be made of scalars");
      }
      return Value::array(std::move(rows));
    }
    case ExpressionKind::comprehension: {
      std::vector<Value> items;
      evaluation_.forEach(e.indices, scope, [&](const Scope& inner) {
        items.push_back(value(e.arguments[0], inner));
      });
      if (e.text.empty()) return Value::array(std::move(items));
      if (e.text == "sum") return totalOf(items);
      if (e.text != "product") throw why;
      Value v = Value::integer(1);
      for (const Value& item : items) v = combined(v, Operator::multiply, item);
      return v;
    }
    case ExpressionKind::call:
      return symbolicCall(e, scope, why);
    default:
      throw why;
  }
}

std::vector<Value> Inlining::values(const std::vector<Expression>& all, const Scope& scope) {
  std::vector<Value> result;
  for (const Expression& one : all) result.push_back(value(one, scope));
  return result;
}

Value Inlining::symbolicCall(const Expression& e, const Scope& scope, const Refusal& why) {
  const FunctionTarget f = evaluation_.function(e, scope);
  if (f.definition && f.definition->restriction == "function")
    return resultOf(results(*f.definition, e, scope), e, scope);
  if (auto record = recordOf(e, scope)) return *std::move(record);
  if (const auto ordered = f.definition ? std::nullopt : inOrder(e, f.name);
      ordered && !e.argumentNames.empty())
    return symbolicCall(*ordered, scope, why);
  const std::string last(lastName(f.name));
  if ((last == "noEvent" || last == "homotopy") && !e.arguments.empty())
    return value(e.arguments[0], scope);
  if (last == "smooth" && e.arguments.size() == 2) return value(e.arguments[1], scope);
  if (!findFunction(f.name) || !e.argumentNames.empty() || f.name == "der") throw why;
  const std::vector<Value> arguments = values(e.arguments, scope);
  const bool isSum = last == "sum" && arguments.size() == 1 && arguments[0].isArray();
  if (isSum && areScalar(arguments[0].items)) return totalOf(arguments[0].items);
  Trees trees;
  for (const Value& v : arguments) trees.push_back(treeOf(v));
  const bool isShort = findFunction(last) == findFunction(f.name) &&
                       findFunction(last)->kind != FunctionKind::orientation;
  return Value::formula(callNode(isShort ? last : f.name, std::move(trees)),
                        !isScalarFunction(findFunction(f.name)->kind, areScalar(arguments)));
}

Value Inlining::conditional(const Expression& e, const Scope& scope) {
  const std::vector<Expression>& all = e.arguments;  // condition, value, ..., value otherwise
  std::vector<Value> conditions, values;
  size_t otherwise = all.size() - 1;
  for (size_t i = 0; i + 1 < all.size(); i += 2) {
    Value c = value(all[i], scope);
    if (isTruth(c) && c.number == 0) continue;
    if (isTruth(c)) {
      otherwise = i + 1;
      break;
    }
    ++conditions_;
    values.push_back(value(all[i + 1], scope));
    conditions.push_back(std::move(c));
  }
  Value v = value(all[otherwise], scope);
  for (; !values.empty(); values.pop_back(), conditions.pop_back(), --conditions_)
    v = chosen(conditions.back(), values.back(), v);
  return v;
}

Value Inlining::operated(const Value& a, Operator op, const Value& b) {
  constexpr Operator times = Operator::multiply;
  const auto each = [&](const std::vector<Value>& left, const std::vector<Value>& right) {
    std::vector<Value> items;
    for (size_t i = 0; i < left.size(); ++i) items.push_back(operated(left[i], op, right[i]));
    return Value::array(std::move(items));
  };
  const auto isVector = [](const Value& v) { return v.isArray() && areScalar(v.items); };
  if (a.isArray() && b.isArray() && !a.items.empty()) {
    const size_t n = a.items.size(), m = b.items.size();
    if (op != times && op != Operator::divide && op != Operator::power && n == m)
      return each(a.items, b.items);
    if (op == times && isVector(a) && isVector(b) && n == m) return product(a.items, b.items);
    const bool isMatrix = std::ranges::all_of(
        a.items, [&](const Value& row) { return isVector(row) && row.items.size() == m; });
    if (op == times && isMatrix && isVector(b)) {
      std::vector<Value> rows;
      for (const Value& row : a.items) rows.push_back(product(row.items, b.items));
      return Value::array(std::move(rows));
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

/// True if the statements end the function.
bool Inlining::run(const std::vector<Statement>& statements, Scope& scope) {
  const auto assigned = [&](const Expression& left, Value v) {
    const bool isWhole = left.name.size() == 1 && left.name[0].subscripts.empty();
    const auto declared = std::ranges::find_if(
        declared_, [&](const Element* d) { return d->name == left.name[0].name; });
    if (isWhole && declared != declared_.end()) {
      v = shaped(std::move(v), **declared, scope, scope.mark(left.at));
      if ((*declared)->sizes.empty()) v.isMaybeArray = false;
    }
    evaluation_.assign(left, std::move(v), scope);
  };
  for (const Statement& s : statements) {
    const SourceMark at = scope.mark(s.at);
    switch (s.kind) {
      case StatementKind::assign: {
        if (s.left->kind != ExpressionKind::tuple) {
          assigned(*s.left, value(*s.right, scope));
          break;
        }
        const std::vector<Value> values =
            results(evaluation_.severalResults(*s.right, scope), *s.right, scope);
        for (size_t i = 0; i < s.left->arguments.size() && i < values.size(); ++i) {
          if (s.left->arguments[i].kind == ExpressionKind::name)
            assigned(s.left->arguments[i], values[i]);
        }
        break;
      }
      case StatementKind::conditional:
        if (branch(s, scope)) return true;
        break;
      case StatementKind::loop:
        evaluation_.forEach(s.indices, scope, [&](const Scope& each) {
          Scope inner = each;
          if (run(s.branches[0].statements, inner))
            refuse(at, "'return' in a loop over variables is not supported");
        });
        break;
      case StatementKind::finish:
        return true;
      case StatementKind::call: {
        const Expression& called = *s.left;
        const bool isAssert = called.name.size() == 1 && called.name[0].name == "assert";
        if (isAssert && !called.arguments.empty()) check(called, scope, at);  // others print
        break;
      }
      case StatementKind::whileLoop:
        refuse(at, "'while' in a function of variables is not supported");
      case StatementKind::breakLoop:
        refuse(at, "'break' in a function of variables is not supported");
      case StatementKind::when:
        throw Refusal{at, "'when' is not for functions"};
    }
  }
  return false;
}

void Inlining::check(const Expression& assertion, const Scope& scope, const SourceMark& at) {
  const Value holds = value(assertion.arguments[0], scope);
  if (!isTruth(holds)) refuse(at, "'assert' of variables in a function is not supported");
  if (holds.number != 0) return;
  if (conditions_ > 0)
    refuse(at, "'assert' under a condition of variables in a function is not supported");
  std::string said = "the assertion does not hold";
  if (assertion.arguments.size() > 1) {
    const Value text = value(assertion.arguments[1], scope);
    if (!text.text.empty()) said += ": " + text.text;
  }
  throw Refusal{at, said};
}

/// What the branches leave, chosen by their conditions; true if the function ends there.
bool Inlining::branch(const Statement& s, Scope& scope) {
  const SourceMark at = scope.mark(s.at);
  Locals* frame = scope.locals.get();
  while (frame->outer) frame = frame->outer.get();
  const auto before = frame->values;
  struct Result {
    Value condition;
    std::map<std::string, Value, std::less<>> values;
  };
  std::vector<Result> results;
  auto otherwise = before;
  for (const Statement::Branch& b : s.branches) {
    Value c = b.condition ? value(*b.condition, scope) : Value::boolean(true);
    if (isTruth(c) && c.number == 0) continue;
    frame->values = before;
    const bool isConditional = !isTruth(c) || !results.empty();
    conditions_ += isConditional ? 1 : 0;
    const bool ends = run(b.statements, scope);
    conditions_ -= isConditional ? 1 : 0;
    if (ends && isTruth(c) && results.empty()) return true;
    if (ends) refuse(at, "'return' under a condition of variables is not supported");
    if (isTruth(c)) {
      otherwise = frame->values;
      break;
    }
    results.push_back({std::move(c), frame->values});
    frame->values = before;
  }
  frame->values = std::move(otherwise);
  for (auto r = results.rbegin(); r != results.rend(); ++r) {
    for (auto& [name, v] : frame->values) {
      v = chosen(r->condition, r->values[name], v);
      limitLength(v, at);
    }
  }
  return false;
}

}  // namespace cardan::modelica
