/// What `cardan optimize` says of what it has found: text, a model file, a table of a front, reports.
#pragma once

#include <string>
#include <vector>

#include "engine/optimum/optimum.h"

namespace cardan {

/// What was tried, in its order: values of runs that came to their end.
struct OptimumTrail {
  std::vector<double> number;  ///< among all that were asked for
  std::vector<std::vector<double>> parameters, goals, constraints;  ///< each of them by run
  double asked = 0;

  explicit OptimumTrail(const OptimumTask& task);
  void add(const std::vector<OptimumRun>& runs, const std::vector<OptimumOutcome>& outcomes);

 private:
  const OptimumTask& task_;
};

std::string optimumText(const OptimumRuns& runs, const OptimumResult& result);
/// `file`: where it goes.
std::string optimumModel(const OptimumRuns& runs, const OptimumResult& result,
                         const std::string& file);
std::string frontText(const OptimumRuns& runs, const std::vector<OptimumResult>& front);
std::string frontCsv(const OptimumRuns& runs, const std::vector<OptimumResult>& front);
/// The report at `file`, .html, .svg or .json by its ending: of one result, or of a front.
std::string optimumReport(const OptimumRuns& runs, const std::vector<OptimumResult>& results,
                          const OptimumTrail& trail, const std::string& summary,
                          const std::vector<std::string>& differences, const std::string& file);
/// What tells a task from another one: `fingerprint` of the model's files.
std::string optimumJson(const OptimumRuns& runs, const std::string& fingerprint);

}  // namespace cardan
