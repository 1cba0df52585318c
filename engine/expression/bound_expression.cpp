#include "engine/expression/bound_expression.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "engine/expression/lowering.h"
#include "engine/text/mapped.h"

namespace cardan {
namespace {

template <class S>
bool allFinite(const std::vector<int>& targets, const std::vector<S>& registers) {
  return std::ranges::all_of(targets, [&](int i) { return std::isfinite(value(registers[i])); });
}

/// Which side of its residual's zero a relation holds on.
bool holdsAbove(Operation op) { return op == Operation::greater || op == Operation::greaterEqual; }

}  // namespace

std::optional<BoundExpression> bind(const Expression& expression, VariableResolver& resolver,
                                    Diagnostics& diagnostics) {
  BoundExpression bound(expression);
  const int errors = diagnostics.errorCount();
  const auto value = Lowering(expression, resolver, bound.program_, diagnostics, false).lower();
  if (!value || diagnostics.errorCount() > errors) return std::nullopt;
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
  bound.findTimeEvents();
  return bound;
}

void BoundExpression::watchBends(bool kinks) {
  program_.watchBends(kinks);
  findTimeEvents();
}

std::vector<int> BoundExpression::slotsAsTheyAre() const {
  return mapped(outputs_, [this](int i) { return program_.slotOf(i); });
}

void BoundExpression::findTimeEvents() {
  timeEvents_.clear();
  const auto affine = program_.relationsInTime();
  for (size_t k = 0; k < affine.size(); ++k) {
    auto& event = timeEvents_.emplace_back();
    const Operation op = program_.relations()[k].operation;
    if (op == Operation::wholePart || !std::isfinite(affine[k].slope) || affine[k].slope == 0.0) {
      continue;
    }
    const double time = -affine[k].offset / affine[k].slope;
    if (std::isfinite(time)) event = TimeEvent{time + 0.0, holdsAbove(op) == (affine[k].slope > 0)};
  }
}

template <class S>
void BoundExpression::evaluate(const S* slots, const S& time, const RelationState* frozen,
                               std::vector<S>& registers, S* out) const {
  prepare(registers);
  program_.run(slots, time, frozen, registers.data());
  if (frozen && !allFinite(outputs_, registers)) {
    program_.run(slots, time, nullptr, registers.data());
  }
  for (const int i : outputs_) *out++ = registers[i];
}

template void BoundExpression::evaluate(const double*, const double&, const RelationState*,
                                        std::vector<double>&, double*) const;
template void BoundExpression::evaluate(const Dual*, const Dual&, const RelationState*,
                                        std::vector<Dual>&, Dual*) const;

void BoundExpression::evaluateAs(Reading reading, const double* slots, double time,
                                 const RelationState* frozen, std::vector<double>& registers,
                                 double* out) const {
  prepare(registers);
  program_.runAs(reading, slots, time, frozen, registers);
  if (frozen && !allFinite(outputs_, registers))
    program_.runAs(reading, slots, time, nullptr, registers);
  for (const int i : outputs_) *out++ = registers[i];
}

void BoundExpression::runRelations(const double* slots, double time, const RelationState* frozen,
                                   std::vector<double>& registers) const {
  prepare(registers);
  program_.runRelations(slots, time, frozen, registers.data());
  if (!frozen) return;
  const bool finite = std::ranges::all_of(program_.relations(), [&](const Program::Relation& r) {
    return std::isfinite(registers[r.left]) && std::isfinite(registers[r.right]);
  });
  if (!finite) program_.runRelations(slots, time, nullptr, registers.data());
}

double BoundExpression::residual(int k, const RelationState* frozen,
                                 const std::vector<double>& registers, const double* sizes) const {
  const Program::Relation& r = program_.relations()[k];
  const double left = registers[r.left];
  const double right = registers[r.right];
  double distance = left - right;
  if (r.operation == Operation::wholePart) {
    const double n = frozen ? floorOfState(left, frozen[k]) : std::floor(left);
    distance = (left - n) * (n + 1 - left);
  }
  if (!r.isKink || !frozen) {
    const double rounding = kDifferenceRounding * (sizes[r.left] + sizes[r.right]);
    return std::isfinite(rounding) && std::abs(distance) <= rounding ? 0 : distance;
  }
  const bool above = (frozen[k] != 0) == holdsAbove(r.operation);
  return above ? distance + hairOf(left, right) : distance - hairOf(left, right);
}

void BoundExpression::relationResiduals(const double* slots, double time,
                                        const RelationState* frozen, std::vector<double>& registers,
                                        double* residuals) const {
  runRelations(slots, time, frozen, registers);
  const double* const sizes = program_.relationSizes(registers);
  for (int k = 0; k < relationCount(); ++k) residuals[k] = residual(k, frozen, registers, sizes);
}

void BoundExpression::relationStates(const double* slots, double time, const RelationState* frozen,
                                     std::vector<double>& registers, RelationState* states) const {
  runRelations(slots, time, frozen, registers);
  for (int k = 0; k < relationCount(); ++k) {
    const Program::Relation& r = program_.relations()[k];
    const double left = registers[r.left];
    const double right = registers[r.right];
    const bool stays = r.isKink && frozen && std::abs(left - right) < 0.5 * hairOf(left, right);
    states[k] =
        stays ? frozen[k] : static_cast<RelationState>(applyOperation(r.operation, left, right));
  }
}

std::optional<BoundExpression::Fault> BoundExpression::fault(const double* slots, double time,
                                                             const RelationState* frozen) const {
  std::vector<double> registers;
  prepare(registers);
  program_.run(slots, time, frozen, registers.data());
  if (frozen && !allFinite(outputs_, registers)) {
    program_.run(slots, time, nullptr, registers.data());
  }
  for (const int i : outputs_) {
    const auto fault = program_.faultAt(i, registers);
    if (!fault) continue;
    return Fault{fault->text, fault->cure,
                 fault->node ? expression_.markOf(*fault->node) : expression_.at(), fault->isRead};
  }
  return std::nullopt;
}

std::optional<BoundExpression::Undecided> BoundExpression::undecided(
    const double* slots, double time, const RelationState* frozen, std::vector<double>& registers,
    const std::function<bool(int)>& hangs) const {
  prepare(registers);
  program_.run(slots, time, frozen, registers.data());
  const auto isNone = [](double x) { return std::isnan(x); };
  if (!hangs && std::ranges::none_of(std::span(registers).first(program_.size()), isNone))
    return std::nullopt;
  const auto found = program_.undecided(outputs_, registers, hangs);
  if (!found) return std::nullopt;
  Undecided result;
  if (found->side < 0) {
    result.slot = program_.slotOf(found->at);
    result.isOpen = true;
    return result;
  }
  const ExpressionNode* node = program_.originOf(found->at);
  result.text = node ? toString(*node) : toString(expression_);
  result.at = node ? expression_.markOf(*node) : at();
  const auto fault = program_.faultAt(found->side, registers);
  if (fault && fault->isRead) result.slot = fault->slot;
  if (fault) result.cause = fault->text;
  return result;
}

BoundExpression::Place BoundExpression::placeOfRelation(int k) const {
  const ExpressionNode* node = program_.originOfRelation(k);
  if (!node) return {toString(expression_), at()};
  return {toString(*node), expression_.markOf(*node)};
}

}  // namespace cardan
