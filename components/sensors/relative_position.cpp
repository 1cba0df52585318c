#include "components/sensors/relative_position.h"

namespace cardan {

void RelativePosition::read(ParameterReader& r) {
  readResolveInFrameAB(r, "resolveInFrame", resolveInFrame_, "frame in which r_rel is resolved");
  r.start("r_rel", r_rel_, "m", "position of frame_b relative to frame_a");
}

void RelativePosition::declare(Structure& s) {
  frames_.declareAB(s, resolveInFrame_ == ResolveInFrame::frame_resolve);
}

void RelativePosition::describe(Variables& v) const {
  v.vector({"r_rel", "m", "position of frame_b relative to frame_a", Level::Position, true},
           [this](const auto& x) {
             const auto& a = x.frame(frames_.frame_a);
             const auto& b = x.frame(frames_.frame_b);
             return frames_.resolve(x, resolveInFrame_, (b.r_0 - a.r_0).eval());
           });
  startOutput(v, "r_rel", r_rel_);
}

}  // namespace cardan
