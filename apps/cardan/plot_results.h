/// PlotResults: signals of result files as panels of a plot.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/picture/plot.h"
#include "engine/results/result_table.h"
#include "engine/results/tube.h"

namespace cardan {

/// Units and texts of columns, from the sidecar of a result; empty where there is none.
struct ColumnTexts {
  std::string model;  ///< its name; "" where there is no sidecar
  std::map<std::string, std::string> units, descriptions;
  static ColumnTexts besides(const std::string& resultPath);
  /// "angle [rad]", "[rad]" or "".
  std::string unit(const std::string& name) const;
};

/// The names that a pattern chooses: itself, the elements of a vector of that name, or the matches
/// of a glob.
std::vector<std::string> matchingNames(const std::vector<std::string>& names,
                                       const std::string& pattern);

/// Lays the tube of `comparison` around the curve of the reference.
void addTube(PlotCurve& curve, const ResultTable& reference, const SignalComparison& signal,
             const Comparison& comparison, const TubeOptions& options);

/// A panel for every signal: result, reference, and the tube between. The tables outlive the plot.
Plot comparisonPlot(const ResultTable& result, const ResultTable& reference,
                    const Comparison& comparison, const TubeOptions& options, bool failingOnly,
                    const ColumnTexts& texts);

}  // namespace cardan
