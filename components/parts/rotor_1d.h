/// Rotor1D: a rotor of a one-dimensional drive train with its gyroscopic effect on the body that
/// carries it.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/interfaces/drive_train_frame.h"
#include "components/interfaces/picture.h"
#include "components/laws/joint_axis.h"
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
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.real("J", J_, "kg.m2", "moment of inertia about the axis of rotation", kNotNegative);
    r.vector("n", n_, "1", "axis of rotation, resolved in frame_a");
    animation_.vector(r, "r_center", Vector3d::Zero(), "m",
                      "from frame_a to the middle of the cylinder, resolved in frame_a");
    animation_.length(r, "cylinderLength", 2 * r.world().defaultJointLength,
                      "length of the cylinder along the axis; default: 2 world.defaultJointLength");
    animation_.length(r, "cylinderDiameter", 2 * r.world().defaultJointWidth,
                      "diameter of the cylinder; default: 2 world.defaultJointWidth");
    animation_.color(r, "cylinderColor", kRodColor, "cylinder");
    animation_.specular(r);
    StateSelect select = StateSelect::defaultSelect;
    readStateSelect(r, "stateSelect", select);
    r.boolean(
        "exact", exact_,
        "the carrier's angular acceleration acts on the rotor (only with driveTrainMechanics3D)");
    start_.read<one_dimensional::RotationalAxis>(r);
    start_.select(select);
    r.require(n_.norm() > 0, "n", "must not be the zero vector");
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Domain::Rotational);
    s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, 0});
    s.inertia(flanges_.a);
    housing_.declare(s);
  }
  void describe(Variables& v) const override {
    one_dimensional::describeMotion<one_dimensional::RotationalAxis>(
        v, start_, " of the rotor relative to frame_a",
        [this](const auto& x) { return x.flange(flanges_.a); });
    v.mechanics([this](const auto& x) {
      using S = std::decay_t<decltype(x.time())>;
      MechanicalSums<S> sum;
      const S w = x.flange(flanges_.a).velocity;
      sum.kineticEnergy = 0.5 * J_ * w * w;
      if (housing_.effects3D) {
        const auto& R = x.frame(housing_.frame_a).R;
        sum.kineticEnergy += J_ * w * dot(e_, frames::angularVelocity2(R));
        sum.L_0 = frames::resolve1(R, Vector3<S>(e_ * (J_ * w)));
      }
      return sum;
    });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    const double length = animation_.realValue("cylinderLength");
    Shape rotor = picture::pin("cylinder", housing_.frame_a, e_, length,
                               animation_.realValue("cylinderDiameter"),
                               animation_.colorValue("cylinderColor"), animation_.specularValue());
    rotor.r_shape = Vector3d(animation_.vectorValue("r_center") - e_ * (length / 2));
    // A line on it turns with the rotor.
    rotor.extra = 1.0;
    Vector3d u1, u2;
    acrossOf(e_, u1, u2);
    rotor.widthDirection =
        PictureValue::vector(Level::Position, [this, u1, u2](const View<double>& x) {
          const double phi = x.flange(flanges_.a).position;
          return Vector3d(u1 * std::cos(phi) + u2 * std::sin(phi));
        });
    s.add(std::move(rotor));
  }
  void parametersChanged() override { e_ = n_.normalized(); }

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
