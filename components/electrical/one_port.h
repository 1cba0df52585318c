/// OnePort: two pins, the voltage between them and the current through the part.
#pragma once

#include "components/component.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::electrical {

/// Pins p and n of a part.
///
/// Equations  v = p.v - n.v;  p.i = i = -n.i
/// Source     MSL 4.0 Electrical.Analog.Interfaces.OnePort, TwoPin
struct OnePort {
  FlangeId p, n;
  StartValue v, i;

  void read(ParameterReader& r) {
    r.start("v", v, "V", "voltage from pin n to pin p");
    r.start("i", i, "A", "current from pin p to pin n");
  }
  void declare(Structure& s) {
    p = s.flange("p", Domain::Electrical);
    n = s.flange("n", Domain::Electrical);
  }
  template <class S>
  S voltage(const View<S>& x) const {
    return x.flange(p).position - x.flange(n).position;
  }
  template <class S>
  void addCurrent(View<S>& x, const S& current) const {
    x.addFlow(p, current);
    x.addFlow(n, S(-current));
  }
  /// Variables v and i: f(const View<S>&) -> S.
  template <class V, class I>
  void describe(Variables& variables, V voltageOf, I currentOf, Level voltageLevel,
                Level currentLevel) const {
    variables.scalar({"v", "V", "voltage from pin n to pin p", voltageLevel}, voltageOf);
    variables.start("v", v);
    variables.scalar({"i", "A", "current from pin p to pin n", currentLevel}, currentOf);
    variables.start("i", i);
  }
  /// The same where the voltage is that between the pins.
  template <class I>
  void describe(Variables& variables, I currentOf, Level currentLevel = Level::Acceleration) const {
    describe(
        variables, [this](const auto& x) { return voltage(x); }, currentOf, Level::Acceleration,
        currentLevel);
  }
};

/// A OnePort whose current is an unknown of its own, because its equation is about the voltage.
///
/// Unknowns   i [A]
class VoltageBranch : public OnePort {
 public:
  void declareCurrent(Structure& s, const char* about = "current from pin p to pin n") {
    i_ = s.unknown({"i", "A", about}, Kind::Algebraic);
    row_ = s.row("voltage");
  }
  bool hasCurrent() const { return i_.valid(); }
  template <class S>
  const S& current(const View<S>& x) const {
    return x.unknown(i_);
  }
  /// States 0 = `gap` [V], and lets the current flow.
  template <class S>
  void hold(View<S>& x, const S& gap) const {
    x.row(row_) = gap;
    addCurrent(x, x.unknown(i_));
  }

 private:
  UnknownId i_;
  RowId row_;
};

/// Where the losses of an electrical part go, and its temperature.
///
/// Equations  heatPort.Q_flow = -LossPower;  T_heatPort = heatPort.T, or T without a port
/// Source     MSL 4.0 Electrical.Analog.Interfaces.ConditionalHeatPort
struct Losses {
  one_dimensional::HeatPort heat;
  double T = 293.15;  ///< [K]

  void read(ParameterReader& r) {
    heat.read(r);
    r.real("T", T, "K",
           "temperature of the part where it has no heat port; default: T_ref where there is one",
           kPositive);
  }
  void declare(Structure& s) { heat.declare(s); }
  template <class S>
  S temperature(const View<S>& x) const {
    return heat.used ? x.flange(heat.port).position : S(T);
  }
  /// Variables LossPower and T_heatPort.
  template <class F>
  void describe(Variables& v, F power) const {
    v.scalar({"LossPower", "W", "power that leaves through the heat port", Level::Acceleration},
             power);
    v.scalar({"T_heatPort", "K", "temperature of the part", Level::Acceleration},
             [this](const auto& x) { return temperature(x); });
  }
};

/// Value that depends linearly on temperature: 1 + alpha (T_heatPort - T_ref).
struct TemperatureDependence {
  double T_ref = 300.15;  ///< [K]
  double alpha = 0;       ///< [1/K]

  void read(ParameterReader& r) {
    r.real("T_ref", T_ref, "K", "reference temperature", kPositive);
    r.real("alpha", alpha, "1/K", "temperature coefficient");
  }
  template <class S>
  S factor(const S& T) const {
    return 1.0 + alpha * (T - T_ref);
  }
};

/// A part with losses: current(x) of the class flows through it, whose own variables, if it has such, are
/// those of describeOwn().
template <class Derived>
class LossyPart : public ComponentOf<Derived> {
 public:
  void declare(Structure& s) override {
    port_.declare(s);
    losses_.declare(s);
  }
  void describe(Variables& v) const override {
    const Derived& self = static_cast<const Derived&>(*this);
    port_.describe(v, [&self](const auto& x) { return self.current(x); });
    if constexpr (requires { self.describeOwn(v); }) self.describeOwn(v);
    losses_.describe(v, [&self](const auto& x) { return self.port_.voltage(x) * self.current(x); });
  }

 protected:
  void readPort(ParameterReader& r) {
    losses_.read(r);
    port_.read(r);
  }
  /// What current i makes of the voltage.
  template <class S>
  void addLoss(View<S>& x, const S& i) const {
    losses_.heat.addLoss(x, S(port_.voltage(x) * i));
  }

  VoltageBranch port_;  ///< with a current of its own where the class declares it
  Losses losses_;
};

}  // namespace cardan::electrical
