#include "components/laws/interpolation.h"

#include <algorithm>
#include <cmath>

#include "frames/dual.h"

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

/// Part of the table's largest curvature that makes an event where the curvature jumps by it: what
/// follows a path of such a table feels its acceleration. The jumps of Akima pieces through a
/// sampled sine are 25/N of it for N points a period: a table of thousands of points has none.
constexpr double kFeltCurvature = 0.1;
/// Straight on up to rounding.
constexpr double kFeltSlope = 1e-9, kFeltValue = 1e-12;

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

Interpolation::Interpolation(const Eigen::MatrixXd& table, int column, Smoothness smoothness)
    : smoothness_(smoothness) {
  for (Eigen::Index i = 0; i < table.rows(); ++i) {
    x_.push_back(table(i, 0));
    y_.push_back(table(i, column));
  }
  const int n = points() - 1;  // intervals
  if (n < 1) return;
  auto h = [&](int i) { return x_[i + 1] - x_[i]; };
  auto rise = [&](int i) {
    const size_t k = i;
    return h(i) > 0 ? (y_[k + 1] - y_[k]) / h(i) : 0.0;
  };
  if (!isSmooth()) {
    slopeBefore_ = rise(0);
    slopeAfter_ = rise(n - 1);
    measure();
    return;
  }
  // Slope of interval i, continued by straight lines of slopes beyond the ends, of what repeats, too.
  auto d = [&](int i) -> double {
    if (i >= 0 && i < n) return rise(i);
    if (n == 1) return rise(0);
    return i < 0 ? rise(0) - i * (rise(0) - rise(1))
                 : rise(n - 1) + (i - n + 1) * (rise(n - 1) - rise(n - 2));
  };
  for (int i = 0; i <= n; ++i) {
    const bool end = i == 0 || i == n;
    const double h1 = h(std::max(i - 1, 0)), h2 = h(std::min(i, n - 1));
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
  measure();
}

void Interpolation::measure() {
  for (int i = 0; i + 1 < points(); ++i) {
    for (int k : {i, i + 1}) {
      const Jet j = jet(i, k, true);
      largest_.y = std::max(largest_.y, std::abs(j.y));
      largest_.slope = std::max(largest_.slope, std::abs(j.slope));
      largest_.curvature = std::max(largest_.curvature, std::abs(j.curvature));
    }
  }
}

Interpolation::Jet Interpolation::jet(int i, int k, bool hold) const {
  const double x = abscissa(k);
  const Dual y = piece(i, Dual::seed(x, 0), hold);
  Jet result{y.v, y.lane(0), 0};
  if (isSmooth() && i >= 0 && i < points() - 1) {
    const size_t a = i;
    const double h = x_[a + 1] - x_[a], d = (y_[a + 1] - y_[a]) / h;
    const double m0 = slopes_[a], m1 = slopes_[a + 1];
    result.curvature = (k == i ? 6 * d - 4 * m0 - 2 * m1 : 2 * m0 + 4 * m1 - 6 * d) / h;
  }
  return result;
}

bool Interpolation::isBreak(int i, bool hold, bool periodic) const {
  const int n = points() - 1;
  if (n < 1) return false;
  // A jump stands at one abscissa twice.
  if ((i > 0 && !(abscissa(i) > abscissa(i - 1))) || (i < n && !(abscissa(i + 1) > abscissa(i)))) {
    return true;
  }
  const bool wraps = periodic && (i == 0 || i == n);
  const Jet before = wraps ? jet(n - 1, n, hold) : jet(i - 1, i, hold);
  const Jet after = wraps ? jet(0, 0, hold) : jet(i, i, hold);
  return std::abs(after.y - before.y) > kFeltValue * largest_.y ||
         std::abs(after.slope - before.slope) > kFeltSlope * largest_.slope ||
         std::abs(after.curvature - before.curvature) > kFeltCurvature * largest_.curvature;
}

int Interpolation::intervalOf(double x) const {
  return std::upper_bound(x_.begin(), x_.end(), x) - x_.begin() - 1;
}

bool requireAbscissas(ParameterReader& r, const char* name, const Eigen::MatrixXd& table,
                      bool strictly, int firstRow) {
  for (Eigen::Index i = 1; i < table.rows(); ++i) {
    const double before = table(i - 1, 0), x = table(i, 0);
    if (x > before || (!strictly && x == before)) continue;
    return r.requireRow(
        false, name, i + firstRow,
        x < before ? "must not fall in its first column" : "must rise in its first column");
  }
  return true;
}

void readTable(ParameterReader& r, Eigen::MatrixXd& table, const char* about) {
  bool onFile = false, verbose = true;
  TableFile file;
  r.boolean("tableOnFile", onFile, "the table is in a file of its own");
  r.string("fileName", file.fileName, "path of that file, relative to the model file");
  r.string("tableName", file.tableName,
           "name of the table in a text file of several (#1, double NAME(rows,columns))");
  r.boolean("verboseRead", verbose, "not used");
  r.string("delimiter", file.delimiter,
           "between the columns of a CSV file; by default what stands there: , ; tab or blanks");
  r.integer("nHeaderLines", file.nHeaderLines,
            "lines of a CSV file to leave out; by default a first one that has no numbers",
            {-1.0, false});
  if (onFile) {
    r.require(r.isGiven("fileName"), "tableOnFile", "is true, but no 'fileName' is given");
    r.table("table", table, "1", about, file);
    return;
  }
  r.require(!r.isGiven("fileName") || r.isGiven("table"), "fileName",
            "is read with tableOnFile: true only");
  r.table("table", table, "1", about);
}

}  // namespace cardan::one_dimensional
