/// Distance: distance between the origins of two frames, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"
#include "components/sensors/sensor_output.h"

namespace cardan {

/// Outputs    distance = |r|, r = r_0b - r_0a;
///            r.r/(2 s_small) (3 - r.r/s_small^2) where |r| <= s_small,
///            which meets |r| with the same slope and is smooth at zero
/// Source     MSL 4.0 Sensors.Distance
class Distance final : public ComponentOf<Distance> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

 private:
  bool animation_ = true;
  double s_small_ = 1e-10;  ///< [m]
  SensorOutput<1> distance_{"distance", "m", "distance from frame_a to frame_b", Level::Position};

  SensorFrames frames_;
};

}  // namespace cardan
