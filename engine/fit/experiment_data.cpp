#include "engine/fit/experiment_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/fit/measurement.h"
#include "engine/model_file/model_source.h"
#include "engine/model_parts.h"
#include "engine/motion_point.h"
#include "engine/results/result_table.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr size_t kMostColumns = 8;  // in a message

/// The variables of an experiment: those that are asked for, else all columns that are results.
std::vector<FitSignal> wantedSignals(const FitTask& task, const FitExperiment& experiment,
                                     const Measurement& data, const Simulation& nominal,
                                     const std::vector<std::string>& inputs) {
  std::vector<FitSignal> wanted = experiment.signals.empty() ? task.signals : experiment.signals;
  if (!wanted.empty()) return wanted;
  const ModelParts model(nominal);
  for (const MeasuredColumn& c : data.columns) {
    const std::string whole = c.name.substr(0, c.name.rfind('['));
    const bool isInput = std::ranges::find(inputs, c.name) != inputs.end();
    if (!isInput && (model.hasVariable(c.name) || model.hasVariable(whole)))
      wanted.push_back({.variable = c.name, .column = c.name, .at = experiment.at});
  }
  return wanted;
}

std::vector<std::string> namesOf(const Measurement& data) {
  std::vector<std::string> names;
  for (const MeasuredColumn& c : data.columns) names.push_back(c.name);
  return names;
}

/// The unit of a variable of the model; nothing, and reported, where it is no result, or none of one
/// number.
std::optional<std::string> unitOfResult(Simulation& nominal, const FitSignal& signal,
                                        Diagnostics& diagnostics) {
  const int before = diagnostics.errorCount();
  const PointRows rows(nominal, {{signal.variable, signal.at}}, nullptr, diagnostics);
  if (diagnostics.errorCount() > before) return std::nullopt;
  for (const Column& c : rows.columns()) {
    if (plainName(c.name) == plainName(signal.variable)) return c.unit;
  }
  diagnostics.error(signal.at,
                    fmt::format("'{0}' must be one number of the model's results: ask for "
                                "an element, as '{0}[1]'",
                                signal.variable));
  return std::nullopt;
}

bool unitsAgree(const MeasuredColumn& column, const std::string& unit) {
  UnitError error;
  const std::optional<Unit> wanted = parseUnit(unit.empty() ? "1" : unit, error);
  return !column.unit || !wanted || unit.empty() ||
         agrees(column.unit->dimension, wanted->dimension);
}

}  // namespace

double ExperimentData::lastTime() const {
  double last = start;
  for (const Signal& s : signals) last = std::max(last, s.time.back());
  return last;
}

void ExperimentData::addSignal(const FitSignal& wanted, const Measurement& data,
                               Simulation& nominal, Diagnostics& diagnostics) {
  const SourceMark at{file, 0, 0};
  const MeasuredColumn* column = data.find(wanted.column);
  if (!column) {
    const std::vector<std::string> names = namesOf(data);
    diagnostics.error(at,
                      fmt::format("no column '{}'{}", wanted.column,
                                  didYouMean(wanted.column, names,
                                             "its columns are " + joinMost(names, kMostColumns))));
    return;
  }
  const auto unit = unitOfResult(nominal, wanted, diagnostics);
  if (!unit) return;
  if (!unitsAgree(*column, *unit)) {
    diagnostics.error(at, fmt::format("column '{}' is in {}, and '{}' of the model in {}",
                                      wanted.column, column->unitText, wanted.variable, *unit));
    return;
  }
  Signal s{wanted.variable, wanted.column, *unit, wanted.sigma, wanted.weight, {}, {}, points};
  const double stop = settings.stopTime.value_or(INFINITY);
  size_t gaps = 0, outside = 0;
  for (size_t i = 0; i < data.time.size(); ++i) {
    const double t = data.time[i], x = column->values[i];
    if (t < start || t > stop) {
      ++outside;
    } else if (!std::isfinite(x)) {
      ++gaps;
    } else {
      s.time.push_back(t);
      s.measured.push_back(x);
    }
  }
  if (s.time.empty()) {
    diagnostics.error(at, fmt::format("column '{}' has no values within the run, which begins at "
                                      "{:g} s",
                                      wanted.column, start));
    return;
  }
  const auto leave = [&](size_t n, const char* why) {
    if (n > 0)
      warnings.push_back(fmt::format("{}: {} of {} values of '{}' left out: {}", name, n,
                                     data.time.size(), wanted.column, why));
  };
  leave(gaps, "they are gaps or no finite numbers");
  leave(outside, "they are outside of the run");
  points += std::ssize(s.time);
  signals.push_back(std::move(s));
}

ExperimentData ExperimentData::read(const FitTask& task, const FitExperiment& experiment,
                                    Simulation& nominal, Diagnostics& diagnostics) {
  const Measurement data = experiment.data ? *experiment.data : Measurement::read(experiment.file);
  ExperimentData e;
  e.name = experiment.name;
  e.file = experiment.file;
  e.settings = experiment.settings;
  e.start = e.settings.startTime.value_or(nominal.source().simulation.start);
  e.modelTolerance = nominal.source().simulation.tolerance;
  std::vector<std::string> inputs;
  for (const PointInput& i : PointEquations(nominal).inputs()) inputs.push_back(i.name);
  const std::vector<FitSignal> wanted = wantedSignals(task, experiment, data, nominal, inputs);
  const SourceMark file{e.file, 0, 0};
  for (const std::string& name : inputs) {
    const bool isCompared = std::ranges::find(wanted, name, &FitSignal::column) != wanted.end();
    if (!isCompared && data.find(name) != nullptr) e.fed.push_back(name);
  }
  if (!e.fed.empty())
    e.settings.inputs = std::make_shared<InputTable>(data.inputs(e.fed, experiment.held));
  if (wanted.empty()) {
    diagnostics.error(file,
                      fmt::format("none of its columns is a result of the model; name them: -y "
                                  "COLUMN=VARIABLE; its columns are {}",
                                  joinMost(namesOf(data), kMostColumns)));
  }
  if (data.untimed > 0)
    e.warnings.push_back(fmt::format("{}: {} of {} rows left out: they have no time", e.name,
                                     data.untimed, data.untimed + data.time.size()));
  for (const FitSignal& w : wanted) e.addSignal(w, data, nominal, diagnostics);
  if (diagnostics.errorCount() == 0 && !(e.lastTime() > e.start))
    diagnostics.error(
        file, fmt::format("nothing was measured after the start of the run, {:g} s", e.start));
  return e;
}

}  // namespace cardan
