#include "apps/cardan/written_examples.h"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {
namespace {

struct WrittenExample {
  std::string_view type;
  std::string_view arguments;  ///< of the component x, behind its type
  /// Lines behind it: further components, and sections; with components of its own it is all of them.
  std::string_view others = {};
  std::string_view world = {};  ///< lines before
};

constexpr std::string_view kShaft = R"yaml(  shaft: {type: Rotational.Inertia, J: 0.1}
connections:
  - [x.flange, shaft.flange_a]
)yaml";
constexpr std::string_view kMass = R"yaml(  mass: {type: Translational.Mass, m: 1}
connections:
  - [x.flange, mass.flange_a]
)yaml";
/// What rolls does so on a plane below.
constexpr std::string_view kUpright = "world: {n: [0, 0, -1]}\n";

constexpr WrittenExample kWrittenExamples[] = {
    {"Analog.IdealOpAmp", "", R"yaml(  source: {type: Analog.SineVoltage, V: 2, f: 2}
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
)yaml"},
    {"Analog.IdealOpAmp3Pin", "", R"yaml(  source: {type: Analog.SineVoltage, V: 2, f: 2}
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
)yaml"},
    {"Blocks.AssertCondition", R"(u: "time < 2")"},
    {"Blocks.CombiTable1Ds", R"(table: [[0, 0], [1, 2], [2, 1]], u: "2*time")"},
    {"Blocks.CombiTable1Dv",
     R"(table: [[0, 0, 5], [1, 2, 3], [2, 1, 4]], columns: [2, 3], u: ["2*time", "2 - time"])"},
    {"Blocks.CombiTable2Ds", R"(table: [[0, 0, 1], [0, 1, 2], [1, 3, 5]], u1: time, u2: "time^2")"},
    {"Blocks.CombiTable2Dv",
     R"(n: 2, table: [[0, 0, 1], [0, 1, 2], [1, 3, 5]], u1: [time, 0.5], u2: ["time^2", time])"},
    {"Blocks.CombiTimeTable", "table: [[0, 0, 1], [0.5, 2, 0], [1, 1, 3]], columns: [2, 3]"},
    {"Blocks.Division", R"yaml(u1: "sin(5*time)", u2: "1 + time")yaml"},
    {"Blocks.Log", R"(u: "0.1 + time")"},
    {"Blocks.Log10", R"(u: "0.1 + time")"},
    {"Blocks.Sqrt", R"(u: "0.1 + time")"},
    {"Blocks.TimeTable", "table: [[0, 0], [0.3, 2], [0.3, 1], [1, 1.5]]"},
    {"Blocks.VariableDelay",
     R"yaml(delayMax: 0.5, u: "sin(10*time)", delayTime: "0.3 + 0.2*sin(3*time)")yaml"},
    {"Contact.PointSurface",
     R"yaml(k: 1e4, damping: 0.5, height: "0.05*sin(4*x.x - 3*time)", slope: ["0.2*cos(4*x.x - 3*time)", 0], rate: "-0.15*cos(4*x.x - 3*time)")yaml",
     R"yaml(  body: {type: PointMass, m: 1, r_0: {start: [0, 0.1, 0], fixed: true}, v_0: {start: [1, 0, 0], fixed: true}}
connections:
  - [world.frame_b, x.frame_a]
  - [x.frame_b, body.frame_a]
)yaml"},
    {"Contact.Shape", "", R"yaml(contacts:
  defaults: {mu: 0.3}
components:
  floor: {type: Contact.Shape, shape: plane, n: [0, 1, 0]}
  x: {type: Contact.Shape, shape: box, size: [0.3, 0.2, 0.2]}
  body: {type: BodyBox, r: [0.15, 0, 0], r_shape: [-0.15, 0, 0], width: 0.2, r_0: {start: [0, 0.4, 0], fixed: true}, v_0: {start: [1, 0, 0], fixed: true}, angles_start: [0, 0, 0.5], angles_fixed: true, w_0_fixed: true}
connections:
  - [world.frame_b, floor.frame_a]
  - [body.frame_a, x.frame_a]
)yaml"},
    {"Examples.Loops.Utilities.GasForce2", "L: 0.12, d: 0.08",
     R"yaml(  head: {type: Translational.Fixed}
  piston: {type: Translational.Position, exact: true, s_ref: "0.06*(1 - 0.95*cos(2*pi*time + 0.3))"}
connections:
  - [x.flange_a, head.flange]
  - [x.flange_b, piston.flange]
)yaml"},
    {"Joints.RollingWheel",
     "radius: 0.3, x: {fixed: true}, y: {fixed: true}, angles: {start: [0.5, 0, 0.3], fixed: "
     "true}, der_angles: {start: [0, 5, 1], fixed: true}",
     R"yaml(  wheel: {type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.12, I_22: 0.06, I_33: 0.12}
connections:
  - [wheel.frame_a, x.frame_a]
)yaml",
     kUpright},
    {"Joints.RollingWheelSet",
     "radius: 0.1, track: 0.4, x: {fixed: true}, y: {fixed: true}, phi: {fixed: true}, theta1: "
     "{fixed: true}, theta2: {fixed: true}, der_theta1: {start: 5, fixed: true}, der_theta2: "
     "{start: 8, fixed: true}",
     R"yaml(  axle: {type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.05, I_22: 0.05, I_33: 0.05}
  wheel1: {type: Rotational.Inertia, J: 0.01}
  wheel2: {type: Rotational.Inertia, J: 0.01}
connections:
  - [axle.frame_a, x.frameMiddle]
  - [wheel1.flange_a, x.axis1]
  - [wheel2.flange_a, x.axis2]
)yaml",
     kUpright},
    {"RollingConstraintVerticalWheel", "radius: 0.1",
     R"yaml(  slide: {type: Planar, n: [0, 0, 1], n_x: [1, 0, 0], s_x: {fixed: true}, s_y: {fixed: true}, phi: {fixed: true}, w: {start: 1, fixed: true}}
  up: {type: FixedTranslation, r: [0, 0, 0.1]}
  axle: {type: Revolute, n: [0, 1, 0], phi: {fixed: true}, w: {start: 6, fixed: true}}
  wheel: {type: BodyCylinder, r: [0, 0.02, 0], r_shape: [0, -0.01, 0], diameter: 0.2}
connections:
  - [world.frame_b, up.frame_a]
  - [up.frame_b, slide.frame_a]
  - [slide.frame_b, axle.frame_a]
  - [axle.frame_b, wheel.frame_a]
  - [axle.frame_b, x.frame_a]
)yaml",
     kUpright},
    {"RollingWheelSet",
     "R_wheel: 0.1, m_wheel: 0.5, I_wheelAxis: 0.01, I_wheelLong: 0.02, track: 0.4, x: {fixed: "
     "true}, y: {fixed: true}, phi: {fixed: true}, theta1: {fixed: true}, theta2: {fixed: true}, "
     "der_theta1: {start: 5, fixed: true}, der_theta2: {start: 8, fixed: true}",
     R"yaml(  axle: {type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.05, I_22: 0.05, I_33: 0.05}
connections:
  - [axle.frame_a, x.frameMiddle]
)yaml",
     kUpright},
    {"Rotational.Accelerate", R"yaml(a_ref: "0.3*sin(6*time)")yaml", kShaft},
    {"Rotational.Coupling", "turning: [[1, 0.5], [-2, 0]]",
     R"yaml(  one: {type: Rotational.Inertia, J: 0.1, phi: {fixed: true}, w: {start: 1, fixed: true}}
  two: {type: Rotational.Inertia, J: 0.2}
connections:
  - ["x.flangeR[1]", one.flange_a]
  - ["x.flangeR[2]", two.flange_a]
)yaml"},
    {"Rotational.Move", R"yaml(u: ["0.3*sin(6*time)", "1.8*cos(6*time)", "-10.8*sin(6*time)"])yaml",
     kShaft},
    {"Rotational.Position", R"yaml(phi_ref: "0.3*sin(6*time)")yaml", kShaft},
    {"Rotational.Speed", R"yaml(w_ref: "0.3*sin(6*time)")yaml", kShaft},
    {"Thermal.Celsius.PrescribedTemperature", R"yaml(T: "27 + 20*sin(3*time)")yaml",
     R"yaml(  wall: {type: Thermal.ThermalConductor, G: 50}
  block: {type: Thermal.HeatCapacitor, C: 20, T: {start: 293.15, fixed: true}}
connections:
  - [x.port, wall.port_a]
  - [wall.port_b, block.port]
simulation: {stop: 5, interval: 0.05}
)yaml"},
    {"Thermal.ConvectiveResistor", R"yaml(Rc: "0.02*(1 + time)")yaml",
     R"yaml(  block: {type: Thermal.HeatCapacitor, C: 20, T: {start: 350, fixed: true}}
  air: {type: Thermal.FixedTemperature, T: 293.15}
connections:
  - [block.port, x.solid]
  - [x.fluid, air.port]
simulation: {stop: 2, interval: 0.02}
)yaml"},
    {"Thermal.HeatFlowSensor", "", R"yaml(  wall: {type: Thermal.ThermalConductor, G: 50}
  hot: {type: Thermal.FixedTemperature, T: 350}
  block: {type: Thermal.HeatCapacitor, C: 20, T: {start: 293.15, fixed: true}}
connections:
  - [hot.port, wall.port_a]
  - [wall.port_b, x.port_a]
  - [x.port_b, block.port]
simulation: {stop: 2, interval: 0.02}
)yaml"},
    {"Thermal.PrescribedTemperature", R"yaml(T: "300 + 20*sin(3*time)")yaml",
     R"yaml(  wall: {type: Thermal.ThermalConductor, G: 50}
  block: {type: Thermal.HeatCapacitor, C: 20, T: {start: 293.15, fixed: true}}
connections:
  - [x.port, wall.port_a]
  - [wall.port_b, block.port]
simulation: {stop: 5, interval: 0.05}
)yaml"},
    {"Translational.Accelerate", R"yaml(a_ref: "0.3*sin(6*time)")yaml", kMass},
    {"Translational.Move",
     R"yaml(u: ["0.3*sin(6*time)", "1.8*cos(6*time)", "-10.8*sin(6*time)"])yaml", kMass},
    {"Translational.Position", R"yaml(s_ref: "0.3*sin(6*time)")yaml", kMass},
    {"Translational.Speed", R"yaml(v_ref: "0.3*sin(6*time)")yaml", kMass},
    {"World", "", R"yaml(world: {g: 9.81, n: [0, -1, 0]}
components:
  hinge: {type: Revolute, phi: {start: 0.5, fixed: true}, w: {fixed: true}}
  rod: {type: BodyBox, r: [0.5, 0, 0], width: 0.05}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, rod.frame_a]
)yaml"},
};

}  // namespace

std::string writtenExample(std::string_view type) {
  const auto found = std::ranges::find(kWrittenExamples, type, &WrittenExample::type);
  if (found == std::end(kWrittenExamples)) return "";
  const auto& [name, arguments, others, world] = *found;
  std::string text(world);
  if (others.find("components:\n") == others.npos)
    text += fmt::format("components:\n  x: {{type: {}{}{}}}\n", name, arguments.empty() ? "" : ", ",
                        arguments);
  text += others;
  if (others.find("simulation:") == others.npos) text += "simulation: {stop: 1, interval: 0.01}\n";
  return text;
}

}  // namespace cardan
