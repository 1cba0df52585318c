#include "components/parts/fixed_translation.h"

#include "components/make.h"

namespace cardan {

void FixedTranslation::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  readCut(r, p_.cut);
  r.vector("r", p_.r, "m", "from frame_a to frame_b, resolved in frame_a");
  animation_.shape(r, p_.r, kRodColor);
  animation_.specular(r);
}

void FixedTranslation::declare(Structure& s) { frames_.declareRigid(s, *this, p_.cut); }

std::string FixedTranslation::closureName(int row) const {
  return (row < 3 ? std::string("displacement along ") : std::string("rotation about ")) +
         "xyz"[row % 3];
}

template std::unique_ptr<Component> make<FixedTranslation>();

}  // namespace cardan
