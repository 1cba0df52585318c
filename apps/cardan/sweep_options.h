/// SweepOptions: the command line of `cardan sweep`, and the study that it makes.
#pragma once

#include <string>
#include <vector>

#include "apps/cardan/model_options.h"
#include "apps/cardan/sweep_shard.h"
#include "engine/study/study.h"

namespace cardan {

struct SweepOptions {
  ModelOptions model;  ///< path: of the study or the model
  std::vector<std::string> vary, sample, keep, trajectories;
  std::string list, method, format;
  std::optional<double> runs, seed;
  RunOptions run;
  std::string output;
  long jobs = 1;
  double timeLimit = 0;  ///< [s]  of a run; 0: none
  std::string shard;
  const CLI::App* app = nullptr;  ///< whose options these are, once they are added
  bool resume = false, merge = false, slurm = false, dryRun = false, strict = false, quiet = false;

  void add(CLI::App& command);

  /// The study of the file, with what the command line says on top. What is wrong goes to
  /// `diagnostics`.
  Study study(Diagnostics& diagnostics) const;
  /// Those of the command line that say what is run, for a shell.
  std::string forShell() const;
};

}  // namespace cardan
