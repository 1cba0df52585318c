#include "components/one_dimensional/lossy_gear.h"

#include <cmath>

#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"

namespace cardan::one_dimensional {
namespace {

Eigen::MatrixXd withoutLosses() {
  Eigen::MatrixXd table(1, 5);
  table << 0, 1, 1, 0, 0;
  return table;
}

}  // namespace

void LossyGear::read(ParameterReader& r) {
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
    fine = requireAbscissas(r, "lossTable", lossTable_, true) &&
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

void LossyGear::declare(Structure& s) {
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

double LossyGear::tau_eta(const View<double>& x) const {
  const double w = support_.motion(x, flanges_.a).velocity;
  return torque(x) - modes_.sense(x) * losses(w).bearing;
}

FrictionState LossyGear::state(const View<double>& x) const {
  const FlangeState<double> m = support_.motion(x, flanges_.a);
  const auto [forward, backward] = bounds(torque(x));
  FrictionState f{m.velocity, m.acceleration, x.unknown(tauLoss_), 0, 0, false};
  f.tau0_max = f.tau0 = forward;
  f.tau0_min = backward;
  f.tau0_back = -backward;
  return f;
}

void LossyGear::guards(const View<double>& x, Guards& g) const {
  if (ideal_) return;
  modes_.guards(x, g, state(x));
  positive_.guard(x, g, tau_eta(x), 1 + std::abs(torque(x)));
}

bool LossyGear::transition(const View<double>& x, Modes& m) const {
  if (ideal_) return false;
  const bool changed = modes_.transition(m, state(x));
  return positive_.update(m, tau_eta(x), 1 + std::abs(torque(x))) || changed;
}

void LossyGear::describe(Variables& v) const {
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
  v.scalar({"eta_mf1", "1", "efficiency of the teeth where flange_a drives", Level::Velocity},
           [this](const auto& x) { return losses(support_.motion(x, flanges_.a).velocity).eta1; });
  v.scalar({"eta_mf2", "1", "efficiency of the teeth where flange_b drives", Level::Velocity},
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
  v.scalar({"mode", "1", "-1 backward rolling, 0 stuck, 1 forward rolling, 3 unknown", Level::Time},
           [this](const auto& x) { return modes_.mode(x) + 0.0 * x.time(); });
  describe::truth(
      v,
      {"tau_etaPos", "1", "the torque that tells which side drives is not negative", Level::Time},
      [this](const auto& x) { return positive_.beyond(x); });
}

Catalogue lossyGear() {
  return {
      entry<LossyGear>("Rotational.LossyGear", "gear with mesh efficiency and bearing friction")};
}

}  // namespace cardan::one_dimensional
