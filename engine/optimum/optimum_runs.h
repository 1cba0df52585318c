/// OptimumRuns: the runs of a model that an optimum is looked for with, each by its parameters alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/derivative_tools.h"
#include "engine/optimum/optimum_task.h"
#include "engine/study/plan.h"
#include "engine/study/study_model.h"

namespace cardan {

struct OptimumRun {
  enum class Kind {
    plain,        ///< as the task says
    precise,      ///< its tolerance is for differences
    derivatives,  ///< with those by the parameters that have sensitivities
  };
  Kind kind;
  std::vector<double> x;
  bool operator==(const OptimumRun&) const = default;
};
const char* word(OptimumRun::Kind kind);

struct OptimumOutcome {
  /// As studies have them, and "none": there are no derivatives. A reason: no value is there. "": the run
  /// was not made.
  std::string status, reason;
  int steps = 0;
  std::vector<std::optional<double>> kept;
  std::vector<std::optional<double>>
      slopes;  ///< by kept value, then by parameter; derivatives only

  bool isMade() const { return !status.empty(); }
  bool isGood() const { return status == "completed" || status == "terminated"; }
  bool hasFailed() const { return isMade() && !isGood() && status != "none"; }
};

class OptimumRuns {
 public:
  static constexpr double kPrecise = 1e-10;  ///< tolerance for differences

  /// Reads the model and tries it. Throws ModelError with all that is wrong. `task` and `tools` outlive it.
  OptimumRuns(const OptimumTask& task, const Catalogue& catalogue, YamlNode tree,
              std::vector<std::string> files, const DerivativeTools& tools);

  OptimumOutcome operator()(const OptimumRun& run) const;

  const OptimumTask& task() const { return task_; }
  const std::vector<double>& start() const { return start_; }
  /// What counts as a large change of a parameter that is worth x.
  double sizeOf(size_t k, double x) const;
  const std::vector<std::string>& units() const { return units_; }
  /// Per parameter: there are sensitivities by it.
  const std::vector<bool>& exact() const { return exact_; }
  /// Why there are none: "L: it changes what the model is made of".
  const std::vector<std::string>& differences() const { return differences_; }
  double tolerance() const { return tolerance_; }
  const Diagnostics& warnings() const { return warnings_; }
  const ModelSource& source() const { return nominal_.source(); }

 private:
  Overrides overrides(const std::vector<double>& x) const;
  void findStart(Diagnostics& diagnostics);
  void chooseExact();
  DerivativeTools::Load loaderAt(const std::vector<double>& x, const Simulation& there) const;
  std::vector<std::string> exactNames() const;
  void differentiate(const OptimumRun& run, Simulation& nominal, OptimumOutcome& outcome) const;

  const OptimumTask& task_;
  const DerivativeTools& tools_;
  Study study_;
  Diagnostics warnings_;
  Plan plan_;
  StudyModel model_;
  Simulation nominal_;
  std::vector<double> start_;
  std::vector<std::string> units_, variables_, differences_;
  std::vector<bool> exact_;
  double tolerance_ = 1e-6;
};

}  // namespace cardan
