/// ScaledSystem: linear equations whose rows and columns are scaled to magnitude 1, solved by dense or by
/// sparse factors.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "engine/dynamics/sparse_lu.h"
#include "engine/structure/block_lu.h"

namespace cardan {

/// Where a matrix has elements, column by column.
struct SparsePattern {
  int version = -1;  ///< another one where the pattern is
  std::vector<int> start, rows;
};

/// matrix * change = residue.
class ScaledSystem {
 public:
  static constexpr double kDependent =
      1e-11;  ///< of a combination of rows: below, they are dependent
  static constexpr double kSingularPivot =
      1e-14;  ///< of a matrix with rows and columns of magnitude 1

  BlockMatrix matrix;
  Eigen::VectorXd residue, change;
  /// A unit of each row and column, such that elements that matter are of one magnitude: what is below 1e-20 of
  /// a largest row is none, and stays as it is.
  Eigen::VectorXd rowUnit, columnUnit;

  void allocate(const Partition& rows, const Partition& columns);
  int size() const { return residue.size(); }

  /// Factors of the matrix as it is; `pattern`: of its elements, null: not known; it outlives them. False:
  /// something is not finite. A singular matrix has its scaled elements and pivots, but is not factored.
  bool factor(const SparsePattern* pattern);
  /// There are factors of the whole matrix.
  bool isFactored() const { return isFactored_; }
  void forgetFactors() { isFactored_ = false; }
  bool isSparse() const { return isSparse_; }
  /// The smallest pivot of the scaled matrix, of sparse factors relative to the largest.
  double pivot() const { return isSparse_ ? sparseLu_.pivotRatio() : lu_.smallestPivot(); }
  /// Of dense factors: of an island, and of all.
  double pivot(int island) const { return lu_.smallestPivot(island); }
  bool isSingular(int island) const { return !lu_.pivotsExceed(island, kSingularPivot); }
  /// change = matrix^-1 residue.
  void solve();
  /// The change of least norm of an island; returns the largest scaled residue that is left, 0: none.
  double solveAtLeastNorm(int island);

  /// The matrix with rows and columns of magnitude 1, behind dense factors.
  const BlockMatrix& scaled() const { return scaled_; }
  const Eigen::VectorXd& rowScale() const { return rowScale_; }
  const Eigen::VectorXd& columnScale() const { return columnScale_; }
  /// Of the last solve().
  const Eigen::VectorXd& scaledResidue() const { return scaledResidue_; }

 private:
  template <class Visit>
  void eachElement(Visit visit);
  bool scale();
  bool factorSparse();

  BlockMatrix scaled_;
  Eigen::VectorXd scaledResidue_, rowScale_, columnScale_;
  BlockLu lu_;
  SparseLu sparseLu_;
  const SparsePattern* pattern_ = nullptr;
  int analysed_ = -1;           ///< version of the pattern
  std::vector<double> values_;  ///< of the scaled matrix
  bool isSparse_ = false, isFactored_ = false;
};

}  // namespace cardan
