/// Signal sources: step, ramp, waves, pulses.
#pragma once

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

/// A wave of one phase that is 0 before startTime.
struct Wave {
  double begin(int, double) const { return kNever; }
  double before() const { return 0; }
};

/// y = offset, and offset + height from startTime on.
struct StepWave : Wave {
  double height = 1;
  void read(ParameterReader& r);
  template <class S>
  S at(int, const S&) const {
    return S(height);
  }
};

/// y = offset, from startTime on for `duration` straight to offset + height.
struct RampWave : Wave {
  double height = 1;
  double duration = 2;  ///< [s]
  void read(ParameterReader& r);
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

/// y = offset + amplitude sin(2 pi f t + phase), t from startTime on; Cosine: the same with cos.
template <bool Cosine>
struct HarmonicWave : Wave {
  double amplitude = 1;
  double f = 1;      ///< [Hz]
  double phase = 0;  ///< [rad]
  bool continuous = false;
  void read(ParameterReader& r);
  double before() const { return continuous ? at(0, 0.0) : 0.0; }
  template <class S>
  S at(int, const S& t) const {
    const S angle = 2 * std::numbers::pi * f * t + phase;
    return amplitude * (Cosine ? S(cos(angle)) : S(sin(angle)));
  }
};

/// y = offset + amplitude exp(-damping t) sin(2 pi f t + phase), t from startTime on.
struct ExpSineWave : Wave {
  double amplitude = 1;
  double f = 2;        ///< [Hz]
  double phase = 0;    ///< [rad]
  double damping = 1;  ///< [1/s]
  void read(ParameterReader& r);
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
  void read(ParameterReader& r);
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
  void readPeriods(ParameterReader& r);
  bool over(int count) const { return nperiod >= 0 && count >= nperiod; }
  double begins(int count, double start) const { return Ticks(start, period).at(count); }
};

/// y = offset + amplitude for the first `width` percent of each period from startTime on, else
/// offset.
struct PulseWave : Periodic {
  double width = 50;  ///< [%] of the period
  void read(ParameterReader& r);
  void readWidth(ParameterReader& r);
  double begin(int phase, double start) const;
  template <class S>
  S at(int phase, const S&) const {
    return S(phase % 2 == 0 && !over(phase / 2) ? amplitude : 0.0);
  }
};

/// y rises from offset to offset + amplitude over each period from startTime on.
struct SawToothWave : Periodic {
  void read(ParameterReader& r);
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
  void read(ParameterReader& r);
  double begin(int phase, double start) const;
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

using Step = SignalSource<StepWave>;
using Ramp = SignalSource<RampWave>;
using Clock = SignalSource<ClockWave>;  ///< ContinuousClock of MSL 4.0
using Sine = SignalSource<HarmonicWave<false>>;
using Cosine = SignalSource<HarmonicWave<true>>;
using ExpSine = SignalSource<ExpSineWave>;
using Exponentials = SignalSource<ExponentialsWave>;
using Pulse = SignalSource<PulseWave>;
using SawTooth = SignalSource<SawToothWave>;
using Trapezoid = SignalSource<TrapezoidWave>;

/// y = k
class Constant final : public ComponentOf<Constant> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure&) override {}
  void describe(Variables& v) const override;

 private:
  double k_ = 1;
};

/// y = k, a truth value.
class BooleanConstant final : public ComponentOf<BooleanConstant> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure&) override {}
  void describe(Variables& v) const override;

 private:
  bool k_ = true;
};

/// y = startValue before startTime, its opposite from then on.
class BooleanStep final : public TimeSource<BooleanStep> {
 public:
  void read(ParameterReader& r) override;
  void describe(Variables& v) const override;
  double begin(int phase) const { return phase == 1 ? startTime_ : kNever; }

 private:
  double startTime_ = 0;  ///< [s]
  bool startValue_ = false;
};

/// y is true for the first `width` percent of every period from startTime on.
class BooleanPulse final : public TimeSource<BooleanPulse> {
 public:
  void read(ParameterReader& r) override;
  void describe(Variables& v) const override;
  double begin(int phase) const { return pulse_.begin(phase - 1, startTime_); }

 private:
  PulseWave pulse_;
  double startTime_ = 0;  ///< [s]
};

}  // namespace cardan::blocks
