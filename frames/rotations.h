/// Rotations from what describes them: angles about one axis or a sequence of axes and back, a rotation
/// vector, two directions of frame 2.
#pragma once

#include <array>
#include <cassert>
#include <stdexcept>

#include "frames/orientation.h"

namespace cardan::frames {

/// Axes 1, 2, 3 of three successive rotations.
using Sequence = std::array<int, 3>;
inline constexpr Sequence kCardanSequence{1, 2, 3};

namespace detail {

/// Turns a vector (or every column of a matrix) by axisRotation(axis, .) of which s, c are sine and
/// cosine. With x, y, z cyclic after `axis`: y' = c y + s z, z' = c z - s y.
template <class X, class S>
[[gnu::always_inline]] inline void turn(X& x, int axis, const S& s, const S& c) {
  const int i = axis % 3, j = (axis + 1) % 3;  // the two axes after `axis`, counted from 0
  for (int k = 0; k < X::ColsAtCompileTime; ++k) {
    const auto y = x(i, k), z = x(j, k);
    x(i, k) = c * y + s * z;
    x(j, k) = c * z - s * y;
  }
}

inline bool isAxis(int i) { return 1 <= i && i <= 3; }

}  // namespace detail

namespace TransformationMatrices {

/// Rotation by `angle` [rad] about the unit vector e (same components in both frames):
/// e e' + (I - e e') cos(angle) - skew(e) sin(angle). Mind the minus: T takes vectors into the
/// turned frame.
/// Source  MSL 4.0 Frames.TransformationMatrices.planarRotation
/// Pre     |e| = 1
template <class V, Scalar A>
requires VectorExpression3<V>
inline Matrix3<Promote<ScalarOf<V>, A>> planarRotation(const Eigen::MatrixBase<V>& e_,
                                                       const A& angle) {
  const auto& e = e_.eval();
  Matrix3<Promote<ScalarOf<V>, A>> T;
  if constexpr (std::is_same_v<ScalarOf<V>, double>) {
    // Only the angle varies: der(T) by the angle is a matrix of doubles.
    double s, c;
    sincos(value(angle), s, c);
    const Matrix3d E = skew(e);
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) {
        const double parallel = e[i] * e[j];
        const double normal = (i == j ? 1.0 : 0.0) - parallel;
        T(i, j) = chain(parallel + normal * c - E(i, j) * s, -normal * s - E(i, j) * c, angle);
      }
    }
  } else {
    A s, c;
    sincos(angle, s, c);
    T = e * e.transpose();
    T = (T + (Matrix3d::Identity() - T) * c - skew(e) * s).eval();
  }
  return T;
}

/// Angle [rad], -pi..pi, of the rotation about e that takes v1 (resolved in frame 1) into v2 (the
/// same vector resolved in frame 2): atan2(-(e x v1).v2, v1.v2 - (e.v1)(e.v2)). The length of v is
/// free. 0, with zero derivatives, if v1 is parallel to e or zero (in exact arithmetic).
/// Source  MSL 4.0 Frames.TransformationMatrices.planarRotationAngle
/// Pre     |e| = 1, v1 not parallel to e
template <class E, class U, class V>
requires VectorExpression3<E> && VectorExpression3<U> && VectorExpression3<V>
inline Promote<Promote<ScalarOf<E>, ScalarOf<U>>, ScalarOf<V>> planarRotationAngle(
    const Eigen::MatrixBase<E>& e, const Eigen::MatrixBase<U>& v1, const Eigen::MatrixBase<V>& v2) {
  using S = Promote<Promote<ScalarOf<E>, ScalarOf<U>>, ScalarOf<V>>;
  // The minus outside: before atan2 a fused -(a b + c) loses the sign of zero, and with it that of
  // a half turn.
  return -atan2(S(dot(cross(e, v1), v2)), S(dot(v1, v2) - dot(e, v1) * dot(e, v2)));
}

/// Rotation by `angle` [rad] about axis 1, 2 or 3; about z: [c, s, 0; -s, c, 0; 0, 0, 1].
/// Source  MSL 4.0 Frames.TransformationMatrices.axisRotation
template <Scalar A>
inline Matrix3<A> axisRotation(int axis, const A& angle) {
  assert(detail::isAxis(axis));
  A s, c;
  sincos(angle, s, c);
  const int i = axis % 3, j = (axis + 1) % 3;  // the two axes after `axis`, counted from 0
  Matrix3<A> T = Matrix3<A>::Zero();
  T(axis - 1, axis - 1) = 1.0;
  T(i, i) = c;
  T(i, j) = s;
  T(j, i) = -s;
  T(j, j) = c;
  return T;
}

/// Rotation by angles[1] [rad] about axis sequence[1], then by angles[2] about axis sequence[2] of
/// the turned frame, then by angles[3] about sequence[3]: T3 T2 T1, the first rotation rightmost.
/// Every sequence of axes is accepted, {1,1,3} too.
/// Source  MSL 4.0 Frames.TransformationMatrices.axesRotations
template <class V>
requires VectorExpression3<V>
inline Matrix3<ScalarOf<V>> axesRotations(const Sequence& sequence,
                                          const Eigen::MatrixBase<V>& angles) {
  using S = ScalarOf<V>;
  const auto& phi = angles.eval();
  Matrix3<S> T = axisRotation(sequence[0], S(phi[0]));
  for (int i = 1; i < 3; ++i) {
    assert(detail::isAxis(sequence[i]));
    S s, c;
    sincos(S(phi[i]), s, c);
    detail::turn(T, sequence[i], s, c);
  }
  return T;
}

/// The three angles [rad] of axesRotations(sequence, angles) = T, each in -pi..pi, both ends
/// possible (so compare rotations, not angles). Of the two solutions the one with the
/// smaller |angles[1] - guessAngle1| (a plain difference, not modulo 2 pi). In the singular
/// position (first and third axis parallel), where only the sum or difference of the first and
/// third angle is determined, angles[1] = guessAngle1.
/// Source  MSL 4.0 Frames.TransformationMatrices.axesRotationsAngles
/// Pre     T orthogonal
/// Throws  std::invalid_argument if an entry of `sequence` equals its neighbour or is none of 1,
///         2, 3
template <class S>
inline Vector3<S> axesRotationsAngles(const Matrix3<S>& T,
                                      const Sequence& sequence = kCardanSequence,
                                      double guessAngle1 = 0.0) {
  const auto [axis1, axis2, axis3] = sequence;
  if (!detail::isAxis(axis1) || !detail::isAxis(axis2) || !detail::isAxis(axis3)) {
    throw std::invalid_argument("the entries of 'sequence' must be 1, 2 or 3");
  }
  if (axis1 == axis2 || axis2 == axis3) {
    throw std::invalid_argument("neighbouring entries of 'sequence' must differ");
  }
  constexpr double singular = 1e-12;
  const Vector3d e1 = axis(axis1), e2 = axis(axis2), e3 = axis(axis3);
  const Vector3<S> e3_1 = T.row(axis3 - 1);  // third axis resolved in frame 1

  // The second axis, turned by angles[1], must be perpendicular to the third: A cos + B sin = 0.
  const S A = dot(e2, e3_1);
  const S B = dot(cross(e1, e2), e3_1);
  S angle1 = guessAngle1;
  if (abs(A) > singular || abs(B) > singular) {
    const S a = atan2(A, S(-B));
    const S b = atan2(S(-A), B);
    angle1 = abs(a - guessAngle1) <= abs(b - guessAngle1) ? a : b;
  }
  const Matrix3<S> T_1a = axisRotation(axis1, angle1);
  return {angle1, planarRotationAngle(e2, multiply(T_1a, e3_1), e3),
          planarRotationAngle(e3, e2, multiply(T, multiplyTransposed(T_1a, e2)))};
}

}  // namespace TransformationMatrices

/// Rotation by `angle` [rad] about the unit vector e (same components in both frames), turning with
/// der_angle [rad/s].
/// Source  MSL 4.0 Frames.planarRotation
/// Pre     |e| = 1
template <class V, Scalar A, Scalar D>
requires VectorExpression3<V>
inline Orientation<Promote<Promote<ScalarOf<V>, A>, D>> planarRotation(
    const Eigen::MatrixBase<V>& e, const A& angle, const D& der_angle) {
  return {TransformationMatrices::planarRotation(e, angle), e * der_angle};
}

/// Angle [rad], -pi..pi, of the rotation about e that takes v1 (resolved in frame 1) into v2 (the
/// same vector resolved in frame 2); see TransformationMatrices::planarRotationAngle.
/// Source  MSL 4.0 Frames.planarRotationAngle
/// Pre     |e| = 1, v1 not parallel to e
template <class E, class U, class V>
requires VectorExpression3<E> && VectorExpression3<U> && VectorExpression3<V>
inline Promote<Promote<ScalarOf<E>, ScalarOf<U>>, ScalarOf<V>> planarRotationAngle(
    const Eigen::MatrixBase<E>& e, const Eigen::MatrixBase<U>& v1, const Eigen::MatrixBase<V>& v2) {
  return TransformationMatrices::planarRotationAngle(e, v1, v2);
}

/// Rotation by `angle` [rad] about axis 1, 2 or 3, turning with der_angle [rad/s].
/// Source  MSL 4.0 Frames.axisRotation
template <Scalar A, Scalar D>
inline Orientation<Promote<A, D>> axisRotation(int axis_, const A& angle, const D& der_angle) {
  return {TransformationMatrices::axisRotation(axis_, angle), axis(axis_) * der_angle};
}

/// Rotation by angles[1], [2], [3] [rad] about the axes sequence[1], [2], [3] in this order, with
/// their rates der_angles [rad/s]: T3 T2 T1 and w = e3 da3 + T3 e2 da2 + T3 T2 e1 da1. Every
/// sequence of axes is accepted, {1,1,3} too.
/// Source  MSL 4.0 Frames.axesRotations
template <class U, class V>
requires VectorExpression3<U> && VectorExpression3<V>
inline Orientation<Promote<ScalarOf<U>, ScalarOf<V>>> axesRotations(
    const Sequence& sequence, const Eigen::MatrixBase<U>& angles,
    const Eigen::MatrixBase<V>& der_angles) {
  using S = Promote<ScalarOf<U>, ScalarOf<V>>;
  const auto& phi = angles.eval();
  const auto& rate = der_angles.eval();
  Orientation<S> R = axisRotation(sequence[0], ScalarOf<U>(phi[0]), ScalarOf<V>(rate[0]));
  for (int i = 1; i < 3; ++i) {
    const int k = sequence[i];
    assert(detail::isAxis(k));
    ScalarOf<U> s, c;
    sincos(ScalarOf<U>(phi[i]), s, c);
    detail::turn(R.T, k, s, c);
    detail::turn(R.w, k, s, c);
    R.w[k - 1] += rate[i];
  }
  return R;
}

/// The three angles [rad] of axesRotations(sequence, angles, .) = R; see
/// TransformationMatrices::axesRotationsAngles.
/// Source  MSL 4.0 Frames.axesRotationsAngles
/// Throws  std::invalid_argument if an entry of `sequence` equals its neighbour or is none of 1,
///         2, 3
template <class S>
inline Vector3<S> axesRotationsAngles(const Orientation<S>& R,
                                      const Sequence& sequence = kCardanSequence,
                                      double guessAngle1 = 0.0) {
  return TransformationMatrices::axesRotationsAngles(R.T, sequence, guessAngle1);
}

namespace Internal {

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

}  // namespace Internal

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

namespace detail {

/// n/|n|, or `fallback` where |n| < 1e-10.
template <class S>
inline Vector3<S> directionOr(const Vector3<S>& n, const Vector3d& fallback) {
  if (value(length(n)) < 1e-10) return fallback;
  return normalize(n);
}

/// Below this square of the sine of their angle two directions count as parallel.
inline constexpr double kParallel = 1e-6;

}  // namespace detail

namespace TransformationMatrices {

/// Rotation from the directions of x and y of frame 2, resolved in frame 1, of any length and unit.
///
/// x is kept exactly, n_y only says in which half plane y lies. Always an orientation: n_x shorter
/// than 1e-10 counts as {1,0,0}, n_y as {0,1,0}; an n_y parallel to x (square of the sine <= 1e-6)
/// is replaced by {0,1,0} where |e_x[1]| > 1e-6, else by {1,0,0}.
/// Source  MSL 4.0 Frames.TransformationMatrices.from_nxy (in MSL 3 the test used n_y as given)
template <class U, class V>
requires VectorExpression3<U> && VectorExpression3<V>
inline Matrix3<Promote<ScalarOf<U>, ScalarOf<V>>> from_nxy(const Eigen::MatrixBase<U>& n_x,
                                                           const Eigen::MatrixBase<V>& n_y) {
  using S = Promote<ScalarOf<U>, ScalarOf<V>>;
  const Vector3<S> e_x = detail::directionOr(Vector3<S>(n_x), Vector3d(1, 0, 0));
  const Vector3<S> e_y = detail::directionOr(Vector3<S>(n_y), Vector3d(0, 1, 0));
  Vector3<S> z = cross(e_x, e_y);
  if (!(dot(z, z) > detail::kParallel)) {
    z = cross(e_x, abs(e_x[0]) > 1e-6 ? Vector3d(0, 1, 0) : Vector3d(1, 0, 0));
  }
  const Vector3<S> e_z = normalize(z);
  Matrix3<S> T;
  T.row(0) = e_x;
  T.row(1) = cross(e_z, e_x);
  T.row(2) = e_z;
  return T;
}

/// Rotation from the directions of x and z of frame 2, resolved in frame 1, of any length and unit.
///
/// As from_nxy: n_z shorter than 1e-10 counts as {0,0,1}; an n_z parallel to x is replaced by
/// {0,0,1} where |e_x[1]| > 1e-6, else by {1,0,0}.
/// Source  MSL 4.0 Frames.TransformationMatrices.from_nxz
template <class U, class V>
requires VectorExpression3<U> && VectorExpression3<V>
inline Matrix3<Promote<ScalarOf<U>, ScalarOf<V>>> from_nxz(const Eigen::MatrixBase<U>& n_x,
                                                           const Eigen::MatrixBase<V>& n_z) {
  using S = Promote<ScalarOf<U>, ScalarOf<V>>;
  const Vector3<S> e_x = detail::directionOr(Vector3<S>(n_x), Vector3d(1, 0, 0));
  const Vector3<S> e_z = detail::directionOr(Vector3<S>(n_z), Vector3d(0, 0, 1));
  Vector3<S> y = cross(e_z, e_x);
  if (!(dot(y, y) > detail::kParallel)) {
    y = cross(abs(e_x[0]) > 1e-6 ? Vector3d(0, 0, 1) : Vector3d(1, 0, 0), e_x);
  }
  const Vector3<S> e_y = normalize(y);
  Matrix3<S> T;
  T.row(0) = e_x;
  T.row(1) = e_y;
  T.row(2) = cross(e_x, e_y);
  return T;
}

}  // namespace TransformationMatrices

/// Fixed orientation (w = 0) from the directions of x and y of frame 2, resolved in frame 1; zero
/// and parallel vectors are legal, see TransformationMatrices::from_nxy.
/// Source  MSL 4.0 Frames.from_nxy
template <class U, class V>
requires VectorExpression3<U> && VectorExpression3<V>
inline Orientation<Promote<ScalarOf<U>, ScalarOf<V>>> from_nxy(const Eigen::MatrixBase<U>& n_x,
                                                               const Eigen::MatrixBase<V>& n_y) {
  using S = Promote<ScalarOf<U>, ScalarOf<V>>;
  return {TransformationMatrices::from_nxy(n_x, n_y), Vector3<S>::Zero()};
}

/// Fixed orientation (w = 0) from the directions of x and z of frame 2, resolved in frame 1; zero
/// and parallel vectors are legal, see TransformationMatrices::from_nxz.
/// Source  MSL 4.0 Frames.from_nxz
template <class U, class V>
requires VectorExpression3<U> && VectorExpression3<V>
inline Orientation<Promote<ScalarOf<U>, ScalarOf<V>>> from_nxz(const Eigen::MatrixBase<U>& n_x,
                                                               const Eigen::MatrixBase<V>& n_z) {
  using S = Promote<ScalarOf<U>, ScalarOf<V>>;
  return {TransformationMatrices::from_nxz(n_x, n_z), Vector3<S>::Zero()};
}

}  // namespace cardan::frames
