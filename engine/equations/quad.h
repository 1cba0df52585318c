/// Quad: the three components of a vector in the lanes of one register, for sweeps in closed form.
#pragma once

#include <cmath>

#include "frames/frames.h"

namespace cardan {

/// The fourth lane is zero.
struct alignas(32) Quad {
#ifdef __AVX__
  typedef double Lanes __attribute__((vector_size(32)));
#else
  /// Vectors wider than the machine's registers would go through memory at every step.
  struct Lanes {
    double x[4];
    double& operator[](int i) { return x[i]; }
    const double& operator[](int i) const { return x[i]; }
    friend Lanes operator+(const Lanes& a, const Lanes& b) {
      return {{a[0] + b[0], a[1] + b[1], a[2] + b[2], 0}};
    }
    friend Lanes operator-(const Lanes& a, const Lanes& b) {
      return {{a[0] - b[0], a[1] - b[1], a[2] - b[2], 0}};
    }
    friend Lanes operator-(const Lanes& a) { return {{-a[0], -a[1], -a[2], 0}}; }
    friend Lanes operator*(const Lanes& a, const Lanes& b) {
      return {{a[0] * b[0], a[1] * b[1], a[2] * b[2], 0}};
    }
    friend Lanes operator*(const Lanes& a, double k) { return {{a[0] * k, a[1] * k, a[2] * k, 0}}; }
  };
#endif
  Lanes v{};

  [[gnu::always_inline]] static Quad of(const Vector3d& a) { return of(a[0], a[1], a[2]); }
  [[gnu::always_inline]] static Quad of(double x, double y, double z) {
    return {Lanes{x, y, z, 0}};
  }
  [[gnu::always_inline]] Vector3d vector() const { return {v[0], v[1], v[2]}; }
  double operator[](int i) const { return v[i]; }

  [[gnu::always_inline]] Quad& operator+=(const Quad& b) {
    v = v + b.v;
    return *this;
  }
  [[gnu::always_inline]] Quad& operator-=(const Quad& b) {
    v = v - b.v;
    return *this;
  }
  [[gnu::always_inline]] friend Quad operator+(const Quad& a, const Quad& b) { return {a.v + b.v}; }
  [[gnu::always_inline]] friend Quad operator-(const Quad& a, const Quad& b) { return {a.v - b.v}; }
  [[gnu::always_inline]] friend Quad operator-(const Quad& a) { return {-a.v}; }
  [[gnu::always_inline]] friend Quad operator*(const Quad& a, double k) { return {a.v * k}; }

  /// (y, z, x)
  [[gnu::always_inline]] Quad turned() const { return picked<1, 2, 0, 3>(*this, *this); }
  /// Lanes of a (0 to 3) and of b (4 to 7).
  template <int i, int j, int k, int l>
  [[gnu::always_inline]] static Quad picked(const Quad& a, const Quad& b) {
#ifdef __AVX__
    return {__builtin_shufflevector(a.v, b.v, i, j, k, l)};
#else
    const auto lane = [&](int n) { return n < 4 ? a.v[n] : b.v[n - 4]; };
    return {Lanes{{lane(i), lane(j), lane(k), lane(l)}}};
#endif
  }
  /// a x b as (z, x, y): of a sum of products one turned() is enough.
  [[gnu::always_inline]] friend Quad crossed(const Quad& a, const Quad& b) {
    return {a.v * b.turned().v - a.turned().v * b.v};
  }
  [[gnu::always_inline]] friend Quad cross(const Quad& a, const Quad& b) {
    return crossed(a, b).turned();
  }
  [[gnu::always_inline]] friend double dot(const Quad& a, const Quad& b) {
    const Lanes p = a.v * b.v;
    return p[0] + p[1] + p[2];
  }
  /// Of magnitudes of the terms of dot(a, b).
  [[gnu::always_inline]] friend double sumOfSizes(const Quad& a, const Quad& b) {
    const Lanes p = a.v * b.v;
    return std::abs(p[0]) + std::abs(p[1]) + std::abs(p[2]);
  }
};

/// a x + b y + c z of three vectors and numbers.
[[gnu::always_inline]] inline Quad combine(const Quad* vectors, const double* x) {
  return {vectors[0].v * x[0] + vectors[1].v * x[1] + vectors[2].v * x[2]};
}

}  // namespace cardan
