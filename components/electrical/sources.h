/// Sources of voltage and current: constant, from a signal, as functions of time.
#pragma once

#include <numbers>

#include "components/blocks/time_source.h"
#include "components/electrical/one_port.h"

namespace cardan::electrical {

/// What a source prescribes.
enum class Prescribed { voltage, current };

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
    if constexpr (P == Prescribed::voltage) {
      x.row(row_) = port_.voltage(x) - value_;
      port_.addCurrent(x, x.unknown(i_));
    } else {
      port_.addCurrent(x, S(value_));
    }
  }

 private:
  double value_ = 1;  ///< [V | A]
  OnePort port_;
  UnknownId i_;
  RowId row_;
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
    if constexpr (P == Prescribed::voltage) {
      x.row(row_) = port_.voltage(x) - x.input(signal_);
      port_.addCurrent(x, x.unknown(i_));
    } else {
      port_.addCurrent(x, x.input(signal_));
    }
  }

 private:
  OnePort port_;
  SignalId signal_;
  UnknownId i_;
  RowId row_;
};

/// Waves of the sources below, t from startTime on; `name`: V or I, the amplitude.
struct StepShape {
  void read(ParameterReader& r, const char* name, const char* unit);
  double begin(int) const { return blocks::kNever; }
  template <class S>
  S at(int, const S&) const {
    return S(height);
  }
  double height = 1;  ///< [V | A]
};
struct RampShape {
  void read(ParameterReader& r, const char* name, const char* unit);
  double begin(int phase) const { return phase == 1 ? duration : blocks::kNever; }
  template <class S>
  S at(int phase, const S& t) const {
    return phase == 0 ? S(t * (height / duration)) : S(height);
  }
  double height = 1;    ///< [V | A]
  double duration = 2;  ///< [s]
};
template <bool Cosine>
struct HarmonicShape {
  void read(ParameterReader& r, const char* name, const char* unit);
  double begin(int) const { return blocks::kNever; }
  template <class S>
  S at(int, const S& t) const {
    const S angle = 2 * std::numbers::pi * f * t + phase;
    return amplitude * (Cosine ? S(cos(angle)) : S(sin(angle)));
  }
  double amplitude = 1;  ///< [V | A]
  double phase = 0;      ///< [rad]
  double f = 1;          ///< [Hz]
};
struct PulseShape {
  void read(ParameterReader& r, const char* name, const char* unit);
  double begin(int phase) const {
    return (phase / 2) * period + (phase % 2 == 0 ? 0.0 : 0.01 * width * period);
  }
  template <class S>
  S at(int phase, const S&) const {
    return S(phase % 2 == 0 ? amplitude : 0.0);
  }
  double amplitude = 1;  ///< [V | A]
  double width = 50;     ///< [%] of the period
  double period = 1;     ///< [s]
};

/// Voltage or current that is offset before startTime and offset + a wave from then on.
///
/// Unknowns   of a voltage source: i [A]
/// Equations  v (or i) = offset + wave(time - startTime)
/// Source     MSL 4.0 Electrical.Analog.Sources.StepVoltage, RampVoltage, SineVoltage, ... and
/// their Currents
template <Prescribed P, class Shape>
class ShapedSource final : public blocks::TimeSource<ShapedSource<P, Shape>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  double begin(int phase) const { return startTime_ + (phase == 1 ? 0 : shape_.begin(phase - 1)); }

  template <class S>
  void physics(View<S>& x) const {
    if constexpr (P == Prescribed::voltage) {
      x.row(row_) = port_.voltage(x) - value(x);
      port_.addCurrent(x, x.unknown(i_));
    } else {
      port_.addCurrent(x, value(x));
    }
  }

 private:
  template <class S>
  S value(const View<S>& x) const {
    const int phase = this->phase(x);
    return phase == 0 ? S(offset_) : S(offset_ + shape_.at(phase - 1, S(x.time() - startTime_)));
  }

  Shape shape_;
  double offset_ = 0;     ///< [V | A]
  double startTime_ = 0;  ///< [s]
  OnePort port_;
  UnknownId i_;
  RowId row_;
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
