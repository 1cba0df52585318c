/// Distance: distance between the origins of two frames, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/resolving.h"
#include "components/sensors/arrow.h"
#include "components/sensors/sensor_output.h"

namespace cardan {

/// Outputs    distance = |r|, r = r_0b - r_0a;
///            r.r/(2 s_small) (3 - r.r/s_small^2) where |r| <= s_small,
///            which meets |r| with the same slope and is smooth at zero
/// Source     MSL 4.0 Sensors.Distance
class Distance final : public ComponentOf<Distance> {
 public:
  void read(ParameterReader& r) override {
    r.boolean("animation", animation_, "an arrow from frame_a to frame_b is shown");
    readArrow(r, "arrow", kSensorColor);
    readSpecularCoefficient(r);
    r.real("s_small", s_small_, "m", "a smaller distance is smoothed", Range{1e-30});
    distance_.read(r);
  }
  void declare(Structure& s) override { frames_.declareAB(s, false); }
  void describe(Variables& v) const override {
    distance_.describe(v, [this](const auto& x) {
      const auto r = (x.frame(frames_.frame_b).r_0 - x.frame(frames_.frame_a).r_0).eval();
      const auto L2 = dot(r, r);
      if (L2 > s_small_ * s_small_) return sqrt(L2);
      return L2 * (0.5 / s_small_) * (3.0 - L2 * (1 / (s_small_ * s_small_)));
    });
  }
  void picture(Shapes& s) const override {
    if (!animation_) return;
    s.add(picture::distanceArrow(frames_.frame_a, frames_.frame_b));
  }

 private:
  bool animation_ = true;
  double s_small_ = 1e-10;  ///< [m]
  SensorOutput<1> distance_{"distance", "m", "distance from frame_a to frame_b", Level::Position};

  SensorFrames frames_;
};

}  // namespace cardan
