#include "components/blocks/logical.h"

#include <cmath>

#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"

namespace cardan::blocks {
namespace {

template <class F>
void describeTruthOf(Variables& v, const char* name, const char* about, std::vector<SignalId> reads,
                     F f) {
  describe::truth(v, output(name, about, Level::Time, std::move(reads)), f);
}

}  // namespace

template <EdgeKind K>
void EdgeBlock<K>::read(ParameterReader& r) {
  r.boolean("pre_u_start", pre_u_start_, "value of u before the start");
  r.input("u", 1, "", "input");
}

template <EdgeKind K>
void EdgeBlock<K>::declare(Structure& s) {
  u_ = s.input("u", 1);
  before_.declare(s, pre_u_start_);
}

template <EdgeKind K>
void EdgeBlock<K>::describe(Variables& v) const {
  const char* about = K == EdgeKind::before    ? "u as it was"
                      : K == EdgeKind::rising  ? "u becomes true"
                      : K == EdgeKind::falling ? "u becomes false"
                                               : "u changes";
  describeTruthOf(v, "y", about, K == EdgeKind::before ? std::vector<SignalId>{} : std::vector{u_},
                  [this](const auto& x) {
                    const bool was = before_.was(x);
                    if (K == EdgeKind::before) return was;
                    const bool is = x.input(u_) > 0.5;
                    return is != was && (K == EdgeKind::any || is == (K == EdgeKind::rising));
                  });
}

void ZeroCrossing::read(ParameterReader& r) {
  r.input("u", 1, "1", "signal whose zeros are looked for");
  r.input("enable", 1, "", "they are looked for while it is true");
}

void ZeroCrossing::declare(Structure& s) {
  u_ = s.input("u", 1);
  enable_ = s.input("enable", 1);
  positive_.declare(s, "positive");
  wasPositive_.declare(s, false);
  wasEnabled_.declare(s, false);
}

void ZeroCrossing::describe(Variables& v) const {
  describeTruthOf(v, "y", "u passes zero", {enable_}, [this](const auto& x) {
    const bool enabled = x.input(enable_) > 0.5;
    return isPositive(x) != wasPositive_.was(x) && enabled == wasEnabled_.was(x);
  });
}

void ZeroCrossing::guards(const View<double>& x, Guards& g) const {
  positive_.guard(x, g, x.input(u_));
}

bool ZeroCrossing::transition(const View<double>& x, Modes& m) const {
  if (positive_.update(m, x.input(u_))) return true;
  const bool changed = wasPositive_.follow(m, isPositive(x));
  return wasEnabled_.follow(m, x.input(enable_) > 0.5) || changed;
}

void OnOffController::read(ParameterReader& r) {
  r.real("bandwidth", bandwidth_, "1", "width of the band around the reference", kPositive);
  r.boolean("pre_y_start", pre_y_start_, "value before the start");
  r.input("reference", 1, "1", "what u is held at");
  r.input("u", 1, "1", "measurement");
}

void OnOffController::declare(Structure& s) {
  reference_ = s.input("reference", 1);
  u_ = s.input("u", 1);
  y_ = s.mode("y", pre_y_start_ ? 1 : 0);
}

void OnOffController::describe(Variables& v) const {
  describeTruthOf(v, "y", "on", {}, [this](const auto& x) { return x.mode(y_) != 0; });
}

void OnOffController::guards(const View<double>& x, Guards& g) const {
  const double half = 0.5 * bandwidth_ * (1 + 1e-10);
  g.crossing(x.input(u_) - x.input(reference_) - (x.mode(y_) ? half : -half));
}

bool OnOffController::transition(const View<double>& x, Modes& m) const {
  const double difference = x.input(u_) - x.input(reference_), half = 0.5 * bandwidth_;
  const bool was = m.get(y_) != 0;
  const bool is = was ? difference < half : difference < -half;
  if (is == was) return false;
  m.set(y_, is ? 1 : 0);
  return true;
}

void RSFlipFlop::read(ParameterReader& r) {
  r.boolean("Qini", Qini_, "value of Q before the start");
  r.input("S", 1, "", "sets Q");
  r.input("R", 1, "", "clears Q");
}

void RSFlipFlop::declare(Structure& s) {
  S_ = s.input("S", 1);
  R_ = s.input("R", 1);
  QI_.declare(s, !Qini_);
}

void RSFlipFlop::describe(Variables& v) const {
  describeTruthOf(v, "Q", "set", {R_},
                  [this](const auto& x) { return !(QI_.was(x) || x.input(R_) > 0.5); });
  describeTruthOf(v, "QI", "cleared", {}, [this](const auto& x) { return QI_.was(x); });
}

bool RSFlipFlop::transition(const View<double>& x, Modes& m) const {
  const bool Q = !(QI_.was(x) || x.input(R_) > 0.5);
  return QI_.follow(m, !(x.input(S_) > 0.5 || Q));
}

void Timer::declare(Structure& s) {
  u_ = s.input("u", 1);
  change_.declare(s);
  entryTime_.declare(s, "entryTime", {0});
}

void Timer::describe(Variables& v) const {
  v.scalar(output("y", "time since u became true", Level::Time, {u_}), [this](const auto& x) {
    return (x.input(u_) > 0.5 ? 1.0 : 0.0) * (x.time() - entryTime_(x));
  });
}

bool Timer::transition(const View<double>& x, Modes& m) const {
  if (change_.change(m, x.input(u_) > 0.5) <= 0) return false;
  entryTime_.hold(m, 0, x.time());
  return true;
}

void LogicalDelay::read(ParameterReader& r) {
  r.real("delayTime", delayTime_, "s", "delay", kNotNegative);
  r.input("u", 1, "", "input");
}

void LogicalDelay::declare(Structure& s) {
  u_ = s.input("u", 1);
  change_.declare(s);
  over_ = s.mode("over", 1);
  tSwitch_.declare(s, "tSwitch", {-kNever});
}

void LogicalDelay::describe(Variables& v) const {
  describeTruthOf(v, "y1", "rises with u, falls later", {u_},
                  [this](const auto& x) { return x.input(u_) > 0.5 || x.mode(over_) == 0; });
  describeTruthOf(v, "y2", "rises later than u, falls with it", {u_},
                  [this](const auto& x) { return x.input(u_) > 0.5 && x.mode(over_) != 0; });
}

void LogicalDelay::guards(const View<double>& x, Guards& g) const {
  if (x.mode(over_) == 0) g.timeEvent(tSwitch_(x) + delayTime_);
}

bool LogicalDelay::transition(const View<double>& x, Modes& m) const {
  const bool switched = change_.change(m, x.input(u_) > 0.5) != 0;
  if (switched) tSwitch_.hold(m, 0, x.time());
  const int over = hasCome(tSwitch_.get(m, 0) + delayTime_, x.time()) ? 1 : 0;
  const bool changed = switched || m.get(over_) != over;
  m.set(over_, over);
  return changed;
}

void TriggeredTrapezoid::read(ParameterReader& r) {
  r.real("amplitude", amplitude_, "1", "height of the trapezoid");
  r.real("rising", rising_, "s", "time in which it rises", kNotNegative);
  falling_ = rising_;
  r.real("falling", falling_, "s", "time in which it falls; default: rising", kNotNegative);
  r.real("offset", offset_, "1", "added to the signal");
  r.input("u", 1, "", "trigger");
}

void TriggeredTrapezoid::declare(Structure& s) {
  u_ = s.input("u", 1);
  change_.declare(s);
  ramps_ = s.mode("ramps", 0);
  held_.declare(s, "held", {offset_, 0, -kNever});
}

void TriggeredTrapezoid::describe(Variables& v) const {
  v.scalar(output("y", "output", Level::Time), [this](const auto& x) {
    using S = std::decay_t<decltype(x.time())>;
    const S end = S(held_(x, endValue)) + 0.0 * x.time();
    if (x.mode(ramps_) == 0) return end;
    return S(end - (held_(x, endTime) - x.time()) * held_(x, rate));
  });
}

void TriggeredTrapezoid::guards(const View<double>& x, Guards& g) const {
  if (x.mode(ramps_) != 0) g.timeEvent(held_(x, endTime));
}

bool TriggeredTrapezoid::transition(const View<double>& x, Modes& m) const {
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

void AssertCondition::read(ParameterReader& r) {
  r.string("message", message_, "what is said where u is false");
  enum class Level { error, warning } level = Level::error;
  r.enumeration("assertionLevel", level, {{"error", Level::error}, {"warning", Level::warning}},
                "error: the run fails; warning: it goes on, without a word");
  fails_ = level == Level::error;
  r.input("u", 1, "", "condition");
}

Catalogue logical() {
  return {
      entry<Pre>("Blocks.Pre", "truth value as it was before the event"),
      entry<Edge>("Blocks.Edge", "true where the input becomes true"),
      entry<FallingEdge>("Blocks.FallingEdge", "true where the input becomes false"),
      entry<Change>("Blocks.Change", "true where the input changes"),
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
