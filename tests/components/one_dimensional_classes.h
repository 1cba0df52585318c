/// Classes of MSL's Mechanics.Rotational and Mechanics.Translational by their names there, for the tests.
#pragma once

#include "components/one_dimensional/compliant.h"
#include "components/one_dimensional/contact.h"
#include "components/one_dimensional/force_sources.h"
#include "components/one_dimensional/friction.h"
#include "components/one_dimensional/gears.h"
#include "components/one_dimensional/motion_sources.h"
#include "components/one_dimensional/rigid.h"
#include "components/one_dimensional/sensors.h"
#include "components/one_dimensional/speed_forces.h"

namespace cardan {

/// Those that both have.
template <class Axis>
struct OneDimensional {
  using Fixed = one_dimensional::Fixed<Axis>;
  using Spring = one_dimensional::Spring<Axis>;
  using Damper = one_dimensional::Damper<Axis>;
  using SpringDamper = one_dimensional::SpringDamper<Axis>;
  using Brake = one_dimensional::Brake<Axis>;
  using InitializeFlange = one_dimensional::InitializeFlange<Axis>;

  template <one_dimensional::Quantity quantity>
  using Sensor = one_dimensional::MotionSensor<Axis, quantity>;
  using SpeedSensor = Sensor<one_dimensional::Quantity::velocity>;
  using AccSensor = Sensor<one_dimensional::Quantity::acceleration>;
  template <one_dimensional::Quantity quantity>
  using RelSensor = one_dimensional::RelativeMotionSensor<Axis, quantity>;
  using RelSpeedSensor = RelSensor<one_dimensional::Quantity::velocity>;
  using RelAccSensor = RelSensor<one_dimensional::Quantity::acceleration>;
  using MultiSensor = one_dimensional::FlowSensor<Axis, one_dimensional::Passing::both>;

  using Position = one_dimensional::Position<Axis>;
  using Speed = one_dimensional::Speed<Axis>;
  using Accelerate = one_dimensional::Accelerate<Axis>;
  using Move = one_dimensional::Move<Axis>;
  using ConstantSpeed = one_dimensional::ConstantSpeed<Axis>;
};

struct Rotational : OneDimensional<one_dimensional::RotationalAxis> {
  using Axis = one_dimensional::RotationalAxis;
  using Inertia = one_dimensional::Inertia<Axis>;
  using Disc = one_dimensional::Shifted<Axis>;
  using ElastoBacklash = one_dimensional::ElastoBacklash;
  using BearingFriction = one_dimensional::BearingFriction<Axis>;
  using Clutch = one_dimensional::Clutch<Axis>;
  using IdealGear = one_dimensional::IdealGear;
  using IdealPlanetary = one_dimensional::IdealPlanetary;
  using IdealGearR2T = one_dimensional::RotationToTranslation<false>;
  using IdealRollingWheel = one_dimensional::RotationToTranslation<true>;
  using AngleSensor = Sensor<one_dimensional::Quantity::position>;
  using RelAngleSensor = RelSensor<one_dimensional::Quantity::position>;
  using TorqueSensor = one_dimensional::FlowSensor<Axis, one_dimensional::Passing::flow>;
  using Torque = one_dimensional::Force<Axis>;
  using Torque2 = one_dimensional::Force2<Axis>;
  using ConstantTorque = one_dimensional::ConstantForce<Axis>;
  using TorqueStep = one_dimensional::ForceStep<Axis>;
  using LinearSpeedDependentTorque = one_dimensional::SpeedDependentForce<Axis, 1>;
  using QuadraticSpeedDependentTorque = one_dimensional::SpeedDependentForce<Axis, 2>;
};

struct Translational : OneDimensional<one_dimensional::TranslationalAxis> {
  using Axis = one_dimensional::TranslationalAxis;
  using Mass = one_dimensional::Inertia<Axis>;
  using Rod = one_dimensional::Shifted<Axis>;
  using ElastoGap = one_dimensional::ElastoGap;
  using SupportFriction = one_dimensional::BearingFriction<Axis>;
  using PositionSensor = Sensor<one_dimensional::Quantity::position>;
  using RelPositionSensor = RelSensor<one_dimensional::Quantity::position>;
  using ForceSensor = one_dimensional::FlowSensor<Axis, one_dimensional::Passing::flow>;
  using Force = one_dimensional::Force<Axis>;
  using Force2 = one_dimensional::Force2<Axis>;
  using ConstantForce = one_dimensional::ConstantForce<Axis>;
  using ForceStep = one_dimensional::ForceStep<Axis>;
  using LinearSpeedDependentForce = one_dimensional::SpeedDependentForce<Axis, 1>;
  using QuadraticSpeedDependentForce = one_dimensional::SpeedDependentForce<Axis, 2>;
};

}  // namespace cardan
