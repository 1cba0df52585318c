/// HeldInputs: a linear model between samples, at which its inputs change.
#pragma once

#include <Eigen/Core>

#include "engine/analysis/linear_model.h"
#include "engine/control/riccati.h"

namespace cardan {

/// x[k+1] = A x[k] + B u[k], exactly, of x' = A x + B u with u held over each sample of `h` [s].
struct HeldInputs {
  Eigen::MatrixXd A, B;
  /// The integral of a cost over one sample: x'Q x + 2 x'N u + u'R u of x[k] and u[k].
  Eigen::MatrixXd Q, N, R;

  /// A (n x n), B (n x m); `cost`: of the continuous time, matrices of zeros where there is none.
  static HeldInputs over(double h, const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                         const QuadraticCost& cost);
};

/// The model with A and B of samples `h` [s] apart; the rest stays as it is. Pre: h > 0, model.sample == 0
LinearModel sampled(const LinearModel& model, double h);

}  // namespace cardan
