// A controller that was exported as an FMU of either version, in a loop with a plant, against the closed form of
// the sampled loop; and instances of one model in threads.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <thread>

#include "apps/cosimulation/types.h"
#include "engine/integration/solver_error.h"
#include "engine/saved_state.h"
#include "engine/simulation.h"
#include "tests/apps/process.h"
#include "tests/cosimulation/small_fmu.h"

namespace test {
namespace {

using namespace cardan;

const char* const kController = R"(model: Controller
inputs: {u: {unit: rad}, r: 0.5}
parameters: {kp: 20, ki: 30}
variables: {x: {start: 0, fixed: true}, e: "r - u", y: "kp*e + x"}
equations: ["der(x) = ki*e"]
components: {}
simulation: {stop: 3, interval: 0.01}
outputs: [y]
)";

/// J w' = y - d w with two of them, which do not know of each other.
const char* const kLoop = R"(model: Loop
parameters: {ref: 0.7}
components:
  i: {type: Rotational.Inertia, J: 2, phi: {start: 0.1, fixed: true}, w: {fixed: true}}
  b: {type: Rotational.Damper, d: 3}
  g: {type: Rotational.Fixed}
  t: {type: Rotational.Torque, tau: c.y}
  c: {type: FMU, file: Controller.fmu, interval: 0.02, parameters: {kp: 12}, u: i.phi, r: ref}
  other: {type: FMU, file: Controller.fmu, interval: 0.03, u: 0.1, process: false}
connections:
  - [i.flange_a, t.flange]
  - [i.flange_a, b.flange_a]
  - [b.flange_b, g.flange]
simulation: {stop: 1, interval: 0.02}
outputs: [i.phi, c.y, other.y]
)";

/// i.phi at 1 s.
double expectedAngle() {
  const double J = 2, d = 3, kp = 12, ki = 30, r = 0.7, h = 0.02;
  double phi = 0.1, w = 0, x = 0, y = kp * (r - phi);
  for (int k = 0; k < 50; ++k) {
    const double e = r - phi, decay = std::exp(-d * h / J), end = y / d;
    phi += end * h + (w - end) * (1 - decay) * J / d;
    w = end + (w - end) * decay;
    x += ki * e * h;
    y = kp * e + x;
  }
  return phi;
}

bool canRun(const Folder& folder) {
  const Process p = runCardan(folder, "export none.yaml -o none.fmu");
  const bool can = !contains(p.err, "libzip") && !contains(p.err, "cardan_fmu.so");
  if (!can) MESSAGE("TEST SKIPPED: " << p.err);
  return can;
}

void exportController(const Folder& folder, int version) {
  folder.write("c.yaml", kController);
  const Process p = runCardan(
      folder, "export c.yaml -o Controller.fmu --no-page -q --fmi " + std::to_string(version));
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
}

/// The last row of a run.
std::vector<double> lastRow(Simulation& s) {
  s.start();
  s.advance(1);
  std::vector<double> values;
  for (const std::string& name : s.outputs()) values.push_back(s.value(s.variable(name)));
  return values;
}

constexpr double kTolerance = 1e-8;

}  // namespace

TEST_CASE("FMU: a loop through an exported controller is the sampled loop, by both versions") {
  const Folder folder;
  if (!canRun(folder)) return;
  for (const int version : {2, 3}) {
    CAPTURE(version);
    exportController(folder, version);
    folder.write("loop.yaml", kLoop);
    Simulation s(allTypes(), folder / "loop.yaml");
    const std::vector<double> row = lastRow(s);
    REQUIRE(row.size() == 3);
    CHECK(std::abs(row[0] - expectedAngle()) < 100 * kTolerance);
    // 33 steps of 0.03 s: y = kp e + ki e t
    CHECK(row[2] == doctest::Approx(20 * 0.4 + 30 * 0.4 * 0.99).epsilon(100 * kTolerance));
  }
}

TEST_CASE("FMU: a run is restored in memory bit for bit") {
  const Folder folder;
  if (!canRun(folder)) return;
  for (const int version : {2, 3}) {
    exportController(folder, version);
    folder.write("loop.yaml", kLoop);
    Simulation s(allTypes(), folder / "loop.yaml");
    s.start();
    s.advance(0.51);
    const RunSnapshot middle = s.save();
    s.advance(1);
    const double phi = s.value(s.variable("i.phi")), y = s.value(s.variable("c.y"));
    s.restore(middle);
    s.advance(1);
    CHECK(s.value(s.variable("i.phi")) == phi);
    CHECK(s.value(s.variable("c.y")) == y);
    Simulation another = s.another();
    another.start();
    another.restore(middle);
    another.advance(1);
    CHECK(another.value(another.variable("i.phi")) == phi);
  }
}

TEST_CASE("FMU: simulations of one model in threads have an instance each") {
  if (!ZipFile::whyNone().empty()) return;
  const Folder folder;
  SmallFmu().write(folder);
  const char* const text =
      "model: M\ninputs: {v: 1}\ncomponents:\n  f: {type: FMU, file: small.fmu, u: v}\n"
      "simulation: {stop: 1}\noutputs: [f.y, f.count]\n";
  folder.write("m.yaml", text);
  const Simulation s(allTypes(), folder / "m.yaml");
  std::array<double, 4> ends{}, counts{};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int again = 0; again < 3; ++again) {
        Simulation mine = s.another();
        mine.set(mine.input("v"), i);
        const std::vector<double> row = lastRow(mine);
        ends[i] = row[0];
        counts[i] = row[1];
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (int i = 0; i < 4; ++i) {
    CHECK(ends[i] == i);
    CHECK(counts[i] == 10);
  }
}

TEST_CASE("FMU: after a failure the same model runs again") {
  if (!ZipFile::whyNone().empty()) return;
  const Folder folder;
  SmallFmu().write(folder);
  folder.write(
      "m.yaml",
      "model: M\ncomponents:\n  f: {type: FMU, file: small.fmu, u: 1, parameters: {mode: 1, "
      "when: 0.5}}\nsimulation: {stop: 1}\noutputs: [f.count]\n");
  Simulation s(allTypes(), folder / "m.yaml");
  for (int again = 0; again < 2; ++again) {
    s.start();
    s.advance(0.4);
    CHECK_THROWS_AS(s.advance(1), SolverError);
    CHECK(s.value(s.variable("f.count")) == 5);
  }
}

}  // namespace test
