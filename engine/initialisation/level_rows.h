/// LevelRows: the equations of one level of the start (positions or velocities), exact derivatives
/// included.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/initialisation/least_change.h"
#include "engine/initialisation/start_conditions.h"

namespace cardan {

/// One scalar equation.
struct StartRow {
  enum class Kind {
    condition,   ///< index into the conditions
    coordinate,  ///< constraint among the coordinates of one edge: index into Layout::tree
    position,    ///< position residue of a multiplier, over its scale
    velocity,    ///< velocity residue of a multiplier, likewise
  };
  Kind kind;
  int index;
  int element = 0;  ///< coordinate: which of the edge's constraints
  int wish =
      -1;  ///< >= 0: only a wish; unknown number `wish` behind the columns is what it misses by
};

/// What the structure alone asks for on a level: constraints among coordinates of one edge, and rows of
/// multipliers, redundant ones too where `all` is asked for. What a signal of the state prescribes is known
/// with the rates only.
std::vector<StartRow> constraintRows(const Equations& equations, Level level, bool all);

class LevelRows final : public EquationRows {
 public:
  LevelRows(EvaluationPoint& at, const StartConditions& conditions, double time,
            std::vector<double> y, std::vector<double> yp, std::vector<int> columns,
            std::vector<StartRow> rows);

  int unknowns() const override { return std::ssize(columns_) + wishes_; }
  int rows() const override { return std::ssize(rows_); }
  bool residue(const Eigen::VectorXd& u, Eigen::VectorXd& r) override;
  void jacobian(const Eigen::VectorXd& u, BlockMatrix& J) override;
  void settle(Eigen::VectorXd& u) override;

  const std::vector<StartRow>& list() const { return rows_; }
  void setRows(std::vector<StartRow> rows) {
    rows_ = std::move(rows);
    sweep_.reset();
  }
  /// Largest change of position q in one iteration: joints turn little at a time, as their
  /// equations are not linear; angles of one-dimensional parts are free.
  static double longestStep(const Layout& layout, int q);
  /// Adds a guess that is no unknown itself: it counts like one of its tier.
  void addWish(int condition);

  Eigen::VectorXd current() const;
  /// y with the unknowns u put in.
  const std::vector<double>& put(const Eigen::VectorXd& u);
  Movability movability(const std::vector<int>& tiers) const;

 private:
  template <class S>
  S row(const StartRow& r, const Workspace<S>& w, std::vector<S>& buffer) const;
  int islandOf(const StartRow& r) const;
  void sortIntoIslands();
  void setPoint(const Eigen::VectorXd& u);

  EvaluationPoint& at_;
  const StartConditions& conditions_;
  double time_;
  std::vector<double> y_, yp_;
  std::vector<int> columns_;
  std::vector<StartRow> rows_;
  std::vector<int> settled_;  ///< steps of the tree, all of whose positions are unknowns
  int wishes_ = 0;
  std::vector<double> buffer_;
  std::vector<Dual> values_, dualBuffer_;  ///< of the rows
  Partition ofRows_, ofColumns_;           ///< islands, wishes included
  std::optional<ColouredJacobian> sweep_;  ///< of these rows, once asked for
};

}  // namespace cardan
