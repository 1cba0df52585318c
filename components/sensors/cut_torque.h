/// CutTorque: torque that passes from frame_a to frame_b, as an output.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"
#include "components/laws/rigid_offset.h"

namespace cardan {

/// frame_a and frame_b coincide.
///
/// Outputs    torque = T_X t_0 at frame_a, X = resolveInFrame; its negative without positiveSign
/// Source     MSL 4.0 Sensors.CutTorque
class CutTorque final : public ComponentOf<CutTorque> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

 private:
  bool animation_ = true;
  bool positiveSign_ = true;
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;  ///< not frame_b
  StartVector<3> torque_;                                    ///< [N.m]

  RigidOffset sameFrame_;  ///< no offset: frame_b is frame_a
  SensorFrames frames_;
};

}  // namespace cardan
