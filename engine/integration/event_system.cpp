#include "engine/integration/event_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "components/instants.h"
#include "engine/equations/model.h"
#include "engine/equations/not_finite.h"
#include "engine/integration/prescribed_jumps.h"
#include "engine/integration/solver_error.h"
#include "engine/integration/undecided.h"
#include "engine/model_file/model_source.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

/// Guards that counts or collects. What is wrong and a violation as well is wrong at the start alone.
class Collecting final : public Guards {
 public:
  explicit Collecting(double* g = nullptr, double after = -std::numeric_limits<double>::infinity())
      : g_(g), after_(after) {}
  void crossing(double g) override {
    if (g_) g_[count] = g;
    ++count;
  }
  void timeEvent(double time) override {
    if (!hasCome(time, after_)) next.offer(time);
  }
  void terminate(const std::string& text) override { why = text.empty() ? "terminated" : text; }
  void fail(const std::string& text) override { wrong = text; }
  void violate(double size, const std::string& text) override {
    violation = size;
    violated = text;
  }

  int count = 0;
  FirstInstant next;
  std::string why, wrong, violated;
  double violation = 0;

 private:
  double* g_;
  double after_;
};

constexpr int kMostIterations = 100;
constexpr int kMostTogether = 5;
/// So many events of the mechanics in a row, each within kFirstWait of the last: modes are asked together.
constexpr int kRattling = 8;
/// Of a run: for how long modes that disagree are not asked.
constexpr double kFirstWait = 1e-5, kLongestWait = 1e-2;
/// From here on what is nearest is looked for.
constexpr int kRestless = 60;

/// From here on contacts are asked together, now and then, so that the others can follow.
constexpr int kTogether = 20;
bool isTurnOfAll(int iteration) { return iteration >= kTogether && iteration % 10 == 0; }

/// Cells per run on which conditions of time alone are looked at.
constexpr double kCells = 4096;
/// A relation holds on its other side only beyond this part of the largest difference it had, and
/// beyond this difference: rounding around equality is no event.
constexpr double kRoundoff = 1e-14;
constexpr double kNothing = 1e-16;
/// What an evaluation of a component costs, in operations of expressions.
constexpr double kOperationsOfComponent = 50;

void noteOnce(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

SolverError restless(double t, const std::vector<std::string>& changing) {
  return SolverError(
      {.cause = SolverError::Cause::RestlessModes, .time = t, .unknown = namesInQuotes(changing)});
}

}  // namespace

EventSystem::EventSystem(const Model& model, Equations& equations, bool inputsMove)
    : model_(model),
      equations_(equations),
      before_(equations.makeWorkspace<double>()),
      whens_(model, equations),
      violations_(equations),
      impacts_(equations, violations_),
      timeRelations_(equations.state) {
  Workspace<double> w = equations.makeWorkspace<double>();
  equations.evaluate(w, {});
  const View<double> view(w.tables);
  const FlatModel& b = equations.flatModel();
  for (int i = 0; i < std::ssize(b.instances); ++i) {
    const Component* c = b.instances[i].component;
    Collecting counted;
    c->guards(view, counted);
    if (counted.count > 0) {
      guarding_.push_back({c, i, counted.count});
      crossings_ += counted.count;
      readsTurns_ = readsTurns_ || std::ranges::find(b.flanges, i, &FlatModel::Flange::instance) ==
                                       b.flanges.end();
    }
  }
  for (const FlatModel::Mode& m : b.modes) {
    const Component* c = b.instances[m.instance].component;
    if (switching_.empty() || switching_.back().component != c)
      switching_.push_back({c, m.instance});
  }
  std::vector<int> moving;
  for (const InputDescription& i : model.description().inputs) {
    if (const auto v = model.assembly().variables.find(i.name); v && inputsMove)
      moving.push_back(*v);
  }
  model.forEachExpression([&](const ExpressionVariable& e) {
    const BoundExpression& bound = e.expression();
    const int n = bound.relationCount();
    if (n == 0) return;
    readsLoads_ = readsLoads_ || e.level() >= Level::Acceleration;
    Switching s{&e, e.firstRelation(), {}, false, std::vector<long>(n, 0)};
    residuals_.resize(std::max<size_t>(residuals_.size(), n));
    for (int k = 0; k < n; ++k) {
      const bool ofTime = e.relationIsOfTime(k) && !e.relationReads(k, moving);
      s.isSearched = s.isSearched || (ofTime && !bound.timeEvent(k));
      s.ofTime.push_back(ofTime ? 1 : 0);
      crossings_ += ofTime ? 0 : 1;
      readsTurns_ = readsTurns_ || (!ofTime && e.level() >= Level::Position);
    }
    relationsOfTime_ = relationsOfTime_ || s.isSearched;
    expressions_.push_back(std::move(s));
  });
  undecidable_ = undecidableIn(equations, model.whens());
  equations.state.relations.assign(model.relations(), kOpenRelation);
  relationScales_.resize(model.relations());
  triedStates_.resize(model.relations());
  searched_.assign(crossings_ + 1, 0);
  unread_.resize(crossings_ + 1);
  const Layout& l = equations.layout();
  open_.resize(b.instances.size());
  ignored_.assign(b.instances.size(), 0);
  openMobility_.resize(b.instances.size());
  instanceOf_.assign(l.size(), -1);
  for (size_t u = 0; u < b.unknowns.size(); ++u)
    instanceOf_[l.unknownOffset[u]] = b.unknowns[u].instance;
}

void EventSystem::begin() {
  terminated_.clear();
  told_.clear();
  changed_.clear();
  atStart_ = true;
  given_.clear();
  std::ranges::fill(open_, 0);
  std::ranges::fill(openMobility_, 0.0);
  std::fill(relationScales_.begin(), relationScales_.end(), 0.0);
  std::ranges::fill(searched_, 0);
  for (Switching& s : expressions_) std::ranges::fill(s.looks, 0);
  // What an earlier run has left does not decide where this one starts.
  std::ranges::fill(equations_.state.relations, kOpenRelation);
  std::ranges::fill(ignored_, 0);
  lastAt_ = -std::numeric_limits<double>::infinity();
  rattles_ = 0;
  wasMechanical_ = false;
  whens_.begin();
  impacts_.begin();
  violations_.begin();
  ++equations_.state.changes;
}

void EventSystem::setSpan(double start, double stop, double tolerance) {
  whens_.setSpan(start, stop, tolerance);
  lookedAheadTo_ = start;
  span_ = stop - start;
  ignoredAt_ = start;
  ignoredFor_ = 0;
  timeRelations_.setGrid(start, stop, span_ / kCells);
}

void EventSystem::evaluateCrossings(Workspace<double>& w, double* g) const {
  const View<double> view(w.tables);
  for (const Guarding& c : guarding_) {
    Collecting collect(g);
    c.component->guards(view, collect);
    g += c.crossings;
  }
  const std::uint64_t pass = w.expressions.newPass();
  for (const Switching& s : expressions_) {
    s.expression->relationResidualsIn(pass, view, residuals_.data());
    for (size_t k = 0; k < s.ofTime.size(); ++k) {
      if (!s.ofTime[k]) *g++ = std::abs(residuals_[k]) > kNothing ? residuals_[k] : 0;
    }
  }
}

void EventSystem::searched(std::span<const long> evaluations) const {
  for (size_t k = 0; k < evaluations.size(); ++k) searched_[k] += evaluations[k];
}

std::vector<EventSystem::SearchCost> EventSystem::searchCosts() const {
  std::vector<SearchCost> costs;
  const FlatModel& b = equations_.flatModel();
  size_t next = 0;
  for (const Guarding& c : guarding_) {
    const auto first = searched_.begin() + static_cast<std::ptrdiff_t>(next);
    const long sum = std::accumulate(first, first + c.crossings, 0L);
    costs.push_back({b.instances[c.instance].name, {}, static_cast<double>(sum)});
    next += c.crossings;
  }
  // A look ahead in time evaluates one expression instead of all and of the components.
  double model = kOperationsOfComponent * static_cast<double>(b.instances.size());
  for (const Switching& s : expressions_) model += s.expression->expression().operations();
  for (const Switching& s : expressions_) {
    const double part = std::min(1.0, static_cast<double>(s.expression->operations()) / model);
    for (size_t k = 0; k < s.ofTime.size(); ++k) {
      const auto [text, at] = s.expression->expression().placeOfRelation(k);
      const auto ahead = static_cast<double>(s.looks[k]);
      const double inside = s.ofTime[k] ? 0.0 : static_cast<double>(searched_[next++]);
      costs.push_back({text, at, part * ahead + inside});
    }
  }
  std::ranges::stable_sort(costs, std::ranges::greater{}, &SearchCost::evaluations);
  std::erase_if(costs, [](const SearchCost& c) { return c.evaluations == 0; });
  return costs;
}

std::vector<std::string> EventSystem::warnings() const {
  std::vector<std::string> all = whens_.warnings();
  for (const auto& some : {impacts_.warnings(), violations_.warnings()})
    all.insert(all.end(), some.begin(), some.end());
  if (!timeRelations_.warning().empty()) all.push_back(timeRelations_.warning());
  all.insert(all.end(), told_.begin(), told_.end());
  return all;
}

bool EventSystem::fits(Workspace<double>& w) const {
  const View<double> view(w.tables);
  const std::uint64_t pass = w.expressions.newPass();
  for (const Switching& s : expressions_) {
    s.expression->relationResidualsIn(pass, view, residuals_.data());
    s.expression->relationStatesIn(pass, view, triedStates_.data());
    for (size_t k = 0; k < s.ofTime.size(); ++k) {
      if (s.ofTime[k]) continue;
      double& scale = relationScales_[s.states + k];
      const double size = std::abs(residuals_[k]);
      scale = std::max(scale, size);
      const bool clear = size > kRoundoff * scale && size > kNothing;
      if (clear && triedStates_[k] != equations_.state.relations[s.states + k]) return false;
    }
  }
  if (impacts_.areDue(w)) return false;
  triedModes_ = equations_.state.modes;
  ChangingModes tried(triedModes_);
  tried.enterFrom(&view);
  for (const Mover& m : switching_) {
    const bool waits = ignored_[m.instance] != 0 && view.time() < ignoredAt_ + ignoredFor_;
    if (!waits && m.component->transition(view, tried)) return false;
  }
  return true;
}

void EventSystem::follow(Workspace<double>& w, double* y, double* yp) {
  const View<double> view(w.tables);
  std::vector<int>& now = equations_.state.modes;
  triedModes_ = now;
  ChangingModes modes(triedModes_);
  for (const Mover& m : switching_) {
    m.component->follow(view, modes);
    if (!modes.violated()) continue;
    const auto [size, what] = *modes.takeViolation();
    violations_.addOf("'" + equations_.flatModel().instances[m.instance].name + "'", what,
                      view.time(), size);
  }
  for (const auto& [unknown, x] : modes.takeStates()) {
    const int i = equations_.layout().unknownOffset[unknown.index];
    y[i] = x;
    yp[i] = 0;
  }
  if (now == triedModes_) return;
  now = triedModes_;
  ++equations_.state.changes;
}

bool EventSystem::isDue(double t, const std::vector<double>& y, const std::vector<double>& yp,
                        Workspace<double>& w) const {
  equations_.evaluateAt(w, t, y, yp);
  if (!fits(w)) return true;
  for (const Instance& i : equations_.flatModel().instances) {
    Collecting collect(unread_.data());
    i.component->guards(View<double>(w.tables), collect);
    if (!collect.why.empty() || !collect.wrong.empty() || collect.violation > 0) return true;
  }
  return false;
}

double EventSystem::nextTimeEvent(Workspace<double>& w, double time, double longest, double known) {
  const View<double> view(w.tables);
  FirstInstant next;
  for (const Instance& i : equations_.flatModel().instances) {
    Collecting collect(unread_.data(), time);
    i.component->guards(view, collect);
    next.offer(collect.next.at());
  }
  for (const Switching& s : expressions_) {
    for (int k = 0; k < s.expression->expression().relationCount(); ++k) {
      const auto event = s.expression->expression().timeEvent(k);
      if (event && !hasCome(event->time, time)) next.offer(event->time);
    }
  }
  next.offer(whens_.nextTick());
  lookedAheadTo_ = std::min(next.at(), known);
  if (relationsOfTime_ && timeRelations_.cell() > 0) {
    timeRelations_.refine(expressions_, w);
    const double cell = timeRelations_.cell();
    // A few steps ahead, so that this is not done at every one.
    const double to = std::min(lookedAheadTo_, time + std::max(4 * longest, 16 * cell));
    next.offer(timeRelations_.next(expressions_, w, time, to));
    lookedAheadTo_ = to;
  }
  return next.at();
}

/// The states of an expression's relations at a point; those of time alone by when they change: asked
/// at the end of the instant, and `atStart` at that very time.
void EventSystem::statesNow(const Switching& s, Workspace<double>& w, bool atStart,
                            RelationState* now) const {
  const View<double> view(w.tables);
  const double t = w.tables.time;
  s.expression->relationStates(view, now);
  if (s.isSearched) {
    w.tables.time = t + instantWidth(t);
    s.expression->relationStates(view, triedStates_.data());
    w.tables.time = t;
  }
  for (size_t k = 0; k < s.ofTime.size(); ++k) {
    if (const auto event = s.expression->expression().timeEvent(k)) {
      const bool isNow = atStart && isSameInstant(event->time, t);
      if (!isNow) now[k] = static_cast<RelationState>(hasCome(event->time, t) == event->after);
    } else if (s.ofTime[k]) {
      // At the start itself; but a whole number that is reached at once is there, but for rounding.
      const bool isReached =
          s.expression->expression().isOfFloor(k) && triedStates_[k] == now[k] + 1;
      if (!atStart || isReached) now[k] = triedStates_[k];
    }
  }
}

/// A relation of time changes right after the start at `t`, or a clock ticks at it.
bool EventSystem::isDueAfter(double t) const {
  if (hasCome(whens_.nextTick(), t)) return true;
  const std::vector<RelationState>& states = equations_.state.relations;
  return std::ranges::any_of(expressions_, [&](const Switching& s) {
    for (size_t k = 0; k < s.ofTime.size(); ++k) {
      const auto event = s.expression->expression().timeEvent(k);
      if (event && isSameInstant(event->time, t) && (states[s.states + k] != 0) != event->after)
        return true;
    }
    return false;
  });
}

bool EventSystem::settle(double t, std::vector<double>& y, std::vector<double>& yp,
                         Completion* completion, Workspace<double>& w) {
  return settle(WhenEvents::Occasion::event, t, y, yp, completion, w);
}

void EventSystem::settleAtStart(double t, std::vector<double>& y, std::vector<double>& yp,
                                Completion& completion, Workspace<double>& w) {
  if (equations_.state.ahead > 0) {
    equations_.evaluateAt(w, t, y, yp);
    follow(w, y.data(), yp.data());
  }
  settle(WhenEvents::Occasion::start, t, y, yp, &completion, w);
  if (isDueAfter(t)) settle(WhenEvents::Occasion::event, t, y, yp, &completion, w);
  given_.clear();
  // A start that is refused where instants are looked for is one everywhere.
  if (!(equations_.state.ahead > 0)) return;
  const double ahead = std::exchange(equations_.state.ahead, 0.0);
  askGuards(t, true, w);
  equations_.state.ahead = ahead;
}

bool EventSystem::settleAtEnd(double t, std::vector<double>& y, std::vector<double>& yp,
                              Completion& completion, Workspace<double>& w) {
  return settle(WhenEvents::Occasion::end, t, y, yp, &completion, w);
}

void EventSystem::settleAgain(const EventJournal& journal, double t, double instant,
                              std::vector<double>& y, std::vector<double>& yp,
                              Completion& completion, Workspace<double>& w) {
  using Round = EventJournal::Round;
  for (const Round& round : journal.rounds) {
    takeModes(round.modes);
    equations_.state.relations = round.relations;
    ++equations_.state.changes;
    if (round.kind != Round::Kind::enter) completion.complete(t, y, yp);
    if (round.kind == Round::Kind::fire) {
      whens_.fireAgain(round, t, y, yp, w);
      continue;
    }
    if (round.kind == Round::Kind::jump) {
      takeUpPrescribedJumps(t, y, yp, equations_, completion, w);
      continue;
    }
    equations_.evaluateAt(w, t, y, yp);
    if (round.kind == Round::Kind::enter) {
      whens_.enterAgain(round, w);
    } else {
      switchAgain(round, instant, y, w);
    }
  }
}

/// Modes of the run, but for the numbers that components hold.
void EventSystem::takeModes(const std::vector<int>& modes) {
  std::vector<int>& own = equations_.state.modes;
  std::vector<int> all = modes;
  for (const FlatModel::Number& n : equations_.flatModel().numbers) {
    for (const ModeId m : {n.modes.high, n.modes.low}) all[m.index] = own[m.index];
  }
  std::ranges::copy(all, own.begin());  // work spaces look at these very ones
}

/// Numbers and states that transitions found, at the point of `w`. Modes are those of the run.
void EventSystem::switchAgain(const EventJournal::Round& round, double instant,
                              std::vector<double>& y, Workspace<double>& w) {
  const FlatModel& flat = equations_.flatModel();
  std::vector<int> found = equations_.state.modes;
  ChangingModes modes(found);
  modes.setQuiet(round.isQuiet);
  w.tables.time = instant;
  for (const int i : round.instances)
    flat.instances[i].component->transition(View<double>(w.tables), modes);
  for (const FlatModel::Number& n : flat.numbers) {
    for (const ModeId m : {n.modes.high, n.modes.low})
      equations_.state.modes[m.index] = found[m.index];
  }
  ++equations_.state.changes;
  for (const auto& [i, x] : round.states) y[i] = x;
  takeStates(modes, y);
}

void EventSystem::watchMotion(double t, std::span<const double> y, std::span<const double> yp,
                              Workspace<double>& w) {
  if (!whens_.watchesMotion() && undecidable_.empty()) return;
  equations_.evaluateAt(w, t, y, yp);
  checkConditions(w);
  if (whens_.watchesMotion()) whens_.watchMotion(t, w);
}

void EventSystem::enter(WhenEvents::Occasion occasion, double t, Workspace<double>& w) {
  whens_.enter(occasion, t, w);
  if (!journal_) return;
  const RunState& now = equations_.state;
  EventJournal::Round& round = journal_->rounds.emplace_back();
  round = {.modes = now.modes, .relations = now.relations, .held = now.held};
  round.atStart = occasion == WhenEvents::Occasion::start;
}

/// An event while it is settled.
struct EventSystem::Settling {
  const WhenEvents::Occasion occasion;
  const double t;
  std::vector<double>&y, &yp;
  Completion* const
      completion;  ///< null: before the start is complete, where modes alone are found
  Workspace<double>& w;
  ChangingModes modes;
  bool hasEntered = false;    ///< `when` knows the values before the event
  int askedTogether = 0;      ///< as they did not agree with their accelerations
  std::vector<int> agreed{};  ///< modes that came to rest before they were asked together
  std::vector<double> agreedY{}, agreedYp{};
  bool jumped = false;                  ///< in this round: velocities, as those prescribed do
  std::vector<std::string> changing{};  ///< in this round
};

/// Instances whose unknowns the equations leave open against those of others.
void EventSystem::findUndetermined(const Settling& now) {
  std::ranges::fill(open_, 0);
  for (int i : now.completion->undetermined()) {
    const int instance = instanceOf_[i];
    if (instance >= 0) ++open_[instance];
  }
  openMobility_ = impacts_.openMobilities(now.t, now.y, now.yp, open_, *now.completion, now.w);
  const bool atStart = now.occasion == WhenEvents::Occasion::start;
  if (impacts_.mayBeGuided(atStart, now.t, now.y, now.yp, now.w))
    impacts_.findGuided(now.t, now.y, now.yp, *now.completion, now.w);
}

/// True: something changes.
bool EventSystem::switchOne(size_t instance, const View<double>& view, ChangingModes& modes) {
  const Component& component = *equations_.flatModel().instances[instance].component;
  if (given_.empty()) return component.transition(view, modes);
  std::vector<int>& now = equations_.state.modes;
  const std::vector<int> before = now;
  const bool changes = component.transition(view, modes);
  for (const int m : given_) now[m] = before[m];
  return changes && (now != before || !modes.states().empty());
}

void EventSystem::switchComponents(Settling& now) {
  const FlatModel& b = equations_.flatModel();
  const View<double> view(now.w.tables);
  ChangingModes& modes = now.modes;
  const std::vector<int> before = journal_ ? equations_.state.modes : std::vector<int>();
  for (size_t i = 0; i < b.instances.size(); ++i) {
    if (ignored_[i] != 0) continue;
    modes.undetermine(open_[i] > 0, openMobility_[i], impacts_.isGuided(i));
    if (open_[i] > 0 && now.completion) {
      const auto loads = [&, i] {
        std::vector<int> own;
        for (int k : now.completion->undetermined())
          if (instanceOf_[k] == static_cast<int>(i)) own.push_back(k);
        return now.completion->openAlone(own);
      };
      modes.openBy(loads, equations_.layout().unknownOffset);
    }
    const bool changes = switchOne(i, view, modes);
    if (!equations_.state.outsides.empty()) takeWord(modes, b.instances[i].name, now.t);
    if (!changes) continue;
    now.changing.push_back(b.instances[i].name);
    // The normal force of a contact is one of its open unknowns.
    const int ofNormal = modes.isSharedSeat() ? 1 : 0;
    if (ofNormal > 0) noteOnce(sharingSeats_, b.instances[i].name);
    if (open_[i] > ofNormal) noteOnce(sharing_, b.instances[i].name);
  }
  modes.undetermine(false);
  noteTransitions(now, before, false);
}

/// Modes of rigid surfaces by the forces that satisfy all their laws at once. False: none changes.
bool EventSystem::switchTogether(Settling& now) {
  const std::vector<Impacts::Force> forces =
      impacts_.forces(now.t, now.y, now.yp, *now.completion, now.w);
  equations_.evaluateAt(now.w, now.t, now.y, now.yp);
  for (const Impacts::Force& of : forces) {
    now.modes.solve(&of.f);
    const Instance& i = equations_.flatModel().instances[of.instance];
    if (i.component->transition(View<double>(now.w.tables), now.modes))
      now.changing.push_back(i.name);
  }
  now.modes.solve(nullptr);
  return !now.changing.empty();
}

void EventSystem::switchRelations(Workspace<double>& w, bool atStart,
                                  std::vector<std::string>& changing) {
  std::vector<RelationState>& relations = equations_.state.relations;
  fresh_.resize(relations.size());
  for (const Switching& s : expressions_) {
    RelationState* states = relations.data() + s.states;
    RelationState* now = fresh_.data() + s.states;
    const int n = s.expression->expression().relationCount();
    statesNow(s, w, atStart, now);
    for (int k = 0; k < n; ++k) {
      const RelationState before = states[k] == kOpenRelation ? RelationState{0} : states[k];
      states[k] = now[k];
      if (now[k] != before) changing.push_back(s.expression->text());
    }
  }
}

void EventSystem::iterateWhens(Settling& at) {
  whens_.iterate(at.t, at.y, at.yp, at.w, at.changing);
  if (!journal_) return;
  using Round = EventJournal::Round;
  std::vector<Round>& rounds = journal_->rounds;
  // The last that fired since the event was entered.
  const auto last = std::find_if(rounds.rbegin(), rounds.rend(),
                                 [](const Round& r) { return r.kind != Round::Kind::transitions; });
  if (whens_.passedOn() && last->kind == Round::Kind::fire) last->passesOn = true;
  if (whens_.fired().empty()) return;
  const RunState& now = equations_.state;
  Round round{
      .kind = Round::Kind::fire, .modes = now.modes, .relations = now.relations, .held = now.held};
  round.fired = whens_.fired();
  round.isLate = whens_.isAgain();
  rounds.push_back(std::move(round));
}

/// Transitions from `modes` on have been made.
void EventSystem::noteTransitions(const Settling& now, std::vector<int> modes, bool isQuiet) {
  const FlatModel& flat = equations_.flatModel();
  const auto& states = now.modes.states();
  if (!journal_ || !now.completion || (flat.numbers.empty() && states.empty())) return;
  EventJournal::Round round{.kind = EventJournal::Round::Kind::transitions,
                            .modes = std::move(modes),
                            .relations = equations_.state.relations};
  round.isQuiet = isQuiet;
  for (const FlatModel::Number& n : flat.numbers) round.instances.push_back(n.instance);
  for (const auto& [unknown, x] : states) {
    round.states.emplace_back(equations_.layout().unknownOffset[unknown.index], x);
    round.instances.push_back(flat.unknowns[unknown.index].instance);
  }
  std::ranges::sort(round.instances);
  const auto twice = std::ranges::unique(round.instances);
  round.instances.erase(twice.begin(), twice.end());
  journal_->rounds.push_back(std::move(round));
}

/// All are components of the mechanics: contacts, frictions, stops, clutches; no conditions.
bool EventSystem::areMechanical(const std::vector<std::string>& changing) const {
  const FlatModel& flat = equations_.flatModel();
  return std::ranges::all_of(changing, [&](const std::string& name) {
    const auto of = std::ranges::find(flat.instances, name, &Instance::name);
    if (of == flat.instances.end() || name.empty()) return false;
    const int i = static_cast<int>(of - flat.instances.begin());
    const auto moves = [i](const FlatModel::Flange& f) {
      return f.instance == i &&
             (f.domain == Domain::Rotational || f.domain == Domain::Translational);
    };
    return std::ranges::find(flat.frames, i, &FlatModel::Frame::instance) != flat.frames.end() ||
           std::ranges::any_of(flat.flanges, moves);
  });
}

/// Of the modes that do not come to rest those with which the fewest components disagree. These are asked
/// again a while later, as friction must not drive a slip that has turned; after twice as long where they
/// still disagree then.
void EventSystem::keepNearest(double t, std::vector<double>& y, std::vector<double>& yp,
                              Completion* completion, Workspace<double>& w) {
  equations_.state.modes = nearest_.modes;
  y = nearest_.y;
  yp = nearest_.yp;
  ++equations_.state.changes;
  if (completion) complete_ = completion->complete(t, y, yp);
  equations_.evaluateAt(w, t, y, yp);
  const FlatModel& flat = equations_.flatModel();
  const bool again = t - ignoredAt_ < 2 * ignoredFor_;
  ignoredFor_ = span_ * (again ? std::min(2 * ignoredFor_ / span_, kLongestWait) : kFirstWait);
  ignoredAt_ = t;
  for (const std::string& n : nearest_.changing) {
    const auto of = std::ranges::find(flat.instances, n, &Instance::name);
    ignored_[static_cast<size_t>(of - flat.instances.begin())] = 1;
  }
  if (completion)
    violations_.addOf(namesInQuotes(nearest_.changing),
                      "no modes were found that satisfy all their laws together; those of the "
                      "fewest that disagree are kept",
                      t, static_cast<double>(nearest_.changing.size()));
}

void EventSystem::checkConditions(Workspace<double>& w) const {
  const std::uint64_t pass = w.expressions.newPass();
  for (const ExpressionVariable* e : undecidable_)
    throwIfUndecided(*e, pass, View<double>(w.tables));
}

/// Whether the run ends here; throws what a component finds wrong.
void EventSystem::askGuards(double t, bool atStart, Workspace<double>& w) {
  for (const Instance& i : equations_.flatModel().instances) {
    Collecting collect(unread_.data());
    i.component->guards(View<double>(w.tables), collect);
    if (!collect.why.empty()) terminated_ = collect.why;
    if (collect.violation > 0 && !atStart)
      violations_.addOf("'" + i.name + "'", collect.violated, t, collect.violation);
    if (!collect.wrong.empty() && (atStart || !(collect.violation > 0))) {
      throw SolverError({.cause = SolverError::Cause::ComponentFailed,
                         .time = t,
                         .unknown = i.name,
                         .where = collect.wrong});
    }
  }
}

/// What follows the values before the event.
void EventSystem::switchLast(Settling& now) {
  const View<double> view(now.w.tables);
  now.modes.setQuiet(true);
  const std::vector<int> before = journal_ ? equations_.state.modes : std::vector<int>();
  const std::vector<Instance>& all = equations_.flatModel().instances;
  for (size_t i = 0; i < all.size(); ++i) {
    if (ignored_[i] == 0 && switchOne(i, view, now.modes)) now.changing.push_back(all[i].name);
    if (!equations_.state.outsides.empty()) takeWord(now.modes, all[i].name, now.t);
  }
  now.modes.setQuiet(false);
  noteTransitions(now, before, true);
}

/// What the component says that was asked last: each text is told once.
void EventSystem::takeWord(ChangingModes& modes, const std::string& name, double t) {
  for (const std::string& text : modes.takeWarnings()) noteOnce(told_, "'" + name + "': " + text);
  if (modes.failure().empty()) return;
  throw SolverError({.cause = SolverError::Cause::OutsideFailed,
                     .time = t,
                     .unknown = name,
                     .where = modes.failure()});
}

/// States that components have set.
void EventSystem::takeStates(ChangingModes& modes, std::vector<double>& y) {
  for (const auto& [unknown, x] : modes.takeStates()) {
    y[equations_.layout().unknownOffset[unknown.index]] = x;
    stateWasSet_ = true;
    complete_ = false;
  }
}

void EventSystem::noteChanged(const std::vector<std::string>& changing) {
  for (const std::string& name : changing) noteOnce(changed_, name);
}

void EventSystem::leave(double t, Workspace<double>& w) {
  const std::vector<double> held = equations_.state.held;
  whens_.leave(t, w);
  complete_ = complete_ && held == equations_.state.held;
  if (!whens_.terminated().empty()) terminated_ = whens_.terminated();
}

void EventSystem::enterFrom(double t, const std::vector<double>& y, const std::vector<double>& yp) {
  knowsBefore_ = !switching_.empty();
  if (knowsBefore_) equations_.evaluateAt(before_, t, y, yp);
}

bool EventSystem::settle(WhenEvents::Occasion occasion, double t, std::vector<double>& y,
                         std::vector<double>& yp, Completion* completion, Workspace<double>& w) {
  RunState& state = equations_.state;
  Settling now{occasion, t, y, yp, completion, w, ChangingModes(state.modes, &state.outsides)};
  const View<double> before(before_.tables);
  if (std::exchange(knowsBefore_, false)) now.modes.enterFrom(&before);
  begin(now);
  for (int round = 0;; ++round) {
    now.changing.clear();
    now.jumped = false;
    const std::vector<int> asked = round >= kRestless ? equations_.state.modes : std::vector<int>();
    switchModes(now, round);
    if (now.changing.empty() && completion) jump(now);
    takeStates(now.modes, y);
    if (now.changing.empty() && !now.jumped) break;
    if (!now.jumped) noteNearest(now, asked);
    noteChanged(now.changing);
    if (round >= kMostIterations && !now.agreed.empty()) {
      equations_.state.modes = now.agreed;
      now.agreed.clear();
      y = now.agreedY;
      yp = now.agreedYp;
      ++equations_.state.changes;
      nearest_.changing.clear();
      round = 0;
    } else if (round >= kMostIterations) {
      if (nearest_.changing.empty()) throw restless(t, now.changing);
      keepNearest(t, y, yp, completion, w);
      break;
    }
    if (completion) complete(now);
  }
  // Guesses are no state of the model: nothing ends there.
  if (completion) {
    checkConditions(w);
    askGuards(t, occasion == WhenEvents::Occasion::start, w);
    if (whens_.any()) leave(t, w);
  }
  if (!changed_.empty()) wasMechanical_ = isMechanical();
  if (completion && isMechanical()) {
    rattles_ = comesAtOnce(t) ? rattles_ + 1 : 0;
    lastAt_ = t;
  }
  return !changed_.empty();
}

/// Behind the last event of the mechanics.
bool EventSystem::comesAtOnce(double t) const { return t - lastAt_ < kFirstWait * span_; }

/// Nothing is known of the event yet; at the first one of a run the equations are solved first.
void EventSystem::begin(Settling& now) {
  changed_.clear();
  sharing_.clear();
  sharingSeats_.clear();
  stateWasSet_ = complete_ = false;
  nearest_.changing.clear();
  std::ranges::fill(ignored_, 0);
  impacts_.forgetGuided();
  if (!now.completion && impacts_.mayBeGuided(true, now.t, now.y, now.yp, now.w)) {
    Completion ofGuesses(equations_);
    impacts_.findGuided(now.t, now.y, now.yp, ofGuesses, now.w);
  }
  if (!now.completion) return;
  if (std::exchange(atStart_, false) && !switching_.empty()) {
    std::vector<double> tried(now.y), rates(now.yp);
    now.completion->complete(now.t, tried, rates);
  }
  findUndetermined(now);
}

/// Modes of components, of all contacts together where they do not agree one by one, and relations.
void EventSystem::switchModes(Settling& now, int round) {
  equations_.evaluateAt(now.w, now.t, now.y, now.yp);
  const bool starts = now.occasion == WhenEvents::Occasion::start;
  const auto enterOnce = [&] {
    if (!whens_.any() || !now.completion || std::exchange(now.hasEntered, true)) return;
    enter(now.occasion, now.t, now.w);
  };
  // Before anything switches; at the start, once relations are known.
  if (!starts) enterOnce();
  const bool together = now.completion && isTurnOfAll(round) && impacts_.any();
  if (!together || !switchTogether(now)) switchComponents(now);
  switchRelations(now.w, !now.completion || starts, now.changing);
  ++equations_.state.changes;
  enterOnce();
}

/// Where modes agree with each other, velocities follow prescribed ones that have jumped; rigid bodies
/// strike, and surfaces that are pressed together though none rests on the other are asked for their modes
/// together; where none does, what became true happens; and what follows the values before the event
/// moves last.
void EventSystem::jump(Settling& now) {
  now.agreed.clear();
  now.jumped = now.occasion != WhenEvents::Occasion::start && !stateWasSet() &&
               takeUpPrescribedJumps(now.t, now.y, now.yp, equations_, *now.completion, now.w);
  if (now.jumped && journal_) {
    journal_->rounds.push_back({.kind = EventJournal::Round::Kind::jump,
                                .modes = equations_.state.modes,
                                .relations = equations_.state.relations});
  }
  if (now.jumped) return;
  if (impacts_.any()) {
    now.changing = impacts_.strike(now.t, now.y, now.yp, *now.completion, now.w);
    if (!now.changing.empty()) {
      stateWasSet_ = true;
    } else if (rattles_ >= kRattling && now.askedTogether == 0 && isMechanical() &&
               comesAtOnce(now.t)) {
      ++now.askedTogether;
      now.agreed = equations_.state.modes;
      now.agreedY = now.y;
      now.agreedYp = now.yp;
      if (!switchTogether(now)) now.agreed.clear();
    } else if (now.askedTogether < kMostTogether &&
               impacts_.arePressed(now.t, now.y, now.yp, now.w)) {
      ++now.askedTogether;
      switchTogether(now);
    }
  }
  if (now.changing.empty() && whens_.any()) iterateWhens(now);
  if (now.changing.empty()) switchLast(now);
}

/// After a change: accelerations and algebraic unknowns of the modes now in force.
void EventSystem::complete(Settling& now) {
  complete_ = now.completion->complete(now.t, now.y, now.yp);
  now.modes.contradictBy(now.completion->contradiction());
  findUndetermined(now);
}

/// `asked`: the modes that the round began with, once rounds are many; none before.
void EventSystem::noteNearest(const Settling& now, const std::vector<int>& asked) {
  if (asked.empty() || !areMechanical(now.changing)) return;
  // Shares that nothing determines leave no way on.
  const bool open = now.completion && now.completion->singular();
  const auto rank = std::pair(open, now.changing.size());
  if (!nearest_.changing.empty() && rank >= std::pair(nearest_.open, nearest_.changing.size()))
    return;
  nearest_ = {asked, now.y, now.yp, now.changing, open};
}

}  // namespace cardan
