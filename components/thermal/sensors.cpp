#include "components/thermal/sensors.h"

#include "components/make.h"

namespace cardan::thermal {

template <Scale C>
void TemperatureSensor<C>::declare(Structure& s) {
  port_ = s.flange("port", Domain::Thermal);
}

template <Scale C>
void TemperatureSensor<C>::describe(Variables& v) const {
  v.scalar({"T", kTemperatureUnit<C>, "temperature of the port", Level::Acceleration, true},
           [this](const auto& x) { return x.flange(port_).position - kZeroPoint<C>; });
}

void RelTemperatureSensor::describe(Variables& v) const {
  v.scalar({"T_rel", "K", "temperature of port_a over that of port_b", Level::Acceleration, true},
           [this](const auto& x) { return ports_.dT(x); });
}

void HeatFlowSensor::describe(Variables& v) const {
  v.scalar({"Q_flow", "W", "heat flow from port_a to port_b", Level::Acceleration, true},
           [this](const auto& x) { return ports_.Q_flow(x); });
}

template class TemperatureSensor<Scale::kelvin>;
template class TemperatureSensor<Scale::celsius>;

}  // namespace cardan::thermal

namespace cardan {

template std::unique_ptr<Component> make<thermal::TemperatureSensor<thermal::Scale::kelvin>>();
template std::unique_ptr<Component> make<thermal::RelTemperatureSensor>();
template std::unique_ptr<Component> make<thermal::HeatFlowSensor>();
template std::unique_ptr<Component> make<thermal::TemperatureSensor<thermal::Scale::celsius>>();

}  // namespace cardan
