// Closed loops of plain joints: where they are cut does not matter, redundancy is told and shared.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "components/catalogue.h"
#include "engine/diagnostics.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

/// A planar four-bar of four plain revolute joints, cut at one of them.
std::string fourBar(int cut) {
  std::string text = R"(
components:
  crank: {type: BodyBox, r: [0.3, 0, 0], width: 0.03}
  coupler: {type: BodyBox, r: [0.8, 0, 0], width: 0.03}
  rocker: {type: BodyBox, r: [0.6, 0, 0], width: 0.03}
  base: {type: FixedTranslation, r: [0.7, 0, 0]}
)";
  const char* starts[] = {"phi: {start: '60*deg', fixed: true}, w: {start: 1, fixed: true}",
                          "phi: {start: '-40*deg'}", "phi: {start: '-130*deg'}",
                          "phi: {start: '-110*deg'}"};
  for (int j = 1; j <= 4; ++j) {
    text += fmt::format("  j{}: {{type: Revolute, {}{}}}\n", j, starts[j - 1],
                        j == cut ? ", cut: true" : "");
  }
  return text + R"(
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, crank.frame_a]
  - [crank.frame_b, j2.frame_a]
  - [j2.frame_b, coupler.frame_a]
  - [coupler.frame_b, j3.frame_a]
  - [j3.frame_b, rocker.frame_a]
  - [rocker.frame_b, j4.frame_b]
  - [base.frame_b, j4.frame_a]
  - [world.frame_b, base.frame_a]
simulation: {stop: 1, interval: 0.05, tolerance: 1e-10}
outputs: ["j?.phi", "j?.frame_b.f*", "j?.frame_b.t*"]
)";
}

/// A door on two hinges with a common axis: five of the ten closure equations say nothing new.
const char* const kDoor = R"(
world: {n: [0, 0, -1]}
components:
  upperHeight: {type: FixedTranslation, r: [0, 0, 2]}
  lower: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {fixed: true}}
  upper: {type: Revolute, phi: {start: 0.3}}
  edge:  {type: FixedTranslation, r: [0, 0, 2]}
  door:  {type: Body, m: 20, r_CM: [0.4, 0, 1], I_11: 1, I_22: 2, I_33: 1.2}
connections:
  - [world.frame_b, lower.frame_a]
  - [world.frame_b, upperHeight.frame_a]
  - [upperHeight.frame_b, upper.frame_a]
  - [lower.frame_b, edge.frame_a]
  - [edge.frame_b, upper.frame_b]
  - [lower.frame_b, door.frame_a]
simulation: {stop: 0.1, interval: 0.1}
outputs: ["*.frame_b.f*", "*.frame_b.t*"]
)";

Trajectory run(const std::string& text) {
  Simulation s = Simulation::fromText(catalogue(), text, "loop.yaml");
  Trajectory result;
  s.run(result);
  return result;
}

}  // namespace

TEST_CASE("loops: a four-bar moves the same, whichever of its joints it is cut at") {
  const Trajectory reference = run(fourBar(4));
  for (int cut = 1; cut <= 3; ++cut) {
    CAPTURE(cut);
    const Trajectory other = run(fourBar(cut));
    for (const char* name : {"j1.phi", "j2.phi", "j3.phi", "j4.phi"}) {
      CAPTURE(name);
      REQUIRE(other[name].size() == 21);
      for (size_t i = 0; i < 21; ++i) {
        CHECK(std::abs(other[name][i] - reference[name][i]) < 1e-7);  // 1000 times the tolerance
      }
    }
  }
}

TEST_CASE("loops: reactions of a redundant four-bar do not depend on where it is cut") {
  const Trajectory reference = run(fourBar(4));
  for (int cut = 1; cut <= 3; ++cut) {
    CAPTURE(cut);
    const Trajectory other = run(fourBar(cut));
    double largest = 0, difference = 0;
    for (const Column& c : reference.columns()) {
      if (c.unit != "N" && c.unit != "N.m") continue;
      for (size_t i = 0; i < 21; ++i) {
        largest = std::max(largest, std::abs(reference[c.name][i]));
        difference = std::max(difference, std::abs(other[c.name][i] - reference[c.name][i]));
      }
    }
    CHECK(largest > 10);
    CHECK(difference < 1e-6 * largest);
  }
}

TEST_CASE("loops: two hinges of a door share its load by least norm") {
  const Trajectory t = run(kDoor);
  const double weight = 20 * 9.80665;
  // Along the axis nothing tells the hinges apart: each carries half the weight.
  CHECK(t["lower.frame_b.f[3]"][0] == doctest::Approx(-weight / 2).epsilon(1e-9));
  CHECK(t["upper.frame_b.f[3]"][0] == doctest::Approx(-weight / 2).epsilon(1e-9));
  // Across it both hinges bear a force +-F (2 m apart) and a torque T against the weight's moment
  // M = weight 0.4 m: 2 F + 2 T = M, and F^2 + T^2 is least for F = T = M/4.
  const double M = weight * 0.4;
  CHECK(std::abs(t["upper.frame_b.f[1]"][0]) == doctest::Approx(M / 4).epsilon(1e-9));
  CHECK(std::abs(t["lower.frame_b.f[1]"][0]) == doctest::Approx(M / 4).epsilon(1e-9));
  CHECK(std::abs(t["upper.frame_b.t[2]"][0]) == doctest::Approx(M / 4).epsilon(1e-9));
  CHECK(std::abs(t["lower.frame_b.t[2]"][0]) == doctest::Approx(M / 4).epsilon(1e-9));
}

TEST_CASE("loops: the report names the loop, the joint that opens it and what is redundant") {
  Simulation s = Simulation::fromText(catalogue(), fourBar(2), "loop.yaml");
  const InitialReport report = s.initialise();
  REQUIRE(report.loops.size() == 1);
  CHECK(report.loops[0].format() ==
        "loop over j1, j4, j3, j2, opened at j2: 3 of 5 closure equations are redundant: "
        "displacement along z, rotation about x, rotation about y");
}

TEST_CASE("loops: strict makes redundant constraints an error that names the loop") {
  Simulation s = Simulation::fromText(catalogue(), fourBar(4), "loop.yaml");
  RunOptions options;
  options.strict = true;
  Trajectory result;
  CHECK_THROWS_WITH_AS(
      s.run(result, options),
      "loop.yaml: error: loop over j1, j2, j3, j4, opened at j4: 3 of 5 closure equations are "
      "redundant: displacement along z, rotation about x, rotation about y",
      ModelError);
}

TEST_CASE("loops: a branch that was left to chance is a warning") {
  std::string text = fourBar(4);
  for (const char* guess :
       {"phi: {start: '-40*deg'}", "phi: {start: '-130*deg'}", "phi: {start: '-110*deg'}"}) {
    text.replace(text.find(guess), std::string(guess).size(), "phi: {}");
  }
  Simulation s = Simulation::fromText(catalogue(), text, "loop.yaml");
  const InitialReport report = s.initialise();
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].starts_with(
      "the loop over j1, j2, j3, j4 may close in more than one way and no start value says which"));
}

namespace {

/// N square four-bars in a row: N + 1 upright rods on the ground, joined at their tops by N level
/// ones; all of 1 m and 1 kg, the tops at 30 m/s (IFToMM benchmark A02). At the level position,
/// which they pass in full swing, all rods are in line and the chain could fold in 2^N ways.
std::string rowOfFourBars(int n, double stop, double tolerance) {
  std::string components, connections;
  const char* rod =
      "m: 1, r_CM: [0.5, 0, 0], I_11: 0.001, I_22: 0.0833333333333333, I_33: "
      "0.0833333333333333";
  for (int i = 0; i <= n; ++i) {
    components += fmt::format(
        "  ground{0}: {{type: FixedTranslation, r: [{0}, 0, 0]}}\n"
        "  foot{0}: {{type: Revolute, phi: {{start: 'pi/2'{1}}}, w: {{start: -30{1}}}}}\n"
        "  up{0}: {{type: BodyShape, r: [1, 0, 0], {2}}}\n",
        i, i == 0 ? ", fixed: true" : "", rod);
    connections += fmt::format(
        "  - [world.frame_b, ground{0}.frame_a]\n  - [ground{0}.frame_b, foot{0}.frame_a]\n"
        "  - [foot{0}.frame_b, up{0}.frame_a]\n",
        i);
    if (i == n) break;
    components += fmt::format(
        "  left{0}: {{type: Revolute, phi: {{start: '-pi/2'}}, w: {{start: 30}}}}\n"
        "  level{0}: {{type: BodyShape, r: [1, 0, 0], {1}}}\n"
        "  right{0}: {{type: Revolute, cut: true}}\n",
        i, rod);
    connections += fmt::format(
        "  - [up{0}.frame_b, left{0}.frame_a]\n  - [left{0}.frame_b, level{0}.frame_a]\n"
        "  - [level{0}.frame_b, right{0}.frame_a]\n  - [right{0}.frame_b, up{1}.frame_b]\n",
        i, i + 1);
  }
  return fmt::format(
      "components:\n{}connections:\n{}simulation: {{stop: {}, interval: 0.01, tolerance: {}}}\n"
      "outputs: [totalEnergy, kineticEnergy, foot0.phi]\n",
      components, connections, stop, tolerance);
}

}  // namespace

TEST_CASE("loops: positions and velocities are closed in every row") {
  for (double tolerance : {1e-6, 1e-8}) {
    CAPTURE(tolerance);
    std::string text = fourBar(4);
    text.replace(text.find("stop: 1, interval: 0.05, tolerance: 1e-10"), 41,
                 fmt::format("stop: 10, interval: 0.02, tolerance: {}", tolerance));
    text.replace(text.find("outputs:"), std::string::npos,
                 "outputs: [j4.frame_a.r_0, j4.frame_b.r_0, va.v, vb.v]\n");
    text.replace(text.find("  base:"), 0,
                 "  va: {type: AbsoluteVelocity, resolveInFrame: world}\n"
                 "  vb: {type: AbsoluteVelocity, resolveInFrame: world}\n");
    text.replace(text.find("  - [world.frame_b, base.frame_a]"), 0,
                 "  - [va.frame_a, base.frame_b]\n  - [vb.frame_a, rocker.frame_b]\n");
    const Trajectory t = run(text);
    double gap = 0, speed = 0;
    for (size_t i = 0; i < t.time().size(); ++i) {
      for (const char* k : {"[1]", "[2]", "[3]"}) {
        gap = std::max(gap, std::abs(t[std::string("j4.frame_a.r_0") + k][i] -
                                     t[std::string("j4.frame_b.r_0") + k][i]));
        speed = std::max(speed,
                         std::abs(t[std::string("va.v") + k][i] - t[std::string("vb.v") + k][i]));
      }
    }
    CHECK(t.time().back() == 10);
    CHECK(gap < 1e-10);
    CHECK(speed < 1e-10);
  }
}

TEST_CASE("loops: rows of four-bars swing through the position where all their rods are in line") {
  for (int n : {1, 3, 10}) {
    CAPTURE(n);
    Simulation s = Simulation::fromText(catalogue(), rowOfFourBars(n, 2, 1e-7), "row.yaml");
    CHECK(s.initialise().degreesOfFreedom == 1);
    Trajectory t;
    const RunReport report = s.run(t);
    const auto& energy = t["totalEnergy"];
    double drift = 0;
    for (double e : energy) drift = std::max(drift, std::abs(e - energy[0]));
    MESSAGE(fmt::format("N = {}: {} steps, energy drift {:.1e} J of {:.0f} J, {:.0f} ms", n,
                        report.integrator.steps, drift, t["kineticEnergy"][0],
                        1e3 * report.integrationSeconds));
    CHECK(t.time().back() == 2);
    CHECK(drift < 1e-4 * t["kineticEnergy"][0]);  // 1000 tolerances
    // The main branch: the foot turns on and on, ten times around.
    CHECK(t["foot0.phi"].back() < -40);
  }
}
