#include "components/blocks/relations.h"

#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"

namespace cardan::blocks {
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

template <Comparison C>
void Threshold<C>::read(ParameterReader& r) {
  r.real("threshold", threshold_, "1", "u is compared with it");
  r.input("u", 1, "1", "input");
}

template <Comparison C>
void Threshold<C>::declare(Structure& s) {
  u_ = s.input("u", 1);
  holds_.declare(s, "y");
}

template <Comparison C>
void Threshold<C>::describe(Variables& v) const {
  describeTruth(v, holds_);
}

template <Comparison C>
void Threshold<C>::guards(const View<double>& x, Guards& g) const {
  holds_.guard(x, g, inFavour(C, x.input(u_) - threshold_), 1 + std::abs(threshold_));
}

template <Comparison C>
bool Threshold<C>::transition(const View<double>& x, Modes& m) const {
  return holds_.set(m, blocks::holds(C, x.input(u_) - threshold_));
}

template <Comparison C>
void Compare<C>::read(ParameterReader& r) {
  r.input("u1", 1, "1", "left side");
  r.input("u2", 1, "1", "right side");
}

template <Comparison C>
void Compare<C>::declare(Structure& s) {
  u1_ = s.input("u1", 1);
  u2_ = s.input("u2", 1);
  holds_.declare(s, "y");
}

template <Comparison C>
void Compare<C>::describe(Variables& v) const {
  describeTruth(v, holds_);
}

template <Comparison C>
void Compare<C>::guards(const View<double>& x, Guards& g) const {
  holds_.guard(x, g, inFavour(C, x.input(u1_) - x.input(u2_)), 1 + std::abs(x.input(u2_)));
}

template <Comparison C>
bool Compare<C>::transition(const View<double>& x, Modes& m) const {
  return holds_.set(m, blocks::holds(C, x.input(u1_) - x.input(u2_)));
}

void Sign::read(ParameterReader& r) {
  bool generateEvent = false;
  r.boolean("generateEvent", generateEvent, "not used: a jump is always an event");
  r.input("u", 1, "1", "input");
}

void Sign::declare(Structure& s) {
  u_ = s.input("u", 1);
  positive_.declare(s, "positive");
  negative_.declare(s, "negative");
}

void Sign::describe(Variables& v) const {
  v.scalar(output("y", "-1, 0 or 1", Level::Time), [this](const auto& x) {
    return (positive_.holds(x) ? 1.0 : negative_.holds(x) ? -1.0 : 0.0) + 0.0 * x.time();
  });
}

void Sign::guards(const View<double>& x, Guards& g) const {
  positive_.guard(x, g, x.input(u_));
  negative_.guard(x, g, -x.input(u_));
}

bool Sign::transition(const View<double>& x, Modes& m) const {
  const bool changed = positive_.update(m, x.input(u_));
  return negative_.update(m, -x.input(u_)) || changed;
}

void Hysteresis::read(ParameterReader& r) {
  r.real("uLow", uLow_, "1", "false below");
  r.real("uHigh", uHigh_, "1", "true above");
  r.boolean("pre_y_start", pre_y_start_, "value before the start");
  r.require(uHigh_ > uLow_, "uHigh", "must be above uLow");
  r.input("u", 1, "1", "input");
}

void Hysteresis::declare(Structure& s) {
  u_ = s.input("u", 1);
  y_ = s.mode("y", pre_y_start_ ? 1 : 0);
}

void Hysteresis::describe(Variables& v) const {
  describe::truth(v, output("y", "u is high", Level::Time),
                  [this](const auto& x) { return x.mode(y_); });
}

void Hysteresis::guards(const View<double>& x, Guards& g) const {
  const double hair = 1e-10 * (uHigh_ - uLow_);
  g.crossing(x.input(u_) - (x.mode(y_) ? uLow_ - hair : uHigh_ + hair));
}

bool Hysteresis::transition(const View<double>& x, Modes& m) const {
  const bool was = m.get(y_) != 0;
  const bool is = was ? x.input(u_) >= uLow_ : x.input(u_) > uHigh_;
  if (is == was) return false;
  m.set(y_, is ? 1 : 0);
  return true;
}

Catalogue sign() { return {entry<Sign>("Blocks.Sign", "sign")}; }

Catalogue comparisons() {
  return {
      entry<LessThreshold>("Blocks.LessThreshold", "input is less than a threshold"),
      entry<LessEqualThreshold>("Blocks.LessEqualThreshold", "input is at most a threshold"),
      entry<GreaterThreshold>("Blocks.GreaterThreshold", "input is greater than a threshold"),
      entry<GreaterEqualThreshold>("Blocks.GreaterEqualThreshold", "input is at least a threshold"),
      entry<Less>("Blocks.Less", "one input is less than the other"),
      entry<LessEqual>("Blocks.LessEqual", "one input is at most the other"),
      entry<Greater>("Blocks.Greater", "one input is greater than the other"),
      entry<GreaterEqual>("Blocks.GreaterEqual", "one input is at least the other"),
      entry<Hysteresis>("Blocks.Hysteresis", "truth value with hysteresis"),
  };
}

}  // namespace cardan::blocks
