#include "engine/control/held_inputs.h"

#include <cmath>

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// exp(F) for |F| <= 1, by its series.
MatrixXd exponential(const MatrixXd& F) {
  MatrixXd sum = MatrixXd::Identity(F.rows(), F.cols()), term = sum;
  for (int k = 1; k < 30; ++k) {
    term = term * F / k;
    sum += term;
    if (term.norm() <= 1e-18 * sum.norm()) break;
  }
  return sum;
}

}  // namespace

/// Of F = [A B; 0 0] and W = [Q 0; 0 R] the exponential of [-F' W; 0 F] over a part of the sample has both
/// (Van Loan 1978); two halves are a whole: P(2 h) = P(h)^2, W(2 h) = W(h) + P(h)' W(h) P(h).
HeldInputs HeldInputs::over(double h, const MatrixXd& A, const MatrixXd& B,
                            const QuadraticCost& cost) {
  const Index n = A.rows(), m = B.cols(), all = n + m;
  MatrixXd F = MatrixXd::Zero(all, all), W = F;
  F.topLeftCorner(n, n) = A;
  F.topRightCorner(n, m) = B;
  W.topLeftCorner(n, n) = cost.Q;
  W.bottomRightCorner(m, m) = cost.R;
  const int halvings =
      std::max(0, static_cast<int>(std::ceil(std::log2(std::max(F.norm() * h, 1e-300)))) + 1);
  const double part = std::ldexp(h, -halvings);
  MatrixXd both = MatrixXd::Zero(2 * all, 2 * all);
  both.topLeftCorner(all, all) = -part * F.transpose();
  both.topRightCorner(all, all) = part * W;
  both.bottomRightCorner(all, all) = part * F;
  // The weights may be of any size beside F.
  const double size = std::max(1.0, part * W.norm());
  both.topRightCorner(all, all) /= size;
  const MatrixXd e = exponential(both);
  MatrixXd P = e.bottomRightCorner(all, all);
  MatrixXd sum = size * (P.transpose() * e.topRightCorner(all, all));
  for (int i = 0; i < halvings; ++i) {
    sum += P.transpose() * sum * P;
    P = P * P;
  }
  sum = 0.5 * (sum + sum.transpose().eval());
  return {P.topLeftCorner(n, n), P.topRightCorner(n, m), sum.topLeftCorner(n, n),
          sum.topRightCorner(n, m), sum.bottomRightCorner(m, m)};
}

LinearModel sampled(const LinearModel& model, double h) {
  LinearModel result = model;
  const Index n = model.A.rows(), m = model.B.cols();
  const HeldInputs held =
      HeldInputs::over(h, model.A, model.B, {MatrixXd::Zero(n, n), MatrixXd::Zero(m, m)});
  result.A = held.A;
  result.B = held.B;
  result.sample = h;
  return result;
}

}  // namespace cardan
