/// What an integrator can tell apart in time.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

/// [s] Two instants closer than this are one; IDA's own measure.
inline double timeRoundoff(double t) {
  return 100 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

/// [s] To which an event is located in a step of length h that ends at `end`, by a method that
/// counts time from `origin`.
inline double eventResolution(double end, double origin, double h) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  return std::max(timeRoundoff(end - origin) + 100 * kEpsilon * h, 4 * kEpsilon * std::abs(end));
}

/// [s] Events of a step of length h that are closer together are one, as their times are not known
/// better.
inline double sameEvent(double relativeTolerance, double h) { return 0.1 * relativeTolerance * h; }

}  // namespace cardan
