/// Spherical joint: frame_b turns freely about the common origin.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/orientation_states.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/joints/ball_drag.h"

namespace cardan {

/// Unknowns   orientation (Q | T | phi), w_rel [rad/s]
/// Equations  r_0b = r_0a;  t_a = t_b = 0   (see SphericalLaw)
/// Source     MSL 4.0 Joints.Spherical
class Spherical final : public ComponentOf<Spherical> {
 public:
  struct Parameters {
    OrientationStates orientation;
    bool cut = false;
    one_dimensional::JointFrictionParameters friction;
    ConeParameters limits;
  };

  Spherical() = default;
  explicit Spherical(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

 private:
  Parameters p_;
  Animation animation_;
  OrientationLaw law_;
  TwoTreeFrames frames_;
};

}  // namespace cardan
