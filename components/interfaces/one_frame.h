/// OneFrame_a, OneFrame_b: parts with a single frame connector.
#pragma once

#include "components/structure.h"
#include "components/view.h"

namespace cardan {

/// A part that hangs on frame_a (body, absolute sensor). Older name OneFrame_a, MSL's
/// PartialOneFrame_a.
struct OneFrame_a {
  FrameId frame_a;

  void declare(Structure& s) { frame_a = s.frame("frame_a"); }
};

/// A part that holds frame_b (Fixed, World) or loads it (WorldForce). Older name OneFrame_b.
struct OneFrame_b {
  FrameId frame_b;

  void declare(Structure& s) { frame_b = s.frame("frame_b"); }
};

}  // namespace cardan
