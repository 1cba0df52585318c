#include "apps/cardan/fit_options.h"

#include <fmt/format.h>

#include "apps/cardan/run_options.h"
#include "apps/cosimulation/types.h"

namespace cardan {

void FitOptions::add(CLI::App& command) {
  const auto several = [&](const char* name, std::vector<std::string>& texts, const char* type,
                           const std::string& help) {
    command.add_option(name, texts, help)->type_name(type)->allow_extra_args(false);
  };
  command
      .add_option("STUDY|MODEL", model.path,
                  "study with a section 'fit', model file (YAML; - is standard\n"
                  "input), Modelica file (.mo) or robot (.urdf, .xml)")
      ->required()
      ->type_name("");
  several("--set", model.overrides, "NAME=VALUE", "value of a parameter in all runs (repeatable)");
  several("--data", data, "FILE", "what was measured in a run: CSV, the time first (repeatable)");
  several("-p,--parameter", parameters, "NAME[=BOUNDS]",
          "parameter to be found, named as in --set: L, L=0.3..0.8, L=0.5:0.3..0.8 (start\n"
          "and bounds), j1.phi.start, time_shift (repeatable)");
  several("-y,--signal", signals, "SIGNAL",
          "variable that was measured: j1.phi, or COLUMN=VARIABLE; +-SIGMA behind it where\n"
          "its standard deviation is known (default: all columns that are results)");
  command
      .add_option("--loss", loss, "what residuals cost: linear (default), soft_l1, huber, cauchy")
      ->type_name("NAME")
      ->check(CLI::IsMember(lossWords()).description(""));
  command
      .add_option("--loss-scale", lossScale,
                  "from where on a loss is milder, in standard deviations (default: 1)")
      ->type_name("X")
      ->check(positiveNumber());
  command.add_option("--multistart", starts, "searches, all over the bounds (default: 1)")
      ->type_name("N")
      ->check(wholeNumberWithin(1, 1e6));
  command.add_option("--seed", seed, "of the further starts (default: 1)")
      ->type_name("N")
      ->check(wholeNumberWithin(0, 9007199254740992.0));
  command.add_option("--confidence", confidence, "of the intervals (default: 0.95)")
      ->type_name("X")
      ->check(numberWithin(0.01, 0.999999));
  command.add_flag("--hold-input", held, "inputs keep their value until the next row");
  command.add_option("--class", model.modelica.className, "of a Modelica file: the class to run")
      ->type_name("NAME");
  addModelicaOptions(command, model.modelica);
  addRobotOptions(command, model.robot);
  addRunOptions(command, run);
  command.add_option("-o,--output-file", output, "the fitted model: a file that extends the model")
      ->type_name("FILE");
  several("--report", reports, "FILE",
          "of the fit: .html, .svg (data, fit, residuals) or .json (repeatable)");
  command.add_flag("-q,--quiet", quiet, "print errors only");
}

FitTask FitOptions::task(Diagnostics& diagnostics) const {
  FitTask t;
  const auto root = model.tree();
  if (root && FitTask::isFit(*root)) {
    t = FitTask::read(*root, model.path, diagnostics);
  } else {
    t.modelFile = model.path;
  }
  t.overrides.insert(t.overrides.end(), model.overrides.begin(), model.overrides.end());
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

ModelTree::ModelTree(const std::string& path, const ModelOptions& options, Diagnostics& warnings) {
  Diagnostics diagnostics;
  if (const auto imported = options.import(path, warnings)) {
    root = imported->tree();
    files = imported->files;
    return;
  }
  const bool fromStandardInput = path == "-";
  files = {fromStandardInput ? kStandardInput : path};
  auto tree = fromStandardInput ? parseYaml(readStandardInput(), kStandardInput, diagnostics)
                                : readYaml(path, diagnostics);
  diagnostics.throwIfErrors();
  root = std::move(*tree);
}

Simulation ModelTree::load(const Overrides& overrides) const {
  return Simulation::fromTree(allTypes(), root, files, overrides);
}

}  // namespace cardan
