/// TwoNoTreeFrames: frame_a and frame_b of a part that never carries the tree: forces, sensors,
/// constraints.
#pragma once

#include "components/interfaces/two_tree_frames.h"
#include "components/tree_joint.h"

namespace cardan {

/// Older names TwoNoTreeFrames with Interact2; MSL's PartialTwoFrames, PartialForce,
/// PartialRelativeSensor.
struct TwoNoTreeFrames {
  FrameId frame_a, frame_b;

  void declare(Structure& s) {
    frame_a = s.frame("frame_a");
    frame_b = s.frame("frame_b");
  }
  template <class S>
  RelativeMotion<S> relativeMotion(const View<S>& x) const {
    return cardan::relativeMotion(x.frame(frame_a), x.frame(frame_b));
  }

  /// Force f_b [N] and torque t_b [N.m] on the component at frame_b, both resolved in world, and
  /// what then acts at frame_a. Older Force: fb = S_rel fa, tb = S_rel (ta - r x fa), with the
  /// signs of a connector's loads.
  template <class S>
  void addBalanced(View<S>& x, const Wrench<S>& load_b) const {
    const Vector3<S> r_0 = x.frame(frame_b).r_0 - x.frame(frame_a).r_0;
    x.addLoad0(frame_b, load_b);
    x.addLoad0(frame_a, -load_b.shifted(r_0));
  }
};

}  // namespace cardan
