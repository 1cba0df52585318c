#include "components/thermal/sensors.h"

#include "components/catalogue_entry.h"

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

Catalogue sensors() {
  return {
      entry<TemperatureSensor<Scale::kelvin>>("Thermal.TemperatureSensor", "temperature of a port"),
      entry<RelTemperatureSensor>("Thermal.RelTemperatureSensor", "difference of two temperatures"),
      entry<HeatFlowSensor>("Thermal.HeatFlowSensor", "heat flow through a connection"),
  };
}

Catalogue celsiusSensors() {
  return {entry<TemperatureSensor<Scale::celsius>>("Thermal.Celsius.TemperatureSensor",
                                                   "temperature of a port in degree Celsius")};
}

}  // namespace cardan::thermal
