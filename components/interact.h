/// Interact: motion of frame_b relative to frame_a, both known; for forces, sensors and cut joints.
///
/// Source  Interact2 of the older library ModelicaAdditions.MultiBody, with a_0 free of gravity
#pragma once

#include "components/tree_joint.h"

namespace cardan {

/// Inverts carryForward: r, v, a of frame_b relative to frame_a as components in frame_a and their
/// derivatives.
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
