/// Orientation of a frame 2 relative to a frame 1, with its angular velocity: MSL
/// Frames.Orientation and the functions on it. Rotations from angles and directions are in rotations.h.
#pragma once

#include "frames/transformation_matrices.h"

namespace cardan::frames {

/// Rotation of frame 1 into frame 2.
///
/// The representation is hidden: only frames/ reads T and w, all others use the functions (to_T,
/// angularVelocity1/2, resolve1/2, ...). In a connector frame 1 is the world and frame 2 the frame.
///
/// The trap: T takes vectors INTO frame 2 (v2 = T v1), so it is R_21, the transpose of what is
/// often called the rotation matrix of frame 2. Its rows are the axes of frame 2 resolved in
/// frame 1. The velocity obeys skew(w) = T der(T)', hence der(T) = -skew(w) T.
///
/// Source  MSL 4.0 Frames.Orientation
template <class S>
struct Orientation {
  Matrix3<S> T;  ///< [1]      v2 = T v1
  Vector3<S> w;  ///< [rad/s]  angular velocity of frame 2 relative to frame 1, resolved in frame 2

  /// A constant orientation where one of Dual is wanted.
  template <class D>
  requires(std::is_same_v<S, double> && !std::is_same_v<D, double>) operator Orientation<D>()
      const {
    return {T, w};
  }

  /// Residue of R1.T = R2.T [rad]; R1 and R2 rotate frame 0 into frame 1 and 2.
  ///
  /// With D = T2 T1' and the third axis of T1 taken as the product of the first two:
  /// atan2(D23, D11), atan2(-D13, D22), atan2(D12, D33). Zero only for equal orientations (a half
  /// turn gives +-pi), and to first order the angles about x, y, z of frame 1. Good near zero but
  /// no rotation vector: a quarter turn about x gives pi/4 (and two atan2(0,0)). From far away use
  /// rotationVector.
  /// Source  MSL 4.0 Frames.Orientation.equalityConstraint
  template <class B>
  static Vector3<Promote<S, B>> equalityConstraint(const Orientation<S>& R1,
                                                   const Orientation<B>& R2) {
    const Vector3<S> x1 = R1.T.row(0), y1 = R1.T.row(1), z1 = cross(x1, y1);
    const Vector3<B> x2 = R2.T.row(0), y2 = R2.T.row(1);
    return {atan2(dot(z1, y2), dot(x1, x2)), atan2(-dot(z1, x2), dot(y1, y2)),
            atan2(dot(y1, x2), dot(R1.T.row(2).transpose(), R2.T.row(2).transpose()))};
  }
};

/// Residues of T' T = I (6; the angular velocity is free), from the columns c1, c2, c3 of T in this
/// order: c1.c1 - 1, c2.c2 - 1, c3.c3 - 1, c1.c2, c1.c3, c2.c3.
/// Source  MSL 4.0 Frames.orientationConstraint
template <class S>
inline Eigen::Matrix<S, 6, 1> orientationConstraint(const Orientation<S>& R) {
  return TransformationMatrices::orientationConstraint(R.T);
}

/// Angular velocity of frame 2 relative to frame 1, resolved in frame 1 [rad/s].
/// Source  MSL 4.0 Frames.angularVelocity1
template <class S>
inline Vector3<S> angularVelocity1(const Orientation<S>& R) {
  return multiplyTransposed(R.T, R.w);
}

/// Angular velocity of frame 2 relative to frame 1, resolved in frame 2 [rad/s].
/// Source  MSL 4.0 Frames.angularVelocity2
template <class S>
[[gnu::always_inline]] inline const Vector3<S>& angularVelocity2(const Orientation<S>& R) {
  return R.w;
}
template <class S>
[[gnu::always_inline]] inline Vector3<S> angularVelocity2(Orientation<S>&& R) {
  return R.w;
}

/// v resolved in frame 1, from v2 resolved in frame 2.
/// Source  MSL 4.0 Frames.resolve1
template <class S, class V>
requires VectorExpression3<V>
[[gnu::always_inline]] inline Vector3<Promote<S, ScalarOf<V>>> resolve1(
    const Orientation<S>& R, const Eigen::MatrixBase<V>& v2) {
  return multiplyTransposed(R.T, v2);
}

/// v resolved in frame 2, from v1 resolved in frame 1.
/// Source  MSL 4.0 Frames.resolve2
template <class S, class V>
requires VectorExpression3<V>
[[gnu::always_inline]] inline Vector3<Promote<S, ScalarOf<V>>> resolve2(
    const Orientation<S>& R, const Eigen::MatrixBase<V>& v1) {
  return multiply(R.T, v1);
}

/// v resolved in frame 2, from v1 resolved in frame 1; R1 and R2 rotate frame 0 into frame 1 and 2.
/// Source  MSL 4.0 Frames.resolveRelative
template <class V, class A, class B>
requires VectorExpression3<V>
inline Vector3<Promote<Promote<A, B>, ScalarOf<V>>> resolveRelative(const Eigen::MatrixBase<V>& v1,
                                                                    const Orientation<A>& R1,
                                                                    const Orientation<B>& R2) {
  return multiply(R2.T, multiplyTransposed(R1.T, v1));
}

/// Second-order tensor resolved in frame 1, from D2 resolved in frame 2: T' D2 T.
/// Source  MSL 4.0 Frames.resolveDyade1
template <class S, class M>
requires MatrixExpression3<M>
inline Matrix3<Promote<S, ScalarOf<M>>> resolveDyade1(const Orientation<S>& R,
                                                      const Eigen::MatrixBase<M>& D2) {
  return TransformationMatrices::resolveDyade1(R.T, D2);
}

/// Second-order tensor resolved in frame 2, from D1 resolved in frame 1: T D1 T'.
/// Source  MSL 4.0 Frames.resolveDyade2
template <class S, class M>
requires MatrixExpression3<M>
inline Matrix3<Promote<S, ScalarOf<M>>> resolveDyade2(const Orientation<S>& R,
                                                      const Eigen::MatrixBase<M>& D1) {
  return TransformationMatrices::resolveDyade2(R.T, D1);
}

/// Frame 2 = frame 1, at rest.
/// Source  MSL 4.0 Frames.nullRotation
template <class S = double>
inline Orientation<S> nullRotation() {
  return {Matrix3<S>::Identity(), Vector3<S>::Zero()};
}

/// The rotation from frame 2 into frame 1: T' and w = -T' w (turned, not only negated).
/// Source  MSL 4.0 Frames.inverseRotation
template <class S>
inline Orientation<S> inverseRotation(const Orientation<S>& R) {
  return {transposed(R.T), -multiplyTransposed(R.T, R.w)};
}

/// The rotation from frame 1 into frame 2; R1 and R2 rotate frame 0 into frame 1 and 2:
/// T2 T1' and w2 - T2 T1' w1.
/// Source  MSL 4.0 Frames.relativeRotation
template <class A, class B>
inline Orientation<Promote<A, B>> relativeRotation(const Orientation<A>& R1,
                                                   const Orientation<B>& R2) {
  return {productTransposed(R2.T, R1.T), R2.w - multiply(R2.T, multiplyTransposed(R1.T, R1.w))};
}

/// The rotation from frame 0 into frame 2; R1 rotates frame 0 into frame 1, R_rel frame 1 into
/// frame 2: T_rel T1 and T_rel w1 + w_rel.
/// Source  MSL 4.0 Frames.absoluteRotation
template <class A, class B>
inline Orientation<Promote<A, B>> absoluteRotation(const Orientation<A>& R1,
                                                   const Orientation<B>& R_rel) {
  return {product(R_rel.T, R1.T), multiply(R_rel.T, R1.w) + R_rel.w};
}

/// Angles about x, y, z of frame 1 of a small rotation [rad]: {T23, -T13, T12}.
/// Source  MSL 4.0 Frames.smallRotation
template <class S>
inline Vector3<S> smallRotation(const Orientation<S>& R) {
  return TransformationMatrices::smallRotation(R.T);
}

/// smallRotation and then three residues that are zero for no rotation: T11 - 1, T22 - 1,
/// T11 T22 - T21 T12 - 1.
/// Source  MSL 4.0 Frames.smallRotation(R, withResidues=true)
template <class S>
inline Eigen::Matrix<S, 6, 1> smallRotationWithResidues(const Orientation<S>& R) {
  return TransformationMatrices::smallRotationWithResidues(R.T);
}

/// From T, v2 = T v1, and w = angular velocity of frame 2 relative to frame 1, resolved in frame 2
/// [rad/s].
/// Source  MSL 4.0 Frames.from_T
/// Pre     T orthogonal
template <class M, class V>
requires MatrixExpression3<M> && VectorExpression3<V>
inline Orientation<Promote<ScalarOf<M>, ScalarOf<V>>> from_T(const Eigen::MatrixBase<M>& T,
                                                             const Eigen::MatrixBase<V>& w) {
  return {T, w};
}

/// From T and its time derivative [1/s]: w = {T[3].dT[2], -T[3].dT[1], T[2].dT[1]} with rows of T
/// and dT.
/// Source  MSL 4.0 Frames.from_T2
/// Pre     T orthogonal
template <class A, class B>
inline Orientation<Promote<A, B>> from_T2(const Matrix3<A>& T, const Matrix3<B>& der_T) {
  return {T, TransformationMatrices::angularVelocity2(T, der_T)};
}

/// From the inverse matrix, v1 = T_inv v2, and w: gives T_inv' and -w.
///
/// The trap: MSL's comment says that w is the angular velocity of frame 1 relative to frame 2
/// resolved in frame 1, but then the result would have to be -T_inv' w. What the equation means is:
/// w = angular velocity of frame 1 relative to frame 2, resolved in frame 2 [rad/s].
/// Source  MSL 4.0 Frames.from_T_inv
/// Pre     T_inv orthogonal
template <class M, class V>
requires MatrixExpression3<M> && VectorExpression3<V>
inline Orientation<Promote<ScalarOf<M>, ScalarOf<V>>> from_T_inv(const Eigen::MatrixBase<M>& T_inv,
                                                                 const Eigen::MatrixBase<V>& w) {
  return {transposed<ScalarOf<M>>(T_inv), -w};
}

/// From a quaternion and w = angular velocity of frame 2 relative to frame 1, resolved in frame 2
/// [rad/s].
/// Source  MSL 4.0 Frames.from_Q
/// Pre     |Q| = 1
template <class Q, class V>
requires VectorExpression4<Q> && VectorExpression3<V>
inline Orientation<Promote<ScalarOf<Q>, ScalarOf<V>>> from_Q(const Eigen::MatrixBase<Q>& Q_,
                                                             const Eigen::MatrixBase<V>& w) {
  return {Quaternions::to_T(Q_), w};
}

/// Transformation matrix, v2 = T v1.
/// Source  MSL 4.0 Frames.to_T
template <class S>
[[gnu::always_inline]] inline const Matrix3<S>& to_T(const Orientation<S>& R) {
  return R.T;
}
template <class S>
[[gnu::always_inline]] inline Matrix3<S> to_T(Orientation<S>&& R) {
  return R.T;
}

/// Inverse transformation matrix, v1 = T_inv v2: T'.
/// Source  MSL 4.0 Frames.to_T_inv
template <class S>
inline Matrix3<S> to_T_inv(const Orientation<S>& R) {
  return transposed(R.T);
}

/// Quaternion; of Q and -Q the one with Q.Q_guess >= 0. See Quaternions::from_T.
/// Source  MSL 4.0 Frames.to_Q
template <class S>
inline Vector4<S> to_Q(const Orientation<S>& R,
                       const Vector4d& Q_guess = Quaternions::nullRotation()) {
  return Quaternions::from_T(R.T, Q_guess);
}

/// The 9 elements of T by columns, T11, T21, T31, T12, ..., T33; w is not included.
/// Source  MSL 4.0 Frames.to_vector
template <class S>
inline Eigen::Matrix<S, 9, 1> to_vector(const Orientation<S>& R) {
  return TransformationMatrices::to_vector(R.T);
}

/// [e_x, e_y]: x- and y-axis of frame 2, resolved in frame 1, as columns.
/// Source  MSL 4.0 Frames.to_exy
template <class S>
inline Eigen::Matrix<S, 3, 2> to_exy(const Orientation<S>& R) {
  return TransformationMatrices::to_exy(R.T);
}

namespace Internal {  // MSL Frames.Internal: time derivatives of resolved vectors

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

}  // namespace Internal

}  // namespace cardan::frames

namespace cardan {
using frames::Orientation;
}
