/// Spherical constraint: frame_b's origin is held at frame_a's, in the locked directions.
#pragma once

#include "components/constraints/constraint.h"

namespace cardan::constraints {

/// Equations  r_rel[i] = 0 where locked, else f_a[i] = 0;  t_b = 0
/// Source     MSL 4.0 Joints.Constraints.Spherical
class Spherical final : public Constraint<Spherical> {
 public:
  static constexpr int rotations = 0;

  void read(ParameterReader& r) override {
    readLocks(r);
    readSphere(r);
  }
  std::string rotationName(int) const { return {}; }
  template <class S>
  void closeRotation(const RelativeMotion<S>&, ClosureRows<S>&) const {}
};

}  // namespace cardan::constraints
