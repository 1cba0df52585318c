/// Heat: capacity, conduction, convection and radiation; given temperatures and heat flows; sensors.
/// Celsius: MSL's Thermal.HeatTransfer.Celsius, in degC.
#include "components/catalogue_entry.h"
#include "components/component.h"

namespace cardan::thermal {

/// Kelvin or degree Celsius.
enum class Scale { kelvin, celsius };
template <Scale C>
inline constexpr double kZeroPoint = C == Scale::celsius ? 273.15 : 0.0;  ///< [K]
template <Scale C>
inline constexpr const char* kTemperatureUnit = C == Scale::celsius ? "degC" : "K";

/// Lumped mass that stores heat; its temperature is a state.
///
/// Equations  C der(T) = port.Q_flow;  T = port.T
/// Source     MSL 4.0 Thermal.HeatTransfer.Components.HeatCapacitor
class HeatCapacitor final : public ComponentOf<HeatCapacitor> {
 public:
  HeatCapacitor() { T_.start[0] = 293.15; }
  void read(ParameterReader& r) override {
    r.real("C", C_, "J/K", "heat capacity", kNotNegative);
    r.start("T", T_, "K", "temperature");
    r.start("der_T", der_T_, "K/s", "rate of the temperature");
  }
  void declare(Structure& s) override {
    port_ = s.flange("port", Domain::Thermal);
    if (C_ > 0) s.inertia(port_);
  }
  void describe(Variables& v) const override {
    v.scalar({"T", "K", "temperature", Level::Position},
             [this](const auto& x) { return x.flange(port_).position; });
    v.start("T", T_);
    v.scalar({"der_T", "K/s", "rate of the temperature", Level::Acceleration},
             [this](const auto& x) { return x.flange(port_).velocity; });
    v.start("der_T", der_T_);
  }

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
  void read(ParameterReader& r) override {
    if (Radiation) {
      r.real("Gr", G_, "m2", "net radiation conductance between the surfaces");
    } else {
      r.real("G", G_, "W/K", "thermal conductance");
    }
  }
  void declare(Structure& s) override { ports_.declare(s); }
  void describe(Variables& v) const override {
    ports_.describe(v, [this](const auto& x) { return Q_flow(x); });
  }

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

/// Thermal resistance; zero is allowed.
///
/// Unknowns   Q_flow [W]
/// Equations  dT = R Q_flow
/// Source     MSL 4.0 Thermal.HeatTransfer.Components.ThermalResistor
class ThermalResistor final : public ComponentOf<ThermalResistor> {
 public:
  void read(ParameterReader& r) override { r.real("R", R_, "K/W", "thermal resistance"); }
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
  void read(ParameterReader& r) override {
    r.input("Gc", 1, "W/K", "convective thermal conductance");
  }
  void declare(Structure& s) override {
    ports_.declare(s, "solid", "fluid");
    Gc_ = s.input("Gc", 1);
  }
  void describe(Variables& v) const override {
    ports_.describe(v, [this](const auto& x) { return x.input(Gc_) * ports_.dT(x); });
  }

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
  void read(ParameterReader& r) override {
    r.input("Rc", 1, "K/W", "convective thermal resistance");
  }
  void declare(Structure& s) override {
    ports_.declare(s, "solid", "fluid");
    Rc_ = s.input("Rc", 1);
  }
  void describe(Variables& v) const override { ports_.describe(v); }

  template <class S>
  void physics(View<S>& x) const {
    ports_.hold(x, S(ports_.dT(x) - x.input(Rc_) * ports_.Q_flow(x)));
  }

 private:
  SignalId Rc_;  ///< [K/W]
  TemperatureBranch ports_;
};

// Sources -----------------------------------------------------------------------------------------

/// Fixed temperature.
///
/// Equations  port.T = T
/// Source     MSL 4.0 Thermal.HeatTransfer.Sources.FixedTemperature, Celsius.FixedTemperature
template <Scale C>
class FixedTemperature final : public ComponentOf<FixedTemperature<C>> {
 public:
  void read(ParameterReader& r) override {
    r.real("T", T_, kTemperatureUnit<C>, "temperature of the port", Range{-kZeroPoint<C>, false});
  }
  void declare(Structure& s) override {
    s.ground(s.flange("port", Domain::Thermal), T_ + kZeroPoint<C>);
  }

 private:
  double T_ = 293.15 - kZeroPoint<C>;  ///< [K | degC]
};

/// Temperature from a signal.
///
/// Unknowns   Q_flow [W]
/// Equations  port.T = T;  port.Q_flow = Q_flow
/// Source     MSL 4.0 Thermal.HeatTransfer.Sources.PrescribedTemperature,
///            Celsius.PrescribedTemperature
template <Scale C>
class PrescribedTemperature final : public ComponentOf<PrescribedTemperature<C>> {
 public:
  void read(ParameterReader& r) override {
    r.input("T", 1, kTemperatureUnit<C>, "temperature of the port");
  }
  void declare(Structure& s) override {
    port_ = s.flange("port", Domain::Thermal);
    T_ = s.input("T", 1);
    Q_flow_ = s.unknown({"Q_flow", "W", "heat flow into the port"}, Kind::Algebraic);
    row_ = s.row("temperature");
  }

  template <class S>
  void physics(View<S>& x) const {
    x.row(row_) = x.flange(port_).position - x.input(T_) - kZeroPoint<C>;
    x.addFlow(port_, x.unknown(Q_flow_));
  }

 private:
  FlangeId port_;
  SignalId T_;  ///< [K | degC]
  UnknownId Q_flow_;
  RowId row_;
};

/// Heat flow into what the port is connected with: fixed, or from a signal.
///
/// Equations  port.Q_flow = -Q_flow (1 + alpha (port.T - T_ref))
/// Source     MSL 4.0 Thermal.HeatTransfer.Sources.FixedHeatFlow, PrescribedHeatFlow
template <bool Signal>
class HeatFlowSource final : public ComponentOf<HeatFlowSource<Signal>> {
 public:
  void read(ParameterReader& r) override {
    const char* about = "heat flow into what the port is connected with, at T_ref";
    if (Signal) {
      r.input("Q_flow", 1, "W", about);
    } else {
      r.real("Q_flow", Q_flow_, "W", about);
    }
    r.real("T_ref", T_ref_, "K", "reference temperature", kPositive);
    r.real("alpha", alpha_, "1/K", "temperature coefficient of the heat flow");
  }
  void declare(Structure& s) override {
    port_ = s.flange("port", Domain::Thermal);
    if (Signal) signal_ = s.input("Q_flow", 1);
  }

  template <class S>
  void physics(View<S>& x) const {
    const S Q_flow = Signal ? S(x.input(signal_)) : S(Q_flow_);
    x.addFlow(port_, S(-Q_flow * (1.0 + alpha_ * (x.flange(port_).position - T_ref_))));
  }

 private:
  double Q_flow_ = 0;      ///< [W]
  double T_ref_ = 293.15;  ///< [K]
  double alpha_ = 0;       ///< [1/K]
  FlangeId port_;
  SignalId signal_;
};

// Sensors -----------------------------------------------------------------------------------------

/// Temperature of a port; no heat flows.
///
/// Output  T = port.T
/// Source  MSL 4.0 Thermal.HeatTransfer.Sensors.TemperatureSensor, Celsius.TemperatureSensor
template <Scale C>
class TemperatureSensor final : public ComponentOf<TemperatureSensor<C>> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override { port_ = s.flange("port", Domain::Thermal); }
  void describe(Variables& v) const override {
    v.scalar({"T", kTemperatureUnit<C>, "temperature of the port", Level::Acceleration, true},
             [this](const auto& x) { return x.flange(port_).position - kZeroPoint<C>; });
  }

 private:
  FlangeId port_;
};

/// Difference of two temperatures; no heat flows.
///
/// Output  T_rel = port_a.T - port_b.T
/// Source  MSL 4.0 Thermal.HeatTransfer.Sensors.RelTemperatureSensor
class RelTemperatureSensor final : public ComponentOf<RelTemperatureSensor> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override { ports_.declare(s); }
  void describe(Variables& v) const override {
    v.scalar({"T_rel", "K", "temperature of port_a over that of port_b", Level::Acceleration, true},
             [this](const auto& x) { return ports_.dT(x); });
  }

 private:
  TwoPorts ports_;
};

/// Heat flow from port_a to port_b, which have one temperature.
///
/// Unknowns   Q_flow [W]
/// Equations  port_a.T = port_b.T;  port_a.Q_flow = Q_flow = -port_b.Q_flow
/// Output     Q_flow
/// Source     MSL 4.0 Thermal.HeatTransfer.Sensors.HeatFlowSensor
class HeatFlowSensor final : public ComponentOf<HeatFlowSensor> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override { ports_.declare(s); }
  void describe(Variables& v) const override {
    v.scalar({"Q_flow", "W", "heat flow from port_a to port_b", Level::Acceleration, true},
             [this](const auto& x) { return ports_.Q_flow(x); });
  }

  template <class S>
  void physics(View<S>& x) const {
    ports_.hold(x, ports_.dT(x));
  }

 private:
  TemperatureBranch ports_;
};

Catalogue all() {
  return {
      entry<HeatCapacitor>("Thermal.HeatCapacitor", "lumped heat capacity"),
      entry<Transmission<false>>("Thermal.ThermalConductor", "heat conduction"),
      entry<ThermalResistor>("Thermal.ThermalResistor", "heat conduction, by its resistance"),
      entry<Convection>("Thermal.Convection", "convection with a conductance from a signal"),
      entry<ConvectiveResistor>("Thermal.ConvectiveResistor",
                                "convection with a resistance from a signal"),
      entry<Transmission<true>>("Thermal.BodyRadiation", "heat radiation between two bodies"),
      entry<FixedTemperature<Scale::kelvin>>("Thermal.FixedTemperature", "fixed temperature"),
      entry<PrescribedTemperature<Scale::kelvin>>("Thermal.PrescribedTemperature",
                                                  "temperature from a signal"),
      entry<HeatFlowSource<false>>("Thermal.FixedHeatFlow", "fixed heat flow"),
      entry<HeatFlowSource<true>>("Thermal.PrescribedHeatFlow", "heat flow from a signal"),
      entry<TemperatureSensor<Scale::kelvin>>("Thermal.TemperatureSensor", "temperature of a port"),
      entry<RelTemperatureSensor>("Thermal.RelTemperatureSensor", "difference of two temperatures"),
      entry<HeatFlowSensor>("Thermal.HeatFlowSensor", "heat flow through a connection"),
      entry<FixedTemperature<Scale::celsius>>("Thermal.Celsius.FixedTemperature",
                                              "fixed temperature in degree Celsius"),
      entry<PrescribedTemperature<Scale::celsius>>("Thermal.Celsius.PrescribedTemperature",
                                                   "temperature in degree Celsius from a signal"),
      entry<TemperatureSensor<Scale::celsius>>("Thermal.Celsius.TemperatureSensor",
                                               "temperature of a port in degree Celsius"),
  };
}

}  // namespace cardan::thermal
