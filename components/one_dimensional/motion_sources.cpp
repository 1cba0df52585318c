/// Prescribed motion of a flange relative to its support; the force that it takes is a multiplier.
#include <numbers>

#include "components/catalogue_entry.h"
#include "components/interfaces/coordinate.h"
#include "components/one_dimensional/force_on_flange.h"

namespace cardan::one_dimensional {
namespace {

template <class Axis>
UnknownInfo positionInfo() {
  return {Axis::position, Axis::positionUnit,
          std::string(Axis::positionWord) + " that the flange follows"};
}
template <class Axis>
UnknownInfo velocityInfo() {
  return {Axis::velocity, Axis::velocityUnit,
          std::string(Axis::velocityWord) + " that the flange follows"};
}

void readFilter(ParameterReader& r, bool& exact, double& f_crit) {
  r.boolean("exact", exact, "the reference is followed exactly, not through a filter");
  r.real("f_crit", f_crit, "Hz", "critical frequency of the filter", kPositive);
}

/// MSL: velocity and acceleration are dummies where the reference is followed exactly.
void describeDummy(Variables& v, const char* name, const char* unit) {
  v.constant(name, unit, "0 where the reference is followed exactly", 0);
}

template <class Axis>
void describeRate(Variables& v, const UnknownId& w) {
  v.scalar({Axis::acceleration, Axis::accelerationUnit,
            std::string(Axis::accelerationWord) + " of the flange relative to the support",
            Level::Acceleration},
           [&w](const auto& x) { return x.rate(w); });
}

InitialInfo initially(const char* name, const char* about, Level level) {
  InitialInfo info;
  info.name = name;
  info.description = about;
  info.level = level;
  info.fixed = true;
  return info;
}

}  // namespace

/// What the classes below share: the driven flange and the multiplier of its motion.
template <class Axis, class Derived>
class PrescribedMotion : public AgainstSupport<Axis, Derived> {
 protected:
  /// Position and velocity of the flange are prescribed, or (positionToo false) its velocity only.
  void declareMotion(Structure& s, bool positionToo) {
    this->declareFlange(s);
    s.inertia(this->flange_);  // its rate is prescribed, also where no inertia sits there
    constraint_ = s.constraint(positionToo ? Axis::position : Axis::velocity, Axis::positionUnit,
                               positionToo ? 1 : 0, positionToo ? 0 : 1);
  }
  template <class S>
  void hold(View<S>& x, const S& position, const S& velocity) const {
    const FlangeState<S> m = this->motion(x);
    x.constrain(constraint_, 0, m.position - position, m.velocity - velocity);
    this->support_.react(x, constraint_, this->flange_);
  }
  template <class S>
  void holdVelocity(View<S>& x, const S& velocity) const {
    x.constrainVelocity(constraint_, 0, this->motion(x).velocity - velocity);
    this->support_.react(x, constraint_, this->flange_);
  }

  ConstraintId constraint_;
};

/// Flange that follows a reference position, exactly or through a Bessel filter of second order.
///
/// Unknowns   not exact: phi [rad], w [rad/s]
/// Equations  exact: flange.phi - support.phi = phi_ref
///            else: flange.phi - support.phi = phi;  der(phi) = w;
///            der(w) = ((phi_ref - phi) w_crit - 1.3617 w) w_crit/0.6180, w_crit = 2 pi f_crit;
///            phi = phi_ref at the start
/// Source     MSL 4.0 Rotational.Position, Translational.Position
template <class Axis>
class Position final : public PrescribedMotion<Axis, Position<Axis>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    readFilter(r, exact_, f_crit_);
    this->start_.template read<Axis>(r);
    this->start_.select(exact_ ? StateSelect::defaultSelect : StateSelect::prefer);
    r.input(Axis::position_ref, 1, Axis::positionUnit,
            "position of the flange relative to the support");
  }
  void declare(Structure& s) override {
    this->declareMotion(s, true);
    reference_ = s.input(Axis::position_ref, 1, exact_ ? Rate::Needed : Rate::NotNeeded);
    if (exact_) return;
    phi_ = s.unknown(positionInfo<Axis>(), Kind::Differential);
    w_ = s.unknown(velocityInfo<Axis>(), Kind::Differential);
    phiRow_ = s.row(Axis::position);
    wRow_ = s.row(Axis::velocity);
  }
  void describe(Variables& v) const override {
    if (exact_) {
      this->describeState(v, 1);
      describeDummy(v, Axis::velocity, Axis::velocityUnit);
      describeDummy(v, Axis::acceleration, Axis::accelerationUnit);
      return;
    }
    v.start(Axis::position, this->start_.position);
    v.start(Axis::velocity, this->start_.velocity);
    v.start(Axis::acceleration, this->start_.acceleration);
    describeRate<Axis>(v, w_);
    v.initial(initially(Axis::position_ref, "the filter starts at the reference position",
                        Level::Position),
              1, [this](const auto& x, auto* g) { g[0] = x.unknown(phi_) - x.input(reference_); });
  }

  template <class S>
  void physics(View<S>& x) const {
    if (exact_) {
      this->hold(x, x.input(reference_), x.inputRate(reference_));
      return;
    }
    const S& phi = x.unknown(phi_);
    const S& w = x.unknown(w_);
    const double w_crit = 2 * std::numbers::pi * f_crit_;
    x.row(phiRow_) = x.rate(phi_) - w;
    x.row(wRow_) =
        x.rate(w_) - ((x.input(reference_) - phi) * w_crit - 1.3617 * w) * (w_crit / 0.6180);
    this->hold(x, phi, w);
  }

 private:
  bool exact_ = false;
  double f_crit_ = 50;  ///< [Hz]
  SignalId reference_;
  UnknownId phi_, w_;
  RowId phiRow_, wRow_;
};

/// Flange that follows a reference velocity, exactly or through a filter of first order.
///
/// Unknowns   not exact: w [rad/s]
/// Equations  exact: der(phi) = w_ref;  else: der(phi) = w;  der(w) = (w_ref - w) 2 pi f_crit;
///            w = w_ref at the start;  phi = flange.phi - support.phi
/// Source     MSL 4.0 Rotational.Speed, Translational.Speed
template <class Axis>
class Speed final : public PrescribedMotion<Axis, Speed<Axis>> {
 public:
  Speed() { this->start_.position = StartValue(true); }
  void read(ParameterReader& r) override {
    this->support_.read(r);
    readFilter(r, exact_, f_crit_);
    this->start_.template read<Axis>(r);
    this->start_.select(StateSelect::prefer);
    r.input(Axis::velocity_ref, 1, Axis::velocityUnit,
            "velocity of the flange relative to the support");
  }
  void declare(Structure& s) override {
    this->declareMotion(s, false);
    reference_ = s.input(Axis::velocity_ref, 1);
    if (exact_) return;
    w_ = s.unknown(velocityInfo<Axis>(), Kind::Differential);
    wRow_ = s.row(Axis::velocity);
  }
  void describe(Variables& v) const override {
    this->describeState(v, exact_ ? 2 : 1);
    if (exact_) {
      describeDummy(v, Axis::acceleration, Axis::accelerationUnit);
      return;
    }
    v.start(Axis::velocity, this->start_.velocity);
    v.start(Axis::acceleration, this->start_.acceleration);
    describeRate<Axis>(v, w_);
    v.initial(initially(Axis::velocity_ref, "the filter starts at the reference velocity",
                        Level::Velocity),
              1, [this](const auto& x, auto* g) { g[0] = x.unknown(w_) - x.input(reference_); });
  }

  template <class S>
  void physics(View<S>& x) const {
    if (exact_) {
      this->holdVelocity(x, x.input(reference_));
      return;
    }
    const S& w = x.unknown(w_);
    x.row(wRow_) = x.rate(w_) - (x.input(reference_) - w) * (2 * std::numbers::pi * f_crit_);
    this->holdVelocity(x, w);
  }

 private:
  bool exact_ = false;
  double f_crit_ = 50;  ///< [Hz]
  SignalId reference_;
  UnknownId w_;
  RowId wRow_;
};

/// Flange that moves with a given acceleration.
///
/// Unknowns   phi [rad], w [rad/s]
/// Equations  flange.phi - support.phi = phi;  der(phi) = w;  der(w) = a_ref
/// Source     MSL 4.0 Rotational.Accelerate, Translational.Accelerate
template <class Axis>
class Accelerate final : public PrescribedMotion<Axis, Accelerate<Axis>> {
 public:
  Accelerate() {
    this->start_.position = StartValue(true);
    this->start_.velocity = StartValue(true);
  }
  void read(ParameterReader& r) override {
    this->support_.read(r);
    this->start_.template read<Axis>(r);
    this->start_.select(StateSelect::prefer);
    r.input(Axis::acceleration_ref, 1, Axis::accelerationUnit,
            "acceleration of the flange relative to the support");
  }
  void declare(Structure& s) override {
    this->declareMotion(s, true);
    reference_ = s.input(Axis::acceleration_ref, 1);
    phi_ = s.unknown(positionInfo<Axis>(), Kind::Differential);
    w_ = s.unknown(velocityInfo<Axis>(), Kind::Differential);
    phiRow_ = s.row(Axis::position);
    wRow_ = s.row(Axis::velocity);
  }
  void describe(Variables& v) const override {
    v.start(Axis::position, this->start_.position);
    v.start(Axis::velocity, this->start_.velocity);
    v.start(Axis::acceleration, this->start_.acceleration);
    describeRate<Axis>(v, w_);
  }

  template <class S>
  void physics(View<S>& x) const {
    const S& phi = x.unknown(phi_);
    const S& w = x.unknown(w_);
    x.row(phiRow_) = x.rate(phi_) - w;
    x.row(wRow_) = x.rate(w_) - x.input(reference_);
    this->hold(x, phi, w);
  }

 private:
  SignalId reference_;
  UnknownId phi_, w_;
  RowId phiRow_, wRow_;
};

/// Flange that moves as the signals u = {phi, w, a} say, which must fit together.
///
/// Equations  flange.phi - support.phi = u[1], its derivative = u[2]  (u[3] follows from these, and is a
///            guess that has to fit)
/// Source     MSL 4.0 Rotational.Move, Translational.Move
template <class Axis>
class Move final : public PrescribedMotion<Axis, Move<Axis>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    this->start_.template readPosition<Axis>(r);
    r.input("u", 3, "1",
            "position, velocity and acceleration of the flange relative to the support");
  }
  void declare(Structure& s) override {
    this->declareMotion(s, true);
    u_ = s.input("u", 3);
  }
  void describe(Variables& v) const override {
    this->describeState(v, 1);
    InitialInfo info = initially("u", "the acceleration that is prescribed", Level::Acceleration);
    info.fixed = false;
    v.initial(std::move(info), 1, [this](const auto& x, auto* g) {
      g[0] = this->motion(x).acceleration - x.input(u_, 2);
    });
  }

  template <class S>
  void physics(View<S>& x) const {
    this->hold(x, x.input(u_, 0), x.input(u_, 1));
  }

 private:
  SignalId u_;
};

/// Flange that moves with a fixed velocity.
///
/// Equations  der(flange.phi - support.phi) = w_fixed
/// Source     MSL 4.0 Rotational.ConstantSpeed, Translational.ConstantSpeed
template <class Axis>
class ConstantSpeed final : public PrescribedMotion<Axis, ConstantSpeed<Axis>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    r.real(Axis::velocityFixed, w_fixed_, Axis::velocityUnit,
           "velocity of the flange relative to the support");
    this->start_.template read<Axis>(r);
  }
  void declare(Structure& s) override { this->declareMotion(s, false); }
  void describe(Variables& v) const override { this->describeState(v, 2); }

  template <class S>
  void physics(View<S>& x) const {
    this->holdVelocity(x, S(w_fixed_));
  }

 private:
  double w_fixed_ = 0;  ///< [rad/s | m/s]
};

/// Start position, velocity and acceleration of a flange from signals, each if wanted.
///
/// Equations  at the start only: flange.phi = phi_start;  der(flange.phi) = w_start;
///            der(der(flange.phi)) = a_start
/// Source     MSL 4.0 Rotational.InitializeFlange, Translational.InitializeFlange
template <class Axis>
class InitializeFlange final : public ComponentOf<InitializeFlange<Axis>> {
 public:
  void read(ParameterReader& r) override {
    r.boolean(Axis::use_position_start, use_[0], "the start position is given");
    r.boolean(Axis::use_velocity_start, use_[1], "the start velocity is given");
    r.boolean(Axis::use_acceleration_start, use_[2], "the start acceleration is given");
    readStateSelect(r, "stateSelect", stateSelect_);
    r.start(Axis::position_flange, phi_flange_, Axis::positionUnit, "position of the flange");
    r.start(Axis::velocity_flange, w_flange_, Axis::velocityUnit, "velocity of the flange");
    for (StartValue* s : {&phi_flange_, &w_flange_}) {
      if (s->stateSelect == StateSelect::defaultSelect) s->stateSelect = stateSelect_;
    }
    if (use_[0])
      r.input(Axis::position_start, 1, Axis::positionUnit, "position of the flange at the start");
    if (use_[1])
      r.input(Axis::velocity_start, 1, Axis::velocityUnit, "velocity of the flange at the start");
    if (use_[2])
      r.input(Axis::acceleration_start, 1, Axis::accelerationUnit,
              "acceleration of the flange at the start");
  }
  void declare(Structure& s) override {
    flange_ = s.flange("flange", Axis::domain);
    if (use_[0]) start_[0] = s.input(Axis::position_start, 1);
    if (use_[1]) start_[1] = s.input(Axis::velocity_start, 1);
    if (use_[2]) {
      start_[2] = s.input(Axis::acceleration_start, 1);
      s.inertia(flange_);
    }
  }
  void describe(Variables& v) const override {
    v.scalar({Axis::position_flange, Axis::positionUnit, "position of the flange", Level::Position},
             [this](const auto& x) { return x.flange(flange_).position; });
    v.start(Axis::position_flange, phi_flange_);
    v.scalar({Axis::velocity_flange, Axis::velocityUnit, "velocity of the flange", Level::Velocity},
             [this](const auto& x) { return x.flange(flange_).velocity; });
    v.start(Axis::velocity_flange, w_flange_);
    auto condition = [&](int i, const char* name, const char* about, Level level, auto get) {
      if (!use_[i]) return;
      InitialInfo info = initially(name, about, level);
      info.given = true;
      info.stateSelect = stateSelect_;
      v.initial(std::move(info), 1, [this, i, get](const auto& x, auto* g) {
        g[0] = get(x.flange(flange_)) - x.input(start_[i]);
      });
    };
    condition(0, Axis::position_start, "position of the flange", Level::Position,
              [](const auto& f) { return f.position; });
    condition(1, Axis::velocity_start, "velocity of the flange", Level::Velocity,
              [](const auto& f) { return f.velocity; });
    condition(2, Axis::acceleration_start, "acceleration of the flange", Level::Acceleration,
              [](const auto& f) { return f.acceleration; });
  }

 private:
  bool use_[3] = {true, true, true};  ///< position, velocity, acceleration
  StateSelect stateSelect_ = StateSelect::defaultSelect;
  StartValue phi_flange_, w_flange_;
  FlangeId flange_;
  SignalId start_[3];
};

Catalogue rotationalStart() {
  return {entry<InitializeFlange<RotationalAxis>>(
      "Rotational.InitializeFlange",
      "start angle, speed and acceleration of a flange from signals")};
}

Catalogue rotationalMotion() {
  return {
      entry<Position<RotationalAxis>>("Rotational.Position", "flange follows a reference angle"),
      entry<Speed<RotationalAxis>>("Rotational.Speed",
                                   "flange follows a reference angular velocity"),
      entry<Accelerate<RotationalAxis>>("Rotational.Accelerate",
                                        "flange moves with a given angular acceleration"),
      entry<Move<RotationalAxis>>(
          "Rotational.Move", "flange moves with given angle, angular velocity and acceleration"),
      entry<ConstantSpeed<RotationalAxis>>("Rotational.ConstantSpeed",
                                           "flange turns with a fixed angular velocity"),
  };
}

Catalogue translationalStart() {
  return {entry<InitializeFlange<TranslationalAxis>>(
      "Translational.InitializeFlange",
      "start position, speed and acceleration of a flange from signals")};
}

Catalogue translationalMotion() {
  return {
      entry<Position<TranslationalAxis>>("Translational.Position",
                                         "flange follows a reference position"),
      entry<Speed<TranslationalAxis>>("Translational.Speed", "flange follows a reference velocity"),
      entry<Accelerate<TranslationalAxis>>("Translational.Accelerate",
                                           "flange moves with a given acceleration"),
      entry<Move<TranslationalAxis>>("Translational.Move",
                                     "flange moves with given position, velocity and acceleration"),
      entry<ConstantSpeed<TranslationalAxis>>("Translational.ConstantSpeed",
                                              "flange moves with a fixed velocity"),
  };
}

}  // namespace cardan::one_dimensional
