/// Blocks whose output cannot change, or grow, without limit.
#pragma once

#include "components/blocks/initial_state.h"
#include "components/blocks/reset.h"
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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

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

}  // namespace cardan::blocks
