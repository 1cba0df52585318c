/// Blocks whose output jumps: comparisons, sign, hysteresis. They are events.
#pragma once

#include "components/blocks/time_source.h"
#include "components/laws/relation.h"

namespace cardan::blocks {

enum class Comparison { less, lessEqual, greater, greaterEqual };

/// y = u compared with a threshold.
///
/// Source  MSL 4.0 Blocks.Logical.LessThreshold, LessEqualThreshold, GreaterThreshold,
///         GreaterEqualThreshold
template <Comparison C>
class Threshold final : public ComponentOf<Threshold<C>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  SignalId u1_, u2_;
  one_dimensional::Relation holds_;
};

/// y = -1, 0 or 1
class Sign final : public ComponentOf<Sign> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  SignalId u_;
  one_dimensional::Relation positive_, negative_;
};

/// y becomes true where u rises above uHigh and false where it falls below uLow.
///
/// Source  MSL 4.0 Blocks.Logical.Hysteresis
class Hysteresis final : public ComponentOf<Hysteresis> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  double uLow_ = 0, uHigh_ = 1;
  bool pre_y_start_ = false;
  SignalId u_;
  ModeId y_;
};

using LessThreshold = Threshold<Comparison::less>;
using LessEqualThreshold = Threshold<Comparison::lessEqual>;
using GreaterThreshold = Threshold<Comparison::greater>;
using GreaterEqualThreshold = Threshold<Comparison::greaterEqual>;
using Less = Compare<Comparison::less>;
using LessEqual = Compare<Comparison::lessEqual>;
using Greater = Compare<Comparison::greater>;
using GreaterEqual = Compare<Comparison::greaterEqual>;

}  // namespace cardan::blocks
