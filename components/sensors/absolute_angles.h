/// AbsoluteAngles: angles from world to frame_a, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"

namespace cardan {

/// Outputs    angles: axesRotations(sequence, angles) = frame_a.R, never unwrapped
/// Source     MSL 4.0 Sensors.AbsoluteAngles
class AbsoluteAngles final : public ComponentOf<AbsoluteAngles> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  AngleParameters angleParameters_;
  StartVector<3> angles_;  ///< [rad]

  SensorFrames frames_;
};

}  // namespace cardan
