#include "components/joints/spherical.h"

#include "components/interfaces/picture.h"

namespace cardan {

void Spherical::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  animation_.sphere(r, r.world().defaultJointLength, "world.defaultJointLength", kJointColor);
  animation_.specular(r);
  p_.orientation.readStart(r, "rel_a");
  p_.orientation.readStates(r);
  readCut(r, p_.cut);
  p_.friction.read(r, true);
  p_.limits.read(r);
}

void Spherical::declare(Structure& s) {
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

void Spherical::describe(Variables& v) const {
  p_.orientation.describeJoint(v, frames_, "w_rel", 0);
  if (p_.friction.isOfLoad()) {
    v.scalar({"f_bearing", "N", "force between the frames", Level::Force, true},
             [this](const auto& x) { return frames::length(frames_.load_b(x).f); });
  }
}

void Spherical::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::sphere(s, animation_, frames_.frame_a);
}

}  // namespace cardan
