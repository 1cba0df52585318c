/// PrismaticWithLengthConstraint: the prismatic joint of a joint assembly, whose distance follows
/// from the length of a rod.
#pragma once

#include "components/assemblies/with_length_constraint.h"

namespace cardan {

/// Unknowns   s [m], v [m/s]
/// Equations  frame_b slides along n by distance = s + s_offset;  0 = f + e.f_b
///            d^2 + B d + C = 0 at the start, of whose two solutions the one nearest to
///            s_offset + s_guess
/// Source     MSL 4.0 Joints.Internal.PrismaticWithLengthConstraint
class PrismaticWithLengthConstraint final
    : public WithLengthConstraint<PrismaticWithLengthConstraint, SlidingLaw,
                                  one_dimensional::TranslationalAxis> {
 public:
  using WithLengthConstraint::WithLengthConstraint;

  /// s at which the ends of the rod, at r_a from frame_a and at r_b from frame_b, each resolved
  /// there, have the distance lengthConstraint; the nearest possible one, where there is none [m].
  double solve(const Vector3d& r_a, const Vector3d& r_b) {
    // |d e + r_b - r_a| = L is d^2 + B d + C = 0.
    const Vector3d rbra = r_b - r_a;
    const double L = lengthConstraint(), k1 = dot(axis_.e, rbra), C = dot(rbra, rbra) - L * L;
    const double k2 = std::sqrt(std::max(k1 * k1 - C, 0.0));
    return nearest(-k1 + k2, -k1 - k2);
  }

  /// Effect on the coordinate of a force at r_b, resolved in frame_b: e.
  Vector3d lever(const Vector3d& /*r_b*/) const { return axis_.e; }
  static constexpr const char* kLeverUnit = "1";
};

}  // namespace cardan
