/// Bounds of the unknowns of single edges, for all who walk over a Layout.
#pragma once

namespace cardan {

/// Most positions of one joint: 3 of its origin and 9 elements of T.
inline constexpr int kMaxPerEdge = 12;

}  // namespace cardan
