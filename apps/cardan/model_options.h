/// ModelOptions: the arguments of every command that reads a model.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "engine/simulation.h"

namespace cardan {

struct ModelOptions {
  std::string path;
  Overrides overrides;

  void add(CLI::App& command);
  /// Reads the model; its warnings go to stderr unless `quiet`.
  Simulation load(bool quiet) const;
};

/// Refuses infinite and undefined numbers.
CLI::Validator finiteNumber();
/// Refuses these and all that are not greater than 0.
CLI::Validator positiveNumber();

}  // namespace cardan
