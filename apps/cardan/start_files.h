/// Where a run starts or goes on: files of --start and --save-state.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "engine/results/run_settings.h"
#include "engine/simulation.h"

namespace cardan {

struct StartOptions {
  std::string start, save;
  std::optional<double> saveAt;  ///< [s]

  void add(CLI::App& command);
  /// What the files mean for the run. Throws ModelError, ResultFileError.
  void applyTo(RunOptions& run) const;
  /// After the run.
  void write(const Simulation& simulation, const RunOptions& run) const;
};

}  // namespace cardan
