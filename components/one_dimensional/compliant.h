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

/// `stateSelect` and the nominal relative position of a part whose relative motion MSL may take as
/// states.
template <class Axis>
void readRelativeStates(ParameterReader& r, MotionStart& start);

/// The result tau (f) of a part between two flanges: what acts at flange_b.
template <class Axis, class F>
void describeFlow(Variables& v, Level level, F f) {
  v.scalar({Axis::flow, Axis::flowUnit,
            std::string(Axis::flowWord) + " between the flanges (= flange_b's)", level},
           f);
}

template <class S>
struct LossyLoad {
  S flow;  ///< [N.m | N]  at flange_b
  S lost;  ///< [N.m | N]  part of it
};

/// What the parts below share that lose a part of their force as heat: load(x) of the class says both.
template <class Axis, class Derived>
class LossyForce : public ComponentOf<Derived> {
 public:
  void declare(Structure& s) override {
    flanges_.declare(s, Axis::domain);
    heat_.declare(s);
  }
  void describe(Variables& v) const override {
    describeRelativeMotion<Axis>(v, start_, flanges_);
    describeFlow<Axis>(v, Level::Velocity, [this](const auto& x) { return self().load(x).flow; });
    v.scalar({"lossPower", "W", "power that leaves through the heat port", Level::Velocity},
             [this](const auto& x) { return self().load(x).lost * flanges_.motion(x).velocity; });
  }

  template <class S>
  void physics(View<S>& x) const {
    const LossyLoad<S> load = self().load(x);
    flanges_.addFlow(x, load.flow);
    heat_.addLoss(x, S(load.lost * flanges_.motion(x).velocity));
  }

 protected:
  void readMotion(ParameterReader& r) {
    readRelativeStates<Axis>(r, start_);
    heat_.read(r);
  }
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  MotionStart start_;
  TwoFlanges flanges_;
  HeatPort heat_;
};

/// Linear damper.
///
/// Equations  tau = d w_rel;  flange_b.tau = tau = -flange_a.tau;  lossPower = tau w_rel
/// Source     MSL 4.0 Rotational.Damper, Translational.Damper
template <class Axis>
class Damper final : public LossyForce<Axis, Damper<Axis>> {
 public:
  void read(ParameterReader& r) override;

  template <class S>
  LossyLoad<S> load(const View<S>& x) const {
    const S tau = d_ * this->flanges_.motion(x).velocity;
    return {tau, tau};
  }

 private:
  double d_ = 0;  ///< [N.m.s/rad | N.s/m]
};

/// Linear spring and linear damper in parallel.
///
/// Equations  tau = c (phi_rel - phi_rel0) + d w_rel;  flange_b.tau = tau = -flange_a.tau;
///            lossPower = d w_rel^2
/// Source     MSL 4.0 Rotational.SpringDamper, Translational.SpringDamper
template <class Axis>
class SpringDamper final : public LossyForce<Axis, SpringDamper<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void describe(Variables& v) const override;

  /// Flow and loss one by one: the flow's product with d is fused with its sum, that of the loss is not.
  template <class S>
  void physics(View<S>& x) const {
    const S w_rel = this->flanges_.motion(x).velocity;
    this->flanges_.addFlow(x, load(x).flow);
    this->heat_.addLoss(x, S(d_ * w_rel * w_rel));
  }
  template <class S>
  LossyLoad<S> load(const View<S>& x) const {
    const FlangeState<S> m = this->flanges_.motion(x);
    return {c_ * (m.position - phi_rel0_) + d_ * m.velocity, d_ * m.velocity};
  }

 private:
  double c_ = 1;         ///< [N.m/rad | N/m]
  double d_ = 0;         ///< [N.m.s/rad | N.s/m]
  double phi_rel0_ = 0;  ///< [rad | m]  unstretched
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

/// Energy of a spring, for the sum over the model.
template <class S>
MechanicalSums<S> springEnergy(double c, const S& stretch) {
  MechanicalSums<S> sum;
  sum.potentialEnergy = 0.5 * c * stretch * stretch;
  return sum;
}

}  // namespace cardan::one_dimensional
