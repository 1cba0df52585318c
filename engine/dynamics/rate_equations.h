/// RateEquations: the equations of accelerations, rates of states, algebraic unknowns and multipliers at a point.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "engine/dynamics/constraint_columns.h"
#include "engine/dynamics/followed_signals.h"
#include "engine/dynamics/scaled_system.h"

namespace cardan {

/// Rows [dynamics | components | constraints], columns [der(v) | der(x) or x | lambda]. Constraints and followed
/// signals count by their time derivatives, which have der(v) where they themselves have v.
class RateEquations {
 public:
  ScaledSystem system;

  /// All outlive it.
  RateEquations(EvaluationPoint& at, const ConstraintColumns& columns,
                const FollowedSignals& followed)
      : at_(at), columns_(columns), followed_(followed) {}

  int size() const { return at_.layout().nv + at_.layout().nx + std::ssize(columns_.active()); }
  /// The constraints are others.
  void forgetRows();
  /// For formMatrix() and what follows it; does nothing where that was done.
  void allocate();
  /// Completion::forgetPoints().
  void forgetPoints();

  /// Residues of all rows at the current point; `inertia`: Purpose's.
  void formRows(bool inertia = true);
  /// All rows as they are.
  void formMatrix();
  /// Rows of constraints and of followed signals become their time derivatives.
  void differentiateRows();
  /// Units of the mechanical rows and columns: the model's own length and mass, so that what is
  /// negligible does not depend on those of the file.
  void chooseUnits();
  /// Of the system, behind these; ScaledSystem::factor().
  bool factor();
  /// Largest element of the smallest constraint row, in the model's own units.
  double weakestRow() const;
  /// Evaluations with directions that the matrix takes, and operations of its factors, about (operations.h).
  double sweeps() const;
  double factorOperations() const;

  /// Patterns that the next solutions go by, into an archive or out of it; `fits`: they are of these rows.
  template <class Archive>
  void exchange(Archive& archive, bool fits) {
    bool isFormed = system.matrix.size() > 0;
    archive(isFormed);
    if (fits && isFormed) allocate();
    ColouredJacobian accelerations = accelerationSweep_, rates = rateSweep_;
    archive(accelerations);
    archive(rates);
    if (!archive.isReading() || !fits) return;
    if (!isFormed) system.matrix = {};
    accelerationSweep_ = std::move(accelerations);
    rateSweep_ = std::move(rates);
    for (BlockMatrix* of : {&system.matrix, &rates_}) of->setZero();
    ofSweeps_ = -1;
    system.forgetFactors();
  }

 private:
  void prescribedAccelerations();
  bool findPattern();

  EvaluationPoint& at_;
  const ConstraintColumns& columns_;
  const FollowedSignals& followed_;
  bool forgetful_ = false;
  /// Constraint rows, then (for followed signals) those of components, by the velocities.
  BlockMatrix rates_;
  ColouredJacobian accelerationSweep_, rateSweep_;
  SparsePattern pattern_;
  int ofSweeps_ = -1;  ///< versions of the sweeps that it is of
};

}  // namespace cardan
