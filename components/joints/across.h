/// Helpers of joints with an axis: unit vectors across it, branches of an angle, MSL's stateSelect.
#pragma once

#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string>
#include <string_view>

#include "components/joint_law.h"
#include "components/parameter_reader.h"
#include "components/start_value.h"

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

/// Two rows that keep frame_b's origin on the axis through frame_a's.
template <class S>
void keepOnAxis(const RelativeMotion<S>& m, const JointAxis& axis, ClosureRows<S>& rows) {
  for (const Vector3d* u : {&axis.across1, &axis.across2}) rows.position(dot(*u, m.r_rel), *u);
}

/// Two rows that hold the axis of frame_b parallel to that of frame_a and equally directed.
///
/// The residue is the stereographic image of e_b, 2 u.e_b/(1 + e.e_b): it grows without bound
/// towards the flipped axis, where the plain u.e_b would vanish a second time.
template <class S>
void alignAxis(const RelativeMotion<S>& m, const JointAxis& axis, ClosureRows<S>& rows) {
  const Vector3d& e = axis.e;
  const Vector3<S> e_b = frames::resolve1(m.R_rel, e);  // axis of frame_b, resolved in frame_a
  const S s = max(S(1.0 + dot(e, e_b)), 1e-9);
  for (const Vector3d* u : {&axis.across1, &axis.across2}) {
    const S g = 2.0 * dot(*u, e_b) / s;
    const Vector3<S> gradient = (*u * S(2.0) - e * g) / s;  // of g by e_b; der(e_b) = w_a x e_b
    rows.orientation(g, frames::resolve2(m.R_rel, cross(e_b, gradient)));
  }
}

/// Three rows that hold frame_b parallel to R_0 (constant, a -> b): the rotation vector from R_0 to
/// frame_b.
template <class S>
void alignFrames(const RelativeMotion<S>& m, const frames::Orientation<double>& R_0,
                 ClosureRows<S>& rows) {
  const Vector3<S> theta = frames::rotationVector(frames::relativeRotation(R_0, m.R_rel));
  // der(theta) = w + theta x w/2 + c theta x (theta x w) with w resolved in frame_b and
  // c = (1 - h cot h)/phi^2, h = phi/2.
  const S phi2 = dot(theta, theta);
  S c;
  if (value(phi2) < 1e-4) {
    c = 1.0 / 12 + phi2 * (1.0 / 720 + phi2 * (1.0 / 30240));
  } else {
    const S h = 0.5 * sqrt(phi2);
    c = (1.0 - h * cos(h) / sin(h)) / phi2;
  }
  for (int i = 0; i < 3; ++i) {
    const Vector3d u = Vector3d::Unit(i);
    // Row i of the matrix above: u' (I + skew/2 + c skew^2).
    const Vector3<S> once = cross(u, theta);  // u' skew(theta), as a column
    rows.orientation(theta[i], u + once * 0.5 + cross(once, theta) * c);
  }
}

/// MSL's enumeration StateSelect, by name.
inline void readStateSelect(ParameterReader& r, std::string_view name, StateSelect& s) {
  r.enumeration(name, s,
                {{"never", StateSelect::never},
                 {"avoid", StateSelect::avoid},
                 {"default", StateSelect::defaultSelect},
                 {"prefer", StateSelect::prefer},
                 {"always", StateSelect::always}},
                "priority as states (a hint for start values and cuts)");
}

/// Reads MSL's class-level `stateSelect` of a joint into those of its coordinates that have none of
/// their own.
inline StateSelect readStateSelect(ParameterReader& r, std::initializer_list<StartValue*> states) {
  StateSelect s = StateSelect::prefer;
  readStateSelect(r, "stateSelect", s);
  for (StartValue* x : states) {
    if (x->stateSelect == StateSelect::defaultSelect) x->stateSelect = s;
  }
  return s;
}

}  // namespace cardan
