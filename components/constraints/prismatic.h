/// Prismatic constraint: frame_b stays parallel to frame_a, its origin held in the locked
/// directions.
#pragma once

#include "components/constraints/constraint.h"
#include "components/laws/closure_rows.h"

namespace cardan::constraints {

/// Equations  R_rel = 1;  r_rel[i] = 0 where locked, else f_a[i] = 0
/// Source     MSL 4.0 Joints.Constraints.Prismatic
class Prismatic final : public Constraint<Prismatic> {
 public:
  static constexpr int rotations = 3;

  void read(ParameterReader& r) override {
    readLocks(r);
    readSphere(r);
  }
  std::string rotationName(int i) const { return cardan::rotationName(i); }
  template <class S>
  void closeRotation(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    alignFrames(m, frames::nullRotation(), rows);
  }
};

}  // namespace cardan::constraints
