/// Arrow: the parameters of an arrow that shows what a sensor measures.
#pragma once

#include <array>
#include <vector>

#include "components/animation.h"
#include "components/parameter_reader.h"
#include "components/world_settings.h"

namespace cardan {

/// MSL's colours of arrows that show loads, RGB 0..255.
inline constexpr std::array<int, 3> kCutForceColor{0, 128, 0};
inline constexpr std::array<int, 3> kCutTorqueColor{0, 128, 0};

/// Inputs for the diameter and the colour of an arrow. MSL lets them vary in time, so they take
/// numbers or expressions; no equation reads them, so they are checked here and declared nowhere.
inline void readArrow(ParameterReader& r, const char* diameter, const char* color,
                      const std::array<int, 3>& byDefault) {
  r.input(diameter, std::vector<double>{r.world().defaultArrowDiameter}, "m",
          "diameter of the arrow");
  r.input(color, std::vector<double>(byDefault.begin(), byDefault.end()), "1",
          "colour of the arrow, RGB 0..255");
}
/// Input specularCoefficient, likewise.
inline void readSpecularCoefficient(ParameterReader& r) {
  r.input("specularCoefficient", std::vector<double>{r.world().defaultSpecularCoefficient}, "1",
          "reflection of ambient light, 0 for none");
}
/// Input `scale` (N_to_m, Nm_to_m): length of the arrow = load/scale.
inline void readArrowScale(ParameterReader& r, const char* scale, double byDefault,
                           const char* unit) {
  r.input(scale, std::vector<double>{byDefault}, unit,
          "length of the arrow = load divided by this");
}

}  // namespace cardan
