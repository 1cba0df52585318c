/// LossyGear: gear with mesh efficiency and bearing friction.
#pragma once

#include "components/component.h"
#include "components/laws/interpolation.h"
#include "components/laws/relation.h"
#include "components/one_dimensional/flanges.h"
#include "components/one_dimensional/friction.h"

namespace cardan::one_dimensional {

/// Gear whose losses depend on the direction of rotation and on which side drives.
///
/// Unknowns   tauLoss [N.m]; the torque of the ideal gear is a multiplier
/// Equations  phi_a = ratio phi_b;  0 = flange_b.tau + ratio (flange_a.tau - tauLoss);
///            flange_a drives: tauLoss = (1 - eta_mf1) flange_a.tau +- tau_bf1,
///            flange_b drives: tauLoss = (1 - 1/eta_mf2) flange_a.tau +- tau_bf2, + for w_a > 0;
///            stuck: der(w_a) = 0, together with others stick_slip::sharedRow of tauLoss in its bounds
/// Modes      those of friction; tau_etaPos, which side drives
/// Source     MSL 4.0 Rotational.LossyGear
class LossyGear final : public ComponentOf<LossyGear> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  void physics(View<S>& x) const {
    if (ideal_) return;
    const FlangeState<S> a = support_.motion(x, flanges_.a), b = support_.motion(x, flanges_.b);
    x.constrain(gear_, 0, S(a.position - ratio_ * b.position), S(a.velocity - ratio_ * b.velocity));
    x.react(gear_, 0, flanges_.a, S(1.0));
    x.react(gear_, 0, flanges_.b, S(-ratio_));
    if (support_.used) x.react(gear_, 0, support_.flange, S(ratio_ - 1));
    const S& loss = x.unknown(tauLoss_);
    const int sense = modes_.sense(x);
    if (sense != 0) {
      x.row(row_) = loss - lossOf(x, S(a.velocity), sense);
    } else if (modes_.isShared(x)) {
      const Bounds<S> most = bounds(torque(x));
      x.row(row_) = stick_slip::sharedRow(S(loss - 0.5 * (most.forward + most.backward)),
                                          S(0.5 * (most.forward - most.backward)), a.velocity,
                                          a.acceleration);
    } else {
      x.row(row_) = a.acceleration;
    }
    support_.addFlow(x, flanges_.a, loss);
    heat_.addLoss(x, S(loss * a.velocity));
  }

 private:
  /// What the table says at a speed.
  template <class S>
  struct Losses {
    S eta1, eta2, bf1, bf2;
    S bearing;  ///< tau_bf_a: friction on the side of flange_a
  };
  template <class S>
  Losses<S> losses(const S& w) const {
    const S speed = abs(w);
    Losses<S> l{eta1_(speed), eta2_(speed), abs(bf1_(speed)), abs(bf2_(speed)), S(0.0)};
    const bool noTeeth = std::abs(cardan::value(l.eta1) - 1) <= 2.3e-16 &&
                         std::abs(cardan::value(l.eta2) - 1) <= 2.3e-16;
    l.bearing = noTeeth ? S(0.5 * l.bf1) : S((l.bf1 - l.bf2) / (l.eta1 - 1.0 / l.eta2));
    return l;
  }
  /// Sliding friction at rest in both senses, by the side that drives: in between it is stuck.
  template <class S>
  struct Bounds {
    S forward, backward;
  };
  template <class S>
  Bounds<S> bounds(const S& tau) const {
    const Losses<double> l = losses(0.0);
    const S a = (1 - l.eta1) * tau, b = (1 - 1 / l.eta2) * tau;
    return {tau > l.bearing ? S(a + l.bf1) : S(b + l.bf2),
            tau > -l.bearing ? S(b - l.bf2) : S(a - l.bf1)};
  }
  template <class S>
  S torque(const View<S>& x) const {
    return x.multiplier(gear_, 0) + x.unknown(tauLoss_);
  }
  /// Loss where the gear turns in the sense 1 or -1.
  template <class S>
  S lossOf(const View<S>& x, const S& w, int sense) const {
    const Losses<S> l = losses(w);
    const S tau = torque(x);
    const bool aDrives = (sense > 0) == positive_.beyond(x);
    return aDrives ? S((1.0 - l.eta1) * tau + sense * l.bf1)
                   : S((1.0 - 1.0 / l.eta2) * tau + sense * l.bf2);
  }
  double tau_eta(const View<double>& x) const;
  FrictionState state(const View<double>& x) const;

  double ratio_ = 1;  ///< [1]  any but zero
  Eigen::MatrixXd lossTable_;
  Smoothness smoothness_ = Smoothness::LinearSegments;
  bool ideal_ = true;
  Interpolation eta1_, eta2_, bf1_, bf2_;
  TwoFlanges flanges_;
  Support support_;
  HeatPort heat_;
  FrictionModes modes_;
  Kink positive_;
  ConstraintId gear_;
  UnknownId tauLoss_;
  RowId row_;
};

}  // namespace cardan::one_dimensional
