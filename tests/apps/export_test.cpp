// cardan export: Modelica models out of model files, which come back as what they were.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/model_file/model_file.h"
#include "engine/modelica/known_classes.h"
#include "tests/apps/process.h"

using namespace cardan;
using modelica::libraryEnumeration;
using modelica::libraryPath;
using test::Folder;
using test::Process;

namespace {

namespace fs = std::filesystem;

/// `cylinder1.piston` -> `cylinder1_piston`
std::string underscored(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      result += c;
    } else if (c != ']') {
      result += '_';
    }
  }
  return result;
}

std::vector<std::string> columnsOf(const std::string& csv) {
  std::vector<std::string> columns;
  std::istringstream head(csv.substr(0, csv.find('\n')));
  for (std::string name; std::getline(head, name, '"') && std::getline(head, name, '"');)
    columns.push_back(name);
  return columns;
}

/// Names of the model that are no word of Modelica, the longest first.
std::vector<std::string> dottedNames(const fs::path& file) {
  std::vector<std::string> names;
  Diagnostics ignored;
  const auto root = readYaml(file.string(), ignored);
  for (const char* section : {"components", "parameters", "variables"}) {
    const YamlNode* map = root->find(section);
    for (const YamlNode::Entry& e : map ? map->entries : std::vector<YamlNode::Entry>{}) {
      if (e.key.find_first_of(".[") != std::string::npos) names.push_back(e.key);
    }
  }
  std::ranges::sort(names, [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return names;
}

std::string renamed(const std::string& column, const std::vector<std::string>& names) {
  for (const std::string& n : names) {
    if (!column.starts_with(n)) continue;
    const std::string rest = column.substr(n.size());
    if (rest.empty() || rest[0] == '.' || rest[0] == '[') return underscored(n) + rest;
  }
  return column;
}

std::string rowsOf(const std::string& csv) { return csv.substr(csv.find('\n')); }

/// The largest difference of two results, as a part of the column's largest value.
double differenceOf(const std::string& a, const std::string& b) {
  const auto numbers = [](const std::string& rows) {
    std::vector<std::vector<double>> all;
    std::istringstream lines(rows);
    for (std::string row; std::getline(lines, row);) {
      std::vector<double> values;
      std::istringstream cells(row);
      for (std::string x; std::getline(cells, x, ',');) values.push_back(std::stod(x));
      if (!values.empty()) all.push_back(std::move(values));
    }
    return all;
  };
  const auto x = numbers(a), y = numbers(b);
  if (x.size() != y.size() || x.empty()) return INFINITY;
  double worst = 0;
  for (size_t j = 0; j < x[0].size(); ++j) {
    double size = 1e-3, apart = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      size = std::max(size, std::abs(x[i][j]));
      apart = std::max(apart, std::abs(x[i][j] - y[i][j]));
    }
    worst = std::max(worst, apart / size);
  }
  return worst;
}

/// Writes a model as Modelica, reads it back, runs both. "": the rows are the same to the last byte.
std::string roundTrip(const fs::path& file, double& difference) {
  const Folder folder;
  const auto quoted = [](const std::string& s) { return "'" + s + "'"; };
  const Process exported = test::runCardan(folder, "export " + quoted(file.string()) + " -o m.mo");
  if (exported.code != 0) return "export: " + exported.err;
  const Process imported = test::runCardan(folder, "import m.mo -o m.yaml");
  if (imported.code != 0) return "import: " + imported.err;
  const Process a = test::runCardan(folder, "simulate -q " + quoted(file.string()) + " -o a.csv");
  if (a.code != 0) return "run: " + a.err;
  const std::string before = folder.read("a.csv");
  const std::vector<std::string> names = dottedNames(file);
  std::string outputs;
  for (const std::string& c : columnsOf(before)) {
    if (c != "time") outputs += (outputs.empty() ? "\"" : ", \"") + renamed(c, names) + "\"";
  }
  folder.write("m.yaml", folder.read("m.yaml") + "outputs: [" + outputs + "]\n");
  const Process b = test::runCardan(folder, "simulate -q m.yaml -o b.csv");
  if (b.code != 0) return "run of what came back: " + b.err;
  const std::string after = folder.read("b.csv");
  if (rowsOf(before) == rowsOf(after)) return "";
  difference = differenceOf(rowsOf(before), rowsOf(after));
  return "other rows";
}

std::vector<fs::path> modelsIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& e : fs::recursive_directory_iterator(folder, ignored)) {
    if (e.path().extension() != ".yaml") continue;
    Diagnostics diagnostics;
    const ModelSource m = loadModel(e.path().string(), {}, diagnostics);
    if (diagnostics.errorCount() == 0 && !m.isLibrary()) files.push_back(e.path());
  }
  std::ranges::sort(files);
  return files;
}

/// What Modelica has no word for, and says so by name and line.
bool isRefusedByName(const std::string& message) {
  return message.find(": error: ") != std::string::npos &&
         (message.find("Modelica has no ") != std::string::npos ||
          message.find("Modelica's class has no '") != std::string::npos ||
          message.find("is not written to Modelica files") != std::string::npos);
}

}  // namespace

TEST_CASE("cardan export: a model as a person would write it") {
  const Folder folder;
  folder.write("m.yaml", R"yaml(model: Arm
description: A chain
parameters: {n: 3, L: 300 mm, heavy: true}
submodels:
  Link:
    parameters: {L: 0.5, phi0: 0}
    components:
      hinge: {type: Revolute, phi: {start: phi0, fixed: true}}
      rod: {type: FixedTranslation, r: [L, 0, 0]}
    connections: [[hinge.frame_b, rod.frame_a]]
    connectors: {frame_a: hinge.frame_a, frame_b: rod.frame_b}
components:
  link: {type: Link, count: n, L: L, phi0: "20*deg*i"}
  load: {type: Body, m: "if heavy then 5 else 1", r_0: {start: [1, 0, 0], fixed: false}}
  push: {type: WorldForce, resolveInFrame: world, force: ["10*sin(2*pi*time)", 0, "2*-x"]}
connections:
  - [world.frame_b, link[1].frame_a]
  - {for: "i in 1:n-1", connect: [link[i].frame_b, link[i+1].frame_a]}
  - [link[n].frame_b, load.frame_a]
  - [load.frame_a, push.frame_b]
variables: {x: {start: 3, fixed: true}, reach: "norm(load.r_0)"}
equations: ["der(x) = -x"]
simulation: {stop: 2, tolerance: 1e-6}
)yaml");
  const Process p = test::runCardan(folder, "export m.yaml");
  CAPTURE(p.err);
  CHECK(p.code == 0);
  CHECK(p.out == R"mo(model Arm "A chain"
  import Modelica.Constants.{D2R, pi};
  parameter Integer n = 3;
  parameter Real L(unit = "m") = 0.3;
  parameter Boolean heavy = true;

  model Link
    parameter Real L = 0.5;
    parameter Real phi0 = 0;
    Modelica.Mechanics.MultiBody.Joints.Revolute hinge(phi(start = phi0, fixed = true));
    Modelica.Mechanics.MultiBody.Parts.FixedTranslation rod(r = {L, 0, 0});
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b;
  equation
    connect(frame_a, hinge.frame_a);
    connect(frame_b, rod.frame_b);
    connect(hinge.frame_b, rod.frame_a);
  end Link;

  inner Modelica.Mechanics.MultiBody.World world;
  Link link[n](each L = L, phi0 = {20*D2R*i for i in 1:n});
  Modelica.Mechanics.MultiBody.Parts.Body load(m = if heavy then 5 else 1,
      r_0(start = {1, 0, 0}, each fixed = false));
  Modelica.Mechanics.MultiBody.Forces.WorldForce push(
      resolveInFrame = Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.world,
      force = {10*sin(2*pi*time), 0, 2*(-x)});
  Real x(start = 3, fixed = true);
  Real reach = Modelica.Math.Vectors.length(load.r_0);
equation
  connect(world.frame_b, link[1].frame_a);
  for i in 1:n - 1 loop
    connect(link[i].frame_b, link[i+1].frame_a);
  end for;
  connect(link[n].frame_b, load.frame_a);
  connect(load.frame_a, push.frame_b);
  der(x) = -x;
  annotation (experiment(StopTime = 2, Tolerance = 1e-06));
end Arm;
)mo");
}

TEST_CASE("cardan export: what Modelica has no class or word for is refused by name and line") {
  const Folder folder;
  folder.write("m.yaml", R"yaml(submodels:
  Inner:
    components: {b: {type: Body, m: outside}, f: {type: Fixed}}
    connections: [[b.frame_a, f.frame_b]]
parameters: {outside: 3}
world: {redeclare: {gravityAcceleration: {type: ModelicaTest.MultiBody.theoreticalNormalGravityWGS84, phi: 0}}}
components:
  i: {type: Inner}
  j: {type: Revolute, cut: false}
  b: {type: Body, orientationStates: quaternions}
  many: {type: Fixed, count: 2, if: "i > 1"}
connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a]]
variables: {e: totalEnergy}
)yaml");
  const Process p = test::runCardan(folder, "export m.yaml -o M.mo");
  CHECK(p.code == 2);
  CAPTURE(p.err);
  for (const char* message :
       {"m.yaml:3:37: error: 'outside' has no name in Modelica: a class does not see what is "
        "around "
        "it; make it a parameter of the submodel",
        "m.yaml:6:9: error: World 'world': a redeclared function is not written to Modelica files",
        "m.yaml:9:23: error: Revolute 'j': Modelica's class has no 'cut'",
        "m.yaml:10:38: error: Modelica's class has no 'orientationStates', and no 'quaternions'",
        "m.yaml:11:37: error: component 'many': in Modelica a condition holds for a whole array, "
        "found one of its elements",
        "m.yaml:13:16: error: 'totalEnergy' has no name in Modelica"}) {
    CHECK_MESSAGE(p.err.find(message) != std::string::npos, message);
  }
  CHECK(!fs::exists(folder / "M.mo"));
}

/// Where the numbers differ it is by the rounding of a conversion: 30 deg are 0.5235987755982988 rad.
TEST_CASE("cardan export: what 'set' says, and what is given in another unit than is wanted") {
  const Folder folder;
  folder.write("m.yaml", R"yaml(model: A
parameters: {angs: [10 deg, 20 deg, 30 deg], q: 40 deg, Real: 3, Modelica: 2, Boolean: "Real+1"}
set: {link.hinge.phi.start: 0.3, link.pose.angle: 30 deg, pairs.ang: 15 deg, x.start: 2, "w.start[2]": 4, u.start: 5, deep.link.L: 2, link.x.start: 0.7, "link.rod.r": [1,2,3]}
submodels:
  Link:
    parameters: {L: 0.5, phi0: 0, ang: 20 deg}
    components:
      hinge: {type: Revolute, phi: {start: phi0, fixed: true}, w: {start: 1}}
      rod: {type: FixedTranslation, r: [L, 0, 0]}
      pose: {type: FixedRotation, angle: ang}
      turn: {type: FixedRotation, count: 2, angle: ang}
    variables: {x: {start: 1, fixed: true}}
    equations: ["der(x) = -x"]
    connections: [[hinge.frame_b, rod.frame_a], [rod.frame_b, pose.frame_a], [pose.frame_b, "turn[1].frame_a"], ["turn[1].frame_b", "turn[2].frame_a"]]
    connectors: {frame_a: hinge.frame_a, frame_b: "turn[2].frame_b"}
  Deep:
    components: {link: {type: Link, ang: 3 deg}}
    connectors: {frame_a: link.frame_a, frame_b: link.frame_b}
components:
  link: {type: Link}
  pairs: {type: Link, ang: q}
  deep: {type: Deep}
  e: {type: FixedRotation, rotationType: PlanarRotationSequence, angles: angs}
  body: {type: Body, m: 2, r_CM: [0.1,0.2,0], I_11: 1, I_22: 1, I_33: 1}
inputs: {u: 0}
variables: {x: {start: 1, fixed: true}, w: {start: [1,2,3], fixed: true}, phi: {start: 30 deg, fixed: true, unit: deg}}
equations: ["der(x) = -x+u+Real*Modelica/Boolean", "der(w) = -w", "der(phi) = 0"]
connections:
  - [world.frame_b, link.frame_a]
  - [link.frame_b, pairs.frame_a]
  - [pairs.frame_b, deep.frame_a]
  - [deep.frame_b, e.frame_a]
  - [e.frame_b, body.frame_a]
simulation: {stop: 0.5}
outputs: [body.r_0, x, w, phi, link.x, deep.link.hinge.phi]
)yaml");
  double difference = 1;
  const std::string report = roundTrip(folder / "m.yaml", difference);
  CAPTURE(report);
  CHECK((report.empty() || (report == "other rows" && difference < 1e-14)));

  folder.write("wrong.yaml", R"yaml(model: Wrong
parameters: {q: 30 deg}
set: {"wheel[2].m": 3, link.pose.r: "[q, 0, 0]"}
submodels:
  Link:
    parameters: {ang: 20}
    components: {pose: {type: FixedRotation, angle: ang}}
    connectors: {frame_a: pose.frame_a}
components:
  wheel: {type: Body, count: 2}
  link: {type: Link, ang: q}
  other: {type: Link}
connections: [[world.frame_b, link.frame_a], [world.frame_b, other.frame_a]]
)yaml");
  const Process p = test::runCardan(folder, "export wrong.yaml");
  CHECK(p.code == 2);
  CAPTURE(p.err);
  for (const char* message :
       {"wrong.yaml:3:7: error: Modelica has no way to set 'wheel[2].m' alone, an element of what "
        "is "
        "declared as a whole",
        "wrong.yaml:3:37: error: Modelica has no way to set 'pose' in 'link' from outside but to a "
        "plain value, and as a whole",
        "wrong.yaml:7:53: error: Modelica has no class for 'ang' with a unit here and without one "
        "there: give its default a unit"}) {
    CHECK_MESSAGE(p.err.find(message) != std::string::npos, message);
  }
}

TEST_CASE("cardan export: when, discrete variables and assertions come back as what they were") {
  const Folder folder;
  folder.write("ball.yaml", R"yaml(model: Ball
parameters: {e: 0.7}
variables:
  h: {start: 1, fixed: true}
  v: {fixed: true}
  n: {start: 0, type: Integer}
  rests: {start: false}
  seen: {start: 0}
  high: "h > 0.5 or pre(high) and h > 0.4"
equations: ["der(h) = v", "der(v) = if rests then 0 else -9.81"]
when:
  - condition: "h < 0"
    reinit: {v: "if pre(v) > -0.1 then 0 else -e*pre(v)"}
    set: {n: "pre(n) + 1", rests: "pre(v) > -0.1"}
  - condition: ["sample(0, 0.25)", "initial()"]
    set: {seen: h}
    elsewhen: [{condition: "time > 3.9", terminate: "long enough"}]
assert: [{condition: "h > -1", message: "fell: through"}]
simulation: {stop: 4}
outputs: [h, v, n, rests, seen, high]
)yaml");
  const Process p = test::runCardan(folder, "export ball.yaml");
  CAPTURE(p.err);
  CHECK(p.out == R"mo(model Ball
  parameter Real e = 0.7;
  inner Modelica.Mechanics.MultiBody.World world;
  Real h(start = 1, fixed = true);
  Real v(fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean rests(start = false, fixed = true);
  discrete Real seen(start = 0, fixed = true);
  Boolean high = h > 0.5 or pre(high) and h > 0.4;
equation
  der(h) = v;
  der(v) = if rests then 0 else -9.81;
  when h < 0 then
    n = pre(n) + 1;
    rests = pre(v) > -0.1;
    reinit(v, if pre(v) > -0.1 then 0 else -e*pre(v));
  end when;
  when {sample(0, 0.25), initial()} then
    seen = h;
  elsewhen time > 3.9 then
    terminate("long enough");
  end when;
  assert(h > -1, "fell: through");
  annotation (experiment(StopTime = 4));
end Ball;
)mo");
  double difference = 0;
  CHECK(roundTrip(folder / "ball.yaml", difference) == "");
}

TEST_CASE("cardan export: an index behind an expression, which Modelica has behind parentheses") {
  const Folder folder;
  folder.write("m.yaml", R"yaml(model: M
components:
  b: {type: Body, r_CM: [0, 0, 0], r_0: {fixed: true}, v_0: {start: [1, 2, 3], fixed: true}}
variables:
  q: "2*cross(b.v_0, {0, 0, 1})[2] + 1"
  s: "(b.r_0 + b.v_0)[1]"
  p: "transpose([1, 2; 3, time])[2, 2]"
  v: "{time, 1, 2}[1] - [1, time][2]"
  w: "(if time > 1 then b.v_0 else b.r_0)[2] + -(2*b.v_0)[1]"
  u: "transpose([1, 2; 3, time])[2, :][2]"
simulation: {stop: 1}
outputs: [q, s, p, v, w, u]
)yaml");
  const Process p = test::runCardan(folder, "export m.yaml");
  CAPTURE(p.err);
  CHECK(p.out == R"mo(model M
  inner Modelica.Mechanics.MultiBody.World world;
  Modelica.Mechanics.MultiBody.Parts.Body b(r_CM = {0, 0, 0}, r_0(each fixed = true),
      v_0(start = {1, 2, 3}, each fixed = true));
  Real q = 2*(cross(b.v_0, {0, 0, 1}))[2] + 1;
  Real s = (b.r_0 + b.v_0)[1];
  Real p = (transpose([1, 2; 3, time]))[2,2];
  Real v = ({time, 1, 2})[1] - ({1, time})[2];
  Real w = (if time > 1 then b.v_0 else b.r_0)[2] + (-(2*b.v_0)[1]);
  Real u = ((transpose([1, 2; 3, time]))[2,:])[2];
  annotation (experiment(StopTime = 1));
end M;
)mo");
  double difference = 0;
  CHECK(roundTrip(folder / "m.yaml", difference) == "");
}

TEST_CASE("cardan export: every model that ships comes back bit for bit, or is refused by name") {
  int same = 0;
  for (const fs::path& file : modelsIn(fs::path(CARDAN_SOURCE_DIR) / "models")) {
    CAPTURE(file);
    double difference = 0;
    const std::string wrong = roundTrip(file, difference);
    CAPTURE(wrong);
    if (wrong.empty()) ++same;
    CHECK((wrong.empty() || isRefusedByName(wrong)));
  }
  CHECK(same >= 19);
}

TEST_SUITE("slow") {
  TEST_CASE("cardan export: every model of the library comes back bit for bit") {
    const fs::path folder = fs::path(CARDAN_SOURCE_DIR) / "../shared/conformance/models";
    if (!fs::exists(folder)) {
      MESSAGE("no conformance models beside the sources: skipped");
      return;
    }
    int same = 0;
    for (const fs::path& file : modelsIn(folder)) {
      CAPTURE(file);
      double difference = 0;
      const std::string wrong = roundTrip(file, difference);
      CAPTURE(wrong);
      CAPTURE(difference);
      if (wrong.empty()) ++same;
      CHECK((wrong.empty() || isRefusedByName(wrong)));
    }
    CHECK(same >= 72);
  }
}

TEST_CASE("cardan export: names of the model mean the same in the World as anywhere") {
  const Folder folder;
  folder.write("m.yaml", R"yaml(model: Named
parameters: {g: 3, m: 2, nominalLength: 0.5}
world: {g: "2*g", n: [0, -1, 0], nominalLength: nominalLength}
components:
  j: {type: Revolute, phi: {start: 0.5, fixed: true}, w: {fixed: true}}
  b: {type: Body, m: m, r_CM: ["0.1*m", 0, 0]}
connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a]]
simulation: {stop: 1}
outputs: [j.phi]
)yaml");
  REQUIRE(test::runCardan(folder, "export m.yaml -o m.mo").code == 0);
  const Process back = test::runCardan(folder, "import m.mo -o back.yaml");
  CAPTURE(folder.read("m.mo"));
  CAPTURE(back.err);
  REQUIRE(back.code == 0);
  const std::string run = " -q --set g=4 --output-variable j.phi -o ";
  REQUIRE(test::runCardan(folder, "simulate m.yaml" + run + "a.csv").code == 0);
  REQUIRE(test::runCardan(folder, "simulate back.yaml" + run + "b.csv").code == 0);
  CHECK(folder.read("a.csv") == folder.read("b.csv"));
}

TEST_CASE(
    "cardan export: a class of the catalogue has its path in the library, unless it is our own") {
  const auto isOwn = [](const std::string& type) {
    return type.starts_with("Contact.") || type == "Bushing" || type == "LineForceAround" ||
           type == "Rotational.Coupling" || type == "Translational.IdealLever" ||
           type == "RollingConstraintVerticalWheel";  // of a protected package
  };
  for (const CatalogueEntry& e : catalogue()) {
    CAPTURE(e.type);
    const std::string path = libraryPath(e.type);
    CHECK(path.empty() == isOwn(e.type));
    if (!path.empty()) CHECK(path.starts_with("Modelica."));
  }
  CHECK(libraryPath("Revolute") == "Modelica.Mechanics.MultiBody.Joints.Revolute");
  CHECK(libraryPath("Rotational.Damper") == "Modelica.Mechanics.Rotational.Components.Damper");
  CHECK(libraryPath("Blocks.Sine") == "Modelica.Blocks.Sources.Sine");
  CHECK(libraryPath("Joints.RollingWheel") == "Modelica.Mechanics.MultiBody.Joints.RollingWheel");
  CHECK(libraryPath("Nothing").empty());
  CHECK(libraryEnumeration({"world", "frame_b", "frame_resolve"}) ==
        "Modelica.Mechanics.MultiBody.Types.ResolveInFrameB");
}
