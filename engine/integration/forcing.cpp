#include "engine/integration/forcing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/integration/integrator.h"

namespace cardan {
namespace {

/// Cells of the grid per run.
constexpr double kGridCells = 3200;
/// A signal is hidden within a step if it is farther than this part of its range so far from the
/// polynomial that the method can make out.
constexpr double kBend = 0.02;
/// The degree of that polynomial: by the stages of a step, or by its ends and where it came from. With
/// these a harmonic signal is hidden in steps longer than 0.67 and 0.27 of its period; where events
/// are to be found within steps, by the ends alone, in those longer than an eleventh.
constexpr int kSeenByStages = 4, kSeenByHistory = 2;
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
  times_.assign(1, t);
  for (; start_ + cell * cell_ < end; ++cell) times_.push_back(start_ + cell * cell_);
  times_.push_back(end);
  values_.resize(n * times_.size());
  for (size_t i = 0; i < times_.size(); ++i) valuesAt(times_[i], w, values_.data() + i * n);

  const int degree = always_ ? 1 : integrator.startsAtOrderOne() ? kSeenByHistory : kSeenByStages;
  const size_t last = times_.size() - 1;
  const size_t hidden = mostHidden(last, degree);
  if (hidden == 0) return limit;
  if (!always_ && integrator.effectOfTime(times_[hidden]) <= kFelt) return limit;
  size_t seen = last / 2;
  while (seen > 1 && mostHidden(seen, degree) != 0) seen /= 2;
  const size_t to = std::max(seen, straightUpTo());
  return to < last ? times_[to] : limit;
}

/// The point, of those up to `end`, at which a signal is farthest from the polynomial through a few of
/// its values, where that is more than kBend of its range; 0: all are seen by a step to there.
size_t Forcing::mostHidden(size_t end, int degree) const {
  // Of points that are few, half are left to compare with.
  const size_t d = std::max<size_t>(1, std::min<size_t>(degree, end / 2));
  std::array<size_t, kSeenByStages + 1> node{};
  for (size_t j = 0; j <= d; ++j) node[j] = j * end / d;
  size_t farthest = 0;
  double largest = kBend;
  for (size_t k = 0; k < slots_.size(); ++k) {
    const double range = highest_[k] - lowest_[k];
    if (!(range > 0)) continue;
    // Newton's divided differences.
    std::array<double, kSeenByStages + 1> c{};
    for (size_t j = 0; j <= d; ++j) c[j] = at(node[j], k);
    for (size_t order = 1; order <= d; ++order) {
      for (size_t j = d; j >= order; --j)
        c[j] = (c[j] - c[j - 1]) / (times_[node[j]] - times_[node[j - order]]);
    }
    for (size_t i = 1; i < end; ++i) {
      double polynomial = c[d];
      for (size_t j = d; j-- > 0;) polynomial = c[j] + (times_[i] - times_[node[j]]) * polynomial;
      if (const double bend = std::abs(at(i, k) - polynomial) / range; bend > largest) {
        largest = bend;
        farthest = i;
      }
    }
  }
  return farthest;
}

/// The last point up to which no signal has left its first direction; 1 at least.
size_t Forcing::straightUpTo() const {
  size_t straight = times_.size() - 1;
  for (size_t k = 0; k < slots_.size(); ++k) {
    const double range = highest_[k] - lowest_[k];
    if (!(range > 0)) continue;
    const double first = (at(1, k) - at(0, k)) / (times_[1] - times_[0]);
    for (size_t i = 1; i <= straight; ++i) {
      const double passed = times_[i] - times_[0];
      if (std::abs(at(i, k) - at(0, k) - first * passed) > kBend * range) straight = i - 1;
    }
  }
  return std::max<size_t>(straight, 1);
}

}  // namespace cardan
