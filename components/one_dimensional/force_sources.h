/// Sources of torque or force: from a signal, constant, stepped, depending on speed.
#pragma once

#include "components/laws/relation.h"
#include "components/one_dimensional/force_on_flange.h"

namespace cardan::one_dimensional {

/// Torque (force) between housing and flange from a signal.
///
/// Equations  flange.tau = -tau
/// Source     MSL 4.0 Rotational.Torque, Translational.Force
template <class Axis>
class Force final : public ForceOnFlange<Axis, Force<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  const S& tau(const View<S>& x) const {
    return x.input(tau_);
  }

 private:
  SignalId tau_;
};

/// Torque (force) between two flanges from a signal.
///
/// Equations  flange_a.tau = tau;  flange_b.tau = -tau
/// Source     MSL 4.0 Rotational.Torque2, Translational.Force2
template <class Axis>
class Force2 final : public ComponentOf<Force2<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;

  template <class S>
  void physics(View<S>& x) const {
    flanges_.addFlow(x, S(-x.input(tau_)));
  }

 private:
  TwoFlanges flanges_;
  SignalId tau_;
};

/// Constant torque (force).
///
/// Equations  flange.tau = -tau_constant
/// Source     MSL 4.0 Rotational.ConstantTorque, Translational.ConstantForce
template <class Axis>
class ConstantForce final : public ForceOnFlange<Axis, ConstantForce<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void describe(Variables& v) const override;

  template <class S>
  double tau(const View<S>&) const {
    return tau_;
  }

 private:
  double tau_ = 0;  ///< [N.m | N]  accelerates in positive direction
};

/// Torque (force) that steps at a time.
///
/// Equations  flange.tau = -(offsetTorque + stepTorque from startTime on)
/// Mode       0 before startTime, 1 from then on
/// Source     MSL 4.0 Rotational.TorqueStep, Translational.ForceStep
template <class Axis>
class ForceStep final : public ForceOnFlange<Axis, ForceStep<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  double tau(const View<S>& x) const {
    return offset_ + (x.mode(stepped_) ? step_ : 0.0);
  }

 private:
  double step_ = 1;       ///< [N.m | N]
  double offset_ = 0;     ///< [N.m | N]
  double startTime_ = 0;  ///< [s]
  ModeId stepped_;
};

/// Torque (force) that is linear (Power 1) or quadratic (Power 2) in the speed of the flange.
///
/// Equations  flange.tau = -tau_nominal (w/w_nominal)^Power;
///            of the same sign for both directions of w where TorqueDirection says so
/// Mode       forward, where the law bends at w = 0
/// Source     MSL 4.0 Rotational.LinearSpeedDependentTorque, QuadraticSpeedDependentTorque,
///            Translational.LinearSpeedDependentForce, QuadraticSpeedDependentForce
template <class Axis, int Power>
class SpeedDependentForce final : public ForceOnFlange<Axis, SpeedDependentForce<Axis, Power>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  S tau(const View<S>& x) const {
    const S u = this->motion(x).velocity / w_nominal_;
    if (Power == 1)
      return bends() && !forward_.beyond(x) ? S(-tau_nominal_ * u) : S(tau_nominal_ * u);
    return tau_nominal_ * u * (sameDirection_ ? u : S(abs(u)));
  }

 private:
  bool bends() const { return Power == 1 && sameDirection_; }
  double tau_nominal_ = 0;  ///< [N.m | N]  accelerating if positive
  double w_nominal_ = 1;    ///< [rad/s | m/s]
  bool sameDirection_ = true;
  Kink forward_;
};

}  // namespace cardan::one_dimensional
