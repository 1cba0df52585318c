#include "engine/modelica/formula.h"

#include <algorithm>
#include <cctype>

namespace cardan::modelica {
namespace {

bool isNumber(const Value& v, double x) { return v.isNumber() && v.number == x; }

}  // namespace

BinaryForm formOf(const std::string& op) {
  const char last = op.back();
  const Rank rank = op == "or"                   ? kOr
                    : op == "and"                ? kAnd
                    : last == '+' || last == '-' ? kSum
                    : last == '*' || last == '/' ? kProduct
                    : last == '^'                ? kPower
                                                 : kRelation;
  const bool isChain = rank != kRelation && rank != kPower;
  const auto next = static_cast<Rank>(rank + 1);
  const bool isTight = rank == kProduct || rank == kPower;
  return {rank, isChain ? rank : next, next, isTight ? op : " " + op + " "};
}

std::string ranked(const Value& v, Rank atLeast) {
  const bool isNegative = v.isNumber() && v.number < 0;
  const int rank = v.isFormula() ? static_cast<int>(v.number) : isNegative ? kSum : kPrimary;
  return rank >= atLeast ? v.format() : "(" + v.format() + ")";
}

Value combined(const Value& a, const std::string& op, const Value& b) {
  if (op == "+" && isNumber(a, 0)) return b;
  if ((op == "+" || op == "-") && isNumber(b, 0)) return a;
  const bool isScalar = a.isScalar() && b.isScalar();
  if (op == "*" && isScalar && (isNumber(a, 0) || isNumber(b, 0))) return Value::integer(0);
  if (op == "*" && isNumber(a, 1)) return b;
  if ((op == "*" || op == "/") && isNumber(b, 1)) return a;
  const BinaryForm form = formOf(op);
  return Value::formula(ranked(a, form.left) + form.between + ranked(b, form.right), form.rank,
                        !isScalar);
}

Value chosen(const Value& c, const Value& a, const Value& b) {
  if (a == b) return a;
  if (a.isArray() && b.isArray() && a.items.size() == b.items.size()) {
    std::vector<Value> items;
    for (size_t i = 0; i < a.items.size(); ++i) items.push_back(chosen(c, a.items[i], b.items[i]));
    return Value::array(std::move(items));
  }
  return Value::formula("if " + c.format() + " then " + ranked(a, kOr) + " else " + b.format(), kIf,
                        !a.isScalar() || !b.isScalar());
}

Value elementsOf(const Value& formula, const std::vector<int>& sizes) {
  const std::string& text = formula.text;
  const bool isName = std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  });
  const std::string head = isName ? text : "(" + text + ")";
  const auto element = [&](const std::string& index) {
    return Value::formula(head + "[" + index + "]", kPrimary);
  };
  std::vector<Value> items;
  for (int i = 1; i <= sizes[0]; ++i) {
    if (sizes.size() == 1) {
      items.push_back(element(std::to_string(i)));
      continue;
    }
    std::vector<Value> row;
    for (int k = 1; k <= sizes[1]; ++k)
      row.push_back(element(std::to_string(i) + "," + std::to_string(k)));
    items.push_back(Value::array(std::move(row)));
  }
  return Value::array(std::move(items));
}

}  // namespace cardan::modelica
