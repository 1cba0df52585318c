#include "components/contact/sphere_plane.h"

#include "components/interfaces/picture.h"

namespace cardan::contact {

void SpherePlane::read(ParameterReader& r) {
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

void SpherePlane::parametersChanged() {
  plane_.prepare();
  law_.prepare(radius_);
}

void SpherePlane::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  ContactOf::picture(s);
  s.add(picture::sphere("sphere", frames_.frame_b, Vector3d::Zero(), 2 * radius_,
                        animation_.colorValue("sphereColor"), animation_.specularValue()));
  plane_.picture(s, animation_, frames_.frame_a, 0.1 * radius_);
}

}  // namespace cardan::contact
