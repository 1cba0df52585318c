#include "apps/studio/worker/shown_study.h"

#include <utility>

#include "apps/cardan/model_options.h"
#include "apps/cardan/sweep_run.h"
#include "apps/cosimulation/types.h"
#include "engine/fit/fit.h"
#include "engine/fit/fit_task.h"
#include "engine/optimum/optimum_runs.h"
#include "engine/results/result_table.h"
#include "engine/sensitivities/sensitivities.h"
#include "engine/study/plan.h"

namespace cardan::studio {
namespace {

ShownStudy readSweep(const YamlNode& root, const std::string& file, Diagnostics& messages) {
  const Study study = Study::read(root, file, messages);
  messages.throwIfErrors();
  study.check(messages);
  const Plan plan(study, messages);
  messages.throwIfErrors();
  const SweepModel tried(study, plan, {});
  return {"sweep", plan.runs(), study.modelFile, study.overrides, study.settings};
}

ShownStudy readFit(const YamlNode& root, const std::string& file, Diagnostics& messages) {
  const FitTask task = FitTask::read(root, file, messages);
  messages.throwIfErrors();
  const ModelTree tree(task.modelFile, {}, messages);
  try {
    const Fit tried(
        task, [&](const Overrides& overrides) { return tree.load(overrides); }, allTypes());
    for (const std::string& w : tried.warnings()) messages.warning(root.mark(), w);
  } catch (const ResultFileError& e) {
    messages.error(root.mark(), e.what());
    messages.throwIfErrors();
  }
  return {"fit", 0, task.modelFile, task.overrides, task.experiments.front().settings};
}

ShownStudy readOptimum(const YamlNode& root, const std::string& file, Diagnostics& messages) {
  const OptimumTask task = OptimumTask::read(root, file, messages);
  messages.throwIfErrors();
  task.check(messages);
  messages.throwIfErrors();
  const DerivativeTools derivatives = derivativeTools(allTypes());
  ModelTree tree(task.modelFile, {}, messages);
  const OptimumRuns tried(task, allTypes(), std::move(tree.root), std::move(tree.files),
                          derivatives);
  return {"optimize", 0, task.modelFile, task.overrides, task.settings};
}

}  // namespace

std::optional<YamlNode> studyTree(const std::string& text, const std::string& file) {
  // The words are looked for before anything is parsed: most texts are models.
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (!has("study") && !has("model_file")) return std::nullopt;
  Diagnostics ignored;
  auto root = parseYaml(text, file, ignored);
  if (!root || ignored.errorCount() > 0 || !Study::isStudy(*root)) return std::nullopt;
  return root;
}

std::optional<ShownStudy> ShownStudy::read(const std::string& text, const std::string& file,
                                           Diagnostics& messages) {
  const auto root = studyTree(text, file);
  if (!root) return std::nullopt;
  const auto reader = OptimumTask::isOptimum(*root) ? readOptimum
                      : FitTask::isFit(*root)       ? readFit
                                                    : readSweep;
  Diagnostics own;
  ShownStudy study = reader(*root, file, own);
  messages.add(own);
  return study;
}

}  // namespace cardan::studio
