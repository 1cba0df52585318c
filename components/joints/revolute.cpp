#include "components/joints/revolute.h"

#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"

namespace cardan {

void Revolute::read(ParameterReader& r) {
  r.boolean("useAxisFlange", p_.useAxisFlange, "axis and support flanges are there");
  animation_.boolean(r, "animation", true);
  r.vector("n", p_.n, "1", "axis of rotation, resolved in frame_a and frame_b");
  animation_.cylinder(r);
  animation_.specular(r);
  readCoordinates(r, p_.phi, p_.w, p_.a);
  r.real("phi_offset", p_.phi_offset, "rad", "angle from frame_a to frame_b where phi = 0");
  readCut(r, p_.cut);
  p_.friction.read(r, true);
  p_.limits.read<one_dimensional::RotationalAxis>(r);
  r.require(p_.n.norm() > 0, "n", "must not be the zero vector");
}

void Revolute::declare(Structure& s) {
  const bool hasDrag = p_.friction.isUsed() || p_.limits.isUsed();
  frames_.declare(s, *this, p_.phi, p_.w, p_.cut, p_.useAxisFlange || hasDrag);
  if (p_.useAxisFlange) frames_.declareDrive(s, Domain::Rotational, "support");
  if (!hasDrag) return;
  one_dimensional::declareDrag<one_dimensional::RotationalAxis>(
      s, frames_.joint, p_.useAxisFlange, p_.friction, p_.limits, "f_bearing");
}

void Revolute::describe(Variables& v) const {
  describeCoordinates(v, frames_.joint, p_.phi, p_.w, p_.a);
  v.scalar({"tau", "N.m", "driving torque along the axis", Level::Force},
           [this](const auto& x) { return -dot(axis_.e, frames_.load_b(x).t); });
  if (p_.phi_offset == 0) {
    v.alias("angle", "phi");
  } else {
    v.scalar({"angle", "rad", "phi + phi_offset", Level::Position},
             [this](const auto& x) { return x.joint(frames_.joint).q[0] + p_.phi_offset; });
  }
  if (p_.friction.isOfLoad()) {
    v.scalar({"f_bearing", "N",
              p_.thrust ? "force between the frames" : "force between the frames, across the axis",
              Level::Force, true},
             [this](const auto& x) {
               const auto f = frames_.load_b(x).f;
               return p_.thrust ? frames::length(f) : frames::length(f - axis_.e * dot(axis_.e, f));
             });
  }
  describe::vector(v, "e", "1", "unit axis of rotation", [this] { return axis_.e; });
  describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                        [this](const auto& x) { return frames_.relativeRotation(x); });
}

Revolute::Parameters Revolute::Parameters::about(const Vector3d& n, const Coordinate& phi,
                                                 const Coordinate& w, const Coordinate& a) {
  Parameters p;
  p.n = n;
  p.phi = phi.start;
  p.w = w.start;
  p.a = a.start;
  return p;
}

std::string Revolute::closureName(int row) const {
  if (row < 3) return displacementName(row);
  return "rotation about " + axisName(row == 3 ? axis_.across2 : axis_.across1);
}

void Revolute::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::pin(s, animation_, frames_.frame_a, axis_.e);
}

}  // namespace cardan
