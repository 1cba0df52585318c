/// The arguments of commands that look at a model at one point: linearize, modes.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/cardan/model_options.h"
#include "engine/analysis/equilibrium.h"
#include "engine/analysis/linear_model.h"

namespace cardan {

struct AnalysisOptions {
  ModelOptions model;
  std::optional<double> at;  ///< [s]  none: the start
  bool atEquilibrium = false;
  EquilibriumOptions rest;  ///< what moves there
  bool quiet = false;

  /// --at, --steady and --quiet, and those of the model; --at-equilibrium where it is `offered`.
  void add(CLI::App& command, bool offered = true);
  /// Goes there; the model stays loaded in `model`.
  struct Place {
    Simulation& simulation;
    MotionPoint point;
  };
  Place go() const;
  /// The linear model there, with inputs of these names and outputs of these patterns.
  static LinearModel linearAt(const Place& place, const std::vector<std::string>& inputs,
                              const std::vector<std::string>& outputs);
  /// Prints what the numbers do not say.
  void printNotes(const LinearModel& linear) const;
  void printFrozen(const std::vector<std::string>& modes) const;
  void printUnfit(const Equilibrium& equilibrium) const;
};

}  // namespace cardan
