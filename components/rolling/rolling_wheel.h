/// RollingWheel: a wheel with mass that rolls on the plane z = 0 of the world.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/parts/body.h"
#include "components/rolling/joint_rolling_wheel.h"

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

  double m_ = 0;                    ///< [kg]     >= 0
  double I_axis_ = 0, I_long_ = 0;  ///< [kg.m2]  >= 0, along the axis and across it
  joints::RollingWheel::Parameters wheel_;
  Animation animation_;
  FrameId frame_a_;
  Body* body_ = nullptr;
};

}  // namespace cardan
