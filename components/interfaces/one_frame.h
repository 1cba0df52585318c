/// OneFrame_a, OneFrame_b: parts with a single frame connector.
#pragma once

#include "components/structure.h"
#include "components/variables.h"
#include "components/view.h"

namespace cardan {

/// A part that hangs on frame_a (body, absolute sensor). Older name OneFrame_a, MSL's
/// PartialOneFrame_a.
struct OneFrame_a {
  FrameId frame_a;

  void declare(Structure& s) { frame_a = s.frame("frame_a"); }
  /// Variables r_0, v_0, a_0.
  void describeMotion(Variables& v) const {
    const FrameId a = frame_a;
    v.vector({"r_0", "m", "position of frame_a, resolved in world", Level::Position},
             [a](const auto& x) { return x.frame(a).r_0; });
    v.vector({"v_0", "m/s", "velocity of frame_a, resolved in world", Level::Velocity},
             [a](const auto& x) { return x.frame(a).v_0; });
    v.vector({"a_0", "m/s2", "acceleration of frame_a, resolved in world", Level::Acceleration},
             [a](const auto& x) { return x.frame(a).a_0; });
  }
};

/// A part that holds frame_b (Fixed, World) or loads it (WorldForce). Older name OneFrame_b.
struct OneFrame_b {
  FrameId frame_b;

  void declare(Structure& s) { frame_b = s.frame("frame_b"); }
};

}  // namespace cardan
