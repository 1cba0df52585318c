/// TimeRelations: when relations of time alone change, looked for ahead.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/equations/expression_variable.h"

namespace cardan {

/// An expression with relations that switch.
struct Switching {
  const ExpressionVariable* expression;
  int states;                ///< offset into RunState::relations
  std::vector<char> ofTime;  ///< per relation: of time alone
  bool isSearched = false;   ///< some of these have no time that is known ahead
  std::vector<long> looks;   ///< per relation: evaluations that the search for it ahead took
};

/// Looks on a grid that is fixed to the start of the run, and where a difference of two sides turns back
/// between its points: all relations at one point after the other, without those that read no time in the
/// branches that hold.
class TimeRelations {
 public:
  explicit TimeRelations(const RunState& state) : state_(state) {}

  /// The grid: cells of this length over [start, stop] [s].
  void setGrid(double start, double stop, double cell) {
    start_ = start;
    stop_ = stop;
    cell_ = cell;
    isRefined_ = false;
    warning_.clear();
  }
  double cell() const { return cell_; }
  auto kept() { return std::tie(start_, stop_, cell_, isRefined_, warning_); }

  /// Makes the cells finer where relations change faster, the first time; `w` is at the start.
  void refine(const std::vector<Switching>& all, Workspace<double>& w);
  /// What even the finest does not show, for the user; empty: nothing.
  const std::string& warning() const { return warning_; }

  /// First change in (from, to], or one soon after it; infinity: none was seen. `w` is at `from`, and left
  /// there.
  double next(std::vector<Switching>& all, Workspace<double>& w, double from, double to);

 private:
  /// A relation at its last three points: left - right, with the sign that it has in the state in force.
  struct Moving {
    Switching* of;
    std::size_t k;
    double before = 0, here = 0, there = 0;
  };

  void lookAt(Workspace<double>& w, double t, double Moving::*out);
  double residueAt(const Moving& m, Workspace<double>& w, double t);
  bool isOther(const Moving& m, Workspace<double>& w, double t);
  double locate(const Moving& m, Workspace<double>& w, double a, double b);
  double searchTurn(const Moving& m, Workspace<double>& w, double left, double right,
                    double resolution);
  double searchInside(const Moving& m, Workspace<double>& w, double before, double a, double end,
                      double resolution);
  double firstInCell(Workspace<double>& w, double from, double a, double end, double first,
                     double before, double resolution);

  const RunState& state_;
  double start_ = 0, stop_ = 0, cell_ = 0;  ///< [s]
  bool isRefined_ = false;
  std::string warning_;
  std::vector<Moving> moving_;
  std::vector<double> residuals_;
  std::vector<RelationState> tried_;
};

}  // namespace cardan
