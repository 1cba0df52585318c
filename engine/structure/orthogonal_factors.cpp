#include <Eigen/QR>
#include <cmath>

#include "engine/structure/dense_algebra.h"

namespace cardan {

using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::VectorXd;

struct PivotedQr::Factors {
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
};

PivotedQr::PivotedQr(const Ref<const MatrixXd>& A, double tolerance)
    : factors_(std::make_unique<Factors>()) {
  factors_->qr.setThreshold(tolerance);
  if (A.size() > 0) factors_->qr.compute(A);
}
PivotedQr::~PivotedQr() = default;

int PivotedQr::rank() const { return factors_->qr.cols() > 0 ? factors_->qr.rank() : 0; }

double PivotedQr::largestPivot() const { return factors_->qr.maxPivot(); }

double PivotedQr::pivot(int i) const { return std::abs(factors_->qr.matrixQR()(i, i)); }

Eigen::VectorXi PivotedQr::columnOrder() const { return factors_->qr.colsPermutation().indices(); }

MatrixXd PivotedQr::Q() const {
  const Eigen::Index m = factors_->qr.rows();
  MatrixXd Q = MatrixXd::Identity(m, m);
  Q.applyOnTheLeft(factors_->qr.householderQ());
  return Q;
}

VectorXd PivotedQr::solve(const Ref<const VectorXd>& b) const { return factors_->qr.solve(b); }

struct OrthogonalFactors::Factors {
  Eigen::Index rows, columns;
  bool isEmpty;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
};

OrthogonalFactors::OrthogonalFactors(const Ref<const MatrixXd>& A, double tolerance)
    : factors_(new Factors{A.rows(), A.cols(), A.size() == 0, {}}) {
  factors_->cod.setThreshold(tolerance);
  if (!factors_->isEmpty) factors_->cod.compute(A);
}
OrthogonalFactors::OrthogonalFactors(OrthogonalFactors&&) noexcept = default;
OrthogonalFactors::~OrthogonalFactors() = default;

int OrthogonalFactors::rank() const { return factors_->isEmpty ? 0 : factors_->cod.rank(); }

MatrixXd OrthogonalFactors::rotate(const Ref<const MatrixXd>& B) const {
  if (factors_->isEmpty) return B;
  return factors_->cod.householderQ().transpose() * B;
}

VectorXd OrthogonalFactors::leastNorm(const Ref<const VectorXd>& b) const {
  if (factors_->isEmpty) return VectorXd::Zero(factors_->columns);
  return factors_->cod.solve(b);
}

MatrixXd OrthogonalFactors::nullSpace() const {
  const Eigen::Index n = factors_->columns, freedoms = n - rank();
  MatrixXd Z = MatrixXd::Zero(n, freedoms);
  Z.bottomRows(freedoms).setIdentity();
  if (factors_->isEmpty) return Z;
  // Rows of Z beyond the rank span it.
  return factors_->cod.colsPermutation() * (factors_->cod.matrixZ().adjoint() * Z);
}

MatrixXd OrthogonalFactors::pseudoInverse() const {
  if (factors_->isEmpty) return MatrixXd::Zero(factors_->columns, factors_->rows);
  return factors_->cod.pseudoInverse();
}

}  // namespace cardan
