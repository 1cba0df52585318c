/// ConstraintProjection: moves positions and velocities onto the constraints, by the least change.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "engine/dynamics/constraint_columns.h"

namespace cardan {

/// Moves the positions of one edge onto the constraints among themselves (Q.Q = 1), by the least
/// change. False: they cannot be met from here.
bool projectEdge(const Layout::TreeJoint& step, std::vector<double>& y);

/// Gauss-Newton with derivatives of a point before, as long as these bring it near: q on position level, then v
/// on velocity level, where the rows are linear.
class ConstraintProjection {
 public:
  /// How near project() comes: to the last digit, of which much may be left near a singular position;
  /// or to 1e-13 of the model's scales, for a point from which nothing goes on.
  enum class Care { full, row };

  /// Both outlive it.
  ConstraintProjection(EvaluationPoint& at, ConstraintColumns& columns);
  /// For other constraints among the columns; before the first use, too.
  void allocate();
  /// There are constraints.
  bool constrains() const { return extraRows_ > 0 || !columns_.active().empty(); }
  /// Completion::project().
  bool project(double t, std::vector<double>& y, Care care);

 private:
  bool projectEdges(std::vector<double>& y);
  double positionRows(const double* y);
  bool projectPositions(double t, std::vector<double>& y, Care care);
  bool projectVelocities(double t, std::vector<double>& y, Care care);
  void leastChange(const BlockMatrix& J, BlockMatrix& normal, Eigen::VectorXd& residue,
                   Eigen::VectorXd& change, bool& factored);
  void evaluateColumns();
  void positionJacobian();
  void velocityJacobian();

  EvaluationPoint& at_;
  ConstraintColumns& columns_;
  std::vector<double> still_;  ///< zero rates
  int extraRows_ = 0;          ///< constraints among q of single edges
  bool columnsKnown_ = false;  ///< they are of the point that project() began at, or nearer
  double moved_ = 0;           ///< sum of what the positions moved since [model's length | rad]
  bool rowsKnown_ = false;     ///< the rows are evaluated at the positions
  std::vector<int> stepOf_;    ///< per velocity: index into Layout::tree; -1: without a position
  Eigen::MatrixXd rateRows_;   ///< 6 x nq: of v by der(q), edge by edge, where q is not plain
  BlockMatrix Jq_, Jv_;        ///< rows by q, by v
  BlockMatrix normal_, normalOfVelocities_;  ///< J J' of each, or its factor
  bool positionsFactored_ = false;           ///< normal_ is the factor
  /// The velocity rows by v are the position rows by q, times the model's time.
  bool sameRows_ = false;
  Eigen::VectorXd rq_, rv_, dq_, dv_, ofIsland_;
};

}  // namespace cardan
