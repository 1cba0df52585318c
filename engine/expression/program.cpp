#include "engine/expression/program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "engine/expression/value.h"

namespace cardan {
namespace {

template <class Push>
void pushOperands(const Instruction& step, const Push& push) {
  if (step.operation == Operation::load) return;
  push(step.a);
  push(step.b);
  if (step.operation == Operation::select) push(step.c);
}

/// Which of `count` registers are reached from `roots` by what `ahead(i, push)` pushes of register i.
template <class Ahead>
std::vector<char> reachedFrom(const std::vector<int>& roots, size_t count, const Ahead& ahead) {
  std::vector<char> reached(count, 0);
  std::vector<int> open;
  const auto push = [&](int i) {
    if (i < 0 || reached[i]) return;
    reached[i] = 1;
    open.push_back(i);
  };
  for (const int i : roots) push(i);
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    ahead(i, push);
  }
  return reached;
}

/// By all operands.
std::vector<char> reachedFrom(const std::vector<int>& roots,
                              const std::vector<Instruction>& instructions) {
  return reachedFrom(roots, instructions.size(),
                     [&](int i, const auto& push) { pushOperands(instructions[i], push); });
}

Program::Reads readsAmong(const std::vector<Instruction>& instructions,
                          const std::vector<char>& reached) {
  Program::Reads reads;
  for (size_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) continue;
    if (instructions[i].operation == Operation::time) reads.time = true;
    if (instructions[i].operation == Operation::load) reads.slots.push_back(instructions[i].a);
  }
  return reads;
}

}  // namespace

Operand Program::append(Instruction instruction, const ExpressionNode* origin) {
  const std::tuple key{instruction.operation, instruction.a, instruction.b, instruction.c};
  const auto [place, isNew] = known_.try_emplace(key, size());
  if (isNew) {
    instructions_.push_back(instruction);
    constants_.push_back(0.0);
    origins_.push_back(origin);
  }
  return {0.0, place->second};
}

int Program::target(Operand x) {
  if (!x.isConstant()) return x.target;
  const auto [place, isNew] =
      knownConstants_.try_emplace(std::bit_cast<std::uint64_t>(x.constant), size());
  if (isNew) {
    instructions_.emplace_back();
    constants_.push_back(x.constant);
    origins_.push_back(nullptr);
  }
  return place->second;
}

Operand Program::load(int slot, const ExpressionNode* origin) {
  return append({Operation::load, slot, -1, -1}, origin);
}

Operand Program::time(const ExpressionNode* origin) {
  return append({Operation::time, -1, -1, -1}, origin);
}

Operand Program::apply(Operation op, Operand a, Operand b, const ExpressionNode* origin,
                       Watch watch) {
  const bool unary = op == Operation::negate || op == Operation::logicalNot ||
                     (op >= Operation::sin && op <= Operation::ceil && op != Operation::atan2);
  if (a.isConstant() && (unary || b.isConstant())) {
    const double folded = applyOperation(op, a.constant, b.constant);
    if (std::isfinite(folded)) return {folded, -1};
  }
  if (b.isConstant() && !unary) {
    const bool one = b.constant == 1.0;
    if (one && (op == Operation::multiply || op == Operation::divide || op == Operation::power))
      return a;
    if (b.constant == 0.0 && (op == Operation::add || op == Operation::subtract)) return a;
    if (op == Operation::power) {
      if (b.constant == 2.0) return apply(Operation::multiply, a, a, origin);
      op = Operation::constantPower;
    }
  }
  if (a.isConstant() && op == Operation::multiply && a.constant == 1.0) return b;
  if (a.isConstant() && op == Operation::add && a.constant == 0.0) return b;

  Instruction step{op, target(a), unary ? -1 : target(b), -1};
  if (watch != Watch::never) {
    std::vector<Relation>& list = watch == Watch::always ? relations_ : bends_;
    const Relation relation{step.a, unary ? step.a : step.b,
                            op == Operation::floor ? Operation::wholePart : op,
                            watch == Watch::kink};
    const auto known = std::find(list.begin(), list.end(), relation);
    const int k = known - list.begin();
    if (known == list.end()) list.push_back(relation);
    step.c = watch == Watch::always ? k : -2 - k;
  }
  return append(step, origin);
}

Operand Program::select(Operand condition, Operand yes, Operand no, const ExpressionNode* origin) {
  if (condition.isConstant()) return condition.constant != 0.0 ? yes : no;
  const int a = target(condition);
  const int b = target(yes);
  const int c = target(no);
  if (b == c) return yes;
  return append({Operation::select, a, b, c}, origin);
}

std::vector<int> Program::neededFor(const std::vector<int>& roots) const {
  const std::vector<char> marked = reachedFrom(roots, instructions_);
  std::vector<int> order;
  for (size_t i = 0; i < marked.size(); ++i) {
    if (marked[i] && instructions_[i].operation != Operation::constant) {
      order.push_back(i);
    }
  }
  return order;
}

Program::Reads Program::readsOf(const std::vector<int>& results) const {
  return readsAmong(instructions_, reachedFrom(results, instructions_));
}

Program::Reads Program::followedBy(const std::vector<int>& results) const {
  const auto ahead = [&](int i, const auto& push) {
    const Instruction& step = instructions_[i];
    if (step.operation == Operation::select) {
      push(step.b);
      push(step.c);
    } else if (!isStep(step.operation)) {
      pushOperands(step, push);
    }
  };
  return readsAmong(instructions_, reachedFrom(results, instructions_.size(), ahead));
}

std::vector<int> Program::packSlots() {
  std::set<int> read;
  for (int i = 0; i < size(); ++i) read.insert(slotOf(i));
  read.erase(-1);
  const std::vector<int> slots(read.begin(), read.end());
  for (Instruction& step : instructions_) {
    if (step.operation == Operation::load)
      step.a = static_cast<int>(std::ranges::lower_bound(slots, step.a) - slots.begin());
  }
  return slots;
}

bool Program::jumps() const {
  return std::ranges::any_of(bends_, [](const Relation& bend) { return !bend.isKink; });
}

Program::Compared Program::compared() const {
  std::vector<int> sides;
  for (const int i : order_) {
    const Instruction& step = instructions_[i];
    const bool isEquality =
        step.operation == Operation::equal || step.operation == Operation::notEqual;
    if (!isEquality && !(isRelation(step.operation) && step.c >= 0)) continue;
    sides.push_back(step.a);
    sides.push_back(step.b);
  }
  const std::vector<char> reached = reachedFrom(sides, instructions_);
  Compared result{false, readsAmong(instructions_, reached).slots};
  for (size_t i = 0; i < reached.size(); ++i) {
    const Instruction& step = instructions_[i];
    if (reached[i] && step.operation != Operation::select && step.c <= -2)
      result.jumps = result.jumps || !bends_[-2 - step.c].isKink;
  }
  return result;
}

Program::Unseen Program::unseenIn(const std::vector<int>& results) const {
  const auto ahead = [&](int i, const auto& push) {
    if (!isRelation(instructions_[i].operation)) pushOperands(instructions_[i], push);
  };
  const std::vector<char> reached = reachedFrom(results, instructions_.size(), ahead);
  Unseen unseen{{}, readsAmong(instructions_, reached).slots};
  for (size_t i = 0; i < reached.size(); ++i) {
    const Instruction& step = instructions_[i];
    if (reached[i] && isRelation(step.operation) && step.c < 0)
      unseen.comparisons.push_back({origins_[i], followedBy({step.a, step.b})});
  }
  return unseen;
}

const ExpressionNode* Program::originOfRelation(int k) const {
  for (size_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& step = instructions_[i];
    const bool isCompared = isRelation(step.operation) || step.operation == Operation::floor;
    if (isCompared && step.c == k) return origins_[i];
  }
  return nullptr;
}

Program::Reads Program::readsOf(const std::vector<int>& results, const double* registers,
                                const RelationState* frozen) const {
  const auto ahead = [&](int i, const auto& push) {
    const Instruction& step = instructions_[i];
    if (step.operation == Operation::select) {
      push(step.a);
      push(registers[step.a] != 0 ? step.b : step.c);
    } else if (!frozen || !isRelation(step.operation) || step.c < 0 ||
               registers[i] != frozen[step.c]) {
      pushOperands(step, push);
    }
  };
  return readsAmong(instructions_, reachedFrom(results, instructions_.size(), ahead));
}

/// How large the terms are that register i was computed from; `sizes` of its operands are known.
void Program::addSize(int i, const double* registers, double* sizes) const {
  const Instruction& step = instructions_[i];
  switch (step.operation) {
    case Operation::add:
    case Operation::subtract:
      sizes[i] = sizes[step.a] + sizes[step.b];
      break;
    case Operation::multiply:
      sizes[i] =
          std::abs(registers[step.a]) * sizes[step.b] + std::abs(registers[step.b]) * sizes[step.a];
      break;
    case Operation::divide:
      sizes[i] =
          (sizes[step.a] + std::abs(registers[i]) * sizes[step.b]) / std::abs(registers[step.b]);
      break;
    case Operation::negate:
    case Operation::abs:
      sizes[i] = sizes[step.a];
      break;
    case Operation::select:
      sizes[i] = sizes[registers[step.a] != 0 ? step.b : step.c];
      break;
    default:
      break;
  }
}

const double* Program::relationSizes(std::vector<double>& registers) const {
  registers.resize(2 * instructions_.size());
  double* const sizes = registers.data() + instructions_.size();
  for (size_t i = 0; i < instructions_.size(); ++i) sizes[i] = std::abs(registers[i]);
  for (const int i : relationOrder_) addSize(i, registers.data(), sizes);
  return sizes;
}

/// The result of a floor or a comparison of numbers of which those are equal that differ by rounding.
double Program::meant(const Instruction& step, double asComputed, const double* registers,
                      const double* sizes) const {
  const double a = registers[step.a];
  if (step.operation == Operation::floor) {
    const double next = asComputed + 1;
    return next - a <= kDifferenceRounding * (sizes[step.a] + next) ? next : asComputed;
  }
  const double rounding = kDifferenceRounding * (sizes[step.a] + sizes[step.b]);
  if (!(std::abs(a - registers[step.b]) <= rounding) || !std::isfinite(rounding)) return asComputed;
  return step.operation == Operation::lessEqual || step.operation == Operation::greaterEqual ? 1
                                                                                             : 0;
}

void Program::runAs(Reading reading, const double* slots, double time, const RelationState* frozen,
                    std::vector<double>& registers) const {
  if (reading == Reading::plain) return run(order_, slots, time, frozen, registers.data());
  if (reading == Reading::compared)
    return run<double, true>(order_, slots, time, frozen, registers.data());
  run(order_, slots, time, frozen, registers.data());
  if (!decides_) return;
  registers.resize(2 * instructions_.size());
  double* const all = registers.data();
  double* const sizes = all + instructions_.size();
  for (size_t i = 0; i < instructions_.size(); ++i) sizes[i] = std::abs(all[i]);
  // As computed, until one of them is meant otherwise: from there on operation by operation.
  bool isOther = false;
  std::vector<int> one(1);
  for (const int i : order_) {
    const Instruction& step = instructions_[i];
    one[0] = i;
    if (isOther) run(one, slots, time, frozen, all);
    const bool isOpen = step.operation == Operation::floor ? step.c != -1 : isOrder(step.operation);
    if (isOpen && !(frozen && step.c >= 0)) {
      const double asComputed = std::exchange(all[i], meant(step, all[i], all, sizes));
      isOther = isOther || all[i] != asComputed;
    }
    sizes[i] = std::abs(all[i]);
    addSize(i, all, sizes);
  }
}

void Program::finish(const std::vector<int>& outputs) {
  order_ = neededFor(outputs);
  decides_ = std::ranges::any_of(order_, [this](int i) {
    const Operation op = instructions_[i].operation;
    return op == Operation::floor || isOrder(op);
  });
  orderRelations();
  known_.clear();
  knownConstants_.clear();
}

void Program::orderRelations() {
  std::vector<int> compared;
  for (const Relation& r : relations_) {
    compared.push_back(r.left);
    compared.push_back(r.right);
  }
  relationOrder_ = neededFor(compared);
}

void Program::watchBends(bool kinks) {
  std::vector<int> placeOf;
  for (const Relation& bend : bends_) {
    const bool watched = kinks || !bend.isKink;
    placeOf.push_back(watched ? static_cast<int>(relations_.size()) : -1);
    if (watched) relations_.push_back(bend);
  }
  for (Instruction& step : instructions_) {
    if (step.operation != Operation::select && step.c <= -2) step.c = placeOf[-2 - step.c];
  }
  bends_.clear();
  orderRelations();
}

std::optional<Program::Fault> Program::faultAt(int i, const std::vector<double>& registers) const {
  const auto at = [&](int k) { return registers[k]; };
  if (std::isfinite(at(i))) return std::nullopt;
  while (true) {
    const Instruction& step = instructions_[i];
    const ExpressionNode* origin = origins_[i];
    const std::string text = origin ? toString(*origin) : formatNumber(at(i));
    if (step.operation == Operation::load || step.operation == Operation::time || !origin) {
      return Fault{"'" + text + "' is not finite", "", origin, true, slotOf(i)};
    }
    int next = -1;
    if (step.operation == Operation::select) {
      next = at(step.a) != 0.0 ? step.b : step.c;
    } else if (!std::isfinite(at(step.a))) {
      next = step.a;
    } else if (step.b >= 0 && !std::isfinite(at(step.b))) {
      next = step.b;
    }
    if (next < 0) {
      const double a = at(step.a), b = step.b < 0 ? 0.0 : at(step.b);
      const ExpressionNode* argument = origins_[step.a];
      return Fault{faultOf(step.operation, a, b) + " in '" + text + "'",
                   argument ? cureOf(step.operation, a, b, toString(*argument)) : "", origin,
                   false};
    }
    i = next;
  }
}

std::optional<Program::Undecided> Program::undecided(const std::vector<int>& results,
                                                     const std::vector<double>& registers,
                                                     const std::function<bool(int)>& hangs) const {
  // Per register the one that it hangs on; -1: none.
  std::vector<int> on(instructions_.size(), -1), side(instructions_.size(), -1);
  for (const int i : order_) {
    const Instruction& step = instructions_[i];
    if (step.operation == Operation::load) {
      if (hangs && hangs(step.a)) on[i] = i;
      continue;
    }
    if (step.operation == Operation::time) continue;
    const int a = step.a, b = step.b < 0 ? step.a : step.b;
    if (step.operation == Operation::select) {
      on[i] = std::max(on[a], on[registers[a] != 0 ? step.b : step.c]);
    } else if (step.operation == Operation::logicalAnd || step.operation == Operation::logicalOr) {
      // What one side decides alone does not hang on the other.
      const bool decides = step.operation == Operation::logicalOr;
      const auto isDecided = [&](int k) { return on[k] < 0 && (registers[k] != 0) == decides; };
      if (!isDecided(a) && !isDecided(b)) on[i] = std::max(on[a], on[b]);
    } else if (compares(step.operation) && (std::isnan(registers[a]) || std::isnan(registers[b]))) {
      on[i] = i;
      side[i] = std::isnan(registers[a]) ? a : b;
    } else {
      on[i] = std::max(on[a], on[b]);
    }
  }
  for (const int i : results) {
    if (on[i] >= 0) return Undecided{on[i], side[on[i]]};
  }
  return std::nullopt;
}

Program::Risk Program::riskOf(const std::vector<int>& results,
                              const std::function<bool(int)>& isRisky) const {
  std::vector<char> of(instructions_.size(), 0);
  Risk risk{false, false};
  for (const int i : order_) {
    const Instruction& step = instructions_[i];
    if (step.operation == Operation::time) continue;
    if (step.operation == Operation::load) {
      of[i] = isRisky(step.a);
      continue;
    }
    const int b = step.b < 0 ? step.a : step.b;
    const bool inOperands =
        of[step.a] || of[b] || (step.operation == Operation::select && of[step.c]);
    of[i] = inOperands || (mayHaveNoResult(step.operation) &&
                           !(step.operation == Operation::divide &&
                             instructions_[b].operation == Operation::constant));
    risk.inComparisons = risk.inComparisons || (compares(step.operation) && inOperands);
  }
  risk.inResults = std::ranges::any_of(results, [&](int i) { return of[i] != 0; });
  return risk;
}

std::vector<Program::Affine> Program::affineInTime() const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<Affine> of(instructions_.size(), {none, none});
  for (size_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& step = instructions_[i];
    if (step.operation == Operation::constant) {
      of[i] = {0.0, constants_[i]};
      continue;
    }
    if (step.operation == Operation::time) {
      of[i] = {1.0, 0.0};
      continue;
    }
    if (step.operation == Operation::load) continue;
    const Affine a = of[step.a];
    const Affine b = step.b < 0 ? a : of[step.b];
    switch (step.operation) {
      case Operation::add:
        of[i] = {a.slope + b.slope, a.offset + b.offset};
        break;
      case Operation::subtract:
        of[i] = {a.slope - b.slope, a.offset - b.offset};
        break;
      case Operation::negate:
        of[i] = {-a.slope, -a.offset};
        break;
      case Operation::multiply:
        if (b.slope == 0.0) of[i] = {a.slope * b.offset, a.offset * b.offset};
        if (a.slope == 0.0) of[i] = {a.offset * b.slope, a.offset * b.offset};
        break;
      case Operation::divide:
        if (b.slope == 0.0) of[i] = {a.slope / b.offset, a.offset / b.offset};
        break;
      default:
        break;
    }
  }
  return of;
}

std::vector<Program::Affine> Program::relationsInTime() const {
  const std::vector<Affine> of = affineInTime();
  std::vector<Affine> result;
  for (const Relation& r : relations_) {
    const Affine a = of[r.left];
    const Affine b = of[r.right];
    result.push_back({a.slope - b.slope, a.offset - b.offset});
  }
  return result;
}

double Program::typeInTime(const std::vector<int>& results, double perDegree) const {
  constexpr double none = std::numeric_limits<double>::infinity();
  const std::vector<Affine> affine = affineInTime();
  std::vector<double> of(instructions_.size(), none);
  for (size_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& step = instructions_[i];
    if (std::isfinite(affine[i].slope)) {
      of[i] = affine[i].slope == 0 ? 0 : perDegree;
      continue;
    }
    if (step.operation == Operation::load) continue;
    if (step.operation != Operation::select && step.c >= 0) {  // its changes are events
      of[i] = 0;
      continue;
    }
    const double a = of[step.a], b = step.b < 0 ? 0 : of[step.b];
    switch (step.operation) {
      case Operation::select:
        if (a == 0) of[i] = std::max(b, of[step.c]);
        break;
      case Operation::logicalAnd:
      case Operation::logicalOr:
      case Operation::logicalNot:
        if (a == 0 && b == 0) of[i] = 0;
        break;
      case Operation::add:
      case Operation::subtract:
        of[i] = std::max(a, b);
        break;
      case Operation::negate:
        of[i] = a;
        break;
      case Operation::multiply:
        of[i] = a + b;
        break;
      case Operation::divide:
        if (affine[step.b].slope == 0) of[i] = a;
        break;
      case Operation::constantPower:
        if (const double n = affine[step.b].offset; n >= 0 && n == std::floor(n)) of[i] = n * a;
        break;
      case Operation::sin:
      case Operation::cos:
      case Operation::exp:
        if (std::isfinite(affine[step.a].slope)) of[i] = std::abs(affine[step.a].slope);
        break;
      default:
        break;
    }
  }
  double most = 0;
  for (const int i : results) most = std::max(most, of[i]);
  return most;
}

}  // namespace cardan
