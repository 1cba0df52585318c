/// Sensors of one-dimensional motion and force; they put no load on their flanges.
#include "components/catalogue_entry.h"
#include "components/component.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// Which quantity a sensor of motion shows.
enum class Quantity { position, velocity, acceleration };

namespace {

struct Names {
  const char* name;
  const char* name_rel;
  const char* unit;
  const char* word;
  Level level;
};
template <class Axis>
Names namesOf(Quantity q) {
  switch (q) {
    case Quantity::position:
      return {Axis::position, Axis::position_rel, Axis::positionUnit, Axis::positionWord,
              Level::Position};
    case Quantity::velocity:
      return {Axis::velocity, Axis::velocity_rel, Axis::velocityUnit, Axis::velocityWord,
              Level::Velocity};
    case Quantity::acceleration:
      break;
  }
  return {Axis::acceleration, Axis::acceleration_rel, Axis::accelerationUnit,
          Axis::accelerationWord, Level::Acceleration};
}

template <Quantity Q, class S>
const S& quantity(const FlangeState<S>& f) {
  if constexpr (Q == Quantity::position) return f.position;
  if constexpr (Q == Quantity::velocity) return f.velocity;
  if constexpr (Q == Quantity::acceleration) return f.acceleration;
}

}  // namespace

/// Position, velocity or acceleration of a flange.
///
/// Output  phi, w or a of the flange
/// Source  MSL 4.0 Rotational.AngleSensor, SpeedSensor, AccSensor;
///         Translational.PositionSensor, SpeedSensor, AccSensor
template <class Axis, Quantity Q>
class MotionSensor final : public ComponentOf<MotionSensor<Axis, Q>> {
 public:
  void read(ParameterReader& r) override {
    const Names n = namesOf<Axis>(Q);
    r.start(n.name, start_, n.unit, n.word);
  }
  void declare(Structure& s) override {
    flange_ = s.flange("flange", Axis::domain);
    if (Q == Quantity::acceleration) s.inertia(flange_);
  }
  void describe(Variables& v) const override {
    const Names n = namesOf<Axis>(Q);
    v.scalar({n.name, n.unit, std::string(n.word) + " of the flange", n.level, true},
             [this](const auto& x) { return quantity<Q>(x.flange(flange_)); });
    v.start(n.name, start_);
    if (Q == Quantity::acceleration) {
      v.scalar({Axis::velocity, Axis::velocityUnit,
                std::string(Axis::velocityWord) + " of the flange", Level::Velocity},
               [this](const auto& x) { return x.flange(flange_).velocity; });
    }
  }

 private:
  StartValue start_;
  FlangeId flange_;
};

/// Position, velocity or acceleration of flange_b relative to flange_a.
///
/// Output  phi_rel, w_rel or a_rel
/// Source  MSL 4.0 Rotational.RelAngleSensor, RelSpeedSensor, RelAccSensor;
///         Translational.RelPositionSensor, ...
template <class Axis, Quantity Q>
class RelativeMotionSensor final : public ComponentOf<RelativeMotionSensor<Axis, Q>> {
 public:
  void read(ParameterReader& r) override {
    auto read = [&](Quantity q, StartValue& start) {
      const Names n = namesOf<Axis>(q);
      if (q <= Q) r.start(n.name_rel, start, n.unit, n.word);
    };
    read(Quantity::position, start_.position);
    read(Quantity::velocity, start_.velocity);
    read(Quantity::acceleration, start_.acceleration);
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Axis::domain);
    if (Q == Quantity::acceleration) {
      s.inertia(flanges_.a);
      s.inertia(flanges_.b);
    }
  }
  void describe(Variables& v) const override {
    auto describe = [&](Quantity q, const StartValue& start, auto get) {
      if (q > Q) return;
      const Names n = namesOf<Axis>(q);
      v.scalar({n.name_rel, n.unit, std::string(n.word) + " of flange_b relative to flange_a",
                n.level, q == Q},
               [this, get](const auto& x) { return get(flanges_.motion(x)); });
      v.start(n.name_rel, start);
    };
    describe(Quantity::position, start_.position, [](const auto& m) { return m.position; });
    describe(Quantity::velocity, start_.velocity, [](const auto& m) { return m.velocity; });
    describe(Quantity::acceleration, start_.acceleration,
             [](const auto& m) { return m.acceleration; });
  }

 private:
  MotionStart start_;
  TwoFlanges flanges_;
};

/// What passes from flange_a to flange_b, which are rigidly connected.
enum class Passing { flow, power, both };

/// Torque (force), power, or both and the velocity.
///
/// Outputs    tau = flange_a.tau;  power = flange_a.tau w;  w
/// Source     MSL 4.0 Rotational.TorqueSensor, PowerSensor, MultiSensor;
///            Translational.ForceSensor, ...
template <class Axis, Passing P>
class FlowSensor final : public ComponentOf<FlowSensor<Axis, P>> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    flanges_.declare(s, Axis::domain);
    s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, 0});
  }
  void describe(Variables& v) const override {
    if (P != Passing::power) {
      v.scalar({Axis::flow, Axis::flowUnit, std::string(Axis::flowWord) + " at flange_a",
                Level::Force, true},
               [this](const auto& x) { return x.connectorFlow(flanges_.a); });
    }
    if (P != Passing::flow) {
      v.scalar({"power", "W", "power that flows into flange_a", Level::Force, true},
               [this](const auto& x) {
                 return x.connectorFlow(flanges_.a) * x.flange(flanges_.a).velocity;
               });
    }
    if (P == Passing::both) {
      v.scalar({Axis::velocity, Axis::velocityUnit,
                std::string(Axis::velocityWord) + " of the flanges", Level::Velocity, true},
               [this](const auto& x) { return x.flange(flanges_.a).velocity; });
    }
  }

 private:
  TwoFlanges flanges_;
};

Catalogue rotationalSensors() {
  return {
      entry<MotionSensor<RotationalAxis, Quantity::position>>("Rotational.AngleSensor",
                                                              "angle of a flange"),
      entry<MotionSensor<RotationalAxis, Quantity::velocity>>("Rotational.SpeedSensor",
                                                              "angular velocity of a flange"),
      entry<MotionSensor<RotationalAxis, Quantity::acceleration>>(
          "Rotational.AccSensor", "angular acceleration of a flange"),
      entry<RelativeMotionSensor<RotationalAxis, Quantity::position>>(
          "Rotational.RelAngleSensor", "relative angle of two flanges"),
      entry<RelativeMotionSensor<RotationalAxis, Quantity::velocity>>(
          "Rotational.RelSpeedSensor", "relative angular velocity of two flanges"),
      entry<RelativeMotionSensor<RotationalAxis, Quantity::acceleration>>(
          "Rotational.RelAccSensor", "relative angular acceleration of two flanges"),
      entry<FlowSensor<RotationalAxis, Passing::flow>>("Rotational.TorqueSensor",
                                                       "torque between two flanges"),
      entry<FlowSensor<RotationalAxis, Passing::power>>("Rotational.PowerSensor",
                                                        "power between two flanges"),
      entry<FlowSensor<RotationalAxis, Passing::both>>(
          "Rotational.MultiSensor", "torque, power and angular velocity between two flanges"),
  };
}

Catalogue translationalSensors() {
  return {
      entry<MotionSensor<TranslationalAxis, Quantity::position>>("Translational.PositionSensor",
                                                                 "position of a flange"),
      entry<MotionSensor<TranslationalAxis, Quantity::velocity>>("Translational.SpeedSensor",
                                                                 "velocity of a flange"),
      entry<MotionSensor<TranslationalAxis, Quantity::acceleration>>("Translational.AccSensor",
                                                                     "acceleration of a flange"),
      entry<RelativeMotionSensor<TranslationalAxis, Quantity::position>>(
          "Translational.RelPositionSensor", "relative position of two flanges"),
      entry<RelativeMotionSensor<TranslationalAxis, Quantity::velocity>>(
          "Translational.RelSpeedSensor", "relative velocity of two flanges"),
      entry<RelativeMotionSensor<TranslationalAxis, Quantity::acceleration>>(
          "Translational.RelAccSensor", "relative acceleration of two flanges"),
      entry<FlowSensor<TranslationalAxis, Passing::flow>>("Translational.ForceSensor",
                                                          "force between two flanges"),
      entry<FlowSensor<TranslationalAxis, Passing::power>>("Translational.PowerSensor",
                                                           "power between two flanges"),
      entry<FlowSensor<TranslationalAxis, Passing::both>>(
          "Translational.MultiSensor", "force, power and velocity between two flanges"),
  };
}

}  // namespace cardan::one_dimensional
