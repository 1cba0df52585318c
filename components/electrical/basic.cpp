#include "components/electrical/basic.h"

#include "components/catalogue_entry.h"

namespace cardan::electrical {

void Resistor::read(ParameterReader& r) {
  r.real("R", R_, "Ohm", "resistance at T_ref");
  dependence_.read(r);
  losses_.T = dependence_.T_ref;
  losses_.read(r);
  port_.read(r);
}

void Resistor::declare(Structure& s) {
  port_.declare(s);
  losses_.declare(s);
  if (R_ == 0) port_.declareCurrent(s);
}

void Resistor::describe(Variables& v) const {
  port_.describe(v, [this](const auto& x) { return current(x); });
  v.scalar({"R_actual", "Ohm", "resistance at the temperature of the part", Level::Acceleration},
           [this](const auto& x) { return resistance(x); });
  losses_.describe(v, [this](const auto& x) { return current(x) * port_.voltage(x); });
}

void Conductor::read(ParameterReader& r) {
  r.real("G", G_, "S", "conductance at T_ref");
  dependence_.read(r);
  losses_.T = dependence_.T_ref;
  losses_.read(r);
  port_.read(r);
}

void Conductor::declare(Structure& s) {
  port_.declare(s);
  losses_.declare(s);
}

void Conductor::describe(Variables& v) const {
  port_.describe(v, [this](const auto& x) { return current(x); });
  v.scalar({"G_actual", "S", "conductance at the temperature of the part", Level::Acceleration},
           [this](const auto& x) { return conductance(x); });
  losses_.describe(v, [this](const auto& x) { return current(x) * port_.voltage(x); });
}

void Capacitor::read(ParameterReader& r) {
  r.real("C", C_, "F", "capacitance", kNotNegative);
  port_.read(r);
}

void Capacitor::declare(Structure& s) {
  port_.declare(s);
  if (C_ == 0) return;
  v_ = s.unknown({"v", "V", "voltage from pin n to pin p"}, Kind::Differential);
  row_ = s.row("voltage");
}

void Capacitor::describe(Variables& v) const {
  if (!v_.valid()) {
    port_.describe(v, [](const auto& x) { return 0.0 * x.time(); });
    return;
  }
  port_.describe(
      v, [this](const auto& x) { return x.unknown(v_); },
      [this](const auto& x) { return C_ * x.rate(v_); }, Level::Position, Level::Acceleration);
}

void Inductor::read(ParameterReader& r) {
  r.real("L", L_, "H", "inductance", kNotNegative);
  port_.read(r);
}

void Inductor::declare(Structure& s) {
  port_.declare(s);
  i_ = s.unknown({"i", "A", "current from pin p to pin n"},
                 L_ > 0 ? Kind::Differential : Kind::Algebraic);
  row_ = s.row("current");
}

void Inductor::describe(Variables& v) const {
  port_.describe(
      v, [this](const auto& x) { return x.unknown(i_); },
      L_ > 0 ? Level::Position : Level::Acceleration);
}

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
