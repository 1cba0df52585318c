// What happens at events: `when` with reinit, set, assert and terminate, against closed forms; by every
// method; and what is wrong with it, word for word.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine/integration/solver_error.h"
#include "engine/saved_state.h"
#include "tests/models/model_run.h"

using namespace cardan;
using test::messageOfRun;

namespace {

struct WhenRun {
  Trajectory rows;
  RunReport report;
  std::string error;
};

WhenRun runWhen(const std::string& text, double stop, const std::string& integrator = "ida") {
  WhenRun r;
  Simulation s = Simulation::fromText(
      catalogue(), text + "simulation: {integrator: " + integrator + "}\n", "model.yaml");
  try {
    r.report = s.run(r.rows, {.stopTime = stop, .tolerance = 1e-10});
  } catch (const SolverError& e) {
    r.error = e.what();
  }
  return r;
}

constexpr const char* kWhenMethods[] = {"ida", "explicit", "automatic"};

constexpr const char* kWhenBall = R"yaml(
parameters: {g: 9.81, e: 0.8}
variables:
  h: {start: 1, fixed: true}
  v: {start: 0, fixed: true}
  count: {start: 0, type: Integer}
  last: {start: -1}
equations: ["der(h) = v", "der(v) = -g"]
when:
  - condition: "h < 0"
    reinit: {v: "-e*pre(v)"}
    set: {count: "pre(count) + 1", last: time}
outputs: [h, v, count, last]
)yaml";

/// [s] Time of bounce n (1, 2, ...) of a ball that falls from 1 m: t1 (1 + 2 e + ... + 2 e^(n-1)).
double bounce(int n) {
  double t = std::sqrt(2 / 9.81), factor = 1;
  for (int k = 1; k < n; ++k) factor += 2 * std::pow(0.8, k);
  return t * factor;
}

}  // namespace

TEST_CASE("when: ten bounces of a ball are at their times, and are counted") {
  for (const char* method : kWhenMethods) {
    CAPTURE(method);
    const WhenRun r = runWhen(kWhenBall, bounce(10) + 0.01, method);
    CHECK(r.error == "");
    const std::vector<double>&count = r.rows["count"], &last = r.rows["last"], &h = r.rows["h"];
    CHECK(count.back() == 10);
    for (size_t i = 1; i < count.size(); ++i) {
      if (count[i] == count[i - 1]) continue;
      const int n = static_cast<int>(count[i]);
      CHECK(std::abs(last[i] - bounce(n)) < 1e-8);
      CHECK(r.rows.time()[i] == last[i]);
      CHECK(std::abs(r.rows["v"][i] - std::pow(0.8, n) * std::sqrt(2 * 9.81)) < 1e-7);
    }
    for (const double x : h) CHECK(x > -1e-9);
    // The bounce, and the way back above the floor.
    CHECK(r.report.events <= 20);
  }
}

TEST_CASE(
    "when: a ball that bounces ever faster stops by name, before it falls through the floor") {
  // All bounces end at t1 (1 + e)/(1 - e) = 4.0637 s.
  for (const char* method : kWhenMethods) {
    CAPTURE(method);
    const WhenRun r = runWhen(kWhenBall, 10, method);
    CHECK(r.error.find("events come faster and faster, infinitely many of them in finite time\n"
                       "  when h < 0: without end before time = 4.063") != std::string::npos);
    CHECK(r.rows.time().back() < 4.0638);
    CHECK(r.rows["count"].back() > 20);
    for (const double x : r.rows["h"]) CHECK(x > -1e-9);
  }
}

TEST_CASE("when: a ball rests below a speed that its model chooses") {
  const WhenRun r = runWhen(R"yaml(
variables:
  h: {start: 1, fixed: true}
  v: {start: 0, fixed: true}
  rests: {start: false}
equations: ["der(h) = v", "der(v) = if rests then 0 else -9.81"]
when:
  - condition: "h < 0"
    reinit: {v: "if pre(v) > -0.1 then 0 else -0.8*pre(v)"}
    set: {rests: "pre(v) > -0.1"}
outputs: [h, v, rests]
)yaml",
                            10);
  CHECK(r.error == "");
  CHECK(r.rows["rests"].back() == 1);
  CHECK(r.rows["v"].back() == 0);
  CHECK(std::abs(r.rows["h"].back()) < 1e-9);
  CHECK(r.report.events < 60);
}

TEST_CASE("when: a relay with hysteresis, by pre() of its own state, keeps a room warm") {
  // T' = (heat - T)/10 with heat 0 or 40 between 18 and 22: on for 10 ln(22/18), off for the same.
  const char* const text = R"yaml(
variables:
  T: {start: 20, fixed: true}
  on: "T < 18 or pre(on) and T < 22"
  switched: {start: 0, type: Integer}
equations: ["der(T) = ((if on then 40 else 0) - T)/10"]
when:
  - {condition: "change(on)", set: {switched: "pre(switched) + 1"}}
outputs: [T, on, switched]
)yaml";
  for (const char* method : kWhenMethods) {
    CAPTURE(method);
    const WhenRun r = runWhen(text, 30, method);
    CHECK(r.error == "");
    // Off at the start: down to 18 in 10 ln(20/18), then periods of 10 ln(22/18).
    const double first = 10 * std::log(20.0 / 18), period = 10 * std::log(22.0 / 18);
    std::vector<double> times;
    const std::vector<double>& on = r.rows["on"];
    for (size_t i = 1; i < on.size(); ++i) {
      if (on[i] != on[i - 1]) times.push_back(r.rows.time()[i]);
    }
    REQUIRE(times.size() == static_cast<size_t>(1 + std::floor((30 - first) / period)));
    for (size_t k = 0; k < times.size(); ++k)
      CHECK(std::abs(times[k] - (first + static_cast<double>(k) * period)) < 1e-7);
    CHECK(r.rows["switched"].back() == static_cast<double>(times.size()));
  }
}

TEST_CASE("when: a sampled controller acts at its ticks, exactly") {
  // x' = u, u(k) = -x(k): x(k+1) = x(k) (1 - T) with T = 0.1.
  for (const char* method : kWhenMethods) {
    CAPTURE(method);
    const WhenRun r = runWhen(R"yaml(
variables:
  x: {start: 1, fixed: true}
  u: {start: 0}
  ticks: {start: 0, type: Integer}
equations: ["der(x) = u"]
when:
  - {condition: "sample(0, 0.1)", set: {u: "-x", ticks: "pre(ticks) + 1"}}
outputs: [x, u, ticks]
)yaml",
                              1.05, method);
    CHECK(r.error == "");
    CHECK(r.rows["ticks"].back() == 11);
    CHECK(std::abs(r.rows["x"].back() - std::pow(0.9, 10) * (1 - 0.05)) < 1e-9);
    CHECK(r.rows["u"].front() == -1);
  }
}

TEST_CASE("when: initial() and terminal() happen once, new values are read in the order of need") {
  const WhenRun r = runWhen(R"yaml(
variables:
  x: {start: 1, fixed: true}
  a: {start: 0}
  b: {start: 0}
  ends: {start: 0}
equations: ["der(x) = 1"]
when:
  - {condition: ["initial()", "x > 1.5"], set: {b: "2*a", a: "x"}}
  - {condition: "terminal()", set: {ends: "pre(ends) + x"}}
outputs: [x, a, b, ends]
)yaml",
                            1);
  CHECK(r.error == "");
  CHECK(r.rows["a"].front() == 1);
  CHECK(r.rows["b"].front() == 2);
  CHECK(std::abs(r.rows["a"].back() - 1.5) < 1e-9);
  CHECK(std::abs(r.rows["b"].back() - 3) < 1e-9);
  CHECK(std::abs(r.rows["ends"].back() - 2) < 1e-9);
}

TEST_CASE("when: of branches that become true together the first counts") {
  const WhenRun r = runWhen(R"yaml(
variables: {x: {start: 0, fixed: true}, y: {start: 0}}
equations: ["der(x) = 1"]
when:
  - condition: "x > 0.5"
    set: {y: 1}
    elsewhen:
      - {condition: "0.5 < x", set: {y: 2}}
      - {condition: "x > 0.75", set: {y: 3}}
outputs: [x, y]
)yaml",
                            0.7);
  CHECK(r.rows["y"].back() == 1);
}

TEST_CASE("when: change(), edge() and pre() see what another 'when' sets at the same instant") {
  for (const char* method : kWhenMethods) {
    CAPTURE(method);
    // Every quarter n counts; up turns at each, so that it rises at the first and the third.
    const WhenRun r = runWhen(R"yaml(
variables:
  x: {start: 0, fixed: true}
  n: {start: 0, type: Integer}
  up: {start: false}
  changes: {start: 0, type: Integer}
  rises: {start: 0, type: Integer}
  steps: {start: 0}
  grows: {start: 0, type: Integer}
equations: ["der(x) = 1"]
when:
  - {condition: "change(n)", set: {changes: "pre(changes) + 1", steps: "pre(steps) + 10*n + pre(n)"}}
  - {condition: "edge(up)", set: {rises: "pre(rises) + 1"}}
  - {condition: "n > pre(n) + 0.5", set: {grows: "pre(grows) + 1"}}
  - {condition: "sample(0.25, 0.25)", set: {n: "pre(n) + 1", up: "not pre(up)"}}
outputs: [n, up, changes, rises, steps, grows]
)yaml",
                              1.1, method);
    CHECK(r.error == "");
    CHECK(r.rows["n"].back() == 4);
    CHECK(r.rows["changes"].back() == 4);
    CHECK(r.rows["rises"].back() == 2);
    CHECK(r.rows["grows"].back() == 4);
    CHECK(r.rows["steps"].back() == 10 * (1 + 2 + 3 + 4) + (0 + 1 + 2 + 3));
  }
}

TEST_CASE(
    "when: a clause whose own branch becomes true by what it did goes on with the values of then") {
  const WhenRun r = runWhen(R"yaml(
variables: {x: {start: 0, fixed: true}, n: {start: 0}}
equations: ["der(x) = 1"]
when:
  - condition: "x > 0.5"
    reinit: {x: -1}
    set: {n: "pre(n) + 1"}
    elsewhen: [{condition: "x < -0.5", set: {n: "pre(n) + 10"}}]
outputs: [n]
)yaml",
                            1);
  CHECK(r.error == "");
  CHECK(r.rows["n"].back() == 11);
}

TEST_CASE("when: two values of one state at one instant stop the run by name, equal ones do not") {
  const auto run = [](const std::string& second) {
    return runWhen(R"yaml(
variables: {x: {start: 0, fixed: true}}
equations: ["der(x) = 1"]
when:
  - {condition: "time > 0.5", reinit: {x: 3}}
  - {condition: "time >= 0.5", reinit: {x: )yaml" +
                       second + "}}\noutputs: [x]\n",
                   1);
  };
  CHECK(run("2").error.find("'when time >= 0.5': 'x' has been set to another value at the same "
                            "instant") != std::string::npos);
  const WhenRun same = run("\"1 + 2\"");
  CHECK(same.error == "");
  CHECK(std::abs(same.rows["x"].back() - 3.5) < 1e-9);
}

TEST_CASE("when: an assertion that fails stops the run with its message and keeps the rows") {
  const WhenRun r = runWhen(R"yaml(
variables: {x: {start: 0, fixed: true}}
equations: ["der(x) = 1"]
assert:
  - {condition: "x < 0.5", message: "the tank is full"}
)yaml",
                            1);
  CHECK(r.error.find("the simulation stops at time = 0.5 s: what the model asserts does not hold\n"
                     "  'x < 0.5': the tank is full (model.yaml:5:18)") == 0);
  CHECK(std::abs(r.rows.time().back() - 0.5) < 1e-6);
}

TEST_CASE("when: terminate ends the run as planned") {
  const WhenRun r = runWhen(R"yaml(
variables: {x: {start: 0, fixed: true}}
equations: ["der(x) = 1"]
when: [{condition: "x > 0.25", terminate: "far enough"}]
)yaml",
                            1);
  CHECK(r.error == "");
  CHECK(r.report.terminated == "far enough");
  CHECK(std::abs(r.report.stopTime - 0.25) < 1e-9);
}

TEST_CASE("when: what moves on after other events, or was set beyond, was not turned back") {
  for (const char* method : kWhenMethods) {
    CAPTURE(method);
    // Up and down by turns; the lift at 0.2 is done twice, with an event of time between.
    const WhenRun turns = runWhen(R"yaml(
variables: {x: {start: 0, fixed: true}}
equations: ["der(x) = if sin(2*pi*time) > 0 then 1 else -1"]
when: [{condition: "x > 0.2", reinit: {x: "x + 0.12"}}]
)yaml",
                                  1.75, method);
    CHECK(turns.error == "");
    CHECK(turns.report.warnings.empty());
    CHECK(std::abs(turns.rows["x"].back() - 0.49) < 1e-8);
    // Lifted above where it tends to: it falls back, and stays above.
    const WhenRun lifted = runWhen(R"yaml(
variables: {x: {start: 0, fixed: true}}
equations: ["der(x) = 0.6 - x"]
when: [{condition: "x > 0.5", reinit: {x: 1}}]
)yaml",
                                   3, method);
    CHECK(lifted.error == "");
    CHECK(lifted.report.warnings.empty());
    CHECK(std::abs(lifted.rows["x"].back() - (0.6 + 0.4 * std::exp(std::log(6.0) - 3))) < 1e-8);
  }
}

TEST_CASE("when: a joint's velocity is reinitialised, and a loop stays closed") {
  // A slider that hits a wall at s = 0 with v = -1 and bounces with 0.5.
  const WhenRun slider = runWhen(R"yaml(
world: {gravityType: NoGravity}
components:
  ball: {type: Prismatic, s: {start: 1, fixed: true}, v: {start: -1, fixed: true}}
  body: {type: Body, m: 2, r_CM: [0, 0, 0]}
connections: [[world.frame_b, ball.frame_a], [ball.frame_b, body.frame_a]]
when: [{condition: "ball.s < 0", reinit: {ball.v: "-0.5*pre(ball.v)"}}]
outputs: [ball.s, ball.v]
)yaml",
                                 2);
  CHECK(slider.error == "");
  CHECK(std::abs(slider.rows["ball.v"].back() - 0.5) < 1e-9);
  CHECK(std::abs(slider.rows["ball.s"].back() - 0.5) < 1e-7);

  const WhenRun loop = runWhen(R"yaml(
components:
  crank_joint:   {type: Revolute, phi: {fixed: true}, w: {start: 4, fixed: true}}
  crank:         {type: BodyShape, r: [0.3, 0, 0], m: 1, r_CM: [0.15, 0, 0], I_33: 0.01}
  coupler_joint: {type: Revolute}
  coupler:       {type: BodyShape, r: [0.4, 0.6, 0], m: 0.5, r_CM: [0.2, 0.3, 0], I_33: 0.02}
  pivot:         {type: FixedTranslation, r: [1, 0, 0]}
  rocker_joint:  {type: Revolute}
  rocker:        {type: BodyShape, r: [-0.3, 0.6, 0], m: 0.7, r_CM: [-0.15, 0.3, 0], I_33: 0.03}
  last_joint:    {type: Revolute}
connections:
  - [world.frame_b, crank_joint.frame_a]
  - [crank_joint.frame_b, crank.frame_a]
  - [crank.frame_b, coupler_joint.frame_a]
  - [coupler_joint.frame_b, coupler.frame_a]
  - [world.frame_b, pivot.frame_a]
  - [pivot.frame_b, rocker_joint.frame_a]
  - [rocker_joint.frame_b, rocker.frame_a]
  - [coupler.frame_b, last_joint.frame_a]
  - [last_joint.frame_b, rocker.frame_b]
variables: {before: "totalEnergy", ratio: "rocker_joint.w/crank_joint.w"}
when: [{condition: "time > 0.1", reinit: {crank_joint.w: "-pre(crank_joint.w)"}}]
outputs: [crank_joint.w, rocker_joint.w, ratio, totalEnergy]
)yaml",
                               0.2);
  CHECK(loop.error == "");
  // All velocities turn round together: the energy stays, the ratio of the velocities, too.
  const std::vector<double>&w = loop.rows["crank_joint.w"], &ratio = loop.rows["ratio"];
  size_t turns = 0;
  for (size_t i = 1; i < w.size(); ++i) {
    if (w[i] * w[i - 1] > 0) continue;
    ++turns;
    CHECK(std::abs(w[i] + w[i - 1]) < 1e-9);
    CHECK(std::abs(ratio[i] - ratio[i - 1]) < 1e-9);
  }
  CHECK(turns == 1);
  const std::vector<double>& energy = loop.rows["totalEnergy"];
  CHECK(std::abs(energy.back() - energy.front()) < 1e-7);
}

TEST_CASE("when: bounces that shrink in groups stop the run by name, too") {
  // Restitution 0.9 and 0.5 in turn: flights shrink by 0.45 every second time. With 2 t1 = 0.9030 s the
  // bounces end at t1 + 2 t1 (0.9 + 0.45)/(1 - 0.45) = 2.6680 s.
  for (const char* method : kWhenMethods) {
    CAPTURE(method);
    const WhenRun r = runWhen(R"yaml(
variables:
  h: {start: 1, fixed: true}
  v: {start: 0, fixed: true}
  count: {start: 0, type: Integer}
equations: ["der(h) = v", "der(v) = -9.81"]
when:
  - condition: "h < 0"
    reinit: {v: "-(if mod(pre(count), 2) == 0 then 0.9 else 0.5)*pre(v)"}
    set: {count: "pre(count) + 1"}
outputs: [h, count]
)yaml",
                              10, method);
    CHECK(r.error.find("infinitely many of them in finite time\n"
                       "  when h < 0: without end before time = 2.66") != std::string::npos);
    CHECK(r.rows["count"].back() > 12);
    for (const double x : r.rows["h"]) CHECK(x > -1e-9);
  }
}

TEST_CASE("when: what bounced and then goes through the floor stops the run by name") {
  const auto ball = [](const char* speed) {
    return std::string(
               "variables: {h: {start: 1, fixed: true}, v: {start: 0, fixed: true}}\n"
               "equations: [\"der(h) = v\", \"der(v) = -9.81\"]\n"
               "when: [{condition: \"h < 0\", reinit: {v: \"") +
           speed + "\"}}]\noutputs: [h]\n";
  };
  for (const char* method : kWhenMethods) {
    CAPTURE(method);
    // The last bounce stops it, and nothing holds it.
    const WhenRun stopped = runWhen(ball("if pre(v) > -0.1 then 0 else -0.5*pre(v)"), 10, method);
    CHECK(stopped.error.find("a motion went through where 'when' had turned it back before\n"
                             "  when h < 0: last at time = ") != std::string::npos);
    // Flights of 0.9, 0.0009, 9e-7, 9e-10 s: too short to tell apart soon.
    const WhenRun short_ = runWhen(ball("-0.001*pre(v)"), 10, method);
    CHECK(short_.error != "");
    // Seen at the end of a step, which is a fiftieth of the run at most: 0.2 s of free fall.
    for (const WhenRun* r : {&stopped, &short_}) {
      for (const double x : r->rows["h"]) CHECK(x > -0.5 * 9.81 * 0.21 * 0.21);
    }
  }
}

TEST_CASE("when: a motion that is stopped once and goes on is a warning, one that rests is none") {
  const std::string falls = R"yaml(
variables: {h: {start: 1, fixed: true}, v: {start: 0, fixed: true}}
equations: ["der(h) = v", "der(v) = -9.81"]
when: [{condition: "h < 0", reinit: {v: 0}}]
outputs: [h]
)yaml";
  const std::string rests = R"yaml(
variables: {h: {start: 1, fixed: true}, v: {start: 0, fixed: true}, rests: {start: false}}
equations: ["der(h) = v", "der(v) = if rests then 0 else -9.81"]
when: [{condition: "h < 0", reinit: {v: 0}, set: {rests: true}}]
outputs: [h]
)yaml";
  const std::string slows = R"yaml(
variables: {x: {start: 0, fixed: true}, v: {start: 1, fixed: true}}
equations: ["der(x) = v", "der(v) = 0"]
when: [{condition: "x > 1", reinit: {v: "pre(v)/2"}}]
outputs: [x]
)yaml";
  for (const char* method : kWhenMethods) {
    CAPTURE(method);
    const WhenRun through = runWhen(falls, 3, method);
    CHECK(through.error == "");
    REQUIRE(through.report.warnings.size() == 1);
    CHECK(through.report.warnings[0] ==
          "'when h < 0' stops a motion that goes on after it: 'reinit' sets a value once and holds "
          "nothing");
    const WhenRun still = runWhen(rests, 3, method);
    CHECK(still.error == "");
    CHECK(still.report.warnings.empty());
    CHECK(std::abs(still.rows["h"].back()) < 1e-9);
    const WhenRun passes = runWhen(slows, 3, method);
    CHECK(passes.error == "");
    CHECK(passes.report.warnings.empty());
    CHECK(std::abs(passes.rows["x"].back() - 2) < 1e-8);
  }
}

TEST_CASE("when: events that only become more frequent are no reason to stop") {
  // sin(3 t^2) > 0 begins at t = sqrt(2 k pi/3): 15 times after 0 in 6 s.. at 3 t^2 = 108 = 34.4 pi.
  const WhenRun r = runWhen(R"yaml(
variables: {x: {start: 0, fixed: true}, n: {start: 0, type: Integer}}
equations: ["der(x) = 1"]
when: [{condition: "sin(3*time^2) > 0", reinit: {x: 0}, set: {n: "pre(n) + 1"}}]
outputs: [x, n]
)yaml",
                            6);
  CHECK(r.error == "");
  const double last = std::sqrt(34 * std::numbers::pi / 3);
  CHECK(std::abs(r.rows["x"].back() - (6 - last)) < 1e-8);
}

TEST_CASE("when: submodels have their own, one for each element of an array") {
  const WhenRun r = runWhen(R"yaml(
submodels:
  Ramp:
    parameters: {top: 1}
    variables: {x: {start: 0, fixed: true}, turns: {start: 0, type: Integer}}
    equations: ["der(x) = 1"]
    when: [{condition: "x > top", reinit: {x: 0}, set: {turns: "pre(turns) + 1"}}]
    assert: [{condition: "x < 5", message: too high}]
    components: {f: {type: Fixed}}
components:
  ramp: {type: Ramp, count: 2, top: "0.3*i"}
outputs: ["ramp[1].x", "ramp[2].x", "ramp[1].turns", "ramp[2].turns"]
)yaml",
                            1);
  CHECK(r.error == "");
  CHECK(r.rows["ramp[1].turns"].back() == 3);
  CHECK(r.rows["ramp[2].turns"].back() == 1);
  CHECK(std::abs(r.rows["ramp[1].x"].back() - 0.1) < 1e-9);
  CHECK(std::abs(r.rows["ramp[2].x"].back() - 0.4) < 1e-9);
}

TEST_CASE("when: pre() of an expression with a switch is its value before that switches") {
  const WhenRun r = runWhen(R"yaml(
variables:
  x: {start: 0, fixed: true}
  level: "if x > 0.5 then 7 else 3"
  before: {start: 0}
  after: {start: 0}
equations: ["der(x) = 1"]
when: [{condition: "x > 0.5", set: {before: "pre(level)", after: level}}]
outputs: [before, after]
)yaml",
                            1);
  CHECK(r.rows["before"].back() == 3);
  CHECK(r.rows["after"].back() == 7);
}

TEST_CASE("when: a saved run goes on bit for bit, discrete variables among it") {
  Simulation s = Simulation::fromText(
      catalogue(), std::string(kWhenBall) + "simulation: {stop: 3}\n", "model.yaml");
  s.start({.outputs = {"h", "count"}});
  const auto h = s.variable("h"), count = s.variable("count");
  s.advance(1.7);
  const auto kept = s.save();
  s.advance(3);
  const double straight = s.value(h), bounces = s.value(count);
  s.restore(kept);
  CHECK(s.value(count) == 2);
  s.advance(3);
  CHECK(s.value(h) == straight);
  CHECK(s.value(count) == bounces);
}

TEST_CASE("when: what is wrong is said by name") {
  struct Case {
    std::string rest;
    const char* message;
  };
  const std::string head =
      "parameters: {p: 2}\n"
      "variables: {x: {start: 0, fixed: true}, n: {start: 0}, y: \"2*x\"}\n"
      "equations: [\"der(x) = 1\"]\n";
  const Case cases[] = {
      {"when: 3\n",
       "model.yaml:4:7: error: 'when' must be a list of {condition: ..., set: ..., reinit: "
       "...}, found '3'"},
      {"when: [{set: {n: 1}}]\n", "model.yaml:4:8: error: 'when' must have a 'condition'"},
      {"when: [{condition: \"x > 1\"}]\n",
       "model.yaml:4:8: error: 'when' must do something: 'set', 'reinit', 'assert' or 'terminate'"},
      {"when: [{condition: \"x > 1\", sett: {n: 1}, set: {n: 1}}]\n",
       "model.yaml:4:29: error: unknown key of 'when' 'sett'; did you mean 'set'? known are "
       "assert, "
       "condition, elsewhen, reinit, set, terminate"},
      {"when: [{condition: \"x + 1\", set: {n: 1}}]\n",
       "model.yaml:4:21: error: the condition of 'when' must be a Boolean, found a number"},
      {"when: [{condition: \"x > 1\", set: {n: 1, p: 1}}]\n",
       "model.yaml:4:41: error: 'set' must name one of the model's own variables, found parameter "
       "'p'"},
      {"when: [{condition: \"x > 1\", set: {n: 1, y: 1}}]\n",
       "model.yaml:4:41: error: variable 'y' is defined by its expression, so that 'when' cannot "
       "set "
       "it"},
      {"when: [{condition: \"x > 1\", set: {n: \"n + 1\"}}]\n",
       "model.yaml:4:39: error: the new value of 'n' depends on itself; the value before the event "
       "is "
       "'pre(n)'"},
      {"when: [{condition: \"x > 1\", set: {n: \"x > 2\"}}]\n",
       "model.yaml:4:39: error: 'n' is a number, found a Boolean; say 'type: Boolean' under "
       "'variables'"},
      {"when: [{condition: \"x > 1\", set: {n: 1}}, {condition: \"x > 2\", set: {n: 2}}]\n",
       "model.yaml:4:70: error: variable 'n' is set by two 'when', whose order is open; use "
       "'elsewhen'\n"
       "model.yaml:4:35: note: first set here"},
      {"when: [{condition: \"x > 1\", set: {n: 1}, reinit: {y: 3}}]\n",
       "model.yaml:4:51: error: 'reinit' must name a state: a variable with a derivative in the "
       "equations, or a coordinate of a joint in the tree or of a part with inertia, found 'y'"},
      {"when: [{condition: \"x > 1\", set: {n: 1}, reinit: {z: 3}}]\n",
       "model.yaml:4:51: error: 'reinit' must name a state, found 'z'"},
      {"when: [{condition: \"x > 1\", set: {n: 1}, reinit: {x: \"x > 2\"}}]\n",
       "model.yaml:4:55: error: 'reinit' of 'x' takes 1 number, found a Boolean"},
      {"when: [{condition: \"sample(0, 0)\", set: {n: 1}}]\n",
       "model.yaml:4:21: error: the interval of 'sample' must be greater than 0, found 0"},
      {"when: [{condition: \"sample(0, x)\", set: {n: 1}}]\n",
       "model.yaml:4:21: error: 'sample' takes its start and its interval as numbers that are "
       "known "
       "before the run, found scalar"},
      {"when: [{condition: \"edge(x)\", set: {n: 1}}]\n",
       "model.yaml:4:26: error: 'edge' needs a Boolean, found scalar"},
      {"when: [{condition: \"pre(x + 1) > 2\", set: {n: 1}}]\n",
       "model.yaml:4:27: error: 'pre' takes the name of a variable, found 'x + 1'"},
      {"when: [{condition: \"x > 1\", set: {n: 1}}]\n"
       "submodels: {Count: {variables: {k: {start: 0, type: Integer}}}}\n"
       "components: {c: {type: Count}}\n",
       "model.yaml:5:33: error: variable 'c.k': only what 'when' sets has the type Integer, and no "
       "'when' sets it"},
      {"when: [{condition: \"x > 1\", set: {n: 1}, terminate: [3]}]\n",
       "model.yaml:4:53: error: 'terminate' must be a text that says why the run ends, found a "
       "list of "
       "1"},
      {"when: [3]\n",
       "model.yaml:4:8: error: 'when' must be a list of maps with a 'condition', found '3'"},
      {"when: [{condition: \"x > 1\", set: {n: 1}}]\nassert: 3\n",
       "model.yaml:5:9: error: 'assert' must be a list of {condition: ..., message: ...}, found "
       "'3'"},
      {"when: [{condition: \"x > 1\", set: {n: 1}}]\nassert: [3]\n",
       "model.yaml:5:10: error: an assertion must be {condition: ..., message: ...}, found '3'"},
      {"when: [{condition: \"x > 1\", set: {n: 1}}]\nassert: [{message: no}]\n",
       "model.yaml:5:10: error: an assertion must have a 'condition'"},
      {"when: [{condition: \"x > 1\", set: {n: 1}}]\nassert: [{condition: \"x\", message: no}]\n",
       "model.yaml:5:23: error: the condition of an assertion must be a Boolean, found a number"},
      {"when: [{condition: \"x > 1\", set: {n: 1}}]\n"
       "assert: [{condition: \"x < 1\", mesage: no, message: no}]\n",
       "model.yaml:5:31: error: unknown key of an assertion 'mesage'; did you mean 'message'? "
       "known "
       "are "
       "condition, message"},
      {"when: [{condition: \"x > 1\", set: 3, reinit: {x: 0}}]\n",
       "model.yaml:4:34: error: 'set' must be a map of 'name: value', found '3'"},
      {"when: [{condition: \"x > 1\", set: {n: [1]}}]\n",
       "model.yaml:4:38: error: 'set' of 'n' must be an expression, found a list of 1"},
      {"when: [{condition: \"x > 1\", set: {n+: 1}}]\n",
       "model.yaml:4:35: error: 'set' must name variables, found 'n+'"},
      {"when: [{condition: [], set: {n: 1}}]\n",
       "model.yaml:4:20: error: 'condition' of 'when' must not be an empty list"},
      {"when: [{condition: {a: 1}, set: {n: 1}}]\n",
       "model.yaml:4:20: error: 'condition' of 'when' must be an expression or a list of them, "
       "found a "
       "map"},
      {"when: [{condition: \"x > 1\", set: {n: 1}, elsewhen: 3}]\n",
       "model.yaml:4:52: error: 'elsewhen' must be a list of further branches, found '3'"},
      {"when: [{condition: \"x > 1\", set: {n: 1}, elsewhen: [{set: {n: 2}}]}]\n",
       "model.yaml:4:53: error: 'elsewhen' must have a 'condition'"},
      {"when: [{condition: \"x > 1\", set: {n: 1}, elsewhen: [{condition: \"x > 2\", set: {n: 2}, "
       "elsewhen: []}]}]\n",
       "model.yaml:4:87: error: unknown key of 'elsewhen' 'elsewhen'; known are assert, condition, "
       "reinit, set, terminate"},
      {"when: [{condition: \"x > \", set: {n: 1}}]\n",
       "model.yaml:4:25: error: expected an operand after '>', found end of expression"},
      {"when: [{condition: \"xx > 1\", set: {n: 1}}]\n",
       "model.yaml:4:21: error: unknown name 'xx'; did you mean 'x'?"},
      {"when: [{condition: \"x > 1\", set: {n: \"{1, 2}\"}}]\n",
       "model.yaml:4:39: error: 'n' is a number, found a vector of 2"},
      {"when: [{condition: \"x > 1\", set: {n: 1}, reinit: {x: \"{1, 2}\"}}]\n",
       "model.yaml:4:55: error: 'reinit' of 'x' takes 1 number, found a vector of 2"},
      {"when: [{condition: \"x > 1\", set: {m: 1, n: 1}}]\n",
       "model.yaml:4:35: error: 'set' must name one of the model's own variables, found 'm'"},
      {"when: [{condition: \"x > 1\", set: {n: \"pre(q)\"}}]\n",
       "model.yaml:4:43: error: unknown name 'q'"},
      {"when: [{condition: \"change({x, n})\", set: {n: 1}}]\n",
       "model.yaml:4:28: error: 'change' takes the name of a variable, found '{x, n}'"},
      {"when: [{condition: \"sample(0)\", set: {n: 1}}]\n",
       "model.yaml:4:27: error: 'sample' takes 2 arguments, found 1"},
      {"when: [{condition: \"x > 1\", set: {n: 1, n: 2}}]\n",
       "model.yaml:4:41: error: key 'n' is given twice\nmodel.yaml:4:35: note: first given here"},
      {"when: [{condition: \"x > 1\", set: {n: 1}, terminate: \"\"}]\n",
       "model.yaml:4:53: error: 'terminate' must be a text that says why the run ends, found ''"},
      {"when: [{condition: \"x > 1\", set: {n: \"1/0\"}}]\n",
       "model.yaml:4:40: error: division by zero in '1/0'"},
      {"assert: [{condition: \"x < 1\"}]\nwhen: [{condition: \"x > 1\", set: {n: 1}}]\n",
       "model.yaml:4:10: error: an assertion must have a 'message'"},
  };
  for (const Case& c : cases) CHECK(messageOfRun(head + c.rest) == c.message);

  CHECK(
      messageOfRun("variables: {x: {start: 0, fixed: true}, y: \"pre(x)\"}\n"
                   "equations: [\"der(x) = 1\"]\n") ==
      "model.yaml:1:49: error: 'pre(x)' of a variable that changes between events has a meaning in "
      "'when' only");
  CHECK(messageOfRun("variables: {x: {start: 0, fixed: true}}\n"
                     "equations: [\"der(x) = if sample(0, 1) then 1 else 0\"]\n") ==
        "model.yaml:2:26: error: 'sample' has a meaning in 'when' and in variables of the model "
        "only");
  CHECK(messageOfRun("variables: {x: {start: 0}}\n"
                     "equations: [\"x = 1\"]\n"
                     "when: [{condition: \"time > 1\", set: {x: 2}}]\n") ==
        "model.yaml:2:14: error: variable 'x' is set by 'when', so that an equation must not "
        "define it");
  CHECK(messageOfRun("variables: {x: {start: 0}, y: {}}\n"
                     "equations: [\"y = der(x)\"]\n"
                     "when: [{condition: \"time > 1\", set: {x: 2}}]\n")
            .find("model.yaml:1:13: error: variable 'x' is set by 'when', so that it has no "
                  "derivative") != std::string::npos);
  CHECK(messageOfRun("variables: {x: {start: 0, type: Intger}}\n"
                     "when: [{condition: \"time > 1\", set: {x: 2}}]\n") ==
        "model.yaml:1:13: error: variable 'x': unknown type 'Intger'; what 'when' sets is Real, "
        "Integer "
        "or Boolean");
  CHECK(messageOfRun("variables: {x: {start: true, type: Integer}}\n"
                     "when: [{condition: \"time > 1\", set: {x: 2}}]\n") ==
        "model.yaml:1:24: error: 'start' of variable 'x' must be a number, found true");
  CHECK(messageOfRun("variables: {x: {start: 0, type: Boolean}}\n"
                     "when: [{condition: \"time > 1\", set: {x: true}}]\n") ==
        "model.yaml:1:24: error: 'start' of variable 'x' must be true or false, found 0");
  CHECK(messageOfRun("variables: {x: {start: 0}, z: {start: 0}}\n"
                     "when: [{condition: \"time > 1\", set: {x: z, z: x}}]\n")
            .find("model.yaml:2:41: error: the new value of 'x' depends on itself; the value "
                  "before the "
                  "event is 'pre(x)'") != std::string::npos);
  CHECK(messageOfRun("variables: {x: {start: 0, type: Integer}}\n"
                     "when: [{condition: \"time > 0.5\", set: {x: 2.5}}]\n")
            .find("  'when time > 0.5': 'x' is an Integer, its new value is 2.5\n") !=
        std::string::npos);
}

TEST_CASE("pre: what equations define begins at its start") {
  // x rises by 1 where the relay is on, by s besides.
  const test::ModelRun run = test::runModel(R"yaml(
model: M
variables:
  x: {fixed: true}
  s: {type: Integer, start: 5, fixed: true}
  plain: {start: 3, fixed: true}
  on: {type: Boolean, start: true, fixed: true}
equations:
  - "s = if x > 2.5 then 7 else pre(s)"
  - "plain = if x > 2.5 then pre(s) else pre(plain)"
  - "on = pre(on) and time < 0.5"
  - "der(x) = s + (if on then 1 else 0)"
simulation: {stop: 1}
)yaml");
  CHECK(run.first("s") == 5);
  CHECK(run.first("plain") == 3);
  CHECK(run.first("on") == 1);
  // 2.5 at t = 2.5/6, then 8 until 0.5, then 7.
  CHECK(run.last("x") == doctest::Approx(2.5 + 8 * (0.5 - 2.5 / 6) + 3.5).epsilon(1e-7));
  CHECK(run.last("s") == 7);
}

TEST_CASE("start values: what is known agrees with a fixed start, or is an error") {
  const std::string model = "model: M\nvariables: {x: {fixed: true}, y: {start: 2, fixed: true}}\n";
  CHECK(messageOfRun(model + "equations: [\"der(x) = 1\", \"y = 2 + time\"]\n") == "");
  CHECK(messageOfRun(model + "equations: [\"der(x) = 1\", \"y = 3 + time\"]\n")
            .find("'y' is fixed at 2") != std::string::npos);
  CHECK(messageOfRun(model + "equations: [\"der(x) = 1\", \"y = time > 2\"]\n")
            .find("'start' of variable 'y' must be true or false") != std::string::npos);
}

TEST_CASE("start values: stateSelect says which guess of two is kept") {
  // Two guesses contradict each other: the one that is kept less gladly moves.
  for (const auto& [x, y] : {std::pair{"always", "avoid"}, std::pair{"avoid", "always"}}) {
    const test::ModelRun run = test::runModel(
        std::string("model: M\nvariables:\n  x: {start: 1, stateSelect: ") + x +
        "}\n  y: {start: 3, stateSelect: " + y +
        "}\nequations: [\"der(x) = 0\", \"der(y) = 0\"]\ninitial_equations: [\"y = 2*x\"]\n");
    const bool isX = std::string(x) == "always";
    CHECK(run.first("x") == doctest::Approx(isX ? 1 : 1.5).epsilon(1e-9));
    CHECK(run.first("y") == doctest::Approx(isX ? 2 : 3).epsilon(1e-9));
  }
}

TEST_CASE(
    "when: steps of integer, mod, sign and ceil are events where conditions and pre() read them") {
  // k is 0 to 9; b is set where k is 3, n counts changes of k, e those where it is even.
  const test::ModelRun run = test::runModel(
      "variables:\n"
      "  k: \"integer(10*time)\"\n"
      "  even: \"mod(k, 2) == 0\"\n"
      "  n: {start: 0, type: Integer}\n"
      "  e: {start: 0, type: Integer}\n"
      "  s: {start: 0, type: Integer}\n"
      "  c: {start: 0}\n"
      "  b: {start: false, type: Boolean}\n"
      "when:\n"
      "  - {condition: \"change(k)\", set: {n: \"pre(n) + 1\"}}\n"
      "  - {condition: \"even\", set: {e: \"pre(e) + 1\"}}\n"
      "  - {condition: \"k == 3\", set: {b: true}}\n"
      "  - {condition: \"sign(sin(10*time + 0.5)) == -1\", set: {s: \"pre(s) + 1\"}}\n"
      "  - {condition: \"ceil(2*time) == 2\", set: {c: time}}\n"
      "simulation: {stop: 0.95, interval: 0.05}\n"
      "outputs: [k, n, e, s, b, c]\n");
  CHECK(run.last("k") == 9);
  CHECK(run.last("n") == 9);
  CHECK(run.last("e") == 4);  // 2, 4, 6, 8: true from the start on is no change
  CHECK(run.last("s") == 2);  // 10 t + 0.5 passes pi and 3 pi
  CHECK(run.last("b") == 1);
  CHECK(run.last("c") == doctest::Approx(0.5).epsilon(1e-9));
}

TEST_CASE("when: what bends within a condition is no event, its limits are") {
  // x = cos(10 t) comes above 0.5 in size at 2 pi/3 + k pi, below at pi/3 + k pi; it passes zero, too, where
  // `power`, zero but for rounding, changes its sign all the time.
  for (const IntegratorChoice method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
    RunOptions options;
    options.integrator = method;
    const test::ModelRun run = test::runModel(
        "variables:\n"
        "  x: {start: 1, fixed: true}\n"
        "  v: {start: 0, fixed: true}\n"
        "  power: \"1e6*((x + v)^2 - x^2 - 2*x*v - v^2)\"\n"
        "  n: {start: 0, type: Integer}\n"
        "equations: [\"der(x) = v\", \"der(v) = -100*x\"]\n"
        "assert:\n"
        "  - {condition: \"abs(x) < 2 and abs(power) < 1e-3\", message: too far}\n"
        "when:\n"
        "  - {condition: \"max(abs(x), 0.1) > 0.5\", set: {n: \"pre(n) + 1\"}}\n"
        "simulation: {stop: 2, interval: 0.05}\n"
        "outputs: [x, n]\n",
        options);
    CHECK(run.last("n") == 6);
    CHECK(run.report.events == 13);
  }
}

TEST_CASE("when: initial equations say where what changes at events begins") {
  const test::ModelRun run = test::runModel(
      "parameters: {y0: 2}\n"
      "variables:\n"
      "  on: \"time < 0.2 or (pre(on) and time < 0.5)\"\n"
      "  off: \"time > 0.5 or pre(off)\"\n"
      "  x: {start: 0}\n"
      "  y: {start: 0}\n"
      "initial_equations: [\"pre(on) = true\", \"off = true\", \"pre(x) = y0\", \"y = 2*y0\"]\n"
      "when:\n"
      "  - {condition: \"sample(0.1, 0.1)\", set: {x: \"pre(x) + 1\", y: \"pre(y) + 1\"}}\n"
      "simulation: {stop: 0.45, interval: 0.05}\n"
      "outputs: [on, off, x, y]\n");
  CHECK(run.first("on") == 1);
  CHECK(run.last("on") == 1);
  CHECK(run.first("off") == 1);
  CHECK(run.last("off") == 1);
  CHECK(run.first("x") == 2);
  CHECK(run.last("x") == 6);
  CHECK(run.first("y") == 4);
  CHECK(run.last("y") == 8);
  // What equations have it be must be the same.
  CHECK(messageOfRun("variables: {b: \"time > 1 and pre(b)\"}\n"
                     "initial_equations: [\"b = true\"]\n")
            .find("'b = true' does not hold: an equation of the model says what 'b' is") !=
        std::string::npos);
}

TEST_CASE("when: what changes at events begins as a function of the start, whatever that is") {
  // A spring is let go where its force is 4: x = 1. A clock counts from there on; what is read may stand behind.
  const std::string text = R"yaml(
parameters: {k: 4}
submodels:
  Counter: {parameters: {first: 2}, variables: {n: {type: Integer}}, initial_equations: ["n = first + integer(x + 0.5)"], when: [{condition: "sample(2.5, 0.5)", set: {n: "pre(n) + 1"}}]}
components: {a: {type: Counter}, b: {type: Counter, first: 7}}
variables:
  x: {start: 0.1}
  v: {start: 1, fixed: true}
  m: {type: Integer}
  r: {start: [0, 0]}
  far: {type: Boolean, start: false}
  back: "pre(back) and x > 0.5 or x > 3"
equations: ["der(x) = v", "der(v) = -k*(x - 2)"]
initial_equations:
  - "der(v) = 4"
  - "pre(r) = [x + time, m]"
  - "2*a.n + integer(der(v) + 0.5) = m"
  - "far = m > 9"
  - "pre(back) = far"
when: [{condition: "sample(3, 1)", set: {m: a.n, far: "false", r: "pre(r) + [1, 1]"}}]
simulation: {start: 2, stop: 3, interval: 0.1}
outputs: [x, m, r, far, back, a.n, b.n]
)yaml";
  for (const IntegratorChoice method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
    const test::ModelRun run = test::runModel(text, {.integrator = method});
    const std::pair<const char*, double> first[] = {
        {"m", 10}, {"r[1]", 3}, {"r[2]", 10}, {"far", 1}, {"back", 1}, {"a.n", 3}, {"b.n", 8}};
    for (const auto& [name, value] : first) {
      CAPTURE(name);
      CHECK(std::abs(run.first(name) - value) < 1e-8);
    }
    // x = 2 - cos 2t + sin(2t)/2
    CHECK(std::abs(run.last("x") - 2 + std::cos(2.0) - std::sin(2.0) / 2) < 1e-4);
    CHECK(run.last("a.n") == 5);  // ticks at 2.5 and 3
    CHECK(run.last("b.n") == 10);
    CHECK(run.last("m") == 5);
    CHECK(std::abs(run.last("r[1]") - 4) < 1e-8);
  }
  // They may determine each other: x = 1 + r, r = x/2.
  const test::ModelRun both = test::runModel(
      "variables: {x: {}, r: {}}\nequations: [\"der(x) = 1 - x + r\"]\n"
      "initial_equations: [\"der(x) = 0\", \"0.5*x = pre(r)\"]\n"
      "when: [{condition: \"time > 0.5\", set: {r: \"pre(r) + 1\"}}]\n"
      "simulation: {stop: 1}\noutputs: [x, r]\n");
  CHECK(std::abs(both.first("x") - 2) < 1e-8);
  CHECK(std::abs(both.first("r") - 1) < 1e-8);
}

TEST_CASE(
    "when: initial equations of what changes at events that cannot hold, told where they stand") {
  const auto told = [](const std::string& equations) {
    return messageOfRun(
        "variables: {x: {start: 1, fixed: true}, n: {type: Integer}, m: {type: Integer}, b: "
        "{start: false}}\n"
        "equations: [\"der(x) = n\"]\n"
        "when: [{condition: \"time > 0.5\", set: {n: \"1\", m: \"1\", b: \"true\"}}]\n"
        "initial_equations: [" +
        equations + "]\n");
  };
  const std::pair<const char*, const char*> cases[] = {
      {"\"n + m = 3\"", "4:22: error: 'n + m = 3' does not hold, and no start of the motion can"},
      {"\"n = 2\", \"pre(n) = 3\"", "4:31: error: 'pre(n) = 3' does not hold"},
      {"\"n = 1 - m\", \"m = n + 1\"",
       "4:35: error: no start was found that 'm = n + 1' agrees with: where 'm' is 2, it is to be "
       "0"},
      {"\"2*n + x = 3\"",
       "4:22: note: 'n' changes at events alone: an initial equation says where"},
      {"\"n = 2.5*x\"", "4:22: error: 'n' is an Integer, it is to begin at 2.5"},
      {"\"n = 2.5\"", "4:22: error: 'n' is an Integer, it is to begin at 2.5"},
      {"\"n = integer(1/(x - 1))\"",
       "error: 'n' begins at no number: division by zero in '1/(x - 1)'"},
      {"\"b = 1\"", "4:22: error: 'b' is a Boolean, found a number"}};
  for (const auto& [equations, message] : cases) {
    CAPTURE(equations);
    CHECK(told(equations).find(message) != std::string::npos);
  }
}

TEST_CASE("when: pre() of what is true or false is so, whatever name that has") {
  const test::ModelRun run = test::runModel(R"yaml(
components:
  th: {type: Blocks.GreaterThreshold, threshold: 0.5, u: x}
variables:
  x: {start: 0, fixed: true}
  a: "i0"
  i0: "time < 0.329"
  b: "pre(a)"
  c: "pre(d) or a"
  d: "c"
  e: "pre(f)"
  f: "th.y"
  g: "if pre(h) then 1 else 0"
  h: "if time > 0.5 then a else f"
  k: "if pre(m) then 1 else 0"
  m: "noEvent(a)"
equations: ["der(x) = 1"]
initial_equations: ["pre(a) = true"]
outputs: [a, b, c, d, e, f, g, h, k, m]
simulation: {stop: 0.9, interval: 0.1}
)yaml");
  const std::pair<const char*, std::pair<double, double>> all[] = {
      {"a", {1, 0}}, {"b", {1, 0}}, {"c", {1, 1}}, {"d", {1, 1}}, {"e", {0, 1}},
      {"f", {0, 1}}, {"g", {0, 0}}, {"h", {0, 0}}, {"k", {1, 0}}, {"m", {1, 0}}};
  for (const auto& [name, values] : all) {
    CAPTURE(name);
    CHECK(run.first(name) == values.first);
    CHECK(run.last(name) == values.second);
  }
}

TEST_CASE("when: a comparison of what is no number stops the run where it decides, by its place") {
  struct Case {
    const char* text;
    const char* told;  ///< "": it decides nothing
  };
  const auto model = [](std::string text) {
    if (text.find("outputs:") == std::string::npos) text += "outputs: [x, y]\n";
    const bool counts = text.find("when:") != std::string::npos;
    return "variables: {x: {start: 1, fixed: true}, y: {start: 0, fixed: true}, s: \"sqrt(x)\", b: "
           "\"s > 0.5\"" +
           std::string(counts ? ", n: {start: 0, type: Integer}" : "") + "}\n" + text +
           "simulation: {stop: 2, interval: 0.1}\n";
  };
  const Case cases[] = {
      {"equations: [\"der(x) = -1\", \"der(y) = if sqrt(x) > 0.5 then 1 else 2\"]\n",
       "'sqrt(x) > 0.5' compares what is no number: square root of -"},
      {"equations: [\"der(x) = -1\", \"der(y) = if b then 1 else 2\"]\n",
       "'s > 0.5' compares what is no number: square root of -"},
      {"equations: [\"der(x) = -1\", \"der(y) = max(log(x), -5)\"]\n",
       "'max(log(x), -5)' compares what is no number: logarithm of -"},
      {"equations: [\"der(x) = -1\", \"der(y) = noEvent(if sqrt(x) > 0.5 then 1 else 2)\"]\n",
       "'sqrt(x) > 0.5' compares what is no number: square root of -"},
      {"equations: [\"der(x) = -1\", \"der(y) = if sqrt(1.5 - time) > 0.5 then 1 else 2\"]\n",
       "'sqrt(1.5 - time) > 0.5' compares what is no number: square root of -"},
      {"equations: [\"der(x) = -1\", \"der(y) = 0\"]\nwhen: [{condition: \"sqrt(x) < 0.5\", set: "
       "{n: \"1\"}}]\n",
       "'sqrt(x) < 0.5' compares what is no number: square root of -"},
      {"equations: [\"der(x) = -1\", \"der(y) = 0\"]\nwhen: [{condition: \"time > 1.5\", set: {n: "
       "\"if sqrt(x) > "
       "0.5 then 1 else 2\"}}]\n",
       "time = 1.5 s: a condition compares what is no number\n  because: 'sqrt(x) > 0.5' compares"},
      {"equations: [\"der(x) = -1\", \"der(y) = 0\"]\nassert: [{condition: \"sqrt(x) < 2\", "
       "message: no}]\n",
       "'sqrt(x) < 2' compares what is no number: square root of -"},
      {"equations: [\"der(x) = -1\", \"der(y) = 0\"]\noutputs: [x, b]\n",
       "'s > 0.5' compares what is no number: square root of -"},
      {"equations: [\"der(x) = -1\", \"der(y) = if sqrt(time - 1) > 0.5 then 1 else 2\"]\n",
       "time = 0 s: a condition compares what is no number\n  because: 'sqrt(time - 1) > 0.5'"},
      // In branches that are not taken, and beside what decides alone.
      {"equations: [\"der(x) = -1\", \"der(y) = if x > 0 then (if sqrt(x) > 0.5 then 1 else 2) "
       "else 3\"]\n",
       ""},
      {"equations: [\"der(x) = -1\", \"der(y) = if x > 0 and b then 1 else 2\"]\n", ""},
      {"equations: [\"der(x) = -1\", \"der(y) = if x <= 0 or not b then 1 else 2\"]\n", ""}};
  for (const Case& one : cases) {
    for (const IntegratorChoice method :
         {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
      CAPTURE(one.text);
      const std::string told = messageOfRun(model(one.text), {.integrator = method});
      CAPTURE(told);
      CHECK((one.told[0] == 0 ? told.empty() : told.find(one.told) != std::string::npos));
      CHECK((one.told[0] == 0 || told.find("model.yaml:") != std::string::npos));
    }
  }
  // Where a start needs what has no value, that is told.
  CHECK(messageOfRun(
            "variables: {x: {start: 0, fixed: true}}\nequations: [\"der(x) = sqrt(time - 1)\"]\n")
            .find(":2:23: error: an expression must be finite at the start, at time = 0 s: square "
                  "root of -1 "
                  "in 'sqrt(time - 1)'") != std::string::npos);
}

TEST_CASE("when: new values and rows take the instants that are meant, as conditions do") {
  // t/0.1, 10*t, t/0.2 at ticks: whole numbers but for rounding, from a time that is as far as 10 s off, too.
  for (const double from : {0.0, 10.0}) {
    const test::ModelRun run =
        test::runModel("parameters: {T: " + std::to_string(from) +
                       "}\n"
                       "variables:\n"
                       "  a: {start: 0}\n  b: {start: 0}\n  c: {start: 0}\n  d: {start: 0}\n  e: "
                       "{start: 0}\n  f: {start: 0}\n"
                       "  k: \"integer((time - T)/0.1)\"\n"
                       "  shown: \"floor((time - T)/0.1)\"\n"
                       "when:\n"
                       "  - condition: \"sample(T, 0.1)\"\n"
                       "    set: {a: \"pre(a) + floor((time - T)/0.1)\", b: \"pre(b) + "
                       "ceil(10*(time - T))\", c: \"pre(c) + "
                       "mod(time - T, 0.2)\", d: \"pre(d) + k\", e: \"pre(e) + div(T - time, "
                       "0.1)\", f: \"pre(f) + (if (time - "
                       "T)/0.1 >= 3 then 1 else 0)\"}\n"
                       "simulation: {start: " +
                       std::to_string(from) + ", stop: " + std::to_string(from + 2.05) +
                       ", interval: 0.05}\n"
                       "outputs: [a, b, c, d, e, f, shown]\n");
    CHECK(run.last("a") == 210);
    CHECK(run.last("b") == 210);
    CHECK(std::abs(run.last("c") - 1) < 1e-12);
    CHECK(run.last("d") == 210);
    CHECK(run.last("e") == -210);
    CHECK(run.last("f") == 18);
    const std::vector<double>& t = run.rows.time();
    for (size_t i = 0; i < t.size(); ++i) {
      CAPTURE(t[i]);
      CHECK(run.rows["shown"][i] == std::floor(10 * (t[i] - from) + 1e-9));
    }
  }
}

TEST_CASE("when: a floor of what bends elsewhere is as it would be in one expression") {
  // |phi| < 1 is in the sector 0, max(0, u) in no negative one, min(1, u) - 1 in none above 0; counted where they
  // are not.
  for (const IntegratorChoice method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
    const test::ModelRun run = test::runModel(R"yaml(
variables:
  phi: {start: 0.5, fixed: true}
  w: {start: 0, fixed: true}
  size: "abs(phi)"
  sector: "integer(mod(size, 6))"
  up: "max(0, phi)"
  step: "floor(up)"
  down: "-up"
  most: "ceil(down)"
  f: {start: 0, fixed: true}
  n: {start: 0, type: Integer}
  m: {start: 0, type: Integer}
  k: {start: 0, type: Integer}
equations: ["der(phi) = w", "der(w) = -4*phi", "der(f) = sector + step + most + size"]
when:
  - {condition: "sector >= 5", set: {n: "pre(n) + 1"}}
  - {condition: "step < 0", set: {m: "pre(m) + 1"}}
  - {condition: "most > 0", set: {k: "pre(k) + 1"}}
simulation: {stop: 10, interval: 1, tolerance: 1e-8}
outputs: [n, m, k, f]
)yaml",
                                              {.integrator = method});
    CHECK(run.last("n") == 0);
    CHECK(run.last("m") == 0);
    CHECK(run.last("k") == 0);
    // The integral of |cos 2t|/2 over 10 s: six whole arcs and what is behind the last.
    CHECK(std::abs(run.last("f") - (12 + std::sin(20.0)) / 4) < 100 * 1e-8 * 4);
  }
}

TEST_CASE("when: a clock, and the begin of a run, may be a variable of its own") {
  const test::ModelRun run = test::runModel(
      "variables:\n"
      "  tick: \"sample(0, 0.1)\"\n"
      "  first: \"initial()\"\n"
      "  n: {start: 0, type: Integer}\n"
      "  m: {start: 0, type: Integer}\n"
      "when:\n"
      "  - {condition: tick, set: {n: \"pre(n) + 1\"}}\n"
      "  - {condition: \"tick and not first\", set: {m: \"pre(m) + 1\"}}\n"
      "simulation: {stop: 0.95, interval: 0.05}\n"
      "outputs: [n, m]\n");
  CHECK(run.last("n") == 10);
  CHECK(run.last("m") == 10);  // the clock ticks at 0 behind the initialisation, not in it
}
