/// FreeMotion: six freedoms between two frames; no force passes.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/orientation_states.h"
#include "components/interfaces/two_tree_frames.h"

namespace cardan {

/// Where other joints hold the two frames it adds no equation: it only measures, and says what
/// holds at the start. So all its variables come from the frames, not from its coordinates.
///
/// Unknowns   r_rel_a [m], orientation (Q | T | phi), v_rel_a [m/s], w_rel_b [rad/s]
/// Equations  f_a = f_b = 0;  t_a = t_b = 0   (see FreeMotionLaw)
/// Source     MSL 4.0 Joints.FreeMotion
class FreeMotion final : public ComponentOf<FreeMotion> {
 public:
  struct Parameters {
    StartVector<3> r_rel_a, v_rel_a,
        a_rel_a;  ///< [m], [m/s], [m/s2] origin of frame_b, resolved in frame_a
    OrientationStates orientation;

    Parameters() { orientation.enforceStates = true; }
  };

  FreeMotion() = default;
  explicit FreeMotion(const Parameters& p) : p_(p) {}

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

/// Names of the coordinates of a FreeMotionLaw between frame_a and frame_b.
std::vector<UnknownInfo> freeMotionPositions(const OrientationLaw& law);
std::vector<UnknownInfo> freeMotionVelocities();

}  // namespace cardan
