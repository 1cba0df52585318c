/// Planar joint: frame_b slides in the plane across n and turns about n.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"
#include "components/joints/prismatic.h"
#include "components/joints/revolute.h"
#include "components/laws/joint_axis.h"

namespace cardan {

/// Parts      prismatic_x along (n x n_x) x n (from frame_a), prismatic_y along n x n_x,
///            revolute about n (to frame_b)
/// Source     MSL 4.0 Joints.Planar
class Planar final : public ComponentOf<Planar> {
 public:
  struct Parameters {
    Vector3d n{0, 0, 1};    ///< [1] across the plane, any length but zero, resolved in frame_a
    Vector3d n_x{1, 0, 0};  ///< [1] x-axis of the plane (its part across n), not parallel to n,
                            ///< resolved in frame_a
    Coordinate s_x{"s_x", "m", "distance along the x-axis", "prismatic_x.s"};
    Coordinate s_y{"s_y", "m", "distance along the y-axis", "prismatic_y.s"};
    Coordinate phi{"phi", "rad", "angle about n", "revolute.phi"};
    Coordinate v_x{"v_x", "m/s", "der(s_x)", "prismatic_x.v"};
    Coordinate v_y{"v_y", "m/s", "der(s_y)", "prismatic_y.v"};
    Coordinate w{"w", "rad/s", "der(phi)", "revolute.w"};
    Coordinate a_x{"a_x", "m/s2", "der(v_x)", "prismatic_x.a"};
    Coordinate a_y{"a_y", "m/s2", "der(v_y)", "prismatic_y.a"};
    Coordinate wd{"wd", "rad/s2", "der(w)", "revolute.a"};
    bool cut = false;  ///< only closes a loop (at the revolute joint)
  };

  Planar() = default;
  explicit Planar(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.vector("n", p_.n, "1", "across the plane, resolved in frame_a and frame_b");
    r.vector("n_x", p_.n_x, "1", "x-axis of the plane, resolved in frame_a");
    animation_.cylinder(r);
    animation_.length(
        r, "boxWidth", 0.3 * animation_.realValue("cylinderDiameter"),
        "width of the boxes along the axes of the plane; default: 0.3 cylinderDiameter");
    animation_.length(r, "boxHeight", animation_.realValue("boxWidth"),
                      "height of the boxes; default: boxWidth");
    animation_.color(r, "boxColor", kJointColor, "boxes");
    readCut(r, p_.cut);
    for (Coordinate* c :
         {&p_.s_x, &p_.s_y, &p_.phi, &p_.v_x, &p_.v_y, &p_.w, &p_.a_x, &p_.a_y, &p_.wd}) {
      c->read(r);
    }
    readStateSelect(r, {&p_.s_x.start, &p_.s_y.start, &p_.phi.start, &p_.v_x.start, &p_.v_y.start,
                        &p_.w.start});
    if (!r.require(p_.n.norm() > 0, "n", "must not be the zero vector")) p_.n = {0, 0, 1};
    if (!r.require(cross(p_.n, p_.n_x).norm() > 1e-10 * p_.n.norm() * p_.n_x.norm(), "n_x",
                   "must not be the zero vector or parallel to n")) {
      Vector3d y;
      acrossOf(p_.n.normalized(), p_.n_x, y);
    }
  }
  void declare(Structure& s) override {
    const Vector3d n_y = cross(p_.n, p_.n_x);
    frame_a_ = s.frame("frame_a");
    frame_b_ = s.frame("frame_b");
    auto revolute = Revolute::Parameters::along(p_.n, p_.phi, p_.w, p_.wd);
    revolute.cut = p_.cut;
    s.part<Prismatic>("prismatic_x",
                      Prismatic::Parameters::along(cross(n_y, p_.n), p_.s_x, p_.v_x, p_.a_x));
    s.part<Prismatic>("prismatic_y", Prismatic::Parameters::along(n_y, p_.s_y, p_.v_y, p_.a_y));
    s.part<Revolute>("revolute", revolute);
    s.connect("frame_a", "prismatic_x.frame_a");
    s.connect("prismatic_x.frame_b", "prismatic_y.frame_a");
    s.connect("prismatic_y.frame_b", "revolute.frame_a");
    s.connect("revolute.frame_b", "frame_b");
  }
  void describe(Variables& v) const override {
    for (const Coordinate* c :
         {&p_.s_x, &p_.s_y, &p_.phi, &p_.v_x, &p_.v_y, &p_.w, &p_.a_x, &p_.a_y, &p_.wd}) {
      c->describeAlias(v);
    }
    describe::vector(v, "e", "1", "unit vector across the plane",
                     [this] { return Vector3d(p_.n.normalized()); });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    const Vector3d n = p_.n.normalized(), e_y = cross(p_.n, p_.n_x).normalized();
    const Vector3d e_x = cross(e_y, n);
    const auto along = [this](const Vector3d& e) {
      return [this, e](const View<double>& x) {
        return dot(e, picture::lineIn(x, frame_a_, frame_b_));
      };
    };
    const double width = animation_.realValue("boxWidth"),
                 height = animation_.realValue("boxHeight");
    const Vector3d color = picture::rgb(animation_.colorValue("boxColor"));
    const auto box = [&](const char* name, const Vector3d& e, const Vector3d& across) {
      return Shape{.name = name,
                   .type = "box",
                   .place = frame_a_,
                   .lengthDirection = e,
                   .widthDirection = across,
                   .length = PictureValue::scalar(Level::Position, along(e)),
                   .width = width,
                   .height = height,
                   .color = color,
                   .specular = animation_.specularValue()};
    };
    s.add(box("box_x", e_x, {0, 1, 0}));
    Shape box_y = box("box_y", e_y, {1, 0, 0});
    box_y.r_shape = PictureValue::vector(
        Level::Position,
        [e_x, s_x = along(e_x)](const View<double>& x) { return Vector3d(e_x * s_x(x)); });
    s.add(std::move(box_y));
    picture::pin(s, animation_, frame_b_, n);
  }

 private:
  Parameters p_;
  Animation animation_;
  FrameId frame_a_, frame_b_;
};

}  // namespace cardan
