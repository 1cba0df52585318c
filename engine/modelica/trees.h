/// Trees: expressions of the model file, made node by node.
#pragma once

#include <string>
#include <vector>

#include "engine/expression/expression.h"
#include "engine/text/yaml_document.h"

namespace cardan::modelica {

using Tree = ExpressionTree;
using Trees = std::vector<Tree>;

Tree numberNode(double x);
/// true or false
Tree truthNode(bool x);
Tree nameNode(const std::string& name);
/// A constant, or `time`, or a name.
Tree wordNode(const std::string& word);
/// Of any kind.
Tree treeOf(NodeKind kind, Trees arguments, const std::string& text = "", double number = 0,
            Operator op = Operator::plus);
Tree operationNode(Operator op, Tree a, Tree b);
Tree operationNode(Operator op, Tree a);
/// Pre: findFunction(function)
Tree callNode(const std::string& function, Trees arguments);
/// `e[1,2]`; the index 0 stands for `:`.
Tree elementNode(const Tree& e, const std::vector<int>& indices);
/// The indices of the elements of an array of these sizes, row by row: {1, 1}, {1, 2}, ...
std::vector<std::vector<int>> indicesOf(const std::vector<int>& sizes);
/// The same operation or function of other arguments.
Tree withArguments(const ExpressionNode& like, Trees arguments);

/// True of expressions that are written alike.
bool saysTheSame(const ExpressionNode& a, const ExpressionNode& b);

/// As a value of a model file, and `left = right` as an equation there.
YamlNode expressionNode(const Tree& e, const SourceMark& at);
YamlNode equationNode(const Tree& left, const Tree& right, const SourceMark& at);

}  // namespace cardan::modelica
