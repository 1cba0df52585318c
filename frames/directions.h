/// Rotations from two directions of frame 2, given in frame 1.
#pragma once

#include "frames/orientation.h"

namespace cardan::frames {

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
