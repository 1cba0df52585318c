/// UniversalSpherical: a rigid rod from a universal joint at frame_a to a spherical joint at
/// frame_b.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/two_no_tree_frames.h"

namespace cardan {

/// Parts      revolute_1 (axis n1_a), revolute_2 (axis e2_ia): frame_a to frame_ia on the rod
/// Equations  r_b - r_a = rRod_ia in frame_ia;  t_b = 0;  0 = n1_a.t_a = e2.t_a   (the universal)
/// Source     MSL 4.0 Joints.UniversalSpherical
///
/// Axis 2 is perpendicular to axis 1 and to the rod; frame_ia is parallel to frame_a where both
/// angles are zero. computeRodLength: the length is a state that never changes, so that the start
/// finds it, and rRod_ia gives the direction only.
class UniversalSpherical final : public ComponentOf<UniversalSpherical> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void parametersChanged() override;

  template <class S>
  void physics(View<S>& x) const {
    const FrameState<S>& ia = x.frame(frame_ia_);
    const FrameState<S>& b = x.frame(frames_.frame_b);
    const Vector3<S> r_0 = b.r_0 - ia.r_0;
    const Vector3<S> r_ia = frames::resolve2(ia.R, r_0);
    Vector3<S> g = r_ia - eRod_ia_ * length(x);
    Vector3<S> gv = frames::resolve2(ia.R, (b.v_0 - ia.v_0).eval()) -
                    cross(frames::angularVelocity2(ia.R), r_ia);
    if (computeRodLength_) {
      x.row(constant_) = x.rate(L_);
      gv -= eRod_ia_ * x.rate(L_);
    }
    for (int i = 0; i < 3; ++i) {
      const Vector3<S> u_0 = frames::resolve1(ia.R, Vector3<S>::Unit(i).eval());
      x.constrain(rod_, i, g[i], gv[i]);
      x.react(rod_, i, frames_.frame_b, {u_0, Vector3<S>::Zero()});
      x.react(rod_, i, frame_ia_, {-u_0, -cross(r_0, u_0)});
    }
  }

 private:
  template <class S>
  S length(const View<S>& x) const {
    return computeRodLength_ ? x.unknown(L_) : S(rodLength_);
  }
  /// Force on the rod at frame_b, resolved in frame_ia.
  template <class S>
  Vector3<S> f_b_ia(const View<S>& x) const {
    return {x.multiplier(rod_, 0), x.multiplier(rod_, 1), x.multiplier(rod_, 2)};
  }
  template <class S>
  Vector3<S> rRod_a(const View<S>& x) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    return frames::resolve2(a.R, (x.frame(frames_.frame_b).r_0 - a.r_0).eval());
  }

  bool computeRodLength_ = false;
  Vector3d n1_a_{0, 0, 1};          ///< [1]  axis 1, any length but zero, resolved in frame_a
  Vector3d rRod_ia_{1, 0, 0};       ///< [m]  from frame_a to frame_b, resolved in frame_ia
  StartVector<3> rRod_0_, rRod_a_;  ///< [m]
  Animation animation_;

  // Derived
  double rodLength_ = 1;       ///< [m]
  Vector3d eRod_ia_{1, 0, 0};  ///< unit vectors, resolved in frame_ia: rod,
  Vector3d e2_ia_{0, 1, 0};    ///< axis 2,
  Vector3d e3_ia_{0, 0, 1};    ///< perpendicular to both

  TwoNoTreeFrames frames_;
  FrameId frame_ia_;
  ConstraintId rod_;
  UnknownId L_;
  RowId constant_;
};

}  // namespace cardan
