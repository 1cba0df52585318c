/// Tables over time: columns of a matrix as signals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"
#include "components/component.h"
#include "components/laws/interpolation.h"

namespace cardan::blocks {
namespace {

/// Of periodic tables: knots further away are not told apart.
constexpr int kMostIntervals = 1'000'000'000;

/// Checks times and shape; where something is wrong, `table` becomes one that can be used.
void checkTable(ParameterReader& r, Eigen::MatrixXd& table, Eigen::Index columns, bool strictly) {
  bool fine =
      r.require(table.rows() > 0, "table", "must have at least one row") &&
      (columns > 0 ? r.require(table.cols() == columns, "table", "must have two columns")
                   : r.require(table.cols() >= 2, "table", "must have at least two columns"));
  fine = fine && one_dimensional::requireAbscissas(r, "table", table, strictly);
  if (!fine) table = Eigen::MatrixXd::Zero(1, 2);
}

}  // namespace

/// What TimeTable and CombiTimeTable share: which interval of the table holds, and its pieces.
///
/// Knots at which the signals jump or bend are breaks, each a time event; others are passed
/// unnoticed.
///
/// Modes   started: time >= startTime;  stretch: the last break at or before now, as its knot
class TableOverTime {
 public:
  using Extrapolation = one_dimensional::Extrapolation;
  using Smoothness = one_dimensional::Smoothness;

  double timeScale = 1;  ///< [s]
  double startTime = 0;  ///< [s]
  double shiftTime = 0;  ///< [s]  time of 0 in the table
  std::vector<one_dimensional::Interpolation> columns;
  std::vector<double> offset;  ///< [1]  per column
  Smoothness smoothness = Smoothness::LinearSegments;
  Extrapolation extrapolation = Extrapolation::LastTwoPoints;

  /// To be called when the table is complete.
  void findBreaks() {
    const int n = table().points() - 1;
    const bool ends = extrapolation == Extrapolation::NoExtrapolation;
    for (int i = ends ? 1 : 0; i < (repeats() || ends ? n : n + 1); ++i) {
      const auto breaksAt = [&](const one_dimensional::Interpolation& c) {
        return c.isBreak(i, extrapolation == Extrapolation::HoldLastPoint, repeats());
      };
      if (std::any_of(columns.begin(), columns.end(), breaksAt)) breaks_.push_back(i);
    }
  }
  void declare(Structure& s) {
    started_ = s.mode("started", 0);
    stretch_ = s.mode("stretch", kNone);
  }
  void guards(const View<double>& x, Guards& g) const {
    if (!x.mode(started_)) {
      g.timeEvent(startTime);
      return;
    }
    if (extrapolation == Extrapolation::NoExtrapolation) {
      const double end = over();
      if (x.time() < knot(0) || x.time() >= end) {
        g.fail(
            fmt::format("time {} is outside of the table, from {} to {}, which must not be "
                        "extrapolated (extrapolation: NoExtrapolation)",
                        x.time(), knot(0), knot(table().points() - 1)));
      } else {
        g.timeEvent(end);
      }
    }
    const int stretch = x.mode(stretch_);
    if (repeats() && stretch != kNone && std::abs(stretch) > kMostIntervals - table().points()) {
      g.fail("the periodic table is too short for this time: its turns cannot be counted");
      return;
    }
    const int next = breakBeyond(stretch);
    if (next != kNone) g.timeEvent(knot(next));
  }
  bool transition(const View<double>& x, Modes& m) const {
    if (!hasCome(startTime, x.time())) return false;
    const int now = breakUpTo(locate(x.time() + instantWidth(x.time())));
    if (m.get(started_) && m.get(stretch_) == now) return false;
    m.set(started_, 1);
    m.set(stretch_, now);
    return true;
  }

  template <class S>
  S value(const View<S>& x, size_t column) const {
    if (!x.mode(started_)) return S(offset[column]);
    const one_dimensional::Interpolation& c = columns[column];
    const S u = (x.time() - shiftTime) * (1 / timeScale);
    const int n = c.points() - 1;
    const int i = interval(x.mode(stretch_), cardan::value(x.time()));
    if (extrapolation == Extrapolation::Periodic && n > 0) {
      const int turns = floorDivide(i, n);
      return offset[column] + c.piece(i - turns * n, S(u - turns * period()));
    }
    return offset[column] + c.piece(i, u, extrapolation == Extrapolation::HoldLastPoint);
  }

 private:
  static int floorDivide(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
  const one_dimensional::Interpolation& table() const { return columns.front(); }
  double period() const { return table().abscissa(table().points() - 1) - table().abscissa(0); }
  bool repeats() const { return extrapolation == Extrapolation::Periodic && table().points() > 1; }
  /// Interval i begins at knot i [s]; interval -1 is before the table, counted on through the
  /// periods.
  double knot(int i) const {
    const int n = table().points() - 1;
    if (extrapolation == Extrapolation::Periodic && n > 0) {
      const int turns = floorDivide(i, n);
      return shiftTime + timeScale * (table().abscissa(i - turns * n) + turns * period());
    }
    if (i < 0) return -kNever;
    return i > n ? kNever : shiftTime + timeScale * table().abscissa(i);
  }
  int locate(double time) const {
    const int n = table().points() - 1;
    int i = -1;
    if (extrapolation == Extrapolation::Periodic && n > 0) {
      const int most = kMostIntervals / n;
      const double turns = std::floor((time - knot(0)) / (timeScale * period()));
      if (!(std::abs(turns) < most)) return n * (turns < 0 ? -most : most);
      i = n * static_cast<int>(turns);
    } else {
      i = table().intervalOf((time - shiftTime) / timeScale);
    }
    // The knots decide, to the last digit.
    while (time < knot(i)) --i;
    while (time >= knot(i + 1)) ++i;
    return i;
  }
  /// The last break up to knot i, and the first one beyond; kNone where there is none.
  int breakUpTo(int i) const {
    if (breaks_.empty() || i == kNone) return kNone;
    const int n = table().points() - 1;
    const int turns = repeats() ? floorDivide(i, n) : 0;
    const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), i - turns * n);
    if (next != breaks_.begin()) return turns * n + *(next - 1);
    return repeats() ? (turns - 1) * n + breaks_.back() : kNone;
  }
  int breakBeyond(int i) const {
    if (breaks_.empty()) return kNone;
    if (i == kNone) return repeats() ? kNone : breaks_.front();
    const int n = table().points() - 1;
    const int turns = repeats() ? floorDivide(i, n) : 0;
    const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), i - turns * n);
    if (next != breaks_.end()) return turns * n + *next;
    return repeats() ? (turns + 1) * n + breaks_.front() : kNone;
  }
  /// The interval at `time`, within the stretch that begins at a break: its pieces go on where a
  /// step tries more.
  int interval(int stretch, double time) const {
    const int next = breakBeyond(stretch);
    if (next != kNone && stretch != kNone && next == stretch + 1) return stretch;
    int i = locate(time);
    if (stretch != kNone) i = std::max(i, stretch);
    return next != kNone ? std::min(i, next - 1) : i;
  }
  /// From when on a table without extrapolation is over: clear of rounding.
  double over() const {
    const double end = knot(table().points() - 1);
    return end + 1e-10 * std::max(std::abs(end), timeScale * period());
  }

  static constexpr int kNone = std::numeric_limits<int>::min();

  std::vector<int> breaks_;  ///< knots of the table, or of its first period, in their order
  ModeId started_, stretch_;
};

/// Piecewise linear signal, which may jump where a time stands twice.
///
/// Source  MSL 4.0 Blocks.Sources.TimeTable
class TimeTable final : public ComponentOf<TimeTable> {
 public:
  void read(ParameterReader& r) override {
    Eigen::MatrixXd table = Eigen::MatrixXd::Zero(0, 2);
    double offset = 0;
    r.table("table", table, "1", "times (1st column) and values (2nd column)");
    r.real("timeScale", table_.timeScale, "s", "unit of the times in the table", kPositive);
    r.real("offset", offset, "1", "added to the signal");
    r.real("startTime", table_.startTime, "s", "the output is offset before");
    table_.shiftTime = table_.startTime;
    r.real("shiftTime", table_.shiftTime, "s", "time of 0 in the table; default: startTime");
    checkTable(r, table, 2, false);
    r.require(table.rows() == 1 || table(0, 0) == 0, "table", "must begin at time 0");
    table_.columns = {one_dimensional::Interpolation(table, 1, table_.smoothness)};
    table_.offset = {offset};
    table_.findBreaks();
  }
  void declare(Structure& s) override { table_.declare(s); }
  void describe(Variables& v) const override {
    v.scalar(output("y", "signal", Level::Time),
             [this](const auto& x) { return table_.value(x, 0); });
  }
  void guards(const View<double>& x, Guards& g) const override { table_.guards(x, g); }
  bool transition(const View<double>& x, Modes& m) const override {
    return table_.transition(x, m);
  }

 private:
  TableOverTime table_;
};

/// Signals from the columns of a table.
///
/// Source  MSL 4.0 Blocks.Sources.CombiTimeTable
class CombiTimeTable final : public ComponentOf<CombiTimeTable> {
 public:
  void read(ParameterReader& r) override {
    Eigen::MatrixXd table = Eigen::MatrixXd::Zero(0, 2), offset = Eigen::MatrixXd::Zero(1, 1);
    std::vector<int> columns;
    bool verbose = true;
    enum class TimeEvents {
      Always,
      AtDiscontinuities,
      NoTimeEvents
    } timeEvents = TimeEvents::Always;
    one_dimensional::readTable(r, table, "times (1st column) and values (further columns)");
    r.integers("columns", columns,
               "columns of the table that are signals; all but the first by default");
    one_dimensional::readSmoothness(r, table_.smoothness);
    one_dimensional::readExtrapolation(r, table_.extrapolation);
    r.real("timeScale", table_.timeScale, "s", "unit of the times in the table", kPositive);
    r.vectorOfAnySize("offset", offset, "1", "added to the signals");
    // -Modelica.Constants.inf: it has always begun.
    r.real("startTime", table_.startTime, "s", "the output is offset before",
           Range{-std::numeric_limits<double>::max()});
    table_.shiftTime = table_.startTime;
    r.real("shiftTime", table_.shiftTime, "s", "time of 0 in the table; default: startTime");
    r.require(table_.shiftTime > -std::numeric_limits<double>::max(), "startTime",
              "must not be -inf without a shiftTime");
    r.enumeration("timeEvents", timeEvents,
                  {{"Always", TimeEvents::Always},
                   {"AtDiscontinuities", TimeEvents::AtDiscontinuities},
                   {"NoTimeEvents", TimeEvents::NoTimeEvents}},
                  "not used: there are time events where the signal bends or jumps");
    r.boolean("verboseExtrapolation", verbose, "not used");
    const bool constant = table_.smoothness == one_dimensional::Smoothness::ConstantSegments;
    const bool linear = table_.smoothness == one_dimensional::Smoothness::LinearSegments;
    const bool periodic = table_.extrapolation == one_dimensional::Extrapolation::Periodic;
    checkTable(r, table, 0, !linear && !constant);
    if (periodic && table.rows() > 1 &&
        !r.require(table(table.rows() - 1, 0) > table(0, 0), "table",
                   "must have a duration to be periodic")) {
      table.conservativeResize(1, Eigen::NoChange);
    }
    if (columns.empty()) {
      for (int c = 2; c <= table.cols(); ++c) columns.push_back(c);
    }
    for (int& c : columns) {
      if (!r.require(c >= 1 && c <= table.cols(), "columns", "must be columns of the table")) c = 2;
    }
    const Eigen::Index n = std::max(std::ssize(columns), offset.size());
    r.require(std::ssize(columns) == n, "columns", "must be as many as offsets");
    r.require(offset.size() == 1 || offset.size() == n, "offset",
              "must have one element or as many as columns");
    for (size_t i = 0; i < columns.size(); ++i) {
      table_.columns.emplace_back(table, columns[i] - 1, table_.smoothness);
      const Eigen::Index k = i;
      table_.offset.push_back(offset(k < offset.size() ? k : 0, 0));
    }
    table_.findBreaks();
    t_min_ = table(0, 0) * table_.timeScale;
    t_max_ = table(table.rows() - 1, 0) * table_.timeScale;
  }
  void declare(Structure& s) override { table_.declare(s); }
  void describe(Variables& v) const override {
    v.array(output("y", "signals", Level::Time), {count(table_.columns)},
            [this](const auto& x, auto* out) {
              for (size_t i = 0; i < table_.columns.size(); ++i) out[i] = table_.value(x, i);
            });
    v.constant("t_min", "s", "first time of the table", t_min_);
    v.constant("t_max", "s", "last time of the table", t_max_);
    v.constant("t_minScaled", "1", "first time as it stands in the table",
               t_min_ / table_.timeScale);
    v.constant("t_maxScaled", "1", "last time as it stands in the table",
               t_max_ / table_.timeScale);
  }
  void guards(const View<double>& x, Guards& g) const override { table_.guards(x, g); }
  bool transition(const View<double>& x, Modes& m) const override {
    return table_.transition(x, m);
  }

 private:
  TableOverTime table_;
  double t_min_ = 0, t_max_ = 0;  ///< [s]  first and last time of the table
};

Catalogue timeTables() {
  return {
      entry<TimeTable>("Blocks.TimeTable", "piecewise linear signal from a table"),
      entry<CombiTimeTable>("Blocks.CombiTimeTable", "signals from the columns of a table"),
  };
}

}  // namespace cardan::blocks
