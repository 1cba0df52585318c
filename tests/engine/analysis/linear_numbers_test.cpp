// Linear models with general numbers: what outputs read of inputs themselves, which coordinates are the
// states, and what is said of a point that changes with time alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/analysis/linear_model.h"
#include "engine/equations/model.h"
#include "engine/model_file/model_source.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

LinearModel linearOf(const std::string& text, const std::vector<std::string>& inputs = {}) {
  Simulation s = Simulation::fromText(catalogue(), text, "model.yaml");
  s.initialise();
  const MotionPoint point{s.source().simulation.start, s.y(), s.yp()};
  return linearise(s, point, {.inputs = inputs});
}

constexpr double kDifferences = 1e-7;  // of second order, steps of the cube root of rounding

/// A planar four-bar of general lengths; `starts` of its four joints.
std::string fourBar(const std::string& j1, const std::string& j2, const std::string& j3,
                    const std::string& j4) {
  return "components:\n"
         "  j1: {type: Revolute, phi: {start: 0.7, fixed: true" +
         j1 +
         "}, w: {start: 0.3}}\n"
         "  b1: {type: BodyShape, r: [0.4, 0, 0], r_CM: [0.2, 0, 0], m: 1, I_33: 0.02}\n"
         "  j2: {type: Revolute, phi: {start: -0.08" +
         j2 +
         "}}\n"
         "  b2: {type: BodyShape, r: [1.1, 0, 0], r_CM: [0.5, 0, 0], m: 1.5, I_33: 0.1}\n"
         "  j3: {type: Revolute, phi: {start: -0.62" +
         j3 +
         "}}\n"
         "  b3: {type: BodyShape, r: [0, -0.9, 0], r_CM: [0, -0.4, 0], m: 1.2, I_33: 0.1}\n"
         "  ground: {type: FixedTranslation, r: [1.2, 0, 0]}\n"
         "  j4: {type: RevolutePlanarLoopConstraint" +
         j4 +
         "}\n"
         "connections:\n"
         "  - [world.frame_b, j1.frame_a]\n  - [j1.frame_b, b1.frame_a]\n"
         "  - [b1.frame_b, j2.frame_a]\n  - [j2.frame_b, b2.frame_a]\n"
         "  - [b2.frame_b, j3.frame_a]\n  - [j3.frame_b, b3.frame_a]\n"
         "  - [world.frame_b, ground.frame_a]\n  - [b3.frame_b, j4.frame_a]\n"
         "  - [ground.frame_b, j4.frame_b]\n";
}

}  // namespace

TEST_CASE(
    "LinearModel: what outputs read of inputs themselves stands in D, beside what they move") {
  // m x'' = -c x - d x' + f + 3 u^2, with outputs that read u, f and x, in all products.
  const std::string text = R"yaml(
inputs: {u: 0.7}
components:
  mass: {type: Translational.Mass, m: 2.5, s: {start: 0.3, fixed: true}, v: {start: -0.4, fixed: true}}
  spring: {type: Translational.SpringDamper, c: 50, d: 0.3}
  ground: {type: Translational.Fixed}
  push: {type: Translational.Force, f: "3*u^2"}
connections:
  - [ground.flange, spring.flange_a]
  - [spring.flange_b, mass.flange_a]
  - [push.flange, mass.flange_b]
variables: {mixed: "mass.s*u + 2*u^3 - mass.v", rate: "5*mass.a + u"}
simulation: {stop: 1}
outputs: [mixed, rate, mass.s]
)yaml";
  const LinearModel m = linearOf(text, {"u"});
  REQUIRE(m.outputs.size() == 3);
  REQUIRE(m.states.size() == 2);
  const int s = m.states[0].unit == "m" ? 0 : 1, v = 1 - s;
  const double u = 0.7, x = 0.3, w = -0.4;
  CHECK(m.B(v, 0) == doctest::Approx(6 * u / 2.5).epsilon(kDifferences));
  CHECK(m.outputs[0].value == doctest::Approx(x * u + 2 * u * u * u - w).epsilon(1e-12));
  CHECK(m.C(0, s) == doctest::Approx(u).epsilon(1e-12));
  CHECK(m.C(0, v) == doctest::Approx(-1).epsilon(1e-12));
  CHECK(m.D(0, 0) == doctest::Approx(x + 6 * u * u).epsilon(kDifferences));
  CHECK(m.C(1, s) == doctest::Approx(-5 * 50 / 2.5).epsilon(1e-12));
  CHECK(m.C(1, v) == doctest::Approx(-5 * 0.3 / 2.5).epsilon(1e-12));
  CHECK(m.D(1, 0) == doctest::Approx(5 * 6 * u / 2.5 + 1).epsilon(kDifferences));
  CHECK(m.D(2, 0) == 0);
}

TEST_CASE("LinearModel: which coordinate of a loop is the state, stateSelect says") {
  const auto stateOf = [](const std::string& text) {
    const LinearModel m = linearOf(text);
    REQUIRE(m.states.size() == 2);
    return m.states[0].name.substr(0, 2);
  };
  for (const std::string joint : {"j1", "j2", "j3"}) {
    CAPTURE(joint);
    const auto only = [&](const std::string& name, const std::string& one,
                          const std::string& others) {
      const std::string& word = name == joint ? one : others;
      return word.empty() ? "" : ", stateSelect: " + word;
    };
    const auto with = [&](const std::string& one, const std::string& others) {
      return stateOf(
          fourBar(only("j1", one, others), only("j2", one, others), only("j3", one, others), ""));
    };
    CHECK(with("always", "") == joint);
    CHECK(with("", "avoid") == joint);
    CHECK(with("", "never") == joint);
    CHECK(with("avoid", "never") == joint);
    CHECK(with("always", "prefer") == joint);
    CHECK(with("avoid", "") != joint);
    CHECK(with("never", "avoid") != joint);
  }
}

TEST_CASE("LinearModel: at rest under what changes with time, A is said to be of this instant") {
  const std::string own =
      "variables: {x: {start: 0, fixed: true}, v: {start: 0, fixed: true}}\n"
      "equations: [\"der(x) = v\", \"der(v) = -(2 + CHANGE)*x\"]\n";
  const auto with = [&](const std::string& change) {
    return linearOf(std::string(own).replace(own.find("CHANGE"), 6, change));
  };
  const LinearModel changing = with("sin(3*time)");
  CHECK(changing.kind == LinearModel::Kind::motion);
  REQUIRE(changing.warnings.size() == 1);
  CHECK(changing.warnings[0] ==
        "nothing moves at this instant, but what acts changes with time: A is of this instant");
  const LinearModel constant = with("0.3");
  CHECK(constant.kind == LinearModel::Kind::equilibrium);
  CHECK(constant.warnings.empty());
}
