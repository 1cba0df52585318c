/// Tables over time: columns of a matrix as signals.
#pragma once

#include <limits>
#include <vector>

#include "components/component.h"
#include "components/laws/interpolation.h"

namespace cardan::blocks {

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
  void findBreaks();
  void declare(Structure& s);
  void guards(const View<double>& x, Guards& g) const;
  bool transition(const View<double>& x, Modes& m) const;

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
  double knot(int i) const;
  int locate(double time) const;
  /// The last break up to knot i, and the first one beyond; kNone where there is none.
  int breakUpTo(int i) const;
  int breakBeyond(int i) const;
  /// The interval at `time`, within the stretch that begins at a break: its pieces go on where a
  /// step tries more.
  int interval(int stretch, double time) const;
  /// From when on a table without extrapolation is over: clear of rounding.
  double over() const;

  static constexpr int kNone = std::numeric_limits<int>::min();

  std::vector<int> breaks_;  ///< knots of the table, or of its first period, in their order
  ModeId started_, stretch_;
};

/// Piecewise linear signal, which may jump where a time stands twice.
///
/// Source  MSL 4.0 Blocks.Sources.TimeTable
class TimeTable final : public ComponentOf<TimeTable> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override { table_.declare(s); }
  void describe(Variables& v) const override;
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
  void read(ParameterReader& r) override;
  void declare(Structure& s) override { table_.declare(s); }
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override { table_.guards(x, g); }
  bool transition(const View<double>& x, Modes& m) const override {
    return table_.transition(x, m);
  }

 private:
  TableOverTime table_;
  double t_min_ = 0, t_max_ = 0;  ///< [s]  first and last time of the table
};

}  // namespace cardan::blocks
