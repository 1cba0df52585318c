/// Scalar expressions: expressions of the model file taken apart, so that equations can be solved and
/// differentiated: elements of arrays, rates along the motion, what is linear in a name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/modelica/trees.h"

namespace cardan::modelica {

/// What `sum`, `product`, `min` or `max` is of no elements; nothing of other functions.
/// Source  MLS 3.6, 10.3.4
std::optional<double> ofNothing(std::string_view function);

/// `der(of)`
Tree rateNode(Tree of);
/// Sums and the like, with what 0 and 1 make of them.
Tree sumOf(Tree a, Tree b);
Tree differenceOf(Tree a, Tree b);
Tree productOf(Tree a, Tree b);
Tree quotientOf(Tree a, Tree b);
Tree negativeOf(Tree a);
/// Both sides of an equation of the model file; nothing where the text cannot be read.
std::optional<std::pair<Tree, Tree>> sidesOf(const std::string& equation);
/// The value of a number or of its negative.
std::optional<double> numberIn(const ExpressionNode& e);

/// An array of scalars, row by row; no sizes: one scalar.
struct ScalarElements {
  std::vector<int> sizes;
  std::vector<Tree> items;
};
/// The elements of an expression; `sizesOf`: those of a name, none of what is not known. Nothing for
/// functions that make arrays in another way.
std::optional<ScalarElements> elementsOf(
    const Tree& e, const std::function<std::vector<int>(const std::string&)>& sizesOf);

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
Tree atomNode(const ScalarAtom& atom);
/// Calls f(atom) for all names; pre(x) is none of them.
void forAtoms(const ExpressionNode& e, const std::function<void(const ScalarAtom&)>& f);
/// The expression with `replacement` in place of its names, where that has one.
Tree replaced(const Tree& e, const std::function<Tree(const ScalarAtom&)>& replacement);

/// `factor*x + rest`
struct LinearForm {
  Tree factor, rest;
};
/// The expression as a linear one of a name (of the name itself, not of its derivatives).
std::optional<LinearForm> linearIn(const Tree& e, const std::string& name);

/// The derivative by time; `rateOf`: that of a name, null where there is none. Null for what has none.
Tree rateOfScalar(const Tree& e, const std::function<Tree(const ScalarAtom&)>& rateOf);

}  // namespace cardan::modelica
