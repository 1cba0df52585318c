/// Continuous blocks that are not linear systems: limited PID controller, derivative of a signal.
#pragma once

#include "components/blocks/initial_state.h"
#include "components/component.h"
#include "components/laws/relation.h"
#include "frames/dual.h"

namespace cardan::blocks {

/// y = der(u): a derivative along the motion where only results read it, else that of a state
/// which follows u.
///
/// Source     MSL 4.0 Blocks.Continuous.Der
class Der final : public ComponentOf<Der> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  SignalId u_;
};

/// P, PI, PD or PID controller with limited output, weighted set point, feed-forward and
/// anti-windup.
///
/// Unknowns   I.y, D.x
/// Equations  v = k (wp u_s - u_m + I.y + Td/T (wd u_s - u_m - D.x)) + kFF u_ff, T = Td/Nd;
///            yMin <= y <= yMax
///            der(I.y) = (u_s - u_m + (y - v)/(k Ni))/Ti;  der(D.x) = (wd u_s - u_m - D.x)/T
/// Modes      above: v > yMax;  below: v < yMin
/// Source     MSL 4.0 Blocks.Continuous.LimPID
class LimPID final : public ComponentOf<LimPID> {
 public:
  enum class Type { P, PI, PD, PID };

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  void physics(View<S>& x) const {
    if (with_I()) {
      const S v = unlimited(x);
      const S windup = k_ > 0 ? S((limited(x, v) - v) / (k_ * Ni_)) : S(0.0);
      x.row(rowI_) = x.rate(I_) - (x.input(u_s_) - x.input(u_m_) + windup) / Ti_;
    }
    if (with_D()) x.row(rowD_) = x.rate(D_) - (Td_ > 0 ? S(differentiated(x) / filter()) : S(0.0));
  }

 private:
  bool with_I() const { return type_ == Type::PI || type_ == Type::PID; }
  bool with_D() const { return type_ == Type::PD || type_ == Type::PID; }
  double filter() const { return max(Td_ / Nd_, 1e-14); }
  template <class S>
  S differentiated(const View<S>& x) const {
    return wd_ * x.input(u_s_) - x.input(u_m_) - x.unknown(D_);
  }
  /// gainPID.y
  template <class S>
  S controlled(const View<S>& x) const {
    S sum = wp_ * x.input(u_s_) - x.input(u_m_);
    if (with_I()) sum += x.unknown(I_);
    if (with_D() && Td_ > 0) sum += Td_ / filter() * differentiated(x);
    return k_ * sum;
  }
  template <class S>
  S unlimited(const View<S>& x) const {
    return withFeedForward_ ? S(controlled(x) + kFF_ * x.input(u_ff_)) : controlled(x);
  }
  template <class S>
  S limited(const View<S>& x, const S& v) const {
    return below_.beyond(x) ? S(yMin_) : above_.beyond(x) ? S(yMax_) : v;
  }

  Type type_ = Type::PID;
  double k_ = 1, Ti_ = 0.5, Td_ = 0.1;
  double yMax_ = 1, yMin_ = -1;
  double wp_ = 1, wd_ = 0, Ni_ = 0.9, Nd_ = 10;
  bool withFeedForward_ = false;
  double kFF_ = 1;
  Init init_ = Init::NoInit;
  double xi_start_ = 0, xd_start_ = 0, y_start_ = 0;
  bool xiGiven_ = false, xdGiven_ = false;

  SignalId u_s_, u_m_, u_ff_;
  UnknownId I_, D_;
  RowId rowI_, rowD_;
  one_dimensional::Kink above_, below_;
};

}  // namespace cardan::blocks
