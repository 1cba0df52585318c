/// A run into its files, from the first row to what is said of its end: for every command that
/// writes the rows of a run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/cardan/model_options.h"
#include "apps/cardan/result_files.h"

namespace cardan {

/// The files that a result takes: the rows and the sidecar; none of standard output.
std::vector<WrittenFile> filesOfResult(const std::string& output);

/// How a run goes to its files.
struct FiledRun {
  Simulation& simulation;
  const RunSettings& settings;
  std::string output;  ///< of `files`
  bool quiet = false;
};

/// Calls `run` with `options`, which get the watch over progress, files and signals, and says how
/// it ended: an integration that fails is an end like the others. Other errors are thrown when the
/// files tell of them. A reader of standard output that has gone ends the program.
RunStatus runToItsEnd(const FiledRun& filed, ResultFiles& files, RunOptions& options,
                      const std::function<RunReport()>& run, RunReport& report);

/// Prints warnings and errors of a run, and a line of what it was.
void printEnd(const FiledRun& filed, const RunStatus& status, const RunReport& report);

}  // namespace cardan
