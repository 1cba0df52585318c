/// The operations on scalars that expressions are made of, for both scalars of Cardan.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "frames/dual.h"

namespace cardan {

/// Operations of up to three operands; Booleans are 1 and 0.
enum class Operation : unsigned char {
  constant,  // value known before the run
  load,      // variable of slot a
  time,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  constantPower,  // exponent known before the run
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  floor,
  ceil,
  quotient,   // div: quotient without fraction
  remainder,  // rem: x - div(x, y) y
  modulo,     // mod: x - floor(x/y) y
  minimum,
  maximum,
  less,
  lessEqual,
  greater,
  greaterEqual,
  equal,
  notEqual,
  logicalAnd,
  logicalOr,
  logicalNot,
  wholePart,  // of a, modulo kWholeParts: the state of a floor
  select,     // a ? b : c
};

inline bool isRelation(Operation op) { return op >= Operation::less && op <= Operation::notEqual; }

/// Which of two numbers is larger.
inline bool isOrder(Operation op) { return op >= Operation::less && op <= Operation::greaterEqual; }

/// What chooses one of its operands, or a Boolean, by which is larger.
inline bool compares(Operation op) {
  return isRelation(op) || op == Operation::minimum || op == Operation::maximum;
}

/// Of numbers it may be none: a root, 0/0.
inline bool mayHaveNoResult(Operation op) {
  switch (op) {
    case Operation::divide:
    case Operation::power:
    case Operation::constantPower:
    case Operation::asin:
    case Operation::acos:
    case Operation::log:
    case Operation::log10:
    case Operation::sqrt:
    case Operation::quotient:
    case Operation::remainder:
    case Operation::modulo:
      return true;
    default:
      return false;
  }
}

/// A function that is constant but where it jumps, or a Boolean.
inline bool isStep(Operation op) {
  return (op >= Operation::sign && op <= Operation::quotient) ||
         (op >= Operation::less && op <= Operation::wholePart);
}

/// How an evaluation takes kinks, jumps and comparisons.
enum class Reading {
  plain,     ///< as they are frozen, or as they come
  compared,  ///< by what relates them to others: near a kink a function is itself, whatever is frozen
  meant,     ///< what no event watches as if numbers that are equal but for rounding were equal
};

/// Rounding of a difference, relative to the terms that it was computed from: some operations' worth.
inline constexpr double kDifferenceRounding = 4 * std::numeric_limits<double>::epsilon();

/// So many whole numbers in a row have states of their own.
inline constexpr double kWholeParts = 1 << 24;

/// floor(x) modulo kWholeParts; 0 of what is not finite.
inline double stateOfFloor(double x) {
  const double whole = std::floor(x);
  return std::isfinite(x) ? whole - kWholeParts * std::floor(whole / kWholeParts) : 0;
}
/// floor(x) as long as its state is kept: constant far beyond either end.
inline double floorOfState(double x, double state) {
  return state + kWholeParts * std::floor((x - state + 0.5 * (kWholeParts - 1)) / kWholeParts);
}

/// Evaluates one operation, all but `constant`, `load`, `time` and `select`.
///
/// The derivative of the step functions (sign, floor, ceil, quotient) and of Booleans is 0.
template <class S>
inline S applyOperation(Operation op, const S& a, const S& b) {
  switch (op) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::negate:
      return -a;
    case Operation::power:
      return pow(a, b);
    case Operation::constantPower:
      return pow(a, value(b));
    case Operation::sin:
      return sin(a);
    case Operation::cos:
      return cos(a);
    case Operation::tan:
      return tan(a);
    case Operation::asin:
      return asin(a);
    case Operation::acos:
      return acos(a);
    case Operation::atan:
      return atan(a);
    case Operation::atan2:
      return atan2(a, b);
    case Operation::sinh:
      return sinh(a);
    case Operation::cosh:
      return cosh(a);
    case Operation::tanh:
      return tanh(a);
    case Operation::exp:
      return exp(a);
    case Operation::log:
      return log(a);
    case Operation::log10:
      return log10(a);
    case Operation::sqrt:
      return sqrt(a);
    case Operation::abs:
      return abs(a);
    case Operation::sign:
      return S(sign(a));
    case Operation::floor:
      return S(std::floor(value(a)));
    case Operation::ceil:
      return S(std::ceil(value(a)));
    case Operation::quotient:
      return S(std::trunc(value(a) / value(b)));
    case Operation::remainder:
      return a - std::trunc(value(a) / value(b)) * b;
    case Operation::modulo:
      return a - std::floor(value(a) / value(b)) * b;
    case Operation::minimum:
      return min(a, b);
    case Operation::maximum:
      return max(a, b);
    case Operation::less:
      return S(value(a) < value(b) ? 1.0 : 0.0);
    case Operation::lessEqual:
      return S(value(a) <= value(b) ? 1.0 : 0.0);
    case Operation::greater:
      return S(value(a) > value(b) ? 1.0 : 0.0);
    case Operation::greaterEqual:
      return S(value(a) >= value(b) ? 1.0 : 0.0);
    case Operation::equal:
      return S(value(a) == value(b) ? 1.0 : 0.0);
    case Operation::notEqual:
      return S(value(a) != value(b) ? 1.0 : 0.0);
    case Operation::logicalAnd:
      return S(value(a) != 0.0 && value(b) != 0.0 ? 1.0 : 0.0);
    case Operation::logicalOr:
      return S(value(a) != 0.0 || value(b) != 0.0 ? 1.0 : 0.0);
    case Operation::logicalNot:
      return S(value(a) != 0.0 ? 0.0 : 1.0);
    case Operation::wholePart:
      return S(stateOfFloor(value(a)));
    case Operation::constant:
    case Operation::load:
    case Operation::time:
    case Operation::select:
      break;
  }
  return S(0.0);
}

/// Why an operation on finite operands has no finite result: "division by zero", "square root of
/// -2".
std::string faultOf(Operation op, double a, double b);

/// What keeps the first operand, `argument` in the file, within the domain of such an operation, for
/// who means it to end there: "max(x, 0) in place of 'x'". "" where there is no such border.
std::string cureOf(Operation op, double a, double b, const std::string& argument);

}  // namespace cardan
