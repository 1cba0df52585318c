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
  void read(ParameterReader& r) override {
    r.real("phi0", phi0_, "rad", "angle of the housing");
    r.vector("n", n_, "1", "axis of rotation and of the support torque, resolved in frame_a");
    r.require(n_.norm() > 0, "n", "must not be the zero vector");
  }
  void declare(Structure& s) override {
    flange_b_ = s.flange("flange_b", Domain::Rotational);
    housing_.declare(s);
    if (!housing_.effects3D) {
      s.ground(flange_b_, phi0_);
      return;
    }
    s.driven(flange_b_, [this](const auto& x) {
      using S = std::decay_t<decltype(x.time())>;
      return FlangeState<S>{S(phi0_), S(0), S(0)};
    });
  }
  void parametersChanged() override { e_ = n_.normalized(); }

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
