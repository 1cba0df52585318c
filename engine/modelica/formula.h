/// Formulas: values that are expressions of variables.
#pragma once

#include "engine/modelica/trees.h"
#include "engine/modelica/value.h"

namespace cardan::modelica {

/// Any value as an expression of the model file.
Tree treeOf(const Value& v);
Trees treesOf(const std::vector<Value>& values);

/// True of expressions of more than 100 000 characters.
bool isTooLong(const ExpressionNode& e);

/// True of formulas, and of arrays with one in it.
bool hasFormula(const Value& v);

/// `-a`, `not a`, element by element.
Value prefixed(Operator op, const Value& a);
/// `a op b`; sums and products with 0 and 1 done where that keeps the size.
Value combined(const Value& a, Operator op, const Value& b);
/// Of all items.
Value totalOf(const std::vector<Value>& items);
/// `if c then a else b`, element by element.
Value chosen(const Value& c, const Value& a, const Value& b);
/// `a and b`, where the one is something.
Value both(const std::optional<Value>& a, const Value& b);
/// As an array of this many dimensions, new ones of one element behind the others.
Value promoted(const Value& v, size_t dimensions);
/// An array of these sizes, all of one value.
Value filledArray(const Value& v, const std::vector<int>& sizes);
/// The elements of a formula of an array of these sizes.
Value elementsOf(const Value& formula, const std::vector<int>& sizes, std::vector<int> at = {});

}  // namespace cardan::modelica
