#include "components/joints/spherical.h"

namespace cardan {

void Spherical::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  animation_.length(r, "sphereDiameter", r.world().defaultJointLength);
  animation_.color(r, "sphereColor", kJointColor);
  animation_.specular(r);
  p_.orientation.readStart(r, "rel_a");
  p_.orientation.readStates(r);
  r.boolean("cut", p_.cut, "only closes a loop: never part of the spanning tree");
}

void Spherical::declare(Structure& s) {
  law_ = p_.orientation.sphericalLaw();
  std::vector<UnknownInfo> velocities;
  for (const char* i : {"[1]", "[2]", "[3]"}) {
    velocities.push_back(
        {std::string("w_rel") + i, "rad/s", "angular velocity, resolved in frame_b"});
  }
  frames_.declare(s, *law_.law, law_.positions, std::move(velocities),
                  p_.cut                         ? CutPolicy::always
                  : p_.orientation.enforceStates ? CutPolicy::never
                                                 : CutPolicy::normal);
}

void Spherical::describe(Variables& v) const {
  p_.orientation.describeJoint(v, frames_, "w_rel", 0);
}

}  // namespace cardan
