// cardan fit: finds parameters of a model from measurements.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/extending_model.h"
#include "apps/cardan/fit_options.h"
#include "apps/cardan/fit_report.h"
#include "apps/cardan/interruption.h"
#include "apps/cardan/run_options.h"
#include "apps/cosimulation/types.h"
#include "engine/fit/fit.h"
#include "engine/model_file/model_source.h"
#include "engine/results/output_file.h"
#include "engine/study/sampling.h"

namespace cardan {
namespace {

constexpr const char* kFitFooter =
    R"(Finds the values of parameters for which the model comes closest to what was measured, by the sum of
squares over all values of all runs, each by its standard deviation. The search begins at the model's values
(or -p NAME=START) and stays within bounds. Its derivatives are sensitivities, exact through events; where a
model has none they are differences of runs, which the report says.

A file of data has the time first, then columns by the names of variables, in other units where the header
says so ("j1.phi [deg]"); gaps are left out. Columns that are inputs of the model feed it. Runs end with the
last value. Of signals without +-SIGMA the standard deviation is estimated, one for each variable.

Examples:
  cardan fit pendulum.yaml --data swing.csv -p friction -p L=0.3..0.8 -o fitted.yaml --report fit.html
  cardan fit arm.yaml --data a.csv --data b.csv -p motor.k -p time_shift=-0.1..0.1 -y 'encoder=j1.phi+-1e-4'
  cardan fit study.yaml --loss huber --multistart 20

Exit codes: 0 done, 1 nothing was found or a file could not be written, 2 the task, the model, the data or
the command line is wrong, 130 stopped by Ctrl-C (what was found so far is reported), 143, 129.)";

void checkReports(const FitOptions& o) {
  Diagnostics diagnostics;
  for (const std::string& r : o.reports) {
    if (!r.ends_with(".html") && !r.ends_with(".svg") && !r.ends_with(".json"))
      diagnostics.error({}, "a report is a .html, .svg or .json file, found '" + r + "'");
  }
  diagnostics.throwIfErrors();
  if (!o.output.empty()) checkExtensible(o.model.path, "a fitted model");
}

void protect(const FitOptions& o, const FitTask& task, std::vector<std::string> read) {
  for (const FitExperiment& e : task.experiments) read.push_back(e.file);
  if (o.model.path != "-") read.push_back(o.model.path);
  std::vector<WrittenFile> written;
  if (!o.output.empty()) written.push_back({o.output, "the fitted model '" + o.output + "'"});
  for (const std::string& r : o.reports) written.push_back({r, "the report '" + r + "'"});
  protectFiles(written, read);
}

int runFit(const FitOptions& o) {
  using Clock = std::chrono::steady_clock;
  checkReports(o);
  Diagnostics diagnostics, warnings;
  FitTask task = o.task(diagnostics);
  diagnostics.throwIfErrors();
  const ModelTree tree(task.modelFile, o.model, warnings);
  const Simulation nominal = tree.load(task.overrides);
  refuseLibrary(nominal.source());
  warnings.add(nominal.warnings());
  if (task.name.empty()) task.name = nominal.source().name;
  protect(o, task, sourcesOf(nominal.source()));
  Fit fit(
      task, [&](const Overrides& overrides) { return tree.load(overrides); }, allTypes());
  if (!o.quiet) {
    printMessages(warnings.format());
    for (const std::string& w : fit.warnings()) printMessages("warning: " + w);
  }
  const Interruption interruption;
  const Sampling sampling(SamplingMethod::latin, static_cast<int>(fit.start().size()),
                          std::max(1L, task.starts - 1), task.seed, false);
  const bool shows = !o.quiet && isatty(STDERR_FILENO) != 0;
  auto next = Clock::now();
  const FitResult result =
      fit.run([&](long k, int dimension) { return sampling(k - 1, dimension); },
              [&](const Fit::Progress& p) {
                if (shows && Clock::now() >= next) {
                  printProgress(fmt::format("\r\033[Kstart {} of {}, iteration {}: {:.6g}",
                                            p.start + 1, task.starts, p.iteration, p.cost));
                  next = Clock::now() + std::chrono::milliseconds(200);
                }
                return !interruption.wished();
              });
  if (shows) printProgress("\r\033[K");
  if (!o.quiet) printOutput(fitText(task, result));
  if (!o.output.empty()) writeTextFile(o.output, fittedModel(task, result, o.output));
  for (const std::string& r : o.reports) {
    writeTextFile(r, r.ends_with(".json")  ? fitJson(task, result)
                     : r.ends_with(".svg") ? fitSvg(task, result)
                                           : fitPage(task, result));
  }
  if (interruption.wished()) return interruption.exitCode();
  return isFound(result.search.stop) ? kDone : kFailed;
}

}  // namespace

CommandRun addFit(CLI::App& app) {
  auto o = std::make_shared<FitOptions>();
  o->add(app);
  app.footer(kFitFooter);
  return [o] { return runFit(*o); };
}

}  // namespace cardan
