#include "components/catalogue_folders.h"
#include "components/electrical/electrical.h"

namespace cardan::folders {

Catalogue electrical() {
  return package(
      "electrical",
      {
          entry<electrical::Ground>("Analog.Ground", "electrical ground: potential zero"),
          entry<electrical::Resistor>("Analog.Resistor", "linear resistor"),
          entry<electrical::Conductor>("Analog.Conductor", "linear conductor"),
          entry<electrical::Capacitor>("Analog.Capacitor", "linear capacitor"),
          entry<electrical::Inductor>("Analog.Inductor", "linear inductor"),
          entry<electrical::RotationalEMF>("Analog.RotationalEMF",
                                           "ideal transformer between a circuit and a shaft"),
          entry<electrical::TranslationalEMF>("Analog.TranslationalEMF",
                                              "ideal transformer between a circuit and a slider"),
          entry<electrical::DcPermanentMagnet>("Machines.DC_PermanentMagnet",
                                               "DC machine with a permanent magnet"),
          entry<electrical::IdealOpAmp>("Analog.IdealOpAmp", "ideal operational amplifier"),
          entry<electrical::IdealOpAmp3Pin>("Analog.IdealOpAmp3Pin",
                                            "ideal operational amplifier with one output pin"),
          entry<electrical::ConstantVoltage>("Analog.ConstantVoltage", "constant voltage"),
          entry<electrical::SignalVoltage>("Analog.SignalVoltage", "voltage from a signal"),
          entry<electrical::StepVoltage>("Analog.StepVoltage", "voltage that steps at a time"),
          entry<electrical::RampVoltage>("Analog.RampVoltage", "voltage that ramps"),
          entry<electrical::SineVoltage>("Analog.SineVoltage", "sinusoidal voltage"),
          entry<electrical::CosineVoltage>("Analog.CosineVoltage", "cosinusoidal voltage"),
          entry<electrical::PulseVoltage>("Analog.PulseVoltage", "pulses of voltage"),
          entry<electrical::IdealTransformer>("Analog.IdealTransformer", "ideal transformer"),
          entry<electrical::Gyrator>("Analog.Gyrator", "gyrator"),
          entry<electrical::VCV>("Analog.VCV", "voltage source that a voltage controls"),
          entry<electrical::VCC>("Analog.VCC", "current source that a voltage controls"),
          entry<electrical::CCV>("Analog.CCV", "voltage source that a current controls"),
          entry<electrical::CCC>("Analog.CCC", "current source that a current controls"),
          entry<electrical::IdealDiode>("Analog.IdealDiode", "ideal diode"),
          entry<electrical::IdealClosingSwitch>("Analog.IdealClosingSwitch",
                                                "switch that a truth value closes"),
          entry<electrical::IdealOpeningSwitch>("Analog.IdealOpeningSwitch",
                                                "switch that a truth value opens"),
          entry<electrical::Diode>("Analog.Diode", "diode with an exponential law"),
          entry<electrical::ConstantCurrent>("Analog.ConstantCurrent", "constant current"),
          entry<electrical::SignalCurrent>("Analog.SignalCurrent", "current from a signal"),
          entry<electrical::StepCurrent>("Analog.StepCurrent", "current that steps at a time"),
          entry<electrical::RampCurrent>("Analog.RampCurrent", "current that ramps"),
          entry<electrical::SineCurrent>("Analog.SineCurrent", "sinusoidal current"),
          entry<electrical::CosineCurrent>("Analog.CosineCurrent", "cosinusoidal current"),
          entry<electrical::PulseCurrent>("Analog.PulseCurrent", "pulses of current"),
          entry<electrical::PotentialSensor>("Analog.PotentialSensor", "potential of a pin"),
          entry<electrical::VoltageSensor>("Analog.VoltageSensor", "voltage between two pins"),
          entry<electrical::CurrentSensor>("Analog.CurrentSensor", "current in a branch"),
          entry<electrical::PowerSensor>("Analog.PowerSensor",
                                         "power from a voltage and a current"),
      });
}

}  // namespace cardan::folders
