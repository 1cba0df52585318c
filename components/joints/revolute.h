/// Revolute joint: frame_b turns about the axis n, which is fixed in frame_a and in frame_b.
#pragma once

#include "components/joints/axis_joint.h"

namespace cardan {

/// Unknowns   phi [rad], w [rad/s]
/// Equations  der(phi) = w;  0 = tau + e.t_b   (d'Alembert along the free axis)
/// Source     MSL 4.0 Joints.Revolute
class Revolute final : public AxisJoint<Revolute, TurningLaw, one_dimensional::RotationalAxis> {
 public:
  using AxisJoint::AxisJoint;

  std::string closureName(int row) const override {
    if (row < 3) return displacementName(row);
    return "rotation about " + axisName(row == 3 ? axis_.across2 : axis_.across1);
  }
};

}  // namespace cardan
