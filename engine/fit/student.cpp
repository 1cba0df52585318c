#include "engine/fit/student.h"

#include <cmath>
#include <initializer_list>
#include <limits>

namespace cardan {
namespace {

/// The continued fraction of the incomplete beta function.
/// Source: DLMF 8.17.22, by Lentz's method
double betaFraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double f = d;
  for (int m = 1; m < 1000; ++m) {
    const double odd = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double even = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double term : {odd, even}) {
      d = 1 + term * d;
      c = 1 + term / c;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      if (std::abs(c) < kTiny) c = kTiny;
      change = c * d;
      f *= change;
    }
    if (std::abs(change - 1) < 1e-16) break;
  }
  return f;
}

/// I_x(a, b), regularised.
double incompleteBeta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double factor = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                 a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return factor * betaFraction(x, a, b) / a;
  return 1 - factor * betaFraction(1 - x, b, a) / b;
}

}  // namespace

double studentInterval(double share, double freedoms) {
  if (!(freedoms > 0)) return std::numeric_limits<double>::infinity();
  // What lies outside of -t .. t is I_x(n/2, 1/2) with x = n/(n + t^2), which falls with t.
  const double outside = 1 - share;
  double low = 0, high = 1;
  const auto isOutside = [&](double t) {
    return incompleteBeta(freedoms / (freedoms + t * t), freedoms / 2, 0.5);
  };
  while (isOutside(high) > outside && high < 1e150) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = (low + high) / 2;
    (isOutside(middle) > outside ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace cardan
