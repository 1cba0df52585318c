#include "components/blocks/sources.h"

#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"

namespace cardan::blocks {

/// y = k
class Constant final : public ComponentOf<Constant> {
 public:
  void read(ParameterReader& r) override { r.real("k", k_, "1", "value of the output"); }
  void declare(Structure&) override {}
  void describe(Variables& v) const override {
    v.scalar(output("y", "constant", Level::Constant),
             [this](const auto& x) { return k_ + 0.0 * x.time(); });
  }

 private:
  double k_ = 1;
};

/// y = k, a truth value.
class BooleanConstant final : public ComponentOf<BooleanConstant> {
 public:
  void read(ParameterReader& r) override { r.boolean("k", k_, "value of the output"); }
  void declare(Structure&) override {}
  void describe(Variables& v) const override {
    describe::truth(v, output("y", "constant", Level::Constant),
                    [this](const auto&) { return k_; });
  }

 private:
  bool k_ = true;
};

/// y = startValue before startTime, its opposite from then on.
class BooleanStep final : public TimeSource<BooleanStep> {
 public:
  void read(ParameterReader& r) override {
    r.real("startTime", startTime_, "s", "time of the step");
    r.boolean("startValue", startValue_, "value before the step");
  }
  void describe(Variables& v) const override {
    describe::truth(v, output("y", "step", Level::Time),
                    [this](const auto& x) { return (phase(x) == 0) == startValue_; });
  }
  double begin(int phase) const { return phase == 1 ? startTime_ : kNever; }

 private:
  double startTime_ = 0;  ///< [s]
  bool startValue_ = false;
};

/// y is true for the first `width` percent of every period from startTime on.
class BooleanPulse final : public TimeSource<BooleanPulse> {
 public:
  void read(ParameterReader& r) override {
    pulse_.readWidth(r);
    r.real("period", pulse_.period, "s", "duration of a period", kPositive);
    r.real("startTime", startTime_, "s", "start of the first pulse");
  }
  void describe(Variables& v) const override {
    v.scalar(output("y", "pulse", Level::Time, {}, true), [this](const auto& x) {
      using S = std::decay_t<decltype(x.time())>;
      return phase(x) == 0 ? S(0.0) : pulse_.at(phase(x) - 1, x.time());
    });
  }
  double begin(int phase) const { return pulse_.begin(phase - 1, startTime_); }

 private:
  PulseWave pulse_;
  double startTime_ = 0;  ///< [s]
};

Catalogue sources() {
  return {
      entry<Constant>("Blocks.Constant", "constant signal"),
      entry<SignalSource<StepWave>>("Blocks.Step", "step"),
      entry<SignalSource<RampWave>>("Blocks.Ramp", "ramp"),
      entry<SignalSource<HarmonicWave<false>>>("Blocks.Sine", "sine"),
      entry<SignalSource<HarmonicWave<true>>>("Blocks.Cosine", "cosine"),
      entry<SignalSource<ExpSineWave>>("Blocks.ExpSine", "exponentially damped sine"),
      entry<SignalSource<ExponentialsWave>>("Blocks.Exponentials",
                                            "rising and falling exponential"),
      entry<SignalSource<PulseWave>>("Blocks.Pulse", "pulses"),
      entry<SignalSource<SawToothWave>>("Blocks.SawTooth", "saw tooth"),
      entry<SignalSource<TrapezoidWave>>("Blocks.Trapezoid", "trapezoids"),
      entry<SignalSource<ClockWave>>("Blocks.Clock", "time since startTime"),
      entry<SignalSource<ClockWave>>("Blocks.ContinuousClock", "time since startTime"),
      entry<BooleanConstant>("Blocks.BooleanConstant", "constant truth value"),
      entry<BooleanStep>("Blocks.BooleanStep", "truth value that changes at a time"),
      entry<BooleanPulse>("Blocks.BooleanPulse", "pulses of truth"),
  };
}

}  // namespace cardan::blocks
