/// Formulas: values that are expressions of variables, and how tightly they hold together.
#pragma once

#include <string>

#include "engine/modelica/value.h"

namespace cardan::modelica {

/// How tightly an expression holds together.
enum Rank { kIf, kOr, kAnd, kNot, kRelation, kSum, kProduct, kPower, kPrimary };

inline constexpr size_t kLongestFormula = 100'000;

/// How `a op b` is written, and what its operands need to stand there without brackets.
struct BinaryForm {
  Rank rank, left, right;
  std::string between;
};
BinaryForm formOf(const std::string& op);

/// The text of a value, in brackets where it holds together less than this.
std::string ranked(const Value& v, Rank atLeast);

/// `a op b`; sums and products with 0 and 1 done where that keeps the size.
Value combined(const Value& a, const std::string& op, const Value& b);
/// `if c then a else b`, element by element.
Value chosen(const Value& c, const Value& a, const Value& b);
/// The elements of a formula of an array of these sizes.
Value elementsOf(const Value& formula, const std::vector<int>& sizes);

}  // namespace cardan::modelica
