/// BlockLu: LU factors of a square matrix of blocks.
#pragma once

#include <Eigen/Core>
#include <deque>

#include "engine/structure/block_matrix.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {

/// As DenseLu, which each block has. Blocks of the same sizes as before allocate nothing.
class BlockLu {
 public:
  /// The matrix must stay where it is; its elements may change.
  void factor(const BlockMatrix& A);
  bool pivotsExceed(double bound) const;
  bool pivotsExceed(int set, double bound) const { return factors_[set].pivotsExceed(bound); }
  double smallestPivot() const;
  double smallestPivot(int set) const { return factors_[set].smallestPivot(); }
  /// A x = b; both of length n, not the same.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x);

 private:
  const BlockMatrix* of_ = nullptr;
  std::deque<DenseLu> factors_;
  Eigen::VectorXd right_, solution_;  ///< of a block
};

}  // namespace cardan
