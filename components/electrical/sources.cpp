#include "components/electrical/sources.h"

#include "components/catalogue_entry.h"

namespace cardan::electrical {
namespace {

constexpr const char* kCurrentAbout = "current from pin p to pin n";

template <Prescribed P>
constexpr const char* kName = P == Prescribed::voltage ? "V" : "I";
template <Prescribed P>
constexpr const char* kUnit = P == Prescribed::voltage ? "V" : "A";
template <Prescribed P>
constexpr const char* kWord = P == Prescribed::voltage ? "voltage" : "current";

}  // namespace

template <Prescribed P>
void ConstantSource<P>::read(ParameterReader& r) {
  r.real(kName<P>, value_, kUnit<P>, kWord<P>);
  port_.read(r);
}

template <Prescribed P>
void ConstantSource<P>::declare(Structure& s) {
  port_.declare(s);
}

template <Prescribed P>
void ConstantSource<P>::describe(Variables& v) const {
  port_.describe(v, [this](const auto& x) { return value_ + 0.0 * x.time(); });
}

template <Prescribed P>
void SignalSource<P>::read(ParameterReader& r) {
  // The prescribed one is the input; the other is a variable with a start value.
  if (P == Prescribed::voltage) {
    r.input("v", 1, "V", "voltage from pin n to pin p");
    r.start("i", port_.i, "A", kCurrentAbout);
  } else {
    r.input("i", 1, "A", kCurrentAbout);
    r.start("v", port_.v, "V", "voltage from pin n to pin p");
  }
}

template <Prescribed P>
void SignalSource<P>::declare(Structure& s) {
  port_.declare(s);
  signal_ = s.input(P == Prescribed::voltage ? "v" : "i", 1);
}

template <Prescribed P>
void SignalSource<P>::describe(Variables& v) const {
  if constexpr (P == Prescribed::voltage) {
    v.scalar({"v", "V", "voltage from pin n to pin p", Level::Time, false, {signal_}},
             [this](const auto& x) { return x.input(signal_); });
    v.scalar({"i", "A", kCurrentAbout, Level::Acceleration},
             [this](const auto& x) { return port_.current(x); });
    v.start("i", port_.i);
  } else {
    v.scalar({"i", "A", kCurrentAbout, Level::Time, false, {signal_}},
             [this](const auto& x) { return x.input(signal_); });
    v.scalar({"v", "V", "voltage from pin n to pin p", Level::Acceleration},
             [this](const auto& x) { return port_.voltage(x); });
    v.start("v", port_.v);
  }
}

void StepShape::read(ParameterReader& r, const char* name, const char* unit) {
  r.real(name, height, unit, "height of the step");
}

void RampShape::read(ParameterReader& r, const char* name, const char* unit) {
  r.real(name, height, unit, "height of the ramp");
  r.real("duration", duration, "s", "duration of the ramp", kPositive);
}

template <bool Cosine>
void HarmonicShape<Cosine>::read(ParameterReader& r, const char* name, const char* unit) {
  r.real(name, this->amplitude, unit, "amplitude");
  r.real("phase", this->phase, "rad", "phase at startTime");
  r.real("f", this->f, "Hz", "frequency");
}

void PulseShape::read(ParameterReader& r, const char* name, const char* unit) {
  r.real(name, amplitude, unit, "amplitude of the pulses");
  readWidth(r);
  r.real("period", period, "s", "duration of a period", kPositive);
}

template <Prescribed P, class Shape>
void ShapedSource<P, Shape>::read(ParameterReader& r) {
  this->wave_.read(r, kName<P>, kUnit<P>);
  r.real("offset", this->offset_, kUnit<P>, "added to the wave");
  r.real("startTime", this->startTime_, "s", "the source gives offset before");
  port_.read(r);
}

template <Prescribed P, class Shape>
void ShapedSource<P, Shape>::declare(Structure& s) {
  blocks::WaveSource<ShapedSource, Shape>::declare(s);
  port_.declare(s);
}

template <Prescribed P, class Shape>
void ShapedSource<P, Shape>::describe(Variables& v) const {
  port_.describe(v, [this](const auto& x) { return this->value(x); });
}

Catalogue voltages() {
  return {
      entry<ConstantVoltage>("Analog.ConstantVoltage", "constant voltage"),
      entry<SignalVoltage>("Analog.SignalVoltage", "voltage from a signal"),
      entry<StepVoltage>("Analog.StepVoltage", "voltage that steps at a time"),
      entry<RampVoltage>("Analog.RampVoltage", "voltage that ramps"),
      entry<SineVoltage>("Analog.SineVoltage", "sinusoidal voltage"),
      entry<CosineVoltage>("Analog.CosineVoltage", "cosinusoidal voltage"),
      entry<PulseVoltage>("Analog.PulseVoltage", "pulses of voltage"),
  };
}

Catalogue currents() {
  return {
      entry<ConstantCurrent>("Analog.ConstantCurrent", "constant current"),
      entry<SignalCurrent>("Analog.SignalCurrent", "current from a signal"),
      entry<StepCurrent>("Analog.StepCurrent", "current that steps at a time"),
      entry<RampCurrent>("Analog.RampCurrent", "current that ramps"),
      entry<SineCurrent>("Analog.SineCurrent", "sinusoidal current"),
      entry<CosineCurrent>("Analog.CosineCurrent", "cosinusoidal current"),
      entry<PulseCurrent>("Analog.PulseCurrent", "pulses of current"),
  };
}

}  // namespace cardan::electrical
