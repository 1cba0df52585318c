#include "apps/cardan/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/text/glob.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

const char* word(SignalComparison::Verdict verdict) {
  static constexpr const char* kWords[] = {"inside",           "outside",     "gap",
                                           "shorter",          "notFinite",   "missingResult",
                                           "missingReference", "badReference"};
  return kWords[static_cast<size_t>(verdict)];
}

bool isMeasured(const SignalComparison& s) {
  return s.usable() && s.verdict != SignalComparison::Verdict::notFinite;
}

/// Nothing differs, as far as the result goes.
bool showsTooLittle(const Comparison& c) {
  using Verdict = SignalComparison::Verdict;
  return std::all_of(c.signals.begin(), c.signals.end(), [](const SignalComparison& s) {
    return s.passes() || s.verdict == Verdict::gap || s.verdict == Verdict::shorter;
  });
}

}  // namespace

std::vector<std::string> chooseSignals(const ResultTable& reference,
                                       const std::vector<std::string>& patterns) {
  if (patterns.empty()) return reference.names();
  std::vector<std::string> chosen, excluded;
  bool asks = false, excludesAny = false;
  auto add = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& list : patterns) {
    for (const std::string_view part : splitOutsideBrackets(list, ',')) {
      const std::string asked = plainName(part);
      if (asked.empty()) continue;
      const bool excludes = asked.starts_with('!');
      const std::string pattern = asked.substr(excludes ? 1 : 0);
      std::vector<std::string>& names = excludes ? excluded : chosen;
      bool found = false;
      for (const std::string& name : reference.names()) {
        if (!(isGlob(pattern) ? matchesGlob(name, pattern) : name == pattern)) continue;
        add(names, name);
        found = true;
      }
      if (!found && !excludes) add(names, pattern);
      (excludes ? excludesAny : asks) = true;
    }
  }
  if (!asks && excludesAny) chosen = reference.names();
  std::erase_if(chosen, [&](const std::string& name) {
    return std::find(excluded.begin(), excluded.end(), name) != excluded.end();
  });
  return chosen;
}

std::string worstPlace(const Comparison& c) {
  const SignalComparison* w = c.worst();
  if (w == nullptr || !w->worstTime) return "";
  return fmt::format("{} at {:.6g} s", w->name, *w->worstTime);
}

std::string formatComparison(const Comparison& c, bool failuresOnly) {
  size_t width = 6;
  for (const SignalComparison& s : c.signals) width = std::max(width, s.name.size());
  width = std::min<size_t>(width, 60);
  std::string text;
  long passed = 0;
  for (const SignalComparison& s : c.signals) {
    if (s.passes()) ++passed;
    if (failuresOnly && s.passes()) continue;
    if (text.empty()) {
      text = fmt::format("      {:<{}}  {:>10}  {:>10}  {:>12}  {:>10}\n", "signal", width,
                         "deviation", "of tube", "at time", "pointwise");
    }
    text += fmt::format("{:<4}  {:<{}}", s.passes() ? "pass" : "FAIL", s.name, width);
    if (isMeasured(s)) {
      text += fmt::format("  {:>10.3g}  {:>8.3g} %  {:>12}  {:>10.3g}", s.deviation,
                          100 * s.deviation / c.height,
                          s.worstTime ? fmt::format("{:.6g} s", *s.worstTime) : "-", s.pointwise);
    }
    const std::string why = explain(s, c);
    if (!why.empty()) text += "  " + why;
    text += '\n';
  }
  const std::string place = worstPlace(c);
  text += fmt::format("{}: {} of {} signals inside the tube",
                      !c.usable()         ? "unusable"
                      : c.passes()        ? "equal"
                      : showsTooLittle(c) ? "not comparable"
                                          : "different",
                      passed, c.signals.size());
  if (!place.empty()) {
    text += fmt::format("; largest deviation {:.3g}, {:.3g} % of the tube ({})",
                        c.worst()->deviation, 100 * c.margin(), place);
  }
  return text + "\n";
}

Json comparisonJson(const Comparison& c) {
  Json signals = Json::array();
  for (const SignalComparison& s : c.signals) {
    Json j{{"name", s.name}, {"pass", s.passes()}, {"verdict", word(s.verdict)}};
    if (isMeasured(s)) {
      j["deviation"] = s.deviation;
      j["margin"] = s.deviation / c.height;
      j["pointwise"] = s.pointwise;
      j["scale"] = s.scale;
      j["range"] = s.range;
      j["discrete"] = s.discrete;
      if (s.worstTime) j["time"] = *s.worstTime;
    }
    if (s.exitTime) j["exitTime"] = *s.exitTime;
    if (s.gap) j["gap"] = {{"startTime", s.gap->start}, {"stopTime", s.gap->stop}};
    if (const std::string why = explain(s, c); !why.empty()) j["why"] = why;
    signals.push_back(std::move(j));
  }
  return {{"equal", c.passes()},          {"usable", c.usable()}, {"tolerance", c.height},
          {"margin", c.margin()},         {"startTime", c.start}, {"stopTime", c.stop},
          {"signals", std::move(signals)}};
}

}  // namespace cardan
