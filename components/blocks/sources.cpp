#include "components/blocks/sources.h"

#include <algorithm>

#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"

namespace cardan::blocks {
namespace {

void readAmplitude(ParameterReader& r, double& amplitude) {
  r.real("amplitude", amplitude, "1", "height of the wave above offset");
}
void readFrequency(ParameterReader& r, double& f, double& phase) {
  r.real("f", f, "Hz", "frequency");
  r.real("phase", phase, "rad", "phase at startTime");
}

}  // namespace

void StepWave::read(ParameterReader& r) { r.real("height", height, "1", "height of the step"); }

void RampWave::read(ParameterReader& r) {
  r.real("height", height, "1", "height of the ramp");
  r.real("duration", duration, "s", "duration of the ramp; 0 is a step", kNotNegative);
}

template <bool Cosine>
void HarmonicWave<Cosine>::read(ParameterReader& r) {
  readAmplitude(r, amplitude);
  readFrequency(r, f, phase);
  r.boolean("continuous", continuous, "the value at startTime holds before");
}
template struct HarmonicWave<false>;
template struct HarmonicWave<true>;

void ExpSineWave::read(ParameterReader& r) {
  readAmplitude(r, amplitude);
  readFrequency(r, f, phase);
  r.real("damping", damping, "1/s", "rate at which the wave decays");
}

void ExponentialsWave::read(ParameterReader& r) {
  r.real("outMax", outMax, "1", "value for an infinite riseTime");
  r.real("riseTime", riseTime, "s", "time during which the signal rises", kNotNegative);
  r.real("riseTimeConst", riseTimeConst, "s", "time constant of the rise", kPositive);
  fallTimeConst = riseTimeConst;
  r.real("fallTimeConst", fallTimeConst, "s", "time constant of the fall; default: riseTimeConst",
         kPositive);
}

void Periodic::readPeriods(ParameterReader& r) {
  readAmplitude(r, amplitude);
  r.real("period", period, "s", "duration of a period", kPositive);
  r.integer("nperiod", nperiod, "number of periods, < 0: no end");
}

void PulseWave::readWidth(ParameterReader& r) {
  r.real("width", width, "%", "width of the pulse in percent of the period", kPositive);
  r.require(width <= 100, "width", "must be at most 100");
}

void PulseWave::read(ParameterReader& r) {
  readPeriods(r);
  readWidth(r);
}

double PulseWave::begin(int phase, double start) const {
  const int count = phase / 2;
  if (over((phase - 1) / 2)) return kNever;
  return begins(count, start) + (phase % 2 == 0 ? 0.0 : period * width / 100);
}

void SawToothWave::read(ParameterReader& r) { readPeriods(r); }

void TrapezoidWave::read(ParameterReader& r) {
  readPeriods(r);
  r.real("rising", rising, "s", "duration of the rise", kNotNegative);
  r.real("width", width, "s", "duration of the top", kNotNegative);
  r.real("falling", falling, "s", "duration of the fall", kNotNegative);
}

double TrapezoidWave::begin(int phase, double start) const {
  const int count = phase / 4;
  if (over((phase - 1) / 4)) return kNever;
  const double inPeriod[] = {0, rising, rising + width, rising + width + falling};
  return begins(count, start) + std::min(inPeriod[phase % 4], period);
}

void Constant::read(ParameterReader& r) { r.real("k", k_, "1", "value of the output"); }

void Constant::describe(Variables& v) const {
  v.scalar(output("y", "constant", Level::Constant),
           [this](const auto& x) { return k_ + 0.0 * x.time(); });
}

void BooleanConstant::read(ParameterReader& r) { r.boolean("k", k_, "value of the output"); }

void BooleanConstant::describe(Variables& v) const {
  describe::truth(v, output("y", "constant", Level::Constant), [this](const auto&) { return k_; });
}

void BooleanStep::read(ParameterReader& r) {
  r.real("startTime", startTime_, "s", "time of the step");
  r.boolean("startValue", startValue_, "value before the step");
}

void BooleanStep::describe(Variables& v) const {
  describe::truth(v, output("y", "step", Level::Time),
                  [this](const auto& x) { return (phase(x) == 0) == startValue_; });
}

void BooleanPulse::read(ParameterReader& r) {
  pulse_.readWidth(r);
  r.real("period", pulse_.period, "s", "duration of a period", kPositive);
  r.real("startTime", startTime_, "s", "start of the first pulse");
}

void BooleanPulse::describe(Variables& v) const {
  v.scalar(output("y", "pulse", Level::Time, {}, true), [this](const auto& x) {
    using S = std::decay_t<decltype(x.time())>;
    return phase(x) == 0 ? S(0.0) : pulse_.at(phase(x) - 1, x.time());
  });
}

Catalogue sources() {
  return {
      entry<Constant>("Blocks.Constant", "constant signal"),
      entry<Step>("Blocks.Step", "step"),
      entry<Ramp>("Blocks.Ramp", "ramp"),
      entry<Sine>("Blocks.Sine", "sine"),
      entry<Cosine>("Blocks.Cosine", "cosine"),
      entry<ExpSine>("Blocks.ExpSine", "exponentially damped sine"),
      entry<Exponentials>("Blocks.Exponentials", "rising and falling exponential"),
      entry<Pulse>("Blocks.Pulse", "pulses"),
      entry<SawTooth>("Blocks.SawTooth", "saw tooth"),
      entry<Trapezoid>("Blocks.Trapezoid", "trapezoids"),
      entry<Clock>("Blocks.Clock", "time since startTime"),
      entry<Clock>("Blocks.ContinuousClock", "time since startTime"),
      entry<BooleanConstant>("Blocks.BooleanConstant", "constant truth value"),
      entry<BooleanStep>("Blocks.BooleanStep", "truth value that changes at a time"),
      entry<BooleanPulse>("Blocks.BooleanPulse", "pulses of truth"),
  };
}

}  // namespace cardan::blocks
