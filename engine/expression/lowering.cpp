#include "engine/expression/lowering.h"

#include <algorithm>

#include "engine/text/meanwhile.h"

namespace cardan {
namespace {

constexpr double kMostElements = 1e6;     // of an array
constexpr double kMostOfAll = 2e7;        // of all arrays that an expression makes or reads
constexpr int kMostOperations = 1000000;  // done while lowering, folded ones too
constexpr int kLongestProgram = 200000;

std::string inQuotes(std::string_view s) { return "'" + std::string(s) + "'"; }

}  // namespace

bool LoweredValue::isConstant() const {
  return std::all_of(elements.begin(), elements.end(),
                     [](const Operand& x) { return x.isConstant(); });
}

ExpressionValue LoweredValue::constant() const {
  if (type == ValueType::string) return text;
  std::vector<double> values;
  for (const Operand& x : elements) values.push_back(x.constant);
  return {type, shape, std::move(values)};
}

std::string LoweredValue::describe() const {
  if (type == ValueType::orientation) return "orientation";
  if (isConstant()) return constant().describe();
  if (type != ValueType::boolean) return shape.describe();
  return shape.isScalar() ? "Boolean" : "Boolean " + shape.describe();
}

Lowering::Lowering(const Expression& expression, VariableResolver& resolver, Program& program,
                   Diagnostics& diagnostics, bool beforeRun)
    : expression_(expression),
      resolver_(resolver),
      program_(program),
      diagnostics_(diagnostics),
      beforeRun_(beforeRun) {}

std::optional<LoweredValue> Lowering::lower() {
  try {
    return lower(expression_.root());
  } catch (const Failed&) {
    return std::nullopt;
  }
}

void Lowering::fail(const Node& node, const std::string& text, ErrorKind kind) {
  diagnostics_.error(expression_.markOf(caller_ ? *caller_ : node), text, kind);
  throw Failed{};
}

void Lowering::limitSize(const Node& node, double elements) {
  elements_ += elements;
  if (elements > kMostElements || elements_ > kMostOfAll) {
    fail(node, "arrays in " + inQuotes(toString(node)) + " are too large");
  }
}

void Lowering::limitOperations(const Node& node) {
  if (operations_ > kMostOperations || program_.size() > kLongestProgram) {
    fail(node, "expression has too many operations");
  }
}

/// All arguments, so that the errors of all are reported.
std::vector<LoweredValue> Lowering::lowerAll(const Node& node) {
  std::vector<Value> values;
  bool failed = false;
  for (const auto& argument : node.arguments) {
    try {
      values.push_back(lower(*argument));
    } catch (const Failed&) {
      failed = true;
    }
  }
  if (failed) throw Failed{};
  return values;
}

LoweredValue Lowering::lower(const Node& node) {
  switch (node.kind) {
    case NodeKind::number:
    case NodeKind::constant:
      return LoweredValue::scalar(Operand::number(node.number));
    case NodeKind::boolean:
      return LoweredValue::scalar(Operand::number(node.number), ValueType::boolean);
    case NodeKind::string:
      return {ValueType::string, {}, {}, node.text};
    case NodeKind::time:
      if (beforeRun_)
        fail(node, "'time' has no value here: the value must be known before the run");
      return LoweredValue::scalar(program_.time(&node));
    case NodeKind::name:
      return name(node, node.text, 0);
    case NodeKind::unary:
      return unary(node);
    case NodeKind::binary:
      return binary(node);
    case NodeKind::conditional:
      return conditional(node);
    case NodeKind::array:
      return array(node);
    case NodeKind::matrix:
      return matrix(node);
    case NodeKind::index:
      return index(node);
    case NodeKind::call:
      return call(node);
    case NodeKind::all:
      break;
  }
  fail(node, "':' has no meaning here");
}

Operand Lowering::operate(Operation op, Operand a, Operand b, const Node& node, Watch watch) {
  const Operand result = program_.apply(op, a, b, &node, watch);
  ++operations_;
  limitOperations(node);
  const bool isFault = a.isConstant() && b.isConstant() && !result.isConstant();
  if (!isFault) return result;
  if (discarded_ > 0) throw Failed{};
  if (conditional_ == 0) {
    fail(node, faultOf(op, a.constant, b.constant) + " in '" + toString(node) + "'");
  }
  return result;
}

LoweredValue Lowering::each(Operation op, const Value& x, const Node& node) {
  Value result = x;
  for (Operand& element : result.elements) element = piecewise(op, element, {}, node);
  return result;
}

void Lowering::needNumbers(const Node& node, const std::vector<Value>& x, std::string_view user) {
  for (const Value& value : x) {
    if (value.type != ValueType::real) {
      fail(node, inQuotes(user) + " needs numbers, found " + value.describe());
    }
  }
}

LoweredValue Lowering::unary(const Node& node) {
  const Value x = lower(*node.arguments[0]);
  if (node.op == Operator::logicalNot) {
    if (x.type != ValueType::boolean) fail(node, "'not' needs a Boolean, found " + x.describe());
    return each(Operation::logicalNot, x, node);
  }
  needNumbers(node, {x}, symbolOf(node.op));
  return node.op == Operator::plus ? x : each(Operation::negate, x, node);
}

LoweredValue Lowering::logical(const Node& node) {
  const auto boolean = [&](const Value& x) {
    if (x.type != ValueType::boolean || !x.shape.isScalar()) {
      fail(node, inQuotes(symbolOf(node.op)) + " needs Booleans, found " + x.describe());
    }
    return x.elements[0];
  };
  const Operand left = boolean(lower(*node.arguments[0]));
  // "n > 0 and 1/n > 2": a left side that decides alone discards the right one.
  const bool decided =
      left.isConstant() && (left.constant != 0.0) == (node.op == Operator::logicalOr);
  if (decided) {
    ++discarded_;
    try {
      boolean(lower(*node.arguments[1]));
    } catch (const Failed&) {
      // Reported, unless it is a fault that cannot come about.
    }
    --discarded_;
    return LoweredValue::scalar(left, ValueType::boolean);
  }
  const Operand right = boolean(lower(*node.arguments[1]));
  if (left.isConstant()) return LoweredValue::scalar(right, ValueType::boolean);
  return LoweredValue::scalar(operate(operationOf(node.op), left, right, node), ValueType::boolean);
}

LoweredValue Lowering::binary(const Node& node) {
  if (node.op == Operator::logicalAnd || node.op == Operator::logicalOr) return logical(node);
  const std::vector<Value> both = lowerAll(node);
  const Value& x = both[0];
  const Value& y = both[1];
  if (isRelation(operationOf(node.op))) return relation(node, x, y);
  if (node.op == Operator::add && x.type == ValueType::string && y.type == ValueType::string) {
    return {ValueType::string, {}, {}, x.text + y.text};
  }
  needNumbers(node, both, symbolOf(node.op));
  const Operation op = operationOf(node.op);
  switch (node.op) {
    case Operator::add:
    case Operator::subtract:
      return sameShape(op, x, y, node);
    case Operator::multiply:
      return multiply(x, y, node);
    case Operator::divide:
      if (!y.shape.isScalar()) {
        fail(node, "'/' divides by a scalar, found " + y.shape.describe() +
                       "; element by element it is './'");
      }
      return broadcast(op, x, y, node);
    case Operator::power:
      if (!x.shape.isScalar() || !y.shape.isScalar()) {
        fail(node, "'^' needs scalars, found " + x.shape.describe() + " and " + y.shape.describe() +
                       "; element by element it is '.^'");
      }
      return broadcast(op, x, y, node);
    default:
      return broadcast(op, x, y, node);
  }
}

LoweredValue Lowering::sameShape(Operation op, const Value& x, const Value& y, const Node& node) {
  if (x.shape != y.shape) {
    fail(node, inQuotes(symbolOf(node.op)) + " needs operands of the same shape, found " +
                   x.shape.describe() + " and " + y.shape.describe());
  }
  return broadcast(op, x, y, node);
}

/// Element by element; a scalar meets every element.
LoweredValue Lowering::broadcast(Operation op, const Value& x, const Value& y, const Node& node) {
  const bool xIsScalar = x.shape.isScalar();
  const bool yIsScalar = y.shape.isScalar();
  if (!xIsScalar && !yIsScalar && x.shape != y.shape) {
    const std::string user(node.kind == NodeKind::call ? node.text : symbolOf(node.op));
    fail(node, inQuotes(user) + " needs operands of the same shape, found " + x.shape.describe() +
                   " and " + y.shape.describe());
  }
  Value result = xIsScalar ? y : x;
  for (size_t i = 0; i < result.elements.size(); ++i) {
    result.elements[i] =
        piecewise(op, x.elements[xIsScalar ? 0 : i], y.elements[yIsScalar ? 0 : i], node);
  }
  return result;
}

/// Sum of products of `count` elements, each side with its own stride.
Operand Lowering::dot(const Value& x, size_t xFirst, size_t xStep, const Value& y, size_t yFirst,
                      size_t yStep, int count, const Node& node) {
  Operand sum = Operand::number(0.0);
  for (int k = 0; k < count; ++k) {
    const Operand product = operate(Operation::multiply, x.elements[xFirst + k * xStep],
                                    y.elements[yFirst + k * yStep], node);
    sum = operate(Operation::add, sum, product, node);
  }
  return sum;
}

/// Modelica's product: scalar * array, vector . vector, and the products of matrices.
LoweredValue Lowering::multiply(const Value& x, const Value& y, const Node& node) {
  if (x.shape.isScalar() || y.shape.isScalar()) {
    return broadcast(Operation::multiply, x, y, node);
  }
  const int inner = x.shape.isVector() ? x.shape.rows : x.shape.columns;
  if (inner != y.shape.rows) {
    fail(node, "'*' cannot multiply " + x.shape.describe() + " by " + y.shape.describe());
  }
  const bool row = x.shape.isVector();  // a vector on the left is a row
  const int rows = row ? 1 : x.shape.rows;
  const int columns = y.shape.columns;
  limitSize(node, static_cast<double>(rows) * columns * std::max(inner, 1));
  Value result;
  if (row && y.shape.isVector()) {
    result.shape = ValueShape::scalar();
  } else if (row) {
    result.shape = ValueShape::vector(columns);
  } else {
    result.shape =
        y.shape.isVector() ? ValueShape::vector(rows) : ValueShape::matrix(rows, columns);
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      result.elements.push_back(dot(x, i * inner, 1, y, j, columns, inner, node));
    }
  }
  return result;
}

LoweredValue Lowering::relation(const Node& node, const Value& x, const Value& y) {
  const Operation op = operationOf(node.op);
  const bool equality = op == Operation::equal || op == Operation::notEqual;
  if (equality && x.type == ValueType::string && y.type == ValueType::string) {
    const bool same = x.text == y.text;
    return LoweredValue::scalar(Operand::number(same == (op == Operation::equal) ? 1.0 : 0.0),
                                ValueType::boolean);
  }
  const bool comparable = x.shape.isScalar() && y.shape.isScalar() && x.type == y.type &&
                          (x.type == ValueType::real || (x.type == ValueType::boolean && equality));
  if (!comparable) {
    fail(node,
         inQuotes(symbolOf(node.op)) + " cannot compare " + x.describe() + " with " + y.describe());
  }
  const bool event = !equality && noEvent_ == 0 && discarded_ == 0;
  const bool known = x.elements[0].isConstant() && y.elements[0].isConstant();
  if (!equality && noEvent_ > 0 && !known) program_.setBendsUnseen();
  return LoweredValue::scalar(
      operate(op, x.elements[0], y.elements[0], node, event ? Watch::always : Watch::never),
      ValueType::boolean);
}

LoweredValue Lowering::conditional(const Node& node) {
  const size_t n = node.arguments.size();
  std::vector<Operand> conditions;
  std::vector<Value> branches;
  bool failed = false;
  bool decided = false;  // a condition before is constantly true
  const Meanwhile outside(conditional_, conditional_);
  // What is discarded may fail without a word.
  const auto tried = [&](bool discard, const auto& action) {
    const Meanwhile level(discarded_, discarded_ + (discard ? 1 : 0));
    const int errors = diagnostics_.errorCount();
    try {
      action();
    } catch (const Failed&) {
      failed = failed || !discard || diagnostics_.errorCount() > errors;
    }
  };
  const auto branch = [&](const Node& part, bool discard) {
    tried(discard, [&] {
      Value x = lower(part);
      if (!discard) branches.push_back(std::move(x));
    });
  };
  for (size_t i = 0; i + 1 < n; i += 2) {
    std::optional<Operand> condition;
    tried(decided, [&] {
      const Value x = lower(*node.arguments[i]);
      if (x.type != ValueType::boolean || !x.shape.isScalar()) {
        fail(*node.arguments[i], "the condition of 'if' must be a Boolean, found " + x.describe());
      }
      condition = x.elements[0];
    });
    const bool open = condition && !condition->isConstant();
    const bool never =
        decided || (condition && condition->isConstant() && condition->constant == 0.0);
    if (open && !decided) ++conditional_;
    branch(*node.arguments[i + 1], never);
    if (open && !decided) conditions.push_back(*condition);
    if (condition && condition->isConstant() && condition->constant != 0.0) decided = true;
  }
  branch(*node.arguments[n - 1], decided);
  if (failed || branches.empty()) throw Failed{};

  Value result = branches.back();
  for (size_t i = branches.size() - 1; i-- > 0;) {
    const Value& x = branches[i];
    if (x.shape != result.shape || x.type != result.type) {
      fail(node, "the branches of 'if' differ: " + x.describe() + " and " + result.describe());
    }
    if (x.type == ValueType::string) {
      fail(node, "'if' chooses between strings, its condition must be known before the run");
    }
    for (size_t k = 0; k < result.elements.size(); ++k) {
      result.elements[k] = program_.select(conditions[i], x.elements[k], result.elements[k], &node);
    }
  }
  return result;
}

}  // namespace cardan
