#include "components/joints/prismatic.h"

#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"

namespace cardan {

void Prismatic::read(ParameterReader& r) {
  r.boolean("useAxisFlange", p_.useAxisFlange, "axis and support flanges are there");
  animation_.boolean(r, "animation", true);
  r.vector("n", p_.n, "1", "axis of translation, resolved in frame_a and frame_b");
  animation_.box(r);
  animation_.specular(r);
  readCoordinates(r, p_.s, p_.v, p_.a);
  r.real("s_offset", p_.s_offset, "m", "distance between frame_a and frame_b where s = 0");
  readCut(r, p_.cut);
  p_.friction.read(r, false);
  p_.limits.read<one_dimensional::TranslationalAxis>(r);
  r.require(p_.n.norm() > 0, "n", "must not be the zero vector");
}

void Prismatic::declare(Structure& s) {
  const bool hasDrag = p_.friction.isUsed() || p_.limits.isUsed();
  frames_.declare(s, *this, p_.s, p_.v, p_.cut, p_.useAxisFlange || hasDrag);
  if (p_.useAxisFlange) frames_.declareDrive(s, Domain::Translational, "support");
  if (!hasDrag) return;
  one_dimensional::declareDrag<one_dimensional::TranslationalAxis>(
      s, frames_.joint, p_.useAxisFlange, p_.friction, p_.limits, "f_bearing");
}

void Prismatic::describe(Variables& v) const {
  describeCoordinates(v, frames_.joint, p_.s, p_.v, p_.a);
  v.scalar({"f", "N", "driving force along the axis", Level::Force},
           [this](const auto& x) { return -dot(axis_.e, frames_.load_b(x).f); });
  if (p_.friction.isOfLoad()) {
    v.scalar({"f_bearing", "N", "force between the frames, across the axis", Level::Force, true},
             [this](const auto& x) {
               const auto f = frames_.load_b(x).f;
               return frames::length(f - axis_.e * dot(axis_.e, f));
             });
  }
  describe::vector(v, "e", "1", "unit axis of translation", [this] { return axis_.e; });
}

Prismatic::Parameters Prismatic::Parameters::along(const Vector3d& n, const Coordinate& s,
                                                   const Coordinate& v, const Coordinate& a) {
  Parameters p;
  p.n = n;
  p.s = s.start;
  p.v = v.start;
  p.a = a.start;
  return p;
}

std::string Prismatic::closureName(int row) const {
  if (row < 2) return "displacement along " + axisName(row == 0 ? axis_.across1 : axis_.across2);
  return rotationName(row - 2);
}

void Prismatic::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::slider(s, animation_, "box", frames_.frame_a, axis_.e, frames_.frame_b);
}

}  // namespace cardan
