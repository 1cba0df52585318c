/// GearConstraint: an ideal gear between two shafts of any directions in a common bearing.
#pragma once

#include "components/component.h"
#include "components/joints/revolute.h"

namespace cardan {

/// Equations  phi_a = ratio phi_b;  0 = ratio tau_a + tau_b
/// Parts      fixedTranslation2 (r_a), actuatedRevolute_a (axis n_a): bearing to frame_a;
///            fixedTranslation1 (r_b), actuatedRevolute_b (axis n_b): bearing to frame_b;
///            idealGear between their axes
/// Source     MSL 4.0 Joints.GearConstraint
class GearConstraint final : public ComponentOf<GearConstraint> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  double ratio_ = 2;                      ///< [1]  any but zero
  Vector3d r_a_{0, 0, 0}, r_b_{0, 0, 0};  ///< [m]  from bearing, resolved in bearing
  Revolute::Parameters revolute_a_, revolute_b_;
  bool checkTotalPower_ = false;
  FrameId frame_a_, frame_b_, bearing_;
};

}  // namespace cardan
