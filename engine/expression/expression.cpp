#include "engine/expression/expression.h"

#include <algorithm>

#include "engine/expression/functions.h"
#include "engine/expression/resolver.h"
#include "engine/expression/value.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

/// Operands of the same rank on the right need parentheses.
OperatorRank rankOf(const ExpressionNode& node) {
  if (node.kind == NodeKind::conditional) return kIf;
  if (node.kind == NodeKind::number && node.number < 0.0) return kSum;
  const bool isOperation = node.kind == NodeKind::unary || node.kind == NodeKind::binary;
  return isOperation ? formOf(node.op).rank : kOperand;
}

void print(const ExpressionNode& node, std::string& out);

void printOperand(const ExpressionNode& node, int least, std::string& out) {
  const bool parentheses = rankOf(node) < least;
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
  const auto& [symbol, rank] = formOf(node.op);
  const bool chains = rank != kComparison && rank != kPower;
  printOperand(*node.arguments[0], chains ? rank : rank + 1, out);
  const bool tight = rank >= kProduct && symbol[0] != '.';
  if (!tight) out += ' ';
  out += symbol;
  if (!tight) out += ' ';
  printOperand(*node.arguments[1], rank + 1, out);
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
      out += node.text.empty() ? formatNumber(node.number) : node.text;
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
      printOperand(*node.arguments[0], node.op == Operator::logicalNot ? kComparison : kProduct,
                   out);
      break;
    case NodeKind::binary:
      printBinary(node, out);
      break;
    case NodeKind::conditional:
      printConditional(node, out);
      break;
    case NodeKind::array:
      if (node.arguments.empty()) {  // `{}` has no meaning
        out += "zeros(0)";
        break;
      }
      out += '{';
      printList(node, 0, ", ", out);
      out += '}';
      break;
    case NodeKind::matrix:
      if (node.arguments.size() == 1) {  // `[a, b]` is a vector
        out += '{';
        print(*node.arguments[0], out);
        out += '}';
        break;
      }
      out += '[';
      for (size_t i = 0; i < node.arguments.size(); ++i) {
        if (i > 0) out += "; ";
        printList(*node.arguments[i], 0, ", ", out);
      }
      out += ']';
      break;
    case NodeKind::index:
      printOperand(*node.arguments[0], kOperand, out);
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

const OperatorForm& formOf(Operator op) {
  static constexpr OperatorForm all[] = {
      {"-", kSum},         {"+", kSum},         {"not", kNot},       {"or", kOr},
      {"and", kAnd},       {"<", kComparison},  {"<=", kComparison}, {">", kComparison},
      {">=", kComparison}, {"==", kComparison}, {"<>", kComparison}, {"+", kSum},
      {"-", kSum},         {".+", kSum},        {".-", kSum},        {"*", kProduct},
      {"/", kProduct},     {".*", kProduct},    {"./", kProduct},    {"^", kPower},
      {".^", kPower}};
  return all[static_cast<int>(op)];
}

Operator withoutPoint(Operator op) {
  const std::string_view symbol = symbolOf(op);
  return symbol[0] == '.' ? *binaryOperator(symbol.substr(1)) : op;
}

std::optional<Operator> binaryOperator(std::string_view symbol) {
  if (symbol == "!=") return Operator::notEqual;
  for (int i = static_cast<int>(Operator::logicalOr);
       i <= static_cast<int>(Operator::elementwisePower); ++i) {
    if (symbolOf(static_cast<Operator>(i)) == symbol) return static_cast<Operator>(i);
  }
  return std::nullopt;
}

ExpressionTree finished(ExpressionNode node) {
  node.length = std::max<size_t>(node.text.size(), 2) + 2 * node.arguments.size();
  for (const ExpressionTree& a : node.arguments) {
    node.depth = std::max(node.depth, a->depth + 1);
    node.length += a->length;
  }
  return std::make_shared<const ExpressionNode>(std::move(node));
}

std::string faultOfCall(const ExpressionNode& call) {
  if (!call.function) {
    const std::string hint = didYouMean(call.text, functionNames());
    return "unknown function '" + call.text + "'" +
           (hint.empty() ? "; there are " + joined(functionNames(), ", ") : hint);
  }
  const int least = call.function->minArguments, most = call.function->maxArguments;
  const int count = std::ssize(call.arguments);
  if (count >= least && count <= most) return "";
  std::string expected = std::to_string(least);
  if (most > least) expected += " to " + std::to_string(most);
  return "'" + call.text + "' takes " + expected + " argument" + (most == 1 ? "" : "s") +
         ", found " + std::to_string(count);
}

Expression Expression::as(std::string_view function) const {
  ExpressionNode call;
  call.kind = NodeKind::call;
  call.offset = root_->offset;
  call.function = findFunction(function);
  call.text = function;
  call.arguments.push_back(root_);
  return {finished(std::move(call)), at_};
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
