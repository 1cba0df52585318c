/// Plan: the runs of a study, each known by its number alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/study/study.h"

namespace cardan {

class Sampling;

/// Rows of the list, all points of the grid for each, all samples for each point. The list varies
/// slowest, samples fastest; of the axes the last one varies first. The samples are the same at
/// every point, so that what differs between points is due to them.
class Plan {
 public:
  /// Reports a study with too many runs. `study` outlives the plan.
  Plan(const Study& study, Diagnostics& diagnostics);

  long runs() const { return runs_; }
  const std::vector<std::string>& parameters() const { return parameters_; }
  /// Values of all parameters in run `run`, from 0; texts as behind --set NAME=.
  std::vector<std::string> values(long run) const;
  /// The same as overrides, after those of the study.
  std::vector<std::string> overrides(long run) const;
  /// Where the study speaks of a parameter.
  SourceMark placeOf(const std::string& parameter) const;

 private:
  const Study& study_;
  std::vector<std::string> parameters_;
  std::vector<SourceMark> places_;
  std::shared_ptr<const Sampling> sampling_;
  long runs_ = 1, samples_ = 1;
};

}  // namespace cardan
