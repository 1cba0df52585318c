#include "apps/cardan/written_examples.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cardan {
namespace {

using WrittenExample = std::pair<std::string_view, std::string_view>;

constexpr std::array<WrittenExample, 33> kWrittenExamples{{
    {"Analog.IdealOpAmp", R"yaml(components:
  x: {type: Analog.IdealOpAmp}
  source: {type: Analog.SineVoltage, V: 2, f: 2}
  resistor: {type: Analog.Resistor, R: 1000}
  feedback: {type: Analog.Resistor, R: 3000}
  ground: {type: Analog.Ground}
connections:
  - [source.n, ground.p]
  - [source.p, resistor.p]
  - [resistor.n, x.n1]
  - [x.p1, ground.p]
  - [feedback.p, x.n1]
  - [feedback.n, x.p2]
  - [x.n2, ground.p]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Analog.IdealOpAmp3Pin", R"yaml(components:
  x: {type: Analog.IdealOpAmp3Pin}
  source: {type: Analog.SineVoltage, V: 2, f: 2}
  resistor: {type: Analog.Resistor, R: 1000}
  feedback: {type: Analog.Resistor, R: 3000}
  ground: {type: Analog.Ground}
connections:
  - [source.n, ground.p]
  - [source.p, resistor.p]
  - [resistor.n, x.in_n]
  - [x.in_p, ground.p]
  - [feedback.p, x.in_n]
  - [feedback.n, x.out]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.AssertCondition", R"yaml(components:
  x: {type: Blocks.AssertCondition, u: "time < 2"}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.CombiTable1Ds", R"yaml(components:
  x: {type: Blocks.CombiTable1Ds, table: [[0, 0], [1, 2], [2, 1]], u: "2*time"}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.CombiTable1Dv", R"yaml(components:
  x: {type: Blocks.CombiTable1Dv, table: [[0, 0, 5], [1, 2, 3], [2, 1, 4]], columns: [2, 3], u: ["2*time", "2 - time"]}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.CombiTable2Ds", R"yaml(components:
  x: {type: Blocks.CombiTable2Ds, table: [[0, 0, 1], [0, 1, 2], [1, 3, 5]], u1: time, u2: "time^2"}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.CombiTimeTable", R"yaml(components:
  x: {type: Blocks.CombiTimeTable, table: [[0, 0, 1], [0.5, 2, 0], [1, 1, 3]], columns: [2, 3]}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.Division", R"yaml(components:
  x: {type: Blocks.Division, u1: "sin(5*time)", u2: "1 + time"}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.Log", R"yaml(components:
  x: {type: Blocks.Log, u: "0.1 + time"}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.Log10", R"yaml(components:
  x: {type: Blocks.Log10, u: "0.1 + time"}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.Sqrt", R"yaml(components:
  x: {type: Blocks.Sqrt, u: "0.1 + time"}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.TimeTable", R"yaml(components:
  x: {type: Blocks.TimeTable, table: [[0, 0], [0.3, 2], [0.3, 1], [1, 1.5]]}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Blocks.VariableDelay", R"yaml(components:
  x: {type: Blocks.VariableDelay, delayMax: 0.5, u: "sin(10*time)", delayTime: "0.3 + 0.2*sin(3*time)"}
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Contact.PointSurface", R"yaml(components:
  x: {type: Contact.PointSurface, k: 1e4, damping: 0.5, height: "0.05*sin(4*x.x - 3*time)", slope: ["0.2*cos(4*x.x - 3*time)", 0], rate: "-0.15*cos(4*x.x - 3*time)"}
  body: {type: PointMass, m: 1, r_0: {start: [0, 0.1, 0], fixed: true}, v_0: {start: [1, 0, 0], fixed: true}}
connections:
  - [world.frame_b, x.frame_a]
  - [x.frame_b, body.frame_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Contact.Shape", R"yaml(contacts:
  defaults: {mu: 0.3}
components:
  floor: {type: Contact.Shape, shape: plane, n: [0, 1, 0]}
  x: {type: Contact.Shape, shape: box, size: [0.3, 0.2, 0.2]}
  body: {type: BodyBox, r: [0.15, 0, 0], r_shape: [-0.15, 0, 0], width: 0.2, r_0: {start: [0, 0.4, 0], fixed: true}, v_0: {start: [1, 0, 0], fixed: true}, angles_start: [0, 0, 0.5], angles_fixed: true, w_0_fixed: true}
connections:
  - [world.frame_b, floor.frame_a]
  - [body.frame_a, x.frame_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Examples.Loops.Utilities.GasForce2", R"yaml(components:
  x: {type: Examples.Loops.Utilities.GasForce2, L: 0.12, d: 0.08}
  head: {type: Translational.Fixed}
  piston: {type: Translational.Position, exact: true, s_ref: "0.06*(1 - 0.95*cos(2*pi*time + 0.3))"}
connections:
  - [x.flange_a, head.flange]
  - [x.flange_b, piston.flange]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Joints.RollingWheel", R"yaml(world: {n: [0, 0, -1]}
components:
  x: {type: Joints.RollingWheel, radius: 0.3, x: {fixed: true}, y: {fixed: true}, angles: {start: [0.5, 0, 0.3], fixed: true}, der_angles: {start: [0, 5, 1], fixed: true}}
  wheel: {type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.12, I_22: 0.06, I_33: 0.12}
connections:
  - [wheel.frame_a, x.frame_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Joints.RollingWheelSet", R"yaml(world: {n: [0, 0, -1]}
components:
  x: {type: Joints.RollingWheelSet, radius: 0.1, track: 0.4, x: {fixed: true}, y: {fixed: true}, phi: {fixed: true}, theta1: {fixed: true}, theta2: {fixed: true}, der_theta1: {start: 5, fixed: true}, der_theta2: {start: 8, fixed: true}}
  axle: {type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.05, I_22: 0.05, I_33: 0.05}
  wheel1: {type: Rotational.Inertia, J: 0.01}
  wheel2: {type: Rotational.Inertia, J: 0.01}
connections:
  - [axle.frame_a, x.frameMiddle]
  - [wheel1.flange_a, x.axis1]
  - [wheel2.flange_a, x.axis2]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"RollingConstraintVerticalWheel", R"yaml(world: {n: [0, 0, -1]}
components:
  x: {type: RollingConstraintVerticalWheel, radius: 0.1}
  slide: {type: Planar, n: [0, 0, 1], n_x: [1, 0, 0], s_x: {fixed: true}, s_y: {fixed: true}, phi: {fixed: true}, w: {start: 1, fixed: true}}
  up: {type: FixedTranslation, r: [0, 0, 0.1]}
  axle: {type: Revolute, n: [0, 1, 0], phi: {fixed: true}, w: {start: 6, fixed: true}}
  wheel: {type: BodyCylinder, r: [0, 0.02, 0], r_shape: [0, -0.01, 0], diameter: 0.2}
connections:
  - [world.frame_b, up.frame_a]
  - [up.frame_b, slide.frame_a]
  - [slide.frame_b, axle.frame_a]
  - [axle.frame_b, wheel.frame_a]
  - [axle.frame_b, x.frame_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"RollingWheelSet", R"yaml(world: {n: [0, 0, -1]}
components:
  x: {type: RollingWheelSet, R_wheel: 0.1, m_wheel: 0.5, I_wheelAxis: 0.01, I_wheelLong: 0.02, track: 0.4, x: {fixed: true}, y: {fixed: true}, phi: {fixed: true}, theta1: {fixed: true}, theta2: {fixed: true}, der_theta1: {start: 5, fixed: true}, der_theta2: {start: 8, fixed: true}}
  axle: {type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.05, I_22: 0.05, I_33: 0.05}
connections:
  - [axle.frame_a, x.frameMiddle]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Rotational.Accelerate", R"yaml(components:
  x: {type: Rotational.Accelerate, a_ref: "0.3*sin(6*time)"}
  shaft: {type: Rotational.Inertia, J: 0.1}
connections:
  - [x.flange, shaft.flange_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Rotational.Move", R"yaml(components:
  x: {type: Rotational.Move, u: ["0.3*sin(6*time)", "1.8*cos(6*time)", "-10.8*sin(6*time)"]}
  shaft: {type: Rotational.Inertia, J: 0.1}
connections:
  - [x.flange, shaft.flange_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Rotational.Position", R"yaml(components:
  x: {type: Rotational.Position, phi_ref: "0.3*sin(6*time)"}
  shaft: {type: Rotational.Inertia, J: 0.1}
connections:
  - [x.flange, shaft.flange_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Rotational.Speed", R"yaml(components:
  x: {type: Rotational.Speed, w_ref: "0.3*sin(6*time)"}
  shaft: {type: Rotational.Inertia, J: 0.1}
connections:
  - [x.flange, shaft.flange_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Thermal.Celsius.PrescribedTemperature", R"yaml(components:
  x: {type: Thermal.Celsius.PrescribedTemperature, T: "27 + 20*sin(3*time)"}
  wall: {type: Thermal.ThermalConductor, G: 50}
  block: {type: Thermal.HeatCapacitor, C: 20, T: {start: 293.15, fixed: true}}
connections:
  - [x.port, wall.port_a]
  - [wall.port_b, block.port]
simulation: {stop: 5, interval: 0.05}
)yaml"},
    {"Thermal.ConvectiveResistor", R"yaml(components:
  x: {type: Thermal.ConvectiveResistor, Rc: "0.02*(1 + time)"}
  block: {type: Thermal.HeatCapacitor, C: 20, T: {start: 350, fixed: true}}
  air: {type: Thermal.FixedTemperature, T: 293.15}
connections:
  - [block.port, x.solid]
  - [x.fluid, air.port]
simulation: {stop: 2, interval: 0.02}
)yaml"},
    {"Thermal.HeatFlowSensor", R"yaml(components:
  x: {type: Thermal.HeatFlowSensor}
  wall: {type: Thermal.ThermalConductor, G: 50}
  hot: {type: Thermal.FixedTemperature, T: 350}
  block: {type: Thermal.HeatCapacitor, C: 20, T: {start: 293.15, fixed: true}}
connections:
  - [hot.port, wall.port_a]
  - [wall.port_b, x.port_a]
  - [x.port_b, block.port]
simulation: {stop: 2, interval: 0.02}
)yaml"},
    {"Thermal.PrescribedTemperature", R"yaml(components:
  x: {type: Thermal.PrescribedTemperature, T: "300 + 20*sin(3*time)"}
  wall: {type: Thermal.ThermalConductor, G: 50}
  block: {type: Thermal.HeatCapacitor, C: 20, T: {start: 293.15, fixed: true}}
connections:
  - [x.port, wall.port_a]
  - [wall.port_b, block.port]
simulation: {stop: 5, interval: 0.05}
)yaml"},
    {"Translational.Accelerate", R"yaml(components:
  x: {type: Translational.Accelerate, a_ref: "0.3*sin(6*time)"}
  mass: {type: Translational.Mass, m: 1}
connections:
  - [x.flange, mass.flange_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Translational.Move", R"yaml(components:
  x: {type: Translational.Move, u: ["0.3*sin(6*time)", "1.8*cos(6*time)", "-10.8*sin(6*time)"]}
  mass: {type: Translational.Mass, m: 1}
connections:
  - [x.flange, mass.flange_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Translational.Position", R"yaml(components:
  x: {type: Translational.Position, s_ref: "0.3*sin(6*time)"}
  mass: {type: Translational.Mass, m: 1}
connections:
  - [x.flange, mass.flange_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"Translational.Speed", R"yaml(components:
  x: {type: Translational.Speed, v_ref: "0.3*sin(6*time)"}
  mass: {type: Translational.Mass, m: 1}
connections:
  - [x.flange, mass.flange_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
    {"World", R"yaml(world: {g: 9.81, n: [0, -1, 0]}
components:
  hinge: {type: Revolute, phi: {start: 0.5, fixed: true}, w: {fixed: true}}
  rod: {type: BodyBox, r: [0.5, 0, 0], width: 0.05}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, rod.frame_a]
simulation: {stop: 1, interval: 0.01}
)yaml"},
}};

}  // namespace

std::string_view writtenExample(std::string_view type) {
  const auto found = std::ranges::find(kWrittenExamples, type, &WrittenExample::first);
  return found == kWrittenExamples.end() ? std::string_view() : found->second;
}

}  // namespace cardan
