/// RunOptions and RunSettings: how to run, and the settings a run really has, the model file's with
/// the options on top.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/model_file/model_source.h"
#include "engine/results/output_grid.h"
#include "engine/text/diagnostics.h"

namespace cardan {

class RowWatch;

/// How to run; what is not given is as the model file says.
struct RunOptions {
  std::optional<double> startTime = {};       ///< [s]
  std::optional<double> stopTime = {};        ///< [s]
  std::optional<double> outputInterval = {};  ///< [s]
  std::optional<double> tolerance = {};       ///< [1]  relative, of the local error
  std::optional<double> maximumStep = {};     ///< [s]
  std::optional<IntegratorChoice> integrator = {};
  std::vector<std::string> outputs = {};  ///< names or globs
  bool eventRows = true;                  ///< a row before and one after each event
  bool timing = false;                    ///< measure the time shares in the statistics
  bool strict = false;                    ///< redundant constraints are an error (ModelError)
  RowWatch* watch = nullptr;              ///< sees every instant of which a row is written
  /// Called now and then with the time reached; false ends the run, with the rows so far.
  std::function<bool(double time)> progress = {};
};

struct RunSettings {
  double start = 0, stop = 1;         ///< [s]
  double interval = 0;                ///< [s]  between rows
  double tolerance = 0;               ///< [1]  relative
  std::optional<double> maximumStep;  ///< [s]  none: as the integrator likes
  IntegratorChoice integrator = IntegratorChoice::ida;
  SourceMark integratorAt;  ///< where the file says so, if it does
  OutputGrid grid;

  /// Reports what makes no run: a stop before the start, an interval, tolerance or step that is not
  /// positive, rows without end.
  static RunSettings of(const SimulationSettings& file, const RunOptions& options,
                        Diagnostics& diagnostics);
};

}  // namespace cardan
