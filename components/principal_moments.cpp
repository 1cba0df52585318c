#include "components/principal_moments.h"

#include <Eigen/Eigenvalues>

namespace cardan {

Vector3d principalMoments(const Matrix3d& I) {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace cardan
