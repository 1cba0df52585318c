/// Sampled blocks: they read their input at sampling instants, or where a trigger rises, and hold what
/// follows from it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "components/blocks/time_source.h"
#include "components/blocks/truth_memory.h"
#include "components/catalogue_entry.h"
#include "components/laws/held.h"

namespace cardan::blocks {
namespace {

constexpr double kNotNow = -std::numeric_limits<double>::infinity();
constexpr double kMostSamples = 2e9;

/// The number `i` of `h` as a result and output.
void describeHeld(Variables& v, const Held& h, int i) {
  v.scalar(output("y", "output", Level::Time),
           [&h, i](const auto& x) { return h(x, i) + 0.0 * x.time(); });
}

/// Sets a held number; true if it changed by more than rounding: an input may come of what is held, and
/// have another last digit each time that it is computed.
bool holdChanged(Modes& m, const Held& h, int i, double value) {
  constexpr double kSame = 1e-12;
  const double before = h.get(m, i);
  if (before == value ||
      std::abs(before - value) <= kSame * std::max(std::abs(before), std::abs(value)))
    return false;
  h.hold(m, i, value);
  return true;
}

}  // namespace

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

  void read(ParameterReader& r) {
    r.real("samplePeriod", samplePeriod, "s", "time between two samples", kPositive);
    r.real("startTime", startTime, "s", "time of the first sample");
    ticks_ = Ticks(startTime, samplePeriod);
  }
  void declare(Structure& s) {
    next_ = s.mode("samples", kUnset);
    started_ = s.mode("started", 0);
    at_.declare(s, "at", {kNotNow});
  }
  void guards(const View<double>& x, Guards& g) const {
    const int k = next(x.time(), x.mode(next_));
    if (k >= kMostSamples) g.fail("its periods are too short to be counted up to this time");
    g.timeEvent(ticks_.at(k));
  }
  /// What happens to the sample in this pass: one is taken, or one is still open.
  Sample sample(const View<double>& x, Modes& m) const {
    const double t = x.time();
    const int k = next(t, m.get(next_));
    const bool due = hasCome(ticks_.at(k), t);
    m.set(next_, due ? static_cast<int>(std::min(ticks_.after(t), kMostSamples)) : k);
    if (due) at_.hold(m, 0, t);
    return due ? Sample::taken : at_.get(m, 0) == t ? Sample::open : Sample::none;
  }
  /// The first sample of the run has not been closed yet.
  bool isFirst(const Modes& m) const { return m.get(started_) == 0; }
  /// To be called in the quiet pass.
  void close(Modes& m) const {
    at_.hold(m, 0, kNotNow);
    m.set(started_, 1);
  }
  /// Number of samples taken up to now, and whether the one at startTime is the last.
  bool isStart(double t) const { return t <= startTime + 0.5 * samplePeriod; }

 private:
  static constexpr int kUnset = -1;
  /// A run that begins at a sampling instant takes a sample there.
  int next(double t, int known) const {
    return known != kUnset ? known : static_cast<int>(std::min(ticks_.from(t), kMostSamples));
  }

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
  void declare(Structure& s) override {
    declareSampled(s);
    y_.declare(s, "y", {0});
  }
  void describe(Variables& v) const override { describeHeld(v, y_, 0); }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool isFirst = clock_.isFirst(m);
    const bool sampled = clock_.sample(x, m) != SampleClock::Sample::none || isFirst;
    const bool changed = sampled && holdChanged(m, y_, 0, x.input(u_));
    if (m.isQuiet()) clock_.close(m);
    return changed;
  }

 private:
  Held y_;
};

/// y = u of the last sampling instant, an infinitesimal delay later: it breaks algebraic loops; before the
/// first one, that at the start.
///
/// Source  MSL 4.0 Blocks.Discrete.ZeroOrderHold
class ZeroOrderHold final : public Sampled<ZeroOrderHold> {
 public:
  void declare(Structure& s) override {
    declareSampled(s);
    held_.declare(s, "held", {0, 0});
  }
  void describe(Variables& v) const override {
    describeHeld(v, held_, 1);
    v.scalar({"ySample", "1", "input at the last sampling instant", Level::Time},
             [this](const auto& x) { return held_(x, 0) + 0.0 * x.time(); });
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool isFirst = clock_.isFirst(m);
    const bool sampled = clock_.sample(x, m) != SampleClock::Sample::none || isFirst;
    if (sampled) held_.hold(m, 0, x.input(u_));
    if (!m.isQuiet()) return false;
    clock_.close(m);
    return holdChanged(m, held_, 1, held_.get(m, 0));
  }

 private:
  Held held_;  ///< ySample, y
};

/// Straight line through the last two samples, from the last but one on.
///
/// Equations  y = pre_uSample + (uSample - pre_uSample)/samplePeriod (time - tSample)
/// Source     MSL 4.0 Blocks.Discrete.FirstOrderHold
class FirstOrderHold final : public Sampled<FirstOrderHold> {
 public:
  void declare(Structure& s) override {
    declareSampled(s);
    held_.declare(s, "held", {0, 0, 0, 0, 0});
  }
  void describe(Variables& v) const override {
    v.scalar(output("y", "output", Level::Time), [this](const auto& x) {
      return held_(x, 2) + held_(x, 3) * (x.time() - held_(x, 0));
    });
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const double u = x.input(u_);
    bool changed = false;
    if (clock_.isFirst(m)) {  // before the first sample: the input at the start
      held_.hold(m, 1, u);
      changed = holdChanged(m, held_, 2, u);
    }
    if (clock_.sample(x, m) != SampleClock::Sample::none) {
      held_.hold(m, 4, u);
      if (m.isQuiet()) {
        const double last = held_.get(m, 1);
        held_.hold(m, 0, x.time());
        held_.hold(m, 1, u);
        changed = holdChanged(m, held_, 2, last) || changed;
        const double slope = clock_.isStart(x.time()) ? 0 : (u - last) / clock_.samplePeriod;
        changed = holdChanged(m, held_, 3, slope) || changed;
      }
    }
    if (m.isQuiet()) clock_.close(m);
    return changed;
  }

 private:
  Held held_;  ///< tSample, uSample, pre_uSample, slope, u as it is being sampled
};

/// y = u as it was just before the last sampling instant: what was sampled comes a period later.
///
/// Source  MSL 4.0 Blocks.Discrete.UnitDelay
class UnitDelay final : public Sampled<UnitDelay> {
 public:
  void read(ParameterReader& r) override {
    r.real("y_start", y_start_, "1", "output before the first sample");
    readSampled(r, 1);
  }
  void declare(Structure& s) override {
    declareSampled(s);
    held_.declare(s, "held", {y_start_, y_start_});
  }
  void describe(Variables& v) const override { describeHeld(v, held_, 0); }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool first = clock_.isFirst(m);
    const SampleClock::Sample sample = clock_.sample(x, m);
    bool changed = false;
    if (!first) {
      // The first pass over an event sees the values before it.
      changed = sample == SampleClock::Sample::taken && holdChanged(m, held_, 0, x.input(u_));
    } else if (sample != SampleClock::Sample::none) {
      held_.hold(m, 1, x.input(u_));
      changed = m.isQuiet() && holdChanged(m, held_, 0, held_.get(m, 1));
    }
    if (m.isQuiet()) clock_.close(m);
    return changed;
  }

 private:
  double y_start_ = 0;
  Held held_;  ///< y, u at the start of the run
};

/// Sampled linear system: at a sample x and y follow from u and from x before it.
///
/// Equations  x = A pre(x) + B u;  y = C pre(x) + D u
class SampledSystem : public Sampled<SampledSystem> {
 public:
  void declare(Structure& s) override {
    declareSampled(s, D_.cols());
    before_.declare(s, "before", std::vector<double>(states(), 0.0));
    x_.declare(s, "x", std::vector<double>(states(), 0.0));
    y_.declare(s, "y", std::vector<double>(outputs(), 0.0));
  }
  void describe(Variables& v) const override {
    if (scalar_) {
      describeHeld(v, y_, 0);
    } else {
      v.array(output("y", "output", Level::Time), {outputs()}, [this](const auto& x, auto* out) {
        for (int i = 0; i < outputs(); ++i) out[i] = y_(x, i) + 0.0 * x.time();
      });
    }
    if (states() == 0) return;
    v.array({"x", "1", "state", Level::Time}, {states()}, [this](const auto& x, auto* out) {
      for (int i = 0; i < states(); ++i) out[i] = x_(x, i) + 0.0 * x.time();
    });
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const SampleClock::Sample sample = clock_.sample(x, m);
    bool changed = false;
    if (sample == SampleClock::Sample::taken) {
      for (int i = 0; i < states(); ++i) before_.hold(m, i, x_.get(m, i));
    }
    if (sample != SampleClock::Sample::none) {
      const auto product = [&](const Eigen::MatrixXd& ofStates, const Eigen::MatrixXd& ofInputs,
                               int i) {
        double sum = 0;
        for (int j = 0; j < states(); ++j) sum += ofStates(i, j) * before_.get(m, j);
        for (int j = 0; j < D_.cols(); ++j) sum += ofInputs(i, j) * x.input(u_, j);
        return sum;
      };
      for (int i = 0; i < states(); ++i)
        changed = holdChanged(m, x_, i, product(A_, B_, i)) || changed;
      for (int i = 0; i < outputs(); ++i)
        changed = holdChanged(m, y_, i, product(C_, D_, i)) || changed;
    }
    if (m.isQuiet()) clock_.close(m);
    return changed;
  }

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
  void read(ParameterReader& r) override {
    Eigen::MatrixXd b = Eigen::MatrixXd::Ones(1, 1), a = Eigen::MatrixXd::Ones(1, 1);
    r.vectorOfAnySize("b", b, "1", "coefficients of the numerator, highest power first");
    r.vectorOfAnySize("a", a, "1", "coefficients of the denominator, highest power first");
    const bool fine = r.require(a.size() > 0 && a(0) != 0, "a", "must not begin with zero") &&
                      r.require(a.size() <= 501, "a", "must not be of a higher order than 500") &&
                      r.require(b.size() > 0, "b", "must not be empty") &&
                      r.require(b.size() <= a.size(), "b", "must not be longer than a");
    if (!fine) a = b = Eigen::MatrixXd::Ones(1, 1);
    readSampled(r, 1);
    // xext = (x1, pre(x)) with x1 = (u - a(2..) pre(x))/a(1);  x = its first n elements, y = b xext
    const Eigen::Index n = a.size() - 1;
    Eigen::RowVectorXd numerator = Eigen::RowVectorXd::Zero(n + 1);
    numerator.tail(b.size()) = b.col(0).transpose();
    const Eigen::RowVectorXd feedback = -a.col(0).tail(n).transpose() / a(0);
    A_ = Eigen::MatrixXd::Zero(n, n);
    B_ = Eigen::MatrixXd::Zero(n, 1);
    if (n > 0) {
      A_.row(0) = feedback;
      B_(0, 0) = 1 / a(0);
    }
    for (Eigen::Index i = 1; i < n; ++i) A_(i, i - 1) = 1;
    C_ = numerator(0) * feedback + numerator.tail(n);
    D_ = Eigen::MatrixXd::Constant(1, 1, numerator(0) / a(0));
  }
};

/// Source  MSL 4.0 Blocks.Discrete.StateSpace
class SampledStateSpace final : public SampledSystem {
 public:
  void read(ParameterReader& r) override {
    A_ = Eigen::MatrixXd::Identity(2, 2);
    B_ = Eigen::MatrixXd::Ones(2, 1);
    C_ = Eigen::MatrixXd::Ones(1, 2);
    r.table("A", A_, "1", "x = A pre(x) + B u");
    r.table("B", B_, "1", "x = A pre(x) + B u");
    r.table("C", C_, "1", "y = C pre(x) + D u");
    D_ = Eigen::MatrixXd::Zero(C_.rows(), B_.cols());
    r.table("D", D_, "1", "y = C pre(x) + D u");
    const bool fine =
        r.require(A_.rows() == A_.cols(), "A", "must be square") &&
        r.require(B_.rows() == A_.rows() && B_.cols() > 0, "B", "must have as many rows as A") &&
        r.require(C_.cols() == A_.cols() && C_.rows() > 0, "C", "must have as many columns as A") &&
        r.require(D_.rows() == C_.rows() && D_.cols() == B_.cols(), "D",
                  "must have the rows of C and the columns of B");
    if (!fine) {
      A_ = B_ = C_ = Eigen::MatrixXd::Ones(1, 1);
      D_ = Eigen::MatrixXd::Zero(1, 1);
    }
    scalar_ = false;
    readSampled(r, D_.cols());
  }
};

/// What a block does where its trigger rises.
struct Trigger {
  SignalId signal;
  void read(ParameterReader& r) { r.input("trigger", 1, "", "its rise takes the input"); }
  void declare(Structure& s) {
    signal = s.input("trigger", 1);
    change_.declare(s);
    at_.declare(s, "at", {kNotNow});
  }
  /// True in the event in which the trigger rises, as long as others change at it.
  bool rises(const View<double>& x, Modes& m) const {
    if (change_.change(m, x.input(signal) > 0.5) > 0) at_.hold(m, 0, x.time());
    const bool open = at_.get(m, 0) == x.time();
    if (m.isQuiet()) at_.hold(m, 0, kNotNow);
    return open;
  }

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
  void read(ParameterReader& r) override {
    if (!Maximum) r.real("y_start", y_start_, "1", "output before the first trigger");
    r.input("u", 1, "1", "input");
    trigger_.read(r);
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    trigger_.declare(s);
    y_.declare(s, "y", {y_start_, y_start_});
  }
  void describe(Variables& v) const override { describeHeld(v, y_, 0); }
  bool transition(const View<double>& x, Modes& m) const override {
    const double u = x.input(u_);
    const bool changed = trigger_.rises(x, m) &&
                         holdChanged(m, y_, 0, Maximum ? std::max(y_.get(m, 1), std::abs(u)) : u);
    if (m.isQuiet()) y_.hold(m, 1, y_.get(m, 0));
    return changed;
  }

 private:
  double y_start_ = 0;
  Trigger trigger_;
  SignalId u_;
  Held y_;  ///< y, y before the trigger
};

Catalogue sampled() {
  return {
      entry<Sampler>("Blocks.Sampler", "samples the input"),
      entry<ZeroOrderHold>("Blocks.ZeroOrderHold", "holds a sample of the input"),
      entry<FirstOrderHold>("Blocks.FirstOrderHold", "straight line through the last two samples"),
      entry<UnitDelay>("Blocks.UnitDelay", "sampled input of a period ago"),
      entry<SampledTransferFunction>("Blocks.Discrete.TransferFunction",
                                     "sampled transfer function"),
      entry<SampledStateSpace>("Blocks.Discrete.StateSpace", "sampled linear state-space system"),
      entry<Triggered<false>>("Blocks.TriggeredSampler", "input where a trigger rose"),
      entry<Triggered<true>>("Blocks.TriggeredMax",
                             "largest input of the instants where a trigger rose"),
  };
}

}  // namespace cardan::blocks
