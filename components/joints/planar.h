/// Planar joint: frame_b slides in the plane across n and turns about n.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/joints/prismatic.h"
#include "components/joints/revolute.h"

namespace cardan {

/// Parts      prismatic_x along (n x n_x) x n (from frame_a), prismatic_y along n x n_x,
///            revolute about n (to frame_b)
/// Source     MSL 4.0 Joints.Planar
class Planar final : public ComponentOf<Planar> {
 public:
  struct Parameters {
    Vector3d n{0, 0, 1};    ///< [1] across the plane, any length but zero, resolved in frame_a
    Vector3d n_x{1, 0, 0};  ///< [1] x-axis of the plane (its part across n), not parallel to n,
                            ///< resolved in frame_a
    Coordinate s_x{"s_x", "m", "distance along the x-axis", "prismatic_x.s"};
    Coordinate s_y{"s_y", "m", "distance along the y-axis", "prismatic_y.s"};
    Coordinate phi{"phi", "rad", "angle about n", "revolute.phi"};
    Coordinate v_x{"v_x", "m/s", "der(s_x)", "prismatic_x.v"};
    Coordinate v_y{"v_y", "m/s", "der(s_y)", "prismatic_y.v"};
    Coordinate w{"w", "rad/s", "der(phi)", "revolute.w"};
    Coordinate a_x{"a_x", "m/s2", "der(v_x)", "prismatic_x.a"};
    Coordinate a_y{"a_y", "m/s2", "der(v_y)", "prismatic_y.a"};
    Coordinate wd{"wd", "rad/s2", "der(w)", "revolute.a"};
    bool cut = false;  ///< only closes a loop (at the revolute joint)
  };

  Planar() = default;
  explicit Planar(const Parameters& p) : p_(p) {}

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
