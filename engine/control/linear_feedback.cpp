#include "engine/control/linear_feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "engine/analysis/eigenvalues.h"
#include "engine/control/held_inputs.h"
#include "engine/motion_point.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kOnAxis = 1e-8;        // of the largest eigenvalue, a real part that is none
constexpr double kNoEigenvalue = 1e-6;  // of the largest
constexpr double kReached =
    1e-10;  // of the largest pivot, one that is left where a mode is not reached

/// Columns of length 1.
MatrixXd unitColumns(MatrixXd B) {
  for (Index j = 0; j < B.cols(); ++j) {
    if (B.col(j).norm() > 0) B.col(j).normalize();
  }
  return B;
}

MatrixXd scaled(const LinearModel& m) {
  return m.sizes.cwiseInverse().asDiagonal() * m.A * m.sizes.asDiagonal();
}

/// The state that takes most part in an x with x* A = z x* and x* B = 0 (Popov, Belevitch, Hautus); -1: there
/// is none.
Index missedBy(const MatrixXd& A, const MatrixXd& B, Complex z) {
  const Index n = A.rows(), m = B.cols();
  MatrixXd pencil = MatrixXd::Zero(2 * n, 2 * (n + m));
  const MatrixXd real = A - z.real() * MatrixXd::Identity(n, n);
  pencil.block(0, 0, n, n) = pencil.block(n, n, n, n) = real;
  pencil.block(0, n, n, n) = z.imag() * MatrixXd::Identity(n, n);
  pencil.block(n, 0, n, n) = -z.imag() * MatrixXd::Identity(n, n);
  pencil.block(0, 2 * n, n, m) = pencil.block(n, 2 * n + m, n, m) = B;
  const MatrixXd all = pencil.transpose();
  if (PivotedQr(all, kReached).rank() == 2 * n) return -1;
  const OrthogonalFactors factors(all, kReached);
  const MatrixXd x = factors.nullSpace();
  Index most = 0;
  (x.topRows(n).cwiseAbs2() + x.bottomRows(n).cwiseAbs2()).rowwise().sum().maxCoeff(&most);
  return most;
}

/// The state, or the position whose rate it is.
const std::string& coordinateOf(const LinearModel& model, Index state) {
  const int position = model.rateOf[static_cast<size_t>(state)];
  return model.states[static_cast<size_t>(position < 0 ? state : position)].name;
}

/// "the mode of 0.32 Hz of 'j1.phi'"
std::string modeText(Complex z, const std::string& of) {
  const std::string name = "'" + of + "'";
  if (z == 0.0) return "the free movement of " + name;
  if (std::abs(z.imag()) > kOnAxis * std::abs(z))
    return fmt::format("the mode of {:.4g} Hz of {}", std::abs(z) / (2 * std::numbers::pi), name);
  return fmt::format("the mode of {} that {} in {:.4g} s", name, z.real() > 0 ? "grows" : "settles",
                     1 / std::abs(z.real()));
}

/// Throws where B does not reach a mode that does not settle, or Q does not see one that neither grows nor
/// settles.
void refuseWhatIsMissed(const LinearModel& model, const MatrixXd& A, const MatrixXd& B,
                        const MatrixXd& Q, const char* missed, const char* unseen) {
  const Eigen::VectorXcd all = eigenpairs(A).values;
  const double largest = all.size() > 0 ? all.cwiseAbs().maxCoeff() : 0;
  for (Index i = 0; i < all.size(); ++i) {
    if (all(i).imag() < 0 || all(i).real() < -kOnAxis * largest) continue;
    // Multiple zeros come apart by the square root of rounding.
    const Complex z = std::abs(all(i)) < kNoEigenvalue * largest ? Complex(0) : all(i);
    const bool onAxis = z.real() <= kOnAxis * largest;
    const Index unreached = missedBy(A, B, z);
    const Index unweighted = unreached < 0 && onAxis ? missedBy(A.transpose(), Q, z) : -1;
    if (unreached < 0 && unweighted < 0) continue;
    throw AnalysisError(modeText(z, coordinateOf(model, std::max(unreached, unweighted))) + " " +
                        (unreached >= 0 ? missed : unseen));
  }
}

void check(const QuadraticCost& cost, Index states, Index inputs) {
  const bool sized = cost.Q.rows() == states && cost.Q.cols() == states &&
                     cost.R.rows() == inputs && cost.R.cols() == inputs;
  if (!sized) throw std::invalid_argument("weights of another size than the model's");
  if (!cost.Q.allFinite() || !cost.R.allFinite() || !isPositiveDefinite(cost.R))
    throw std::invalid_argument("weights of inputs must be positive, those of states finite");
}

}  // namespace

LinearFeedback quadraticFeedback(const LinearModel& model, const QuadraticCost& cost,
                                 double sample) {
  const Index n = model.A.rows(), m = model.B.cols();
  check(cost, n, m);
  const VectorXd& s = model.sizes;
  refuseWhatIsMissed(model, scaled(model), unitColumns(s.cwiseInverse().asDiagonal() * model.B),
                     unitColumns(s.asDiagonal() * cost.Q * s.asDiagonal()),
                     "is not reached by the inputs, and does not settle by itself",
                     "has no weight, and does not settle by itself");
  LinearFeedback result;
  if (!(sample > 0)) {
    result.cost = solveRiccati(model.A, model.B, cost);
    result.K = leftDivided(cost.R, model.B.transpose() * result.cost);
    result.poles = eigenpairs(model.A - model.B * result.K).values;
    return result;
  }
  // What x and u cost together is taken off by u = v - R^-1 N' x.
  const HeldInputs held = HeldInputs::over(sample, model.A, model.B, cost);
  const MatrixXd own = leftDivided(held.R, held.N.transpose());
  const MatrixXd A = held.A - held.B * own, Q = held.Q - held.N * own;
  result.cost = solveDiscreteRiccati(A, held.B, {0.5 * (Q + Q.transpose()), held.R});
  result.K = own + leftDivided(held.R + held.B.transpose() * result.cost * held.B,
                               held.B.transpose() * result.cost * A);
  result.poles = eigenpairs(held.A - held.B * result.K).values;
  return result;
}

LinearFeedback kalmanGain(const LinearModel& model, const QuadraticCost& noise) {
  const Index n = model.A.rows(), p = model.C.rows();
  check(noise, n, p);
  const VectorXd& s = model.sizes;
  refuseWhatIsMissed(
      model, scaled(model).transpose(), unitColumns(s.asDiagonal() * model.C.transpose()),
      unitColumns(s.cwiseInverse().asDiagonal() * noise.Q * s.cwiseInverse().asDiagonal()),
      "is not seen in the outputs, and does not settle by itself",
      "is driven by no noise, and does not settle by itself");
  LinearFeedback result;
  const MatrixXd A = model.A.transpose(), C = model.C.transpose();
  result.cost = solveRiccati(A, C, noise);
  result.K = leftDivided(noise.R, C.transpose() * result.cost);
  result.poles = eigenpairs(A - C * result.K).values;
  return result;
}

std::vector<ModeReach> modesReached(const LinearModel& model) {
  const VectorXd& s = model.sizes;
  const Eigenpairs all = eigenpairs(scaled(model));
  const MatrixXcd reach = all.left * (s.cwiseInverse().asDiagonal() * model.B);
  const MatrixXcd seen = model.C * s.asDiagonal() * all.right;
  std::vector<ModeReach> result;
  for (Index i = 0; i < all.values.size(); ++i) {
    if (all.values(i).imag() < 0) continue;
    Index most = 0;
    (all.right.col(i).cwiseAbs().cwiseProduct(all.left.row(i).transpose().cwiseAbs()))
        .maxCoeff(&most);
    ModeReach mode{all.values(i), modeText(all.values(i), coordinateOf(model, most)), {}, {}};
    for (Index j = 0; j < reach.cols(); ++j)
      mode.inputs.push_back(std::abs(reach(i, j)) / reach.col(j).cwiseAbs().maxCoeff());
    for (Index j = 0; j < seen.rows(); ++j)
      mode.outputs.push_back(std::abs(seen(j, i)) / seen.row(j).cwiseAbs().maxCoeff());
    result.push_back(std::move(mode));
  }
  std::ranges::stable_sort(result, {}, [](const ModeReach& m) { return std::abs(m.eigenvalue); });
  return result;
}

}  // namespace cardan
