/// Flanges that relations unite: lengths, shifts and ratios between the axes of joints.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "components/catalogue.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

constexpr double kTolerance = 1e-10;
constexpr double kRelation = 1e-9;  // of constraint rows between coordinates of order one

Trajectory run(const std::string& text) {
  Simulation s = Simulation::fromText(catalogue(), text, "flanges.yaml");
  Trajectory t;
  RunOptions options;
  options.tolerance = kTolerance;
  s.run(t, options);
  return t;
}

}  // namespace

TEST_CASE("potential network: a rod between two sliding joints keeps its length, and its sense") {
  // Both fall along x; the rod only ties them: q runs ahead of p, or behind it.
  for (const bool ahead : {true, false}) {
    CAPTURE(ahead);
    const Trajectory t = run(fmt::format(R"(
world: {{g: 9, n: [1, 0, 0]}}
components:
  p: {{type: Prismatic, n: [1, 0, 0], useAxisFlange: true, s: {{start: 0.2, fixed: true}}, v: {{start: 0.4, fixed: true}}}}
  q: {{type: Prismatic, n: [1, 0, 0], useAxisFlange: true}}
  a: {{type: Body, m: 1}}
  b: {{type: Body, m: 3}}
  rod: {{type: Translational.Rod, L: 0.3}}
  pull: {{type: Translational.ConstantForce, f_constant: 2}}
connections:
  - [world.frame_b, p.frame_a]
  - [world.frame_b, q.frame_a]
  - [p.frame_b, a.frame_a]
  - [q.frame_b, b.frame_a]
  - [p.axis, rod.flange_{}]
  - [rod.flange_{}, q.axis]
  - [pull.flange, q.axis]
simulation: {{stop: 1, interval: 0.1}}
outputs: [p.s, p.v, q.s, q.v, p.a, rod.s, p.f, q.f]
)",
                                         ahead ? "a" : "b", ahead ? "b" : "a"));
    const double L = ahead ? 0.3 : -0.3;
    for (size_t i = 0; i < t.time().size(); ++i) {
      const double s = t.time()[i];
      CAPTURE(s);
      CHECK(std::abs(t["q.s"][i] - t["p.s"][i] - L) < kRelation);
      CHECK(std::abs(t["q.v"][i] - t["p.v"][i]) < kRelation);
      CHECK(std::abs(t["rod.s"][i] - t["p.s"][i] - L / 2) < kRelation);
      // (1 + 3) a = 4*9 + 2; a quarter of the pull goes through the rod to p.
      CHECK(std::abs(t["p.a"][i] - 9.5) < kRelation);
      CHECK(std::abs(t["p.f"][i] - 0.5) < 1e-8);
      CHECK(std::abs(t["q.f"][i] - 1.5) < 1e-8);
      CHECK(std::abs(t["p.s"][i] - 0.2 - 0.4 * s - 9.5 * s * s / 2) < 1e-7);
    }
  }
}

TEST_CASE("potential network: a shifted disc and a gear relate the angles of two joints") {
  // j1.phi + 0.4 = 2 j2.phi; J1 + J2/4 turn as one: 2 tau_1 = -tau_2.
  const Trajectory t = run(R"(
world: {g: 0}
components:
  j1: {type: Revolute, useAxisFlange: true, phi: {start: 0.2, fixed: true}, w: {start: 1, fixed: true}}
  j2: {type: Revolute, useAxisFlange: true}
  b1: {type: Body, I_33: 2}
  b2: {type: Body, I_33: 4}
  disc: {type: Rotational.Disc, deltaPhi: 0.4}
  gear: {type: Rotational.IdealGear, ratio: 2}
  push: {type: WorldTorque, torque: [0, 0, 6]}
connections:
  - [world.frame_b, j1.frame_a]
  - [world.frame_b, j2.frame_a]
  - [j1.frame_b, b1.frame_a]
  - [j2.frame_b, b2.frame_a]
  - [push.frame_b, b1.frame_a]
  - [j1.axis, disc.flange_a]
  - [disc.flange_b, gear.flange_a]
  - [gear.flange_b, j2.axis]
simulation: {stop: 1, interval: 0.1}
outputs: [j1.phi, j2.phi, j1.w, j1.a, j2.w, j1.tau, j2.tau, disc.phi]
)");
  for (size_t i = 0; i < t.time().size(); ++i) {
    CAPTURE(t.time()[i]);
    CHECK(std::abs(t["j1.phi"][i] + 0.4 - 2 * t["j2.phi"][i]) < kRelation);
    CHECK(std::abs(t["disc.phi"][i] - t["j1.phi"][i] - 0.2) < kRelation);
    CHECK(std::abs(t["j1.w"][i] - 2 * t["j2.w"][i]) < kRelation);
    CHECK(std::abs(t["j1.a"][i] - 2) < kRelation);  // 6 = (2 + 4/4) a
    CHECK(std::abs(t["j1.tau"][i] + 2) < 1e-8);     // 2*2 = 6 - 2
    CHECK(std::abs(t["j2.tau"][i] - 4) < 1e-8);     // 4*1
  }
}
