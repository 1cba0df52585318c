#include "components/parts/fixed.h"

#include "components/make.h"

namespace cardan {

void Fixed::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.vector("r", r_, "m", "position of frame_b, resolved in world");
  animation_.shape(r, r_, kRodColor);
  animation_.specular(r);
}

void Fixed::declare(Structure& s) {
  frame_.declare(s);
  s.joint(s.worldFrame(), frame_.frame_b, *this, {}, {});
}

std::string Fixed::closureName(int row) const {
  return (row < 3 ? std::string("displacement along ") : std::string("rotation about ")) +
         "xyz"[row % 3];
}

template std::unique_ptr<Component> make<Fixed>();

}  // namespace cardan
