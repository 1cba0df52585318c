#include "components/joints/prismatic_with_length_constraint.h"

#include <algorithm>
#include <cmath>

#include "components/interfaces/describe.h"
#include "components/joints/across.h"

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

void PrismaticWithLengthConstraint::setAxis(const Vector3d& n) {
  e_ = n.normalized();
  acrossOf(e_, across1_, across2_);
}

double PrismaticWithLengthConstraint::solve(const Vector3d& r_a, const Vector3d& r_b) {
  // |d e + r_b - r_a| = L is d^2 + B d + C = 0.
  const Vector3d rbra = r_b - r_a;
  const double k1 = dot(e_, rbra), C = dot(rbra, rbra) - p_.lengthConstraint * p_.lengthConstraint;
  const double k2 = std::sqrt(std::max(k1 * k1 - C, 0.0));
  const double guess = p_.s_offset + p_.s_guess;
  positiveBranch_ = std::abs(-k1 + k2 - guess) <= std::abs(-k1 - k2 - guess);
  return -k1 + (positiveBranch_ ? k2 : -k2) - p_.s_offset;
}

template <class S>
void PrismaticWithLengthConstraint::closureAt(const RelativeMotion<S>& m,
                                              ClosureRows<S>& rows) const {
  for (const Vector3d* u : {&across1_, &across2_}) rows.position(dot(*u, m.r_rel), *u);
  alignFrames(m, frames::nullRotation(), rows);
}

template <class S>
void PrismaticWithLengthConstraint::measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
  q[0] = dot(e_, m.r_rel) - p_.s_offset;
  v[0] = dot(e_, m.v_rel);
  vd[0] = dot(e_, m.a_rel);
}

void PrismaticWithLengthConstraint::declare(Structure& s) {
  frames_.declare(s, *this, {{"s", "m", "distance, without s_offset"}}, {{"v", "m/s", "velocity"}},
                  CutPolicy::never);
  axis_ = s.flange("axis", Domain::Translational);
  bearing_ = s.flange("bearing", Domain::Translational);
  s.axis(axis_, frames_.joint, 0);
  s.ground(bearing_, 0);
}

void PrismaticWithLengthConstraint::describe(Variables& v) const {
  v.start("s", p_.s);
  v.scalar({"distance", "m", "s + s_offset", Level::Position},
           [this](const auto& x) { return x.joint(frames_.joint).q[0] + p_.s_offset; });
  v.vector(
      {"r_rel_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
      [this](const auto& x) { return (e_ * (x.joint(frames_.joint).q[0] + p_.s_offset)).eval(); });
  v.scalar({"f", "N", "driving force along the axis", Level::Force},
           [this](const auto& x) { return -dot(e_, frames_.load_b(x).f); });
  describe::vector(v, "e", "1", "unit axis of translation", [this] { return e_; });
  VariableInfo branch{"positiveBranch", "1", "which of the two solutions the start has taken"};
  branch.isBoolean = true;
  v.scalar(std::move(branch),
           [this](const auto& x) { return 0.0 * x.time() + (positiveBranch_ ? 1.0 : 0.0); });
}

template void PrismaticWithLengthConstraint::closureAt(const RelativeMotion<double>&,
                                                       ClosureRows<double>&) const;
template void PrismaticWithLengthConstraint::measureAt(const RelativeMotion<double>&, double*,
                                                       double*, double*) const;
template void PrismaticWithLengthConstraint::closureAt(const RelativeMotion<Dual>&,
                                                       ClosureRows<Dual>&) const;
template void PrismaticWithLengthConstraint::measureAt(const RelativeMotion<Dual>&, Dual*, Dual*,
                                                       Dual*) const;

}  // namespace cardan
