/// RelativeAngles: angles from frame_a to frame_b, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"

namespace cardan {

/// Outputs    angles: axesRotations(sequence, angles) = relativeRotation(frame_a.R, frame_b.R),
///            never unwrapped
/// Source     MSL 4.0 Sensors.RelativeAngles
class RelativeAngles final : public ComponentOf<RelativeAngles> {
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
