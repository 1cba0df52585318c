/// Blocks whose output jumps: comparisons, sign, hysteresis. They are events.
#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"
#include "components/laws/relation.h"

namespace cardan::blocks {

enum class Comparison { less, lessEqual, greater, greaterEqual };

namespace {

bool holds(Comparison c, double difference) {
  switch (c) {
    case Comparison::less:
      return difference < 0;
    case Comparison::lessEqual:
      return difference <= 0;
    case Comparison::greater:
      return difference > 0;
    case Comparison::greaterEqual:
      break;
  }
  return difference >= 0;
}

/// Positive on the side where the comparison holds.
double inFavour(Comparison c, double difference) {
  return c == Comparison::less || c == Comparison::lessEqual ? -difference : difference;
}

void describeTruth(Variables& v, const one_dimensional::Relation& relation) {
  describe::truth(v, output("y", "the comparison holds", Level::Time),
                  [&relation](const auto& x) { return relation.holds(x); });
}

}  // namespace

/// y = u compared with a threshold.
///
/// Source  MSL 4.0 Blocks.Logical.LessThreshold, LessEqualThreshold, GreaterThreshold,
///         GreaterEqualThreshold
template <Comparison C>
class Threshold final : public ComponentOf<Threshold<C>> {
 public:
  void read(ParameterReader& r) override {
    r.real("threshold", threshold_, "1", "u is compared with it");
    r.input("u", 1, "1", "input");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    holds_.declare(s, "y");
  }
  void describe(Variables& v) const override { describeTruth(v, holds_); }
  void guards(const View<double>& x, Guards& g) const override {
    holds_.guard(x, g, inFavour(C, x.input(u_) - threshold_), 1 + std::abs(threshold_));
  }
  bool transition(const View<double>& x, Modes& m) const override {
    return holds_.set(m, blocks::holds(C, x.input(u_) - threshold_));
  }

 private:
  double threshold_ = 0;
  SignalId u_;
  one_dimensional::Relation holds_;
};

/// y = u1 compared with u2.
///
/// Source  MSL 4.0 Blocks.Logical.Less, LessEqual, Greater, GreaterEqual
template <Comparison C>
class Compare final : public ComponentOf<Compare<C>> {
 public:
  void read(ParameterReader& r) override {
    r.input("u1", 1, "1", "left side");
    r.input("u2", 1, "1", "right side");
  }
  void declare(Structure& s) override {
    u1_ = s.input("u1", 1);
    u2_ = s.input("u2", 1);
    holds_.declare(s, "y");
  }
  void describe(Variables& v) const override { describeTruth(v, holds_); }
  void guards(const View<double>& x, Guards& g) const override {
    holds_.guard(x, g, inFavour(C, x.input(u1_) - x.input(u2_)), 1 + std::abs(x.input(u2_)));
  }
  bool transition(const View<double>& x, Modes& m) const override {
    return holds_.set(m, blocks::holds(C, x.input(u1_) - x.input(u2_)));
  }

 private:
  SignalId u1_, u2_;
  one_dimensional::Relation holds_;
};

/// y = -1, 0 or 1
class Sign final : public ComponentOf<Sign> {
 public:
  void read(ParameterReader& r) override {
    bool generateEvent = false;
    r.boolean("generateEvent", generateEvent, "not used: a jump is always an event");
    r.input("u", 1, "1", "input");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    positive_.declare(s, "positive");
    negative_.declare(s, "negative");
  }
  void describe(Variables& v) const override {
    v.scalar(output("y", "-1, 0 or 1", Level::Time), [this](const auto& x) {
      return (positive_.holds(x) ? 1.0 : negative_.holds(x) ? -1.0 : 0.0) + 0.0 * x.time();
    });
  }
  void guards(const View<double>& x, Guards& g) const override {
    positive_.guard(x, g, x.input(u_));
    negative_.guard(x, g, -x.input(u_));
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool changed = positive_.update(m, x.input(u_));
    return negative_.update(m, -x.input(u_)) || changed;
  }

 private:
  SignalId u_;
  one_dimensional::Relation positive_, negative_;
};

/// y becomes true where u rises above uHigh and false where it falls below uLow.
///
/// Source  MSL 4.0 Blocks.Logical.Hysteresis
class Hysteresis final : public ComponentOf<Hysteresis> {
 public:
  void read(ParameterReader& r) override {
    r.real("uLow", uLow_, "1", "false below");
    r.real("uHigh", uHigh_, "1", "true above");
    r.boolean("pre_y_start", pre_y_start_, "value before the start");
    r.require(uHigh_ > uLow_, "uHigh", "must be above uLow");
    r.input("u", 1, "1", "input");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", 1);
    y_ = s.mode("y", pre_y_start_ ? 1 : 0);
  }
  void describe(Variables& v) const override {
    describe::truth(v, output("y", "u is high", Level::Time),
                    [this](const auto& x) { return x.mode(y_); });
  }
  void guards(const View<double>& x, Guards& g) const override {
    const double hair = 1e-10 * (uHigh_ - uLow_);
    g.crossing(x.input(u_) - (x.mode(y_) ? uLow_ - hair : uHigh_ + hair));
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool was = m.get(y_) != 0;
    const bool is = was ? x.input(u_) >= uLow_ : x.input(u_) > uHigh_;
    if (is == was) return false;
    m.set(y_, is ? 1 : 0);
    return true;
  }

 private:
  double uLow_ = 0, uHigh_ = 1;
  bool pre_y_start_ = false;
  SignalId u_;
  ModeId y_;
};

Catalogue sign() { return {entry<Sign>("Blocks.Sign", "sign")}; }

Catalogue comparisons() {
  return {
      entry<Threshold<Comparison::less>>("Blocks.LessThreshold", "input is less than a threshold"),
      entry<Threshold<Comparison::lessEqual>>("Blocks.LessEqualThreshold",
                                              "input is at most a threshold"),
      entry<Threshold<Comparison::greater>>("Blocks.GreaterThreshold",
                                            "input is greater than a threshold"),
      entry<Threshold<Comparison::greaterEqual>>("Blocks.GreaterEqualThreshold",
                                                 "input is at least a threshold"),
      entry<Compare<Comparison::less>>("Blocks.Less", "one input is less than the other"),
      entry<Compare<Comparison::lessEqual>>("Blocks.LessEqual", "one input is at most the other"),
      entry<Compare<Comparison::greater>>("Blocks.Greater", "one input is greater than the other"),
      entry<Compare<Comparison::greaterEqual>>("Blocks.GreaterEqual",
                                               "one input is at least the other"),
      entry<Hysteresis>("Blocks.Hysteresis", "truth value with hysteresis"),
  };
}

}  // namespace cardan::blocks
