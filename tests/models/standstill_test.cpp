// A run that gets nowhere ends after a count of steps; one that moves goes on, however short its steps.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/integration/solver_error.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

/// Four rods in line: the base is as long as the three others together, so that nothing can move.
const char* const kStretched = R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  base: {type: FixedTranslation, r: [3, 0, 0]}
  j1: {type: Revolute, phi: {fixed: true}, w: {fixed: true}}
  crank: {type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1, I_11: 0.01, I_22: 0.05, I_33: 0.05}
  j2: {type: Revolute, phi: {start: -1}}
  coupler: {type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1, I_11: 0.01, I_22: 0.05, I_33: 0.05}
  j4: {type: Revolute, phi: {start: 1.5}}
  rocker: {type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1, I_11: 0.01, I_22: 0.05, I_33: 0.05}
  j3: {type: Revolute}
connections:
  - [world.frame_b, base.frame_a]
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, crank.frame_a]
  - [crank.frame_b, j2.frame_a]
  - [j2.frame_b, coupler.frame_a]
  - [base.frame_b, j4.frame_a]
  - [j4.frame_b, rocker.frame_a]
  - [coupler.frame_b, j3.frame_a]
  - [j3.frame_b, rocker.frame_b]
simulation: {stop: 2, interval: 0.01}
outputs: [j1.phi]
)yaml";

test::ModelRun runStandstill(const std::string& model, IntegratorChoice method, double tolerance) {
  return test::runModel(model, {.tolerance = tolerance, .integrator = method});
}

}  // namespace

TEST_CASE(
    "standstill: a four-bar stretched to the end of its reach ends by name, every time alike") {
  // By refused steps with the explicit method; by steps of 1e-8 s where IDA goes on from there.
  const std::pair<IntegratorChoice, double> cases[] = {{IntegratorChoice::explicitMethod, 1e-8},
                                                       {IntegratorChoice::explicitMethod, 1e-8},
                                                       {IntegratorChoice::automatic, 1e-6}};
  std::vector<long> steps;
  for (const auto& [method, tolerance] : cases) {
    CAPTURE(tolerance);
    Simulation s = Simulation::fromText(catalogue(), kStretched);
    Trajectory rows;
    try {
      s.run(rows, {.tolerance = tolerance, .integrator = method});
      FAIL("the run should stop");
    } catch (const SolverError& e) {
      CHECK(e.details().cause == SolverError::Cause::Crawling);
    }
    CHECK(rows.time().size() >= 1);
    steps.push_back(s.report().integrator.steps);
    CHECK(steps.back() <= 4000);
  }
  CHECK(steps[0] == steps[1]);
}

TEST_CASE("standstill: a vibration far below the tolerance goes on, turn by turn") {
  // 1e-9 m at 1e5 rad/s: velocities of 1e-4 m/s are above a tolerance of 1e-7, positions below it.
  const test::ModelRun r = runStandstill(R"yaml(
components:
  fixed: {type: Translational.Fixed}
  spring: {type: Translational.Spring, c: 1e10}
  mass: {type: Translational.Mass, m: 1, s: {start: 1e-9, fixed: true}, v: {fixed: true}}
connections: [[fixed.flange, spring.flange_a], [spring.flange_b, mass.flange_a]]
simulation: {stop: 0.03, interval: 0.01}
outputs: [mass.s]
)yaml",
                                         IntegratorChoice::ida, 1e-7);
  CHECK(r.report.integrator.steps > 6000);
  CHECK(r.report.stopTime == 0.03);
}

TEST_CASE("standstill: what is stiff and at rest goes on by explicit steps") {
  const test::ModelRun r = runStandstill(R"yaml(
components:
  fixed: {type: Translational.Fixed}
  damper: {type: Translational.SpringDamper, c: 1, d: 1e5}
  mass: {type: Translational.Mass, m: 1, s: {fixed: true}, v: {start: 0.01, fixed: true}}
connections: [[fixed.flange, damper.flange_a], [damper.flange_b, mass.flange_a]]
simulation: {stop: 0.5, interval: 0.1}
outputs: [mass.s]
)yaml",
                                         IntegratorChoice::explicitMethod, 1e-6);
  CHECK(r.report.integrator.steps > 6000);
  CHECK(r.report.stopTime == 0.5);
}

TEST_CASE("standstill: corners that nobody tells of are refused steps of something that moves") {
  const test::ModelRun r = runStandstill(R"yaml(
variables: {x: {start: 0, fixed: true}, y: {start: 0, fixed: true}}
equations: ["der(x) = 1", "der(y) = noEvent(abs(sin(2000*x)))"]
simulation: {stop: 0.4, interval: 0.1}
outputs: [y]
)yaml",
                                         IntegratorChoice::ida, 1e-8);
  CHECK(r.report.integrator.steps > 6000);
  CHECK(r.report.integrator.errorTestFailures > r.report.integrator.steps / 10);
  CHECK(r.last("y") == doctest::Approx(0.8 / 3.14159265358979).epsilon(5e-3));
}
