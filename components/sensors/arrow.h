/// Arrow: the parameters of an arrow that shows what a sensor measures, and the arrow.
#pragma once

#include <array>
#include <vector>

#include "components/animation.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/resolving.h"
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

namespace picture {

/// An arrow with the inputs of readArrow() and readSpecularCoefficient().
inline ArrowShape sensorArrow(const char* name, const char* diameter, const char* color) {
  return {.name = name,
          .diameter = PictureValue::input(diameter, 1),
          .color = PictureValue::input(color, 3),
          .specular = PictureValue::input("specularCoefficient", 1)};
}
/// The arrow of a distance, from `a` (not valid: the world) to `b`, resolved in world.
inline ArrowShape distanceArrow(FrameId a, FrameId b) {
  ArrowShape arrow = sensorArrow("arrow", "arrowDiameter", "arrowColor");
  const auto tail = [a](const View<double>& x) -> Vector3d {
    return a.valid() ? x.frame(a).r_0 : Vector3d(0, 0, 0);
  };
  arrow.r_tail = PictureValue::vector(Level::Position, tail);
  arrow.r_head = PictureValue::vector(Level::Position, [b, tail](const View<double>& x) {
    return Vector3d(x.frame(b).r_0 - tail(x));
  });
  return arrow;
}
/// The arrow of a cut-load: it ends at frame_b. load(x): the load's vector, resolved in world;
/// `scale`: the input that is load by length.
template <class Load>
ArrowShape cutLoad(const SensorFrames& frames, const char* name, const char* scale,
                   const char* diameter, const char* color, Load load, bool positiveSign,
                   int heads) {
  ArrowShape arrow = sensorArrow(name, diameter, color);
  arrow.place = frames.frame_b;
  const double sign = positiveSign ? -1 : 1;
  arrow.r_head =
      PictureValue::vector(Level::Force, [load, sign, b = frames.frame_b](const View<double>& x) {
        return Vector3d(frames::resolve2(x.frame(b).R, Vector3d(load(x))) * sign);
      });
  arrow.scale = PictureValue::input(scale, 1);
  arrow.heads = heads;
  arrow.headAtTail = true;
  return arrow;
}

}  // namespace picture

}  // namespace cardan
