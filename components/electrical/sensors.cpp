/// Sensors of potential, voltage, current and power.
#include "components/catalogue_entry.h"
#include "components/electrical/one_port.h"

namespace cardan::electrical {

/// Potential of a pin; no current flows.
///
/// Output  phi = p.v
/// Source  MSL 4.0 Electrical.Analog.Sensors.PotentialSensor
class PotentialSensor final : public ComponentOf<PotentialSensor> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override { p_ = s.flange("p", Domain::Electrical); }
  void describe(Variables& v) const override {
    v.scalar({"phi", "V", "potential of the pin", Level::Acceleration, true},
             [this](const auto& x) { return x.flange(p_).position; });
  }

 private:
  FlangeId p_;
};

/// Voltage between two pins; no current flows.
///
/// Output  v = p.v - n.v
/// Source  MSL 4.0 Electrical.Analog.Sensors.VoltageSensor
class VoltageSensor final : public ComponentOf<VoltageSensor> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override { port_.declare(s); }
  void describe(Variables& v) const override {
    v.scalar({"v", "V", "voltage from pin n to pin p", Level::Acceleration, true},
             [this](const auto& x) { return port_.voltage(x); });
  }

 private:
  OnePort port_;
};

/// Current through a branch, without voltage.
///
/// Unknowns   i [A]
/// Equations  p.v = n.v;  p.i = i = -n.i
/// Output     i
/// Source     MSL 4.0 Electrical.Analog.Sensors.CurrentSensor
class CurrentSensor final : public ComponentOf<CurrentSensor> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    port_.declare(s);
    port_.declareCurrent(s);
  }
  void describe(Variables& v) const override {
    v.scalar({"i", "A", "current from pin p to pin n", Level::Acceleration, true},
             [this](const auto& x) { return port_.current(x); });
  }

  template <class S>
  void physics(View<S>& x) const {
    port_.hold(x, port_.voltage(x));
  }

 private:
  VoltageBranch port_;
};

/// Power: voltage between pv and nv times current from pc to nc.
///
/// Unknowns   i [A]
/// Equations  pc.v = nc.v;  no current at pv and nv
/// Output     power
/// Source     MSL 4.0 Electrical.Analog.Sensors.PowerSensor
class PowerSensor final : public ComponentOf<PowerSensor> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    current_.p = s.flange("pc", Domain::Electrical);
    current_.n = s.flange("nc", Domain::Electrical);
    voltage_.p = s.flange("pv", Domain::Electrical);
    voltage_.n = s.flange("nv", Domain::Electrical);
    current_.declareCurrent(s, "current from pin pc to pin nc");
  }
  void describe(Variables& v) const override {
    v.scalar({"power", "W", "voltage between pv and nv times current from pc to nc",
              Level::Acceleration, true},
             [this](const auto& x) { return voltage_.voltage(x) * current_.current(x); });
  }

  template <class S>
  void physics(View<S>& x) const {
    current_.hold(x, current_.voltage(x));
  }

 private:
  VoltageBranch current_;
  OnePort voltage_;
};

Catalogue sensors() {
  return {
      entry<PotentialSensor>("Analog.PotentialSensor", "potential of a pin"),
      entry<VoltageSensor>("Analog.VoltageSensor", "voltage between two pins"),
      entry<CurrentSensor>("Analog.CurrentSensor", "current in a branch"),
      entry<PowerSensor>("Analog.PowerSensor", "power from a voltage and a current"),
  };
}

}  // namespace cardan::electrical
