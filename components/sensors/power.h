/// Power: power that flows from frame_a to frame_b, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"
#include "components/laws/rigid_offset.h"

namespace cardan {

/// frame_a and frame_b coincide.
///
/// Outputs    power = f_a.v_a + t_a.w_a
/// Source     MSL 4.0 Sensors.Power
class Power final : public ComponentOf<Power> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  StartValue power_;  ///< [W]

  RigidOffset sameFrame_;  ///< no offset: frame_b is frame_a
  SensorFrames frames_;
};

}  // namespace cardan
