/// WorldTorque: a torque from outside on what frame_b is connected to, given by signals.
#pragma once

#include "components/component.h"
#include "components/forces/load_frames.h"

namespace cardan {

/// Inputs     torque [N.m], resolved in world, frame_b or frame_resolve
/// Equations  frame_b.f = 0;  frame_b.t = -torque
/// Source     MSL 4.0 Forces.WorldTorque
class WorldTorque final : public ComponentOf<WorldTorque> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    load_.add(x, Vector3<S>(Vector3<S>::Zero()), x.inputVector(torque_));
  }

 private:
  Animation animation_;
  WorldLoad load_;
  SignalId torque_;
};

}  // namespace cardan
