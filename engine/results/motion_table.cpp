#include "engine/results/motion_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {
namespace {

/// Slope at t[at] of the polynomial through the points begin .. end-1, `at` among them.
double polynomialSlope(const std::vector<double>& t, const std::vector<double>& x, size_t begin,
                       size_t end, size_t at) {
  // Lagrange: the derivative of the basis polynomial of each point.
  double slope = 0;
  for (size_t i = begin; i < end; ++i) {
    double basis = 0;
    if (i == at) {
      for (size_t j = begin; j < end; ++j) {
        if (j != at) basis += 1 / (t[at] - t[j]);
      }
    } else {
      basis = 1 / (t[i] - t[at]);
      for (size_t j = begin; j < end; ++j) {
        if (j != at && j != i) basis *= (t[at] - t[j]) / (t[i] - t[j]);
      }
    }
    slope += basis * x[i];
  }
  return slope;
}

/// The slopes, piece by piece between double rows.
std::vector<double> slopesInPieces(const std::vector<double>& t, const std::vector<double>& x) {
  std::vector<double> slopes;
  for (size_t begin = 0; begin < t.size();) {
    size_t end = begin + 1;
    while (end < t.size() && t[end] > t[end - 1]) ++end;
    const auto part = [&](const std::vector<double>& v) {
      return std::vector<double>(v.begin() + begin, v.begin() + end);
    };
    const std::vector<double> piece = splineSlopes(part(t), part(x));
    slopes.insert(slopes.end(), piece.begin(), piece.end());
    begin = end;
  }
  return slopes;
}

}  // namespace

std::vector<double> splineSlopes(const std::vector<double>& t, const std::vector<double>& x) {
  const size_t n = t.size();
  std::vector<double> slope(n, 0.0);
  if (n < 2) return slope;
  const size_t ends = std::min<size_t>(n, 4);
  slope[0] = polynomialSlope(t, x, 0, ends, 0);
  slope[n - 1] = polynomialSlope(t, x, n - ends, n, n - 1);
  if (n == 2) return slope;
  // h_i d_(i-1) + 2 (h_(i-1) + h_i) d_i + h_(i-1) d_(i+1)
  //   = 3 (h_i (x_i - x_(i-1)) / h_(i-1) + h_(i-1) (x_(i+1) - x_i) / h_i),  h_i = t_(i+1) - t_i
  std::vector<double> above(n, 0.0);
  for (size_t i = 1; i + 1 < n; ++i) {
    const double before = t[i] - t[i - 1], after = t[i + 1] - t[i];
    const double right =
        3 * (after * (x[i] - x[i - 1]) / before + before * (x[i + 1] - x[i]) / after);
    const double pivot = 2 * (before + after) - after * above[i - 1];
    above[i] = before / pivot;
    slope[i] = (right - after * slope[i - 1]) / pivot;
  }
  for (size_t i = n - 2; i > 0; --i) slope[i] -= above[i] * slope[i + 1];
  return slope;
}

std::vector<double> MotionTable::slopes(const std::vector<double>& values) const {
  return slopesInPieces(table_.time, values);
}

const std::vector<double>& MotionTable::column(const std::string& name) const {
  const std::vector<double>& values = *table_.find(name);
  const auto wrong = std::ranges::find_if_not(values, [](double x) { return std::isfinite(x); });
  if (wrong == values.end()) return values;
  throw ResultFileError(fmt::format("{}: error: '{}' must be a finite number, found {} at {} s",
                                    path_, name, *wrong, table_.time[wrong - values.begin()]));
}

MotionTable::Coordinate MotionTable::coordinate(const std::string& position,
                                                const std::string& velocity,
                                                const std::string& acceleration) const {
  Coordinate c{column(position), {}, {}};
  c.v = has(velocity) ? column(velocity) : slopesInPieces(table_.time, c.q);
  c.a = has(acceleration) ? column(acceleration) : slopesInPieces(table_.time, c.v);
  return c;
}

}  // namespace cardan
