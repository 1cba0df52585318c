/// Logical blocks with a memory: edges, flip-flop, timer, delays of truth values, two-point controller.

#include "components/blocks/time_source.h"
#include "components/blocks/truth_memory.h"
#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"
#include "components/laws/held.h"
#include "components/laws/relation.h"

namespace cardan::blocks {
namespace {

template <class F>
void describeTruthOf(Variables& v, const char* name, const char* about, std::vector<SignalId> reads,
                     F f) {
  describe::truth(v, output(name, about, Level::Time, std::move(reads)), f);
}

}  // namespace

enum class EdgeKind { before, rising, falling, any };

/// before: y = pre(u), which breaks algebraic loops;  others: y is true within the event at which u
/// rises, falls, or either.
///
/// Source  MSL 4.0 Blocks.Logical.Pre, Edge, FallingEdge, Change
template <EdgeKind K>
class EdgeBlock final : public ComponentOf<EdgeBlock<K>> {
 public:
  void read(ParameterReader& r) override {
    r.boolean("pre_u_start", pre_u_start_, "value of u before the start");
    r.input("u", 1, "", "input");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    before_.declare(s, pre_u_start_);
  }
  void describe(Variables& v) const override {
    const char* about = K == EdgeKind::before    ? "u as it was"
                        : K == EdgeKind::rising  ? "u becomes true"
                        : K == EdgeKind::falling ? "u becomes false"
                                                 : "u changes";
    describeTruthOf(v, "y", about,
                    K == EdgeKind::before ? std::vector<SignalId>{} : std::vector{u_},
                    [this](const auto& x) {
                      const bool was = before_.was(x);
                      if (K == EdgeKind::before) return was;
                      const bool is = x.input(u_) > 0.5;
                      return is != was && (K == EdgeKind::any || is == (K == EdgeKind::rising));
                    });
  }
  bool transition(const View<double>& x, Modes& m) const override {
    return before_.follow(m, x.input(u_) > 0.5);
  }

 private:
  bool pre_u_start_ = false;
  SignalId u_;
  Before before_;
};

/// y is true within the event at which u passes zero, which counts as positive, while `enable` is true.
///
/// Source  MSL 4.0 Blocks.Logical.ZeroCrossing
class ZeroCrossing final : public ComponentOf<ZeroCrossing> {
 public:
  void read(ParameterReader& r) override {
    r.input("u", 1, "1", "signal whose zeros are looked for");
    r.input("enable", 1, "", "they are looked for while it is true");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    enable_ = s.input("enable", 1);
    negative_.declare(s, "negative");
    wasPositive_.declare(s, false);
    wasEnabled_.declare(s, false);
  }
  void describe(Variables& v) const override {
    describeTruthOf(v, "y", "u passes zero", {enable_}, [this](const auto& x) {
      const bool enabled = x.input(enable_) > 0.5;
      return isPositive(x) != wasPositive_.was(x) && enabled == wasEnabled_.was(x);
    });
  }
  void guards(const View<double>& x, Guards& g) const override {
    negative_.guard(x, g, -x.input(u_));
  }
  bool transition(const View<double>& x, Modes& m) const override {
    if (negative_.update(m, -x.input(u_))) return true;
    const bool changed = wasPositive_.follow(m, isPositive(x));
    return wasEnabled_.follow(m, x.input(enable_) > 0.5) || changed;
  }

 private:
  template <class S>
  bool isPositive(const View<S>& x) const {
    return x.input(enable_) > 0.5 && !negative_.holds(x);
  }
  SignalId u_, enable_;
  one_dimensional::Relation negative_;
  Before wasPositive_, wasEnabled_;
};

/// y switches on below reference - bandwidth/2, and off above reference + bandwidth/2.
///
/// Source  MSL 4.0 Blocks.Logical.OnOffController
class OnOffController final : public ComponentOf<OnOffController> {
 public:
  void read(ParameterReader& r) override {
    r.real("bandwidth", bandwidth_, "1", "width of the band around the reference", kPositive);
    r.boolean("pre_y_start", pre_y_start_, "value before the start");
    r.input("reference", 1, "1", "what u is held at");
    r.input("u", 1, "1", "measurement");
  }
  void declare(Structure& s) override {
    reference_ = s.input("reference", 1);
    u_ = s.input("u", 1);
    y_ = s.mode("y", pre_y_start_ ? 1 : 0);
  }
  void describe(Variables& v) const override {
    describeTruthOf(v, "y", "on", {}, [this](const auto& x) { return x.mode(y_) != 0; });
  }
  void guards(const View<double>& x, Guards& g) const override {
    const double half = 0.5 * bandwidth_ * (1 + 1e-10);
    g.crossing(x.input(u_) - x.input(reference_) - (x.mode(y_) ? half : -half));
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const double difference = x.input(u_) - x.input(reference_), half = 0.5 * bandwidth_;
    const bool was = m.get(y_) != 0;
    const bool is = was ? difference < half : difference < -half;
    if (is == was) return false;
    m.set(y_, is ? 1 : 0);
    return true;
  }

 private:
  double bandwidth_ = 0.1;
  bool pre_y_start_ = false;
  SignalId reference_, u_;
  ModeId y_;
};

/// Q is set by S and cleared by R; QI is its opposite, both are false where S and R are true.
///
/// Equations  Q = not (QI or R);  QI = pre(not (S or Q))
/// Source     MSL 4.0 Blocks.Logical.RSFlipFlop
class RSFlipFlop final : public ComponentOf<RSFlipFlop> {
 public:
  void read(ParameterReader& r) override {
    r.boolean("Qini", Qini_, "value of Q before the start");
    r.input("S", 1, "", "sets Q");
    r.input("R", 1, "", "clears Q");
  }
  void declare(Structure& s) override {
    S_ = s.input("S", 1);
    R_ = s.input("R", 1);
    QI_.declare(s, !Qini_);
  }
  void describe(Variables& v) const override {
    describeTruthOf(v, "Q", "set", {R_},
                    [this](const auto& x) { return !(QI_.was(x) || x.input(R_) > 0.5); });
    describeTruthOf(v, "QI", "cleared", {}, [this](const auto& x) { return QI_.was(x); });
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool Q = !(QI_.was(x) || x.input(R_) > 0.5);
    return QI_.follow(m, !(x.input(S_) > 0.5 || Q));
  }

 private:
  bool Qini_ = false;
  SignalId S_, R_;
  Before QI_;
};

/// y = time since u became true, 0 while it is false.
///
/// Source  MSL 4.0 Blocks.Logical.Timer
class Timer final : public ComponentOf<Timer> {
 public:
  void read(ParameterReader& r) override { r.input("u", 1, "", "input"); }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    change_.declare(s);
    entryTime_.declare(s, "entryTime", {0});
  }
  void describe(Variables& v) const override {
    v.scalar(output("y", "time since u became true", Level::Time, {u_}), [this](const auto& x) {
      return (x.input(u_) > 0.5 ? 1.0 : 0.0) * (x.time() - entryTime_(x));
    });
  }
  bool transition(const View<double>& x, Modes& m) const override {
    if (change_.change(m, x.input(u_) > 0.5) <= 0) return false;
    entryTime_.hold(m, 0, x.time());
    return true;
  }

 private:
  SignalId u_;
  ChangeOfTruth change_;
  Held entryTime_;
};

/// y1 falls, y2 rises a time after u does; otherwise both follow u at once.
///
/// Source  MSL 4.0 Blocks.Logical.LogicalDelay
class LogicalDelay final : public ComponentOf<LogicalDelay> {
 public:
  void read(ParameterReader& r) override {
    r.real("delayTime", delayTime_, "s", "delay", kNotNegative);
    r.input("u", 1, "", "input");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    change_.declare(s);
    over_ = s.mode("over", 1);
    tSwitch_.declare(s, "tSwitch", {-kNever});
  }
  void describe(Variables& v) const override {
    describeTruthOf(v, "y1", "rises with u, falls later", {u_},
                    [this](const auto& x) { return x.input(u_) > 0.5 || x.mode(over_) == 0; });
    describeTruthOf(v, "y2", "rises later than u, falls with it", {u_},
                    [this](const auto& x) { return x.input(u_) > 0.5 && x.mode(over_) != 0; });
  }
  void guards(const View<double>& x, Guards& g) const override {
    if (x.mode(over_) == 0) g.timeEvent(tSwitch_(x) + delayTime_);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool switched = change_.change(m, x.input(u_) > 0.5) != 0;
    if (switched) tSwitch_.hold(m, 0, x.time());
    const int over = hasCome(tSwitch_.get(m, 0) + delayTime_, x.time()) ? 1 : 0;
    const bool changed = switched || m.get(over_) != over;
    m.set(over_, over);
    return changed;
  }

 private:
  double delayTime_ = 0;  ///< [s]
  SignalId u_;
  ChangeOfTruth change_;
  ModeId over_;  ///< the delay is over
  Held tSwitch_;
};

/// Rises towards offset + amplitude while u is true, falls towards offset while it is not.
///
/// Source  MSL 4.0 Blocks.Logical.TriggeredTrapezoid
class TriggeredTrapezoid final : public ComponentOf<TriggeredTrapezoid> {
 public:
  void read(ParameterReader& r) override {
    r.real("amplitude", amplitude_, "1", "height of the trapezoid");
    r.real("rising", rising_, "s", "time in which it rises", kNotNegative);
    falling_ = rising_;
    r.real("falling", falling_, "s", "time in which it falls; default: rising", kNotNegative);
    r.real("offset", offset_, "1", "added to the signal");
    r.input("u", 1, "", "trigger");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    change_.declare(s);
    ramps_ = s.mode("ramps", 0);
    held_.declare(s, "held", {offset_, 0, -kNever});
  }
  void describe(Variables& v) const override {
    v.scalar(output("y", "output", Level::Time), [this](const auto& x) {
      using S = std::decay_t<decltype(x.time())>;
      const S end = S(held_(x, endValue)) + 0.0 * x.time();
      if (x.mode(ramps_) == 0) return end;
      return S(end - (held_(x, endTime) - x.time()) * held_(x, rate));
    });
  }
  void guards(const View<double>& x, Guards& g) const override {
    if (x.mode(ramps_) != 0) g.timeEvent(held_(x, endTime));
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool u = x.input(u_) > 0.5;
    const double end = u ? offset_ + amplitude_ : offset_;
    if (change_.change(m, u) == 0) {
      // At the start it stands where u wants it.
      const bool atStart = held_.get(m, endTime) == -kNever && held_.get(m, endValue) != end;
      const bool over = m.get(ramps_) != 0 && hasCome(held_.get(m, endTime), x.time());
      if (atStart) held_.hold(m, endValue, end);
      if (over) m.set(ramps_, 0);
      return atStart || over;
    }
    double y = held_.get(m, endValue);
    if (m.get(ramps_) != 0) y -= (held_.get(m, endTime) - x.time()) * held_.get(m, rate);
    const double duration = u ? rising_ : falling_;
    const double slope = duration > 0 ? (u ? amplitude_ : -amplitude_) / duration : 0;
    held_.hold(m, endValue, end);
    held_.hold(m, rate, slope);
    held_.hold(m, endTime, slope != 0 ? x.time() + (end - y) / slope : x.time());
    m.set(ramps_, hasCome(held_.get(m, endTime), x.time()) ? 0 : 1);
    return true;
  }

 private:
  enum Number { endValue, rate, endTime };
  double amplitude_ = 1, offset_ = 0;
  double rising_ = 0, falling_ = 0;  ///< [s]
  SignalId u_;
  ChangeOfTruth change_;
  ModeId ramps_;
  Held held_;
};

/// The run fails where u is false.
///
/// Source  MSL 4.0 Blocks.Logical.AssertCondition
class AssertCondition final : public ComponentOf<AssertCondition> {
 public:
  void read(ParameterReader& r) override {
    r.string("message", message_, "what is said where u is false");
    enum class Level { error, warning } level = Level::error;
    r.enumeration("assertionLevel", level, {{"error", Level::error}, {"warning", Level::warning}},
                  "error: the run fails; warning: it goes on, without a word");
    fails_ = level == Level::error;
    r.input("u", 1, "", "condition");
  }
  void declare(Structure& s) override { u_ = s.input("u", 1); }
  void guards(const View<double>& x, Guards& g) const override {
    if (!(x.input(u_) > 0.5) && fails_) g.fail(message_);
  }

 private:
  std::string message_ = "Assert block failed";
  bool fails_ = true;
  SignalId u_;
};

Catalogue logical() {
  return {
      entry<EdgeBlock<EdgeKind::before>>("Blocks.Pre", "truth value as it was before the event"),
      entry<EdgeBlock<EdgeKind::rising>>("Blocks.Edge", "true where the input becomes true"),
      entry<EdgeBlock<EdgeKind::falling>>("Blocks.FallingEdge",
                                          "true where the input becomes false"),
      entry<EdgeBlock<EdgeKind::any>>("Blocks.Change", "true where the input changes"),
      entry<ZeroCrossing>("Blocks.ZeroCrossing", "true where the input passes zero"),
      entry<OnOffController>("Blocks.OnOffController", "two-point controller"),
      entry<RSFlipFlop>("Blocks.RSFlipFlop", "flip-flop that is set and cleared"),
      entry<Timer>("Blocks.Timer", "time since the input became true"),
      entry<LogicalDelay>("Blocks.LogicalDelay", "delayed truth value"),
      entry<TriggeredTrapezoid>("Blocks.TriggeredTrapezoid",
                                "trapezoid that follows a truth value"),
      entry<AssertCondition>("Blocks.AssertCondition",
                             "the run fails where a condition does not hold"),
  };
}

}  // namespace cardan::blocks
