/// Eigenvalues and vectors of dense matrices.
#pragma once

#include <Eigen/Core>

namespace cardan {

/// Of a matrix that need not be symmetric.
struct Eigenpairs {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd right;  ///< a column each, of length 1
  Eigen::MatrixXcd left;   ///< a row each: left * right = 1; not finite where it is defective
};
/// Of A (n x n).
Eigenpairs eigenpairs(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// Of two symmetric matrices.
struct SymmetricEigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
/// K x = value M x with M positive definite (lower halves are read): values ascending, vectors
/// (columns) with x' M x = 1.
SymmetricEigenpairs symmetricEigenpairs(const Eigen::Ref<const Eigen::MatrixXd>& K,
                                        const Eigen::Ref<const Eigen::MatrixXd>& M);

}  // namespace cardan
