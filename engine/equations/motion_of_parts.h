/// MotionOfParts: the motion of some of a model's parts, without any load.
#pragma once

#include <utility>
#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

/// Signals are found with it, and coordinates of cut joints. The equations outlive it.
class MotionOfParts {
 public:
  /// `instances`: per instance, whether its variables are read.
  MotionOfParts(const Equations& equations, std::vector<bool> instances)
      : equations_(equations),
        clusters_(equations.clustersOf(std::move(instances))),
        placed_(equations.clusters().version()) {}

  /// At the point of `w`.
  void evaluate(Workspace<double>& w) {
    if (placed_ != equations_.clusters().version()) {
      clusters_.place();
      placed_ = equations_.clusters().version();
    }
    equations_.evaluate(w, {.kinematicRows = false, .measure = true, .motionOf = &clusters_});
  }

 private:
  const Equations& equations_;
  ClusterTree clusters_;
  int placed_;  ///< version of the equations' clusters
};

}  // namespace cardan
