/// WorldForce: a force from outside on what frame_b is connected to, given by signals.
#pragma once

#include "components/component.h"
#include "components/forces/load_frames.h"

namespace cardan {

/// Inputs     force [N], resolved in world, frame_b or frame_resolve
/// Equations  frame_b.f = -force;  frame_b.t = 0
/// Source     MSL 4.0 Forces.WorldForce
class WorldForce final : public ComponentOf<WorldForce> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    load_.add(x, x.inputVector(force_), Vector3<S>(Vector3<S>::Zero()));
  }

 private:
  Animation animation_;
  WorldLoad load_;
  SignalId force_;
};

}  // namespace cardan
