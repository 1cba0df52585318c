/// The classes of MSL's Mechanics.Translational.
#pragma once

#include "components/one_dimensional/compliant.h"
#include "components/one_dimensional/contact.h"
#include "components/one_dimensional/force_sources.h"
#include "components/one_dimensional/friction.h"
#include "components/one_dimensional/gears.h"
#include "components/one_dimensional/mass_with_stop.h"
#include "components/one_dimensional/motion_sources.h"
#include "components/one_dimensional/rigid.h"
#include "components/one_dimensional/sensors.h"
#include "components/one_dimensional/speed_forces.h"

namespace cardan::translational {

using Axis = one_dimensional::TranslationalAxis;

// Components
using Fixed = one_dimensional::Fixed<Axis>;
using Mass = one_dimensional::Inertia<Axis>;
using Rod = one_dimensional::Shifted<Axis>;
using Spring = one_dimensional::Spring<Axis>;
using Damper = one_dimensional::Damper<Axis>;
using SpringDamper = one_dimensional::SpringDamper<Axis>;
using one_dimensional::ElastoGap;
using SupportFriction = one_dimensional::BearingFriction<Axis>;
using Brake = one_dimensional::Brake<Axis>;
using one_dimensional::MassWithStopAndFriction;
using one_dimensional::RollingResistance;
using one_dimensional::Vehicle;
using RelativeStates = one_dimensional::RelativeStates<Axis>;
using one_dimensional::IdealLever;
using IdealGearR2T = one_dimensional::RotationToTranslation<false>;
using IdealRollingWheel = one_dimensional::RotationToTranslation<true>;
using InitializeFlange = one_dimensional::InitializeFlange<Axis>;

// Sensors
using PositionSensor = one_dimensional::MotionSensor<Axis, one_dimensional::Quantity::position>;
using SpeedSensor = one_dimensional::MotionSensor<Axis, one_dimensional::Quantity::velocity>;
using AccSensor = one_dimensional::MotionSensor<Axis, one_dimensional::Quantity::acceleration>;
using RelPositionSensor =
    one_dimensional::RelativeMotionSensor<Axis, one_dimensional::Quantity::position>;
using RelSpeedSensor =
    one_dimensional::RelativeMotionSensor<Axis, one_dimensional::Quantity::velocity>;
using RelAccSensor =
    one_dimensional::RelativeMotionSensor<Axis, one_dimensional::Quantity::acceleration>;
using ForceSensor = one_dimensional::FlowSensor<Axis, one_dimensional::Passing::flow>;
using PowerSensor = one_dimensional::FlowSensor<Axis, one_dimensional::Passing::power>;
using MultiSensor = one_dimensional::FlowSensor<Axis, one_dimensional::Passing::both>;

// Sources
using Position = one_dimensional::Position<Axis>;
using Speed = one_dimensional::Speed<Axis>;
using Accelerate = one_dimensional::Accelerate<Axis>;
using Move = one_dimensional::Move<Axis>;
using ConstantSpeed = one_dimensional::ConstantSpeed<Axis>;
using Force = one_dimensional::Force<Axis>;
using Force2 = one_dimensional::Force2<Axis>;
using ConstantForce = one_dimensional::ConstantForce<Axis>;
using ForceStep = one_dimensional::ForceStep<Axis>;
using LinearSpeedDependentForce = one_dimensional::SpeedDependentForce<Axis, 1>;
using QuadraticSpeedDependentForce = one_dimensional::SpeedDependentForce<Axis, 2>;
using InverseSpeedDependentForce = one_dimensional::InverseSpeedDependentForce<Axis>;
using SignForce = one_dimensional::SignForce<Axis>;
using EddyCurrentForce = one_dimensional::EddyCurrentForce<Axis>;

}  // namespace cardan::translational
