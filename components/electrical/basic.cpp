/// Passive electrical parts: ground, resistor, conductor, capacitor, inductor.
#include "components/catalogue_entry.h"
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
  void read(ParameterReader& r) override {
    r.real("R", R_, "Ohm", "resistance at T_ref");
    dependence_.read(r);
    losses_.T = dependence_.T_ref;
    losses_.read(r);
    port_.read(r);
  }
  void declare(Structure& s) override {
    port_.declare(s);
    losses_.declare(s);
    if (R_ == 0) port_.declareCurrent(s);
  }
  void describe(Variables& v) const override {
    port_.describe(v, [this](const auto& x) { return current(x); });
    v.scalar({"R_actual", "Ohm", "resistance at the temperature of the part", Level::Acceleration},
             [this](const auto& x) { return resistance(x); });
    losses_.describe(v, [this](const auto& x) { return current(x) * port_.voltage(x); });
  }

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
  void read(ParameterReader& r) override {
    r.real("G", G_, "S", "conductance at T_ref");
    dependence_.read(r);
    losses_.T = dependence_.T_ref;
    losses_.read(r);
    port_.read(r);
  }
  void declare(Structure& s) override {
    port_.declare(s);
    losses_.declare(s);
  }
  void describe(Variables& v) const override {
    port_.describe(v, [this](const auto& x) { return current(x); });
    v.scalar({"G_actual", "S", "conductance at the temperature of the part", Level::Acceleration},
             [this](const auto& x) { return conductance(x); });
    losses_.describe(v, [this](const auto& x) { return current(x) * port_.voltage(x); });
  }

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
  void read(ParameterReader& r) override {
    r.real("C", C_, "F", "capacitance", kNotNegative);
    port_.read(r);
  }
  void declare(Structure& s) override {
    port_.declare(s);
    if (C_ == 0) return;
    v_ = s.unknown({"v", "V", "voltage from pin n to pin p"}, Kind::Differential);
    row_ = s.row("voltage");
  }
  void describe(Variables& v) const override {
    if (!v_.valid()) {
      port_.describe(v, [](const auto& x) { return 0.0 * x.time(); });
      return;
    }
    port_.describe(
        v, [this](const auto& x) { return x.unknown(v_); },
        [this](const auto& x) { return C_ * x.rate(v_); }, Level::Position, Level::Acceleration);
  }

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
  void read(ParameterReader& r) override {
    r.real("L", L_, "H", "inductance", kNotNegative);
    port_.read(r);
  }
  void declare(Structure& s) override {
    port_.declare(s);
    i_ = s.unknown({"i", "A", "current from pin p to pin n"},
                   L_ > 0 ? Kind::Differential : Kind::Algebraic);
    row_ = s.row("current");
  }
  void describe(Variables& v) const override {
    port_.describe(
        v, [this](const auto& x) { return x.unknown(i_); },
        L_ > 0 ? Level::Position : Level::Acceleration);
  }

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

Catalogue basic() {
  return {
      entry<Ground>("Analog.Ground", "electrical ground: potential zero"),
      entry<Resistor>("Analog.Resistor", "linear resistor"),
      entry<Conductor>("Analog.Conductor", "linear conductor"),
      entry<Capacitor>("Analog.Capacitor", "linear capacitor"),
      entry<Inductor>("Analog.Inductor", "linear inductor"),
  };
}

}  // namespace cardan::electrical
