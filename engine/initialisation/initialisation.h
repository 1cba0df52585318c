/// Initialisation: consistent start values, and an account of them in the user's words.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "components/start_proposal.h"
#include "engine/dynamics/completion.h"
#include "engine/initialisation/constraint_analysis.h"
#include "engine/initialisation/coupled_start.h"
#include "engine/initialisation/initial_report.h"
#include "engine/initialisation/start_conditions.h"

namespace cardan {

struct InitialOptions {
  std::vector<UnknownParameter> parameters;
  std::vector<InitialEquation>
      equations;        ///< further conditions; their functions outlive the Initialisation
  double duration = 0;  ///< [s] of the run; 0: unknown
  /// Brings the modes in line with a point: once positions and velocities are found, and where what is fixed
  /// hangs on the modes, with accelerations as well.
  std::function<void(const std::vector<double>& y, const std::vector<double>& yp)> settleModes;
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
  LeastChangeResult solveCoupled(CoupledStart& problem);
  std::optional<double> valueWithout(int k, Completion& completion);
  using Modes = std::pair<std::vector<int>, std::vector<RelationState>>;
  Modes modes() const;
  void restore(const Modes& modes);
  bool settlesAnew(const std::vector<double>& y, const std::vector<double>& yp);
  bool holdsInOwnModes(Completion& completion);
  void together(Completion& completion);
  bool solveInOwnModes(Completion& completion, std::vector<double> from);
  void throwIfOtherModes(const CoupledStart& problem);
  bool togetherInOtherModes(Completion& completion);
  void throwIfRatesOpen(const Completion& completion) const;
  void throwIfRateReadByMotion(const Completion& completion) const;
  void throwIfMassless(const Completion& completion) const;
  std::optional<int> sensorAt(int q) const;
  void throwIfUndetermined(const Completion& completion);
  std::vector<int> unguessed() const;
  bool solvesBeside(const std::vector<int>& unknowns, const std::function<bool()>& solve);
  bool determinedBeside(const Completion& completion);
  std::vector<std::string> dependentElsewhere() const;
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
  bool isBeside_ = false;          ///< what no guess determines was looked for beside it
};

}  // namespace cardan
