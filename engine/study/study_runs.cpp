#include "engine/study/study_runs.h"

#include <utility>

#include "engine/simulation.h"
#include "engine/study/plan.h"
#include "engine/study/study_model.h"

namespace cardan {
namespace {

Study readStudy(const std::string& path, Diagnostics& diagnostics) {
  const auto root = readYaml(path, diagnostics);
  diagnostics.throwIfErrors();
  if (!Study::isStudy(*root)) {
    diagnostics.error(root->mark(), "no study: neither 'study' nor 'model_file' is there");
    diagnostics.throwIfErrors();
  }
  Study study = Study::read(*root, path, diagnostics);
  if (diagnostics.errorCount() == 0) study.check(diagnostics);
  return study;
}

StudyModel readModel(const Study& study, const Plan& plan, const Catalogue& catalogue,
                     const ModelFormats& formats, Diagnostics& diagnostics) {
  diagnostics.throwIfErrors();
  if (auto imported = importedModel(catalogue, formats, study.modelFile, diagnostics))
    return {study, plan, catalogue, imported->tree(), std::move(imported->files)};
  auto tree = readYaml(study.modelFile, diagnostics);
  diagnostics.throwIfErrors();
  return {study, plan, catalogue, std::move(*tree), {study.modelFile}};
}

}  // namespace

struct StudyRuns::Parts {
  Parts(const Catalogue& catalogue, const ModelFormats& formats, const std::string& path)
      : study(readStudy(path, diagnostics)),
        plan(study, diagnostics),
        model(readModel(study, plan, catalogue, formats, diagnostics)) {
    Simulation nominal = model.nominal();
    diagnostics.add(nominal.warnings());
    model.tryOut(nominal);
  }

  Diagnostics diagnostics;
  const Study study;
  const Plan plan;
  StudyModel model;
};

StudyRuns::StudyRuns(const Catalogue& catalogue, const ModelFormats& formats,
                     const std::string& path)
    : parts_(new Parts(catalogue, formats, path)) {}

StudyRuns::~StudyRuns() = default;

long StudyRuns::count() const { return parts_->plan.runs(); }

const std::vector<std::string>& StudyRuns::parameters() const { return parts_->plan.parameters(); }

std::vector<std::string> StudyRuns::values(long run) const { return parts_->plan.values(run); }

const std::vector<std::string>& StudyRuns::kept() const { return parts_->model.results(); }

const Diagnostics& StudyRuns::warnings() const { return parts_->diagnostics; }

std::vector<std::optional<double>> StudyRuns::run(long run) const {
  Simulation simulation = parts_->model.load(run);
  ReducedRun reduced(parts_->study.kept);
  simulation.run(reduced, parts_->study.settings);
  return parts_->model.kept(simulation, reduced);
}

}  // namespace cardan
