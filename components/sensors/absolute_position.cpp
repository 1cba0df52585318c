#include "components/sensors/absolute_position.h"

#include "components/make.h"

namespace cardan {

void AbsolutePosition::read(ParameterReader& r) {
  readResolveInFrameA(r, "resolveInFrame", resolveInFrame_, "frame in which r is resolved");
  r.start("r", r_, "m", "position of frame_a");
}

void AbsolutePosition::declare(Structure& s) {
  frames_.declareA(s, resolveInFrame_ == ResolveInFrame::frame_resolve);
}

void AbsolutePosition::describe(Variables& v) const {
  v.vector({"r", "m", "position of frame_a", Level::Position, true}, [this](const auto& x) {
    return frames_.resolve(x, resolveInFrame_, x.frame(frames_.frame_a).r_0);
  });
  startOutput(v, "r", r_);
}

template std::unique_ptr<Component> make<AbsolutePosition>();

}  // namespace cardan
