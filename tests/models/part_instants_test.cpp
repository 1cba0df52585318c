// When it happens, not only what: instants of events of parts with general numbers, in closed form.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {

constexpr double kPartInstantsTolerance = 1e-10;
constexpr double kPartInstantsRun = 100 * kPartInstantsTolerance;

constexpr const char* kPartInstantsMethods[] = {"ida", "explicit", "automatic"};

std::string settings(double stop, const std::string& integrator = "ida") {
  return fmt::format("simulation: {{stop: {}, interval: 0.0173, tolerance: {}, integrator: {}}}\n",
                     stop, kPartInstantsTolerance, integrator);
}

}  // namespace

TEST_CASE(
    "reinit: behind a gear of ratio 3 the shaft named jumps by what was said, and all with it") {
  // J1 = 0.4, J2 = 1.1 behind ratio r: phi1 = r phi2. Torque tau on J1: alpha2 = r tau/(r^2 J1 + J2).
  // Each time phi2 reaches 0.5 its speed turns round, and 0.6 of it is left.
  for (const double r : {3.0, -2.5}) {
    for (const char* const named : {"J1", "J2"}) {
      for (const char* const state : {"J1", "J2"}) {
        CAPTURE(r);
        CAPTURE(std::string(named));
        CAPTURE(std::string(state));
        const bool first = named[1] == '1';
        const std::string start = "phi: {start: 0, fixed: true}, w: {start: 0, fixed: true}, ";
        const ModelRun run = runModel(fmt::format(
            "variables: {{at: {{start: -1}}}}\ncomponents:\n"
            "  drive: {{type: Rotational.Torque, tau: {0}}}\n"
            "  J1: {{type: Rotational.Inertia, {1} J: 0.4}}\n"
            "  gear: {{type: Rotational.IdealGear, ratio: {2}}}\n"
            "  J2: {{type: Rotational.Inertia, {3} J: 1.1}}\n"
            "connections:\n  - [drive.flange, J1.flange_a]\n  - [J1.flange_b, gear.flange_a]\n"
            "  - [gear.flange_b, J2.flange_a]\n"
            "when: [{{condition: \"J2.phi > 0.5\", reinit: {{{4}.w: \"-0.6*pre({4}.w)\"}}, set: "
            "{{at: time}}}}]\n"
            "outputs: [J1.w, J2.w, at]\n{5}",
            r > 0 ? 2 : -2, state[1] == '1' ? start + "stateSelect: always," : "", r,
            state[1] == '2' ? start + "stateSelect: always," : "", first ? "J1" : "J2",
            settings(3)));
        const double alpha = std::abs(r) * 2 / (r * r * 0.4 + 1.1);
        // A ball that falls on a wall: t1 (1 + 2 e + 2 e^2 + ...).
        const double t1 = std::sqrt(2 * 0.5 / alpha);
        std::vector<double> bounces{t1};
        for (double e = 0.6; bounces.back() + 2 * e * t1 < 3; e *= 0.6)
          bounces.push_back(bounces.back() + 2 * e * t1);
        std::vector<double> times = run["at"];
        times.erase(std::ranges::unique(times).begin(), times.end());
        times.erase(times.begin());
        REQUIRE(bounces.size() >= 3);
        REQUIRE(times.size() == bounces.size());
        for (size_t k = 0; k < times.size(); ++k) CHECK(std::abs(times[k] - bounces[k]) < 1e-7);
        const auto& w1 = run["J1.w"];
        const auto& w2 = run["J2.w"];
        for (size_t k = 0; k < w1.size(); ++k) CHECK(std::abs(w1[k] - r * w2[k]) < 1e-9);
      }
    }
  }
}

TEST_CASE("FirstOrderHold: what holds before its first sample, at it and from the second on") {
  const ModelRun run = runModel(
      "components:\n"
      "  hold: {type: Blocks.FirstOrderHold, samplePeriod: 0.25, startTime: 0.6, u: \"1 + "
      "time^2\"}\n"
      "  held: {type: Blocks.ZeroOrderHold, samplePeriod: 0.25, startTime: 0.6, u: \"1 + "
      "time^2\"}\n"
      "outputs: [hold.y, held.y]\n" +
      settings(2));
  // MSL: y = pre(uSample) + c (time - tSample), with c = 0 at the first sample; u(0) before it.
  const auto u = [](double t) { return 1 + t * t; };
  for (size_t k = 0; k < run.rows.time().size(); ++k) {
    const double t = run.rows.time()[k];
    const double n = std::floor((t - 0.6) / 0.25 + 1e-9);
    if (std::abs((t - 0.6) / 0.25 - std::round((t - 0.6) / 0.25)) < 1e-9)
      continue;  // both sides of it
    CAPTURE(t);
    double y = u(0);
    const double now = 0.6 + 0.25 * n;
    if (n >= 1) y = u(now - 0.25) + (u(now) - u(now - 0.25)) / 0.25 * (t - now);
    CHECK(std::abs(run["hold.y"][k] - y) < 1e-12);
    CHECK(std::abs(run["held.y"][k] - u(n < 0 ? 0 : now)) < 1e-12);
  }
}

TEST_CASE("IdealDiode: conducts from its knee's voltage on, and ends at its knee's current") {
  // Lines v = Vknee + Ron (i - Goff Vknee) and i = Goff v meet at the knee: with R in series the source
  // is Vknee + R Goff Vknee there, on the way up and down.
  for (const double Goff : {0.05, 0.3}) {
    for (const char* const integrator : kPartInstantsMethods) {
      CAPTURE(Goff);
      CAPTURE(std::string(integrator));
      const ModelRun run = runModel(
          fmt::format("components:\n  source: {{type: Analog.SineVoltage, V: 2, f: 0.5}}\n"
                      "  diode: {{type: Analog.IdealDiode, Ron: 0.1, Goff: {}, Vknee: 0.5}}\n"
                      "  load: {{type: Analog.Resistor, R: 3}}\n  ground: {{type: Analog.Ground}}\n"
                      "connections:\n  - [source.p, diode.p]\n  - [diode.n, load.p]\n"
                      "  - [load.n, source.n]\n  - [source.n, ground.p]\n"
                      "outputs: [load.i, diode.off]\n",
                      Goff) +
          settings(4, integrator));
      const double on = std::asin((0.5 + 3 * Goff * 0.5) / 2) / std::numbers::pi;
      const std::vector<double> expected{on, 1 - on, 2 + on, 3 - on};
      const std::vector<double> times = run.eventTimes();
      REQUIRE(times.size() == expected.size());
      for (size_t k = 0; k < times.size(); ++k) CHECK(std::abs(times[k] - expected[k]) < 1e-7);
    }
  }
}

TEST_CASE("CombiTable2Ds: beyond either end of either axis its last cells go on") {
  // A table that is no plane: 3 x 4 numbers, u1 and u2 from below the first to above the last.
  const double x1[] = {0.5, 1.2, 3.1}, x2[] = {-1, 0.3, 1.1, 2.4};
  const double z[3][4] = {{1, 2.5, -0.7, 3}, {0.4, -1.2, 2.2, 1.9}, {3.3, 0.6, 1.7, -2}};
  std::string table = "[[0, -1, 0.3, 1.1, 2.4]";
  for (int i = 0; i < 3; ++i)
    table += fmt::format(", [{}, {}, {}, {}, {}]", x1[i], z[i][0], z[i][1], z[i][2], z[i][3]);
  table += "]";
  const ModelRun run =
      runModel("components:\n  t: {type: Blocks.CombiTable2Ds, table: " + table +
               ", u1: \"1.8 + 2*sin(time)\", u2: \"0.7 + 2.6*cos(1.7*time)\"}\n"
               "  h: {type: Blocks.CombiTable2Ds, extrapolation: HoldLastPoint, table: " +
               table +
               ", u1: \"1.8 + 2*sin(time)\", u2: \"0.7 + 2.6*cos(1.7*time)\"}\n"
               "outputs: [t.y, h.y]\n" +
               settings(12));
  const auto bilinear = [&](double a, double b) {
    const int i = a < x1[1] ? 0 : 1, k = b < x2[1] ? 0 : b < x2[2] ? 1 : 2;
    const double p = (a - x1[i]) / (x1[i + 1] - x1[i]), q = (b - x2[k]) / (x2[k + 1] - x2[k]);
    return (1 - p) * ((1 - q) * z[i][k] + q * z[i][k + 1]) +
           p * ((1 - q) * z[i + 1][k] + q * z[i + 1][k + 1]);
  };
  bool beyond[4] = {};
  for (size_t k = 0; k < run.rows.time().size(); ++k) {
    const double time = run.rows.time()[k];
    const double a = 1.8 + 2 * std::sin(time), b = 0.7 + 2.6 * std::cos(1.7 * time);
    CAPTURE(a);
    CAPTURE(b);
    CHECK(std::abs(run["t.y"][k] - bilinear(a, b)) < 1e-8);
    CHECK(std::abs(run["h.y"][k] -
                   bilinear(std::clamp(a, x1[0], x1[2]), std::clamp(b, x2[0], x2[3]))) < 1e-8);
    beyond[0] = beyond[0] || a < x1[0];
    beyond[1] = beyond[1] || a > x1[2];
    beyond[2] = beyond[2] || b < x2[0];
    beyond[3] = beyond[3] || b > x2[3];
  }
  CHECK((beyond[0] && beyond[1] && beyond[2] && beyond[3]));
}

TEST_CASE("Der: read by a condition alone it is there, and the event at its time") {
  // x' = cos(2 t): its rate, -2 sin(2 t), is above 1.2 where sin(2 t) < -0.6.
  for (const char* const integrator : kPartInstantsMethods) {
    CAPTURE(std::string(integrator));
    const ModelRun run = runModel(
        "variables: {x: {start: 0.3, fixed: true}, n: {start: 0, type: Integer}, at: {start: -1}}\n"
        "components:\n  slope: {type: Blocks.Der, u: \"cos(2*time)\"}\n"
        "equations: [\"der(x) = cos(2*time)\"]\n"
        "when: [{condition: \"slope.y > 1.2\", set: {n: \"pre(n) + 1\", at: time}}]\n"
        "outputs: [x, n, at]\n" +
        settings(3, integrator));
    CHECK(run.last("n") == 1);
    CHECK(std::abs(run.last("at") - (std::numbers::pi + std::asin(0.6)) / 2) < 1e-8);
    CHECK(std::abs(run.last("x") - 0.3 - std::sin(6) / 2) < kPartInstantsRun * 10);
  }
}

TEST_CASE(
    "when, reinit and conditions: before the start, at it and behind it, from any start time") {
  // n counts how often each became true on (start, stop], by the manual: what holds at the start does
  // not become true.
  for (const double start : {0.0, -1.3, 2.1}) {
    for (const char* const integrator : kPartInstantsMethods) {
      CAPTURE(start);
      CAPTURE(std::string(integrator));
      const ModelRun run = runModel(fmt::format(
          "parameters: {{s: {0}}}\n"
          "variables: {{x: {{start: s, fixed: true}}, a: {{start: 0, type: Integer}}, b: {{start: "
          "0, type: "
          "Integer}}, c: {{start: 0, type: Integer}}, d: {{start: 0, type: Integer}}}}\n"
          "equations: [\"der(x) = 1\"]\n"
          "when:\n"
          "  - {{condition: \"time >= s - 0.4\", set: {{a: \"pre(a) + 1\"}}}}\n"
          "  - {{condition: \"x > s - 0.4\", set: {{b: \"pre(b) + 1\"}}}}\n"
          "  - {{condition: \"time >= s + 0.37\", set: {{c: \"pre(c) + 1\"}}}}\n"
          "  - {{condition: \"x > s + 0.73\", set: {{d: \"pre(d) + 1\"}}}}\n"
          "outputs: [x, a, b, c, d]\n"
          "simulation: {{start: {0}, stop: {1}, interval: 0.0173, tolerance: {2}, integrator: "
          "{3}}}\n",
          start, start + 1, kPartInstantsTolerance, integrator));
      CHECK(run.last("a") == 0);
      CHECK(run.last("b") == 0);
      CHECK(run.last("c") == 1);
      CHECK(run.last("d") == 1);
      const std::vector<double> times = run.eventTimes();
      REQUIRE(times.size() == 2);
      CHECK(std::abs(times[0] - start - 0.37) < 1e-12);
      CHECK(std::abs(times[1] - start - 0.73) < 1e-8);
    }
  }
}
