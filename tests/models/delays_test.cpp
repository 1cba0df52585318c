// Delays against closed forms: sines, the method of steps, jumps that come out as jumps.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine/saved_state.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

struct DelayRun : test::ModelRun {
  template <class F>
  double farthest(const std::string& name, F f, double clearOf = -1) const {
    double worst = 0;
    for (size_t i = 0; i < rows.time().size(); ++i) {
      if (std::abs(rows.time()[i] - clearOf) < 1e-9) continue;
      worst = std::max(worst, std::abs(rows[name][i] - f(rows.time()[i])));
    }
    return worst;
  }
};

DelayRun delayRun(const std::string& model, double stop, double tolerance,
                  const std::string& outputs) {
  return {test::runModel(fmt::format("{}simulation: {{stop: {}, interval: 0.0173, tolerance: {}}}\n"
                                     "outputs: [{}]\n",
                                     model, stop, tolerance, outputs),
                         {.eventRows = false})};
}

/// x' = -x(t - 1), x = 1 before 0: sum over k of (-1)^k (t - k + 1)^k/k!, t > k - 1 (method of steps).
double stepwise(double t) {
  double sum = 0, sign = 1, factorial = 1;
  for (int k = 0; t > k - 1; ++k) {
    if (k > 0) factorial *= k;
    sum += sign * std::pow(t - k + 1, k) / factorial;
    sign = -sign;
  }
  return sum;
}

const std::string kRetarded =
    "variables:\n  x: {start: 1, fixed: true}\nequations: [\"der(x) = -d.y\"]\n"
    "components:\n  d: {type: Blocks.FixedDelay, delayTime: 1, u: x}\n";

}  // namespace

TEST_CASE("FixedDelay: a sine comes later, as exact as the tolerance asks") {
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    CAPTURE(tolerance);
    const DelayRun run = delayRun(
        "components:\n  d: {type: Blocks.FixedDelay, delayTime: 0.3, u: \"sin(5*time)\"}\n", 4,
        tolerance, "d.y");
    // The record alone: nothing is integrated.
    CHECK(run.farthest("d.y", [](double t) { return t < 0.3 ? 0 : std::sin(5 * (t - 0.3)); }) <
          tolerance);
  }
}

TEST_CASE("FixedDelay: x' = -x(t - 1) by the method of steps, at three tolerances") {
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    CAPTURE(tolerance);
    const DelayRun run = delayRun(kRetarded, 12, tolerance, "x, d.y");
    CHECK(run.farthest("x", stepwise) < 100 * tolerance);
    CHECK(run.farthest("d.y", [](double t) { return t < 1 ? 1 : stepwise(t - 1); }) <
          100 * tolerance);
    // At 1, 2, 3, 4 and 5 s x bends in its 2nd to 6th derivative, then no more that is felt.
    CHECK(run.report.events == 5);
  }
}

TEST_CASE("FixedDelay: a jump comes out as a jump at its time, through delays in a row") {
  const DelayRun run = delayRun(
      "components:\n  s: {type: Blocks.Step, startTime: 0.4, height: 2}\n"
      "  a: {type: Blocks.FixedDelay, delayTime: 0.35, u: s.y}\n"
      "  b: {type: Blocks.FixedDelay, delayTime: 0.5, u: \"a.y + time\"}\n"
      "  i: {type: Blocks.Integrator, u: a.y}\n"
      "  j: {type: Blocks.Integrator, u: b.y}\n",
      3, 1e-8, "a.y, b.y, i.y, j.y");
  CHECK(run.farthest(
            "a.y", [](double t) { return t < 0.75 ? 0 : 2; }, 0.75) < 1e-12);
  CHECK(run.farthest(
            "b.y", [](double t) { return t < 0.5 ? 0 : t - 0.5 + (t < 1.25 ? 0 : 2); }, 1.25) <
        1e-10);
  CHECK(run.farthest("i.y", [](double t) { return 2 * std::max(0.0, t - 0.75); }) < 1e-7);
  CHECK(run.farthest("j.y", [](double t) {
    return 0.5 * std::pow(std::max(0.0, t - 0.5), 2) + 2 * std::max(0.0, t - 1.25);
  }) < 100 * 1e-8 * 6.6);  // of its size
}

TEST_CASE("FixedDelay: a loop through a delay alone keeps its jumps") {
  // y(t) = 1 - y(t - 0.5)/2, 0 before: 1, 1/2, 3/4, ...
  const DelayRun run = delayRun(
      "components:\n  s: {type: Blocks.Step, startTime: 0.2}\n"
      "  d: {type: Blocks.FixedDelay, delayTime: 0.5, u: \"s.y - 0.5*d.y\"}\n",
      4, 1e-8, "d.y");
  double worst = 0;
  for (size_t i = 0; i < run.rows.time().size(); ++i) {
    const double since = run.rows.time()[i] - 0.7;
    if (std::abs(since / 0.5 - std::round(since / 0.5)) < 1e-6) continue;
    double y = 0;
    for (double s = since; s > 0; s -= 0.5) y = 1 - 0.5 * y;
    worst = std::max(worst, std::abs(run.rows["d.y"][i] - y));
  }
  CHECK(worst < 1e-12);
}

TEST_CASE("FixedDelay: bends come through any number of delays in a row") {
  std::string model = "components:\n  d0: {type: Blocks.Ramp, startTime: 0.2, duration: 0.1}\n";
  for (int k = 1; k <= 8; ++k)
    model +=
        fmt::format("  d{}: {{type: Blocks.FixedDelay, delayTime: 0.05, u: d{}.y}}\n", k, k - 1);
  const DelayRun run = delayRun(model, 2, 1e-7, "d8.y");
  CHECK(run.farthest("d8.y", [](double t) { return std::clamp((t - 0.6) / 0.1, 0.0, 1.0); }) <
        1e-7);
}

TEST_CASE("FixedDelay: waves go to and fro on a line with their bends, as many times as it takes") {
  // A source, a line without losses (Branin) and a load: v2 is the sum of what has come k times more.
  constexpr double kZ = 300, kR = 1000, kDelay = 0.08, rho = (kR - kZ) / (kR + kZ);
  for (const bool isSolved : {false, true}) {
    CAPTURE(isSolved);
    const DelayRun run = delayRun(
        fmt::format(
            "parameters: {{Z: {}, R: {}, T: {}}}\n"
            "components:\n"
            "  ramp: {{type: Blocks.Ramp, startTime: 0.4, duration: 0.05}}\n"
            "  v2Ago: {{type: Blocks.FixedDelay, delayTime: T, u: v2}}\n"
            "  erAgo: {{type: Blocks.FixedDelay, delayTime: T, u: er}}\n"
            "  v1Ago: {{type: Blocks.FixedDelay, delayTime: T, u: ramp.y}}\n"
            "  esAgo: {{type: Blocks.FixedDelay, delayTime: T, u: es}}\n"
            "variables: {{es: \"2*v2Ago.y - erAgo.y\", er: \"2*v1Ago.y - esAgo.y\", v2: {}}}\n{}",
            kZ, kR, kDelay, isSolved ? "{start: 0}" : "\"er*R/(R + Z)\"",
            isSolved ? "equations: [\"v2*(R + Z) = er*R\"]\n" : ""),
        8, 1e-7, "v2");
    // A hundred times to and fro; each may add the tolerance.
    CHECK(run.farthest("v2", [&](double t) {
      double sum = 0, share = 1 + rho;
      for (double at = t - kDelay; at > 0.4; at -= 2 * kDelay, share *= -rho)
        sum += share * std::clamp((at - 0.4) / 0.05, 0.0, 1.0);
      return sum;
    }) < 100 * 1e-7);
  }
}

TEST_CASE("FixedDelay: far shorter than the steps, and none at all") {
  // x'' = -x(t - d): to first order damped by -d; exactly, x = Re exp(s t), s^2 = -exp(-s d).
  const double d = 1e-3;
  const DelayRun run = delayRun(
      fmt::format("variables:\n  x: {{start: 1, fixed: true, der: {{start: 0, fixed: true}}}}\n"
                  "equations: [\"der(der(x)) = -d.y\"]\n"
                  "components:\n  d: {{type: Blocks.FixedDelay, delayTime: {}, u: x}}\n",
                  d),
      10, 1e-7, "x");
  // Method of steps in powers of d: x = cos + d (t cos - sin)/2... is compared by the energy's
  // growth, exp(d t) to second order.
  CHECK(run.farthest("x", [&](double t) {
    return std::cos(t) + 0.5 * d * (t * std::cos(t) - std::sin(t));
  }) < 200 * d * d);
  CHECK(run.report.integrator.steps < 3000);  // 10 000 delays
  const DelayRun none =
      delayRun("components:\n  d: {type: Blocks.FixedDelay, delayTime: 0, u: \"sin(time)\"}\n", 3,
               1e-8, "d.y");
  CHECK(none.farthest("d.y", [](double t) { return std::sin(t); }) < 1e-15);
}

TEST_CASE("VariableDelay: a signal through a moving distance") {
  const std::string delay = "0.5 + 0.4*sin(3*time)";
  const DelayRun run = delayRun(
      "components:\n  d: {type: Blocks.VariableDelay, delayMax: 1, u: \"sin(5*time)\", delayTime: "
      "\"" +
          delay + "\"}\n",
      4, 1e-8, "d.y");
  CHECK(run.farthest("d.y", [](double t) {
    const double read = t - 0.5 - 0.4 * std::sin(3 * t);
    return read < 0 ? 0 : std::sin(5 * read);
  }) < 1e-8);
  // Down to nothing: y = u there.
  const DelayRun touching = delayRun(
      "components:\n  d: {type: Blocks.VariableDelay, delayMax: 1, u: \"sin(5*time)\", delayTime: "
      "\"0.3*(1 - cos(2*time))\"}\n",
      6, 1e-8, "d.y");
  CHECK(touching.farthest("d.y", [](double t) {
    return std::sin(5 * std::max(0.0, t - 0.3 * (1 - std::cos(2 * t))));
  }) < 1e-7);
}

TEST_CASE("VariableDelay: a jump of the input comes out where the delay meets it") {
  // t - (0.5 + 0.2 t) = 1 at t = 1.875.
  const DelayRun run = delayRun(
      "components:\n  s: {type: Blocks.Step, startTime: 1, height: 3}\n"
      "  d: {type: Blocks.VariableDelay, delayMax: 2, u: s.y, delayTime: \"0.5 + 0.2*time\"}\n"
      "  i: {type: Blocks.Integrator, u: d.y}\n",
      4, 1e-8, "d.y, i.y");
  CHECK(run.farthest("i.y", [](double t) { return 3 * std::max(0.0, t - 1.875); }) < 1e-7);
}

TEST_CASE("VariableDelay: a delay beyond its bounds ends the run, by name") {
  const auto told = [](const std::string& delay) {
    return test::messageOfRun(
        "components:\n  d: {type: Blocks.VariableDelay, delayMax: 1, u: time, delayTime: \"" +
        delay + "\"}\nsimulation: {stop: 4}\noutputs: [d.y]\n");
  };
  CHECK(told("0.5*time").find("d: 'delayTime' is 1") != std::string::npos);
  CHECK(told("1 - time").find("'delayTime' is -") != std::string::npos);
}

TEST_CASE("delays: a saved run goes on bit for bit") {
  const std::string model =
      kRetarded + "simulation: {stop: 6, interval: 0.05}\noutputs: [x, d.y]\n";
  const auto load = [&] { return Simulation::fromText(catalogue(), model); };
  Simulation whole = load();
  whole.start();
  whole.advance(2.7);
  const auto saved = whole.save();
  whole.advance(6);
  const double x = whole.value(whole.variable("x"));
  whole.restore(saved);
  whole.advance(6);
  CHECK(whole.value(whole.variable("x")) == x);
  Simulation other = load();
  other.start();
  other.restore(saved);
  other.advance(6);
  CHECK(other.value(other.variable("x")) == x);
  CHECK(x == doctest::Approx(stepwise(6)).epsilon(1e-6));
}

TEST_CASE("delays: an input that is set jumps, and the jump comes out later") {
  Simulation s =
      Simulation::fromText(catalogue(),
                           "components:\n  d: {type: Blocks.FixedDelay, delayTime: 0.5, u: 1}\n"
                           "simulation: {stop: 3}\noutputs: [d.y]\n");
  s.start();
  s.advance(1);
  s.set(s.input("d.u"), 4);
  s.advance(1.499);
  CHECK(s.value(s.variable("d.y")) == doctest::Approx(1).epsilon(1e-12));
  s.advance(1.501);
  CHECK(s.value(s.variable("d.y")) == doctest::Approx(4).epsilon(1e-12));
}

TEST_CASE("delays: the explicit method says why it cannot") {
  CHECK(test::messageOfRun<ModelError>(
            kRetarded + "simulation: {stop: 1, integrator: explicit}\noutputs: [x]\n")
            .find("'d' reads what a signal was, which is known up to the step before only") !=
        std::string::npos);
}
