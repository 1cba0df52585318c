/// Fixed: a frame at a given place in the world frame, with parallel axes.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/laws/rigid_offset.h"

namespace cardan {

/// Equations  r_0 = r;  R = nullRotation
/// Source     MSL 4.0 Parts.Fixed
class Fixed final : public ComponentOf<Fixed> {
 public:
  Fixed() = default;
  /// `r` [m]: position of frame_b, resolved in world.
  explicit Fixed(const Vector3d& r) : place_(r) {}

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void picture(Shapes& s) const override;

 private:
  RigidOffset place_;  ///< of frame_b in world
  Animation animation_;
  OneFrame_b frame_;
};

}  // namespace cardan
