/// RevolutePlanarLoopConstraint: a revolute joint that closes a planar loop with two constraints
/// only.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/two_tree_frames.h"

namespace cardan {

/// Equations  ex_a.r_rel = 0;  ey_a.r_rel = 0   (ex_a, ey_a across the axis)
///            f_a = ex_a f_c[1] + ey_a f_c[2];  t_a = t_b = 0
/// Source     MSL 4.0 Joints.RevolutePlanarLoopConstraint
///
/// The other joints of the loop hold frame_b in the plane and the axes parallel. MSL asserts this
/// while it runs; here it is the model's own affair.
class RevolutePlanarLoopConstraint final : public ComponentOf<RevolutePlanarLoopConstraint>,
                                           public ClosureLawOf<RevolutePlanarLoopConstraint> {
 public:
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.vector("n", n_, "1", "axis of rotation, resolved in frame_a and frame_b");
    animation_.cylinder(r);
    animation_.specular(r);
    r.require(n_.norm() > 0, "n", "must not be the zero vector");
  }
  void declare(Structure& s) override { frames_.declareCut(s, *this); }
  void describe(Variables& v) const override {
    describe::vector(v, "e", "1", "unit axis of rotation", [this] { return e_; });
    describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                          [this](const auto& x) { return frames_.relativeRotation(x); });
    v.vector({"r_rel_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
             [this](const auto& x) { return frames_.relativeMotion(x).r_rel; });
    v.array({"f_c", "N", "constraint forces at frame_a along ex_a and ey_a", Level::Force}, {2},
            [this](const auto& x, auto* out) {
              const auto f_a = frames::resolve2(x.frame(frames_.frame_a).R,
                                                x.connectorLoad(frames_.frame_a).f_0);
              out[0] = dot(ex_a_, f_a);
              out[1] = dot(ey_a_, f_a);
            });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::pin(s, animation_, frames_.frame_a, e_);
  }
  void parametersChanged() override {
    e_ = n_.normalized();
    // MSL's choice of the directions, which f_c refers to.
    const Vector3d nnx_a = std::abs(e_[0]) > 0.1   ? Vector3d::Unit(1)
                           : std::abs(e_[1]) > 0.1 ? Vector3d::Unit(2)
                                                   : Vector3d::Unit(0);
    ey_a_ = cross(e_, nnx_a).normalized();
    ex_a_ = cross(ey_a_, e_);
  }

  int closures() const override { return 2; }
  std::string closureName(int row) const override {
    return "displacement across the axis (" + std::to_string(row + 1) + " of 2)";
  }
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    for (const Vector3d* u : {&ex_a_, &ey_a_}) rows.position(dot(*u, m.r_rel), *u);
  }

 private:
  Vector3d n_{0, 0, 1};  ///< [1]  axis of rotation, any length but zero, resolved in frame_a
  Animation animation_;

  // Derived
  Vector3d e_{0, 0, 1};                     ///< unit axis, the same in frame_a and frame_b
  Vector3d ex_a_{1, 0, 0}, ey_a_{0, 1, 0};  ///< unit vectors across it, resolved in frame_a

  TwoTreeFrames frames_;
};

}  // namespace cardan
