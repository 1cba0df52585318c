/// Sensors of temperature and heat flow.
#pragma once

#include "components/thermal/sources.h"
#include "components/thermal/transport.h"

namespace cardan::thermal {

/// Temperature of a port; no heat flows.
///
/// Output  T = port.T
/// Source  MSL 4.0 Thermal.HeatTransfer.Sensors.TemperatureSensor, Celsius.TemperatureSensor
template <Scale C>
class TemperatureSensor final : public ComponentOf<TemperatureSensor<C>> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

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
  void describe(Variables& v) const override;

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
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    ports_.hold(x, ports_.dT(x));
  }

 private:
  TemperatureBranch ports_;
};

}  // namespace cardan::thermal
