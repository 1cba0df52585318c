/// The translational flanges of a line force: flange_b as far from flange_a as frame_b is from
/// frame_a.
#pragma once

#include "components/interfaces/line_force_base.h"

namespace cardan {

/// flange_a rests at 0, flange_b is driven by the length of the line.
inline void declareLineFlanges(Structure& s, const LineForceBase& base, FlangeId& flange_a,
                               FlangeId& flange_b) {
  flange_a = s.flange("flange_a", Domain::Translational);
  flange_b = s.flange("flange_b", Domain::Translational);
  s.ground(flange_a, 0);
  s.driven(flange_b, [&base](const auto& x) {
    const auto line = base.line(x);
    return FlangeState<std::decay_t<decltype(line.s)>>{line.s, line.sd, line.sdd};
  });
}

/// The force at flange_b, along the line on both frames.
template <class S>
void transmitAlongLine(View<S>& x, const LineForceBase& base, FlangeId flange_b) {
  const Vector3<S> e_0 = base.line(x).e_0;
  x.transmit(flange_b, base.frames.frame_b, {-e_0, Vector3<S>::Zero()});
  x.transmit(flange_b, base.frames.frame_a, {e_0, Vector3<S>::Zero()});
}

}  // namespace cardan
