/// Sampled blocks: they read their input at sampling instants, or where a trigger rises, and hold what
/// follows from it.
#pragma once

#include <limits>

#include "components/blocks/time_source.h"
#include "components/blocks/truth_memory.h"
#include "components/laws/held.h"

namespace cardan::blocks {

/// When a block takes samples: at startTime + i samplePeriod, each a time event.
///
/// A sample belongs to the whole event: while others still change at it, the block follows its input; once
/// nothing else changes, it is closed.
///
/// Mode   samples: number of the next one
/// Held   when the open one was taken [s]
class SampleClock {
 public:
  enum class Sample { none, taken, open };

  double samplePeriod = 0.1;  ///< [s]
  double startTime = 0;       ///< [s]

  void read(ParameterReader& r);
  void declare(Structure& s);
  void guards(const View<double>& x, Guards& g) const {
    g.timeEvent(ticks_.at(next(x.time(), x.mode(next_))));
  }
  /// What happens to the sample in this pass: one is taken, or one is still open.
  Sample sample(const View<double>& x, Modes& m) const;
  /// The first sample of the run has not been closed yet.
  bool isFirst(const Modes& m) const { return m.get(started_) == 0; }
  /// To be called in the quiet pass.
  void close(Modes& m) const;
  /// Number of samples taken up to now, and whether the one at startTime is the last.
  bool isStart(double t) const { return t <= startTime + 0.5 * samplePeriod; }

 private:
  static constexpr int kUnset = -1;
  int next(double t, int known) const;

  Ticks ticks_;
  ModeId next_, started_;
  Held at_;
};

/// A block with a clock and an input.
template <class Derived>
class Sampled : public ComponentOf<Derived> {
 public:
  void read(ParameterReader& r) override { readSampled(r, 1); }
  void guards(const View<double>& x, Guards& g) const override { clock_.guards(x, g); }

 protected:
  void readSampled(ParameterReader& r, int inputs) {
    clock_.read(r);
    r.input("u", inputs, "1", "input");
  }
  void declareSampled(Structure& s, int inputs = 1) {
    u_ = s.input("u", inputs);
    clock_.declare(s);
  }

  SampleClock clock_;
  SignalId u_;
};

/// y = u of the last sampling instant; before the first one, that at the start.
///
/// Source  MSL 4.0 Blocks.Discrete.Sampler
class Sampler final : public Sampled<Sampler> {
 public:
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  Held y_;
};

/// y = u of the last sampling instant, an infinitesimal delay later: it breaks algebraic loops. A run
/// that begins between two of them takes a sample there; before startTime it is 0.
///
/// Source  MSL 4.0 Blocks.Discrete.ZeroOrderHold
class ZeroOrderHold final : public Sampled<ZeroOrderHold> {
 public:
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  Held held_;  ///< ySample, y
};

/// Straight line through the last two samples, from the last but one on.
///
/// Equations  y = pre_uSample + (uSample - pre_uSample)/samplePeriod (time - tSample)
/// Source     MSL 4.0 Blocks.Discrete.FirstOrderHold
class FirstOrderHold final : public Sampled<FirstOrderHold> {
 public:
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  Held held_;  ///< tSample, uSample, pre_uSample, slope, u as it is being sampled
};

/// y = u as it was just before the last sampling instant: what was sampled comes a period later.
///
/// Source  MSL 4.0 Blocks.Discrete.UnitDelay
class UnitDelay final : public Sampled<UnitDelay> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  double y_start_ = 0;
  Held held_;  ///< y, u at the start of the run
};

/// Sampled linear system: at a sample x and y follow from u and from x before it.
///
/// Equations  x = A pre(x) + B u;  y = C pre(x) + D u
class SampledSystem : public Sampled<SampledSystem> {
 public:
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 protected:
  int states() const { return A_.rows(); }
  int outputs() const { return C_.rows(); }

  Eigen::MatrixXd A_, B_, C_, D_;
  bool scalar_ = true;  ///< one input and one output, not vectors of one element

 private:
  Held before_, x_, y_;
};

/// y = b(z)/a(z) u, coefficients of the highest power first; controller canonical form.
///
/// Source  MSL 4.0 Blocks.Discrete.TransferFunction
class SampledTransferFunction final : public SampledSystem {
 public:
  void read(ParameterReader& r) override;
};

/// Source  MSL 4.0 Blocks.Discrete.StateSpace
class SampledStateSpace final : public SampledSystem {
 public:
  void read(ParameterReader& r) override;
};

/// What a block does where its trigger rises.
struct Trigger {
  SignalId signal;
  void read(ParameterReader& r) { r.input("trigger", 1, "", "its rise takes the input"); }
  void declare(Structure& s);
  /// True in the event in which the trigger rises, as long as others change at it.
  bool rises(const View<double>& x, Modes& m) const;

 private:
  ChangeOfTruth change_;
  Held at_;
};

/// y = u where the trigger rose last; Maximum: the largest |u| of these instants.
///
/// Source  MSL 4.0 Blocks.Discrete.TriggeredSampler, TriggeredMax
template <bool Maximum>
class Triggered final : public ComponentOf<Triggered<Maximum>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  double y_start_ = 0;
  Trigger trigger_;
  SignalId u_;
  Held y_;  ///< y, y before the trigger
};

using TriggeredSampler = Triggered<false>;
using TriggeredMax = Triggered<true>;

}  // namespace cardan::blocks
