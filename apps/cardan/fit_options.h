/// FitOptions: the command line of `cardan fit`, and the task that it makes.
#pragma once

#include <string>
#include <vector>

#include "apps/cardan/model_options.h"
#include "engine/fit/fit.h"
#include "engine/fit/fit_task.h"

namespace cardan {

struct FitOptions {
  ModelOptions model;  ///< path: of the study or the model
  std::vector<std::string> data, parameters, signals;
  std::string loss, output;
  std::vector<std::string> reports;
  std::optional<double> lossScale, confidence, starts, seed;
  RunOptions run;
  bool held = false, quiet = false;

  void add(CLI::App& command);
  /// The task of the file, with what the command line says on top. What is wrong goes to
  /// `diagnostics`.
  FitTask task(Diagnostics& diagnostics) const;
};

/// A model that is read once and loaded with many overrides.
struct ModelTree {
  YamlNode root;
  std::vector<std::string> files;  ///< the model's own the first

  /// Throws ModelError.
  ModelTree(const std::string& path, const ModelOptions& options, Diagnostics& warnings);
  Simulation load(const Overrides& overrides) const;
};

}  // namespace cardan
