#include "components/joints/spherical.h"

#include "components/interfaces/picture.h"
#include "components/make.h"

namespace cardan {

void Spherical::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  animation_.sphere(r, r.world().defaultJointLength, kJointColor);
  animation_.specular(r);
  p_.orientation.readStart(r, "rel_a");
  p_.orientation.readStates(r);
  readCut(r, p_.cut);
}

void Spherical::declare(Structure& s) {
  law_ = p_.orientation.sphericalLaw();
  std::vector<UnknownInfo> velocities;
  addVector(velocities, "w_rel", "rad/s", "angular velocity, resolved in frame_b");
  frames_.declare(s, *law_.law, law_.positions, std::move(velocities),
                  TwoTreeFrames::policy(p_.cut, p_.orientation.enforceStates));
}

void Spherical::describe(Variables& v) const {
  p_.orientation.describeJoint(v, frames_, "w_rel", 0);
}

void Spherical::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::sphere(s, animation_, frames_.frame_a);
}

template std::unique_ptr<Component> make<Spherical>();

}  // namespace cardan
