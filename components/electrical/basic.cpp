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

/// Linear resistor, or conductor.
///
/// Unknowns   Resistor with R = 0 (a wire whose current is asked for): i [A]
/// Equations  Resistor: v = R_actual i, R_actual = R (1 + alpha (T_heatPort - T_ref));
///            Conductor: i = G_actual v, G_actual = G/(1 + alpha (T_heatPort - T_ref));
///            LossPower = v i
/// Source     MSL 4.0 Electrical.Analog.Basic.Resistor, Conductor
template <bool Conducting>
class LinearPart final : public LossyPart<LinearPart<Conducting>> {
 public:
  void read(ParameterReader& r) override {
    if (Conducting) {
      r.real("G", value_, "S", "conductance at T_ref");
    } else {
      r.real("R", value_, "Ohm", "resistance at T_ref");
    }
    dependence_.read(r);
    this->losses_.T = dependence_.T_ref;
    this->readPort(r);
  }
  void declare(Structure& s) override {
    LossyPart<LinearPart>::declare(s);
    if (!Conducting && value_ == 0) this->port_.declareCurrent(s);
  }
  void describeOwn(Variables& v) const {
    const char* about = Conducting ? "conductance at the temperature of the part"
                                   : "resistance at the temperature of the part";
    v.scalar({Conducting ? "G_actual" : "R_actual", Conducting ? "S" : "Ohm", about,
              Level::Acceleration},
             [this](const auto& x) { return actual(x); });
  }

  template <class S>
  void physics(View<S>& x) const {
    const S i = current(x);
    if (this->port_.hasCurrent()) {
      this->port_.hold(x, S(this->port_.voltage(x)));
    } else {
      this->port_.addCurrent(x, i);
    }
    this->addLoss(x, i);
  }
  template <class S>
  S current(const View<S>& x) const {
    const S v = this->port_.voltage(x);
    if (Conducting) return actual(x) * v;
    return this->port_.hasCurrent() ? this->port_.current(x) : S(v / actual(x));
  }

 private:
  template <class S>
  S actual(const View<S>& x) const {
    const S factor = dependence_.factor(this->losses_.temperature(x));
    return Conducting ? S(value_ / factor) : S(value_ * factor);
  }

  double value_ = 1;  ///< [S | Ohm]  any
  TemperatureDependence dependence_;
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
      entry<LinearPart<false>>("Analog.Resistor", "linear resistor"),
      entry<LinearPart<true>>("Analog.Conductor", "linear conductor"),
      entry<Capacitor>("Analog.Capacitor", "linear capacitor"),
      entry<Inductor>("Analog.Inductor", "linear inductor"),
  };
}

}  // namespace cardan::electrical
