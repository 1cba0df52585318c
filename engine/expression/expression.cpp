#include "engine/expression/expression.h"

#include <algorithm>

#include "engine/expression/functions.h"
#include "engine/expression/resolver.h"
#include "engine/expression/value.h"

namespace cardan {
namespace {

/// How tightly an operator binds; operands of the same strength on the right need parentheses.
int precedence(const ExpressionNode& node) {
  if (node.kind == NodeKind::conditional) return 0;
  if (node.kind == NodeKind::number && node.number < 0.0) return 5;
  if (node.kind != NodeKind::unary && node.kind != NodeKind::binary) return 9;
  switch (node.op) {
    case Operator::logicalOr:
      return 1;
    case Operator::logicalAnd:
      return 2;
    case Operator::logicalNot:
      return 3;
    case Operator::less:
    case Operator::lessEqual:
    case Operator::greater:
    case Operator::greaterEqual:
    case Operator::equal:
    case Operator::notEqual:
      return 4;
    case Operator::negate:
    case Operator::plus:
    case Operator::add:
    case Operator::subtract:
    case Operator::elementwiseAdd:
    case Operator::elementwiseSubtract:
      return 5;
    case Operator::multiply:
    case Operator::divide:
    case Operator::elementwiseMultiply:
    case Operator::elementwiseDivide:
      return 6;
    case Operator::power:
    case Operator::elementwisePower:
      return 7;
  }
  return 9;
}

void print(const ExpressionNode& node, std::string& out);

void printOperand(const ExpressionNode& node, int least, std::string& out) {
  const bool parentheses = precedence(node) < least;
  if (parentheses) out += '(';
  print(node, out);
  if (parentheses) out += ')';
}

void printList(const ExpressionNode& node, size_t from, std::string_view separator,
               std::string& out) {
  for (size_t i = from; i < node.arguments.size(); ++i) {
    if (i > from) out += separator;
    print(*node.arguments[i], out);
  }
}

void printBinary(const ExpressionNode& node, std::string& out) {
  const int p = precedence(node);
  const bool chains = p != 4 && p != 7;  // relations and powers do not
  printOperand(*node.arguments[0], chains ? p : p + 1, out);
  const bool tight = p >= 6 && symbolOf(node.op)[0] != '.';
  if (!tight) out += ' ';
  out += symbolOf(node.op);
  if (!tight) out += ' ';
  printOperand(*node.arguments[1], p + 1, out);
}

void printConditional(const ExpressionNode& node, std::string& out) {
  const size_t n = node.arguments.size();
  for (size_t i = 0; i + 1 < n; i += 2) {
    out += i == 0 ? "if " : " elseif ";
    print(*node.arguments[i], out);
    out += " then ";
    print(*node.arguments[i + 1], out);
  }
  out += " else ";
  print(*node.arguments[n - 1], out);
}

void print(const ExpressionNode& node, std::string& out) {
  switch (node.kind) {
    case NodeKind::number:
      out += formatNumber(node.number);
      break;
    case NodeKind::boolean:
      out += node.number != 0.0 ? "true" : "false";
      break;
    case NodeKind::string:
      out += quotedText(node.text);
      break;
    case NodeKind::constant:
    case NodeKind::name:
      out += node.text;
      break;
    case NodeKind::time:
      out += "time";
      break;
    case NodeKind::all:
      out += ':';
      break;
    case NodeKind::unary:
      out += symbolOf(node.op);
      if (node.op == Operator::logicalNot) out += ' ';
      printOperand(*node.arguments[0], node.op == Operator::logicalNot ? 4 : 6, out);
      break;
    case NodeKind::binary:
      printBinary(node, out);
      break;
    case NodeKind::conditional:
      printConditional(node, out);
      break;
    case NodeKind::array:
      out += '{';
      printList(node, 0, ", ", out);
      out += '}';
      break;
    case NodeKind::matrix:
      out += '[';
      for (size_t i = 0; i < node.arguments.size(); ++i) {
        if (i > 0) out += "; ";
        printList(*node.arguments[i], 0, ", ", out);
      }
      out += ']';
      break;
    case NodeKind::index:
      printOperand(*node.arguments[0], 9, out);
      out += '[';
      printList(node, 1, ", ", out);
      out += ']';
      break;
    case NodeKind::call:
      out += node.text + "(";
      printList(node, 0, ", ", out);
      out += ')';
      break;
  }
}

/// Under derivatives of order `least` to `most`, see namesIn().
void collectNames(const Expression& expression, const ExpressionNode& node, int least, int most,
                  std::vector<NameReference>& found) {
  if (node.kind == NodeKind::name) {
    for (int order = least; order <= most; ++order) {
      found.push_back({node.text, order, expression.markOf(node)});
    }
  }
  if (node.kind == NodeKind::call && node.function->kind == FunctionKind::derivative) {
    const ExpressionNode& x = *node.arguments[0];
    const bool plain = x.kind == NodeKind::name ||
                       (x.kind == NodeKind::call && x.function->kind == FunctionKind::derivative);
    collectNames(expression, x, plain ? least + 1 : least, most + 1, found);
    return;
  }
  const FunctionKind kind =
      node.kind == NodeKind::call ? node.function->kind : FunctionKind::elementwise;
  if (kind == FunctionKind::before || kind == FunctionKind::edge || kind == FunctionKind::change) {
    constexpr int before = VariableResolver::kBefore;
    collectNames(expression, *node.arguments[0], before, before, found);
    if (kind == FunctionKind::before) return;
  }
  for (const auto& argument : node.arguments) {
    collectNames(expression, *argument, least, most, found);
  }
}

bool mentionedIn(const ExpressionNode& node, std::string_view name) {
  const bool here =
      node.kind == NodeKind::time
          ? name == "time"
          : (node.kind == NodeKind::name || node.kind == NodeKind::constant) && node.text == name;
  return here || std::any_of(node.arguments.begin(), node.arguments.end(),
                             [&](const auto& a) { return mentionedIn(*a, name); });
}

}  // namespace

std::string_view symbolOf(Operator op) {
  switch (op) {
    case Operator::negate:
    case Operator::subtract:
      return "-";
    case Operator::plus:
    case Operator::add:
      return "+";
    case Operator::logicalNot:
      return "not";
    case Operator::logicalOr:
      return "or";
    case Operator::logicalAnd:
      return "and";
    case Operator::less:
      return "<";
    case Operator::lessEqual:
      return "<=";
    case Operator::greater:
      return ">";
    case Operator::greaterEqual:
      return ">=";
    case Operator::equal:
      return "==";
    case Operator::notEqual:
      return "<>";
    case Operator::elementwiseAdd:
      return ".+";
    case Operator::elementwiseSubtract:
      return ".-";
    case Operator::multiply:
      return "*";
    case Operator::divide:
      return "/";
    case Operator::elementwiseMultiply:
      return ".*";
    case Operator::elementwiseDivide:
      return "./";
    case Operator::power:
      return "^";
    case Operator::elementwisePower:
      return ".^";
  }
  return "";
}

Expression Expression::as(std::string_view function) const {
  auto call = std::make_shared<ExpressionNode>();
  call->kind = NodeKind::call;
  call->offset = root_->offset;
  call->depth = root_->depth + 1;
  call->function = findFunction(function);
  call->text = function;
  call->arguments.push_back(root_);
  return {std::move(call), at_};
}

SourceMark Expression::markOf(const ExpressionNode& node) const {
  SourceMark mark = at_;
  if (mark.line > 0) mark.column += node.offset;
  return mark;
}

std::string toString(const ExpressionNode& node) {
  std::string text;
  print(node, text);
  return text;
}

std::string toString(const Expression& expression) { return toString(expression.root()); }

std::vector<NameReference> namesIn(const Expression& expression) {
  std::vector<NameReference> found;
  collectNames(expression, expression.root(), 0, 0, found);
  return found;
}

bool mentions(const Expression& expression, std::string_view name) {
  return mentionedIn(expression.root(), name);
}

}  // namespace cardan
