/// Orientation as a quaternion (Euler parameters): MSL Frames.Quaternions.
///
/// Q = {n sin(phi/2), cos(phi/2)}: vector first, scalar last; n = axis and phi = angle of the
/// rotation from frame 1 into frame 2 (n has the same components in both). Q and -Q are the same
/// rotation. The trap: to_T(Q) takes vectors into frame 2, so it is the transpose of Eigen's
/// Quaternion(q4, q1, q2, q3).toRotationMatrix().
#pragma once

#include "frames/algebra.h"

namespace cardan::frames::Quaternions {

/// {q1, q2, q3, q4}, q4 the scalar [1].
template <class S>
using Orientation = Vector4<S>;

/// Time derivative of an Orientation [1/s].
template <class S>
using der_Orientation = Vector4<S>;

/// The rotation that does nothing: {0, 0, 0, 1}.
template <class S = double>
inline Orientation<S> nullRotation() {
  return Orientation<S>(S(0.0), S(0.0), S(0.0), S(1.0));
}

/// Residue Q.Q - 1, zero for a quaternion of unit length.
/// Source  MSL 4.0 Frames.Quaternions.orientationConstraint
template <class Q>
requires VectorExpression4<Q>
inline Eigen::Matrix<ScalarOf<Q>, 1, 1> orientationConstraint(const Eigen::MatrixBase<Q>& Q_) {
  using S = ScalarOf<Q>;
  const auto& q = Q_.eval();
  return Eigen::Matrix<S, 1, 1>(
      multiplyAdd(q[3], q[3], detail::sumOfProducts(q[0], q[0], q[1], q[1], q[2], q[2])) - 1.0);
}

namespace detail {
/// Vector part of the quaternion from frame 1 to frame 2: rows 1 to 3 of MSL's 4x4 matrix of Q1,
/// times Q2.
template <class A, class B>
inline Vector3<Promote<A, B>> relativeVector(const Vector4<A>& Q1, const Vector4<B>& Q2) {
  using cardan::detail::sumOfProducts;
  Vector3<Promote<A, B>> p;
  p[0] = sumOfProducts(Q1[3], Q2[0], Q1[2], Q2[1], A(-Q1[1]), Q2[2]) - Q1[0] * Q2[3];
  p[1] = sumOfProducts(A(-Q1[2]), Q2[0], Q1[3], Q2[1], Q1[0], Q2[2]) - Q1[1] * Q2[3];
  p[2] = sumOfProducts(Q1[1], Q2[0], A(-Q1[0]), Q2[1], Q1[3], Q2[2]) - Q1[2] * Q2[3];
  return p;
}

/// Q1 . Q2, the scalar part of the quaternion from frame 1 to frame 2.
template <class A, class B>
inline Promote<A, B> relativeScalar(const Vector4<A>& Q1, const Vector4<B>& Q2) {
  return multiplyAdd(Q1[3], Q2[3],
                     cardan::detail::sumOfProducts(Q1[0], Q2[0], Q1[1], Q2[1], Q1[2], Q2[2]));
}
}  // namespace detail

/// Angular velocity of frame 2 relative to frame 1, resolved in frame 1 [rad/s].
/// Source  MSL 4.0 Frames.Quaternions.angularVelocity1
/// Pre     |Q| = 1
template <class Q, class D>
requires VectorExpression4<Q> && VectorExpression4<D>
inline Vector3<Promote<ScalarOf<Q>, ScalarOf<D>>> angularVelocity1(
    const Eigen::MatrixBase<Q>& Q_, const Eigen::MatrixBase<D>& der_Q) {
  using A = ScalarOf<Q>;
  using cardan::detail::sumOfProducts;
  const auto& q = Q_.eval();
  const auto& d = der_Q.eval();
  Vector3<Promote<A, ScalarOf<D>>> w;
  w[0] = 2.0 * (sumOfProducts(q[3], d[0], A(-q[2]), d[1], q[1], d[2]) - q[0] * d[3]);
  w[1] = 2.0 * (sumOfProducts(q[2], d[0], q[3], d[1], A(-q[0]), d[2]) - q[1] * d[3]);
  w[2] = 2.0 * (sumOfProducts(A(-q[1]), d[0], q[0], d[1], q[3], d[2]) - q[2] * d[3]);
  return w;
}

/// Angular velocity of frame 2 relative to frame 1, resolved in frame 2 [rad/s]:
/// 2 [q4, q3, -q2, -q1; -q3, q4, q1, -q2; q2, -q1, q4, -q3] der(Q).
/// Source  MSL 4.0 Frames.Quaternions.angularVelocity2
/// Pre     |Q| = 1
template <class Q, class D>
requires VectorExpression4<Q> && VectorExpression4<D>
inline Vector3<Promote<ScalarOf<Q>, ScalarOf<D>>> angularVelocity2(
    const Eigen::MatrixBase<Q>& Q_, const Eigen::MatrixBase<D>& der_Q) {
  const auto& q = Q_.eval();
  const auto& d = der_Q.eval();
  return detail::relativeVector(q, d) * 2.0;
}

/// v resolved in frame 1, from v2 resolved in frame 2.
/// Source  MSL 4.0 Frames.Quaternions.resolve1
/// Pre     |Q| = 1
template <class Q, class V>
requires VectorExpression4<Q> && VectorExpression3<V>
inline Vector3<Promote<ScalarOf<Q>, ScalarOf<V>>> resolve1(const Eigen::MatrixBase<Q>& Q_,
                                                           const Eigen::MatrixBase<V>& v2) {
  const auto& q = Q_.eval();
  const auto& v = v2.eval();
  const Vector3<ScalarOf<Q>> p = q.template head<3>();
  return (v * (q[3] * q[3] - 0.5) + p * dot(p, v) + cross(p, v) * q[3]) * 2.0;
}

/// v resolved in frame 2, from v1 resolved in frame 1.
/// Source  MSL 4.0 Frames.Quaternions.resolve2
/// Pre     |Q| = 1
template <class Q, class V>
requires VectorExpression4<Q> && VectorExpression3<V>
inline Vector3<Promote<ScalarOf<Q>, ScalarOf<V>>> resolve2(const Eigen::MatrixBase<Q>& Q_,
                                                           const Eigen::MatrixBase<V>& v1) {
  const auto& q = Q_.eval();
  const auto& v = v1.eval();
  const Vector3<ScalarOf<Q>> p = q.template head<3>();
  return (v * (q[3] * q[3] - 0.5) + p * dot(p, v) - cross(p, v) * q[3]) * 2.0;
}

/// Transformation matrix T, v2 = T v1: (2 q4^2 - 1) I + 2 (p p' - q4 skew(p)), p = {q1, q2, q3}.
/// Source  MSL 4.0 Frames.Quaternions.to_T
/// Pre     |Q| = 1
template <class Q>
requires VectorExpression4<Q>
inline Matrix3<ScalarOf<Q>> to_T(const Eigen::MatrixBase<Q>& Q_) {
  using S = ScalarOf<Q>;
  const auto& q = Q_.eval();
  const S q11 = q[0] * q[0], q22 = q[1] * q[1], q33 = q[2] * q[2], q44 = q[3] * q[3];
  const S q12 = q[0] * q[1], q13 = q[0] * q[2], q23 = q[1] * q[2];
  const S q14 = q[0] * q[3], q24 = q[1] * q[3], q34 = q[2] * q[3];
  Matrix3<S> T;
  T(0, 0) = 2.0 * (q11 + q44) - 1.0;
  T(1, 0) = 2.0 * (q12 - q34);
  T(2, 0) = 2.0 * (q13 + q24);
  T(0, 1) = 2.0 * (q12 + q34);
  T(1, 1) = 2.0 * (q22 + q44) - 1.0;
  T(2, 1) = 2.0 * (q23 - q14);
  T(0, 2) = 2.0 * (q13 - q24);
  T(1, 2) = 2.0 * (q23 + q14);
  T(2, 2) = 2.0 * (q33 + q44) - 1.0;
  return T;
}

/// Inverse transformation matrix, v1 = T_inv v2: the transpose of to_T.
/// Source  MSL 4.0 Frames.Quaternions.to_T_inv
/// Pre     |Q| = 1
template <class Q>
requires VectorExpression4<Q>
inline Matrix3<ScalarOf<Q>> to_T_inv(const Eigen::MatrixBase<Q>& Q_) {
  return transposed(to_T(Q_));
}

/// The columns of v2 (resolved in frame 2), resolved in frame 1; any number of them.
/// Source  MSL 4.0 Frames.Quaternions.multipleResolve1
/// Pre     |Q| = 1
template <class Q, class V>
requires VectorExpression4<Q> &&(
    V::RowsAtCompileTime ==
    3) inline Eigen::Matrix<Promote<ScalarOf<Q>, ScalarOf<V>>, 3,
                            V::ColsAtCompileTime> multipleResolve1(const Eigen::MatrixBase<Q>& Q_,
                                                                   const Eigen::MatrixBase<V>& v2) {
  return to_T_inv(Q_) * v2;
}

/// The columns of v1 (resolved in frame 1), resolved in frame 2; any number of them.
/// Source  MSL 4.0 Frames.Quaternions.multipleResolve2
/// Pre     |Q| = 1
template <class Q, class V>
requires VectorExpression4<Q> &&(
    V::RowsAtCompileTime ==
    3) inline Eigen::Matrix<Promote<ScalarOf<Q>, ScalarOf<V>>, 3,
                            V::ColsAtCompileTime> multipleResolve2(const Eigen::MatrixBase<Q>& Q_,
                                                                   const Eigen::MatrixBase<V>& v1) {
  return to_T(Q_) * v1;
}

/// The rotation from frame 2 into frame 1: {-q1, -q2, -q3, q4}.
/// Source  MSL 4.0 Frames.Quaternions.inverseRotation
template <class Q>
requires VectorExpression4<Q>
inline Orientation<ScalarOf<Q>> inverseRotation(const Eigen::MatrixBase<Q>& Q_) {
  const auto& q = Q_.eval();
  return Orientation<ScalarOf<Q>>(-q[0], -q[1], -q[2], q[3]);
}

/// The rotation from frame 1 into frame 2; Q1 and Q2 rotate frame 0 into frame 1 and 2.
/// Source  MSL 4.0 Frames.Quaternions.relativeRotation
template <class Q, class P>
requires VectorExpression4<Q> && VectorExpression4<P>
inline Orientation<Promote<ScalarOf<Q>, ScalarOf<P>>> relativeRotation(
    const Eigen::MatrixBase<Q>& Q1, const Eigen::MatrixBase<P>& Q2) {
  const auto& a = Q1.eval();
  const auto& b = Q2.eval();
  Orientation<Promote<ScalarOf<Q>, ScalarOf<P>>> Q_rel;
  Q_rel.template head<3>() = detail::relativeVector(a, b);
  Q_rel[3] = detail::relativeScalar(a, b);
  return Q_rel;
}

/// The rotation from frame 0 into frame 2; Q1 rotates frame 0 into frame 1, Q_rel frame 1 into
/// frame 2.
/// Source  MSL 4.0 Frames.Quaternions.absoluteRotation
template <class Q, class P>
requires VectorExpression4<Q> && VectorExpression4<P>
inline Orientation<Promote<ScalarOf<Q>, ScalarOf<P>>> absoluteRotation(
    const Eigen::MatrixBase<Q>& Q1, const Eigen::MatrixBase<P>& Q_rel) {
  return relativeRotation(inverseRotation(Q1), Q_rel);
}

/// Residue that is zero if and only if Q1 = Q2 up to a factor: the components of the vector part of
/// the relative quaternion, each as atan2(component, Q1.Q2). For a small rotation they are half its
/// angles about x, y, z of frame 1 [rad]. Q2 = -Q1 (the same rotation) gives +-pi, so choose the
/// signs alike.
/// Source  MSL 4.0 Frames.Quaternions.Orientation.equalityConstraint
template <class Q, class P>
requires VectorExpression4<Q> && VectorExpression4<P>
inline Vector3<Promote<ScalarOf<Q>, ScalarOf<P>>> equalityConstraint(
    const Eigen::MatrixBase<Q>& Q1, const Eigen::MatrixBase<P>& Q2) {
  const auto q = relativeRotation(Q1, Q2);
  return {atan2(q[0], q[3]), atan2(q[1], q[3]), atan2(q[2], q[3])};
}

/// Rotation by `angle` [rad] about the unit vector e (same components in both frames).
/// Source  MSL 4.0 Frames.Quaternions.planarRotation
/// Pre     |e| = 1
template <class V, Scalar A>
requires VectorExpression3<V>
inline Orientation<Promote<ScalarOf<V>, A>> planarRotation(const Eigen::MatrixBase<V>& e_,
                                                           const A& angle) {
  using S = Promote<ScalarOf<V>, A>;
  const auto& e = e_.eval();
  A s, c;
  sincos(A(angle * 0.5), s, c);
  return Orientation<S>(S(e[0] * s), S(e[1] * s), S(e[2] * s), S(c));
}

/// Angles about x, y, z of frame 1 of a small rotation [rad]: 2 {q1, q2, q3}.
/// Source  MSL 4.0 Frames.Quaternions.smallRotation
template <class Q>
requires VectorExpression4<Q>
inline Vector3<ScalarOf<Q>> smallRotation(const Eigen::MatrixBase<Q>& Q_) {
  return Q_.template head<3>() * 2.0;
}

/// Quaternion of a transformation matrix, v2 = T v1; of Q and -Q the one with Q.Q_guess >= 0.
///
/// Each of four formulas divides by another component of Q; taken is the one with the largest
/// divisor, the first of equals in the order q4, q1, q2, q3. MSL compares with a strict > and so
/// divides by zero where two tie (half turn about {1,1,0}).
/// Source  MSL 4.0 Frames.Quaternions.from_T
/// Pre     T orthogonal
template <class S>
inline Orientation<S> from_T(const Matrix3<S>& T, const Vector4d& Q_guess = nullRotation()) {
  // c_i = 4 q_i^2 and their sum is 4, so the largest is at least 1.
  const S c1 = 1.0 + T(0, 0) - T(1, 1) - T(2, 2);
  const S c2 = 1.0 + T(1, 1) - T(0, 0) - T(2, 2);
  const S c3 = 1.0 + T(2, 2) - T(0, 0) - T(1, 1);
  const S c4 = 1.0 + T(0, 0) + T(1, 1) + T(2, 2);
  Orientation<S> Q;
  if (c4 >= c1 && c4 >= c2 && c4 >= c3) {
    const S q = sqrt(c4) * 0.5;
    const S f = 0.25 / q;
    Q << (T(1, 2) - T(2, 1)) * f, (T(2, 0) - T(0, 2)) * f, (T(0, 1) - T(1, 0)) * f, q;
  } else if (c1 >= c2 && c1 >= c3) {
    const S q = sqrt(c1) * 0.5;
    const S f = 0.25 / q;
    Q << q, (T(0, 1) + T(1, 0)) * f, (T(0, 2) + T(2, 0)) * f, (T(1, 2) - T(2, 1)) * f;
  } else if (c2 >= c3) {
    const S q = sqrt(c2) * 0.5;
    const S f = 0.25 / q;
    Q << (T(0, 1) + T(1, 0)) * f, q, (T(1, 2) + T(2, 1)) * f, (T(2, 0) - T(0, 2)) * f;
  } else {
    const S q = sqrt(c3) * 0.5;
    const S f = 0.25 / q;
    Q << (T(0, 2) + T(2, 0)) * f, (T(1, 2) + T(2, 1)) * f, q, (T(0, 1) - T(1, 0)) * f;
  }
  if (value(detail::relativeScalar(Q, Q_guess)) < 0.0) return -Q;
  return Q;
}

/// Quaternion of an inverse transformation matrix, v1 = T_inv v2; otherwise as from_T.
/// Source  MSL 4.0 Frames.Quaternions.from_T_inv
/// Pre     T_inv orthogonal
template <class S>
inline Orientation<S> from_T_inv(const Matrix3<S>& T_inv,
                                 const Vector4d& Q_guess = nullRotation()) {
  return from_T(transposed(T_inv), Q_guess);
}

}  // namespace cardan::frames::Quaternions
