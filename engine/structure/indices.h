/// Bounds and indices of the unknowns of single edges, for all who walk over a Layout.
#pragma once

#include <cstddef>

namespace cardan {

/// Most positions of one joint: 3 of its origin and 9 elements of T.
inline constexpr int kMaxPerEdge = 12;

/// An index as the standard containers want it.
constexpr size_t index(int i) { return static_cast<size_t>(i); }

}  // namespace cardan
