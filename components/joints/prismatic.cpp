#include "components/joints/prismatic.h"

#include "components/interfaces/describe.h"
#include "components/make.h"

namespace cardan {

void Prismatic::read(ParameterReader& r) {
  r.boolean("useAxisFlange", p_.useAxisFlange, "axis and support flanges are there");
  animation_.boolean(r, "animation", true);
  r.vector("n", p_.n, "1", "axis of translation, resolved in frame_a and frame_b");
  animation_.box(r);
  animation_.specular(r);
  r.start("s", p_.s, "m", "distance between frame_a and frame_b");
  r.start("v", p_.v, "m/s", "first derivative of the distance");
  r.start("a", p_.a, "m/s2", "second derivative of the distance");
  readStateSelect(r, {&p_.s, &p_.v});
  readCut(r, p_.cut);
  if (r.require(p_.n.norm() > 0, "n", "must not be the zero vector")) parametersChanged();
}

void Prismatic::declare(Structure& s) {
  const bool used = p_.useAxisFlange || p_.s.stateSelect == StateSelect::always;
  frames_.declare(s, *this, {{"s", "m", "distance"}}, {{"v", "m/s", "velocity"}},
                  TwoTreeFrames::policy(p_.cut, used));
  if (p_.useAxisFlange) frames_.declareDrive(s, Domain::Translational, "support");
}

void Prismatic::describe(Variables& v) const {
  v.start("s", p_.s);
  v.start("v", p_.v);
  v.start("a", p_.a);
  v.scalar({"a", "m/s2", "acceleration", Level::Acceleration},
           [this](const auto& x) { return x.joint(frames_.joint).vd[0]; });
  v.scalar({"f", "N", "driving force along the axis", Level::Force},
           [this](const auto& x) { return -dot(axis_.e, frames_.load_b(x).f); });
  describe::vector(v, "e", "1", "unit axis of translation", [this] { return axis_.e; });
}

std::string Prismatic::closureName(int row) const {
  if (row < 2) return "displacement along " + axisName(row == 0 ? axis_.across1 : axis_.across2);
  return std::string("rotation about ") + "xyz"[row - 2];
}

template std::unique_ptr<Component> make<Prismatic>();

}  // namespace cardan
