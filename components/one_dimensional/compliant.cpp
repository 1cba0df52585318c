#include "components/one_dimensional/compliant.h"

#include "components/catalogue_entry.h"
#include "components/interfaces/coordinate.h"

namespace cardan::one_dimensional {
namespace {

template <class Axis>
void readStiffness(ParameterReader& r, double& c, double& phi_rel0) {
  r.real("c", c, Axis::stiffnessUnit, "spring constant", kNotNegative);
  r.real(Axis::position_rel0, phi_rel0, Axis::positionUnit,
         "relative position of the unstretched spring");
}

template <class Axis>
void readDamping(ParameterReader& r, double& d) {
  r.real("d", d, Axis::dampingUnit, "damping constant", kNotNegative);
}

}  // namespace

template <class Axis>
void readRelativeStates(ParameterReader& r, MotionStart& start) {
  StateSelect select = StateSelect::prefer;
  double nominal = 1e-4;
  r.real(Axis::positionNominal, nominal, Axis::positionUnit, "typical relative position",
         kPositive);
  readStateSelect(r, "stateSelect", select);
  start.readRelative<Axis>(r);
  start.select(select);
}
template void readRelativeStates<RotationalAxis>(ParameterReader& r, MotionStart& start);
template void readRelativeStates<TranslationalAxis>(ParameterReader& r, MotionStart& start);

template <class Axis>
void Spring<Axis>::read(ParameterReader& r) {
  readStiffness<Axis>(r, c_, phi_rel0_);
  r.start(Axis::position_rel, start_.position, Axis::positionUnit, Axis::positionWord);
}

template <class Axis>
void Spring<Axis>::describe(Variables& v) const {
  describeRelativeMotion<Axis>(v, start_, flanges_, 1);
  describeFlow<Axis>(v, Level::Position, [this](const auto& x) { return tau(x); });
  v.mechanics(
      [this](const auto& x) { return springEnergy(c_, flanges_.motion(x).position - phi_rel0_); });
}

template <class Axis>
void Damper<Axis>::read(ParameterReader& r) {
  readDamping<Axis>(r, d_);
  this->readMotion(r);
}

template <class Axis>
void SpringDamper<Axis>::read(ParameterReader& r) {
  readStiffness<Axis>(r, c_, phi_rel0_);
  readDamping<Axis>(r, d_);
  this->readMotion(r);
}

template <class Axis>
void SpringDamper<Axis>::describe(Variables& v) const {
  LossyForce<Axis, SpringDamper>::describe(v);
  v.mechanics([this](const auto& x) {
    return springEnergy(c_, this->flanges_.motion(x).position - phi_rel0_);
  });
}

template <class Axis>
void RelativeStates<Axis>::read(ParameterReader& r) {
  readRelativeStates<Axis>(r, start_);
}

template <class Axis>
void RelativeStates<Axis>::declare(Structure& s) {
  flanges_.declare(s, Axis::domain);
  s.inertia(flanges_.a);
  s.inertia(flanges_.b);
}

template <class Axis>
void RelativeStates<Axis>::describe(Variables& v) const {
  describeRelativeMotion<Axis>(v, start_, flanges_);
}

Catalogue rotationalCompliant() {
  return {
      entry<Spring<RotationalAxis>>("Rotational.Spring", "linear rotational spring"),
      entry<Damper<RotationalAxis>>("Rotational.Damper", "linear rotational damper"),
      entry<SpringDamper<RotationalAxis>>("Rotational.SpringDamper",
                                          "linear spring and damper in parallel"),
  };
}

Catalogue rotationalStates() {
  return {entry<RelativeStates<RotationalAxis>>("Rotational.RelativeStates",
                                                "start values of a relative motion")};
}

Catalogue translationalCompliant() {
  return {
      entry<Spring<TranslationalAxis>>("Translational.Spring", "linear translational spring"),
      entry<Damper<TranslationalAxis>>("Translational.Damper", "linear translational damper"),
      entry<SpringDamper<TranslationalAxis>>("Translational.SpringDamper",
                                             "linear spring and damper in parallel"),
  };
}

Catalogue translationalStates() {
  return {entry<RelativeStates<TranslationalAxis>>("Translational.RelativeStates",
                                                   "start values of a relative motion")};
}

}  // namespace cardan::one_dimensional
