/// Blocks whose output cannot change, or grow, without limit.

#include "components/blocks/initial_state.h"
#include "components/blocks/reset.h"
#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"
#include "components/component.h"
#include "components/laws/relation.h"

namespace cardan::blocks {

/// Follows u with a bounded rate.
///
/// Unknowns   y
/// Equations  der(y) = (u - y)/Td, between Falling and Rising
/// Modes      rises, falls: the bounds are met
/// Source     MSL 4.0 Blocks.Nonlinear.SlewRateLimiter
class SlewRateLimiter final : public ComponentOf<SlewRateLimiter> {
 public:
  void read(ParameterReader& r) override {
    r.real("Rising", Rising_, "1/s", "largest rate", kPositive);
    Falling_ = -Rising_;
    r.real("Falling", Falling_, "1/s", "smallest rate, below zero; default: -Rising");
    r.require(Falling_ < 0, "Falling", "must be below zero");
    r.real("Td", Td_, "s", "time constant with which u is followed", kPositive);
    readInit(r, init_);
    r.real("y_start", y_start_, "1", "start value of the output");
    startGiven_ = r.isGiven("y_start");
    bool strict = false;
    r.boolean("strict", strict, "not used");
    r.input("u", 1, "1", "input");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    UnknownInfo info{"y", "1", "output"};
    info.start = y_start_;
    y_ = s.unknown(info, Kind::Differential);
    row_ = s.row("y");
    rises_.declare(s, "rises");
    falls_.declare(s, "falls");
  }
  void describe(Variables& v) const override {
    v.scalar(output("y", "output", Level::Position),
             [this](const auto& x) { return x.unknown(y_); });
    startState(v, "y", y_start_, init_ == Init::InitialState || init_ == Init::InitialOutput,
               startGiven_);
    if (init_ == Init::SteadyState) {
      initially(v, "the output is the input", Level::Acceleration,
                [this](const auto& x) { return x.unknown(y_) - x.input(u_); });
    }
  }
  void guards(const View<double>& x, Guards& g) const override {
    const double rate = wanted(x);
    rises_.guard(x, g, rate - Rising_, Rising_);
    falls_.guard(x, g, Falling_ - rate, Falling_);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const double rate = wanted(x);
    const bool changed = rises_.update(m, rate - Rising_, Rising_);
    return falls_.update(m, Falling_ - rate, Falling_) || changed;
  }

  template <class S>
  void physics(View<S>& x) const {
    const S rate = rises_.beyond(x) ? S(Rising_) : falls_.beyond(x) ? S(Falling_) : S(wanted(x));
    x.row(row_) = x.rate(y_) - rate;
  }

 private:
  template <class S>
  S wanted(const View<S>& x) const {
    return (x.input(u_) - x.unknown(y_)) * (1 / Td_);
  }
  double Rising_ = 1, Falling_ = -1;  ///< [1/s]
  double Td_ = 0.001;                 ///< [s]
  Init init_ = Init::SteadyState;
  double y_start_ = 0;
  bool startGiven_ = false;
  SignalId u_;
  UnknownId y_;
  RowId row_;
  one_dimensional::Kink rises_, falls_;
};

/// Integral of k u that stops at limits; a reset sets it to another value.
///
/// Unknowns   y
/// Equations  der(y) = k u;  0 where y has reached outMax and k u > 0, or outMin and k u < 0
/// Mode       limit: 1 at outMax, -1 at outMin, 0 between
/// Source     MSL 4.0 Blocks.Continuous.LimIntegrator
class LimIntegrator final : public ComponentOf<LimIntegrator> {
 public:
  void read(ParameterReader& r) override {
    bool limitsAtInit = true, strict = false;
    r.real("k", k_, "1", "gain");
    r.real("outMax", outMax_, "1", "upper limit of the output");
    outMin_ = -outMax_;
    r.real("outMin", outMin_, "1", "lower limit of the output; default: -outMax");
    r.require(outMax_ > outMin_, "outMax", "must be above outMin");
    reset_.read(r);
    readInit(r, init_);
    r.boolean("limitsAtInit", limitsAtInit, "not used: the limits always hold");
    r.real("y_start", y_start_, "1", "start value of the output, which is the state");
    startGiven_ = r.isGiven("y_start");
    r.boolean("strict", strict, "not used");
    r.require(y_start_ >= outMin_ && y_start_ <= outMax_, "y_start", "must lie between the limits");
    r.input("u", 1, "1", "input");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    UnknownInfo info{"y", "1", "output"};
    info.start = y_start_;
    y_ = s.unknown(info, Kind::Differential);
    row_ = s.row("y");
    limit_ = s.mode("limit", 0);
    reset_.declare(s);
  }
  void describe(Variables& v) const override {
    v.scalar(output("y", "output", Level::Position),
             [this](const auto& x) { return x.unknown(y_); });
    startState(v, "y", y_start_, init_ == Init::InitialState || init_ == Init::InitialOutput,
               startGiven_);
    if (init_ == Init::SteadyState) {
      initially(v, "the output starts in steady state", Level::Acceleration,
                [this](const auto& x) { return x.rate(y_); });
    }
  }
  void guards(const View<double>& x, Guards& g) const override {
    const double y = x.unknown(y_), rate = k_ * x.input(u_);
    const int limit = x.mode(limit_);
    if (limit != 0) {
      g.crossing(limit * rate);
      g.crossing(1);
      return;
    }
    g.crossing(rate > 0 || y < outMax_ ? outMax_ + hair(outMax_) - y : 1);
    g.crossing(rate < 0 || y > outMin_ ? y - outMin_ + hair(outMin_) : 1);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const double y = x.unknown(y_), rate = k_ * x.input(u_);
    const int was = m.get(limit_);
    int is = was;
    if (was != 0) {
      // A reset may have taken it away from there.
      const double beyond = was > 0 ? y - outMax_ + hair(outMax_) : outMin_ - y + hair(outMin_);
      if (was * rate < 0 || beyond < 0) is = 0;
    } else if (y >= outMax_ + 0.5 * hair(outMax_) && rate > 0) {
      is = 1;
    } else if (y <= outMin_ - 0.5 * hair(outMin_) && rate < 0) {
      is = -1;
    }
    const bool isReset = reset_.transition(x, m, y_, y_start_);
    if (is == was) return isReset;
    m.set(limit_, is);
    return true;
  }

  template <class S>
  void physics(View<S>& x) const {
    x.row(row_) = x.mode(limit_) != 0 ? x.rate(y_) : S(x.rate(y_) - k_ * x.input(u_));
  }

 private:
  double hair(double limit) const { return 1e-10 * (1 + (limit < 0 ? -limit : limit)); }
  double k_ = 1, outMax_ = 1, outMin_ = -1;
  Init init_ = Init::InitialState;
  double y_start_ = 0;
  bool startGiven_ = false;
  SignalId u_;
  UnknownId y_;
  RowId row_;
  ModeId limit_;
  Reset reset_;
};

Catalogue rateLimits() {
  return {
      entry<SlewRateLimiter>("Blocks.SlewRateLimiter", "follows the input with a bounded rate"),
      entry<LimIntegrator>("Blocks.LimIntegrator", "integral that stops at limits"),
  };
}

}  // namespace cardan::blocks
