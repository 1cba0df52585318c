/// SphericalSpherical: a rod of fixed length between two points, with a point mass in its middle.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/line_force_base.h"

namespace cardan {

/// Equations  rRod_0.rRod_0 = rodLength^2;  t_a = t_b = 0
///            f_a = (f_CM - f_CM_e)/2 + f_rod eRod;  f_b = (f_CM + f_CM_e)/2 - f_rod eRod
///            f_CM = m (a_CM - g_0);  f_CM_e = (f_CM.eRod) eRod
/// Source     MSL 4.0 Joints.SphericalSpherical
///
/// computeRodLength: the length is a state that never changes, so that the start finds it.
class SphericalSpherical final : public ComponentOf<SphericalSpherical> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    const FrameState<S>& b = x.frame(frames_.frame_b);
    const S L = length(x);
    const Vector3<S> r_0 = b.r_0 - a.r_0, e_0 = r_0 / L;
    // (r.r - L^2)/(2 L): smooth where the ends meet, and of unit slope along the rod.
    S gv = dot(e_0, (b.v_0 - a.v_0).eval());
    if (computeRodLength_) {
      x.row(constant_) = x.rate(L_);
      gv -= x.rate(L_);
    }
    x.constrain(rod_, 0, S(0.5 * (dot(r_0, e_0) - L)), gv);
    x.react(rod_, 0, frames_.frame_b, {e_0, Vector3<S>::Zero()});
    x.react(rod_, 0, frames_.frame_a, {-e_0, Vector3<S>::Zero()});
    mass_.addInertia(x, frames_);
  }

 private:
  template <class S>
  S length(const View<S>& x) const {
    return computeRodLength_ ? x.unknown(L_) : S(rodLength_);
  }
  template <class S>
  Vector3<S> rRod_a(const View<S>& x) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    return frames::resolve2(a.R, (x.frame(frames_.frame_b).r_0 - a.r_0).eval());
  }
  template <class S>
  Vector3<S> eRod_a(const View<S>& x) const {
    return rRod_a(x) / length(x);
  }
  /// Load of the point mass, resolved in frame_a.
  template <class S>
  Vector3<S> f_CM_a(const View<S>& x) const {
    return frames::resolve2(x.frame(frames_.frame_a).R,
                            (mass_.point(x, frames_).ag_0 * mass_.m).eval());
  }
  template <class S>
  Vector3<S> f_CM_e(const View<S>& x) const {
    const Vector3<S> e_a = eRod_a(x);
    return e_a * dot(f_CM_a(x), e_a);
  }

  bool computeRodLength_ = false;
  double rodLength_ = 1;   ///< [m]   > 0; a guess, if computeRodLength
  MassOnLine mass_;        ///< in the middle
  StartVector<3> rRod_0_;  ///< [m]   resolved in world
  Animation animation_;

  TwoNoTreeFrames frames_;
  ConstraintId rod_;
  UnknownId L_;
  RowId constant_;
};

}  // namespace cardan
