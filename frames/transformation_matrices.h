/// Orientation as a transformation matrix alone: MSL Frames.TransformationMatrices.
///
/// T takes a vector resolved in frame 1 into frame 2: v2 = T v1. Its rows are the axes of frame 2
/// resolved in frame 1. Rotations from angles and directions are in rotations.h.
#pragma once

#include "frames/quaternions.h"

namespace cardan::frames::TransformationMatrices {

/// T, v2 = T v1 [1].
template <class S>
using Orientation = Matrix3<S>;

/// Time derivative of an Orientation [1/s].
template <class S>
using der_Orientation = Matrix3<S>;

/// Residues of T' T = I, from the columns c1, c2, c3 of T, in this order:
/// c1.c1 - 1, c2.c2 - 1, c3.c3 - 1, c1.c2, c1.c3, c2.c3. A reflection satisfies them too.
/// Source  MSL 4.0 Frames.TransformationMatrices.orientationConstraint
template <class S>
inline Eigen::Matrix<S, 6, 1> orientationConstraint(const Matrix3<S>& T) {
  Eigen::Matrix<S, 6, 1> r;
  r << dot(T.col(0), T.col(0)) - 1.0, dot(T.col(1), T.col(1)) - 1.0, dot(T.col(2), T.col(2)) - 1.0,
      dot(T.col(0), T.col(1)), dot(T.col(0), T.col(2)), dot(T.col(1), T.col(2));
  return r;
}

/// Residue of T1 = T2: {D23, -D13, D12} of D = T2 T1', with the third axis of T1 taken as the
/// product of the first two. Equals the angles about x, y, z of frame 1 for a small rotation [rad];
/// fooled by half turns about x, y, z, where it is zero too.
/// Source  MSL 4.0 Frames.TransformationMatrices.Orientation.equalityConstraint
template <class A, class B>
inline Vector3<Promote<A, B>> equalityConstraint(const Matrix3<A>& T1, const Matrix3<B>& T2) {
  const Vector3<A> x1 = T1.row(0), y1 = T1.row(1), z1 = cross(x1, y1);
  const Vector3<B> x2 = T2.row(0), y2 = T2.row(1);
  return {dot(z1, y2), -dot(z1, x2), dot(y1, x2)};
}

/// Angular velocity of frame 2 relative to frame 1, resolved in frame 1 [rad/s]:
/// skew(w) = der(T)' T.
/// Source  MSL 4.0 Frames.TransformationMatrices.angularVelocity1
/// Pre     T orthogonal
template <class A, class B>
inline Vector3<Promote<A, B>> angularVelocity1(const Matrix3<A>& T, const Matrix3<B>& der_T) {
  return {dot(der_T.col(2), T.col(1)), -dot(der_T.col(2), T.col(0)), dot(der_T.col(1), T.col(0))};
}

/// Angular velocity of frame 2 relative to frame 1, resolved in frame 2 [rad/s]:
/// skew(w) = T der(T)'.
/// Source  MSL 4.0 Frames.TransformationMatrices.angularVelocity2
/// Pre     T orthogonal
template <class A, class B>
inline Vector3<Promote<A, B>> angularVelocity2(const Matrix3<A>& T, const Matrix3<B>& der_T) {
  const Vector3<A> y = T.row(1), z = T.row(2);
  const Vector3<B> dx = der_T.row(0), dy = der_T.row(1);
  return {dot(z, dy), -dot(z, dx), dot(y, dx)};
}

/// v resolved in frame 1, from v2 resolved in frame 2: T' v2.
/// Source  MSL 4.0 Frames.TransformationMatrices.resolve1
template <class S, class V>
requires VectorExpression3<V>
inline Vector3<Promote<S, ScalarOf<V>>> resolve1(const Matrix3<S>& T,
                                                 const Eigen::MatrixBase<V>& v2) {
  return multiplyTransposed(T, v2);
}

/// v resolved in frame 2, from v1 resolved in frame 1: T v1.
/// Source  MSL 4.0 Frames.TransformationMatrices.resolve2
template <class S, class V>
requires VectorExpression3<V>
inline Vector3<Promote<S, ScalarOf<V>>> resolve2(const Matrix3<S>& T,
                                                 const Eigen::MatrixBase<V>& v1) {
  return multiply(T, v1);
}

/// The columns of v2 (resolved in frame 2), resolved in frame 1; any number of them.
/// Source  MSL 4.0 Frames.TransformationMatrices.multipleResolve1
template <class S, class V>
requires(
    V::RowsAtCompileTime ==
    3) inline Eigen::Matrix<Promote<S, ScalarOf<V>>, 3,
                            V::ColsAtCompileTime> multipleResolve1(const Matrix3<S>& T,
                                                                   const Eigen::MatrixBase<V>& v2) {
  return T.transpose() * v2;
}

/// The columns of v1 (resolved in frame 1), resolved in frame 2; any number of them.
/// Source  MSL 4.0 Frames.TransformationMatrices.multipleResolve2
template <class S, class V>
requires(
    V::RowsAtCompileTime ==
    3) inline Eigen::Matrix<Promote<S, ScalarOf<V>>, 3,
                            V::ColsAtCompileTime> multipleResolve2(const Matrix3<S>& T,
                                                                   const Eigen::MatrixBase<V>& v1) {
  return T * v1;
}

/// Second-order tensor resolved in frame 1, from D2 resolved in frame 2: T' D2 T.
/// Source  MSL 4.0 Frames.TransformationMatrices.resolveDyade1
template <class S, class M>
requires MatrixExpression3<M>
inline Matrix3<Promote<S, ScalarOf<M>>> resolveDyade1(const Matrix3<S>& T,
                                                      const Eigen::MatrixBase<M>& D2) {
  const Matrix3<ScalarOf<M>>& D = D2.eval();
  return product(transposedProduct(T, D), T);
}

/// Second-order tensor resolved in frame 2, from D1 resolved in frame 1: T D1 T'.
/// Source  MSL 4.0 Frames.TransformationMatrices.resolveDyade2
template <class S, class M>
requires MatrixExpression3<M>
inline Matrix3<Promote<S, ScalarOf<M>>> resolveDyade2(const Matrix3<S>& T,
                                                      const Eigen::MatrixBase<M>& D1) {
  const Matrix3<ScalarOf<M>>& D = D1.eval();
  return productTransposed(product(T, D), T);
}

/// The rotation that does nothing: identity.
template <class S = double>
inline Orientation<S> nullRotation() {
  return Matrix3<S>::Identity();
}

/// The rotation from frame 2 into frame 1: T'.
/// Source  MSL 4.0 Frames.TransformationMatrices.inverseRotation
template <class S>
inline Orientation<S> inverseRotation(const Matrix3<S>& T) {
  return transposed(T);
}

/// The rotation from frame 1 into frame 2, T2 T1'; T1 and T2 rotate frame 0 into frame 1 and 2.
/// Source  MSL 4.0 Frames.TransformationMatrices.relativeRotation
template <class A, class B>
inline Orientation<Promote<A, B>> relativeRotation(const Matrix3<A>& T1, const Matrix3<B>& T2) {
  return productTransposed(T2, T1);
}

/// The rotation from frame 0 into frame 2, T_rel T1; T1 rotates frame 0 into frame 1, T_rel frame 1
/// into frame 2.
/// Source  MSL 4.0 Frames.TransformationMatrices.absoluteRotation
template <class A, class B>
inline Orientation<Promote<A, B>> absoluteRotation(const Matrix3<A>& T1, const Matrix3<B>& T_rel) {
  return product(T_rel, T1);
}

/// Angles about x, y, z of frame 1 of a small rotation [rad]: {T23, -T13, T12}.
/// Source  MSL 4.0 Frames.TransformationMatrices.smallRotation
template <class S>
inline Vector3<S> smallRotation(const Matrix3<S>& T) {
  return {T(1, 2), -T(0, 2), T(0, 1)};
}

/// smallRotation and then three residues that are zero for no rotation: T11 - 1, T22 - 1,
/// T11 T22 - T21 T12 - 1.
/// Source  MSL 4.0, smallRotation(T, withResidues=true)
template <class S>
inline Eigen::Matrix<S, 6, 1> smallRotationWithResidues(const Matrix3<S>& T) {
  Eigen::Matrix<S, 6, 1> r;
  r << T(1, 2), -T(0, 2), T(0, 1), T(0, 0) - 1.0, T(1, 1) - 1.0,
      T(0, 0) * T(1, 1) - T(1, 0) * T(0, 1) - 1.0;
  return r;
}

/// T itself.
/// Source  MSL 4.0 Frames.TransformationMatrices.from_T
template <class S>
inline Orientation<S> from_T(const Matrix3<S>& T) {
  return T;
}

/// From the inverse transformation matrix, v1 = T_inv v2: T_inv'.
/// Source  MSL 4.0 Frames.TransformationMatrices.from_T_inv
template <class S>
inline Orientation<S> from_T_inv(const Matrix3<S>& T_inv) {
  return transposed(T_inv);
}

/// From a quaternion.
/// Source  MSL 4.0 Frames.TransformationMatrices.from_Q
/// Pre     |Q| = 1
template <class Q>
requires VectorExpression4<Q>
inline Orientation<ScalarOf<Q>> from_Q(const Eigen::MatrixBase<Q>& Q_) {
  return Quaternions::to_T(Q_);
}

/// T itself.
/// Source  MSL 4.0 Frames.TransformationMatrices.to_T
template <class S>
inline Matrix3<S> to_T(const Matrix3<S>& T) {
  return T;
}

/// Inverse transformation matrix, v1 = T_inv v2: T'.
/// Source  MSL 4.0 Frames.TransformationMatrices.to_T_inv
template <class S>
inline Matrix3<S> to_T_inv(const Matrix3<S>& T) {
  return transposed(T);
}

/// Quaternion, see Quaternions::from_T.
/// Source  MSL 4.0 Frames.TransformationMatrices.to_Q
template <class S>
inline Vector4<S> to_Q(const Matrix3<S>& T, const Vector4d& Q_guess = Quaternions::nullRotation()) {
  return Quaternions::from_T(T, Q_guess);
}

/// The 9 elements of T by columns: T11, T21, T31, T12, ..., T33.
/// Source  MSL 4.0 Frames.TransformationMatrices.to_vector
template <class S>
inline Eigen::Matrix<S, 9, 1> to_vector(const Matrix3<S>& T) {
  Eigen::Matrix<S, 9, 1> v;
  v << T.col(0), T.col(1), T.col(2);
  return v;
}

/// [e_x, e_y]: x- and y-axis of frame 2, resolved in frame 1, as columns.
/// Source  MSL 4.0 Frames.TransformationMatrices.to_exy
template <class S>
inline Eigen::Matrix<S, 3, 2> to_exy(const Matrix3<S>& T) {
  Eigen::Matrix<S, 3, 2> exy;
  for (int i = 0; i < 3; ++i) {
    exy(i, 0) = T(0, i);
    exy(i, 1) = T(1, i);
  }
  return exy;
}

}  // namespace cardan::frames::TransformationMatrices
