/// Sobol's sequence: points that fill the unit cube evenly, each computed by its number alone.
#pragma once

#include <cstdint>

namespace cardan {

inline constexpr int kMostSobolDimensions = 64;

/// Coordinate `dimension` (from 0) of point `index` (from 0, the origin), in the order of Gray's
/// code, unscrambled: a multiple of 2^-k for the points below 2^k.
/// Pre: 0 <= dimension < kMostSobolDimensions, index < 2^52
/// Source: Joe, Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM J.
/// Sci. Comput. 30 (2008), eqs. (2), (3)
double sobolCoordinate(std::uint64_t index, int dimension);

}  // namespace cardan
