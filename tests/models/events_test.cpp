/// Events against closed forms: many of them, jumps inside loops, and modes that hang on each
/// other.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {}  // namespace

TEST_CASE("events: thousands of them, spread over a run, are no chattering") {
  const ModelRun r = runModel(R"(
components:
  pulse: {type: Blocks.Pulse, amplitude: 2, period: 0.001, width: 25}
  i: {type: Blocks.Integrator, u: pulse.y}
simulation: {stop: 1.5, interval: 0.5}
outputs: [i.y]
)");
  CHECK(r.report.events >= 2999);  // 1500 periods of two, without the first rise
  CHECK(r.report.events <= 3001);
  CHECK(r.rows["i.y"].back() == doctest::Approx(0.75).epsilon(1e-9));
}

TEST_CASE("events: pairs of them, close together, are no chattering however many there are") {
  // 0.1 ns apart, half a millisecond between the pairs.
  const ModelRun r = runModel(R"(
components:
  first: {type: Blocks.Pulse, period: 0.001, width: 50}
  second: {type: Blocks.Pulse, period: 0.001, width: 50, startTime: 1e-10}
  i: {type: Blocks.Integrator, u: first.y + second.y}
simulation: {stop: 1.5, interval: 0.5}
outputs: [i.y]
)");
  CHECK(r.rows["i.y"].back() == doctest::Approx(1.5).epsilon(1e-8));
}

TEST_CASE("events: a prescribed velocity that jumps in a loop takes all of the loop along") {
  // A parallelogram: rocker and crank turn alike, the coupler keeps its direction.
  const ModelRun r = runModel(R"(
world: {g: 0}
components:
  drive: {type: Rotational.Speed, exact: true, phi: {start: 0.7}, w_ref: "if time < 0.5 then 1 else 2"}
  j1: {type: Revolute, useAxisFlange: true, phi: {start: 0.7, fixed: true}}
  crank: {type: BodyShape, r: [0.5, 0, 0], r_CM: [0.25, 0, 0], m: 1}
  j2: {type: Revolute, phi: {start: -0.7}}
  coupler: {type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1}
  j3: {type: Revolute}
  rocker: {type: BodyShape, r: [0.5, 0, 0], r_CM: [0.25, 0, 0], m: 1}
  j4: {type: Revolute, phi: {start: 0.7}}
  ground: {type: FixedTranslation, r: [1, 0, 0]}
connections:
  - [world.frame_b, j1.frame_a]
  - [drive.flange, j1.axis]
  - [j1.frame_b, crank.frame_a]
  - [crank.frame_b, j2.frame_a]
  - [j2.frame_b, coupler.frame_a]
  - [coupler.frame_b, j3.frame_a]
  - [j3.frame_b, rocker.frame_b]
  - [world.frame_b, ground.frame_a]
  - [ground.frame_b, j4.frame_a]
  - [j4.frame_b, rocker.frame_a]
simulation: {stop: 1, interval: 0.25, tolerance: 1e-8}
outputs: [j1.phi, j1.w, j4.phi, j4.w, j2.w, j3.w]
)");
  const auto& t = r.rows.time();
  for (size_t i = 0; i < t.size(); ++i) {
    const bool after = t[i] > 0.5 || (i > 0 && t[i - 1] == 0.5);
    const double w = after ? 2 : 1;
    CAPTURE(t[i]);
    CHECK(std::abs(r.rows["j1.w"][i] - w) < 1e-9);
    CHECK(std::abs(r.rows["j4.w"][i] - w) < 1e-9);
    CHECK(std::abs(r.rows["j2.w"][i] + w) < 1e-9);
    CHECK(std::abs(r.rows["j3.w"][i] - w) < 1e-9);
    CHECK(std::abs(r.rows["j4.phi"][i] - r.rows["j1.phi"][i]) < 1e-9);
  }
  CHECK(std::abs(r.rows["j1.phi"].back() - 2.2) < 1e-6);
}

TEST_CASE("events: a switch that moves a voltage that moves a switch settles at one instant") {
  const ModelRun r = runModel(R"(
components:
  V: {type: Analog.SignalVoltage, v: "if time < 0.5 then 1 else 3"}
  R1: {type: Analog.Resistor, R: 1}
  R2: {type: Analog.Resistor, R: 1}
  W: {type: Analog.SignalVoltage, v: "if R2.v > 1 then 5 else 0.5"}
  R3: {type: Analog.Resistor, R: 1}
  R4: {type: Analog.Resistor, R: 1}
  U: {type: Analog.SignalVoltage, v: "if R4.v > 1 then 7 else 0.25"}
  R5: {type: Analog.Resistor, R: 1}
  g: {type: Analog.Ground}
connections:
  - [V.p, R1.p]
  - [R1.n, R2.p]
  - [R2.n, g.p]
  - [V.n, g.p]
  - [W.p, R3.p]
  - [R3.n, R4.p]
  - [R4.n, g.p]
  - [W.n, g.p]
  - [U.p, R5.p]
  - [R5.n, g.p]
  - [U.n, g.p]
simulation: {stop: 1, interval: 0.25, tolerance: 1e-8}
outputs: [R2.v, R4.v, R5.v]
)");
  const auto& t = r.rows.time();
  bool seen = false;
  for (size_t i = 0; i < t.size(); ++i) {
    const bool after = t[i] > 0.5 || (i > 0 && t[i - 1] == 0.5);
    seen = seen || (after && t[i] == 0.5);
    CAPTURE(t[i]);
    // From the first row on: nodes without a state have their potential at the start as well.
    CHECK(r.rows["R2.v"][i] == doctest::Approx(after ? 1.5 : 0.5).epsilon(1e-12));
    CHECK(r.rows["R4.v"][i] == doctest::Approx(after ? 2.5 : 0.25).epsilon(1e-12));
    CHECK(r.rows["R5.v"][i] == doctest::Approx(after ? 7 : 0.25).epsilon(1e-12));
  }
  CHECK(seen);
}

TEST_CASE("events: however fast they come, all happen where the model changes between them") {
  // 200 periods: a diode conducts and blocks once in each, 2.5e-5 s apart.
  const ModelRun r = runModel(R"yaml(
components:
  v: {type: Analog.SineVoltage, V: 10, f: 20000}
  d: {type: Analog.IdealDiode, Ron: 0.1, Goff: 1e-6}
  r: {type: Analog.Resistor, R: 100}
  g: {type: Analog.Ground}
connections:
  - [v.p, d.p]
  - [d.n, r.p]
  - [r.n, g.p]
  - [v.n, g.p]
simulation: {stop: 0.01, interval: 1e-4}
outputs: [r.i]
)yaml");
  CHECK(r.report.events >= 399);
  CHECK(r.report.events <= 400);
  CHECK(r.report.contactViolations == 0);
  // A mass flies to and fro between two elastic ends: 0.5e-5 s and half a swing at each.
  const double m = 1e-3, c = 1e9, v = 10, half = 2.5e-5;
  const double period = 2 * (2 * half / v + std::numbers::pi * std::sqrt(m / c));
  const int swings = 150;
  const ModelRun h =
      runModel(fmt::format(R"yaml(
components:
  m: {{type: Translational.Mass, m: {}, s: {{start: 0, fixed: true}}, v: {{start: {}, fixed: true}}}}
  low: {{type: Translational.ElastoGap, c: {}, d: 0, s_rel0: {}, n: 1}}
  high: {{type: Translational.ElastoGap, c: {}, d: 0, s_rel0: {}, n: 1}}
  f: {{type: Translational.Fixed, s0: {}}}
  g: {{type: Translational.Fixed, s0: {}}}
connections:
  - [f.flange, low.flange_a]
  - [low.flange_b, m.flange_a]
  - [m.flange_b, high.flange_a]
  - [high.flange_b, g.flange]
simulation: {{stop: {:.17g}, interval: {:.17g}, tolerance: 1e-9}}
outputs: [m.s, m.v]
)yaml",
                           m, v, c, 1.0, c, 1.0, -1 - half, 1 + half, swings * period, period));
  CHECK(h.report.events == 4 * swings);
  CHECK(h.report.contactViolations == 0);
}
