#include "apps/cardan/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "engine/model_file/model_source.h"
#include "engine/results/result_table.h"

namespace cardan {

void addRunOptions(CLI::App& command, RunOptions& run) {
  addOption(command, "--start-time", run.startTime, "S",
            "start (default: as the model says, else 0)", finiteNumber());
  addOption(command, "--stop-time", run.stopTime, "S",
            "end (default: as the model says, else 1 s after its start)", finiteNumber());
  addOption(command, "--output-interval", run.outputInterval, "S",
            "time between rows (default: as the model says, else a 500th of the run)",
            positiveNumber());
  addOption(command, "--tolerance", run.tolerance, "X",
            fmt::format("relative tolerance of the integration (default: as the model\n"
                        "says, else {})",
                        SimulationSettings().tolerance),
            positiveNumber());
  addOption(command, "--maximum-step", run.maximumStep, "S",
            "longest step (default: the run, or where time itself\nmoves the model a tenth of it)",
            positiveNumber());
  addIntegrator(command, run.integrator);
  addChoice(command, "--impact", run.impact,
            "law of impact of rigid surfaces: moreau, newton or poisson; default: as the\nmodel "
            "says, else moreau");
  addOption(command, "--step", run.step, "S", "length of all steps of the integrator 'stepping'",
            positiveNumber());
}

void putInto(const RunOptions& given, RunOptions& settings) {
  const auto put = [](const auto& x, auto& in) {
    if (x) in = x;
  };
  put(given.startTime, settings.startTime);
  put(given.stopTime, settings.stopTime);
  put(given.outputInterval, settings.outputInterval);
  put(given.tolerance, settings.tolerance);
  put(given.maximumStep, settings.maximumStep);
  put(given.integrator, settings.integrator);
  put(given.impact, settings.impact);
  put(given.step, settings.step);
}

nlohmann::ordered_json givenSettings(const RunOptions& s) {
  auto settings = nlohmann::ordered_json::object();
  const auto set = [&](const char* key, const std::optional<double>& x) {
    if (x) settings[key] = *x;
  };
  set("startTime", s.startTime);
  set("stopTime", s.stopTime);
  set("outputInterval", s.outputInterval);
  set("tolerance", s.tolerance);
  set("maximumStep", s.maximumStep);
  set("step", s.step);
  if (s.integrator) settings["integrator"] = word(*s.integrator);
  if (s.impact) settings["impact"] = word(*s.impact);
  return settings;
}

RunSettings settingsOf(const ModelSource& model, const RunOptions& run) {
  Diagnostics diagnostics;
  RunSettings settings = RunSettings::of(model.simulation, run, diagnostics);
  diagnostics.throwIfErrors();
  return settings;
}

void InputOptions::add(CLI::App& command) {
  CLI::Option* const option =
      addOption(command, "--input", file, "FILE",
                "inputs over time (CSV: time, then a column for each, by its name);\n"
                "straight between the rows, two rows of one time are a jump");
  command.add_flag("--hold-input", held, "inputs keep their value until the next row")
      ->needs(option);
}

std::shared_ptr<const InputTable> InputOptions::read() const {
  if (file.empty()) return nullptr;
  const ResultTable result = ResultTable::read(file);
  if (result.time.empty()) throw ResultFileError(file + ": error: it has no rows");
  result.checkNames(file);
  auto table = std::make_shared<InputTable>();
  table->file = file;
  table->time = result.time;
  table->names = result.names();
  for (const std::string& name : table->names) table->values.push_back(*result.find(name));
  table->held = held;
  return table;
}

void refuseLibrary(const ModelSource& model) {
  if (!model.isLibrary()) return;
  refuse(fmt::format("a library file cannot be run: it defines {} and no model",
                     fmt::join(model.submodels, ", ")),
         {model.file});
}

std::string defaultOutput(const ModelSource& source, const std::string& ending) {
  std::string name = source.name;
  std::replace(name.begin(), name.end(), '/', '_');
  return name + ending;
}

}  // namespace cardan
