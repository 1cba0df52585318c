/// Heat capacity and the ways of heat: conduction, convection, radiation.
#pragma once

#include "components/component.h"

namespace cardan::thermal {

/// Lumped mass that stores heat; its temperature is a state.
///
/// Equations  C der(T) = port.Q_flow;  T = port.T
/// Source     MSL 4.0 Thermal.HeatTransfer.Components.HeatCapacitor
class HeatCapacitor final : public ComponentOf<HeatCapacitor> {
 public:
  HeatCapacitor() { T_.start[0] = 293.15; }
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    x.addFlow(port_, S(C_ * x.flange(port_).velocity));
  }

 private:
  double C_ = 1;      ///< [J/K]
  StartValue T_;      ///< [K]
  StartValue der_T_;  ///< [K/s]
  FlangeId port_;
};

/// Two heat ports; the heat flows from the first to the second.
///
/// Equations  dT = port_a.T - port_b.T;  port_a.Q_flow = Q_flow = -port_b.Q_flow
/// Source     MSL 4.0 Thermal.HeatTransfer.Interfaces.Element1D
struct TwoPorts {
  FlangeId a, b;

  void declare(Structure& s, const char* nameOfA = "port_a", const char* nameOfB = "port_b") {
    a = s.flange(nameOfA, Domain::Thermal);
    b = s.flange(nameOfB, Domain::Thermal);
  }
  template <class S>
  S dT(const View<S>& x) const {
    return x.flange(a).position - x.flange(b).position;
  }
  template <class S>
  void addFlow(View<S>& x, const S& Q_flow) const {
    x.addFlow(a, Q_flow);
    x.addFlow(b, S(-Q_flow));
  }
  template <class F>
  void describe(Variables& v, F Q_flow) const {
    v.scalar({"Q_flow", "W", "heat flow from the first port to the second", Level::Acceleration},
             Q_flow);
    v.scalar(
        {"dT", "K", "temperature of the first port over that of the second", Level::Acceleration},
        [this](const auto& x) { return dT(x); });
  }
};

/// Two heat ports whose heat flow is an unknown, because the equation is about the temperatures.
///
/// Unknowns   Q_flow [W]
class TemperatureBranch : public TwoPorts {
 public:
  void declare(Structure& s, const char* nameOfA = "port_a", const char* nameOfB = "port_b") {
    TwoPorts::declare(s, nameOfA, nameOfB);
    Q_flow_ =
        s.unknown({"Q_flow", "W", "heat flow from the first port to the second"}, Kind::Algebraic);
    row_ = s.row("temperature");
  }
  template <class S>
  const S& Q_flow(const View<S>& x) const {
    return x.unknown(Q_flow_);
  }
  /// States 0 = `gap` [K], and lets the heat flow.
  template <class S>
  void hold(View<S>& x, const S& gap) const {
    x.row(row_) = gap;
    addFlow(x, x.unknown(Q_flow_));
  }
  void describe(Variables& v) const {
    TwoPorts::describe(v, [this](const auto& x) { return Q_flow(x); });
  }

 private:
  UnknownId Q_flow_;
  RowId row_;
};

/// Heat flow as a function of the two temperatures: conduction or radiation.
///
/// Equations  ThermalConductor: Q_flow = G dT
///            BodyRadiation: Q_flow = Gr sigma (port_a.T^4 - port_b.T^4)
/// Source     MSL 4.0 Thermal.HeatTransfer.Components.ThermalConductor, BodyRadiation
template <bool Radiation>
class Transmission final : public ComponentOf<Transmission<Radiation>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override { ports_.declare(s); }
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    ports_.addFlow(x, Q_flow(x));
  }

 private:
  static constexpr double kSigma = 5.670374419e-8;  ///< [W/(m2.K4)]  Stefan-Boltzmann constant

  template <class S>
  S Q_flow(const View<S>& x) const {
    if (!Radiation) return G_ * ports_.dT(x);
    auto fourth = [&](FlangeId port) {
      const S& T = x.flange(port).position;
      return S(T * T * T * T);
    };
    return G_ * kSigma * (fourth(ports_.a) - fourth(ports_.b));
  }

  double G_ = 1;  ///< [W/K | m2]
  TwoPorts ports_;
};
using ThermalConductor = Transmission<false>;
using BodyRadiation = Transmission<true>;

/// Thermal resistance; zero is allowed.
///
/// Unknowns   Q_flow [W]
/// Equations  dT = R Q_flow
/// Source     MSL 4.0 Thermal.HeatTransfer.Components.ThermalResistor
class ThermalResistor final : public ComponentOf<ThermalResistor> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override { ports_.declare(s); }
  void describe(Variables& v) const override { ports_.describe(v); }

  template <class S>
  void physics(View<S>& x) const {
    ports_.hold(x, S(ports_.dT(x) - R_ * ports_.Q_flow(x)));
  }

 private:
  double R_ = 1;  ///< [K/W]
  TemperatureBranch ports_;
};

/// Convection between a solid and a fluid, with its conductance from a signal.
///
/// Equations  Q_flow = Gc dT;  dT = solid.T - fluid.T
/// Source     MSL 4.0 Thermal.HeatTransfer.Components.Convection
class Convection final : public ComponentOf<Convection> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    ports_.addFlow(x, S(x.input(Gc_) * ports_.dT(x)));
  }

 private:
  SignalId Gc_;  ///< [W/K]
  TwoPorts ports_;
};

/// Convection with its resistance from a signal; zero is allowed.
///
/// Unknowns   Q_flow [W]
/// Equations  dT = Rc Q_flow;  dT = solid.T - fluid.T
/// Source     MSL 4.0 Thermal.HeatTransfer.Components.ConvectiveResistor
class ConvectiveResistor final : public ComponentOf<ConvectiveResistor> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override { ports_.describe(v); }

  template <class S>
  void physics(View<S>& x) const {
    ports_.hold(x, S(ports_.dT(x) - x.input(Rc_) * ports_.Q_flow(x)));
  }

 private:
  SignalId Rc_;  ///< [K/W]
  TemperatureBranch ports_;
};

}  // namespace cardan::thermal
