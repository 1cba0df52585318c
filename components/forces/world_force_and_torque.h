/// WorldForceAndTorque: a force and a torque from outside on what frame_b is connected to, given by
/// signals.
#pragma once

#include "components/component.h"
#include "components/forces/load_frames.h"

namespace cardan {

/// Inputs     force [N], torque [N.m], resolved in world, frame_b or frame_resolve
/// Equations  frame_b.f = -force;  frame_b.t = -torque
/// Source     MSL 4.0 Forces.WorldForceAndTorque
class WorldForceAndTorque final : public ComponentOf<WorldForceAndTorque> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    load_.add(x, x.inputVector(force_), x.inputVector(torque_));
  }

 private:
  Animation animation_;
  WorldLoad load_;
  SignalId force_, torque_;
};

}  // namespace cardan
