/// Logical blocks with a memory: edges, flip-flop, timer, delays of truth values, two-point controller.
#pragma once

#include "components/blocks/time_source.h"
#include "components/blocks/truth_memory.h"
#include "components/laws/held.h"
#include "components/laws/relation.h"

namespace cardan::blocks {

enum class EdgeKind { before, rising, falling, any };

/// before: y = pre(u), which breaks algebraic loops;  others: y is true within the event at which u
/// rises, falls, or either.
///
/// Source  MSL 4.0 Blocks.Logical.Pre, Edge, FallingEdge, Change
template <EdgeKind K>
class EdgeBlock final : public ComponentOf<EdgeBlock<K>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  bool transition(const View<double>& x, Modes& m) const override {
    return before_.follow(m, x.input(u_) > 0.5);
  }

 private:
  bool pre_u_start_ = false;
  SignalId u_;
  Before before_;
};

using Pre = EdgeBlock<EdgeKind::before>;
using Edge = EdgeBlock<EdgeKind::rising>;
using FallingEdge = EdgeBlock<EdgeKind::falling>;
using Change = EdgeBlock<EdgeKind::any>;

/// y is true within the event at which u passes zero while `enable` is true.
///
/// Source  MSL 4.0 Blocks.Logical.ZeroCrossing
class ZeroCrossing final : public ComponentOf<ZeroCrossing> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  template <class S>
  bool isPositive(const View<S>& x) const {
    return x.input(enable_) > 0.5 && positive_.holds(x);
  }
  SignalId u_, enable_;
  one_dimensional::Relation positive_;
  Before wasPositive_, wasEnabled_;
};

/// y switches on below reference - bandwidth/2, and off above reference + bandwidth/2.
///
/// Source  MSL 4.0 Blocks.Logical.OnOffController
class OnOffController final : public ComponentOf<OnOffController> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  bool transition(const View<double>& x, Modes& m) const override;

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
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  bool transition(const View<double>& x, Modes& m) const override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override { u_ = s.input("u", 1); }
  void guards(const View<double>& x, Guards& g) const override {
    if (!(x.input(u_) > 0.5) && fails_) g.fail(message_);
  }

 private:
  std::string message_ = "Assert block failed";
  bool fails_ = true;
  SignalId u_;
};

}  // namespace cardan::blocks
