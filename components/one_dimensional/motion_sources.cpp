#include "components/one_dimensional/motion_sources.h"

#include "components/catalogue_entry.h"
#include "components/interfaces/coordinate.h"

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

template <class Axis>
void Position<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  readFilter(r, exact_, f_crit_);
  this->start_.template read<Axis>(r);
  this->start_.select(exact_ ? StateSelect::defaultSelect : StateSelect::prefer);
  r.input(Axis::position_ref, 1, Axis::positionUnit,
          "position of the flange relative to the support");
}

template <class Axis>
void Position<Axis>::declare(Structure& s) {
  this->declareMotion(s, true);
  reference_ = s.input(Axis::position_ref, 1, exact_ ? Rate::Needed : Rate::NotNeeded);
  if (exact_) return;
  phi_ = s.unknown(positionInfo<Axis>(), Kind::Differential);
  w_ = s.unknown(velocityInfo<Axis>(), Kind::Differential);
  phiRow_ = s.row(Axis::position);
  wRow_ = s.row(Axis::velocity);
}

template <class Axis>
void Position<Axis>::describe(Variables& v) const {
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
  v.initial(
      initially(Axis::position_ref, "the filter starts at the reference position", Level::Position),
      1, [this](const auto& x, auto* g) { g[0] = x.unknown(phi_) - x.input(reference_); });
}

template <class Axis>
void Speed<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  readFilter(r, exact_, f_crit_);
  this->start_.template read<Axis>(r);
  this->start_.select(StateSelect::prefer);
  r.input(Axis::velocity_ref, 1, Axis::velocityUnit,
          "velocity of the flange relative to the support");
}

template <class Axis>
void Speed<Axis>::declare(Structure& s) {
  this->declareMotion(s, false);
  reference_ = s.input(Axis::velocity_ref, 1);
  if (exact_) return;
  w_ = s.unknown(velocityInfo<Axis>(), Kind::Differential);
  wRow_ = s.row(Axis::velocity);
}

template <class Axis>
void Speed<Axis>::describe(Variables& v) const {
  this->describeState(v, exact_ ? 2 : 1);
  if (exact_) {
    describeDummy(v, Axis::acceleration, Axis::accelerationUnit);
    return;
  }
  v.start(Axis::velocity, this->start_.velocity);
  v.start(Axis::acceleration, this->start_.acceleration);
  describeRate<Axis>(v, w_);
  v.initial(
      initially(Axis::velocity_ref, "the filter starts at the reference velocity", Level::Velocity),
      1, [this](const auto& x, auto* g) { g[0] = x.unknown(w_) - x.input(reference_); });
}

template <class Axis>
void Accelerate<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  this->start_.template read<Axis>(r);
  this->start_.select(StateSelect::prefer);
  r.input(Axis::acceleration_ref, 1, Axis::accelerationUnit,
          "acceleration of the flange relative to the support");
}

template <class Axis>
void Accelerate<Axis>::declare(Structure& s) {
  this->declareMotion(s, true);
  reference_ = s.input(Axis::acceleration_ref, 1);
  phi_ = s.unknown(positionInfo<Axis>(), Kind::Differential);
  w_ = s.unknown(velocityInfo<Axis>(), Kind::Differential);
  phiRow_ = s.row(Axis::position);
  wRow_ = s.row(Axis::velocity);
}

template <class Axis>
void Accelerate<Axis>::describe(Variables& v) const {
  v.start(Axis::position, this->start_.position);
  v.start(Axis::velocity, this->start_.velocity);
  v.start(Axis::acceleration, this->start_.acceleration);
  describeRate<Axis>(v, w_);
}

template <class Axis>
void Move<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  this->start_.template readPosition<Axis>(r);
  r.input("u", 3, "1", "position, velocity and acceleration of the flange relative to the support");
}

template <class Axis>
void Move<Axis>::declare(Structure& s) {
  this->declareMotion(s, true);
  u_ = s.input("u", 3);
}

template <class Axis>
void Move<Axis>::describe(Variables& v) const {
  this->describeState(v, 1);
}

template <class Axis>
void ConstantSpeed<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  r.real(Axis::velocityFixed, w_fixed_, Axis::velocityUnit,
         "velocity of the flange relative to the support");
  this->start_.template read<Axis>(r);
}

template <class Axis>
void ConstantSpeed<Axis>::declare(Structure& s) {
  this->declareMotion(s, false);
}

template <class Axis>
void ConstantSpeed<Axis>::describe(Variables& v) const {
  this->describeState(v, 2);
}

template <class Axis>
void InitializeFlange<Axis>::read(ParameterReader& r) {
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

template <class Axis>
void InitializeFlange<Axis>::declare(Structure& s) {
  flange_ = s.flange("flange", Axis::domain);
  if (use_[0]) start_[0] = s.input(Axis::position_start, 1);
  if (use_[1]) start_[1] = s.input(Axis::velocity_start, 1);
  if (use_[2]) {
    start_[2] = s.input(Axis::acceleration_start, 1);
    s.inertia(flange_);
  }
}

template <class Axis>
void InitializeFlange<Axis>::describe(Variables& v) const {
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
