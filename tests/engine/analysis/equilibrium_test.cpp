// Equilibria against closed forms; where there is none, it is said.
#include "engine/analysis/equilibrium.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "components/catalogue.h"
#include "engine/analysis/analysis_error.h"
#include "engine/analysis/modes.h"
#include "engine/integration/multibody_system.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

struct Rested {
  Simulation simulation;
  Equilibrium rest;
  double value(const std::string& unknown) const {
    const Layout& l = simulation.model().assembly().layout;
    for (size_t i = 0; i < l.unknowns.size(); ++i) {
      if (l.unknowns[i].name == unknown) return rest.point.y[i];
    }
    FAIL("no unknown " << unknown);
    return 0;
  }
};

Rested restOf(const std::string& text) {
  Simulation s = Simulation::fromText(catalogue(), text);
  s.initialise();
  const MotionPoint start{s.model().description().simulation.start, s.y(), s.yp()};
  Equilibrium rest = findEquilibrium(s.model(), s.system().equations(), start);
  return {std::move(s), std::move(rest)};
}

}  // namespace

TEST_CASE("Equilibrium: a mass on a spring hangs where the spring carries it") {
  const Rested r = restOf(R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  slide: {type: Prismatic, n: [0, -1, 0], s: {start: 0.1}}
  mass: {type: Body, m: 3, r_CM: [0, 0, 0]}
  spring: {type: Spring, c: 200, s_unstretched: 0.2}
connections:
  - [world.frame_b, slide.frame_a]
  - [slide.frame_b, mass.frame_a]
  - [world.frame_b, spring.frame_a]
  - [slide.frame_b, spring.frame_b]
simulation: {stop: 1}
outputs: [slide.s]
)yaml");
  REQUIRE(r.rest.found);
  CHECK(r.value("slide.s") == doctest::Approx(0.2 + 3 * 9.81 / 200).epsilon(1e-10));
}

TEST_CASE("Equilibrium: a chain between two points hangs in the catenary of its links") {
  // The tangents of the links' angles form an arithmetic sequence: each joint carries one weight.
  constexpr int n = 7;
  std::string text = "world: {g: 9.81, n: [0, -1, 0]}\ncomponents:\n";
  std::string connections = "connections:\n", before = "world.frame_b";
  for (int i = 1; i <= n - 1; ++i) {
    const double x = 5.0 * i / n, y = -2.0 * std::sin(std::numbers::pi * i / n);
    text += fmt::format("  p{}: {{type: PointMass, m: 1, r_0: {{start: [{}, {}, 0]}}}}\n", i, x, y);
  }
  text += "  end: {type: Fixed, r: [5, 0, 0]}\n";
  for (int i = 1; i <= n; ++i) {
    const std::string after = i < n ? fmt::format("p{}.frame_a", i) : "end.frame_b";
    text += fmt::format("  s{}: {{type: SphericalSpherical, rodLength: 1}}\n", i);
    connections +=
        fmt::format("  - [{0}, s{1}.frame_a]\n  - [s{1}.frame_b, {2}]\n", before, i, after);
    before = after;
  }
  const Rested r = restOf(text + connections + "simulation: {stop: 1}\noutputs: [p1.r_0]\n");
  REQUIRE(r.rest.found);
  double x = 0, y = 0, last = 0, step = 0;
  for (int i = 1; i <= n; ++i) {
    const double nextX = i < n ? r.value(fmt::format("p{}.r_0[1]", i)) : 5;
    const double nextY = i < n ? r.value(fmt::format("p{}.r_0[2]", i)) : 0;
    const double tangent = (nextY - y) / (nextX - x);
    CHECK(std::hypot(nextX - x, nextY - y) == doctest::Approx(1).epsilon(1e-9));
    if (i == 2) step = tangent - last;
    if (i > 2) CHECK(tangent - last == doctest::Approx(step).epsilon(1e-8));
    last = tangent;
    x = nextX;
    y = nextY;
  }
  CHECK(step > 0.1);  // it hangs
}

TEST_CASE("Equilibrium: what falls freely, and what is driven, rests nowhere") {
  const Rested r = restOf(R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  body: {type: PointMass, m: 1}
simulation: {stop: 1}
outputs: [body.r_0]
)yaml");
  CHECK_FALSE(r.rest.found);
  REQUIRE(!r.rest.unbalanced.empty());
  CHECK(r.rest.unbalanced.front().name == "body.v_0[2]");
  CHECK(r.rest.unbalanced.front().rate == doctest::Approx(-9.81));
  CHECK(explainNoEquilibrium(r.rest).find("der(body.v_0[2]) = -9.81 (m/s)/s") != std::string::npos);
}

TEST_CASE("Equilibrium: a pendulum that starts near its upper point is told to be unstable there") {
  Rested r = restOf(R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  hinge: {type: Revolute, phi: {start: 1.5}}
  bob: {type: Body, m: 1, r_CM: [1, 0, 0], I_11: 0, I_22: 0, I_33: 0}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, bob.frame_a]
simulation: {stop: 1}
outputs: [hinge.phi]
)yaml");
  REQUIRE(r.rest.found);
  CHECK(r.value("hinge.phi") == doctest::Approx(std::numbers::pi / 2).epsilon(1e-10));
  const LinearModel m =
      linearise(r.simulation.model(), r.simulation.system().equations(), r.rest.point);
  CHECK(m.kind == LinearModel::Kind::equilibrium);
  const ModalAnalysis a = findModes(m);
  CHECK(a.unstable == 1);
  CHECK(std::abs(a.modes.front().eigenvalue.real()) ==
        doctest::Approx(std::sqrt(9.81)).epsilon(1e-12));
}
