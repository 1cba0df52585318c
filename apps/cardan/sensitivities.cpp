// cardan sensitivities: a run, and what its results do with parameters of the model.
#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/result_files.h"
#include "apps/cardan/run_options.h"
#include "apps/cardan/run_to_end.h"
#include "apps/cosimulation/types.h"
#include "engine/model_file/model_source.h"
#include "engine/results/result_table.h"
#include "engine/sensitivities/sensitivities.h"

namespace cardan {
namespace {

constexpr const char* kSensitivitiesFooter =
    R"(Writes the results of the run, and behind them d(y)/d(p): by how much each of them changes at
its time for a small change of a parameter, per unit of it. The derivatives are integrated beside the
model with the same tolerance, and go through events, whose times move with the parameters.
Parameters are named as in --set: those of the model and of its components, start values too.

Examples:
  cardan sensitivities pendulum.yaml -p L -y j1.phi
  cardan sensitivities arm.yaml -p boxBody1.width -p 'boxBody1.r[1]' -y 'tip.r_0[*]' -o arm.csv
  cardan sensitivities pendulum.yaml -p j1.phi.start --stop-time 10 --tolerance 1e-10

Exit codes: 0 done, 1 the run failed or passes an event without derivative, 2 the model or the
command line is wrong, 130 stopped by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.)";

struct SensitivitiesOptions {
  ModelOptions model;
  RunOptions run;
  InputOptions input;
  std::vector<std::string> parameters, outputs;
  std::string output;
  bool gridOnly = false;
  bool quiet = false;
};

int sensitivities(SensitivitiesOptions o) {
  Simulation& simulation = o.model.load(o.quiet);
  const ModelSource& model = simulation.source();
  refuseLibrary(model);
  if (o.output.empty()) o.output = defaultOutput(model, ".sensitivities.csv");
  o.run.eventRows = !o.gridOnly;
  o.run.inputs = o.input.read();
  const RunSettings settings = settingsOf(model, o.run);
  std::vector<std::string> read = sourcesOf(model);
  read.push_back(o.input.file);
  protectFiles(filesOfResult(o.output), read);
  Diagnostics said;
  const ModelTree tree(o.model.path, o.model, said);
  const auto load = [&](const Overrides& more) {
    Overrides all = o.model.overrides;
    all.insert(all.end(), more.begin(), more.end());
    return tree.load(all);
  };
  Sensitivities of(simulation, load, o.parameters, o.outputs, allTypes());

  ResultFiles files(simulation, settings, o.output, "");
  const FiledRun filed{simulation, settings, o.output, o.quiet};
  RunReport report;
  const RunStatus status = runToItsEnd(
      filed, files, o.run, [&] { return of.run(files, o.run); }, report);
  if (!o.quiet) {
    for (const std::string& w : of.warnings()) printMessages("warning: " + w);
  }
  printEnd(filed, status, report);
  using Kind = RunStatus::Kind;
  if (status.kind == Kind::failed) return kFailed;
  return status.kind == Kind::interrupted ? files.interruption()->exitCode() : kDone;
}

}  // namespace

CommandRun addSensitivities(CLI::App& app) {
  auto o = std::make_shared<SensitivitiesOptions>();
  o->model.add(app);
  addRepeatable(app, "-p,--parameter", o->parameters, "NAME",
                "parameter, named as in --set (repeatable)")
      ->required();
  addPatterns(app, "-y,--output-variable", o->outputs,
              "names or patterns of the results (repeatable, or separated by ;); default: "
              "the\nmodel's 'outputs', else all states and sensor outputs");
  addOption(app, "-o,--output-file", o->output, "FILE",
            "result; - is standard output (default: the model's name and\n"
            ".sensitivities.csv, in the current folder)");
  addRunOptions(app, o->run);
  o->input.add(app);
  app.add_flag("--no-event-rows", o->gridOnly,
               "rows on the output grid only, none before and after events");
  app.add_flag("-q,--quiet", o->quiet, "print errors only");
  app.footer(kSensitivitiesFooter);
  return [o] { return sensitivities(*o); };
}

}  // namespace cardan
