/// Eigenvalues and vectors of dense matrices.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <functional>
#include <vector>

namespace cardan {

/// Of a matrix that need not be symmetric.
struct Eigenpairs {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd right;  ///< a column each, of length 1
  Eigen::MatrixXcd left;   ///< a row each: left * right = 1; as long as 1/eps where it is defective
};
/// Of A (n x n).
Eigenpairs eigenpairs(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// Eigenvalues that rounding does not tell apart, and what A does in their space: left * right = 1.
struct EigenGroup {
  std::complex<double> value;  ///< their mean; exactly 0, or real, where rounding says no other
  Eigen::MatrixXcd right;      ///< columns, orthonormal
  Eigen::MatrixXcd left;       ///< a row each
  Eigen::MatrixXcd coupling;   ///< left (A - value) right: not 0 where they are defective
};
/// Of A (n x n): as many columns together as it has rows; of a conjugate pair both.
std::vector<EigenGroup> eigenGroups(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// The finite z with det(A - z E) = 0; E may be singular. Of a pencil that is singular for every z none
/// that mean anything.
Eigen::VectorXcd pencilEigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                   const Eigen::Ref<const Eigen::MatrixXd>& E);

/// Of two symmetric matrices.
struct SymmetricEigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
/// K x = value M x with M positive definite (lower halves are read): values ascending, vectors
/// (columns) with x' M x = 1.
SymmetricEigenpairs symmetricEigenpairs(const Eigen::Ref<const Eigen::MatrixXd>& K,
                                        const Eigen::Ref<const Eigen::MatrixXd>& M);

/// Factors d so that rows and columns of diag(1/d) A diag(d) have like norms, powers of two.
/// Source  B. N. Parlett, C. Reinsch, Numer. Math. 13 (1969) 293
Eigen::VectorXd balancing(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// A = U T U*: U unitary, T upper triangular with the eigenvalues on its diagonal.
struct SchurForm {
  Eigen::MatrixXcd T, U;
  Eigen::Index first = 0;  ///< so many of them stand in front, as asked for
};
/// Of A (n x n); eigenvalues for which `isFirst` holds in front, the first columns of U span their space.
SchurForm schurForm(const Eigen::Ref<const Eigen::MatrixXd>& A,
                    const std::function<bool(std::complex<double>)>& isFirst = {});

}  // namespace cardan
