/// RootLocus: where the poles of a loop go with its gain.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "engine/analysis/linear_model.h"

namespace cardan {

/// Of u = -k y of one output and one input.
struct RootLocus {
  std::vector<double> gains;  ///< k
  std::vector<std::vector<std::complex<double>>>
      branches;               ///< [1/s]; sampled: [1]; each as long as gains
  bool startsStable = false;  ///< all poles settle at k = 0
  std::vector<double> turns;  ///< gains at which that changes, to rounding

  /// From k = 0 to `most`, in either sign, closer where poles go fast.
  static RootLocus of(const LinearModel& model, int output, int input, double most,
                      int count = 300);
};

}  // namespace cardan
