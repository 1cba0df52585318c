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
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  SensorOutput<1> power_{"power", "W", "power at frame_a", Level::Force};

  RigidOffset sameFrame_;  ///< no offset: frame_b is frame_a
  SensorFrames frames_;
};

}  // namespace cardan
