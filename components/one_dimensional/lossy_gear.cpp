/// LossyGear: gear with mesh efficiency and bearing friction.
#include <cmath>

#include "components/catalogue_entry.h"
#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/laws/interpolation.h"
#include "components/laws/relation.h"
#include "components/one_dimensional/flanges.h"
#include "components/one_dimensional/friction.h"

namespace cardan::one_dimensional {
namespace {

Eigen::MatrixXd withoutLosses() {
  Eigen::MatrixXd table(1, 5);
  table << 0, 1, 1, 0, 0;
  return table;
}

}  // namespace

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
  void read(ParameterReader& r) override {
    support_.read(r);
    r.real("ratio", ratio_, "1", "flange_a.phi/flange_b.phi");
    if (!r.require(ratio_ != 0, "ratio", "must not be zero")) ratio_ = 1;
    lossTable_ = withoutLosses();
    r.table("lossTable", lossTable_, "1",
            "rows of speed >= 0, efficiency where flange_a drives, where flange_b drives, bearing "
            "friction where flange_a drives, where flange_b drives");
    readSmoothness(r, smoothness_);
    heat_.read(r);
    bool fine = r.require(lossTable_.rows() > 0 && lossTable_.cols() == 5, "lossTable",
                          "must have five columns");
    if (fine) {
      fine =
          requireAbscissas(r, "lossTable", lossTable_, true) &&
          r.require((lossTable_.col(1).array() > 0).all() && (lossTable_.col(2).array() > 0).all(),
                    "lossTable", "must have efficiencies above zero");
    }
    if (!fine) lossTable_ = withoutLosses();
    ideal_ = lossTable_.rows() == 1 && lossTable_ == withoutLosses();
    eta1_ = Interpolation(lossTable_, 1, smoothness_);
    eta2_ = Interpolation(lossTable_, 2, smoothness_);
    bf1_ = Interpolation(lossTable_, 3, smoothness_);
    bf2_ = Interpolation(lossTable_, 4, smoothness_);
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Domain::Rotational);
    support_.declare(s, Domain::Rotational);
    heat_.declare(s);
    if (ideal_) {
      Affine relation{{{flanges_.a, 1}, {flanges_.b, -ratio_}}, 0};
      if (support_.used) relation.terms.emplace_back(support_.flange, ratio_ - 1);
      s.affine(std::move(relation));
      return;
    }
    gear_ = s.constraint("gear", "rad", 1, 0);
    UnknownInfo info{"tauLoss", "N.m", "torque that is lost"};
    const double typical = lossTable_.col(3).cwiseAbs().maxCoeff();
    if (typical > 0) info.nominal = typical;
    tauLoss_ = s.unknown(info, Kind::Algebraic);
    row_ = s.row("loss");
    s.inertia(flanges_.a);
    s.inertia(flanges_.b);
    modes_.declare(s);
    positive_.declare(s, "tau_etaPos");
  }
  void describe(Variables& v) const override {
    v.scalar({"phi_a", "rad", "angle of flange_a relative to the support", Level::Position},
             [this](const auto& x) { return support_.motion(x, flanges_.a).position; });
    v.scalar({"phi_b", "rad", "angle of flange_b relative to the support", Level::Position},
             [this](const auto& x) { return support_.motion(x, flanges_.b).position; });
    v.scalar(
        {"w_a", "rad/s", "angular velocity of flange_a relative to the support", Level::Velocity},
        [this](const auto& x) { return support_.motion(x, flanges_.a).velocity; });
    v.scalar({"a_a", "rad/s2", "angular acceleration of flange_a relative to the support",
              Level::Acceleration},
             [this](const auto& x) { return support_.motion(x, flanges_.a).acceleration; });
    v.scalar(
        {"eta_mf1", "1", "efficiency of the teeth where flange_a drives", Level::Velocity},
        [this](const auto& x) { return losses(support_.motion(x, flanges_.a).velocity).eta1; });
    v.scalar(
        {"eta_mf2", "1", "efficiency of the teeth where flange_b drives", Level::Velocity},
        [this](const auto& x) { return losses(support_.motion(x, flanges_.a).velocity).eta2; });
    v.scalar({"tau_bf1", "N.m", "bearing friction where flange_a drives", Level::Velocity},
             [this](const auto& x) { return losses(support_.motion(x, flanges_.a).velocity).bf1; });
    v.scalar({"tau_bf2", "N.m", "bearing friction where flange_b drives", Level::Velocity},
             [this](const auto& x) { return losses(support_.motion(x, flanges_.a).velocity).bf2; });
    if (ideal_) {
      v.constant("tauLoss", "N.m", "torque that is lost: none", 0);
      v.constant("lossPower", "W", "power that leaves through the heat port: none", 0);
      v.constant("mode", "1", "2: there is no friction", FrictionModes::Free);
      return;
    }
    v.scalar({"tauLoss", "N.m", "torque that is lost", Level::Force},
             [this](const auto& x) { return x.unknown(tauLoss_); });
    StartValue none;
    none.stateSelect = StateSelect::prefer;
    v.start("tauLoss", none);
    v.scalar({"lossPower", "W", "power that leaves through the heat port", Level::Force},
             [this](const auto& x) {
               return x.unknown(tauLoss_) * support_.motion(x, flanges_.a).velocity;
             });
    v.scalar(
        {"mode", "1", "-1 backward rolling, 0 stuck, 1 forward rolling, 3 unknown", Level::Time},
        [this](const auto& x) { return modes_.mode(x) + 0.0 * x.time(); });
    describe::truth(
        v,
        {"tau_etaPos", "1", "the torque that tells which side drives is not negative", Level::Time},
        [this](const auto& x) { return positive_.beyond(x); });
  }
  void guards(const View<double>& x, Guards& g) const override {
    if (ideal_) return;
    modes_.guards(x, g, state(x));
    positive_.guard(x, g, tau_eta(x), 1 + std::abs(torque(x)));
  }
  bool transition(const View<double>& x, Modes& m) const override {
    if (ideal_) return false;
    FrictionState now = state(x);
    now.w_before = stick_slip::entered(m, now.w, [this](const View<double>& before) {
      return support_.motion(before, flanges_.a).velocity;
    });
    const bool changed = modes_.transition(m, now);
    return positive_.update(m, tau_eta(x), 1 + std::abs(torque(x))) || changed;
  }

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
  double tau_eta(const View<double>& x) const {
    const double w = support_.motion(x, flanges_.a).velocity;
    return torque(x) - modes_.sense(x) * losses(w).bearing;
  }
  FrictionState state(const View<double>& x) const {
    const FlangeState<double> m = support_.motion(x, flanges_.a);
    const auto [forward, backward] = bounds(torque(x));
    FrictionState f{m.velocity, m.acceleration, x.unknown(tauLoss_), 0, 0, false};
    f.tau0_max = f.tau0 = forward;
    f.tau0_min = backward;
    f.tau0_back = -backward;
    return f;
  }

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

Catalogue lossyGear() {
  return {
      entry<LossyGear>("Rotational.LossyGear", "gear with mesh efficiency and bearing friction")};
}

}  // namespace cardan::one_dimensional
