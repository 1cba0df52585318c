// cardan simulate: runs a model and writes its result.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/interruption.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/statistics.h"
#include "engine/csv_writer.h"
#include "engine/result_metadata.h"
#include "engine/solver_error.h"

namespace cardan {
namespace {

constexpr const char* kSimulateFooter =
    R"(The result is a CSV file: a quoted header, then a line for every output point, and one before and
one after each event. Beside it NAME.meta.json says units, descriptions, all parameter values, the
statistics of the run and how it ended. A run that fails or is stopped keeps the rows it has.

Examples:
  cardan simulate pendulum.yaml
  cardan simulate pendulum.yaml -o long.csv --stop-time 60 --output-interval 0.01
  cardan simulate arm.yaml --set L=0.7 --set 'revolute1.phi.start=30*deg'
  cardan simulate arm.yaml --output-variable 'r?.phi' --output-variable totalEnergy
  cardan simulate arm.yaml -o - --quiet | plot

Exit codes: 0 done, 1 the run failed, 2 the model or the command line is wrong,
130 stopped by Ctrl-C.)";

struct SimulateOptions {
  ModelOptions model;
  RunOptions run;
  std::string output;
  bool quiet = false;

  bool toStdout() const { return output == "-"; }
};

/// The file's name in the current folder, where the user says nothing.
std::string defaultOutput(const Model& model) {
  std::string name = model.description().name;
  std::replace(name.begin(), name.end(), '/', '_');
  return name + ".csv";
}

/// An output variable that hides the model file itself would be a loss.
void protectModelFile(const SimulateOptions& o) {
  std::error_code ignored;
  if (o.toStdout() || !std::filesystem::equivalent(o.output, o.model.path, ignored)) return;
  Diagnostics diagnostics;
  diagnostics.error({}, "--output-file '" + o.output + "' is the model file itself");
  diagnostics.throwIfErrors();
}

/// Nothing would move, and nothing would be in the result.
void refuseLibrary(const ModelDescription& model) {
  if (!model.isLibrary()) return;
  Diagnostics diagnostics;
  diagnostics.error({model.file, 0, 0},
                    fmt::format("a library file cannot be run: it defines {} and no model",
                                fmt::join(model.submodels, ", ")));
  diagnostics.throwIfErrors();
}

/// "DoublePendulum: 5001 rows to time = 3 s, 1234 steps in 0.012 s, in DoublePendulum.csv"
std::string summary(const Model& model, const SimulateOptions& o, const ResultMetadata& data) {
  const RunReport& r = data.report;
  std::string end;
  if (data.status.kind != RunStatus::Kind::completed) {
    end = fmt::format("{}{}{}; ", word(data.status.kind),
                      data.status.kind == RunStatus::Kind::terminated ? ": " : "",
                      data.status.kind == RunStatus::Kind::terminated ? data.status.message : "");
  }
  return fmt::format("{}: {}{} rows to time = {:.6g} s, {} steps in {:.3g} s, in {}",
                     model.description().name, end, r.rows, r.stopTime, r.integrator.steps,
                     r.initialisationSeconds + r.integrationSeconds + r.outputSeconds,
                     o.toStdout() ? "standard output" : o.output);
}

/// Runs, and says how it ended; a failed run is an end like the others.
RunStatus runToItsEnd(Simulation& simulation, CsvWriter& writer, SimulateOptions& o,
                      RunReport& report) {
  const RunSettings settings = RunSettings::of(simulation.model().description().simulation, o.run);
  const Interruption interruption;
  ProgressLine progress(settings.start, settings.stop, !o.quiet);
  o.run.progress = [&](double time) {
    progress.update(time);
    return !interruption.wished();
  };
  using Kind = RunStatus::Kind;
  try {
    report = simulation.run(writer, o.run);
  } catch (const SolverError& e) {
    report = simulation.report();
    return {Kind::failed, e.what()};
  }
  if (report.interrupted) return {Kind::interrupted, ""};
  if (!report.terminated.empty()) return {Kind::terminated, report.terminated};
  return {};
}

int simulate(SimulateOptions o) {
  Simulation simulation = o.model.load(o.quiet);
  const Model& model = simulation.model();
  refuseLibrary(model.description());
  if (o.output.empty()) o.output = defaultOutput(model);
  protectModelFile(o);

  CsvWriter writer(o.output);
  ResultMetadata data;
  data.status = runToItsEnd(simulation, writer, o, data.report);
  writer.close();
  data.settings = RunSettings::of(model.description().simulation, o.run);
  data.resultFile = o.toStdout() ? "" : std::filesystem::path(o.output).filename().string();
  data.columns = writer.columns();
  if (!o.toStdout()) writeTextFile(metadataPath(o.output), formatMetadata(model, data));

  using Kind = RunStatus::Kind;
  if (!o.quiet) {
    for (const std::string& w : data.report.warnings) printMessages("warning: " + w);
  }
  if (data.status.kind == Kind::failed) {
    printMessages(model.description().file + ": error: " + data.status.message);
  }
  if (!o.quiet) printMessages(summary(model, o, data));
  if (o.run.timing) printMessages(formatStatistics(data.report));
  if (data.status.kind == Kind::failed) return kFailed;
  return data.status.kind == Kind::interrupted ? kInterrupted : kDone;
}

}  // namespace

Command addSimulate(CLI::App& program) {
  CLI::App* app = program.add_subcommand("simulate", "run a model and write its result");
  auto o = std::make_shared<SimulateOptions>();
  o->model.add(*app);
  app->add_option("-o,--output-file", o->output,
                  "result; - is standard output (default: the model's name and .csv,\n"
                  "in the current folder)")
      ->type_name("FILE");
  const CLI::Validator finite = finiteNumber();
  auto number = [&](const char* name, std::optional<double>& x, const char* unit,
                    const char* text) {
    app->add_option(name, x, text)->type_name(unit)->check(finite);
  };
  number("--start-time", o->run.startTime, "S", "start (default: as the model says)");
  number("--stop-time", o->run.stopTime, "S", "end (default: as the model says)");
  number("--output-interval", o->run.outputInterval, "S",
         "time between rows (default: as the model says, else a 500th of the run)");
  number("--tolerance", o->run.tolerance, "X",
         "relative tolerance of the integration (default: as the model says)");
  number("--maximum-step", o->run.maximumStep, "S", "longest step (default: none)");
  app->add_option("--output-variable", o->run.outputs,
                  "name or pattern with * and ? of the results to write (repeatable);\n"
                  "default: the model's 'outputs', else all states and sensor outputs")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  app->add_flag("--stats", o->run.timing, "print what the run has cost");
  app->add_flag("--strict", o->run.strict, "redundant constraints are an error");
  app->add_flag("-q,--quiet", o->quiet, "print errors only");
  app->footer(kSimulateFooter);
  return {app, [o] { return simulate(*o); }};
}

}  // namespace cardan
