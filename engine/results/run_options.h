/// RunOptions: how to run a model, where it is not to be as its file says.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/model_file/simulation_settings.h"

namespace cardan {

class RowWatch;
class RunCompanion;
struct InputTable;
struct SavedState;

/// Where a run starts, in the place of the model file's start values.
struct StartPoint {
  std::string file;    ///< for messages
  double time = 0;     ///< [s]
  bool isRow = false;  ///< of a result; else all unknowns there
  std::vector<std::string> names;
  std::vector<double> values;
};

/// How to run; what is not given is as the model file says.
struct RunOptions {
  std::optional<double> startTime = {};       ///< [s]
  std::optional<double> stopTime = {};        ///< [s]
  std::optional<double> outputInterval = {};  ///< [s]
  /// [s] Rows at these times, at the start and at the stop, and not at even intervals; in any order,
  /// those outside the run have none.
  std::vector<double> outputTimes = {};
  std::optional<double> tolerance = {};    ///< [1]  relative, of the local error
  std::optional<double> maximumStep = {};  ///< [s]
  std::optional<IntegratorChoice> integrator = {};
  std::optional<double> step = {};  ///< [s]  of IntegratorChoice::stepping
  std::optional<ImpactLaw> impact = {};
  std::vector<std::string> outputs = {};  ///< names or globs
  /// A row before and one after each event, at the same time: results may jump there, and who reads them
  /// takes two rows of one time as a jump. Of an event at the end of the run, and of an input that is set
  /// between two calls of advance(), one further row, as that of before is there; of the latter without
  /// event rows, too, where there is a row.
  bool eventRows = true;
  bool explainSteps = false;                    ///< what limits them, in the report
  bool timing = false;                          ///< measure the time shares in the statistics
  bool strict = false;                          ///< redundancy, contacts not kept: errors
  std::shared_ptr<const StartPoint> from = {};  ///< made consistent; begins at order one
  /// A run to go on with, bit for bit; the options must be those that it had, but for the stop time.
  std::shared_ptr<const SavedState> resume = {};
  /// [s] The run ends with the first step that reaches it; its steps are those of a run that goes on.
  std::optional<double> pauseAt = {};
  /// advance() ends at an event, with the values before it; the next call begins with what it changes.
  bool stopsAtEvents = false;
  bool saves = false;  ///< its state will be saved: an interruption waits for the end of a step
  std::shared_ptr<const InputTable> inputs = {};  ///< what feeds inputs, over time
  RowWatch* watch = nullptr;                      ///< sees every instant of which a row is written
  RunCompanion* companion = nullptr;              ///< goes along, with an integrator of its own
  /// Called now and then with the time reached; false ends the run, with the rows so far.
  std::function<bool(double time)> progress = {};
};

/// What files about many runs of a model have in common: studies, fits, searches for an optimum.
struct ModelTask {
  std::string name;
  std::string modelFile;               ///< path; "" where the file names none
  std::vector<std::string> overrides;  ///< "NAME=VALUE", of all runs
  RunOptions settings;                 ///< where they differ from the model's
};

}  // namespace cardan
