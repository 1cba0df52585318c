/// Models of the tests of FMUs that do not ship.
#pragma once

namespace test {

/// A drive train whose load sticks and slips: a mass on a belt, pulled by a spring.
inline const char* const kStickSlip = R"(
model: StickSlip
parameters: {c: 40, speed: 0.4}
components:
  drive: {type: Translational.Speed, v_ref: speed}
  spring: {type: Translational.SpringDamper, c: c, d: 0.3}
  block: {type: Translational.MassWithStopAndFriction, L: 0.1, m: 1, smin: -1000, smax: 1000, F_prop: 0.2, F_Coulomb: 4, F_Stribeck: 3, fexp: 5, s: {fixed: true}, v: {fixed: true}}
connections:
  - [drive.flange, spring.flange_a]
  - [spring.flange_b, block.flange_a]
simulation: {stop: 8, interval: 0.02, tolerance: 1e-9}
outputs: [block.s, block.v, spring.f]
)";

/// A rectifier: a diode, a resistor and a capacitor behind a source.
inline const char* const kRectifier = R"(
model: Rectifier
parameters: {R: 200, C: 1e-3}
components:
  source: {type: Analog.SineVoltage, V: 10, f: 50}
  diode: {type: Analog.IdealDiode, Ron: 0.1}
  load: {type: Analog.Resistor, R: R}
  store: {type: Analog.Capacitor, C: C, v: {fixed: true}}
  ground: {type: Analog.Ground}
connections:
  - [source.p, diode.p]
  - [diode.n, load.p]
  - [diode.n, store.p]
  - [load.n, ground.p]
  - [store.n, ground.p]
  - [source.n, ground.p]
simulation: {stop: 0.1, interval: 0.0005, tolerance: 1e-9}
outputs: [store.v, diode.i, load.i]
)";

/// A cart with a pole that an importer pushes; structural parameters, Booleans, texts.
inline const char* const kCartPole = R"(
model: CartPole
description: "A cart <pushed> & a pole"
parameters: {m: 0.5 kg, length: 600 mm, half: "length/2", links: 2, heavy: true, label: "= 'pole'", axis: [0, 0, 1]}
inputs: {push: {unit: N, start: 1, description: "on the cart"}, wind: {size: 2, unit: N}}
world: {g: 9.81}
components:
  rail: {type: Prismatic, n: [1, 0, 0], s: {start: 0.1, fixed: true}, v: {fixed: true}}
  cart: {type: Body, m: 1, r_CM: [0, 0, 0]}
  hinge: {type: Revolute, n: axis, phi: {start: -1.4, fixed: true}, w: {start: 0.2}}
  pole: {type: Body, m: "if heavy then m else m/2", r_CM: [half, 0, 0], I_33: 0.01}
  force: {type: WorldForce, force: ["push + wind[1]", "wind[2]", 0]}
  brake: {type: WorldForce, force: [0.5, 0, 0]}
  clock: {type: Blocks.Clock, count: links}
connections:
  - [world.frame_b, rail.frame_a]
  - [rail.frame_b, cart.frame_a]
  - [rail.frame_b, hinge.frame_a]
  - [hinge.frame_b, pole.frame_a]
  - [force.frame_b, rail.frame_b]
  - [brake.frame_b, rail.frame_b]
variables: {fallen: "hinge.phi < -1.5"}
simulation: {stop: 2, interval: 0.01, tolerance: 1e-9}
outputs: [rail.s, rail.v, hinge.phi, hinge.w, rail.a, fallen]
)";

}  // namespace test
