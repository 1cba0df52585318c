#include "engine/structure/block_lu.h"

#include <algorithm>

namespace cardan {

void BlockLu::factor(const BlockMatrix& A) {
  of_ = &A;
  factors_.resize(A.blocks());
  for (Eigen::VectorXd* v : {&right_, &solution_}) v->resize(A.rowSets().widest);
  for (int s = 0; s < A.blocks(); ++s) factors_[s].factor(A.block(s));
}

bool BlockLu::pivotsExceed(double bound) const {
  return std::ranges::all_of(factors_, [&](const DenseLu& f) { return f.pivotsExceed(bound); });
}

double BlockLu::smallestPivot() const {
  double smallest = factors_.front().smallestPivot();
  for (const DenseLu& f : factors_) smallest = std::min(smallest, f.smallestPivot());
  return smallest;
}

void BlockLu::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  if (factors_.size() == 1) {
    const Eigen::Index n = of_->rows();
    factors_.front().solve(b.head(n), x.head(n));
    return;
  }
  for (int s = 0; s < std::ssize(factors_); ++s) {
    const std::vector<int>&rows = of_->rowsOf(s), &columns = of_->columnsOf(s);
    const Eigen::Index n = std::ssize(rows);
    if (n == 0) continue;
    for (Eigen::Index i = 0; i < n; ++i) right_[i] = b[rows[i]];
    factors_[s].solve(right_.head(n), solution_.head(n));
    for (Eigen::Index j = 0; j < n; ++j) x[columns[j]] = solution_[j];
  }
}

}  // namespace cardan
