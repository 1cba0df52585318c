/// Sums and norms of short vectors, in the registers' width: what an integrator does between residuals.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace cardan::vectors {

/// Elements that are summed side by side.
constexpr Eigen::Index kChunk = 8;

using Elements = Eigen::Map<const Eigen::ArrayXd>;

/// sqrt(sum (x_i w_i)^2 / n).
inline double weightedNorm(Eigen::Index n, const double* x, const double* w) {
  const double sum = (Elements(x, n) * Elements(w, n)).square().sum();
  return std::sqrt(sum / static_cast<double>(n));
}

/// The same over those elements alone whose mask is positive; n counts all.
inline double weightedNorm(Eigen::Index n, const double* x, const double* w, const double* mask) {
  const auto weighted = Elements(x, n) * Elements(w, n);
  const double sum = (Elements(mask, n) > 0).select(weighted, 0.0).square().sum();
  return std::sqrt(sum / static_cast<double>(n));
}

inline bool allFinite(Eigen::Index n, const double* x) {
  return (Elements(x, n) * 0).sum() == 0;  // x * 0 is 0, or NaN for an infinity or NaN
}

/// w_i = 1 / (relative |y_i| + absolute_i).
inline void errorWeights(Eigen::Index n, double relative, const double* absolute, const double* y,
                         double* w) {
  Eigen::Map<Eigen::ArrayXd>(w, n) =
      (relative * Elements(y, n).abs() + Elements(absolute, n)).inverse();
}

/// z = a x + b y; z may be x or y.
inline void sum(Eigen::Index n, double a, const double* x, double b, const double* y, double* z) {
  Eigen::Index i = 0;
  for (; i + kChunk <= n; i += kChunk) {
    using Chunk = Eigen::Array<double, kChunk, 1>;
    const Chunk result = a * Eigen::Map<const Chunk>(x + i) + b * Eigen::Map<const Chunk>(y + i);
    Eigen::Map<Chunk>(z + i) = result;
  }
  for (; i < n; ++i) z[i] = a * x[i] + b * y[i];
}

/// z = c_0 x_0 + ... ; z may be one of them.
inline void combination(Eigen::Index n, int count, const double* c, const double* const* x,
                        double* z) {
  Eigen::Index i = 0;
  for (; i + kChunk <= n; i += kChunk) {
    using Chunk = Eigen::Array<double, kChunk, 1>;
    Chunk result = c[0] * Eigen::Map<const Chunk>(x[0] + i);
    for (int k = 1; k < count; ++k) result += c[k] * Eigen::Map<const Chunk>(x[k] + i);
    Eigen::Map<Chunk>(z + i) = result;
  }
  for (; i < n; ++i) {
    double result = c[0] * x[0][i];
    for (int k = 1; k < count; ++k) result += c[k] * x[k][i];
    z[i] = result;
  }
}

}  // namespace cardan::vectors
