#include "engine/equations/expression_variable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "engine/text/meanwhile.h"

namespace cardan {
namespace {

bool allFinite(const auto& numbers) {
  return std::ranges::all_of(numbers, [](const auto& x) { return std::isfinite(value(x)); });
}

constexpr int kMany = 16;  ///< elements of a variable whose derivative is taken

/// Time derivative of a variable for results: known where the evaluation carries the flow.
void derivative(const VariableFunction& f, int size, const View<double>& x, double* out) {
  if (!x.flow() || size > kMany) {
    std::fill_n(out, size, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  Dual values[kMany];
  f.evaluate(*x.flow(), values);
  for (int i = 0; i < size; ++i) out[i] = values[i].lane(0);
}
/// On a flow: from the flows of a moment later and of one before, which hang on it as the flow does on
/// the values. Not known where there are none.
void derivative(const VariableFunction& f, int size, const View<Dual>& x, Dual* out) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const View<Dual>* const after = x.flow();
  const View<Dual>* const before = after ? after->flow() : nullptr;
  const bool isKnown = before && size <= kMany;
  Dual later[kMany], earlier[kMany];
  if (isKnown) {
    f.evaluate(*after, later);
    f.evaluate(*before, earlier);
  }
  for (int i = 0; i < size; ++i) {
    out[i] = Dual(isKnown ? (later[i].lane(0) + earlier[i].lane(0)) / 2 : kUnknown);
    for (int lane = 0; lane < kLanes; ++lane) out[i].setLane(lane, kUnknown);
    if (!isKnown) continue;
    out[i].setLane(0,
                   (later[i].lane(0) - earlier[i].lane(0)) / (after->time().v - before->time().v));
  }
}

/// The second derivative for results: the rate of the first one on the flow.
template <class S>
void secondDerivative(const VariableFunction& f, int size, const View<S>& x, S* out) {
  Dual rates[kMany];
  const bool isKnown = std::is_same_v<S, double> && x.flow() && size <= kMany;
  if (isKnown) derivative(f, size, *x.flow(), rates);
  for (int i = 0; i < size; ++i)
    out[i] = S(isKnown ? rates[i].lane(0) : std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

ExpressionVariable::ExpressionVariable(BoundExpression expression, std::vector<Source> sources,
                                       const VariableTable& table, std::string text)
    : expression_(std::move(expression)),
      sources_(std::move(sources)),
      table_(table),
      text_(std::move(text)),
      level_(expression_.isConstant() ? Level::Constant : Level::Time),
      readsTime_(expression_.reads().time),
      number_(table.countExpression()) {
  const std::vector<int> slots = expression_.packSlots();
  slots_ = slots.size();
  for (Source& s : sources_) {
    const VariableTable::Variable& v = table_[s.variable];
    const auto first = std::ranges::lower_bound(slots, s.slot),
               last = std::ranges::lower_bound(slots, s.slot + v.size);
    read_.emplace_back(first, last);
    for (int& element : read_.back()) element -= s.slot;
    s.slot = static_cast<int>(first - slots.begin());
    ExpressionVariable* inner = v.expression;
    inner_.push_back(inner);
    hasInner_ = hasInner_ || inner;
    const Level read = inner ? inner->level_ : v.info.level;
    // A position's rate is known with the velocities; others need the motion as a whole.
    const Level rate =
        read <= Level::Position && s.derivative == 1 ? Level::Velocity : Level::Acceleration;
    level_ = std::max(level_, s.derivative > 0 ? std::max(read, rate) : read);
    ofTime_ = ofTime_ && isOfTime(inner_.size() - 1);
    readsTime_ = readsTime_ || (inner ? inner->readsTime_ : v.info.level == Level::Time);
    mayBeUndecided_ = mayBeUndecided_ || (inner && inner->mayBeUndecided_);
  }
  const Program::Risk risk = expression_.riskOf([this](int slot) {
    const ExpressionVariable* inner = inner_[sourceOf(slot)];
    return inner && inner->mayBeNoNumber_;
  });
  mayBeNoNumber_ = risk.inResults;
  mayBeUndecided_ = mayBeUndecided_ || risk.inComparisons;
  for (const ExpressionVariable* e : reached()) {
    if (e != this && e->mayBeUndecided_) undecidable_.push_back(e);
  }
  // What is read was counted before who reads it.
  std::ranges::sort(undecidable_, {}, &ExpressionVariable::number_);
}

size_t ExpressionVariable::sourceOf(int slot) const {
  const auto at = std::ranges::find_if(sources_, [&](const Source& s) {
    return slot >= s.slot && slot < s.slot + std::ssize(read_[&s - sources_.data()]);
  });
  return at - sources_.begin();
}

int ExpressionVariable::elementOf(int slot) const {
  const size_t i = sourceOf(slot);
  return read_[i][slot - sources_[i].slot];
}

/// Source i is a number, or a function of time that no input reaches.
bool ExpressionVariable::isOfTime(size_t i) const {
  if (sources_[i].derivative > 0) return false;
  if (inner_[i]) return inner_[i]->ofTime_;
  const VariableInfo& info = table_[sources_[i].variable].info;
  return info.level <= Level::Time && info.reads.empty();
}

bool ExpressionVariable::readsAnyOf(const std::vector<int>& variables, size_t i) const {
  if (std::ranges::find(variables, sources_[i].variable) != variables.end()) return true;
  const ExpressionVariable* inner = inner_[i];
  for (size_t k = 0; inner && k < inner->sources_.size(); ++k) {
    if (inner->readsAnyOf(variables, k)) return true;
  }
  return false;
}

/// They stay in place while this expression is evaluated: what it reads was counted before it.
template <class S>
ExpressionVariable::Values<S>& ExpressionVariable::values(const View<S>& x) const {
  std::vector<Values<S>>& all = x.tables().expressions->ofExpression;
  if (all.size() <= number_) all.resize(number_ + 1);
  Values<S>& own = all[number_];
  if (own.results.empty()) {
    own.slots.assign(slots_, S(0));
    own.results.assign(expression_.size(), S(0));
  }
  return own;
}

/// The states in force; null: the relations compare for themselves.
template <class S>
const RelationState* ExpressionVariable::frozen(const View<S>& x) const {
  const RelationState* all = x.tables().relations;
  if (firstRelation_ < 0 || !all || x.tables().expressions->open ||
      all[firstRelation_] == kOpenRelation)
    return nullptr;
  return all + firstRelation_;
}

/// The elements of a variable that is no expression, found once in a pass for all that read some of them.
template <class S>
const std::vector<S>& ExpressionVariable::arrayOf(std::uint64_t pass, const View<S>& x,
                                                  int variable) const {
  auto& all = x.tables().expressions->ofArray;
  if (std::ssize(all) <= variable) all.resize(static_cast<size_t>(variable) + 1);
  auto& own = all[static_cast<size_t>(variable)];
  if (own.pass == pass) return own.elements;
  const VariableTable::Variable& v = table_[variable];
  own.elements.resize(static_cast<size_t>(v.size), S(0));
  v.function->evaluate(x, own.elements.data());
  own.pass = pass;
  return own.elements;
}

/// Reads of the variables the elements that the expression needs; of expressions among them what this pass
/// has found.
template <class S>
void ExpressionVariable::fill(std::uint64_t pass, const View<S>& x, S* slots) const {
  for (size_t i = 0; i < sources_.size(); ++i) {
    const Source& s = sources_[i];
    const VariableTable::Variable& v = table_[s.variable];
    const std::vector<int>& read = read_[i];
    S* const out = slots + s.slot;
    const auto take = [&](const std::vector<S>& all) {
      for (size_t k = 0; k < read.size(); ++k) out[k] = all[static_cast<size_t>(read[k])];
    };
    if (s.derivative > 0 && s.rate.index >= 0) {
      for (size_t k = 0; k < read.size(); ++k) out[k] = x.inputRate(s.rate, read[k]);
    } else if (s.derivative > 0) {
      std::vector<S> all(static_cast<size_t>(v.size));
      if (s.derivative > 1) {
        secondDerivative(*v.function, v.size, x, all.data());
      } else {
        derivative(*v.function, v.size, x, all.data());
      }
      take(all);
    } else if (inner_[i]) {
      take(inner_[i]->values(x).results);
    } else if (std::ssize(read) < v.size) {
      take(arrayOf(pass, x, s.variable));
    } else {
      v.function->evaluate(x, out);
    }
  }
}

/// Evaluates the expressions that this one reads, each once; without recursion, as chains of them
/// may be long.
template <class S>
void ExpressionVariable::updateInner(std::uint64_t pass, const View<S>& x) const {
  std::vector<const ExpressionVariable*>& open = x.tables().expressions->waiting;
  open.clear();
  const auto visit = [&](const ExpressionVariable& e) {
    for (size_t i = 0; i < e.inner_.size(); ++i) {
      const ExpressionVariable* inner = e.inner_[i];
      if (inner && e.sources_[i].derivative == 0 && inner->values(x).pass != pass)
        open.push_back(inner);
    }
  };
  visit(*this);
  while (!open.empty()) {
    const ExpressionVariable& e = *open.back();
    const size_t before = open.size();
    if (e.values(x).pass != pass) visit(e);
    if (open.size() > before) continue;
    open.pop_back();
    if (Values<S>& own = e.values(x); own.pass != pass) e.update(pass, x, own);
  }
}

/// Pre: what it reads is up to date.
template <class S>
void ExpressionVariable::update(std::uint64_t pass, const View<S>& x, Values<S>& own) const {
  fill(pass, x, own.slots.data());
  const Reading reading = x.tables().expressions->reading;
  if constexpr (std::is_same_v<S, double>) {
    if (reading != Reading::plain) {
      expression_.evaluateAs(reading, own.slots.data(), x.time(), frozen(x), own.registers,
                             own.results.data());
      own.pass = pass;
      return;
    }
  }
  expression_.evaluate(own.slots.data(), x.time(), frozen(x), own.registers, own.results.data());
  own.pass = pass;
}

template <class S>
void ExpressionVariable::evaluateIn(std::uint64_t pass, const View<S>& x, S* out) const {
  Values<S>& own = values(x);
  if (own.pass != pass && !hasInner_ && firstRelation_ < 0) {  // it has no branches
    update(pass, x, own);
  } else if (own.pass != pass) {
    std::uint64_t inner = pass;
    x.tables().expressions->withinBranches(
        [&] {
          updateInner(inner, x);
          update(std::exchange(inner, newPass(x)), x, own);
        },
        [&] { return allFinite(own.results); });
    own.pass = pass;
  }
  std::copy(own.results.begin(), own.results.end(), out);
}

template void ExpressionVariable::evaluateIn(std::uint64_t, const View<double>&, double*) const;
template void ExpressionVariable::evaluateIn(std::uint64_t, const View<Dual>&, Dual*) const;

void ExpressionVariable::readRates(const std::function<SignalId(int, int)>& signalOf) {
  std::vector<ExpressionVariable*> open{this};
  std::set<const ExpressionVariable*> seen{this};
  while (!open.empty()) {
    ExpressionVariable& e = *open.back();
    open.pop_back();
    for (size_t i = 0; i < e.sources_.size(); ++i) {
      Source& s = e.sources_[i];
      if (s.derivative > 0 && s.rate.index < 0) s.rate = signalOf(s.variable, s.derivative);
      if (e.inner_[i] && seen.insert(e.inner_[i]).second) open.push_back(e.inner_[i]);
    }
  }
}

bool ExpressionVariable::takesDerivatives() const {
  return std::ranges::any_of(reached(), [](const ExpressionVariable* e) {
    return std::ranges::any_of(
        e->sources_, [](const Source& s) { return s.derivative > 0 && s.rate.index < 0; });
  });
}

std::optional<ExpressionVariable::Differentiated> ExpressionVariable::derivativeBeyond(
    Level most) const {
  for (const ExpressionVariable* e : reached()) {
    for (size_t i = 0; i < e->sources_.size(); ++i) {
      const Source& s = e->sources_[i];
      if (s.derivative == 0 || s.rate.index >= 0) continue;
      const ExpressionVariable* inner = e->inner_[i];
      const Level level = inner ? inner->level_ : table_[s.variable].info.level;
      if (level > most || s.derivative > 1 || (inner && inner->takesDerivatives()))
        return Differentiated{e, s.variable};
    }
  }
  return std::nullopt;
}

/// This expression and all that it reads, however far away.
std::vector<const ExpressionVariable*> ExpressionVariable::reached() const {
  std::vector<const ExpressionVariable*> found{this};
  std::set<const ExpressionVariable*> seen{this};
  for (size_t k = 0; k < found.size(); ++k) {
    for (const ExpressionVariable* inner : found[k]->inner_) {
      if (inner && seen.insert(inner).second) found.push_back(inner);
    }
  }
  return found;
}

bool ExpressionVariable::comparesJumps() const {
  const Program::Compared compared = expression_.compared();
  return compared.jumps || std::ranges::any_of(compared.slots, [&](int slot) {
           const ExpressionVariable* inner = inner_[sourceOf(slot)];
           return inner && std::ranges::any_of(inner->reached(), [](const ExpressionVariable* e) {
                    return e->expression_.jumps();
                  });
         });
}

std::string ExpressionVariable::unseenComparison(const std::function<bool(int)>& isDiscrete) const {
  std::vector<const ExpressionVariable*> open{this};
  for (size_t k = 0; k < open.size(); ++k) {
    const ExpressionVariable& e = *open[k];
    const Program::Unseen unseen = e.expression_.unseen();
    for (const Program::Unseen::Comparison& c : unseen.comparisons) {
      const bool follows = c.follows.time || std::ranges::any_of(c.follows.slots, [&](int slot) {
                             return !isDiscrete(e.sources_[e.sourceOf(slot)].variable);
                           });
      if (follows || e.expression_.bendsUnseen()) return toString(*c.node);
    }
    for (const int slot : unseen.slots) {
      const ExpressionVariable* inner = e.inner_[e.sourceOf(slot)];
      if (inner && inner->expression_.isBoolean() && std::ranges::find(open, inner) == open.end())
        open.push_back(inner);
    }
  }
  return "";
}

long ExpressionVariable::operations() const {
  long sum = 0;
  for (const ExpressionVariable* e : reached()) sum += e->expression_.operations();
  return sum;
}

void ExpressionVariable::relationResidualsIn(std::uint64_t pass, const View<double>& x,
                                             double* residuals) const {
  const Meanwhile compared(x.tables().expressions->reading, Reading::compared);
  std::uint64_t own = pass;
  x.tables().expressions->withinBranches(
      [&] {
        const std::uint64_t now = std::exchange(own, newPass(x));
        updateInner(now, x);
        Values<double>& v = values(x);
        fill(now, x, v.slots.data());
        expression_.relationResiduals(v.slots.data(), x.time(), frozen(x), v.registers, residuals);
      },
      [&] { return allFinite(std::span(residuals, expression_.relationCount())); });
}
void ExpressionVariable::relationStatesIn(std::uint64_t pass, const View<double>& x,
                                          RelationState* states) const {
  const Meanwhile compared(x.tables().expressions->reading, Reading::compared);
  std::uint64_t own = pass;
  x.tables().expressions->withinBranches(
      [&] {
        const std::uint64_t now = std::exchange(own, newPass(x));
        updateInner(now, x);
        Values<double>& v = values(x);
        fill(now, x, v.slots.data());
        expression_.relationStates(v.slots.data(), x.time(), frozen(x), v.registers, states);
      },
      [&] { return allFinite(values(x).slots); });
}
/// Some source i that a relation reads has isOne(i).
template <class F>
bool ExpressionVariable::anySourceOf(int relation, F isOne) const {
  return std::ranges::any_of(expression_.relationReads(relation).slots,
                             [&](int slot) { return isOne(sourceOf(slot)); });
}

bool ExpressionVariable::relationIsOfTime(int k) const {
  return expression_.timeEvent(k) || !anySourceOf(k, [this](size_t i) { return !isOfTime(i); });
}

bool ExpressionVariable::relationReads(int k, const std::vector<int>& variables) const {
  return anySourceOf(k, [&](size_t i) { return readsAnyOf(variables, i); });
}

bool ExpressionVariable::relationFollowsTime(int k, const View<double>& x) const {
  std::vector<double> residuals(expression_.relationCount());
  relationResiduals(x, residuals.data());
  // What is not finite compares for itself.
  if (!frozen(x) || !std::isfinite(residuals[k])) return true;
  std::vector<std::pair<const ExpressionVariable*, Program::Reads>> open{
      {this, expression_.relationReads(k, values(x).registers, frozen(x))}};
  std::set<const ExpressionVariable*> seen;
  while (!open.empty()) {
    const auto [e, reads] = std::move(open.back());
    open.pop_back();
    if (reads.time) return true;
    for (const int slot : reads.slots) {
      const size_t at = e->sourceOf(slot);
      const ExpressionVariable* inner = e->inner_[at];
      if (!inner && table_[e->sources_[at].variable].info.level != Level::Constant) return true;
      if (!inner || !seen.insert(inner).second) continue;
      if (!inner->frozen(x) && inner->expression_.relationCount() > 0) return true;
      open.emplace_back(inner,
                        inner->expression_.reads(inner->values(x).registers, inner->frozen(x)));
    }
  }
  return false;
}

std::optional<BoundExpression::Fault> ExpressionVariable::undecided(std::uint64_t pass,
                                                                    const View<double>& x) const {
  if (!mayBeUndecided_) return std::nullopt;
  updateInner(pass, x);
  std::map<const ExpressionVariable*, BoundExpression::Fault> found;
  const auto look = [&](const ExpressionVariable* e) {
    Values<double>& own = e->values(x);
    e->fill(pass, x, own.slots.data());
    const auto innerOf = [e](int slot) { return e->inner_[e->sourceOf(slot)]; };
    std::function<bool(int)> hangs;
    if (!found.empty()) hangs = [&](int slot) { return found.contains(innerOf(slot)); };
    const auto here =
        e->expression_.undecided(own.slots.data(), x.time(), e->frozen(x), own.registers, hangs);
    if (!here) return;
    const ExpressionVariable* inner = here->slot < 0 ? nullptr : innerOf(here->slot);
    if (here->isOpen) {
      found.emplace(e, found.at(inner));
      return;
    }
    const auto cause = inner ? inner->fault(x) : std::nullopt;
    found.emplace(e, BoundExpression::Fault{"'" + here->text + "' compares what is no number: " +
                                                (cause ? cause->text : here->cause),
                                            cause ? cause->cure : "", here->at});
  };
  for (const ExpressionVariable* e : undecidable_) look(e);
  look(this);
  const auto own = found.find(this);
  return own == found.end() ? std::nullopt : std::optional(own->second);
}

std::optional<BoundExpression::Fault> ExpressionVariable::fault(const View<double>& x) const {
  // From here to what is read, until an expression has found its inputs finite.
  const ExpressionVariable* e = this;
  std::optional<BoundExpression::Fault> found;
  while (e) {
    const std::uint64_t pass = newPass(x);
    e->updateInner(pass, x);
    std::vector<double>& slots = e->values(x).slots;
    e->fill(pass, x, slots.data());
    const auto here = e->expression_.fault(slots.data(), x.time(), e->frozen(x));
    if (!here) break;
    found = here;
    if (!here->isRead) break;
    const ExpressionVariable* next = nullptr;
    for (size_t i = 0; i < e->inner_.size() && !next; ++i) {
      if (!e->inner_[i] || e->sources_[i].derivative > 0) continue;
      const std::vector<double>& results = e->inner_[i]->values(x).results;
      if (!std::ranges::all_of(results, [](double r) { return std::isfinite(r); }))
        next = e->inner_[i];
    }
    e = next;
  }
  return found;
}

}  // namespace cardan
