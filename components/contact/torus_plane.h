/// TorusPlane: a tyre, a ring, or a coin on its edge, on the ground.
#pragma once

#include "components/animation.h"
#include "components/contact/contact_of.h"
#include "components/contact/plane.h"

namespace cardan::contact {

/// frame_a: the plane, frame_b: centre of the torus.
///
/// Equations  u = n_0 - axis_0 (axis_0.n_0);  R = radius - tubeRadius
///            depth = R s(|u|) + tubeRadius - h, h = height of the centre over the plane
///            s = |u| for |u| >= flat; below it, where the lowest point goes over into the whole rim,
///            s = flat (3 + 6 q^2 - q^4)/8, q = |u|/flat
/// Force      ContactLaw at the lowest point -R s' u/|u| - tubeRadius n_0 of the rim, in the middle
///            of the overlap; of a torus that lies flat, at its middle
class TorusPlane final : public ContactOf<TorusPlane> {
 public:
  void read(ParameterReader& r) override;
  void parametersChanged() override;
  void declare(Structure& s) override { declareContact(s); }
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  template <class S>
  ContactPoint<S> point(const View<S>& x) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    const FrameState<S>& b = x.frame(frames_.frame_b);
    const Vector3<S> axis_0 = frames::resolve1(b.R, e_axis_);
    ContactPoint<S> p;
    p.n_0 = plane_.normal_0(a);
    const Vector3<S> u = p.n_0 - axis_0 * dot(axis_0, p.n_0);
    const S u2 = dot(u, u);
    const double R = radius_ - tubeRadius_;
    S reach, arm;  // s(|u|) and s'(|u|)/|u|
    if (u2 >= flat_ * flat_) {
      reach = sqrt(u2);
      arm = 1.0 / reach;
    } else {
      const S q2 = u2 / (flat_ * flat_);
      reach = flat_ * (3.0 + q2 * (6.0 - q2)) / 8.0;
      arm = (3.0 - q2) / (2 * flat_);
    }
    p.depth = R * reach + tubeRadius_ - dot(p.n_0, (b.r_0 - a.r_0).eval());
    p.r_0 = b.r_0 - u * (R * arm) - p.n_0 * (tubeRadius_ - 0.5 * p.depth);
    return p;
  }
  template <class S>
  PointMotion<S> motionOf(const View<S>& x, const ContactPoint<S>& at, const S& v_depth) const {
    const FrameState<S>& b = x.frame(frames_.frame_b);
    const Vector3<S> axis_0 = frames::resolve1(b.R, e_axis_), n_0 = at.n_0;
    const Vector3<S> axis_d = cross(frames::angularVelocity1(b.R), axis_0);
    const Vector3<S> n_d = cross(frames::angularVelocity1(x.frame(frames_.frame_a).R), n_0);
    const S tilt = dot(axis_0, n_0), tilt_d = dot(axis_d, n_0) + dot(axis_0, n_d);
    const Vector3<S> u = n_0 - axis_0 * tilt, u_d = n_d - axis_d * tilt - axis_0 * tilt_d;
    const S u2 = dot(u, u), half = dot(u, u_d);  // der(u2)/2
    S arm, arm_d;
    if (u2 >= flat_ * flat_) {
      arm = 1.0 / sqrt(u2);
      arm_d = -arm * arm * arm * half;
    } else {
      arm = (3.0 - u2 / (flat_ * flat_)) / (2 * flat_);
      arm_d = -half / (flat_ * flat_ * flat_);
    }
    const double R = radius_ - tubeRadius_;
    const Vector3<S> r_d = b.v_0 - (u_d * arm + u * arm_d) * R -
                           n_d * (tubeRadius_ - 0.5 * at.depth) + n_0 * (0.5 * v_depth);
    return {n_d, r_d};
  }
  double approach(const View<double>& x) const { return point(x).depth; }
  double size() const { return radius_; }

 private:
  double radius_ = 0;       ///< [m]  > 0
  double tubeRadius_ = 0;   ///< [m]  >= 0, < radius
  Vector3d axis_{0, 0, 1};  ///< [1]  any length but zero, resolved in frame_b
  double flat_ = 0.01;      ///< [1]  > 0
  Vector3d e_axis_{0, 0, 1};
  Plane plane_;
  Animation animation_;
};

}  // namespace cardan::contact
