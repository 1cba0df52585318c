#include "engine/model_file/parameter_binding.h"
#include "engine/model_file/model_file.h"

#include <doctest/doctest.h>

#include <functional>

#include "components/world_settings.h"
#include "engine/model_file/parameter_documentation.h"

using namespace cardan;

namespace {

enum class Frame { world, frame_a, frame_resolve };

/// One parameter of every kind.
struct Probe {
  double m = 1;
  double angle = 0;
  int depth = 3;
  bool animation = true;
  std::string shape = "box";
  std::vector<std::string> names{"a"};
  Vector3d r{1, 2, 3};
  Matrix3d I = Matrix3d::Identity();
  std::array<int, 3> sequence{1, 2, 3};
  std::vector<int> columns{2};
  Eigen::MatrixXd table = Eigen::MatrixXd::Zero(1, 2);
  Eigen::MatrixXd vector = Eigen::MatrixXd::Zero(2, 1);
  Frame resolveInFrame = Frame::frame_a;
  StartVector<1> phi;
  StartVector<3> r_0;
  double inner = 4;

  void read(ParameterReader& r_) {
    r_.real("m", m, "kg", "mass", kNotNegative);
    r_.real("angle", angle, "deg", "angle in degrees");
    r_.integer("depth", depth, "a depth", kPositive);
    r_.boolean("animation", animation, "shown");
    r_.string("shape", shape, "a text");
    r_.strings("names", names, "texts");
    r_.vector("r", r, "m", "position");
    r_.matrix("I", I, "kg.m2", "inertia");
    r_.integers("sequence", sequence, "axes", {1, false});
    r_.integers("columns", columns, "columns");
    r_.table("table", table, "1", "a table");
    r_.vectorOfAnySize("vector", vector, "1", "a vector");
    r_.enumeration("resolveInFrame", resolveInFrame,
                   {{"world", Frame::world},
                    {"frame_a", Frame::frame_a},
                    {"frame_resolve", Frame::frame_resolve}},
                   "frame");
    r_.start("phi", phi, "rad", "angle");
    r_.start("r_0", r_0, "m", "position");
    r_.input("force", 3, "N", "force");
    r_.input("tau", std::vector<double>{0.5}, "N.m", "torque");
    r_.begin("part");
    r_.real("inner", inner, "1", "of a part", kPositive);
    r_.end();
    r_.require(r.norm() > 0, "r", "must not be the zero vector");
  }
};

/// A model with one component 'p' of type Probe.
struct ReadParameters {
  explicit ReadParameters(const std::string& arguments, const std::string& more = "") {
    model = parseModel("components:\n  p: {type: Probe" +
                           std::string(arguments.empty() ? "" : ", ") + arguments + "}\n" + more,
                       "m.yaml", {}, diagnostics);
    ParameterTable table(model, diagnostics);
    table.readComponents([&](const ComponentDescription& c) {
      if (c.name != "p") return;
      ParameterBinding binding(c, table, world, diagnostics);
      probe.read(binding);
      binding.finish();
      inputs = binding.inputBindings();
      unknowns = binding.unknownParameters();
      for (const auto* p : binding.values()) values.emplace_back(p->key, p->value);
    });
    errors = diagnostics.format();
  }

  Diagnostics diagnostics;
  WorldSettings world;
  ModelSource model;
  Probe probe;
  std::vector<InputBinding> inputs;
  std::vector<FreeParameter> unknowns;
  std::vector<std::pair<std::string, ExpressionValue>> values;
  std::string errors;
};

/// Reads two boxes with `height = width` as default.
struct Box {
  double width = 0.3;
  double height = 0;
  void read(ParameterReader& r) {
    r.real("width", width, "m", "width");
    height = width;
    r.real("height", height, "m", "height");
  }
};

std::string boxes(const std::string& text, const std::string& wanted) {
  Diagnostics diagnostics;
  const ModelSource model = parseModel(text, "m.yaml", {}, diagnostics);
  ParameterTable table(model, diagnostics);
  const WorldSettings world;
  std::map<std::string, Box> all;
  table.readComponents([&](const ComponentDescription& c) {
    ParameterBinding binding(c, table, world, diagnostics);
    all[c.name].read(binding);
    binding.finish();
  });
  for (size_t i = 0; i < model.parameters.size(); ++i) table.parameter(i);
  if (diagnostics.errorCount() > 0) return diagnostics.format();
  const auto result = table.lookup(wanted, 0);
  return result.isKnown() ? result.value.format() : "unknown";
}

}  // namespace

TEST_CASE("ParameterBinding: what is not given keeps its default") {
  const ReadParameters r("");
  CHECK(r.errors == "");
  CHECK(r.probe.m == 1);
  CHECK(r.probe.r == Vector3d(1, 2, 3));
  CHECK_FALSE(r.probe.phi.given);
  REQUIRE(r.inputs.size() == 2);
  CHECK_FALSE(r.inputs[0].given);
  CHECK(r.inputs[0].elements.empty());
  CHECK(r.inputs[0].at.line == 2);
  CHECK(r.inputs[1].elements[0].constant == 0.5);
}

TEST_CASE("ParameterBinding: every kind of value, as number and as expression") {
  const ReadParameters r(
      "m: 2*k, angle: 30, depth: 2 + 3, animation: flag, shape: cylinder, names: [x, y], r: 'k*v', "
      "I: [[1, 2, 3], [4, 5, 6], [7, 8, k]], sequence: [3, 1, 2], columns: [4, 5], table: [[1, 2], "
      "[3, k]], "
      "vector: [1, 2, 3, k], resolveInFrame: Types.ResolveInFrameA.frame_resolve, part: {inner: 7}",
      "parameters: {k: 9, v: [1, 0, 2], flag: false}");
  CHECK(r.errors == "");
  CHECK(r.probe.m == 18);
  CHECK(r.probe.angle == 30);
  CHECK(r.probe.depth == 5);
  CHECK_FALSE(r.probe.animation);
  CHECK(r.probe.shape == "cylinder");
  CHECK(r.probe.names == std::vector<std::string>{"x", "y"});
  CHECK(r.probe.r == Vector3d(9, 0, 18));
  CHECK(r.probe.I(1, 0) == 4);
  CHECK(r.probe.I(2, 2) == 9);
  CHECK(r.probe.sequence == std::array<int, 3>{3, 1, 2});
  CHECK(r.probe.columns == std::vector<int>{4, 5});
  CHECK(r.probe.table(1, 1) == 9);
  CHECK(r.probe.vector.rows() == 4);
  CHECK(r.probe.resolveInFrame == Frame::frame_resolve);
  CHECK(r.probe.inner == 7);
  const auto value = [&](const std::string& name) {
    for (const auto& [n, v] : r.values) {
      if (n == name) return v.format();
    }
    return std::string("none");
  };
  CHECK(value("m") == "18");
  CHECK(value("r") == "{9, 0, 18}");
  CHECK(value("part.inner") == "7");
  CHECK(value("resolveInFrame") == "\"frame_resolve\"");
}

TEST_CASE("ParameterBinding: start values") {
  const ReadParameters r(
      "phi: {start: '30*deg', fixed: true, stateSelect: StateSelect.prefer, nominal: 2}, "
      "r_0: {start: [1, k, 3], fixed: [true, false, true]}",
      "parameters: {k: 5}");
  CHECK(r.errors == "");
  CHECK(r.probe.phi.start[0] == doctest::Approx(0.5235987755982988).epsilon(1e-15));
  CHECK(r.probe.phi.fixed[0]);
  CHECK(r.probe.phi.given);
  CHECK(r.probe.phi.stateSelect == StateSelect::prefer);
  CHECK(r.probe.r_0.start == Vector3d(1, 5, 3));
  CHECK(r.probe.r_0.fixed == std::array<bool, 3>{true, false, true});
  const ReadParameters fixedOnly("r_0: {fixed: true}");
  CHECK(fixedOnly.probe.r_0.fixed == std::array<bool, 3>{true, true, true});
  CHECK_FALSE(fixedOnly.probe.r_0.given);
}

TEST_CASE("ParameterBinding: inputs keep numbers and expressions apart") {
  const ReadParameters r("force: ['10*sin(time)', 0, -3], tau: '=k*x'");
  CHECK(r.errors == "");
  REQUIRE(r.inputs.size() == 2);
  CHECK(r.inputs[0].name == "force");
  CHECK(r.inputs[0].elements[0].expression->text == "10*sin(time)");
  CHECK(r.inputs[0].elements[0].expression->at.column == 29);
  CHECK_FALSE(r.inputs[0].elements[1].expression);
  CHECK(r.inputs[0].elements[2].constant == -3);
  CHECK(r.inputs[1].expression->text == "k*x");
  const ReadParameters whole("force: '=body.n', tau: true");
  CHECK(whole.inputs[0].expression->text == "body.n");
  CHECK(whole.inputs[1].elements[0].constant == 1);
}

TEST_CASE("ParameterBinding: a parameter that initialisation finds") {
  const ReadParameters r("m: {fixed: false, start: 100}");
  CHECK(r.errors == "");
  REQUIRE(r.unknowns.size() == 1);
  CHECK(r.unknowns[0].name == "m");
  CHECK(r.unknowns[0].start == 100);
  CHECK(r.unknowns[0].target == &r.probe.m);
  CHECK(r.probe.m == 100);
  const ReadParameters fixedStart("m: {start: 7}");
  CHECK(fixedStart.unknowns.empty());
  CHECK(fixedStart.probe.m == 7);
}

TEST_CASE("ParameterBinding errors: rule, fact, place") {
  const auto error = [](const std::string& arguments) { return ReadParameters(arguments).errors; };
  CHECK(error("m: [1, 2]") ==
        "m.yaml:2:23: error: Probe 'p': 'm' must be a number, found a list of 2");
  CHECK(error("m: true") == "m.yaml:2:23: error: Probe 'p': 'm' must be a number, found true");
  CHECK(error("m: ") == "m.yaml:2:23: error: Probe 'p': 'm' must be given a value, found nothing");
  CHECK(error("m: -1") == "m.yaml:2:23: error: Probe 'p': 'm' must be at least 0, found -1");
  CHECK(error("m: 2*x") == "m.yaml:2:25: error: unknown name 'x'");
  CHECK(error("m: .nan") != "");
  CHECK(error("m: inf") == "m.yaml:2:23: error: unknown name 'inf'");
  CHECK(error("m: 1e999") != "");
  CHECK(error("angle: 30*deg") ==
        "m.yaml:2:27: error: Probe 'p': 'angle' is in degrees: write 30, not \"30*deg\"");
  CHECK(error("depth: 2.5") ==
        "m.yaml:2:27: error: Probe 'p': 'depth' must be a whole number, found 2.5");
  CHECK(error("depth: 0") ==
        "m.yaml:2:27: error: Probe 'p': 'depth' must be greater than 0, found 0");
  CHECK(error("animation: 1") ==
        "m.yaml:2:31: error: Probe 'p': 'animation' must be true or false, found 1");
  CHECK(error("shape: [a]") ==
        "m.yaml:2:27: error: Probe 'p': 'shape' must be a text, found a list of 1");
  CHECK(error("r: [1, 2]") ==
        "m.yaml:2:23: error: Probe 'p': 'r' must be a vector of 3 numbers, found a list of 2");
  CHECK(error("r: 5") ==
        "m.yaml:2:23: error: Probe 'p': 'r' must be a vector of 3 numbers, found 5");
  CHECK(error("r: '{1, 2}'") ==
        "m.yaml:2:23: error: Probe 'p': 'r' must be a vector of 3 numbers, found a vector of 2");
  CHECK(error("r: [0, 0, 0]") == "m.yaml:2:23: error: Probe 'p': 'r' must not be the zero vector");
  CHECK(error("I: [[1, 0], [0, 1]]") ==
        "m.yaml:2:23: error: Probe 'p': 'I' must be a matrix of 3 rows with 3 numbers each, found "
        "a list of 2");
  CHECK(error("sequence: [1, 0, 2]") ==
        "m.yaml:2:34: error: Probe 'p': 'sequence' must be at least 1, found 0");
  CHECK(error("sequence: [1, 1.5, 2]") ==
        "m.yaml:2:34: error: Probe 'p': 'sequence' must be whole numbers, found 1.5");
  CHECK(
      error("table: [1, 2]") ==
      "m.yaml:2:27: error: Probe 'p': 'table' must be a matrix, a list of rows, found a list of 2");
  CHECK(error("resolveInFrame: frame_resolv") ==
        "m.yaml:2:36: error: Probe 'p': 'resolveInFrame' must be one of world, frame_a, "
        "frame_resolve, found "
        "'frame_resolv'; did you mean 'frame_resolve'?");
  CHECK(error("part: {inner: 0}") ==
        "m.yaml:2:34: error: Probe 'p': 'part.inner' must be greater than 0, found 0");
  CHECK(error("part: {iner: 1}") ==
        "m.yaml:2:27: error: Probe 'p': unknown key 'part.iner'; did you mean 'inner'? known keys: "
        "inner");
  CHECK(error("part: 3") ==
        "m.yaml:2:26: error: Probe 'p': 'part' must be a map of the part's parameters, found '3'");
  CHECK(error("mass: 1") ==
        "m.yaml:2:20: error: Probe 'p': unknown key 'mass'; did you mean 'm'? known keys: I, "
        "angle, animation, "
        "columns, depth, "
        "force, m, names, part, phi, r, r_0, resolveInFrame, sequence, shape, table, tau, vector");
}

TEST_CASE("ParameterBinding errors: start values, inputs and unknown parameters") {
  const auto error = [](const std::string& arguments) { return ReadParameters(arguments).errors; };
  CHECK(error("phi: 0.1") ==
        "m.yaml:2:25: error: Probe 'p': 'phi' must be a map, as {start: 0.1, fixed: true}, found "
        "'0.1'");
  CHECK(error("phi: {start: [1, 2]}") ==
        "m.yaml:2:33: error: Probe 'p': 'phi.start' must be a number, found a list of 2");
  CHECK(error("r_0: {start: 1}") ==
        "m.yaml:2:33: error: Probe 'p': 'r_0.start' must be a vector of 3 numbers, found 1");
  CHECK(error("r_0: {fixed: [true]}") ==
        "m.yaml:2:33: error: Probe 'p': 'r_0.fixed' must be true, false or a list of 3 of them, "
        "found a list of "
        "1");
  CHECK(error("phi: {stat: 1}") ==
        "m.yaml:2:26: error: Probe 'p': unknown key 'phi.stat'; did you mean 'start'? known keys: "
        "displayUnit, fixed, max, min, "
        "nominal, start, stateSelect");
  CHECK(error("phi: {stateSelect: prefered}") ==
        "m.yaml:2:39: error: Probe 'p': 'phi.stateSelect' must be one of never, avoid, default, "
        "prefer, "
        "always, found 'prefered'; did you mean 'prefer'?");
  CHECK(error("force: [1, 2]") ==
        "m.yaml:2:27: error: Probe 'p': 'force' must be a list of 3 numbers or expressions, or one "
        "expression, "
        "found a list of 2");
  CHECK(error("force: 1") ==
        "m.yaml:2:27: error: Probe 'p': 'force' must be a list of 3 numbers or expressions, or one "
        "expression, "
        "found '1'");
  CHECK(error("tau: {start: 1}") ==
        "m.yaml:2:25: error: Probe 'p': 'tau' must be a number or an expression, found a map");
  CHECK(error("m: {fixed: true}") ==
        "m.yaml:2:23: error: Probe 'p': 'm' must be a number or have a 'start', found a map "
        "without one");
  CHECK(error("m: {fixed: false, strt: 1}") ==
        "m.yaml:2:38: error: Probe 'p': unknown key 'm.strt'; did you mean 'start'? known keys: "
        "fixed, start");
}

TEST_CASE("ParameterBinding: all errors of a component in one go") {
  const ReadParameters r("m: -1, depth: 0, r: [1], xx: 1");
  CHECK(r.diagnostics.errorCount() == 4);
}

TEST_CASE("ParameterTable: defaults of components serve others, in any order") {
  CHECK(boxes("components: {a: {type: Box, width: b.height}, b: {type: Box, width: 0.7}}",
              "a.width") == "0.7");
  CHECK(boxes("components: {a: {type: Box, width: 2*b.width}, b: {type: Box}}", "a.height") ==
        "0.6");
  CHECK(
      boxes(
          "components: {a: {type: Box, width: b.width}, b: {type: Box, width: 1, height: a.width}}",
          "b.height") == "1");
  CHECK(boxes("parameters: {w: 2*a.height}\ncomponents: {a: {type: Box}}", "w") == "0.6");
  CHECK(boxes("parameters: {w: 2*a.height}\ncomponents: {b: {type: Box, width: w}, a: {type: Box}}",
              "b.height") == "0.6");
}

TEST_CASE("ParameterTable errors: circles and unknown names of components") {
  CHECK(boxes("components: {a: {type: Box, width: b.width}, b: {type: Box, width: a.width}}",
              "a.width") ==
        "m.yaml:1:36: error: parameters must not depend on themselves: a.width -> b.width -> "
        "a.width");
  CHECK(boxes("components: {a: {type: Box, width: b.widht}, b: {type: Box}}", "a.width") ==
        "m.yaml:1:36: error: unknown name 'b.widht'; did you mean 'b.width'?");
  CHECK(boxes("components: {a: {type: Box, width: a.height}}", "a.width") ==
        "m.yaml:1:14: error: the default of 'a.height' must not be needed to read 'a' itself");
  CHECK(
      boxes("parameters: {w: a.size}\ncomponents: {a: {type: Box}}", "w") ==
      "m.yaml:1:17: error: 'a.size' is no parameter of 'a', and variables have no value before the "
      "run: a parameter cannot depend on one");
}

TEST_CASE("ParameterDocumentation: every parameter with type, unit, default, range and choices") {
  const WorldSettings world;
  ParameterDocumentation documentation(world);
  Probe probe;
  probe.read(documentation);
  const auto& all = documentation.parameters();
  REQUIRE(all.size() == 18);
  const auto line = [](const DocumentedParameter& p) {
    return p.name + " | " + p.type + " | " + p.unit + " | " + p.defaultValue + " | " + p.range +
           " | " + p.description;
  };
  CHECK(line(all[0]) == "m | number | kg | 1 | >= 0 | mass");
  CHECK(line(all[2]) == "depth | integer | 1 | 3 | > 0 | a depth");
  CHECK(line(all[5]) == "names | list of texts |  | [\"a\"] |  | texts");
  CHECK(line(all[6]) == "r | vector of 3 | m | [1, 2, 3] |  | position");
  CHECK(line(all[7]) ==
        "I | matrix 3 x 3 | kg.m2 | [[1, 0, 0], [0, 1, 0], [0, 0, 1]] |  | inertia");
  CHECK(line(all[10]) == "table | matrix | 1 | [[0, 0]] |  | a table");
  CHECK(line(all[12]) == "resolveInFrame | enumeration |  | frame_a |  | frame");
  CHECK(all[12].choices == std::vector<std::string>{"world", "frame_a", "frame_resolve"});
  CHECK(line(all[13]) == "phi | start value | rad | {start: 0, fixed: false} |  | angle");
  CHECK(line(all[14]) ==
        "r_0 | start values of 3 | m | {start: [0, 0, 0], fixed: false} |  | position");
  CHECK(line(all[15]) == "force | input of 3 | N |  |  | force");
  CHECK(line(all[16]) == "tau | input | N.m | 0.5 |  | torque");
  CHECK(line(all[17]) == "part.inner | number | 1 | 4 | > 0 | of a part");
}
