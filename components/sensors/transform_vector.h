/// TransformAbsoluteVector, TransformRelativeVector: a vector, resolved in another frame.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"
#include "components/sensors/sensor_output.h"

namespace cardan {

/// The relative one has a frame_b as well, to resolve in.
///
/// Inputs     r_in, resolved in frame_r_in
/// Outputs    r_out = T_out T_in' r_in, resolved in frame_r_out (default: frame_r_in)
/// Source     MSL 4.0 Sensors.TransformAbsoluteVector, TransformRelativeVector
template <bool isRelative>
class TransformVector final : public ComponentOf<TransformVector<isRelative>> {
 public:
  void read(ParameterReader& r) override {
    constexpr auto readFrame = isRelative ? readResolveInFrameAB : readResolveInFrameA;
    readFrame(r, "frame_r_in", frame_r_in_, "frame in which r_in is resolved");
    frame_r_out_ = frame_r_in_;
    readFrame(r, "frame_r_out", frame_r_out_,
              "frame in which r_out is resolved; default: frame_r_in");
    r.input("r_in", 3, "1", "vector, resolved in frame_r_in");
    r_out_.read(r);
  }
  void declare(Structure& s) override {
    const bool needsResolve = frame_r_in_ == ResolveInFrame::frame_resolve ||
                              frame_r_out_ == ResolveInFrame::frame_resolve;
    isRelative ? frames_.declareAB(s, needsResolve) : frames_.declareA(s, needsResolve);
    r_in_ = s.input("r_in", 3);
  }
  void describe(Variables& v) const override {
    r_out_.describe(v,
                    [this](const auto& x) {
                      return frames_.resolveRelative(x, x.inputVector(r_in_), frame_r_in_,
                                                     frame_r_out_);
                    },
                    {r_in_});
  }

 private:
  ResolveInFrame frame_r_in_ = ResolveInFrame::frame_a;
  ResolveInFrame frame_r_out_ = ResolveInFrame::frame_a;
  SensorOutput<3> r_out_{"r_out", "1", "r_in, resolved in frame_r_out", Level::Position};

  SensorFrames frames_;
  SignalId r_in_;
};

using TransformAbsoluteVector = TransformVector<false>;
using TransformRelativeVector = TransformVector<true>;

}  // namespace cardan
