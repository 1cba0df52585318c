/// A rotor whose whirl over speed is known in closed form.
#pragma once

namespace test {

/// A rotor of polar inertia Ip between two springs, free to shift and to tilt.
inline const char* const kRotor = R"yaml(
model: Rotor
parameters: {k: 2e5, l: 0.3, m: 12, It: 0.4, Ip: 0.7, speed: 100}
world: {g: 0}
components:
  x: {type: Prismatic, n: [1, 0, 0]}
  y: {type: Prismatic, n: [0, 1, 0]}
  alpha: {type: Revolute, n: [1, 0, 0]}
  beta: {type: Revolute, n: [0, 1, 0]}
  spin: {type: Revolute, n: [0, 0, 1], w: {start: speed, fixed: true}}
  rotor: {type: Body, r_CM: [0, 0, 0], m: m, I_11: It, I_22: It, I_33: Ip}
  left: {type: FixedTranslation, r: [0, 0, -l]}
  right: {type: FixedTranslation, r: [0, 0, l]}
  pullLeft: {type: WorldForce, force: ["-k*left.frame_b.r_0[1]", "-k*left.frame_b.r_0[2]", 0]}
  pullRight: {type: WorldForce, force: ["-k*right.frame_b.r_0[1]", "-k*right.frame_b.r_0[2]", 0]}
connections:
  - [world.frame_b, x.frame_a]
  - [x.frame_b, y.frame_a]
  - [y.frame_b, alpha.frame_a]
  - [alpha.frame_b, beta.frame_a]
  - [beta.frame_b, spin.frame_a]
  - [spin.frame_b, rotor.frame_a]
  - [beta.frame_b, left.frame_a]
  - [beta.frame_b, right.frame_a]
  - [left.frame_b, pullLeft.frame_b]
  - [right.frame_b, pullRight.frame_b]
simulation: {stop: 1}
)yaml";

}  // namespace test
