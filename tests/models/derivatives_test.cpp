// Derivatives of signals, and motions that signals of the state prescribe.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine/equations/model.h"
#include "engine/integration/solver_error.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kDerivativesTolerance = 1e-10;

Trajectory runDerivatives(const std::string& text, double stop, double interval,
                          const std::vector<std::string>& outputs, int* unknowns = nullptr) {
  Simulation s = Simulation::fromText(catalogue(), text, "signals.yaml");
  if (unknowns) *unknowns = s.model().assembly().layout.nx;
  Trajectory t;
  RunOptions options;
  options.stopTime = stop;
  options.outputInterval = interval;
  options.tolerance = kDerivativesTolerance;
  options.outputs = outputs;
  s.run(t, options);
  return t;
}

const std::string kPendulum =
    "world: {g: 9.81}\n"
    "components:\n"
    "  j: {type: Revolute, useAxisFlange: true, phi: {start: 0.3, fixed: true}, w: {start: 1, "
    "fixed: true}}\n"
    "  b: {type: Body, m: 1, r_CM: [1, 0, 0], I_11: 0, I_22: 0, I_33: 0}\n";
const std::string kPendulumConnections = "[world.frame_b, j.frame_a], [j.frame_b, b.frame_a]";

}  // namespace

TEST_CASE("Der: a chain for results has no unknowns and gives every derivative of a pendulum") {
  int unknowns = -1;
  const Trajectory t = runDerivatives(
      kPendulum +
          "  angle: {type: Blocks.RealExpression, y: j.phi}\n"
          "  d1: {type: Blocks.Der}\n  d2: {type: Blocks.Der}\n  d3: {type: Blocks.Der}\n"
          "connections: [" +
          kPendulumConnections + ", [angle.y, d1.u], [d1.y, d2.u], [d2.y, d3.u]]\n",
      2, 0.1, {"j.phi", "j.w", "j.a", "d1.y", "d2.y", "d3.y"}, &unknowns);
  CHECK(unknowns == 0);
  for (size_t k = 0; k < t.time().size(); ++k) {
    // j.a = -g cos(phi)
    const double jerk = 9.81 * std::sin(t["j.phi"][k]) * t["j.w"][k];
    CHECK(std::abs(t["d1.y"][k] - t["j.w"][k]) < 1e-12);
    CHECK(std::abs(t["d2.y"][k] - t["j.a"][k]) < 1e-8);  // h^2 times the fourth derivative
    CHECK(std::abs(t["d3.y"][k] - jerk) < 1e-3);
  }
}

TEST_CASE("Der: a chain is for results beside equations and clauses that do not read it") {
  int unknowns = -1;
  const Trajectory t =
      runDerivatives(kPendulum +
                         "  angle: {type: Blocks.RealExpression, y: j.phi}\n"
                         "  d1: {type: Blocks.Der}\n  d2: {type: Blocks.Der}\n"
                         "variables: {turns: {start: 0, type: Integer}, lag: {start: 0}}\n"
                         "when: [{condition: \"j.w > 2\", set: {turns: \"pre(turns) + 1\"}}]\n"
                         "equations: [\"der(lag) = j.phi - lag\"]\n"
                         "connections: [" +
                         kPendulumConnections + ", [angle.y, d1.u], [d1.y, d2.u]]\n",
                     2, 0.1, {"j.w", "j.a", "d1.y", "d2.y"}, &unknowns);
  CHECK(unknowns == 1);  // lag
  for (size_t k = 0; k < t.time().size(); ++k) {
    CHECK(std::abs(t["d1.y"][k] - t["j.w"][k]) < 1e-12);
    CHECK(std::abs(t["d2.y"][k] - t["j.a"][k]) < 1e-8);
  }
}

TEST_CASE("Der: where no step resolves a third derivative the run ends by name, and soon") {
  // A condition reads the derivative of an unknown that is a rate itself: known to rounding over the
  // step, the error of which grows as the step shrinks.
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
components:
  j: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {start: 1, fixed: true}}
  b: {type: BodyShape, r: [0.5, 0, 0.1], r_CM: [0.2, 0, 0], m: 1, I_11: 0.1, I_22: 0.1, I_33: 0.1}
  at: {type: RelativeSensor, get_r_rel: true}
  d1: {type: Blocks.Der}
  d2: {type: Blocks.Der}
  d3: {type: Blocks.Der}
variables: {n: {start: 0, type: Integer}}
when: [{condition: "d3.y > 4", set: {n: "pre(n) + 1"}}]
connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a], [world.frame_b, at.frame_a],
              [b.frame_b, at.frame_b], ["at.r_rel[1]", d1.u], [d1.y, d2.u], [d2.y, d3.u]]
)yaml",
                                      "signals.yaml");
  Trajectory t;
  RunOptions options;
  options.stopTime = 2;
  options.tolerance = 1e-9;
  bool stopped = false;
  try {
    s.run(t, options);
  } catch (const SolverError& e) {
    stopped = true;
    CHECK(e.details().cause == SolverError::Cause::ErrorTest);
    CHECK(e.details().steps < 20000);
    CHECK(!e.details().unknown.empty());
  }
  CHECK(stopped);
}

TEST_CASE("Der: of what names time itself, as a block and in an expression") {
  const Trajectory t =
      runDerivatives(kPendulum +
                         "  y: {type: Blocks.RealExpression, y: \"time^2*j.phi\"}\n"
                         "  d: {type: Blocks.Der}\n"
                         "connections: [" +
                         kPendulumConnections +
                         ", [y.y, d.u]]\n"
                         "variables: {x: \"sin(3*time)*j.phi\", v: \"der(x)\"}\n",
                     1, 0.1, {"j.phi", "j.w", "d.y", "v"});
  for (size_t k = 0; k < t.time().size(); ++k) {
    const double s = t.time()[k], phi = t["j.phi"][k], w = t["j.w"][k];
    CHECK(std::abs(t["d.y"][k] - (2 * s * phi + s * s * w)) < 1e-11);
    CHECK(std::abs(t["v"][k] - (3 * std::cos(3 * s) * phi + std::sin(3 * s) * w)) < 1e-11);
  }
}

TEST_CASE("Der: of a force, by differences of completed moments") {
  const Trajectory t =
      runDerivatives(kPendulum +
                         "  f: {type: Blocks.RealExpression, y: \"b.frame_a.f[1]\"}\n"
                         "  d: {type: Blocks.Der}\n"
                         "connections: [" +
                         kPendulumConnections + ", [f.y, d.u]]\n",
                     2, 0.1, {"j.phi", "j.w", "j.a", "d.y", "b.frame_a.f[1]"});
  for (size_t k = 0; k < t.time().size(); ++k) {
    // f[1] = -w^2 + g sin(phi)
    const double phi = t["j.phi"][k], w = t["j.w"][k];
    CHECK(std::abs(t["b.frame_a.f[1]"][k] - (-w * w + 9.81 * std::sin(phi))) < 1e-9);
    CHECK(std::abs(t["d.y"][k] - (-2 * w * t["j.a"][k] + 9.81 * std::cos(phi) * w)) < 1e-7);
  }
}

TEST_CASE("Der: of what a sensor of forces reads, which has no value before the loads have one") {
  const Trajectory t =
      runDerivatives(kPendulum +
                         "  c: {type: CutForce}\n"
                         "  d1: {type: Blocks.Der}\n"
                         "  d2: {type: Blocks.Der}\n"
                         "connections: [[world.frame_b, j.frame_a], [j.frame_b, c.frame_a], "
                         "[c.frame_b, b.frame_a], [c.force[1], d1.u], [d1.y, d2.u]]\n",
                     2, 0.1, {"j.phi", "j.w", "c.force", "d1.u", "d1.y", "d2.y"});
  for (size_t k = 0; k < t.time().size(); ++k) {
    const double phi = t["j.phi"][k], w = t["j.w"][k], a = -9.81 * std::cos(phi);
    CHECK(std::abs(t["c.force[1]"][k] - (-w * w + 9.81 * std::sin(phi))) < 1e-9);
    CHECK(t["d1.u"][k] == t["c.force[1]"][k]);
    CHECK(std::abs(t["d1.y"][k] + 3 * a * w) < 1e-7);
    CHECK(std::abs(t["d2.y"][k] - 3 * 9.81 * (a * std::cos(phi) - w * w * std::sin(phi))) < 1e-3);
  }
}

TEST_CASE("Der: fed back as a torque it damps like a damper") {
  const std::vector<std::string> outputs{"j.phi", "j.w"};
  const Trajectory signal =
      runDerivatives(kPendulum +
                         "  angle: {type: Blocks.RealExpression, y: j.phi}\n"
                         "  d: {type: Blocks.Der}\n  k: {type: Blocks.Gain, k: -0.7}\n"
                         "  torque: {type: Rotational.Torque}\n"
                         "connections: [" +
                         kPendulumConnections +
                         ", [angle.y, d.u], [d.y, k.u], [k.y, torque.tau], "
                         "[torque.flange, j.axis]]\n",
                     3, 0.1, outputs);
  const Trajectory damper = runDerivatives(
      kPendulum +
          "  damper: {type: Rotational.Damper, d: 0.7}\n"
          "connections: [" +
          kPendulumConnections + ", [j.support, damper.flange_a], [damper.flange_b, j.axis]]\n",
      3, 0.1, outputs);
  for (size_t k = 0; k < damper.time().size(); ++k) {
    CHECK(std::abs(signal["j.phi"][k] - damper["j.phi"][k]) < 1e4 * kDerivativesTolerance);
  }
}

namespace {

/// A cart of 1 kg on j1 under 2 N; one of 2 kg on j2 that follows `reference`.
std::string carts(const std::string& reference, const std::string& more = "") {
  return "world: {g: 0}\n"
         "components:\n"
         "  j1: {type: Prismatic, s: {fixed: true}, v: {fixed: true}}\n"
         "  b1: {type: Body, m: 1, r_CM: [0, 0, 0]}\n"
         "  push: {type: WorldForce, force: [2, 0, 0]}\n"
         "  j2: {type: Prismatic, useAxisFlange: true}\n"
         "  b2: {type: Body, m: 2, r_CM: [0, 0, 0]}\n"
         "  follow: {type: Translational.Position, exact: true, s_ref: \"" +
         reference + "\"}\n" + more;
}
const std::string kSideBySide =
    "connections: [[world.frame_b, j1.frame_a], [j1.frame_b, b1.frame_a], [push.frame_b, "
    "b1.frame_a], [world.frame_b, j2.frame_a], [j2.frame_b, b2.frame_a], [follow.flange, j2.axis]]";

}  // namespace

TEST_CASE("Position: a reference of the state gives motion and force of the closed form") {
  // s1 = t^2, s2 = s1^2/2: its force is 2 s2'' = 12 t^2.
  const Trajectory t = runDerivatives(carts("0.5*j1.s^2") + kSideBySide + "\n", 1.5, 0.1,
                                      {"j1.s", "j2.s", "j2.v", "j2.a", "follow.flange.f"});
  for (size_t k = 0; k < t.time().size(); ++k) {
    const double x = t.time()[k];
    CHECK(std::abs(t["j1.s"][k] - x * x) < 1e-8);
    CHECK(std::abs(t["j2.s"][k] - std::pow(x, 4) / 2) < 1e-7);
    CHECK(std::abs(t["j2.v"][k] - 2 * std::pow(x, 3)) < 1e-6);
    CHECK(std::abs(t["j2.a"][k] - 6 * x * x) < 1e-6);
    CHECK(std::abs(t["follow.flange.f"][k] + 12 * x * x) < 1e-5);
  }
}

TEST_CASE("Position: a reference that its own force moves is solved for together with it") {
  // Cart 2 rides on cart 1, s2 = 0.3 s1: s1'' = 2/(1 + 2 (1 + 0.3)), force 2 (1 + 0.3) s1''.
  const Trajectory t =
      runDerivatives(carts("0.3*j1.s") +
                         "connections: [[world.frame_b, j1.frame_a], [j1.frame_b, "
                         "b1.frame_a], [push.frame_b, b1.frame_a], [j1.frame_b, j2.frame_a], "
                         "[j2.frame_b, b2.frame_a], [follow.flange, j2.axis]]\n",
                     1, 0.1, {"j1.s", "j1.a", "j2.s", "follow.flange.f"});
  const double a = 2 / 3.6;
  for (size_t k = 0; k < t.time().size(); ++k) {
    const double x = t.time()[k];
    CHECK(std::abs(t["j1.s"][k] - a * x * x / 2) < 1e-8);
    CHECK(std::abs(t["j1.a"][k] - a) < 1e-7);
    CHECK(std::abs(t["j2.s"][k] - 0.15 * a * x * x) < 1e-8);
    CHECK(std::abs(t["follow.flange.f"][k] + 2.6 * a) < 1e-6);
  }
}

TEST_CASE("Position: a filtered reference is differentiated through the states of its filter") {
  // y' = (u - y)/T with u = sin(t): y'' = (cos(t) - y')/T.
  const Trajectory t =
      runDerivatives(carts("filter.y",
                           "  sine: {type: Blocks.Sine, f: \"1/(2*pi)\"}\n"
                           "  filter: {type: Blocks.FirstOrder, T: 0.5}\n") +
                         kSideBySide.substr(0, kSideBySide.size() - 1) + ", [sine.y, filter.u]]\n",
                     2, 0.1, {"filter.y", "j2.s", "j2.v", "j2.a", "follow.flange.f"});
  for (size_t k = 0; k < t.time().size(); ++k) {
    const double x = t.time()[k], T = 0.5;
    const double rate = (std::sin(x) - t["filter.y"][k]) / T;
    CHECK(std::abs(t["j2.s"][k] - t["filter.y"][k]) < 1e-9);
    CHECK(std::abs(t["j2.v"][k] - rate) < 1e-6);
    CHECK(std::abs(t["j2.a"][k] - (std::cos(x) - rate) / T) < 1e-5);
    CHECK(std::abs(t["follow.flange.f"][k] + 2 * (std::cos(x) - rate) / T) < 1e-5);
  }
}

TEST_CASE("Position: a reference that depends on velocities is refused by name") {
  std::string text;
  try {
    Simulation::fromText(catalogue(), carts("0.5*j1.v") + kSideBySide + "\n", "signals.yaml");
  } catch (const ModelError& e) {
    text = e.what();
  }
  CHECK(text ==
        "signals.yaml:8:3: error: Translational.Position 'follow': the position that is prescribed "
        "here depends "
        "on velocities or forces, so that no acceleration follows from it; prescribe the velocity, "
        "or filter the signal");
}

TEST_CASE("model parameters: numbers and arrays are results, and stay numbers in expressions") {
  const Trajectory t = runDerivatives(
      "parameters: {L: 0.5, r: [L, 0, 2], K: [[1, 2], [3, 4]]}\n"
      "components:\n"
      "  b: {type: Body, m: L, r_CM: r}\n"
      "variables: {twice: \"2*r[3] + K[2,1]\"}\n",
      1, 0.5, {"L", "r[1]", "r[3]", "K[2,1]", "twice"});
  CHECK(t["L"].back() == 0.5);
  CHECK(t["r[1]"].back() == 0.5);
  CHECK(t["r[3]"].back() == 2);
  CHECK(t["K[2,1]"].back() == 3);
  CHECK(t["twice"].back() == 7);
}

TEST_CASE("component parameters: results where 'outputs' name them") {
  Simulation s =
      Simulation::fromText(catalogue(),
                           "world: {g: 9.81}\n"
                           "components:\n"
                           "  b: {type: BodyBox, r: [0.5, 0, 0], width: 0.1}\n"
                           "  v: {type: Visualizers.FixedArrow, length: 0.2}\n"
                           "connections: [[b.frame_b, v.frame_a]]\n"
                           "outputs: [b.width, b.height, \"b.r[1]\", world.n, b.m, v.length, "
                           "\"v.n[1]\"]\n",
                           "signals.yaml");
  Trajectory t;
  RunOptions options;
  options.stopTime = 1;
  s.run(t, options);
  CHECK(t["b.width"].back() == 0.1);
  CHECK(t["b.height"].back() == 0.1);  // by default the width
  CHECK(t["b.r[1]"].back() == 0.5);
  CHECK(t["world.n[2]"].back() == -1);
  CHECK(t["v.length"].back() == 0.2);
  CHECK(t["v.n[1]"].back() == 1);
  CHECK(t["b.m"].back() == doctest::Approx(0.5 * 0.1 * 0.1 * 7700));
}

TEST_CASE("model parameters: one with 'fixed: false' is found where a component takes it") {
  // Rest at a stretch of 0.5 m: c = m g/0.5.
  const std::string text =
      "world: {g: 10}\n"
      "parameters: {c: {fixed: false, start: 3}}\n"
      "components:\n"
      "  p: {type: Prismatic, n: [0, -1, 0], s: {start: 1.5, fixed: true}, v: {fixed: true}, "
      "a: {fixed: true}}\n"
      "  b: {type: Body, m: 2, r_CM: [0, 0, 0]}\n"
      "  s: {type: Spring, c: c, s_unstretched: 1}\n"
      "connections: [[world.frame_b, p.frame_a], [p.frame_b, b.frame_a], [world.frame_b, "
      "s.frame_a], [b.frame_a, s.frame_b]]\n";
  const Trajectory t = runDerivatives(text, 1, 0.5, {"p.s", "s.f", "s.c", "c"});
  CHECK(t["p.s"].back() == doctest::Approx(1.5));
  CHECK(t["s.c"][0] == doctest::Approx(40));
  CHECK(t["c"].back() == doctest::Approx(40));
  CHECK(t["s.f"].back() == doctest::Approx(20));
}

namespace {

constexpr double kDerivativesAlgebra = 1e-12;  // of what is solved for: some thousand eps

/// An inertia of 1 kg.m2, turning at w = 1, on two springs in series with a flange between them that
/// has no inertia: its angle is half that of the inertia, plus tau/20 of a torque on it.
std::string betweenSprings(const std::string& more = "", const std::string& connections = "",
                           const std::string& w = "{start: 1, fixed: true}") {
  return "components:\n"
         "  J: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: " +
         w +
         "}\n"
         "  s1: {type: Rotational.Spring, c: 10}\n"
         "  s2: {type: Rotational.Spring, c: 10}\n"
         "  wall: {type: Rotational.Fixed}\n"
         "  push: {type: Rotational.TorqueStep, stepTorque: 0.5, startTime: 0.5}\n" +
         more +
         "connections:\n"
         "  - [J.flange_b, s1.flange_a]\n  - [s1.flange_b, s2.flange_a]\n"
         "  - [s2.flange_b, wall.flange]\n  - [push.flange, J.flange_a]\n" +
         connections;
}

test::ModelRun runFor(double stop, const std::string& text, const std::string& integrator = "ida") {
  return test::runModel(
      text + "simulation: {integrator: " + integrator + "}\n",
      {.stopTime = stop, .outputInterval = 0.1, .tolerance = kDerivativesTolerance});
}

}  // namespace

TEST_CASE("der: own equations read the rate of a flange without inertia, from the first row on") {
  for (const char* integrator : {"ida", "automatic"}) {
    CAPTURE(integrator);
    const test::ModelRun r =
        runFor(1,
               betweenSprings() +
                   "variables: {rate: der(s1.flange_b.phi), T: {fixed: true}}\n"
                   "equations: [\"der(T) = rate\"]\n"
                   "outputs: [J.w, s1.flange_b.phi, rate, T]\n",
               integrator);
    CHECK(!r.eventTimes().empty());
    for (size_t k = 0; k < r.rows.time().size(); ++k) {
      CHECK(std::abs(r["rate"][k] - r["J.w"][k] / 2) < kDerivativesAlgebra);
      CHECK(std::abs(r["T"][k] - r["s1.flange_b.phi"][k]) < 1000 * kDerivativesTolerance);
    }
  }
}

TEST_CASE("der: a rate that moves what it is the rate of is solved for together with it") {
  // T' = phi', T = phi at the flange, with the torque -40 T on it: 20 phi = 10 J.phi - 40 phi.
  const test::ModelRun r =
      runFor(1, betweenSprings("  back: {type: Rotational.Torque, tau: -40*T}\n",
                               "  - [back.flange, s1.flange_b]\n") +
                    "variables: {rate: der(s1.flange_b.phi), T: {fixed: true}}\n"
                    "equations: [\"der(T) = rate\"]\n"
                    "outputs: [J.w, J.phi, rate, T]\n");
  for (size_t k = 0; k < r.rows.time().size(); ++k) {
    CHECK(std::abs(r["rate"][k] - r["J.w"][k] / 6) < kDerivativesAlgebra);
    CHECK(std::abs(r["T"][k] - r["J.phi"][k] / 6) < 1000 * kDerivativesTolerance);
  }
}

TEST_CASE("der: what accelerations move has no rate that the motion could read, which is told") {
  const std::string reads =
      "variables: {rate: der(s1.flange_b.phi), T: {fixed: true}}\n"
      "equations: [\"der(T) = rate\"]\n";
  const std::string moved = test::messageOfRun<ModelError>(
      betweenSprings("  back: {type: Rotational.Torque, tau: -0.1*J.a}\n",
                     "  - [back.flange, s1.flange_b]\n") +
      reads);
  CAPTURE(moved);
  CHECK(moved.starts_with("model.yaml:"));
  CHECK(
      moved.find("(s1.flange_b.phi)', which depends on accelerations, on forces or on other rates "
                 "here") != std::string::npos);
  const std::string twice = test::messageOfRun<ModelError>(
      betweenSprings() +
      "variables: {rate: der(s1.flange_b.phi), second: der(rate), T: "
      "{fixed: true}}\n"
      "equations: [\"der(T) = second\"]\n");
  CAPTURE(twice);
  CHECK(twice.starts_with("model.yaml:"));
  CHECK(twice.find("(rate)', which depends on") != std::string::npos);
}

TEST_CASE("der: sensors and blocks tell the velocity of a flange without inertia at every row") {
  // With the torque 3 t on it, its velocity is w/2 + 3/20.
  for (const char* integrator : {"ida", "explicit", "automatic"}) {
    CAPTURE(integrator);
    const test::ModelRun r =
        runFor(1,
               betweenSprings("  ramp: {type: Rotational.Torque, tau: 3*time}\n"
                              "  speed: {type: Rotational.SpeedSensor}\n"
                              "  angle: {type: Rotational.AngleSensor}\n"
                              "  rate: {type: Blocks.Der}\n"
                              "  acceleration: {type: Blocks.Der}\n",
                              "  - [speed.w, acceleration.u]\n  - [ramp.flange, s1.flange_b]\n  - "
                              "[speed.flange, s1.flange_b]\n"
                              "  - [angle.flange, s1.flange_b]\n  - [angle.phi, rate.u]\n") +
                   "variables: {q: 2*angle.phi, twice: der(q)}\n"
                   "outputs: [J.w, J.a, speed.w, rate.y, twice, acceleration.y]\n",
               integrator);
    for (size_t k = 0; k < r.rows.time().size(); ++k) {
      const double w = r["J.w"][k] / 2 + 0.15;
      CHECK(std::abs(r["speed.w"][k] - w) < kDerivativesAlgebra);
      CHECK(std::abs(r["rate.y"][k] - w) < kDerivativesAlgebra);
      CHECK(std::abs(r["twice"][k] - 2 * w) < 1e-8);                     // a difference
      CHECK(std::abs(r["acceleration.y"][k] - r["J.a"][k] / 2) < 1e-6);  // likewise, of velocities
    }
  }
}

TEST_CASE("der: a velocity that accelerations move is a difference of moments in the results") {
  // 20 phi = 10 J.phi - 2 a, a = -10 (J.phi - phi): phi = J.phi 30/40 without another torque.
  const test::ModelRun r =
      runFor(0.4, betweenSprings("  back: {type: Rotational.Torque, tau: -2*J.a}\n"
                                 "  speed: {type: Rotational.SpeedSensor}\n",
                                 "  - [back.flange, s1.flange_b]\n"
                                 "  - [speed.flange, s1.flange_b]\n") +
                      "outputs: [J.w, J.phi, s1.flange_b.phi, speed.w]\n");
  for (size_t k = 0; k < r.rows.time().size(); ++k) {
    const double ratio = 30.0 / 40;
    CHECK(std::abs(r["s1.flange_b.phi"][k] - ratio * r["J.phi"][k]) < kDerivativesAlgebra);
    CHECK(std::abs(r["speed.w"][k] - ratio * r["J.w"][k]) < 1e-8);
  }
}

TEST_CASE("der: a point that springs alone hold has a velocity from the first row on") {
  const test::ModelRun r = runFor(
      1,
      "world: {gravityType: NoGravity}\n"
      "components:\n"
      "  j: {type: Prismatic, n: [1, 0, 0], s: {fixed: true}, v: {start: 1, fixed: true}}\n"
      "  b: {type: Body, m: 2, r_CM: [0, 0, 0]}\n"
      "  a1: {type: Fixed, r: [0, 1, 0]}\n  a2: {type: Fixed, r: [3, -2, 0]}\n"
      "  k1: {type: Spring, c: 6}\n  k2: {type: Spring, c: 6}\n  k3: {type: Spring, c: 6}\n"
      "  velocity: {type: AbsoluteVelocity}\n"
      "connections:\n  - [world.frame_b, j.frame_a]\n  - [j.frame_b, b.frame_a]\n"
      "  - [a1.frame_b, k1.frame_a]\n  - [a2.frame_b, k2.frame_a]\n  - [b.frame_a, k3.frame_a]\n"
      "  - [k1.frame_b, k2.frame_b]\n  - [k2.frame_b, k3.frame_b]\n"
      "  - [velocity.frame_a, k3.frame_b]\n"
      "outputs: [j.v, velocity.v]\n");
  for (size_t k = 0; k < r.rows.time().size(); ++k) {
    CHECK(std::abs(r["velocity.v[1]"][k] - r["j.v"][k] / 3) < kDerivativesAlgebra);
    CHECK(std::abs(r["velocity.v[2]"][k]) < kDerivativesAlgebra);
  }
}

TEST_CASE("der: results of any level, twice over, and what is told to be beyond") {
  const std::string rates =
      "variables: {a: j.a, jerk: der(a), f: \"b.frame_a.f[1]\", df: der(f), w: der(j.phi), "
      "second: der(w)";
  const std::string connections = "connections: [" + kPendulumConnections + "]\n";
  const Trajectory t = runDerivatives(kPendulum + connections + rates + "}\n", 1, 0.1,
                                      {"j.phi", "j.w", "j.a", "jerk", "df", "w", "second"});
  for (size_t k = 0; k < t.time().size(); ++k) {
    const double phi = t["j.phi"][k], w = t["j.w"][k];
    CHECK(std::abs(t["w"][k] - w) < kDerivativesAlgebra);
    CHECK(std::abs(t["second"][k] - t["j.a"][k]) < 1e-7);
    CHECK(std::abs(t["jerk"][k] - 9.81 * std::sin(phi) * w) < 1e-7);
    CHECK(std::abs(t["df"][k] + 3 * t["j.a"][k] * w) < 1e-7);
  }
  const std::string message = test::messageOfRun<ModelError>(
      kPendulum + connections + rates + ", third: der(second)}\noutputs: [third]\n");
  CAPTURE(message);
  CHECK(message.starts_with("model.yaml:"));
  CHECK(
      message.find("the derivative of 'second' is not available, as it contains derivatives of its "
                   "own of accelerations, forces or derivatives") != std::string::npos);
}

TEST_CASE("der: a force that reads the velocity of a flange that springs alone hold") {
  const auto text = [](const std::string& force) {
    return "parameters: {d: 3}\ncomponents:\n"
           "  m: {type: Translational.Mass, m: 2, s: {start: 0.5, fixed: true}, v: {fixed: true}}\n"
           "  k1: {type: Translational.Spring, c: 6}\n  k2: {type: Translational.Spring, c: 12}\n"
           "  wall: {type: Translational.Fixed}\n  speed: {type: Translational.SpeedSensor}\n"
           "  push: {type: Translational.Force, f: \"" +
           force +
           "\"}\n"
           "connections:\n  - [m.flange_b, k1.flange_a]\n  - [k1.flange_b, k2.flange_a]\n"
           "  - [k2.flange_b, wall.flange]\n  - [speed.flange, k1.flange_b]\n"
           "  - [push.flange, m.flange_b]\noutputs: [m.s, m.v]\n";
  };
  // The flange is at a third of the way, so that the damping is that of d/3 and the stiffness 4.
  const test::ModelRun r = runFor(1, text("-d*der(k1.flange_b.s)"));
  const double decay = 0.25, w = std::sqrt(2 - decay * decay);
  for (size_t k = 0; k < r.rows.time().size(); ++k) {
    const double t = r.rows.time()[k];
    const double s = 0.5 * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
    CHECK(std::abs(r["m.s"][k] - s) < 1e-7);
  }
  const std::string message = test::messageOfRun<ModelError>(text("-d*speed.v"));
  CAPTURE(message);
  CHECK(message.starts_with("model.yaml:"));
  CHECK(message.find("the motion reads the velocity of 'k1.flange_b.s', which has no inertia or "
                     "damping of its own to determine it; expressions may read it as "
                     "der(k1.flange_b.s)") != std::string::npos);
}

TEST_CASE("der: differences keep to the model's own time, early and late") {
  for (double w : {1.0, 1e6}) {
    for (double late : {0.0, 1e4}) {
      CAPTURE(w);
      CAPTURE(late);
      // A pendulum of 1 m, with the gravity that makes it swing by w.
      Simulation s = Simulation::fromText(
          catalogue(),
          fmt::format(
              "world: {{g: {}}}\ncomponents:\n"
              "  j: {{type: Revolute, phi: {{fixed: true}}, w: {{start: {}, fixed: true}}}}\n"
              "  b: {{type: Body, m: 1, r_CM: [1, 0, 0], I_11: 0, I_22: 0, I_33: 0}}\n"
              "connections: [{}]\nvariables: {{a: j.a, jerk: der(a)}}\n"
              "outputs: [j.phi, j.w, jerk]\n",
              w * w, w, kPendulumConnections),
          "pendulum.yaml");
      Trajectory t;
      RunOptions options;
      options.startTime = late / w;
      options.stopTime = (late + 1) / w;
      options.outputInterval = 0.1 / w;
      s.run(t, options);
      // j.a = -w^2 cos(phi) at every instant. Half an interval is h, where rounding is eps; w h is 1e-5
      // to 2.2e-4, and the difference is off by some (w h)^2/6 + eps/(w h).
      for (size_t k = 0; k < t.time().size(); ++k) {
        const double jerk = w * w * std::sin(t["j.phi"][k]) * t["j.w"][k];
        CHECK(std::abs(t["jerk"][k] - jerk) < 1e-7 * w * w * w);
      }
    }
  }
}

TEST_CASE("der: initial equations hold for rates of joints and of flanges without inertia") {
  const auto speed = [](const std::string& text, const std::string& of) {
    return runFor(0.1, text + "outputs: [" + of + "]\n").first(of);
  };
  const std::string pendulum =
      "components:\n  j: {type: Revolute, phi: {start: 0.3, fixed: true}}\n"
      "  b: {type: Body, m: 1, r_CM: [1, 0, 0]}\n"
      "connections: [" +
      kPendulumConnections + "]\n";
  CHECK(std::abs(speed(pendulum + "initial_equations: [\"der(j.phi) = 2\"]\n", "j.w") - 2) < 1e-9);
  CHECK(std::abs(speed(betweenSprings("", "", "{}") +
                           "initial_equations: [\"der(s1.flange_b.phi) = 3\"]\n",
                       "J.w") -
                 6) < 1e-8);
  const std::string message = test::messageOfRun<ModelError>(
      pendulum + "variables: {a: j.a}\ninitial_equations: [\"der(a) = 0\"]\n");
  CHECK(message.find("the derivative of 'a' is not available in an initial equation") !=
        std::string::npos);
}
