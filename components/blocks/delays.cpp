/// Delays: a signal as it was some time ago.
#include <fmt/format.h>

#include <cmath>

#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"
#include "components/component.h"
#include "components/past.h"

namespace cardan::blocks {

/// y(t) = u(t - delayTime); u at the start before.
///
/// Mode    stretch: that of the record of u which is read (Past); jumps of u come out as time events
/// Source  MSL 4.0 Blocks.Nonlinear.FixedDelay
class FixedDelay final : public ComponentOf<FixedDelay> {
 public:
  void read(ParameterReader& r) override {
    r.real("delayTime", delayTime_, "s", "delay of the output", kNotNegative);
    r.require(r.isGiven("delayTime"), "delayTime", "must be given");
    r.input("u", 1, "1", "input");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    stretch_ = s.mode("stretch", 0);
    past_ = s.past(u_, stretch_, delayTime_);
  }
  void describe(Variables& v) const override {
    v.scalar(output("y", "input of delayTime ago", Level::Position, {u_}), [this](const auto& x) {
      using S = std::decay_t<decltype(x.time())>;
      return x.past(past_).at(S(x.time() - delayTime_), x.time(), x.input(u_), x.mode(stretch_));
    });
  }
  void guards(const View<double>& x, Guards& g) const override {
    const Past& past = x.past(past_);
    g.readsPast(past_, delayTime_);
    const int next = x.mode(stretch_) + 1;
    if (next <= past.stretches()) g.timeEvent(past.begins(next) + delayTime_);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const Past& past = x.past(past_);
    int now = m.get(stretch_);
    while (now < past.stretches() && hasCome(past.begins(now + 1) + delayTime_, x.time())) ++now;
    if (now == m.get(stretch_)) return false;
    m.set(stretch_, now);
    return true;
  }

 private:
  double delayTime_ = 1;  ///< [s]  >= 0
  SignalId u_;
  ModeId stretch_;
  PastId past_;
};

/// y(t) = u(t - delayTime(t)), 0 <= delayTime <= delayMax; u at the start before.
///
/// Mode       stretch: that of the record of u which is read (Past)
/// Crossings  t - delayTime passes a place where u, or its rate, has jumped
/// Source     MSL 4.0 Blocks.Nonlinear.VariableDelay
class VariableDelay final : public ComponentOf<VariableDelay> {
 public:
  void read(ParameterReader& r) override {
    r.real("delayMax", delayMax_, "s", "longest delay", kPositive);
    r.require(r.isGiven("delayMax"), "delayMax", "must be given");
    r.input("u", 1, "1", "input");
    r.input("delayTime", 1, "s", "delay of the output, from 0 to delayMax");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    delayTime_ = s.input("delayTime", 1);
    stretch_ = s.mode("stretch", 0);
    past_ = s.past(u_, stretch_, delayMax_);
  }
  void describe(Variables& v) const override {
    v.scalar(output("y", "input of delayTime ago", Level::Position, {u_, delayTime_}),
             [this](const auto& x) {
               using S = std::decay_t<decltype(x.time())>;
               return x.past(past_).at(S(x.time() - x.input(delayTime_)), x.time(), x.input(u_),
                                       x.mode(stretch_));
             });
  }
  void guards(const View<double>& x, Guards& g) const override {
    const Past& past = x.past(past_);
    const double ago = x.input(delayTime_), read = x.time() - ago;
    const double beyond = 1e-9 * delayMax_;
    g.readsPast(past_, ago);
    const int now = x.mode(stretch_);
    g.crossing(now < past.stretches() ? past.begins(now + 1) + hair(read) - read : 1);
    g.crossing(now > 0 ? read - past.begins(now) + hair(read) : 1);
    g.crossing(delayMax_ + beyond - ago);
    g.crossing(ago + beyond);
    if (ago >= -beyond && ago <= delayMax_ + beyond) return;
    g.fail(fmt::format("'delayTime' is {}, which must not be below 0 nor above delayMax, {}", ago,
                       delayMax_));
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const Past& past = x.past(past_);
    const double read = x.time() - x.input(delayTime_), half = 0.5 * hair(read);
    const int was = m.get(stretch_);
    int now = was;
    while (now < past.stretches() && read >= past.begins(now + 1) + half) ++now;
    while (now > 0 && read <= past.begins(now) - half) --now;
    if (now == was) return false;
    m.set(stretch_, now);
    return true;
  }

 private:
  /// Distance by which a break must be passed before it is an event [s].
  double hair(double time) const { return 1e-10 * (delayMax_ + std::abs(time)); }

  double delayMax_ = 1;  ///< [s]  > 0
  SignalId u_, delayTime_;
  ModeId stretch_;
  PastId past_;
};

Catalogue delays() {
  return {
      entry<FixedDelay>("Blocks.FixedDelay", "input of a fixed time ago"),
      entry<VariableDelay>("Blocks.VariableDelay", "input of a time ago that is a signal"),
  };
}

}  // namespace cardan::blocks
