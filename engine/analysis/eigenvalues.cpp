#include "engine/analysis/eigenvalues.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <vector>

namespace cardan {

using Eigen::MatrixXd;
using Eigen::Ref;

Eigenpairs eigenpairs(const Ref<const MatrixXd>& A) {
  const Eigen::EigenSolver<MatrixXd> solver(A);
  Eigenpairs e{solver.eigenvalues(), solver.eigenvectors(), {}};
  e.left = Eigen::PartialPivLU<Eigen::MatrixXcd>(e.right).inverse();
  return e;
}

Eigen::VectorXcd pencilEigenvalues(const Ref<const MatrixXd>& A, const Ref<const MatrixXd>& E) {
  const Eigen::GeneralizedEigenSolver<MatrixXd> solver(A, E, false);
  std::vector<std::complex<double>> finite;
  for (Eigen::Index i = 0; solver.info() == Eigen::Success && i < A.rows(); ++i) {
    const std::complex<double> z = solver.alphas()(i) / solver.betas()(i);
    if (std::isfinite(z.real()) && std::isfinite(z.imag())) finite.push_back(z);
  }
  return Eigen::Map<const Eigen::VectorXcd>(finite.data(), std::ssize(finite));
}

SymmetricEigenpairs symmetricEigenpairs(const Ref<const MatrixXd>& K,
                                        const Ref<const MatrixXd>& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SchurForm schurForm(const Ref<const MatrixXd>& A,
                    const std::function<bool(std::complex<double>)>& isFirst) {
  const Eigen::ComplexSchur<MatrixXd> solver(A);
  SchurForm form{solver.matrixT(), solver.matrixU()};
  if (!isFirst) return form;
  const Eigen::Index n = A.rows();
  for (Eigen::Index at = 0; at < n; ++at) {
    if (!isFirst(form.T(at, at))) continue;
    // Two neighbours change places by the rotation that makes the second one's vector the first.
    for (Eigen::Index k = at - 1; k >= form.first; --k) {
      Eigen::JacobiRotation<std::complex<double>> turn;
      turn.makeGivens(form.T(k, k + 1), form.T(k + 1, k + 1) - form.T(k, k));
      form.T.applyOnTheLeft(k, k + 1, turn.adjoint());
      form.T.applyOnTheRight(k, k + 1, turn);
      form.U.applyOnTheRight(k, k + 1, turn);
      form.T(k + 1, k) = 0;
    }
    ++form.first;
  }
  return form;
}

Eigen::VectorXd balancing(const Ref<const MatrixXd>& A) {
  Eigen::VectorXd d = Eigen::VectorXd::Ones(A.rows());
  MatrixXd B = A;
  bool done = false;
  for (int pass = 0; !done && pass < 100; ++pass) {
    done = true;
    for (Eigen::Index i = 0; i < B.rows(); ++i) {
      const double c = B.col(i).cwiseAbs().sum() - std::abs(B(i, i));
      const double r = B.row(i).cwiseAbs().sum() - std::abs(B(i, i));
      if (c == 0 || r == 0) continue;
      const double f = std::exp2(std::round(std::log2(r / c) / 2));
      if (c * f + r / f >= 0.95 * (c + r)) continue;
      done = false;
      d[i] *= f;
      B.col(i) *= f;
      B.row(i) /= f;
    }
  }
  return d;
}

}  // namespace cardan
