/// RelativePosition: position of frame_b relative to frame_a, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"

namespace cardan {

/// Parts      relativePosition: the sensor itself, by MSL's inner name
/// Outputs    r_rel = T_X (r_0b - r_0a), X = resolveInFrame
/// Source     MSL 4.0 Sensors.RelativePosition
class RelativePosition final : public ComponentOf<RelativePosition> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;
  StartVector<3> r_rel_;  ///< [m]

  SensorFrames frames_;
};

}  // namespace cardan
