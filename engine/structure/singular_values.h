/// SingularValues: a matrix as a sum of directions, each with its weight.
#pragma once

#include <Eigen/Core>

namespace cardan {

/// A = U diag(values) V' of any matrix (m x n); k = min(m, n). Elements must be finite.
struct SingularValues {
  Eigen::MatrixXd U;       ///< m x k, orthonormal columns
  Eigen::VectorXd values;  ///< k, they do not grow
  Eigen::MatrixXd V;       ///< n x k, orthonormal columns

  explicit SingularValues(const Eigen::Ref<const Eigen::MatrixXd>& A);
};

}  // namespace cardan
