/// Mounting1D: the housing of one-dimensional parts, which passes their support torque to a
/// three-dimensional part.
#pragma once

#include "components/component.h"
#include "components/interfaces/drive_train_frame.h"

namespace cardan {

/// Equations  flange_b.phi = phi0;  frame_a.f = 0;  frame_a.t = -e flange_b.tau, e = n/|n|
///            without world.driveTrainMechanics3D: flange_b.phi = phi0 only
/// Source     MSL 4.0 Parts.Mounting1D (which takes n as it is: a length other than 1 scales
///            the torque)
///
/// The flange rests in frame_a, not in world, and its torque is what the parts at the flange leave
/// over: so it is driven, at a constant angle.
class Mounting1D final : public ComponentOf<Mounting1D> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void parametersChanged() override;

  template <class S>
  void physics(View<S>& x) const {
    if (housing_.effects3D) housing_.addTorque(x, Vector3<S>(e_ * -x.drivingFlow(flange_b_)));
  }

 private:
  double phi0_ = 0;      ///< [rad]
  Vector3d n_{1, 0, 0};  ///< [1]  axis of rotation, any length but zero, resolved in frame_a

  Vector3d e_{1, 0, 0};  ///< derived: unit vector along n
  FlangeId flange_b_;
  DriveTrainFrame housing_;
};

}  // namespace cardan
