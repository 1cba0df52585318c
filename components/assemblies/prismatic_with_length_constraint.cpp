#include "components/assemblies/prismatic_with_length_constraint.h"

#include <algorithm>
#include <cmath>

#include "components/interfaces/describe.h"

namespace cardan {

void PrismaticWithLengthConstraint::Parameters::readBranch(ParameterReader& r) {
  r.real("s_offset", s_offset, "m", "distance of the prismatic joint's frames where s = 0");
  r.real("s_guess", s_guess, "m", "at the start, s is the solution nearest to it");
}

void PrismaticWithLengthConstraint::Parameters::readStart(ParameterReader& r) {
  r.begin(kName);
  r.start("s", s, "m", "distance of the prismatic joint, without s_offset");
  r.end();
}

double PrismaticWithLengthConstraint::solve(const Vector3d& r_a, const Vector3d& r_b) {
  // |d e + r_b - r_a| = L is d^2 + B d + C = 0.
  const Vector3d rbra = r_b - r_a;
  const double L = p_.lengthConstraint, k1 = dot(axis_.e, rbra), C = dot(rbra, rbra) - L * L;
  const double k2 = std::sqrt(std::max(k1 * k1 - C, 0.0));
  return nearest(-k1 + k2, -k1 - k2, p_.s_offset + p_.s_guess) - p_.s_offset;
}

void PrismaticWithLengthConstraint::declare(Structure& s) {
  frames_.declare(s, *this, {{"s", "m", "distance, without s_offset"}}, {{"v", "m/s", "velocity"}},
                  CutPolicy::never);
  frames_.declareDrive(s, kDomain, "bearing");
}

void PrismaticWithLengthConstraint::describe(Variables& v) const {
  v.start("s", p_.s);
  v.scalar({"distance", "m", "s + s_offset", Level::Position},
           [this](const auto& x) { return x.joint(frames_.joint).q[0] + p_.s_offset; });
  v.vector({"r_rel_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
           [this](const auto& x) {
             return (axis_.e * (x.joint(frames_.joint).q[0] + p_.s_offset)).eval();
           });
  v.scalar({"f", "N", "driving force along the axis", Level::Force},
           [this](const auto& x) { return -dot(axis_.e, frames_.load_b(x).f); });
  describe::vector(v, "e", "1", "unit axis of translation", [this] { return axis_.e; });
  describeBranch(v);
}

}  // namespace cardan
