/// Weights of a mixture: many directions in one, none of which cancels another by chance.
#pragma once

#include <cmath>

namespace cardan {

/// The weight of direction i, between 0.2 and 1.
inline double mixtureWeight(int i) { return 0.6 + 0.4 * std::sin(1.0 + 2.3 * i); }

}  // namespace cardan
