#include "components/sensors/power.h"

#include "components/make.h"

namespace cardan {

void Power::read(ParameterReader& r) { r.start("power", power_, "W", "power at frame_a"); }

void Power::declare(Structure& s) {
  frames_.declareAB(s, false);
  s.joint(frames_.frame_a, frames_.frame_b, sameFrame_, {}, {});
}

void Power::describe(Variables& v) const {
  v.scalar({"power", "W", "power at frame_a", Level::Force, true}, [this](const auto& x) {
    const auto& a = x.frame(frames_.frame_a);
    const auto& load = x.connectorLoad(frames_.frame_a);
    return dot(load.f_0, a.v_0) + dot(load.t_0, angularVelocity_0(a));
  });
  startOutput(v, "power", power_);
}

template std::unique_ptr<Component> make<Power>();

}  // namespace cardan
