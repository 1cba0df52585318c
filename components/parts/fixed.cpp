#include "components/parts/fixed.h"

#include "components/interfaces/picture.h"

namespace cardan {

void Fixed::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.vector("r", place_.r_rel, "m", "position of frame_b, resolved in world");
  animation_.shape(r, place_.r_rel, kRodColor);
  animation_.specular(r);
}

void Fixed::declare(Structure& s) {
  frame_.declare(s);
  s.joint(s.worldFrame(), frame_.frame_b, place_, {}, {});
}

void Fixed::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  s.add(picture::shape(animation_, FrameId{}));
}

}  // namespace cardan
