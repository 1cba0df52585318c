/// The translational flanges of a line force: flange_b as far from flange_a as frame_b is from
/// frame_a.
#pragma once

#include "components/interfaces/line_force_base.h"

namespace cardan {

/// flange_a rests at 0, flange_b is driven by the length of the line.
struct LineFlanges {
  FlangeId flange_b;

  void declare(Structure& s, const LineForceBase& base) {
    s.ground(s.flange("flange_a", Domain::Translational), 0);
    flange_b = s.flange("flange_b", Domain::Translational);
    s.driven(flange_b, [&base](const auto& x) {
      const auto line = base.line(x);
      return FlangeState<std::decay_t<decltype(line.s)>>{line.s, line.sd, line.sdd};
    });
  }
  /// The force at flange_b, along the line on both frames.
  template <class S>
  void transmit(View<S>& x, const LineForceBase& base) const {
    const Vector3<S> e_0 = base.line(x).e_0;
    x.transmit(flange_b, base.frames.frame_b, {-e_0, Vector3<S>::Zero()});
    x.transmit(flange_b, base.frames.frame_a, {e_0, Vector3<S>::Zero()});
  }
  void describe(Variables& v) const {
    v.scalar({"fb", "N", "force at flange_b", Level::Force},
             [this](const auto& x) { return x.drivingFlow(flange_b); });
    v.scalar({"fa", "N", "force at flange_a", Level::Force},
             [this](const auto& x) { return -x.drivingFlow(flange_b); });
  }
};

}  // namespace cardan
