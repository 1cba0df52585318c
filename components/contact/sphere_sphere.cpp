#include "components/contact/sphere_sphere.h"

#include "components/interfaces/picture.h"

namespace cardan::contact {

void SphereSphere::read(ParameterReader& r) {
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

void SphereSphere::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  ContactOf::picture(s);
  const auto sphere = [&](const char* name, FrameId f, double radius, const char* color) {
    s.add(picture::sphere(name, f, Vector3d::Zero(), 2 * radius, animation_.colorValue(color),
                          animation_.specularValue()));
  };
  sphere("sphere_a", frames_.frame_a, radius_a_, "sphereColor_a");
  sphere("sphere_b", frames_.frame_b, radius_b_, "sphereColor_b");
}

}  // namespace cardan::contact
