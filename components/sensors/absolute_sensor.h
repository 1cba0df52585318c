/// AbsoluteSensor: absolute kinematic quantities of a frame, as outputs.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"

namespace cardan {

/// Differentiates in world, then resolves in X = resolveInFrame, however X turns.
///
/// Outputs    r = T_X r_0;  v = T_X der(r_0);  a = T_X der(v_0);  w = T_X w_0;  z = T_X der(w_0)
///            angles: axesRotations(sequence, angles) = frame_a.R
/// Source     MSL 4.1 Sensors.AbsoluteSensor (4.0 turns w twice into frame_resolve)
class AbsoluteSensor final : public ComponentOf<AbsoluteSensor> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

 private:
  // Parameters
  bool animation_ = true;
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;  ///< not frame_b
  bool get_r_ = false, get_v_ = false, get_a_ = false;
  bool get_angles_ = false, get_w_ = false, get_z_ = false;
  AngleParameters angleParameters_;
  StartVector<3> r_;       ///< [m]
  StartVector<3> v_;       ///< [m/s]
  StartVector<3> a_;       ///< [m/s2]
  StartVector<3> angles_;  ///< [rad]
  StartVector<3> w_;       ///< [rad/s]
  StartVector<3> z_;       ///< [rad/s2]

  SensorFrames frames_;
};

}  // namespace cardan
