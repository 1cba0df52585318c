/// Pictures that several classes show: spheres and pins of joints, shapes and coils along lines,
/// arrows.
#pragma once

#include <string>

#include "components/animation.h"
#include "components/shapes.h"

namespace cardan::picture {

inline Vector3d rgb(const std::array<int, 3>& c) { return Vector3d(c[0], c[1], c[2]); }

/// A sphere about the point `centre` of `frame`.
inline Shape sphere(std::string name, FrameId frame, const Vector3d& centre, double diameter,
                    const std::array<int, 3>& color, double specular) {
  return {.name = std::move(name),
          .type = "sphere",
          .place = frame,
          .r_shape = Vector3d(centre - Vector3d(diameter / 2, 0, 0)),
          .length = diameter,
          .width = diameter,
          .height = diameter,
          .color = rgb(color),
          .specular = specular};
}
/// MSL's sphere of a joint or mass (Animation::sphere).
inline void sphere(Shapes& s, const Animation& a, FrameId frame, const char* name = "sphere",
                   const Vector3d& centre = Vector3d::Zero()) {
  s.add(sphere(name, frame, centre, a.realValue("sphereDiameter"), a.colorValue("sphereColor"),
               a.specularValue()));
}

/// A cylinder whose middle is the origin of `frame`, along `axis`.
inline Shape pin(std::string name, FrameId frame, const Vector3d& axis, double length,
                 double diameter, const std::array<int, 3>& color, double specular) {
  return {.name = std::move(name),
          .type = "cylinder",
          .place = frame,
          .r_shape = Vector3d(axis.normalized() * (-length / 2)),
          .lengthDirection = axis,
          .length = length,
          .width = diameter,
          .height = diameter,
          .color = rgb(color),
          .specular = specular};
}
/// MSL's cylinder along the axis of a joint (Animation::cylinder).
inline void pin(Shapes& s, const Animation& a, FrameId frame, const Vector3d& axis,
                const char* name = "cylinder") {
  s.add(pin(name, frame, axis, a.realValue("cylinderLength"), a.realValue("cylinderDiameter"),
            a.colorValue("cylinderColor"), a.specularValue()));
}

/// A cylinder from the origin of `frame` along r, both ends resolved there.
inline Shape rod(std::string name, FrameId frame, const Vector3d& r, double diameter,
                 const std::array<int, 3>& color, double specular) {
  return {.name = std::move(name),
          .type = "cylinder",
          .place = frame,
          .lengthDirection = r,
          .length = r.norm(),
          .width = diameter,
          .height = diameter,
          .color = rgb(color),
          .specular = specular};
}

/// The parameters of a shape from frame_a (or world) along r_ab (Animation::shape).
inline Shape shape(const Animation& a, FrameId frame, const char* name = "shape") {
  return {.name = name,
          .type = a.stringValue("shapeType"),
          .place = frame,
          .r_shape = a.vectorValue("r_shape"),
          .lengthDirection = a.vectorValue("lengthDirection"),
          .widthDirection = a.vectorValue("widthDirection"),
          .length = a.realValue("length"),
          .width = a.realValue("width"),
          .height = a.realValue("height"),
          .extra = a.realValue("extra"),
          .color = rgb(a.colorValue("color")),
          .specular = a.specularValue()};
}

/// The line from frame_a to frame_b, resolved in frame_a.
inline Vector3d lineIn(const View<double>& x, FrameId a, FrameId b) {
  return frames::resolve2(x.frame(a).R, (x.frame(b).r_0 - x.frame(a).r_0).eval());
}
/// MSL's box of a sliding joint (Animation::box): from the origin of `a` along e, resolved there, as far as `b` is.
inline void slider(Shapes& s, const Animation& animation, const char* name, FrameId a,
                   const Vector3d& e, FrameId b) {
  s.add(Shape{
      .name = name,
      .type = "box",
      .place = a,
      .lengthDirection = e,
      .widthDirection = animation.vectorValue("boxWidthDirection"),
      .length = PictureValue::scalar(
          Level::Position, [a, b, e](const View<double>& x) { return dot(e, lineIn(x, a, b)); }),
      .width = animation.realValue("boxWidth"),
      .height = animation.realValue("boxHeight"),
      .color = rgb(animation.colorValue("boxColor")),
      .specular = animation.specularValue()});
}
/// A shape on the line from frame_a to frame_b: from(x) [m] is where it begins, to(x) where it
/// ends, as functions of the distance s of the frames.
template <class From, class To>
Shape onLine(std::string name, std::string type, FrameId a, FrameId b, From from, To to) {
  const auto line = [a, b](const View<double>& x) { return lineIn(x, a, b); };
  return {.name = std::move(name),
          .type = std::move(type),
          .place = a,
          .r_shape = PictureValue::vector(Level::Position,
                                          [line, from](const View<double>& x) {
                                            const Vector3d r = line(x);
                                            const double s = r.norm();
                                            return Vector3d(r * (from(x, s) / std::max(s, 1e-10)));
                                          }),
          .lengthDirection = PictureValue::vector(Level::Position, line),
          .length = PictureValue::scalar(Level::Position, [line, from, to](const View<double>& x) {
            const double s = line(x).norm();
            return to(x, s) - from(x, s);
          })};
}
/// A shape on all of that line.
inline Shape onWholeLine(std::string name, std::string type, FrameId a, FrameId b) {
  return onLine(
      std::move(name), std::move(type), a, b, [](const View<double>&, double) { return 0.0; },
      [](const View<double>&, double length) { return length; });
}
inline void setDiameter(Shape& s, double diameter) { s.width = s.height = diameter; }
/// A cylinder on all of it; `diameter`, `color`: of the parameters.
inline void rod(Shapes& s, const Animation& a, const char* name, FrameId from, FrameId to,
                const char* diameter, const char* color) {
  Shape rod = onWholeLine(name, "cylinder", from, to);
  setDiameter(rod, a.realValue(diameter));
  rod.color = rgb(a.colorValue(color));
  rod.specular = a.specularValue();
  s.add(std::move(rod));
}
/// MSL's arrow on it (arrowColor).
inline void arrow(Shapes& s, const Animation& a, FrameId from, FrameId to) {
  s.add(ArrowShape{
      .name = "arrow",
      .place = from,
      .r_head = PictureValue::vector(
          Level::Position, [from, to](const View<double>& x) { return lineIn(x, from, to); }),
      .diameter = s.world().defaultArrowDiameter,
      .color = rgb(a.colorValue("arrowColor")),
      .specular = a.specularValue()});
}
/// What pushes at the point r_0(x) [m] with f_0(x) [N], both resolved in world.
template <class Point, class Force>
void contactForce(Shapes& s, Level level, Point r_0, Force f_0) {
  s.add(ArrowShape{.name = "f_0",
                   .r_tail = PictureValue::vector(level, r_0),
                   .r_head = PictureValue::vector(level, f_0),
                   .color = Vector3d(214, 90, 20),
                   .isContactForce = true});
}
/// A sphere on that line, at(x, s) [m] from frame_a.
template <class At>
Shape sphereOnLine(std::string name, FrameId a, FrameId b, double diameter, At at) {
  const double d = diameter / 2;
  Shape s = onLine(
      std::move(name), "sphere", a, b,
      [at, d](const View<double>& x, double length) { return at(x, length) - d; },
      [at, d](const View<double>& x, double length) { return at(x, length) + d; });
  setDiameter(s, diameter);
  return s;
}

/// MSL's coordinate system: three arrows and letters, resolved in `place`.
struct Axes {
  PicturePlace place{};
  PictureValue length = 0.5, diameter = 0.0125;  ///< [m]
  PictureValue color[3] = {Vector3d(0, 0, 0), Vector3d(0, 0, 0), Vector3d(0, 0, 0)};
  PictureValue specular = 0.0;
  std::string letters = "xyz";  ///< x, y, z or nothing, behind the arrows
  Vector3d up{0, 1, 0};         ///< [1]  letters stand upright along the axis nearest to it
};
void addAxes(Shapes& s, const Axes& axes);

}  // namespace cardan::picture
