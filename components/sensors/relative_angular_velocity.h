/// RelativeAngularVelocity: angular velocity of frame_b relative to frame_a, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"

namespace cardan {

/// Outputs    w_rel = T_X (w_0b - w_0a), X = resolveInFrame
/// Source     MSL 4.0 Sensors.RelativeAngularVelocity
class RelativeAngularVelocity final : public ComponentOf<RelativeAngularVelocity> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;
  StartVector<3> w_rel_;  ///< [rad/s]

  SensorFrames frames_;
};

}  // namespace cardan
