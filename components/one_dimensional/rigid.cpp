#include "components/one_dimensional/rigid.h"

#include "components/catalogue_entry.h"
#include "components/interfaces/coordinate.h"

namespace cardan::one_dimensional {

template <class Axis>
void Fixed<Axis>::read(ParameterReader& r) {
  r.real(Axis::fixedPosition, position_, Axis::positionUnit, "fixed position of the flange");
}

template <class Axis>
void Fixed<Axis>::declare(Structure& s) {
  s.ground(s.flange("flange", Axis::domain), position_);
}

template <class Axis>
void Inertia<Axis>::read(ParameterReader& r) {
  r.real(Axis::inertia, J_, Axis::inertiaUnit, Axis::inertiaWord, kNotNegative);
  if constexpr (Axis::inertiaHasShift) {
    r.real(Axis::shift, L_, Axis::positionUnit, "length from flange_a to flange_b");
  }
  StateSelect select = StateSelect::defaultSelect;
  readStateSelect(r, "stateSelect", select);
  start_.read<Axis>(r);
  start_.select(select);
}

template <class Axis>
void Inertia<Axis>::declare(Structure& s) {
  flanges_.declare(s, Axis::domain);
  s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, L_});
  s.inertia(flanges_.a);
}

template <class Axis>
void Inertia<Axis>::describe(Variables& v) const {
  describeMotion<Axis>(v, start_, "", [this](const auto& x) { return motion(x); });
  v.mechanics([this](const auto& x) {
    MechanicalSums<std::decay_t<decltype(x.time())>> sum;
    const auto& w = x.flange(flanges_.a).velocity;
    sum.kineticEnergy = 0.5 * J_ * w * w;
    return sum;
  });
}

template <class Axis>
void Shifted<Axis>::read(ParameterReader& r) {
  r.real(Axis::shift, shift_, Axis::positionUnit, "shift from flange_a to flange_b");
  r.start(Axis::position, start_.position, Axis::positionUnit, Axis::positionWord);
}

template <class Axis>
void Shifted<Axis>::declare(Structure& s) {
  flanges_.declare(s, Axis::domain);
  s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, shift_});
}

template <class Axis>
void Shifted<Axis>::describe(Variables& v) const {
  describeMotion<Axis>(
      v, start_, " halfway between the flanges",
      [this](const auto& x) {
        auto m = x.flange(flanges_.a);
        m.position += 0.5 * shift_;
        return m;
      },
      1);
}

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
