#include "engine/study/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/expression/value.h"
#include "engine/study/axis_values.h"
#include "engine/study/sampling.h"

namespace cardan {

Plan::Plan(const Study& study, Diagnostics& diagnostics) : study_(study) {
  const auto add = [&](const std::string& parameter, const SourceMark& at) {
    parameters_.push_back(parameter);
    places_.push_back(at);
  };
  double runs = 1;
  if (study.list) {
    for (size_t i = 0; i < study.list->at.size(); ++i)
      add(study.list->parameters[i], study.list->at[i]);
    runs *= static_cast<double>(study.list->rows.size());
  }
  for (const Study::Axis& a : study.axes) {
    add(a.parameter, a.at);
    runs *= static_cast<double>(a.values.size());
  }
  bool withoutOrigin = false;
  for (const Study::Sample& s : study.samples) {
    add(s.parameter, s.at);
    withoutOrigin = withoutOrigin || s.distribution.hasNoBound();
  }
  if (!study.samples.empty()) samples_ = study.runs.value_or(1);
  runs *= static_cast<double>(samples_);
  if (runs > kMostRuns) {
    diagnostics.error(
        {}, fmt::format("a study must not have more than {:g} runs, found {:g}", kMostRuns, runs));
    return;
  }
  runs_ = static_cast<long>(runs);
  sampling_ = std::make_shared<Sampling>(study.method, std::ssize(study.samples), samples_,
                                         study.seed, withoutOrigin);
}

std::vector<std::string> Plan::values(long run) const {
  std::vector<std::string> values(parameters_.size());
  size_t k = parameters_.size();
  for (size_t d = study_.samples.size(); d-- > 0;) {
    const double u = (*sampling_)(run % samples_, d);
    values[--k] = formatNumber(study_.samples[d].distribution.quantile(u) + 0.0);
  }
  run /= samples_;
  for (size_t a = study_.axes.size(); a-- > 0;) {
    const std::vector<std::string>& texts = study_.axes[a].values;
    const auto count = std::ssize(texts);
    values[--k] = texts[run % count];
    run /= count;
  }
  if (study_.list) {
    const std::vector<std::string>& row = study_.list->rows[run];
    std::ranges::copy(row, values.begin());
  }
  return values;
}

std::vector<std::string> Plan::overrides(long run) const {
  std::vector<std::string> all = study_.overrides;
  const std::vector<std::string> mine = values(run);
  for (size_t k = 0; k < mine.size(); ++k) all.push_back(parameters_[k] + "=" + mine[k]);
  return all;
}

SourceMark Plan::placeOf(const std::string& parameter) const {
  const auto found = std::ranges::find(parameters_, parameter);
  if (found == parameters_.end()) return {};
  return places_[found - parameters_.begin()];
}

}  // namespace cardan
