/// RollingWheel: a wheel with mass that rolls on the plane z = 0 of the world.
#pragma once

#include "components/component.h"
#include "components/rolling/joint_rolling_wheel.h"
#include "components/rolling/wheel.h"

namespace cardan {

/// Five freedoms of position, three of velocity. As in MSL all start values are fixed.
///
/// Parts      body (m; I_long, I_axis, I_long about the x, y, z axes of frame_a), rollingWheel
/// Source     MSL 4.0 Parts.RollingWheel
class RollingWheel final : public ComponentOf<RollingWheel> {
 public:
  RollingWheel();

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  void parametersChanged() override;

 private:
  Body::Parameters bodyParameters() const;

  Wheel wheel_{"width"};
  joints::RollingWheel::Parameters joint_;
  FrameId frame_a_;
  Body* body_ = nullptr;
};

}  // namespace cardan
