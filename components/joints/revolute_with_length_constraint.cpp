#include "components/joints/revolute_with_length_constraint.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/interfaces/describe.h"
#include "components/joints/across.h"

namespace cardan {

void RevoluteWithLengthConstraint::Parameters::readBranch(ParameterReader& r) {
  constexpr double degree = std::numbers::pi / 180;
  double offset = phi_offset / degree, guess = phi_guess / degree;
  r.real("phi_offset", offset, "deg", "angle of the revolute joint where phi = 0");
  r.real("phi_guess", guess, "deg", "at the start, phi is the solution nearest to it");
  phi_offset = offset * degree;
  phi_guess = guess * degree;
}

void RevoluteWithLengthConstraint::Parameters::readStart(ParameterReader& r) {
  r.begin(kName);
  r.start("phi", phi, "rad", "angle of the revolute joint, without phi_offset");
  r.end();
}

void RevoluteWithLengthConstraint::setAxis(const Vector3d& n) {
  e_ = n.normalized();
  acrossOf(e_, across1_, across2_);
}

double RevoluteWithLengthConstraint::solve(const Vector3d& r_a, const Vector3d& r_b) {
  // |r_b - T r_a| = L with T = planarRotation(e, angle) is A cos(angle) + B sin(angle) + C = 0.
  const double e_r_a = dot(e_, r_a), e_r_b = dot(e_, r_b), L = p_.lengthConstraint;
  const double A = -2 * (dot(r_b, r_a) - e_r_b * e_r_a);
  const double B = 2 * dot(r_b, cross(e_, r_a));
  const double C = dot(r_a, r_a) + dot(r_b, r_b) - L * L - 2 * e_r_b * e_r_a;
  const double k2 = std::sqrt(std::max(A * A + B * B - C * C, 0.0));
  const double angle1 = std::atan2(-B * C - A * k2, -A * C + B * k2);
  const double angle2 = std::atan2(-B * C + A * k2, -A * C - B * k2);
  const double guess = p_.phi_offset + p_.phi_guess;
  positiveBranch_ = std::abs(angle1 - guess) <= std::abs(angle2 - guess);
  return (positiveBranch_ ? angle1 : angle2) - p_.phi_offset;
}

template <class S>
void RevoluteWithLengthConstraint::closureAt(const RelativeMotion<S>& m,
                                             ClosureRows<S>& rows) const {
  rows.pinned(m);
  alignAxis(m, e_, across1_, across2_, rows);
}

template <class S>
void RevoluteWithLengthConstraint::measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
  const S angle = frames::planarRotationAngle(e_, across1_, frames::resolve2(m.R_rel, across1_));
  q[0] = nearestTurn(S(angle - p_.phi_offset), value(q[0]));
  v[0] = dot(e_, frames::angularVelocity2(m.R_rel));
  vd[0] = dot(e_, m.z_rel);
}

void RevoluteWithLengthConstraint::declare(Structure& s) {
  frames_.declare(s, *this, {{"phi", "rad", "angle, without phi_offset"}},
                  {{"w", "rad/s", "angular velocity"}}, CutPolicy::never);
  axis_ = s.flange("axis", Domain::Rotational);
  bearing_ = s.flange("bearing", Domain::Rotational);
  s.axis(axis_, frames_.joint, 0);
  s.ground(bearing_, 0);
}

void RevoluteWithLengthConstraint::describe(Variables& v) const {
  v.start("phi", p_.phi);
  v.scalar({"angle", "rad", "phi + phi_offset", Level::Position},
           [this](const auto& x) { return x.joint(frames_.joint).q[0] + p_.phi_offset; });
  v.scalar({"tau", "N.m", "driving torque along the axis", Level::Force},
           [this](const auto& x) { return -dot(e_, frames_.load_b(x).t); });
  describe::vector(v, "e", "1", "unit axis of rotation", [this] { return e_; });
  describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                        [this](const auto& x) { return frames_.relativeRotation(x); });
  VariableInfo branch{"positiveBranch", "1", "which of the two solutions the start has taken"};
  branch.isBoolean = true;
  v.scalar(std::move(branch),
           [this](const auto& x) { return 0.0 * x.time() + (positiveBranch_ ? 1.0 : 0.0); });
}

template void RevoluteWithLengthConstraint::closureAt(const RelativeMotion<double>&,
                                                      ClosureRows<double>&) const;
template void RevoluteWithLengthConstraint::measureAt(const RelativeMotion<double>&, double*,
                                                      double*, double*) const;
template void RevoluteWithLengthConstraint::closureAt(const RelativeMotion<Dual>&,
                                                      ClosureRows<Dual>&) const;
template void RevoluteWithLengthConstraint::measureAt(const RelativeMotion<Dual>&, Dual*, Dual*,
                                                      Dual*) const;

}  // namespace cardan
