// FMUs against `cardan simulate`: the same motion, whatever the communication steps are.
#include <algorithm>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "tests/fmu/compared.h"
#include "tests/fmu/models.h"

using namespace test;

#if __has_include("fmi3FunctionTypes.h")
namespace {

constexpr double kEven = 1e-6, kUneven = 1e-5;  // of a signal's size

const Case kCases[] = {{"pendulum", "elementary/pendulum.yaml", 3},
                       {"double pendulum", "elementary/double_pendulum.yaml", 2},
                       {"four-bar", "loops/fourbar.yaml", 2},
                       {"governor", "loops/governor.yaml", 2},
                       {"engine V6", "loops/engine_v6.yaml", 0.2},
                       {"rolling coin", "loops/rolling_coin.yaml", 2},
                       {"stick-slip", kStickSlip, 4},
                       {"rectifier", kRectifier, 0.1},
                       {"arm with controllers", "robots/arm6.yaml", 0.5},
                       {"cart with a pole", kCartPole, 2},
                       {"chain in Modelica", "modelica/chain.mo", 0.5}};

/// The FMU beside the rows of `cardan simulate`.
/// `steps`: lengths of communication steps that lead from row to row.
template <class Steps>
Difference difference(const Fmu& fmu, const cardan::ResultTable& rows, double stop, Steps steps,
                      SlaveKind kind = SlaveKind::coSimulation) {
  Slave slave(fmu, "", false, kind);
  REQUIRE(slave.instance());
  const int initialised = slave.initialise({0, stop, kTolerance});
  CAPTURE(slave.log());
  REQUIRE(initialised == kFmuOk);
  Difference of(fmu, rows);
  const auto handle = [&] {
    if (kind == SlaveKind::coSimulation) return;
    if (slave.event) REQUIRE(slave.enterEvents() == kFmuOk);
    Slave::Update update;
    REQUIRE(slave.update(update) == kFmuOk);
    REQUIRE(slave.enterSteps() == kFmuOk);
  };
  handle();
  double t = 0;
  for (size_t row = 0; row < rows.time.size(); ++row) {
    const double end = rows.time[row];
    while (t < end) {
      const double h = steps(end - t);
      CAPTURE(slave.log());
      REQUIRE(slave.step(t, h) == kFmuOk);
      REQUIRE(slave.early == (slave.reached < t + h));
      t = slave.early ? slave.reached : h == end - t ? end : t + h;
      if (slave.event) handle();
    }
    of.look(slave, row, end);
  }
  CHECK(slave.terminate() == kFmuOk);
  return of;
}

}  // namespace

TEST_CASE(
    "FMU: trajectories are those of cardan simulate, by steps as long as the output interval") {
  if (!canExport()) return;
  for (const Case& c : kCases) {
    CAPTURE(c.name);
    const Folder folder;
    const auto fmu = exported(folder, c.model, 2);
    CHECK(fmu->outputs().size() > 0);
    const auto rows = simulated(folder, c);
    const Difference found = difference(*fmu, rows, c.stop, [](double h) { return h; });
    INFO(found.where);
    CHECK(found.largest <= kEven);
  }
}

TEST_CASE("FMU: trajectories are those of cardan simulate, by steps of any length") {
  if (!canExport()) return;
  for (const Case& c : kCases) {
    CAPTURE(c.name);
    const Folder folder;
    const auto fmu = exported(folder, c.model, 3);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> part(0.02, 1.5);
    const auto rows = simulated(folder, c);
    const Difference found =
        difference(*fmu, rows, c.stop, [&](double h) { return std::min(h, h * part(random)); });
    INFO(found.where);
    CHECK(found.largest <= kUneven);
  }
}

TEST_CASE("FMU: trajectories are those of cardan simulate, where the importer handles the events") {
  if (!canExport()) return;
  for (const Case& c : kCases) {
    CAPTURE(c.name);
    const Folder folder;
    const auto fmu = exported(folder, c.model, 3);
    const auto rows = simulated(folder, c);
    for (const SlaveKind kind : {SlaveKind::events, SlaveKind::eventsEarly}) {
      const Difference found = difference(
          *fmu, rows, c.stop, [](double h) { return h; }, kind);
      INFO(found.where);
      CHECK(found.largest <= kEven);
    }
  }
}

TEST_CASE("FMU: steps end before events, and what the importer sets there belongs to them") {
  if (!canExport()) return;
  const Folder folder;
  const auto fmu = exported(folder, R"YAML(
model: Ball
parameters: {e: 0.8}
inputs: {g: {start: 9.81}}
variables: {h: {start: 1, fixed: true}, v: {start: 0, fixed: true}, bounces: {start: 0, type: Integer}}
equations: ["der(h) = v", "der(v) = -g"]
when: [{condition: "h < 0", reinit: {v: "-e*pre(v)"}, set: {bounces: "pre(bounces) + 1"}}]
simulation: {stop: 5, interval: 0.01, tolerance: 1e-10}
outputs: [h, v]
)YAML",
                            3);
  Slave slave(*fmu, "", false, SlaveKind::eventsEarly);
  REQUIRE(slave.initialise({0, 5, 1e-10}) == kFmuOk);
  CHECK(slave.step(0, 1) == kFmuError);  // it is in event mode
  REQUIRE(slave.enterSteps() == kFmuOk);
  REQUIRE(slave.step(0, 1) == kFmuOk);
  const double fall = std::sqrt(2 / 9.81), hit = 9.81 * fall;
  constexpr double kNear = 1e-7;
  CHECK(slave.event);
  CHECK(slave.early);
  CHECK(slave.reached == doctest::Approx(fall).epsilon(kNear));
  CHECK(slave["v"] == doctest::Approx(-hit).epsilon(kNear));
  // A state saved before an event is before it.
  void* before = nullptr;
  REQUIRE(slave.getState(before) == kFmuOk);
  for (int again = 0; again < 2; ++again) {
    REQUIRE(slave.enterEvents() == kFmuOk);
    CHECK(slave["v"] == doctest::Approx(-hit).epsilon(kNear));
    REQUIRE(slave.set("g", 4.905) == kFmuOk);
    Slave::Update update;
    REQUIRE(slave.update(update) == kFmuOk);
    CHECK(update.values == false);
    CHECK(slave["v"] == doctest::Approx(0.8 * hit).epsilon(kNear));
    // That h < 0 no longer holds is an event, too. Up and down under half the weight, to the next hit.
    const double at = slave.reached;
    for (int events = 0; events < 3 && slave.reached < at + 0.1; ++events) {
      REQUIRE(slave.update(update) == kFmuOk);
      REQUIRE(slave.enterSteps() == kFmuOk);
      REQUIRE(slave.step(slave.reached, 3) == kFmuOk);
      REQUIRE(slave.enterEvents() == kFmuOk);
    }
    CHECK(slave.reached - fall == doctest::Approx(2 * 0.8 * hit / 4.905).epsilon(kNear));
    CHECK(slave.early);
    REQUIRE(slave.setState(before) == kFmuOk);
    slave.reached = at;
  }
  // Not allowed to return early, it handles events itself, but for one at the end of a step.
  Slave whole(*fmu, "", false, SlaveKind::events);
  REQUIRE(whole.initialise({0, 5, 1e-10}) == kFmuOk);
  REQUIRE(whole.enterSteps() == kFmuOk);
  REQUIRE(whole.step(0, 1) == kFmuOk);
  CHECK(!whole.event);
  CHECK(whole.reached == 1);
  const double since = 1 - fall;
  CHECK(whole["h"] == doctest::Approx(0.8 * hit * since - 9.81 / 2 * since * since).epsilon(1e-6));
  // Without event mode there is none.
  Slave plain(*fmu);
  REQUIRE(plain.initialise({0, 5, 1e-10}) == kFmuOk);
  CHECK(plain.enterEvents() == kFmuError);
  CHECK(plain.enterSteps() == kFmuError);
}
#endif
