#include "components/joints/universal.h"

#include "components/interfaces/coordinate.h"
#include "components/interfaces/picture.h"

namespace cardan {

void Universal::read(ParameterReader& r) {
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

void Universal::declare(Structure& s) {
  frame_a_ = s.frame("frame_a");
  frame_b_ = s.frame("frame_b");
  auto revolute_b = Revolute::Parameters::about(p_.n_b, p_.phi_b, p_.w_b, p_.a_b);
  revolute_b.cut = p_.cut;
  auto revolute_a = Revolute::Parameters::about(p_.n_a, p_.phi_a, p_.w_a, p_.a_a);
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

void Universal::describe(Variables& v) const {
  for (const Coordinate* c : {&p_.phi_a, &p_.phi_b, &p_.w_a, &p_.w_b, &p_.a_a, &p_.a_b}) {
    c->describeAlias(v);
  }
}

void Universal::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::pin(s, animation_, frame_a_, p_.n_a, "cylinder_a");
  picture::pin(s, animation_, frame_b_, p_.n_b, "cylinder_b");
}

}  // namespace cardan
