#include "components/parts/fixed_translation.h"

#include "components/interfaces/picture.h"

namespace cardan {

void FixedTranslation::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  readCut(r, cut_);
  r.vector("r", offset_.r_rel, "m", "from frame_a to frame_b, resolved in frame_a");
  animation_.shape(r, offset_.r_rel, kRodColor);
  animation_.specular(r);
}

void FixedTranslation::declare(Structure& s) { frames_.declareRigid(s, offset_, cut_); }

void FixedTranslation::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  s.add(picture::shape(animation_, frames_.frame_a));
}

}  // namespace cardan
