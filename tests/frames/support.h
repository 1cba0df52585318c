/// Nasty inputs, comparisons and tolerances shared by the tests of frames/.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "frames/frames.h"

namespace cardan::test {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();
inline constexpr double kPi = std::numbers::pi;

/// Closed algebra on numbers of magnitude up to about 4: some thirty roundings of up to 4 eps/2
/// each.
inline constexpr double kAlgebra = 64 * kEps;

/// The same sequence of numbers on every platform (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [-scale, scale).
  double number(double scale = 1.0) {
    return scale * (static_cast<double>(bits() >> 11) * 0x1p-52 - 1.0);
  }
  Vector3d vector(double scale = 1.0) {
    const double x = number(scale), y = number(scale), z = number(scale);
    return {x, y, z};
  }
  Vector3d unitVector() {
    for (;;) {
      const Vector3d v = vector();
      if (v.norm() > 0.1) return v.normalized();
    }
  }
  Matrix3d matrix() {
    Matrix3d M;
    for (int i = 0; i < 9; ++i) M(i) = number();
    return M;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits() % n); }

 private:
  std::uint64_t state_;
};

/// A double as it is, or a Dual of this value with arbitrary derivatives of magnitude up to 1. A
/// law between smooth functions then holds for the derivatives as well, and is checked for them.
template <class S>
S lift(double x, Random& random) {
  if constexpr (std::is_same_v<S, double>) {
    return x;
  } else {
    S y(x);
    for (int i = 0; i < kLanes; ++i) y.setLane(i, random.number());
    return y;
  }
}
template <class S>
Vector3<S> lift(const Vector3d& x, Random& random) {
  return {lift<S>(x[0], random), lift<S>(x[1], random), lift<S>(x[2], random)};
}

/// Largest difference in a value or a derivative; infinite if a NaN is involved.
inline double distance(double a, double b) {
  const double d = std::abs(a - b);
  return std::isnan(d) ? (a == b ? 0.0 : std::numeric_limits<double>::infinity()) : d;
}
inline double distance(const Dual& a, const Dual& b) {
  double d = distance(a.v, b.v);
  for (int i = 0; i < kLanes; ++i) d = std::max(d, distance(a.lane(i), b.lane(i)));
  return d;
}
template <class X, class Y>
double distance(const Eigen::MatrixBase<X>& a_, const Eigen::MatrixBase<Y>& b_) {
  using S = Promote<ScalarOf<X>, ScalarOf<Y>>;
  const auto& a = a_.eval();
  const auto& b = b_.eval();
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  double d = 0.0;
  for (int j = 0; j < a.cols(); ++j) {
    for (int i = 0; i < a.rows(); ++i) d = std::max(d, distance(S(a(i, j)), S(b(i, j))));
  }
  return d;
}
template <class S>
double distance(const Orientation<S>& a, const Orientation<S>& b) {
  return std::max(distance(a.T, b.T), distance(a.w, b.w));
}

/// Values of a matrix without derivatives.
template <class X>
Eigen::Matrix<double, X::RowsAtCompileTime, X::ColsAtCompileTime> values(
    const Eigen::MatrixBase<X>& x) {
  return x.unaryExpr([](const ScalarOf<X>& s) { return value(s); });
}

/// Derivatives of a matrix in one direction.
template <class X>
Eigen::Matrix<double, X::RowsAtCompileTime, X::ColsAtCompileTime> lane(
    const Eigen::MatrixBase<X>& x, int i) {
  return x.unaryExpr([i](const Dual& s) { return s.lane(i); });
}

/// Angles where something special happens, and some where nothing does.
inline std::vector<double> nastyAngles() {
  return {0.0,     -0.0,        1e-160,           -1e-160, 1e-12, 1e-8, 0.3,  -0.3,
          kPi / 2, -kPi / 2,    kPi - 1e-9,       kPi,     -kPi,  2.5,  -2.5, 1.5 * kPi,
          2 * kPi, kPi + 1e-12, -kPi / 2 + 1e-13, 100.0};
}

inline std::vector<Vector3d> nastyAxes() {
  std::vector<Vector3d> axes = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},   {-1, 0, 0},
                                {0, -1, 0}, {0, 0, -1}, {-0.0, 0, 1}};
  for (const Vector3d& v : {Vector3d(1, 1, 0), Vector3d(1, -1, 0), Vector3d(0, 1, 1),
                            Vector3d(1, 1, 1), Vector3d(1, 1e-9, 0), Vector3d(1e-160, 1, 0)}) {
    axes.push_back(v.normalized());
  }
  Random random(1);
  for (int i = 0; i < 4; ++i) axes.push_back(random.unitVector());
  return axes;
}

inline std::vector<Vector3d> nastyVectors() {
  std::vector<Vector3d> v = {{0, 0, 0},  {-0.0, 0, -0.0}, {1e-160, 0, 0}, {1e-12, -1e-12, 0},
                             {1, 0, 0},  {0, -1, 0},      {0, 0, 1},      {1, 1, 0},
                             {-1, 1, 0}, {1, 1e-9, 0},    {1e-3, 2, -1}};
  Random random(2);
  for (int i = 0; i < 4; ++i) v.push_back(random.vector());
  return v;
}

/// Rotation matrices without rounding: identity, quarter, half and third turns, gimbal lock.
inline std::vector<Matrix3d> exactRotations() {
  std::vector<Matrix3d> all;
  // The 24 signed permutation matrices of determinant 1.
  const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (const auto& p : order) {
    for (int signs = 0; signs < 8; ++signs) {
      Matrix3d T = Matrix3d::Zero();
      for (int i = 0; i < 3; ++i) T(i, p[i]) = (signs >> i & 1) ? -1.0 : 1.0;
      const double det = T.row(0).dot(Vector3d(cross(Vector3d(T.row(1)), Vector3d(T.row(2)))));
      if (det > 0) all.push_back(T);
    }
  }
  return all;
}

/// Orientations about all nasty axes and angles, turning; with Dual the angle and w vary too.
template <class S>
std::vector<Orientation<S>> nastyOrientations() {
  std::vector<Orientation<S>> all;
  Random random(3);
  for (const Vector3d& e : nastyAxes()) {
    for (double angle : nastyAngles()) {
      auto R = frames::planarRotation(e, lift<S>(angle, random), lift<S>(0.0, random));
      R.w = lift<S>(random.vector(), random);
      all.push_back(R);
    }
  }
  for (const Matrix3d& T : exactRotations()) {
    all.push_back(frames::from_T(T, lift<S>(random.vector(), random)));
  }
  return all;
}

/// Pairs of them: every one with a few others, itself among them.
template <class S>
std::vector<std::pair<Orientation<S>, Orientation<S>>> nastyPairs() {
  const auto all = nastyOrientations<S>();
  std::vector<std::pair<Orientation<S>, Orientation<S>>> pairs;
  Random random(4);
  for (const auto& R : all) {
    pairs.emplace_back(R, R);
    for (int i = 0; i < 2; ++i) pairs.emplace_back(R, all[random.below(all.size())]);
  }
  return pairs;
}

}  // namespace cardan::test
