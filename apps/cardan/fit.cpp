// cardan fit: finds parameters of a model from measurements.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/extending_model.h"
#include "apps/cardan/fit_report.h"
#include "apps/cardan/interruption.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/report_page.h"
#include "apps/cardan/run_options.h"
#include "apps/cosimulation/types.h"
#include "engine/fit/fit.h"
#include "engine/fit/fit_task.h"
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

struct FitOptions {
  ModelOptions model;  ///< path: of the study or the model
  std::vector<std::string> data, parameters, signals;
  std::string loss, output;
  std::vector<std::string> reports;
  std::optional<double> lossScale, confidence, starts, seed;
  RunOptions run;
  bool held = false, quiet = false;

  void add(CLI::App& command);
  /// The task of the file, with what the command line says on top. What is wrong goes to
  /// `diagnostics`.
  FitTask task(Diagnostics& diagnostics) const;
};

void FitOptions::add(CLI::App& command) {
  model
      .addStudy(command,
                "study with a section 'fit', model file (YAML; - is standard\n"
                "input), Modelica file (.mo) or robot (.urdf, .xml)")
      ->required();
  addRepeatable(command, "--data", data, "FILE",
                "what was measured in a run: CSV, the time first (repeatable)");
  addRepeatable(command, "-p,--parameter", parameters, "NAME[=BOUNDS]",
                "parameter to be found, named as in --set: L, L=0.3..0.8, L=0.5:0.3..0.8 (start\n"
                "and bounds), j1.phi.start, time_shift (repeatable)");
  addRepeatable(command, "-y,--signal", signals, "SIGNAL",
                "variable that was measured: j1.phi, or COLUMN=VARIABLE; +-SIGMA behind it where\n"
                "its standard deviation is known (default: all columns that are results)");
  addOption(command, "--loss", loss, "NAME",
            "what residuals cost: linear (default), soft_l1, huber, cauchy",
            CLI::IsMember(lossWords()).description(""));
  addOption(command, "--loss-scale", lossScale, "X",
            "from where on a loss is milder, in standard deviations (default: 1)",
            positiveNumber());
  addOption(command, "--multistart", starts, "N", "searches, all over the bounds (default: 1)",
            wholeNumberWithin(1, 1e6));
  addOption(command, "--seed", seed, "N", "of the further starts (default: 1)",
            wholeNumberWithin(0, 9007199254740992.0));
  addOption(command, "--confidence", confidence, "X", "of the intervals (default: 0.95)",
            numberWithin(0.01, 0.999999));
  command.add_flag("--hold-input", held, "inputs keep their value until the next row");
  model.addFormats(command);
  addRunOptions(command, run);
  addOption(command, "-o,--output-file", output, "FILE",
            "the fitted model: a file that extends the model");
  addRepeatable(command, "--report", reports, "FILE",
                "of the fit: .html, .svg (data, fit, residuals) or .json (repeatable)");
  command.add_flag("-q,--quiet", quiet, "print errors only");
}

FitTask FitOptions::task(Diagnostics& diagnostics) const {
  FitTask t = model.task<FitTask>(FitTask::isFit, diagnostics);
  for (const std::string& file : data) t.addData(file, {"--data " + file, 0, 0});
  for (const std::string& p : parameters) t.addParameter(p, {"-p " + p, 0, 0}, diagnostics);
  for (const std::string& s : signals) t.addSignal(s, {"-y " + s, 0, 0}, diagnostics);
  if (!loss.empty()) t.loss = *lossOf(loss);
  t.lossScale = lossScale.value_or(t.lossScale);
  t.confidence = confidence.value_or(t.confidence);
  if (starts) t.starts = static_cast<long>(*starts);
  if (seed) t.seed = static_cast<std::uint64_t>(*seed);
  for (FitExperiment& e : t.experiments) {
    e.held = e.held || held;
    putInto(run, e.settings);
  }
  return t;
}

void protect(const FitOptions& o, const FitTask& task, std::vector<std::string> read) {
  for (const FitExperiment& e : task.experiments) read.push_back(e.file);
  read.push_back(o.model.path);
  std::vector<WrittenFile> written{{o.output, "the fitted model"}};
  for (const std::string& r : o.reports) written.push_back({r, "the report"});
  protectFiles(written, read);
}

int runFit(const FitOptions& o) {
  checkReports(o.reports);
  if (!o.output.empty()) checkExtensible(o.model.path, "a fitted model");
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
  RewrittenLine line(!o.quiet);
  const FitResult result =
      fit.run([&](long k, int dimension) { return sampling(k - 1, dimension); },
              [&](const Fit::Progress& p) {
                line.show([&] {
                  return fmt::format("start {} of {}, iteration {}: {:.6g}", p.start + 1,
                                     task.starts, p.iteration, p.cost);
                });
                return !interruption.wished();
              });
  line.clear();
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
