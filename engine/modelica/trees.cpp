#include "engine/modelica/trees.h"

#include <algorithm>

#include "engine/expression/functions.h"
#include "engine/text/imported_model.h"
#include "engine/text/joined.h"

namespace cardan::modelica {

Tree treeOf(NodeKind kind, Trees arguments, const std::string& text) {
  ExpressionNode n;
  n.kind = kind;
  n.text = text;
  n.arguments = std::move(arguments);
  if (kind == NodeKind::call) n.function = findFunction(text);
  return finished(std::move(n));
}

Tree numberNode(double x) {
  ExpressionNode n;
  n.number = x == 0 ? 0 : x;  // no -0
  return finished(std::move(n));
}

Tree truthNode(bool x) {
  ExpressionNode n;
  n.kind = NodeKind::boolean;
  n.number = x ? 1 : 0;
  return finished(std::move(n));
}

Tree nameNode(const std::string& name) { return treeOf(NodeKind::name, {}, name); }

Tree wordNode(const std::string& word) {
  if (word == "time") return treeOf(NodeKind::time, {});
  ExpressionNode n;
  n.kind = findConstant(word, n.number) ? NodeKind::constant : NodeKind::name;
  n.text = word;
  return finished(std::move(n));
}

Tree operationNode(Operator op, Tree a, Tree b) {
  ExpressionNode n;
  n.kind = NodeKind::binary;
  n.op = op;
  n.arguments = {std::move(a), std::move(b)};
  return finished(std::move(n));
}

Tree operationNode(Operator op, Tree a) {
  ExpressionNode n;
  n.kind = NodeKind::unary;
  n.op = op;
  n.arguments = {std::move(a)};
  return finished(std::move(n));
}

Tree callNode(const std::string& function, Trees arguments) {
  return treeOf(NodeKind::call, std::move(arguments), function);
}

Tree elementNode(const Tree& e, const std::vector<int>& indices) {
  if (e->kind == NodeKind::name) {
    const auto print = [](int i) { return std::to_string(i); };
    return nameNode(e->text + "[" + joined(indices, ",", print) + "]");
  }
  Trees all{e};
  for (const int i : indices) all.push_back(numberNode(i));
  return treeOf(NodeKind::index, std::move(all));
}

Tree withArguments(const ExpressionNode& like, Trees arguments) {
  ExpressionNode n = like;
  n.depth = 1;
  n.arguments = std::move(arguments);
  return finished(std::move(n));
}

bool saysTheSame(const ExpressionNode& a, const ExpressionNode& b) {
  const bool isOperation = a.kind == NodeKind::unary || a.kind == NodeKind::binary;
  return a.kind == b.kind && a.number == b.number &&
         (a.kind == NodeKind::number || a.text == b.text) && (!isOperation || a.op == b.op) &&
         std::ranges::equal(a.arguments, b.arguments, [](const auto& x, const auto& y) {
           return x == y || saysTheSame(*x, *y);
         });
}

YamlNode expressionNode(const Tree& e, const SourceMark& at) {
  return cardan::expressionNode(toString(*e), at);
}

YamlNode equationNode(const Tree& left, const Tree& right, const SourceMark& at) {
  return cardan::expressionNode(toString(*left) + " = " + toString(*right), at);
}

}  // namespace cardan::modelica
