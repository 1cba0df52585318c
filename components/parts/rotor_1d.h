/// Rotor1D: a rotor of a one-dimensional drive train with its gyroscopic effect on the body that
/// carries it.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/drive_train_frame.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan {

/// The carrier's mass and inertia tensor hold those of the rotor at rest; this part adds what its
/// spinning changes. The torque e (flange_a.tau + flange_b.tau) comes to the carrier through the
/// parts at the flanges (Mounting1D, BevelGear1D).
///
/// Equations  flange_a.phi = flange_b.phi = phi, relative to frame_a;  w = der(phi);  a = der(w)
///            nJ = J e, e = n/|n|
///            J a + nJ.der(w_a) = flange_a.tau + flange_b.tau
///            (not exact, or without driveTrainMechanics3D: no nJ.der(w_a))
///            frame_a.f = 0;  frame_a.t = w_a x nJ w - e (nJ.der(w_a))
///            (without driveTrainMechanics3D: no torque)
/// Energy     J w^2/2 + J w e.w_a, angular momentum J w e: what it adds to the carrier's
/// Source     MSL 4.0 Parts.Rotor1D
class Rotor1D final : public ComponentOf<Rotor1D> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  void parametersChanged() override;

  template <class S>
  void physics(View<S>& x) const {
    const FlangeState<S>& rotor = x.flange(flanges_.a);
    if (!housing_.effects3D) {
      x.addFlow(flanges_.a, S(J_ * rotor.acceleration));
      return;
    }
    const FrameState<S>& a = x.frame(housing_.frame_a);
    const S Jz = J_ * dot(e_, a.z_a);
    x.addFlow(flanges_.a, S(exact_ ? J_ * rotor.acceleration + Jz : J_ * rotor.acceleration));
    const Vector3<S> Jw = e_ * (J_ * rotor.velocity);
    housing_.addTorque(x, Vector3<S>(cross(frames::angularVelocity2(a.R), Jw) - e_ * Jz));
  }

 private:
  double J_ = 1;         ///< [kg.m2]  about the axis
  Vector3d n_{1, 0, 0};  ///< [1]     axis of rotation, any length but zero, resolved in frame_a
  bool exact_ = true;
  one_dimensional::MotionStart start_;
  Animation animation_;

  Vector3d e_{1, 0, 0};  ///< derived: unit vector along n
  one_dimensional::TwoFlanges flanges_;
  DriveTrainFrame housing_;
};

}  // namespace cardan
