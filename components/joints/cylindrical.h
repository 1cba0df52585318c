/// Cylindrical joint: frame_b slides along and turns about the axis n.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/joints/prismatic.h"
#include "components/joints/revolute.h"

namespace cardan {

/// Parts      prismatic (from frame_a), revolute (to frame_b), both along n
/// Source     MSL 4.0 Joints.Cylindrical
class Cylindrical final : public ComponentOf<Cylindrical> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

 private:
  Vector3d n_{1, 0, 0};  ///< [1]  axis, any length but zero, resolved in frame_a
  Coordinate s_{"s", "m", "distance along the axis", "prismatic.s"};
  Coordinate phi_{"phi", "rad", "angle about the axis", "revolute.phi"};
  Coordinate v_{"v", "m/s", "der(s)", "prismatic.v"};
  Coordinate w_{"w", "rad/s", "der(phi)", "revolute.w"};
  Coordinate a_{"a", "m/s2", "der(v)", "prismatic.a"};
  Coordinate wd_{"wd", "rad/s2", "der(w)", "revolute.a"};
  Prismatic::Parameters slide_;  ///< friction and limits along the axis
  Revolute::Parameters turn_;    ///< friction and limits about it
  bool cut_ = false;             ///< only closes a loop (at the revolute joint)
  Animation animation_;
  FrameId frame_a_, frame_b_;
};

}  // namespace cardan
