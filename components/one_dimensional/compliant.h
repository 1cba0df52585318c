/// Massless parts between two flanges whose force is a function of their relative motion: spring,
/// damper, both.
#pragma once

#include "components/component.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// Linear spring.
///
/// Equations  tau = c (phi_rel - phi_rel0);  flange_b.tau = tau = -flange_a.tau
/// Source     MSL 4.0 Rotational.Spring, Translational.Spring
template <class Axis>
class Spring final : public ComponentOf<Spring<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override { flanges_.declare(s, Axis::domain); }
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    flanges_.addFlow(x, tau(x));
  }

 private:
  template <class S>
  S tau(const View<S>& x) const {
    return c_ * (flanges_.motion(x).position - phi_rel0_);
  }

  double c_ = 1;         ///< [N.m/rad | N/m]
  double phi_rel0_ = 0;  ///< [rad | m]  unstretched
  MotionStart start_;
  TwoFlanges flanges_;
};

/// Linear damper.
///
/// Equations  tau = d w_rel;  flange_b.tau = tau = -flange_a.tau;  lossPower = tau w_rel
/// Source     MSL 4.0 Rotational.Damper, Translational.Damper
template <class Axis>
class Damper final : public ComponentOf<Damper<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    const S w_rel = flanges_.motion(x).velocity;
    flanges_.addFlow(x, S(d_ * w_rel));
    heat_.addLoss(x, S(d_ * w_rel * w_rel));
  }

 private:
  double d_ = 0;  ///< [N.m.s/rad | N.s/m]
  MotionStart start_;
  TwoFlanges flanges_;
  HeatPort heat_;
};

/// Linear spring and linear damper in parallel.
///
/// Equations  tau = c (phi_rel - phi_rel0) + d w_rel;  flange_b.tau = tau = -flange_a.tau;
///            lossPower = d w_rel^2
/// Source     MSL 4.0 Rotational.SpringDamper, Translational.SpringDamper
template <class Axis>
class SpringDamper final : public ComponentOf<SpringDamper<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    const S w_rel = flanges_.motion(x).velocity;
    flanges_.addFlow(x, tau(x));
    heat_.addLoss(x, S(d_ * w_rel * w_rel));
  }

 private:
  template <class S>
  S tau(const View<S>& x) const {
    const FlangeState<S> m = flanges_.motion(x);
    return c_ * (m.position - phi_rel0_) + d_ * m.velocity;
  }

  double c_ = 1;         ///< [N.m/rad | N/m]
  double d_ = 0;         ///< [N.m.s/rad | N.s/m]
  double phi_rel0_ = 0;  ///< [rad | m]  unstretched
  MotionStart start_;
  TwoFlanges flanges_;
  HeatPort heat_;
};

/// Says that the relative motion of two flanges is a pair of states; it puts no load on them.
///
/// Source     MSL 4.0 Rotational.RelativeStates, Translational.RelativeStates
template <class Axis>
class RelativeStates final : public ComponentOf<RelativeStates<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  MotionStart start_;
  TwoFlanges flanges_;
};

/// `stateSelect` and the nominal relative position of a part whose relative motion MSL may take as
/// states.
template <class Axis>
void readRelativeStates(ParameterReader& r, MotionStart& start);

/// Energy of a spring, for the sum over the model.
template <class S>
MechanicalSums<S> springEnergy(double c, const S& stretch) {
  MechanicalSums<S> sum;
  sum.potentialEnergy = 0.5 * c * stretch * stretch;
  return sum;
}

}  // namespace cardan::one_dimensional
