#include "tests/identification/identification_case.h"

#include <fstream>
#include <sstream>

namespace cardan::identification {
namespace {

constexpr const char* kSwing = R"(
model: Case
parameters: {L: 0.5, d: 0.05}
components:
  hinge: {type: Revolute, useAxisFlange: true, phi: {start: 1, fixed: true}, w: {fixed: true}}
  oil:   {type: Rotational.Damper, d: d}
  bob:   {type: Body, m: 2, r_CM: [0, -L, 0]}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, bob.frame_a]
  - [oil.flange_b, hinge.axis]
  - [oil.flange_a, hinge.support]
)";

constexpr const char* kSpringDamper = R"(
model: Case
parameters: {m: 1.3, c: 150, d: 3}
components:
  push: {type: Translational.Force, f: "if time < 0.5 then 10 else -5"}
  mass: {type: Translational.Mass, m: m, s: {fixed: true}, v: {fixed: true}}
  leg:  {type: Translational.SpringDamper, c: c, d: d, s_rel0: 0}
  wall: {type: Translational.Fixed}
connections: [[push.flange, mass.flange_b], [wall.flange, leg.flange_a], [leg.flange_b, mass.flange_a]]
)";

/// Pulled along by a spring whose end turns evenly: it sticks, and slips.
constexpr const char* kStickSlip = R"(
model: Case
parameters: {T_C: 0.11, T_S: 0.28, w_S: 0.45}
components:
  pull:  {type: Rotational.ConstantSpeed, w_fixed: 0.5}
  wire:  {type: Rotational.SpringDamper, c: 1, d: 0.01}
  wheel: {type: Rotational.Inertia, J: 0.05, phi: {fixed: true}, w: {fixed: true}}
  dry:   {type: Rotational.BearingFriction, tau_pos: [[0, T_S], [w_S, T_C], [10, T_C]]}
connections: [[pull.flange, wire.flange_a], [wire.flange_b, wheel.flange_a], [wheel.flange_b, dry.flange_a]]
)";

constexpr const char* kDrive = R"(
model: Case
parameters: {J1: 0.027, J2: 0.09, c: 37, d: 0.06}
inputs: {torque: 0}
components:
  motor: {type: Rotational.Torque, tau: torque}
  rotor: {type: Rotational.Inertia, J: J1, phi: {fixed: true}, w: {fixed: true}}
  shaft: {type: Rotational.SpringDamper, c: c, d: d}
  load:  {type: Rotational.Inertia, J: J2, phi: {fixed: true}, w: {fixed: true}}
connections:
  - [motor.flange, rotor.flange_a]
  - [rotor.flange_b, shaft.flange_a]
  - [shaft.flange_b, load.flange_a]
)";

constexpr const char* kTop = R"(
model: Case
parameters: {A: 0.03, B: 0.03, C: 0.03}
components:
  ball: {type: Spherical, angles_fixed: true, w_rel_a_fixed: true, w_rel_a_start: [1, 6, 2]}
  top:  {type: Body, m: 1.5, r_CM: [0.1, 0.1, -0.05], I_11: A, I_22: B, I_33: C}
connections: [[world.frame_b, ball.frame_a], [ball.frame_b, top.frame_a]]
)";

constexpr const char* kCircuit = R"(
model: Case
parameters: {R: 15, L: 0.15, C: 1.2e-4}
components:
  source: {type: Analog.StepVoltage, V: 10, startTime: 0.005}
  r: {type: Analog.Resistor, R: R}
  l: {type: Analog.Inductor, L: L, i: {fixed: true}}
  c: {type: Analog.Capacitor, C: C, v: {fixed: true}}
  g: {type: Analog.Ground}
connections: [[source.p, r.p], [r.n, l.p], [l.n, c.p], [c.n, source.n], [g.p, source.n]]
)";

constexpr const char* kOven = R"(
model: Case
parameters: {C1: 70, C2: 250, G: 1.5, loss: 0.7}
components:
  heater: {type: Thermal.PrescribedHeatFlow, Q_flow: "if time < 300 then 100 else 0"}
  wire:   {type: Thermal.HeatCapacitor, C: C1, T: {start: 293.15, fixed: true}}
  air:    {type: Thermal.ThermalConductor, G: G}
  wall:   {type: Thermal.HeatCapacitor, C: C2, T: {start: 293.15, fixed: true}}
  leak:   {type: Thermal.ThermalConductor, G: loss}
  room:   {type: Thermal.FixedTemperature, T: 293.15}
connections:
  - [heater.port, wire.port]
  - [wire.port, air.port_a]
  - [air.port_b, wall.port]
  - [wall.port, leak.port_a]
  - [leak.port_b, room.port]
)";

constexpr const char* kMotor = R"(
model: Case
parameters: {R: 1.3, k: 0.12, J: 1.2e-3, d: 1e-3}
components:
  supply:   {type: Analog.SignalVoltage, v: "if time < 0.3 then 12 else -6"}
  winding:  {type: Analog.Resistor, R: R}
  coil:     {type: Analog.Inductor, L: 0.01, i: {fixed: true}}
  armature: {type: Analog.RotationalEMF, k: k}
  rotor:    {type: Rotational.Inertia, J: J, phi: {fixed: true}, w: {fixed: true}}
  grease:   {type: Rotational.Damper, d: d}
  housing:  {type: Rotational.Fixed}
  earth:    {type: Analog.Ground}
connections:
  - [supply.p, winding.p]
  - [winding.n, coil.p]
  - [coil.n, armature.p]
  - [armature.n, supply.n]
  - [earth.p, supply.n]
  - [armature.flange, rotor.flange_a]
  - [rotor.flange_b, grease.flange_a]
  - [grease.flange_b, housing.flange]
)";

constexpr const char* kBall = R"yaml(
model: Case
parameters: {h0: 1, e: 0.75, drag: 0.02}
variables: {h: {start: h0, fixed: true}, v: {fixed: true}}
equations: ["der(h) = v", "der(v) = -9.81 - drag*v*abs(v)"]
when: [{condition: "h < 0", reinit: {v: "-e*pre(v)"}}]
)yaml";

constexpr const char* kPress = R"(
model: Case
parameters: {J: 0.15, m: 1, d: 0.1}
components:
  bearing: {type: Revolute, useAxisFlange: true, phi: {fixed: true}, w: {start: 10, fixed: true}}
  oil:     {type: Rotational.Damper, d: d}
  wheel:   {type: Body, m: 2, r_CM: [0, 0, 0], I_33: J}
  crank:   {type: FixedTranslation, r: [0.3, 0, 0]}
  rail:    {type: FixedTranslation, r: [2, 0, 0]}
  linkage: {type: JointRRP, rRod1_ia: [0.8, 0, 0], rRod2_ib: [-0.1, 0, 0]}
  ram:     {type: Body, m: m, r_CM: [0, 0, 0]}
connections:
  - [world.frame_b, bearing.frame_a]
  - [bearing.axis, oil.flange_b]
  - [bearing.support, oil.flange_a]
  - [bearing.frame_b, wheel.frame_a]
  - [bearing.frame_b, crank.frame_a]
  - [crank.frame_b, linkage.frame_a]
  - [linkage.frame_ib, ram.frame_a]
  - [world.frame_b, rail.frame_a]
  - [rail.frame_b, linkage.frame_b]
)";

std::string shipped(const char* path) {
  std::ifstream file(std::string(CARDAN_SOURCE_DIR "/models/") + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

const std::vector<IdentificationCase>& identificationCases() {
  static const std::vector<IdentificationCase> cases{
      {"pendulum with friction",
       kSwing,
       {{"L", 0.5, 0.62}, {"d", 0.05, 0.08}, {"hinge.phi.start", 1, 0.9}},
       {{"hinge.phi", 0.02}},
       2,
       0.05},
      {"mass on spring and damper",
       kSpringDamper,
       {{"m", 1.3, 1}, {"c", 150, 200}, {"d", 3, 2}},
       {{"mass.s", 0.002}},
       1.5,
       0.03},
      {"stick-slip, through its events",
       kStickSlip,
       {{"T_C", 0.11, 0.1}, {"T_S", 0.28, 0.3}, {"w_S", 0.45, 0.5}},
       {{"wheel.phi", 0.003}},
       4,
       0.05},
      {"two-mass drive, fed by a file",
       kDrive,
       {{"J1", 0.027, 0.03}, {"J2", 0.09, 0.08}, {"c", 37, 40}, {"d", 0.06, 0.05}},
       {{"rotor.w", 0.05}, {"load.w", 0.05}},
       0.5,
       0.01,
       1,
       "torque"},
      {"inertia on a ball joint",
       kTop,
       {{"A", 0.03, 0.02}, {"B", 0.03, 0.04}, {"C", 0.03, 0.05}},
       {{"top.w_a[1]", 0.05}, {"top.w_a[2]", 0.05}, {"top.w_a[3]", 0.05}},
       1.5,
       0.05},
      {"circuit of R, L and C",
       kCircuit,
       {{"R", 15, 10}, {"L", 0.15, 0.1}, {"C", 1.2e-4, 1e-4}},
       {{"c.v", 0.1}, {"l.i", 0.005}},
       0.06,
       0.001},
      {"oven, wall and room",
       kOven,
       {{"C1", 70, 50}, {"C2", 250, 300}, {"G", 1.5, 2}, {"loss", 0.7, 0.5}},
       {{"wire.T", 0.5}, {"wall.T", 0.2}},
       900,
       15},
      {"motor and its rotor",
       kMotor,
       {{"R", 1.3, 1}, {"k", 0.12, 0.1}, {"J", 1.2e-3, 1e-3}, {"d", 1e-3, 5e-4}},
       {{"coil.i", 0.1}, {"rotor.w", 0.5}},
       0.6,
       0.01},
      {"bicycle: its masses and its front tyre",
       shipped("vehicles/bicycle.yaml"),
       {{"frame.m", 80, 85},
        {"fork.m", 4.5, 4},
        {"rFront", 0.355, 0.35},
        {"front.I_axis", 0.25, 0.28}},
       {{"lean", 5e-4}, {"steer", 5e-4}},
       2.4,
       0.03},
      {"ball that bounces",
       kBall,
       {{"h0", 1, 1.1}, {"e", 0.75, 0.8}, {"drag", 0.02, 0.03}},
       {{"h", 0.003}},
       2.5,
       0.025},
      {"press: a loop with a ram",
       kPress,
       {{"J", 0.15, 0.1}, {"d", 0.1, 0.15}, {"bearing.w.start", 10, 9}},
       {{"bearing.w", 0.1}},
       2,
       0.03},
      {"two swings, one by a clock that is late",
       kSwing,
       {{"L", 0.5, 0.62},
        {"d", 0.05, 0.08},
        {"hinge.phi.start", 1, 0.7, 0},
        {"hinge.phi.start", 1, 1.3, 1},
        {"time_shift", 0, 0.05, 1}},
       {{"hinge.phi", 0.02}},
       2,
       0.05,
       2},
  };
  return cases;
}

}  // namespace cardan::identification
