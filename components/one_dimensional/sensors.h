/// Sensors of one-dimensional motion and force; they put no load on their flanges.
#pragma once

#include "components/component.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// Which quantity a sensor of motion shows.
enum class Quantity { position, velocity, acceleration };

/// Position, velocity or acceleration of a flange.
///
/// Output  phi, w or a of the flange
/// Source  MSL 4.0 Rotational.AngleSensor, SpeedSensor, AccSensor;
///         Translational.PositionSensor, SpeedSensor, AccSensor
template <class Axis, Quantity Q>
class MotionSensor final : public ComponentOf<MotionSensor<Axis, Q>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  TwoFlanges flanges_;
};

}  // namespace cardan::one_dimensional
