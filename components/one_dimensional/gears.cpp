/// Ideal gears: relations among flanges; the flows follow by virtual work.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "components/catalogue_entry.h"
#include "components/component.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// Gear between two shafts.
///
/// Equations  flange_a.phi - support.phi = ratio (flange_b.phi - support.phi);
///            0 = ratio flange_a.tau + flange_b.tau
/// Source     MSL 4.0 Rotational.IdealGear
class IdealGear final : public ComponentOf<IdealGear> {
 public:
  void read(ParameterReader& r) override {
    support_.read(r);
    r.real("ratio", ratio_, "1", "flange_a.phi/flange_b.phi");
    r.require(ratio_ != 0, "ratio", "must not be zero");
    r.start("phi_a", phi_a_, "rad", "angle of flange_a relative to the support");
    r.start("phi_b", phi_b_, "rad", "angle of flange_b relative to the support");
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Domain::Rotational);
    support_.declare(s, Domain::Rotational);
    Affine relation{{{flanges_.a, 1}, {flanges_.b, -ratio_}}, 0};
    if (support_.used) relation.terms.emplace_back(support_.flange, ratio_ - 1);
    s.affine(std::move(relation));
  }
  void describe(Variables& v) const override {
    v.scalar({"phi_a", "rad", "angle of flange_a relative to the support", Level::Position},
             [this](const auto& x) { return support_.motion(x, flanges_.a).position; });
    v.scalar({"phi_b", "rad", "angle of flange_b relative to the support", Level::Position},
             [this](const auto& x) { return support_.motion(x, flanges_.b).position; });
    v.start("phi_a", phi_a_);
    v.start("phi_b", phi_b_);
  }

 private:
  double ratio_ = 1;  ///< [1]  any but zero
  StartValue phi_a_, phi_b_;
  TwoFlanges flanges_;
  Support support_;
};

/// Planetary gear: sun, carrier and ring.
///
/// Equations  (1 + ratio) carrier.phi = sun.phi + ratio ring.phi
/// Source     MSL 4.0 Rotational.IdealPlanetary
class IdealPlanetary final : public ComponentOf<IdealPlanetary> {
 public:
  void read(ParameterReader& r) override {
    r.real("ratio", ratio_, "1", "teeth of the ring over teeth of the sun", kPositive);
  }
  void declare(Structure& s) override {
    const FlangeId sun = s.flange("sun", Domain::Rotational);
    const FlangeId carrier = s.flange("carrier", Domain::Rotational);
    const FlangeId ring = s.flange("ring", Domain::Rotational);
    s.affine({{{carrier, 1 + ratio_}, {sun, -1}, {ring, -ratio_}}, 0});
  }

 private:
  double ratio_ = 100.0 / 50;  ///< [1]  teeth of the ring over teeth of the sun
};

/// Lever about a pivot, for angles that are small. Not in MSL.
///
/// Equations  (flange_b.s - support.s) L_a = -(flange_a.s - support.s) L_b;
///            flange_a.f L_a = flange_b.f L_b;  arms on one side have different signs
class IdealLever final : public ComponentOf<IdealLever> {
 public:
  void read(ParameterReader& r) override {
    support_.read(r);
    r.real("L_a", L_a_, "m", "length of the arm from the pivot to flange_a");
    r.real("L_b", L_b_, "m", "length of the arm to flange_b, negative on the side of flange_a");
    r.require(L_a_ != 0, "L_a", "must not be zero");
    r.require(L_b_ != 0, "L_b", "must not be zero");
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Domain::Translational);
    support_.declare(s, Domain::Translational);
    Affine relation{{{flanges_.a, L_b_}, {flanges_.b, L_a_}}, 0};
    if (support_.used) relation.terms.emplace_back(support_.flange, -(L_a_ + L_b_));
    s.affine(std::move(relation));
  }

 private:
  double L_a_ = 1, L_b_ = 1;  ///< [m]  any but zero
  TwoFlanges flanges_;
  Support support_;
};

/// Any relation among angles and lengths that is a sum of polynomials. Not in MSL.
///
/// Equations  0 = offset + sum turning[i, k] flangeR[i].phi^k + sum sliding[i, k] flangeT[i].s^k;
///            flows by virtual work, of one multiplier
class Coupling final : public ComponentOf<Coupling> {
 public:
  void read(ParameterReader& r) override {
    r.table("turning", rows_[0], "", "a row for each flangeR: factors of phi, phi^2, ...");
    r.table("sliding", rows_[1], "", "a row for each flangeT: factors of s, s^2, ...");
    r.real("offset", offset_, "", "what is added to the sum");
    r.require(rows_[0].size() + rows_[1].size() > 0, "turning", "or 'sliding' must have a row");
  }
  void declare(Structure& s) override {
    bool isLinear = true;
    double largest = 0;
    for (const Eigen::MatrixXd& rows : rows_) {
      if (rows.size() > 0) largest = std::max(largest, rows.cwiseAbs().maxCoeff());
    }
    // Factors of order 1, whatever the file's are: by a power of two, without rounding.
    const double scale = largest > 0 ? std::exp2(-std::ilogb(largest)) : 1;
    offset_ *= scale;
    for (const bool slides : {false, true}) {
      const Eigen::MatrixXd& rows = rows_[slides];
      for (int i = 0; i < rows.rows(); ++i) {
        const std::string name = (slides ? "flangeT[" : "flangeR[") + std::to_string(i + 1) + "]";
        terms_.push_back({s.flange(name, slides ? Domain::Translational : Domain::Rotational),
                          scale * rows.row(i)});
        isLinear = isLinear && rows.row(i).tail(rows.cols() - 1).isZero(0);
      }
    }
    if (!isLinear) {
      relation_ = s.constraint("relation", "1", 1, 0);
      for (const Term& t : terms_) s.inertia(t.flange);
      return;
    }
    Affine relation{{}, -offset_};
    for (const Term& t : terms_) relation.terms.emplace_back(t.flange, t.factors[0]);
    s.affine(std::move(relation));
  }

  template <class S>
  void physics(View<S>& x) const {
    if (!relation_.valid()) return;
    S g(offset_), gv(0.0);
    for (const Term& t : terms_) {
      const FlangeState<S>& at = x.flange(t.flange);
      S value(0.0), slope(0.0);  // Horner's scheme
      for (Eigen::Index k = t.factors.size(); k-- > 0;) {
        slope = slope * at.position + (k + 1.0) * t.factors[k];
        value = (value + t.factors[k]) * at.position;
      }
      g += value;
      gv += slope * at.velocity;
      x.react(relation_, 0, t.flange, slope);
    }
    x.constrain(relation_, 0, g, gv);
  }

 private:
  struct Term {
    FlangeId flange;
    Eigen::RowVectorXd factors;  ///< of the potential and its powers
  };
  Eigen::MatrixXd rows_[2];  ///< of what turns, what slides
  double offset_ = 0;
  std::vector<Term> terms_;
  ConstraintId relation_;  ///< valid where it is no affine relation
};

/// Rotation to translation: gear or rolling wheel.
///
/// Equations  k_R (flangeR.phi - supportR.phi) = k_T (flangeT.s - supportT.s)
///            IdealGearR2T: k_R = 1, k_T = ratio;  IdealRollingWheel: k_R = radius, k_T = 1
/// Source     MSL 4.0 Rotational.IdealGearR2T, Rotational.IdealRollingWheel, and both in
///            Translational
template <bool Wheel>
class RotationToTranslation final : public ComponentOf<RotationToTranslation<Wheel>> {
 public:
  void read(ParameterReader& r) override {
    supportR_.read(r, "useSupportR");
    supportT_.read(r, "useSupportT");
    const char* name = Wheel ? "radius" : "ratio";
    if (Wheel) {
      r.real(name, ratio_, "m", "radius of the wheel");
    } else {
      r.real(name, ratio_, "rad/m", "flangeR.phi/flangeT.s");
    }
    r.require(ratio_ != 0, name, "must not be zero");
  }
  void declare(Structure& s) override {
    const FlangeId R = s.flange("flangeR", Domain::Rotational);
    const FlangeId T = s.flange("flangeT", Domain::Translational);
    supportR_.declare(s, Domain::Rotational, "supportR");
    supportT_.declare(s, Domain::Translational, "supportT");
    const double k_R = Wheel ? ratio_ : 1, k_T = Wheel ? 1 : ratio_;
    Affine relation{{{R, k_R}, {T, -k_T}}, 0};
    if (supportR_.used) relation.terms.emplace_back(supportR_.flange, -k_R);
    if (supportT_.used) relation.terms.emplace_back(supportT_.flange, k_T);
    s.affine(std::move(relation));
  }

 private:
  double ratio_ = Wheel ? 0.3 : 1;  ///< [m] radius, or [rad/m] ratio; any but zero
  Support supportR_, supportT_;
};

Catalogue rotationalGears() {
  return {
      entry<IdealGear>("Rotational.IdealGear", "ideal gear, or a belt or chain"),
      entry<IdealPlanetary>("Rotational.IdealPlanetary", "ideal planetary gear"),
      entry<RotationToTranslation<false>>("Rotational.IdealGearR2T",
                                          "ideal gear from rotation to translation"),
      entry<RotationToTranslation<true>>("Rotational.IdealRollingWheel",
                                         "ideal rolling wheel from rotation to translation"),
      entry<Coupling>("Rotational.Coupling", "polynomial relation among angles and lengths"),
  };
}

Catalogue idealLever() {
  return {entry<IdealLever>("Translational.IdealLever", "lever about a pivot")};
}

Catalogue translationalGears() {
  return {
      entry<RotationToTranslation<false>>("Translational.IdealGearR2T",
                                          "ideal gear from rotation to translation"),
      entry<RotationToTranslation<true>>("Translational.IdealRollingWheel",
                                         "ideal rolling wheel from rotation to translation"),
  };
}

}  // namespace cardan::one_dimensional
