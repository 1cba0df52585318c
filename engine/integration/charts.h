/// Charts: changes the coordinates of orientations between two steps, before they become singular.
#pragma once

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
  explicit Charts(Equations& equations);

  /// Coordinates `y` are near a singular place: renew() is due.
  bool areDue(std::span<const double> y) const;
  /// After an accepted step of the integrator that ended with no event.
  void renew(Integrator& integrator);

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
