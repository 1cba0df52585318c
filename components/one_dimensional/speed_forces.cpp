#include "components/one_dimensional/speed_forces.h"

#include "components/catalogue_entry.h"

namespace cardan::one_dimensional {

void RegularizedSign::read(ParameterReader& r, const char* name, const char* unit) {
  r.enumeration("reg", kind,
                {{"Exp", Kind::Exp},
                 {"Sine", Kind::Sine},
                 {"Linear", Kind::Linear},
                 {"CoSine", Kind::CoSine}},
                "how the sign is made continuous about zero");
  r.real(name, w0, unit, "it is continuous below this speed", kPositive);
}

void RegularizedSign::declare(Structure& s) {
  if (kind == Kind::Exp) return;
  forward_.declare(s, "forward");
  backward_.declare(s, "backward");
}

void RegularizedSign::guards(const View<double>& x, Guards& g, double w) const {
  if (kind == Kind::Exp) return;
  forward_.guard(x, g, w - w0, w0);
  backward_.guard(x, g, -w - w0, w0);
}

bool RegularizedSign::transition(Modes& m, double w) const {
  if (kind == Kind::Exp) return false;
  const bool changed = forward_.update(m, w - w0, w0);
  return backward_.update(m, -w - w0, w0) || changed;
}

template <class Axis>
void InverseSpeedDependentForce<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  r.real(Axis::flowNominal, tau_nominal_, Axis::flowUnit, "at nominal speed; a load if negative");
  r.boolean(Axis::flowDirection, sameDirection_,
            "acts in the same direction for both directions of motion");
  r.real(Axis::velocityNominal, w_nominal_, Axis::velocityUnit, "nominal speed", kPositive);
  r.real(Axis::velocityRegular, w0_, Axis::velocityUnit, "no larger force below this speed",
         kPositive);
  this->start_.template read<Axis>(r);
}

template <class Axis>
void InverseSpeedDependentForce<Axis>::declare(Structure& s) {
  this->declareFlange(s);
  forward_.declare(s, "forward");
  backward_.declare(s, "backward");
}

template <class Axis>
void InverseSpeedDependentForce<Axis>::describe(Variables& v) const {
  this->describeState(v, 2);
  this->describeFlow(v, Level::Velocity, [this](const auto& x) { return tau(x); });
}

template <class Axis>
void InverseSpeedDependentForce<Axis>::guards(const View<double>& x, Guards& g) const {
  const double w = this->motion(x).velocity;
  forward_.guard(x, g, w - w0_, w0_);
  backward_.guard(x, g, -w - w0_, w0_);
}

template <class Axis>
bool InverseSpeedDependentForce<Axis>::transition(const View<double>& x, Modes& m) const {
  const double w = this->motion(x).velocity;
  const bool changed = forward_.update(m, w - w0_, w0_);
  return backward_.update(m, -w - w0_, w0_) || changed;
}

template <class Axis>
void SignForce<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  r.real(Axis::flowNominal, tau_nominal_, Axis::flowUnit, "size; a load if negative");
  sign_.read(r, Axis::velocityRegular, Axis::velocityUnit);
  this->start_.template read<Axis>(r);
}

template <class Axis>
void SignForce<Axis>::declare(Structure& s) {
  this->declareFlange(s);
  sign_.declare(s);
}

template <class Axis>
void SignForce<Axis>::describe(Variables& v) const {
  this->describeState(v, 2);
  this->describeFlow(v, Level::Velocity, [this](const auto& x) { return tau(x); });
}

template <class Axis>
void SignForce<Axis>::guards(const View<double>& x, Guards& g) const {
  sign_.guards(x, g, this->motion(x).velocity);
}

template <class Axis>
bool SignForce<Axis>::transition(const View<double>& x, Modes& m) const {
  return sign_.transition(m, this->motion(x).velocity);
}

template <class Axis>
void EddyCurrentForce<Axis>::read(ParameterReader& r) {
  r.boolean("useExcitationInput", useInput_, "there is an input for the excitation");
  r.real("constantExcitation", constantExcitation_, "1", "excitation; 1 for the largest torque");
  r.real(Axis::flowNominal, tau_nominal_, Axis::flowUnit, "largest braking force");
  r.real(Axis::velocityNominal, w_nominal_, Axis::velocityUnit,
         "speed of the largest force at the reference temperature", kPositive);
  r.real("TRef", TRef_, "K", "reference temperature", kPositive);
  r.real("alpha20", alpha20_, "1/K", "temperature coefficient of the material at 20 degC");
  this->support_.read(r);
  heat_.read(r);
  r.real("T", T_, "K", "temperature of the brake where it has no heat port", kPositive);
  this->start_.template read<Axis>(r);
  if (useInput_) r.input("excitation", 1, "1", "1 for the largest torque or force");
}

template <class Axis>
void EddyCurrentForce<Axis>::declare(Structure& s) {
  this->declareFlange(s);
  heat_.declare(s);
  if (useInput_) excitation_ = s.input("excitation", 1);
}

template <class Axis>
void EddyCurrentForce<Axis>::describe(Variables& v) const {
  this->describeState(v, 2);
  // The signs of both kinds are the same here: that of the load on the component.
  this->describeFlow(
      v, Level::Velocity, [this](const auto& x) { return tau(x); }, 1);
  v.scalar({"lossPower", "W", "power that leaves through the heat port", Level::Velocity},
           [this](const auto& x) { return tau(x) * this->motion(x).velocity; });
  v.scalar({"TheatPort", "K", "temperature of the brake", Level::Velocity},
           [this](const auto& x) { return temperature(x); });
}

void RollingResistance::read(ParameterReader& r) {
  support_.read(r);
  r.real("fWeight", fWeight_, "N", "load on the wheel by gravity");
  r.boolean("useCrInput", useCr_, "there is an input for the coefficient");
  r.real("CrConstant", CrConstant_, "1", "coefficient of rolling resistance");
  r.boolean("useInclinationInput", useInclination_, "there is an input for the inclination");
  r.real("inclinationConstant", inclinationConstant_, "1", "tangent of the slope's angle");
  sign_.read(r, "v0", "m/s");
  start_.read<TranslationalAxis>(r);
  if (useInclination_) r.input("inclination", 1, "1", "tangent of the slope's angle");
  if (useCr_) r.input("cr", 1, "1", "coefficient of rolling resistance");
}

void RollingResistance::declare(Structure& s) {
  declareFlange(s);
  if (useInclination_) inclination_ = s.input("inclination", 1);
  if (useCr_) cr_ = s.input("cr", 1);
  sign_.declare(s);
}

void RollingResistance::describe(Variables& v) const {
  describeState(v, 2);
  describeFlow(
      v, Level::Velocity, [this](const auto& x) { return force(x); }, 1);
}

void RollingResistance::guards(const View<double>& x, Guards& g) const {
  sign_.guards(x, g, motion(x).velocity);
}

bool RollingResistance::transition(const View<double>& x, Modes& m) const {
  return sign_.transition(m, motion(x).velocity);
}

void Vehicle::read(ParameterReader& r) {
  r.real("m", m_, "kg", "total mass", kPositive);
  r.real("g", g_, "m/s2", "gravity");
  r.real("J", J_, "kg.m2", "moment of inertia of all that turns", kNotNegative);
  r.real("R", R_, "m", "radius of the wheels", kPositive);
  r.real("A", A_, "m2", "cross section", kNotNegative);
  r.real("Cd", Cd_, "1", "drag coefficient", kNotNegative);
  r.real("rho", rho_, "kg/m3", "density of air", kNotNegative);
  r.boolean("useWindInput", useWind_, "there is an input for the wind");
  r.real("vWindConstant", vWindConstant_, "m/s", "velocity of the wind");
  r.boolean("useCrInput", useCr_, "there is an input for the coefficient of rolling resistance");
  r.real("CrConstant", CrConstant_, "1", "coefficient of rolling resistance");
  r.real("vReg", sign_.w0, "m/s", "rolling resistance is linear below this speed", kPositive);
  r.boolean("useInclinationInput", useInclination_, "there is an input for the inclination");
  r.real("inclinationConstant", inclinationConstant_, "1", "tangent of the slope's angle");
  start_.read<TranslationalAxis>(r);
  if (useInclination_) r.input("inclination", 1, "1", "tangent of the slope's angle");
  if (useCr_) r.input("cr", 1, "1", "coefficient of rolling resistance");
  if (useWind_) r.input("vWind", 1, "m/s", "velocity of the wind");
}

void Vehicle::declare(Structure& s) {
  flangeR_ = s.flange("flangeR", Domain::Rotational);
  flangeT_ = s.flange("flangeT", Domain::Translational);
  s.affine({{{flangeR_, R_}, {flangeT_, -1}}, 0});
  s.inertia(flangeT_);
  if (useInclination_) inclination_ = s.input("inclination", 1);
  if (useCr_) cr_ = s.input("cr", 1);
  if (useWind_) vWind_ = s.input("vWind", 1);
  sign_.declare(s);
}

void Vehicle::describe(Variables& v) const {
  describeMotion<TranslationalAxis>(v, start_, " of the vehicle",
                                    [this](const auto& x) { return x.flange(flangeT_); });
  v.scalar({"fDrag.f", "N", "drag of the air", Level::Velocity},
           [this](const auto& x) { return drag(x); });
  v.scalar({"fRoll.f", "N", "rolling resistance", Level::Velocity},
           [this](const auto& x) { return roll(x); });
  v.scalar({"fGrav.f", "N", "force of gravity along the slope", Level::Position},
           [this](const auto& x) { return -slope(x); });
  v.mechanics([this](const auto& x) {
    MechanicalSums<std::decay_t<decltype(x.time())>> sum;
    const auto& u = x.flange(flangeT_).velocity;
    sum.kineticEnergy = 0.5 * (m_ + J_ / (R_ * R_)) * u * u;
    return sum;
  });
}

void Vehicle::guards(const View<double>& x, Guards& g) const {
  sign_.guards(x, g, x.flange(flangeT_).velocity);
}

bool Vehicle::transition(const View<double>& x, Modes& m) const {
  return sign_.transition(m, x.flange(flangeT_).velocity);
}

Catalogue rotationalSpeedForces() {
  return {
      entry<InverseSpeedDependentForce<RotationalAxis>>("Rotational.InverseSpeedDependentTorque",
                                                        "torque reciprocal to speed"),
      entry<SignForce<RotationalAxis>>("Rotational.SignTorque",
                                       "torque of constant size that changes sign with speed"),
      entry<EddyCurrentForce<RotationalAxis>>("Rotational.EddyCurrentTorque", "eddy current brake"),
  };
}

Catalogue vehicles() {
  return {
      entry<RollingResistance>("Translational.RollingResistance", "resistance of a rolling wheel"),
      entry<Vehicle>("Translational.Vehicle", "vehicle with drag, rolling resistance and slope"),
  };
}

Catalogue translationalSpeedForces() {
  return {
      entry<InverseSpeedDependentForce<TranslationalAxis>>(
          "Translational.InverseSpeedDependentForce", "force reciprocal to speed"),
      entry<SignForce<TranslationalAxis>>("Translational.SignForce",
                                          "force of constant size that changes sign with speed"),
      entry<EddyCurrentForce<TranslationalAxis>>("Translational.EddyCurrentForce",
                                                 "eddy current brake"),
  };
}

}  // namespace cardan::one_dimensional
