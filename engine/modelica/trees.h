/// Trees: expressions of the model file, made node by node.
#pragma once

#include <string>
#include <vector>

#include "engine/expression/expression.h"
#include "engine/text/yaml_document.h"

namespace cardan::modelica {

using Trees = std::vector<ExpressionTree>;

ExpressionTree numberNode(double x);
/// true or false
ExpressionTree truthNode(bool x);
ExpressionTree nameNode(const std::string& name);
/// A constant, or `time`, or a name.
ExpressionTree wordNode(const std::string& word);
/// Of any kind.
ExpressionTree treeOf(NodeKind kind, Trees arguments, const std::string& text = "");
ExpressionTree operationNode(Operator op, ExpressionTree a, ExpressionTree b);
ExpressionTree operationNode(Operator op, ExpressionTree a);
/// Pre: findFunction(function)
ExpressionTree callNode(const std::string& function, Trees arguments);
/// `e[1,2]`
ExpressionTree elementNode(const ExpressionTree& e, const std::vector<int>& indices);
/// The same operation or function of other arguments.
ExpressionTree withArguments(const ExpressionNode& like, Trees arguments);

/// True of expressions that are written alike.
bool saysTheSame(const ExpressionNode& a, const ExpressionNode& b);

/// As a value of a model file, and `left = right` as an equation there.
YamlNode expressionNode(const ExpressionTree& e, const SourceMark& at);
YamlNode equationNode(const ExpressionTree& left, const ExpressionTree& right,
                      const SourceMark& at);

}  // namespace cardan::modelica
