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
Difference difference(const Fmu& fmu, const cardan::ResultTable& rows, double stop, Steps steps) {
  Slave slave(fmu);
  REQUIRE(slave.instance());
  const int initialised = slave.initialise({0, stop, kTolerance});
  CAPTURE(slave.log());
  REQUIRE(initialised == kFmuOk);
  Difference of(fmu, rows);
  double t = 0;
  for (size_t row = 0; row < rows.time.size(); ++row) {
    const double end = rows.time[row];
    while (t < end) {
      const double h = steps(end - t);
      CAPTURE(slave.log());
      REQUIRE(slave.step(t, h) == kFmuOk);
      t = h == end - t ? end : t + h;
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
#endif
