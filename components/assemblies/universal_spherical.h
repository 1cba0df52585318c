/// UniversalSpherical: a rigid rod from a universal joint at frame_a to a spherical joint at
/// frame_b.
#pragma once

#include "components/animation.h"
#include "components/assemblies/rod.h"
#include "components/assemblies/universal_axes.h"
#include "components/component.h"

namespace cardan {

/// Parts      revolute_1 (axis n1_a), revolute_2 (axis e2_ia): frame_a to frame_ia on the rod
/// Equations  r_b - r_a = rRod_ia in frame_ia;  t_b = 0;  0 = n1_a.t_a = e2.t_a   (the universal)
/// Source     MSL 4.0 Joints.UniversalSpherical
///
/// Axis 2 is perpendicular to axis 1 and to the rod; frame_ia is parallel to frame_a where both
/// angles are zero. Of the two ways to turn the rod into its direction, axis 2 starts along n1_a x
/// rod. computeRodLength: rRod_ia gives the direction only.
class UniversalSpherical final : public ComponentOf<UniversalSpherical>, public StartProposal {
 public:
  struct Parameters {
    Vector3d n1_a{0, 0, 1};     ///< [1]  axis 1, any length but zero, resolved in frame_a
    Vector3d rRod_ia{1, 0, 0};  ///< [m]  from frame_a to frame_b, resolved in frame_ia
  };

  UniversalSpherical() = default;
  explicit UniversalSpherical(const Parameters& p) : p_(p) { parametersChanged(); }

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  void parametersChanged() override;
  StartProposal* startProposal() override { return this; }
  void propose(const View<double>& x, Proposal& p) override;

  template <class S>
  void physics(View<S>& x) const {
    const FrameState<S>& ia = x.frame(frame_ia_);
    const FrameState<S>& b = x.frame(rod_.frames.frame_b);
    const Vector3<S> r_0 = b.r_0 - ia.r_0;
    const Vector3<S> r_ia = frames::resolve2(ia.R, r_0);
    const Vector3<S> g = r_ia - axes_.eLine_ia * rod_.length(x);
    const Vector3<S> gv = frames::resolve2(ia.R, (b.v_0 - ia.v_0).eval()) -
                          cross(frames::angularVelocity2(ia.R), r_ia) -
                          axes_.eLine_ia * rod_.lengthRate(x);
    for (int i = 0; i < 3; ++i) {
      const Vector3<S> u_0 = frames::resolve1(ia.R, Vector3<S>::Unit(i).eval());
      x.constrain(tip_, i, g[i], gv[i]);
      x.react(tip_, i, rod_.frames.frame_b, {u_0, Vector3<S>::Zero()});
      x.react(tip_, i, frame_ia_, {-u_0, -cross(r_0, u_0)});
    }
  }

 private:
  /// Force on the rod at frame_b, resolved in frame_ia.
  template <class S>
  Vector3<S> f_b_ia(const View<S>& x) const {
    return {x.multiplier(tip_, 0), x.multiplier(tip_, 1), x.multiplier(tip_, 2)};
  }
  Parameters p_;
  Rod rod_;
  Animation animation_;

  UniversalAxes axes_;
  FrameId frame_ia_;
  ConstraintId tip_;
};

}  // namespace cardan
