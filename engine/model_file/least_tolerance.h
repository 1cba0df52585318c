/// The least tolerance of a run: no result has more digits than a double.
#pragma once

#include <limits>

namespace cardan {

inline constexpr double kLeastTolerance = std::numeric_limits<double>::epsilon();
inline constexpr const char* kLeastToleranceRule =
    "must not be below 2.2e-16, the precision of a double";

}  // namespace cardan
