#include "components/sensors/power.h"

namespace cardan {

void Power::declare(Structure& s) {
  frames_.declareAB(s, false);
  s.joint(frames_.frame_a, frames_.frame_b, sameFrame_, {}, {});
}

void Power::describe(Variables& v) const {
  power_.describe(v, [this](const auto& x) {
    const auto& a = x.frame(frames_.frame_a);
    const auto& load = x.connectorLoad(frames_.frame_a);
    return dot(load.f_0, a.v_0) + dot(load.t_0, angularVelocity_0(a));
  });
}

}  // namespace cardan
