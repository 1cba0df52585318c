/// Target: a file of inputs, fed to a small model straight between its rows and held.
#include <algorithm>
#include <cmath>
#include <memory>

#include "components/catalogue.h"
#include "engine/integration/input_feed.h"
#include "engine/integration/solver_error.h"
#include "engine/results/result_table.h"
#include "engine/simulation.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"

using namespace cardan;

namespace {

/// x is the integral of u; the rest is asked where u and v change.
constexpr const char* kModel = R"(
model: Fed
inputs: {u: 0, v: {size: 2, start: [0, 0]}}
variables:
  x: {start: 0, fixed: true}
  y: {start: 0, fixed: true}
  n: {start: 0, type: Integer}
components:
  sampler: {type: Blocks.Sampler, samplePeriod: 0.1, u: u}
  late: {type: Blocks.FixedDelay, delayTime: 0.2, u: "v[2]"}
equations: ["der(x) = u", "der(y) = v[1] - y + late.y"]
when: [{condition: "u > v[1]", set: {n: "pre(n) + 1"}}]
simulation: {stop: 1, interval: 0.1, tolerance: 1e-6}
outputs: [x, y, n, sampler.y, u, v]
)";

constexpr double kStop = 1;
constexpr double kTolerance = 1e-6;
constexpr size_t kMostRows = 60;  ///< so that an input is tried in no time
constexpr double kLargest = 1e6;  ///< values and times whose integral is compared

std::shared_ptr<InputTable> read(std::string_view text) {
  const ResultTable result = ResultTable::parse(text, "in.csv");
  auto table = std::make_shared<InputTable>();
  table->file = "in.csv";
  table->time = result.time;
  table->names = result.names();
  for (const std::string& name : table->names) table->values.push_back(*result.find(name));
  return table;
}

/// u, as the manual says it, at a time that is none of the rows.
double inputAtTime(const InputTable& in, const std::vector<double>& u, double t) {
  const size_t behind = std::ranges::upper_bound(in.time, t) - in.time.begin();
  if (behind == 0) return u.front();
  if (behind == u.size() || in.held) return u[behind - 1];
  const double from = in.time[behind - 1], to = in.time[behind];
  return u[behind - 1] + (u[behind] - u[behind - 1]) * ((t - from) / (to - from));
}

/// Integral of u over the run: of straight pieces, each by its middle.
double integral(const InputTable& in, const std::vector<double>& u) {
  std::vector<double> cuts{0, kStop};
  for (const double t : in.time) {
    if (t > 0 && t < kStop) cuts.push_back(t);
  }
  std::ranges::sort(cuts);
  double sum = 0;
  for (size_t i = 1; i < cuts.size(); ++i) {
    const double h = cuts[i] - cuts[i - 1];
    if (h > 0) sum += h * inputAtTime(in, u, cuts[i - 1] + h / 2);
  }
  return sum;
}

double largestOf(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values) most = std::isfinite(x) ? std::max(most, std::abs(x)) : INFINITY;
  return most;
}

void run(const std::shared_ptr<InputTable>& in) {
  Trajectory rows;
  Simulation s = Simulation::fromText(catalogue(), kModel, "model.yaml");
  try {
    const RunReport report = s.run(
        rows, {.inputs = in, .progress = [&rows](double) { return rows.time().size() < 10000; }});
    for (const std::string& w : report.warnings) fuzz::expectClean(w);
    fuzz::expect(report.interrupted || rows.time().back() == kStop, "a run comes to its end");
  } catch (const ModelError& e) {
    for (const Diagnostic& d : e.diagnostics().all()) fuzz::expectClean(d.format());
    return;
  } catch (const SolverError& e) {
    fuzz::expectClean(e.what());
    return;
  }
  for (const Column& c : rows.columns()) {
    for (const double x : rows[c.name]) fuzz::expect(std::isfinite(x), "rows are finite", c.name);
  }
  if (std::ranges::count(in->names, "u") != 1 || rows.time().back() != kStop) return;
  const std::vector<double>& u = in->values[std::ranges::find(in->names, "u") - in->names.begin()];
  double most = largestOf(in->time);
  for (const std::vector<double>& values : in->values) most = std::max(most, largestOf(values));
  if (most > kLargest) return;
  const double error = std::abs(rows["x"].back() - integral(*in, u));
  fuzz::expect(error <= 1000 * kTolerance * (1 + largestOf(u)), "x is the integral of u",
               std::to_string(error));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::shared_ptr<InputTable> table;
  try {
    table = read(fuzz::textOf(data, size));
  } catch (const ResultFileError& e) {
    fuzz::expect(std::string_view(e.what()).starts_with("in.csv"), "an error names its file",
                 e.what());
    return 0;
  }
  if (table->time.empty() || table->time.size() > kMostRows) return 0;
  for (const bool held : {false, true}) {
    table->held = held;
    run(table);
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed, fuzz::mutatedTable);
}
