/// TransformRelativeVector: a vector, resolved in another frame.
#pragma once

#include "components/component.h"
#include "components/sensors/resolving.h"

namespace cardan {

/// Inputs     r_in, resolved in frame_r_in
/// Outputs    r_out = T_out T_in' r_in, resolved in frame_r_out (default: frame_r_in)
/// Source     MSL 4.0 Sensors.TransformRelativeVector
class TransformRelativeVector final : public ComponentOf<TransformRelativeVector> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  ResolveInFrame frame_r_in_ = ResolveInFrame::frame_a;
  ResolveInFrame frame_r_out_ = ResolveInFrame::frame_a;
  StartVector<3> r_out_;

  SensorFrames frames_;
  SignalId r_in_;
};

}  // namespace cardan
