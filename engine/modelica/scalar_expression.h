/// Scalar expressions: expressions of the model file taken apart, so that equations can be solved and
/// differentiated: elements of arrays, rates along the motion, what is linear in a name.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/expression/expression.h"

namespace cardan::modelica {

using ScalarNode = std::shared_ptr<const ExpressionNode>;

ScalarNode numberNode(double x);
ScalarNode nameNode(const std::string& name);
/// `der(of)`
ScalarNode rateNode(ScalarNode of);
/// Sums and the like, with what 0 and 1 make of them.
ScalarNode sumOf(ScalarNode a, ScalarNode b);
ScalarNode differenceOf(ScalarNode a, ScalarNode b);
ScalarNode productOf(ScalarNode a, ScalarNode b);
ScalarNode quotientOf(ScalarNode a, ScalarNode b);
ScalarNode negativeOf(ScalarNode a);
/// Both sides of an equation of the model file; nothing where the text cannot be read.
std::optional<std::pair<ScalarNode, ScalarNode>> sidesOf(const std::string& equation);
/// The value of a number or of its negative.
std::optional<double> numberIn(const ExpressionNode& e);

/// An array of scalars, row by row; no sizes: one scalar.
struct ScalarElements {
  std::vector<int> sizes;
  std::vector<ScalarNode> items;
};
/// The elements of an expression; `sizesOf`: those of a name, none of what is not known. Nothing for
/// functions that make arrays in another way.
std::optional<ScalarElements> elementsOf(
    const ScalarNode& e, const std::function<std::vector<int>(const std::string&)>& sizesOf);

/// A name in a scalar expression, under so many der().
struct ScalarAtom {
  std::string name;
  int order = 0;
  bool operator<(const ScalarAtom& o) const {
    return name != o.name ? name < o.name : order < o.order;
  }
};
/// The name that the expression is, with its derivatives; nothing for others.
std::optional<ScalarAtom> atomIn(const ExpressionNode& e);
ScalarNode atomNode(const ScalarAtom& atom);
/// Calls f(atom) for all names; pre(x) is none of them.
void forAtoms(const ExpressionNode& e, const std::function<void(const ScalarAtom&)>& f);
/// The expression with `replacement` in place of its names, where that has one.
ScalarNode replaced(const ScalarNode& e,
                    const std::function<ScalarNode(const ScalarAtom&)>& replacement);

/// `factor*x + rest`
struct LinearForm {
  ScalarNode factor, rest;
};
/// The expression as a linear one of a name (of the name itself, not of its derivatives).
std::optional<LinearForm> linearIn(const ScalarNode& e, const std::string& name);

/// The derivative by time; `rateOf`: that of a name, null where there is none. Null for what has none.
ScalarNode rateOfScalar(const ScalarNode& e,
                        const std::function<ScalarNode(const ScalarAtom&)>& rateOf);

}  // namespace cardan::modelica
