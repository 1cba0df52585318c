#include "components/thermal/sources.h"

#include "components/make.h"

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

template class FixedTemperature<Scale::kelvin>;
template class FixedTemperature<Scale::celsius>;
template class PrescribedTemperature<Scale::kelvin>;
template class PrescribedTemperature<Scale::celsius>;
template class HeatFlowSource<false>;
template class HeatFlowSource<true>;

}  // namespace cardan::thermal

namespace cardan {

template std::unique_ptr<Component> make<thermal::FixedTemperature<thermal::Scale::kelvin>>();
template std::unique_ptr<Component> make<thermal::PrescribedTemperature<thermal::Scale::kelvin>>();
template std::unique_ptr<Component> make<thermal::FixedHeatFlow>();
template std::unique_ptr<Component> make<thermal::PrescribedHeatFlow>();
template std::unique_ptr<Component> make<thermal::FixedTemperature<thermal::Scale::celsius>>();
template std::unique_ptr<Component> make<thermal::PrescribedTemperature<thermal::Scale::celsius>>();

}  // namespace cardan
