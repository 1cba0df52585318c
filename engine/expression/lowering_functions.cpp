#include <limits>

#include "engine/expression/lowering.h"
#include "engine/text/meanwhile.h"

namespace cardan {
namespace {

/// An array with the same element everywhere.
LoweredValue filled(Operand x, ValueShape shape) {
  return {ValueType::real, shape, std::vector<Operand>(shape.size(), x), ""};
}

}  // namespace

LoweredValue Lowering::array(const Node& node) {
  const std::vector<Value> parts = lowerAll(node);
  if (parts.empty()) fail(node, "an array must have elements here");
  const Value& first = parts[0];
  Value result{first.type, {}, {}, ""};
  for (const Value& x : parts) {
    if (x.type == ValueType::string)
      fail(node, "an array cannot hold strings, found " + x.describe());
    if (x.type == ValueType::orientation) fail(node, "an array cannot hold orientations");
    if (x.type != first.type || x.shape != first.shape) {
      fail(node, "the elements of an array must be alike, found " + first.describe() + " and " +
                     x.describe());
    }
    result.elements.insert(result.elements.end(), x.elements.begin(), x.elements.end());
  }
  const int rows = std::ssize(parts);
  if (first.shape.isMatrix()) fail(node, "an array of matrices is not supported");
  limitSize(node, static_cast<double>(result.elements.size()));
  result.shape = first.shape.isScalar() ? ValueShape::vector(rows)
                                        : ValueShape::matrix(rows, first.shape.rows);
  return result;
}

LoweredValue Lowering::matrix(const Node& node) {
  const std::vector<Value> rows = lowerAll(node);
  Value result{rows[0].type, {}, {}, ""};
  for (const Value& row : rows) {
    if (!row.shape.isVector()) fail(node, "the elements of a matrix must be scalars");
    if (row.shape != rows[0].shape || row.type != rows[0].type) {
      fail(node, "the rows of a matrix must be alike, found " + rows[0].describe() + " and " +
                     row.describe());
    }
    result.elements.insert(result.elements.end(), row.elements.begin(), row.elements.end());
  }
  result.shape = ValueShape::matrix(std::ssize(rows), rows[0].shape.rows);
  return result;
}

void Lowering::needVector(const Node& node, const Value& x, int size) {
  if (x.shape.isVector() && (size < 0 || x.shape.rows == size)) return;
  fail(node, "'" + node.text + "' needs a vector" +
                 (size < 0 ? "" : " of " + std::to_string(size)) + ", found " + x.shape.describe());
}

int Lowering::constantInteger(const Node& node, const Value& x, const std::string& what,
                              int least) {
  if (!x.isConstant() || !x.constant().isInteger()) {
    fail(node, what + " must be an integer known before the run, found " + x.describe());
  }
  const int n = x.constant().integer();
  if (n < least)
    fail(node, what + " must be at least " + std::to_string(least) + ", found " + x.describe());
  return n;
}

LoweredValue Lowering::call(const Node& node) {
  const FunctionInfo& function = *node.function;
  switch (function.kind) {
    case FunctionKind::derivative:
      return derivative(node);
    case FunctionKind::orientation:
      return orientationFunction(node);
    case FunctionKind::initial:
      if (const auto value = find(node, "initial()", 0)) return *value;
      fail(node, "'initial()' is not supported here");
    case FunctionKind::terminal:
      if (const auto value = find(node, "terminal()", 0)) return *value;
      fail(node, "'terminal()' has a meaning in conditions of 'when' only");
    case FunctionKind::sample:
      return sample(node);
    case FunctionKind::before:
    case FunctionKind::edge:
    case FunctionKind::change:
      return before(node);
    case FunctionKind::noEvent:
    case FunctionKind::smooth: {
      if (function.kind == FunctionKind::smooth) {
        constantInteger(node, lower(*node.arguments[0]), "the first argument of 'smooth'", 0);
      }
      const Meanwhile withoutEvents(noEvent_, noEvent_ + 1);
      return lower(*node.arguments.back());
    }
    default:
      break;
  }
  const std::vector<Value> x = lowerAll(node);
  needNumbers(node, x, node.text);
  switch (function.kind) {
    case FunctionKind::elementwise:
      if (x.size() == 1) return each(function.operation, x[0], node);
      return broadcast(function.operation, x[0], x[1], node);
    case FunctionKind::conversion: {
      Value y = broadcast(Operation::multiply, x[0],
                          LoweredValue::scalar(Operand::number(function.scale)), node);
      return broadcast(Operation::add, y, LoweredValue::scalar(Operand::number(function.offset)),
                       node);
    }
    case FunctionKind::minimum:
      return extremum(node, x, Operation::minimum);
    case FunctionKind::maximum:
      return extremum(node, x, Operation::maximum);
    case FunctionKind::diagonal:
    case FunctionKind::identity:
    case FunctionKind::zeros:
    case FunctionKind::ones:
    case FunctionKind::fill:
    case FunctionKind::linspace:
      return construct(node, x);
    default:
      return vectorFunction(node, x);
  }
}

/// Functions that bend or jump, as branches that events choose; other operations as they are.
Operand Lowering::piecewise(Operation op, Operand a, Operand b, const Node& node) {
  const bool known = a.isConstant() && b.isConstant();  // of unary operations b is 0
  const bool bends = isStep(op) || op == Operation::abs || op == Operation::minimum ||
                     op == Operation::maximum || op == Operation::remainder ||
                     op == Operation::modulo;
  if (bends && !known && noEvent_ > 0) program_.setBendsUnseen();
  if (known || noEvent_ > 0 || discarded_ > 0) return operate(op, a, b, node);
  const Operand zero = Operand::number(0.0), one = Operand::number(1.0);
  const auto kink = [&](Operation relation) { return operate(relation, a, b, node, Watch::kink); };
  const auto jump = [&](Operation relation, Operand x) {
    return operate(relation, x, zero, node, Watch::jump);
  };
  const auto choose = [&](Operand condition, Operand yes, Operand no) {
    return program_.select(condition, yes, no, &node);
  };
  const auto minus = [&](Operand x) { return operate(Operation::negate, x, node); };
  const auto floor = [&](Operand x) { return operate(Operation::floor, x, {}, node, Watch::jump); };
  const auto withoutFraction = [&](Operand x) {
    return choose(jump(Operation::greaterEqual, x), floor(x), minus(floor(minus(x))));
  };
  const auto rest = [&](Operand whole) {
    return operate(Operation::subtract, a, operate(Operation::multiply, whole, b, node), node);
  };
  switch (op) {
    case Operation::abs:
      return choose(kink(Operation::greaterEqual), a, minus(a));
    case Operation::sign:
      return choose(jump(Operation::greater, a), one,
                    choose(jump(Operation::less, a), minus(one), zero));
    case Operation::minimum:
      return choose(kink(Operation::lessEqual), a, b);
    case Operation::maximum:
      return choose(kink(Operation::greaterEqual), a, b);
    case Operation::floor:
      return floor(a);
    case Operation::ceil:
      return minus(floor(minus(a)));
    case Operation::quotient:
      return withoutFraction(operate(Operation::divide, a, b, node));
    case Operation::remainder:
      return rest(withoutFraction(operate(Operation::divide, a, b, node)));
    case Operation::modulo:
      return rest(floor(operate(Operation::divide, a, b, node)));
    default:
      return operate(op, a, b, node);
  }
}

LoweredValue Lowering::extremum(const Node& node, const std::vector<Value>& x, Operation op) {
  if (x.size() == 2) return broadcast(op, x[0], x[1], node);
  if (x[0].elements.empty()) fail(node, "'" + node.text + "' of an array without elements");
  Operand result = x[0].elements[0];
  for (size_t i = 1; i < x[0].elements.size(); ++i) {
    result = piecewise(op, result, x[0].elements[i], node);
  }
  return LoweredValue::scalar(result);
}

LoweredValue Lowering::cross(const Value& u, const Value& v, const Node& node) {
  needVector(node, u, 3);
  needVector(node, v, 3);
  Value result{ValueType::real, ValueShape::vector(3), {}, ""};
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    result.elements.push_back(operate(
        Operation::subtract, operate(Operation::multiply, u.elements[j], v.elements[k], node),
        operate(Operation::multiply, u.elements[k], v.elements[j], node), node));
  }
  return result;
}

LoweredValue Lowering::skew(const Value& u, const Node& node) {
  needVector(node, u, 3);
  const auto at = [&u](size_t i) { return u.elements[i]; };
  const auto minus = [&](size_t i) { return operate(Operation::negate, at(i), node); };
  const Operand zero = Operand::number(0.0);
  return {ValueType::real,
          ValueShape::matrix(3, 3),
          {zero, minus(2), at(1), at(2), zero, minus(0), minus(1), at(0), zero},
          ""};
}

LoweredValue Lowering::outerProduct(const Value& u, const Value& v, const Node& node) {
  needVector(node, u, -1);
  needVector(node, v, -1);
  limitSize(node, static_cast<double>(u.shape.rows) * v.shape.rows);
  Value result{ValueType::real, ValueShape::matrix(u.shape.rows, v.shape.rows), {}, ""};
  for (const Operand& a : u.elements) {
    for (const Operand& b : v.elements) {
      result.elements.push_back(operate(Operation::multiply, a, b, node));
    }
  }
  return result;
}

LoweredValue Lowering::transposed(const Value& u, const Node& node) {
  if (!u.shape.isMatrix()) fail(node, "'transpose' needs a matrix, found " + u.shape.describe());
  Value result{ValueType::real, ValueShape::matrix(u.shape.columns, u.shape.rows), {}, ""};
  for (int j = 0; j < u.shape.columns; ++j) {
    for (int i = 0; i < u.shape.rows; ++i) {
      result.elements.push_back(u.elements[i * u.shape.columns + j]);
    }
  }
  return result;
}

/// Of all dimensions, or of the one that the second argument numbers.
LoweredValue Lowering::sizeOf(const std::vector<Value>& x, const Node& node) {
  const ValueShape& shape = x[0].shape;
  const std::vector<int> extents = {shape.rows, shape.columns};
  if (x.size() == 1) {
    Value all{ValueType::real, ValueShape::vector(shape.dimensions), {}, ""};
    for (int i = 0; i < shape.dimensions; ++i) all.elements.push_back(Operand::number(extents[i]));
    return all;
  }
  const int i = constantInteger(node, x[1], "the dimension of 'size'", 1);
  if (i > shape.dimensions) {
    fail(node, "'size' of dimension " + std::to_string(i) + " of a " + shape.describe());
  }
  return LoweredValue::scalar(Operand::number(extents[i - 1]));
}

/// Functions whose result depends on a whole array.
LoweredValue Lowering::vectorFunction(const Node& node, const std::vector<Value>& x) {
  const Value& u = x[0];
  const auto length = [&] {
    needVector(node, u, -1);
    return operate(Operation::sqrt, dot(u, 0, 1, u, 0, 1, u.shape.rows, node), node);
  };
  switch (node.function->kind) {
    case FunctionKind::dot:
      needVector(node, u, -1);
      needVector(node, x[1], u.shape.rows);
      return LoweredValue::scalar(dot(u, 0, 1, x[1], 0, 1, u.shape.rows, node));
    case FunctionKind::length:
      return LoweredValue::scalar(length());
    case FunctionKind::normalize: {
      // Of what is shorter than 100 eps by that, so that 0 stays 0.  Source  MSL Vectors.normalize
      needVector(node, u, -1);
      constexpr double least = 100 * std::numeric_limits<double>::epsilon();
      const Operand square = operate(Operation::maximum, dot(u, 0, 1, u, 0, 1, u.shape.rows, node),
                                     Operand::number(least * least), node);
      return broadcast(Operation::divide, u,
                       LoweredValue::scalar(operate(Operation::sqrt, square, node)), node);
    }
    case FunctionKind::cross:
      return cross(u, x[1], node);
    case FunctionKind::skew:
      return skew(u, node);
    case FunctionKind::outerProduct:
      return outerProduct(u, x[1], node);
    case FunctionKind::transpose:
      return transposed(u, node);
    case FunctionKind::sum:
    case FunctionKind::product: {
      const bool isSum = node.function->kind == FunctionKind::sum;
      Operand result = Operand::number(isSum ? 0.0 : 1.0);
      for (const Operand& element : u.elements) {
        result = operate(isSum ? Operation::add : Operation::multiply, result, element, node);
      }
      return LoweredValue::scalar(result);
    }
    case FunctionKind::size:
      return sizeOf(x, node);
    default:
      break;
  }
  fail(node, "function '" + node.text + "' is not supported in expressions",
       ErrorKind::unsupported);
}

/// Functions that make an array from sizes and elements.
LoweredValue Lowering::construct(const Node& node, const std::vector<Value>& x) {
  const auto shapeFrom = [&](size_t first) {
    const auto extent = [&](size_t i) {
      return constantInteger(node, x[i], "a size in '" + node.text + "'", 0);
    };
    const int rows = extent(first);
    limitSize(node, rows);
    if (x.size() == first + 1) return ValueShape::vector(rows);
    const int columns = extent(first + 1);
    limitSize(node, static_cast<double>(rows) * columns);
    return ValueShape::matrix(rows, columns);
  };
  switch (node.function->kind) {
    case FunctionKind::zeros:
      return filled(Operand::number(0.0), shapeFrom(0));
    case FunctionKind::ones:
      return filled(Operand::number(1.0), shapeFrom(0));
    case FunctionKind::fill:
      if (!x[0].shape.isScalar())
        fail(node, "'fill' needs a scalar, found " + x[0].shape.describe());
      return filled(x[0].elements[0], shapeFrom(1));
    case FunctionKind::linspace: {
      const int n = constantInteger(node, x[2], "the size in 'linspace'", 2);
      limitSize(node, n);
      if (!x[0].shape.isScalar() || !x[1].shape.isScalar()) fail(node, "'linspace' needs scalars");
      Value result{ValueType::real, ValueShape::vector(n), {}, ""};
      const Operand span = operate(Operation::subtract, x[1].elements[0], x[0].elements[0], node);
      for (int i = 0; i < n; ++i) {
        const Operand step =
            operate(Operation::divide, operate(Operation::multiply, span, Operand::number(i), node),
                    Operand::number(n - 1), node);
        result.elements.push_back(operate(Operation::add, x[0].elements[0], step, node));
      }
      return result;
    }
    default:
      break;
  }
  // identity, diagonal
  const bool isIdentity = node.function->kind == FunctionKind::identity;
  if (!isIdentity) needVector(node, x[0], -1);
  const int n =
      isIdentity ? constantInteger(node, x[0], "the size in 'identity'", 0) : x[0].shape.rows;
  limitSize(node, static_cast<double>(n) * n);
  Value result = filled(Operand::number(0.0), ValueShape::matrix(n, n));
  for (int i = 0; i < n; ++i) {
    result.elements[i * (n + 1)] = isIdentity ? Operand::number(1.0) : x[0].elements[i];
  }
  return result;
}

}  // namespace cardan
