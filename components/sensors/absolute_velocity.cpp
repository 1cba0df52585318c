#include "components/sensors/absolute_velocity.h"

#include "components/make.h"

namespace cardan {

void AbsoluteVelocity::read(ParameterReader& r) {
  readResolveInFrameA(r, "resolveInFrame", resolveInFrame_, "frame in which v is resolved");
  r.start("v", v_, "m/s", "velocity of frame_a");
}

void AbsoluteVelocity::declare(Structure& s) {
  frames_.declareA(s, resolveInFrame_ == ResolveInFrame::frame_resolve);
}

void AbsoluteVelocity::describe(Variables& v) const {
  v.vector({"v", "m/s", "velocity of frame_a", Level::Velocity, true}, [this](const auto& x) {
    return frames_.resolve(x, resolveInFrame_, x.frame(frames_.frame_a).v_0);
  });
  startOutput(v, "v", v_);
}

template std::unique_ptr<Component> make<AbsoluteVelocity>();

}  // namespace cardan
