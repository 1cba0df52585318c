/// Colour maps: MSL's scales from a number to a colour.
#pragma once

#include <string_view>
#include <vector>

#include "frames/algebra.h"

namespace cardan {

/// n colours, RGB 0..255, of the map `name`: jet, hot, gray, spring, summer, autumn, winter.
/// Empty where there is no such map.
/// Source  MSL 4.0 Visualizers.Colors.ColorMaps
std::vector<Vector3d> colorMap(std::string_view name, int n);

}  // namespace cardan
