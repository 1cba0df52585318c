#include "engine/integration/forcing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/integration/integrator.h"

namespace cardan {
namespace {

/// Cells of the grid per run.
constexpr double kGridCells = 3200;
/// A signal bends within a step if it leaves its chord by more than this part of its range so far;
/// a harmonic one does once a step is longer than an eleventh of its period.
constexpr double kBend = 0.02;
/// A motion feels a bend that moves it by more than this many tolerances within the step.
constexpr double kFelt = 1;

}  // namespace

Forcing::Forcing(const Equations& equations) : equations_(equations) {
  for (const SignalSource& s : equations.signals().sources()) {
    if (s.number >= 0) continue;
    if (!s.timeOnly && !(s.expression && s.expression->readsTime())) continue;
    for (int i = 0; i < s.size; ++i) slots_.push_back(s.slot + i);
    ofTimeAlone_ = ofTimeAlone_ && s.timeOnly;
  }
  // Rates of an instant are kept, and only a whole evaluation knows whether they still hold.
  ofTimeAlone_ = ofTimeAlone_ && !equations.signals().readsRates();
}

void Forcing::begin(double start, double stop, bool always) {
  start_ = start;
  cell_ = (stop - start) / kGridCells;
  always_ = always;
  lowest_.assign(slots_.size(), std::numeric_limits<double>::infinity());
  highest_.assign(slots_.size(), -std::numeric_limits<double>::infinity());
}

void Forcing::valuesAt(double t, Workspace<double>& w, double* values) {
  w.tables.time = t;
  using Scope = SignalGraph::Scope;
  equations_.signals().evaluate(w.tables, w.signals.data(), w.signalRates.data(), w.ofTime,
                                ofTimeAlone_ ? Scope::time : Scope::results);
  for (size_t k = 0; k < slots_.size(); ++k) {
    values[k] = w.signals[slots_[k]];
    if (!std::isfinite(values[k])) continue;
    lowest_[k] = std::min(lowest_[k], values[k]);
    highest_[k] = std::max(highest_[k], values[k]);
  }
}

double Forcing::endOfStep(Integrator& integrator, double limit, Workspace<double>& w) {
  if (slots_.empty() || !(cell_ > 0)) return limit;
  const double t = integrator.time();
  const double planned = integrator.nextStep();
  const double end = planned > 0 ? std::min(limit, t + planned) : limit;
  // The first point of the grid after t.
  double cell = std::floor((t - start_) / cell_) + 1;
  if (start_ + cell * cell_ <= t + 1e-6 * cell_) ++cell;
  if (start_ + cell * cell_ >= end) return limit;

  std::copy(integrator.y().begin(), integrator.y().end(), w.y.begin());
  std::copy(integrator.yp().begin(), integrator.yp().end(), w.yp.begin());
  w.tables.time = t;
  if (!ofTimeAlone_)
    equations_.evaluate(w, {.kinematicRows = false, .connectorLoads = true, .measure = true});
  const size_t n = slots_.size();
  std::vector<double> times{t};
  for (; start_ + cell * cell_ < end; ++cell) times.push_back(start_ + cell * cell_);
  times.push_back(end);
  values_.resize(n * times.size());
  for (size_t i = 0; i < times.size(); ++i) valuesAt(times[i], w, values_.data() + i * n);

  auto at = [&](size_t i, size_t k) { return values_[i * n + k]; };
  size_t straight = times.size() - 1;  // up to here no signal has left its first direction
  size_t farthest = 0;                 // where one is farthest from its chord
  double largest = kBend;
  for (size_t k = 0; k < n; ++k) {
    const double range = highest_[k] - lowest_[k];
    if (!(range > 0)) continue;
    const double chord = (at(times.size() - 1, k) - at(0, k)) / (end - t);
    const double first = (at(1, k) - at(0, k)) / (times[1] - t);
    for (size_t i = 1; i < times.size(); ++i) {
      const double change = at(i, k) - at(0, k), passed = times[i] - t;
      if (const double bend = std::abs(change - chord * passed) / range; bend > largest) {
        largest = bend;
        farthest = i;
      }
      if (std::abs(change - first * passed) > kBend * range) straight = std::min(straight, i - 1);
    }
  }
  straight = std::max<size_t>(straight, 1);
  if (farthest == 0 || straight + 1 == times.size()) return limit;
  if (!always_ && integrator.effectOfTime(times[farthest]) <= kFelt) return limit;
  return times[straight];
}

}  // namespace cardan
