/// Power: power that flows from frame_a to frame_b, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"
#include "components/laws/rigid_offset.h"
#include "components/sensors/sensor_output.h"

namespace cardan {

/// frame_a and frame_b coincide.
///
/// Outputs    power = f_a.v_a + t_a.w_a
/// Source     MSL 4.0 Sensors.Power
class Power final : public ComponentOf<Power> {
 public:
  void read(ParameterReader& r) override { power_.read(r); }
  void declare(Structure& s) override {
    frames_.declareAB(s, false);
    s.joint(frames_.frame_a, frames_.frame_b, sameFrame_, {}, {});
  }
  void describe(Variables& v) const override {
    power_.describe(v, [this](const auto& x) {
      const auto& a = x.frame(frames_.frame_a);
      const auto& load = x.connectorLoad(frames_.frame_a);
      return dot(load.f_0, a.v_0) + dot(load.t_0, angularVelocity_0(a));
    });
  }

 private:
  SensorOutput<1> power_{"power", "W", "power at frame_a", Level::Force};

  RigidOffset sameFrame_;  ///< no offset: frame_b is frame_a
  SensorFrames frames_;
};

}  // namespace cardan
