/// The model that studies of the tests vary: a damped pendulum of length L.
#pragma once

namespace test {

inline const char* const kSwing = R"(
model: Swing
parameters: {L: 1, d: 0}
components:
  revolute: {type: Revolute, useAxisFlange: true, phi: {start: 0.3, fixed: true}, w: {fixed: true}}
  damper:   {type: Rotational.Damper, d: d}
  body:     {type: Body, m: 1, r_CM: [L, 0, 0]}
connections:
  - [world.frame_b, revolute.frame_a]
  - [damper.flange_b, revolute.axis]
  - [revolute.support, damper.flange_a]
  - [revolute.frame_b, body.frame_a]
simulation: {stop: 1, interval: 0.1, tolerance: 1e-6}
outputs: [revolute.phi]
)";

}  // namespace test
