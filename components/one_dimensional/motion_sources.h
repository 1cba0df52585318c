/// Prescribed motion of a flange relative to its support; the force that it takes is a multiplier.
#pragma once

#include <numbers>

#include "components/one_dimensional/force_on_flange.h"

namespace cardan::one_dimensional {

/// What the classes below share: the driven flange and the multiplier of its motion.
template <class Axis, class Derived>
class PrescribedMotion : public AgainstSupport<Axis, Derived> {
 protected:
  /// Position and velocity of the flange are prescribed, or (positionToo false) its velocity only.
  void declareMotion(Structure& s, bool positionToo) {
    this->declareFlange(s);
    s.inertia(this->flange_);  // its rate is prescribed, also where no inertia sits there
    constraint_ = s.constraint(positionToo ? Axis::position : Axis::velocity, Axis::positionUnit,
                               positionToo ? 1 : 0, positionToo ? 0 : 1);
  }
  template <class S>
  void hold(View<S>& x, const S& position, const S& velocity) const {
    const FlangeState<S> m = this->motion(x);
    x.constrain(constraint_, 0, m.position - position, m.velocity - velocity);
    this->support_.react(x, constraint_, this->flange_);
  }
  template <class S>
  void holdVelocity(View<S>& x, const S& velocity) const {
    x.constrainVelocity(constraint_, 0, this->motion(x).velocity - velocity);
    this->support_.react(x, constraint_, this->flange_);
  }

  ConstraintId constraint_;
};

/// Flange that follows a reference position, exactly or through a Bessel filter of second order.
///
/// Unknowns   not exact: phi [rad], w [rad/s]
/// Equations  exact: flange.phi - support.phi = phi_ref
///            else: flange.phi - support.phi = phi;  der(phi) = w;
///            der(w) = ((phi_ref - phi) w_crit - 1.3617 w) w_crit/0.6180, w_crit = 2 pi f_crit;
///            phi = phi_ref at the start
/// Source     MSL 4.0 Rotational.Position, Translational.Position
template <class Axis>
class Position final : public PrescribedMotion<Axis, Position<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    if (exact_) {
      this->hold(x, x.input(reference_), x.inputRate(reference_));
      return;
    }
    const S& phi = x.unknown(phi_);
    const S& w = x.unknown(w_);
    const double w_crit = 2 * std::numbers::pi * f_crit_;
    x.row(phiRow_) = x.rate(phi_) - w;
    x.row(wRow_) =
        x.rate(w_) - ((x.input(reference_) - phi) * w_crit - 1.3617 * w) * (w_crit / 0.6180);
    this->hold(x, phi, w);
  }

 private:
  bool exact_ = false;
  double f_crit_ = 50;  ///< [Hz]
  SignalId reference_;
  UnknownId phi_, w_;
  RowId phiRow_, wRow_;
};

/// Flange that follows a reference velocity, exactly or through a filter of first order.
///
/// Unknowns   not exact: w [rad/s]
/// Equations  exact: der(phi) = w_ref;  else: der(phi) = w;  der(w) = (w_ref - w) 2 pi f_crit;
///            w = w_ref at the start;  phi = flange.phi - support.phi
/// Source     MSL 4.0 Rotational.Speed, Translational.Speed
template <class Axis>
class Speed final : public PrescribedMotion<Axis, Speed<Axis>> {
 public:
  Speed() { this->start_.position = StartValue(true); }
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    if (exact_) {
      this->holdVelocity(x, x.input(reference_));
      return;
    }
    const S& w = x.unknown(w_);
    x.row(wRow_) = x.rate(w_) - (x.input(reference_) - w) * (2 * std::numbers::pi * f_crit_);
    this->holdVelocity(x, w);
  }

 private:
  bool exact_ = false;
  double f_crit_ = 50;  ///< [Hz]
  SignalId reference_;
  UnknownId w_;
  RowId wRow_;
};

/// Flange that moves with a given acceleration.
///
/// Unknowns   phi [rad], w [rad/s]
/// Equations  flange.phi - support.phi = phi;  der(phi) = w;  der(w) = a_ref
/// Source     MSL 4.0 Rotational.Accelerate, Translational.Accelerate
template <class Axis>
class Accelerate final : public PrescribedMotion<Axis, Accelerate<Axis>> {
 public:
  Accelerate() {
    this->start_.position = StartValue(true);
    this->start_.velocity = StartValue(true);
  }
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    const S& phi = x.unknown(phi_);
    const S& w = x.unknown(w_);
    x.row(phiRow_) = x.rate(phi_) - w;
    x.row(wRow_) = x.rate(w_) - x.input(reference_);
    this->hold(x, phi, w);
  }

 private:
  SignalId reference_;
  UnknownId phi_, w_;
  RowId phiRow_, wRow_;
};

/// Flange that moves as the signals u = {phi, w, a} say, which must fit together.
///
/// Equations  flange.phi - support.phi = u[1], its derivative = u[2]  (u[3] follows from these)
/// Source     MSL 4.0 Rotational.Move, Translational.Move
template <class Axis>
class Move final : public PrescribedMotion<Axis, Move<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    this->hold(x, x.input(u_, 0), x.input(u_, 1));
  }

 private:
  SignalId u_;
};

/// Flange that moves with a fixed velocity.
///
/// Equations  der(flange.phi - support.phi) = w_fixed
/// Source     MSL 4.0 Rotational.ConstantSpeed, Translational.ConstantSpeed
template <class Axis>
class ConstantSpeed final : public PrescribedMotion<Axis, ConstantSpeed<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    this->holdVelocity(x, S(w_fixed_));
  }

 private:
  double w_fixed_ = 0;  ///< [rad/s | m/s]
};

/// Start position, velocity and acceleration of a flange from signals, each if wanted.
///
/// Equations  at the start only: flange.phi = phi_start;  der(flange.phi) = w_start;
///            der(der(flange.phi)) = a_start
/// Source     MSL 4.0 Rotational.InitializeFlange, Translational.InitializeFlange
template <class Axis>
class InitializeFlange final : public ComponentOf<InitializeFlange<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  bool use_[3] = {true, true, true};  ///< position, velocity, acceleration
  StateSelect stateSelect_ = StateSelect::defaultSelect;
  StartValue phi_flange_, w_flange_;
  FlangeId flange_;
  SignalId start_[3];
};

}  // namespace cardan::one_dimensional
