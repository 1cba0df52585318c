/// StudyRuns: the runs of a study file, for a program that makes them itself: in any order, all or some.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/text/imported_model.h"

namespace cardan {

/// The study and its model, read once.
///
///   const StudyRuns study(catalogue(), {}, "study.yaml");
///   for (long k = 0; k < study.count(); ++k) use(study.values(k), study.run(k));
class StudyRuns {
 public:
  /// The model's file is of one of `formats`, or a model file. Throws ModelError with all that is wrong:
  /// in the study, in the model, in what is kept of it, in the names of parameters.
  StudyRuns(const Catalogue& catalogue, const ModelFormats& formats, const std::string& path);
  ~StudyRuns();

  long count() const;
  /// Names of what varies.
  const std::vector<std::string>& parameters() const;
  /// Values of all parameters in run `run`, from 0; texts as behind `--set NAME=`.
  std::vector<std::string> values(long run) const;
  /// Names of what is kept of each run.
  const std::vector<std::string>& kept() const;
  /// Makes the run; its kept values, nothing where there is none. Throws ModelError, SolverError, and
  /// std::runtime_error where they have other sizes than in the model without changes.
  std::vector<std::optional<double>> run(long run) const;
  /// Of the study and its model.
  const Diagnostics& warnings() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cardan
