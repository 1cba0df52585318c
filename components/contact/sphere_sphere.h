/// SphereSphere: two balls that touch.
#pragma once

#include "components/animation.h"
#include "components/contact/contact_of.h"
#include "components/interfaces/picture.h"

namespace cardan::contact {

/// frame_a, frame_b: the centres of the spheres.
///
/// Equations  depth = radius_a + radius_b - |r_b - r_a|;  n_0 = (r_b - r_a)/|r_b - r_a|
/// Force      ContactLaw, in the middle of the overlap
class SphereSphere final : public ContactOf<SphereSphere> {
 public:
  static constexpr const char* kLost =
      "the spheres' centres have come together: they are too soft for this load or speed";

  void read(ParameterReader& r) override {
    r.real("radius_a", radius_a_, "m", "radius of the sphere about frame_a", kPositive);
    r.require(r.isGiven("radius_a"), "radius_a", "must be given");
    r.real("radius_b", radius_b_ = radius_a_, "m",
           "radius of the sphere about frame_b; default: radius_a", kPositive);
    law_.read(r, true);
    heat_.read(r);
    animation_.boolean(r, "animation", true);
    animation_.color(r, "sphereColor_a", kBodyColor, "sphere at frame_a");
    animation_.color(r, "sphereColor_b", kBodyColor, "sphere at frame_b");
    animation_.specular(r);
  }
  void parametersChanged() override { law_.prepare(1 / (1 / radius_a_ + 1 / radius_b_)); }
  void declare(Structure& s) override { declareContact(s); }
  void describe(Variables& v) const override { describeContact(v); }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    ContactOf::picture(s);
    const auto sphere = [&](const char* name, FrameId f, double radius, const char* color) {
      s.add(picture::sphere(name, f, Vector3d::Zero(), 2 * radius, animation_.colorValue(color),
                            animation_.specularValue()));
    };
    sphere("sphere_a", frames_.frame_a, radius_a_, "sphereColor_a");
    sphere("sphere_b", frames_.frame_b, radius_b_, "sphereColor_b");
  }

  template <class S>
  ContactPoint<S> point(const View<S>& x) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    const Vector3<S> r_0 = x.frame(frames_.frame_b).r_0 - a.r_0;
    const S distance = sqrt(max(dot(r_0, r_0), kSmall * size() * size()));
    ContactPoint<S> p;
    p.n_0 = r_0 / distance;
    p.depth = size() - distance;
    p.r_0 = a.r_0 + p.n_0 * (radius_a_ - 0.5 * p.depth);
    return p;
  }
  template <class S>
  PointMotion<S> motionOf(const View<S>& x, const ContactPoint<S>& at, const S& v_depth) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    const Vector3<S> v_0 = x.frame(frames_.frame_b).v_0 - a.v_0;
    const Vector3<S> n_d = (v_0 - at.n_0 * dot(at.n_0, v_0)) / (size() - at.depth);
    const Vector3<S> r_d = a.v_0 + n_d * (radius_a_ - 0.5 * at.depth) - at.n_0 * (0.5 * v_depth);
    return {n_d, r_d};
  }
  /// The square of the distance is smooth, and of second degree while the spheres fly.
  double approach(const View<double>& x) const { return 0.5 * (size() - distance2(x) / size()); }
  double size() const { return radius_a_ + radius_b_; }
  double share() const { return radius_b_ / size(); }
  double reserve(const View<double>& x) const {
    return distance2(x) / (size() * size()) - kReserve;
  }

 private:
  static constexpr double kSmall = 1e-20, kReserve = 1e-4;  ///< [1]  of size(), squared

  double distance2(const View<double>& x) const {
    return (x.frame(frames_.frame_b).r_0 - x.frame(frames_.frame_a).r_0).squaredNorm();
  }

  double radius_a_ = 0, radius_b_ = 0;  ///< [m]  > 0
  Animation animation_;
};

}  // namespace cardan::contact
