#include "components/thermal/sources.h"

#include "components/catalogue_entry.h"

namespace cardan::thermal {

template <Scale C>
void FixedTemperature<C>::read(ParameterReader& r) {
  r.real("T", T_, kTemperatureUnit<C>, "temperature of the port", Range{-kZeroPoint<C>, false});
}

template <Scale C>
void FixedTemperature<C>::declare(Structure& s) {
  s.ground(s.flange("port", Domain::Thermal), T_ + kZeroPoint<C>);
}

template <Scale C>
void PrescribedTemperature<C>::read(ParameterReader& r) {
  r.input("T", 1, kTemperatureUnit<C>, "temperature of the port");
}

template <Scale C>
void PrescribedTemperature<C>::declare(Structure& s) {
  port_ = s.flange("port", Domain::Thermal);
  T_ = s.input("T", 1);
  Q_flow_ = s.unknown({"Q_flow", "W", "heat flow into the port"}, Kind::Algebraic);
  row_ = s.row("temperature");
}

template <bool Signal>
void HeatFlowSource<Signal>::read(ParameterReader& r) {
  const char* about = "heat flow into what the port is connected with, at T_ref";
  if (Signal) {
    r.input("Q_flow", 1, "W", about);
  } else {
    r.real("Q_flow", Q_flow_, "W", about);
  }
  r.real("T_ref", T_ref_, "K", "reference temperature", kPositive);
  r.real("alpha", alpha_, "1/K", "temperature coefficient of the heat flow");
}

template <bool Signal>
void HeatFlowSource<Signal>::declare(Structure& s) {
  port_ = s.flange("port", Domain::Thermal);
  if (Signal) signal_ = s.input("Q_flow", 1);
}

Catalogue sources() {
  return {
      entry<FixedTemperature<Scale::kelvin>>("Thermal.FixedTemperature", "fixed temperature"),
      entry<PrescribedTemperature<Scale::kelvin>>("Thermal.PrescribedTemperature",
                                                  "temperature from a signal"),
      entry<FixedHeatFlow>("Thermal.FixedHeatFlow", "fixed heat flow"),
      entry<PrescribedHeatFlow>("Thermal.PrescribedHeatFlow", "heat flow from a signal"),
  };
}

Catalogue celsiusSources() {
  return {
      entry<FixedTemperature<Scale::celsius>>("Thermal.Celsius.FixedTemperature",
                                              "fixed temperature in degree Celsius"),
      entry<PrescribedTemperature<Scale::celsius>>("Thermal.Celsius.PrescribedTemperature",
                                                   "temperature in degree Celsius from a signal"),
  };
}

}  // namespace cardan::thermal
