/// TorusPlane: a tyre, a ring, or a coin on its edge, on the ground.
#pragma once

#include <cmath>
#include <numbers>

#include "components/animation.h"
#include "components/contact/contact_of.h"
#include "components/contact/plane.h"
#include "components/interfaces/picture.h"
#include "components/laws/joint_axis.h"

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
  void read(ParameterReader& r) override {
    r.real("radius", radius_, "m", "outer radius of the torus", kPositive);
    r.require(r.isGiven("radius"), "radius", "must be given");
    r.real("tubeRadius", tubeRadius_, "m", "radius of its tube; 0: a sharp edge", kNotNegative);
    r.require(!(radius_ > 0) || tubeRadius_ < radius_, "tubeRadius", "must be less than radius");
    r.vector("axis", axis_, "1", "axis of the torus, resolved in frame_b");
    if (!r.require(axis_.norm() > 0, "axis", "must not be the zero vector")) axis_ = {0, 0, 1};
    r.real("flat", flat_, "1",
           "sine of the angle to the plane below which the force moves from the rim to the middle",
           kPositive);
    plane_.read(r, false);
    law_.read(r, false);
    heat_.read(r);
    animation_.boolean(r, "animation", true);
    animation_.color(r, "torusColor", kBodyColor, "torus");
    plane_.readPicture(r, animation_, 20 * radius_);
    animation_.specular(r);
  }
  void parametersChanged() override {
    if (axis_.norm() > 0) e_axis_ = axis_.normalized();
    plane_.prepare();
    law_.prepare(1);
  }
  void declare(Structure& s) override { declareContact(s); }
  void describe(Variables& v) const override {
    v.scalar({"tilt", "rad", "angle of the axis to the plane, 0 where the torus is upright",
              Level::Position},
             [this](const auto& x) {
               const auto axis_0 = frames::resolve1(x.frame(frames_.frame_b).R, e_axis_);
               return asin(dot(axis_0, plane_.normal_0(x.frame(frames_.frame_a))));
             });
    describeContact(v);
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    ContactOf::picture(s);
    constexpr int kRound = 49, kTube = 17;
    const double tube = std::max(tubeRadius_, 0.02 * radius_), R = radius_ - tube;
    const JointAxis axis(e_axis_);
    std::vector<double> points;
    for (int i = 0; i < kRound; ++i) {
      const double u = 2 * std::numbers::pi * i / (kRound - 1);
      const Vector3d out = axis.across1 * std::cos(u) + axis.across2 * std::sin(u);
      for (int j = 0; j < kTube; ++j) {
        const double w = 2 * std::numbers::pi * j / (kTube - 1);
        const Vector3d p = out * (R + tube * std::cos(w)) + e_axis_ * (tube * std::sin(w));
        points.insert(points.end(), {p[0], p[1], p[2]});
      }
    }
    s.add(SurfaceShape{.name = "torus",
                       .place = frames_.frame_b,
                       .nu = kRound,
                       .nv = kTube,
                       .points = std::move(points),
                       .color = picture::rgb(animation_.colorValue("torusColor")),
                       .specular = animation_.specularValue()});
    plane_.picture(s, animation_, frames_.frame_a, 0.1 * radius_);
  }

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
