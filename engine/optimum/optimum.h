/// Optimum: looks for the parameters of a task, by runs that whoever asks makes: side by side, or known.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/optimum/optimum_runs.h"
#include "engine/optimum/sqp.h"

namespace cardan {

struct OptimumResult {
  struct Constraint {
    double value = NAN;
    bool isActive = false, isViolated = false;
    double multiplier = NAN;  ///< what the objective gains per unit that the bound gives way
  };
  /// What is not known is NaN: also the point, where no run has come to its end.
  std::vector<double> x;             ///< of an optimum, else of the best run
  std::vector<int> atBound;          ///< per parameter: -1 at its lower, 1 at its upper one, else 0
  std::vector<double> goals, first;  ///< there and at the start
  std::vector<double> slopes;        ///< of the goal by parameters; none where nobody asked
  std::vector<Constraint> constraints;
  bool found = false, isStopped = false;
  std::string reason;
  int iterations = 0;
  long starts = 1, foundAgain = 1;  ///< searches; those that came to the same objective

  bool isKnown() const { return !x.empty() && !std::isnan(x.front()); }
};

class Optimum {
 public:
  /// The outcomes of runs that are worth making side by side, in their order; one that was not made stops
  /// the search.
  using Evaluate = std::function<std::vector<OptimumOutcome>(const std::vector<OptimumRun>& runs)>;
  /// Of the best run so far; told once there is one.
  struct Progress {
    int iteration;
    double objective;
    bool meetsConstraints;
  };

  /// All outlive it.
  Optimum(const OptimumRuns& runs, Evaluate evaluate,
          std::function<void(const Progress&)> progress = {});

  /// Throws AnalysisError where the model cannot be run at any start, or the method is not there.
  OptimumResult run();
  /// From the least of the first goal to the least of the second: in between the first one with the second
  /// bounded, evenly from one end's value to the other's.
  std::vector<OptimumResult> front();

  /// Derivatives that are differences of runs, and why: of parameters, and of runs that had none where
  /// others have.
  std::vector<std::string> differences() const;

 private:
  /// The best of the runs that have come to their end, by constraints first.
  struct BestRun {
    Eigen::Index equalities;
    Eigen::VectorXd units;         ///< of constraints: their bounds, or what was seen
    std::vector<double> x, goals;  ///< empty: there is none
    SmoothValues values;

    void take(const OptimumRun& run, std::vector<double> goals, const SmoothValues& values);
    /// Of each constraint, in its unit.
    Eigen::VectorXd violations(const SmoothValues& v) const;
    bool meetsConstraints() const;
  };
  /// A local search: of which goal, and what bounds the other one.
  struct Search {
    Sqp sqp;
    size_t goal;
    std::optional<double> bound;
    BestRun best;
  };
  /// What a search waits for.
  struct Asked {
    size_t search;
    std::vector<double> x;
    size_t first = 0;                 ///< of its runs
    bool exactly = false;             ///< the first is that with derivatives
    std::vector<size_t> differenced;  ///< parameters
  };
  using Slopes = std::vector<std::optional<double>>;

  SqpOptions options() const;
  Search searchFrom(const std::vector<double>& start, size_t goal = 0,
                    std::optional<double> bound = {}) const;
  std::optional<std::vector<OptimumOutcome>> made(const std::vector<OptimumRun>& runs,
                                                  std::span<Search> searches = {});
  void goOn(std::vector<Search>& searches);
  void step(std::vector<Search>& searches);
  std::vector<OptimumRun> runsFor(const Sqp& sqp, Asked& asked) const;
  std::vector<OptimumRun> differenceRuns(const std::vector<double>& x, size_t k) const;
  bool differ(std::vector<Asked>& asked, std::vector<Slopes>& slopes,
              const std::vector<OptimumOutcome>& outcomes, std::vector<std::string>& failures);
  SmoothValues valuesOf(const OptimumOutcome& outcome, size_t goal,
                        std::optional<double> bound) const;
  SmoothDerivatives derivativesOf(const Slopes& slopes, const std::string& failure,
                                  const Search& search) const;
  std::vector<double> goalsOf(const OptimumOutcome& outcome) const;
  OptimumResult resultOf(const Search& search, bool hasEnded = true) const;
  void checkRuns(const Search& search) const;
  void tell(const Search& search, int iteration) const;
  size_t best(const std::vector<Search>& searches) const;
  OptimumResult byNlopt();
  double signOf(size_t goal) const { return task_.goals[goal].isMaximised ? -1 : 1; }

  const OptimumRuns& runs_;
  const OptimumTask& task_;
  Evaluate evaluate_;
  std::function<void(const Progress&)> progress_;
  std::vector<size_t> order_;  ///< of constraints: equalities first
  size_t equalities_ = 0;
  std::vector<double> first_;  ///< goals at the start
  std::vector<std::string> differences_;
  bool stopped_ = false;
};

}  // namespace cardan
