#include "engine/integration/when_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>
#include <set>

#include "engine/equations/model.h"
#include "engine/equations/when_binding.h"
#include "engine/initialisation/level_rows.h"
#include "engine/integration/solver_error.h"
#include "engine/integration/undecided.h"
#include "engine/text/meanwhile.h"

namespace cardan {
namespace {

[[noreturn]] void stop(double time, const std::string& who, const std::string& why) {
  throw SolverError(
      {.cause = SolverError::Cause::ComponentFailed, .time = time, .unknown = who, .where = why});
}

/// Of the time since the states were set before, for the rate of a condition.
constexpr double kRateOver = 1e-6;
/// A motion is stopped by less of its rate than this.
constexpr double kStopped = 1e-3;
/// It has gone through where it is beyond by more than this part of what its speed before would have
/// done in the time since the states were set before: at least as far as it had come back last.
constexpr double kThrough = 0.5;
/// For so many of these times it is looked at.
constexpr double kWatched = 100;

/// A new value: an event is at the instant that is meant, so that floor(time/0.1) is 3 at 0.3, as a condition has it.
void evaluateMeant(const ExpressionVariable& e, const View<double>& x, double* out) {
  {
    const Meanwhile meant(x.tables().expressions->reading, Reading::meant);
    e.evaluate(x, out);
  }
  throwIfUndecided(e, x.tables().expressions->newPass(), x);
}

/// Two values of one state, relative to the larger: the same but for rounding.
constexpr double kSame = 1e-12;

}  // namespace

WhenEvents::WhenEvents(const Model& model, Equations& equations)
    : model_(model),
      equations_(equations),
      whens_(model.whens()),
      charts_(equations),
      any_(!whens_.empty()) {
  histories_.resize(whens_.clauses.size());
  hasFired_.resize(whens_.clauses.size());
  for (const HeldValues::Sample& s : whens_.held.samples())
    clocks_.emplace_back(s.start, s.interval);
  const VariableTable& table = model.assembly().variables;
  const auto initial = table.find("initial()");
  for (const WhenClauses::Clause& c : whens_.clauses) {
    std::vector<bool>& reads = readsInitial_.emplace_back();
    for (const WhenClauses::Branch& b : c) {
      reads.push_back(initial && std::ranges::any_of(b.conditions, [&](const auto& x) {
                        return readBy(*x.expression, table).contains(*initial);
                      }));
    }
  }
  findLate();
}

/// Values of `reinit` are found first, and with them what they read that is set beside them. What
/// reads the motion comes after.
void WhenEvents::findLate() {
  const VariableTable& table = model_.assembly().variables;
  std::set<int> early;
  for (const WhenClauses::Clause& c : whens_.clauses) {
    for (const WhenClauses::Branch& b : c) {
      for (const WhenClauses::Reinit& r : b.reinit) early.merge(readBy(*r.value, table));
    }
  }
  const auto assignment = [this](const WhenClauses::Place& p) -> const WhenClauses::Assignment& {
    return whens_.clauses[p.clause][p.branch].set[p.assignment];
  };
  const auto variableOf = [this](const WhenClauses::Assignment& a) {
    return whens_.held.discrete(a.name)->variable;
  };
  // In their order none reads one behind it.
  for (const WhenClauses::Place& p : whens_.order | std::views::reverse) {
    const WhenClauses::Assignment& a = assignment(p);
    if (early.contains(variableOf(a))) early.merge(readBy(*a.value, table));
  }
  std::set<int> late;
  for (const WhenClauses::Place& p : whens_.order) {
    const WhenClauses::Assignment& a = assignment(p);
    const auto changes = [&](int v) {
      return late.contains(v) || (!table[v].expression && table[v].info.level > Level::Time);
    };
    isLate_.push_back(!early.contains(variableOf(a)) &&
                      std::ranges::any_of(readBy(*a.value, table), changes));
    if (isLate_.back()) late.insert(variableOf(a));
  }
}

void WhenEvents::begin() {
  equations_.state.held = whens_.held.start();
  std::ranges::fill(histories_, History{});
  watching_ = 0;
  warnings_.clear();
  terminated_.clear();
  ticked_ = -std::numeric_limits<double>::infinity();
}

void WhenEvents::setSpan(double start, double stop, double tolerance) {
  start_ = start;
  span_ = stop - start;
  tolerance_ = tolerance;
  const bool goesOn = isSameInstant(ticked_, start);
  for (size_t i = 0; i < clocks_.size(); ++i) {
    held(whens_.held.samples()[i].offset + 1) =
        goesOn ? clocks_[i].after(start) : clocks_[i].from(start);
  }
}

double WhenEvents::nextTick() const {
  FirstInstant next;
  for (size_t i = 0; i < clocks_.size(); ++i)
    next.offer(clocks_[i].at(held(whens_.held.samples()[i].offset + 1)));
  return next.at();
}

bool WhenEvents::holds(const ExpressionVariable& condition, const View<double>& x) const {
  double value = 0;
  condition.evaluate(x, &value);
  return value != 0;
}

void WhenEvents::enter(Occasion occasion, double time, Workspace<double>& w) {
  const View<double> view(w.tables);
  starting_ = occasion == Occasion::start;
  stateWasSet_ = false;
  fired_.clear();
  again_ = false;
  std::fill(hasFired_.begin(), hasFired_.end(), false);
  if (starting_) {
    passOn(view, true, nullptr);
    if (const int f = whens_.held.initialFlag(); f >= 0) held(f) = 1;
  } else {
    passOnMoving(view);
    for (size_t i = 0; i < clocks_.size(); ++i) {
      const int offset = whens_.held.samples()[i].offset;
      if (!hasCome(clocks_[i].at(held(offset + 1)), time)) continue;
      held(offset) = 1;
      held(offset + 1) = clocks_[i].after(time);
    }
  }
  if (const int f = whens_.held.terminalFlag(); f >= 0 && occasion == Occasion::end) held(f) = 1;
  ++equations_.state.changes;
}

/// Gives pre() of what moves the values of now: what changes at events alone has been passed on at the end of
/// the last one.
void WhenEvents::passOnMoving(const View<double>& x) {
  passOn(
      x, [](const HeldValues::Before& b) { return !b.discrete; }, nullptr);
}

/// Gives pre() the values of now: of what changes at events alone, or of `all`. True: some were
/// others.
bool WhenEvents::passOn(const View<double>& x, bool all, std::vector<std::string>* changing) {
  return passOn(
      x, [all](const HeldValues::Before& b) { return all || b.discrete; }, changing);
}

/// All at once: the values of now read what pre() has been for all of them.
template <class IsMeant>
bool WhenEvents::passOn(const View<double>& x, const IsMeant& isMeant,
                        std::vector<std::string>* changing) {
  buffer_.clear();
  for (const HeldValues::Before& b : whens_.held.befores()) {
    if (!isMeant(b)) continue;
    buffer_.resize(buffer_.size() + b.size);
    model_.assembly().variables[b.of].function->evaluate(x,
                                                         buffer_.data() + buffer_.size() - b.size);
  }
  bool changed = false;
  auto now = buffer_.begin();
  for (const HeldValues::Before& b : whens_.held.befores()) {
    for (int i = 0; isMeant(b) && i < b.size; ++i, ++now) {
      if (held(b.offset + i) == *now) continue;
      held(b.offset + i) = *now;
      changed = true;
      if (changing) changing->push_back(b.name);
    }
  }
  return changed;
}

WhenEvents::Fired WhenEvents::fire(const View<double>& x) {
  Fired fired;
  for (size_t c = 0; c < whens_.clauses.size(); ++c) {
    bool taken = false;
    if (hasFired_[c]) continue;
    for (size_t b = 0; b < whens_.clauses[c].size(); ++b) {
      bool becomes = false;
      for (const WhenClauses::Condition& condition : whens_.clauses[c][b].conditions) {
        const bool now = holds(*condition.expression, x);
        becomes = becomes || (now && held(condition.held) == 0);
        held(condition.held) = now ? 1 : 0;
      }
      // At the start only what asks for it happens.
      if (!becomes || taken || (starting_ && !readsInitial_[c][b])) continue;
      taken = true;
      fired.emplace_back(c, b);
    }
    hasFired_[c] = taken;
  }
  return fired;
}

bool WhenEvents::iterate(double time, std::vector<double>& y, std::vector<double>& yp,
                         Workspace<double>& w, std::vector<std::string>& changing) {
  const View<double> view(w.tables);
  // States have been set, and everything else has followed.
  if (firstOf(fired_) == Which::early && !again_) {
    again_ = true;
    passedOn_ = false;
    for (const auto& [c, b] : fired_) changing.push_back(whens_.clauses[c][b].text);
    assign(fired_, Which::late, time, w);
    conclude(fired_, time, view);
    ++equations_.state.changes;
    return true;
  }
  again_ = false;
  fired_ = fire(view);
  passedOn_ = fired_.empty();
  if (passedOn_) {
    std::fill(hasFired_.begin(), hasFired_.end(), false);
    if (passOn(view, false, &changing)) {
      ++equations_.state.changes;
      return true;
    }
    fired_ = fire(view);
  }
  const Fired& fired = fired_;
  if (fired.empty()) return false;
  for (const auto& [c, b] : fired) {
    const WhenClauses::Branch& branch = whens_.clauses[c][b];
    changing.push_back(branch.text);
    if (!branch.reinit.empty()) watch(c, b, time, y, yp, w);
  }
  const Which first = firstOf(fired);
  assign(fired, first, time, w);
  if (first == Which::all) conclude(fired, time, view);
  reinitialise(fired, time, y, yp, w);
  ++equations_.state.changes;
  return true;
}

/// Where states are set, what reads the motion waits, and so do assertions.
WhenEvents::Which WhenEvents::firstOf(const Fired& fired) const {
  const auto has = [&](auto what) {
    return std::ranges::any_of(
        fired, [&](const auto& f) { return what(whens_.clauses[f.first][f.second]); });
  };
  if (!has([](const WhenClauses::Branch& b) { return !b.reinit.empty(); })) return Which::all;
  bool waits = has([](const WhenClauses::Branch& b) { return !b.assertions.empty(); });
  for (size_t i = 0; i < isLate_.size(); ++i) {
    const WhenClauses::Place& p = whens_.order[i];
    waits = waits ||
            (isLate_[i] && std::ranges::find(fired, std::pair{p.clause, p.branch}) != fired.end());
  }
  return waits ? Which::early : Which::all;
}

/// All of what fired is set.
void WhenEvents::conclude(const Fired& fired, double time, const View<double>& x) {
  for (const auto& [c, b] : fired) {
    const WhenClauses::Branch& branch = whens_.clauses[c][b];
    check(branch.assertions, time, x);
    if (!branch.terminate.empty() && terminated_.empty()) terminated_ = branch.terminate;
  }
}

void WhenEvents::enterAgain(const EventJournal::Round& round, Workspace<double>& w) {
  const View<double> view(w.tables);
  if (round.atStart) {
    passOn(view, true, nullptr);
  } else {
    passOnMoving(view);
  }
  const auto take = [&](int offset) { held(offset) = round.held[offset]; };
  for (const HeldValues::Sample& s : whens_.held.samples()) {
    take(s.offset);
    take(s.offset + 1);
  }
  for (const int f : {whens_.held.initialFlag(), whens_.held.terminalFlag()}) {
    if (f >= 0) take(f);
  }
  ++equations_.state.changes;
}

void WhenEvents::fireAgain(const EventJournal::Round& round, double time, std::vector<double>& y,
                           std::vector<double>& yp, Workspace<double>& w) {
  equations_.evaluateAt(w, time, y, yp);
  const Which first = round.isLate ? Which::late : firstOf(round.fired);
  assign(round.fired, first, time, w, &round.held);
  if (!round.isLate) reinitialise(round.fired, time, y, yp, w);
  if (round.passesOn) passOn(View<double>(w.tables), false, nullptr);
  ++equations_.state.changes;
}

/// In the order of what reads what, each with the new values of those before. `integers`: where
/// those that are whole numbers are found, if they are known.
void WhenEvents::assign(const Fired& fired, Which which, double time, Workspace<double>& w,
                        const std::vector<double>* integers) {
  const View<double> view(w.tables);
  const std::vector<double> y = w.y, yp = w.yp;
  for (size_t i = 0; i < whens_.order.size(); ++i) {
    const WhenClauses::Place& p = whens_.order[i];
    if (which != Which::all && isLate_[i] != (which == Which::late)) continue;
    if (std::ranges::find(fired, std::pair{p.clause, p.branch}) == fired.end()) continue;
    const WhenClauses::Assignment& a = whens_.clauses[p.clause][p.branch].set[p.assignment];
    buffer_.resize(a.size);
    evaluateMeant(*a.value, view, buffer_.data());
    for (int e = 0; e < a.size; ++e) {
      const double x = a.isInteger && integers ? (*integers)[a.offset + e] : buffer_[e];
      if (!std::isfinite(x)) {
        stop(time, "'" + whens_.clauses[p.clause][p.branch].text + "'",
             "the new value of '" + a.name + "' is not finite");
      }
      if (a.isInteger && x != std::round(x)) {
        stop(time, "'" + whens_.clauses[p.clause][p.branch].text + "'",
             fmt::format("'{}' is an Integer, its new value is {}", a.name, x));
      }
      held(a.offset + e) = x;
    }
    ++equations_.state.changes;
    equations_.evaluateAt(w, time, y, yp);
  }
}

void WhenEvents::reinitialise(const Fired& fired, double time, std::vector<double>& y,
                              std::vector<double>& yp, Workspace<double>& w) {
  const View<double> view(w.tables);
  std::vector<int> set;
  std::string who;
  std::vector<double> now, called = y;
  for (const auto& [c, b] : fired) {
    for (const WhenClauses::Reinit& r : whens_.clauses[c][b].reinit) {
      buffer_.resize(r.elements.size());
      evaluateMeant(*r.value, view, buffer_.data());
      for (size_t i = 0; i < r.elements.size(); ++i) {
        const VariableElement e = r.elements[i];
        const VariableTable::Variable& v = model_.assembly().variables[e.variable];
        now.resize(v.size);
        v.function->evaluate(view, now.data());
        if (!std::isfinite(buffer_[i])) {
          stop(time, "'" + whens_.clauses[c][b].text + "'",
               "the new value of '" + r.name + "' is not finite");
        }
        const WhenClauses::Reinit::Target& t = r.targets[i];
        const double other = y[t.unknown];
        y[t.unknown] =
            t.slope == 1 ? buffer_[i] : w.y[t.unknown] + (buffer_[i] - now[e.element]) / t.slope;
        const double size = std::max(std::abs(other), std::abs(y[t.unknown]));
        if (std::ranges::find(set, t.unknown) != set.end() &&
            std::abs(y[t.unknown] - other) > kSame * size) {
          stop(time, "'" + whens_.clauses[c][b].text + "'",
               "'" + r.name + "' has been set to another value at the same instant");
        }
        set.push_back(t.unknown);
      }
      who += (who.empty() ? "'" : ", '") + r.name + "'";
    }
  }
  if (set.empty()) return;
  stateWasSet_ = true;
  // Angles were set by their names: those of a joint that were not keep what theirs are called.
  charts_.takeNames(model_.assembly().variables, view, called, &set);
  for (int i = 0; i < equations_.layout().nq; ++i) {
    if (std::ranges::find(set, i) == set.end()) y[i] = called[i];
  }
  keepConstraints(time, y, yp, set, who);
  charts_.renew(y);
}

/// Moves all that was not set, by the least change, so that loops stay closed; positions, then
/// velocities.
void WhenEvents::keepConstraints(double time, std::vector<double>& y, const std::vector<double>& yp,
                                 const std::vector<int>& set, const std::string& who) {
  const Layout& l = equations_.layout();
  if (!at_) {
    at_ = std::make_unique<EvaluationPoint>(equations_);
    conditions_ = std::make_unique<StartConditions>(equations_, model_.assembly().variables,
                                                    std::vector<InitialEquation>{});
  }
  const auto solve = [&](std::vector<StartRow> rows, int first, int count) {
    if (rows.empty()) return;
    std::vector<int> columns;
    for (int i = first; i < first + count; ++i) {
      if (std::ranges::find(set, i) == set.end()) columns.push_back(i);
    }
    LevelRows problem(*at_, *conditions_, time, y, yp, columns, std::move(rows));
    const std::vector<int> tiers(l.size(), 0);
    const LeastChangeResult result =
        leastChange(problem, problem.current(), problem.movability(tiers));
    if (!result.converged) {
      stop(time, who,
           "'reinit' sets it to a value that the constraints of the mechanism do not allow");
    }
    y = problem.put(result.u);
  };
  solve(constraintRows(equations_, Level::Position, false), 0, l.nq);
  solve(constraintRows(equations_, Level::Velocity, false), l.nq, l.nv);
}

/// The difference of the one relation that a condition is.
double WhenEvents::difference(const ExpressionVariable& condition, const View<double>& x) const {
  double value = 0;
  condition.relationResiduals(x, &value);
  return value;
}

/// Its rate by time, over the time `ahead` [s].
double WhenEvents::rateOf(const ExpressionVariable& condition, double time, double ahead,
                          const std::vector<double>& y, const std::vector<double>& yp,
                          Workspace<double>& w) const {
  const View<double> view(w.tables);
  equations_.evaluateAt(w, time, y, yp);
  const double now = difference(condition, view);
  std::vector<double> next = y;
  for (size_t i = 0; i < next.size(); ++i) {
    if (equations_.layout().unknowns[i].differential) next[i] += ahead * yp[i];
  }
  equations_.evaluateAt(w, time + ahead, next, yp);
  const double rate = (difference(condition, view) - now) / ahead;
  equations_.evaluateAt(w, time, y, yp);
  return rate;
}

/// A clause is about to set states.
void WhenEvents::watch(size_t clause, size_t branch, double time, const std::vector<double>& y,
                       const std::vector<double>& yp, Workspace<double>& w) {
  History& h = histories_[clause];
  const double last = h.count > 0 ? h.times.back() : start_;
  std::shift_left(h.times.begin(), h.times.end(), 1);
  h.times.back() = time;
  ++h.count;
  throwIfEndless(clause, time);
  h.branch = branch;
  h.condition = -1;
  const double ahead = kRateOver * (time - last);
  if (!(ahead > 0) || time + ahead == time) return;
  const std::vector<WhenClauses::Condition>& all = whens_.clauses[clause][branch].conditions;
  for (size_t i = 0; i < all.size(); ++i) {
    const ExpressionVariable& c = *all[i].expression;
    if (c.expression().relationCount() != 1 || c.relationIsOfTime(0) ||
        !holds(c, View<double>(w.tables)))
      continue;
    h.condition = i;
    h.rate = rateOf(c, time, ahead, y, yp, w);
    h.most = kThrough * std::abs(h.rate) * (time - last);
    h.until = time + kWatched * (time - last);
    return;
  }
}

/// Bounces that become shorter and shorter, one by one or in groups of two or three, would go on
/// without end before a certain time: when this is so near that the tolerance hides what happens
/// until then, the run stops.
void WhenEvents::throwIfEndless(size_t clause, double time) const {
  const History& h = histories_[clause];
  const size_t last = h.times.size() - 1;
  const double shortest = span_ * std::clamp(std::sqrt(tolerance_), 1e-5, 1e-2);
  for (int group = 1; group <= 3; ++group) {
    const int ratios = 2 * group + 2;
    if (h.count <= group + ratios) return;
    const auto interval = [&](size_t i) { return h.times[last - i] - h.times[last - i - 1]; };
    const double sum = h.times[last] - h.times[last - group];
    const double ratio = sum / (h.times[last - group] - h.times[last - 2 * group]);
    const double left = sum * ratio / (1 - ratio);
    bool shrinks = ratio < 1 && left < shortest;
    for (int i = 0; shrinks && i < ratios; ++i) {
      const double r = interval(i) / interval(i + group);
      shrinks = r < 1 && std::abs(r - ratio) < 0.1;
    }
    if (!shrinks) continue;
    throw SolverError({.cause = SolverError::Cause::EventsPileUp,
                       .time = time,
                       .unknown = whens_.clauses[clause].front().text,
                       .value = time + left});
  }
}

/// States are set, everything is consistent: was the motion stopped or turned back at the condition,
/// which still holds?
void WhenEvents::watchWhatWasSet(size_t clause, double time, Workspace<double>& w) {
  History& h = histories_[clause];
  const bool was = h.watched;
  h.watched = false;
  if (h.condition >= 0) {
    const ExpressionVariable& c =
        *whens_.clauses[clause][h.branch].conditions[h.condition].expression;
    // At an event of something else what was not watched is not.
    h.watched = holds(c, View<double>(w.tables)) && (was || time == h.times.back());
    if (h.watched && !was) {
      const double last = h.count > 1 ? h.times[h.times.size() - 2] : start_;
      const std::vector<double> y = w.y, yp = w.yp;
      const double now = rateOf(c, time, kRateOver * (time - last), y, yp, w);
      h.watched = now * h.rate <= 0 || std::abs(now) < kStopped * std::abs(h.rate);
      // What was set beyond it was not turned back there.
      h.watched = h.watched && std::abs(difference(c, View<double>(w.tables))) <= h.most;
    }
  }
  watching_ += (h.watched ? 1 : 0) - (was ? 1 : 0);
}

void WhenEvents::watchMotion(double time, Workspace<double>& w) {
  for (size_t c = 0; c < histories_.size(); ++c) {
    History& h = histories_[c];
    if (!h.watched) continue;
    const WhenClauses::Branch& branch = whens_.clauses[c][h.branch];
    const double beyond =
        difference(*branch.conditions[h.condition].expression, View<double>(w.tables));
    const bool through = std::abs(beyond) > h.most;
    if (!through && time < h.until) continue;
    h.watched = false;
    --watching_;
    if (!through) continue;
    const size_t last = h.times.size() - 1;
    const double before = h.count > 2 ? h.times[last - 2] : start_;
    const bool bounced =
        h.count > 1 && h.times[last] - h.times[last - 1] < h.times[last - 1] - before;
    if (bounced) {
      throw SolverError({.cause = SolverError::Cause::WentThrough,
                         .time = time,
                         .unknown = branch.text,
                         .value = h.times.back()});
    }
    const std::string warning = fmt::format(
        "'{}' stops a motion that goes on after it: 'reinit' sets a value once and holds nothing",
        branch.text);
    if (std::ranges::find(warnings_, warning) == warnings_.end()) warnings_.push_back(warning);
  }
}

void WhenEvents::check(const std::vector<WhenClauses::Assertion>& assertions, double time,
                       const View<double>& x) const {
  for (const WhenClauses::Assertion& a : assertions) {
    throwIfUndecided(*a.condition, x.tables().expressions->newPass(), x);
    if (holds(*a.condition, x)) continue;
    throw SolverError({.cause = SolverError::Cause::AssertionFailed,
                       .time = time,
                       .unknown = "'" + a.condition->text() + "'",
                       .where = a.message + formatPlace(a.condition->at())});
  }
}

void WhenEvents::leave(double time, Workspace<double>& w) {
  const View<double> view(w.tables);
  for (const HeldValues::Sample& s : whens_.held.samples()) held(s.offset) = 0;
  for (const int f : {whens_.held.initialFlag(), whens_.held.terminalFlag()}) {
    if (f >= 0) held(f) = 0;
  }
  ++equations_.state.changes;
  for (const WhenClauses::Clause& c : whens_.clauses) {
    for (const WhenClauses::Branch& b : c) {
      for (const WhenClauses::Condition& x : b.conditions)
        held(x.held) = holds(*x.expression, view) ? 1 : 0;
    }
  }
  for (size_t c = 0; c < histories_.size(); ++c) {
    if (histories_[c].count > 0) watchWhatWasSet(c, time, w);
  }
  starting_ = false;
  check(whens_.assertions, time, view);
}

}  // namespace cardan
