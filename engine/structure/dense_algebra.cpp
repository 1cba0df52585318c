#include "engine/structure/dense_algebra.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::VectorXd;

// Partial pivoting

struct DenseLu::Factors {
  Eigen::PartialPivLU<MatrixXd> lu;
};

DenseLu::DenseLu() : factors_(std::make_unique<Factors>()) {}
DenseLu::~DenseLu() = default;

void DenseLu::factor(const Ref<const MatrixXd>& A) { factors_->lu.compute(A); }

bool DenseLu::pivotsExceed(double bound) const {
  const MatrixXd& lu = factors_->lu.matrixLU();
  for (Eigen::Index i = 0; i < lu.rows(); ++i) {
    if (!(std::abs(lu(i, i)) > bound)) return false;
  }
  return true;
}

double DenseLu::smallestPivot() const {
  const MatrixXd& lu = factors_->lu.matrixLU();
  return lu.rows() > 0 ? lu.diagonal().cwiseAbs().minCoeff() : 1;
}

double DenseLu::reciprocalCondition() const { return factors_->lu.rcond(); }

void DenseLu::solve(const Ref<const VectorXd>& b, Ref<VectorXd> x) const {
  // Not by Eigen's solve(), which allocates.
  x.noalias() = factors_->lu.permutationP() * b;
  factors_->lu.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(x);
  factors_->lu.matrixLU().triangularView<Eigen::Upper>().solveInPlace(x);
}

MatrixXd DenseLu::solve(const Ref<const MatrixXd>& B) const { return factors_->lu.solve(B); }

double roundingTolerance(const Ref<const MatrixXd>& A) {
  return std::numeric_limits<double>::epsilon() * static_cast<double>(std::min(A.rows(), A.cols()));
}

// Complete pivoting

MatrixXd kernel(const Ref<const MatrixXd>& A, double tolerance) {
  // Eigen's decomposition asks an empty matrix for its largest entry.
  if (A.size() == 0) return MatrixXd::Identity(A.cols(), A.cols());
  Eigen::FullPivLU<MatrixXd> lu(A);
  lu.setThreshold(tolerance);
  // Eigen gives a column of zeros where there is none.
  if (lu.dimensionOfKernel() == 0) return MatrixXd(A.cols(), 0);
  return lu.kernel();
}

// Symmetric matrices

void solvePositiveInPlace(Ref<MatrixXd> A, Ref<VectorXd> b) {
  const Eigen::LLT<Ref<MatrixXd>> inPlace(A);
  solveByCholesky(A, b);
}

void solveByCholesky(const Ref<const MatrixXd>& factor, Ref<VectorXd> b) {
  factor.triangularView<Eigen::Lower>().solveInPlace(b);
  factor.triangularView<Eigen::Lower>().adjoint().solveInPlace(b);
}

VectorXd solveSymmetric(const Ref<const MatrixXd>& A, const Ref<const VectorXd>& b) {
  return Eigen::LDLT<MatrixXd>(A).solve(b);
}

bool isPositiveDefinite(const Ref<const MatrixXd>& A) {
  MatrixXd factor = A;
  return Eigen::LLT<Ref<MatrixXd>>(factor).info() == Eigen::Success;
}

// Stability

/// By Newton's iteration for the sign of a matrix, S = (S + S^-1) / 2 from A on: eigenvalues go to
/// 1 or -1, as their real parts are positive or negative.
/// Source  J. D. Roberts, Int. J. Control 32 (1980) 677
bool isPositiveStable(const Ref<const MatrixXd>& A) {
  constexpr int kMostIterations = 200;  // an eigenvalue is halved or doubled in each
  constexpr double kSettled = 1e-3;     // from here on its error is squared
  const MatrixXd one = MatrixXd::Identity(A.rows(), A.rows());
  MatrixXd S = A;
  DenseLu lu;
  for (int i = 0; i < kMostIterations; ++i) {
    lu.factor(S);
    if (!lu.pivotsExceed(0)) return false;
    const MatrixXd change = (lu.solve(one) - S) / 2;
    S += change;
    if (!S.allFinite()) return false;
    if (change.norm() <= kSettled * S.norm()) {
      return S.trace() > static_cast<double>(A.rows()) - 1;  // a negative one takes 2 off it
    }
  }
  return false;
}

// On the stack

SmallVector solveSmall(const SmallMatrix& A, const SmallVector& b) {
  return Eigen::PartialPivLU<SmallMatrix>(A).solve(b);
}

SmallVector solveSmallSymmetric(const SmallMatrix& A, const SmallVector& b) {
  return Eigen::LDLT<SmallMatrix>(A).solve(b);
}

SmallMatrix invertSmall(const SmallMatrix& A) { return A.inverse(); }

}  // namespace cardan
