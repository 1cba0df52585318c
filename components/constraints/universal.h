/// Universal constraint: the axis n_a of frame_a and the axis n_b of frame_b stay perpendicular.
#pragma once

#include "components/constraints/constraint.h"

namespace cardan::constraints {

/// Equations  e_b.(T_rel e_a) = 0;  n_a.t_a = 0;  n_b.t_b = 0;
///            r_rel[i] = 0 where locked, else f_a[i] = 0
/// Source     MSL 4.0 Joints.Constraints.Universal
class Universal final : public Constraint<Universal> {
 public:
  static constexpr int rotations = 1;

  void read(ParameterReader& r) override {
    readLocks(r);
    r.vector("n_a", n_a_, "1", "axis 1, resolved in frame_a");
    r.vector("n_b", n_b_, "1", "axis 2, resolved in frame_b");
    readSphere(r);
    const bool a = r.require(n_a_.norm() > 0, "n_a", "must not be the zero vector");
    const bool b = r.require(n_b_.norm() > 0, "n_b", "must not be the zero vector");
    if (!a || !b) return;
    r.require(std::abs(dot(n_a_.normalized(), n_b_.normalized())) < kPerpendicular, "n_b",
              "must be perpendicular to n_a");
  }
  void describe(Variables& v) const override {
    Constraint::describe(v);
    v.vector(
        {"w_rel", "rad/s", "angular velocity of frame_b relative to frame_a, resolved in frame_a",
         Level::Velocity},
        [this](const auto& x) { return frames::angularVelocity1(frames_.relativeRotation(x)); });
  }
  void parametersChanged() override {
    e_a_ = n_a_.normalized();
    e_b_ = n_b_.normalized();
  }

  std::string rotationName(int) const { return "angle between the axes"; }
  template <class S>
  void closeRotation(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    const Vector3<S> a_b = frames::resolve2(m.R_rel, e_a_);  // e_a, resolved in frame_b
    // der(a_b) = -w x a_b, so der(e_b.a_b) = w.(e_b x a_b).
    rows.orientation(dot(e_b_, a_b), cross(e_b_, a_b));
  }

 private:
  /// Largest cosine between axes that count as perpendicular: a few digits above rounding.
  static constexpr double kPerpendicular = 1e-10;

  Vector3d n_a_{1, 0, 0};  ///< [1]  axis 1, any length but zero, resolved in frame_a
  Vector3d n_b_{0, 1, 0};  ///< [1]  axis 2, any length but zero, resolved in frame_b

  Vector3d e_a_{1, 0, 0}, e_b_{0, 1, 0};  ///< derived: unit vectors along n_a, n_b
};

}  // namespace cardan::constraints
