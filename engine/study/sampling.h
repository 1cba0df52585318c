/// Sampling: points of the unit cube, one for each sample of a study.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/study/study.h"

namespace cardan {

/// Point i depends on method, seed and i alone (of a Latin hypercube on n, too), never on what was
/// asked for before.
class Sampling {
 public:
  Sampling() = default;
  /// n points of so many dimensions. `withoutOrigin`: Sobol's sequence begins at its second point.
  /// Pre: dimensions <= kMostSobolDimensions if method is sobol
  Sampling(SamplingMethod method, int dimensions, long n, std::uint64_t seed, bool withoutOrigin);

  /// Coordinate `dimension` of point `index`: in (0, 1), for Sobol in [0, 1).
  double operator()(long index, int dimension) const;

 private:
  SamplingMethod method_ = SamplingMethod::random;
  long n_ = 0;
  std::uint64_t seed_ = 0;
  bool withoutOrigin_ = false;
  std::vector<std::vector<std::uint32_t>> parts_;  ///< of a Latin hypercube: by dimension and point
};

}  // namespace cardan
