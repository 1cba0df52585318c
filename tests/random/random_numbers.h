/// RandomNumbers: a generator of our own, so that a seed gives the same model on every machine
/// (the distributions of the standard library differ between its implementations).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numbers>

#include "frames/rotations.h"

namespace cardan::random {

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  /// splitmix64 (Steele, Lea, Flood 2014).
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// In [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * unit(); }
  /// Uniform in the logarithm. Pre: 0 < low < high
  double logUniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  /// One of low .. high, both included.
  int integer(int low, int high) {
    return low + static_cast<int>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double probability) { return unit() < probability; }
  double sign() { return chance(0.5) ? 1.0 : -1.0; }

  template <class Container>
  const auto& pick(const Container& c) {
    return c.begin()[next() % c.size()];
  }
  template <class T>
  T pick(std::initializer_list<T> c) {
    return c.begin()[next() % c.size()];
  }

  Vector3d direction() {
    const double z = uniform(-1, 1), angle = uniform(-std::numbers::pi, std::numbers::pi);
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }
  Vector3d vector(double shortest, double longest) {
    const double length =
        uniform(shortest, longest);  // before the direction, whatever the compiler
    return direction() * length;
  }
  /// A direction at least half a radian away from `e` and its opposite. Pre: |e| = 1
  Vector3d directionAcross(const Vector3d& e) {
    for (;;) {
      const Vector3d d = direction();
      if (std::abs(d.dot(e)) < std::cos(0.5)) return d;
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace cardan::random
