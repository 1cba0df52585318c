/// Charts: changes the coordinates of orientations between two steps, before they become singular.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "components/chart.h"
#include "engine/equations/equations.h"
#include "engine/integration/integrator.h"

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

  /// Coordinates `y` are near a singular place: renew() is due.
  bool areDue(std::span<const double> y) const {
    return std::ranges::any_of(places_, [&](const Place& p) { return p.chart->isDue(&y[p.q]); });
  }
  /// After an accepted step of the integrator that ended with no event.
  void renew(Integrator& integrator) {
    if (places_.empty()) return;
    const double* now = integrator.y().data();
    due_.clear();
    for (const Place& p : places_) {
      if (p.chart->isDue(now + p.q)) due_.push_back(p);
    }
    if (due_.empty()) return;
    std::vector<double>& references = equations_.state.charts;
    before_ = references;
    for (const Place& p : due_) {
      p.chart->renew(now + p.q, references.data() + p.reference);
      p.chart->middle(guess_.data() + p.q);
    }
    // From the newest point to the oldest, each on the branch of the one before.
    integrator.mapHistory([&](double* y) {
      for (const Place& p : due_) {
        double* q = y + p.q;
        p.chart->translate(before_.data() + p.reference, references.data() + p.reference,
                           guess_.data() + p.q, q);
        std::copy_n(q, p.nq, guess_.data() + p.q);
      }
    });
    changes_ += std::ssize(due_);
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
  };
  Equations& equations_;
  std::vector<Place> places_, due_;
  std::vector<double> guess_, before_;
  long changes_ = 0;
};

}  // namespace cardan
