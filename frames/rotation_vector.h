/// Rotation vector: the measure of a rotation that stays good far from zero.
#pragma once

#include "frames/orientation.h"

namespace cardan::frames {

/// Rotation vector e phi [rad] of a quaternion of any length but zero: |e| = 1, 0 <= phi <= pi, for
/// Q and -Q alike; e has the same components in both frames.
///
/// The inverse of planarRotation(e, phi). Smooth up to the half turn, where the sign of e jumps;
/// exact to rounding near zero, where the derivative is that of smallRotation.
template <class Q>
requires VectorExpression4<Q>
inline Vector3<ScalarOf<Q>> rotationVector(const Eigen::MatrixBase<Q>& Q_) {
  using S = ScalarOf<Q>;
  Vector4<S> q = Q_;
  if (value(q[3]) < 0.0) q = -q;
  const Vector3<S> p = q.template head<3>();
  const S n2 = dot(p, p);
  if (value(n2) < 1e-3 * value(q[3]) * value(q[3])) {
    // 2 atan(x)/n with x = n/q4, as a series in x^2: nothing to divide by at zero; truncation
    // x^12/13.
    const S u = n2 / (q[3] * q[3]);
    const S series =
        1.0 - u * (1.0 / 3 - u * (1.0 / 5 - u * (1.0 / 7 - u * (1.0 / 9 - u * (1.0 / 11)))));
    return p * (2.0 * series / q[3]);
  }
  const S n = sqrt(n2);
  return p * (2.0 * atan2(n, q[3]) / n);
}

/// Rotation vector e phi [rad] of R (w plays no part), 0 <= phi <= pi.
///
/// For relativeRotation(R1, R2) it is the residue to use far from R1 = R2, where
/// Orientation::equalityConstraint misleads: its length is the angle of the rotation that remains,
/// and a step along it is the shortest way. At exactly a half turn e is the one with its largest
/// component positive.
template <class S>
inline Vector3<S> rotationVector(const Orientation<S>& R) {
  return rotationVector(to_Q(R));
}

}  // namespace cardan::frames
