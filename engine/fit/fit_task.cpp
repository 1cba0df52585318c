#include "engine/fit/fit_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "engine/expression/constant_evaluation.h"
#include "engine/model_file/sections.h"

namespace cardan {
namespace {

std::string withoutBlanks(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

bool readBounds(const std::string& text, const SourceMark& at, double& low, double& high,
                Diagnostics& diagnostics) {
  const size_t dots = text.find("..");
  const std::string from = withoutBlanks(text.substr(0, dots));
  const std::string to = withoutBlanks(text.substr(dots + 2));
  const auto read = [&](const std::string& part, double& bound) {
    if (part.empty()) return true;
    const auto x = readConstant(part, at, diagnostics);
    if (x) bound = *x;
    return x.has_value();
  };
  if (!read(from, low) || !read(to, high)) return false;
  if (low < high) return true;
  diagnostics.error(at, "bounds must rise, as 0.3..0.8, found '" + text + "'");
  return false;
}

void FitTask::addParameter(const std::string& text, const SourceMark& at,
                           Diagnostics& diagnostics) {
  const size_t equals = text.find('=');
  FitParameter p{.name = withoutBlanks(text.substr(0, equals)), .at = at};
  if (!isParameterName(p.name, at, diagnostics)) return;
  if (equals != std::string::npos) {
    std::string value = text.substr(equals + 1);
    const size_t dots = value.find("..");
    const size_t colon = value.find(':');
    const bool hasStart = dots == std::string::npos || colon < dots;
    if (hasStart) {
      p.start = readConstant(withoutBlanks(value.substr(0, colon)), at, diagnostics);
      if (!p.start) return;
      value = colon == std::string::npos ? "" : value.substr(colon + 1);
    }
    if (value.find("..") != std::string::npos) {
      if (!readBounds(value, at, p.low, p.high, diagnostics)) return;
    } else if (!withoutBlanks(value).empty()) {
      diagnostics.error(
          at,
          "must be NAME, NAME=FROM..TO, NAME=START or NAME=START:FROM..TO, found '" + text + "'");
      return;
    }
  }
  parameters.push_back(std::move(p));
}

void FitTask::addSignal(const std::string& text, const SourceMark& at, Diagnostics& diagnostics) {
  FitSignal s{.variable = withoutBlanks(text), .column = "", .at = at};
  if (const size_t sign = text.find("+-"); sign != std::string::npos) {
    s.sigma = readConstant(withoutBlanks(text.substr(sign + 2)), at, diagnostics);
    if (s.sigma && !(*s.sigma > 0))
      diagnostics.error(at, "a standard deviation must be greater than 0, found '" + text + "'");
    s.variable = withoutBlanks(text.substr(0, sign));
  }
  s.column = s.variable;
  if (const size_t equals = s.variable.find('='); equals != std::string::npos) {
    s.column = withoutBlanks(s.variable.substr(0, equals));
    s.variable = withoutBlanks(s.variable.substr(equals + 1));
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
