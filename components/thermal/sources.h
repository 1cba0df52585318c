/// Given temperatures and heat flows. Celsius: MSL's Thermal.HeatTransfer.Celsius, in degC.
#pragma once

#include "components/component.h"

namespace cardan::thermal {

/// Kelvin or degree Celsius.
enum class Scale { kelvin, celsius };
template <Scale C>
inline constexpr double kZeroPoint = C == Scale::celsius ? 273.15 : 0.0;  ///< [K]
template <Scale C>
inline constexpr const char* kTemperatureUnit = C == Scale::celsius ? "degC" : "K";

/// Fixed temperature.
///
/// Equations  port.T = T
/// Source     MSL 4.0 Thermal.HeatTransfer.Sources.FixedTemperature, Celsius.FixedTemperature
template <Scale C>
class FixedTemperature final : public ComponentOf<FixedTemperature<C>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;

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
using FixedHeatFlow = HeatFlowSource<false>;
using PrescribedHeatFlow = HeatFlowSource<true>;

}  // namespace cardan::thermal
