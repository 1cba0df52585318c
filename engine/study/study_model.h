/// StudyModel: the model of a study, read once and loaded anew for each run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/expression/value.h"
#include "engine/model_file/model_file.h"
#include "engine/simulation.h"
#include "engine/study/plan.h"

namespace cardan {

/// What is kept of a run has become variables and outputs of the model; each run loads the tree with
/// parameters of its own.
class StudyModel {
 public:
  /// `files` are those that the tree was made from, the model's own the first. All but the tree outlive
  /// it.
  StudyModel(const Study& study, const Plan& plan, const Catalogue& catalogue, YamlNode tree,
             std::vector<std::string> files);

  /// The model without varying anything.
  Simulation nominal() const { return load(study_.overrides); }
  /// Tries it, `nominal` being the model without varying anything. Throws ModelError with all that is
  /// wrong: in the kept values, in the names of parameters.
  void tryOut(Simulation& nominal);

  Simulation load(long run) const { return load(plan_.overrides(run)); }
  Simulation load(const Overrides& overrides) const;
  /// Names of what is kept. After tryOut().
  const std::vector<std::string>& results() const { return results_; }
  /// Some kept value does.
  bool readsParameters() const { return readsParameters_; }
  /// What is kept of a run of `simulation`; nothing where there is no value. Throws std::runtime_error
  /// where it has other sizes than in the model without changes.
  std::vector<std::optional<double>> kept(const Simulation& simulation,
                                          const ReducedRun& reduced) const;

 private:
  void checkNames(Diagnostics& diagnostics) const;
  void checkParameters(const std::map<std::string, ExpressionValue>& own, const Simulation& nominal,
                       Diagnostics& diagnostics) const;

  const Study& study_;
  const Plan& plan_;
  const Catalogue& catalogue_;
  ModelDocument document_;
  std::vector<std::string> files_, results_;
  bool readsParameters_ = false;
};

}  // namespace cardan
