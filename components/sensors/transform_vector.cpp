#include "components/sensors/transform_vector.h"

namespace cardan {

template <bool isRelative>
void TransformVector<isRelative>::read(ParameterReader& r) {
  constexpr auto readFrame = isRelative ? readResolveInFrameAB : readResolveInFrameA;
  readFrame(r, "frame_r_in", frame_r_in_, "frame in which r_in is resolved");
  frame_r_out_ = frame_r_in_;
  readFrame(r, "frame_r_out", frame_r_out_,
            "frame in which r_out is resolved; default: frame_r_in");
  r.input("r_in", 3, "1", "vector, resolved in frame_r_in");
  r_out_.read(r);
}

template <bool isRelative>
void TransformVector<isRelative>::declare(Structure& s) {
  const bool needsResolve =
      frame_r_in_ == ResolveInFrame::frame_resolve || frame_r_out_ == ResolveInFrame::frame_resolve;
  isRelative ? frames_.declareAB(s, needsResolve) : frames_.declareA(s, needsResolve);
  r_in_ = s.input("r_in", 3);
}

template <bool isRelative>
void TransformVector<isRelative>::describe(Variables& v) const {
  r_out_.describe(v,
                  [this](const auto& x) {
                    return frames_.resolveRelative(x, x.inputVector(r_in_), frame_r_in_,
                                                   frame_r_out_);
                  },
                  {r_in_});
}

template class TransformVector<false>;
template class TransformVector<true>;

}  // namespace cardan
