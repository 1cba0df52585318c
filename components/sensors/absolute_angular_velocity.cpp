#include "components/sensors/absolute_angular_velocity.h"

#include "components/make.h"

namespace cardan {

void AbsoluteAngularVelocity::read(ParameterReader& r) {
  readResolveInFrameA(r, "resolveInFrame", resolveInFrame_, "frame in which w is resolved");
  r.start("w", w_, "rad/s", "angular velocity of frame_a");
}

void AbsoluteAngularVelocity::declare(Structure& s) {
  frames_.declareA(s, resolveInFrame_ == ResolveInFrame::frame_resolve);
}

void AbsoluteAngularVelocity::describe(Variables& v) const {
  v.vector(
      {"w", "rad/s", "angular velocity of frame_a", Level::Velocity, true}, [this](const auto& x) {
        return frames_.resolve(x, resolveInFrame_, angularVelocity_0(x.frame(frames_.frame_a)));
      });
  startOutput(v, "w", w_);
}

template std::unique_ptr<Component> make<AbsoluteAngularVelocity>();

}  // namespace cardan
