/// Time derivatives of resolved vectors and of angle sequences: MSL Frames.Internal.
#pragma once

#include "frames/rotations.h"

namespace cardan::frames::Internal {

/// der(resolve1(R, v2)), from v2 resolved in frame 2 and the derivatives of its components:
/// T' (v2_der + w x v2), resolved in frame 1.
/// Source  MSL 4.0 Frames.Internal.resolve1_der
template <class S, class U, class V>
requires VectorExpression3<U> && VectorExpression3<V>
inline Vector3<Promote<Promote<S, ScalarOf<U>>, ScalarOf<V>>> resolve1_der(
    const Orientation<S>& R, const Eigen::MatrixBase<U>& v2, const Eigen::MatrixBase<V>& v2_der) {
  return resolve1(R, v2_der + cross(angularVelocity2(R), v2));
}

/// der(resolve2(R, v1)), from v1 resolved in frame 1 and the derivatives of its components:
/// T v1_der - w x (T v1), resolved in frame 2.
/// Source  MSL 4.0 Frames.Internal.resolve2_der
template <class S, class U, class V>
requires VectorExpression3<U> && VectorExpression3<V>
inline Vector3<Promote<Promote<S, ScalarOf<U>>, ScalarOf<V>>> resolve2_der(
    const Orientation<S>& R, const Eigen::MatrixBase<U>& v1, const Eigen::MatrixBase<V>& v1_der) {
  return resolve2(R, v1_der) - cross(angularVelocity2(R), resolve2(R, v1));
}

/// der(resolveRelative(v1, R1, R2)), from v1 resolved in frame 1 and the derivatives of its
/// components: T2 T1' (v1_der + w1 x v1) - w2 x (T2 T1' v1), resolved in frame 2.
/// Source  MSL 4.0 Frames.Internal.resolveRelative_der
template <class U, class A, class B, class V>
requires VectorExpression3<U> && VectorExpression3<V>
inline Vector3<Promote<Promote<Promote<A, B>, ScalarOf<U>>, ScalarOf<V>>> resolveRelative_der(
    const Eigen::MatrixBase<U>& v1, const Orientation<A>& R1, const Orientation<B>& R2,
    const Eigen::MatrixBase<V>& v1_der) {
  return resolveRelative(v1_der + cross(angularVelocity2(R1), v1), R1, R2) -
         cross(angularVelocity2(R2), resolveRelative(v1, R1, R2));
}

/// Angular velocity of frame 2 relative to frame 1, resolved in frame 2 [rad/s] (MSL's comment says
/// frame 1, its equation frame 2), of axesRotations(sequence, angles, der_angles).
/// Source  MSL 4.1 Frames.Internal.from_anglesd
template <class U, class V>
requires VectorExpression3<U> && VectorExpression3<V>
inline Vector3<Promote<ScalarOf<U>, ScalarOf<V>>> from_anglesd(
    const Sequence& sequence, const Eigen::MatrixBase<U>& angles,
    const Eigen::MatrixBase<V>& der_angles) {
  return angularVelocity2(axesRotations(sequence, angles, der_angles));
}

}  // namespace cardan::frames::Internal
