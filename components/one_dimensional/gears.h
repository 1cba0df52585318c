/// Ideal gears: affine relations among flanges; the flows follow by virtual work.
#pragma once

#include "components/component.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// Gear between two shafts.
///
/// Equations  flange_a.phi - support.phi = ratio (flange_b.phi - support.phi);
///            0 = ratio flange_a.tau + flange_b.tau
/// Source     MSL 4.0 Rotational.IdealGear
class IdealGear final : public ComponentOf<IdealGear> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  double ratio_ = 1;  ///< [1]  any but zero
  StartValue phi_a_, phi_b_;
  TwoFlanges flanges_;
  Support support_;
};

/// Planetary gear: sun, carrier and ring.
///
/// Equations  (1 + ratio) carrier.phi = sun.phi + ratio ring.phi
/// Source     MSL 4.0 Rotational.IdealPlanetary
class IdealPlanetary final : public ComponentOf<IdealPlanetary> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;

 private:
  double ratio_ = 100.0 / 50;  ///< [1]  teeth of the ring over teeth of the sun
};

/// Lever about a pivot, for angles that are small. Not in MSL.
///
/// Equations  (flange_b.s - support.s) L_a = -(flange_a.s - support.s) L_b;
///            flange_a.f L_a = flange_b.f L_b;  arms on one side have different signs
class IdealLever final : public ComponentOf<IdealLever> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;

 private:
  double L_a_ = 1, L_b_ = 1;  ///< [m]  any but zero
  TwoFlanges flanges_;
  Support support_;
};

/// Rotation to translation: gear or rolling wheel.
///
/// Equations  k_R (flangeR.phi - supportR.phi) = k_T (flangeT.s - supportT.s)
///            IdealGearR2T: k_R = 1, k_T = ratio;  IdealRollingWheel: k_R = radius, k_T = 1
/// Source     MSL 4.0 Rotational.IdealGearR2T, Rotational.IdealRollingWheel, and both in
///            Translational
template <bool Wheel>
class RotationToTranslation final : public ComponentOf<RotationToTranslation<Wheel>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;

 private:
  double ratio_ = Wheel ? 0.3 : 1;  ///< [m] radius, or [rad/m] ratio; any but zero
  Support supportR_, supportT_;
};

}  // namespace cardan::one_dimensional
