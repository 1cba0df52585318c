#include "engine/event_system.h"

#include <algorithm>
#include <limits>

#include "engine/model.h"
#include "engine/solver_error.h"

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

  int count = 0;
  double next = std::numeric_limits<double>::infinity();
  std::string why;

 private:
  double* g_;
  double after_;
};

class ChangingModes final : public Modes {
 public:
  explicit ChangingModes(std::vector<int>& modes) : modes_(modes) {}
  int get(ModeId m) const override { return modes_[static_cast<size_t>(m.index)]; }
  void set(ModeId m, int mode) override { modes_[static_cast<size_t>(m.index)] = mode; }

 private:
  std::vector<int>& modes_;
};

constexpr int kMostIterations = 100;

}  // namespace

EventSystem::EventSystem(Model& model, Equations& equations) : equations_(equations) {
  Workspace<double> w = equations.makeWorkspace<double>();
  equations.evaluate(w, {});
  const View<double> view(w.tables);
  const Blueprint& b = equations.blueprint();
  for (size_t i = 0; i < b.instances.size(); ++i) {
    const Component* c = b.instances[i].component;
    Collecting counted;
    c->guards(view, counted);
    if (counted.count > 0) {
      guarding_.push_back({c, static_cast<int>(i), counted.count});
      crossings_ += counted.count;
    }
  }
  size_t states = 0;
  model.forEachExpression([&](ExpressionVariable& e) {
    const int n = e.expression().relationCount();
    if (n == 0) return;
    expressions_.push_back({&e, states});
    states += static_cast<size_t>(n);
    residuals_.resize(std::max(residuals_.size(), static_cast<size_t>(n)));
    for (int k = 0; k < n; ++k) crossings_ += e.expression().timeEvent(k) ? 0 : 1;
  });
  relationStates_.resize(states);
  ignored_.resize(static_cast<size_t>(crossings_) + 1);
}

void EventSystem::evaluate(double t, const std::vector<double>& y, const std::vector<double>& yp,
                           Workspace<double>& w) const {
  std::copy(y.begin(), y.end(), w.y.begin());
  std::copy(yp.begin(), yp.end(), w.yp.begin());
  w.tables.time = t;
  equations_.signals().forget();
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
    const BoundExpression& e = s.expression->expression();
    s.expression->relationResiduals(view, residuals_.data());
    for (int k = 0; k < e.relationCount(); ++k) {
      if (!e.timeEvent(k)) *g++ = residuals_[static_cast<size_t>(k)];
    }
  }
}

double EventSystem::nextTimeEvent(Workspace<double>& w, double time) {
  const View<double> view(w.tables);
  double next = std::numeric_limits<double>::infinity();
  for (const Instance& i : equations_.blueprint().instances) {
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
  return next;
}

bool EventSystem::settle(double t, std::vector<double>& y, std::vector<double>& yp,
                         Completion* completion, Workspace<double>& w) {
  changed_.clear();
  bool any = false;
  std::vector<RelationState> fresh(relationStates_.size());
  ChangingModes modes(equations_.modes);
  const Blueprint& b = equations_.blueprint();
  for (int iteration = 0;; ++iteration) {
    evaluate(t, y, yp, w);
    const View<double> view(w.tables);
    bool changed = false;
    changed_.clear();
    for (const Instance& i : b.instances) {
      if (i.component->transition(view, modes)) {
        changed = true;
        changed_.push_back(i.name);
      }
    }
    for (Switching& s : expressions_) {
      RelationState* states = relationStates_.data() + s.states;
      RelationState* now = fresh.data() + s.states;
      const int n = s.expression->expression().relationCount();
      s.expression->relationStates(view, now);
      for (int k = 0; k < n; ++k) {
        if (const auto event = s.expression->expression().timeEvent(k)) {
          now[k] = static_cast<RelationState>((t >= event->time) == event->after);
        }
        if (now[k] != states[k]) {
          states[k] = now[k];
          changed = true;
          changed_.push_back(s.expression->text());
        }
      }
      s.expression->freeze(states);
    }
    equations_.signals().forget();
    if (!changed) break;
    any = true;
    if (iteration >= kMostIterations) {
      std::string names;
      for (const std::string& n : changed_) names += (names.empty() ? "'" : ", '") + n + "'";
      throw SolverError({SolverError::Cause::RestlessModes, t, 0, 0, 0, names, 0, ""});
    }
    if (completion) completion->complete(t, y, yp);
  }
  for (const Instance& i : b.instances) {
    Collecting collect(ignored_.data());
    i.component->guards(View<double>(w.tables), collect);
    if (!collect.why.empty()) terminated_ = collect.why;
  }
  return any;
}

}  // namespace cardan
