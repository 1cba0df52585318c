// cardan simulate --start, --save-state, --input: two parts of a run are the whole, to the last byte;
// equilibria and rows as starts; what does not fit is refused.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "engine/results/result_table.h"
#include "tests/apps/process.h"

using test::Folder;
using test::Process;

namespace {

const char* const kPushedModel = R"yaml(
model: Pushed
inputs: {u: {unit: N}}
components:
  hinge: {type: Revolute, n: [0, 0, 1], phi: {start: 0.3, fixed: true}, w: {fixed: true}}
  bob: {type: Body, m: 1, r_CM: [1, 0, 0]}
  push: {type: WorldForce, force: [u, 0, 0]}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, bob.frame_a]
  - [push.frame_b, bob.frame_a]
simulation: {stop: 2, interval: 0.01}
outputs: [hinge.phi, hinge.w, hinge.a, u]
)yaml";

std::string withoutHeader(const std::string& csv) { return csv.substr(csv.find('\n') + 1); }

}  // namespace

TEST_CASE("start: a run in two parts is the whole, to the last byte, with inputs and events") {
  Folder folder;
  folder.write("m.yaml", kPushedModel);
  folder.write("in.csv", "time,u\n0,0\n0.5,3\n0.5,-2\n1.25,1\n1.5,1\n");
  const std::string run = "simulate m.yaml --input in.csv -q";
  CHECK(test::runCardan(folder, run + " -o whole.csv").code == 0);
  const Process first =
      test::runCardan(folder, run + " -o first.csv --save-state m.state --save-at 1.1");
  CHECK(first.code == 0);
  CHECK(folder.read("first.meta.json").find("\"interrupted\"") != std::string::npos);
  CHECK(test::runCardan(folder, run + " -o second.csv --start m.state").code == 0);
  CHECK(folder.read("first.csv") + withoutHeader(folder.read("second.csv")) ==
        folder.read("whole.csv"));
  SUBCASE("another tolerance, another model, a start time are refused") {
    Process p = test::runCardan(folder, run + " -o x.csv --start m.state --tolerance 1e-5");
    CHECK(p.code == 2);
    CHECK(p.err.find("m.state: error: the state is of a run with tolerance 1e-08") == 0);
    CHECK_FALSE(folder.has("x.csv"));
    CHECK(test::runCardan(folder, run + " --start m.state --set bob.m=2").code == 2);
    CHECK(test::runCardan(folder, run + " --start m.state --start-time 0").code == 2);
    p = test::runCardan(folder, run + " --start m.yaml.none");
    CHECK(p.code == 2);
    CHECK(p.err == "m.yaml.none: error: the file cannot be read\n");
  }
  SUBCASE("the state that is read is not overwritten by a result") {
    CHECK(test::runCardan(folder, run + " --start m.state -o m.state").code == 2);
  }
}

TEST_CASE("start: an equilibrium stays, and a last row goes on") {
  Folder folder;
  folder.write("m.yaml", kPushedModel);
  CHECK(test::runCardan(folder, "equilibrium m.yaml --set hinge.phi.start=-0.9 -q -o rest.json")
            .code == 0);
  CHECK(test::runCardan(folder, "simulate m.yaml -q --start rest.json -o rest.csv").code == 0);
  const auto rest = cardan::ResultTable::read(folder / "rest.csv");
  for (const double phi : *rest.find("hinge.phi"))
    CHECK(std::abs(phi + std::acos(-1.0) / 2) < 1e-9);
  CHECK(test::runCardan(folder, "simulate m.yaml -q -o whole.csv --tolerance 1e-10").code == 0);
  CHECK(test::runCardan(folder, "simulate m.yaml -q -o a.csv --tolerance 1e-10 --stop-time 0.7")
            .code == 0);
  CHECK(
      test::runCardan(folder, "simulate m.yaml -q --start a.csv -o b.csv --tolerance 1e-10").code ==
      0);
  const auto whole = cardan::ResultTable::read(folder / "whole.csv");
  const auto b = cardan::ResultTable::read(folder / "b.csv");
  CHECK(b.time.front() == 0.7);
  // 100 tolerances
  CHECK(std::abs(b.find("hinge.phi")->back() - whole.find("hinge.phi")->back()) < 1e-8);
}

TEST_CASE(
    "start: what changes at events alone goes on from a row, at its events and between them") {
  Folder folder;
  folder.write("m.yaml", R"yaml(
model: Held
variables:
  x: {start: 1, fixed: true}
  u: {start: 0}
  n: {start: 0, type: Integer}
  late: {start: 0}
  on: "x > 0.8 or pre(on) and x > 0.3"
equations: ["der(x) = -x + u + (if on then 0.1 else 0.2)"]
components:
  z: {type: Blocks.ZeroOrderHold, samplePeriod: 1, u: x}
  s: {type: Blocks.Sampler, samplePeriod: 1, u: x}
  d: {type: Blocks.UnitDelay, samplePeriod: 1, u: x, y_start: 5}
  f: {type: Blocks.Discrete.TransferFunction, samplePeriod: 1, b: [1, 0.5], a: [1, -0.5], u: x}
  h: {type: Blocks.Hysteresis, uLow: 0.3, uHigh: 0.8, u: x}
  i: {type: Blocks.Integrator, u: "z.y + s.y + d.y + f.y"}
when:
  - {condition: "sample(0,1)", set: {u: "0.5*pre(u) + 0.3*x", n: "pre(n)+1"}}
  - {condition: "n >= 2", set: {late: time}}
simulation: {stop: 7, interval: 0.25, tolerance: 1e-10}
outputs: [x, u, n, late, on, z.y, z.ySample, s.y, d.y, f.y, f.x, h.y, i.y]
)yaml");
  REQUIRE(test::runCardan(folder, "simulate m.yaml -q -o whole.csv").code == 0);
  const auto whole = cardan::ResultTable::read(folder / "whole.csv");
  for (const char* at : {"1.5", "2", "4.25", "5"}) {
    CAPTURE(at);
    REQUIRE(test::runCardan(folder, std::string("simulate m.yaml -q -o a.csv --stop-time ") + at)
                .code == 0);
    const Process p = test::runCardan(folder, "simulate m.yaml --start a.csv -o b.csv");
    REQUIRE(p.code == 0);
    CHECK(p.err.find("warning") == std::string::npos);
    const auto a = cardan::ResultTable::read(folder / "a.csv");
    const auto b = cardan::ResultTable::read(folder / "b.csv");
    for (const std::string& name : whole.names()) {
      CAPTURE(name);
      CHECK(std::abs(b.find(name)->front() - a.find(name)->back()) < 1e-15);
      CHECK(std::abs(b.find(name)->back() - whole.find(name)->back()) < 1e-8);  // 100 tolerances
    }
  }
  // Whatever is not in the row is named.
  REQUIRE(test::runCardan(folder,
                          "simulate m.yaml -q -o a.csv --stop-time 4.5 --output-variable x "
                          "--output-variable i.y --output-variable n --output-variable z.y")
              .code == 0);
  const std::string told = test::runCardan(folder, "simulate m.yaml --start a.csv -o b.csv").err;
  CHECK(
      told.find("warning: a.csv: what these hold from event to event is not in the row and begins "
                "anew: late, u, on, z.ySample, s.y, d.y, f.x, f.y") != std::string::npos);
}

TEST_CASE("start: a last row with what is no number is refused by name") {
  Folder folder;
  folder.write("m.yaml", kPushedModel);
  folder.write("a.csv", "time,hinge.phi,hinge.w\n0,0,0\n1,nan,0\n");
  const Process p = test::runCardan(folder, "simulate m.yaml --start a.csv -o r.csv");
  CHECK(p.code == 2);
  CHECK(p.err.find("a.csv: error: a start must be made of finite numbers, none are the values of "
                   "hinge.phi") == 0);
  CHECK_FALSE(folder.has("r.csv"));
}

TEST_CASE("start: files of inputs that do not fit are refused before anything is written") {
  Folder folder;
  folder.write("m.yaml", kPushedModel);
  folder.write("in.csv", "time,v\n0,1\n");
  const Process p = test::runCardan(folder, "simulate m.yaml --input in.csv -o r.csv");
  CHECK(p.code == 2);
  CHECK(p.err.find("in.csv: error: none of its columns is an input of the model") == 0);
  CHECK_FALSE(folder.has("r.csv"));
  folder.write("twice.csv", "time,u,u\n0,1,2\n");
  const Process twice = test::runCardan(folder, "simulate m.yaml --input twice.csv -o r.csv");
  CHECK(twice.code == 2);
  CHECK(twice.err.find("twice.csv:1: error: 'u' is the name of several columns") == 0);
  CHECK(test::runCardan(folder, "simulate m.yaml --input none.csv").code == 2);
  CHECK(test::runCardan(folder, "simulate m.yaml --hold-input").code == 2);
}
