#include <cmath>

#include "engine/expression/program.h"

namespace cardan {

Operand Program::asOperand(int i) const {
  const size_t k = i;
  if (instructions_[k].operation == Operation::constant) return {constants_[k], -1};
  return {0.0, i};
}

Operand Program::derivative(Operand x, const std::function<Operand(int)>& ofLoad,
                            const ExpressionNode* origin) {
  if (x.isConstant()) return {};
  // Operands come before the operations that use them, so that one pass forward finds their rates
  // known.
  std::map<int, Operand> rates;
  for (const int i : neededFor({x.target})) {
    const Operation op = instructions_[i].operation;
    rates[i] = op == Operation::load   ? ofLoad(i)
               : op == Operation::time ? Operand{1.0, -1}
                                       : chainRule(i, rates, origin);
  }
  return rates.at(x.target);
}

Operand Program::chainRule(int i, const std::map<int, Operand>& rates,
                           const ExpressionNode* origin) {
  using O = Operation;
  const Instruction step = instructions_[i];
  const auto rate = [&](int k) {
    const auto found = rates.find(k);
    return found == rates.end() ? Operand{} : found->second;
  };
  const auto isZero = [](Operand p) { return p.isConstant() && p.constant == 0.0; };
  const auto unary = [&](O op, Operand p) { return apply(op, p, {}, origin); };
  const auto plus = [&](Operand p, Operand q) { return apply(O::add, p, q, origin); };
  const auto minus = [&](Operand p, Operand q) { return apply(O::subtract, p, q, origin); };
  const auto times = [&](Operand p, Operand q) {
    if (isZero(p) || isZero(q)) return Operand{};
    return apply(O::multiply, p, q, origin);
  };
  const auto over = [&](Operand p, Operand q) {
    return isZero(p) ? p : apply(O::divide, p, q, origin);
  };
  const auto number = [](double p) { return Operand{p, -1}; };

  const Operand y{0.0, i};
  const Operand a = asOperand(step.a);
  const Operand b = step.b < 0 ? Operand{} : asOperand(step.b);
  const Operand da = rate(step.a);
  const Operand db = step.b < 0 ? Operand{} : rate(step.b);
  const auto square = [&](Operand p) { return times(p, p); };
  switch (step.operation) {
    case O::add:
      return plus(da, db);
    case O::subtract:
      return minus(da, db);
    case O::multiply:
      return plus(times(da, b), times(a, db));
    case O::divide:
      return over(minus(da, times(y, db)), b);
    case O::negate:
      return isZero(da) ? da : unary(O::negate, da);
    case O::constantPower:
      return times(times(b, apply(O::power, a, number(b.constant - 1.0), origin)), da);
    case O::power: {
      const Operand byBase = times(times(b, apply(O::power, a, minus(b, number(1.0)), origin)), da);
      return isZero(db) ? byBase : plus(byBase, times(times(y, unary(O::log, a)), db));
    }
    case O::sin:
      return times(unary(O::cos, a), da);
    case O::cos:
      return times(unary(O::negate, unary(O::sin, a)), da);
    case O::tan:
      return times(plus(square(y), number(1.0)), da);
    case O::asin:
      return over(da, unary(O::sqrt, minus(number(1.0), square(a))));
    case O::acos:
      return unary(O::negate, over(da, unary(O::sqrt, minus(number(1.0), square(a)))));
    case O::atan:
      return over(da, plus(square(a), number(1.0)));
    case O::atan2:
      return over(minus(times(b, da), times(a, db)), plus(square(a), square(b)));
    case O::sinh:
      return times(unary(O::cosh, a), da);
    case O::cosh:
      return times(unary(O::sinh, a), da);
    case O::tanh:
      return over(da, square(unary(O::cosh, a)));
    case O::exp:
      return times(y, da);
    case O::log:
      return over(da, a);
    case O::log10:
      return over(da, times(a, number(std::log(10.0))));
    case O::sqrt:
      return over(da, times(number(2.0), y));
    case O::abs:
      return times(unary(O::sign, a), da);
    case O::remainder:
      return minus(da, times(apply(O::quotient, a, b, origin), db));
    case O::modulo:
      return minus(da, times(unary(O::floor, apply(O::divide, a, b, origin)), db));
    case O::minimum:
      return select(apply(O::less, b, a, origin), db, da, origin);
    case O::maximum:
      return select(apply(O::less, a, b, origin), db, da, origin);
    case O::select:
      return select(a, db, rate(step.c), origin);
    default:
      return {};  // constants, steps and Booleans
  }
}

}  // namespace cardan
