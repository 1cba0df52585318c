#include "components/electrical/sensors.h"

#include "components/catalogue_entry.h"

namespace cardan::electrical {

void PotentialSensor::describe(Variables& v) const {
  v.scalar({"phi", "V", "potential of the pin", Level::Acceleration, true},
           [this](const auto& x) { return x.flange(p_).position; });
}

void VoltageSensor::describe(Variables& v) const {
  v.scalar({"v", "V", "voltage from pin n to pin p", Level::Acceleration, true},
           [this](const auto& x) { return port_.voltage(x); });
}

void CurrentSensor::declare(Structure& s) {
  port_.declare(s);
  port_.declareCurrent(s);
}

void CurrentSensor::describe(Variables& v) const {
  v.scalar({"i", "A", "current from pin p to pin n", Level::Acceleration, true},
           [this](const auto& x) { return port_.current(x); });
}

void PowerSensor::declare(Structure& s) {
  current_.p = s.flange("pc", Domain::Electrical);
  current_.n = s.flange("nc", Domain::Electrical);
  voltage_.p = s.flange("pv", Domain::Electrical);
  voltage_.n = s.flange("nv", Domain::Electrical);
  current_.declareCurrent(s, "current from pin pc to pin nc");
}

void PowerSensor::describe(Variables& v) const {
  v.scalar({"power", "W", "voltage between pv and nv times current from pc to nc",
            Level::Acceleration, true},
           [this](const auto& x) { return voltage_.voltage(x) * current_.current(x); });
}

Catalogue sensors() {
  return {
      entry<PotentialSensor>("Analog.PotentialSensor", "potential of a pin"),
      entry<VoltageSensor>("Analog.VoltageSensor", "voltage between two pins"),
      entry<CurrentSensor>("Analog.CurrentSensor", "current in a branch"),
      entry<PowerSensor>("Analog.PowerSensor", "power from a voltage and a current"),
  };
}

}  // namespace cardan::electrical
