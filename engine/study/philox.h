/// Philox4x32-10: random numbers that are a function of a counter and a key, with no state between.
#pragma once

#include <array>
#include <cstdint>

namespace cardan {

/// 128 random bits for a counter under a key.
/// Source: Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

/// A number in (0, 1), uniformly distributed, on a grid of 2^-53: the one of `index` in the
/// sequence (`seed`, `dimension`, `purpose`).
double uniformNumber(std::uint64_t seed, std::uint32_t purpose, std::uint32_t dimension,
                     std::uint64_t index);

}  // namespace cardan
