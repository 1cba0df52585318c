/// Support: the part of a rounded solid's line that is below the surface of a convex thing.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "components/contact/gauss.h"

namespace cardan::contact {

/// Where the depth is most along the line, or a place where it is more than `enough`; any, if it is less
/// than `least` everywhere, as it changes by no more than the place.
///
/// The depth is concave: it lies below the tangents at both ends, which meet where it may be most.
template <class Line>
double summit(const Line& line, double low, double high, double enough, double least) {
  constexpr double kAll = 1e-15;  // [1]  of the line: no more is left to find
  const auto look = [&](double s) {
    const auto p = line.at(s);
    return std::tuple(s, p.depth, line.slope(p));
  };
  auto [a, d_a, m_a] = look(low);
  auto [b, d_b, m_b] = look(high);
  const double width = high - low;
  for (int i = 0; i < 60 && m_a > 0 && m_b < 0; ++i) {
    const double meet = ((d_b - m_b * b) - (d_a - m_a * a)) / (m_a - m_b);
    const double most = std::max(d_a, d_b), bound = d_a + m_a * (meet - a);
    if (most > enough || bound < least || bound - most <= kAll * width) break;
    // Where the slope would be zero if it were straight, in turn: one is right on edges, one on rounds.
    double s = i % 2 == 0 ? meet : a + (b - a) * (m_a / (m_a - m_b));
    if (i % 6 == 5) s = 0.5 * (a + b);
    if (!(s > a && s < b)) break;
    const auto [at, d, m] = look(s);
    if (m > 0) {
      std::tie(a, d_a, m_a) = std::tuple(at, d, m);
    } else {
      std::tie(b, d_b, m_b) = std::tuple(at, d, m);
    }
  }
  if (!(m_a > 0)) return a;
  if (!(m_b < 0)) return b;
  return d_a > d_b ? a : b;
}

/// The part of the line below the surface: the depth is concave along it.
template <class Line>
class Supported {
 public:
  Supported(const Line& line, double half) : line_(line) {
    double low = -half, high = half;
    const double d_low = depth(low), d_high = depth(high);
    most = std::max(d_low, d_high);
    if (d_low > 0 && d_high > 0) {
      from = low;
      to = high;
      return;
    }
    const double inside = d_low > 0 ? low : d_high > 0 ? high : summit(line, low, high, 0, 0);
    most = std::max(most, depth(inside));
    if (!(most > 0)) return;
    from = d_low > 0 ? low : border(low, inside);
    to = d_high > 0 ? high : border(high, inside);
  }

  double from = 0, to = 0;                                 ///< [m]
  double most = -std::numeric_limits<double>::infinity();  ///< [m]  depth at one of its places

 private:
  double depth(double s) const { return line_.at(s).depth; }
  /// Between a place outside and one inside: tangents of what is concave end outside.
  double border(double outside, double inside) const {
    for (int i = 0; i < 60 && std::abs(outside - inside) > 1e-15; ++i) {
      const auto p = line_.at(outside);
      const double s = outside - p.depth / line_.slope(p);
      if (!(p.depth < 0) || !((s - outside) * (inside - s) > 0)) break;
      outside = s;
    }
    return outside;
  }

  const Line& line_;
};

/// Calls f(s, weight) for the points of a quadrature over a part of the line, ends where the
/// depth begins as its root.
template <class F>
void forEachPoint(double from, double to, F f) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  if (!(half > 0)) return;
  forEachGaussPoint([&](double x, double weight) {
    const double angle = std::numbers::pi / 2 * x;
    f(middle + half * std::sin(angle), weight * std::numbers::pi / 2 * half * std::cos(angle));
  });
}

}  // namespace cardan::contact
