/// Passive electrical parts: ground, resistor, conductor, capacitor, inductor.
#pragma once

#include "components/electrical/one_port.h"

namespace cardan::electrical {

/// Potential zero.
///
/// Equations  p.v = 0
/// Source     MSL 4.0 Electrical.Analog.Basic.Ground
class Ground final : public ComponentOf<Ground> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override { s.ground(s.flange("p", Domain::Electrical), 0); }
};

/// Linear resistor.
///
/// Unknowns   R = 0 (a wire whose current is asked for): i [A]
/// Equations  v = R_actual i, R_actual = R (1 + alpha (T_heatPort - T_ref));  LossPower = v i
/// Source     MSL 4.0 Electrical.Analog.Basic.Resistor
class Resistor final : public ComponentOf<Resistor> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    const S i = current(x), v = port_.voltage(x);
    if (port_.hasCurrent()) {
      port_.hold(x, v);
    } else {
      port_.addCurrent(x, i);
    }
    losses_.heat.addLoss(x, S(v * i));
  }

 private:
  template <class S>
  S resistance(const View<S>& x) const {
    return R_ * dependence_.factor(losses_.temperature(x));
  }
  template <class S>
  S current(const View<S>& x) const {
    return port_.hasCurrent() ? port_.current(x) : S(port_.voltage(x) / resistance(x));
  }

  double R_ = 1;  ///< [Ohm]  any
  TemperatureDependence dependence_;
  VoltageBranch port_;  ///< with a current of its own where R = 0
  Losses losses_;
};

/// Linear conductor.
///
/// Equations  i = G_actual v, G_actual = G/(1 + alpha (T_heatPort - T_ref));  LossPower = v i
/// Source     MSL 4.0 Electrical.Analog.Basic.Conductor
class Conductor final : public ComponentOf<Conductor> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    const S i = current(x);
    port_.addCurrent(x, i);
    losses_.heat.addLoss(x, S(port_.voltage(x) * i));
  }

 private:
  template <class S>
  S conductance(const View<S>& x) const {
    return G_ / dependence_.factor(losses_.temperature(x));
  }
  template <class S>
  S current(const View<S>& x) const {
    return conductance(x) * port_.voltage(x);
  }

  double G_ = 1;  ///< [S]  any
  TemperatureDependence dependence_;
  OnePort port_;
  Losses losses_;
};

/// Linear capacitor; its voltage is a state.
///
/// Unknowns   v [V]
/// Equations  v = p.v - n.v;  i = C der(v)
/// Source     MSL 4.0 Electrical.Analog.Basic.Capacitor
class Capacitor final : public ComponentOf<Capacitor> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    if (!v_.valid()) return;
    x.row(row_) = x.unknown(v_) - port_.voltage(x);
    port_.addCurrent(x, S(C_ * x.rate(v_)));
  }

 private:
  double C_ = 1;  ///< [F]  not negative
  OnePort port_;
  UnknownId v_;  ///< valid where C > 0
  RowId row_;
};

/// Linear inductor; its current is a state.
///
/// Unknowns   i [A]
/// Equations  L der(i) = v;  v = p.v - n.v
/// Source     MSL 4.0 Electrical.Analog.Basic.Inductor
class Inductor final : public ComponentOf<Inductor> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    const S v = port_.voltage(x);
    x.row(row_) = L_ > 0 ? S(v - L_ * x.rate(i_)) : v;
    port_.addCurrent(x, x.unknown(i_));
  }

 private:
  double L_ = 1;  ///< [H]  not negative
  OnePort port_;
  UnknownId i_;
  RowId row_;
};

}  // namespace cardan::electrical
