/// The translational flanges of a line force: flange_b as far from flange_a as frame_b is from
/// frame_a.
#pragma once

#include "components/interfaces/line_force_base.h"

namespace cardan {

/// flange_a rests at 0, flange_b is driven by the length of the line.
struct LineFlanges {
  FlangeId flange_b;

  /// length(const View<S>&) -> FlangeState<S>
  template <class F>
  void declare(Structure& s, F length) {
    s.ground(s.flange("flange_a", Domain::Translational), 0);
    flange_b = s.flange("flange_b", Domain::Translational);
    s.driven(flange_b, std::move(length));
  }
  void declare(Structure& s, const LineForceBase& base) {
    declare(s, [&base](const auto& x) {
      const auto line = base.line(x);
      return FlangeState<std::decay_t<decltype(line.s)>>{line.s, line.sd, line.sdd};
    });
  }
  /// The force at flange_b on a frame; `pull` [1]: of 1 N, resolved in world.
  template <class S>
  void transmit(View<S>& x, FrameId frame, const Vector3<S>& pull) const {
    x.transmit(flange_b, frame, {pull, Vector3<S>::Zero()});
  }
  /// Along the line on both frames.
  template <class S>
  void transmit(View<S>& x, const LineForceBase& base) const {
    const Vector3<S> e_0 = base.line(x).e_0;
    transmit(x, base.frames.frame_b, Vector3<S>(-e_0));
    transmit(x, base.frames.frame_a, e_0);
  }
  void describe(Variables& v) const {
    v.scalar({"speed", "m/s", "at which the length grows", Level::Velocity},
             [this](const auto& x) { return x.flange(flange_b).velocity; });
    v.scalar({"fb", "N", "force at flange_b", Level::Force},
             [this](const auto& x) { return x.drivingFlow(flange_b); });
    v.scalar({"fa", "N", "force at flange_a", Level::Force},
             [this](const auto& x) { return -x.drivingFlow(flange_b); });
  }
};

}  // namespace cardan
