#include "components/laws/body_base.h"

#include <Eigen/Eigenvalues>

namespace cardan {

double BodyBase::smallestInertia() const {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

}  // namespace cardan
