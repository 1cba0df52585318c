#include "tests/identification/coverage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <sstream>

#include "components/catalogue.h"
#include "engine/fit/fit.h"
#include "engine/fit/measurement.h"
#include "engine/integration/input_table.h"
#include "engine/results/result_table.h"
#include "engine/study/distribution.h"
#include "engine/study/philox.h"

namespace cardan::identification {
namespace {

/// What the instruments would have shown without noise.
struct TrueRun {
  std::vector<double> time;  ///< [s]  by the clock of the measurement
  std::vector<std::vector<double>> values;
  std::vector<double> fed;
};

/// A torque with many frequencies: a sweep.
double torqueAt(double t) { return 2 * std::sin(12 * t + 60 * t * t); }

class CaseRuns {
 public:
  explicit CaseRuns(const IdentificationCase& one) : case_(one) {
    Diagnostics diagnostics;
    tree_ = *parseYaml(one.model, "case.yaml", diagnostics);
    diagnostics.throwIfErrors();
    for (size_t e = 0; e < one.experiments; ++e) truth_.push_back(trueRun(e));
    for (size_t k = 0; k < one.sought.size(); ++k) addSought(k);
    for (const NoisySignal& s : one.signals) task_.signals.push_back({s.variable, s.variable});
  }

  FitResult fit(long draw) const {
    FitTask task = task_;
    for (size_t e = 0; e < case_.experiments; ++e) {
      FitExperiment experiment{.name = fmt::format("run{}", e + 1), .file = ""};
      experiment.data = std::make_shared<const Measurement>(measured(e, draw));
      task.experiments.push_back(std::move(experiment));
    }
    Fit f(
        std::move(task), [&](const Overrides& o) { return load(o); }, catalogue());
    return f.run();
  }

 private:
  bool isOf(const Sought& s, size_t e) const { return s.experiment.value_or(e) == e; }
  Simulation load(const Overrides& overrides) const {
    return Simulation::fromTree(catalogue(), tree_, {"case.yaml"}, overrides);
  }

  TrueRun trueRun(size_t e) const {
    Overrides overrides;
    double shift = 0;
    for (const Sought& s : case_.sought) {
      if (!isOf(s, e)) continue;
      if (s.name == kTimeShift) {
        shift = s.truth;
      } else {
        overrides.push_back(fmt::format("{}={}", s.name, s.truth));
      }
    }
    RunOptions o{.stopTime = case_.stop,
                 .outputInterval = case_.interval,
                 .tolerance = 1e-10,
                 .eventRows = false};
    for (const NoisySignal& s : case_.signals) o.outputs.push_back(s.variable);
    TrueRun run;
    if (!case_.fed.empty()) {
      for (double t = 0; t < case_.stop + case_.interval; t += case_.interval) {
        run.time.push_back(t);
        run.fed.push_back(torqueAt(t));
      }
      o.inputs = std::make_shared<InputTable>(
          InputTable{"inputs", run.time, {case_.fed}, {run.fed}, false});
    }
    Trajectory rows;
    load(overrides).run(rows, o);
    run.time.clear();
    for (const double t : rows.time()) run.time.push_back(t - shift);
    for (const NoisySignal& s : case_.signals) run.values.push_back(rows[s.variable]);
    run.fed.resize(case_.fed.empty() ? 0 : run.time.size());
    return run;
  }

  void addSought(size_t k) {
    const Sought& s = case_.sought[k];
    const auto same = std::ranges::find(task_.parameters, s.name, &FitParameter::name);
    if (same != task_.parameters.end()) {  // one for every experiment
      same->each = true;
      same->of.clear();
      return;
    }
    FitParameter p{.name = s.name, .start = s.start};
    if (s.experiment) p.of = {fmt::format("run{}", *s.experiment + 1)};
    task_.parameters.push_back(std::move(p));
  }

  Measurement measured(size_t e, long draw) const {
    const TrueRun& run = truth_[e];
    Measurement m{.file = "draw", .time = run.time, .columns = {}};
    for (size_t i = 0; i < case_.signals.size(); ++i) {
      MeasuredColumn column{case_.signals[i].variable, {}, "", run.values[i]};
      const auto sequence = static_cast<std::uint32_t>(e * case_.signals.size() + i);
      for (size_t n = 0; n < column.values.size(); ++n)
        column.values[n] +=
            case_.signals[i].sigma *
            normalQuantile(uniformNumber(static_cast<std::uint64_t>(draw), 11, sequence, n));
      m.columns.push_back(std::move(column));
    }
    if (!case_.fed.empty()) m.columns.push_back({case_.fed, {}, "", run.fed});
    return m;
  }

  const IdentificationCase& case_;
  YamlNode tree_;
  std::vector<TrueRun> truth_;
  FitTask task_;
};

}  // namespace

Coverage coverage(const IdentificationCase& one, long first, long count) {
  const std::clock_t begun = std::clock();
  const CaseRuns runs(one);
  Coverage c{count, 0, std::vector<long>(one.sought.size()), std::vector<long>(one.sought.size())};
  for (long draw = first; draw < first + count; ++draw) {
    const FitResult r = runs.fit(draw);
    // What cannot be told has no interval, and holds nothing.
    const bool isTold = std::ranges::all_of(
        r.estimates, [](const FitEstimate& e) { return std::isfinite(e.error); });
    if (!isFound(r.search.stop) || !isTold) ++c.lost;
    for (size_t k = 0; k < one.sought.size(); ++k) {
      // Shifts are the last of a fit, and of these cases.
      const FitEstimate& e = r.estimates[k];
      const double truth = one.sought[k].truth;
      c.inside[k] += e.from <= truth && truth <= e.to;
      c.far[k] += !(std::abs(e.value - truth) <= 3 * e.error);
    }
  }
  c.seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  return c;
}

void Coverage::add(const Coverage& other) {
  inside.resize(other.inside.size());
  far.resize(other.far.size());
  draws += other.draws;
  lost += other.lost;
  seconds += other.seconds;
  for (size_t k = 0; k < inside.size(); ++k) {
    inside[k] += other.inside[k];
    far[k] += other.far[k];
  }
}

std::string Coverage::text() const {
  return fmt::format("{} {} {} {} {}", draws, lost, seconds, fmt::join(inside, " "),
                     fmt::join(far, " "));
}

Coverage Coverage::of(const std::string& text) {
  std::istringstream in(text);
  Coverage c;
  in >> c.draws >> c.lost >> c.seconds;
  std::vector<long> counts;
  for (long n = 0; in >> n;) counts.push_back(n);
  const auto middle = counts.begin() + std::ssize(counts) / 2;
  c.inside.assign(counts.begin(), middle);
  c.far.assign(middle, counts.end());
  return c;
}

bool isGood(const Coverage& c) {
  const auto n = static_cast<double>(c.draws);
  long far = 0;
  for (const long k : c.far) far += k;
  return c.lost == 0 && static_cast<double>(std::ranges::min(c.inside)) >= 0.92 * n &&
         static_cast<double>(std::ranges::max(c.inside)) <= 0.98 * n &&
         static_cast<double>(far) <= 0.01 * n * static_cast<double>(c.far.size());
}

}  // namespace cardan::identification
