/// Animation parameters that several line forces have, and the shapes that they stand for.
#pragma once

#include <algorithm>

#include "components/animation.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/two_no_tree_frames.h"

namespace cardan {

/// The coil of a spring.
inline void readCoil(ParameterReader& r, Animation& a) {
  a.length(r, "width", r.world().defaultForceWidth,
           "diameter of the spring; default: world.defaultForceWidth");
  a.length(r, "coilWidth", a.realValue("width") / 10, "diameter of its wire; default: width/10");
  a.integer(r, "numberOfWindings", 5, "turns of its wire");
  a.color(r, "color", {0, 0, 255}, "spring");
}
/// The two cylinders of a damper.
inline void readDamperCylinders(ParameterReader& r, Animation& a) {
  a.length(r, "length_a", r.world().defaultForceLength,
           "length of the cylinder at frame_a; default: world.defaultForceLength");
  a.length(r, "diameter_a", r.world().defaultForceWidth,
           "diameter of the cylinder at frame_a; default: world.defaultForceWidth");
  a.length(r, "diameter_b", 0.6 * a.realValue("diameter_a"),
           "diameter of the rod at frame_b; default: 0.6 diameter_a");
  a.color(r, "color_a", {100, 100, 100}, "cylinder at frame_a");
  a.color(r, "color_b", {155, 155, 155}, "rod at frame_b");
}

namespace picture {

/// The coil of readCoil() on the line; it begins from(x) [m] behind frame_a and ends at frame_b.
template <class From>
void coil(Shapes& s, const Animation& a, const TwoNoTreeFrames& f, const char* name, From from) {
  Shape spring = onLine(
      name, "spring", f.frame_a, f.frame_b,
      [from](const View<double>& x, double) { return from(x); },
      [](const View<double>&, double length) { return length; });
  spring.width = a.realValue("width");
  spring.height = 2 * a.realValue("coilWidth");
  spring.extra = a.integerValue("numberOfWindings");
  spring.color = rgb(a.colorValue("color"));
  spring.specular = a.specularValue();
  s.add(std::move(spring));
}
inline void coil(Shapes& s, const Animation& a, const TwoNoTreeFrames& f, const char* name) {
  coil(s, a, f, name, [](const View<double>&) { return 0.0; });
}
/// The cylinders of readDamperCylinders() on the line, which reach from frame_a to end(x, s) [m].
template <class End>
void damper(Shapes& s, const Animation& a, const TwoNoTreeFrames& f, End end) {
  const double length = a.realValue("length_a");
  const auto joint = [length, end](const View<double>& x, double l) {
    return std::min(length, end(x, l));
  };
  Shape outer = onLine(
      "shape_a", "cylinder", f.frame_a, f.frame_b, [](const View<double>&, double) { return 0.0; },
      joint);
  Shape inner = onLine("shape_b", "cylinder", f.frame_a, f.frame_b, joint, end);
  setDiameter(outer, a.realValue("diameter_a"));
  setDiameter(inner, a.realValue("diameter_b"));
  outer.color = rgb(a.colorValue("color_a"));
  inner.color = rgb(a.colorValue("color_b"));
  outer.specular = inner.specular = a.specularValue();
  s.add(std::move(outer));
  s.add(std::move(inner));
}
inline void damper(Shapes& s, const Animation& a, const TwoNoTreeFrames& f) {
  damper(s, a, f, [](const View<double>&, double length) { return length; });
}
/// A mass on the line, at(x, s) [m] from frame_a.
template <class At>
void massOnLine(Shapes& s, const Animation& a, const TwoNoTreeFrames& f, const char* name,
                double diameter, At at) {
  Shape mass = sphereOnLine(name, f.frame_a, f.frame_b, diameter, at);
  mass.color = rgb(a.colorValue("massColor"));
  mass.specular = a.specularValue();
  s.add(std::move(mass));
}

}  // namespace picture

}  // namespace cardan
