// FMUs against `cardan simulate`: the same motion, whatever the communication steps are.
#include <algorithm>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "engine/results/result_table.h"
#include "tests/fmu/exported.h"
#include "tests/fmu/models.h"

using namespace test;

#if __has_include("fmi3FunctionTypes.h")
namespace {

struct Case {
  std::string name;
  std::string model;
  double stop;  ///< [s]
};

// Both integrate with this tolerance and step otherwise; what they differ by is the local error times
// what the motion makes of it.
constexpr double kTolerance = 1e-10;
constexpr double kEven = 1e-6, kUneven = 1e-5;  // of a signal's size
// [SI] What is smaller is known absolutely alone, as well as the tolerance says.
constexpr double kSmall = kTolerance / kEven;

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

/// Rows of `cardan simulate` at its grid.
cardan::ResultTable simulated(const Folder& folder, const Case& c) {
  std::string path = std::string(CARDAN_SOURCE_DIR) + "/models/" + c.model;
  if (contains(c.model, "\n")) path = folder.write("m.yaml", c.model);
  const Process p =
      runCardan(folder, "simulate '" + path + "' -o r.csv --no-event-rows -q --tolerance " +
                            "1e-10 --stop-time " + std::to_string(c.stop));
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  return cardan::ResultTable::read(folder / "r.csv");
}

/// The largest difference over all outputs and times, in parts of each output's largest size.
/// `steps`: lengths of communication steps that lead from row to row.
template <class Steps>
double difference(const Fmu& fmu, const cardan::ResultTable& rows, double stop, Steps steps,
                  std::string& where) {
  Slave slave(fmu);
  REQUIRE(slave.instance());
  const int initialised = slave.initialise({0, stop, kTolerance});
  CAPTURE(slave.log());
  REQUIRE(initialised == kFmuOk);
  const std::vector<std::string> names = fmu.outputs();
  std::vector<const std::vector<double>*> columns;
  std::vector<double> sizes, values;
  for (const std::string& n : names) {
    columns.push_back(rows.find(n));
    REQUIRE(columns.back());
    double size = kSmall;
    for (const double x : *columns.back()) size = std::max(size, std::abs(x));
    sizes.push_back(size);
  }
  double largest = 0;
  double t = 0;
  for (size_t row = 0; row < rows.time.size(); ++row) {
    const double end = rows.time[row];
    while (t < end) {
      const double h = steps(end - t);
      CAPTURE(slave.log());
      REQUIRE(slave.step(t, h) == kFmuOk);
      t = h == end - t ? end : t + h;
    }
    REQUIRE(slave.get(names, values) == kFmuOk);
    for (size_t i = 0; i < names.size(); ++i) {
      const double d = std::abs(values[i] - (*columns[i])[row]) / sizes[i];
      if (!(d <= largest)) {
        largest = d;
        where = names[i] + " at " + std::to_string(end);
      }
    }
  }
  CHECK(slave.terminate() == kFmuOk);
  return largest;
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
    std::string where;
    const double largest = difference(
        *fmu, simulated(folder, c), c.stop, [](double h) { return h; }, where);
    INFO(where);
    CHECK(largest <= kEven);
  }
}

TEST_CASE("FMU: trajectories are those of cardan simulate, by steps of any length") {
  if (!canExport()) return;
  for (const Case& c : kCases) {
    CAPTURE(c.name);
    const Folder folder;
    const auto fmu = exported(folder, c.model, 3);
    std::string where;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> part(0.02, 1.5);
    const double largest = difference(
        *fmu, simulated(folder, c), c.stop, [&](double h) { return std::min(h, h * part(random)); },
        where);
    INFO(where);
    CHECK(largest <= kUneven);
  }
}
#endif
