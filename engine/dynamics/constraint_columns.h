/// ConstraintColumns: the constraints that a run keeps, and what their multipliers do to the motion.
#pragma once

#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/dynamics/reaction_columns.h"

namespace cardan {

/// Those of RunState::redundant are left out; their multipliers are zero.
class ConstraintColumns {
 public:
  /// `at` outlives it.
  explicit ConstraintColumns(EvaluationPoint& at)
      : at_(at), reactions_(at.equations()), leftOut_(at.layout().nlambda, true) {}

  /// Takes those that the run keeps at present; true: they are others than before.
  bool choose();
  /// Multipliers with a row, ascending.
  const std::vector<int>& active() const { return active_; }
  /// Those of them with a row on position level.
  const std::vector<int>& onPositions() const { return onPositions_; }
  /// Of active(), as indices: those that a projection may use.
  const std::vector<int>& projected() const { return projected_; }

  /// At the motion evaluated last: transpose() and loads().
  void evaluate();
  /// nv x active: what the stabilising multipliers do to the velocities, one column each; its transpose is the
  /// derivative of the velocity rows.
  const BlockMatrix& transpose() const { return Gt_; }
  /// Likewise what the multipliers do to the dynamic rows: the same but for components with more to say.
  const BlockMatrix& loads() const { return swept_.empty() ? Gt_ : loads_; }

  /// The pattern of evaluate(), into an archive or out of it; `fits`: it is of these rows.
  template <class Archive>
  void exchange(Archive& archive, bool fits) {
    ColouredJacobian sweep = sweep_;
    archive(sweep);
    if (!archive.isReading() || !fits) return;
    sweep_ = std::move(sweep);
    ofSwept_.setZero();
  }

 private:
  void sweepTranspose();

  EvaluationPoint& at_;
  ReactionColumns reactions_;
  std::vector<bool> leftOut_;  ///< RunState::redundant that all below is for
  std::vector<int> active_, onPositions_, projected_;
  std::vector<int> swept_;  ///< of active_, as indices: those that reactions_ has not
  BlockMatrix Gt_, loads_, ofSwept_;
  ColouredJacobian sweep_;
};

}  // namespace cardan
