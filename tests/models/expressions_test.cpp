// Expressions of the model file in a run: derivatives in inputs, long chains, what is not finite.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "engine/equations/model.h"
#include "engine/equations/not_finite.h"
#include "engine/integration/solver_error.h"
#include "engine/simulation_parts.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kExpressionsTolerance = 1e-9;  // of the integration; results hold to 100 of it

Trajectory runExpressions(const std::string& text) {
  return test::runModel(text, {.tolerance = kExpressionsTolerance}).rows;
}

/// A mass of 1 kg on a slide, pushed by `force` [N]; stop 1 s.
std::string slide(const std::string& force, const std::string& more = "") {
  return "world: {g: 0}\n"
         "components:\n"
         "  slide: {type: Prismatic, useAxisFlange: true, s: {start: 1, fixed: true},\n"
         "          v: {fixed: true}}\n"
         "  body: {type: Body, m: 1}\n"
         "  force: {type: Translational.Force2, f: \"" +
         force +
         "\"}\n"
         "connections:\n"
         "  - [world.frame_b, slide.frame_a]\n"
         "  - [slide.frame_b, body.frame_a]\n"
         "  - [slide.support, force.flange_a]\n"
         "  - [slide.axis, force.flange_b]\n"
         "outputs: [slide.s]\n" +
         more;
}

/// s'' = -10 s - s' from s = 1 at rest, after 1 s.
double dampedVibration() {
  const double w = std::sqrt(10 - 0.25);
  return std::exp(-0.5) * (std::cos(w) + 0.5 / w * std::sin(w));
}

}  // namespace

TEST_CASE("Expressions: the derivative of a position in an input is its velocity") {
  const double right = dampedVibration();
  for (const std::string rate :
       {"der(slide.s)", "der(body.r_0[1])", "der(body.frame_a.r_0[1])", "der(body.r_0)*{1, 0, 0}",
        "der(2*slide.s)/2", "der(sin(slide.s))/cos(slide.s)"}) {
    CAPTURE(rate);
    CHECK(runExpressions(slide("-10*slide.s - " + rate))["slide.s"].back() ==
          doctest::Approx(right).epsilon(100 * kExpressionsTolerance));
  }
}

TEST_CASE("Expressions: a derivative may stand in a variable that an input reads") {
  const Trajectory t =
      runExpressions(slide("-10*slide.s - rate", "variables: {x: slide.s, rate: der(x)}\n"));
  CHECK(t["slide.s"].back() ==
        doctest::Approx(dampedVibration()).epsilon(100 * kExpressionsTolerance));
}

TEST_CASE("Expressions: the derivative of a velocity in an input is an added mass") {
  // (m + 3) s'' = -16 s
  const Trajectory t = runExpressions(slide("-16*slide.s - 3*der(slide.v)"));
  CHECK(t["slide.s"].back() == doctest::Approx(std::cos(2.0)).epsilon(100 * kExpressionsTolerance));
}

TEST_CASE("Expressions: a free body is damped by the derivative of its place") {
  const Trajectory t = runExpressions(
      "world: {g: 0}\n"
      "components:\n"
      "  body: {type: Body, m: 1, r_0: {start: [1, 0, 0], fixed: true}, v_0: {fixed: true},\n"
      "         angles_fixed: true, w_0_fixed: true}\n"
      "  force: {type: WorldForce, force: [\"-10*body.r_0[1] - der(body.r_0[1])\", 0, 0]}\n"
      "connections:\n"
      "  - [body.frame_a, force.frame_b]\n"
      "outputs: [\"body.r_0[1]\"]\n");
  CHECK(t["body.r_0[1]"].back() ==
        doctest::Approx(dampedVibration()).epsilon(100 * kExpressionsTolerance));
}

TEST_CASE("Expressions: a chain of thousands of variables is one value") {
  constexpr int kLength = 5000;
  std::string text = slide("0") + "variables:\n";
  for (int i = 0; i < kLength; ++i) {
    text += "  p" + std::to_string(i) + ": p" + std::to_string(i + 1) + " + 1\n";
  }
  text += "  p" + std::to_string(kLength) + ": slide.s\n";
  text.replace(text.find("[slide.s]"), 9, "[p0]");
  text += "simulation: {interval: 0.5}\n";
  CHECK(runExpressions(text)["p0"].back() == kLength + 1);
}

TEST_CASE("Expressions: variables that share what they read are evaluated once each") {
  // Fibonacci's numbers, were each use an evaluation: 1e18 of them.
  std::string text = slide("p90 - p90") + "variables:\n  p0: slide.s\n  p1: slide.s\n";
  for (int i = 2; i <= 90; ++i) {
    const auto p = [&](int k) { return "p" + std::to_string(i - k); };
    text += "  " + p(0) + ": 0.5*" + p(1) + " + 0.5*" + p(2) + "\n";
  }
  text.replace(text.find("[slide.s]"), 9, "[p90]");
  text += "simulation: {interval: 0.5}\n";
  CHECK(runExpressions(text)["p90"].back() == 1);
}

TEST_CASE("Start: angles of many turns are kept, and nothing has to be searched for") {
  for (const double turns : {1.0, 125.0, -1e6}) {
    CAPTURE(turns);
    const double angle = turns * 2 * std::numbers::pi + 0.1;
    const std::string value = "{start: " + formatNumber(angle) + ", fixed: true}";
    const Trajectory t = runExpressions(
        "world: {g: 0}\n"
        "components:\n"
        "  free: {type: FreeMotionScalarInit, use_angle: true, angle_1: " +
        value + ", angle_2: {start: 0.3, fixed: true}, angle_3: " + value +
        ",\n"
        "         angle_1_stateSelect: always, use_angle_d: true, angle_d_1: {fixed: true},\n"
        "         angle_d_2: {fixed: true}, angle_d_3: {fixed: true}}\n"
        "  body: {type: Body}\n"
        "connections:\n"
        "  - [world.frame_b, free.frame_a]\n"
        "  - [free.frame_b, body.frame_a]\n"
        "outputs: [free.angle_1, free.angle_2, free.angle_3]\n");
    CHECK(t["free.angle_1"].front() == doctest::Approx(angle).epsilon(1e-12));
    CHECK(t["free.angle_2"].front() == doctest::Approx(0.3).epsilon(1e-12));
    CHECK(t["free.angle_3"].front() == doctest::Approx(angle).epsilon(1e-12));
  }
}

TEST_CASE("Expressions: what is not finite is named with its place in the file") {
  Simulation s = Simulation::fromText(
      catalogue(), slide("1 + inner", "variables: {inner: 2*deeper, deeper: 1/(slide.s - 3)}\n"));
  s.initialise();
  const Equations& equations = *s.parts().equations;
  Workspace<double> w = equations.makeWorkspace<double>();
  const auto at = [&](double position) {
    std::fill(w.y.begin(), w.y.end(), position);
    return whatIsNotFinite(equations, w);
  };
  CHECK(!at(1));
  const auto fault = at(3);
  REQUIRE(fault);
  CHECK(fault->format() ==
        "model.yaml:13:39: error: division by zero in '1/(slide.s - 3)', for 'force.f'");
}

TEST_CASE("Expressions: a run that cannot be computed further says which expression is at fault") {
  const auto messageOf = [](const std::string& force, const std::string& result) {
    Simulation s = Simulation::fromText(catalogue(), R"yaml(
components:
  push: {type: Translational.Force, f: ")yaml" + force + R"yaml("}
  mass: {type: Translational.Mass, m: 1, s: {fixed: true}, v: {start: 1, fixed: true}}
connections:
  - [push.flange, mass.flange_a]
variables: {shown: ")yaml" + result + R"yaml("}
simulation: {stop: 2}
outputs: [mass.s, shown]
)yaml");
    Trajectory rows;
    try {
      s.run(rows);
    } catch (const SolverError& error) {
      CHECK(rows.time().size() > 10);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  const std::string root = messageOf("sqrt(0.5 - mass.s)", "0");
  contains(root, "because: ");
  contains(root,
           "'sqrt(0.5 - mass.s)', for 'push.f'; where it is to end at that border, write "
           "max(0.5 - mass.s, 0) in place of '0.5 - mass.s' (model.yaml:3:41)");
  const std::string logarithm = messageOf("0", "log(0.5 - mass.s)");
  contains(logarithm, "a result is infinite or not a number");
  contains(logarithm, "'log(0.5 - mass.s)' (model.yaml:7:21)");
}
