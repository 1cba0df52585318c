/// SphericalSpherical: a rod of fixed length between two points, with a point mass in its middle.
#pragma once

#include "components/animation.h"
#include "components/assemblies/rod.h"
#include "components/component.h"
#include "components/interfaces/line_force_base.h"

namespace cardan {

/// Equations  |rRod_0| = rodLength;  t_a = t_b = 0
///            f_a = (f_CM - f_CM_e)/2 + f_rod eRod;  f_b = (f_CM + f_CM_e)/2 - f_rod eRod
///            f_CM = m (a_CM - g_0);  f_CM_e = (f_CM.eRod) eRod
/// Source     MSL 4.0 Joints.SphericalSpherical
class SphericalSpherical final : public ComponentOf<SphericalSpherical> {
 public:
  struct Parameters {
    double rodLength = 1;  ///< [m]   > 0
    double m = 0;          ///< [kg]  of a point in the middle, >= 0
  };

  SphericalSpherical() = default;
  explicit SphericalSpherical(const Parameters& p) {
    rod_.rodLength = p.rodLength;
    mass_.m = p.m;
  }

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    const FrameState<S>& a = x.frame(rod_.frames.frame_a);
    const FrameState<S>& b = x.frame(rod_.frames.frame_b);
    const Vector3<S> r_0 = b.r_0 - a.r_0;
    const S distance = frames::length(r_0);
    // Ends that meet (a bad guess) have no direction; values stay finite there.
    const Vector3<S> e_0 = r_0 / max(distance, 1e-10);
    const S gv = dot(e_0, (b.v_0 - a.v_0).eval()) - rod_.lengthRate(x);
    x.constrain(distance_, 0, S(distance - rod_.length(x)), gv);
    x.react(distance_, 0, rod_.frames.frame_b, {e_0, Vector3<S>::Zero()});
    x.react(distance_, 0, rod_.frames.frame_a, {-e_0, Vector3<S>::Zero()});
    mass_.addInertia(x, rod_.frames);
  }

  /// Power of the inertia and weight of the point mass [W].
  template <class S>
  S massPower(const View<S>& x) const {
    if (mass_.m == 0) return S(0);
    const LinePoint<S> p = mass_.point(x, rod_.frames);
    return -mass_.m * dot(p.ag_0, p.v_0);
  }

 private:
  /// Load of the point mass, resolved in frame_a.
  template <class S>
  Vector3<S> f_CM_a(const View<S>& x) const {
    return frames::resolve2(x.frame(rod_.frames.frame_a).R,
                            (mass_.point(x, rod_.frames).ag_0 * mass_.m).eval());
  }
  template <class S>
  Vector3<S> f_CM_e(const View<S>& x) const {
    const Vector3<S> e_a = rod_.eRod_a(x);
    return e_a * dot(f_CM_a(x), e_a);
  }

  Rod rod_;
  MassOnLine mass_;  ///< in the middle
  Animation animation_;

  ConstraintId distance_;
};

}  // namespace cardan
