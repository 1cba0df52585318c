#include "components/sensors/transform_relative_vector.h"

#include "components/make.h"

namespace cardan {

void TransformRelativeVector::read(ParameterReader& r) {
  readResolveInFrameAB(r, "frame_r_in", frame_r_in_, "frame in which r_in is resolved");
  frame_r_out_ = frame_r_in_;
  readResolveInFrameAB(r, "frame_r_out", frame_r_out_,
                       "frame in which r_out is resolved; default: frame_r_in");
  r.input("r_in", 3, "1", "vector, resolved in frame_r_in");
  r.start("r_out", r_out_, "1", "r_in, resolved in frame_r_out");
}

void TransformRelativeVector::declare(Structure& s) {
  frames_.declareAB(s, frame_r_in_ == ResolveInFrame::frame_resolve ||
                           frame_r_out_ == ResolveInFrame::frame_resolve);
  r_in_ = s.input("r_in", 3);
}

void TransformRelativeVector::describe(Variables& v) const {
  v.vector({"r_out", "1", "r_in, resolved in frame_r_out", Level::Position, true, {r_in_}},
           [this](const auto& x) {
             return frames_.resolveRelative(x, x.inputVector(r_in_), frame_r_in_, frame_r_out_);
           });
  startOutput(v, "r_out", r_out_);
}

template std::unique_ptr<Component> make<TransformRelativeVector>();

}  // namespace cardan
