/// CutForce, CutTorque, CutForceAndTorque: the load that passes from frame_a to frame_b, as outputs.
#pragma once

#include <vector>

#include "components/component.h"
#include "components/interfaces/resolving.h"
#include "components/laws/rigid_offset.h"
#include "components/sensors/sensor_output.h"

namespace cardan {

/// What the three share: frame_a and frame_b coincide; the load on the sensor at frame_a, or its
/// negative, resolved in a frame of choice; an arrow for each output.
class CutLoad : public ComponentOf<CutLoad> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

 protected:
  CutLoad(bool hasForce, bool hasTorque);

 private:
  struct Load {
    bool isTorque;
    SensorOutput<3> output;

    const char* scale() const { return isTorque ? "Nm_to_m" : "N_to_m"; }
    template <class S>
    const Vector3<S>& of_0(const Wrench<S>& load) const {
      return isTorque ? load.t_0 : load.f_0;
    }
  };

  bool animation_ = true;
  bool positiveSign_ = true;
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;  ///< not frame_b
  std::vector<Load> loads_;

  RigidOffset sameFrame_;  ///< no offset: frame_b is frame_a
  SensorFrames frames_;
};

/// frame_a and frame_b coincide.
///
/// Outputs    force = T_X f_0 at frame_a, X = resolveInFrame; its negative without positiveSign
/// Source     MSL 4.0 Sensors.CutForce
class CutForce final : public CutLoad {
 public:
  CutForce() : CutLoad(true, false) {}
};

/// frame_a and frame_b coincide.
///
/// Outputs    torque = T_X t_0 at frame_a, X = resolveInFrame; its negative without positiveSign
/// Source     MSL 4.0 Sensors.CutTorque
class CutTorque final : public CutLoad {
 public:
  CutTorque() : CutLoad(false, true) {}
};

/// frame_a and frame_b coincide.
///
/// Outputs    force = T_X f_0, torque = T_X t_0 at frame_a, X = resolveInFrame;
///            the negatives without positiveSign
/// Source     MSL 4.0 Sensors.CutForceAndTorque
class CutForceAndTorque final : public CutLoad {
 public:
  CutForceAndTorque() : CutLoad(true, true) {}
};

}  // namespace cardan
