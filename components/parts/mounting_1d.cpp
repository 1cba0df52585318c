#include "components/parts/mounting_1d.h"

namespace cardan {

void Mounting1D::read(ParameterReader& r) {
  r.real("phi0", phi0_, "rad", "angle of the housing");
  r.vector("n", n_, "1", "axis of rotation and of the support torque, resolved in frame_a");
  r.require(n_.norm() > 0, "n", "must not be the zero vector");
}

void Mounting1D::parametersChanged() { e_ = n_.normalized(); }

void Mounting1D::declare(Structure& s) {
  flange_b_ = s.flange("flange_b", Domain::Rotational);
  housing_.declare(s);
  if (!housing_.effects3D) {
    s.ground(flange_b_, phi0_);
    return;
  }
  s.driven(flange_b_, [this](const auto& x) {
    using S = std::decay_t<decltype(x.time())>;
    return FlangeState<S>{S(phi0_), S(0), S(0)};
  });
}

}  // namespace cardan
