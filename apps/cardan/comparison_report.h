/// What `cardan compare` prints about a comparison.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/results/tube.h"

namespace cardan {

/// The reference's signals that match one of `patterns` (names or globs, several in one where
/// commas outside of brackets separate them), all without patterns. A pattern that matches none
/// stays, so that it is reported as missing.
std::vector<std::string> chooseSignals(const ResultTable& reference,
                                       const std::vector<std::string>& patterns);

/// A line for every signal (with `failuresOnly`: for those that do not pass), then the verdict.
std::string formatComparison(const Comparison& comparison, bool failuresOnly);

nlohmann::ordered_json comparisonJson(const Comparison& comparison);

/// "revolute1.w at 0.45 s": the signal with the largest deviation; "" where nothing deviates.
std::string worstPlace(const Comparison& comparison);

}  // namespace cardan
