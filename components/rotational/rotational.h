/// The classes of MSL's Mechanics.Rotational.
#pragma once

#include "components/one_dimensional/compliant.h"
#include "components/one_dimensional/contact.h"
#include "components/one_dimensional/force_sources.h"
#include "components/one_dimensional/friction.h"
#include "components/one_dimensional/gears.h"
#include "components/one_dimensional/lossy_gear.h"
#include "components/one_dimensional/motion_sources.h"
#include "components/one_dimensional/rigid.h"
#include "components/one_dimensional/sensors.h"
#include "components/one_dimensional/speed_forces.h"

namespace cardan::rotational {

using Axis = one_dimensional::RotationalAxis;

// Components
using Fixed = one_dimensional::Fixed<Axis>;
using Inertia = one_dimensional::Inertia<Axis>;
using Disc = one_dimensional::Shifted<Axis>;
using Spring = one_dimensional::Spring<Axis>;
using Damper = one_dimensional::Damper<Axis>;
using SpringDamper = one_dimensional::SpringDamper<Axis>;
using one_dimensional::ElastoBacklash;
using one_dimensional::ElastoBacklash2;
using BearingFriction = one_dimensional::BearingFriction<Axis>;
using Brake = one_dimensional::Brake<Axis>;
using Clutch = one_dimensional::Clutch<Axis>;
using OneWayClutch = one_dimensional::OneWayClutch<Axis>;
using one_dimensional::IdealGear;
using one_dimensional::LossyGear;
using RelativeStates = one_dimensional::RelativeStates<Axis>;
using one_dimensional::IdealPlanetary;
using IdealGearR2T = one_dimensional::RotationToTranslation<false>;
using IdealRollingWheel = one_dimensional::RotationToTranslation<true>;
using InitializeFlange = one_dimensional::InitializeFlange<Axis>;

// Sensors
using AngleSensor = one_dimensional::MotionSensor<Axis, one_dimensional::Quantity::position>;
using SpeedSensor = one_dimensional::MotionSensor<Axis, one_dimensional::Quantity::velocity>;
using AccSensor = one_dimensional::MotionSensor<Axis, one_dimensional::Quantity::acceleration>;
using RelAngleSensor =
    one_dimensional::RelativeMotionSensor<Axis, one_dimensional::Quantity::position>;
using RelSpeedSensor =
    one_dimensional::RelativeMotionSensor<Axis, one_dimensional::Quantity::velocity>;
using RelAccSensor =
    one_dimensional::RelativeMotionSensor<Axis, one_dimensional::Quantity::acceleration>;
using TorqueSensor = one_dimensional::FlowSensor<Axis, one_dimensional::Passing::flow>;
using PowerSensor = one_dimensional::FlowSensor<Axis, one_dimensional::Passing::power>;
using MultiSensor = one_dimensional::FlowSensor<Axis, one_dimensional::Passing::both>;

// Sources
using Position = one_dimensional::Position<Axis>;
using Speed = one_dimensional::Speed<Axis>;
using Accelerate = one_dimensional::Accelerate<Axis>;
using Move = one_dimensional::Move<Axis>;
using ConstantSpeed = one_dimensional::ConstantSpeed<Axis>;
using Torque = one_dimensional::Force<Axis>;
using Torque2 = one_dimensional::Force2<Axis>;
using ConstantTorque = one_dimensional::ConstantForce<Axis>;
using TorqueStep = one_dimensional::ForceStep<Axis>;
using LinearSpeedDependentTorque = one_dimensional::SpeedDependentForce<Axis, 1>;
using QuadraticSpeedDependentTorque = one_dimensional::SpeedDependentForce<Axis, 2>;
using InverseSpeedDependentTorque = one_dimensional::InverseSpeedDependentForce<Axis>;
using SignTorque = one_dimensional::SignForce<Axis>;
using EddyCurrentTorque = one_dimensional::EddyCurrentForce<Axis>;

}  // namespace cardan::rotational
