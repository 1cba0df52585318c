#include "components/one_dimensional/interpolation.h"

#include <algorithm>
#include <cmath>

namespace cardan::one_dimensional {
namespace {

/// Weighted mean of the slopes d1 (left) and d2 (right of a point); d0 and d3 are their outer
/// neighbours.
double akima(double d0, double d1, double d2, double d3, bool modified) {
  double right = std::abs(d3 - d2), left = std::abs(d1 - d0);
  if (modified) {
    right += 0.5 * std::abs(d3 + d2);
    left += 0.5 * std::abs(d1 + d0);
  }
  if (left + right > 0) return (right * d1 + left * d2) / (left + right);
  return modified ? 0 : 0.5 * (d1 + d2);
}

/// Fritsch and Butland (1984): weighted harmonic mean of slopes of the same sign.
double harmonic(double h1, double h2, double d1, double d2) {
  if (d1 * d2 <= 0) return 0;
  const double alpha = (h1 + 2 * h2) / (3 * (h1 + h2));
  return d1 * d2 / (alpha * d2 + (1 - alpha) * d1);
}

/// Steffen (1990).
double steffen(double h1, double h2, double d1, double d2) {
  if (d1 * d2 <= 0) return 0;
  const double p = (d1 * h2 + d2 * h1) / (h1 + h2);
  return 2 * sign(d1) * std::min({std::abs(d1), std::abs(d2), 0.5 * std::abs(p)});
}

}  // namespace

void readSmoothness(ParameterReader& r, Smoothness& s) {
  r.enumeration("smoothness", s,
                {{"LinearSegments", Smoothness::LinearSegments},
                 {"ContinuousDerivative", Smoothness::ContinuousDerivative},
                 {"ConstantSegments", Smoothness::ConstantSegments},
                 {"MonotoneContinuousDerivative1", Smoothness::MonotoneContinuousDerivative1},
                 {"MonotoneContinuousDerivative2", Smoothness::MonotoneContinuousDerivative2},
                 {"ModifiedContinuousDerivative", Smoothness::ModifiedContinuousDerivative}},
                "interpolation between the points of the table");
}

void readExtrapolation(ParameterReader& r, Extrapolation& e) {
  r.enumeration("extrapolation", e,
                {{"HoldLastPoint", Extrapolation::HoldLastPoint},
                 {"LastTwoPoints", Extrapolation::LastTwoPoints},
                 {"Periodic", Extrapolation::Periodic},
                 {"NoExtrapolation", Extrapolation::NoExtrapolation}},
                "continuation outside of the table");
}

Interpolation::Interpolation(const Eigen::MatrixXd& table, int column, Smoothness smoothness,
                             bool periodic)
    : smoothness_(smoothness) {
  for (Eigen::Index i = 0; i < table.rows(); ++i) {
    x_.push_back(table(i, 0));
    y_.push_back(table(i, column));
  }
  const int n = points() - 1;  // intervals
  if (n < 1) return;
  auto h = [&](int i) { return x_[static_cast<size_t>(i) + 1] - x_[static_cast<size_t>(i)]; };
  auto rise = [&](int i) {
    const size_t k = static_cast<size_t>(i);
    return h(i) > 0 ? (y_[k + 1] - y_[k]) / h(i) : 0.0;
  };
  if (!isSmooth()) {
    slopeBefore_ = rise(0);
    slopeAfter_ = rise(n - 1);
    return;
  }
  // Slope of interval i, continued by straight lines of slopes (or periodically) beyond the ends.
  auto d = [&](int i) -> double {
    if (i >= 0 && i < n) return rise(i);
    if (periodic) return rise((i % n + n) % n);
    if (n == 1) return rise(0);
    return i < 0 ? rise(0) - i * (rise(0) - rise(1))
                 : rise(n - 1) + (i - n + 1) * (rise(n - 1) - rise(n - 2));
  };
  for (int i = 0; i <= n; ++i) {
    const bool end = (i == 0 || i == n) && !periodic;
    const double h1 = h((i - 1 + n) % n), h2 = h(i % n);
    double m = 0;
    switch (smoothness) {
      case Smoothness::ContinuousDerivative:
        m = akima(d(i - 2), d(i - 1), d(i), d(i + 1), false);
        break;
      case Smoothness::ModifiedContinuousDerivative:
        m = akima(d(i - 2), d(i - 1), d(i), d(i + 1), true);
        break;
      case Smoothness::MonotoneContinuousDerivative1:
        m = end ? rise(i == 0 ? 0 : n - 1) : harmonic(h1, h2, d(i - 1), d(i));
        break;
      default:
        m = end ? rise(i == 0 ? 0 : n - 1) : steffen(h1, h2, d(i - 1), d(i));
        break;
    }
    slopes_.push_back(n == 1 ? rise(0) : m);
  }
  slopeBefore_ = slopes_.front();
  slopeAfter_ = slopes_.back();
}

int Interpolation::intervalOf(double x) const {
  return static_cast<int>(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin()) - 1;
}

const char* abscissaRule(const Eigen::MatrixXd& table, bool strictly) {
  for (Eigen::Index i = 1; i < table.rows(); ++i) {
    if (table(i, 0) < table(i - 1, 0)) return "must not fall in its first column";
    if (strictly && !(table(i, 0) > table(i - 1, 0))) return "must rise in its first column";
  }
  return "";
}

}  // namespace cardan::one_dimensional
