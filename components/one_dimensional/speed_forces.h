/// Forces that depend on speed by other laws than a power: reciprocal, of constant size, of an eddy
/// current brake, of a rolling wheel.
#pragma once

#include <cmath>
#include <numbers>

#include "components/laws/relation.h"
#include "components/one_dimensional/force_on_flange.h"

namespace cardan::one_dimensional {

/// Sign of a speed, made continuous between -w0 and w0 (MSL's Blocks.Types.Regularization).
///
/// Equations  Exp: 2/(1 + exp(-100 w/w0)) - 1;  beyond w0 the sign, within it
///            Sine: sin(pi/2 w/w0);  Linear: w/w0;  CoSine: sign(w) (1 - cos(pi/2 w/w0))
/// Modes      beyond w0, beyond -w0
struct RegularizedSign {
  enum class Kind { Exp, Sine, Linear, CoSine };
  Kind kind = Kind::Exp;
  double w0 = 0.1;  ///< [rad/s | m/s]

  void read(ParameterReader& r, const char* name, const char* unit);
  void declare(Structure& s);
  void guards(const View<double>& x, Guards& g, double w) const;
  bool transition(Modes& m, double w) const;

  template <class S>
  S operator()(const View<S>& x, const S& w) const {
    if (kind == Kind::Exp) return 2.0 / (1.0 + exp(S(w * (-100 / w0)))) - 1.0;
    if (forward_.beyond(x)) return S(1.0);
    if (backward_.beyond(x)) return S(-1.0);
    const S part = w * (1 / w0);
    if (kind == Kind::Linear) return part;
    const S angle = part * (0.5 * std::numbers::pi);
    if (kind == Kind::Sine) return sin(angle);
    return cardan::value(w) < 0 ? S(cos(angle) - 1.0) : S(1.0 - cos(angle));
  }

 private:
  Kink forward_, backward_;
};

/// Torque (force) that is the smaller the faster the flange moves.
///
/// Equations  flange.tau = -tau_nominal w_nominal/|w|, constant below w0;
///            with the sign of w where TorqueDirection is false, then linear below w0
/// Modes      beyond w0, beyond -w0
/// Source     MSL 4.0 Rotational.InverseSpeedDependentTorque, Translational.InverseSpeedDependentForce
template <class Axis>
class InverseSpeedDependentForce final
    : public ForceOnFlange<Axis, InverseSpeedDependentForce<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  S tau(const View<S>& x) const {
    const S w = this->motion(x).velocity;
    const double power = tau_nominal_ * w_nominal_;
    if (forward_.beyond(x)) return power / w;
    if (backward_.beyond(x)) return sameDirection_ ? S(-power / w) : S(power / w);
    if (sameDirection_) return S(power / w0_);
    return tau_nominal_ * w * (1 / w0_);
  }

 private:
  double tau_nominal_ = 0;  ///< [N.m | N]  a load if negative
  bool sameDirection_ = true;
  double w_nominal_ = 1;  ///< [rad/s | m/s]
  double w0_ = 0.1;       ///< [rad/s | m/s]
  Kink forward_, backward_;
};

/// Torque (force) of constant size that changes its sign with the speed.
///
/// Equations  flange.tau = -tau_nominal sign(w), regularized
/// Source     MSL 4.0 Rotational.SignTorque, Translational.SignForce
template <class Axis>
class SignForce final : public ForceOnFlange<Axis, SignForce<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  S tau(const View<S>& x) const {
    return tau_nominal_ * sign_(x, S(this->motion(x).velocity));
  }

 private:
  double tau_nominal_ = 0;  ///< [N.m | N]  a load if negative
  RegularizedSign sign_;
};

/// Eddy current brake.
///
/// Equations  flange.tau = tau = 2 tau_nominal excitation^2 u/(1 + u^2),
///            u = w/(w_nominal (1 + alpha (T_heatPort - TRef))),
///            alpha = alpha20/(1 + alpha20 (TRef - 293.15 K));  lossPower = tau w
/// Source     MSL 4.0 Rotational.EddyCurrentTorque, Translational.EddyCurrentForce
template <class Axis>
class EddyCurrentForce final : public ForceOnFlange<Axis, EddyCurrentForce<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    const S f = tau(x);
    this->support_.addFlow(x, this->flange_, f);
    heat_.addLoss(x, S(f * this->motion(x).velocity));
  }

 private:
  template <class S>
  S temperature(const View<S>& x) const {
    return heat_.used ? x.flange(heat_.port).position : S(T_);
  }
  template <class S>
  S tau(const View<S>& x) const {
    const double alpha = alpha20_ / (1 + alpha20_ * (TRef_ - 293.15));
    const S u = this->motion(x).velocity / (w_nominal_ * (1.0 + alpha * (temperature(x) - TRef_)));
    const S e = useInput_ ? x.input(excitation_) : S(constantExcitation_);
    return 2 * tau_nominal_ * e * e * u / (1.0 + u * u);
  }

  bool useInput_ = false;
  double constantExcitation_ = 1;  ///< [1]
  double tau_nominal_ = 0;         ///< [N.m | N]  largest braking torque
  double w_nominal_ = 1;           ///< [rad/s | m/s]
  double TRef_ = 293.15;           ///< [K]
  double alpha20_ = 0;             ///< [1/K]
  double T_ = 293.15;              ///< [K]  where there is no heat port
  HeatPort heat_;
  SignalId excitation_;
};

/// Resistance of a rolling wheel.
///
/// Equations  flange.f = cr fWeight cos(atan(inclination)) sign(v), regularized
/// Source     MSL 4.0 Translational.RollingResistance
class RollingResistance final : public ForceOnFlange<TranslationalAxis, RollingResistance> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  void physics(View<S>& x) const {
    support_.addFlow(x, flange_, force(x));
  }

 private:
  template <class S>
  S force(const View<S>& x) const {
    const S cr = useCr_ ? x.input(cr_) : S(CrConstant_);
    const S slope = useInclination_ ? x.input(inclination_) : S(inclinationConstant_);
    return cr * fWeight_ / sqrt(S(1.0 + slope * slope)) * sign_(x, S(motion(x).velocity));
  }

  double fWeight_ = 0;              ///< [N]
  double CrConstant_ = 0.01;        ///< [1]
  double inclinationConstant_ = 0;  ///< [1]  tangent of the angle
  bool useCr_ = false, useInclination_ = false;
  RegularizedSign sign_;
  SignalId cr_, inclination_;
};

/// Vehicle: mass, turning parts, drag, rolling resistance and slope, between a shaft and a flange that
/// may pull.
///
/// Equations  v = R w;  m der(v) = flangeT.f + flangeR.tau/R - J der(w)/R - drag - roll - m g sin(slope)
///            drag = Cd A rho/2 (v - vWind) |v - vWind|;  roll = cr m g cos(slope) sign(v), linear
///            below vReg
/// Source     MSL 4.0 Translational.Vehicle
class Vehicle final : public ComponentOf<Vehicle> {
 public:
  Vehicle() {
    sign_.kind = RegularizedSign::Kind::Linear;
    sign_.w0 = 1e-3;
  }
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  void physics(View<S>& x) const {
    x.addFlow(flangeR_, S(J_ * x.flange(flangeR_).acceleration));
    x.addFlow(flangeT_, S(m_ * x.flange(flangeT_).acceleration + drag(x) + roll(x) + slope(x)));
  }

 private:
  template <class S>
  S tangent(const View<S>& x) const {
    return useInclination_ ? x.input(inclination_) : S(inclinationConstant_);
  }
  template <class S>
  S drag(const View<S>& x) const {
    const S u = x.flange(flangeT_).velocity - (useWind_ ? x.input(vWind_) : S(vWindConstant_));
    return 0.5 * Cd_ * A_ * rho_ * u * S(abs(u));
  }
  template <class S>
  S roll(const View<S>& x) const {
    const S cr = useCr_ ? x.input(cr_) : S(CrConstant_), t = tangent(x);
    return cr * m_ * g_ / sqrt(S(1.0 + t * t)) * sign_(x, S(x.flange(flangeT_).velocity));
  }
  template <class S>
  S slope(const View<S>& x) const {
    const S t = tangent(x);
    return m_ * g_ * t / sqrt(S(1.0 + t * t));
  }

  double m_ = 1;        ///< [kg]
  double g_ = 9.80665;  ///< [m/s2]
  double J_ = 0;        ///< [kg.m2]
  double R_ = 0.3;      ///< [m]
  double A_ = 1;        ///< [m2]
  double Cd_ = 0.5;     ///< [1]
  double rho_ = 1.2;    ///< [kg/m3]
  double CrConstant_ = 0.015;
  double vWindConstant_ = 0;        ///< [m/s]
  double inclinationConstant_ = 0;  ///< [1]  tangent of the angle
  bool useWind_ = false, useCr_ = false, useInclination_ = false;
  RegularizedSign sign_;  ///< linear below vReg
  MotionStart start_;
  FlangeId flangeR_, flangeT_;
  SignalId vWind_, cr_, inclination_;
};

}  // namespace cardan::one_dimensional
