/// Charts: changes the coordinates of orientations between two steps, before they become singular, or to what
/// files and results call by their names.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "components/chart.h"
#include "engine/equations/equations.h"
#include "engine/integration/integrator.h"
#include "engine/structure/variable_table.h"

namespace cardan {

/// Neither the integrator's order and step nor any result shows a change: its history is told in
/// the new coordinates. The references in force are RunState::charts.
class Charts {
 public:
  explicit Charts(Equations& equations) : equations_(equations) {
    const Layout& layout = equations.layout();
    for (const Layout::TreeJoint& s : layout.tree) {
      if (!s.law || s.chart < 0) continue;
      const OrientationChart c = s.law->chart();
      places_.push_back({c.chart, s.q + c.first, c.size, s.chart});
    }
    guess_.resize(layout.nq);
  }

  bool any() const { return !places_.empty(); }
  /// Coordinates `y` are near a singular place: renew() is due.
  bool areDue(std::span<const double> y) const {
    return std::ranges::any_of(places_, [&](const Place& p) { return isBelow(Chart::kDue, p, y); });
  }
  /// After an accepted step of the integrator that ended with no event.
  void renew(Integrator& integrator) {
    if (!chooseFor(integrator.y(), Chart::kDue)) return;
    // From the newest point to the oldest, each on the branch of the one before.
    integrator.mapHistory([&](double* y) { tell(chosen_, before_, guess_.data(), y); });
    changes_ += std::ssize(chosen_);
  }
  /// At the point `y`, where its coordinates are less regular than `least`: these, as indices into y.
  std::vector<int> renew(std::vector<double>& y, double least = Chart::kDue) {
    std::vector<int> renewed;
    if (!chooseFor(y, least)) return renewed;
    tell(chosen_, before_, guess_.data(), y.data());
    for (const Place& p : chosen_) {
      for (int i = p.q; i < p.q + p.nq; ++i) renewed.push_back(i);
    }
    return renewed;
  }
  /// `y` was told by the references `before`, and is now by those in force, on the branches nearest to
  /// `guess`.
  void tell(const std::vector<double>& before, std::vector<double> guess,
            std::vector<double>& y) const {
    tell(places_, before, guess.data(), y.data());
  }
  /// From here on coordinates are what variables call by their names: those of all joints, or of those
  /// one of whose coordinates is among `of`.
  void takeNames(const std::vector<int>* of = nullptr) {
    for (const Place& p : places_) {
      if (p.isAmong(of)) p.chart->plain(equations_.state.charts.data() + p.reference);
    }
  }
  /// Likewise, and so become their elements of `y`, on the branches that these variables are on in `x`.
  void takeNames(const VariableTable& table, const View<double>& x, std::vector<double>& y,
                 const std::vector<int>* of = nullptr) {
    chosen_.clear();
    std::ranges::copy_if(places_, std::back_inserter(chosen_),
                         [&](const Place& p) { return p.isAmong(of); });
    std::copy_n(y.begin(), guess_.size(), guess_.begin());
    std::vector<double> values;
    for (const Place& p : chosen_) {
      for (int i = p.q; i < p.q + p.nq; ++i) {
        const auto named = table.elements(equations_.layout().unknowns[i].name);
        if (named.empty()) continue;
        values.resize(table[named.front().variable].size);
        table[named.front().variable].function->evaluate(x, values.data());
        guess_[i] = values[named.front().element];
      }
    }
    before_ = equations_.state.charts;
    takeNames(of);
    tell(chosen_, before_, guess_.data(), y.data());
  }

  long changes() const { return changes_; }
  /// Goes on counting from there.
  void countedSoFar(long changes) { changes_ = changes; }

 private:
  struct Place {
    const Chart* chart;
    int q;  ///< offset into y
    int nq;
    int reference;  ///< offset into RunState::charts

    bool isAmong(const std::vector<int>* of) const {
      return !of || std::ranges::any_of(*of, [&](int i) { return q <= i && i < q + nq; });
    }
  };

  static bool isBelow(double least, const Place& p, std::span<const double> y) {
    return p.chart->regularity(&y[p.q]) < least;
  }
  /// New references for those of `y` that are less regular than `least`. False: there are none.
  bool chooseFor(std::span<const double> y, double least) {
    chosen_.clear();
    std::ranges::copy_if(places_, std::back_inserter(chosen_),
                         [&](const Place& p) { return isBelow(least, p, y); });
    if (chosen_.empty()) return false;
    std::vector<double>& references = equations_.state.charts;
    before_ = references;
    for (const Place& p : chosen_) {
      p.chart->renew(&y[p.q], references.data() + p.reference);
      p.chart->middle(guess_.data() + p.q);
    }
    return true;
  }
  void tell(const std::vector<Place>& places, const std::vector<double>& before, double* guess,
            double* y) const {
    for (const Place& p : places) {
      double* q = y + p.q;
      p.chart->translate(before.data() + p.reference, equations_.state.charts.data() + p.reference,
                         guess + p.q, q);
      std::copy_n(q, p.nq, guess + p.q);
    }
  }

  Equations& equations_;
  std::vector<Place> places_, chosen_;
  std::vector<double> guess_, before_;
  long changes_ = 0;
};

}  // namespace cardan
