/// Force: a force between frame_a and frame_b, given by signals.
#pragma once

#include "components/component.h"
#include "components/forces/load_frames.h"

namespace cardan {

/// Inputs     force [N], resolved in world, frame_a, frame_b or frame_resolve
/// Equations  frame_b.f = -force;  frame_b.t = 0;
///            0 = frame_a.f + R_rel' frame_b.f
///            0 = frame_a.t + R_rel' frame_b.t + r_rel_a x R_rel' frame_b.f
/// Source     MSL 4.0 Forces.Force
class Force final : public ComponentOf<Force> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    load_.add(x, x.inputVector(force_), Vector3<S>(Vector3<S>::Zero()));
  }

 private:
  Animation animation_;
  LoadBetweenFrames load_;
  SignalId force_;
};

}  // namespace cardan
