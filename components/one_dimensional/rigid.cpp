/// Rigid one-dimensional parts: fixed flange, part with inertia, part with a shift only.
#include "components/catalogue_entry.h"
#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// Flange that is fixed in the housing.
///
/// Equations  flange.phi = phi0
/// Source     MSL 4.0 Rotational.Fixed, Translational.Fixed
template <class Axis>
class Fixed final : public ComponentOf<Fixed<Axis>> {
 public:
  void read(ParameterReader& r) override {
    r.real(Axis::fixedPosition, position_, Axis::positionUnit, "fixed position of the flange");
  }
  void declare(Structure& s) override { s.ground(s.flange("flange", Axis::domain), position_); }

 private:
  double position_ = 0;  ///< [rad | m]
};

/// Inertia (rotational) or mass (translational) with two rigidly connected flanges.
///
/// Equations  flange_a.phi = flange_b.phi = phi;  J der(w) = flange_a.tau + flange_b.tau
///            a mass of length L: flange_a.s = s - L/2, flange_b.s = s + L/2
/// Source     MSL 4.0 Rotational.Inertia, Translational.Mass
template <class Axis>
class Inertia final : public ComponentOf<Inertia<Axis>> {
 public:
  void read(ParameterReader& r) override {
    r.real(Axis::inertia, J_, Axis::inertiaUnit, Axis::inertiaWord, kNotNegative);
    if constexpr (Axis::inertiaHasShift) {
      r.real(Axis::shift, L_, Axis::positionUnit, "length from flange_a to flange_b");
    }
    StateSelect select = StateSelect::defaultSelect;
    readStateSelect(r, "stateSelect", select);
    start_.read<Axis>(r);
    start_.select(select);
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Axis::domain);
    s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, L_});
    s.inertia(flanges_.a);
  }
  void describe(Variables& v) const override {
    describeMotion<Axis>(v, start_, "", [this](const auto& x) { return motion(x); });
    v.mechanics([this](const auto& x) {
      MechanicalSums<std::decay_t<decltype(x.time())>> sum;
      const auto& w = x.flange(flanges_.a).velocity;
      sum.kineticEnergy = 0.5 * J_ * w * w;
      return sum;
    });
  }

  template <class S>
  void physics(View<S>& x) const {
    x.addFlow(flanges_.a, J_ * x.flange(flanges_.a).acceleration);
  }

 private:
  template <class S>
  FlangeState<S> motion(const View<S>& x) const {
    FlangeState<S> m = x.flange(flanges_.a);
    m.position += 0.5 * L_;
    return m;
  }

  double J_ = 1;  ///< [kg.m2 | kg]
  double L_ = 0;  ///< [m]  distance from flange_a to flange_b
  MotionStart start_;
  TwoFlanges flanges_;
};

/// Two rigidly connected flanges without inertia, one shifted against the other.
///
/// Equations  flange_b.phi - flange_a.phi = deltaPhi;  flange_a.tau + flange_b.tau = 0;
///            phi in the middle
/// Source     MSL 4.0 Rotational.Disc, Translational.Rod
template <class Axis>
class Shifted final : public ComponentOf<Shifted<Axis>> {
 public:
  void read(ParameterReader& r) override {
    r.real(Axis::shift, shift_, Axis::positionUnit, "shift from flange_a to flange_b");
    r.start(Axis::position, start_.position, Axis::positionUnit, Axis::positionWord);
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Axis::domain);
    s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, shift_});
  }
  void describe(Variables& v) const override {
    describeMotion<Axis>(
        v, start_, " halfway between the flanges",
        [this](const auto& x) {
          auto m = x.flange(flanges_.a);
          m.position += 0.5 * shift_;
          return m;
        },
        1);
  }

 private:
  double shift_ = 0;  ///< [rad | m]
  MotionStart start_;
  TwoFlanges flanges_;
};

Catalogue rotationalRigid() {
  return {
      entry<Fixed<RotationalAxis>>("Rotational.Fixed", "flange fixed in the housing"),
      entry<Inertia<RotationalAxis>>("Rotational.Inertia",
                                     "inertia with two rigidly connected flanges"),
      entry<Shifted<RotationalAxis>>(
          "Rotational.Disc",
          "two rigidly connected flanges without inertia, one turned against the other"),
  };
}

Catalogue translationalRigid() {
  return {
      entry<Fixed<TranslationalAxis>>("Translational.Fixed", "flange fixed in the housing"),
      entry<Inertia<TranslationalAxis>>("Translational.Mass",
                                        "sliding mass with two rigidly connected flanges"),
  };
}

Catalogue translationalRod() {
  return {entry<Shifted<TranslationalAxis>>(
      "Translational.Rod", "two rigidly connected flanges without mass, a length apart")};
}

}  // namespace cardan::one_dimensional
