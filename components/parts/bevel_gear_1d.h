/// BevelGear1D: an ideal gear whose shafts point in any two directions, with its reaction on the
/// housing.
#pragma once

#include "components/component.h"
#include "components/interfaces/drive_train_frame.h"
#include "components/one_dimensional/flanges.h"

namespace cardan {

/// Equations  flange_a.phi = ratio flange_b.phi;  0 = ratio flange_a.tau + flange_b.tau
///            frame_a.f = 0;  frame_a.t = -flange_a.tau e_a - flange_b.tau e_b
/// Source     MSL 4.0 Parts.BevelGear1D
///
/// With world.driveTrainMechanics3D the torque in the teeth must be known, so the relation is a
/// constraint, and its multiplier is flange_a.tau; without, the relation eliminates one of the
/// angles. The torque on the housing is no transpose of the relation, which holds among angles
/// relative to the housing: the stabilising multiplier has no part in it.
class BevelGear1D final : public ComponentOf<BevelGear1D> {
 public:
  void read(ParameterReader& r) override {
    r.real("ratio", ratio_, "1", "flange_a.phi/flange_b.phi");
    r.vector("n_a", n_a_, "1", "axis of rotation of flange_a, resolved in frame_a");
    r.vector("n_b", n_b_, "1", "axis of rotation of flange_b, resolved in frame_a");
    r.require(n_a_.norm() > 0, "n_a", "must not be the zero vector");
    r.require(n_b_.norm() > 0, "n_b", "must not be the zero vector");
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Domain::Rotational);
    housing_.declare(s);
    if (housing_.effects3D) {
      teeth_ = s.constraint("ratio", "rad", 1, 0);
      s.inertia(flanges_.a);
      s.inertia(flanges_.b);
    } else {
      s.affine({{{flanges_.a, 1}, {flanges_.b, -ratio_}}, 0});
    }
  }
  void parametersChanged() override {
    e_a_ = n_a_.normalized();
    e_b_ = n_b_.normalized();
  }

  template <class S>
  void physics(View<S>& x) const {
    if (!housing_.effects3D) return;
    const FlangeState<S>& a = x.flange(flanges_.a);
    const FlangeState<S>& b = x.flange(flanges_.b);
    x.constrain(teeth_, 0, S(a.position - ratio_ * b.position),
                S(a.velocity - ratio_ * b.velocity));
    x.react(teeth_, 0, flanges_.a, S(1.0));
    x.react(teeth_, 0, flanges_.b, S(-ratio_));
    housing_.addTorque(x, Vector3<S>((ratio_ * e_b_ - e_a_) * x.multiplier(teeth_, 0)));
  }

 private:
  double ratio_ = 1;
  Vector3d n_a_{1, 0, 0},
      n_b_{1, 0, 0};  ///< [1]  axes of flange_a and flange_b, resolved in frame_a

  Vector3d e_a_{1, 0, 0}, e_b_{1, 0, 0};  ///< derived: unit vectors along n_a, n_b
  one_dimensional::TwoFlanges flanges_;
  DriveTrainFrame housing_;
  ConstraintId teeth_;
};

}  // namespace cardan
