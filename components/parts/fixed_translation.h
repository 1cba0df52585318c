/// FixedTranslation: a massless rigid offset, frame_b parallel to frame_a.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/rigid_offset.h"

namespace cardan {

/// Equations  r_0b = r_0a + T_a' r;  R_b = R_a;  f_a + f_b = 0;  t_a + t_b + r x f_b = 0
/// Source     MSL 4.0 Parts.FixedTranslation
class FixedTranslation final : public ComponentOf<FixedTranslation> {
 public:
  struct Parameters {
    Vector3d r{0, 0, 0};  ///< [m] p_AB_A
    bool cut = false;     ///< only closes a loop
  };

  FixedTranslation() = default;
  explicit FixedTranslation(const Parameters& p) : cut_(p.cut), offset_(p.r) {}
  /// Moves frame_b.
  void setOffset(const Vector3d& r) { offset_.r_rel = r; }

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void picture(Shapes& s) const override;

 private:
  bool cut_ = false;
  Animation animation_;
  RigidOffset offset_;
  TwoTreeFrames frames_;
};

}  // namespace cardan
