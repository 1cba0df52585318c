/// Charts: changes the coordinates of orientations between two steps, before they become singular.
#pragma once

#include <vector>

#include "components/chart.h"
#include "engine/integration/ida_integrator.h"
#include "engine/structure/layout.h"

namespace cardan {

/// Neither the integrator's order and step nor any result shows a change (FORMULATION.md section 2,
/// H1).
class Charts {
 public:
  explicit Charts(const Layout& layout);

  /// Back to the charts of the start.
  void reset() const;
  /// The run begins at y.
  void start(const double* y);
  /// After an accepted step of the integrator that ended with no event.
  void renew(IdaIntegrator& integrator);

  long changes() const { return changes_; }

 private:
  struct Place {
    Chart* chart;
    int q;  ///< offset into y
    int nq;
  };
  std::vector<Place> places_, due_;
  std::vector<double> guess_;
  long changes_ = 0;
};

}  // namespace cardan
