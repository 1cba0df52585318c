/// Sources of torque or force: from a signal, constant, stepped, depending on speed.
#include "components/catalogue_entry.h"
#include "components/instants.h"
#include "components/laws/relation.h"
#include "components/one_dimensional/force_on_flange.h"

namespace cardan::one_dimensional {

/// Torque (force) between housing and flange from a signal.
///
/// Equations  flange.tau = -tau
/// Source     MSL 4.0 Rotational.Torque, Translational.Force
template <class Axis>
class Force final : public ForceOnFlange<Axis, Force<Axis>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    this->start_.template readPosition<Axis>(r);
    r.input(Axis::flow, 1, Axis::flowUnit, "accelerates the flange in positive direction");
  }
  void declare(Structure& s) override {
    this->declareFlange(s);
    tau_ = s.input(Axis::flow, 1);
  }
  void describe(Variables& v) const override { this->describeState(v, 1); }

  template <class S>
  const S& tau(const View<S>& x) const {
    return x.input(tau_);
  }

 private:
  SignalId tau_;
};

/// Torque (force) between two flanges from a signal.
///
/// Equations  flange_a.tau = tau;  flange_b.tau = -tau
/// Source     MSL 4.0 Rotational.Torque2, Translational.Force2
template <class Axis>
class Force2 final : public ComponentOf<Force2<Axis>> {
 public:
  void read(ParameterReader& r) override {
    r.input(Axis::flow, 1, Axis::flowUnit, "accelerates flange_b against flange_a");
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Axis::domain);
    tau_ = s.input(Axis::flow, 1);
  }

  template <class S>
  void physics(View<S>& x) const {
    flanges_.addFlow(x, S(-x.input(tau_)));
  }

 private:
  TwoFlanges flanges_;
  SignalId tau_;
};

/// Constant torque (force).
///
/// Equations  flange.tau = -tau_constant
/// Source     MSL 4.0 Rotational.ConstantTorque, Translational.ConstantForce
template <class Axis>
class ConstantForce final : public ForceOnFlange<Axis, ConstantForce<Axis>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    r.real(Axis::flowConstant, tau_, Axis::flowUnit,
           "accelerates the flange in positive direction");
    this->start_.template readPosition<Axis>(r);
  }
  void describe(Variables& v) const override {
    this->describeState(v, 1);
    this->describeFlow(v, Level::Constant,
                       [this](const auto& x) { return tau(x) + 0.0 * x.time(); });
  }

  template <class S>
  double tau(const View<S>&) const {
    return tau_;
  }

 private:
  double tau_ = 0;  ///< [N.m | N]  accelerates in positive direction
};

/// Torque (force) that steps at a time.
///
/// Equations  flange.tau = -(offsetTorque + stepTorque from startTime on)
/// Mode       0 before startTime, 1 from then on
/// Source     MSL 4.0 Rotational.TorqueStep, Translational.ForceStep
template <class Axis>
class ForceStep final : public ForceOnFlange<Axis, ForceStep<Axis>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    r.real(Axis::stepFlow, step_, Axis::flowUnit, "height of the step");
    r.real(Axis::offsetFlow, offset_, Axis::flowUnit, "value before the step");
    r.real("startTime", startTime_, "s", "time of the step");
    this->start_.template readPosition<Axis>(r);
  }
  void declare(Structure& s) override {
    this->declareFlange(s);
    stepped_ = s.mode("stepped", 0);
  }
  void describe(Variables& v) const override {
    this->describeState(v, 1);
    this->describeFlow(v, Level::Time, [this](const auto& x) { return tau(x) + 0.0 * x.time(); });
  }
  void guards(const View<double>& x, Guards& g) const override {
    if (!x.mode(stepped_)) g.timeEvent(startTime_);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    if (m.get(stepped_) || !hasCome(startTime_, x.time())) return false;
    m.set(stepped_, 1);
    return true;
  }

  template <class S>
  double tau(const View<S>& x) const {
    return offset_ + (x.mode(stepped_) ? step_ : 0.0);
  }

 private:
  double step_ = 1;       ///< [N.m | N]
  double offset_ = 0;     ///< [N.m | N]
  double startTime_ = 0;  ///< [s]
  ModeId stepped_;
};

/// Torque (force) that is linear (Power 1) or quadratic (Power 2) in the speed of the flange.
///
/// Equations  flange.tau = -tau_nominal (w/w_nominal)^Power;
///            of the same sign for both directions of w where TorqueDirection says so
/// Mode       forward, where the law bends at w = 0
/// Source     MSL 4.0 Rotational.LinearSpeedDependentTorque, QuadraticSpeedDependentTorque,
///            Translational.LinearSpeedDependentForce, QuadraticSpeedDependentForce
template <class Axis, int Power>
class SpeedDependentForce final : public ForceOnFlange<Axis, SpeedDependentForce<Axis, Power>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    r.real(Axis::flowNominal, tau_nominal_, Axis::flowUnit, "at nominal speed; a load if negative");
    r.boolean(Axis::flowDirection, sameDirection_,
              "acts in the same direction for both directions of motion");
    r.real(Axis::velocityNominal, w_nominal_, Axis::velocityUnit, "nominal speed", kPositive);
    this->start_.template read<Axis>(r);
  }
  void declare(Structure& s) override {
    this->declareFlange(s);
    if (bends()) forward_.declare(s, "forward");
  }
  void guards(const View<double>& x, Guards& g) const override {
    if (bends()) forward_.guard(x, g, this->motion(x).velocity, w_nominal_);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    return bends() && forward_.update(m, this->motion(x).velocity, w_nominal_);
  }

  template <class S>
  S tau(const View<S>& x) const {
    const S u = this->motion(x).velocity / w_nominal_;
    if (Power == 1)
      return bends() && !forward_.beyond(x) ? S(-tau_nominal_ * u) : S(tau_nominal_ * u);
    return tau_nominal_ * u * (sameDirection_ ? u : S(abs(u)));
  }

 private:
  bool bends() const { return Power == 1 && sameDirection_; }
  double tau_nominal_ = 0;  ///< [N.m | N]  accelerating if positive
  double w_nominal_ = 1;    ///< [rad/s | m/s]
  bool sameDirection_ = true;
  Kink forward_;
};

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
