#include "components/sensors/relative_position.h"

#include "components/make.h"

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
  // MSL's sensor holds another one of the same name.
  v.alias("relativePosition.r_rel", "r_rel");
  for (const char* frame : {"frame_a.", "frame_b."}) {
    for (const char* name : {"r_0", "R.T", "R.w", "f", "t"}) {
      v.alias(std::string("relativePosition.") + frame + name, std::string(frame) + name);
    }
  }
}

template std::unique_ptr<Component> make<RelativePosition>();

}  // namespace cardan
