#include "components/catalogue_folders.h"
#include "components/thermal/thermal.h"

namespace cardan::folders {

Catalogue thermal() {
  return package(
      "thermal",
      {
          entry<thermal::HeatCapacitor>("Thermal.HeatCapacitor", "lumped heat capacity"),
          entry<thermal::ThermalConductor>("Thermal.ThermalConductor", "heat conduction"),
          entry<thermal::ThermalResistor>("Thermal.ThermalResistor",
                                          "heat conduction, by its resistance"),
          entry<thermal::Convection>("Thermal.Convection",
                                     "convection with a conductance from a signal"),
          entry<thermal::ConvectiveResistor>("Thermal.ConvectiveResistor",
                                             "convection with a resistance from a signal"),
          entry<thermal::BodyRadiation>("Thermal.BodyRadiation",
                                        "heat radiation between two bodies"),
          entry<thermal::FixedTemperature<thermal::Scale::kelvin>>("Thermal.FixedTemperature",
                                                                   "fixed temperature"),
          entry<thermal::PrescribedTemperature<thermal::Scale::kelvin>>(
              "Thermal.PrescribedTemperature", "temperature from a signal"),
          entry<thermal::FixedHeatFlow>("Thermal.FixedHeatFlow", "fixed heat flow"),
          entry<thermal::PrescribedHeatFlow>("Thermal.PrescribedHeatFlow",
                                             "heat flow from a signal"),
          entry<thermal::TemperatureSensor<thermal::Scale::kelvin>>("Thermal.TemperatureSensor",
                                                                    "temperature of a port"),
          entry<thermal::RelTemperatureSensor>("Thermal.RelTemperatureSensor",
                                               "difference of two temperatures"),
          entry<thermal::HeatFlowSensor>("Thermal.HeatFlowSensor",
                                         "heat flow through a connection"),
          entry<thermal::FixedTemperature<thermal::Scale::celsius>>(
              "Thermal.Celsius.FixedTemperature", "fixed temperature in degree Celsius"),
          entry<thermal::PrescribedTemperature<thermal::Scale::celsius>>(
              "Thermal.Celsius.PrescribedTemperature",
              "temperature in degree Celsius from a signal"),
          entry<thermal::TemperatureSensor<thermal::Scale::celsius>>(
              "Thermal.Celsius.TemperatureSensor", "temperature of a port in degree Celsius"),
      });
}

}  // namespace cardan::folders
