/// Delays: a signal as it was some time ago.
#pragma once

#include "components/component.h"

namespace cardan::blocks {

/// y(t) = u(t - delayTime); u at the start before.
///
/// Mode    stretch: that of the record of u which is read (Past); jumps of u come out as time events
/// Source  MSL 4.0 Blocks.Nonlinear.FixedDelay
class FixedDelay final : public ComponentOf<FixedDelay> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  /// Distance by which a break must be passed before it is an event [s].
  double hair(double time) const;

  double delayMax_ = 1;  ///< [s]  > 0
  SignalId u_, delayTime_;
  ModeId stretch_;
  PastId past_;
};

}  // namespace cardan::blocks
