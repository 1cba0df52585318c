#include "components/catalogue.h"

#include "components/blocks/controllers.h"
#include "components/blocks/expressions.h"
#include "components/blocks/kinematic_ptp.h"
#include "components/blocks/linear_system.h"
#include "components/blocks/math.h"
#include "components/blocks/relations.h"
#include "components/blocks/sources.h"
#include "components/blocks/tables.h"
#include "components/constraints/prismatic.h"
#include "components/constraints/revolute.h"
#include "components/constraints/spherical.h"
#include "components/constraints/universal.h"
#include "components/electrical/electrical.h"
#include "components/forces/damper.h"
#include "components/forces/force.h"
#include "components/forces/force_and_torque.h"
#include "components/forces/gas_force_2.h"
#include "components/forces/line_force_with_mass.h"
#include "components/forces/line_force_with_two_masses.h"
#include "components/forces/spring.h"
#include "components/forces/spring_damper_parallel.h"
#include "components/forces/spring_damper_series.h"
#include "components/forces/torque.h"
#include "components/forces/world_force.h"
#include "components/forces/world_force_and_torque.h"
#include "components/forces/world_torque.h"
#include "components/joints/cylindrical.h"
#include "components/joints/free_motion.h"
#include "components/joints/free_motion_scalar_init.h"
#include "components/joints/gear_constraint.h"
#include "components/joints/joint_rrp.h"
#include "components/joints/joint_rrr.h"
#include "components/joints/joint_ssp.h"
#include "components/joints/joint_ssr.h"
#include "components/joints/joint_ups.h"
#include "components/joints/joint_usp.h"
#include "components/joints/joint_usr.h"
#include "components/joints/planar.h"
#include "components/joints/prismatic.h"
#include "components/joints/revolute.h"
#include "components/joints/revolute_planar_loop_constraint.h"
#include "components/joints/rolling_constraint_vertical_wheel.h"
#include "components/joints/rolling_wheel.h"
#include "components/joints/rolling_wheel_set.h"
#include "components/joints/spherical.h"
#include "components/joints/spherical_spherical.h"
#include "components/joints/universal.h"
#include "components/joints/universal_spherical.h"
#include "components/parts/bevel_gear_1d.h"
#include "components/parts/body.h"
#include "components/parts/body_box.h"
#include "components/parts/body_cylinder.h"
#include "components/parts/body_shape.h"
#include "components/parts/fixed.h"
#include "components/parts/fixed_rotation.h"
#include "components/parts/fixed_translation.h"
#include "components/parts/mounting_1d.h"
#include "components/parts/point_mass.h"
#include "components/parts/rolling_wheel.h"
#include "components/parts/rolling_wheel_set.h"
#include "components/parts/rotor_1d.h"
#include "components/parts/world.h"
#include "components/rotational/rotational.h"
#include "components/sensors/absolute_angles.h"
#include "components/sensors/absolute_angular_velocity.h"
#include "components/sensors/absolute_position.h"
#include "components/sensors/absolute_sensor.h"
#include "components/sensors/absolute_velocity.h"
#include "components/sensors/cut_force.h"
#include "components/sensors/cut_force_and_torque.h"
#include "components/sensors/cut_torque.h"
#include "components/sensors/distance.h"
#include "components/sensors/power.h"
#include "components/sensors/relative_angles.h"
#include "components/sensors/relative_angular_velocity.h"
#include "components/sensors/relative_position.h"
#include "components/sensors/relative_sensor.h"
#include "components/sensors/relative_velocity.h"
#include "components/sensors/transform_absolute_vector.h"
#include "components/sensors/transform_relative_vector.h"
#include "components/thermal/thermal.h"
#include "components/translational/translational.h"
#include "components/visualizers/visualizer.h"

namespace cardan {
namespace {

Catalogue makeCatalogue() {
  Catalogue c{
      {"World", "parts", "inertial frame, gravity and the defaults of all other components",
       &make<World>},
      {"Fixed", "parts", "frame fixed in the world at a given position", &make<Fixed>},
      {"FixedTranslation", "parts", "rigid offset between two frames", &make<FixedTranslation>},
      {"FixedRotation", "parts", "rigid offset and rotation between two frames",
       &make<FixedRotation>},
      {"Body", "parts", "rigid body with mass and inertia tensor", &make<Body>},
      {"BodyShape", "parts", "rigid body with two frames", &make<BodyShape>},
      {"BodyBox", "parts", "box with mass properties from its dimensions and density",
       &make<BodyBox>},
      {"BodyCylinder", "parts", "cylinder with mass properties from its dimensions and density",
       &make<BodyCylinder>},
      {"PointMass", "parts", "mass without extension, and so without orientation",
       &make<PointMass>},

      {"Revolute", "joints", "rotation about one axis", &make<Revolute>},
      {"Prismatic", "joints", "translation along one axis", &make<Prismatic>},
      {"Cylindrical", "joints", "rotation about and translation along one axis",
       &make<Cylindrical>},
      {"Universal", "joints", "rotations about two axes, one after the other", &make<Universal>},
      {"Planar", "joints", "motion in a plane: two translations and a rotation", &make<Planar>},
      {"Spherical", "joints", "rotation about a point", &make<Spherical>},
      {"FreeMotion", "joints", "free motion of one frame relative to another", &make<FreeMotion>},
      {"FreeMotionScalarInit", "joints", "free motion, each coordinate with its own start value",
       &make<FreeMotionScalarInit>},
      {"RevolutePlanarLoopConstraint", "joints",
       "rotation about one axis, closing a planar loop with two constraints",
       &make<RevolutePlanarLoopConstraint>},
      {"SphericalSpherical", "joints",
       "rod of fixed length between two points, with mass if wanted", &make<SphericalSpherical>},
      {"UniversalSpherical", "joints", "rod between a universal and a spherical joint",
       &make<UniversalSpherical>},
      {"JointUPS", "joints", "universal, prismatic and spherical joint in a row", &make<JointUPS>},
      {"JointUSR", "joints", "universal joint, rod, spherical joint, rod, revolute joint",
       &make<JointUSR>},
      {"JointUSP", "joints", "universal joint, rod, spherical joint, rod, prismatic joint",
       &make<JointUSP>},
      {"JointSSR", "joints", "rod between two spherical joints, rod, revolute joint",
       &make<JointSSR>},
      {"JointSSP", "joints", "rod between two spherical joints, rod, prismatic joint",
       &make<JointSSP>},
      {"JointRRR", "joints", "three parallel revolute joints with rods between them, planar",
       &make<JointRRR>},
      {"JointRRP", "joints", "two parallel revolute joints, a prismatic joint, rods, planar",
       &make<JointRRP>},
      {"GearConstraint", "joints", "ideal gear between two shafts in a common bearing",
       &make<GearConstraint>},
      {"Joints.RollingWheel", "joints", "rolling contact of a wheel without mass",
       &make<joints::RollingWheel>},
      {"Joints.RollingWheelSet", "joints", "two rolling wheels without mass on one axle",
       &make<joints::RollingWheelSet>},
      {"RollingConstraintVerticalWheel", "joints", "no slip of a wheel that is kept upright",
       &make<RollingConstraintVerticalWheel>},
      {"Constraints.Prismatic", "joints",
       "parallel frames without coordinates, held in chosen directions",
       &make<constraints::Prismatic>},
      {"Constraints.Revolute", "joints",
       "rotation about one axis without coordinates, held in chosen directions",
       &make<constraints::Revolute>},
      {"Constraints.Spherical", "joints",
       "free rotation without coordinates, held in chosen directions",
       &make<constraints::Spherical>},
      {"Constraints.Universal", "joints",
       "rotation about two axes without coordinates, held in chosen directions",
       &make<constraints::Universal>},

      {"WorldForce", "forces", "force on a frame, from an input", &make<WorldForce>},
      {"WorldTorque", "forces", "torque on a frame, from an input", &make<WorldTorque>},
      {"WorldForceAndTorque", "forces", "force and torque on a frame, from inputs",
       &make<WorldForceAndTorque>},
      {"Force", "forces", "force between two frames, from an input", &make<Force>},
      {"Torque", "forces", "torque between two frames, from an input", &make<Torque>},
      {"ForceAndTorque", "forces", "force and torque between two frames, from inputs",
       &make<ForceAndTorque>},
      {"Spring", "forces", "linear spring between two points, with mass if wanted", &make<Spring>},
      {"Damper", "forces", "linear damper between two points", &make<Damper>},
      {"SpringDamperParallel", "forces", "spring and damper side by side between two points",
       &make<SpringDamperParallel>},
      {"SpringDamperSeries", "forces", "spring and damper one after the other between two points",
       &make<SpringDamperSeries>},
      {"LineForceWithMass", "forces",
       "any translational part on the line between two points, with a mass",
       &make<LineForceWithMass>},
      {"LineForceWithTwoMasses", "forces",
       "any translational part on the line between two points, with two masses",
       &make<LineForceWithTwoMasses>},
      {"Examples.Loops.Utilities.GasForce2", "forces", "gas force of an engine's cylinder",
       &make<GasForce2>},

      {"Rotor1D", "parts",
       "rotor on a moving housing, as a one-dimensional inertia with its reactions",
       &make<Rotor1D>},
      {"BevelGear1D", "parts", "gear between two axes on a moving housing, with its reaction",
       &make<BevelGear1D>},
      {"Mounting1D", "parts", "flange held by a moving housing", &make<Mounting1D>},
      {"RollingWheel", "parts", "wheel with mass that rolls on the ground", &make<RollingWheel>},
      {"RollingWheelSet", "parts", "two wheels with mass on one axle that roll on the ground",
       &make<RollingWheelSet>},

      {"AbsoluteSensor", "sensors", "motion of a frame relative to the world",
       &make<AbsoluteSensor>},
      {"RelativeSensor", "sensors", "motion of one frame relative to another",
       &make<RelativeSensor>},
      {"AbsolutePosition", "sensors", "position of a frame", &make<AbsolutePosition>},
      {"AbsoluteVelocity", "sensors", "velocity of a frame", &make<AbsoluteVelocity>},
      {"AbsoluteAngles", "sensors", "angles that turn the world frame into a frame",
       &make<AbsoluteAngles>},
      {"AbsoluteAngularVelocity", "sensors", "angular velocity of a frame",
       &make<AbsoluteAngularVelocity>},
      {"RelativePosition", "sensors", "position of one frame relative to another",
       &make<RelativePosition>},
      {"RelativeVelocity", "sensors", "velocity of one frame relative to another",
       &make<RelativeVelocity>},
      {"RelativeAngles", "sensors", "angles that turn one frame into another",
       &make<RelativeAngles>},
      {"RelativeAngularVelocity", "sensors", "angular velocity of one frame relative to another",
       &make<RelativeAngularVelocity>},
      {"Distance", "sensors", "distance between two frames", &make<Distance>},
      {"CutForce", "sensors", "force that passes between two frames", &make<CutForce>},
      {"CutTorque", "sensors", "torque that passes between two frames", &make<CutTorque>},
      {"CutForceAndTorque", "sensors", "force and torque that pass between two frames",
       &make<CutForceAndTorque>},
      {"Power", "sensors", "power that passes between two frames", &make<Power>},
      {"TransformAbsoluteVector", "sensors", "a vector resolved in another frame",
       &make<TransformAbsoluteVector>},
      {"TransformRelativeVector", "sensors", "a vector resolved in another frame",
       &make<TransformRelativeVector>},

      {"Rotational.Fixed", "rotational", "flange fixed in the housing", &make<rotational::Fixed>},
      {"Rotational.Inertia", "rotational", "inertia with two rigidly connected flanges",
       &make<rotational::Inertia>},
      {"Rotational.Disc", "rotational",
       "two rigidly connected flanges without inertia, one turned against the other",
       &make<rotational::Disc>},
      {"Rotational.Spring", "rotational", "linear rotational spring", &make<rotational::Spring>},
      {"Rotational.Damper", "rotational", "linear rotational damper", &make<rotational::Damper>},
      {"Rotational.SpringDamper", "rotational", "linear spring and damper in parallel",
       &make<rotational::SpringDamper>},
      {"Rotational.ElastoBacklash", "rotational", "backlash in series with spring and damper",
       &make<rotational::ElastoBacklash>},
      {"Rotational.BearingFriction", "rotational", "Coulomb friction in a bearing",
       &make<rotational::BearingFriction>},
      {"Rotational.Brake", "rotational",
       "Coulomb friction against the housing under a controlled normal force",
       &make<rotational::Brake>},
      {"Rotational.Clutch", "rotational",
       "Coulomb friction between two shafts under a controlled normal force",
       &make<rotational::Clutch>},
      {"Rotational.IdealGear", "rotational", "ideal gear", &make<rotational::IdealGear>},
      {"Rotational.IdealPlanetary", "rotational", "ideal planetary gear",
       &make<rotational::IdealPlanetary>},
      {"Rotational.IdealGearR2T", "rotational", "ideal gear from rotation to translation",
       &make<rotational::IdealGearR2T>},
      {"Rotational.IdealRollingWheel", "rotational",
       "ideal rolling wheel from rotation to translation", &make<rotational::IdealRollingWheel>},
      {"Rotational.InitializeFlange", "rotational",
       "start angle, speed and acceleration of a flange from signals",
       &make<rotational::InitializeFlange>},
      {"Rotational.AngleSensor", "rotational", "angle of a flange", &make<rotational::AngleSensor>},
      {"Rotational.SpeedSensor", "rotational", "angular velocity of a flange",
       &make<rotational::SpeedSensor>},
      {"Rotational.AccSensor", "rotational", "angular acceleration of a flange",
       &make<rotational::AccSensor>},
      {"Rotational.RelAngleSensor", "rotational", "relative angle of two flanges",
       &make<rotational::RelAngleSensor>},
      {"Rotational.RelSpeedSensor", "rotational", "relative angular velocity of two flanges",
       &make<rotational::RelSpeedSensor>},
      {"Rotational.RelAccSensor", "rotational", "relative angular acceleration of two flanges",
       &make<rotational::RelAccSensor>},
      {"Rotational.TorqueSensor", "rotational", "torque between two flanges",
       &make<rotational::TorqueSensor>},
      {"Rotational.PowerSensor", "rotational", "power between two flanges",
       &make<rotational::PowerSensor>},
      {"Rotational.MultiSensor", "rotational",
       "torque, power and angular velocity between two flanges", &make<rotational::MultiSensor>},
      {"Rotational.Position", "rotational", "flange follows a reference angle",
       &make<rotational::Position>},
      {"Rotational.Speed", "rotational", "flange follows a reference angular velocity",
       &make<rotational::Speed>},
      {"Rotational.Accelerate", "rotational", "flange moves with a given angular acceleration",
       &make<rotational::Accelerate>},
      {"Rotational.Move", "rotational",
       "flange moves with given angle, angular velocity and acceleration", &make<rotational::Move>},
      {"Rotational.ConstantSpeed", "rotational", "flange turns with a fixed angular velocity",
       &make<rotational::ConstantSpeed>},
      {"Rotational.Torque", "rotational", "torque from a signal", &make<rotational::Torque>},
      {"Rotational.Torque2", "rotational", "torque between two flanges from a signal",
       &make<rotational::Torque2>},
      {"Rotational.ConstantTorque", "rotational", "constant torque",
       &make<rotational::ConstantTorque>},
      {"Rotational.TorqueStep", "rotational", "torque that steps at a time",
       &make<rotational::TorqueStep>},
      {"Rotational.LinearSpeedDependentTorque", "rotational", "torque linear in speed",
       &make<rotational::LinearSpeedDependentTorque>},
      {"Rotational.QuadraticSpeedDependentTorque", "rotational", "torque quadratic in speed",
       &make<rotational::QuadraticSpeedDependentTorque>},

      {"Translational.Fixed", "translational", "flange fixed in the housing",
       &make<translational::Fixed>},
      {"Translational.Mass", "translational", "sliding mass with two rigidly connected flanges",
       &make<translational::Mass>},
      {"Translational.Rod", "translational",
       "two rigidly connected flanges without mass, a length apart", &make<translational::Rod>},
      {"Translational.Spring", "translational", "linear translational spring",
       &make<translational::Spring>},
      {"Translational.Damper", "translational", "linear translational damper",
       &make<translational::Damper>},
      {"Translational.SpringDamper", "translational", "linear spring and damper in parallel",
       &make<translational::SpringDamper>},
      {"Translational.ElastoGap", "translational",
       "spring and damper that push only while they touch", &make<translational::ElastoGap>},
      {"Translational.SupportFriction", "translational", "Coulomb friction in a support",
       &make<translational::SupportFriction>},
      {"Translational.Brake", "translational",
       "Coulomb friction against the housing under a controlled normal force",
       &make<translational::Brake>},
      {"Translational.IdealGearR2T", "translational", "ideal gear from rotation to translation",
       &make<translational::IdealGearR2T>},
      {"Translational.IdealRollingWheel", "translational",
       "ideal rolling wheel from rotation to translation", &make<translational::IdealRollingWheel>},
      {"Translational.InitializeFlange", "translational",
       "start position, speed and acceleration of a flange from signals",
       &make<translational::InitializeFlange>},
      {"Translational.PositionSensor", "translational", "position of a flange",
       &make<translational::PositionSensor>},
      {"Translational.SpeedSensor", "translational", "velocity of a flange",
       &make<translational::SpeedSensor>},
      {"Translational.AccSensor", "translational", "acceleration of a flange",
       &make<translational::AccSensor>},
      {"Translational.RelPositionSensor", "translational", "relative position of two flanges",
       &make<translational::RelPositionSensor>},
      {"Translational.RelSpeedSensor", "translational", "relative velocity of two flanges",
       &make<translational::RelSpeedSensor>},
      {"Translational.RelAccSensor", "translational", "relative acceleration of two flanges",
       &make<translational::RelAccSensor>},
      {"Translational.ForceSensor", "translational", "force between two flanges",
       &make<translational::ForceSensor>},
      {"Translational.PowerSensor", "translational", "power between two flanges",
       &make<translational::PowerSensor>},
      {"Translational.MultiSensor", "translational",
       "force, power and velocity between two flanges", &make<translational::MultiSensor>},
      {"Translational.Position", "translational", "flange follows a reference position",
       &make<translational::Position>},
      {"Translational.Speed", "translational", "flange follows a reference velocity",
       &make<translational::Speed>},
      {"Translational.Accelerate", "translational", "flange moves with a given acceleration",
       &make<translational::Accelerate>},
      {"Translational.Move", "translational",
       "flange moves with given position, velocity and acceleration", &make<translational::Move>},
      {"Translational.ConstantSpeed", "translational", "flange moves with a fixed velocity",
       &make<translational::ConstantSpeed>},
      {"Translational.Force", "translational", "force from a signal", &make<translational::Force>},
      {"Translational.Force2", "translational", "force between two flanges from a signal",
       &make<translational::Force2>},
      {"Translational.ConstantForce", "translational", "constant force",
       &make<translational::ConstantForce>},
      {"Translational.ForceStep", "translational", "force that steps at a time",
       &make<translational::ForceStep>},
      {"Translational.LinearSpeedDependentForce", "translational", "force linear in speed",
       &make<translational::LinearSpeedDependentForce>},
      {"Translational.QuadraticSpeedDependentForce", "translational", "force quadratic in speed",
       &make<translational::QuadraticSpeedDependentForce>},

      {"Blocks.Constant", "blocks", "constant signal", &make<blocks::Constant>},
      {"Blocks.Step", "blocks", "step", &make<blocks::Step>},
      {"Blocks.Ramp", "blocks", "ramp", &make<blocks::Ramp>},
      {"Blocks.Sine", "blocks", "sine", &make<blocks::Sine>},
      {"Blocks.Cosine", "blocks", "cosine", &make<blocks::Cosine>},
      {"Blocks.ExpSine", "blocks", "exponentially damped sine", &make<blocks::ExpSine>},
      {"Blocks.Exponentials", "blocks", "rising and falling exponential",
       &make<blocks::Exponentials>},
      {"Blocks.Pulse", "blocks", "pulses", &make<blocks::Pulse>},
      {"Blocks.SawTooth", "blocks", "saw tooth", &make<blocks::SawTooth>},
      {"Blocks.Trapezoid", "blocks", "trapezoids", &make<blocks::Trapezoid>},
      {"Blocks.Clock", "blocks", "time since startTime", &make<blocks::Clock>},
      {"Blocks.ContinuousClock", "blocks", "time since startTime", &make<blocks::Clock>},
      {"Blocks.BooleanConstant", "blocks", "constant truth value", &make<blocks::BooleanConstant>},
      {"Blocks.BooleanStep", "blocks", "truth value that changes at a time",
       &make<blocks::BooleanStep>},
      {"Blocks.BooleanPulse", "blocks", "pulses of truth", &make<blocks::BooleanPulse>},
      {"Blocks.TimeTable", "blocks", "piecewise linear signal from a table",
       &make<blocks::TimeTable>},
      {"Blocks.CombiTimeTable", "blocks", "signals from the columns of a table",
       &make<blocks::CombiTimeTable>},
      {"Blocks.KinematicPTP", "blocks", "acceleration of a point-to-point movement",
       &make<blocks::KinematicPTP>},
      {"Blocks.KinematicPTP2", "blocks",
       "point-to-point movement: position, velocity, acceleration", &make<blocks::KinematicPTP2>},
      {"Blocks.RealExpression", "blocks", "value of an expression", &make<blocks::RealExpression>},
      {"Blocks.BooleanExpression", "blocks", "truth value of an expression",
       &make<blocks::BooleanExpression>},
      {"Blocks.TerminateSimulation", "blocks", "ends the run when a condition becomes true",
       &make<blocks::TerminateSimulation>},
      {"Blocks.Gain", "blocks", "product with a gain", &make<blocks::Gain>},
      {"Blocks.MatrixGain", "blocks", "product of a matrix with a vector",
       &make<blocks::MatrixGain>},
      {"Blocks.Add", "blocks", "weighted sum of two signals", &make<blocks::Add>},
      {"Blocks.Add3", "blocks", "weighted sum of three signals", &make<blocks::Add3>},
      {"Blocks.Sum", "blocks", "weighted sum of a vector's elements", &make<blocks::Sum>},
      {"Blocks.Feedback", "blocks", "difference of two signals", &make<blocks::Feedback>},
      {"Blocks.Product", "blocks", "product of two signals", &make<blocks::Product>},
      {"Blocks.Division", "blocks", "quotient of two signals", &make<blocks::Division>},
      {"Blocks.Max", "blocks", "larger of two signals", &make<blocks::Max>},
      {"Blocks.Min", "blocks", "smaller of two signals", &make<blocks::Min>},
      {"Blocks.Abs", "blocks", "absolute value", &make<blocks::Abs>},
      {"Blocks.Sign", "blocks", "sign", &make<blocks::Sign>},
      {"Blocks.Sqrt", "blocks", "square root", &make<blocks::Sqrt>},
      {"Blocks.Sin", "blocks", "sine of the input", &make<blocks::Sin>},
      {"Blocks.Cos", "blocks", "cosine of the input", &make<blocks::Cos>},
      {"Blocks.Tan", "blocks", "tangent of the input", &make<blocks::Tan>},
      {"Blocks.Asin", "blocks", "arc sine", &make<blocks::Asin>},
      {"Blocks.Acos", "blocks", "arc cosine", &make<blocks::Acos>},
      {"Blocks.Atan", "blocks", "arc tangent", &make<blocks::Atan>},
      {"Blocks.Atan2", "blocks", "angle of two coordinates", &make<blocks::Atan2>},
      {"Blocks.Sinh", "blocks", "hyperbolic sine", &make<blocks::Sinh>},
      {"Blocks.Cosh", "blocks", "hyperbolic cosine", &make<blocks::Cosh>},
      {"Blocks.Tanh", "blocks", "hyperbolic tangent", &make<blocks::Tanh>},
      {"Blocks.Exp", "blocks", "exponential", &make<blocks::Exp>},
      {"Blocks.Log", "blocks", "natural logarithm", &make<blocks::Log>},
      {"Blocks.Log10", "blocks", "logarithm to base 10", &make<blocks::Log10>},
      {"Blocks.Limiter", "blocks", "signal within fixed limits", &make<blocks::Limiter>},
      {"Blocks.VariableLimiter", "blocks", "signal within limits from signals",
       &make<blocks::VariableLimiter>},
      {"Blocks.DeadZone", "blocks", "zero within a range, what is beyond it outside",
       &make<blocks::DeadZone>},
      {"Blocks.RealPassThrough", "blocks", "passes a signal", &make<blocks::RealPassThrough>},
      {"Blocks.BooleanPassThrough", "blocks", "passes a truth value",
       &make<blocks::BooleanPassThrough>},
      {"Blocks.Not", "blocks", "logical not", &make<blocks::Not>},
      {"Blocks.And", "blocks", "logical and", &make<blocks::And>},
      {"Blocks.Or", "blocks", "logical or", &make<blocks::Or>},
      {"Blocks.Xor", "blocks", "logical exclusive or", &make<blocks::Xor>},
      {"Blocks.Switch", "blocks", "one of two signals", &make<blocks::Switch>},
      {"Blocks.LogicalSwitch", "blocks", "one of two truth values", &make<blocks::LogicalSwitch>},
      {"Blocks.BooleanToReal", "blocks", "number for a truth value", &make<blocks::BooleanToReal>},
      {"Blocks.LessThreshold", "blocks", "input is less than a threshold",
       &make<blocks::LessThreshold>},
      {"Blocks.LessEqualThreshold", "blocks", "input is at most a threshold",
       &make<blocks::LessEqualThreshold>},
      {"Blocks.GreaterThreshold", "blocks", "input is greater than a threshold",
       &make<blocks::GreaterThreshold>},
      {"Blocks.GreaterEqualThreshold", "blocks", "input is at least a threshold",
       &make<blocks::GreaterEqualThreshold>},
      {"Blocks.Less", "blocks", "one input is less than the other", &make<blocks::Less>},
      {"Blocks.LessEqual", "blocks", "one input is at most the other", &make<blocks::LessEqual>},
      {"Blocks.Greater", "blocks", "one input is greater than the other", &make<blocks::Greater>},
      {"Blocks.GreaterEqual", "blocks", "one input is at least the other",
       &make<blocks::GreaterEqual>},
      {"Blocks.Hysteresis", "blocks", "truth value with hysteresis", &make<blocks::Hysteresis>},
      {"Blocks.Integrator", "blocks", "integral of the input", &make<blocks::Integrator>},
      {"Blocks.Derivative", "blocks", "approximated derivative", &make<blocks::Derivative>},
      {"Blocks.FirstOrder", "blocks", "first-order transfer function", &make<blocks::FirstOrder>},
      {"Blocks.SecondOrder", "blocks", "second-order transfer function",
       &make<blocks::SecondOrder>},
      {"Blocks.PI", "blocks", "proportional-integral controller", &make<blocks::PI>},
      {"Blocks.PID", "blocks", "proportional-integral-derivative controller", &make<blocks::PID>},
      {"Blocks.LimPID", "blocks", "controller with limited output and anti-windup",
       &make<blocks::LimPID>},
      {"Blocks.CriticalDamping", "blocks", "low-pass filter with critical damping",
       &make<blocks::CriticalDamping>},
      {"Blocks.TransferFunction", "blocks", "linear transfer function",
       &make<blocks::TransferFunction>},
      {"Blocks.StateSpace", "blocks", "linear state-space system", &make<blocks::StateSpace>},
      {"Blocks.Der", "blocks", "derivative of the input", &make<blocks::Der>},

      {"Analog.Ground", "electrical", "electrical ground: potential zero",
       &make<electrical::Ground>},
      {"Analog.Resistor", "electrical", "linear resistor", &make<electrical::Resistor>},
      {"Analog.Conductor", "electrical", "linear conductor", &make<electrical::Conductor>},
      {"Analog.Capacitor", "electrical", "linear capacitor", &make<electrical::Capacitor>},
      {"Analog.Inductor", "electrical", "linear inductor", &make<electrical::Inductor>},
      {"Analog.RotationalEMF", "electrical", "ideal transformer between a circuit and a shaft",
       &make<electrical::RotationalEMF>},
      {"Analog.TranslationalEMF", "electrical", "ideal transformer between a circuit and a slider",
       &make<electrical::TranslationalEMF>},
      {"Analog.IdealOpAmp", "electrical", "ideal operational amplifier",
       &make<electrical::IdealOpAmp>},
      {"Analog.IdealOpAmp3Pin", "electrical", "ideal operational amplifier with one output pin",
       &make<electrical::IdealOpAmp3Pin>},
      {"Analog.ConstantVoltage", "electrical", "constant voltage",
       &make<electrical::ConstantVoltage>},
      {"Analog.SignalVoltage", "electrical", "voltage from a signal",
       &make<electrical::SignalVoltage>},
      {"Analog.StepVoltage", "electrical", "voltage that steps at a time",
       &make<electrical::StepVoltage>},
      {"Analog.RampVoltage", "electrical", "voltage that ramps", &make<electrical::RampVoltage>},
      {"Analog.SineVoltage", "electrical", "sinusoidal voltage", &make<electrical::SineVoltage>},
      {"Analog.CosineVoltage", "electrical", "cosinusoidal voltage",
       &make<electrical::CosineVoltage>},
      {"Analog.PulseVoltage", "electrical", "pulses of voltage", &make<electrical::PulseVoltage>},
      {"Analog.ConstantCurrent", "electrical", "constant current",
       &make<electrical::ConstantCurrent>},
      {"Analog.SignalCurrent", "electrical", "current from a signal",
       &make<electrical::SignalCurrent>},
      {"Analog.StepCurrent", "electrical", "current that steps at a time",
       &make<electrical::StepCurrent>},
      {"Analog.RampCurrent", "electrical", "current that ramps", &make<electrical::RampCurrent>},
      {"Analog.SineCurrent", "electrical", "sinusoidal current", &make<electrical::SineCurrent>},
      {"Analog.CosineCurrent", "electrical", "cosinusoidal current",
       &make<electrical::CosineCurrent>},
      {"Analog.PulseCurrent", "electrical", "pulses of current", &make<electrical::PulseCurrent>},
      {"Analog.PotentialSensor", "electrical", "potential of a pin",
       &make<electrical::PotentialSensor>},
      {"Analog.VoltageSensor", "electrical", "voltage between two pins",
       &make<electrical::VoltageSensor>},
      {"Analog.CurrentSensor", "electrical", "current in a branch",
       &make<electrical::CurrentSensor>},
      {"Analog.PowerSensor", "electrical", "power from a voltage and a current",
       &make<electrical::PowerSensor>},

      {"Thermal.HeatCapacitor", "thermal", "lumped heat capacity", &make<thermal::HeatCapacitor>},
      {"Thermal.ThermalConductor", "thermal", "heat conduction", &make<thermal::ThermalConductor>},
      {"Thermal.ThermalResistor", "thermal", "heat conduction, by its resistance",
       &make<thermal::ThermalResistor>},
      {"Thermal.Convection", "thermal", "convection with a conductance from a signal",
       &make<thermal::Convection>},
      {"Thermal.ConvectiveResistor", "thermal", "convection with a resistance from a signal",
       &make<thermal::ConvectiveResistor>},
      {"Thermal.BodyRadiation", "thermal", "heat radiation between two bodies",
       &make<thermal::BodyRadiation>},
      {"Thermal.FixedTemperature", "thermal", "fixed temperature",
       &make<thermal::FixedTemperature<thermal::Scale::kelvin>>},
      {"Thermal.PrescribedTemperature", "thermal", "temperature from a signal",
       &make<thermal::PrescribedTemperature<thermal::Scale::kelvin>>},
      {"Thermal.FixedHeatFlow", "thermal", "fixed heat flow", &make<thermal::FixedHeatFlow>},
      {"Thermal.PrescribedHeatFlow", "thermal", "heat flow from a signal",
       &make<thermal::PrescribedHeatFlow>},
      {"Thermal.TemperatureSensor", "thermal", "temperature of a port",
       &make<thermal::TemperatureSensor<thermal::Scale::kelvin>>},
      {"Thermal.RelTemperatureSensor", "thermal", "difference of two temperatures",
       &make<thermal::RelTemperatureSensor>},
      {"Thermal.HeatFlowSensor", "thermal", "heat flow through a connection",
       &make<thermal::HeatFlowSensor>},
      {"Thermal.Celsius.FixedTemperature", "thermal", "fixed temperature in degree Celsius",
       &make<thermal::FixedTemperature<thermal::Scale::celsius>>},
      {"Thermal.Celsius.PrescribedTemperature", "thermal",
       "temperature in degree Celsius from a signal",
       &make<thermal::PrescribedTemperature<thermal::Scale::celsius>>},
      {"Thermal.Celsius.TemperatureSensor", "thermal", "temperature of a port in degree Celsius",
       &make<thermal::TemperatureSensor<thermal::Scale::celsius>>},
  };
  for (const VisualizerType& v : visualizerTypes())
    c.push_back({v.type, "visualizers", v.description, v.make});
  return c;
}

}  // namespace

const Catalogue& catalogue() {
  static const Catalogue all = makeCatalogue();
  return all;
}

}  // namespace cardan
