/// What the start takes for a contradiction.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "components/catalogue.h"
#include "engine/expression/value.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

/// A joint and a sensor on it, both fixed.
std::string twice(double joint, double sensor) {
  return fmt::format(R"(
world: {{g: 0}}
components:
  j: {{type: Revolute, phi: {{start: {:.17g}, fixed: true}}, w: {{start: 1, fixed: true}}}}
  b: {{type: Body}}
  s: {{type: RelativeAngles, angles: {{start: [0, 0, {:.17g}], fixed: [false, false, true]}}}}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [world.frame_b, s.frame_a]
  - [b.frame_a, s.frame_b]
simulation: {{stop: 1, interval: 1}}
outputs: [j.phi]
)",
                     joint, sensor);
}

/// A four-bar, its crank placed; of the rocker the guess. Its names end in `name`.
std::string fourBar(const std::string& name, double crank, double rocker) {
  return fmt::format(R"(
  g{0}: {{type: FixedTranslation, r: [2, 0, 0]}}
  a{0}: {{type: Revolute, n: [0, 0, 1], phi: {{start: {1}, fixed: true}}, w: {{start: 1, fixed: true}}}}
  A{0}: {{type: BodyCylinder, r: [1, 0, 0], diameter: 0.05}}
  b{0}: {{type: Revolute, n: [0, 0, 1]}}
  B{0}: {{type: BodyCylinder, r: [2.2, 0, 0], diameter: 0.05}}
  d{0}: {{type: Revolute, n: [0, 0, 1], phi: {{start: {2}}}}}
  D{0}: {{type: BodyCylinder, r: [1.5, 0, 0], diameter: 0.05}}
  e{0}: {{type: Revolute, n: [0, 0, 1]}})",
                     name, crank, rocker);
}

std::string connected(const std::string& name) {
  std::string text;
  for (const auto& [a, b] : {std::pair{"world.frame_b", "a.frame_a"},
                             {"world.frame_b", "g.frame_a"},
                             {"a.frame_b", "A.frame_a"},
                             {"A.frame_b", "b.frame_a"},
                             {"b.frame_b", "B.frame_a"},
                             {"g.frame_b", "d.frame_a"},
                             {"d.frame_b", "D.frame_a"},
                             {"B.frame_b", "e.frame_a"},
                             {"e.frame_b", "D.frame_b"}}) {
    std::string from = a, to = b;
    if (from[0] != 'w') from.insert(1, name);
    text += fmt::format("\n  - [{}, {}]", from, to.insert(1, name));
  }
  return text;
}

}  // namespace

TEST_CASE("start: a loop among many starts as it does alone, from near and from far guesses") {
  constexpr int kLoops = 12;
  std::string components = "components:", connections = "\nconnections:";
  std::vector<double> rockers;
  for (int i = 0; i < kLoops; ++i) {
    const std::string name = std::to_string(i);
    const std::string one = fourBar(name, 0.6 + 0.1 * i, i % 3 == 0 ? 4.0 : 0.9 + 0.3 * (i % 4));
    Simulation alone =
        Simulation::fromText(catalogue(), "components:" + one + "\nconnections:" + connected(name));
    alone.start({.stopTime = 1, .outputs = std::vector<std::string>{"d" + name + ".phi"}});
    rockers.push_back(alone.value(alone.variable("d" + name + ".phi")));
    components += one;
    connections += connected(name);
  }
  Simulation all = Simulation::fromText(catalogue(), components + connections);
  all.start({.stopTime = 1, .outputs = std::vector<std::string>{"d*.phi"}});
  for (int i = 0; i < kLoops; ++i) {
    CAPTURE(i);
    CHECK(std::abs(all.value(all.variable(fmt::format("d{}.phi", i))) - rockers[i]) < 1e-9);
  }
}

TEST_CASE(
    "start: two fixed values that differ by 1e-7 contradict each other, by roundoff they agree") {
  for (double phi : {0.3, 3.0}) {
    CAPTURE(phi);
    Simulation agreed = Simulation::fromText(catalogue(), twice(phi, phi * (1 + 1e-15)));
    Trajectory t;
    agreed.run(t);
    CHECK(std::abs(t["j.phi"].back() - phi - 1) < 1e-9);
    for (double by : {1e-7, -1e-7, 1e-3}) {
      CAPTURE(by);
      Simulation s = Simulation::fromText(catalogue(), twice(phi, phi + by), "start.yaml");
      try {
        s.initialise();
        FAIL("no contradiction");
      } catch (const ModelError& e) {
        const std::string said = e.what();
        CHECK(said.find("Revolute 'j'") != std::string::npos);
        CHECK(said.find("RelativeAngles 's'") != std::string::npos);
      }
    }
  }
}

TEST_CASE("Start: an arm placed by its tip takes the branch that keeps what is to be kept") {
  // The tip at (1.2, 0.5): phi of j1 is 1.057 with the elbow up, -0.268 with it down.
  for (const char* fixed : {"true", "[true, true, false]"}) {
    CAPTURE(fixed);
    Simulation s = Simulation::fromText(catalogue(), std::string(R"yaml(
components:
  j1: {type: Revolute, stateSelect: always, phi: {start: 0.9}}
  a1: {type: BodyBox, r: [1, 0, 0]}
  j2: {type: Revolute, stateSelect: avoid, phi: {start: 1.5}}
  a2: {type: BodyBox, r: [0.8, 0, 0]}
  tip: {type: AbsolutePosition, resolveInFrame: world, r: {start: [1.2, 0.5, 0], fixed: )yaml") +
                                                         fixed + R"yaml(}}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, a1.frame_a]
  - [a1.frame_b, j2.frame_a]
  - [j2.frame_b, a2.frame_a]
  - [a2.frame_b, tip.frame_a]
simulation: {stop: 0.001}
outputs: [j1.phi]
)yaml");
    Trajectory rows;
    s.run(rows);
    CHECK(std::abs(rows["j1.phi"].front() - 1.0572836956987622) < 1e-9);
  }
}

TEST_CASE(
    "Start: a body that is to be at rest is found on an elastic floor, from above it as well") {
  // k depth^1.5 = m g at a depth of 1 cm.
  for (const double above : {-0.002, 0.0001, 0.01, 0.05}) {
    CAPTURE(above);
    Simulation s =
        Simulation::fromText(catalogue(), R"yaml(
world: {g: 10, n: [0, 0, -1]}
components:
  j: {type: Prismatic, n: [0, 0, 1], s: {start: )yaml" +
                                              formatNumber(0.1 + above) +
                                              R"yaml(}, v: {fixed: true}, a: {fixed: true}}
  b: {type: Body, m: 1, r_CM: [0, 0, 0]}
  c: {type: Contact.SpherePlane, radius: 0.1, n: [0, 0, 1], k: 1e4, damping: 1}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [world.frame_b, c.frame_a]
  - [c.frame_b, b.frame_a]
simulation: {stop: 1}
outputs: [j.s, j.a, c.touching]
)yaml");
    Trajectory rows;
    s.run(rows);
    CHECK(std::abs(rows["j.s"].front() - 0.09) < 1e-9);
    CHECK(std::abs(rows["j.a"].front()) < 1e-7);
    CHECK(std::abs(rows["j.s"].back() - 0.09) < 1e-6);
    CHECK(rows["c.touching"].front() == 1);
  }
}

TEST_CASE("Start: what is fixed holds in the branches, limits and contacts of what is found") {
  // 10 N, a spring of 1 N/m and five times what is limited to 0.5: at rest at 7.5 m.
  const char* mass = R"yaml(
components:
  m:  {type: Translational.Mass, s: {start: @}, v: {fixed: true}, a: {fixed: true}}
  fx: {type: Translational.Fixed}
  sp: {type: Translational.Spring, c: 1}
  k:  {type: Translational.ConstantForce, f_constant: 10}
  lim: {type: Blocks.Limiter, uMax: 0.5, u: m.s}
  f:  {type: Translational.Force, f: "-5*lim.y"}
connections:
  - [fx.flange, sp.flange_a]
  - [sp.flange_b, m.flange_a]
  - [k.flange, m.flange_b]
  - [f.flange, m.flange_b]
outputs: [m.s]
)yaml";
  const char* equation = R"yaml(
variables: {x: {start: @}}
equations: ["der(x) = 10 - x - 5*(if x > 0.5 then 0.5 elseif x < -0.5 then -0.5 else x)"]
initial_equations: ["der(x) = 0"]
outputs: [x]
)yaml";
  // A table's interval: 1 + 3 s between 0 and 1.
  const char* table = R"yaml(
components:
  m: {type: Translational.Mass, s: {start: @}, v: {fixed: true}}
  t: {type: Blocks.CombiTable1Ds, table: [[-1, 0], [0, 1], [1, 4], [2, 4.5]], u: m.s}
initial_equations: ["t.y[1] = 1.888"]
outputs: [m.s]
)yaml";
  // Upper and lower limit lead to each other: at rest between them, at 1/(1 + 50).
  std::string steep = mass;
  steep.replace(steep.find("f_constant: 10"), 14, "f_constant: 1");
  steep.replace(steep.find("-5*lim.y"), 8, "-50*lim.y");
  for (const auto& [text, expected] : {std::pair<std::string, double>{mass, 7.5},
                                       {steep, 1.0 / 51},
                                       {equation, 7.5},
                                       {table, 0.296}}) {
    for (const char* guess : {"-5", "-2.9", "0", "0.4", "3", "20"}) {
      std::string model = text;
      model.replace(model.find('@'), 1, guess);
      CAPTURE(guess);
      CAPTURE(model);
      Simulation s = Simulation::fromText(catalogue(), model, "model.yaml");
      s.initialise();
      Trajectory rows;
      RunOptions options;
      options.stopTime = 1e-3;
      s.run(rows, options);
      CHECK(rows[text == equation ? "x" : "m.s"].front() ==
            doctest::Approx(expected).epsilon(1e-9));
    }
  }
}

TEST_CASE("Start: what could be met by a branch alone that does not hold there is refused") {
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
variables: {x: {start: 0}}
equations: ["der(x) = if x > 1 then 2 elseif x < -1 then -3 else 4 + x"]
initial_equations: ["der(x) = 0"]
)yaml",
                                      "model.yaml");
  std::string message;
  try {
    s.initialise();
  } catch (const ModelError& e) {
    message = e.what();
  }
  CHECK(message.find("no consistent start was found: what is fixed there") != std::string::npos);
}
