/// Cylindrical joint: frame_b slides along and turns about the axis n.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/interfaces/picture.h"
#include "components/joints/prismatic.h"
#include "components/joints/revolute.h"

namespace cardan {

/// Parts      prismatic (from frame_a), revolute (to frame_b), both along n
/// Source     MSL 4.0 Joints.Cylindrical
class Cylindrical final : public ComponentOf<Cylindrical> {
 public:
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.vector("n", n_, "1", "axis, resolved in frame_a and frame_b");
    animation_.length(r, "cylinderDiameter", r.world().defaultJointWidth,
                      "diameter of the cylinder; default: world.defaultJointWidth");
    animation_.color(r, "cylinderColor", kJointColor, "cylinder");
    animation_.specular(r);
    readCut(r, cut_);
    r.begin("prismatic");
    slide_.friction.read(r, false);
    slide_.limits.read<one_dimensional::TranslationalAxis>(r);
    r.end();
    r.begin("revolute");
    turn_.friction.read(r, true);
    turn_.limits.read<one_dimensional::RotationalAxis>(r);
    r.end();
    for (Coordinate* c : {&s_, &phi_, &v_, &w_, &a_, &wd_}) c->read(r);
    readStateSelect(r, {&s_.start, &phi_.start, &v_.start, &w_.start});
    if (!r.require(n_.norm() > 0, "n", "must not be the zero vector")) n_ = {1, 0, 0};
  }
  void declare(Structure& s) override {
    frame_a_ = s.frame("frame_a");
    frame_b_ = s.frame("frame_b");
    auto revolute = Revolute::Parameters::along(n_, phi_, w_, wd_);
    revolute.cut = cut_;
    auto prismatic = Prismatic::Parameters::along(n_, s_, v_, a_);
    prismatic.friction = slide_.friction;
    prismatic.limits = slide_.limits;
    revolute.friction = turn_.friction;
    revolute.thrust = false;  // nothing but friction holds the axis
    revolute.limits = turn_.limits;
    s.part<Prismatic>("prismatic", prismatic);
    s.part<Revolute>("revolute", revolute);
    s.connect("frame_a", "prismatic.frame_a");
    s.connect("prismatic.frame_b", "revolute.frame_a");
    s.connect("revolute.frame_b", "frame_b");
  }
  void describe(Variables& v) const override {
    for (const Coordinate* c : {&s_, &phi_, &v_, &w_, &a_, &wd_}) c->describeAlias(v);
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    const Vector3d e = n_.normalized();
    Shape c{.name = "cylinder",
            .type = "cylinder",
            .place = frame_a_,
            .lengthDirection = e,
            .length = PictureValue::scalar(Level::Position,
                                           [this, e](const View<double>& x) {
                                             return dot(e, picture::lineIn(x, frame_a_, frame_b_));
                                           }),
            .color = picture::rgb(animation_.colorValue("cylinderColor")),
            .specular = animation_.specularValue()};
    picture::setDiameter(c, animation_.realValue("cylinderDiameter"));
    s.add(std::move(c));
  }

 private:
  Vector3d n_{1, 0, 0};  ///< [1]  axis, any length but zero, resolved in frame_a
  Coordinate s_{"s", "m", "distance along the axis", "prismatic.s"};
  Coordinate phi_{"phi", "rad", "angle about the axis", "revolute.phi"};
  Coordinate v_{"v", "m/s", "der(s)", "prismatic.v"};
  Coordinate w_{"w", "rad/s", "der(phi)", "revolute.w"};
  Coordinate a_{"a", "m/s2", "der(v)", "prismatic.a"};
  Coordinate wd_{"wd", "rad/s2", "der(w)", "revolute.a"};
  Prismatic::Parameters slide_;  ///< friction and limits along the axis
  Revolute::Parameters turn_;    ///< friction and limits about it
  bool cut_ = false;             ///< only closes a loop (at the revolute joint)
  Animation animation_;
  FrameId frame_a_, frame_b_;
};

}  // namespace cardan
