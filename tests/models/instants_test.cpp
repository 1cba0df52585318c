// One instant is one event, whoever names it: clocks, sampled blocks, sources, tables, files of inputs,
// delays, conditions of time, rows, stops, saved runs; and what is true right after the start.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "engine/integration/input_feed.h"
#include "engine/integration/solver_error.h"
#include "engine/saved_state.h"
#include "engine/sensitivities/sensitivities.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

struct Timed {
  Trajectory rows;
  RunReport report;
};

Timed runTimed(const std::string& text, RunOptions options) {
  Timed r;
  Simulation s = Simulation::fromText(catalogue(), "model: M\n" + text, "model.yaml");
  r.report = s.run(r.rows, options);
  return r;
}

/// Value of `name` in the last row of time `t`.
double at(const Trajectory& rows, const std::string& name, double t) {
  double found = std::nan("");
  for (size_t i = 0; i < rows.time().size(); ++i) {
    if (rows.time()[i] == t) found = rows[name][i];
  }
  return found;
}

constexpr IntegratorChoice kBoth[] = {IntegratorChoice::ida, IntegratorChoice::explicitMethod};

constexpr const char* kClocks = R"yaml(
variables:
  x: {start: 0, fixed: true}
  n: {start: 0, type: Integer}
  k: {start: 0, type: Integer}
  sum: {start: 0}
equations: ["der(x) = 1"]
)yaml";

/// Two clocks; the second reads how often the first has ticked, and sums it up.
std::string clocks(const std::string& fast, const std::string& slow) {
  return kClocks + fmt::format(R"yaml(when:
  - {{condition: "{}", set: {{k: "pre(k) + 1", sum: "pre(sum) + n"}}}}
  - {{condition: "{}", set: {{n: "pre(n) + 1"}}}}
outputs: [x, n, k, sum]
)yaml",
                               slow, fast);
}

}  // namespace

TEST_CASE("instants: clocks of periods that go into each other tick together, up to the stop") {
  struct Case {
    std::string fast, slow;
    double stop;
    int ratio, first, ticks;  // the slow one's first tick is with the fast one's `first`
  };
  const Case cases[] = {{"sample(0, 0.1)", "sample(0, 0.3)", 1.2, 3, 1, 13},
                        {"sample(0, 0.1)", "sample(0, 3*0.1)", 1.2, 3, 1, 13},
                        {"sample(0.1, 0.1)", "sample(0.1, 0.3)", 1.3, 3, 1, 13},
                        {"sample(0.1, 0.1)", "sample(0.3, 0.3)", 1.2, 3, 3, 12},
                        {"sample(0, 0.1)", "sample(0, 0.7)", 7, 7, 1, 71},
                        {"sample(0, 1/3)", "sample(0, 1)", 7, 3, 1, 22},
                        {"sample(0, 0.7/3)", "sample(0, 0.7)", 7, 3, 1, 31},
                        {"sample(-0.3, 0.1)", "sample(-0.3, 0.3)", 0.9, 3, 1, 10},
                        {"time*10 >= 3 or sample(0, 0.1)", "sample(0, 0.3)", 0.3, 3, 1, 4}};
  for (const Case& c : cases) {
    CAPTURE(c.fast);
    CAPTURE(c.slow);
    for (const IntegratorChoice method : kBoth) {
      const Timed r = runTimed(clocks(c.fast, c.slow),
                               {.stopTime = c.stop, .outputInterval = 0.1, .integrator = method});
      CHECK(r.rows["n"].back() == c.ticks);
      int slow = 0;
      double sum = 0;
      for (int i = c.first; i <= c.ticks; i += c.ratio) {
        ++slow;
        sum += i;
      }
      CHECK(r.rows["k"].back() == slow);
      CHECK(r.rows["sum"].back() == sum);
      CHECK(r.rows.time().back() == c.stop);
      for (size_t i = 1; i < r.report.eventRecords.size(); ++i)
        CHECK(r.report.eventRecords[i].time - r.report.eventRecords[i - 1].time > 1e-9);
    }
  }
}

TEST_CASE("instants: sampled blocks see each other, and what jumps at their instants") {
  for (const IntegratorChoice method : kBoth) {
    const Timed r = runTimed(R"yaml(
variables: {x: {start: 0, fixed: true}}
equations: ["der(x) = 1"]
components:
  clock: {type: Blocks.ContinuousClock}
  fast: {type: Blocks.Sampler, samplePeriod: 0.1, u: clock.y}
  slow: {type: Blocks.Sampler, samplePeriod: 0.3, u: fast.y}
  hold: {type: Blocks.ZeroOrderHold, samplePeriod: 0.3, u: fast.y}
  last: {type: Blocks.UnitDelay, samplePeriod: 0.3, u: fast.y}
  ramp: {type: Blocks.FirstOrderHold, samplePeriod: 0.3, u: fast.y}
  step: {type: Blocks.Step, startTime: 0.7}
  odd: {type: Blocks.Step, startTime: "7*0.1"}
  seen: {type: Blocks.Sampler, samplePeriod: 0.1, u: step.y}
  also: {type: Blocks.Sampler, samplePeriod: 0.1, u: odd.y}
  pulse: {type: Blocks.BooleanPulse, period: 0.3, width: 50}
  caught: {type: Blocks.TriggeredSampler, trigger: pulse.y, u: fast.y}
  table: {type: Blocks.TimeTable, table: [[0, 0], [0.3, 0], [0.3, 1], [0.9, 1], [0.9, 2], [2, 2]]}
  tabled: {type: Blocks.Sampler, samplePeriod: 0.1, u: table.y}
  scaled: {type: Blocks.TimeTable, timeScale: 0.1, table: [[0, 0], [3, 0], [3, 1], [6, 1], [6, 2], [20, 2]]}
  counted: {type: Blocks.Sampler, samplePeriod: 0.3, u: scaled.y}
  waves: {type: Blocks.Pulse, period: 0.3, width: 50, startTime: -30}
  top: {type: Blocks.Sampler, samplePeriod: 0.1, u: waves.y}
outputs: ["*.y", x]
)yaml",
                             {.stopTime = 1.2, .outputInterval = 0.1, .integrator = method});
    for (const double t : {0.3, 0.6, 0.9, 1.2}) {
      CAPTURE(t);
      CHECK(at(r.rows, "fast.y", t) == t);
      CHECK(at(r.rows, "slow.y", t) == t);
      CHECK(at(r.rows, "hold.y", t) == t);
      CHECK(at(r.rows, "caught.y", t) == t);
      // What was there just before: the sample of a tenth ago.
      CHECK(std::abs(at(r.rows, "last.y", t) - (t - 0.1)) < 1e-12);
      CHECK(std::abs(at(r.rows, "ramp.y", t) - (t - 0.3)) < 1e-12);
      CHECK(at(r.rows, "counted.y", t) == (t < 0.5 ? 1 : 2));
      CHECK(at(r.rows, "top.y", t) == 1);
    }
    CHECK(at(r.rows, "top.y", 0.5) == 0);
    CHECK(at(r.rows, "seen.y", 0.6) == 0);
    CHECK(at(r.rows, "seen.y", 0.7) == 1);
    CHECK(at(r.rows, "also.y", 0.7) == 1);
    CHECK(at(r.rows, "tabled.y", 0.3) == 1);
    CHECK(at(r.rows, "tabled.y", 0.9) == 2);
    for (size_t i = 1; i < r.report.eventRecords.size(); ++i)
      CHECK(r.report.eventRecords[i].time - r.report.eventRecords[i - 1].time > 1e-9);
  }
}

TEST_CASE("instants: what comes out of a delay is there for the tick at its time") {
  const Timed r = runTimed(R"yaml(
variables: {x: {start: 0, fixed: true}}
equations: ["der(x) = 1"]
components:
  step: {type: Blocks.Step, startTime: 0.7}
  late: {type: Blocks.FixedDelay, delayTime: 0.1, u: step.y}
  heard: {type: Blocks.Sampler, samplePeriod: 0.1, u: late.y}
outputs: ["*.y"]
)yaml",
                           {.stopTime = 1.2, .outputInterval = 0.1});
  CHECK(std::abs(at(r.rows, "heard.y", 0.7)) < 1e-12);
  CHECK(std::abs(at(r.rows, "heard.y", 0.8) - 1) < 1e-12);
}

TEST_CASE("instants: samples that cannot be counted stop the run") {
  const std::string sampler =
      "components: {s: {type: Blocks.Sampler, samplePeriod: 1e-3, u: time}}\noutputs: [s.y]\n";
  const Timed late = runTimed(sampler, {.startTime = 1e6, .stopTime = 1e6 + 0.0015});
  CHECK(late.rows["s.y"].back() == 1e6 + 0.001);
  CHECK_THROWS_WITH_AS(runTimed(sampler, {.startTime = 1e7, .stopTime = 1e7 + 1}),
                       doctest::Contains("its periods are too short to be counted"), SolverError);
}

TEST_CASE(
    "instants: rows of a file of inputs, and conditions of time, belong to the ticks beside them") {
  auto in = std::make_shared<InputTable>(
      InputTable{"in.csv", {0, 3 * 0.1, 0.7, 0.9}, {"u"}, {{0, 1, 2, 3}}, true});
  const Timed r = runTimed(kClocks + std::string(R"yaml(
inputs: {u: 0}
components:
  fast: {type: Blocks.Sampler, samplePeriod: 0.1, u: u}
  whole: {type: Blocks.Sampler, samplePeriod: 0.1, u: "floor(time/0.1)"}
when:
  - {condition: "sample(0, 0.1)", set: {sum: u}}
  - {condition: "time > 0.3*3", set: {n: "pre(n) + 1"}}
  - {condition: "time*time >= 0.09", set: {k: "pre(k) + 1"}}
outputs: [u, fast.y, whole.y, sum, n, k]
)yaml"),
                           {.stopTime = 1, .outputInterval = 0.1, .inputs = in});
  for (const auto& [t, u] : {std::pair{0.2, 0.0}, {0.3, 1.0}, {0.6, 1.0}, {0.7, 2.0}, {0.9, 3.0}}) {
    CAPTURE(t);
    CHECK(at(r.rows, "u", t) == u);
    CHECK(at(r.rows, "fast.y", t) == u);
    CHECK(at(r.rows, "sum", t) == u);
    CHECK(at(r.rows, "n", t) == (t >= 0.9 ? 1 : 0));
    CHECK(at(r.rows, "k", t) == (t >= 0.3 ? 1 : 0));
    CHECK(at(r.rows, "whole.y", t) == std::round(10 * t));
  }
  for (size_t i = 1; i < r.report.eventRecords.size(); ++i)
    CHECK(r.report.eventRecords[i].time - r.report.eventRecords[i - 1].time > 1e-9);
}

TEST_CASE("instants: a program that adds up its steps misses no tick") {
  Simulation s = Simulation::fromText(
      catalogue(), "model: M\n" + clocks("sample(0, 0.1)", "sample(0, 0.3)"), "model.yaml");
  s.start({.stopTime = 3});
  const VariableHandle n = s.variable("n"), k = s.variable("k");
  double t = 0;
  for (int i = 1; i <= 20; ++i) {
    t += 0.1;
    s.advance(t);
    CHECK(s.time() == t);
    CHECK(s.value(n) == i + 1);
    CHECK(s.value(k) == i / 3 + 1);
  }
}

TEST_CASE("instants: a saved run goes on with the next tick, and no tick happens twice") {
  Simulation s = Simulation::fromText(
      catalogue(), "model: M\n" + clocks("sample(0, 0.1)", "sample(0, 0.3)"), "model.yaml");
  s.start({.stopTime = 3});
  s.advance(0.3);
  const RunSnapshot there = s.save();
  s.advance(0.9);
  const double once = s.value(s.variable("sum"));
  CHECK(once == 1 + 4 + 7 + 10);
  s.restore(there);
  CHECK(s.value(s.variable("n")) == 4);
  s.advance(0.9);
  CHECK(s.value(s.variable("sum")) == once);
}

TEST_CASE("instants: what is false at the start and true right after it happens once") {
  for (const IntegratorChoice method : kBoth) {
    for (const double start : {0.0, 0.3, -1.0}) {
      CAPTURE(start);
      const Timed r = runTimed(
          fmt::format(R"yaml(
parameters: {{t0: {}}}
variables:
  x: {{start: 0, fixed: true}}
  a: {{start: 0}}
  b: {{start: 0}}
  c: {{start: 0}}
  d: {{start: 0}}
  e: {{start: 0}}
  step: "if time > t0 then 1 else 0"
  area: {{start: 0, fixed: true}}
equations: ["der(x) = 1", "der(area) = step"]
when:
  - {{condition: "time > t0", set: {{a: "pre(a) + 1"}}}}
  - {{condition: "not time <= t0", set: {{b: "pre(b) + 1"}}}}
  - {{condition: "x > 0", set: {{c: "pre(c) + 1"}}}}
  - {{condition: "time >= t0", set: {{d: "pre(d) + 1"}}}}
  - {{condition: "2*time > 2*t0 + 1", set: {{e: "pre(e) + 1"}}}}
outputs: [x, a, b, c, d, e, area]
)yaml",
                      start),
          {.startTime = start, .stopTime = start + 2, .outputInterval = 0.5, .integrator = method});
      CHECK(r.rows["a"].back() == 1);
      CHECK(r.rows["b"].back() == 1);
      CHECK(r.rows["c"].back() == 1);
      CHECK(r.rows["d"].back() == 0);  // true at the start already
      CHECK(r.rows["e"].back() == 1);
      CHECK(std::abs(r.rows["area"].back() - 2) < 1e-7);
    }
  }
}

TEST_CASE("instants: a name beside the reinit of it, and behind it, is the new value") {
  for (const IntegratorChoice method : kBoth) {
    const Timed r = runTimed(R"yaml(
variables:
  x: {start: 1, fixed: true}
  y: "2*x"
  big: "if x > 5 then 1 else 0"
  slope: "der(x)"
  u: {start: 0}
  v: {start: 0}
  w: {start: 0}
  p: {start: 0}
  q: {start: 0}
  f: {start: 0}
  s: {start: 0}
  later: {start: 0}
equations: ["der(x) = 1 + 0*x + (if x > 5 then 2 else 0)"]
when:
  - {condition: "time >= 0.5", set: {w: "x + later"}}
  - condition: "time >= 0.5"
    reinit: {x: "f*x + s"}
    set: {u: x, v: "pre(x)", p: y, q: big, f: 4, s: 4, later: slope}
    assert: {condition: "x > 9", message: the state is the one before}
simulation: {stop: 1, interval: 0.5}
outputs: [x, u, v, w, p, q, later]
)yaml",
                             {.integrator = method});
    // The value of `reinit` is found from the state before, 1.5: 4 * 1.5 + 4.
    CHECK(std::abs(r.rows["u"].back() - 10) < 1e-7);
    CHECK(std::abs(r.rows["v"].back() - 1.5) < 1e-7);
    CHECK(std::abs(r.rows["p"].back() - 20) < 1e-7);
    CHECK(r.rows["q"].back() == 1);
    CHECK(std::abs(r.rows["later"].back() - 3) < 1e-7);
    CHECK(std::abs(r.rows["w"].back() - 13) < 1e-7);
    CHECK(std::abs(r.rows["x"].back() - 11.5) < 1e-6);
  }
}

TEST_CASE("instants: derivatives follow a name beside the reinit of it") {
  const auto load = [](const std::vector<std::string>& set) {
    return Simulation::fromText(catalogue(), R"yaml(
model: M
parameters: {p: 3}
variables:
  x: {start: 1, fixed: true}
  u: {start: 0}
equations: ["der(x) = p"]
when: [{condition: "sample(0.5, 7)", reinit: {x: "2*p*x"}, set: {u: "p*x"}}]
simulation: {stop: 1}
outputs: [x, u]
)yaml",
                                "model.yaml", set);
  };
  Simulation nominal = load({});
  Sensitivities s(nominal, load, {"p"}, {}, catalogue());
  Trajectory rows;
  s.run(rows, {.stopTime = 1.0});
  // x+ = 2 p (1 + p/2), x = x+ + p/2;  u = p x+
  CHECK(std::abs(rows["x"].back() - (2 * 3 * 2.5 + 1.5)) < 1e-6);
  CHECK(std::abs(rows["d(x)/d(p)"].back() - (2 + 2 * 3 + 0.5)) < 1e-5);
  CHECK(std::abs(rows["u"].back() - 3 * 2 * 3 * 2.5) < 1e-6);
  CHECK(std::abs(rows["d(u)/d(p)"].back() - (4 * 3 + 3 * 9)) < 1e-4);
}

TEST_CASE("Instants: samples of what hangs on them come to rest within rounding") {
  // x' = 0.9 x + 0.013 a, a behind the jump of the torque -0.7 x; the pendulum between samples by
  // Runge and Kutta's method.
  const double J = 0.07 + 1.3 * 0.41 * 0.41;
  double phi = 0.3, w = 0, x = 0;
  for (int k = 0; k < 20; ++k) {
    const double torque = -0.7 * x;
    const auto a = [&](double angle) { return (torque - 1.3 * 9.81 * 0.41 * std::cos(angle)) / J; };
    x = 0.9 * x + 0.013 * a(phi);
    constexpr double h = 0.05 / 1000;
    for (int i = 0; i < 1000; ++i) {
      const double a1 = a(phi), a2 = a(phi + h / 2 * w), a3 = a(phi + h / 2 * (w + h / 2 * a1)),
                   a4 = a(phi + h * (w + h / 2 * a2));
      phi += h * w + h * h / 6 * (a1 + a2 + a3);
      w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
  const test::ModelRun run = test::runModel(R"yaml(
world: {g: 9.81}
components:
  j0: {type: Revolute, useAxisFlange: true, phi: {start: 0.3, fixed: true}, w: {fixed: true}}
  b0: {type: Body, m: 1.3, r_CM: [0.41, 0, 0], I_33: 0.07}
  t0: {type: Rotational.Torque, tau: "filter.y[1]"}
  filter: {type: Blocks.Discrete.StateSpace, samplePeriod: 0.05, A: [[0.9]], B: [[0.013]], C: [[-0.7]], u: [j0.a]}
connections:
  - [world.frame_b, j0.frame_a]
  - [j0.frame_b, b0.frame_a]
  - [t0.flange, j0.axis]
simulation: {stop: 1, interval: 0.05}
outputs: [j0.phi]
)yaml");
  CHECK(run.last("j0.phi") == doctest::Approx(phi).epsilon(1e-6));
}

TEST_CASE(
    "Instants: a hold that has not begun gives the input at the start, and zero is no crossing") {
  const test::ModelRun run = test::runModel(R"yaml(
components:
  h: {type: Blocks.ZeroOrderHold, samplePeriod: 0.2, startTime: 1, u: "5 + time"}
  rising: {type: Blocks.Sine, f: 0.5}
  falling: {type: Blocks.Sine, f: 0.5, amplitude: -1}
  up: {type: Blocks.ZeroCrossing, u: rising.y, enable: true}
  down: {type: Blocks.ZeroCrossing, u: falling.y, enable: true}
  a: {type: Blocks.TriggeredSampler, u: time, trigger: up.y, y_start: -1}
  b: {type: Blocks.TriggeredSampler, u: time, trigger: down.y, y_start: -1}
simulation: {stop: 1.1, interval: 0.1}
outputs: [h.y, a.y, b.y]
)yaml");
  CHECK(run.at(0.9, "h.y") == 5);
  CHECK(run.last("h.y") == doctest::Approx(6));
  CHECK(run.at(0.9, "a.y") == -1);             // it has been positive since the start
  CHECK(std::abs(run.at(0.9, "b.y")) < 1e-6);  // positive at 0, negative behind
  CHECK(run.last("a.y") == doctest::Approx(1).epsilon(1e-6));
}
