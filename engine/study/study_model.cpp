#include "engine/study/study_model.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "engine/model_file/model_source.h"
#include "engine/model_parts.h"
#include "engine/motion_point.h"
#include "engine/results/run_settings.h"
#include "engine/text/imported_model.h"

namespace cardan {
namespace {

/// The value of a key at the top of a file, made if it is not there or empty.
YamlNode& section(YamlNode& root, const std::string& key, YamlNode::Kind kind) {
  const auto entry = std::ranges::find(root.entries, key, &YamlNode::Entry::key);
  if (entry != root.entries.end()) {
    if (entry->value.isNull()) entry->value.kind = kind;
    return entry->value;
  }
  YamlNode::Entry added;
  added.key = key;
  added.value.kind = kind;
  added.value.file = root.file;
  root.entries.push_back(std::move(added));
  return root.entries.back().value;
}

/// What is kept becomes variables and outputs of the model.
YamlNode withKept(const Study& study, YamlNode tree) {
  if (!tree.isMap()) return tree;
  YamlNode outputs;
  outputs.kind = YamlNode::Kind::sequence;
  outputs.file = tree.file;
  for (const StudyVariable& v : study.kept.variables()) {
    YamlNode& variables = section(tree, "variables", YamlNode::Kind::map);
    YamlNode::Entry entry;
    entry.key = v.name;
    entry.keyLine = v.at.line;
    entry.keyColumn = v.at.column;
    entry.value = textNode(v.text, v.at);
    if (variables.isMap()) variables.entries.push_back(std::move(entry));
    outputs.items.push_back(textNode(v.name, v.at));
  }
  for (const OutputPattern& p : study.trajectories)
    outputs.items.push_back(textNode(p.pattern, p.at));
  section(tree, "outputs", YamlNode::Kind::sequence) = std::move(outputs);
  return tree;
}

std::map<std::string, ExpressionValue> parametersOf(const Simulation& simulation) {
  const ModelParts model(simulation);
  std::map<std::string, ExpressionValue> parameters;
  for (const auto& [name, value] : model.ownParameters()) parameters.insert_or_assign(name, value);
  for (const auto& [name, value] : model.foundParameters())
    parameters.insert_or_assign(name, value);
  return parameters;
}

std::string withoutIndex(const std::string& name) { return name.substr(0, name.rfind('[')); }

}  // namespace

StudyModel::StudyModel(const Study& study, const Plan& plan, const Catalogue& catalogue,
                       YamlNode tree, std::vector<std::string> files)
    : study_(study),
      plan_(plan),
      catalogue_(catalogue),
      document_(withKept(study, std::move(tree)), files.front()),
      files_(std::move(files)) {
  for (const KeptValue& v : study_.kept.values())
    readsParameters_ = readsParameters_ || !v.isBare();
}

Simulation StudyModel::load(const Overrides& overrides) const {
  return Simulation::fromDocument(catalogue_, document_, files_, overrides);
}

void StudyModel::tryOut(Simulation& nominal) {
  Diagnostics diagnostics;
  const ModelSource& model = nominal.source();
  RunSettings::of(model.simulation, study_.settings, diagnostics);
  const PointRows rows(nominal, model.outputs, nullptr, diagnostics);
  const auto own = parametersOf(nominal);
  ReducedRun reduced(study_.kept);
  reduced.begin(rows.columns());
  const auto unseen = [parts = ModelParts(nominal)](const std::string& variable) {
    return parts.unseenComparison(variable);
  };
  reduced.check(own, unseen, diagnostics);
  results_ = reduced.names();
  checkNames(diagnostics);
  checkParameters(own, nominal, diagnostics);
  diagnostics.throwIfErrors();
}

/// What is kept has a column of its own beside those of each run and what varies.
void StudyModel::checkNames(Diagnostics& diagnostics) const {
  std::set<std::string> taken{"run", "status", "reason", "steps"};
  taken.insert(plan_.parameters().begin(), plan_.parameters().end());
  for (const std::string& name : results_) {
    if (taken.insert(name).second) continue;
    const auto kept = std::ranges::find_if(study_.kept.values(), [&](const KeptValue& v) {
      return name == v.name || name.starts_with(v.name + "[");
    });
    diagnostics.error(kept->at, "a kept value must have a column of its own, and there is '" +
                                    name + "' already; NAME=EXPRESSION gives it another name");
  }
}

/// A name that the model does not show as a parameter may still be one: a run decides.
void StudyModel::checkParameters(const std::map<std::string, ExpressionValue>& own,
                                 const Simulation& nominal, Diagnostics& diagnostics) const {
  const ModelParts model(nominal);
  const std::vector<std::string> values = plan_.values(0);
  for (size_t k = 0; k < values.size(); ++k) {
    const std::string& name = plan_.parameters()[k];
    const std::string full = model.source().withoutAliases(withoutIndex(name));
    // There may be no such element of one that is there.
    const bool isThere = own.contains(full) || model.isParameter(full);
    if (isThere && !name.ends_with(']')) continue;
    Overrides overrides = study_.overrides;
    overrides.push_back(name + "=" + values[k]);
    try {
      load(overrides);
    } catch (const ModelError& e) {
      for (const Diagnostic& d : e.diagnostics().all()) {
        if (d.severity != Severity::error) continue;
        const bool atOption = d.at.file.starts_with("--set " + name + "=");
        if (isThere && !atOption) continue;
        diagnostics.error(atOption ? plan_.placeOf(name) : d.at, d.text);
      }
    }
  }
}

std::vector<std::optional<double>> StudyModel::kept(const Simulation& simulation,
                                                    const ReducedRun& reduced) const {
  if (reduced.names() != results_)
    throw std::runtime_error("the kept values have other sizes than in the model without changes");
  return reduced.results(readsParameters_ ? parametersOf(simulation)
                                          : std::map<std::string, ExpressionValue>{});
}

}  // namespace cardan
