/// Sources of voltage and current: constant, from a signal, as functions of time.
#pragma once

#include "components/blocks/sources.h"
#include "components/electrical/one_port.h"

namespace cardan::electrical {

/// What a source prescribes.
enum class Prescribed { voltage, current };

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

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
  void read(ParameterReader& r, const char* name, const char* unit);
};
struct RampShape : blocks::RampWave {
  void read(ParameterReader& r, const char* name, const char* unit);
};
template <bool Cosine>
struct HarmonicShape : blocks::HarmonicWave<Cosine> {
  void read(ParameterReader& r, const char* name, const char* unit);
};
struct PulseShape : blocks::PulseWave {
  void read(ParameterReader& r, const char* name, const char* unit);
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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    port_.prescribe(x, this->value(x));
  }

 private:
  SourceBranch<P> port_;
};

using ConstantVoltage = ConstantSource<Prescribed::voltage>;
using ConstantCurrent = ConstantSource<Prescribed::current>;
using SignalVoltage = SignalSource<Prescribed::voltage>;
using SignalCurrent = SignalSource<Prescribed::current>;
using StepVoltage = ShapedSource<Prescribed::voltage, StepShape>;
using StepCurrent = ShapedSource<Prescribed::current, StepShape>;
using RampVoltage = ShapedSource<Prescribed::voltage, RampShape>;
using RampCurrent = ShapedSource<Prescribed::current, RampShape>;
using SineVoltage = ShapedSource<Prescribed::voltage, HarmonicShape<false>>;
using SineCurrent = ShapedSource<Prescribed::current, HarmonicShape<false>>;
using CosineVoltage = ShapedSource<Prescribed::voltage, HarmonicShape<true>>;
using CosineCurrent = ShapedSource<Prescribed::current, HarmonicShape<true>>;
using PulseVoltage = ShapedSource<Prescribed::voltage, PulseShape>;
using PulseCurrent = ShapedSource<Prescribed::current, PulseShape>;

}  // namespace cardan::electrical
