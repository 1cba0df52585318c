#include "apps/cardan/run_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cardan/model_options.h"

namespace cardan {

void addRunOptions(CLI::App& command, RunOptions& run) {
  auto number = [&](const char* name, std::optional<double>& x, const char* unit,
                    const std::string& text, const CLI::Validator& rule) {
    command.add_option(name, x, text)->type_name(unit)->check(rule);
  };
  number("--start-time", run.startTime, "S", "start (default: as the model says, else 0)",
         finiteNumber());
  number("--stop-time", run.stopTime, "S",
         "end (default: as the model says, else 1 s after its start)", finiteNumber());
  number("--output-interval", run.outputInterval, "S",
         "time between rows (default: as the model says, else a 500th of the run)",
         positiveNumber());
  number("--tolerance", run.tolerance, "X",
         fmt::format("relative tolerance of the integration (default: as the model\n"
                     "says, else {})",
                     SimulationSettings().tolerance),
         positiveNumber());
  number("--maximum-step", run.maximumStep, "S", "longest step (default: a fiftieth of the run)",
         positiveNumber());
  addIntegrator(command, run.integrator);
}

void refuseLibrary(const ModelSource& model) {
  if (!model.isLibrary()) return;
  Diagnostics diagnostics;
  diagnostics.error({model.file, 0, 0},
                    fmt::format("a library file cannot be run: it defines {} and no model",
                                fmt::join(model.submodels, ", ")));
  diagnostics.throwIfErrors();
}

std::string defaultOutput(const Model& model, const std::string& ending) {
  std::string name = model.description().name;
  std::replace(name.begin(), name.end(), '/', '_');
  return name + ending;
}

}  // namespace cardan
