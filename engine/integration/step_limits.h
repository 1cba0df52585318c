/// StepLimits: what limits the steps of a run: whose error, what stops, where Newton's method fails,
/// which switches never rest, and how stiff the equations are.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/integration/integrator.h"
#include "engine/integration/multibody_system.h"

namespace cardan {

/// What limited the steps of a run, ready to be told.
struct StepExplanation {
  /// A name with the number of steps, failures or events that it has a part in.
  struct Share {
    std::string name;
    long count = 0;
    double first = 0, last = 0;  ///< [s]
  };
  /// A component or expression that switches.
  struct Switch {
    Share events;
    double shortest = 0;  ///< [s]  between two of its events
    long close = 0;       ///< events that were the third within kCloseSteps steps
  };
  /// How fast the fastest motion near a point of the run is.
  struct Stiffness {
    double time = 0;      ///< [s]
    double step = 0;      ///< [s]
    double rate = 0;      ///< [1/s]  magnitude of the dominant eigenvalue
    double sign = 0;      ///< -1: it decays, 0: it oscillates, 1: it grows
    std::string unknown;  ///< that takes most part in it
  };

  long steps = 0;
  double span = 0;           ///< [s]  of the run so far
  std::vector<Share> error;  ///< of these unknowns the error was largest; most steps first
  long longest = 0;          ///< steps as long as steps may be
  long cut = 0;              ///< cut short at an instant that had to be met
  long events = 0;           ///< with an event inside
  bool isExplicit = false;   ///< the method that came last
  long starting = 0;         ///< the first few after a start or an event, at low order
  long errorFailures = 0;
  std::vector<Share> newton;  ///< whose iteration failed
  std::vector<Switch> switches;
  std::vector<Stiffness> stiffness;  ///< at times of the run, in their order

  /// Steps after a start or event that count as its own.
  static constexpr long kStartingSteps = 10;
  static constexpr long kCloseSteps = 10;
  /// A switch chatters if so many of its events were close.
  static constexpr long kChattering = 10;
};

/// Looks on while a run steps. Numbers of the integration alone decide, so that a run is explained
/// alike every time.
class StepLimits {
 public:
  /// `redundantRows`: of the start; `longest` [s]: step; `tolerance`: relative. The system outlives
  /// this.
  StepLimits(MultibodySystem& system, const std::vector<int>& redundantRows, double longest,
             double tolerance);

  /// After every call of step() that returned `result`.
  void look(const Integrator& integrator, Integrator::StepResult result);
  /// After an event at `time` [s].
  void event(double time, const std::vector<std::string>& changed);
  /// A step could not be made.
  void failed(const Integrator& integrator);

  StepExplanation explanation(const Integrator& integrator) const;

 private:
  void count(std::map<int, StepExplanation::Share>& shares, int unknown, double time, long n);
  void probe(const Integrator& integrator);

  const MultibodySystem& system_;
  Completion completion_;  ///< its own: the run is the same whether somebody looks on or not
  double longest_, tolerance_;
  double start_ = 0;
  bool begun_ = false;
  IntegratorStatistics seen_;
  long sinceStart_ = 0;  ///< steps
  long nextProbe_ = 20, stride_ = 20;
  StepExplanation all_;
  std::map<int, StepExplanation::Share> error_, newton_;  ///< by unknown
  std::map<std::string, StepExplanation::Switch> switches_;
  /// Of each switch: steps at its last event and at the one before.
  std::map<std::string, std::pair<long, long>> lastStepsOf_;
};

}  // namespace cardan
