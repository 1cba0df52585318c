/// FixedTranslation: a massless rigid offset, frame_b parallel to frame_a.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/joints/across.h"

namespace cardan {

/// Equations  r_0b = r_0a + T_a' r;  R_b = R_a;  f_a + f_b = 0;  t_a + t_b + r x f_b = 0
/// Source     MSL 4.0 Parts.FixedTranslation
class FixedTranslation final : public ComponentOf<FixedTranslation>,
                               public JointLawOf<FixedTranslation> {
 public:
  static constexpr int nq = 0, nv = 0;

  struct Parameters {
    Vector3d r{0, 0, 0};  ///< [m] p_AB_A
    bool cut = false;     ///< only closes a loop
  };

  FixedTranslation() = default;
  explicit FixedTranslation(const Parameters& p) : p_(p) {}
  void setParameters(const Parameters& p) { p_ = p; }

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;

  template <class S>
  Offset motionAt(const JointState<S>&) const {
    return {p_.r};
  }
  template <class S>
  void projectLoad(const Vector3<S>&, const Vector3<S>&, const JointState<S>&, S*) const {}
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    for (int i = 0; i < 3; ++i) rows.position(m.r_rel[i] - p_.r[i], Vector3d::Unit(i));
    alignFrames(m, frames::nullRotation(), rows);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>&, S*, S*, S*) const {}
  std::string closureName(int row) const override;

 private:
  Parameters p_;
  Animation animation_;
  TwoTreeFrames frames_;
};

}  // namespace cardan
