#include "engine/fit/fit_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "engine/expression/constant_evaluation.h"
#include "engine/model_file/bounded_parameter.h"

namespace cardan {
void FitTask::addParameter(const std::string& text, const SourceMark& at,
                           Diagnostics& diagnostics) {
  const auto p = readBoundedParameter(text, at, diagnostics);
  if (!p) return;
  parameters.push_back(
      {.name = p->name, .at = at, .start = p->start, .low = p->low, .high = p->high});
}

void FitTask::addSignal(const std::string& text, const SourceMark& at, Diagnostics& diagnostics) {
  FitSignal s{.variable = withoutOuterBlanks(text), .column = "", .at = at};
  if (const size_t sign = text.find("+-"); sign != std::string::npos) {
    s.sigma = readConstant(withoutOuterBlanks(text.substr(sign + 2)), at, diagnostics);
    if (s.sigma && !(*s.sigma > 0))
      diagnostics.error(at, "a standard deviation must be greater than 0, found '" + text + "'");
    s.variable = withoutOuterBlanks(text.substr(0, sign));
  }
  s.column = s.variable;
  if (const size_t equals = s.variable.find('='); equals != std::string::npos) {
    s.column = withoutOuterBlanks(s.variable.substr(0, equals));
    s.variable = withoutOuterBlanks(s.variable.substr(equals + 1));
  }
  if (s.variable.empty() || s.column.empty()) {
    diagnostics.error(at, "a signal must be VARIABLE or COLUMN=VARIABLE, found '" + text + "'");
    return;
  }
  signals.push_back(std::move(s));
}

void FitTask::addData(const std::string& text, const SourceMark& at) {
  std::string stem = std::filesystem::path(text).stem().string();
  const auto isTaken = [&](const std::string& n) {
    return std::ranges::find(experiments, n, &FitExperiment::name) != experiments.end();
  };
  std::string unique = stem;
  for (int k = 2; isTaken(unique); ++k) unique = fmt::format("{}_{}", stem, k);
  experiments.push_back({.name = unique, .file = text, .at = at});
}

void FitTask::check(Diagnostics& diagnostics) const {
  if (experiments.empty())
    diagnostics.error({}, "a fit must have data: --data run.csv, or 'data' of the section 'fit'");
  if (parameters.empty())
    diagnostics.error({},
                      "a fit must have parameters: -p NAME, or 'parameters' of the section 'fit'");
  std::map<std::string, SourceMark> places;
  for (const FitParameter& p : parameters) {
    const auto [first, isNew] = places.try_emplace(p.name, p.at);
    if (!isNew) {
      diagnostics.error(p.at, "parameter '" + p.name + "' must not be given twice");
      diagnostics.note(first->second, "first given here");
    }
    for (const std::string& one : p.of) {
      std::vector<std::string> known;
      for (const FitExperiment& e : experiments) known.push_back(e.name);
      if (std::ranges::find(known, one) == known.end())
        diagnostics.error(
            p.at, fmt::format("'{}' is no data of this fit{}", name, didYouMean(name, known)));
    }
    if (starts > 1 && !(std::isfinite(p.low) && std::isfinite(p.high))) {
      diagnostics.error(p.at,
                        fmt::format("several starts are spread over bounds, and '{0}' has none: "
                                    "{0}=FROM..TO",
                                    p.name));
    }
  }
}

}  // namespace cardan
