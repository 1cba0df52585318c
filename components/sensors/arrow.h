/// Arrow: the parameters of an arrow that shows what a sensor measures, and the arrow.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "components/animation.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/resolving.h"
#include "components/parameter_reader.h"
#include "components/world_settings.h"

namespace cardan {

/// Inputs for the diameter and the colour of the arrow of `what` ("arrowDiameter", "arrowColor").
/// MSL lets them vary in time, so they take numbers or expressions; no equation reads them, so they
/// are checked here and declared nowhere.
inline void readArrow(ParameterReader& r, const std::string& what,
                      const std::array<int, 3>& byDefault) {
  r.input(what + "Diameter", std::vector<double>{r.world().defaultArrowDiameter}, "m",
          "diameter of the arrow; default: world.defaultArrowDiameter");
  r.input(what + "Color", std::vector<double>(byDefault.begin(), byDefault.end()), "1",
          "colour of the arrow, RGB 0..255");
}
/// Input specularCoefficient, likewise.
inline void readSpecularCoefficient(ParameterReader& r) {
  r.input("specularCoefficient", std::vector<double>{r.world().defaultSpecularCoefficient}, "1",
          kSpecularText);
}

namespace picture {

/// An arrow with the inputs of readArrow() and readSpecularCoefficient().
inline ArrowShape sensorArrow(const std::string& name, const std::string& what) {
  return {.name = name,
          .diameter = PictureValue::input(what + "Diameter", 1),
          .color = PictureValue::input(what + "Color", 3),
          .specular = PictureValue::input("specularCoefficient", 1)};
}
/// The arrow of a distance, from `a` (not valid: the world) to `b`, resolved in world.
inline ArrowShape distanceArrow(FrameId a, FrameId b) {
  ArrowShape arrow = sensorArrow("arrow", "arrow");
  const auto tail = [a](const View<double>& x) -> Vector3d {
    return a.valid() ? x.frame(a).r_0 : Vector3d(0, 0, 0);
  };
  arrow.r_tail = PictureValue::vector(Level::Position, tail);
  arrow.r_head = PictureValue::vector(Level::Position, [b, tail](const View<double>& x) {
    return Vector3d(x.frame(b).r_0 - tail(x));
  });
  return arrow;
}
}  // namespace picture

}  // namespace cardan
