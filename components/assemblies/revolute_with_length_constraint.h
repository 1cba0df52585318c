/// RevoluteWithLengthConstraint: the revolute joint of a joint assembly, whose angle follows from
/// the length of a rod.
#pragma once

#include "components/assemblies/with_length_constraint.h"

namespace cardan {

/// Unknowns   phi [rad], w [rad/s]
/// Equations  frame_b turns about n by phi + phi_offset;  0 = tau + e.t_b
///            A cos(angle) + B sin(angle) + C = 0 at the start, of whose two solutions the one
///            nearest to phi_offset + phi_guess
/// Source     MSL 4.0 Joints.Internal.RevoluteWithLengthConstraint
class RevoluteWithLengthConstraint final
    : public WithLengthConstraint<RevoluteWithLengthConstraint, TurningLaw,
                                  one_dimensional::RotationalAxis> {
 public:
  using WithLengthConstraint::WithLengthConstraint;

  /// phi at which the ends of the rod, at r_a from frame_a and at r_b from frame_b, each resolved
  /// there, have the distance lengthConstraint; the nearest possible one, where there is none [m].
  double solve(const Vector3d& r_a, const Vector3d& r_b) {
    // |r_b - T r_a| = L with T = planarRotation(e, angle) is A cos(angle) + B sin(angle) + C = 0.
    const double e_r_a = dot(axis_.e, r_a), e_r_b = dot(axis_.e, r_b), L = lengthConstraint();
    const double A = -2 * (dot(r_b, r_a) - e_r_b * e_r_a);
    const double B = 2 * dot(r_b, cross(axis_.e, r_a));
    const double C = dot(r_a, r_a) + dot(r_b, r_b) - L * L - 2 * e_r_b * e_r_a;
    const double k2 = std::sqrt(std::max(A * A + B * B - C * C, 0.0));
    const double angle1 = std::atan2(-B * C - A * k2, -A * C + B * k2);
    const double angle2 = std::atan2(-B * C + A * k2, -A * C - B * k2);
    return nearest(angle1, angle2);
  }

  /// Effect on the coordinate of a force at r_b, resolved in frame_b: e x r_b.
  Vector3d lever(const Vector3d& r_b) const { return cross(axis_.e, r_b); }
  static constexpr const char* kLeverUnit = "m";
};

}  // namespace cardan
