#include "engine/model_file/library_paths.h"

#include <algorithm>
#include <string_view>

namespace cardan {
namespace {

/// A package of the library, what stands in front of its classes in the catalogue, and the classes.
struct LibraryPackage {
  std::string_view path;
  std::string_view prefix;
  std::string_view classes;  ///< a space behind each
};

constexpr LibraryPackage kLibraryPackages[] = {
    {"Modelica.Mechanics.MultiBody", "", "World "},
    {"Modelica.Mechanics.MultiBody.Parts", "",
     "BevelGear1D Body BodyBox BodyCylinder BodyShape Fixed FixedRotation "
     "FixedTranslation Mounting1D PointMass RollingWheel RollingWheelSet Rotor1D "},
    {"Modelica.Mechanics.MultiBody.Joints", "",
     "Cylindrical FreeMotion FreeMotionScalarInit GearConstraint Planar Prismatic "
     "Revolute RevolutePlanarLoopConstraint Spherical SphericalSpherical Universal "
     "UniversalSpherical "},
    {"Modelica.Mechanics.MultiBody.Joints.Assemblies", "",
     "JointRRP JointRRR JointSSP JointSSR JointUPS JointUSP JointUSR "},
    {"Modelica.Mechanics.MultiBody.Joints.Constraints", "Constraints.",
     "Prismatic Revolute Spherical Universal "},
    {"Modelica.Mechanics.MultiBody.Forces", "",
     "Damper Force ForceAndTorque LineForceWithMass LineForceWithTwoMasses Spring "
     "SpringDamperParallel SpringDamperSeries Torque WorldForce WorldForceAndTorque "
     "WorldTorque "},
    {"Modelica.Mechanics.MultiBody.Sensors", "",
     "AbsoluteAngles AbsoluteAngularVelocity AbsolutePosition AbsoluteSensor "
     "AbsoluteVelocity CutForce CutForceAndTorque CutTorque Distance Power "
     "RelativeAngles RelativeAngularVelocity RelativePosition RelativeSensor "
     "RelativeVelocity TransformAbsoluteVector TransformRelativeVector "},
    {"Modelica.Mechanics.MultiBody.Visualizers", "Visualizers.",
     "FixedArrow FixedFrame FixedShape FixedShape2 PipeWithScalarField Rectangle "
     "SignalArrow Torus VoluminousWheel "},
    {"Modelica.Mechanics.MultiBody.Visualizers.Advanced", "Visualizers.Advanced.",
     "Arrow DoubleArrow PipeWithScalarField Shape Surface "},
    {"Modelica.Mechanics.MultiBody.Examples.Loops.Utilities", "Examples.Loops.Utilities.",
     "GasForce2 "},
    {"Modelica.Mechanics.Rotational.Components", "Rotational.",
     "BearingFriction Brake Clutch Damper Disc ElastoBacklash ElastoBacklash2 Fixed "
     "IdealGear IdealGearR2T IdealPlanetary IdealRollingWheel Inertia "
     "InitializeFlange LossyGear OneWayClutch RelativeStates Spring SpringDamper "},
    {"Modelica.Mechanics.Rotational.Sensors", "Rotational.",
     "AccSensor AngleSensor MultiSensor PowerSensor RelAccSensor RelAngleSensor "
     "RelSpeedSensor SpeedSensor TorqueSensor "},
    {"Modelica.Mechanics.Rotational.Sources", "Rotational.",
     "Accelerate ConstantSpeed ConstantTorque EddyCurrentTorque "
     "InverseSpeedDependentTorque LinearSpeedDependentTorque Move Position "
     "QuadraticSpeedDependentTorque SignTorque Speed Torque Torque2 TorqueStep "},
    {"Modelica.Mechanics.Translational.Components", "Translational.",
     "Brake Damper ElastoGap Fixed IdealGearR2T IdealRollingWheel InitializeFlange "
     "Mass MassWithStopAndFriction RelativeStates Rod RollingResistance Spring SpringDamper "
     "SupportFriction "
     "Vehicle "},
    {"Modelica.Mechanics.Translational.Sensors", "Translational.",
     "AccSensor ForceSensor MultiSensor PositionSensor PowerSensor RelAccSensor "
     "RelPositionSensor RelSpeedSensor SpeedSensor "},
    {"Modelica.Mechanics.Translational.Sources", "Translational.",
     "Accelerate ConstantForce ConstantSpeed EddyCurrentForce Force Force2 ForceStep "
     "InverseSpeedDependentForce LinearSpeedDependentForce Move Position "
     "QuadraticSpeedDependentForce SignForce Speed "},
    {"Modelica.Blocks.Continuous", "Blocks.",
     "CriticalDamping Der Derivative FirstOrder Integrator LimIntegrator LimPID PI "
     "PID SecondOrder StateSpace TransferFunction "},
    {"Modelica.Blocks.Discrete", "Blocks.",
     "FirstOrderHold Sampler TriggeredMax TriggeredSampler UnitDelay ZeroOrderHold "},
    {"Modelica.Blocks.Discrete", "Blocks.Discrete.", "StateSpace TransferFunction "},
    {"Modelica.Blocks.Logical", "Blocks.",
     "And AssertCondition Change Edge FallingEdge Greater GreaterEqual GreaterEqualThreshold "
     "GreaterThreshold Hysteresis Less LessEqual LessEqualThreshold LessThreshold "
     "LogicalDelay LogicalSwitch Nand Nor Not OnOffController Or Pre RSFlipFlop "
     "Switch TerminateSimulation Timer TriggeredTrapezoid Xor ZeroCrossing "},
    {"Modelica.Blocks.Math", "Blocks.",
     "Abs Acos Add Add3 Asin Atan Atan2 BooleanToInteger BooleanToReal Cos Cosh "
     "Division Exp Feedback Gain Log Log10 MatrixGain Max Min MultiProduct MultiSum "
     "PolarToRectangular Power Product RectangularToPolar Sign Sin Sinh Sqrt Sum Tan "
     "Tanh "},
    {"Modelica.Blocks.Math.UnitConversions", "Blocks.",
     "From_bar From_day From_deg From_degC From_degF From_degRk From_gps From_hour From_kWh "
     "From_kmh From_litre From_minute From_rpm To_bar To_day To_deg To_degC To_degF To_degRk "
     "To_gps To_hour To_kWh To_kmh To_litre To_minute To_rpm "},
    {"Modelica.Blocks.Nonlinear", "Blocks.",
     "DeadZone FixedDelay Limiter PadeDelay SlewRateLimiter VariableDelay VariableLimiter "},
    {"Modelica.Blocks.Routing", "Blocks.",
     "BooleanPassThrough BooleanReplicator DeMultiplex2 DeMultiplex3 DeMultiplex4 "
     "DeMultiplex5 DeMultiplex6 ExtractSignal Multiplex2 Multiplex3 Multiplex4 "
     "Multiplex5 Multiplex6 RealPassThrough RealReplicator "},
    {"Modelica.Blocks.Tables", "Blocks.", "CombiTable1Ds CombiTable1Dv CombiTable2Ds "},
    {"Modelica.Blocks.Sources", "Blocks.",
     "BooleanConstant BooleanExpression BooleanPulse BooleanStep CombiTimeTable "
     "Constant ContinuousClock Cosine ExpSine Exponentials KinematicPTP "
     "KinematicPTP2 Pulse Ramp RealExpression SawTooth Sine Step TimeTable Trapezoid "},
    {"Modelica.Electrical.Analog.Basic", "Analog.",
     "CCC CCV Capacitor Conductor Ground Gyrator Inductor Resistor RotationalEMF "
     "TranslationalEMF VCC VCV "},
    {"Modelica.Electrical.Analog.Ideal", "Analog.",
     "IdealClosingSwitch IdealDiode IdealOpAmp IdealOpAmp3Pin IdealOpeningSwitch "
     "IdealTransformer "},
    {"Modelica.Electrical.Analog.Semiconductors", "Analog.", "Diode "},
    {"Modelica.Electrical.Analog.Sensors", "Analog.",
     "CurrentSensor PotentialSensor PowerSensor VoltageSensor "},
    {"Modelica.Electrical.Analog.Sources", "Analog.",
     "ConstantCurrent ConstantVoltage CosineCurrent CosineVoltage PulseCurrent "
     "PulseVoltage RampCurrent RampVoltage SignalCurrent SignalVoltage SineCurrent "
     "SineVoltage StepCurrent StepVoltage "},
    {"Modelica.Electrical.Machines.BasicMachines.DCMachines", "Machines.", "DC_PermanentMagnet "},
    {"Modelica.Thermal.HeatTransfer.Components", "Thermal.",
     "BodyRadiation Convection ConvectiveResistor HeatCapacitor ThermalConductor "
     "ThermalResistor "},
    {"Modelica.Thermal.HeatTransfer.Sensors", "Thermal.",
     "HeatFlowSensor RelTemperatureSensor TemperatureSensor "},
    {"Modelica.Thermal.HeatTransfer.Sources", "Thermal.",
     "FixedHeatFlow FixedTemperature PrescribedHeatFlow PrescribedTemperature "},
    {"Modelica.Thermal.HeatTransfer.Celsius", "Thermal.Celsius.",
     "FixedTemperature PrescribedTemperature TemperatureSensor "},
};

struct LibraryEnumeration {
  std::string_view path;
  std::vector<std::string> literals;
};

}  // namespace

std::string libraryPath(const std::string& catalogueType) {
  if (catalogueType.starts_with("Modelica.")) return catalogueType;
  // The wheel that is a joint alone, and blocks that have got other names.
  if (catalogueType.starts_with("Joints.RollingWheel"))
    return "Modelica.Mechanics.MultiBody." + catalogueType;
  if (catalogueType == "Blocks.Clock") return "Modelica.Blocks.Sources.ContinuousClock";
  if (catalogueType == "Blocks.Replicator") return "Modelica.Blocks.Routing.RealReplicator";
  for (const LibraryPackage& p : kLibraryPackages) {
    if (!catalogueType.starts_with(p.prefix)) continue;
    const std::string name = catalogueType.substr(p.prefix.size());
    const size_t at = (" " + std::string(p.classes)).find(" " + name + " ");
    if (at != std::string::npos) return std::string(p.path) + "." + name;
  }
  return "";
}

std::string libraryEnumeration(const std::vector<std::string>& literals) {
  static const std::vector<LibraryEnumeration> all = {
      {"Modelica.Mechanics.MultiBody.Types.ResolveInFrameA", {"world", "frame_a", "frame_resolve"}},
      {"Modelica.Mechanics.MultiBody.Types.ResolveInFrameB", {"world", "frame_b", "frame_resolve"}},
      {"Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB",
       {"world", "frame_a", "frame_b", "frame_resolve"}},
      {"Modelica.Mechanics.MultiBody.Types.RotationTypes",
       {"RotationAxis", "TwoAxesVectors", "PlanarRotationSequence"}},
      {"Modelica.Mechanics.MultiBody.Types.GravityTypes",
       {"NoGravity", "UniformGravity", "PointGravity"}},
      {"Modelica.Blocks.Types.Init", {"NoInit", "SteadyState", "InitialState", "InitialOutput"}},
      {"Modelica.Blocks.Types.InitPID",
       {"DoNotUse_InitialIntegratorState", "NoInit", "SteadyState", "InitialState",
        "InitialOutput"}},
      {"Modelica.Blocks.Types.SimpleController", {"P", "PI", "PD", "PID"}},
      {"Modelica.Blocks.Types.Smoothness",
       {"LinearSegments", "ContinuousDerivative", "ConstantSegments",
        "MonotoneContinuousDerivative1", "MonotoneContinuousDerivative2",
        "ModifiedContinuousDerivative"}},
      {"Modelica.Blocks.Types.Extrapolation",
       {"HoldLastPoint", "LastTwoPoints", "Periodic", "NoExtrapolation"}},
      {"Modelica.Blocks.Types.TimeEvents", {"Always", "AtDiscontinuities", "NoTimeEvents"}},
      {"Modelica.Blocks.Types.LimiterHomotopy",
       {"NoHomotopy", "Linear", "UpperLimit", "LowerLimit"}},
      {"Modelica.Mechanics.MultiBody.Types.VectorQuantity",
       {"Force", "Torque", "Velocity", "Acceleration", "AngularVelocity", "AngularAcceleration",
        "RelativePosition"}},
      {"StateSelect", {"never", "avoid", "default", "prefer", "always"}},
  };
  // The smallest that has them all.
  const LibraryEnumeration* best = nullptr;
  for (const LibraryEnumeration& e : all) {
    const bool hasAll = std::ranges::all_of(literals, [&](const std::string& l) {
      return std::ranges::find(e.literals, l) != e.literals.end();
    });
    if (hasAll && (!best || e.literals.size() < best->literals.size())) best = &e;
  }
  return best ? std::string(best->path) : "";
}

}  // namespace cardan
