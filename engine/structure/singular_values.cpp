#include "engine/structure/singular_values.h"

#include <Eigen/SVD>

namespace cardan {

SingularValues::SingularValues(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  if (A.size() == 0) return;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  U = svd.matrixU();
  values = svd.singularValues();
  V = svd.matrixV();
}

}  // namespace cardan
