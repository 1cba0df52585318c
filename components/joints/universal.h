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
    Vector3d n_a{1, 0, 0};    ///< [1] axis of revolute_a, any length but zero, resolved in frame_a
    Vector3d n_b{0, 1, 0};    ///< [1] axis of revolute_b, any length but zero, resolved in frame_b
    StartValue phi_a, phi_b;  ///< [rad]
    StartValue w_a, w_b;      ///< [rad/s]
    StartValue a_a, a_b;      ///< [rad/s2]
    bool cut = false;         ///< only closes a loop (at revolute_b)
  };

  Universal() = default;
  explicit Universal(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  Parameters p_;
  Animation animation_;
};

}  // namespace cardan
