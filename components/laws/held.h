/// Held: numbers that change at events only, such as samples.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "components/component.h"

namespace cardan {

/// Numbers that a transition sets and that are frozen during a step, like modes; they are kept, saved and
/// restored as modes: each in two, by the halves of its bits.
class Held {
 public:
  void declare(Structure& s, const std::string& name, const std::vector<double>& start) {
    for (const double number : start) {
      const Halves h = split(number);
      modes_.push_back({s.mode(name, h.high), s.mode(name, h.low)});
    }
  }
  template <class S>
  double operator()(const View<S>& x, int i = 0) const {
    const Pair& p = modes_[i];
    return join({x.mode(p.high), x.mode(p.low)});
  }
  double get(const Modes& m, int i = 0) const {
    const Pair& p = modes_[i];
    return join({m.get(p.high), m.get(p.low)});
  }
  void hold(Modes& m, int i, double number) const {
    const Pair& p = modes_[i];
    const Halves h = split(number);
    m.set(p.high, h.high);
    m.set(p.low, h.low);
  }

 private:
  struct Pair {
    ModeId high, low;
  };
  struct Halves {
    int high, low;
  };
  static Halves split(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    return {std::bit_cast<int>(static_cast<std::uint32_t>(bits >> 32)),
            std::bit_cast<int>(static_cast<std::uint32_t>(bits))};
  }
  static double join(Halves h) {
    return std::bit_cast<double>(std::uint64_t{std::bit_cast<std::uint32_t>(h.high)} << 32 |
                                 std::bit_cast<std::uint32_t>(h.low));
  }
  std::vector<Pair> modes_;
};

}  // namespace cardan
