#include "components/one_dimensional/force_sources.h"

#include "components/catalogue_entry.h"
#include "components/instants.h"

namespace cardan::one_dimensional {
namespace {

template <class Axis>
void readPosition(ParameterReader& r, MotionStart& start) {
  r.start(Axis::position, start.position, Axis::positionUnit, Axis::positionWord);
}

template <class Axis>
void declareFlange(Structure& s, FlangeId& flange, Support& support) {
  flange = s.flange("flange", Axis::domain);
  support.declare(s, Axis::domain);
}

/// Position and, where asked for, velocity of the flange relative to the support.
template <class Axis>
void describeFlange(Variables& v, const MotionStart& start, const FlangeId& flange,
                    const Support& support, int count) {
  describeMotion<Axis>(
      v, start, " of the flange relative to the support",
      [&flange, &support](const auto& x) { return support.motion(x, flange); }, count);
}

template <class Axis, class F>
void describeSourceFlow(Variables& v, Level level, F f) {
  v.scalar({Axis::flow, Axis::flowUnit, std::string(Axis::flowWord) + " of the source", level},
           [f](const auto& x) { return Axis::sourceSign * f(x); });
}

}  // namespace

template <class Axis>
void Force<Axis>::read(ParameterReader& r) {
  support_.read(r);
  readPosition<Axis>(r, start_);
  r.input(Axis::flow, 1, Axis::flowUnit, "accelerates the flange in positive direction");
}

template <class Axis>
void Force<Axis>::declare(Structure& s) {
  declareFlange<Axis>(s, flange_, support_);
  tau_ = s.input(Axis::flow, 1);
}

template <class Axis>
void Force<Axis>::describe(Variables& v) const {
  describeFlange<Axis>(v, start_, flange_, support_, 1);
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
  support_.read(r);
  r.real(Axis::flowConstant, tau_, Axis::flowUnit, "accelerates the flange in positive direction");
  readPosition<Axis>(r, start_);
}

template <class Axis>
void ConstantForce<Axis>::declare(Structure& s) {
  declareFlange<Axis>(s, flange_, support_);
}

template <class Axis>
void ConstantForce<Axis>::describe(Variables& v) const {
  describeFlange<Axis>(v, start_, flange_, support_, 1);
  describeSourceFlow<Axis>(v, Level::Constant,
                           [this](const auto& x) { return tau_ + 0.0 * x.time(); });
}

template <class Axis>
void ForceStep<Axis>::read(ParameterReader& r) {
  support_.read(r);
  r.real(Axis::stepFlow, step_, Axis::flowUnit, "height of the step");
  r.real(Axis::offsetFlow, offset_, Axis::flowUnit, "value before the step");
  r.real("startTime", startTime_, "s", "time of the step");
  readPosition<Axis>(r, start_);
}

template <class Axis>
void ForceStep<Axis>::declare(Structure& s) {
  declareFlange<Axis>(s, flange_, support_);
  stepped_ = s.mode("stepped", 0);
}

template <class Axis>
void ForceStep<Axis>::describe(Variables& v) const {
  describeFlange<Axis>(v, start_, flange_, support_, 1);
  describeSourceFlow<Axis>(v, Level::Time,
                           [this](const auto& x) { return tau(x) + 0.0 * x.time(); });
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
  support_.read(r);
  r.real(Axis::flowNominal, tau_nominal_, Axis::flowUnit, "at nominal speed; a load if negative");
  r.boolean(Axis::flowDirection, sameDirection_,
            "acts in the same direction for both directions of motion");
  r.real(Axis::velocityNominal, w_nominal_, Axis::velocityUnit, "nominal speed", kPositive);
  start_.read<Axis>(r);
}

template <class Axis, int Power>
void SpeedDependentForce<Axis, Power>::declare(Structure& s) {
  declareFlange<Axis>(s, flange_, support_);
  if (bends()) forward_.declare(s, "forward");
}

template <class Axis, int Power>
void SpeedDependentForce<Axis, Power>::describe(Variables& v) const {
  describeFlange<Axis>(v, start_, flange_, support_, 2);
  describeSourceFlow<Axis>(v, Level::Velocity, [this](const auto& x) { return tau(x); });
}

template <class Axis, int Power>
void SpeedDependentForce<Axis, Power>::guards(const View<double>& x, Guards& g) const {
  if (bends()) forward_.guard(x, g, support_.motion(x, flange_).velocity, w_nominal_);
}

template <class Axis, int Power>
bool SpeedDependentForce<Axis, Power>::transition(const View<double>& x, Modes& m) const {
  return bends() && forward_.update(m, support_.motion(x, flange_).velocity, w_nominal_);
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
