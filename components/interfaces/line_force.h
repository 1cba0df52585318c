/// LineForce: the straight line between two frames, its length and rates, and a force along it.
#pragma once

#include "components/interfaces/two_no_tree_frames.h"

namespace cardan {

/// Geometry of the line from frame_a to frame_b.
template <class S>
struct Line {
  S s;             ///< [m]    length
  S sd;            ///< [m/s]  der(s)
  S sdd;           ///< [m/s2] der(sd)
  Vector3<S> e_0;  ///< [1]    direction from frame_a to frame_b, resolved in world; r/s_small where
                   ///< s < s_small
};

/// s = |r|, n = r/max(s, s_small), sd = n.v, sdd = n.a + (v.v - sd^2)/max(s, s_small); pulling
/// force f > 0. Older LineForce (sEps = 1e-6), MSL's PartialLineForce (s_small = 1e-10, a
/// parameter; MSL stops at s <= s_small).
template <class S>
Line<S> lineBetween(const FrameState<S>& a, const FrameState<S>& b, double s_small) {
  const Vector3<S> r = b.r_0 - a.r_0, v = b.v_0 - a.v_0, acc = b.a_0 - a.a_0;
  Line<S> line;
  line.s = frames::length(r);
  const S smod = max(line.s, s_small);
  line.e_0 = r / smod;
  line.sd = dot(line.e_0, v);
  line.sdd = dot(line.e_0, acc) + (dot(v, v) - line.sd * line.sd) / smod;
  return line;
}

/// Adds the force f [N] that pulls frame_a and frame_b together along the line.
template <class S>
void addLineForce(const TwoNoTreeFrames& frames, View<S>& x, const Line<S>& line, const S& f) {
  // On the component: pulling outwards at both ends.
  const Vector3<S> f_0 = line.e_0 * f;
  x.addLoad0(frames.frame_b, {f_0, Vector3<S>::Zero()});
  x.addLoad0(frames.frame_a, {-f_0, Vector3<S>::Zero()});
}

}  // namespace cardan
