#include "engine/modelica/trees.h"

#include <algorithm>

#include "engine/expression/functions.h"
#include "engine/text/imported_model.h"
#include "engine/text/joined.h"

namespace cardan::modelica {

Tree treeOf(NodeKind kind, Trees arguments, const std::string& text, double number, Operator op) {
  ExpressionNode n;
  n.kind = kind;
  n.number = number;
  n.op = op;
  n.text = text;
  n.arguments = std::move(arguments);
  if (kind == NodeKind::call) n.function = findFunction(text);
  return finished(std::move(n));
}

Tree numberNode(double x) {
  return treeOf(NodeKind::number, {}, "", x == 0 ? 0 : x);  // no -0
}

Tree truthNode(bool x) { return treeOf(NodeKind::boolean, {}, "", x ? 1 : 0); }

Tree nameNode(const std::string& name) { return treeOf(NodeKind::name, {}, name); }

Tree wordNode(const std::string& word) {
  if (word == "time") return treeOf(NodeKind::time, {});
  double value = 0;
  const NodeKind kind = findConstant(word, value) ? NodeKind::constant : NodeKind::name;
  return treeOf(kind, {}, word, value);
}

Tree operationNode(Operator op, Tree a, Tree b) {
  return treeOf(NodeKind::binary, {std::move(a), std::move(b)}, "", 0, op);
}

Tree operationNode(Operator op, Tree a) {
  return treeOf(NodeKind::unary, {std::move(a)}, "", 0, op);
}

Tree callNode(const std::string& function, Trees arguments) {
  return treeOf(NodeKind::call, std::move(arguments), function);
}

Tree elementNode(const Tree& e, const std::vector<int>& indices) {
  const bool isPart = std::ranges::find(indices, 0) != indices.end();
  if (e->kind == NodeKind::name && !isPart) {
    const auto print = [](int i) { return std::to_string(i); };
    return nameNode(e->text + "[" + joined(indices, ",", print) + "]");
  }
  Trees all{e};
  for (const int i : indices) all.push_back(i == 0 ? treeOf(NodeKind::all, {}) : numberNode(i));
  return treeOf(NodeKind::index, std::move(all));
}

std::vector<std::vector<int>> indicesOf(const std::vector<int>& sizes) {
  std::vector<std::vector<int>> all{{}};
  for (const int size : sizes) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& indices : all) {
      for (int i = 1; i <= size; ++i) longer.emplace_back(indices).push_back(i);
    }
    all = std::move(longer);
  }
  return all;
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
