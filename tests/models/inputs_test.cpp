// Inputs of a model file: read everywhere, fed by tables, by hand, by matrices; met exactly by the
// steps; and what is wrong with them, word for word.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/analysis/linear_model.h"
#include "engine/integration/input_feed.h"
#include "engine/integration/multibody_system.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

/// A mass of 2 kg that two inputs push, one by a connection and one in an expression.
const char* const kPushed = R"yaml(
inputs:
  u: {unit: N, start: 0, description: push}
  p: {size: 2, start: [0, 0]}
components:
  mass: {type: Translational.Mass, m: 2, s: {fixed: true}, v: {fixed: true}}
  push: {type: Translational.Force}
  more: {type: Translational.Force, f: "p[1] + 10*p[2]"}
connections:
  - [u, push.f]
  - [push.flange, mass.flange_a]
  - [more.flange, mass.flange_b]
variables: {slope: der(u), on: "if u > 1 then 1 else 0"}
outputs: [mass.s, mass.v, mass.a, u, p, slope, on]
)yaml";

std::shared_ptr<InputTable> table(std::vector<double> time, std::vector<std::string> names,
                                  std::vector<std::vector<double>> values, bool held = false) {
  return std::make_shared<InputTable>(
      InputTable{"in.csv", std::move(time), std::move(names), std::move(values), held});
}

Simulation pushed(const std::vector<std::string>& set = {}) {
  return Simulation::fromText(catalogue(), kPushed, "m.yaml", set);
}

constexpr double kTolerance = 1e-10;
constexpr double kNear = 1e3 * kTolerance;

std::string messageOfInputs(const std::string& text) {
  try {
    Simulation::fromText(catalogue(), text, "m.yaml");
  } catch (const ModelError& e) {
    std::string all;
    for (const Diagnostic& d : e.diagnostics().all()) all += d.format() + "\n";
    return all;
  }
  return "";
}

}  // namespace

TEST_CASE("inputs: one without a size has those of its start, one element or a matrix") {
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
inputs: {a: {start: [1]}, b: {start: [[2, 3], [4, 5]]}}
variables: {x: "a[1]", y: "b[2,1]"}
outputs: [x, y, "a[1]", b]
)yaml",
                                      "m.yaml", {"a=[7]"});
  Trajectory rows;
  s.run(rows, {.stopTime = 0.1});
  CHECK(rows["x"].back() == 7);
  CHECK(rows["y"].back() == 4);
  CHECK(rows["a[1]"].back() == 7);
  CHECK(rows["b[1,2]"].back() == 3);
}

TEST_CASE("inputs: straight pieces and a jump move a mass by their integrals") {
  // u = 4 t to 0.5 s, 2 to 1 s, there down to -3, and -3 ever after
  const auto in = table({0, 0.5, 1, 1, 1.2}, {"u"}, {{0, 2, 2, -3, -3}});
  for (const auto method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
    CAPTURE(word(method));
    Simulation s = pushed();
    Trajectory rows;
    const RunReport report =
        s.run(rows, {.stopTime = 2, .tolerance = kTolerance, .integrator = method, .inputs = in});
    const auto v = [](double t) {
      const double first = std::min(t, 0.5), second = std::clamp(t - 0.5, 0.0, 0.5);
      return (2 * first * first + 2 * second - 3 * std::max(0.0, t - 1)) / 2;
    };
    for (size_t i = 0; i < rows.time().size(); ++i) {
      const double t = rows.time()[i];
      CHECK(std::abs(rows["mass.v"][i] - v(t)) < kNear);
      const bool afterJump =
          t > 1 || (t == 1 && i + 1 < rows.time().size() && rows.time()[i - 1] == 1);
      const double force = afterJump ? -3 : std::min(4 * t, 2.0);
      CHECK(std::abs(rows["u"][i] - force) < 1e-12);
      CHECK(std::abs(rows["mass.a"][i] - force / 2) < kNear);
      if (t > 0 && t < 0.499) CHECK(rows["slope"][i] == doctest::Approx(4).epsilon(1e-12));
      if (std::abs(t - 0.25) > 1e-9) CHECK(rows["on"][i] == (force > 1 ? 1 : 0));
    }
    // u > 1 turns true at 0.25 s exactly; at 1 s the jump and the condition are one event.
    REQUIRE(report.events == 2);
    CHECK(report.eventRecords[0].time == doctest::Approx(0.25).epsilon(1e-12));
    CHECK(report.eventRecords[1].time == 1);
    CHECK(report.eventRecords[1].changed ==
          std::vector<std::string>{"u", "if u > 1 then 1 else 0"});
  }
}

TEST_CASE("inputs: no step runs over a held pulse, however short") {
  const double width = 1e-5;
  const auto in = table({0, 0.3, 0.3 + width}, {"u", "p[2]"}, {{0, 2e5, 0}, {0, 0, 0}}, true);
  for (const auto method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
    Simulation s = pushed();
    Trajectory rows;
    s.run(rows, {.stopTime = 1, .tolerance = kTolerance, .integrator = method, .inputs = in});
    CHECK(std::abs(rows["mass.v"].back() - 2e5 * (0.3 + width - 0.3) / 2) < kNear);
  }
}

TEST_CASE("inputs: elements of vectors and inputs of components are fed by their names") {
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
inputs: {p: {start: [1, 2]}}
components:
  mass: {type: PointMass, m: 1, r_0: {fixed: true}, v_0: {fixed: true}}
  push: {type: WorldForce, force: [1, "p[2]", 0]}
connections: [[push.frame_b, mass.frame_a]]
world: {gravityType: NoGravity}
outputs: [mass.r_0, p]
)yaml");
  Trajectory rows;
  const RunReport report =
      s.run(rows, {.stopTime = 1,
                   .tolerance = kTolerance,
                   .inputs = table({0}, {"p[2]", "push.force[1]", "x"}, {{5}, {-4}, {0}})});
  CHECK(std::abs(rows["mass.r_0[1]"].back() + 2) < kNear);
  CHECK(std::abs(rows["mass.r_0[2]"].back() - 2.5) < kNear);
  CHECK(rows["p[1]"].back() == 1);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0] == "in.csv: columns that are no inputs of the model: x");
  SUBCASE("a run without a table has the numbers of the file again") {
    Trajectory again;
    s.run(again, {.stopTime = 1, .tolerance = kTolerance});
    CHECK(std::abs(again["mass.r_0[1]"].back() - 0.5) < kNear);
    CHECK(std::abs(again["mass.r_0[2]"].back() - 1) < kNear);
  }
}

TEST_CASE("inputs: a straight one prescribes a motion with its slope as velocity") {
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
inputs: {phi: {unit: rad}}
components:
  hinge: {type: Revolute, useAxisFlange: true}
  body:  {type: Body, m: 1, r_CM: [0.3, 0, 0]}
  drive: {type: Rotational.Position, exact: true, phi_ref: phi}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, body.frame_a]
  - [drive.flange, hinge.axis]
outputs: [hinge.phi, hinge.w]
)yaml");
  Trajectory rows;
  s.run(rows, {.stopTime = 1, .inputs = table({0, 0.4, 1.4}, {"phi"}, {{0, 0.8, -0.2}})});
  for (size_t i = 0; i < rows.time().size(); ++i) {
    const double t = rows.time()[i];
    CHECK(std::abs(rows["hinge.phi"][i] - (t < 0.4 ? 2 * t : 0.8 - (t - 0.4))) < 1e-9);
    if (std::abs(t - 0.4) > 1e-9) CHECK(std::abs(rows["hinge.w"][i] - (t < 0.4 ? 2 : -1)) < 1e-9);
  }
}

TEST_CASE("inputs: set by hand they are what a held table feeds") {
  const auto in = table({0, 0.2, 0.5}, {"u"}, {{1, 4, -2}}, true);
  Simulation fed = pushed();
  fed.start({.stopTime = 1, .tolerance = kTolerance, .inputs = in});
  fed.advance(1);
  Simulation byHand = pushed({"u=1"});
  byHand.start({.stopTime = 1, .tolerance = kTolerance});
  const InputHandle u = byHand.input("u");
  for (size_t i = 1; i < 3; ++i) {
    byHand.advance(in->time[i]);
    byHand.set(u, in->values[0][i]);
  }
  byHand.advance(1);
  const double v = 0.5 * (0.2 * 1 + 0.3 * 4 - 0.5 * 2);
  CHECK(std::abs(fed.value(fed.variable("mass.v")) - v) < kNear);
  CHECK(std::abs(byHand.value(byHand.variable("mass.v")) - v) < kNear);
  CHECK(byHand.input("p[2]").number == 6);
  CHECK_THROWS_WITH_AS(byHand.input("w"), "'w' is no input that has a number in the model file",
                       std::out_of_range);
}

TEST_CASE("inputs: a fed run that is restored goes on bit for bit") {
  const auto in =
      table({0, 0.21, 0.4, 0.4, 0.9}, {"u", "p[1]"}, {{0, 3, 1, -1, 2}, {1, 0, 2, 2, -5}});
  const RunOptions options{.stopTime = 1, .tolerance = 1e-7, .inputs = in};
  Simulation s = pushed();
  s.start(options);
  s.advance(0.3);
  const auto saved = s.save();
  s.advance(1);
  const std::vector<double> end = s.y();
  Simulation other = s.another();
  other.start(options);
  other.restore(saved);
  other.advance(1);
  CHECK(other.y() == end);
}

TEST_CASE("inputs: linear models take them") {
  Simulation s = pushed();
  s.initialise();
  const LinearModel m =
      linearise(s.model(), s.system().equations(), {0, s.y(), s.yp()},
                {.inputs = {"u", "p[2]"}, .outputs = {{"mass.a", {}}, {"u", {}}}});
  REQUIRE(m.inputs.size() == 2);
  CHECK(m.inputs[0].unit == "N");
  CHECK((m.B.row(1) - Eigen::RowVector2d(0.5, 5)).cwiseAbs().maxCoeff() < 1e-14);
  CHECK((m.D - (Eigen::Matrix2d() << 0.5, 5, 1, 0).finished()).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("inputs: what is wrong is said, with its place") {
  CHECK(messageOfInputs("inputs: {u: {start: x, units: N}, time: 0, v: {size: 0}}\n") ==
        "m.yaml:1:24: error: unknown key of input 'u': 'units'; did you mean 'unit'? known are "
        "description, size, start, unit\n"
        "m.yaml:1:54: error: 'size' of input 'v' must be one or two numbers from 1 to 1000, found "
        "'0'\n"
        "m.yaml:1:35: error: name 'time' is taken: in expressions it is the time of the run; give "
        "the input another one\n"
        "m.yaml:1:21: error: 'start' of input 'u': unknown name 'x'\n");
}

TEST_CASE("inputs: a table that does not fit is refused") {
  const auto refused = [](const std::shared_ptr<InputTable>& in) -> std::string {
    Simulation s = pushed();
    Trajectory rows;
    try {
      s.run(rows, {.inputs = in});
    } catch (const ModelError& e) {
      return e.diagnostics().all().front().format();
    }
    return "";
  };
  CHECK(
      refused(table({0}, {"q[1]"}, {{1}})) ==
      "in.csv: error: none of its columns is an input of the model; 'q[1]': did you mean 'p[1]'?; "
      "its inputs are u, p[1], p[2]");
  CHECK(refused(table({0, 1}, {"u"}, {{0, std::nan("")}})) ==
        "in.csv: error: input 'u' must be a finite number, found nan at 1 s");
}
