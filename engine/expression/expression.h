/// Expressions of the model file: an immutable tree, read from text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/diagnostics.h"

namespace cardan {

struct FunctionInfo;

enum class NodeKind {
  number,
  boolean,
  string,
  constant,  // pi, deg, Modelica.Constants....
  time,
  name,
  all,          // ':' as an index
  unary,        // one argument
  binary,       // two arguments
  conditional,  // condition, value, [condition, value, ...] value otherwise
  array,        // a vector of its arguments; of vectors: a matrix
  matrix,       // [a, b; c, d]: its arguments are arrays, one a row
  index,        // first argument indexed by the others
  call,
};

enum class Operator {
  negate,
  plus,
  logicalNot,
  logicalOr,
  logicalAnd,
  less,
  lessEqual,
  greater,
  greaterEqual,
  equal,
  notEqual,
  add,
  subtract,
  elementwiseAdd,
  elementwiseSubtract,
  multiply,
  divide,
  elementwiseMultiply,
  elementwiseDivide,
  power,
  elementwisePower,
};

/// How tightly an expression holds together, from loosely on.
enum OperatorRank { kIf, kOr, kAnd, kNot, kComparison, kSum, kProduct, kPower, kOperand };

/// How an operator is written ("+", "<=", "and"), and how tightly it holds.
struct OperatorForm {
  std::string_view symbol;
  OperatorRank rank;
};
const OperatorForm& formOf(Operator op);
inline std::string_view symbolOf(Operator op) { return formOf(op).symbol; }
/// `+` for `.+`, and so on; others as they are.
Operator withoutPoint(Operator op);
/// The operator between two operands that is written so, if there is one.
std::optional<Operator> binaryOperator(std::string_view symbol);

struct ExpressionNode;
using ExpressionTree = std::shared_ptr<const ExpressionNode>;

/// A node of the tree. Only the members of its kind have a meaning.
struct ExpressionNode {
  NodeKind kind = NodeKind::number;
  size_t offset =
      0;  ///< of the token that an error of this node points at, from the beginning of the text
  int depth = 1;                           ///< levels of the tree below and with this node
  size_t length = 0;                       ///< of its text, about
  double number = 0.0;                     ///< number, constant, boolean (1 or 0)
  Operator op = Operator::plus;            ///< unary, binary
  const FunctionInfo* function = nullptr;  ///< call
  std::string text;  ///< name, constant, string, function name as written; of a number "", or how
                     ///< it is to be written
  std::vector<ExpressionTree> arguments;
};
/// The node with its arguments as a tree: depth and length are found.
ExpressionTree finished(ExpressionNode node);
/// What is wrong with the function of a call, or the number of its arguments; "" where nothing is.
std::string faultOfCall(const ExpressionNode& call);

/// An expression and its place in the file. Copies share the tree.
class Expression {
 public:
  Expression(ExpressionTree root, SourceMark at) : root_(std::move(root)), at_(std::move(at)) {}

  const ExpressionNode& root() const { return *root_; }
  const ExpressionTree& tree() const { return root_; }
  /// The expression `function(this)`; `function` takes one argument.
  Expression as(std::string_view function) const;
  /// Place of the first character of the text.
  const SourceMark& at() const { return at_; }
  /// Place of a node of this tree.
  SourceMark markOf(const ExpressionNode& node) const { return at_.behind(node.offset); }

 private:
  ExpressionTree root_;
  SourceMark at_;
};

/// `left = right`
struct Equation {
  Expression left;
  Expression right;
};

/// Reads an expression; `at` is the place of the first character of `text`. Errors go to
/// `diagnostics`, one at most.
///
/// The grammar is Modelica's. Beyond it: '!=' is '<>', strings may stand in single quotes, a sign
/// may stand in front of any operand (`2*-x`), and `[a, b]` is a vector like `{a, b}` (YAML's
/// spelling); `[a, b; c, d]` is a matrix.
std::optional<Expression> parseExpression(std::string_view text, const SourceMark& at,
                                          Diagnostics& diagnostics);

/// Reads `left = right`.
std::optional<Equation> parseEquation(std::string_view text, const SourceMark& at,
                                      Diagnostics& diagnostics);

/// The expression as text, with the parentheses it needs; reads back as the same tree.
std::string toString(const Expression& expression);
std::string toString(const ExpressionNode& node);

/// A use of a variable or parameter.
struct NameReference {
  std::string name;         ///< in full, with literal indices: "a.b[2].c[1,3]"
  int derivativeOrder = 0;  ///< 1 in der(name), 2 in der(der(name)); VariableResolver::kBefore in
                            ///< pre(name), which edge(name) and change(name) contain
  SourceMark at;
};

/// All uses of names in the order of the text, repeated ones too; `time` and constants are not
/// among them. Under der() of anything but a name, its names count with and without the derivative.
std::vector<NameReference> namesIn(const Expression& expression);

/// True if the expression uses the constant or variable of this name (`deg`, `time`).
bool mentions(const Expression& expression, std::string_view name);

}  // namespace cardan
