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
    void readBranch(ParameterReader& r);
    /// The start value, under the inner name.
    void readStart(ParameterReader& r);
  };

  explicit RevoluteWithLengthConstraint(const Parameters& p)
      : WithLengthConstraint(p.n, p.phi_offset), p_(p) {}

  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  /// phi at which the ends of the rod, at r_a from frame_a and at r_b from frame_b, each resolved
  /// there, have the distance lengthConstraint; the nearest possible one, where there is none [m].
  double solve(const Vector3d& r_a, const Vector3d& r_b);

  /// Effect on the coordinate of a force at r_b, resolved in frame_b: e x r_b.
  Vector3d lever(const Vector3d& r_b) const { return cross(axis_.e, r_b); }
  static constexpr const char* kLeverUnit = "m";

 private:
  Parameters p_;
};

}  // namespace cardan
