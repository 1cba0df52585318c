/// Rows that cut joints share: a point on an axis, parallel axes, parallel frames, a rigid offset.
#pragma once

#include <string>

#include "components/closure_law.h"
#include "components/laws/joint_axis.h"

namespace cardan {

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

/// Six rows that hold frame_b at r_rel from frame_a, resolved there, and turned by R_rel (a -> b).
template <class S>
void holdRigidly(const RelativeMotion<S>& m, const Vector3d& r_rel,
                 const frames::Orientation<double>& R_rel, ClosureRows<S>& rows) {
  for (int i = 0; i < 3; ++i) rows.position(m.r_rel[i] - r_rel[i], Vector3d::Unit(i));
  alignFrames(m, R_rel, rows);
}

/// "displacement along x": row i of three along the axes of a frame.
inline std::string displacementName(int i) { return std::string("displacement along ") + "xyz"[i]; }
/// "rotation about x": row i of three about the axes of a frame.
inline std::string rotationName(int i) { return std::string("rotation about ") + "xyz"[i]; }
/// Of the rows of holdRigidly().
inline std::string rigidName(int row) {
  return row < 3 ? displacementName(row) : rotationName(row - 3);
}

}  // namespace cardan
