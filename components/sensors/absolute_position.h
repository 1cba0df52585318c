/// AbsolutePosition: position of a frame, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"

namespace cardan {

/// Outputs    r = T_X r_0, X = resolveInFrame
/// Source     MSL 4.0 Sensors.AbsolutePosition
class AbsolutePosition final : public ComponentOf<AbsolutePosition> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;  ///< not frame_b
  StartVector<3> r_;                                         ///< [m]

  SensorFrames frames_;
};

}  // namespace cardan
