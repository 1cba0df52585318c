#include "engine/dynamics/scaled_system.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

constexpr double kNoMass = 1e-20;  // of a row, relative to the largest: arms of rounding, squared

}  // namespace

void ScaledSystem::allocate(const Partition& rows, const Partition& columns) {
  matrix = scaled_ = BlockMatrix::zero(rows, columns);
  for (Eigen::VectorXd* v : {&rowScale_, &columnScale_, &rowUnit, &columnUnit})
    v->setZero(rows.size());
}

/// Elements (i, j) of the matrix: those of the pattern where one is known, else all.
template <class Visit>
void ScaledSystem::eachElement(Visit visit) {
  const int n = size();
  for (int j = 0; j < n; ++j) {
    if (isSparse_) {
      for (int k = pattern_->start[j]; k < pattern_->start[j + 1]; ++k)
        visit(pattern_->rows[k], j, matrix(pattern_->rows[k], j), k);
    } else {
      for (const int i : matrix.rowsOfColumn(j)) visit(i, j, matrix(i, j), 0);
    }
  }
}

/// Rows and columns of magnitude 1. False: something is not finite.
bool ScaledSystem::scale() {
  const int n = size();
  Eigen::VectorXd& largest = columnScale_;  // of a row, until the columns are scaled
  largest.setZero();
  rowScale_.setZero();
  eachElement([&](int i, int j, double a, int) {
    const double x = std::abs(a) * columnUnit[j];
    rowScale_[i] += x;
    largest[i] = std::max(largest[i], x);
  });
  double smallest = 0;
  for (int i = 0; i < n; ++i) {
    const double sum = rowUnit[i] * rowScale_[i];
    if (!std::isfinite(sum) || !std::isfinite(residue[i])) return false;
    smallest = std::max(smallest, kNoMass * sum);
  }
  for (int i = 0; i < n; ++i)
    rowScale_[i] = rowUnit[i] * largest[i] > smallest ? 1 / largest[i] : rowUnit[i];
  columnScale_.setZero();
  eachElement([&](int i, int j, double a, int) {
    columnScale_[j] = std::max(columnScale_[j], columnUnit[j] * std::abs(a) * rowScale_[i]);
  });
  for (int j = 0; j < n; ++j)
    columnScale_[j] = columnUnit[j] * (columnScale_[j] > kNoMass ? 1 / columnScale_[j] : 1);
  return true;
}

/// False: it does not pay, or the matrix is nearly singular.
bool ScaledSystem::factorSparse() {
  if (!SparseLu::pays(size(), pattern_->rows.size())) return false;
  if (analysed_ != pattern_->version) {
    analysed_ = pattern_->version;
    sparseLu_.analyse(pattern_->start, pattern_->rows);
    values_.resize(pattern_->rows.size());
  }
  isSparse_ = true;
  if (!scale()) return false;
  eachElement(
      [&](int i, int j, double a, int k) { values_[k] = a * rowScale_[i] * columnScale_[j]; });
  return sparseLu_.factor(values_) && sparseLu_.pivotRatio() > kSingularPivot;
}

bool ScaledSystem::factor(const SparsePattern* pattern) {
  pattern_ = pattern;
  isSparse_ = false;
  isFactored_ = pattern && factorSparse();
  if (isFactored_) return true;
  isSparse_ = false;
  if (!scale()) return false;
  scaled_ = matrix;
  scaled_.scale(rowScale_, columnScale_);
  lu_.factor(scaled_);
  isFactored_ = lu_.pivotsExceed(kSingularPivot);
  return true;
}

void ScaledSystem::solve() {
  scaledResidue_ = residue.cwiseProduct(rowScale_);
  if (isSparse_) {
    change = scaledResidue_;
    sparseLu_.solve(std::span(change.data(), size()));
  } else {
    lu_.solve(scaledResidue_, change);
  }
  change.array() *= columnScale_.array();
}

double ScaledSystem::solveAtLeastNorm(int island) {
  const std::vector<int>&rows = matrix.rowsOf(island), &columns = matrix.columnsOf(island);
  const Eigen::VectorXd scale = rowScale_(rows), b = scale.cwiseProduct(residue(rows));
  const Eigen::MatrixXd A = scale.asDiagonal() * matrix.block(island);
  const Eigen::VectorXd x = OrthogonalFactors(A, kDependent).leastNorm(b);
  change(columns) = x;
  const double left =
      scale.cwiseProduct(residue(rows) - matrix.block(island) * x).cwiseAbs().maxCoeff();
  return left <= 1e-8 * (1 + b.cwiseAbs().maxCoeff()) ? 0 : left;
}

}  // namespace cardan
