#include "components/parts/bevel_gear_1d.h"

namespace cardan {

void BevelGear1D::read(ParameterReader& r) {
  r.real("ratio", ratio_, "1", "flange_a.phi/flange_b.phi");
  r.vector("n_a", n_a_, "1", "axis of rotation of flange_a, resolved in frame_a");
  r.vector("n_b", n_b_, "1", "axis of rotation of flange_b, resolved in frame_a");
  r.require(n_a_.norm() > 0, "n_a", "must not be the zero vector");
  r.require(n_b_.norm() > 0, "n_b", "must not be the zero vector");
}

void BevelGear1D::parametersChanged() {
  e_a_ = n_a_.normalized();
  e_b_ = n_b_.normalized();
}

void BevelGear1D::declare(Structure& s) {
  flanges_.declare(s, Domain::Rotational);
  housing_.declare(s);
  if (housing_.effects3D) {
    teeth_ = s.constraint("ratio", "rad", 1, 0);
  } else {
    s.affine({{{flanges_.a, 1}, {flanges_.b, -ratio_}}, 0});
  }
}

}  // namespace cardan
