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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

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
