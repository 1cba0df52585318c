/// Fixed: a frame at a given place in the world frame, with parallel axes.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/interfaces/picture.h"
#include "components/laws/rigid_offset.h"

namespace cardan {

/// Equations  r_0 = r;  R = nullRotation
/// Source     MSL 4.0 Parts.Fixed
class Fixed final : public ComponentOf<Fixed> {
 public:
  Fixed() = default;
  /// `r` [m]: position of frame_b, resolved in world.
  explicit Fixed(const Vector3d& r) : place_(r) {}

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.vector("r", place_.r_rel, "m", "position of frame_b, resolved in world");
    animation_.shape(r, place_.r_rel, kRodColor);
    animation_.specular(r);
  }
  void declare(Structure& s) override {
    frame_.declare(s);
    s.joint(s.worldFrame(), frame_.frame_b, place_, {}, {});
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    s.add(picture::shape(animation_, FrameId{}));
  }

 private:
  RigidOffset place_;  ///< of frame_b in world
  Animation animation_;
  OneFrame_b frame_;
};

}  // namespace cardan
