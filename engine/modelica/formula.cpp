#include "engine/modelica/formula.h"

#include "engine/text/mapped.h"

#include <algorithm>

namespace cardan::modelica {
namespace {

bool isNumber(const Value& v, double x) { return v.isNumber() && v.number == x; }

}  // namespace

Tree treeOf(const Value& v) {
  switch (v.kind) {
    case Value::Kind::formula:
      return v.tree;
    case Value::Kind::real:
      return numberNode(v.number);
    case Value::Kind::boolean:
      return truthNode(v.number != 0);
    case Value::Kind::text:
      return treeOf(NodeKind::string, {}, v.text);
    case Value::Kind::array:
      return treeOf(NodeKind::array, treesOf(v.items));
    case Value::Kind::enumeration:
      if (v.number > 0) return numberNode(v.number);
      [[fallthrough]];
    default:
      return nameNode(v.format());
  }
}

Trees treesOf(const std::vector<Value>& values) {
  return mapped(values, [](const Value& v) { return treeOf(v); });
}

bool isTooLong(const ExpressionNode& e) {
  constexpr size_t most = 100'000;
  return e.length > most / 2 && toString(e).size() > most;
}

bool hasFormula(const Value& v) {
  return v.isFormula() || std::ranges::any_of(v.items, hasFormula) ||
         std::ranges::any_of(v.fields, [](const auto& f) { return hasFormula(f.second); });
}

Value prefixed(Operator op, const Value& a) {
  if (a.isNumber()) return Value::real(-a.number);
  if (!a.isArray()) return Value::formula(operationNode(op, treeOf(a)), a.isMaybeArray);
  return Value::array(mapped(a.items, [&](const Value& item) { return prefixed(op, item); }));
}

Value combined(const Value& a, Operator op, const Value& b) {
  const bool isProduct = op == Operator::multiply;
  if (op == Operator::add && isNumber(a, 0)) return b;
  if ((op == Operator::add || op == Operator::subtract) && isNumber(b, 0)) return a;
  const bool isScalar = a.isScalar() && b.isScalar();
  if (isProduct && isScalar && (isNumber(a, 0) || isNumber(b, 0))) return Value::real(0);
  if (isProduct && isNumber(a, 1)) return b;
  if ((isProduct || op == Operator::divide) && isNumber(b, 1)) return a;
  return Value::formula(operationNode(op, treeOf(a), treeOf(b)), !isScalar);
}

Value totalOf(const std::vector<Value>& items) {
  Value sum = Value::real(0);
  for (const Value& item : items) sum = combined(sum, Operator::add, item);
  return sum;
}

Value chosen(const Value& c, const Value& a, const Value& b) {
  if (a == b) return a;
  if (a.isArray() && b.isArray() && a.items.size() == b.items.size()) {
    std::vector<Value> items;
    for (size_t i = 0; i < a.items.size(); ++i) items.push_back(chosen(c, a.items[i], b.items[i]));
    return Value::array(std::move(items));
  }
  // What stays as it is either way is said once.
  const bool isSplit = a.isFormula() && b.isFormula() && a.tree->kind == NodeKind::conditional &&
                       a.tree->arguments.size() == 3 && a.tree->arguments[1] == b.tree;
  if (isSplit) {
    const Trees& parts = a.tree->arguments;
    return chosen(both(c, Value::formula(operationNode(Operator::logicalNot, parts[0]))),
                  Value::formula(parts[2], a.isMaybeArray), b);
  }
  return Value::formula(treeOf(NodeKind::conditional, {treeOf(c), treeOf(a), treeOf(b)}),
                        !a.isScalar() || !b.isScalar());
}

Value both(const std::optional<Value>& a, const Value& b) {
  return a ? Value::formula(operationNode(Operator::logicalAnd, treeOf(*a), treeOf(b))) : b;
}

Value promoted(const Value& v, size_t dimensions) {
  if (dimensions == 0) return v;
  const std::vector<Value> items = v.isArray() ? v.items : std::vector<Value>{v};
  return Value::array(
      mapped(items, [&](const Value& item) { return promoted(item, dimensions - 1); }));
}

Value filledArray(const Value& v, const std::vector<int>& sizes) {
  Value result = v;
  for (auto n = sizes.rbegin(); n != sizes.rend(); ++n)
    result = Value::array(std::vector<Value>(*n, result));
  return result;
}

Value elementsOf(const Value& formula, const std::vector<int>& sizes, std::vector<int> at) {
  if (at.size() == sizes.size()) return Value::formula(elementNode(formula.tree, at));
  std::vector<Value> items;
  const int n = sizes[at.size()];
  at.push_back(0);
  while (at.back()++ < n) items.push_back(elementsOf(formula, sizes, at));
  return Value::array(std::move(items));
}

}  // namespace cardan::modelica
