/// Universal joint: an intermediate frame turns about n_a in frame_a, frame_b about n_b in the
/// intermediate one.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/joints/revolute.h"

namespace cardan {

/// Parts      revolute_a (axis n_a, from frame_a), revolute_b (axis n_b, to frame_b)
/// Source     MSL 4.0 Joints.Universal
class Universal final : public ComponentOf<Universal> {
 public:
  struct Parameters {
    Vector3d n_a{1, 0, 0};  ///< [1] axis of revolute_a, any length but zero, resolved in frame_a
    Vector3d n_b{0, 1, 0};  ///< [1] axis of revolute_b, any length but zero, resolved in frame_b
    Coordinate phi_a{"phi_a", "rad", "angle from frame_a to the intermediate frame",
                     "revolute_a.phi"};
    Coordinate phi_b{"phi_b", "rad", "angle from the intermediate frame to frame_b",
                     "revolute_b.phi"};
    Coordinate w_a{"w_a", "rad/s", "der(phi_a)", "revolute_a.w"};
    Coordinate w_b{"w_b", "rad/s", "der(phi_b)", "revolute_b.w"};
    Coordinate a_a{"a_a", "rad/s2", "der(w_a)", "revolute_a.a"};
    Coordinate a_b{"a_b", "rad/s2", "der(w_b)", "revolute_b.a"};
    Revolute::Parameters a, b;  ///< friction and limits of revolute_a and revolute_b
    bool cut = false;           ///< only closes a loop (at revolute_b)
  };

  Universal() = default;
  explicit Universal(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

 private:
  Parameters p_;
  Animation animation_;
  FrameId frame_a_, frame_b_;
};

}  // namespace cardan
