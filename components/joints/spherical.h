/// Spherical joint: frame_b turns freely about the common origin.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/orientation_states.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/joints/ball_drag.h"

namespace cardan {

/// Unknowns   orientation (Q | T | phi), w_rel [rad/s]
/// Equations  r_0b = r_0a;  t_a = t_b = 0   (see SphericalLaw)
/// Source     MSL 4.0 Joints.Spherical
class Spherical final : public ComponentOf<Spherical> {
 public:
  struct Parameters {
    OrientationStates orientation;
    bool cut = false;
    one_dimensional::JointFrictionParameters friction;
    ConeParameters limits;
  };

  Spherical() = default;
  explicit Spherical(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    animation_.sphere(r, r.world().defaultJointLength, "world.defaultJointLength", kJointColor);
    animation_.specular(r);
    p_.orientation.readStart(r, "rel_a");
    p_.orientation.readStates(r);
    readCut(r, p_.cut);
    p_.friction.read(r, true);
    p_.limits.read(r);
  }
  void declare(Structure& s) override {
    law_ = p_.orientation.sphericalLaw();
    std::vector<UnknownInfo> velocities;
    addVector(velocities, "w_rel", "rad/s", "angular velocity, resolved in frame_b");
    frames_.declare(s, *law_.law, law_.positions, std::move(velocities),
                    TwoTreeFrames::policy(p_.cut, p_.orientation.enforceStates));
    const auto attach = [&s](const std::string& part) {
      s.connect("frame_a", part + ".frame_a");
      s.connect("frame_b", part + ".frame_b");
    };
    if (p_.friction.isUsed()) {
      s.part<BallFriction>("friction", p_.friction);
      attach("friction");
      if (p_.friction.isOfLoad()) s.connect("f_bearing", "friction.load");
    }
    if (p_.limits.used) {
      s.part<ConeStop>("limits", p_.limits);
      attach("limits");
    }
  }
  void describe(Variables& v) const override {
    p_.orientation.describeJoint(v, frames_, "w_rel", 0);
    if (p_.friction.isOfLoad()) {
      v.scalar({"f_bearing", "N", "force between the frames", Level::Force, true},
               [this](const auto& x) { return frames::length(frames_.load_b(x).f); });
    }
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::sphere(s, animation_, frames_.frame_a);
  }

 private:
  Parameters p_;
  Animation animation_;
  OrientationLaw law_;
  TwoTreeFrames frames_;
};

}  // namespace cardan
