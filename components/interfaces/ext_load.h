/// ExtForceBase, ExtTorqueBase: a load from outside on frame_b, resolved in a frame of choice.
#pragma once

#include "components/interfaces/one_frame.h"

namespace cardan {

/// Adds the external force [N] and torque [N.m], resolved in frame `resolve` (world where it is not
/// valid), to what frame_b is connected to: on the component itself they act with the other sign.
/// Older ExtForceBase and ExtTorqueBase resolve in frame_b; MSL's WorldForce in world by default.
template <class S>
void addExternalLoad(FrameId frame_b, FrameId resolve, View<S>& x, const Vector3<S>& force,
                     const Vector3<S>& torque) {
  if (!resolve.valid()) {
    x.addLoad0(frame_b, {-force, -torque});
    return;
  }
  const auto& R = x.frame(resolve).R;
  x.addLoad0(frame_b, {-frames::resolve1(R, force), -frames::resolve1(R, torque)});
}

}  // namespace cardan
