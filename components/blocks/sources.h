/// Waves: functions of time in phases, as sources of signals, voltages and currents have them.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/blocks/time_source.h"

namespace cardan::blocks {

/// A value that is offset before startTime, and offset + wave(time - startTime) from then on.
///
/// Wave   double begin(int phase, double start) const;   // [s]  of phases after the first, at startTime
///        template <class S> S at(int phase, const S& t) const;   // t [s] from startTime on
///        double before() const;           // value before startTime
template <class Derived, class Wave>
class WaveSource : public TimeSource<Derived> {
 public:
  double begin(int phase) const {
    return phase == 1 ? startTime_ : wave_.begin(phase - 1, startTime_);
  }

 protected:
  template <class S>
  S value(const View<S>& x) const {
    const int phase = this->phase(x);
    return phase == 0 ? S(offset_ + wave_.before())
                      : S(offset_ + wave_.at(phase - 1, S(x.time() - startTime_)));
  }

  Wave wave_;
  double offset_ = 0;     ///< in the unit of the value
  double startTime_ = 0;  ///< [s]
};

/// y = that value.
///
/// Wave   void read(ParameterReader& r);
template <class Wave>
class SignalSource final : public WaveSource<SignalSource<Wave>, Wave> {
 public:
  void read(ParameterReader& r) override {
    this->wave_.read(r);
    r.real("offset", this->offset_, "1", "added to the signal");
    r.real("startTime", this->startTime_, "s", "the output is offset before");
  }
  void describe(Variables& v) const override {
    v.scalar(output("y", "signal", Level::Time), [this](const auto& x) { return this->value(x); });
  }
};

inline constexpr const char* kAboutAmplitude = "height of the wave above offset";

/// A wave of one phase that is 0 before startTime.
struct Wave {
  double begin(int, double) const { return kNever; }
  double before() const { return 0; }
};

/// y = offset, and offset + height from startTime on.
struct StepWave : Wave {
  double height = 1;
  void read(ParameterReader& r) { r.real("height", height, "1", "height of the step"); }
  template <class S>
  S at(int, const S&) const {
    return S(height);
  }
};

/// y = offset, from startTime on for `duration` straight to offset + height.
struct RampWave : Wave {
  double height = 1;
  double duration = 2;  ///< [s]
  void read(ParameterReader& r) {
    r.real("height", height, "1", "height of the ramp");
    r.real("duration", duration, "s", "duration of the ramp; 0 is a step", kNotNegative);
  }
  double begin(int phase, double start) const { return phase == 1 ? start + duration : kNever; }
  template <class S>
  S at(int phase, const S& t) const {
    return phase == 0 ? S(t * (height / duration)) : S(height);
  }
};

/// y = offset, and offset + time - startTime from startTime on.
struct ClockWave : Wave {
  void read(ParameterReader&) {}
  template <class S>
  S at(int, const S& t) const {
    return t;
  }
};

/// What oscillates.
struct Oscillation : Wave {
  double amplitude = 1;
  double f = 1;      ///< [Hz]
  double phase = 0;  ///< [rad]
  void readOscillation(ParameterReader& r) {
    r.real("amplitude", amplitude, "1", kAboutAmplitude);
    r.real("f", f, "Hz", "frequency");
    r.real("phase", phase, "rad", "phase at startTime");
  }
};

/// y = offset + amplitude sin(2 pi f t + phase), t from startTime on; Cosine: the same with cos.
template <bool Cosine>
struct HarmonicWave : Oscillation {
  bool continuous = false;
  void read(ParameterReader& r) {
    readOscillation(r);
    r.boolean("continuous", continuous, "the value at startTime holds before");
  }
  double before() const { return continuous ? at(0, 0.0) : 0.0; }
  template <class S>
  S at(int, const S& t) const {
    const S angle = 2 * std::numbers::pi * f * t + phase;
    return amplitude * (Cosine ? S(cos(angle)) : S(sin(angle)));
  }
};

/// y = offset + amplitude exp(-damping t) sin(2 pi f t + phase), t from startTime on.
struct ExpSineWave : Oscillation {
  double damping = 1;  ///< [1/s]
  ExpSineWave() { f = 2; }
  void read(ParameterReader& r) {
    readOscillation(r);
    r.real("damping", damping, "1/s", "rate at which the wave decays");
  }
  template <class S>
  S at(int, const S& t) const {
    return amplitude * exp(S(-damping * t)) * sin(S(2 * std::numbers::pi * f * t + phase));
  }
};

/// y rises from offset towards offset + outMax for riseTime, then falls towards offset.
struct ExponentialsWave : Wave {
  double outMax = 1;
  double riseTime = 0.5;       ///< [s]
  double riseTimeConst = 0.1;  ///< [s]
  double fallTimeConst = 0.1;  ///< [s]
  void read(ParameterReader& r) {
    r.real("outMax", outMax, "1", "value for an infinite riseTime");
    r.real("riseTime", riseTime, "s", "time during which the signal rises", kNotNegative);
    r.real("riseTimeConst", riseTimeConst, "s", "time constant of the rise", kPositive);
    fallTimeConst = riseTimeConst;
    r.real("fallTimeConst", fallTimeConst, "s", "time constant of the fall; default: riseTimeConst",
           kPositive);
  }
  double begin(int phase, double start) const { return phase == 1 ? start + riseTime : kNever; }
  template <class S>
  S at(int phase, const S& t) const {
    if (phase == 0) return outMax * (1.0 - exp(S(t * (-1 / riseTimeConst))));
    return outMax * (1 - std::exp(-riseTime / riseTimeConst)) *
           exp(S((t - riseTime) * (-1 / fallTimeConst)));
  }
};

/// Periods of a signal, all of them or the first `nperiod`.
struct Periodic : Wave {
  double amplitude = 1;
  double period = 1;  ///< [s]
  int nperiod = -1;   ///< < 0: no end
  void readPeriods(ParameterReader& r) {
    r.real("amplitude", amplitude, "1", kAboutAmplitude);
    r.real("period", period, "s", "duration of a period", kPositive);
    r.integer("nperiod", nperiod, "number of periods, < 0: no end");
  }
  bool over(int count) const { return nperiod >= 0 && count >= nperiod; }
  double begins(int count, double start) const { return Ticks(start, period).at(count); }
};

/// y = offset + amplitude for the first `width` percent of each period from startTime on, else
/// offset.
struct PulseWave : Periodic {
  double width = 50;  ///< [%] of the period
  void read(ParameterReader& r) {
    readPeriods(r);
    readWidth(r);
  }
  void readWidth(ParameterReader& r) {
    r.real("width", width, "%", "width of the pulse in percent of the period", kPositive);
    r.require(width <= 100, "width", "must be at most 100");
  }
  double begin(int phase, double start) const {
    const int count = phase / 2;
    if (over((phase - 1) / 2)) return kNever;
    return begins(count, start) + (phase % 2 == 0 ? 0.0 : period * width / 100);
  }
  template <class S>
  S at(int phase, const S&) const {
    return S(phase % 2 == 0 && !over(phase / 2) ? amplitude : 0.0);
  }
};

/// y rises from offset to offset + amplitude over each period from startTime on.
struct SawToothWave : Periodic {
  void read(ParameterReader& r) { readPeriods(r); }
  double begin(int phase, double start) const {
    return over(phase - 1) ? kNever : begins(phase, start);
  }
  template <class S>
  S at(int phase, const S& t) const {
    return over(phase) ? S(0.0) : S((t - phase * period) * (amplitude / period));
  }
};

/// In each period from startTime on y rises from offset to offset + amplitude, stays for `width` and
/// falls.
struct TrapezoidWave : Periodic {
  double rising = 0, width = 0.5, falling = 0;  ///< [s]
  void read(ParameterReader& r) {
    readPeriods(r);
    r.real("rising", rising, "s", "duration of the rise", kNotNegative);
    r.real("width", width, "s", "duration of the top", kNotNegative);
    r.real("falling", falling, "s", "duration of the fall", kNotNegative);
  }
  double begin(int phase, double start) const {
    const int count = phase / 4;
    if (over((phase - 1) / 4)) return kNever;
    const double inPeriod[] = {0, rising, rising + width, rising + width + falling};
    return begins(count, start) + std::min(inPeriod[phase % 4], period);
  }
  template <class S>
  S at(int phase, const S& time) const {
    const int count = phase / 4;
    const S t = time - count * period;
    if (over(count)) return S(0.0);
    switch (phase % 4) {
      case 0:
        return t * (amplitude / rising);
      case 1:
        return S(amplitude);
      case 2:
        return (rising + width + falling - t) * (amplitude / falling);
      default:
        return S(0.0);
    }
  }
};

}  // namespace cardan::blocks
