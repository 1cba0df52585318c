/// ExperimentData: what an experiment of a fit has measured, laid beside the model that it is of.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/fit/fit_task.h"
#include "engine/integration/input_table.h"
#include "engine/simulation.h"

namespace cardan {

struct Measurement;

/// Points are those of one signal after the other; rows without a value are none.
struct ExperimentData {
  struct Signal {
    std::string variable, column, unit;
    std::optional<double> sigma;
    double weight = 1;
    std::vector<double> time, measured;  ///< [s] by the measurement's clock; SI
    Eigen::Index first = 0;              ///< among all points
  };

  std::string name, file;
  Overrides overrides;        ///< of all runs, and of this one
  RunOptions settings;        ///< with its inputs
  double start = 0;           ///< [s]  of the run
  double modelTolerance = 0;  ///< [1]  of its runs, where the settings say nothing
  std::vector<Signal> signals;
  std::vector<std::string> fed;       ///< inputs of the model
  std::vector<std::string> warnings;  ///< of what was left out
  Eigen::Index points = 0;

  /// `nominal`: the model with the experiment's overrides. What is wrong goes to `diagnostics`. Throws
  /// ResultFileError.
  static ExperimentData read(const FitTask& task, const FitExperiment& experiment,
                             Simulation& nominal, Diagnostics& diagnostics);
  /// [s]  of the last point, by the measurement's clock
  double lastTime() const;

 private:
  void addSignal(const FitSignal& wanted, const Measurement& data, Simulation& nominal,
                 Diagnostics& diagnostics);
};

}  // namespace cardan
