/// RevoluteWithLengthConstraint: the revolute joint of a joint assembly, whose angle follows from
/// the length of a rod.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/assemblies/with_length_constraint.h"
#include "components/interfaces/describe.h"

namespace cardan {

/// Unknowns   phi [rad], w [rad/s]
/// Equations  frame_b turns about n by phi + phi_offset;  0 = tau + e.t_b
///            A cos(angle) + B sin(angle) + C = 0 at the start, of whose two solutions the one
///            nearest to phi_offset + phi_guess
/// Source     MSL 4.0 Joints.Internal.RevoluteWithLengthConstraint
class RevoluteWithLengthConstraint final
    : public WithLengthConstraint<RevoluteWithLengthConstraint, TurningLaw> {
 public:
  static constexpr const char* kName = "revolute";  ///< MSL's inner name in the assemblies
  static constexpr Domain kDomain = Domain::Rotational;

  struct Parameters {
    Vector3d n{0, 0, 1};          ///< [1]    axis, any length but zero, resolved in frame_a
    double lengthConstraint = 1;  ///< [m]    length of the rod
    double phi_offset = 0;        ///< [rad]  angle between the frames where phi = 0
    double phi_guess = 0;         ///< [rad]  chooses the branch
    StartValue phi;               ///< [rad]

    /// phi_offset and phi_guess, which the file states in degrees.
    void readBranch(ParameterReader& r) {
      constexpr double degree = std::numbers::pi / 180;
      double offset = phi_offset / degree, guess = phi_guess / degree;
      r.real("phi_offset", offset, "deg", "angle of the revolute joint where phi = 0");
      r.real("phi_guess", guess, "deg", "at the start, phi is the solution nearest to it");
      phi_offset = offset * degree;
      phi_guess = guess * degree;
    }
    /// The start value, under the inner name.
    void readStart(ParameterReader& r) {
      r.begin(kName);
      r.start("phi", phi, "rad", "angle of the revolute joint, without phi_offset");
      r.end();
    }
  };

  explicit RevoluteWithLengthConstraint(const Parameters& p)
      : WithLengthConstraint(p.n, p.phi_offset), p_(p) {}

  void declare(Structure& s) override {
    frames_.declare(s, *this, {{"phi", "rad", "angle, without phi_offset"}},
                    {{"w", "rad/s", "angular velocity"}}, CutPolicy::never);
    frames_.declareDrive(s, kDomain, "bearing");
  }
  void describe(Variables& v) const override {
    v.start("phi", p_.phi);
    v.scalar({"angle", "rad", "phi + phi_offset", Level::Position},
             [this](const auto& x) { return x.joint(frames_.joint).q[0] + p_.phi_offset; });
    v.scalar({"tau", "N.m", "driving torque along the axis", Level::Force},
             [this](const auto& x) { return -dot(axis_.e, frames_.load_b(x).t); });
    describe::vector(v, "e", "1", "unit axis of rotation", [this] { return axis_.e; });
    describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                          [this](const auto& x) { return frames_.relativeRotation(x); });
    describeBranch(v);
  }

  /// phi at which the ends of the rod, at r_a from frame_a and at r_b from frame_b, each resolved
  /// there, have the distance lengthConstraint; the nearest possible one, where there is none [m].
  double solve(const Vector3d& r_a, const Vector3d& r_b) {
    // |r_b - T r_a| = L with T = planarRotation(e, angle) is A cos(angle) + B sin(angle) + C = 0.
    const double e_r_a = dot(axis_.e, r_a), e_r_b = dot(axis_.e, r_b), L = p_.lengthConstraint;
    const double A = -2 * (dot(r_b, r_a) - e_r_b * e_r_a);
    const double B = 2 * dot(r_b, cross(axis_.e, r_a));
    const double C = dot(r_a, r_a) + dot(r_b, r_b) - L * L - 2 * e_r_b * e_r_a;
    const double k2 = std::sqrt(std::max(A * A + B * B - C * C, 0.0));
    const double angle1 = std::atan2(-B * C - A * k2, -A * C + B * k2);
    const double angle2 = std::atan2(-B * C + A * k2, -A * C - B * k2);
    return nearest(angle1, angle2, p_.phi_offset + p_.phi_guess) - p_.phi_offset;
  }

  /// Effect on the coordinate of a force at r_b, resolved in frame_b: e x r_b.
  Vector3d lever(const Vector3d& r_b) const { return cross(axis_.e, r_b); }
  static constexpr const char* kLeverUnit = "m";

 private:
  Parameters p_;
};

}  // namespace cardan
