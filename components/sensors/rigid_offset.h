/// RigidOffset: the law of an edge without freedom and without rotation.
#pragma once

#include <string>

#include "components/joint_law.h"
#include "components/joints/across.h"

namespace cardan {

/// frame_b sits at r_rel, resolved in frame_a, with axes parallel to frame_a's.
class RigidOffset final : public JointLawOf<RigidOffset> {
 public:
  static constexpr int nq = 0, nv = 0;

  Vector3d r_rel{0, 0, 0};  ///< [m]  from frame_a to frame_b, resolved in frame_a

  template <class S>
  Offset motionAt(const JointState<S>&) const {
    return {r_rel};
  }
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    for (int i = 0; i < 3; ++i) rows.position(m.r_rel[i] - r_rel[i], Vector3d::Unit(i));
    alignFrames(m, frames::nullRotation(), rows);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>&, S*, S*, S*) const {}

  std::string closureName(int row) const override {
    return std::string(row < 3 ? "displacement along " : "rotation about ") + "xyz"[row % 3];
  }
};

}  // namespace cardan
