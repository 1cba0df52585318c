#include "engine/control/linear_feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
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
constexpr double kAlike = 1e-10;    // relative: rounding of weights
constexpr double kNegative = 1e-8;  // of a cost's diagonal: less than nothing
constexpr double kDigits = 1e-3;    // relative: bound of a cost's error; what comes is far below it

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
    return fmt::format("the mode of {:.4g} Hz of {}", std::abs(z.imag()) / (2 * std::numbers::pi),
                       name);
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

/// The least eigenvalue of a symmetric matrix, rows and columns in units that make its diagonal 1.
double leastPart(const MatrixXd& M) {
  const VectorXd units = M.diagonal().unaryExpr([](double d) { return d > 0 ? std::sqrt(d) : 1; });
  const VectorXd back = units.cwiseInverse();
  const MatrixXd unit = back.asDiagonal() * M * back.asDiagonal();
  return symmetricEigenpairs(unit, MatrixXd::Identity(M.rows(), M.cols())).values.minCoeff();
}

/// x' M x sees the symmetric part of M alone: another one is a mistake.
void checkSymmetric(const MatrixXd& M, const char* name) {
  const double most = M.cwiseAbs().maxCoeff();
  for (Index i = 0; i < M.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (std::abs(M(i, j) - M(j, i)) > kAlike * most)
        throw std::invalid_argument(
            fmt::format("weights must be symmetric: {0}[{1},{2}] is {3:g}, {0}[{2},{1}] is {4:g}",
                        name, j + 1, i + 1, M(j, i), M(i, j)));
    }
  }
}

QuadraticCost checked(const QuadraticCost& cost, Index states, Index inputs) {
  const bool sized = cost.Q.rows() == states && cost.Q.cols() == states &&
                     cost.R.rows() == inputs && cost.R.cols() == inputs;
  if (!sized || states == 0 || inputs == 0)
    throw std::invalid_argument("weights of another size than the model's");
  if (!cost.Q.allFinite() || !cost.R.allFinite())
    throw std::invalid_argument("weights must be finite");
  checkSymmetric(cost.Q, "Q");
  checkSymmetric(cost.R, "R");
  const QuadraticCost found{0.5 * (cost.Q + cost.Q.transpose()),
                            0.5 * (cost.R + cost.R.transpose())};
  if (!isPositiveDefinite(found.R))
    throw std::invalid_argument("weights of inputs must be positive");
  if (leastPart(found.Q) < -kAlike)
    throw std::invalid_argument("weights of states must not be negative");
  return found;
}

/// Throws where rounding has left no solution: what it holds must settle, and cost something.
void refuseWhatIsNone(const LinearFeedback& f, double sample) {
  constexpr double kRest = 64 * std::numeric_limits<double>::epsilon();
  const double slowest = sample > 0 ? f.poles.cwiseAbs().maxCoeff() - 1 : f.poles.real().maxCoeff();
  if (sample > 0 && slowest > -kRest && slowest < kOnAxis)
    throw AnalysisError(fmt::format(
        "samples of {:g} s fall in with a mode that does not settle by itself: at their "
        "instants it is not reached, or not seen",
        sample));
  if (slowest < 0 && leastPart(f.cost) >= -kNegative) return;
  throw AnalysisError(
      "the feedback that was found does not hold the model: weights, or the times in which modes "
      "grow, are too far apart for double precision");
}

[[noreturn]] void sampleIsTooLong(double sample) {
  throw AnalysisError(fmt::format(
      "samples of {:g} s are too long: what grows in one leaves no digits of the rest", sample));
}

/// Throws where the cost is the small difference of what grows within a sample.
void refuseLostDigits(const LinearFeedback& f, const HeldInputs& held, double sample) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const MatrixXd free = held.A.transpose() * f.cost * held.A + held.Q;
  const MatrixXd saved = f.K.transpose() * (held.R + held.B.transpose() * f.cost * held.B) * f.K;
  const double left = (free - saved - f.cost).norm() + kEpsilon * (free.norm() + saved.norm());
  if (!(left <= kDigits * f.cost.norm())) sampleIsTooLong(sample);
}

/// In the units that what is `held` is in.
LinearFeedback sampledFeedback(const HeldInputs& held, double sample) {
  if (!held.A.allFinite() || !held.Q.allFinite() || !held.R.allFinite()) sampleIsTooLong(sample);
  // What x and u cost together is taken off by u = v - R^-1 N' x.
  const MatrixXd own = leftDivided(held.R, held.N.transpose());
  const MatrixXd Av = held.A - held.B * own, Q = held.Q - held.N * own;
  LinearFeedback f;
  try {
    f.cost = solveDiscreteRiccati(Av, held.B, {0.5 * (Q + Q.transpose()), held.R});
  } catch (const AnalysisError&) {
    const double lost = std::numeric_limits<double>::epsilon() * held.Q.lpNorm<1>();
    if (!(lost <= kDigits * Q.lpNorm<1>())) sampleIsTooLong(sample);
    throw;
  }
  f.K = own + leftDivided(held.R + held.B.transpose() * f.cost * held.B,
                          held.B.transpose() * f.cost * Av);
  f.poles = eigenpairs(held.A - held.B * f.K).values;
  refuseLostDigits(f, held, sample);
  return f;
}

LinearFeedback continuousFeedback(const MatrixXd& A, const MatrixXd& B, const QuadraticCost& cost) {
  LinearFeedback f;
  f.cost = solveRiccati(A, B, cost);
  f.K = leftDivided(cost.R, B.transpose() * f.cost);
  f.poles = eigenpairs(A - B * f.K).values;
  return f;
}

/// `f` of states in units of `sizes`, of states as they are.
void scaleBack(LinearFeedback& f, const VectorXd& sizes) {
  const VectorXd back = sizes.cwiseInverse();
  f.K = f.K * back.asDiagonal();
  f.cost = back.asDiagonal() * f.cost * back.asDiagonal();
}

void checkSample(double sample) {
  if (!(sample >= 0) || !std::isfinite(sample))
    throw std::invalid_argument(fmt::format(
        "a sample must be a positive number of seconds, or 0 of continuous time, found {}",
        sample));
}

}  // namespace

LinearFeedback quadraticFeedback(const LinearModel& model, const QuadraticCost& cost,
                                 double sample) {
  checkSample(sample);
  const QuadraticCost weights = checked(cost, model.A.rows(), model.B.cols());
  const VectorXd& s = model.sizes;
  const MatrixXd A = scaled(model), B = s.cwiseInverse().asDiagonal() * model.B;
  const MatrixXd Q = s.asDiagonal() * weights.Q * s.asDiagonal();
  refuseWhatIsMissed(model, A, unitColumns(B), unitColumns(Q),
                     "is not reached by the inputs, and does not settle by itself",
                     "has no weight, and does not settle by itself");
  LinearFeedback result;
  if (sample > 0) {
    result = sampledFeedback(HeldInputs::over(sample, A, B, {Q, weights.R}), sample);
    scaleBack(result, s);
  } else {
    result = continuousFeedback(model.A, model.B, weights);
  }
  refuseWhatIsNone(result, sample);
  return result;
}

LinearFeedback kalmanGain(const LinearModel& model, const QuadraticCost& noise, double sample) {
  checkSample(sample);
  const QuadraticCost weights = checked(noise, model.A.rows(), model.C.rows());
  const VectorXd back = model.sizes.cwiseInverse();
  const MatrixXd Q = back.asDiagonal() * weights.Q * back.asDiagonal();
  const MatrixXd C = model.sizes.asDiagonal() * model.C.transpose();
  refuseWhatIsMissed(model, scaled(model).transpose(), unitColumns(C), unitColumns(Q),
                     "is not seen in the outputs, and does not settle by itself",
                     "is driven by no noise, and does not settle by itself");
  LinearFeedback result;
  if (sample > 0) {
    const Index n = model.A.rows();
    HeldInputs between =
        HeldInputs::over(sample, scaled(model).transpose(), MatrixXd(n, 0), {Q, MatrixXd(0, 0)});
    between.B = C;
    between.N = MatrixXd::Zero(n, C.cols());
    between.R = weights.R / sample;
    result = sampledFeedback(between, sample);
    scaleBack(result, back);
  } else {
    result = continuousFeedback(model.A.transpose(), model.C.transpose(), weights);
  }
  refuseWhatIsNone(result, sample);
  return result;
}

namespace {

/// The states that stand for the modes of a space, as many as it has dimensions: those that take most part.
std::vector<Index> statesOf(const EigenGroup& g) {
  MatrixXcd part = g.right * g.left;
  std::vector<Index> states;
  for (Index i = 0; i < g.right.cols(); ++i) {
    Index most = 0;
    part.diagonal().cwiseAbs().maxCoeff(&most);
    states.push_back(most);
    const MatrixXcd column = part.col(most), row = part.row(most);
    if (column(most) != 0.0) part -= column * row / column(most);
    part.row(most).setZero();
    part.col(most).setZero();
  }
  return states;
}

/// How much a mode has of each column of x at once, and of what its space makes of it in time; `row`: what
/// shows the mode.
VectorXd lengths(const MatrixXcd& row, const MatrixXcd& coupling, MatrixXcd x) {
  VectorXd squares = VectorXd::Zero(x.cols());
  for (Index i = 0; i < coupling.rows(); ++i) {
    squares += (row * x).colwise().squaredNorm().transpose();
    x = (coupling * x).eval();
  }
  return squares.cwiseSqrt() / row.norm();
}

}  // namespace

std::vector<ModeReach> modesReached(const LinearModel& model) {
  constexpr double kCoupled = 1e-4;  // of A: less is told as what it is
  const VectorXd& s = model.sizes;
  const MatrixXd A = scaled(model), B = s.cwiseInverse().asDiagonal() * model.B;
  const MatrixXd C = model.C * s.asDiagonal();
  std::vector<ModeReach> result;
  VectorXd reached = VectorXd::Zero(B.cols()), seen = VectorXd::Zero(C.rows());
  for (const EigenGroup& g : eigenGroups(A)) {
    if (g.value.imag() < 0) continue;
    const double most = std::max(g.coupling.norm(), kCoupled * A.norm());
    const MatrixXcd coupling = g.coupling / (most > 0 ? most : 1);
    for (const Index state : statesOf(g)) {
      const VectorXd by = lengths(g.right.row(state), coupling, g.left * B);
      const VectorXd in =
          lengths(g.left.col(state).transpose(), coupling.transpose(), (C * g.right).transpose());
      result.push_back({g.value,
                        modeText(g.value, coordinateOf(model, state)),
                        {by.begin(), by.end()},
                        {in.begin(), in.end()}});
      reached = reached.cwiseMax(by);
      seen = seen.cwiseMax(in);
    }
  }
  // Of what the signal has of all modes; 0 where it has nothing of any.
  const auto share = [](std::vector<double>& parts, const VectorXd& largest) {
    for (size_t j = 0; j < parts.size(); ++j) {
      if (largest[static_cast<Index>(j)] > 0) parts[j] /= largest[static_cast<Index>(j)];
    }
  };
  for (ModeReach& m : result) {
    share(m.inputs, reached);
    share(m.outputs, seen);
  }
  std::ranges::stable_sort(result, {}, [](const ModeReach& m) { return std::abs(m.eigenvalue); });
  return result;
}

}  // namespace cardan
