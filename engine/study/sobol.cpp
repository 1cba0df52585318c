#include "engine/study/sobol.h"

#include <array>
#include <cmath>

#include "engine/study/sobol_directions.h"

namespace cardan {
namespace {

constexpr int kBits = 52;  // a double holds all of them
using Directions = std::array<std::uint64_t, kBits>;

static_assert(kSobolDirections.size() + 1 == kMostSobolDimensions);

/// v_k = m_k / 2^k as whole numbers of 2^-kBits, eq. (3).
Directions directionsOf(int dimension) {
  Directions v{};
  const auto scaled = [](std::uint64_t m, size_t k) { return m << (kBits - 1 - k); };
  if (dimension == 0) {
    for (size_t k = 0; k < kBits; ++k) v[k] = scaled(1, k);
    return v;
  }
  const SobolDirections& d = kSobolDirections[dimension - 1];
  const size_t degree = d.degree;
  for (size_t k = 0; k < degree; ++k) v[k] = scaled(d.first[k], k);
  for (size_t k = degree; k < kBits; ++k) {
    v[k] = v[k - degree] ^ (v[k - degree] >> degree);
    for (size_t i = 1; i < degree; ++i) {
      if ((d.polynomial >> (degree - 1 - i) & 1U) != 0) v[k] ^= v[k - i];
    }
  }
  return v;
}

std::array<Directions, kMostSobolDimensions> allDirections() {
  std::array<Directions, kMostSobolDimensions> all{};
  for (int d = 0; d < kMostSobolDimensions; ++d) all[d] = directionsOf(d);
  return all;
}

}  // namespace

double sobolCoordinate(std::uint64_t index, int dimension) {
  static const auto directions = allDirections();
  const Directions& v = directions[dimension];
  std::uint64_t x = 0;
  size_t k = 0;
  for (std::uint64_t gray = index ^ (index >> 1U); gray != 0; gray >>= 1U, ++k) {
    if ((gray & 1U) != 0) x ^= v[k];
  }
  return std::ldexp(static_cast<double>(x), -kBits);
}

}  // namespace cardan
