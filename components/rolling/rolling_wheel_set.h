/// RollingWheelSet: two wheels with mass on one axle that roll on the plane z = 0 of the world.
#pragma once

#include "components/component.h"
#include "components/rolling/joint_rolling_wheel_set.h"
#include "components/rolling/wheel.h"

namespace cardan {

/// Five freedoms of position, two of velocity. As in MSL all start values are fixed.
///
/// Parts      wheelSetJoint;  body1 at frame1, body2 at frame2 (m_wheel; I_wheelLong, I_wheelAxis,
///            I_wheelLong about the x, y, z axes)
/// Source     MSL 4.0 Parts.RollingWheelSet
class RollingWheelSet final : public ComponentOf<RollingWheelSet> {
 public:
  RollingWheelSet();

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  void parametersChanged() override;

 private:
  Wheel wheel_{"width_wheel"};  ///< each of both
  joints::RollingWheelSet::Parameters joint_;
  FrameId frame1_, frame2_;
  Body *body1_ = nullptr, *body2_ = nullptr;
};

}  // namespace cardan
