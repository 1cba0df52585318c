/// Forcing: what time alone does to a model, looked at ahead of the steps.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/equations/model.h"
#include "engine/integration/grid_cells.h"
#include "engine/integration/integrator.h"

namespace cardan {

class Integrator;
class Model;

/// The integrator sees the equations at the ends of its steps. A pulse between them, or a vibration
/// faster than the steps, would pass unseen while nothing else moves. So what contains time explicitly
/// (signals, the file's own equations, what its relations compare) is looked at on a fixed grid inside
/// each step to come; a step in which one does what the method's own few looks cannot make out, and the
/// motion feels it, is shortened until they can. From there on the error test sees it.
///
/// Sums and products of polynomials, sin, cos and exp of time say themselves how fast they are; a step
/// that is short beside that is not looked into. Else the grid has 3200 cells a run, and up to 128 times
/// as many where probes of it show that signals do more within a cell than its ends tell. Steps shorter
/// than a cell cost nothing. What is rare and shorter than a cell is seen by chance only: a maximum step
/// is the means against it.
class Forcing {
 public:
  Forcing(const Model& model, const Equations& equations) : equations_(equations) {
    for (const SignalSource& s : equations.signals().sources()) {
      if (s.number >= 0) continue;
      if (!s.timeOnly && !(s.expression && s.expression->readsTime())) continue;
      sources_.push_back(&s);
      for (int i = 0; i < s.size; ++i) {
        slots_.push_back(s.slot + i);
        names_.push_back(s.name);
      }
      ofTimeAlone_ = ofTimeAlone_ && s.timeOnly;
    }
    if (const ModelEquations* own = equations.signals().modelEquations()) {
      for (const ModelEquations::Row& r : own->rows()) {
        add(*r.left, false);
        add(*r.right, false);
      }
    }
    model.forEachExpression([&](const ExpressionVariable& e) { add(e, true); });
    // Rates of an instant are kept, and only a whole evaluation knows whether they still hold.
    ofTimeAlone_ = ofTimeAlone_ && !equations.signals().readsRates();
  }

  /// Whether there is such a thing.
  bool any() const { return !names_.empty(); }

  /// To be called before a run over [start, stop], from (y, yp). `always`: bends count even where
  /// nothing moves, as switching functions may read what they do to forces. `w` is work space.
  void begin(double start, double stop, bool always, std::span<const double> y,
             std::span<const double> yp, Workspace<double>& w) {
    start_ = start;
    cell_ = (stop - start) / kGridCells;
    always_ = always;
    lowest_.assign(names_.size(), std::numeric_limits<double>::infinity());
    highest_.assign(names_.size(), -std::numeric_limits<double>::infinity());
    warning_.clear();
    if (!any() || !(cell_ > 0)) return;
    const std::vector<double> types = exponentialTypes(stop - start);
    type_ = *std::ranges::max_element(types);
    if (!std::isfinite(type_)) place(start, y, yp, w);
    GridCells cells = cellsFor(start, stop, cell_, types,
                               [&](double t, double* values) { functionsAt(t, w, values); });
    cell_ = cells.cell;
    rounding_ = std::move(cells.rounding);
    rounding_.resize(names_.size());
    if (cells.hidden) warning_ = fasterThanCells(names_[*cells.hidden], start, stop, cell_);
  }

  /// What even the finest grid does not show, for the user; empty: nothing.
  const std::string& warning() const { return warning_; }

  /// Where a step from the integrator's time towards `limit` has to end, at most `limit`. `w` is
  /// work space.
  double endOfStep(Integrator& integrator, double limit, Workspace<double>& w) {
    if (!any() || !(cell_ > 0)) return limit;
    const double t = integrator.time();
    const double planned = integrator.nextStep();
    const double end = planned > 0 ? std::min(limit, t + planned) : limit;
    // The first point of the grid after t.
    double cell = std::floor((t - start_) / cell_) + 1;
    if (start_ + cell * cell_ <= t + 1e-6 * cell_) ++cell;
    if (start_ + cell * cell_ >= end) return limit;
    const Seen by = always_                         ? kSeenByEnds
                    : integrator.startsAtOrderOne() ? kSeenByHistory
                                                    : kSeenByStages;
    if ((end - t) * type_ < by.radians) return limit;

    place(t, integrator.y(), integrator.yp(), w);
    const size_t n = names_.size();
    times_.assign(1, t);
    for (; start_ + cell * cell_ < end; ++cell) times_.push_back(start_ + cell * cell_);
    times_.push_back(end);
    values_.resize(n * times_.size());
    for (size_t i = 0; i < times_.size(); ++i) valuesAt(times_[i], w, values_.data() + i * n);

    const size_t last = times_.size() - 1;
    hidden_.clear();
    for (size_t k = 0; k < n; ++k) {
      const size_t farthest = hiddenAt(k, last, by.degree);
      if (farthest > 0 && (always_ || isFelt(integrator, k, farthest))) hidden_.push_back(k);
    }
    if (hidden_.empty()) return limit;
    size_t seen = last / 2;
    const auto isHidden = [&](size_t k) { return hiddenAt(k, seen, by.degree) > 0; };
    while (seen > 1 && std::ranges::any_of(hidden_, isHidden)) seen /= 2;
    const size_t to = std::max(seen, straightUpTo());
    return to < last ? times_[to] : limit;
  }

  auto kept() {
    return std::tie(start_, cell_, type_, always_, lowest_, highest_, rounding_, warning_);
  }

 private:
  /// Cells of the grid per run.
  static constexpr double kGridCells = 3200;
  /// A signal is hidden within a step if it is farther than this part of its range so far from the
  /// polynomial that the method can make out.
  static constexpr double kBend = kUnseenPart;
  /// The degree of that polynomial: by the stages of a step, or by its ends and where it came from, or,
  /// where events are to be found within steps, by the ends alone. With these a harmonic signal is hidden
  /// in steps longer than 0.67, 0.27 and an eleventh of its period.
  struct Seen {
    int degree;
    double radians;  ///< of a step in which a function of that exponential type is not hidden
  };
  static constexpr Seen kSeenByStages{4, 4.2}, kSeenByHistory{2, 1.7}, kSeenByEnds{1, 0.57};
  /// A motion feels a bend that moves it by more than this many tolerances within the step.
  static constexpr double kFelt = 1;

  /// Signals are taken at this state, whatever the time.
  void place(double t, std::span<const double> y, std::span<const double> yp,
             Workspace<double>& w) const {
    std::copy(y.begin(), y.end(), w.y.begin());
    std::copy(yp.begin(), yp.end(), w.yp.begin());
    w.tables.time = t;
    if (!ofTimeAlone_)
      equations_.evaluate(w, {.kinematicRows = false, .connectorLoads = true, .measure = true});
  }
  std::vector<double> exponentialTypes(double span) const {
    // Of time over a run: a polynomial of degree n turns n times.
    const double perDegree = 2 * std::numbers::pi / span;
    std::map<int, double> ofSlot;
    std::vector<double> types;
    for (const SignalSource* s : sources_) {
      // The rate of a function has its type.
      const auto rated = ofSlot.find(s->rateOf);
      const double type = s->expression ? s->expression->expression().typeInTime(perDegree)
                          : rated != ofSlot.end() ? rated->second
                                                  : std::numeric_limits<double>::infinity();
      ofSlot[s->slot] = type;
      types.insert(types.end(), s->size, type);
    }
    for (const Own& o : own_) {
      const BoundExpression& e = o.expression->expression();
      if (o.relations.empty()) types.insert(types.end(), o.size, e.typeInTime(perDegree));
      for (const int k : o.relations) types.push_back(e.typeInTime(k, perDegree));
    }
    return types;
  }
  void functionsAt(double t, Workspace<double>& w, double* values) {
    w.tables.time = t;
    using Scope = SignalGraph::Scope;
    if (!slots_.empty())
      equations_.signals().evaluate(w.tables, w.signals.data(), w.signalRates.data(), w.ofTime,
                                    ofTimeAlone_ ? Scope::time : Scope::results);
    for (const int slot : slots_) *values++ = w.signals[slot];
    if (own_.empty()) return;
    const View<double> view(w.tables);
    const std::uint64_t pass = w.expressions.newPass();
    for (const Own& o : own_) {
      if (o.relations.empty()) {
        o.expression->evaluateIn(pass, view, values);
        values += o.size;
        continue;
      }
      o.expression->relationResidualsIn(pass, view, scratch_.data());
      for (const int k : o.relations) *values++ = scratch_[k];
    }
  }
  void valuesAt(double t, Workspace<double>& w, double* values) {
    functionsAt(t, w, values);
    for (size_t k = 0; k < names_.size(); ++k) {
      if (!std::isfinite(values[k])) continue;
      lowest_[k] = std::min(lowest_[k], values[k]);
      highest_[k] = std::max(highest_[k], values[k]);
    }
  }
  double at(size_t point, size_t k) const { return values_[point * names_.size() + k]; }
  /// The point, of those up to `end`, at which signal k is farthest from the polynomial through a few of
  /// its values, where that is more than kBend of its range and no rounding; 0: it is seen by a step to
  /// there.
  size_t hiddenAt(size_t k, size_t end, int degree) const {
    const double range = highest_[k] - lowest_[k];
    if (!(range > 0)) return 0;
    // Of points that are few, half are left to compare with.
    const size_t d = std::max<size_t>(1, std::min<size_t>(degree, end / 2));
    std::array<size_t, kSeenByStages.degree + 1> node{};
    for (size_t j = 0; j <= d; ++j) node[j] = j * end / d;
    // Newton's divided differences.
    std::array<double, kSeenByStages.degree + 1> c{};
    for (size_t j = 0; j <= d; ++j) c[j] = at(node[j], k);
    for (size_t order = 1; order <= d; ++order) {
      for (size_t j = d; j >= order; --j)
        c[j] = (c[j] - c[j - 1]) / (times_[node[j]] - times_[node[j - order]]);
    }
    size_t farthest = 0;
    double largest = kBend * range + kRoundings * rounding_[k];
    for (size_t i = 1; i < end; ++i) {
      double polynomial = c[d];
      for (size_t j = d; j-- > 0;) polynomial = c[j] + (times_[i] - times_[node[j]]) * polynomial;
      if (const double bend = std::abs(at(i, k) - polynomial); bend > largest) {
        largest = bend;
        farthest = i;
      }
    }
    return farthest;
  }
  /// The motion feels what signal k does at the point where it is hidden, or where it is farthest from
  /// where it was: a pulse at a node of the polynomial hides where it is not.
  bool isFelt(Integrator& integrator, size_t k, size_t hidden) const {
    size_t extreme = 1;
    const auto far = [&](size_t i) { return std::abs(at(i, k) - at(0, k)); };
    for (size_t i = 2; i < times_.size(); ++i) {
      if (far(i) > far(extreme)) extreme = i;
    }
    return integrator.effectOfTime(times_[hidden]) > kFelt ||
           (extreme != hidden && integrator.effectOfTime(times_[extreme]) > kFelt);
  }
  /// The last point up to which none of those that are hidden has left its first direction; 1 at least.
  size_t straightUpTo() const {
    size_t straight = times_.size() - 1;
    for (const size_t k : hidden_) {
      const double range = highest_[k] - lowest_[k];
      const double first = (at(1, k) - at(0, k)) / (times_[1] - times_[0]);
      for (size_t i = 1; i <= straight; ++i) {
        const double passed = times_[i] - times_[0];
        if (std::abs(at(i, k) - at(0, k) - first * passed) > kBend * range) straight = i - 1;
      }
    }
    return std::max<size_t>(straight, 1);
  }
  void add(const ExpressionVariable& e, bool isCompared) {
    if (!e.readsTime()) return;
    const int relations = e.expression().relationCount();
    Own own{&e, {}, static_cast<size_t>(isCompared ? relations : e.expression().size())};
    // Those of time alone are found ahead.
    for (int k = 0; isCompared && k < relations; ++k) {
      if (!e.relationIsOfTime(k)) own.relations.push_back(k);
    }
    if (isCompared && own.relations.empty()) return;
    names_.insert(names_.end(), isCompared ? own.relations.size() : own.size, "'" + e.text() + "'");
    scratch_.resize(std::max(scratch_.size(), own.size));
    own_.push_back(std::move(own));
    ofTimeAlone_ = ofTimeAlone_ && e.level() <= Level::Time;
  }

  /// An expression whose values are looked at, or the differences that its relations compare.
  struct Own {
    const ExpressionVariable* expression;
    std::vector<int> relations;  ///< empty: its values
    size_t size;                 ///< of all that is evaluated
  };

  const Equations& equations_;
  std::vector<const SignalSource*> sources_;  ///< signals that contain time explicitly
  std::vector<int> slots_;                    ///< theirs
  std::vector<Own> own_;                      ///< after them
  std::vector<std::string> names_;            ///< of all, for messages
  bool ofTimeAlone_ = true;                   ///< and nothing else
  double start_ = 0, cell_ = 0;               ///< [s]
  double type_ = 0;  ///< [1/s]  the largest exponential type; infinity: not known
  bool always_ = false;
  std::vector<double> lowest_, highest_;  ///< of each, as met so far
  std::vector<double> rounding_;          ///< GridCells::rounding
  std::vector<double> times_;             ///< [s]  of the step to come, where signals are looked at
  std::vector<double> values_;            ///< there
  std::vector<size_t> hidden_;  ///< those that a step to there would not see, and that are felt
  std::vector<double> scratch_;
  std::string warning_;
};

}  // namespace cardan
