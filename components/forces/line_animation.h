/// Animation parameters that several line forces have.
#pragma once

#include "components/animation.h"

namespace cardan {

/// The coil of a spring.
inline void readCoil(ParameterReader& r, Animation& a) {
  a.length(r, "width", r.world().defaultForceWidth);
  a.length(r, "coilWidth", a.realValue("width") / 10);
  a.integer(r, "numberOfWindings", 5);
  a.color(r, "color", {0, 0, 255});
}
/// The two cylinders of a damper.
inline void readDamperCylinders(ParameterReader& r, Animation& a) {
  a.length(r, "length_a", r.world().defaultForceLength);
  a.length(r, "diameter_a", r.world().defaultForceWidth);
  a.length(r, "diameter_b", 0.6 * a.realValue("diameter_a"));
  a.color(r, "color_a", {100, 100, 100});
  a.color(r, "color_b", {155, 155, 155});
}

}  // namespace cardan
