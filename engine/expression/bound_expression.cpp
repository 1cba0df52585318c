#include "engine/expression/bound_expression.h"

#include <cmath>
#include <type_traits>

#include "engine/expression/lowering.h"

namespace cardan {

std::optional<BoundExpression> bind(const Expression& expression, VariableResolver& resolver,
                                    Diagnostics& diagnostics) {
  BoundExpression bound(expression);
  const auto value = Lowering(expression, resolver, bound.program_, diagnostics, false).lower();
  if (!value) return std::nullopt;
  if (value->type == ValueType::string || value->type == ValueType::orientation) {
    diagnostics.error(expression.markOf(expression.root()),
                      "expected a number, found " + value->describe());
    return std::nullopt;
  }
  bound.type_ = value->type;
  bound.shape_ = value->shape;
  if (value->isConstant()) bound.constant_ = value->constant();
  for (const Operand& x : value->elements) bound.outputs_.push_back(bound.program_.target(x));
  bound.program_.finish(bound.outputs_);
  bound.program_.prepare(bound.registers_);
  bound.program_.prepare(bound.dualRegisters_);

  const auto affine = bound.program_.relationsInTime();
  for (size_t k = 0; k < affine.size(); ++k) {
    auto& event = bound.timeEvents_.emplace_back();
    if (!std::isfinite(affine[k].slope) || affine[k].slope == 0.0) continue;
    const double time = -affine[k].offset / affine[k].slope;
    const Operation op = bound.program_.relations()[k].operation;
    const bool wantsMore = op == Operation::greater || op == Operation::greaterEqual;
    if (std::isfinite(time)) {
      event = BoundExpression::TimeEvent{time + 0.0, wantsMore == (affine[k].slope > 0.0)};
    }
  }
  return bound;
}

template <class S>
void BoundExpression::evaluate(const S* slots, const S& time, const RelationState* frozen,
                               S* out) const {
  S* registers;
  if constexpr (std::is_same_v<S, double>) {
    registers = registers_.data();
  } else {
    registers = dualRegisters_.data();
  }
  program_.run(slots, time, frozen, registers);
  for (const int i : outputs_) *out++ = registers[i];
}

template void BoundExpression::evaluate(const double*, const double&, const RelationState*,
                                        double*) const;
template void BoundExpression::evaluate(const Dual*, const Dual&, const RelationState*,
                                        Dual*) const;

double BoundExpression::relationResidual(int k, const double* slots, double time,
                                         const RelationState* frozen) const {
  program_.runRelations(slots, time, frozen, registers_.data());
  const Program::Relation& r = program_.relations()[static_cast<size_t>(k)];
  return registers_[static_cast<size_t>(r.left)] - registers_[static_cast<size_t>(r.right)];
}

void BoundExpression::relationResiduals(const double* slots, double time,
                                        const RelationState* frozen, double* residuals) const {
  program_.runRelations(slots, time, frozen, registers_.data());
  for (const Program::Relation& r : program_.relations()) {
    *residuals++ =
        registers_[static_cast<size_t>(r.left)] - registers_[static_cast<size_t>(r.right)];
  }
}

void BoundExpression::relationStates(const double* slots, double time, const RelationState* frozen,
                                     RelationState* states) const {
  program_.runRelations(slots, time, frozen, registers_.data());
  for (const Program::Relation& r : program_.relations()) {
    *states++ = applyOperation(r.operation, registers_[static_cast<size_t>(r.left)],
                               registers_[static_cast<size_t>(r.right)]) != 0.0
                    ? 1
                    : 0;
  }
}

std::optional<BoundExpression::Fault> BoundExpression::fault(const double* slots, double time,
                                                             const RelationState* frozen) const {
  program_.run(slots, time, frozen, registers_.data());
  for (const int i : outputs_) {
    const auto fault = program_.faultAt(i, registers_);
    if (!fault) continue;
    return Fault{fault->text, fault->node ? expression_.markOf(*fault->node) : expression_.at(),
                 fault->isRead};
  }
  return std::nullopt;
}

std::string BoundExpression::whereNotFinite(const double* slots, double time,
                                            const RelationState* frozen) const {
  const auto found = fault(slots, time, frozen);
  return found ? found->text : "";
}

}  // namespace cardan
