/// JointAxis: the axis of a joint, the directions across it, and the branches of an angle about it.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "components/tree_joint.h"

namespace cardan {

/// Unit vectors u1, u2 with (u1, u2, e) right-handed and orthogonal; e is a unit vector.
inline void acrossOf(const Vector3d& e, Vector3d& u1, Vector3d& u2) {
  int smallest = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(e[i]) < std::abs(e[smallest])) smallest = i;
  }
  u1 = cross(Vector3d::Unit(smallest), e).normalized();
  u2 = cross(e, u1);
}

/// A joint's axis, the same in frame_a and frame_b, and two directions across it: unit vectors of
/// which (across1, across2, e) are right-handed.
struct JointAxis {
  Vector3d e, across1, across2;

  explicit JointAxis(const Vector3d& n) { set(n); }
  /// Axis n, any length but zero.
  void set(const Vector3d& n) {
    e = n.normalized();
    acrossOf(e, across1, across2);
  }
  /// Angle by which R_rel turns about the axis [rad], in (-pi, pi].
  template <class S>
  S angle(const frames::Orientation<S>& R_rel) const {
    return frames::planarRotationAngle(e, across1, frames::resolve2(R_rel, across1));
  }
};

/// "x" or "(0.6, 0.8, 0)": a unit vector in messages that speak of an axis, not of its sense.
std::string axisName(const Vector3d& e);

/// `angle` plus the multiple of 2 pi that brings it nearest to `guess` [rad].
template <class S>
S nearestTurn(const S& angle, double guess) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((guess - value(angle)) / turn);
}

}  // namespace cardan
