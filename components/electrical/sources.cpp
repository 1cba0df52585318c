/// Sources of voltage and current: constant, from a signal, as functions of time.
#include "components/blocks/sources.h"
#include "components/catalogue_entry.h"
#include "components/electrical/one_port.h"

namespace cardan::electrical {

/// What a source prescribes.
enum class Prescribed { voltage, current };

namespace {

constexpr const char* kCurrentAbout = "current from pin p to pin n";

template <Prescribed P>
constexpr const char* kName = P == Prescribed::voltage ? "V" : "I";
template <Prescribed P>
constexpr const char* kUnit = P == Prescribed::voltage ? "V" : "A";
template <Prescribed P>
constexpr const char* kWord = P == Prescribed::voltage ? "voltage" : "current";

}  // namespace

/// The two pins of a source; the current of a voltage source is an unknown.
template <Prescribed P>
struct SourceBranch : VoltageBranch {
  void declare(Structure& s) {
    OnePort::declare(s);
    if (P == Prescribed::voltage) declareCurrent(s);
  }
  /// v = value, or i = value.
  template <class S>
  void prescribe(View<S>& x, const S& value) const {
    if constexpr (P == Prescribed::voltage) {
      hold(x, S(voltage(x) - value));
    } else {
      addCurrent(x, value);
    }
  }
  /// Variables v and i: value(const View<S>&) -> S, the prescribed one.
  template <class F>
  void describe(Variables& variables, F value) const {
    if constexpr (P == Prescribed::voltage) {
      OnePort::describe(variables, [this](const auto& x) { return current(x); });
    } else {
      OnePort::describe(variables, value);
    }
  }
};

/// Constant voltage or current.
///
/// Unknowns   of a voltage source: i [A]
/// Equations  v = V, or i = I
/// Source     MSL 4.0 Electrical.Analog.Sources.ConstantVoltage, ConstantCurrent
template <Prescribed P>
class ConstantSource final : public ComponentOf<ConstantSource<P>> {
 public:
  void read(ParameterReader& r) override {
    r.real(kName<P>, value_, kUnit<P>, kWord<P>);
    port_.read(r);
  }
  void declare(Structure& s) override { port_.declare(s); }
  void describe(Variables& v) const override {
    port_.describe(v, [this](const auto& x) { return value_ + 0.0 * x.time(); });
  }

  template <class S>
  void physics(View<S>& x) const {
    port_.prescribe(x, S(value_));
  }

 private:
  double value_ = 1;  ///< [V | A]
  SourceBranch<P> port_;
};

/// Voltage or current from a signal.
///
/// Unknowns   of a voltage source: i [A]
/// Equations  p.v - n.v = v, or p.i = i
/// Source     MSL 4.0 Electrical.Analog.Sources.SignalVoltage, SignalCurrent
template <Prescribed P>
class SignalSource final : public ComponentOf<SignalSource<P>> {
 public:
  void read(ParameterReader& r) override {
    // The prescribed one is the input; the other is a variable with a start value.
    if (P == Prescribed::voltage) {
      r.input("v", 1, "V", "voltage from pin n to pin p");
      r.start("i", port_.i, "A", kCurrentAbout);
    } else {
      r.input("i", 1, "A", kCurrentAbout);
      r.start("v", port_.v, "V", "voltage from pin n to pin p");
    }
  }
  void declare(Structure& s) override {
    port_.declare(s);
    signal_ = s.input(P == Prescribed::voltage ? "v" : "i", 1);
  }
  void describe(Variables& v) const override {
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

  template <class S>
  void physics(View<S>& x) const {
    port_.prescribe(x, x.input(signal_));
  }

 private:
  SourceBranch<P> port_;
  SignalId signal_;
};

/// Waves of the sources below, which are those of the blocks; `name`: V or I, the amplitude.
struct StepShape : blocks::StepWave {
  void read(ParameterReader& r, const char* name, const char* unit) {
    r.real(name, height, unit, "height of the step");
  }
};
struct RampShape : blocks::RampWave {
  void read(ParameterReader& r, const char* name, const char* unit) {
    r.real(name, height, unit, "height of the ramp");
    r.real("duration", duration, "s", "duration of the ramp", kPositive);
  }
};
template <bool Cosine>
struct HarmonicShape : blocks::HarmonicWave<Cosine> {
  void read(ParameterReader& r, const char* name, const char* unit) {
    r.real(name, this->amplitude, unit, "amplitude");
    r.real("phase", this->phase, "rad", "phase at startTime");
    r.real("f", this->f, "Hz", "frequency");
  }
};
struct PulseShape : blocks::PulseWave {
  void read(ParameterReader& r, const char* name, const char* unit) {
    r.real(name, amplitude, unit, "amplitude of the pulses");
    readWidth(r);
    r.real("period", period, "s", "duration of a period", kPositive);
  }
};

/// Voltage or current that is offset before startTime and offset + a wave from then on.
///
/// Unknowns   of a voltage source: i [A]
/// Equations  v (or i) = offset + wave(time - startTime)
/// Source     MSL 4.0 Electrical.Analog.Sources.StepVoltage, RampVoltage, SineVoltage,
///            ... and their Currents
template <Prescribed P, class Shape>
class ShapedSource final : public blocks::WaveSource<ShapedSource<P, Shape>, Shape> {
 public:
  void read(ParameterReader& r) override {
    this->wave_.read(r, kName<P>, kUnit<P>);
    r.real("offset", this->offset_, kUnit<P>, "added to the wave");
    r.real("startTime", this->startTime_, "s", "the source gives offset before");
    port_.read(r);
  }
  void declare(Structure& s) override {
    blocks::WaveSource<ShapedSource, Shape>::declare(s);
    port_.declare(s);
  }
  void describe(Variables& v) const override {
    port_.describe(v, [this](const auto& x) { return this->value(x); });
  }

  template <class S>
  void physics(View<S>& x) const {
    port_.prescribe(x, this->value(x));
  }

 private:
  SourceBranch<P> port_;
};

Catalogue voltages() {
  return {
      entry<ConstantSource<Prescribed::voltage>>("Analog.ConstantVoltage", "constant voltage"),
      entry<SignalSource<Prescribed::voltage>>("Analog.SignalVoltage", "voltage from a signal"),
      entry<ShapedSource<Prescribed::voltage, StepShape>>("Analog.StepVoltage",
                                                          "voltage that steps at a time"),
      entry<ShapedSource<Prescribed::voltage, RampShape>>("Analog.RampVoltage",
                                                          "voltage that ramps"),
      entry<ShapedSource<Prescribed::voltage, HarmonicShape<false>>>("Analog.SineVoltage",
                                                                     "sinusoidal voltage"),
      entry<ShapedSource<Prescribed::voltage, HarmonicShape<true>>>("Analog.CosineVoltage",
                                                                    "cosinusoidal voltage"),
      entry<ShapedSource<Prescribed::voltage, PulseShape>>("Analog.PulseVoltage",
                                                           "pulses of voltage"),
  };
}

Catalogue currents() {
  return {
      entry<ConstantSource<Prescribed::current>>("Analog.ConstantCurrent", "constant current"),
      entry<SignalSource<Prescribed::current>>("Analog.SignalCurrent", "current from a signal"),
      entry<ShapedSource<Prescribed::current, StepShape>>("Analog.StepCurrent",
                                                          "current that steps at a time"),
      entry<ShapedSource<Prescribed::current, RampShape>>("Analog.RampCurrent",
                                                          "current that ramps"),
      entry<ShapedSource<Prescribed::current, HarmonicShape<false>>>("Analog.SineCurrent",
                                                                     "sinusoidal current"),
      entry<ShapedSource<Prescribed::current, HarmonicShape<true>>>("Analog.CosineCurrent",
                                                                    "cosinusoidal current"),
      entry<ShapedSource<Prescribed::current, PulseShape>>("Analog.PulseCurrent",
                                                           "pulses of current"),
  };
}

}  // namespace cardan::electrical
