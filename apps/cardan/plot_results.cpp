#include "apps/cardan/plot_results.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/result_metadata.h"
#include "engine/text/glob.h"

namespace cardan {

ColumnTexts ColumnTexts::besides(const std::string& resultPath) {
  ColumnTexts texts;
  std::ifstream file(metadataPath(resultPath));
  const nlohmann::json meta = nlohmann::json::parse(file, nullptr, false);
  const nlohmann::json::json_pointer model("/model/name");
  if (meta.is_object() && meta.contains(model) && meta[model].is_string())
    texts.model = meta[model];
  if (!meta.is_object() || !meta.contains("columns") || !meta["columns"].is_array()) return texts;
  for (const auto& c : meta["columns"]) {
    if (!c.is_object() || !c.contains("name") || !c["name"].is_string()) continue;
    const std::string name = c["name"];
    if (c.contains("unit") && c["unit"].is_string()) texts.units[name] = c["unit"];
    if (c.contains("description") && c["description"].is_string())
      texts.descriptions[name] = c["description"];
  }
  return texts;
}

std::string ColumnTexts::unit(const std::string& name) const {
  const auto u = units.find(name);
  if (u == units.end() || u->second.empty() || u->second == "1") return "";
  return "[" + u->second + "]";
}

std::vector<std::string> matchingNames(const std::vector<std::string>& names,
                                       const std::string& pattern) {
  const bool glob = pattern.find_first_of("*?") != std::string::npos;
  std::vector<std::string> result;
  for (const std::string& name : names) {
    if (plainName(name) == plainName(pattern) || name.starts_with(pattern + "[") ||
        (glob && matchesGlob(name, pattern)))
      result.push_back(name);
  }
  return result;
}

void addTube(PlotCurve& curve, const ResultTable& reference, const SignalComparison& signal,
             const Comparison& comparison, const TubeOptions& options) {
  TubeBand band = tubeAround(reference, signal, comparison, options);
  curve.bandX = std::move(band.time);
  curve.bandLow = std::move(band.low);
  curve.bandHigh = std::move(band.high);
}

Plot comparisonPlot(const ResultTable& result, const ResultTable& reference,
                    const Comparison& comparison, const TubeOptions& options, bool failingOnly,
                    const ColumnTexts& texts) {
  Plot plot;
  for (const SignalComparison& s : comparison.signals) {
    if (failingOnly && s.passes()) continue;
    PlotPanel panel;
    panel.yLabel = texts.unit(s.name);
    if (const std::vector<double>* y = reference.find(s.name)) {
      PlotCurve c{.label = "reference", .x = reference.time, .y = *y, .dashed = true, .color = 1};
      addTube(c, reference, s, comparison, options);
      panel.curves.push_back(std::move(c));
    }
    if (const std::vector<double>* y = result.find(s.name))
      panel.curves.push_back({.label = s.name, .x = result.time, .y = *y, .color = 0});
    if (panel.curves.empty()) continue;
    if (!s.passes()) panel.mark = s.exitTime ? s.exitTime : s.worstTime;
    plot.panels.push_back(std::move(panel));
  }
  return plot;
}

}  // namespace cardan
