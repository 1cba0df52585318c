/// WhenEvents: what the model file says happens at events, carried out.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "components/instants.h"
#include "engine/dynamics/evaluation_point.h"
#include "engine/equations/equations.h"
#include "engine/equations/when_clauses.h"
#include "engine/initialisation/start_conditions.h"
#include "engine/integration/charts.h"
#include "engine/integration/event_journal.h"

namespace cardan {

class Model;

/// At an event: enter(), then iterate() until nothing changes, then leave(). Modes and relations are
/// consistent at every call.
class WhenEvents {
 public:
  WhenEvents(const Model& model, Equations& equations);

  bool any() const { return any_; }
  /// Discrete variables as they start; nothing has happened yet.
  void begin();
  /// The run goes over [start, stop]; `tolerance`: relative.
  void setSpan(double start, double stop, double tolerance);
  /// Clocks have ticked up to `time` [s], if the run starts there.
  void goOnFrom(double time) { ticked_ = time; }
  /// [s] Earliest tick of a clock that has not been; infinity: none.
  double nextTick() const;

  enum class Occasion { start, event, end };
  /// The values before the event are those of `w`.
  void enter(Occasion occasion, double time, Workspace<double>& w);
  /// Lets happen what became true: sets discrete variables and states of `y`; each clause once, until
  /// nothing more becomes true and pre() goes on to the values of now. True: something has changed,
  /// whose names are appended to `changing`. Throws SolverError where an assertion fails or a state
  /// cannot be set.
  bool iterate(double time, std::vector<double>& y, std::vector<double>& yp, Workspace<double>& w,
               std::vector<std::string>& changing);
  /// What fired in the last iterate(), and whether for the second time: with states that were set.
  const std::vector<std::pair<size_t, size_t>>& fired() const { return fired_; }
  bool isAgain() const { return again_; }
  /// The last iterate() began with pre() going on.
  bool passedOn() const { return passedOn_; }
  /// The first two once more, at a neighbouring point: fires what was noted; numbers that are
  /// no real ones become what they became then.
  void enterAgain(const EventJournal::Round& round, Workspace<double>& w);
  void fireAgain(const EventJournal::Round& round, double time, std::vector<double>& y,
                 std::vector<double>& yp, Workspace<double>& w);
  /// Clocks have ticked; checks the assertions of the model.
  void leave(double time, Workspace<double>& w);

  /// Not empty: the run ends, and why.
  const std::string& terminated() const { return terminated_; }
  /// Some `when` has stopped or turned back a motion that has not left its condition since.
  bool watchesMotion() const { return watching_ > 0; }
  /// At an accepted step: throws SolverError where such a motion has gone through after all, though
  /// it was turned back before; the first time that it happens without this, a warning.
  void watchMotion(double time, Workspace<double>& w);
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// At the event handled last `reinit` has set a state.
  bool stateWasSet() const { return stateWasSet_; }
  /// terminal() is asked for.
  bool atEnd() const { return whens_.held.terminalFlag() >= 0; }

  auto kept() {
    return std::tie(start_, span_, tolerance_, histories_, watching_, warnings_, terminated_);
  }

 private:
  /// When a clause has set states, and what became of its condition.
  struct History {
    std::array<double, 12> times{};  ///< [s]  the last ones, the latest at the end
    int count = 0;
    // Of the latest:
    size_t branch = 0;
    int condition = -1;  ///< of the branch, a single relation that became true; -1: none
    double rate = 0;     ///< of its difference, before
    double most = 0;     ///< that the difference may reach before the motion has gone through
    double until = 0;    ///< [s]  no longer looked at
    bool watched = false;
  };
  using Fired = std::vector<std::pair<size_t, size_t>>;  ///< clause, branch

  double& held(int offset) { return equations_.state.held[offset]; }
  double held(int offset) const { return equations_.state.held[offset]; }
  bool holds(const ExpressionVariable& condition, const View<double>& x) const;
  Fired fire(const View<double>& x);
  /// Which assignments of branches that fire: those that wait for a `reinit`, the others, or both.
  enum class Which { early, late, all };
  void findLate();
  Which firstOf(const Fired& fired) const;
  void assign(const Fired& fired, Which which, double time, Workspace<double>& w,
              const std::vector<double>* integers = nullptr);
  void conclude(const Fired& fired, double time, const View<double>& x);
  void reinitialise(const Fired& fired, double time, std::vector<double>& y,
                    std::vector<double>& yp, Workspace<double>& w);
  void keepConstraints(double time, std::vector<double>& y, const std::vector<double>& yp,
                       const std::vector<int>& set, const std::string& who);
  void passOnMoving(const View<double>& x);
  template <class IsMeant>
  bool passOn(const View<double>& x, const IsMeant& isMeant, std::vector<std::string>* changing);
  bool passOn(const View<double>& x, bool all, std::vector<std::string>* changing);
  void watch(size_t clause, size_t branch, double time, const std::vector<double>& y,
             const std::vector<double>& yp, Workspace<double>& w);
  void throwIfEndless(size_t clause, double time) const;
  void watchWhatWasSet(size_t clause, double time, Workspace<double>& w);
  double difference(const ExpressionVariable& condition, const View<double>& x) const;
  double rateOf(const ExpressionVariable& condition, double time, double ahead,
                const std::vector<double>& y, const std::vector<double>& yp,
                Workspace<double>& w) const;
  void check(const std::vector<WhenClauses::Assertion>& assertions, double time,
             const View<double>& x) const;

  const Model& model_;
  Equations& equations_;
  const WhenClauses& whens_;
  Charts charts_;
  std::vector<Ticks> clocks_;  ///< per sample of the held values
  std::vector<bool> isLate_;   ///< per place of the order: it waits for the states that are set
  bool any_;
  bool starting_ = false;
  bool stateWasSet_ = false;
  Fired fired_;
  bool again_ = false;          ///< fired_ was told for the second time
  std::vector<bool> hasFired_;  ///< per clause: since pre() went on
  bool passedOn_ = false;
  std::vector<std::vector<bool>> readsInitial_;  ///< per clause, per branch
  double start_ = 0, span_ = 0, tolerance_ = 1e-8;
  double ticked_ = 0;               ///< [s]  see goOnFrom(); infinite: none
  std::vector<History> histories_;  ///< per clause
  int watching_ = 0;                ///< clauses whose motion is watched
  std::vector<std::string> warnings_;
  std::string terminated_;
  std::unique_ptr<EvaluationPoint> at_;
  std::unique_ptr<StartConditions> conditions_;
  mutable std::vector<double> buffer_;
};

}  // namespace cardan
