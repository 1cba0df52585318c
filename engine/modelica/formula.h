/// Formulas: values that are expressions of variables.
#pragma once

#include "engine/modelica/trees.h"
#include "engine/modelica/value.h"

namespace cardan::modelica {

/// Any value as an expression of the model file.
ExpressionTree treeOf(const Value& v);

/// True of expressions of more than 100 000 characters.
bool isTooLong(const ExpressionNode& e);

/// `a op b`; sums and products with 0 and 1 done where that keeps the size.
Value combined(const Value& a, Operator op, const Value& b);
/// `if c then a else b`, element by element.
Value chosen(const Value& c, const Value& a, const Value& b);
/// The elements of a formula of an array of these sizes.
Value elementsOf(const Value& formula, const std::vector<int>& sizes);

}  // namespace cardan::modelica
