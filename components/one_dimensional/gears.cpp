#include "components/one_dimensional/gears.h"

#include "components/catalogue_entry.h"

namespace cardan::one_dimensional {

void IdealGear::read(ParameterReader& r) {
  support_.read(r);
  r.real("ratio", ratio_, "1", "flange_a.phi/flange_b.phi");
  r.require(ratio_ != 0, "ratio", "must not be zero");
  r.start("phi_a", phi_a_, "rad", "angle of flange_a relative to the support");
  r.start("phi_b", phi_b_, "rad", "angle of flange_b relative to the support");
}

void IdealGear::declare(Structure& s) {
  flanges_.declare(s, Domain::Rotational);
  support_.declare(s, Domain::Rotational);
  Affine relation{{{flanges_.a, 1}, {flanges_.b, -ratio_}}, 0};
  if (support_.used) relation.terms.emplace_back(support_.flange, ratio_ - 1);
  s.affine(std::move(relation));
}

void IdealGear::describe(Variables& v) const {
  v.scalar({"phi_a", "rad", "angle of flange_a relative to the support", Level::Position},
           [this](const auto& x) { return support_.motion(x, flanges_.a).position; });
  v.scalar({"phi_b", "rad", "angle of flange_b relative to the support", Level::Position},
           [this](const auto& x) { return support_.motion(x, flanges_.b).position; });
  v.start("phi_a", phi_a_);
  v.start("phi_b", phi_b_);
}

void IdealPlanetary::read(ParameterReader& r) {
  r.real("ratio", ratio_, "1", "teeth of the ring over teeth of the sun", kPositive);
}

void IdealPlanetary::declare(Structure& s) {
  const FlangeId sun = s.flange("sun", Domain::Rotational);
  const FlangeId carrier = s.flange("carrier", Domain::Rotational);
  const FlangeId ring = s.flange("ring", Domain::Rotational);
  s.affine({{{carrier, 1 + ratio_}, {sun, -1}, {ring, -ratio_}}, 0});
}

void IdealLever::read(ParameterReader& r) {
  support_.read(r);
  r.real("L_a", L_a_, "m", "length of the arm from the pivot to flange_a");
  r.real("L_b", L_b_, "m", "length of the arm to flange_b, negative on the side of flange_a");
  r.require(L_a_ != 0, "L_a", "must not be zero");
  r.require(L_b_ != 0, "L_b", "must not be zero");
}

void IdealLever::declare(Structure& s) {
  flanges_.declare(s, Domain::Translational);
  support_.declare(s, Domain::Translational);
  Affine relation{{{flanges_.a, L_b_}, {flanges_.b, L_a_}}, 0};
  if (support_.used) relation.terms.emplace_back(support_.flange, -(L_a_ + L_b_));
  s.affine(std::move(relation));
}

template <bool Wheel>
void RotationToTranslation<Wheel>::read(ParameterReader& r) {
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

template <bool Wheel>
void RotationToTranslation<Wheel>::declare(Structure& s) {
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

Catalogue rotationalGears() {
  return {
      entry<IdealGear>("Rotational.IdealGear", "ideal gear, or a belt or chain"),
      entry<IdealPlanetary>("Rotational.IdealPlanetary", "ideal planetary gear"),
      entry<RotationToTranslation<false>>("Rotational.IdealGearR2T",
                                          "ideal gear from rotation to translation"),
      entry<RotationToTranslation<true>>("Rotational.IdealRollingWheel",
                                         "ideal rolling wheel from rotation to translation"),
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
