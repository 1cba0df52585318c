/// BorderedTree: accelerations joint by joint, constraints bordered on the tree.
#pragma once

#include <Eigen/Core>

#include "engine/dynamics/body_accelerations.h"
#include "engine/dynamics/constraint_columns.h"
#include "engine/structure/block_lu.h"

namespace cardan {

/// Of the multipliers by what is left of their rows:
///   M x + A y = b, G x = c:  (G M^-1 A) y = G M^-1 b - c
/// Unknowns with a row der(x) - rate follow by that alone.
class BorderedTree {
 public:
  /// Both outlive it.
  BorderedTree(EvaluationPoint& at, ConstraintColumns& columns)
      : at_(at), columns_(columns), tree_(at.equations()) {}
  /// True: the structure of the model allows it.
  bool fits() const { return tree_.fits(); }
  /// For other constraints among the columns; before the first use, too.
  void allocate();
  /// `residue`, `change`: rows and columns of Completion::matrix(), at the motion evaluated last without what moves
  /// the bodies (Purpose::inertia = false). False: a joint moves nothing without the others, or the constraints
  /// are nearly dependent.
  bool solve(const Eigen::VectorXd& residue, Eigen::VectorXd& change);
  /// Completion::conditioning().
  double conditioning() const { return conditioning_; }
  /// Operations of solve(), about (operations.h).
  double operations() const;

 private:
  void solveForReactions();
  double weakestRow() const;

  EvaluationPoint& at_;
  ConstraintColumns& columns_;
  BodyAccelerations tree_;
  double conditioning_ = 1;
  BlockMatrix ofMultipliers_;  ///< M^-1 A
  BlockMatrix schur_;          ///< what the rows see of that
  BlockLu schurLu_;
  Eigen::VectorXd load_, answer_, multiplierChange_, rowResidue_, scale_;
};

}  // namespace cardan
