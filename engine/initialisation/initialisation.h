/// Initialisation: consistent start values, and an account of them in the user's words.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "components/start_proposal.h"
#include "engine/dynamics/completion.h"
#include "engine/initialisation/constraint_analysis.h"
#include "engine/initialisation/coupled_start.h"
#include "engine/initialisation/loop_report.h"
#include "engine/initialisation/start_conditions.h"

namespace cardan {

struct InitialOptions {
  std::vector<UnknownParameter> parameters;
  std::vector<InitialEquation>
      equations;        ///< further conditions; their functions outlive the Initialisation
  double duration = 0;  ///< [s] of the run; 0: unknown
  /// Brings the modes in line with positions and velocities; called when these are found.
  std::function<void(const std::vector<double>& y, const std::vector<double>& yp)> settleModes;
};

/// What was asked for at the start and what came of it.
struct InitialReport {
  enum class Kind { fixed, guess };
  struct Entry {
    std::string name;
    std::string unit;
    Kind kind = Kind::guess;
    double wanted = 0;
    double reached = 0;
    bool isResidue = false;  ///< an orientation or an equation: `reached` is the distance from it
    double moved() const { return reached - wanted; }
  };
  struct Parameter {
    std::string name;
    double start = 0;
    double reached = 0;
  };

  int degreesOfFreedom = 0;
  std::vector<Entry> entries;         ///< start values, in the order of the model
  std::vector<Parameter> parameters;  ///< unknown ones, as determined
  std::vector<int> redundantRows;     ///< multipliers whose rows say nothing new; zero at the start
  std::vector<std::string> redundantConstraints;  ///< their names
  std::vector<LoopReport> loops;
  std::vector<std::string>
      states;  ///< coordinates that determine all others, two a degree of freedom
  std::vector<std::string> warnings;  ///< what is legal but may surprise
  std::string sharing;  ///< a warning: stuck parts on one motion; a run finds their shares itself
  int iterations = 0;

  /// Plain lines for `cardan check`; of long lists the first `most`.
  std::string format(size_t most = std::numeric_limits<size_t>::max()) const;
};

/// Solves for the start in three levels (positions; velocities; accelerations and multipliers), and
/// once more for everything together where conditions reach across the levels.
class Initialisation {
 public:
  Initialisation(Equations& equations, const VariableTable& variables, const FlatModel& flatModel,
                 double startTime, InitialOptions options = {});

  /// Fills y and yp (resized). Throws ModelError, located at the components concerned: fixed values
  /// that contradict each other, a loop that cannot be closed, a joint that moves no mass.
  InitialReport solve(std::vector<double>& y, std::vector<double>& yp);

 private:
  struct Rows {
    std::vector<StartRow> constraints, conditions;
    std::vector<int> wishes;  ///< guesses of variables that are no unknowns
  };
  Rows rowsOf(Level level) const;
  void solveLevel(Level level, bool explain);
  void warnOfBranches();
  void solvePositions(bool explain);
  bool propose();
  bool withoutFixed(const Rows& rows, const std::vector<int>& columns);
  void analyse();
  void accelerations();
  const Workspace<double>& evaluateConditions();
  bool satisfied();
  void throwIfStranded();
  void scale();
  void together(Completion& completion);
  bool togetherInOtherModes(Completion& completion);
  void throwIfRatesOpen(const Completion& completion) const;
  void throwIfRateReadByMotion(const Completion& completion) const;
  void throwIfMassless(const Completion& completion) const;
  void throwIfUndetermined(const Completion& completion);
  void placeFreePoints();
  bool throwIfLoosePoints(const Completion& completion) const;
  void resetMeasured();
  void fillReport();

  Equations& equations_;
  const FlatModel& flatModel_;
  double time_;
  InitialOptions options_;
  StartConditions conditions_;
  std::vector<StartProposal*> proposers_;
  EvaluationPoint at_;
  std::vector<double> y_, yp_;
  InitialReport report_;
  bool singularPosition_ = false;  ///< of the start
};

}  // namespace cardan
