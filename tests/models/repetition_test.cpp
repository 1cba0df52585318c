// Arrays of components, loops, conditions, files that extend others, values with units: each is the
// model written out by hand, to the last byte of its result.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <sstream>
#include <string>

#include "components/catalogue.h"
#include "components/world_settings.h"
#include "engine/equations/model.h"
#include "engine/model_file/model_file.h"
#include "engine/model_file/model_source.h"
#include "engine/model_file/parameter_documentation.h"
#include "engine/simulation.h"
#include "tests/folder.h"

using namespace cardan;

namespace {

Simulation simulationOf(const std::string& text, const std::vector<std::string>& set = {}) {
  return Simulation::fromText(catalogue(), text, "model.yaml", set);
}

/// What a run writes, every digit of it.
std::string resultOf(Simulation s) {
  Trajectory t;
  RunOptions options;
  options.stopTime = 0.2;
  s.run(t, options);
  std::string csv;
  for (const Column& c : t.columns()) {
    csv += c.name;
    for (const double x : t[c.name]) csv += "," + formatNumber(x);
    csv += "\n";
  }
  return csv;
}
std::string resultOf(const std::string& text, const std::vector<std::string>& set = {}) {
  return resultOf(simulationOf(text, set));
}

std::string repetitionErrorOf(const std::string& text, const std::vector<std::string>& set = {}) {
  try {
    Simulation s = simulationOf(text, set);
    s.initialise();
  } catch (const ModelError& e) {
    return e.what();
  }
  return "no error";
}

constexpr const char* kRepetitionLink =
    "submodels:\n"
    "  Link:\n"
    "    parameters: {L: 0.5, phi0: 0}\n"
    "    components:\n"
    "      hinge: {type: Revolute, phi: {start: phi0, fixed: true}, w: {fixed: true}}\n"
    "      rod: {type: BodyCylinder, r: [L, 0, 0], diameter: 0.05}\n"
    "    connections: [[hinge.frame_b, rod.frame_a]]\n"
    "    connectors: {frame_a: hinge.frame_a, frame_b: rod.frame_b}\n";

std::string errorsOfFile(const test::Folder& folder, const std::string& name) {
  try {
    const Simulation s(catalogue(), folder / name);
  } catch (const ModelError& e) {
    return folder.shortened(e.what());
  }
  return "no error";
}

std::string chainByHand(int n) {
  std::string text = std::string(kRepetitionLink) + "components:\n";
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    text += "  link[" + k + "]: {type: Link, L: \"0.4+0.01*" + k + "\", phi0: \"0.1/" + k + "\"}\n";
  }
  text += "connections:\n  - [world.frame_b, link[1].frame_a]\n";
  for (int i = 1; i < n; ++i) {
    text += "  - [link[" + std::to_string(i) + "].frame_b, link[" + std::to_string(i + 1) +
            "].frame_a]\n";
  }
  return text + "outputs: [\"link[*].hinge.phi\", \"link[" + std::to_string(n) +
         "].rod.frame_b.r_0\"]\n";
}

constexpr const char* kChain =
    "parameters: {n: 7}\n"
    "components:\n"
    "  link: {type: Link, count: n, L: \"0.4+0.01*i\", phi0: \"0.1/i\"}\n";
constexpr const char* kChainEnd = "outputs: [\"link[*].hinge.phi\", \"link[n].rod.frame_b.r_0\"]\n";

}  // namespace

TEST_CASE(
    "Repetition: a chain of submodels is the chain written out, whichever way it is connected") {
  const std::string byHand = resultOf(chainByHand(7));
  const std::string chain = std::string(kRepetitionLink) + kChain + "connections:\n" +
                            "  - [world.frame_b, link[1].frame_a]\n";
  CHECK(resultOf(chain +
                 "  - {for: \"i in 1:n-1\", connect: [link[i].frame_b, link[i+1].frame_a]}\n" +
                 kChainEnd) == byHand);
  CHECK(resultOf(chain + "  - [link[1:n-1].frame_b, link[2:n].frame_a]\n" + kChainEnd) == byHand);
  CHECK(
      resultOf(chain +
               "  - {for: \"i in 2:n\", connect: [[\"link[i - 1].frame_b\", link[i].frame_a]]}\n" +
               kChainEnd) == byHand);
  CHECK(resultOf(chain + "  - {for: \"i in 1:2:n, j in {i, i + 1}\", if: \"j < n\", connect: " +
                 "[link[j].frame_b, link[j+1].frame_a]}\n" + kChainEnd) == byHand);
}

TEST_CASE("Repetition: --set changes how many there are") {
  const std::string chain = std::string(kRepetitionLink) + kChain + "connections:\n" +
                            "  - [world.frame_b, link[1].frame_a]\n" +
                            "  - [link[1:n-1].frame_b, link[2:n].frame_a]\n" + kChainEnd;
  CHECK(resultOf(chain, {"n=4"}) == resultOf(chainByHand(4)));
  CHECK(resultOf(chain, {"n=4", "link[3].L=0.2"}) == resultOf(chainByHand(4), {"link[3].L=0.2"}));
  CHECK(resultOf(chain, {"n=4", "link[3].rod.diameter=0.1"}) != resultOf(chainByHand(4)));
}

TEST_CASE("Repetition: matrices of components, parameters that are arrays, nested loops") {
  const std::string grid =
      "parameters: {c: [[10, 20, 30], [40, 50, 60]], x: [0, 0.3, 0.7]}\n"
      "components:\n"
      "  slide: {type: Prismatic, count: [2, 3], s: {start: \"x[j] + i\", fixed: true}}\n"
      "  block: {type: Body, count: [2, 3], m: \"i + j\"}\n"
      "  spring: {type: Spring, count: [2, 3], c: \"c[i,j]\", s_unstretched: 0.1}\n"
      "connections:\n"
      "  - for: \"i in 1:2, j in 1:3\"\n"
      "    connect:\n"
      "      - [world.frame_b, \"slide[i,j].frame_a\"]\n"
      "      - [\"slide[i,j].frame_b\", \"block[i,j].frame_a\"]\n"
      "      - {if: \"i <> j\", connect: [world.frame_b, \"spring[i,j].frame_a\"]}\n"
      "      - {if: \"i <> j\", connect: [\"spring[i,j].frame_b\", \"block[i,j].frame_a\"]}\n"
      "  - {for: \"k in 1:2\", connect: [\"spring[k,k].frame_a\", \"block[k,k].frame_a\"]}\n"
      "  - {for: \"k in 1:2\", connect: [\"spring[k,k].frame_b\", world.frame_b]}\n"
      "outputs: [\"slide[*].s\", \"slide[*].v\"]\n";
  std::string byHand = "components:\n";
  const double c[2][3] = {{10, 20, 30}, {40, 50, 60}}, x[3] = {0, 0.3, 0.7};
  const auto name = [](const char* base, int i, int j) {
    return std::string(base) + "[" + std::to_string(i) + "," + std::to_string(j) + "]";
  };
  const auto all = [](auto f) {
    for (int i = 1; i <= 2; ++i) {
      for (int j = 1; j <= 3; ++j) f(i, j);
    }
  };
  all([&](int i, int j) {
    byHand += "  \"" + name("slide", i, j) +
              "\": {type: Prismatic, s: {start: " + formatNumber(x[j - 1] + i) +
              ", fixed: true}}\n";
  });
  all([&](int i, int j) {
    byHand += "  \"" + name("block", i, j) + "\": {type: Body, m: " + formatNumber(i + j) + "}\n";
  });
  all([&](int i, int j) {
    byHand += "  \"" + name("spring", i, j) +
              "\": {type: Spring, c: " + formatNumber(c[i - 1][j - 1]) + ", s_unstretched: 0.1}\n";
  });
  byHand += "connections:\n";
  const auto connect = [&](const std::string& a, const std::string& b) {
    byHand += "  - [" + a + ", " + b + "]\n";
  };
  all([&](int i, int j) {
    connect("world.frame_b", name("slide", i, j) + ".frame_a");
    connect(name("slide", i, j) + ".frame_b", name("block", i, j) + ".frame_a");
    if (i == j) return;
    connect("world.frame_b", name("spring", i, j) + ".frame_a");
    connect(name("spring", i, j) + ".frame_b", name("block", i, j) + ".frame_a");
  });
  for (int k = 1; k <= 2; ++k)
    connect(name("spring", k, k) + ".frame_a", name("block", k, k) + ".frame_a");
  for (int k = 1; k <= 2; ++k) connect(name("spring", k, k) + ".frame_b", "world.frame_b");
  CHECK(resultOf(grid) == resultOf(byHand + "outputs: [\"slide[*].s\", \"slide[*].v\"]\n"));
}

TEST_CASE("Repetition: n pendulums of given lengths swing with their own periods") {
  // Small swings of a point mass: w = sqrt(g/L); at a quarter of the period the angle is zero.
  const std::string pendulums =
      "parameters: {L: [0.5, 1, 2]}\n"
      "world: {n: [0, -1, 0], g: 9.81}\n"
      "components:\n"
      "  hinge: {type: Revolute, count: 3, phi: {start: \"-pi/2 + 0.01\", fixed: true}, w: {fixed: "
      "true}}\n"
      "  bob: {type: Body, count: 3, r_CM: [\"L[i]\", 0, 0], m: 1, I_11: 0, I_22: 0, I_33: 0}\n"
      "connections:\n"
      "  - {for: \"i in 1:3\", connect: [world.frame_b, hinge[i].frame_a]}\n"
      "  - [hinge[1:3].frame_b, bob[1:3].frame_a]\n"
      "simulation: {tolerance: 1e-10}\n";
  const double lengths[3] = {0.5, 1, 2};
  Simulation s = simulationOf(pendulums);
  for (int k = 0; k < 3; ++k) {
    Trajectory t;
    RunOptions options;
    options.stopTime = std::numbers::pi / 2 * std::sqrt(lengths[k] / 9.81);
    s.run(t, options);
    const double phi = t["hinge[" + std::to_string(k + 1) + "].phi"].back() + std::numbers::pi / 2;
    CHECK(std::abs(phi) < 1e-6);  // amplitude^3: what is left of the nonlinearity is a tenth of it
  }
}

TEST_CASE("Repetition: equations in a loop are those written out") {
  const std::string head = "variables: {x: {size: [3]}, y: {size: [3]}}\n";
  const std::string looped = head +
                             "equations:\n"
                             "  - {for: \"k in 1:3\", equations: [\"x[k]^3 + x[k] = k*time\", "
                             "\"y[k] + x[k] = 4 - k\"]}\n"
                             "outputs: [x, y]\n";
  std::string byHand = head + "equations:\n";
  for (int k = 1; k <= 3; ++k) {
    const std::string i = std::to_string(k);
    byHand += "  - \"x[" + i + "]^3 + x[" + i + "] = " + i + "*time\"\n";
    byHand += "  - \"y[" + i + "] + x[" + i + "] = 4 - " + i + "\"\n";
  }
  const std::string body =
      "components: {j: {type: Revolute}, b: {type: Body}}\nconnections: "
      "[[world.frame_b, j.frame_a], [j.frame_b, b.frame_a]]\n";
  CHECK(resultOf(body + looped) == resultOf(body + byHand + "outputs: [x, y]\n"));
}

TEST_CASE("Conditional components: they and their connections vanish") {
  const std::string base =
      "components:\n"
      "  j: {type: Revolute, useAxisFlange: true, phi: {start: 1, fixed: true}, w: {fixed: true}}\n"
      "  b: {type: Body, r_CM: [1, 0, 0]}\n";
  const std::string ends =
      "connections:\n  - [world.frame_b, j.frame_a]\n  - [j.frame_b, b.frame_a]\n";
  const std::string damper = "  d: {type: Rotational.Damper, d: 3";
  const std::string more = "  - [d.flange_a, j.support]\n  - [d.flange_b, j.axis]\n";
  const std::string outputs = "outputs: [j.phi, j.w]\n";
  const std::string conditional =
      "parameters: {damped: true}\n" + base + damper + ", if: damped}\n" + ends + more + outputs;
  CHECK(resultOf(conditional) == resultOf(base + damper + "}\n" + ends + more + outputs));
  CHECK(resultOf(conditional, {"damped=false"}) == resultOf(base + ends + outputs));
  const Simulation s = simulationOf(conditional, {"damped=false"});
  const ModelSource& d = s.source();
  REQUIRE(d.absent.size() == 1);
  CHECK(d.absent[0].name == "d");
  CHECK(d.absentConnections.size() == 2);
}

TEST_CASE("Conditional components: of an array some elements, of a submodel its connector") {
  const std::string text =
      "submodels:\n"
      "  Arm:\n"
      "    parameters: {long: true}\n"
      "    components:\n"
      "      j: {type: Revolute}\n"
      "      b: {type: Body, r_CM: [1, 0, 0]}\n"
      "      rod: {type: FixedTranslation, r: [1, 0, 0], if: long}\n"
      "    connections: [[j.frame_b, b.frame_a], [j.frame_b, rod.frame_a]]\n"
      "    connectors: {frame_a: j.frame_a, frame_b: rod.frame_b}\n"
      "components:\n"
      "  arm: {type: Arm, count: 3, long: \"i == 1\"}\n"
      "  tip: {type: Body, count: 3, if: \"i <> 3\"}\n"
      "connections:\n"
      "  - [world.frame_b, arm[1].frame_a]\n"
      "  - {for: \"k in 2:3\", connect: [world.frame_b, arm[k].frame_a]}\n"
      "  - [arm[1:3].frame_b, tip[1:3].frame_a]\n"
      "  - {if: \"1 > 2\", connect: [no.where, to.go]}\n"
      "  - [tip[2].frame_a, arm[2].b.frame_b]\n";
  Diagnostics none;
  const ModelSource m = parseModel(text, "m.yaml", {}, none);
  CHECK(none.format() == "");
  std::string absent;
  for (const AbsentComponent& a : m.absent) absent += a.name + " ";
  CHECK(absent == "tip[3] arm[2].rod arm[3].rod ");
  CHECK(m.absentConnections.size() == 4);  // two inside the arms, two of their tips
  CHECK(m.components.size() == 3 * 2 + 1 + 2);
}

TEST_CASE("Merge keys: a map takes over what it does not say itself") {
  const std::string merged =
      "components:\n"
      "  a: &A {type: Body, m: 2, r_CM: [0.1, 0, 0], phi: 1}\n";
  Diagnostics d;
  const auto tree = parseYaml(
      "a: &A {x: 1, y: 2}\nb: &B {y: 3, z: 4}\nc: {<<: *A, x: 9}\nd:\n  <<: [*A, *B]\n  w: 5\n",
      "f", d);
  REQUIRE(tree);
  const auto textOf = [](const YamlNode& map) {
    std::string text;
    for (const YamlNode::Entry& e : map.entries) text += e.key + e.value.text + " ";
    return text;
  };
  CHECK(textOf(*tree->find("c")) == "x9 y2 ");
  CHECK(textOf(*tree->find("d")) == "w5 x1 y2 z4 ");
  CHECK(tree->find("c")->find("y")->line == 1);
  CHECK(repetitionErrorOf("components:\n  a: {<<: 3, type: Body}\n") ==
        "model.yaml:2:11: error: '<<' must have a map or a list of maps behind it, as '<<: *link', "
        "found '3'");
  CHECK(
      repetitionErrorOf(merged).starts_with("model.yaml:2:47: error: Body 'a': unknown key 'phi'"));
}

TEST_CASE("extends: changes, removals and additions make the model written out") {
  const test::Folder files;
  files.write("parts.yaml", kRepetitionLink);
  files.write(
      "base.yaml",
      "model: Base\ninclude: [parts.yaml]\nparameters: {L: 0.5, unused: 3}\n"
      "components:\n"
      "  a: {type: Link, L: L}\n"
      "  b: {type: Link, L: L, phi0: 0.2}\n"
      "  load: {type: Body, m: 5, r_CM: [0, 0, 0]}\n"
      "connections:\n"
      "  - [world.frame_b, a.frame_a]\n  - [a.frame_b, b.frame_a]\n  - [b.frame_b, load.frame_a]\n"
      "outputs: [\"*.hinge.phi\"]\nsimulation: {tolerance: 1e-9, stop: 3}\n");
  files.write("middle.yaml",
              "extends: base.yaml\nparameters: {L: 0.7, unused: null}\n"
              "components:\n  load: null\n  b: {phi0: null}\n");
  const std::string top =
      files.write("top.yaml",
                  "extends: middle.yaml\nworld: {g: 3}\n"
                  "components:\n  c: {type: Link, L: 0.1}\n  a: {type: Link, L: 0.3, phi0: 0.5}\n"
                  "connections:\n  - {remove: [b.frame_a, a.frame_b]}\n  - [a.frame_b, c.frame_a]\n"
                  "  - [c.frame_b, b.frame_a]\nsimulation: {stop: 2}\n");
  const std::string byHand =
      std::string(kRepetitionLink) +
      "world: {g: 3}\nparameters: {L: 0.7}\n"
      "components:\n  a: {type: Link, L: 0.3, phi0: 0.5}\n  b: {type: Link, L: L}\n"
      "  c: {type: Link, L: 0.1}\n"
      "connections:\n  - [world.frame_b, a.frame_a]\n  - [a.frame_b, c.frame_a]\n"
      "  - [c.frame_b, b.frame_a]\noutputs: [\"*.hinge.phi\"]\n"
      "simulation: {tolerance: 1e-9, stop: 2}\n";
  Simulation s(catalogue(), top);
  CHECK(s.source().name == "top");
  CHECK(s.source().included.size() == 3);
  CHECK(resultOf(std::move(s)) == resultOf(byHand));
}

TEST_CASE("extends: what a file says ends what the set of the one below says about it") {
  const std::string parts =
      "variables: {x: {start: 1, fixed: true}}\nequations: [der(x) = u]\ninputs: {u: 2}\n"
      "submodels: {Load: {parameters: {p: 1}, components: {c: {type: PointMass, m: p,\n"
      "  r_0: {fixed: true}, v_0: {fixed: true}}}}}\n"
      "outputs: [a, v, x, u, b.m, l[1].p, l[2].p, b.r_0]\n";
  const std::string components =
      "components:\n  l: {type: Load, count: 2}\n"
      "  b: {type: PointMass, m: 2, r_0: {fixed: true}, v_0: {fixed: true}}\n";
  const test::Folder files;
  files.write("base.yaml",
              "parameters: {a: 1, v: [1, 2, 3]}\n" + parts + components +
                  "set: {a: 5, v[2]: 20, v[3]: 30, b.m: 9, b.v_0.start: [1, 2, 3], l[1].p: 6,\n"
                  "  l[2].p: 7, world.g: 3, x.start: 4, u: 8}\n");
  const struct {
    std::string says, all;  ///< a file on top, and the `set` that is left with what is new
  } cases[] = {
      {"", "a: 5, v[2]: 20, v[3]: 30, b.m: 9, l[1].p: 6, l[2].p: 7, world.g: 3, x.start: 4, u: 8"},
      {"parameters: {a: 7, v: [4, 5, 6]}",
       "a: 7, v: [4, 5, 6], b.m: 9, l[1].p: 6, l[2].p: 7, world.g: 3, x.start: 4, u: 8"},
      {"components: {b: {m: 3}, l: {p: 4}}",
       "a: 5, v[2]: 20, v[3]: 30, b.m: 3, l[1].p: 4, l[2].p: 4, world.g: 3, x.start: 4, u: 8"},
      {"world: {g: 2}\nvariables: {x: {start: 5, fixed: true}}\ninputs: {u: 6}",
       "a: 5, v[2]: 20, v[3]: 30, b.m: 9, l[1].p: 6, l[2].p: 7, world.g: 2, x.start: 5, u: 6"},
      {"set: {v: [4, 5, 6], l[1].p: 3}",
       "a: 5, v: [4, 5, 6], b.m: 9, l[1].p: 3, l[2].p: 7, world.g: 3, x.start: 4, u: 8"},
      {"set: {v[2]: 4}\nparameters: {v: [7, 8, 9]}",
       "a: 5, v: [7, 4, 9], b.m: 9, l[1].p: 6, l[2].p: 7, world.g: 3, x.start: 4, u: 8"},
      {"set: {a: null, u: null}\nparameters: {a: 6}",
       "a: 6, v[2]: 20, v[3]: 30, b.m: 9, l[1].p: 6, l[2].p: 7, world.g: 3, x.start: 4"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.says);
    const std::string top = files.write("top.yaml", "extends: base.yaml\n" + c.says + "\n");
    CHECK(resultOf(Simulation(catalogue(), top)) ==
          resultOf("parameters: {a: 1, v: [1, 2, 3]}\n" + parts + components +
                   "set: {b.v_0.start: [1, 2, 3], " + c.all + "}\n"));
  }
  files.write("other.yaml",
              "extends: base.yaml\ncomponents: {b: {type: Fixed}, l: null}\nset: {u: null}\n");
  const std::string third =
      files.write("third.yaml", "extends: other.yaml\nparameters: {v: null}\noutputs: [a, x]\n");
  CHECK(resultOf(Simulation(catalogue(), third)) ==
        resultOf("parameters: {a: 5}\nvariables: {x: {start: 4, fixed: true}}\ninputs: {u: 2}\n"
                 "equations: [der(x) = u]\noutputs: [a, x]\n"));
  files.write("gone.yaml", "extends: base.yaml\nset: {aa: null}\n");
  CHECK(errorsOfFile(files, "gone.yaml") ==
        "gone.yaml:2:7: error: 'aa' cannot be removed: 'base.yaml' has no setting of this name; "
        "did you mean 'a'?");
}

TEST_CASE("extends: mistakes are located in the file that makes them") {
  const test::Folder files;
  files.write("base.yaml",
              "parameters: {L: 1}\ncomponents:\n  arm: {type: Body, m: L, massive: 1}\n"
              "connections:\n  - [world.frame_b, arm.frame_a]\n");
  files.write(
      "a.yaml",
      "extends: base.yaml\nparameters: {LL: null}\ncomponents:\n  arn: {m: 3}\n  leg: null\n"
      "connections:\n  - {remove: [arm.frame_b, arm.frame_a]}\n");
  CHECK(
      errorsOfFile(files, "a.yaml") ==
      "a.yaml:2:14: error: 'LL' cannot be removed: 'base.yaml' has no parameter of this name; did "
      "you mean 'L'?\n"
      "a.yaml:4:3: error: component 'arn' must have a 'type', or be one of 'base.yaml'; did you "
      "mean "
      "'arm'?\n"
      "a.yaml:5:3: error: 'leg' cannot be removed: 'base.yaml' has no component of this name\n"
      "a.yaml:7:14: error: the connection cannot be removed: 'base.yaml' does not connect "
      "'arm.frame_b' with 'arm.frame_a'");
  files.write("b.yaml", "extends: base.yaml\ncomponents: {arm: {r_CM: [1, 0]}}\n");
  const std::string both = errorsOfFile(files, "b.yaml");
  CHECK(both.find(
            "b.yaml:2:26: error: Body 'arm': 'r_CM' must be a vector of 3 numbers, found a list "
            "of 2") != std::string::npos);
  CHECK(both.find("base.yaml:3:27: error: Body 'arm': unknown key 'massive'") != std::string::npos);
  files.write("c.yaml", "extends: d.yaml\n");
  files.write("d.yaml", "extends: c.yaml\n");
  CHECK(errorsOfFile(files, "c.yaml") ==
        "d.yaml:1:10: error: a file must not extend itself: c.yaml -> d.yaml -> c.yaml");
  files.write("e.yaml", "extends: nowhere.yaml\n");
  CHECK(errorsOfFile(files, "e.yaml") ==
        "e.yaml:1:10: error: cannot read the extended file 'nowhere.yaml'");
  files.write("f.yaml", "extends: [base.yaml]\n");
  CHECK(errorsOfFile(files, "f.yaml") ==
        "f.yaml:1:10: error: 'extends' must be the path of a model file, found a list of 1");
}

TEST_CASE("Submodels: arrays of connectors are connected by their indices") {
  const std::string hand =
      "submodels:\n"
      "  Hand:\n"
      "    parameters: {n: 2}\n"
      "    components:\n"
      "      palm: {type: Body, m: 1}\n"
      "      finger: {type: FixedTranslation, count: n, r: [\"0.1*i\", 0, 0]}\n"
      "    connections: [{for: \"k in 1:n\", connect: [palm.frame_a, finger[k].frame_a]}]\n"
      "    connectors: {frame_a: palm.frame_a, tip: {count: n, connector: finger[i].frame_b}}\n"
      "components:\n"
      "  j: {type: Revolute}\n"
      "  hand: {type: Hand, n: 3}\n"
      "  weight: {type: Body, count: 3, m: \"i\"}\n"
      "connections:\n"
      "  - [world.frame_b, j.frame_a]\n"
      "  - [j.frame_b, hand.frame_a]\n"
      "  - [hand.tip[1:3].frame_b, weight[1:3].frame_a]\n";
  const std::string right =
      std::string(hand).replace(hand.find("tip[1:3].frame_b"), 16, "tip[1:3]");
  Diagnostics none;
  const ModelSource m = parseModel(right, "m.yaml", {}, none);
  CHECK(none.format() == "");
  CHECK(m.connections.back().a == "hand.finger[3].frame_b");
  CHECK(m.connections.back().b == "weight[3].frame_a");
  const std::string tooFar = std::string(right).replace(right.find("tip[1:3]"), 8, "tip[2:4]");
  CHECK(
      repetitionErrorOf(tooFar) ==
      "model.yaml:16:6: error: Hand 'hand': no connector or part 'tip[4]'; did you mean 'tip[1]'?");
}

TEST_CASE("Units in values: converted to the parameter's unit, wherever a value stands") {
  const auto value = [](const std::string& component, const std::string& name,
                        const std::string& parameters = "",
                        const std::vector<std::string>& set = {}) {
    Simulation s = simulationOf(
        parameters + "components:\n  j: {type: Revolute}\n  b: {type: Body}\n  x: " + component +
            "\nconnections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a], [b.frame_a, "
            "x.frame_a]]\noutputs: [x." +
            name + "]\n",
        set);
    Trajectory t;
    RunOptions options;
    options.stopTime = 0.01;
    s.run(t, options);
    return t["x." + name].front();
  };
  CHECK(value("{type: FixedRotation, angle: 30 deg}", "angle") == 30);
  CHECK(value("{type: FixedRotation, angle: 0.5 rad}", "angle") ==
        doctest::Approx(28.6478897565412).epsilon(1e-14));
  CHECK(value("{type: FixedRotation, angle: 0.25 rev}", "angle") ==
        doctest::Approx(90).epsilon(1e-15));
  CHECK(value("{type: FixedTranslation, r: [300 mm, 0, 0]}", "r[1]") == 0.3);
  CHECK(value("{type: FixedTranslation, r: [\"2 in\", 1, 0]}", "r[1]") == 0.0508);
  CHECK(value("{type: Body, m: 250 g}", "m") == 0.25);
  CHECK(value("{type: FixedTranslation, r: [L, 0, 0]}", "r[1]", "parameters: {L: 300 mm}\n") ==
        0.3);
  CHECK(value("{type: FixedTranslation, r: [L, 0, 0]}", "r[1]", "parameters: {L: 1}\n",
              {"L=300 mm"}) == 0.3);
  CHECK(value("{type: FixedTranslation, r: [1, 0, 0]}", "r[1]", "", {"x.r[1]=12 cm"}) == 0.12);
  // A parameter of the model is in SI units in expressions, and itself in the unit it is asked for.
  CHECK(value("{type: FixedRotation, angle: a}", "angle", "parameters: {a: 30 deg}\n") ==
        doctest::Approx(30).epsilon(1e-15));
  CHECK(value("{type: FixedRotation, angle: b}", "angle", "parameters: {a: 30 deg, b: a}\n") ==
        doctest::Approx(30).epsilon(1e-15));
  CHECK(value("{type: FixedRotation, angle: a}", "angle", "parameters: {a: 30 deg}\n",
              {"a=0.5 rad"}) == doctest::Approx(28.6478897565412).epsilon(1e-14));
  CHECK(value("{type: FixedRotation, angle: a}", "angle", "parameters: {a: 30}\n") == 30);
  CHECK(value("{type: FixedRotation, angle: \"180/pi*a\"}", "angle", "parameters: {a: 30 deg}\n") ==
        doctest::Approx(30).epsilon(1e-15));
  CHECK(value("{type: FixedTranslation, r: [\"2*L\", 0, 0]}", "r[1]",
              "parameters: {L: 300 mm}\n") == 0.6);
}

TEST_CASE("Units in values: wrong ones are located errors that name both dimensions") {
  // A part alone is placed by nothing, which is said besides.
  const auto wrong = [](const std::string& component, const std::string& top = "") {
    std::istringstream all(repetitionErrorOf(top + "components:\n  x: " + component + "\n"));
    std::string own;
    for (std::string line; std::getline(all, line);) {
      const bool isOfPlace = line.find(":3: error: ") != std::string::npos;
      if (!isOfPlace) own += (own.empty() ? "" : "\n") + line;
    }
    return own;
  };
  CHECK(wrong("{type: FixedTranslation, r: [3 kg, 0, 0]}") ==
        "model.yaml:2:35: error: FixedTranslation 'x': 'r' must be a length [m], found '3 kg', a "
        "mass "
        "[kg]");
  CHECK(wrong("{type: FixedRotation, angle: 3 m}") ==
        "model.yaml:2:35: error: FixedRotation 'x': 'angle' must be an angle [deg], found '3 m', a "
        "length [m]");
  CHECK(
      wrong("{type: FixedRotation, angle: \"30*deg\"}") ==
      "model.yaml:2:35: error: FixedRotation 'x': 'angle' is in degrees: write 30, not \"30*deg\"");
  CHECK(wrong("{type: FixedRotation, angle: \"2*a\"}", "parameters: {a: 30 deg}\n") ==
        "model.yaml:3:35: error: FixedRotation 'x': 'angle' is in degrees, and 'a' in an "
        "expression is "
        "in rad: write 'a' alone, or its value in degrees as 180/pi*a");
  CHECK(wrong("{type: Body, m: 3 kgg}") ==
        "model.yaml:2:24: error: Body 'x': 'm' must be a number with its unit: unknown unit 'kgg'; "
        "did "
        "you mean 'kg'?");
  CHECK(
      wrong("{type: Revolute, w: {start: 50 Hz}}") ==
      "model.yaml:2:34: error: Revolute 'x': 'w.start' must be an angular velocity [rad/s], found "
      "'50 Hz', a frequency [Hz]");
  CHECK(wrong("{type: Body, m: L}", "parameters: {L: 3 mm}\n") ==
        "model.yaml:3:22: error: Body 'x': 'm' must be a mass [kg], found 'L', a length [m]");
  CHECK(wrong("{type: Body, m: 2 m*L}") ==
        "model.yaml:2:22: error: Body 'x': 'm' must be a mass [kg], found '2 m*L', a quantity "
        "[m4]");
  CHECK(repetitionErrorOf("parameters: {L: 300 mm}\n", {"L=3 kg"}) ==
        "--set L=3 kg: error: parameter 'L' must be a length [m], found '3 kg', a mass [kg]");
  CHECK(repetitionErrorOf("simulation: {stop: 5 kg}\n") ==
        "model.yaml:1:20: error: simulation: 'stop' must be a time [s], found '5 kg', a mass [kg]");
  CHECK(wrong("{type: WorldForce, force: [3 N, 0, 2 m]}")
            .starts_with("model.yaml:2:41: error: WorldForce 'x': 'force' must be a force [N], "
                         "found '2 m', a length "
                         "[m]"));
}

TEST_CASE("Repetition: mistakes are located, name the element and come in one go") {
  const auto wrong = [](const std::string& components, const std::string& connections = "") {
    return repetitionErrorOf("parameters: {n: 3, L: [1, 2]}\ncomponents:\n" + components +
                             "connections:\n" + connections);
  };
  CHECK(wrong("  b: {type: Body, count: 2.5}\n") ==
        "model.yaml:3:26: error: 'count' of component 'b' must be a whole number from 0 to 100000, "
        "found 2.5");
  CHECK(wrong("  b: {type: Body, count: -1}\n") ==
        "model.yaml:3:26: error: 'count' of component 'b' must be a whole number from 0 to 100000, "
        "found -1");
  CHECK(wrong("  b: {type: Body, count: [2]}\n") ==
        "model.yaml:3:26: error: 'count' of component 'b' must be two whole numbers from 0 to "
        "100000, "
        "found a list of 1");
  CHECK(wrong("  b: {type: Body, count: m}\n") == "model.yaml:3:26: error: unknown name 'm'");
  CHECK(wrong("  b: {type: Body, count: [1000, 1000]}\n") ==
        "model.yaml:3:26: error: 'count' of component 'b' must not make more than 100000 elements, "
        "found 1000000");
  CHECK(wrong("  b: {type: Body, if: 3}\n") ==
        "model.yaml:3:23: error: 'if' of component 'b' must be true or false, found 3");
  CHECK(wrong("  b: {type: Body, count: 3, m: \"L[i]\"}\n")
            .starts_with("model.yaml:3:33: error: 'L': index 3 is out of range 1..2"));
  CHECK(wrong("  b: {type: Body, count: n}\n", "  - [world.frame_b, b.frame_a]\n") ==
        "model.yaml:5:21: error: component 'b' is an array, its elements are 'b[1]' to 'b[3]'; "
        "found it "
        "without an index");
  CHECK(wrong("  b: {type: Body, count: n}\n",
              "  - {for: \"k in 1:n\", connect: [world.frame_b, b[k+1].frame_a]}\n") ==
        "model.yaml:5:48: error: component 'b' has no element 'b[4]'; the last one is 'b[3]'");
  CHECK(
      wrong("  b: {type: Body, count: n}\n", "  - [b[1:2].frame_a, b[1:3].frame_b]\n") ==
      "model.yaml:5:6: error: a connection must have as many connectors on both sides, found 2 in "
      "'b[1:2].frame_a' and 3 in 'b[1:3].frame_b'");
  CHECK(wrong("  b: {type: Body, count: n}\n  b[2]: {type: Body}\n") ==
        "model.yaml:4:3: error: component name 'b[2]' is used twice\n"
        "model.yaml:3:3: note: first used here");
  CHECK(wrong("", "  - {for: \"k\", connect: [world.frame_b, b.frame_a]}\n") ==
        "model.yaml:4:12: error: 'for' must be like 'i in 1:3', found 'k'");
  CHECK(wrong("", "  - {for: \"k in 1:x\", connect: [world.frame_b, b.frame_a]}\n") ==
        "model.yaml:4:19: error: unknown name 'x'");
  CHECK(wrong("", "  - {for: \"k in 1:0:2\", connect: [world.frame_b, b.frame_a]}\n") ==
        "model.yaml:4:17: error: the range of 'k' must not go by steps of 0");
  CHECK(wrong("", "  - {for: \"k in 1:1e9\", connect: [world.frame_b, b.frame_a]}\n") ==
        "model.yaml:4:17: error: the range of 'k' must not have more than 3000000 values");
  CHECK(
      wrong("", "  - {connect: [world.frame_b, b.frame_a]}\n") ==
      "model.yaml:4:5: error: a map must have 'for' or 'if' here, as {for: \"i in 1:3\", connect: "
      "...}, found neither");
  CHECK(wrong("", "  - {for: \"k in 1:2\"}\n") ==
        "model.yaml:4:5: error: 'for' must have 'connect' beside it");
  CHECK(wrong("", "  - {for: \"k in 1:2\", conect: []}\n") ==
        "model.yaml:4:5: error: 'for' must have 'connect' beside it\n"
        "model.yaml:4:23: error: unknown key beside 'for' and 'if': 'conect'; did you mean "
        "'connect'? "
        "known are for, if, connect");
  CHECK(wrong("  b: {type: Body, count: \"a.m\"}\n  a: {type: Body}\n") ==
        "model.yaml:3:27: error: unknown name 'a.m'");
}

TEST_CASE("Repetition: what is wrong with every element of an array is said once") {
  const std::string message =
      repetitionErrorOf("components:\n  b: {type: Body, count: 200, mass: 3}\n");
  CHECK(message.find("Body 'b[1]': unknown key 'mass'") != std::string::npos);
  CHECK(message.ends_with("(and 199 more like this)"));
  CHECK(message.find('\n') == std::string::npos);
}

TEST_CASE("Repetition: 10 000 elements are the bytes that 10 000 written ones give") {
  const int n = 10000;
  std::string byHand = "components:\n", connections = "connections:\n";
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    byHand += "  j[" + k + "]: {type: Prismatic, s: {start: \"0.1*" + k +
              "\", fixed: true}, v: {fixed: true}}\n";
  }
  for (int i = 1; i <= n; ++i)
    byHand += "  b[" + std::to_string(i) + "]: {type: Body, m: 2, r_CM: [0, 0, 0]}\n";
  for (int i = 1; i <= n; ++i)
    connections += "  - [world.frame_b, j[" + std::to_string(i) + "].frame_a]\n";
  for (int i = 1; i <= n; ++i)
    connections +=
        "  - [j[" + std::to_string(i) + "].frame_b, b[" + std::to_string(i) + "].frame_a]\n";
  const std::string arrays =
      "components:\n"
      "  j: {type: Prismatic, count: 10000, s: {start: \"0.1*i\", fixed: true}, v: {fixed: true}}\n"
      "  b: {type: Body, count: 10000, m: 2, r_CM: [0, 0, 0]}\n"
      "connections:\n"
      "  - {for: \"i in 1:10000\", connect: [world.frame_b, j[i].frame_a]}\n"
      "  - [j[1:10000].frame_b, b[1:10000].frame_a]\n";
  Diagnostics diagnostics;
  const ModelSource a = parseModel(arrays, "m.yaml", {}, diagnostics);
  const ModelSource b = parseModel(byHand + connections, "m.yaml", {}, diagnostics);
  CHECK(diagnostics.format() == "");
  REQUIRE(a.components.size() == b.components.size());
  REQUIRE(a.connections.size() == b.connections.size());
  for (size_t i = 0; i < a.components.size(); ++i)
    CHECK(a.components[i].name == b.components[i].name);
  for (size_t i = 0; i < a.connections.size(); ++i) {
    CHECK(a.connections[i].a == b.connections[i].a);
    CHECK(a.connections[i].b == b.connections[i].b);
  }
  CHECK(a.components[9999].arguments.find("s")->find("start")->text == "0.1*10000");
}

TEST_CASE("Repetition: no class has a parameter with a name that arrays and conditions use") {
  WorldSettings world;
  world.prepare();
  for (const CatalogueEntry& e : catalogue()) {
    ParameterDocumentation parameters(world);
    e.make()->read(parameters);
    for (const DocumentedParameter& p : parameters.parameters()) {
      CAPTURE(e.type);
      CHECK(p.name != "count");
      CHECK(p.name != "if");
    }
  }
}
