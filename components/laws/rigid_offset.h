/// RigidOffset: the law of an edge without freedom and without rotation.
#pragma once

#include "components/joint_law.h"
#include "components/laws/closure_rows.h"

namespace cardan {

/// frame_b sits at r_rel, resolved in frame_a, with axes parallel to frame_a's.
class RigidOffset final : public JointLawOf<RigidOffset> {
 public:
  static constexpr int nq = 0, nv = 0;

  RigidOffset() = default;
  explicit RigidOffset(const Vector3d& r) : r_rel(r) {}

  Vector3d r_rel{0, 0, 0};  ///< [m]  from frame_a to frame_b, resolved in frame_a

  template <class S>
  Offset motionAt(const JointState<S>&) const {
    return {r_rel};
  }
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    holdRigidly(m, r_rel, frames::nullRotation(), rows);
  }
  std::string closureName(int row) const override { return rigidName(row); }
};

}  // namespace cardan
