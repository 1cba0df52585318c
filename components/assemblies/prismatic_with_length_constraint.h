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
    : public WithLengthConstraint<PrismaticWithLengthConstraint, SlidingLaw> {
 public:
  static constexpr const char* kName = "prismatic";  ///< MSL's inner name in the assemblies
  static constexpr Domain kDomain = Domain::Translational;

  struct Parameters {
    Vector3d n{1, 0, 0};          ///< [1]  axis, any length but zero, resolved in frame_a
    double lengthConstraint = 1;  ///< [m]  of the rod
    double s_offset = 0;          ///< [m]  distance where s = 0
    double s_guess = 0;           ///< [m]  chooses the branch
    StartValue s;                 ///< [m]

    void readBranch(ParameterReader& r);
    /// The start value, under the inner name.
    void readStart(ParameterReader& r);
  };

  explicit PrismaticWithLengthConstraint(const Parameters& p)
      : WithLengthConstraint(p.n, p.s_offset), p_(p) {}

  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  /// s at which the ends of the rod, at r_a from frame_a and at r_b from frame_b, each resolved
  /// there, have the distance lengthConstraint; the nearest possible one, where there is none [m].
  double solve(const Vector3d& r_a, const Vector3d& r_b);

  /// Effect on the coordinate of a force at r_b, resolved in frame_b: e.
  Vector3d lever(const Vector3d& /*r_b*/) const { return axis_.e; }
  static constexpr const char* kLeverUnit = "1";

 private:
  Parameters p_;
};

}  // namespace cardan
