/// Optimum: looks for the parameters of a task, by runs that whoever asks makes: side by side, or known.
#pragma once

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
    double value = 0;
    bool isActive = false;
    double multiplier = 0;  ///< what the objective gains per unit that the bound gives way
  };
  std::vector<double> x;
  std::vector<int> atBound;          ///< per parameter: -1 at its lower, 1 at its upper one, else 0
  std::vector<double> goals, first;  ///< there and at the start, NaN where there was none
  std::vector<double> slopes;        ///< of the goal by parameters; none where nobody asked
  std::vector<Constraint> constraints;
  bool found = false;
  std::string reason;
  int iterations = 0;
  long starts = 1, foundAgain = 1;  ///< searches; those that came to the same objective
};

class Optimum {
 public:
  /// The outcomes of runs that are worth making side by side, in their order; nothing ends the search.
  using Evaluate = std::function<std::optional<std::vector<OptimumOutcome>>(
      const std::vector<OptimumRun>& runs)>;
  struct Progress {
    int iteration;
    double objective;  ///< the best
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
  /// A local search: of which goal, and what bounds the other one.
  struct Search {
    Sqp sqp;
    size_t goal;
    std::optional<double> bound;
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
  void goOn(std::vector<Search>& searches);
  bool step(std::vector<Search>& searches);
  std::vector<OptimumRun> runsFor(const Sqp& sqp, Asked& asked) const;
  std::vector<OptimumRun> differenceRuns(const std::vector<double>& x, size_t k) const;
  bool differ(std::vector<Asked>& asked, std::vector<Slopes>& slopes,
              const std::vector<OptimumOutcome>& outcomes, std::vector<std::string>& failures);
  SmoothValues valuesOf(const OptimumOutcome& outcome, size_t goal,
                        std::optional<double> bound) const;
  SmoothDerivatives derivativesOf(const Slopes& slopes, const std::string& failure,
                                  const Search& search) const;
  OptimumResult resultOf(const Search& search) const;
  size_t best(const std::vector<Search>& searches, const std::function<bool(size_t)>& counts) const;
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
