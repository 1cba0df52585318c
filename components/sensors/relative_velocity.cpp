#include "components/sensors/relative_velocity.h"

#include "components/make.h"

namespace cardan {

void RelativeVelocity::read(ParameterReader& r) {
  readResolveInFrameAB(r, "resolveInFrame", resolveInFrame_, "frame in which v_rel is resolved");
  r.start("v_rel", v_rel_, "m/s", "velocity of frame_b relative to frame_a");
}

void RelativeVelocity::declare(Structure& s) {
  frames_.declareAB(s, resolveInFrame_ == ResolveInFrame::frame_resolve);
}

void RelativeVelocity::describe(Variables& v) const {
  v.vector({"v_rel", "m/s", "velocity of frame_b relative to frame_a", Level::Velocity, true},
           [this](const auto& x) {
             const auto& a = x.frame(frames_.frame_a);
             const auto& b = x.frame(frames_.frame_b);
             const auto r_a = frames::resolve2(a.R, b.r_0 - a.r_0);
             const auto v_a =
                 frames_.derivative(x, ResolveInFrame::frame_a, r_a, (b.v_0 - a.v_0).eval());
             return frames_.resolveRelative(x, v_a, ResolveInFrame::frame_a, resolveInFrame_);
           });
  startOutput(v, "v_rel", v_rel_);
}

template std::unique_ptr<Component> make<RelativeVelocity>();

}  // namespace cardan
