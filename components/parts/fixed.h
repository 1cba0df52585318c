/// Fixed: a frame at a given place in the world frame, with parallel axes.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/joints/across.h"

namespace cardan {

/// Equations  r_0 = r;  R = nullRotation
/// Source     MSL 4.0 Parts.Fixed
class Fixed final : public ComponentOf<Fixed>, public JointLawOf<Fixed> {
 public:
  static constexpr int nq = 0, nv = 0;

  Fixed() = default;
  explicit Fixed(const Vector3d& r) : r_(r) {}

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;

  template <class S>
  Offset motionAt(const JointState<S>&) const {
    return {r_};
  }
  template <class S>
  void projectLoad(const Vector3<S>&, const Vector3<S>&, const JointState<S>&, S*) const {}
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    for (int i = 0; i < 3; ++i) rows.position(m.r_rel[i] - r_[i], Vector3d::Unit(i));
    alignFrames(m, frames::nullRotation(), rows);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>&, S*, S*, S*) const {}
  std::string closureName(int row) const override;

 private:
  Vector3d r_{0, 0, 0};  ///< [m] position of frame_b, resolved in world
  Animation animation_;
  OneFrame_b frame_;
};

}  // namespace cardan
