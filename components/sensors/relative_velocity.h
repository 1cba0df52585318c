/// RelativeVelocity: velocity of frame_b relative to frame_a, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"

namespace cardan {

/// Outputs    v_rel = T_X T_a' der(T_a (r_0b - r_0a)): differentiated in frame_a whatever
///            X = resolveInFrame is (RelativeSensor differentiates in X)
/// Source     MSL 4.0 Sensors.RelativeVelocity
class RelativeVelocity final : public ComponentOf<RelativeVelocity> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;
  StartVector<3> v_rel_;  ///< [m/s]

  SensorFrames frames_;
};

}  // namespace cardan
