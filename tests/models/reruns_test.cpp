/// A Simulation that runs again does what it did before, to the last bit: nothing of a run is left
/// behind in modes, branches, charts, tables or found parameters.
#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return true;
}

/// Each ends in another state than it begins: other modes, other branches, other charts.
const std::vector<std::string> kRerunsModels{
    // What stands between the limits of a hysteresis is decided by what came before.
    R"--(
components:
  h: {type: Blocks.Hysteresis, uLow: -0.5, uHigh: 0.5, u: "sin(2*pi*time)"}
  i: {type: Blocks.Integrator, u: "if h.y then 1 else -1"}
simulation: {stop: 1.4, interval: 0.1}
outputs: [h.y, i.y]
)--",
    // Sticks, breaks loose, slides and sticks on the other side.
    R"--(
components:
  J: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {fixed: true}}
  f: {type: Rotational.BearingFriction, tau_pos: [[0, 1], [1, 1.2]], peak: 1.3}
  u: {type: Rotational.Torque, tau: "2*sin(3*time)"
}
connections:
  - [J.flange_a, f.flange_a]
  - [u.flange, J.flange_b]
simulation: {stop: 2.6, interval: 0.1}
outputs: [J.phi, J.w, f.mode, f.tau]
)--",
    // A brake that closes, a clutch that opens, a table, a pulse.
    R"--(
components:
  J1: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {start: 3, fixed: true}}
  J2: {type: Rotational.Inertia, J: 2, phi: {fixed: true}, w: {start: -1, fixed: true}}
  c: {type: Rotational.Clutch, mu_pos: [[0, 1]], fn_max: 2, f_normalized: "if time < 1 then 1 else 0"}
  b: {type: Rotational.Brake, mu_pos: [[0, 1]], fn_max: 3, f_normalized: p.y}
  p: {type: Blocks.Pulse, period: 0.7, startTime: 0.4, width: 30}
  t: {type: Blocks.CombiTimeTable, table: [[0, 0], [0.5, 2], [0.9, -1]], extrapolation: Periodic}
  u: {type: Rotational.Torque, tau: "t.y[1]"}
connections:
  - [J1.flange_b, c.flange_a]
  - [c.flange_b, J2.flange_a]
  - [J2.flange_b, b.flange_a]
  - [u.flange, J1.flange_a]
simulation: {stop: 2, interval: 0.1}
outputs: [J1.w, J2.w, c.mode, b.mode, t.y]
)--",
    // Angles that pass several references, and derived ones that count on.
    R"--(
world: {g: 0}
components:
  body: {type: Body, I_11: 1, I_22: 2, I_33: 3, orientationStates: angles, r_0: {fixed: true}, v_0: {fixed: true},
         angles_fixed: true, w_0_fixed: true, w_0_start: [0.2, 3, 0.1]}
simulation: {stop: 6, interval: 0.25}
outputs: [body.phi, body.Q, body.w_a]
)--",
    // A loop whose cut joint turns round and round.
    R"--(
world: {g: 0}
components:
  j1: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {start: 5, fixed: true}}
  crank: {type: BodyShape, r: [0.3, 0, 0], r_CM: [0.15, 0, 0], m: 1}
  pin: {type: Revolute, cut: true}
  slider: {type: Prismatic, n: [1, 0, 0], s: {start: 1}}
  j3: {type: Revolute}
  rod: {type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1}
  block: {type: Body, m: 1}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, crank.frame_a]
  - [crank.frame_b, pin.frame_a]
  - [pin.frame_b, rod.frame_a]
  - [rod.frame_b, j3.frame_a]
  - [j3.frame_b, slider.frame_b]
  - [world.frame_b, slider.frame_a]
  - [slider.frame_b, block.frame_a]
simulation: {stop: 3, interval: 0.25}
outputs: [j1.phi, pin.phi, slider.s, block.Q, rod.body.phi]
)--",
    // A parameter that the start finds.
    R"--(
components:
  p: {type: Prismatic, n: [0, 1, 0], s: {start: -0.2, fixed: true}, v: {fixed: true}, a: {start: 2, fixed: true}}
  spring: {type: Spring, c: {start: 30, fixed: false}, s_unstretched: 0.1}
  body: {type: Body, m: 1}
connections:
  - [world.frame_b, p.frame_a]
  - [p.frame_b, body.frame_a]
  - [world.frame_b, spring.frame_a]
  - [spring.frame_b, body.frame_a]
simulation: {stop: 1, interval: 0.25}
outputs: [p.s, p.v, spring.f]
)--"};

}  // namespace

TEST_CASE("Simulation: run again, it gives the same rows to the last bit") {
  for (const std::string& text : kRerunsModels) {
    CAPTURE(text);
    Simulation fresh = Simulation::fromText(catalogue(), text, "rerun.yaml");
    Trajectory first, second, third;
    const RunReport a = fresh.run(first);
    const RunReport b = fresh.run(second);
    CHECK(a.events == b.events);
    CHECK(a.integrator.steps == b.integrator.steps);
    // After a run that ended elsewhere and wrote other rows, too.
    RunOptions other;
    other.stopTime = 0.77 * first.time().back();
    other.outputInterval = 0.013;
    Trajectory ignored;
    fresh.run(ignored, other);
    fresh.run(third);
    for (const Trajectory* t : {&second, &third}) {
      CHECK(sameBits(first.time(), t->time()));
      for (const Column& c : first.columns()) {
        CAPTURE(c.name);
        CHECK(sameBits(first[c.name], (*t)[c.name]));
      }
    }
  }
}
