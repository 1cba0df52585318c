/// AxisMotion: what a joint of one freedom does, in numbers: the engine's sweeps have formulas for it.
#pragma once

#include "frames/frames.h"

namespace cardan {

/// frame_b turns about, or slides along, an axis that is fixed in both frames, by the coordinate q
/// of the joint and a constant; der(q) = v.
struct AxisMotion {
  enum class Kind { general, turn, slide };
  Kind kind = Kind::general;  ///< general: none of these, its law says what it is
  Vector3d e{0, 0, 1};        ///< [1]  unit vector along the axis, resolved in frame_a and frame_b
  double offset = 0;          ///< [rad | m]  added to q
};

}  // namespace cardan
