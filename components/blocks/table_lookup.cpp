/// Tables over signals: in one dimension and in two.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"
#include "components/component.h"
#include "components/laws/interpolation.h"

namespace cardan::blocks {
namespace {

using one_dimensional::Extrapolation;
using one_dimensional::Interpolation;
using one_dimensional::Smoothness;

int turnsOf(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

std::vector<double> elements(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }

bool rises(const std::vector<double>& x) {
  for (size_t i = 1; i < x.size(); ++i) {
    if (!(x[i] > x[i - 1])) return false;
  }
  return true;
}

/// A periodic table must last.
void requirePeriod(ParameterReader& r, const std::vector<double>& x, Extrapolation& e) {
  if (e == Extrapolation::Periodic &&
      !r.require(x.size() > 1, "table", "must have two rows at least to be periodic")) {
    e = Extrapolation::HoldLastPoint;
  }
}

/// A grid with two more points at each end, and what a column over it is there: slopes go on changing
/// as they do at the end (Akima 1970).
std::vector<double> extendedGrid(const std::vector<double>& x) {
  const size_t n = x.size();
  std::vector<double> e;
  if (n == 2) {
    const double h = x[1] - x[0];
    e = {x[0] - 2 * h, x[0] - h, x[0], x[1], x[1] + h, x[1] + 2 * h};
    return e;
  }
  e = {2 * x[0] - x[2], x[0] + x[1] - x[2]};
  e.insert(e.end(), x.begin(), x.end());
  e.push_back(x[n - 1] + x[n - 2] - x[n - 3]);
  e.push_back(2 * x[n - 1] - x[n - 3]);
  return e;
}
void extendColumn(const std::vector<double>& x, Eigen::Ref<Eigen::VectorXd> z) {
  const Eigen::Index n = z.size();
  const auto at = [&](Eigen::Index i) { return x[i]; };
  const auto slope = [&](Eigen::Index i) { return (z(i + 1) - z(i)) / (at(i + 1) - at(i)); };
  const double first = slope(2), second = n > 6 ? slope(3) : first;
  const double last = slope(n - 4), before = n > 6 ? slope(n - 5) : last;
  z(1) = z(2) - (2 * first - second) * (at(2) - at(1));
  z(0) = z(1) - (3 * first - 2 * second) * (at(1) - at(0));
  z(n - 2) = z(n - 3) + (2 * last - before) * (at(n - 2) - at(n - 3));
  z(n - 1) = z(n - 2) + (3 * last - 2 * before) * (at(n - 1) - at(n - 2));
}

/// Akima's weights of the slopes on both sides of a point, d[1] and d[2].
std::array<double, 2> akimaWeights(const std::array<double, 4>& d) {
  const double left = std::abs(d[3] - d[2]), right = std::abs(d[1] - d[0]);
  if (!(left + right > 0)) return {0.5, 0.5};
  return {left / (left + right), right / (left + right)};
}

}  // namespace

/// The abscissas of a table, and between which of those at which the table's law changes a signal is now.
///
/// Mode   stretch: number of such abscissas, breaks, at or below the signal; counted on through the periods
class TableAxis {
 public:
  using Extrapolation = one_dimensional::Extrapolation;

  /// `breaks`: indices into `abscissas`, in their order.
  void set(std::vector<double> abscissas, std::vector<int> breaks, Extrapolation extrapolation) {
    x_ = std::move(abscissas);
    breaks_ = std::move(breaks);
    extrapolation_ = extrapolation;
    const int last = std::ssize(x_) - 1;
    if (extrapolation_ == Extrapolation::NoExtrapolation) {
      if (breaks_.empty() || breaks_.front() != 0) breaks_.insert(breaks_.begin(), 0);
      if (breaks_.back() != last) breaks_.push_back(last);
    }
    const double size = std::max(std::abs(least()), std::abs(most()));
    hair_ = 1e-10 * (size > 0 ? size : 1);
  }
  void declare(Structure& s, const std::string& name) { stretch_ = s.mode(name, kUnset); }
  void guards(const View<double>& x, Guards& g, double u, const char* input) const {
    const int m = x.mode(stretch_) == kUnset ? locate(u) : x.mode(stretch_);
    const double from = breakAt(m - 1), to = breakAt(m);
    g.crossing(from > -kNever ? u - from + hair() : 1);
    g.crossing(to < kNever ? to + hair() - u : 1);
    if (extrapolation_ != Extrapolation::NoExtrapolation || (u >= least() && u <= most())) return;
    if (m > 0 && m < std::ssize(breaks_)) return;
    g.fail(fmt::format(
        "'{}' is {}, outside of the table, from {} to {}, which must not be extrapolated "
        "(extrapolation: NoExtrapolation)",
        input, u, least(), most()));
  }
  bool transition(Modes& m, double u) const {
    int now = m.get(stretch_);
    if (now == kUnset) {
      now = locate(u);
    } else if (u > breakAt(now) + 0.5 * hair() || u < breakAt(now - 1) - 0.5 * hair()) {
      const int next = locate(u);
      // Within the hair the neighbour is meant.
      now = next != now ? next : u > breakAt(now) ? now + 1 : now - 1;
    }
    if (now == m.get(stretch_)) return false;
    m.set(stretch_, now);
    return true;
  }

  double least() const { return x_.front(); }
  double most() const { return x_.back(); }
  /// Where a signal is: the interval whose piece holds, -1 before the first abscissa, and what to take off
  /// the signal for the turns of a periodic table.
  struct Place {
    int interval;
    double shift;
  };
  template <class S>
  Place place(const View<S>& x, const S& u) const {
    return placeIn(x.mode(stretch_), value(u));
  }

 private:
  static constexpr int kUnset = std::numeric_limits<int>::min();
  bool repeats() const { return extrapolation_ == Extrapolation::Periodic && x_.size() > 1; }
  double period() const { return x_.back() - x_.front(); }
  double hair() const { return hair_; }
  /// Break number k, infinite beyond the first and the last.
  double breakAt(int k) const {
    const int n = std::ssize(breaks_);
    const auto at = [&](int i) { return x_[breaks_[i]]; };
    if (repeats() && n > 0) {
      const int turns = turnsOf(k, n);
      return at(k - turns * n) + turns * period();
    }
    if (k < 0) return -kNever;
    return k < n ? at(k) : kNever;
  }
  int locate(double u) const {
    const int n = std::ssize(breaks_);
    if (n == 0) return 0;
    int m = 0;
    if (repeats()) {
      const double turns = std::clamp(std::floor((u - x_.front()) / period()), -1e8, 1e8);
      m = n * static_cast<int>(turns);
    }
    while (m > -1'000'000'000 && u < breakAt(m - 1)) --m;
    while (m < 1'000'000'000 && u >= breakAt(m)) ++m;
    // The last point itself belongs to the table.
    if (extrapolation_ == Extrapolation::NoExtrapolation && m == n && u <= most()) --m;
    return m;
  }
  Place placeIn(int stretch, double u) const {
    const int n = std::ssize(x_) - 1;
    if (n == 0) return {0, 0};
    const int m = stretch == kUnset ? locate(u) : stretch, count = std::ssize(breaks_);
    const double from = breakAt(m - 1), to = breakAt(m);
    // On the far side of a break its knot tells the interval.
    const auto knot = [&](int k) {
      const int turns = repeats() ? turnsOf(k, count) : 0;
      return Place{breaks_[k - turns * count], repeats() ? turns * period() : 0};
    };
    if (u <= from) return knot(m - 1);
    if (u >= to) {
      Place p = knot(m);
      --p.interval;
      if (p.interval < 0 && repeats()) p = {n - 1, p.shift - period()};
      return p;
    }
    double shift = 0;
    if (repeats()) shift = std::floor((u - x_.front()) / period()) * period();
    int i = std::upper_bound(x_.begin(), x_.end(), u - shift) - x_.begin() - 1;
    if (repeats()) i = std::clamp(i, 0, n - 1);
    return {i, shift};
  }

  std::vector<double> x_;
  std::vector<int> breaks_;
  Extrapolation extrapolation_ = Extrapolation::LastTwoPoints;
  double hair_ = 0;
  ModeId stretch_;
};

/// Columns of a table as functions of one input; OfVector: each of an input of its own.
///
/// Source  MSL 4.0 Blocks.Tables.CombiTable1Ds, CombiTable1Dv
template <bool OfVector>
class CombiTable1D final : public ComponentOf<CombiTable1D<OfVector>> {
 public:
  void read(ParameterReader& r) override {
    Eigen::MatrixXd table = Eigen::MatrixXd::Zero(0, 2);
    std::vector<int> columns;
    bool verbose = false;
    Smoothness smoothness = Smoothness::LinearSegments;
    one_dimensional::readTable(r, table, "abscissas (1st column) and values (further columns)");
    r.integers("columns", columns,
               "columns of the table that are outputs; all but the first by default");
    one_dimensional::readSmoothness(r, smoothness);
    one_dimensional::readExtrapolation(r, extrapolation_);
    r.boolean("verboseExtrapolation", verbose, "not used");
    bool fine = r.require(table.rows() > 0, "table", "must have at least one row") &&
                r.require(table.cols() >= 2, "table", "must have at least two columns");
    fine = fine && one_dimensional::requireAbscissas(r, "table", table, true);
    if (!fine) table = Eigen::MatrixXd::Zero(1, 2);
    const std::vector<double> x = elements(table.col(0));
    requirePeriod(r, x, extrapolation_);
    if (columns.empty()) {
      for (int c = 2; c <= table.cols(); ++c) columns.push_back(c);
    }
    for (int& c : columns) {
      if (!r.require(c >= 1 && c <= table.cols(), "columns", "must be columns of the table")) c = 2;
    }
    const bool periodic = extrapolation_ == Extrapolation::Periodic;
    std::vector<std::vector<int>> breaks(OfVector ? columns.size() : 1);
    for (const int c : columns) {
      columns_.emplace_back(table, c - 1, smoothness);
      std::vector<int>& all = breaks[OfVector ? columns_.size() - 1 : 0];
      const int n = std::ssize(x);
      for (int i = 0; i < (periodic ? n - 1 : n); ++i) {
        if (columns_.back().isBreak(i, extrapolation_ == Extrapolation::HoldLastPoint, periodic))
          all.push_back(i);
      }
    }
    for (std::vector<int>& b : breaks) {
      std::sort(b.begin(), b.end());
      b.erase(std::unique(b.begin(), b.end()), b.end());
      axes_.emplace_back();
      axes_.back().set(x, b, extrapolation_);
    }
    r.input("u", OfVector ? std::ssize(columns_) : 1, "1", "input");
  }
  void declare(Structure& s) override {
    u_ = s.input("u", OfVector ? std::ssize(columns_) : 1);
    for (size_t i = 0; i < axes_.size(); ++i)
      axes_[i].declare(s, "stretch" + std::to_string(i + 1));
  }
  void describe(Variables& v) const override {
    v.array(output("y", "outputs", Level::Time, {u_}), {count(columns_)},
            [this](const auto& x, auto* out) {
              using S = std::decay_t<decltype(x.time())>;
              for (size_t i = 0; i < columns_.size(); ++i) {
                const S& u = x.input(u_, OfVector ? i : 0);
                const TableAxis::Place p = axes_[OfVector ? i : 0].place(x, u);
                out[i] = columns_[i].piece(p.interval, S(u - p.shift),
                                           extrapolation_ == Extrapolation::HoldLastPoint);
              }
            });
    v.constant("u_min", "1", "first abscissa of the table", axes_.front().least());
    v.constant("u_max", "1", "last abscissa of the table", axes_.front().most());
  }
  void guards(const View<double>& x, Guards& g) const override {
    for (size_t i = 0; i < axes_.size(); ++i) axes_[i].guards(x, g, x.input(u_, i), "u");
  }
  bool transition(const View<double>& x, Modes& m) const override {
    bool changed = false;
    for (size_t i = 0; i < axes_.size(); ++i)
      changed = axes_[i].transition(m, x.input(u_, i)) || changed;
    return changed;
  }

 private:
  std::vector<one_dimensional::Interpolation> columns_;
  std::vector<TableAxis> axes_;  ///< one, or one a column
  one_dimensional::Extrapolation extrapolation_ = one_dimensional::Extrapolation::LastTwoPoints;
  SignalId u_;
};

/// A table over two inputs: u1 down the first column, u2 along the first row; OfVector: of n such pairs.
///
/// Equations  LinearSegments: bilinear;  ConstantSegments: the value at the grid point at or before both,
///            beyond the table bilinear;
///            ContinuousDerivative: bicubic, with Akima's slopes at the grid points (Akima 1974)
/// Source     MSL 4.0 Blocks.Tables.CombiTable2Ds, CombiTable2Dv
template <bool OfVector>
class CombiTable2D final : public ComponentOf<CombiTable2D<OfVector>> {
 public:
  void read(ParameterReader& r) override {
    Eigen::MatrixXd table = Eigen::MatrixXd::Zero(0, 2);
    bool verbose = false;
    one_dimensional::readTable(r, table,
                               "u1 down the first column, u2 along the first row, values");
    one_dimensional::readSmoothness(r, smoothness_);
    one_dimensional::readExtrapolation(r, extrapolation_);
    r.boolean("verboseExtrapolation", verbose, "not used");
    bool fine = r.require(table.rows() >= 2 && table.cols() >= 2, "table",
                          "must have at least two rows and two columns");
    if (fine) {
      x_ = elements(table.col(0).tail(table.rows() - 1));
      y_ = elements(table.row(0).tail(table.cols() - 1).transpose());
      fine = one_dimensional::requireAbscissas(r, "table", table.bottomRows(table.rows() - 1), true,
                                               1) &&
             r.requireRow(rises(y_), "table", 0, "must rise in its first row");
    }
    const bool known = smoothness_ == Smoothness::LinearSegments ||
                       smoothness_ == Smoothness::ConstantSegments ||
                       smoothness_ == Smoothness::ContinuousDerivative;
    if (!r.require(
            known, "smoothness",
            "must be LinearSegments, ConstantSegments or ContinuousDerivative in two dimensions"))
      smoothness_ = Smoothness::LinearSegments;
    if (!fine) {
      table = Eigen::MatrixXd::Zero(2, 2);
      x_ = y_ = {0};
    }
    z_ = table.bottomRightCorner(table.rows() - 1, table.cols() - 1);
    if (extrapolation_ == Extrapolation::Periodic &&
        !r.require(x_.size() > 1 && y_.size() > 1, "table",
                   "must have three rows and columns at least to be periodic"))
      extrapolation_ = Extrapolation::HoldLastPoint;
    if (smoothness_ == Smoothness::ContinuousDerivative) findSlopes();
    const auto breaksOf = [&](const std::vector<double>& grid) {
      std::vector<int> breaks;
      const int n = std::ssize(grid);
      const bool ends = extrapolation_ == Extrapolation::HoldLastPoint ||
                        extrapolation_ == Extrapolation::Periodic;
      for (int i = 0; i < (extrapolation_ == Extrapolation::Periodic ? n - 1 : n); ++i) {
        const bool end = i == 0 || i == n - 1;
        const bool steps = smoothness_ == Smoothness::ConstantSegments;
        if (end ? (ends || steps) && n > 1 : smoothness_ != Smoothness::ContinuousDerivative)
          breaks.push_back(i);
      }
      return breaks;
    };
    int n = 1;
    if (OfVector) r.integer("n", n, "number of elements of u1, u2 and y", Range{1});
    TableAxis axis1, axis2;
    axis1.set(x_, breaksOf(x_), extrapolation_);
    axis2.set(y_, breaksOf(y_), extrapolation_);
    axes_.assign(n, {axis1, axis2});
    r.input("u1", n, "1", "down the rows");
    r.input("u2", n, "1", "along the columns");
  }
  void declare(Structure& s) override {
    u1_ = s.input("u1", count(axes_));
    u2_ = s.input("u2", count(axes_));
    for (size_t i = 0; i < axes_.size(); ++i) {
      const std::string ofPair = i > 0 ? "_" + std::to_string(i + 1) : "";
      axes_[i][0].declare(s, "stretch1" + ofPair);
      axes_[i][1].declare(s, "stretch2" + ofPair);
    }
  }
  void describe(Variables& v) const override {
    const VariableInfo info = output("y", "output", Level::Time, {u1_, u2_});
    if constexpr (OfVector) {
      v.array(info, {count(axes_)}, [this](const auto& x, auto* out) {
        for (size_t i = 0; i < axes_.size(); ++i) out[i] = lookup(x, i);
      });
    } else {
      v.scalar(info, [this](const auto& x) { return lookup(x, 0); });
    }
    const auto& [axis1, axis2] = axes_.front();
    for (const auto& [name, about, first, second] :
         {std::tuple{"u_min", "first abscissas of the table", axis1.least(), axis2.least()},
          std::tuple{"u_max", "last abscissas of the table", axis1.most(), axis2.most()}}) {
      v.array({name, "1", about, Level::Constant}, {2},
              [a = first, b = second](const auto& x, auto* out) {
                out[0] = a + 0.0 * x.time();
                out[1] = b + 0.0 * x.time();
              });
    }
  }
  void guards(const View<double>& x, Guards& g) const override {
    for (size_t i = 0; i < axes_.size(); ++i) {
      axes_[i][0].guards(x, g, x.input(u1_, i), "u1");
      axes_[i][1].guards(x, g, x.input(u2_, i), "u2");
    }
  }
  bool transition(const View<double>& x, Modes& m) const override {
    bool changed = false;
    for (size_t i = 0; i < axes_.size(); ++i) {
      changed = axes_[i][0].transition(m, x.input(u1_, i)) || changed;
      changed = axes_[i][1].transition(m, x.input(u2_, i)) || changed;
    }
    return changed;
  }

 private:
  template <class S>
  S lookup(const View<S>& x, size_t pair) const {
    S u[2] = {x.input(u1_, pair), x.input(u2_, pair)};
    S beyond[2] = {S(0.0), S(0.0)};
    bool out[2] = {false, false};
    int at[2], step[2];
    const TableAxis* axes[2] = {&axes_[pair][0], &axes_[pair][1]};
    const int last[2] = {count(x_) - 1, count(y_) - 1};
    const bool held = extrapolation_ == Extrapolation::HoldLastPoint;
    const bool straight = smoothness_ != Smoothness::ContinuousDerivative && !held;
    for (int k = 0; k < 2; ++k) {
      const TableAxis::Place p = axes[k]->place(x, u[k]);
      u[k] = u[k] - p.shift;
      const bool below = p.interval < 0;
      const bool above = last[k] > 0 && p.interval >= last[k];
      at[k] = std::clamp(p.interval, 0, std::max(last[k] - 1, 0));
      step[k] = std::clamp(p.interval, 0, last[k]);
      out[k] = (below || above) && !held;
      if ((!below && !above) || straight) continue;
      const double end = below ? axes[k]->least() : axes[k]->most();
      beyond[k] = u[k] - end;
      u[k] = S(end);
    }
    // Steps are left in the plane through the corners of the last cell, as MSL has it.
    if (smoothness_ == Smoothness::ConstantSegments && !out[0] && !out[1])
      return S(z_(step[0], step[1]));
    const S inside = cell(at[0], at[1], u[0], u[1]);
    if (straight || (!out[0] && !out[1])) return inside;
    // Straight on from the edge, with the slope that is there.
    const auto along = [&](double d1, double d2) {
      return cell(at[0], at[1], S(u[0] + d1), S(u[1] + d2));
    };
    const double h1 = last[0] > 0 ? 1e-3 * (axes[0]->most() - axes[0]->least()) : 1;
    const double h2 = last[1] > 0 ? 1e-3 * (axes[1]->most() - axes[1]->least()) : 1;
    // The pieces are cubics, so that these differences are exact.
    const auto slope1 = [&](double d2) {
      return (8.0 * (along(h1, d2) - along(-h1, d2)) - (along(2 * h1, d2) - along(-2 * h1, d2))) *
             (1 / (12 * h1));
    };
    const auto slope2 = [&]() {
      return (8.0 * (along(0, h2) - along(0, -h2)) - (along(0, 2 * h2) - along(0, -2 * h2))) *
             (1 / (12 * h2));
    };
    S y = inside;
    if (out[0]) y += beyond[0] * slope1(0);
    if (out[1]) y += beyond[1] * slope2();
    if (out[0] && out[1]) {
      const S mixed =
          (8.0 * (slope1(h2) - slope1(-h2)) - (slope1(2 * h2) - slope1(-2 * h2))) * (1 / (12 * h2));
      y += beyond[0] * beyond[1] * mixed;
    }
    return y;
  }
  /// Value at a place in the cell (i, j).
  template <class S>
  S cell(int i, int j, const S& u1, const S& u2) const {
    const int i1 = std::min(i + 1, count(x_) - 1);
    const int j1 = std::min(j + 1, count(y_) - 1);
    const double h = i1 > i ? x_[i1] - x_[i] : 1;
    const double k = j1 > j ? y_[j1] - y_[j] : 1;
    const S a = (u1 - x_[i]) * (1 / h), b = (u2 - y_[j]) * (1 / k);
    if (smoothness_ != Smoothness::ContinuousDerivative) {
      const S p = i1 > i ? a : S(0.0), q = j1 > j ? b : S(0.0);
      return z_(i, j) + p * (z_(i1, j) - z_(i, j)) + q * (z_(i, j1) - z_(i, j)) +
             p * q * (z_(i1, j1) - z_(i1, j) - z_(i, j1) + z_(i, j));
    }
    // Hermite's polynomials of value and slope at both ends, in both directions.
    const auto basis = [](const S& t, double width, S* f) {
      f[0] = 1.0 - t * t * (3.0 - 2.0 * t);
      f[1] = t * t * (3.0 - 2.0 * t);
      f[2] = width * t * (1.0 - t) * (1.0 - t);
      f[3] = -width * t * t * (1.0 - t);
    };
    S f[4], g[4];
    basis(i1 > i ? a : S(0.0), h, f);
    basis(j1 > j ? b : S(0.0), k, g);
    S z(0.0);
    const int rows[2] = {i, i1}, columns[2] = {j, j1};
    for (int p = 0; p < 2; ++p) {
      for (int q = 0; q < 2; ++q) {
        const int r = rows[p], c = columns[q];
        z += f[p] * (g[q] * z_(r, c) + g[q + 2] * zy_(r, c)) +
             f[p + 2] * (g[q] * zx_(r, c) + g[q + 2] * zxy_(r, c));
      }
    }
    return z;
  }
  void findSlopes() {
    const Eigen::Index n = z_.rows(), m = z_.cols();
    zx_ = zy_ = zxy_ = Eigen::MatrixXd::Zero(n, m);
    // One point only: nothing changes in that direction; two equal ones say the same.
    std::vector<double> gx = x_, gy = y_;
    Eigen::MatrixXd z = z_;
    if (n == 1) {
      gx.push_back(x_[0] + 1);
      z.conservativeResize(2, m);
      z.row(1) = z.row(0).eval();
    }
    if (m == 1) {
      gy.push_back(y_[0] + 1);
      z.conservativeResize(z.rows(), 2);
      z.col(1) = z.col(0).eval();
    }
    const std::vector<double> x = extendedGrid(gx), y = extendedGrid(gy);
    Eigen::MatrixXd e = Eigen::MatrixXd::Zero(z.rows() + 4, z.cols() + 4);
    e.block(2, 2, z.rows(), z.cols()) = z;
    for (Eigen::Index i = 2; i < e.rows() - 2; ++i) {
      Eigen::VectorXd row = e.row(i).transpose();
      extendColumn(y, row);
      e.row(i) = row.transpose();
    }
    for (Eigen::Index j = 0; j < e.cols(); ++j) {
      Eigen::VectorXd column = e.col(j);
      extendColumn(x, column);
      e.col(j) = column;
    }
    const auto gap = [](const std::vector<double>& g, Eigen::Index i) { return g[i + 1] - g[i]; };
    const auto dx = [&](Eigen::Index i, Eigen::Index j) {
      return (e(i + 1, j) - e(i, j)) / gap(x, i);
    };
    const auto dy = [&](Eigen::Index i, Eigen::Index j) {
      return (e(i, j + 1) - e(i, j)) / gap(y, j);
    };
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < m; ++j) {
        const Eigen::Index k = i + 2, l = j + 2;
        const auto wx = akimaWeights({dx(k - 2, l), dx(k - 1, l), dx(k, l), dx(k + 1, l)});
        const auto wy = akimaWeights({dy(k, l - 2), dy(k, l - 1), dy(k, l), dy(k, l + 1)});
        zx_(i, j) = wx[0] * dx(k - 1, l) + wx[1] * dx(k, l);
        zy_(i, j) = wy[0] * dy(k, l - 1) + wy[1] * dy(k, l);
        for (Eigen::Index a = 0; a < 2; ++a) {
          for (Eigen::Index b = 0; b < 2; ++b) {
            const double mixed =
                (dx(k - 1 + a, l + b) - dx(k - 1 + a, l + b - 1)) / gap(y, l + b - 1);
            zxy_(i, j) += wx[a] * wy[b] * mixed;
          }
        }
      }
    }
  }

  std::vector<double> x_, y_;  ///< grid of u1 and u2
  Eigen::MatrixXd z_, zx_, zy_, zxy_;
  one_dimensional::Smoothness smoothness_ = one_dimensional::Smoothness::LinearSegments;
  one_dimensional::Extrapolation extrapolation_ = one_dimensional::Extrapolation::LastTwoPoints;
  std::vector<std::array<TableAxis, 2>> axes_;  ///< along u1 and u2 of each pair
  SignalId u1_, u2_;
};

Catalogue lookups() {
  return {
      entry<CombiTable1D<false>>("Blocks.CombiTable1Ds", "columns of a table over one input"),
      entry<CombiTable1D<true>>("Blocks.CombiTable1Dv",
                                "columns of a table, each over an input of its own"),
      entry<CombiTable2D<false>>("Blocks.CombiTable2Ds", "table over two inputs"),
      entry<CombiTable2D<true>>("Blocks.CombiTable2Dv",
                                "table over two inputs, for vectors of them"),
  };
}

}  // namespace cardan::blocks
