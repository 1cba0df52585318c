#include "components/contact/torus_plane.h"

#include <cmath>
#include <numbers>

#include "components/interfaces/picture.h"
#include "components/laws/joint_axis.h"

namespace cardan::contact {

void TorusPlane::read(ParameterReader& r) {
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

void TorusPlane::parametersChanged() {
  if (axis_.norm() > 0) e_axis_ = axis_.normalized();
  plane_.prepare();
  law_.prepare(1);
}

void TorusPlane::describe(Variables& v) const {
  v.scalar({"tilt", "rad", "angle of the axis to the plane, 0 where the torus is upright",
            Level::Position},
           [this](const auto& x) {
             const auto axis_0 = frames::resolve1(x.frame(frames_.frame_b).R, e_axis_);
             return asin(dot(axis_0, plane_.normal_0(x.frame(frames_.frame_a))));
           });
  describeContact(v);
}

void TorusPlane::picture(Shapes& s) const {
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

}  // namespace cardan::contact
