/// Sensors of potential, voltage, current and power.
#pragma once

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
  void describe(Variables& v) const override;

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
  void describe(Variables& v) const override;

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
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

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
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    current_.hold(x, current_.voltage(x));
  }

 private:
  VoltageBranch current_;
  OnePort voltage_;
};

}  // namespace cardan::electrical
