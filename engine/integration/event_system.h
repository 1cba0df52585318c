/// EventSystem: switching functions, time events and mode changes of all components and
/// expressions.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/equations/equations.h"
#include "engine/integration/changing_modes.h"
#include "engine/integration/contact_violations.h"
#include "engine/integration/impacts.h"
#include "engine/integration/time_relations.h"
#include "engine/integration/when_events.h"

namespace cardan {

class Model;

/// Watches the model and changes its modes. Between events all modes are frozen.
///
/// What depends on time alone is solved ahead: it gives time events, not switching functions.
class EventSystem {
 public:
  /// `inputsMove`: inputs of the file are no steps of time, but go as somebody outside likes.
  EventSystem(const Model& model, Equations& equations, bool inputsMove = false);

  /// To be called before the start of a run.
  void begin();
  /// The run goes over [start, stop].
  void setSpan(double start, double stop, double tolerance);
  /// It goes on behind the events of `time` [s]: clocks have ticked then, and settleAtStart() leaves these
  /// modes as they are, whatever components find.
  void goOnFrom(double time, std::vector<int> modes) {
    whens_.goOnFrom(time);
    given_ = std::move(modes);
  }

  /// Number of switching functions, the same at all times.
  int crossings() const { return crossings_; }
  /// Their values at an evaluated workspace.
  void evaluateCrossings(Workspace<double>& w, double* g) const;
  /// So many more evaluations went into the search for changes of each of them (DaeSystem::searched).
  void searched(std::span<const long> evaluations) const;
  /// What a search for events has cost since the start of the run, in evaluations of the model: of
  /// conditions and components, the dearest first.
  struct SearchCost {
    std::string name;  ///< of a component, or the text of a condition
    SourceMark at;     ///< of the condition
    double evaluations = 0;
  };
  std::vector<SearchCost> searchCosts() const;
  /// A condition reads forces on connectors.
  bool readsLoads() const { return readsLoads_; }
  /// A change may come of how far something has turned: not of slips and loads of flanges alone.
  bool readsTurns() const { return readsTurns_; }
  /// Something changes at (t, y, yp), or the run ends there.
  bool isDue(double t, const std::vector<double>& y, const std::vector<double>& yp,
             Workspace<double>& w) const;
  /// True: no mode would change at this point. Relations count as changed only beyond rounding.
  bool fits(Workspace<double>& w) const;

  /// Where touching is no event (RunState::ahead): modes and states follow the step that was taken to the
  /// evaluated point (Component::follow). What became of states: into `y`; their rates in `yp` become 0.
  void follow(Workspace<double>& w, double* y, double* yp);

  /// Earliest time event after `time`, as far as it lies before lookedAheadTo(); infinity: none.
  /// `longest`: no step from here goes farther. `known`: up to here inputs are what they are now.
  double nextTimeEvent(Workspace<double>& w, double time, double longest, double known);
  /// [s] Up to here the last nextTimeEvent() knows all time events.
  double lookedAheadTo() const { return lookedAheadTo_; }

  /// The event that is settled next is entered with these values: see Modes::before.
  void enterFrom(double t, const std::vector<double>& y, const std::vector<double>& yp);
  /// Changes modes until all are consistent, completing accelerations and algebraic unknowns after
  /// every change. Returns true if anything changed. Where modes of contacts and frictions do not come
  /// to rest, those with which the fewest disagree are kept, a violation; throws SolverError (by name)
  /// where others do not.
  bool settle(double t, std::vector<double>& y, std::vector<double>& yp, Completion* completion,
              Workspace<double>& w);

  /// The same once at the start, where initial() holds, and at the end of the run, where terminal()
  /// does.
  void settleAtStart(double t, std::vector<double>& y, std::vector<double>& yp,
                     Completion& completion, Workspace<double>& w);
  bool settleAtEnd(double t, std::vector<double>& y, std::vector<double>& yp,
                   Completion& completion, Workspace<double>& w);
  /// Events are noted there from now on; null: nowhere.
  void noteIn(EventJournal* journal) { journal_ = journal; }
  /// Goes through a noted event once more, from the values (t, y, yp) before it, at which modes and
  /// relations are those of then: sets states, discrete variables and numbers that components hold as the
  /// rounds did. Modes and relations are those of the last round afterwards. `instant` [s]: when clocks tick
  /// and truths change here, of which t may be beside.
  void settleAgain(const EventJournal& journal, double t, double instant, std::vector<double>& y,
                   std::vector<double>& yp, Completion& completion, Workspace<double>& w);
  /// The run cannot go on at (t, y, yp), as surfaces jam that slide on each other: settle() there stops them.
  bool isJammed(double t, const std::vector<double>& y, const std::vector<double>& yp,
                Completion& completion, Workspace<double>& w) {
    return impacts_.any() && impacts_.areJammed(t, y, yp, completion, w);
  }
  void setImpactLaw(ImpactLaw law) { impacts_.setLaw(law); }
  ContactViolations& violations() { return violations_; }
  const ContactViolations& violations() const { return violations_; }
  /// What `when` has stopped or turned back must not go on, and conditions must be of numbers; at an accepted step.
  void watchMotion(double t, std::span<const double> y, std::span<const double> yp,
                   Workspace<double>& w);
  std::vector<std::string> warnings() const;
  const Model& model() const { return model_; }
  /// terminal() is asked for.
  bool watchesEnd() const { return whens_.atEnd(); }

  /// Not empty: a component asked to end the run; the reason.
  const std::string& terminated() const { return terminated_; }
  /// Components and conditions whose modes changed in the last settle().
  const std::vector<std::string>& changed() const { return changed_; }
  /// They are contacts, frictions, stops, clutches, and no conditions.
  bool isMechanical() const { return !changed_.empty() && areMechanical(changed_); }
  /// The same of the last settle() that has changed any.
  bool wasMechanical() const { return wasMechanical_; }
  /// The values that the last settle() has left satisfy all equations as these are now.
  bool isComplete() const { return complete_; }
  /// At the event handled last `reinit` or a component has set a state.
  bool stateWasSet() const { return stateWasSet_ || whens_.stateWasSet(); }

  /// Those of them that share a load with others from now on, in the last settle(): by friction, and
  /// by the normal forces of rigid contacts.
  const std::vector<std::string>& sharing() const { return sharing_; }
  const std::vector<std::string>& sharingSeats() const { return sharingSeats_; }

  auto kept() {
    return std::tuple_cat(std::tie(relationScales_), timeRelations_.kept(),
                          std::tie(lookedAheadTo_, terminated_, changed_, ignored_, ignoredAt_,
                                   ignoredFor_, told_, lastAt_, rattles_, wasMechanical_),
                          whens_.kept(), impacts_.kept(), violations_.kept());
  }

 private:
  struct Guarding {
    const Component* component;
    int instance;
    int crossings;
  };

  bool isDueAfter(double t) const;
  void statesNow(const Switching& s, Workspace<double>& w, bool atStart, RelationState* now) const;
  void enter(WhenEvents::Occasion occasion, double t, Workspace<double>& w);
  void takeModes(const std::vector<int>& modes);
  void switchAgain(const EventJournal::Round& round, double instant, std::vector<double>& y,
                   Workspace<double>& w);
  struct Settling;  // the stages of settle():
  void findUndetermined(const Settling& now);
  void begin(Settling& now);
  void switchModes(Settling& now, int round);
  bool switchOne(size_t instance, const View<double>& view, ChangingModes& modes);
  void switchComponents(Settling& now);
  bool switchTogether(Settling& now);
  void switchRelations(Workspace<double>& w, bool atStart, std::vector<std::string>& changing);
  void jump(Settling& now);
  void iterateWhens(Settling& now);
  void switchLast(Settling& now);
  void noteTransitions(const Settling& now, std::vector<int> modes, bool isQuiet);
  void complete(Settling& now);
  void noteNearest(const Settling& now, const std::vector<int>& asked);
  void takeWord(ChangingModes& modes, const std::string& name, double t);
  void takeStates(ChangingModes& modes, std::vector<double>& y);
  void noteChanged(const std::vector<std::string>& changing);
  void leave(double t, Workspace<double>& w);
  void askGuards(double t, bool atStart, Workspace<double>& w);
  void checkConditions(Workspace<double>& w) const;
  bool areMechanical(const std::vector<std::string>& changing) const;
  bool comesAtOnce(double t) const;
  void keepNearest(double t, std::vector<double>& y, std::vector<double>& yp,
                   Completion* completion, Workspace<double>& w);
  bool settle(WhenEvents::Occasion occasion, double t, std::vector<double>& y,
              std::vector<double>& yp, Completion* completion, Workspace<double>& w);

  const Model& model_;
  Equations& equations_;
  std::vector<Guarding> guarding_;  ///< those with switching functions
  struct Mover {
    const Component* component;
    int instance;
  };
  std::vector<Mover> switching_;  ///< all that may change modes
  std::vector<Switching> expressions_;
  std::vector<const ExpressionVariable*> undecidable_;  ///< see undecidableIn()
  /// Modes that did not come to rest, with what they left, while they are looked for.
  struct Nearest {
    std::vector<int> modes;
    std::vector<double> y, yp;
    std::vector<std::string> changing;  ///< what disagrees; none: there are no such modes yet
    bool open = false;                  ///< the equations are singular
  };

  Workspace<double> before_;  ///< the values with which the event is entered,
  bool knowsBefore_ = false;  ///< if they are known
  WhenEvents whens_;
  ContactViolations violations_;
  Impacts impacts_;
  TimeRelations timeRelations_;
  Nearest nearest_;
  std::vector<int> given_;    ///< modes that stay at the start
  std::vector<int> ignored_;  ///< per instance: its mode stays for a while, though it disagrees
  double ignoredAt_ = 0, ignoredFor_ = 0;  ///< [s]
  double lastAt_ = 0;                      ///< [s]  of the last event of the mechanics
  bool wasMechanical_ = false;
  int rattles_ = 0;                             ///< such events up to it that have come at once
  double span_ = 0;                             ///< [s]  of the run
  mutable std::vector<double> relationScales_;  ///< largest |left - right| met
  bool relationsOfTime_ = false;                ///< some are solved ahead numerically
  bool readsLoads_ = false, readsTurns_ = false;
  int crossings_ = 0;
  mutable std::vector<long> searched_;  ///< per switching function: evaluations inside steps
  double lookedAheadTo_ = 0;
  mutable std::vector<int> triedModes_;
  mutable std::vector<RelationState> triedStates_;
  std::vector<RelationState> fresh_;                ///< work space of switchRelations()
  mutable std::vector<double> unread_, residuals_;  ///< work space
  EventJournal* journal_ = nullptr;
  std::string terminated_;
  std::vector<std::string> changed_, sharing_, sharingSeats_;
  std::vector<std::string> told_;     ///< by what is outside of the model
  bool stateWasSet_ = false;          ///< by a component
  bool complete_ = false;             ///< see isComplete()
  bool atStart_ = true;               ///< no settle() of the run has solved the equations yet
  std::vector<int> instanceOf_;       ///< per element of y: the instance whose unknown it is, or -1
  std::vector<int> open_;             ///< per instance: unknowns that are open against others'
  std::vector<double> openMobility_;  ///< [1/kg]  per instance: see Impacts::openMobilities
};

}  // namespace cardan
