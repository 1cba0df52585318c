/// Sources of torque or force: from a signal, constant, stepped, depending on speed.
#pragma once

#include "components/component.h"
#include "components/laws/relation.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// Torque (force) between housing and flange from a signal.
///
/// Equations  flange.tau = -tau
/// Source     MSL 4.0 Rotational.Torque, Translational.Force
template <class Axis>
class Force final : public ComponentOf<Force<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    support_.addFlow(x, flange_, S(-x.input(tau_)));
  }

 private:
  MotionStart start_;
  FlangeId flange_;
  Support support_;
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
class ConstantForce final : public ComponentOf<ConstantForce<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    support_.addFlow(x, flange_, S(-tau_));
  }

 private:
  double tau_ = 0;  ///< [N.m | N]  accelerates in positive direction
  MotionStart start_;
  FlangeId flange_;
  Support support_;
};

/// Torque (force) that steps at a time.
///
/// Equations  flange.tau = -(offsetTorque + stepTorque from startTime on)
/// Mode       0 before startTime, 1 from then on
/// Source     MSL 4.0 Rotational.TorqueStep, Translational.ForceStep
template <class Axis>
class ForceStep final : public ComponentOf<ForceStep<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  void physics(View<S>& x) const {
    support_.addFlow(x, flange_, S(-tau(x)));
  }

 private:
  template <class S>
  double tau(const View<S>& x) const {
    return offset_ + (x.mode(stepped_) ? step_ : 0.0);
  }

  double step_ = 1;       ///< [N.m | N]
  double offset_ = 0;     ///< [N.m | N]
  double startTime_ = 0;  ///< [s]
  MotionStart start_;
  FlangeId flange_;
  Support support_;
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
class SpeedDependentForce final : public ComponentOf<SpeedDependentForce<Axis, Power>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  void physics(View<S>& x) const {
    support_.addFlow(x, flange_, S(-tau(x)));
  }

 private:
  bool bends() const { return Power == 1 && sameDirection_; }
  template <class S>
  S tau(const View<S>& x) const {
    const S u = support_.motion(x, flange_).velocity / w_nominal_;
    if (Power == 1)
      return bends() && !forward_.beyond(x) ? S(-tau_nominal_ * u) : S(tau_nominal_ * u);
    return tau_nominal_ * u * (sameDirection_ ? u : S(abs(u)));
  }

  double tau_nominal_ = 0;  ///< [N.m | N]  accelerating if positive
  double w_nominal_ = 1;    ///< [rad/s | m/s]
  bool sameDirection_ = true;
  MotionStart start_;
  FlangeId flange_;
  Support support_;
  Kink forward_;
};

}  // namespace cardan::one_dimensional
