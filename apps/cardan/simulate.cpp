// cardan simulate: runs a model and writes its result.
#include <fmt/format.h>

#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/picture_files.h"
#include "apps/cardan/result_files.h"
#include "apps/cardan/run_options.h"
#include "apps/cardan/run_to_end.h"
#include "apps/cardan/start_files.h"
#include "apps/cardan/statistics.h"
#include "apps/cardan/why.h"
#include "engine/model_file/model_source.h"
#include "engine/results/result_table.h"

namespace cardan {
namespace {

constexpr const char* kSimulateFooter =
    R"(The result is a CSV file: a quoted header, then a line for every output point, and one before and
one after each event. Beside it NAME.meta.json says units, descriptions, all parameter values, the
statistics of the run, its events and how it ended: completed, terminated (by the model), interrupted,
failed; "running" until then, also after the process was killed. A run that fails or is stopped keeps
the rows it has. The file is taken by one run at a time.

Patterns: * stands for any characters of one name, ? for one of them, ** goes on across dots, and a !
before a name or pattern takes away what it names.

Examples:
  cardan simulate pendulum.yaml
  cardan simulate pendulum.yaml -o long.csv --stop-time 60 --output-interval 0.01
  cardan simulate arm.yaml --set L=0.7 --set 'revolute1.phi.start=30*deg'
  cardan simulate arm.yaml --output-variable 'r?.phi' --output-variable totalEnergy
  cardan simulate arm.yaml --output-variable 'arm.**' --output-variable '!**.frame_b.*'
  cardan simulate arm.yaml --input torques.csv --hold-input
  cardan equilibrium arm.yaml -o rest.json && cardan simulate arm.yaml --start rest.json
  cardan simulate arm.yaml -o first.csv --save-state arm.state --save-at 2
  cardan simulate arm.yaml -o rest.csv --start arm.state
  cardan simulate arm.yaml -o - --quiet | plot
  generate | cardan simulate - -o generated.csv

Exit codes: 0 done, 1 the run failed or a file could not be written, 2 the model or the command line is
wrong, 130 stopped by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.)";

struct SimulateOptions {
  ModelOptions model;
  RunOptions run;
  InputOptions input;
  StartOptions start;
  std::string output, events;
  PictureChoice picture;  ///< --animate
  bool gridOnly = false;
  bool quiet = false;
};

/// No file of the model is lost to its result.
void protectModel(const SimulateOptions& o, const ModelSource& model) {
  std::vector<WrittenFile> written = filesOfResult(o.output);
  written.insert(
      written.end(),
      {{o.events, "--events"}, {o.picture.output, "--animate"}, {o.start.save, "--save-state"}});
  std::vector<std::string> read = sourcesOf(model);
  read.insert(read.end(), {o.input.file, o.start.start});
  protectFiles(written, read);
}

int simulate(SimulateOptions o) {
  Simulation& simulation = o.model.load(o.quiet);
  const ModelSource& model = simulation.source();
  refuseLibrary(model);
  if (o.output.empty()) o.output = defaultOutput(model, ".csv");
  o.run.eventRows = !o.gridOnly;
  o.run.inputs = o.input.read();
  o.start.applyTo(o.run);
  const RunSettings settings = settingsOf(model, o.run);
  protectModel(o, model);
  std::shared_ptr<PictureRecorder> picture;
  if (!o.picture.output.empty()) {
    requireWhole("--animate");
    o.picture.check();
    picture = o.picture.recorder(simulation, settings);
  }

  ResultFiles files(simulation, settings, o.output, o.events);
  const FiledRun filed{simulation, settings, o.output, o.quiet};
  RunReport report;
  const RunStatus status = runToItsEnd(
      filed, files, o.run,
      [&] {
        if (!picture) return simulation.run(files, o.run);
        TwoSinks both(files, *picture);
        o.run.watch = picture.get();
        return simulation.run(both, o.run);
      },
      report);

  if (picture && report.rows > 0) o.picture.write(*picture, o.quiet);
  printEnd(filed, status, report);
  using Kind = RunStatus::Kind;
  if (o.run.timing) printMessages(formatStatistics(report));
  if (report.explanation) printMessages(whyText(*report.explanation));
  if (status.kind == Kind::failed) return kFailed;
  if (status.kind != Kind::terminated) o.start.write(simulation, o.run);
  return status.kind == Kind::interrupted && !report.paused ? files.interruption()->exitCode()
                                                            : kDone;
}

}  // namespace

CommandRun addSimulate(CLI::App& app) {
  auto o = std::make_shared<SimulateOptions>();
  o->model.add(app);
  addOption(app, "-o,--output-file", o->output, "FILE",
            "result; - is standard output (default: the model's name and .csv,\n"
            "in the current folder)");
  addRunOptions(app, o->run);
  o->input.add(app);
  o->start.add(app);
  addPatterns(app, "--output-variable", o->run.outputs,
              "names or patterns of the results to write (repeatable, or separated by ;); "
              "default:\nthe model's 'outputs', else all states and sensor outputs");
  app.add_flag("--no-event-rows", o->gridOnly,
               "rows on the output grid only, none before and after events");
  addOption(app, "--events", o->events, "FILE",
            "write the events, too (CSV: time and what switched, a line for each)");
  addOption(app, "--animate", o->picture.output, "FILE",
            "write a moving picture, too (.html, .glb or .png; see cardan animate)");
  app.add_flag("--stats", o->run.timing, "print what the run has cost");
  app.add_flag("--why", o->run.explainSteps,
               "print what limits the steps, and what to do about it");
  app.add_flag("--strict", o->run.strict,
               "redundant constraints are an error, and laws of contact that cannot be kept");
  app.add_flag("-q,--quiet", o->quiet, "print errors only");
  app.footer(kSimulateFooter);
  return [o] { return simulate(*o); };
}

}  // namespace cardan
