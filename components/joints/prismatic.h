/// Prismatic joint: frame_b slides along the axis n, which is fixed in frame_a and in frame_b.
#pragma once

#include "components/joints/axis_joint.h"

namespace cardan {

/// Unknowns   s [m], v [m/s]
/// Equations  der(s) = v;  0 = f + e.f_b   (d'Alembert along the free axis)
/// Source     MSL 4.0 Joints.Prismatic
class Prismatic final
    : public AxisJoint<Prismatic, SlidingLaw, one_dimensional::TranslationalAxis> {
 public:
  using AxisJoint::AxisJoint;

  std::string closureName(int row) const override {
    if (row < 2) return "displacement along " + axisName(row == 0 ? axis_.across1 : axis_.across2);
    return rotationName(row - 2);
  }
};

}  // namespace cardan
