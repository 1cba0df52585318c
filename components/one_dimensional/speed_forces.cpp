/// Forces that depend on speed by other laws than a power: reciprocal, of constant size, of an eddy
/// current brake, of a rolling wheel.
#include <numbers>

#include "components/catalogue_entry.h"
#include "components/laws/relation.h"
#include "components/one_dimensional/force_on_flange.h"

namespace cardan::one_dimensional {

/// Sign of a speed, made continuous between -w0 and w0 (MSL's Blocks.Types.Regularization).
///
/// Equations  Exp: 2/(1 + exp(-100 w/w0)) - 1;  beyond w0 the sign, within it
///            Sine: sin(pi/2 w/w0);  Linear: w/w0;  CoSine: sign(w) (1 - cos(pi/2 w/w0))
/// Modes      beyond w0, beyond -w0
struct RegularizedSign {
  enum class Kind { Exp, Sine, Linear, CoSine };
  Kind kind = Kind::Exp;
  double w0 = 0.1;  ///< [rad/s | m/s]

  void read(ParameterReader& r, const char* name, const char* unit) {
    r.enumeration("reg", kind,
                  {{"Exp", Kind::Exp},
                   {"Sine", Kind::Sine},
                   {"Linear", Kind::Linear},
                   {"CoSine", Kind::CoSine}},
                  "how the sign is made continuous about zero");
    r.real(name, w0, unit, "it is continuous below this speed", kPositive);
  }
  void declare(Structure& s) {
    if (kind == Kind::Exp) return;
    forward_.declare(s, "forward");
    backward_.declare(s, "backward");
  }
  void guards(const View<double>& x, Guards& g, double w) const {
    if (kind == Kind::Exp) return;
    forward_.guard(x, g, w - w0, w0);
    backward_.guard(x, g, -w - w0, w0);
  }
  bool transition(Modes& m, double w) const {
    if (kind == Kind::Exp) return false;
    const bool changed = forward_.update(m, w - w0, w0);
    return backward_.update(m, -w - w0, w0) || changed;
  }

  template <class S>
  S operator()(const View<S>& x, const S& w) const {
    if (kind == Kind::Exp) return 2.0 / (1.0 + exp(S(w * (-100 / w0)))) - 1.0;
    if (forward_.beyond(x)) return S(1.0);
    if (backward_.beyond(x)) return S(-1.0);
    const S part = w * (1 / w0);
    if (kind == Kind::Linear) return part;
    const S angle = part * (0.5 * std::numbers::pi);
    if (kind == Kind::Sine) return sin(angle);
    return cardan::value(w) < 0 ? S(cos(angle) - 1.0) : S(1.0 - cos(angle));
  }

 private:
  Kink forward_, backward_;
};

/// Torque (force) that is the smaller the faster the flange moves.
///
/// Equations  flange.tau = -tau_nominal w_nominal/|w|, constant below w0;
///            with the sign of w where TorqueDirection is false, then linear below w0
/// Modes      beyond w0, beyond -w0
/// Source     MSL 4.0 Rotational.InverseSpeedDependentTorque, Translational.InverseSpeedDependentForce
template <class Axis>
class InverseSpeedDependentForce final
    : public ForceOnFlange<Axis, InverseSpeedDependentForce<Axis>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    r.real(Axis::flowNominal, tau_nominal_, Axis::flowUnit, "at nominal speed; a load if negative");
    r.boolean(Axis::flowDirection, sameDirection_,
              "acts in the same direction for both directions of motion");
    r.real(Axis::velocityNominal, w_nominal_, Axis::velocityUnit, "nominal speed", kPositive);
    r.real(Axis::velocityRegular, w0_, Axis::velocityUnit, "no larger force below this speed",
           kPositive);
    this->start_.template read<Axis>(r);
  }
  void declare(Structure& s) override {
    this->declareFlange(s);
    forward_.declare(s, "forward");
    backward_.declare(s, "backward");
  }
  void guards(const View<double>& x, Guards& g) const override {
    const double w = this->motion(x).velocity;
    forward_.guard(x, g, w - w0_, w0_);
    backward_.guard(x, g, -w - w0_, w0_);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const double w = this->motion(x).velocity;
    const bool changed = forward_.update(m, w - w0_, w0_);
    return backward_.update(m, -w - w0_, w0_) || changed;
  }

  template <class S>
  S tau(const View<S>& x) const {
    const S w = this->motion(x).velocity;
    const double power = tau_nominal_ * w_nominal_;
    if (forward_.beyond(x)) return power / w;
    if (backward_.beyond(x)) return sameDirection_ ? S(-power / w) : S(power / w);
    if (sameDirection_) return S(power / w0_);
    return tau_nominal_ * w * (1 / w0_);
  }

 private:
  double tau_nominal_ = 0;  ///< [N.m | N]  a load if negative
  bool sameDirection_ = true;
  double w_nominal_ = 1;  ///< [rad/s | m/s]
  double w0_ = 0.1;       ///< [rad/s | m/s]
  Kink forward_, backward_;
};

/// Torque (force) of constant size that changes its sign with the speed.
///
/// Equations  flange.tau = -tau_nominal sign(w), regularized
/// Source     MSL 4.0 Rotational.SignTorque, Translational.SignForce
template <class Axis>
class SignForce final : public ForceOnFlange<Axis, SignForce<Axis>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    r.real(Axis::flowNominal, tau_nominal_, Axis::flowUnit, "size; a load if negative");
    sign_.read(r, Axis::velocityRegular, Axis::velocityUnit);
    this->start_.template read<Axis>(r);
  }
  void declare(Structure& s) override {
    this->declareFlange(s);
    sign_.declare(s);
  }
  void guards(const View<double>& x, Guards& g) const override {
    sign_.guards(x, g, this->motion(x).velocity);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    return sign_.transition(m, this->motion(x).velocity);
  }

  template <class S>
  S tau(const View<S>& x) const {
    return tau_nominal_ * sign_(x, S(this->motion(x).velocity));
  }

 private:
  double tau_nominal_ = 0;  ///< [N.m | N]  a load if negative
  RegularizedSign sign_;
};

/// Eddy current brake.
///
/// Equations  flange.tau = tau = 2 tau_nominal excitation^2 u/(1 + u^2),
///            u = w/(w_nominal (1 + alpha (T_heatPort - TRef))),
///            alpha = alpha20/(1 + alpha20 (TRef - 293.15 K));  lossPower = tau w
/// Source     MSL 4.0 Rotational.EddyCurrentTorque, Translational.EddyCurrentForce
template <class Axis>
class EddyCurrentForce final : public ForceOnFlange<Axis, EddyCurrentForce<Axis>> {
 public:
  void read(ParameterReader& r) override {
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
  void declare(Structure& s) override {
    this->declareFlange(s);
    heat_.declare(s);
    if (useInput_) excitation_ = s.input("excitation", 1);
  }
  void describe(Variables& v) const override {
    this->describeState(v, 2);
    // The signs of both kinds are the same here: that of the load on the component.
    this->describeFlow(
        v, Level::Velocity, [this](const auto& x) { return tau(x); }, 1);
    v.scalar({"lossPower", "W", "power that leaves through the heat port", Level::Velocity},
             [this](const auto& x) { return tau(x) * this->motion(x).velocity; });
    v.scalar({"TheatPort", "K", "temperature of the brake", Level::Velocity},
             [this](const auto& x) { return temperature(x); });
  }

  template <class S>
  void physics(View<S>& x) const {
    const S f = tau(x);
    this->support_.addFlow(x, this->flange_, f);
    heat_.addLoss(x, S(f * this->motion(x).velocity));
  }
  template <class S>
  S tau(const View<S>& x) const {
    const double alpha = alpha20_ / (1 + alpha20_ * (TRef_ - 293.15));
    const S u = this->motion(x).velocity / (w_nominal_ * (1.0 + alpha * (temperature(x) - TRef_)));
    const S e = useInput_ ? x.input(excitation_) : S(constantExcitation_);
    return 2 * tau_nominal_ * e * e * u / (1.0 + u * u);
  }

 private:
  template <class S>
  S temperature(const View<S>& x) const {
    return heat_.used ? x.flange(heat_.port).position : S(T_);
  }

  bool useInput_ = false;
  double constantExcitation_ = 1;  ///< [1]
  double tau_nominal_ = 0;         ///< [N.m | N]  largest braking torque
  double w_nominal_ = 1;           ///< [rad/s | m/s]
  double TRef_ = 293.15;           ///< [K]
  double alpha20_ = 0;             ///< [1/K]
  double T_ = 293.15;              ///< [K]  where there is no heat port
  HeatPort heat_;
  SignalId excitation_;
};

/// Resistance of a rolling wheel.
///
/// Equations  flange.f = cr fWeight cos(atan(inclination)) sign(v), regularized
/// Source     MSL 4.0 Translational.RollingResistance
class RollingResistance final : public ForceOnFlange<TranslationalAxis, RollingResistance> {
 public:
  void read(ParameterReader& r) override {
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
  void declare(Structure& s) override {
    declareFlange(s);
    if (useInclination_) inclination_ = s.input("inclination", 1);
    if (useCr_) cr_ = s.input("cr", 1);
    sign_.declare(s);
  }
  void describe(Variables& v) const override {
    describeState(v, 2);
    describeFlow(
        v, Level::Velocity, [this](const auto& x) { return tau(x); }, 1);
  }
  void guards(const View<double>& x, Guards& g) const override {
    sign_.guards(x, g, motion(x).velocity);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    return sign_.transition(m, motion(x).velocity);
  }

  template <class S>
  void physics(View<S>& x) const {
    support_.addFlow(x, flange_, tau(x));
  }
  template <class S>
  S tau(const View<S>& x) const {
    const S cr = useCr_ ? x.input(cr_) : S(CrConstant_);
    const S slope = useInclination_ ? x.input(inclination_) : S(inclinationConstant_);
    return cr * fWeight_ / sqrt(S(1.0 + slope * slope)) * sign_(x, S(motion(x).velocity));
  }

 private:
  double fWeight_ = 0;              ///< [N]
  double CrConstant_ = 0.01;        ///< [1]
  double inclinationConstant_ = 0;  ///< [1]  tangent of the angle
  bool useCr_ = false, useInclination_ = false;
  RegularizedSign sign_;
  SignalId cr_, inclination_;
};

/// Vehicle: mass, turning parts, drag, rolling resistance and slope, between a shaft and a flange that
/// may pull.
///
/// Equations  v = R w;  m der(v) = flangeT.f + flangeR.tau/R - J der(w)/R - drag - roll - m g sin(slope)
///            drag = Cd A rho/2 (v - vWind) |v - vWind|;  roll = cr m g cos(slope) sign(v), linear
///            below vReg
/// Source     MSL 4.0 Translational.Vehicle
class Vehicle final : public ComponentOf<Vehicle> {
 public:
  Vehicle() {
    sign_.kind = RegularizedSign::Kind::Linear;
    sign_.w0 = 1e-3;
  }
  void read(ParameterReader& r) override {
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
  void declare(Structure& s) override {
    flangeR_ = s.flange("flangeR", Domain::Rotational);
    flangeT_ = s.flange("flangeT", Domain::Translational);
    s.affine({{{flangeR_, R_}, {flangeT_, -1}}, 0});
    s.inertia(flangeT_);
    if (useInclination_) inclination_ = s.input("inclination", 1);
    if (useCr_) cr_ = s.input("cr", 1);
    if (useWind_) vWind_ = s.input("vWind", 1);
    sign_.declare(s);
  }
  void describe(Variables& v) const override {
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
  void guards(const View<double>& x, Guards& g) const override {
    sign_.guards(x, g, x.flange(flangeT_).velocity);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    return sign_.transition(m, x.flange(flangeT_).velocity);
  }

  template <class S>
  void physics(View<S>& x) const {
    x.addFlow(flangeR_, S(J_ * x.flange(flangeR_).acceleration));
    x.addFlow(flangeT_, S(m_ * x.flange(flangeT_).acceleration + drag(x) + roll(x) + slope(x)));
  }

 private:
  template <class S>
  S tangent(const View<S>& x) const {
    return useInclination_ ? x.input(inclination_) : S(inclinationConstant_);
  }
  template <class S>
  S drag(const View<S>& x) const {
    const S u = x.flange(flangeT_).velocity - (useWind_ ? x.input(vWind_) : S(vWindConstant_));
    return 0.5 * Cd_ * A_ * rho_ * u * S(abs(u));
  }
  template <class S>
  S roll(const View<S>& x) const {
    const S cr = useCr_ ? x.input(cr_) : S(CrConstant_), t = tangent(x);
    return cr * m_ * g_ / sqrt(S(1.0 + t * t)) * sign_(x, S(x.flange(flangeT_).velocity));
  }
  template <class S>
  S slope(const View<S>& x) const {
    const S t = tangent(x);
    return m_ * g_ * t / sqrt(S(1.0 + t * t));
  }

  double m_ = 1;        ///< [kg]
  double g_ = 9.80665;  ///< [m/s2]
  double J_ = 0;        ///< [kg.m2]
  double R_ = 0.3;      ///< [m]
  double A_ = 1;        ///< [m2]
  double Cd_ = 0.5;     ///< [1]
  double rho_ = 1.2;    ///< [kg/m3]
  double CrConstant_ = 0.015;
  double vWindConstant_ = 0;        ///< [m/s]
  double inclinationConstant_ = 0;  ///< [1]  tangent of the angle
  bool useWind_ = false, useCr_ = false, useInclination_ = false;
  RegularizedSign sign_;  ///< linear below vReg
  MotionStart start_;
  FlangeId flangeR_, flangeT_;
  SignalId vWind_, cr_, inclination_;
};

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
