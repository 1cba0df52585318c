#include "engine/study/philox.h"

#include <cmath>

namespace cardan {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = kMultiplier0 * counter[0], p1 = kMultiplier1 * counter[2];
    const auto high = [](std::uint64_t p) { return static_cast<std::uint32_t>(p >> 32U); };
    const auto low = [](std::uint64_t p) { return static_cast<std::uint32_t>(p); };
    counter = {high(p1) ^ counter[1] ^ key[0], low(p1), high(p0) ^ counter[3] ^ key[1], low(p0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

double uniformNumber(std::uint64_t seed, std::uint32_t purpose, std::uint32_t dimension,
                     std::uint64_t index) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto bits =
      philox({low(index), low(index >> 32U), dimension, purpose}, {low(seed), low(seed >> 32U)});
  const std::uint64_t whole = (std::uint64_t{bits[0]} << 32U | bits[1]) >> 12U;
  return (static_cast<double>(whole) + 0.5) * std::ldexp(1.0, -52);
}

}  // namespace cardan
