#include "engine/optimum/optimum_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <new>

#include "engine/model_file/model_source.h"
#include "engine/results/run_settings.h"
#include "engine/text/message_order.h"

namespace cardan {
namespace {

constexpr double kShare = 0x1p-17;  // of a parameter: over it kept values are differentiated
constexpr double kJump = 1e-6;  // of a variable's largest value: what an event changes at the least

Study studyOf(const OptimumTask& task) {
  Study study;
  study.overrides = task.overrides;
  study.kept = task.kept;
  study.settings = task.settings;
  return study;
}

/// Rows as they would be a little along a derivative: what becomes of them is differentiated so, whatever
/// it is. A largest value changes by what happens at its time.
class MovedRows final : public RowSink {
 public:
  MovedRows(const KeptValues& kept, const std::string& parameter, double by)
      : reduced(kept), ending_(")/d(" + parameter + ")"), by_(by) {}

  void begin(const std::vector<Column>& columns) override {
    std::map<std::string, size_t> places;
    for (size_t c = 0; c < columns.size(); ++c) places[columns[c].name] = c;
    std::vector<Column> own;
    for (size_t c = 0; c < columns.size(); ++c) {
      const auto slope = places.find("d(" + columns[c].name + ending_);
      if (slope == places.end()) continue;
      own.push_back(columns[c]);
      from_.emplace_back(c, slope->second);
    }
    row_.resize(own.size());
    reduced.begin(own);
  }
  void row(double time, std::span<const double> values) override {
    for (size_t i = 0; i < from_.size(); ++i)
      row_[i] = values[from_[i].first] + by_ * values[from_[i].second];
    reduced.row(time, row_);
  }
  void event(const std::vector<std::string>& changed) override { reduced.event(changed); }

  ReducedRun reduced;

 private:
  std::string ending_;
  double by_;
  std::vector<std::pair<size_t, size_t>> from_;
  std::vector<double> row_;
};

/// Whether what is kept hangs on instants of events: rows have derivatives at a time, and not those of the
/// time. A mean does where its variable jumps, an extreme value where it is reached at a kink.
class EventsInRows final : public RowSink {
 public:
  explicit EventsInRows(const KeptValues& kept) : kept_(kept) {}

  void begin(const std::vector<Column>& columns) override {
    for (const ReductionCall& call : kept_.calls()) {
      Part& part = parts_.emplace_back();
      for (size_t c = 0; c < columns.size(); ++c) {
        const std::string& name = columns[c].name;
        const auto begins = [&](const std::string& with) { return name.starts_with(with); };
        const std::string& v = call.variable;
        if (name == v || begins(v + "[")) part.values.push_back(c);
        if (begins("d(" + v + ")/d(") || begins("d(" + v + "[")) part.slopes.push_back(c);
      }
    }
    largest_.assign(columns.size(), 0.0);
  }
  void row(double time, std::span<const double> values) override {
    for (size_t c = 0; c < values.size(); ++c)
      largest_[c] = std::max(largest_[c], std::abs(values[c]));
    const bool isEvent = !last_.empty() && time == time_;
    for (size_t i = 0; i < parts_.size(); ++i) {
      Part& part = parts_[i];
      const RunScalar kind = kept_.calls()[i].kind;
      const bool jumps = isEvent && jumpsIn(part.values, values);
      if (kind == RunScalar::mean || kind == RunScalar::rms) part.isMoved |= jumps;
      if (kind != RunScalar::min && kind != RunScalar::max) continue;
      const bool bends = jumps || (isEvent && jumpsIn(part.slopes, values));
      for (const size_t c : part.values) {
        const double x = kind == RunScalar::min ? -values[c] : values[c];
        if (x > part.most) {
          part.most = x;
          part.at = time;
          part.isMoved = bends;
        } else if (bends && part.at == time) {
          part.isMoved = true;
        }
      }
    }
    last_.assign(values.begin(), values.end());
    time_ = time;
  }
  bool found() const {
    return std::ranges::any_of(parts_, [](const Part& p) { return p.isMoved; });
  }

 private:
  struct Part {
    std::vector<size_t> values, slopes;
    double most = -INFINITY, at = -INFINITY;
    bool isMoved = false;
  };
  bool jumpsIn(const std::vector<size_t>& columns, std::span<const double> values) const {
    return std::ranges::any_of(
        columns, [&](size_t c) { return std::abs(values[c] - last_[c]) > kJump * largest_[c]; });
  }

  const KeptValues& kept_;
  std::vector<Part> parts_;
  std::vector<double> last_, largest_;
  double time_ = 0;
};

/// The same rows for several.
class ManyRows final : public RowSink {
 public:
  void begin(const std::vector<Column>& columns) override {
    for (RowSink* s : sinks) s->begin(columns);
  }
  void row(double time, std::span<const double> values) override {
    for (RowSink* s : sinks) s->row(time, values);
  }
  void event(const std::vector<std::string>& changed) override {
    for (RowSink* s : sinks) s->event(changed);
  }
  std::vector<RowSink*> sinks;
};

}  // namespace

const char* word(OptimumRun::Kind kind) {
  return kind == OptimumRun::Kind::plain     ? "plain"
         : kind == OptimumRun::Kind::precise ? "precise"
                                             : "derivatives";
}

OptimumRuns::OptimumRuns(const OptimumTask& task, const Catalogue& catalogue, YamlNode tree,
                         std::vector<std::string> files, const DerivativeTools& tools)
    : task_(task),
      tools_(tools),
      study_(studyOf(task)),
      plan_(study_, warnings_),
      model_(study_, plan_, catalogue, std::move(tree), std::move(files)),
      nominal_(model_.nominal()) {
  warnings_.add(nominal_.warnings());
  Diagnostics diagnostics;
  model_.tryOut(nominal_);
  for (const KeptValue& v : task.kept.values()) {
    if (std::ranges::find(model_.results(), v.name) == model_.results().end())
      diagnostics.error(v.at, "'" + v.name + "' must be one number, found a vector");
  }
  for (const StudyVariable& v : task.kept.variables()) variables_.push_back(v.name);
  findStart(diagnostics);
  diagnostics.throwIfErrors();
  tolerance_ = RunSettings::of(source().simulation, task.settings, diagnostics).tolerance;
  chooseExact();
}

void OptimumRuns::findStart(Diagnostics& diagnostics) {
  for (const BoundedParameter& p : task_.parameters) {
    const ModelParameterValue found = tools_.value(nominal_, p.name);
    if (!found.value) {
      diagnostics.error(p.at, found.wrong);
      continue;
    }
    start_.push_back(p.start.value_or(*found.value));
    units_.push_back(found.unit);
    if (start_.back() >= p.low && start_.back() <= p.high) continue;
    diagnostics.error(p.at,
                      fmt::format("the search must start within the bounds of '{}', {:g}..{:g}, "
                                  "found {:g}",
                                  p.name, p.low, p.high, start_.back()));
  }
}

double OptimumRuns::sizeOf(size_t k, double x) const {
  const BoundedParameter& p = task_.parameters[k];
  double size = std::max(std::abs(x), std::abs(start_[k]));
  if (std::isfinite(p.high - p.low))
    size = std::clamp(size, 1e-2 * (p.high - p.low), p.high - p.low);
  return size > 0 ? size : 1;
}

Overrides OptimumRuns::overrides(const std::vector<double>& x) const {
  Overrides all = task_.overrides;
  for (size_t k = 0; k < x.size(); ++k)
    all.push_back(fmt::format("{}={}", task_.parameters[k].name, x[k]));
  return all;
}

std::vector<std::string> OptimumRuns::exactNames() const {
  std::vector<std::string> names;
  for (size_t k = 0; k < exact_.size(); ++k) {
    if (exact_[k]) names.push_back(task_.parameters[k].name);
  }
  return names;
}

/// Loads the model beside x, `there` being the one at x. A run whose end moves has its last row elsewhere: by that there are no
/// derivatives of rows.
DerivativeTools::Load OptimumRuns::loaderAt(const std::vector<double>& x,
                                            const Simulation& there) const {
  const double stop = there.source().simulation.stop;
  return [this, x, stop](const Overrides& more) {
    Overrides all = overrides(x);
    all.insert(all.end(), more.begin(), more.end());
    Simulation s = model_.load(all);
    if (!task_.settings.stopTime && s.source().simulation.stop != stop) {
      Diagnostics moved;
      moved.error({}, "it changes when the run ends");
      moved.throwIfErrors();
    }
    return s;
  };
}

/// All parameters together, or each alone.
void OptimumRuns::chooseExact() {
  std::map<std::string, std::string> reasons;
  const auto tryThem = [&](const std::vector<std::string>& names) {
    try {
      Simulation nominal = model_.load(overrides(start_));
      tools_.run(nominal, loaderAt(start_, nominal), names, {}, variables_, nullptr,
                 task_.settings);
      return true;
    } catch (const ModelError& e) {
      std::string& of = reasons[firstErrorOf(e)];
      of += (of.empty() ? "" : ", ") + names.front();
    } catch (const std::exception& e) {  // at the start itself: a run will tell
      reasons[e.what()] = names.front();
    }
    return false;
  };
  exact_.assign(start_.size(), true);
  if (tryThem(exactNames())) return;
  reasons.clear();
  for (size_t k = 0; k < exact_.size(); ++k) exact_[k] = tryThem({task_.parameters[k].name});
  for (const auto& [reason, of] : reasons) differences_.push_back(of + ": " + reason);
}

void OptimumRuns::differentiate(const OptimumRun& run, Simulation& nominal,
                                OptimumOutcome& outcome) const {
  const std::vector<std::string> names = exactNames();
  const size_t n = run.x.size();
  std::vector<MovedRows> moved;
  std::vector<double> at, sizes;
  std::vector<size_t> of;
  for (size_t k = 0; k < n; ++k) {
    if (!exact_[k]) continue;
    const BoundedParameter& p = task_.parameters[k];
    sizes.push_back(std::max(std::abs(run.x[k]), typicalSize(start_[k], p.low, p.high)));
    const double reach = kShare * sizes.back();
    for (const double sign : {1.0, -1.0}) {
      at.push_back(run.x[k] + sign * reach);
      of.push_back(k);
      moved.emplace_back(task_.kept, task_.parameters[k].name, at.back() - run.x[k]);
    }
  }
  ManyRows rows;
  for (MovedRows& m : moved) rows.sinks.push_back(&m);
  EventsInRows events(task_.kept);
  rows.sinks.push_back(&events);
  tools_.run(nominal, loaderAt(run.x, nominal), names, sizes, variables_, &rows, task_.settings);
  if (!nominal.report().terminated.empty())
    throw std::runtime_error("the model ends the run, and parameters move its end");
  if (events.found())
    throw std::runtime_error("a kept value hangs on the time of an event that parameters move");
  outcome.kept.resize(task_.kept.values().size());
  outcome.slopes.resize(outcome.kept.size() * n);
  for (size_t i = 0; i < moved.size(); i += 2) {
    // Kept values may read parameters, too: those of a model there.
    std::vector<std::optional<double>> side[2];
    for (const int s : {0, 1}) {
      std::vector<double> there = run.x;
      there[of[i]] = at[i + s];
      side[s] = model_.readsParameters()
                    ? model_.kept(model_.load(overrides(there)), moved[i + s].reduced)
                    : model_.kept(nominal, moved[i + s].reduced);
    }
    for (size_t v = 0; v < outcome.kept.size(); ++v) {
      if (side[0][v] && side[1][v])
        outcome.slopes[v * n + of[i]] = (*side[0][v] - *side[1][v]) / (at[i] - at[i + 1]);
    }
  }
}

OptimumOutcome OptimumRuns::operator()(const OptimumRun& run) const {
  OptimumOutcome outcome;
  const bool differentiates = run.kind == OptimumRun::Kind::derivatives;
  outcome.status = differentiates ? "none" : "failed";
  try {
    Simulation simulation = model_.load(overrides(run.x));
    ReducedRun reduced(task_.kept);
    RunOptions options = task_.settings;
    if (run.kind == OptimumRun::Kind::precise)
      options.tolerance = std::min(options.tolerance.value_or(1), kPrecise);
    if (differentiates) {
      differentiate(run, simulation, outcome);
    } else {
      simulation.run(reduced, options);
      outcome.kept = model_.kept(simulation, reduced);
    }
    const RunReport& report = simulation.report();
    outcome.steps = static_cast<int>(report.integrator.steps);
    outcome.status = report.terminated.empty() ? "completed" : "terminated";
    outcome.reason = report.terminated;
  } catch (const ModelError& e) {
    outcome.reason = firstErrorOf(e);
  } catch (const std::bad_alloc&) {
    outcome.reason = "not enough memory";
  } catch (const std::exception& e) {
    outcome.reason = e.what();
  }
  return outcome;
}

}  // namespace cardan
