#include "engine/analysis/eigenvalues.h"

#include <Eigen/Eigenvalues>

namespace cardan {

using Eigen::MatrixXd;
using Eigen::Ref;

Eigenpairs eigenpairs(const Ref<const MatrixXd>& A) {
  const Eigen::EigenSolver<MatrixXd> solver(A);
  Eigenpairs e{solver.eigenvalues(), solver.eigenvectors(), {}};
  e.left = Eigen::PartialPivLU<Eigen::MatrixXcd>(e.right).inverse();
  return e;
}

SymmetricEigenpairs symmetricEigenpairs(const Ref<const MatrixXd>& K,
                                        const Ref<const MatrixXd>& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace cardan
