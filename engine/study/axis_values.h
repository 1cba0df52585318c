/// The values that a study gives a parameter, one after another.
#pragma once

#include <string>
#include <vector>

#include "engine/text/yaml_document.h"

namespace cardan {

inline constexpr double kMostRuns = 1e8;

/// Reads `0.3:0.05:1.2` (from, step, to; the step may be left out: 1), `linspace(0, 1, 11)`,
/// `logspace(-3, 0, 7)` (powers of ten), `a, b, c`, or a list. A list may hold what a parameter may
/// be: numbers, words, expressions, lists. Values are returned as a model file would write them,
/// numbers as the shortest decimals. Wrong ones are reported, and nothing is returned.
std::vector<std::string> readAxisValues(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace cardan
