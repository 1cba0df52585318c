// Smooth analytic motions with exact derivatives in lane 0 of a Dual: what must hold "along a path"
// holds to rounding.
#pragma once

#include <random>

#include "components/tree_joint.h"

namespace cardan::fake {

// Sums of some ten products of numbers of size 1 to 10.
inline constexpr double kAlgebra = 1e-12;

inline double uniform(std::mt19937& random, double size = 1) {
  return std::uniform_real_distribution<double>(-size, size)(random);
}
inline Vector3d uniformVector(std::mt19937& random, double size = 1) {
  return {uniform(random, size), uniform(random, size), uniform(random, size)};
}
/// x with its time derivative.
inline Dual along(double x, double derivative) {
  Dual d(x);
  d.setLane(0, derivative);
  return d;
}
inline Vector3<Dual> along(const Vector3d& x, const Vector3d& derivative) {
  return {along(x[0], derivative[0]), along(x[1], derivative[1]), along(x[2], derivative[2])};
}
inline Vector3d values(const Vector3<Dual>& x) { return {value(x[0]), value(x[1]), value(x[2])}; }
inline Vector3d rates(const Vector3<Dual>& x) { return {x[0].lane(0), x[1].lane(0), x[2].lane(0)}; }

/// A motion r(t), R(t) at one instant: position with four derivatives, orientation by three angles
/// behind `base`.
struct Path {
  Vector3d r[4];
  Vector3d angles[4];
  frames::Orientation<double> base = frames::nullRotation();

  explicit Path(std::mt19937& random) {
    for (int i = 0; i < 4; ++i) {
      r[i] = uniformVector(random);
      angles[i] = uniformVector(random);
    }
  }

  /// Position, velocity, acceleration, each with its time derivative in lane 0.
  Vector3<Dual> position(int order) const { return along(r[order], r[order + 1]); }

  /// Orientation with z = der(w); z's own derivative is not known and left out.
  frames::Orientation<Dual> orientation(Vector3d& z) const {
    const auto R = frames::axesRotations(frames::kCardanSequence, along(angles[0], angles[1]),
                                         along(angles[1], angles[2]));
    z = rates(frames::angularVelocity2(R));
    return frames::absoluteRotation(base, R);
  }

  /// As an absolute motion; a_0 and z_a carry no derivative that anything may depend on.
  FrameState<Dual> frame() const {
    Vector3d z;
    FrameState<Dual> f;
    f.R = orientation(z);
    f.z_a = z;
    f.r_0 = position(0);
    f.v_0 = position(1);
    f.a_0 = position(2);
    return f;
  }
  RelativeMotion<Dual> relative() const {
    Vector3d z;
    RelativeMotion<Dual> m;
    m.R_rel = orientation(z);
    m.z_rel = z;
    m.r_rel = position(0);
    m.v_rel = position(1);
    m.a_rel = position(2);
    return m;
  }
};

inline frames::Orientation<double> valueOf(const frames::Orientation<Dual>& R) {
  Matrix3d T;
  for (int i = 0; i < 9; ++i) T(i / 3, i % 3) = value(frames::to_T(R)(i / 3, i % 3));
  return frames::from_T(T, values(frames::angularVelocity2(R)));
}
inline FrameState<double> valueOf(const FrameState<Dual>& f) {
  return {values(f.r_0), valueOf(f.R), values(f.v_0), values(f.a_0), values(f.z_a)};
}
inline RelativeMotion<double> valueOf(const RelativeMotion<Dual>& m) {
  return {valueOf(m.R_rel), values(m.z_rel), values(m.r_rel), values(m.v_rel), values(m.a_rel)};
}

/// Largest difference of two states' elements.
inline double distance(const FrameState<double>& a, const FrameState<double>& b) {
  double d = (frames::to_T(a.R) - frames::to_T(b.R)).cwiseAbs().maxCoeff();
  d = std::max(
      d, (frames::angularVelocity2(a.R) - frames::angularVelocity2(b.R)).cwiseAbs().maxCoeff());
  d = std::max(d, (a.r_0 - b.r_0).cwiseAbs().maxCoeff());
  d = std::max(d, (a.v_0 - b.v_0).cwiseAbs().maxCoeff());
  d = std::max(d, (a.a_0 - b.a_0).cwiseAbs().maxCoeff());
  return std::max(d, (a.z_a - b.z_a).cwiseAbs().maxCoeff());
}

/// Orientations where formulas like to break: none, tiny, half turns about axes and diagonals.
inline std::vector<frames::Orientation<double>> nastyRotations() {
  std::vector<frames::Orientation<double>> list{frames::nullRotation()};
  const double pi = 3.14159265358979323846;
  for (const Vector3d& e :
       {Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, 0, 1), Vector3d(1, 1, 0).normalized()}) {
    list.push_back(frames::planarRotation(e, pi, 0.0));
    list.push_back(frames::planarRotation(e, 1e-9, 0.0));
    list.push_back(frames::planarRotation(e, -2.0, 0.0));
  }
  return list;
}

}  // namespace cardan::fake
