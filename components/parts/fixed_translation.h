/// FixedTranslation: a massless rigid offset, frame_b parallel to frame_a.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/picture.h"
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

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    readCut(r, cut_);
    r.vector("r", offset_.r_rel, "m", "from frame_a to frame_b, resolved in frame_a");
    animation_.shape(r, offset_.r_rel, kRodColor);
    animation_.specular(r);
  }
  void declare(Structure& s) override { frames_.declareRigid(s, offset_, cut_); }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    s.add(picture::shape(animation_, frames_.frame_a));
  }

 private:
  bool cut_ = false;
  Animation animation_;
  RigidOffset offset_;
  TwoTreeFrames frames_;
};

}  // namespace cardan
