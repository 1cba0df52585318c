/// BoundedParameter: a parameter that is looked for, as commands name it.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "engine/text/diagnostics.h"

namespace cardan {

struct BoundedParameter {
  std::string name;
  SourceMark at{};
  std::optional<double> start{};
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// What is typical of a parameter's values wherever a search is, by where it starts and its bounds.
double typicalSize(double start, double low, double high);

/// `L`, `L=0.3..0.8`, `L=0.5`, `L=0.5:0.3..0.8`. Wrong ones are reported, and nothing is returned.
std::optional<BoundedParameter> readBoundedParameter(const std::string& text, const SourceMark& at,
                                                     Diagnostics& diagnostics);

/// `0.3..0.8`, `..0.8`, `0.3..`: bounds, in expressions of constants. Wrong ones are reported, false.
bool readBounds(const std::string& text, const SourceMark& at, double& low, double& high,
                Diagnostics& diagnostics);

/// Between the first character that is none and the last.
std::string withoutOuterBlanks(const std::string& text);

}  // namespace cardan
