#include "components/joints/universal.h"

#include "components/make.h"

namespace cardan {

void Universal::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.vector("n_a", p_.n_a, "1", "axis of revolute_a, resolved in frame_a");
  r.vector("n_b", p_.n_b, "1", "axis of revolute_b, resolved in frame_b");
  animation_.cylinder(r);
  animation_.specular(r);
  readCut(r, p_.cut);
  r.start("phi_a", p_.phi_a, "rad", "angle from frame_a to the intermediate frame");
  r.start("phi_b", p_.phi_b, "rad", "angle from the intermediate frame to frame_b");
  r.start("w_a", p_.w_a, "rad/s", "der(phi_a)");
  r.start("w_b", p_.w_b, "rad/s", "der(phi_b)");
  r.start("a_a", p_.a_a, "rad/s2", "der(w_a)");
  r.start("a_b", p_.a_b, "rad/s2", "der(w_b)");
  readStateSelect(r, {&p_.phi_a, &p_.phi_b, &p_.w_a, &p_.w_b});
  if (!r.require(p_.n_a.norm() > 0, "n_a", "must not be the zero vector")) p_.n_a = {1, 0, 0};
  if (!r.require(p_.n_b.norm() > 0, "n_b", "must not be the zero vector")) p_.n_b = {0, 1, 0};
}

void Universal::declare(Structure& s) {
  s.frame("frame_a");
  s.frame("frame_b");
  s.part<Revolute>("revolute_a", Revolute::Parameters{false, p_.n_a, p_.phi_a, p_.w_a, p_.a_a});
  s.part<Revolute>("revolute_b",
                   Revolute::Parameters{false, p_.n_b, p_.phi_b, p_.w_b, p_.a_b, p_.cut});
  s.connect("frame_a", "revolute_a.frame_a");
  s.connect("revolute_a.frame_b", "revolute_b.frame_a");
  s.connect("revolute_b.frame_b", "frame_b");
}

void Universal::describe(Variables& v) const {
  v.alias("phi_a", "revolute_a.phi");
  v.alias("phi_b", "revolute_b.phi");
  v.alias("w_a", "revolute_a.w");
  v.alias("w_b", "revolute_b.w");
  v.alias("a_a", "revolute_a.a");
  v.alias("a_b", "revolute_b.a");
}

template std::unique_ptr<Component> make<Universal>();

}  // namespace cardan
