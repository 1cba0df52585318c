/// Rigid one-dimensional parts: fixed flange, part with inertia, part with a shift only.
#pragma once

#include "components/component.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// Flange that is fixed in the housing.
///
/// Equations  flange.phi = phi0
/// Source     MSL 4.0 Rotational.Fixed, Translational.Fixed
template <class Axis>
class Fixed final : public ComponentOf<Fixed<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;

 private:
  double position_ = 0;  ///< [rad | m]
};

/// Inertia (rotational) or mass (translational) with two rigidly connected flanges.
///
/// Equations  flange_a.phi = flange_b.phi = phi;  J der(w) = flange_a.tau + flange_b.tau
///            a mass of length L: flange_a.s = s - L/2, flange_b.s = s + L/2
/// Source     MSL 4.0 Rotational.Inertia, Translational.Mass
template <class Axis>
class Inertia final : public ComponentOf<Inertia<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    x.addFlow(flanges_.a, J_ * x.flange(flanges_.a).acceleration);
  }

 private:
  template <class S>
  FlangeState<S> motion(const View<S>& x) const {
    FlangeState<S> m = x.flange(flanges_.a);
    m.position += 0.5 * L_;
    return m;
  }

  double J_ = 1;  ///< [kg.m2 | kg]
  double L_ = 0;  ///< [m]  distance from flange_a to flange_b
  MotionStart start_;
  TwoFlanges flanges_;
};

/// Two rigidly connected flanges without inertia, one shifted against the other.
///
/// Equations  flange_b.phi - flange_a.phi = deltaPhi;  flange_a.tau + flange_b.tau = 0;
///            phi in the middle
/// Source     MSL 4.0 Rotational.Disc, Translational.Rod
template <class Axis>
class Shifted final : public ComponentOf<Shifted<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  double shift_ = 0;  ///< [rad | m]
  MotionStart start_;
  TwoFlanges flanges_;
};

}  // namespace cardan::one_dimensional
