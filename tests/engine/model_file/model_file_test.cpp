#include "engine/model_file/model_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>

#include "tests/folder.h"

using namespace cardan;

namespace {

namespace fs = std::filesystem;

std::string errorsOf(std::string_view text, const Overrides& overrides = {}) {
  Diagnostics diagnostics;
  parseModel(text, "m.yaml", overrides, diagnostics);
  return diagnostics.format();
}

ModelSource loaded(std::string_view text, const Overrides& overrides = {}) {
  Diagnostics diagnostics;
  ModelSource model = parseModel(text, "m.yaml", overrides, diagnostics);
  CHECK(diagnostics.format() == "");
  return model;
}

/// "L = 0.5; d = ?"
std::string parametersOf(const ModelSource& model) {
  std::string text;
  for (const ModelParameter& p : model.parameters) {
    text += (text.empty() ? "" : "; ") + p.name + " = " + (p.value ? p.value->format() : "?");
  }
  return text;
}

std::string connectionsOf(const ModelSource& model) {
  std::string text;
  for (const auto& c : model.connections) text += (text.empty() ? "" : "; ") + c.a + " - " + c.b;
  return text;
}

std::vector<fs::path> conformanceModels() {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(CARDAN_SOURCE_DIR) / "../shared/conformance/models";
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

constexpr std::string_view kPendulum = R"(model: DoublePendulum
description: Two boxes
parameters: {L: 0.5, d: 0.1, r: [L, 0, "2*d"]}
world: {g: 9.81, n: [0, -1, 0]}
components:
  revolute1: {type: Revolute, useAxisFlange: true, phi: {start: "30*deg", fixed: true}}
  boxBody1:  {type: BodyBox, r: [L, 0, 0], width: 0.06}
connections:
  - [world.frame_b, revolute1.frame_a]
  - [revolute1.frame_b, boxBody1.frame_a]
variables: {reach: "boxBody1.frame_b.r_0[1]", gravity: {size: [3]}, R: {type: Frames.Orientation}}
equations: ["gravity = boxBody1.body.g_0"]
initial_equations: ["revolute1.w = 0"]
simulation: {start: 0, stop: 3, interval: 0.0006, tolerance: 1e-6}
outputs: ["revolute*.phi", reach]
)";

constexpr std::string_view kModelFileArm = R"(parameters: {L0: 0.3}
submodels:
  Hand:
    parameters: {m: 1}
    components: {body: {type: Body, m: m}}
    connectors: {frame_a: body.frame_a}
  Arm:
    parameters: {L: 0.5, M: "2*L"}
    components:
      base: {type: FixedTranslation, r: [L, 0, 0]}
      hand: {type: Hand, m: "M"}
    connections:
      - [base.frame_b, hand.frame_a]
      - [world.frame_b, base.frame_a]
    connectors: {frame_a: base.frame_a, tip: hand.frame_a}
    variables: {x: base.frame_b.r_0}
components:
  arm1: {type: Arm}
  arm2: {type: Arm, L: "3*L0"}
connections:
  - [arm1.tip, arm2.frame_a]
)";

}  // namespace

TEST_CASE("ModelFile: an equation is read once, for all instances of its submodel") {
  const ModelSource m = loaded(R"(
submodels:
  Lag:
    variables: {x: {start: 0}, y: "x > 1"}
    equations: ["der(x) = -x", {for: "i in 1:2", equations: ["der(z[i]) = x"]}]
    components: {f: {type: Fixed}}
components: {a: {type: Lag}, b: {type: Lag}}
)");
  REQUIRE(m.equations.size() == 6);
  const auto left = [&](size_t i) { return &m.equations[i].tree->left.root(); };
  CHECK(left(0) == left(3));
  CHECK(&m.variables[1].expression->tree->root() == &m.variables[3].expression->tree->root());
  CHECK(m.equations[0].scope != m.equations[3].scope);
  // Where numbers take the place of an index it is another text.
  CHECK(m.equations[2].text == "der(z[2]) = x");
  CHECK(toString(*left(2)) == "der(z[2])");
  CHECK(left(1) != left(2));
  CHECK(m.isBoolean(m.variables[1]));
  CHECK_FALSE(m.isBoolean(m.variables[0]));
}

TEST_CASE("ModelFile: every section arrives with its places") {
  const ModelSource m = loaded(kPendulum);
  CHECK(m.name == "DoublePendulum");
  CHECK(m.description == "Two boxes");
  CHECK(m.file == "m.yaml");
  CHECK(parametersOf(m) == "L = 0.5; d = 0.1; r = {0.5, 0, 0.2}");
  CHECK(m.world.name == "world");
  CHECK(m.world.arguments.find("g")->text == "9.81");
  REQUIRE(m.components.size() == 2);
  CHECK(m.components[0].name == "revolute1");
  CHECK(m.components[0].type == "Revolute");
  CHECK(m.components[0].at.line == 6);
  CHECK(m.components[0].at.column == 3);
  CHECK(m.components[0].typeAt.column == 21);
  CHECK(m.components[0].arguments.find("type") == nullptr);
  CHECK(m.components[0].arguments.find("phi")->find("fixed")->text == "true");
  CHECK(connectionsOf(m) ==
        "world.frame_b - revolute1.frame_a; revolute1.frame_b - boxBody1.frame_a");
  CHECK(m.connections[1].bAt.column == 25);
  REQUIRE(m.variables.size() == 3);
  CHECK(m.variables[0].expression->text == "boxBody1.frame_b.r_0[1]");
  CHECK(m.variables[1].size == std::vector<int>{3});
  CHECK(m.variables[2].type == "Frames.Orientation");
  CHECK(m.equations[0].text == "gravity = boxBody1.body.g_0");
  CHECK(m.equations[0].at.column == 14);
  CHECK(m.initialEquations[0].text == "revolute1.w = 0");
  CHECK(m.simulation.stop == 3);
  CHECK(m.simulation.interval == 0.0006);
  CHECK(m.simulation.tolerance == 1e-6);
  CHECK(m.outputs[0].pattern == "revolute*.phi");
}

TEST_CASE("ModelFile: what is left out has defaults") {
  const ModelSource m = loaded("components: {}\nconnections:\n");
  CHECK(m.name == "m");
  CHECK(m.world.name == "world");
  CHECK(m.simulation.start == 0);
  CHECK(m.simulation.stop == 1);
  CHECK_FALSE(m.simulation.interval);
}

TEST_CASE("ModelFile: World may have another name") {
  const ModelSource m = loaded(
      "world: {name: mechanics.world, g: 1}\ncomponents: {b: {type: Body}}\n"
      "connections: [[mechanics.world.frame_b, b.frame_a]]");
  CHECK(m.world.name == "mechanics.world");
  CHECK(m.world.arguments.entries.size() == 1);
}

TEST_CASE("Parameters: any order, any shape, dots and indices in their names") {
  CHECK(parametersOf(loaded("parameters: {c: 'a + b', b: 2*a, a: 1}")) == "c = 3; b = 2; a = 1");
  CHECK(parametersOf(loaded("parameters: {t: true, s: \"'text'\", M: [[1, 2], [3, 4]]}")) ==
        "t = true; s = \"text\"; M = {{1, 2}, {3, 4}}");
  CHECK(parametersOf(
            loaded("parameters: {p.x: 2, sine1[1]: 3, v: [4, 5], a: 'p.x*sine1[1]*v[2]'}")) ==
        "p.x = 2; sine1[1] = 3; v = {4, 5}; a = 30");
}

TEST_CASE("Parameters: of components are known where the file gives them, defaults later") {
  const ModelSource m = loaded(
      "parameters: {w: '2*box.width', h: '3*box.height', k: box.phi.start}\n"
      "components: {box: {type: BodyBox, width: '0.1 + a', phi: {start: 7}}}\n"
      "variables: {}\nworld: {g: 5}\n",
      {});
  CHECK(parametersOf(m) == "w = ?; h = ?; k = 7");
  CHECK_FALSE(m.parameters[1].failed);
}

TEST_CASE("Parameters: circles are named") {
  CHECK(errorsOf("parameters: {a: b, b: 'c + 1', c: a}") ==
        "m.yaml:1:14: error: parameters must not depend on themselves: a -> b -> c -> a");
  CHECK(errorsOf("parameters: {a: 2*a}") ==
        "m.yaml:1:14: error: parameters must not depend on themselves: a -> a");
  CHECK(errorsOf("parameters: {a: box.width}\ncomponents: {box: {type: BodyBox, width: 2*a}}") ==
        "m.yaml:1:14: error: parameters must not depend on themselves: a -> box.width -> a");
  std::string chain = "parameters:\n  p0: p1\n";
  for (int i = 1; i < 5000; ++i)
    chain += "  p" + std::to_string(i) + ": p" + std::to_string(i + 1) + "\n";
  CHECK(errorsOf(chain + "  p5000: 1\n").find("in a chain of more than 200") != std::string::npos);
}

TEST_CASE("Parameters: one with 'fixed: false' is taken by one component") {
  CHECK(errorsOf("parameters: {c: {fixed: false, start: 3}}") ==
        "m.yaml:1:14: error: parameter 'c' with 'fixed: false' must be taken by a component, as "
        "'d: c', found none");
  CHECK(errorsOf("parameters: {c: {fixed: false, start: 3}}\n"
                 "components: {s1: {type: Spring, c: c}, s2: {type: Spring, c: c}}") ==
        "m.yaml:2:62: error: parameter 'c' with 'fixed: false' can be taken once; it is by 's1.c'");
}

TEST_CASE("Parameters: errors at the place inside the expression") {
  CHECK(errorsOf("parameters: {length: 1, a: '2*lenght'}") ==
        "m.yaml:1:31: error: unknown name 'lenght'; did you mean 'length'?");
  CHECK(errorsOf("parameters: {a: [1, [2, 3]]}") ==
        "m.yaml:1:17: error: 'a' must be a list of numbers or of rows of the same length, found "
        "values that "
        "differ in kind or size");
  CHECK(errorsOf("parameters: {a: {b: 1}, c: }") ==
        "m.yaml:1:17: error: parameter 'a' must be a value or an expression, found a map\n"
        "m.yaml:1:28: error: parameter 'c' must be a value or an expression, found nothing");
  CHECK(errorsOf("parameters: {a: []}") == "m.yaml:1:17: error: 'a' must not be an empty list");
  CHECK(errorsOf("parameters: {a: 1, a: 2}") ==
        "m.yaml:1:20: error: parameter 'a' is given twice\nm.yaml:1:14: note: first given here");
  CHECK(errorsOf("parameters: {'a b': 1}") ==
        "m.yaml:1:14: error: a parameter's name must be made of letters, digits and '_', with '.' "
        "between "
        "its parts, found 'a b'");
  CHECK(errorsOf("parameters: {a: .inf}") != "");
  CHECK(errorsOf("parameters: {a: nan, b: inf, c: 1e999, d: 1/0}") != "");
}

TEST_CASE("ModelFile errors: sections") {
  CHECK(errorsOf("[1, 2]") ==
        "m.yaml:1:1: error: a model file must be a map of sections, found a list of 2");
  CHECK(errorsOf("componets: {}") ==
        "m.yaml:1:1: error: unknown section 'componets'; did you mean 'components'? known are "
        "assert, components, connections, contacts, description, equations, extends, include, "
        "initial_equations, inputs, model, outputs, parameters, set, simulation, submodels, "
        "variables, "
        "when, world");
  CHECK(errorsOf("world: {}\nworld: {}") ==
        "m.yaml:2:1: error: section 'world' is given twice\nm.yaml:1:1: note: first given here");
  CHECK(errorsOf("components: [a]") ==
        "m.yaml:1:13: error: 'components' must be a map of 'name: {type: ...}', found a list of 1");
  CHECK(errorsOf("outputs: phi") ==
        "m.yaml:1:10: error: 'outputs' must be a list of names or patterns, found 'phi'");
  CHECK(errorsOf("outputs: [{a: 1}]") ==
        "m.yaml:1:11: error: an entry of 'outputs' must be a name or a pattern, found a map");
  CHECK(errorsOf("model: [a]") ==
        "m.yaml:1:8: error: 'model' must be the model's name, found a list of 1");
  CHECK(errorsOf("variables: {x: }") ==
        "m.yaml:1:16: error: variable 'x' must be an expression or a map with its 'size', found "
        "nothing");
  CHECK(errorsOf("variables: {x: {size: [0]}}") ==
        "m.yaml:1:23: error: 'size' of variable 'x' must be one or two numbers from 1, and of a "
        "million elements at most, "
        "found a list of "
        "1");
  CHECK(errorsOf("equations: [[a]]") ==
        "m.yaml:1:13: error: an equation must be a text \"a = b\", found a list of 1");
  CHECK(errorsOf("parameters: {x: 1}\nvariables: {x: time}") ==
        "m.yaml:2:13: error: name 'x' is used twice, for a parameter and a variable\n"
        "m.yaml:1:14: note: first used here");
}

TEST_CASE("ModelFile errors: a name has one meaning") {
  const auto taken = [](const std::string& place, const std::string& name,
                        const std::string& meaning, const std::string& by) {
    return "m.yaml:" + place + ": error: name '" + name + "' is taken: in expressions it is " +
           meaning + "; give the " + by + " another one";
  };
  CHECK(errorsOf("parameters: {pi: 3}") ==
        taken("1:14", "pi", "the constant 3.141592653589793", "parameter"));
  CHECK(errorsOf("parameters: {deg: 3}") ==
        taken("1:14", "deg", "the constant 0.017453292519943295", "parameter"));
  CHECK(errorsOf("parameters: {time: 3}") ==
        taken("1:14", "time", "the time of the run", "parameter"));
  CHECK(errorsOf("parameters: {and: 3}") ==
        taken("1:14", "and", "a word of the language", "parameter"));
  CHECK(errorsOf("variables: {time: '2'}") ==
        taken("1:13", "time", "the time of the run", "variable"));
  CHECK(errorsOf("submodels: {S: {parameters: {pi: 1}}}\ncomponents: {s: {type: S}}") ==
        taken("1:30", "s.pi", "the constant 3.141592653589793", "parameter"));

  const auto twice = [](const std::string& place, const std::string& name, const std::string& pair,
                        const std::string& first) {
    return "m.yaml:" + place + ": error: name '" + name + "' is used twice, for a " + pair +
           "\nm.yaml:" + first + ": note: first used here";
  };
  // Alone the name means the parameter, with a dot what belongs to the component.
  CHECK(errorsOf("parameters: {b: 1}\ncomponents: {b: {type: Body}}") == "");
  CHECK(errorsOf("components: {b: {type: Body}}\nvariables: {b: '1'}") ==
        twice("2:13", "b", "component and a variable", "1:14"));
  const std::string submodel =
      "submodels:\n"
      "  S:\n"
      "    components: {f: {type: Fixed}}\n"
      "    parameters: {L: 1}\n";
  CHECK(errorsOf(submodel + "components: {s: {type: S}}\nvariables: {s: '1'}") ==
        twice("6:13", "s", "component and a variable", "5:14"));
  CHECK(errorsOf(submodel + "parameters: {s.L: 1}\ncomponents: {s: {type: S}}") ==
        "m.yaml:4:18: error: parameter name 's.L' is used twice\n"
        "m.yaml:5:14: note: first used here");
  CHECK(errorsOf(submodel + "    connectors: {f: f.frame_b}\n"
                            "components: {s: {type: S}}") ==
        twice("5:18", "s.f", "component and a connector", "3:18"));
  CHECK(errorsOf("parameters: {world: 1}") ==
        "m.yaml:1:14: error: name 'world' is taken: it is "
        "the World's");
  CHECK(errorsOf("variables: {world: '1'}") ==
        "m.yaml:1:13: error: name 'world' is taken: it is "
        "the World's");
  CHECK(errorsOf("world: {name: w}\nparameters: {world: 1}") == "");
}

TEST_CASE("ModelFile errors: components") {
  CHECK(errorsOf("components:\n  b1: {type: Body}\n  b1: {type: Body}") ==
        "m.yaml:3:3: error: component name 'b1' is used twice\nm.yaml:2:3: note: first used here");
  CHECK(errorsOf("components: {b1: Body}") ==
        "m.yaml:1:18: error: component 'b1' must be a map with its 'type', found 'Body'");
  CHECK(errorsOf("components: {b1: {m: 1}}") ==
        "m.yaml:1:14: error: component 'b1' must have a 'type'");
  CHECK(errorsOf("components: {b1: {type: [a]}}") ==
        "m.yaml:1:25: error: 'type' of component 'b1' must be the name of a class, found a list of "
        "1");
  CHECK(errorsOf("components: {b1: {type: Body, m: 1, m: 2}}") ==
        "m.yaml:1:37: error: key 'm' is given twice\nm.yaml:1:31: note: first given here");
  CHECK(errorsOf("components: {world: {type: World}}") ==
        "m.yaml:1:14: error: component name 'world' is the World's; its parameters stand under "
        "'world:'");
}

TEST_CASE("ModelFile errors: connections") {
  const std::string body = "components: {body: {type: Body}}\nconnections:\n";
  CHECK(errorsOf(body + "  - [world.frame_b]") ==
        "m.yaml:3:5: error: a connection must be a list of two connectors, as [a.frame_b, "
        "b.frame_a], found a "
        "list of 1");
  CHECK(errorsOf(body + "  - body.frame_a") ==
        "m.yaml:3:5: error: a connection must be a list of two connectors, as [a.frame_b, "
        "b.frame_a], found "
        "'body.frame_a'");
  CHECK(errorsOf(body + "  - [world.frame_b, '']") ==
        "m.yaml:3:21: error: a connection must name a connector, as 'body.frame_a', found ''");
  CHECK(errorsOf(body + "  - [world.frame_b, bdy.frame_a]") ==
        "m.yaml:3:21: error: unknown component 'bdy'; did you mean 'body'?");
  CHECK(errorsOf(body + "  - [world.frame_b, body]") ==
        "m.yaml:3:21: error: a connection must name a connector, as 'body.frame_a', found "
        "component 'body'");
}

TEST_CASE("ModelFile errors: simulation") {
  CHECK(errorsOf("simulation: {stop: -1}") ==
        "m.yaml:1:20: error: simulation: 'stop' must be greater than 'start' (0), found -1");
  CHECK(errorsOf("simulation: {interval: 0}") ==
        "m.yaml:1:24: error: simulation: 'interval' must be greater than 0, found 0");
  CHECK(errorsOf("simulation: {tolerance: 2}") ==
        "m.yaml:1:25: error: simulation: 'tolerance' must be greater than 0 and less than 1, found "
        "2");
  CHECK(errorsOf("simulation: {stop: [1]}") ==
        "m.yaml:1:20: error: simulation: 'stop' must be a number, found a list of 1");
  CHECK(errorsOf("simulation: {interval: 1e-12}") ==
        "m.yaml:1:24: error: simulation: 'interval' must not ask for more than 1e+08 output "
        "points, found "
        "1e-12");
  CHECK(errorsOf("simulation: {stopp: 1}") ==
        "m.yaml:1:14: error: unknown key of simulation: 'stopp'; did you mean 'stop'? known are "
        "impact, integrator, interval, start, step, stop, tolerance");
  CHECK(loaded("simulation: {integrator: automatic}").simulation.integrator ==
        IntegratorChoice::automatic);
  CHECK(errorsOf("simulation: {integrator: [ida]}") ==
        "m.yaml:1:26: error: simulation: 'integrator' must be one of automatic, ida, explicit, "
        "stepping, found "
        "a list of 1");
  CHECK(loaded("parameters: {T: 2}\nsimulation: {stop: 3*T}").simulation.stop == 6);
}

TEST_CASE("Submodels: instances become flat components, parameters look outwards") {
  const ModelSource m = loaded(kModelFileArm);
  CHECK(parametersOf(m) ==
        "L0 = 0.3; arm1.L = 0.5; arm1.M = 1; arm1.hand.m = 1; arm2.L = 0.8999999999999999; "
        "arm2.M = 1.7999999999999998; arm2.hand.m = 1.7999999999999998");
  REQUIRE(m.components.size() == 4);
  CHECK(m.components[0].name == "arm1.base");
  CHECK(m.components[1].name == "arm1.hand.body");
  CHECK(m.scopes[static_cast<size_t>(m.components[1].scope)].prefix == "arm1.hand.");
  CHECK(connectionsOf(m) ==
        "arm1.base.frame_b - arm1.hand.body.frame_a; world.frame_b - arm1.base.frame_a; "
        "arm2.base.frame_b - arm2.hand.body.frame_a; world.frame_b - arm2.base.frame_a; "
        "arm1.hand.body.frame_a - arm2.base.frame_a");
  CHECK(m.variables[1].name == "arm2.x");
  CHECK(m.variables[1].expression->text == "base.frame_b.r_0");
  CHECK(m.withoutAliases("arm2.tip.r_0[1]") == "arm2.hand.body.frame_a.r_0[1]");
  CHECK(m.withoutAliases("arm2.base.r") == "arm2.base.r");
}

TEST_CASE("Submodels: parts look outwards, also for what stands further down") {
  const ModelSource m = loaded(
      "submodels: {A: {components: {x: {type: Body, m: 2*k}}, connections: [[ground.frame_b, "
      "x.frame_a]]}}\n"
      "components: {a: {type: A}, ground: {type: Fixed}}\nparameters: {k: 1}");
  CHECK(connectionsOf(m) == "ground.frame_b - a.x.frame_a");
}

TEST_CASE("Submodels: errors once, however many instances") {
  CHECK(
      errorsOf("submodels:\n  A: {components: {x: {type: B}}}\n  B: {components: {x: {type: A}}}\n"
               "components: {a: {type: A}, b: {type: A}}") ==
      "m.yaml:3:30: error: a submodel must not contain itself: A -> B -> A");
  CHECK(errorsOf("submodels: {A: {parameters: {L: 1, M: 2}}}\ncomponents: {a: {type: A, LL: 3}}") ==
        "m.yaml:2:27: error: A 'a': unknown key 'LL'; did you mean 'L'? known keys: L, M");
  CHECK(errorsOf("submodels: {A: {componets: {}}}\n")
            .starts_with("m.yaml:1:17: error: unknown section of submodel 'A': 'componets'; did "
                         "you mean 'components'?"));
  CHECK(errorsOf("submodels: {A: {components: {b: {type: Body}}, connectors: {f: b.frame_a}}}\n"
                 "components: {a: {type: A}}\nconnections: [[world.frame_b, a.ff]]") ==
        "m.yaml:3:31: error: A 'a': no connector or part 'ff'; did you mean 'f'?");
  CHECK(errorsOf("submodels: {A: {connectors: {f: bb.frame_a}}}\n"
                 "components: {a: {type: A}, b: {type: A}}") ==
        "m.yaml:1:33: error: unknown component 'bb'");
  std::string explosion = "submodels:\n  S0: {components: {x: {type: Body}}}\n";
  for (int i = 1; i < 40; ++i) {
    const std::string inner = "{type: S" + std::to_string(i - 1) + "}";
    explosion +=
        "  S" + std::to_string(i) + ": {components: {a: " + inner + ", b: " + inner + "}}\n";
  }
  CHECK(errorsOf(explosion + "components: {x: {type: S39}}")
            .find("must not have more than 1000000") != std::string::npos);
}

TEST_CASE("Includes: bring submodels, relative to the file that includes") {
  const test::Folder folder;
  folder.write("parts/deep.yaml", "submodels: {Deep: {components: {b: {type: Body}}}}\n");
  folder.write("parts/arm.yaml",
               "include: deep.yaml\nsubmodels: {Arm: {components: {d: {type: Deep}}}}\n");
  const std::string model = folder.write(
      "m.yaml", "include: [parts/arm.yaml, parts/deep.yaml]\ncomponents: {a: {type: Arm}}\n");
  Diagnostics diagnostics;
  const ModelSource m = loadModel(model, {}, diagnostics);
  CHECK(diagnostics.format() == "");
  REQUIRE(m.components.size() == 1);
  CHECK(m.components[0].name == "a.d.b");
}

TEST_CASE("Includes: errors name the chain and the file") {
  const test::Folder folder;
  folder.write("a.yaml", "include: [b.yaml]\n");
  folder.write("b.yaml",
               "include: [a.yaml, c.yaml]\nsubmodels: {A: {}, B: {components: {x: {}}}}\n");
  Diagnostics diagnostics;
  loadModel(folder / "a.yaml", {}, diagnostics);
  const std::string a = folder / "a.yaml";
  const std::string b = folder / "b.yaml";
  CHECK(diagnostics.format() ==
        b + ":1:11: error: a file must not include itself: " + a + " -> " + b + " -> " + a + "\n" +
            b + ":1:19: error: cannot read the included file '" + folder / "c.yaml" + "'\n" + b +
            ":2:37: error: component 'x' must have a 'type'");
}

TEST_CASE("Overrides: parameters of the model, of instances and of components") {
  CHECK(parametersOf(loaded("parameters: {a: 1, b: 2*a}", {"a=5"})) == "a = 5; b = 10");
  CHECK(parametersOf(loaded("parameters: {a: 1, b: 2}", {"a=3*b"})) == "a = 6; b = 2");
  CHECK(parametersOf(loaded("parameters: {r: [1, 2, 3]}", {"r[2]=7"})) == "r = {1, 7, 3}");
  CHECK(parametersOf(loaded("parameters: {r: [1, 2, 3]}", {"r=[4, 5]"})) == "r = {4, 5}");
  CHECK(parametersOf(loaded("parameters: {A: [[1, 2], [3, 4]]}", {"A[2,1]=7", "A[1,2]=2*4"})) ==
        "A = {{1, 8}, {7, 4}}");
  CHECK(parametersOf(loaded("parameters: {A: [[1, 2], [3, 4]]}\nset: {A[1,1]: 7}", {})) ==
        "A = {{7, 2}, {3, 4}}");
  CHECK(parametersOf(loaded("parameters: {A: [[1, 2], [3, 4]]}", {"A[2]=[7, 8]"})) ==
        "A = {{1, 2}, {7, 8}}");
  const ModelSource matrix = loaded(
      "components: {g: {type: Blocks.MatrixGain, K: [[1, 2], [3, 4]]}}\n"
      "variables: {z: {size: [2, 2], start: [[1, 2], [3, 4]]}, w: {size: [2], start: [1, 2]}}",
      {"g.K[2,1]=7", "z.start[1,2]=8", "w.start[2]=9"});
  CHECK(matrix.components[0].arguments.find("K")->items[1].items[0].text == "7");
  CHECK(matrix.variables[0].start.start->items[0].items[1].text == "8");
  CHECK(matrix.variables[1].start.start->items[1].text == "9");
  CHECK(parametersOf(loaded(kModelFileArm, {"arm2.L=L0", "arm1.hand.m=9"})) ==
        "L0 = 0.3; arm1.L = 0.5; arm1.M = 1; arm1.hand.m = 9; arm2.L = 0.3; arm2.M = 0.6; "
        "arm2.hand.m = 0.6");
  const ModelSource fed =
      loaded("inputs: {u: {start: [1, 2, 3]}, v: 1}", {"u[2]=7", "v=4", "u[3]=9"});
  CHECK(fed.inputs[0].start->items[1].text == "7");
  CHECK(fed.inputs[0].start->items[2].text == "9");
  CHECK(fed.inputs[1].start->text == "4");
  const ModelSource m =
      loaded(kPendulum, {"boxBody1.width=0.1", "boxBody1.r[1]=4", "revolute1.phi.start=0.2",
                         "world.g=1.62", "boxBody1.part.phi.fixed=true"});
  CHECK(m.components[1].arguments.find("width")->text == "0.1");
  CHECK(m.components[1].arguments.find("width")->mark().file == "--set boxBody1.width=0.1");
  CHECK(m.components[1].arguments.find("r")->items[0].text == "4");
  CHECK(m.components[0].arguments.find("phi")->find("start")->text == "0.2");
  CHECK(m.components[0].arguments.find("phi")->find("fixed")->text == "true");
  CHECK(m.components[1].arguments.find("part")->find("phi")->find("fixed")->text == "true");
  CHECK(m.world.arguments.find("g")->text == "1.62");
}

TEST_CASE("Overrides: errors") {
  CHECK(errorsOf(kPendulum, {"LL=1"}) ==
        "--set LL=1: error: unknown parameter 'LL'; did you mean 'L'?");
  CHECK(
      errorsOf(kPendulum, {"boxBdy1.width=1"}) ==
      "--set boxBdy1.width=1: error: unknown parameter 'boxBdy1.width'; did you mean 'boxBody1'?");
  CHECK(errorsOf(kPendulum, {"L"}) == "--set L: error: an override must be NAME=VALUE, found 'L'");
  CHECK(errorsOf(kPendulum, {"L="}) ==
        "--set L=: error: the value of 'L' must be a number, a list or an expression, found ''");
  CHECK(
      errorsOf(kPendulum, {"L=[1"}) ==
      "--set L=[1: error: the value of 'L' must be a number, a list or an expression, found '[1'");
  CHECK(errorsOf(kPendulum, {"L={a: 1}"}) ==
        "--set L={a: 1}: error: parameter 'L' must be a value or an expression, found a map");
  CHECK(errorsOf(kPendulum, {"r[4]=1"}) ==
        "--set r[4]=1: error: 'r' has 3 elements, found index 4");
  const std::string matrix = "parameters: {A: [[1, 2], [3, 4]]}";
  CHECK(errorsOf(matrix, {"A[3,1]=1"}) ==
        "--set A[3,1]=1: error: 'A' has 2 elements, found index 3");
  CHECK(errorsOf(matrix, {"A[1,3]=1"}) ==
        "--set A[1,3]=1: error: 'A' has 2 elements, found index 3");
  CHECK(errorsOf(matrix, {"A[1,1,1]=1"}) ==
        "--set A[1,1,1]=1: error: 'A' must be written as a list of lists for this element to be "
        "set, found a list of 2");
  CHECK(errorsOf("inputs: {u: {start: [1, 2]}, v: {}}", {"u[3]=1", "v[1]=2"}) ==
        "--set u[3]=1: error: 'u' has 2 elements, found index 3\n"
        "--set v[1]=2: error: 'v' must be written as a list for an element to be set, found "
        "nothing");
  CHECK(errorsOf(kPendulum, {"L=2*x"}) == "--set L=2*x: error: unknown name 'x'");
}

TEST_CASE("ModelFile: every conformance model loads without an error") {
  const std::vector<fs::path> files = conformanceModels();
  if (files.empty()) {
    MESSAGE("no conformance models beside the sources: skipped");
    return;
  }
  CHECK(files.size() == 79);
  for (const fs::path& file : files) {
    Diagnostics diagnostics;
    const ModelSource m = loadModel(file.string(), {}, diagnostics);
    CHECK_MESSAGE(diagnostics.all().empty(), diagnostics.format());
    CHECK_FALSE(m.components.empty());
    CHECK_FALSE(m.outputs.empty());
    for (const ModelParameter& p : m.parameters) CHECK(p.value);
  }
}

TEST_CASE("ModelFile: 3000 damaged files give errors, never a crash") {
  std::vector<std::string> texts{std::string(kPendulum), std::string(kModelFileArm)};
  for (const fs::path& file : conformanceModels()) {
    if (texts.size() < 30 && fs::file_size(file) < 6000) texts.push_back(test::readFile(file));
  }
  std::mt19937 random(20240229);
  const auto below = [&](size_t n) {
    return static_cast<size_t>(random() % std::max<size_t>(n, 1));
  };
  const std::string_view pieces[] = {"[", "]",  "{",    "}",  ":",    ": ", ",",     "\"",
                                     "'", "\n", "\n  ", "- ", "&a",   "*a", "<<",    "|\n",
                                     "?", "#",  "!",    "\t", "\xC3", "=",  "1e999", "[1]"};
  for (int run = 0; run < 3000; ++run) {
    std::string text = texts[below(texts.size())];
    for (size_t k = 1 + below(4); k > 0; --k) {
      const size_t at = below(text.size());
      const size_t length = below(std::min<size_t>(text.size() - at, 40));
      const std::string copied = text.substr(below(text.size()), below(60));
      switch (below(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, pieces[below(std::size(pieces))]);
          break;
        case 2:
          text.insert(at, copied);
          break;
        default:
          if (!text.empty()) text[at] = static_cast<char>(below(256));
      }
    }
    Diagnostics diagnostics;
    const ModelSource m = parseModel(text, "m.yaml", {"L=2", "boxBody1.width=3"}, diagnostics);
    CHECK(m.file == "m.yaml");
    for (const Diagnostic& d : diagnostics.all()) CHECK_FALSE(d.text.empty());
  }
}
