/// RunReport: what a run has done, what it has cost, and what limited its steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cardan {

/// What a run has cost, summed over its restarts.
struct IntegratorStatistics {
  long steps = 0;
  long residuals = 0;
  long rates = 0;  ///< evaluations of an explicit method
  long newtonMatrices = 0;
  long newtonIterations = 0;
  long errorTestFailures = 0;
  long newtonFailures = 0;  ///< steps repeated: residual, matrix or Newton iteration failed
  long restarts = 0;
  double residualSeconds = 0;      ///< [s]  these four only with IntegratorOptions::timing
  double newtonMatrixSeconds = 0;  ///< [s]
  double linearSolveSeconds = 0;   ///< [s]
  double ratesSeconds = 0;         ///< [s]
};

/// A member more is an error here, so that none is forgotten.
inline IntegratorStatistics& operator+=(IntegratorStatistics& a, const IntegratorStatistics& b) {
  auto& [n1, n2, n3, n4, n5, n6, n7, n8, t1, t2, t3, t4] = a;
  const auto& [m1, m2, m3, m4, m5, m6, m7, m8, u1, u2, u3, u4] = b;
  n1 += m1, n2 += m2, n3 += m3, n4 += m4, n5 += m5, n6 += m6, n7 += m7, n8 += m8;
  t1 += u1, t2 += u2, t3 += u3, t4 += u4;
  return a;
}

/// From when on a method has stepped a run, and why it and not another.
struct MethodChange {
  double time = 0;     ///< [s]
  std::string method;  ///< "ida", "explicit", "stepping"
  std::string reason;  ///< "": it was asked for
};

/// Whose error, what stopped, where the iteration failed, what switched, and how stiff it was.
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

  /// A condition or component that the search for events took evaluations of the model for.
  struct Search {
    std::string name;
    std::string place;  ///< of a condition: "m.yaml:5:12"
    double evaluations = 0;
  };

  long steps = 0;
  double span = 0;           ///< [s]  of the run so far
  std::vector<Share> error;  ///< of these unknowns the error was largest; most steps first
  long longest = 0;          ///< steps as long as steps may be
  long cut = 0;              ///< cut short at an instant that had to be met
  long events = 0;           ///< with an event inside
  bool isExplicit = false;   ///< the method that came last
  bool isFixed = false;      ///< its steps have one length, which is given
  long starting = 0;         ///< the first few after a start or an event, at low order
  long errorFailures = 0;
  std::vector<Share> newton;  ///< whose iteration failed
  std::vector<Switch> switches;
  std::vector<Search> searches;      ///< the dearest first
  double evaluations = 0;            ///< of the model by the method itself
  std::vector<Stiffness> stiffness;  ///< at times of the run, in their order

  /// Steps after a start or event that count as its own.
  static constexpr long kStartingSteps = 10;
  static constexpr long kCloseSteps = 10;
  /// A switch chatters if so many of its events were close.
  static constexpr long kChattering = 10;
};

/// An instant at which the run stopped to switch.
struct EventRecord {
  double time = 0;                   ///< [s]
  std::vector<std::string> changed;  ///< components and expressions that switched
};
/// A report lists so many; further ones are only counted.
inline constexpr size_t kMostEventRecords = 100000;

/// What a run has done.
struct RunReport {
  IntegratorStatistics integrator;
  std::vector<MethodChange> methods;  ///< that have stepped the run
  long rows = 0;
  long events = 0;
  long contactViolations = 0;             ///< laws of contact that could not be kept, each time
  std::vector<EventRecord> eventRecords;  ///< the first kMostEventRecords
  double stopTime = 0;                    ///< [s]  time reached
  bool interrupted = false;               ///< ended by `progress`
  bool paused = false;                    ///< ended by RunOptions::pauseAt
  std::string terminated;                 ///< not empty: ended by the model, why
  long chartChanges = 0;                  ///< new references of orientation angles
  double initialisationSeconds = 0, integrationSeconds = 0, outputSeconds = 0;  ///< [s] wall time
  std::vector<std::string> warnings;
  std::optional<StepExplanation> explanation;  ///< with RunOptions::explainSteps
};

}  // namespace cardan
