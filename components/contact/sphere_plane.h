/// SpherePlane: a ball that touches the ground, a ramp or a plate.
#pragma once

#include "components/animation.h"
#include "components/contact/contact_of.h"
#include "components/contact/plane.h"
#include "components/interfaces/picture.h"

namespace cardan::contact {

/// frame_a: the plane; frame_b: centre of the sphere.
///
/// Equations  depth = radius - h, h = height of the centre over the plane, or its distance from the
///            plate; n_0 = normal of the plane, or the direction of that distance
/// Force      ContactLaw, in the middle of the overlap
class SpherePlane final : public ContactOf<SpherePlane> {
 public:
  static constexpr const char* kLost =
      "the sphere's centre has come to the plate: it is too soft for this load or speed";

  void read(ParameterReader& r) override {
    r.real("radius", radius_, "m", "radius of the sphere", kPositive);
    r.require(r.isGiven("radius"), "radius", "must be given");
    plane_.read(r, true);
    law_.read(r, true);
    r.require(!(law_.sticks() && plane_.isPlate()), "stick", "needs an unbounded plane");
    r.require(!(law_.isRigid() && plane_.isPlate()), "rigid", "needs an unbounded plane");
    heat_.read(r);
    animation_.boolean(r, "animation", true);
    animation_.color(r, "sphereColor", kBodyColor, "sphere");
    plane_.readPicture(r, animation_, 20 * radius_);
    animation_.specular(r);
  }
  void parametersChanged() override {
    plane_.prepare();
    law_.prepare(radius_);
  }
  void declare(Structure& s) override { declareContact(s); }
  void describe(Variables& v) const override { describeContact(v); }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    ContactOf::picture(s);
    s.add(picture::sphere("sphere", frames_.frame_b, Vector3d::Zero(), 2 * radius_,
                          animation_.colorValue("sphereColor"), animation_.specularValue()));
    plane_.picture(s, animation_, frames_.frame_a, 0.1 * radius_);
  }

  template <class S>
  ContactPoint<S> point(const View<S>& x) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    const FrameState<S>& b = x.frame(frames_.frame_b);
    const Vector3<S> r_0 = b.r_0 - a.r_0;
    ContactPoint<S> p;
    S height;
    if (plane_.isPlate()) {
      const Vector3<S> from = plane_.fromPlate(frames::resolve2(a.R, r_0));
      height = sqrt(max(dot(from, from), kSmall * radius_ * radius_));
      p.n_0 = frames::resolve1(a.R, from) / height;
    } else {
      p.n_0 = plane_.normal_0(a);
      height = dot(p.n_0, r_0);
    }
    p.depth = radius_ - height;
    p.r_0 = b.r_0 - p.n_0 * (radius_ - 0.5 * p.depth);
    return p;
  }
  template <class S>
  PointMotion<S> motionOf(const View<S>& x, const ContactPoint<S>& at, const S& v_depth) const {
    const Vector3<S> w_a = frames::angularVelocity1(x.frame(frames_.frame_a).R);
    const Vector3<S> n_d = cross(w_a, at.n_0);
    const Vector3<S> r_d =
        x.frame(frames_.frame_b).v_0 - n_d * (radius_ - 0.5 * at.depth) + at.n_0 * (0.5 * v_depth);
    return {n_d, r_d};
  }
  double approach(const View<double>& x) const {
    if (!plane_.isPlate()) return point(x).depth;
    return 0.5 * (radius_ - distance2(x) / radius_);
  }
  double size() const { return radius_; }
  double reserve(const View<double>& x) const {
    return plane_.isPlate() ? distance2(x) / (radius_ * radius_) - kReserve : 1;
  }

 private:
  static constexpr double kSmall = 1e-20, kReserve = 1e-4;  ///< [1]  of the radius, squared

  /// Square of the distance of the centre from the plate [m2].
  double distance2(const View<double>& x) const {
    const FrameState<double>& a = x.frame(frames_.frame_a);
    const Vector3d r_0 = x.frame(frames_.frame_b).r_0 - a.r_0;
    return plane_.fromPlate(frames::resolve2(a.R, r_0)).squaredNorm();
  }

  double radius_ = 0;  ///< [m]  > 0
  Plane plane_;
  Animation animation_;
};

}  // namespace cardan::contact
