// A start that fails says who is concerned and where that stands; what it finds is shown.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/result_metadata.h"
#include "engine/simulation.h"
#include "engine/text/diagnostics.h"

using namespace cardan;

namespace {

std::string messageOfStartWords(const std::string& text) {
  try {
    Simulation s = Simulation::fromText(catalogue(), text, "m.yaml");
    s.initialise();
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Crank and rod of one length; folded onto each other the slider may stay or leave.
const char* const kFoldedSlider = R"yaml(components:
  j1: {type: Revolute, phi: {start: 1.5707963267948966, fixed: true}, w: {start: 5, fixed: true}}
  b1: {type: BodyBox, r: [0.5, 0, 0], width: 0.05}
  j2: {type: Revolute}
  b2: {type: BodyBox, r: [0.5, 0, 0], width: 0.05}
  j3: {type: Revolute}
  p: {type: Prismatic, n: [1, 0, 0], s: {start: 1}}
  b3: {type: Body, m: 1}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, b1.frame_a]
  - [b1.frame_b, j2.frame_a]
  - [j2.frame_b, b2.frame_a]
  - [b2.frame_b, j3.frame_a]
  - [j3.frame_b, b3.frame_a]
  - [world.frame_b, p.frame_a]
  - [p.frame_b, b3.frame_a]
)yaml";

/// A pendulum whose axis two drives want to move.
const char* const kTwoDrives = R"yaml(components:
  rev:  {type: Revolute, useAxisFlange: true}
  body: {type: Body, m: 1, r_CM: [1, 0, 0]}
  p1: {type: Rotational.Position, exact: true, phi_ref: "0.1*sin(time)"}
  p2: {type: Rotational.Speed, exact: true, w_ref: 1}
connections:
  - [world.frame_b, rev.frame_a]
  - [rev.frame_b, body.frame_a]
  - [p1.flange, rev.axis]
  - [p2.flange, rev.axis]
)yaml";

}  // namespace

TEST_CASE("start: a singular position that no motion leaves names the loop") {
  const std::string message = messageOfStartWords(kFoldedSlider);
  CHECK(contains(message,
                 "m.yaml:6:3: error: Revolute 'j3': the start is a singular position of "
                 "the loop over"));
}

TEST_CASE("start: two drives of one axis are both named, with what remains open") {
  const std::string message = messageOfStartWords(kTwoDrives);
  CHECK(contains(message, "m.yaml:4:3: "));
  CHECK(contains(message, "m.yaml:5:3: "));
  CHECK(contains(message, "together with"));
}

TEST_CASE("start: an equation without slope at its guess asks for another one, which solves it") {
  const std::string model = R"yaml(components:
  rev:  {type: Revolute}
  body: {type: Body, m: 1, r_CM: [1, 0, 0]}
variables: {y: {)yaml";
  const std::string rest = R"yaml(}}
equations: ["y^2 = 4"]
connections: [[world.frame_b, rev.frame_a], [rev.frame_b, body.frame_a]]
simulation: {stop: 0.01}
outputs: [y]
)yaml";
  CHECK(contains(messageOfStartWords(model + "start: 0" + rest), "m.yaml:4:13: error: "));
  for (const auto& [guess, wanted] :
       {std::pair{"", 2.0}, std::pair{"start: 1", 2.0}, std::pair{"start: -3", -2.0}}) {
    Simulation s = Simulation::fromText(catalogue(), model + guess + rest, "m.yaml");
    Trajectory t;
    s.run(t);
    CHECK(std::abs(t["y"].back() - wanted) < 1e-10);
  }
}

TEST_CASE("start: a part of one-dimensional mechanics without inertia is located") {
  const std::string message = messageOfStartWords(R"yaml(components:
  b: {type: Body}
  lone: {type: Rotational.AccSensor}
connections: [[world.frame_b, b.frame_a]]
)yaml");
  CHECK(contains(message, "m.yaml:3:3: error: "));
  CHECK(contains(message, "'lone.flange.phi'"));
}

TEST_CASE(
    "start: a sensor of acceleration between springs says why there is none, and what there is") {
  const std::string parts = R"yaml(components:
  f: {type: Translational.Fixed}
  s1: {type: Translational.Spring, c: 10}
  s2: {type: Translational.Spring, c: 30}
  m: {type: Translational.Mass, m: 1, s: {start: 1, fixed: true}, v: {fixed: true}}
)yaml";
  const std::string connections =
      "connections: [[f.flange, s1.flange_a], [s1.flange_b, s2.flange_a], [s2.flange_b, "
      "m.flange_a]";
  CHECK(contains(
      messageOfStartWords(parts + "  a: {type: Translational.AccSensor}\n" + connections +
                          ", [a.flange, s1.flange_b]]\n"),
      "m.yaml:6:3: error: Translational.AccSensor 'a': nothing with inertia determines the "
      "acceleration of 's1.flange_b.s'; a result may be der(der(s1.flange_b.s))"));
  Simulation s = Simulation::fromText(catalogue(), parts + connections + R"yaml(]
variables: {a: "der(der(s1.flange_b.s))"}
simulation: {stop: 0.1}
outputs: [m.a, a]
)yaml",
                                      "m.yaml");
  Trajectory t;
  s.run(t);
  for (size_t k = 0; k < t.time().size(); ++k)
    CHECK(std::abs(t["a"][k] - 0.75 * t["m.a"][k]) < 1e-5);  // a difference
}

TEST_CASE("start: what contradicts a fixed value is told by what the others alone say") {
  const auto across = [](const std::string& start) {
    return R"yaml(components:
  g: {type: Analog.Ground}
  V: {type: Analog.StepVoltage, V: 5}
  C: {type: Analog.Capacitor, C: 1e-6, v: {)yaml" +
           start + R"yaml(}}
connections: [[V.p, C.p], [V.n, g.p], [C.n, g.p]]
simulation: {stop: 1}
outputs: [C.v, C.i]
)yaml";
  };
  CHECK(contains(messageOfStartWords(across("start: 0, fixed: true")),
                 "m.yaml:4:3: error: Analog.Capacitor 'C': 'v' is fixed at 0 but the other "
                 "conditions lead to 5"));
  Simulation s = Simulation::fromText(catalogue(), across("start: 0"), "m.yaml");
  Trajectory t;
  s.run(t);
  CHECK(t["C.v"].front() == doctest::Approx(5).epsilon(1e-12));
  CHECK(std::abs(t["C.i"].back()) < 1e-12);
}

TEST_CASE("start: two frictions that stick on one shaft are both named") {
  Simulation s = Simulation::fromText(catalogue(), R"yaml(components:
  j:  {type: Revolute, useAxisFlange: true, w: {fixed: true}, n: [0, 0, 1]}
  body: {type: Body, m: 1, r_CM: [0.1, 0, 0]}
  f1: {type: Rotational.BearingFriction, tau_pos: [[0, 5]], useSupport: true}
  f2: {type: Rotational.BearingFriction, tau_pos: [[0, 5]], useSupport: true}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, body.frame_a]
  - [f1.flange_a, j.axis]
  - [f2.flange_a, j.axis]
  - [f1.support, j.support]
  - [f2.support, j.support]
)yaml");
  const InitialReport report = s.initialise();
  CHECK(report.warnings.empty());
  CHECK(report.sharing ==
        "Rotational.BearingFriction 'f1' and Rotational.BearingFriction 'f2' hold the same motion "
        "more "
        "than once: 'f1.tau', 'f2.tau' share its load, and 1 of these 2 would do without the rest; "
        "nothing determines the shares, so at the start they are those of least norm");
}

TEST_CASE("start: of four rigid feet three would do, and that is said") {
  std::string components =
      "world: {n: [0, -1, 0]}\ncomponents:\n"
      "  table: {type: Body, m: 4, r_CM: [0.1, 0, 0], I_11: 1, I_22: 1, I_33: 1, r_0: {start: [0, "
      "0.1, 0], fixed: true}, v_0: {fixed: true}, w_0_fixed: true, angles_fixed: true}\n";
  std::string connections = "connections:\n";
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i + 1);
    components += "  leg" + n + ": {type: FixedTranslation, r: [" + (i % 2 ? "0.4" : "-0.4") +
                  ", 0, " + (i < 2 ? "0.3" : "-0.3") + "]}\n  foot" + n +
                  ": {type: Contact.SpherePlane, radius: 0.1, rigid: true, restitution: 0}\n";
    connections += "  - [table.frame_a, leg" + n + ".frame_a]\n  - [leg" + n + ".frame_b, foot" +
                   n + ".frame_b]\n  - [world.frame_b, foot" + n + ".frame_a]\n";
  }
  Simulation s = Simulation::fromText(catalogue(), components + connections);
  const std::string said = s.initialise().sharing;
  CAPTURE(said);
  CHECK(contains(said, "'foot4' hold the same motion more than once"));
  CHECK(contains(said, "3 of these 4 would do without the rest"));
}

TEST_CASE("start: a parameter that it finds is shown with the value found, in the model as well") {
  // The torsion spring that holds a pendulum of 1 kg with 0.5 m of arm level, turned by 1 rad.
  Simulation s =
      Simulation::fromText(catalogue(), R"yaml(parameters: {stiffness: {fixed: false, start: 100}}
world: {g: 10}
components:
  rev: {type: Revolute, useAxisFlange: true, phi: {fixed: true}, w: {fixed: true}, a: {fixed: true}}
  body: {type: Body, m: 1, r_CM: [0.5, 0, 0]}
  spring: {type: Rotational.Spring, c: stiffness, phi_rel0: -1}
connections:
  - [world.frame_b, rev.frame_a]
  - [rev.frame_b, body.frame_a]
  - [spring.flange_a, rev.axis]
  - [spring.flange_b, rev.support]
)yaml");
  const InitialReport report = s.initialise();
  REQUIRE(report.parameters.size() == 1);
  CHECK(report.parameters[0].name == "stiffness");
  CHECK(std::abs(std::abs(report.parameters[0].reached) - 5) < 1e-8);
  std::map<std::string, double> shown;
  for (const auto& [name, value] : s.model().foundParameters()) shown[name] = value;
  CHECK(shown.size() == 2);
  CHECK((shown.contains("stiffness") && shown.contains("spring.c")));
  for (const auto& [name, value] : shown) CHECK(value == report.parameters[0].reached);
}
