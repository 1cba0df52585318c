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
/// The elements of a formula of an array of these sizes.
Value elementsOf(const Value& formula, const std::vector<int>& sizes);

}  // namespace cardan::modelica
