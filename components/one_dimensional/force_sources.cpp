#include "components/one_dimensional/force_sources.h"

#include "components/catalogue_entry.h"
#include "components/instants.h"

namespace cardan::one_dimensional {

template <class Axis>
void Force<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  this->start_.template readPosition<Axis>(r);
  r.input(Axis::flow, 1, Axis::flowUnit, "accelerates the flange in positive direction");
}

template <class Axis>
void Force<Axis>::declare(Structure& s) {
  this->declareFlange(s);
  tau_ = s.input(Axis::flow, 1);
}

template <class Axis>
void Force<Axis>::describe(Variables& v) const {
  this->describeState(v, 1);
}

template <class Axis>
void Force2<Axis>::read(ParameterReader& r) {
  r.input(Axis::flow, 1, Axis::flowUnit, "accelerates flange_b against flange_a");
}

template <class Axis>
void Force2<Axis>::declare(Structure& s) {
  flanges_.declare(s, Axis::domain);
  tau_ = s.input(Axis::flow, 1);
}

template <class Axis>
void ConstantForce<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  r.real(Axis::flowConstant, tau_, Axis::flowUnit, "accelerates the flange in positive direction");
  this->start_.template readPosition<Axis>(r);
}

template <class Axis>
void ConstantForce<Axis>::describe(Variables& v) const {
  this->describeState(v, 1);
  this->describeFlow(v, Level::Constant, [this](const auto& x) { return tau(x) + 0.0 * x.time(); });
}

template <class Axis>
void ForceStep<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  r.real(Axis::stepFlow, step_, Axis::flowUnit, "height of the step");
  r.real(Axis::offsetFlow, offset_, Axis::flowUnit, "value before the step");
  r.real("startTime", startTime_, "s", "time of the step");
  this->start_.template readPosition<Axis>(r);
}

template <class Axis>
void ForceStep<Axis>::declare(Structure& s) {
  this->declareFlange(s);
  stepped_ = s.mode("stepped", 0);
}

template <class Axis>
void ForceStep<Axis>::describe(Variables& v) const {
  this->describeState(v, 1);
  this->describeFlow(v, Level::Time, [this](const auto& x) { return tau(x) + 0.0 * x.time(); });
}

template <class Axis>
void ForceStep<Axis>::guards(const View<double>& x, Guards& g) const {
  if (!x.mode(stepped_)) g.timeEvent(startTime_);
}

template <class Axis>
bool ForceStep<Axis>::transition(const View<double>& x, Modes& m) const {
  if (m.get(stepped_) || !hasCome(startTime_, x.time())) return false;
  m.set(stepped_, 1);
  return true;
}

template <class Axis, int Power>
void SpeedDependentForce<Axis, Power>::read(ParameterReader& r) {
  this->support_.read(r);
  r.real(Axis::flowNominal, tau_nominal_, Axis::flowUnit, "at nominal speed; a load if negative");
  r.boolean(Axis::flowDirection, sameDirection_,
            "acts in the same direction for both directions of motion");
  r.real(Axis::velocityNominal, w_nominal_, Axis::velocityUnit, "nominal speed", kPositive);
  this->start_.template read<Axis>(r);
}

template <class Axis, int Power>
void SpeedDependentForce<Axis, Power>::declare(Structure& s) {
  this->declareFlange(s);
  if (bends()) forward_.declare(s, "forward");
}

template <class Axis, int Power>
void SpeedDependentForce<Axis, Power>::describe(Variables& v) const {
  this->describeState(v, 2);
  this->describeFlow(v, Level::Velocity, [this](const auto& x) { return tau(x); });
}

template <class Axis, int Power>
void SpeedDependentForce<Axis, Power>::guards(const View<double>& x, Guards& g) const {
  if (bends()) forward_.guard(x, g, this->motion(x).velocity, w_nominal_);
}

template <class Axis, int Power>
bool SpeedDependentForce<Axis, Power>::transition(const View<double>& x, Modes& m) const {
  return bends() && forward_.update(m, this->motion(x).velocity, w_nominal_);
}

Catalogue rotationalForces() {
  return {
      entry<Force<RotationalAxis>>("Rotational.Torque", "torque from a signal"),
      entry<Force2<RotationalAxis>>("Rotational.Torque2",
                                    "torque between two flanges from a signal"),
      entry<ConstantForce<RotationalAxis>>("Rotational.ConstantTorque", "constant torque"),
      entry<ForceStep<RotationalAxis>>("Rotational.TorqueStep", "torque that steps at a time"),
      entry<SpeedDependentForce<RotationalAxis, 1>>("Rotational.LinearSpeedDependentTorque",
                                                    "torque linear in speed"),
      entry<SpeedDependentForce<RotationalAxis, 2>>("Rotational.QuadraticSpeedDependentTorque",
                                                    "torque quadratic in speed"),
  };
}

Catalogue translationalForces() {
  return {
      entry<Force<TranslationalAxis>>("Translational.Force", "force from a signal"),
      entry<Force2<TranslationalAxis>>("Translational.Force2",
                                       "force between two flanges from a signal"),
      entry<ConstantForce<TranslationalAxis>>("Translational.ConstantForce", "constant force"),
      entry<ForceStep<TranslationalAxis>>("Translational.ForceStep", "force that steps at a time"),
      entry<SpeedDependentForce<TranslationalAxis, 1>>("Translational.LinearSpeedDependentForce",
                                                       "force linear in speed"),
      entry<SpeedDependentForce<TranslationalAxis, 2>>("Translational.QuadraticSpeedDependentForce",
                                                       "force quadratic in speed"),
  };
}

}  // namespace cardan::one_dimensional
