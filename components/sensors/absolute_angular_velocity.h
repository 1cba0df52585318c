/// AbsoluteAngularVelocity: angular velocity of a frame, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"

namespace cardan {

/// Outputs    w = T_X w_0, X = resolveInFrame
/// Source     MSL 4.0 Sensors.AbsoluteAngularVelocity
class AbsoluteAngularVelocity final : public ComponentOf<AbsoluteAngularVelocity> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;  ///< not frame_b
  StartVector<3> w_;                                         ///< [rad/s]

  SensorFrames frames_;
};

}  // namespace cardan
