/// OptimumBook: every run that an optimum is looked for with: a line in a file, and known where it is asked
/// for again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/optimum/optimum_runs.h"
#include "engine/results/output_file.h"

namespace cardan {

/// A run has its number by when it is first asked for, whoever makes it and whenever it ends: so a search
/// that begins anew with a book that knows its runs goes the way that it went, and on from there.
class OptimumBook {
 public:
  /// `stop`: asked now and then, true ends the runs. `folder`: "": none, or where optimum.json (`task`: what is looked for) and index.csv are. Throws
  /// ModelError where it holds another task; or this one, and it is not to be resumed.
  OptimumBook(const OptimumRuns& runs, long jobs, std::function<bool()> stop, std::string folder,
              const std::string& task, bool resume);

  /// Outcomes of all of them; those that are not known are made side by side. Nothing: stopped.
  std::optional<std::vector<OptimumOutcome>> operator()(const std::vector<OptimumRun>& runs);
  /// Brings the lines into the order of their numbers.
  void finish();

  long runs() const { return std::ssize(outcomes_); }
  long failed() const;
  /// Why the last one has failed.
  const std::string& failure() const { return failure_; }

 private:
  std::string indexPath() const { return folder_ + "/index.csv"; }
  std::string header() const;
  std::string keyOf(const OptimumRun& run) const;
  std::string lineOf(long number, const OptimumRun& run, const OptimumOutcome& outcome) const;
  bool take(const std::string& line);
  void readIndex();

  const OptimumRuns& runs_;
  long jobs_;
  std::function<bool()> stop_;
  std::string folder_, failure_;
  std::unique_ptr<OutputFile> index_;
  std::map<std::string, OptimumOutcome> outcomes_;  ///< by keyOf()
  std::map<std::string, long> numbers_;             ///< of those that were asked for
  std::map<long, std::string> lines_;               ///< by number
};

}  // namespace cardan
