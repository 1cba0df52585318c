/// RevolutePlanarLoopConstraint: a revolute joint that closes a planar loop with two constraints
/// only.
#pragma once

#include "components/animation.h"
#include "components/component.h"
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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  void parametersChanged() override;

  int closures() const override { return 2; }
  std::string closureName(int row) const override;
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
