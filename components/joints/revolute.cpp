#include "components/joints/revolute.h"

#include "components/interfaces/describe.h"
#include "components/make.h"

namespace cardan {

void Revolute::read(ParameterReader& r) {
  r.boolean("useAxisFlange", p_.useAxisFlange, "axis and support flanges are there");
  animation_.boolean(r, "animation", true);
  r.vector("n", p_.n, "1", "axis of rotation, resolved in frame_a and frame_b");
  animation_.cylinder(r);
  animation_.specular(r);
  r.start("phi", p_.phi, "rad", "angle");
  r.start("w", p_.w, "rad/s", "first derivative of the angle");
  r.start("a", p_.a, "rad/s2", "second derivative of the angle");
  readStateSelect(r, {&p_.phi, &p_.w});
  readCut(r, p_.cut);
  if (r.require(p_.n.norm() > 0, "n", "must not be the zero vector")) parametersChanged();
}

void Revolute::declare(Structure& s) {
  const bool used = p_.useAxisFlange || p_.phi.stateSelect == StateSelect::always;
  frames_.declare(s, *this, {{"phi", "rad", "angle"}}, {{"w", "rad/s", "angular velocity"}},
                  TwoTreeFrames::policy(p_.cut, used));
  if (p_.useAxisFlange) frames_.declareDrive(s, Domain::Rotational, "support");
}

void Revolute::describe(Variables& v) const {
  v.start("phi", p_.phi);
  v.start("w", p_.w);
  v.start("a", p_.a);
  v.scalar({"a", "rad/s2", "angular acceleration", Level::Acceleration},
           [this](const auto& x) { return x.joint(frames_.joint).vd[0]; });
  v.scalar({"tau", "N.m", "driving torque along the axis", Level::Force},
           [this](const auto& x) { return -dot(axis_.e, frames_.load_b(x).t); });
  v.alias("angle", "phi");
  describe::vector(v, "e", "1", "unit axis of rotation", [this] { return axis_.e; });
  describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                        [this](const auto& x) { return frames_.relativeRotation(x); });
}

std::string Revolute::closureName(int row) const {
  if (row < 3) return std::string("displacement along ") + "xyz"[row];
  return "rotation about " + axisName(row == 3 ? axis_.across2 : axis_.across1);
}

template std::unique_ptr<Component> make<Revolute>();

}  // namespace cardan
