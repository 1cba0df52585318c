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
#include "engine/saved_state.h"
#include "engine/sensitivities/sensitivities.h"
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

constexpr double kInputsTolerance = 1e-10;
constexpr double kInputsNear = 1e3 * kInputsTolerance;

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
    const RunReport report = s.run(
        rows, {.stopTime = 2, .tolerance = kInputsTolerance, .integrator = method, .inputs = in});
    const auto v = [](double t) {
      const double first = std::min(t, 0.5), second = std::clamp(t - 0.5, 0.0, 0.5);
      return (2 * first * first + 2 * second - 3 * std::max(0.0, t - 1)) / 2;
    };
    for (size_t i = 0; i < rows.time().size(); ++i) {
      const double t = rows.time()[i];
      CHECK(std::abs(rows["mass.v"][i] - v(t)) < kInputsNear);
      const bool afterJump =
          t > 1 || (t == 1 && i + 1 < rows.time().size() && rows.time()[i - 1] == 1);
      const double force = afterJump ? -3 : std::min(4 * t, 2.0);
      CHECK(std::abs(rows["u"][i] - force) < 1e-12);
      CHECK(std::abs(rows["mass.a"][i] - force / 2) < kInputsNear);
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

namespace {

/// Integral of the straight pieces of a column up to its last row, and the integral of that.
struct Integrals {
  double once = 0, twice = 0;
  explicit Integrals(const InputTable& in) {
    long double first = 0, second = 0;
    const std::vector<double>&t = in.time, &u = in.values.front();
    for (size_t i = 1; i < t.size(); ++i) {
      const long double h = static_cast<long double>(t[i]) - t[i - 1];
      second += h * first + h * h * (2.0L * u[i - 1] + u[i]) / 6;
      first += h * (static_cast<long double>(u[i - 1]) + u[i]) / 2;
    }
    once = static_cast<double>(first);
    twice = static_cast<double>(second);
  }
};

/// x and s are integrals of the input, and so are speed and place of a mass of 2 kg.
constexpr const char* kIntegrators = R"yaml(
inputs: {u: 0}
variables: {x: {fixed: true}, s: {fixed: true}}
equations: ["der(x) = u", "der(s) = x"]
components:
  push: {type: Translational.Force, f: u}
  mass: {type: Translational.Mass, m: 2, s: {fixed: true}, v: {fixed: true}}
connections:
  - [push.flange, mass.flange_a]
outputs: [x, s, mass.s, mass.v]
)yaml";

struct Shape {
  const char* name;
  std::shared_ptr<InputTable> in;
};

std::vector<Shape> bentInputs() {
  std::vector<double> saw{0}, height{0}, fine, wave;
  for (int i = 1; i <= 5; ++i) {
    saw.insert(saw.end(), {i - 0.001, static_cast<double>(i)});
    height.insert(height.end(), {1, 0});
  }
  for (int i = 0; i <= 500; ++i) {
    fine.push_back(i / 100.0);
    wave.push_back(std::sin(3 * fine.back()));
  }
  return {{"triangle", table({0, 2, 2.1, 2.2, 5}, {"u"}, {{0, 0, 10, 0, 0}})},
          {"high triangle", table({0, 2, 2.1, 2.2, 5}, {"u"}, {{0, 0, 100, 0, 0}})},
          {"short triangle", table({0, 2, 2 + 1e-7, 2 + 2e-7, 5}, {"u"}, {{5, 5, 1e7, 5, 5}})},
          {"saw tooth", table(saw, {"u"}, {height})},
          {"sampled wave", table(fine, {"u"}, {wave})}};
}

}  // namespace

TEST_CASE("inputs: what bends is integrated to the tolerance, by every method") {
  for (const Shape& shape : bentInputs()) {
    CAPTURE(shape.name);
    const Integrals exact(*shape.in);
    double most = 0;
    for (const double u : shape.in->values.front()) most = std::max(most, std::abs(u));
    for (const auto method :
         {IntegratorChoice::ida, IntegratorChoice::explicitMethod, IntegratorChoice::automatic}) {
      CAPTURE(word(method));
      for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
        CAPTURE(tolerance);
        Simulation s = Simulation::fromText(catalogue(), kIntegrators, "m.yaml");
        Trajectory rows;
        const RunReport report = s.run(rows, {.stopTime = 5,
                                              .outputInterval = 1,
                                              .tolerance = tolerance,
                                              .integrator = method,
                                              .inputs = shape.in});
        // Bends are no events of the run; errors are those of the steps, and of the last digit of
        // time at 2 s in a few tens of them.
        const auto rowsOf = static_cast<double>(shape.in->time.size());
        CHECK(report.events == 0);
        const auto bound = [&](double size) {
          return (100 + rowsOf) * tolerance * (1 + std::abs(size)) + 1e-14 * (1 + most);
        };
        CHECK(std::abs(rows["x"].back() - exact.once) < bound(exact.once));
        CHECK(std::abs(rows["s"].back() - exact.twice) < bound(5 * exact.twice));
        CHECK(std::abs(rows["mass.v"].back() - exact.once / 2) < bound(exact.once));
        CHECK(std::abs(rows["mass.s"].back() - exact.twice / 2) < bound(5 * exact.twice));
      }
    }
  }
}

TEST_CASE("inputs: what bends bends a delay later again, and derivatives with it") {
  const auto in = table({0, 1, 1.1, 1.2, 5}, {"u"}, {{0, 0, 10, 0, 0}});
  const char* const text = R"yaml(
model: Bends
inputs: {u: 0}
parameters: {k: 2}
components: {late: {type: Blocks.FixedDelay, delayTime: 1.5, u: u}}
variables: {x: {fixed: true}, y: {fixed: true}}
equations: ["der(x) = k*u", "der(y) = late.y"]
outputs: [x, y]
)yaml";
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    CAPTURE(tolerance);
    Simulation s = Simulation::fromText(catalogue(), text, "m.yaml");
    Trajectory rows;
    s.run(rows, {.stopTime = 5, .outputInterval = 1, .tolerance = tolerance, .inputs = in});
    CHECK(std::abs(rows["x"].back() - 2) < 100 * tolerance);
    CHECK(std::abs(rows["y"].back() - 1) < 100 * tolerance);
  }
}

TEST_CASE("inputs: derivatives follow what bends, to the tolerance") {
  const auto in = table({0, 1, 1.1, 1.2, 5}, {"u"}, {{0, 0, 10, 0, 0}});
  const auto load = [](const std::vector<std::string>& set) {
    return Simulation::fromText(catalogue(), R"yaml(
model: Bends
inputs: {u: 0}
parameters: {k: 2}
variables: {x: {fixed: true}, s: {fixed: true}}
equations: ["der(x) = k*u", "der(s) = k*x"]
outputs: [x, s]
)yaml",
                                "m.yaml", set);
  };
  const Integrals exact(*in);
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    CAPTURE(tolerance);
    Simulation nominal = load({});
    Sensitivities s(nominal, load, {"k"}, {}, catalogue());
    Trajectory rows;
    s.run(rows, {.stopTime = 5, .outputInterval = 1, .tolerance = tolerance, .inputs = in});
    CHECK(std::abs(rows["x"].back() - 2 * exact.once) < 100 * tolerance);
    CHECK(std::abs(rows["d(x)/d(k)"].back() - exact.once) < 1000 * tolerance);
    CHECK(std::abs(rows["s"].back() - 4 * exact.twice) < 1000 * tolerance);
    CHECK(std::abs(rows["d(s)/d(k)"].back() - 4 * exact.twice) < 1000 * tolerance);
  }
}

TEST_CASE("inputs: a run that is saved where an input bends goes on bit for bit") {
  const auto in = table({0, 1, 1.1, 1.2, 5}, {"u"}, {{0, 0, 10, 0, 0}});
  Simulation s = Simulation::fromText(catalogue(), kIntegrators, "m.yaml");
  s.start({.stopTime = 5, .inputs = in});
  s.advance(1.1);
  const RunSnapshot there = s.save();
  s.advance(5);
  const double x = s.value(s.variable("x")), end = s.value(s.variable("s"));
  s.restore(there);
  s.advance(5);
  CHECK(s.value(s.variable("x")) == x);
  CHECK(s.value(s.variable("s")) == end);
  CHECK(std::abs(x - 1) < 1e-6);
}

TEST_CASE("inputs: no step runs over a held pulse, however short") {
  const double width = 1e-5;
  const auto in = table({0, 0.3, 0.3 + width}, {"u", "p[2]"}, {{0, 2e5, 0}, {0, 0, 0}}, true);
  for (const auto method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
    Simulation s = pushed();
    Trajectory rows;
    s.run(rows, {.stopTime = 1, .tolerance = kInputsTolerance, .integrator = method, .inputs = in});
    CHECK(std::abs(rows["mass.v"].back() - 2e5 * (0.3 + width - 0.3) / 2) < kInputsNear);
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
                   .tolerance = kInputsTolerance,
                   .inputs = table({0}, {"p[2]", "push.force[1]", "x"}, {{5}, {-4}, {0}})});
  CHECK(std::abs(rows["mass.r_0[1]"].back() + 2) < kInputsNear);
  CHECK(std::abs(rows["mass.r_0[2]"].back() - 2.5) < kInputsNear);
  CHECK(rows["p[1]"].back() == 1);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0] == "in.csv: columns that are no inputs of the model: x");
  SUBCASE("a run without a table has the numbers of the file again") {
    Trajectory again;
    s.run(again, {.stopTime = 1, .tolerance = kInputsTolerance});
    CHECK(std::abs(again["mass.r_0[1]"].back() - 0.5) < kInputsNear);
    CHECK(std::abs(again["mass.r_0[2]"].back() - 1) < kInputsNear);
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
  fed.start({.stopTime = 1, .tolerance = kInputsTolerance, .inputs = in});
  fed.advance(1);
  Simulation byHand = pushed({"u=1"});
  byHand.start({.stopTime = 1, .tolerance = kInputsTolerance});
  const InputHandle u = byHand.input("u");
  for (size_t i = 1; i < 3; ++i) {
    byHand.advance(in->time[i]);
    byHand.set(u, in->values[0][i]);
  }
  byHand.advance(1);
  const double v = 0.5 * (0.2 * 1 + 0.3 * 4 - 0.5 * 2);
  CHECK(std::abs(fed.value(fed.variable("mass.v")) - v) < kInputsNear);
  CHECK(std::abs(byHand.value(byHand.variable("mass.v")) - v) < kInputsNear);
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
  const LinearModel m = linearise(
      s, {0, s.y(), s.yp()}, {.inputs = {"u", "p[2]"}, .outputs = {{"mass.a", {}}, {"u", {}}}});
  REQUIRE(m.inputs.size() == 2);
  CHECK(m.inputs[0].unit == "N");
  CHECK((m.B.row(1) - Eigen::RowVector2d(0.5, 5)).cwiseAbs().maxCoeff() < 1e-14);
  CHECK((m.D - (Eigen::Matrix2d() << 0.5, 5, 1, 0).finished()).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("inputs: what is wrong is said, with its place") {
  CHECK(messageOfInputs("inputs: {u: {start: x, units: N}, time: 0, v: {size: 0}}\n") ==
        "m.yaml:1:24: error: unknown key of input 'u': 'units'; did you mean 'unit'? known are "
        "description, size, start, unit\n"
        "m.yaml:1:54: error: 'size' of input 'v' must be one or two numbers from 1, and of a "
        "million elements at most, found "
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
