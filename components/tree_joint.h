/// TreeJoint: carries the motion of one frame over an edge of the tree to the other frame, and finds
/// the relative motion of two frames that are known.
///
/// Accelerations are true ones, without gravity: with w of frame_a resolved in it,
///   r_0b = r_0a + R_a' r_rel
///   v_0b = v_0a + R_a' (v_rel + w x r_rel)
///   a_0b = a_0a + R_a' (a_rel + z_a x r_rel + w x (w x r_rel + 2 v_rel))
/// Forces need no formula here: resolved in world they pass an edge unchanged.
///
/// Source  TreeJoint and FrameBase of the older library ModelicaAdditions.MultiBody
#pragma once

#include "components/view.h"

namespace cardan {

/// Motion of frame_b relative to frame_a; r, v, a are components in frame_a and their derivatives.
template <class S>
struct RelativeMotion {
  frames::Orientation<S> R_rel;  ///<          a -> b; R_rel.w resolved in frame_b
  Vector3<S> z_rel;              ///< [rad/s2] der(R_rel.w)
  Vector3<S> r_rel;              ///< [m]      p_AB_A
  Vector3<S> v_rel;              ///< [m/s]    der(r_rel)
  Vector3<S> a_rel;              ///< [m/s2]   der(v_rel)
};

/// Relative motion with a common origin.
template <class S>
struct Turn {
  frames::Orientation<S> R_rel;
  Vector3<S> z_rel;
};

/// Relative motion with parallel axes.
template <class S>
struct Slide {
  Vector3<S> r_rel, v_rel, a_rel;
};

/// Rigid offset with parallel axes.
struct Offset {
  const Vector3d& r_rel;
};

/// Rigid offset.
struct Placement {
  const Vector3d& r_rel;
  const frames::Orientation<double>& R_rel;
};

namespace tree_joint {

template <class S>
void turnForward(const FrameState<S>& a, const frames::Orientation<S>& R_rel,
                 const Vector3<S>& z_rel, FrameState<S>& b) {
  const Vector3<S> w_ab = frames::resolve2(R_rel, frames::angularVelocity2(a.R));
  b.R = frames::absoluteRotation(a.R, R_rel);
  b.z_a = frames::resolve2(R_rel, a.z_a) + z_rel - cross(frames::angularVelocity2(R_rel), w_ab);
}

template <class S>
void turnBackward(const FrameState<S>& b, const frames::Orientation<S>& R_rel,
                  const Vector3<S>& z_rel, FrameState<S>& a) {
  const Vector3<S>& w_rel = frames::angularVelocity2(R_rel);
  a.R = frames::absoluteRotation(b.R, frames::inverseRotation(R_rel));
  a.z_a = frames::resolve1(R_rel,
                           Vector3<S>(b.z_a - z_rel + cross(w_rel, frames::angularVelocity2(b.R))));
}

/// Translation of frame_b seen from a known frame_a: sign = +1 gives b from a, -1 gives a from b.
template <class S>
void translate(const FrameState<S>& from, const FrameState<S>& a, const Vector3<S>& r_rel,
               const Vector3<S>& v_rel, const Vector3<S>& a_rel, double sign, FrameState<S>& to) {
  const Vector3<S>& w = frames::angularVelocity2(a.R);
  const Vector3<S> wr = cross(w, r_rel);
  to.r_0 = from.r_0 + sign * frames::resolve1(a.R, r_rel);
  to.v_0 = from.v_0 + sign * frames::resolve1(a.R, Vector3<S>(v_rel + wr));
  to.a_0 = from.a_0 + sign * frames::resolve1(a.R, Vector3<S>(a_rel + cross(a.z_a, r_rel) +
                                                              cross(w, wr + 2.0 * v_rel)));
}

template <class S>
void translateRigid(const FrameState<S>& from, const FrameState<S>& a, const Vector3d& r,
                    double sign, FrameState<S>& to) {
  const Vector3<S> r_rel = r.cast<S>();
  const Vector3<S>& w = frames::angularVelocity2(a.R);
  const Vector3<S> wr = cross(w, r_rel);
  to.r_0 = from.r_0 + sign * frames::resolve1(a.R, r_rel);
  to.v_0 = from.v_0 + sign * frames::resolve1(a.R, wr);
  to.a_0 = from.a_0 + sign * frames::resolve1(a.R, Vector3<S>(cross(a.z_a, r_rel) + cross(w, wr)));
}

}  // namespace tree_joint

/// frame_b from frame_a and the relative motion.
template <class S>
void carryForward(const FrameState<S>& a, const RelativeMotion<S>& m, FrameState<S>& b) {
  tree_joint::turnForward(a, m.R_rel, m.z_rel, b);
  tree_joint::translate(a, a, m.r_rel, m.v_rel, m.a_rel, +1, b);
}
template <class S>
void carryForward(const FrameState<S>& a, const Turn<S>& m, FrameState<S>& b) {
  tree_joint::turnForward(a, m.R_rel, m.z_rel, b);
  b.r_0 = a.r_0;
  b.v_0 = a.v_0;
  b.a_0 = a.a_0;
}
template <class S>
void carryForward(const FrameState<S>& a, const Slide<S>& m, FrameState<S>& b) {
  b.R = a.R;
  b.z_a = a.z_a;
  tree_joint::translate(a, a, m.r_rel, m.v_rel, m.a_rel, +1, b);
}
template <class S>
void carryForward(const FrameState<S>& a, const Offset& m, FrameState<S>& b) {
  b.R = a.R;
  b.z_a = a.z_a;
  tree_joint::translateRigid(a, a, m.r_rel, +1, b);
}
template <class S>
void carryForward(const FrameState<S>& a, const Placement& m, FrameState<S>& b) {
  b.R = frames::absoluteRotation(a.R, m.R_rel);
  b.z_a = frames::resolve2(m.R_rel, a.z_a);
  tree_joint::translateRigid(a, a, m.r_rel, +1, b);
}

/// frame_a from frame_b and the relative motion: the tree enters the joint at frame_b.
template <class S>
void carryBackward(const FrameState<S>& b, const RelativeMotion<S>& m, FrameState<S>& a) {
  tree_joint::turnBackward(b, m.R_rel, m.z_rel, a);
  tree_joint::translate(b, a, m.r_rel, m.v_rel, m.a_rel, -1, a);
}
template <class S>
void carryBackward(const FrameState<S>& b, const Turn<S>& m, FrameState<S>& a) {
  tree_joint::turnBackward(b, m.R_rel, m.z_rel, a);
  a.r_0 = b.r_0;
  a.v_0 = b.v_0;
  a.a_0 = b.a_0;
}
template <class S>
void carryBackward(const FrameState<S>& b, const Slide<S>& m, FrameState<S>& a) {
  a.R = b.R;
  a.z_a = b.z_a;
  tree_joint::translate(b, a, m.r_rel, m.v_rel, m.a_rel, -1, a);
}
template <class S>
void carryBackward(const FrameState<S>& b, const Offset& m, FrameState<S>& a) {
  a.R = b.R;
  a.z_a = b.z_a;
  tree_joint::translateRigid(b, a, m.r_rel, -1, a);
}
template <class S>
void carryBackward(const FrameState<S>& b, const Placement& m, FrameState<S>& a) {
  a.R = frames::absoluteRotation(b.R, frames::inverseRotation(m.R_rel));
  a.z_a = frames::resolve1(m.R_rel, b.z_a);
  tree_joint::translateRigid(b, a, m.r_rel, -1, a);
}

/// Inverts carryForward, for forces, sensors and cut joints: r, v, a of frame_b relative to frame_a as
/// components in frame_a and their derivatives.
/// Source  Interact2 of the older library, with a_0 free of gravity
template <class S>
RelativeMotion<S> relativeMotion(const FrameState<S>& a, const FrameState<S>& b) {
  RelativeMotion<S> m;
  const Vector3<S>& w_a = frames::angularVelocity2(a.R);
  m.R_rel = frames::relativeRotation(a.R, b.R);
  m.r_rel = frames::resolve2(a.R, Vector3<S>(b.r_0 - a.r_0));
  const Vector3<S> wr = cross(w_a, m.r_rel);
  m.v_rel = frames::resolve2(a.R, Vector3<S>(b.v_0 - a.v_0)) - wr;
  m.a_rel = frames::resolve2(a.R, Vector3<S>(b.a_0 - a.a_0)) - cross(a.z_a, m.r_rel) -
            cross(w_a, wr + 2.0 * m.v_rel);
  m.z_rel = b.z_a - frames::resolve2(m.R_rel, a.z_a) +
            cross(frames::angularVelocity2(m.R_rel), frames::angularVelocity2(b.R));
  return m;
}

}  // namespace cardan
