/// Tables over time: columns of a matrix as signals.
#pragma once

#include <vector>

#include "components/component.h"
#include "components/one_dimensional/interpolation.h"

namespace cardan::blocks {

/// What TimeTable and CombiTimeTable share: which interval of the table holds, and its pieces.
///
/// Modes   started: time >= startTime;  interval: the one that holds, where pieces bend or jump at
/// their ends
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

  void declare(Structure& s);
  void guards(const View<double>& x, Guards& g) const;
  bool transition(const View<double>& x, Modes& m) const;

  template <class S>
  S value(const View<S>& x, size_t column) const {
    if (!x.mode(started_)) return S(offset[column]);
    const one_dimensional::Interpolation& c = columns[column];
    const S u = (x.time() - shiftTime) * (1 / timeScale);
    const int n = c.points() - 1;
    const int i = bends() ? x.mode(interval_) : locate(cardan::value(x.time()));
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
  /// Intervals are events: a smooth table needs none inside.
  bool bends() const { return !table().isSmooth(); }
  /// Interval i begins at knot i [s]; interval -1 is before the table, counted on through the
  /// periods.
  double knot(int i) const;
  int locate(double time) const;

  ModeId started_, interval_;
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
