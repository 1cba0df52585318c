/// AbsoluteVelocity: velocity of a frame, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"

namespace cardan {

/// Outputs    v = T_X der(r_0), X = resolveInFrame
/// Source     MSL 4.0 Sensors.AbsoluteVelocity
class AbsoluteVelocity final : public ComponentOf<AbsoluteVelocity> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;  ///< not frame_b
  StartVector<3> v_;                                         ///< [m/s]

  SensorFrames frames_;
};

}  // namespace cardan
