/// Revolute constraint: frame_b turns about the axis n only, its origin held in the locked
/// directions.
#pragma once

#include "components/constraints/constraint.h"
#include "components/laws/closure_rows.h"
#include "components/laws/joint_axis.h"

namespace cardan::constraints {

/// Equations  ex_a.(T_rel e) = ey_a.(T_rel e) = 0;  n.t_a = 0;
///            r_rel[i] = 0 where locked, else f_a[i] = 0
/// Source     MSL 4.0 Joints.Constraints.Revolute
class Revolute final : public Constraint<Revolute> {
 public:
  static constexpr int rotations = 2;

  void read(ParameterReader& r) override {
    readLocks(r);
    r.vector("n", n_, "1", "axis of rotation, resolved in frame_a and frame_b");
    readSphere(r);
    r.require(n_.norm() > 0, "n", "must not be the zero vector");
  }
  void describe(Variables& v) const override {
    Constraint::describe(v);
    describe::vector(v, "e", "1", "unit axis of rotation", [this] { return axis_.e; });
  }
  void parametersChanged() override { axis_.set(n_); }

  std::string rotationName(int i) const {
    return "rotation across the axis (" + std::to_string(i + 1) + " of 2)";
  }
  template <class S>
  void closeRotation(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    alignAxis(m, axis_, rows);
  }

 private:
  Vector3d n_{0, 1, 0};  ///< [1]  axis of rotation, any length but zero, resolved in frame_a
  JointAxis axis_{n_};
};

}  // namespace cardan::constraints
