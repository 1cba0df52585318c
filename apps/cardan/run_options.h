/// The options of every command that runs a model.
#pragma once

#include <CLI/App.hpp>
#include <nlohmann/json_fwd.hpp>

#include "engine/integration/input_table.h"
#include "engine/results/run_settings.h"
#include "engine/simulation.h"

namespace cardan {

/// Start, stop, interval, tolerance and step.
void addRunOptions(CLI::App& command, RunOptions& run);

/// What these say takes the place of what `settings` do.
void putInto(const RunOptions& given, RunOptions& settings);

/// What a run of the model has with these. Throws ModelError.
RunSettings settingsOf(const ModelSource& model, const RunOptions& run);
/// The settings of a run that were stated, as files of many runs keep them.
nlohmann::ordered_json givenSettings(const RunOptions& run);

/// --input: a file that feeds inputs of the model.
struct InputOptions {
  std::string file;
  bool held = false;

  void add(CLI::App& command);
  /// Null where there is no file. Throws ResultFileError.
  std::shared_ptr<const InputTable> read() const;
};

/// Throws ModelError for a file of submodels, in which nothing would move.
void refuseLibrary(const ModelSource& model);

/// NAME.`ending` in the current folder, where the user says nothing.
std::string defaultOutput(const ModelSource& source, const std::string& ending);

}  // namespace cardan
