#include "components/sensors/relative_angular_velocity.h"

#include "components/make.h"

namespace cardan {

void RelativeAngularVelocity::read(ParameterReader& r) {
  readResolveInFrameAB(r, "resolveInFrame", resolveInFrame_, "frame in which w_rel is resolved");
  r.start("w_rel", w_rel_, "rad/s", "angular velocity of frame_b relative to frame_a");
}

void RelativeAngularVelocity::declare(Structure& s) {
  frames_.declareAB(s, resolveInFrame_ == ResolveInFrame::frame_resolve);
}

void RelativeAngularVelocity::describe(Variables& v) const {
  v.vector(
      {"w_rel", "rad/s", "angular velocity of frame_b relative to frame_a", Level::Velocity, true},
      [this](const auto& x) {
        const auto& a = x.frame(frames_.frame_a);
        const auto& b = x.frame(frames_.frame_b);
        return frames_.resolve(x, resolveInFrame_,
                               (angularVelocity_0(b) - angularVelocity_0(a)).eval());
      });
  startOutput(v, "w_rel", w_rel_);
}

template std::unique_ptr<Component> make<RelativeAngularVelocity>();

}  // namespace cardan
