// cardan's commands on a model of shapes: what they do with it, or that they refuse it.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>

#include "engine/results/result_table.h"
#include "tests/apps/process.h"

using test::contains;
using test::Folder;
using test::Process;

namespace {

constexpr const char* kBoxOnFloor = R"yaml(
model: BoxOnFloor
parameters: {kappa: 1e8}
world: {g: 9.81, n: [0, 0, -1]}
contacts:
  defaults: {stiffness: kappa}
components:
  floor: {type: Contact.Shape, shape: plane}
  box: {type: Contact.Shape, size: [0.1, 0.1, 0.1]}
  guide: {type: Prismatic, n: [0, 0, 1], s: {start: 0.06, fixed: true}, v: {fixed: true}}
  body: {type: Body, m: 1, r_CM: [0, 0, 0]}
connections:
  - [world.frame_b, floor.frame_a]
  - [world.frame_b, guide.frame_a]
  - [guide.frame_b, box.frame_a]
  - [guide.frame_b, body.frame_a]
simulation: {stop: 1, interval: 0.05}
outputs: [guide.s, contact.floor.box.f_n]
)yaml";

}  // namespace

TEST_CASE("shapes: cardan check lists the pairs, and what was left out with its reason") {
  const Folder folder;
  folder.write("box.yaml", kBoxOnFloor);
  folder.write("two.yaml", R"yaml(
extends: box.yaml
components:
  wall: {type: Contact.Shape, shape: plane, n: [1, 0, 0], r: [-1, 0, 0]}
connections: [[world.frame_b, wall.frame_a]]
)yaml");
  const Process p = test::runCardan(folder, "check two.yaml");
  CHECK(p.code == 0);
  CHECK(contains(p.out, "contact.floor.box"));
  CHECK(contains(p.out, "contact.box.wall"));
  CHECK(contains(p.out, "both fixed in the world"));
}

TEST_CASE("shapes: cardan sweep runs a model over the stiffness of its contacts") {
  const Folder folder;
  folder.write("box.yaml", kBoxOnFloor);
  const Process p = test::runCardan(
      folder, "sweep box.yaml --vary kappa=1e7,1e8,1e9 --keep 'z=final(guide.s)' -q -o sweep");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const cardan::ResultTable index = cardan::ResultTable::read(
      folder / "sweep/index.csv", [](std::string_view name) { return name == "z"; });
  const auto* z = index.find("z");
  REQUIRE(z);
  REQUIRE(z->size() == 3);
  for (int i = 0; i < 3; ++i) {
    const double depth = 9.81 / (1e5 * std::pow(10, i));
    CHECK(std::abs(0.05 - (*z)[i] - depth) < 1e-9);
  }
}

TEST_CASE("shapes: cardan inverse refuses parts that switch, cardan export names the shapes") {
  const Folder folder;
  folder.write("box.yaml", kBoxOnFloor);
  folder.write("motion.csv", "time,guide.s\n0,0.05\n0.5,0.05\n1,0.05\n");
  const Process inverse = test::runCardan(folder, "inverse box.yaml --motion motion.csv");
  CHECK(inverse.code == 1);
  CHECK(inverse.err ==
        "box.yaml: error: inverse dynamics takes no parts that switch, as contacts, friction and "
        "stops do, found 'contact.floor.box'\n");
  const Process exported = test::runCardan(folder, "export box.yaml");
  CHECK(exported.code == 2);
  for (const char* line :
       {"box.yaml:8:3: error: component 'floor': contacts have no Modelica counterpart\n",
        "box.yaml:9:3: error: component 'box': contacts have no Modelica counterpart\n"})
    CHECK(contains(exported.err, line));
}

TEST_CASE("shapes: a state that is saved, a result and an equilibrium are starts") {
  const Folder folder;
  folder.write("box.yaml", kBoxOnFloor);
  const Process p = test::shell(folder, R"sh(
$cardan simulate box.yaml -q -o whole.csv || exit 1
$cardan simulate box.yaml -q -o first.csv --save-state box.state --save-at 0.4 || exit 2
$cardan simulate box.yaml -q -o rest.csv --start box.state || exit 3
(cat first.csv; tail -n +2 rest.csv) | cmp - whole.csv || exit 4
$cardan simulate box.yaml -q -o half.csv --stop-time 0.5 --output-variable '**' || exit 5
$cardan simulate box.yaml -q -o later.csv --start half.csv || exit 6
$cardan equilibrium box.yaml -q -o rest.json --set guide.s.start=0.0499 || exit 7
$cardan simulate box.yaml -q -o stands.csv --set guide.s.start=0.0499 --start rest.json || exit 8
)sh");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  for (const char* name : {"later.csv", "stands.csv"}) {
    CAPTURE(name);
    const cardan::ResultTable rows = cardan::ResultTable::read(folder / name);
    const auto* s = rows.find("guide.s");
    REQUIRE(s);
    CHECK(std::abs(s->front() - (0.05 - 9.81e-6)) < 1e-9);
    CHECK(std::abs(s->back() - (0.05 - 9.81e-6)) < 1e-9);
  }
}
