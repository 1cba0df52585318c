/// Universal joint: an intermediate frame turns about n_a in frame_a, frame_b about n_b in the
/// intermediate one.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/interfaces/picture.h"
#include "components/joints/revolute.h"

namespace cardan {

/// Parts      revolute_a (axis n_a, from frame_a), revolute_b (axis n_b, to frame_b)
/// Source     MSL 4.0 Joints.Universal
class Universal final : public ComponentOf<Universal> {
 public:
  struct Parameters {
    Vector3d n_a{1, 0, 0};  ///< [1] axis of revolute_a, any length but zero, resolved in frame_a
    Vector3d n_b{0, 1, 0};  ///< [1] axis of revolute_b, any length but zero, resolved in frame_b
    Coordinate phi_a{"phi_a", "rad", "angle from frame_a to the intermediate frame",
                     "revolute_a.phi"};
    Coordinate phi_b{"phi_b", "rad", "angle from the intermediate frame to frame_b",
                     "revolute_b.phi"};
    Coordinate w_a{"w_a", "rad/s", "der(phi_a)", "revolute_a.w"};
    Coordinate w_b{"w_b", "rad/s", "der(phi_b)", "revolute_b.w"};
    Coordinate a_a{"a_a", "rad/s2", "der(w_a)", "revolute_a.a"};
    Coordinate a_b{"a_b", "rad/s2", "der(w_b)", "revolute_b.a"};
    Revolute::Parameters a, b;  ///< friction and limits of revolute_a and revolute_b
    bool cut = false;           ///< only closes a loop (at revolute_b)
  };

  Universal() = default;
  explicit Universal(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.vector("n_a", p_.n_a, "1", "axis of revolute_a, resolved in frame_a");
    r.vector("n_b", p_.n_b, "1", "axis of revolute_b, resolved in frame_b");
    animation_.cylinder(r);
    animation_.specular(r);
    readCut(r, p_.cut);
    for (auto [part, of] : {std::pair{"revolute_a", &p_.a}, std::pair{"revolute_b", &p_.b}}) {
      r.begin(part);
      of->friction.read(r, true);
      of->limits.read<one_dimensional::RotationalAxis>(r);
      r.end();
    }
    for (Coordinate* c : {&p_.phi_a, &p_.phi_b, &p_.w_a, &p_.w_b, &p_.a_a, &p_.a_b}) c->read(r);
    readStateSelect(r, {&p_.phi_a.start, &p_.phi_b.start, &p_.w_a.start, &p_.w_b.start});
    if (!r.require(p_.n_a.norm() > 0, "n_a", "must not be the zero vector")) p_.n_a = {1, 0, 0};
    if (!r.require(p_.n_b.norm() > 0, "n_b", "must not be the zero vector")) p_.n_b = {0, 1, 0};
  }
  void declare(Structure& s) override {
    frame_a_ = s.frame("frame_a");
    frame_b_ = s.frame("frame_b");
    auto revolute_b = Revolute::Parameters::along(p_.n_b, p_.phi_b, p_.w_b, p_.a_b);
    revolute_b.cut = p_.cut;
    auto revolute_a = Revolute::Parameters::along(p_.n_a, p_.phi_a, p_.w_a, p_.a_a);
    revolute_a.friction = p_.a.friction;
    revolute_a.limits = p_.a.limits;
    revolute_b.friction = p_.b.friction;
    revolute_b.limits = p_.b.limits;
    s.part<Revolute>("revolute_a", revolute_a);
    s.part<Revolute>("revolute_b", revolute_b);
    s.connect("frame_a", "revolute_a.frame_a");
    s.connect("revolute_a.frame_b", "revolute_b.frame_a");
    s.connect("revolute_b.frame_b", "frame_b");
  }
  void describe(Variables& v) const override {
    for (const Coordinate* c : {&p_.phi_a, &p_.phi_b, &p_.w_a, &p_.w_b, &p_.a_a, &p_.a_b}) {
      c->describeAlias(v);
    }
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::pin(s, animation_, frame_a_, p_.n_a, "cylinder_a");
    picture::pin(s, animation_, frame_b_, p_.n_b, "cylinder_b");
  }

 private:
  Parameters p_;
  Animation animation_;
  FrameId frame_a_, frame_b_;
};

}  // namespace cardan
