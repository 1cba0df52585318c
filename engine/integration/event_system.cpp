#include "engine/integration/event_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/equations/model.h"
#include "engine/integration/solver_error.h"

namespace cardan {
namespace {

/// Guards that counts or collects.
class Collecting final : public Guards {
 public:
  explicit Collecting(double* g = nullptr, double after = -std::numeric_limits<double>::infinity())
      : g_(g), after_(after) {}
  void crossing(double g) override {
    if (g_) g_[count] = g;
    ++count;
  }
  void timeEvent(double time) override {
    if (time > after_) next = std::min(next, time);
  }
  void terminate(const std::string& text) override { why = text.empty() ? "terminated" : text; }
  void fail(const std::string& text) override { wrong = text; }

  int count = 0;
  double next = std::numeric_limits<double>::infinity();
  std::string why, wrong;

 private:
  double* g_;
  double after_;
};

constexpr int kMostIterations = 100;

/// Cells per run on which conditions of time alone are looked at.
constexpr double kCells = 4096;
/// A relation holds on its other side only beyond this part of the largest difference it had, and
/// beyond this difference: rounding around equality is no event.
constexpr double kRoundoff = 1e-14;
constexpr double kNothing = 1e-16;

}  // namespace

EventSystem::EventSystem(const Model& model, Equations& equations)
    : equations_(equations), whens_(model, equations), impacts_(equations) {
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
    }
  }
  for (const FlatModel::Mode& m : b.modes) {
    const Component* c = b.instances[m.instance].component;
    if (switching_.empty() || switching_.back() != c) switching_.push_back(c);
  }
  model.forEachExpression([&](const ExpressionVariable& e) {
    const BoundExpression& bound = e.expression();
    const int n = bound.relationCount();
    if (n == 0) return;
    readsLoads_ = readsLoads_ || e.level() >= Level::Acceleration;
    Switching s{&e, e.firstRelation(), {}};
    residuals_.resize(std::max<size_t>(residuals_.size(), n));
    for (int k = 0; k < n; ++k) {
      const bool ofTime = bound.timeEvent(k) || e.relationIsOfTime(k);
      relationsOfTime_ = relationsOfTime_ || (ofTime && !bound.timeEvent(k));
      s.ofTime.push_back(ofTime ? 1 : 0);
      crossings_ += ofTime ? 0 : 1;
    }
    expressions_.push_back(std::move(s));
  });
  equations.state.relations.assign(model.relations(), kOpenRelation);
  relationScales_.resize(model.relations());
  triedStates_.resize(model.relations());
  ignored_.resize(crossings_ + 1);
  const Layout& l = equations.layout();
  open_.resize(b.instances.size());
  openMobility_.resize(b.instances.size());
  instanceOf_.assign(l.size(), -1);
  for (size_t u = 0; u < b.unknowns.size(); ++u)
    instanceOf_[l.unknownOffset[u]] = b.unknowns[u].instance;
}

/// Instances whose unknowns the equations leave open against those of others.
void EventSystem::findUndetermined(double t, const std::vector<double>& y,
                                   const std::vector<double>& yp, Completion& completion,
                                   Workspace<double>& w) {
  std::ranges::fill(open_, 0);
  for (int i : completion.undetermined()) {
    const int instance = instanceOf_[i];
    if (instance >= 0) ++open_[instance];
  }
  openMobility_ = impacts_.openMobilities(t, y, yp, open_, completion, w);
}

void EventSystem::begin() {
  terminated_.clear();
  changed_.clear();
  atStart_ = true;
  std::ranges::fill(open_, 0);
  std::ranges::fill(openMobility_, 0.0);
  std::fill(relationScales_.begin(), relationScales_.end(), 0.0);
  // What an earlier run has left does not decide where this one starts.
  std::ranges::fill(equations_.state.relations, kOpenRelation);
  whens_.begin();
  ++equations_.state.changes;
}

void EventSystem::setSpan(double start, double stop, double tolerance) {
  whens_.setSpan(start, stop, tolerance);
  start_ = lookedAheadTo_ = start;
  cell_ = (stop - start) / kCells;
}

void EventSystem::evaluate(double t, const std::vector<double>& y, const std::vector<double>& yp,
                           Workspace<double>& w) const {
  std::copy(y.begin(), y.end(), w.y.begin());
  std::copy(yp.begin(), yp.end(), w.yp.begin());
  w.tables.time = t;
  equations_.evaluate(w, {.kinematicRows = false, .connectorLoads = true, .measure = true});
}

void EventSystem::evaluateCrossings(Workspace<double>& w, double* g) const {
  const View<double> view(w.tables);
  for (const Guarding& c : guarding_) {
    Collecting collect(g);
    c.component->guards(view, collect);
    g += c.crossings;
  }
  for (const Switching& s : expressions_) {
    s.expression->relationResiduals(view, residuals_.data());
    for (size_t k = 0; k < s.ofTime.size(); ++k) {
      if (!s.ofTime[k]) *g++ = residuals_[k];
    }
  }
}

std::vector<std::string> EventSystem::warnings() const {
  std::vector<std::string> all = whens_.warnings();
  all.insert(all.end(), impacts_.warnings().begin(), impacts_.warnings().end());
  return all;
}

bool EventSystem::fits(Workspace<double>& w) const {
  const View<double> view(w.tables);
  for (const Switching& s : expressions_) {
    s.expression->relationResiduals(view, residuals_.data());
    s.expression->relationStates(view, triedStates_.data());
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
  for (const Component* c : switching_) {
    if (c->transition(view, tried)) return false;
  }
  return true;
}

bool EventSystem::isDue(double t, const std::vector<double>& y, const std::vector<double>& yp,
                        Workspace<double>& w) const {
  evaluate(t, y, yp, w);
  if (!fits(w)) return true;
  for (const Instance& i : equations_.flatModel().instances) {
    Collecting collect(ignored_.data());
    i.component->guards(View<double>(w.tables), collect);
    if (!collect.why.empty() || !collect.wrong.empty()) return true;
  }
  return false;
}

double EventSystem::nextTimeEvent(Workspace<double>& w, double time, double longest, double known) {
  const View<double> view(w.tables);
  double next = std::numeric_limits<double>::infinity();
  for (const Instance& i : equations_.flatModel().instances) {
    Collecting collect(ignored_.data(), time);
    i.component->guards(view, collect);
    next = std::min(next, collect.next);
  }
  for (const Switching& s : expressions_) {
    for (int k = 0; k < s.expression->expression().relationCount(); ++k) {
      const auto event = s.expression->expression().timeEvent(k);
      if (event && event->time > time) next = std::min(next, event->time);
    }
  }
  next = std::min(next, whens_.nextTick(time));
  lookedAheadTo_ = std::min(next, known);
  if (relationsOfTime_ && cell_ > 0) {
    // A few steps ahead, so that this is not done at every one.
    const double to = std::min(lookedAheadTo_, time + std::max(4 * longest, 16 * cell_));
    next = std::min(next, nextRelationOfTime(w, time, to));
    lookedAheadTo_ = to;
  }
  return next;
}

/// First change of a relation of time alone in (from, to], looked for on a grid that is fixed to
/// the start of the run, and where a difference turns back between its points. `w` is left at
/// `from`.
double EventSystem::nextRelationOfTime(Workspace<double>& w, double from, double to) {
  const double kept = w.tables.time;
  const View<double> view(w.tables);
  double first = std::numeric_limits<double>::infinity();
  for (const Switching& s : expressions_) {
    for (size_t k = 0; k < s.ofTime.size(); ++k) {
      if (!s.ofTime[k] || s.expression->expression().timeEvent(k)) continue;
      // left - right, with the sign that it has in the state in force.
      auto residueAt = [&](double t) {
        w.tables.time = t;
        s.expression->relationResiduals(view, residuals_.data());
        return residuals_[k];
      };
      auto isOther = [&](double t) {
        w.tables.time = t;
        s.expression->relationStates(view, triedStates_.data());
        return triedStates_[k] != equations_.state.relations[s.states + k];
      };
      const double resolution =
          8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(to), to - from);
      // The first instant on the other side in (a, b], where b is on it.
      auto locate = [&](double a, double b) {
        double ga = residueAt(a), gb = residueAt(b);
        for (int i = 0; b - a > resolution && i < 200; ++i) {
          double m = a + 0.5 * (b - a);
          if (i % 3 != 2 && ga * gb < 0) m = a + (b - a) * std::clamp(ga / (ga - gb), 1e-3, 0.999);
          if (!(m > a && m < b)) break;
          if (isOther(m)) {
            b = m;
            gb = residueAt(m);
          } else {
            a = m;
            ga = residueAt(m);
          }
        }
        return b;
      };
      const double limit = std::min(to, first);
      double a = from, ga = residueAt(from), before = from, gBefore = ga;
      for (double cell = std::floor((from - start_) / cell_) + 1; a < limit; ++cell) {
        const double b = std::min(start_ + cell * cell_, limit);
        if (!(b > a)) continue;
        if (isOther(b)) {
          first = locate(a, b);
          break;
        }
        const double gb = residueAt(b);
        // Between `before` and b the difference may have come nearer to zero than at a.
        if (before < a && std::abs(ga) <= std::abs(gBefore) && std::abs(ga) <= std::abs(gb)) {
          double left = before, right = b;
          double found = std::numeric_limits<double>::infinity();
          for (int i = 0; i < 60 && right - left > resolution; ++i) {
            const double m1 = left + 0.382 * (right - left), m2 = left + 0.618 * (right - left);
            if (isOther(m1) || isOther(m2)) {
              found = locate(left, isOther(m1) ? m1 : m2);
              break;
            }
            (std::abs(residueAt(m1)) < std::abs(residueAt(m2)) ? right : left) =
                std::abs(residueAt(m1)) < std::abs(residueAt(m2)) ? m2 : m1;
          }
          if (found > from && found < first) {
            first = found;
            break;
          }
        }
        before = a;
        gBefore = ga;
        a = b;
        ga = gb;
      }
    }
  }
  w.tables.time = kept;
  return first;
}

/// The states of an expression's relations at a point; those of time by when they change.
void EventSystem::statesNow(const Switching& s, const View<double>& view, double t,
                            RelationState* now) const {
  s.expression->relationStates(view, now);
  for (size_t k = 0; k < s.ofTime.size(); ++k) {
    if (const auto event = s.expression->expression().timeEvent(k)) {
      now[k] = static_cast<RelationState>((t >= event->time) == event->after);
    }
  }
}

bool EventSystem::settle(double t, std::vector<double>& y, std::vector<double>& yp,
                         Completion* completion, Workspace<double>& w) {
  return settle(WhenEvents::Occasion::event, t, y, yp, completion, w);
}

void EventSystem::settleAtStart(double t, std::vector<double>& y, std::vector<double>& yp,
                                Completion& completion, Workspace<double>& w) {
  settle(WhenEvents::Occasion::start, t, y, yp, &completion, w);
  if (whens_.ticks(t)) settle(WhenEvents::Occasion::event, t, y, yp, &completion, w);
}

bool EventSystem::settleAtEnd(double t, std::vector<double>& y, std::vector<double>& yp,
                              Completion& completion, Workspace<double>& w) {
  return settle(WhenEvents::Occasion::end, t, y, yp, &completion, w);
}

void EventSystem::settleAgain(const EventJournal& journal, double t, std::vector<double>& y,
                              std::vector<double>& yp, Completion& completion,
                              Workspace<double>& w) {
  for (const EventJournal::Pass& pass : journal.passes) {
    evaluate(t, y, yp, w);
    whens_.enterAgain(pass, w);
    for (const EventJournal::Round& round : pass.rounds) {
      equations_.state.modes = round.modes;
      equations_.state.relations = round.relations;
      ++equations_.state.changes;
      completion.complete(t, y, yp);
      whens_.fireAgain(round, t, y, yp, w);
    }
  }
}

void EventSystem::watchMotion(double t, std::span<const double> y, std::span<const double> yp,
                              Workspace<double>& w) {
  if (!whens_.watchesMotion()) return;
  std::ranges::copy(y, w.y.begin());
  std::ranges::copy(yp, w.yp.begin());
  w.tables.time = t;
  equations_.evaluate(w, {.kinematicRows = false, .connectorLoads = true, .measure = true});
  whens_.watchMotion(t, w);
}

void EventSystem::enter(WhenEvents::Occasion occasion, double t, Workspace<double>& w) {
  whens_.enter(occasion, t, w);
  if (!journal_) return;
  journal_->passes.push_back({occasion == WhenEvents::Occasion::start, equations_.state.held, {}});
}

void EventSystem::switchComponents(const View<double>& view, ChangingModes& modes,
                                   std::vector<std::string>& changing) {
  const FlatModel& b = equations_.flatModel();
  for (size_t i = 0; i < b.instances.size(); ++i) {
    modes.undetermine(open_[i] > 0, openMobility_[i]);
    if (!b.instances[i].component->transition(view, modes)) continue;
    changing.push_back(b.instances[i].name);
    // The normal force of a contact is one of its open unknowns.
    const int ofNormal = modes.isSharedSeat() ? 1 : 0;
    if (ofNormal > 0) sharingSeats_.push_back(b.instances[i].name);
    if (open_[i] > ofNormal) sharing_.push_back(b.instances[i].name);
  }
  modes.undetermine(false);
}

void EventSystem::switchRelations(const View<double>& view, double t,
                                  std::vector<std::string>& changing) {
  std::vector<RelationState>& relations = equations_.state.relations;
  fresh_.resize(relations.size());
  for (const Switching& s : expressions_) {
    RelationState* states = relations.data() + s.states;
    RelationState* now = fresh_.data() + s.states;
    const int n = s.expression->expression().relationCount();
    statesNow(s, view, t, now);
    for (int k = 0; k < n; ++k) {
      const RelationState before = states[k] == kOpenRelation ? RelationState{0} : states[k];
      states[k] = now[k];
      if (now[k] != before) changing.push_back(s.expression->text());
    }
  }
}

/// True: bodies struck; their components know.
bool EventSystem::strike(double t, std::vector<double>& y, std::vector<double>& yp,
                         Completion& completion, Workspace<double>& w, ChangingModes& modes,
                         std::vector<std::string>& changing) {
  changing = impacts_.strike(t, y, yp, completion, w);
  if (changing.empty()) return false;
  evaluate(t, y, yp, w);
  const View<double> view(w.tables);
  modes.setStruck(true);
  for (const Instance& i : equations_.flatModel().instances) i.component->transition(view, modes);
  modes.setStruck(false);
  return true;
}

void EventSystem::iterateWhens(double t, std::vector<double>& y, std::vector<double>& yp,
                               Workspace<double>& w, std::vector<std::string>& changing) {
  whens_.iterate(t, y, yp, w, changing);
  if (!journal_) return;
  std::vector<EventJournal::Round>& rounds = journal_->passes.back().rounds;
  if (whens_.passedOn() && !rounds.empty()) rounds.back().passesOn = true;
  if (whens_.fired().empty()) return;
  const RunState& now = equations_.state;
  rounds.push_back({now.modes, now.relations, whens_.fired(), now.held});
}

/// Whether the run ends here; throws what a component finds wrong.
void EventSystem::askGuards(double t, Workspace<double>& w) {
  for (const Instance& i : equations_.flatModel().instances) {
    Collecting collect(ignored_.data());
    i.component->guards(View<double>(w.tables), collect);
    if (!collect.why.empty()) terminated_ = collect.why;
    if (!collect.wrong.empty()) {
      throw SolverError({.cause = SolverError::Cause::ComponentFailed,
                         .time = t,
                         .unknown = i.name,
                         .where = collect.wrong});
    }
  }
}

bool EventSystem::settle(WhenEvents::Occasion occasion, double t, std::vector<double>& y,
                         std::vector<double>& yp, Completion* completion, Workspace<double>& w) {
  changed_.clear();
  sharing_.clear();
  sharingSeats_.clear();
  stateWasSet_ = complete_ = false;
  bool any = false, entered = false;
  // Before the start is complete, modes alone are found.
  const bool happens = whens_.any() && completion;
  ChangingModes modes(equations_.state.modes);
  if (completion && atStart_ && !switching_.empty()) {
    std::vector<double> tried(y), rates(yp);
    completion->complete(t, tried, rates);
  }
  if (completion) {
    atStart_ = false;
    findUndetermined(t, y, yp, *completion, w);
  }
  for (int iteration = 0;; ++iteration) {
    evaluate(t, y, yp, w);
    const View<double> view(w.tables);
    std::vector<std::string> changing;
    // Before anything switches; at the start, once relations are known.
    if (happens && !entered && occasion != WhenEvents::Occasion::start) {
      enter(occasion, t, w);
      entered = true;
    }
    switchComponents(view, modes, changing);
    switchRelations(view, t, changing);
    ++equations_.state.changes;
    if (happens && !entered) {
      enter(occasion, t, w);
      entered = true;
    }
    // Where modes agree with each other, rigid bodies strike;
    if (changing.empty() && completion && impacts_.any() &&
        strike(t, y, yp, *completion, w, modes, changing)) {
      stateWasSet_ = true;
    }
    // what became true happens.
    if (changing.empty() && happens) iterateWhens(t, y, yp, w, changing);
    // What follows the values before the event moves last. Before the run starts it stays as it is.
    if (changing.empty() && completion) {
      modes.setQuiet(true);
      for (const Instance& i : equations_.flatModel().instances) {
        if (i.component->transition(view, modes)) changing.push_back(i.name);
      }
      modes.setQuiet(false);
    }
    for (const auto& [unknown, x] : modes.takeStates()) {
      y[equations_.layout().unknownOffset[unknown.index]] = x;
      stateWasSet_ = true;
      complete_ = false;
    }
    if (changing.empty()) break;
    any = true;
    for (const std::string& name : changing) {
      if (std::ranges::find(changed_, name) == changed_.end()) changed_.push_back(name);
    }
    if (iteration >= kMostIterations) {
      std::string names;
      for (const std::string& n : changing) names += (names.empty() ? "'" : ", '") + n + "'";
      throw SolverError({.cause = SolverError::Cause::RestlessModes, .time = t, .unknown = names});
    }
    if (completion) {
      complete_ = completion->complete(t, y, yp);
      modes.contradictBy(completion->contradiction());
      findUndetermined(t, y, yp, *completion, w);
    }
  }
  // Guesses are no state of the model: nothing ends there.
  if (!completion) return any;
  askGuards(t, w);
  if (happens) {
    const std::vector<double> held = equations_.state.held;
    whens_.leave(t, w);
    complete_ = complete_ && held == equations_.state.held;
    if (!whens_.terminated().empty()) terminated_ = whens_.terminated();
  }
  return any;
}

}  // namespace cardan
