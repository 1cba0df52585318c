#include "engine/control/riccati.h"

#include <cmath>
#include <complex>

#include "engine/analysis/eigenvalues.h"
#include "engine/motion_point.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kGood = 1e-9;       // of the largest term: residual that is taken
constexpr int kMostRefinements = 4;  // of Newton's method, towards roundoff
constexpr int kMostDoublings = 60;

[[noreturn]] void hasNone() {
  throw AnalysisError(
      "no linear feedback has a finite cost: some mode that does not settle is not reached by the "
      "inputs, or the weights do not see it");
}

MatrixXd symmetric(const MatrixXd& X) { return 0.5 * (X + X.transpose()); }

/// X that solves a linear equation with A and M, column by column of A's Schur form: `column` gives Y.col(j)
/// of Y = U* X U from T*, the columns before it times T(:, j), and F.col(j) of F = U* M U.
template <class Column>
MatrixXd solveBySchur(const MatrixXd& A, const MatrixXd& M, const Column& column) {
  const SchurForm s = schurForm(A);
  const Index n = A.rows();
  const MatrixXcd F = s.U.adjoint() * M * s.U, lower = s.T.adjoint();
  MatrixXcd Y(n, n);
  for (Index j = 0; j < n; ++j) {
    const VectorXcd before = Y.leftCols(j) * s.T.col(j).head(j);
    Y.col(j) = column(lower, s.T(j, j), before, VectorXcd(F.col(j)));
  }
  return symmetric((s.U * Y * s.U.adjoint()).real());
}

VectorXcd solveLower(const MatrixXcd& lower, const VectorXcd& right) {
  return lower.triangularView<Eigen::Lower>().solve(right);
}

/// X of  A' X + X A + M = 0.
MatrixXd solveLyapunov(const MatrixXd& A, const MatrixXd& M) {
  return solveBySchur(A, M,
                      [](const MatrixXcd& lower, std::complex<double> own, const VectorXcd& before,
                         const VectorXcd& F) {
                        return solveLower(
                            lower + own * MatrixXcd::Identity(lower.rows(), lower.cols()),
                            -F - before);
                      });
}

/// X of  X = A' X A + M.
MatrixXd solveStein(const MatrixXd& A, const MatrixXd& M) {
  return solveBySchur(A, M,
                      [](const MatrixXcd& lower, std::complex<double> own, const VectorXcd& before,
                         const VectorXcd& F) {
                        return solveLower(
                            MatrixXcd::Identity(lower.rows(), lower.cols()) - own * lower,
                            F + lower * before);
                      });
}

/// Newton's method from X, as long as the residual falls: `residual` gives that in parts of its largest
/// term, `next` the next X.
template <class Residual, class Next>
MatrixXd refined(MatrixXd X, const Residual& residual, const Next& next) {
  double best = residual(X);
  for (int i = 0; i < kMostRefinements; ++i) {
    const MatrixXd better = next(X);
    const double left = residual(better);
    if (!(left < best)) break;
    X = better;
    best = left;
  }
  if (!(best < kGood)) hasNone();
  return X;
}

}  // namespace

MatrixXd leftDivided(const MatrixXd& A, const MatrixXd& B) {
  DenseLu lu;
  lu.factor(A);
  return lu.solve(B);
}

MatrixXd solveRiccati(const MatrixXd& A, const MatrixXd& B, const QuadraticCost& cost) {
  const Index n = A.rows();
  const MatrixXd byInput = leftDivided(cost.R, B.transpose()), G = symmetric(B * byInput);
  MatrixXd H(2 * n, 2 * n);
  H << A, -G, -cost.Q, -A.transpose();
  // What keeps the form of H scales a state and its costate by reciprocals.
  const VectorXd d = balancing(H);
  VectorXd T(n);
  for (Index i = 0; i < n; ++i) T(i) = std::exp2(std::round(0.5 * std::log2(d(i) / d(n + i))));
  const VectorXd back = T.cwiseInverse();
  H << back.asDiagonal() * A * T.asDiagonal(), -(back.asDiagonal() * G * back.asDiagonal()),
      -(T.asDiagonal() * cost.Q * T.asDiagonal()),
      -(T.asDiagonal() * A.transpose() * back.asDiagonal());
  const SchurForm s = schurForm(H, [](std::complex<double> z) { return z.real() < 0; });
  if (s.first != n) hasNone();
  const MatrixXcd U1 = s.U.topLeftCorner(n, n), U2 = s.U.bottomLeftCorner(n, n);
  // X U1 = U2, as a real system of twice the size.
  MatrixXd left(2 * n, 2 * n), right(2 * n, n);
  left << U1.real().transpose(), -U1.imag().transpose(), U1.imag().transpose(),
      U1.real().transpose();
  right << U2.real().transpose(), U2.imag().transpose();
  const MatrixXd scaled = symmetric(leftDivided(left, right).topRows(n).transpose());
  const MatrixXd X = back.asDiagonal() * scaled * back.asDiagonal();
  const auto residual = [&](const MatrixXd& x) {
    const MatrixXd linear = A.transpose() * x, square = x * G * x;
    const double size = 2 * linear.norm() + square.norm() + cost.Q.norm();
    return (linear + linear.transpose() - square + cost.Q).norm() / size;
  };
  return refined(X, residual, [&](const MatrixXd& x) {
    const MatrixXd K = byInput * x;
    return solveLyapunov(A - B * K, cost.Q + K.transpose() * cost.R * K);
  });
}

MatrixXd solveDiscreteRiccati(const MatrixXd& A, const MatrixXd& B, const QuadraticCost& cost) {
  const Index n = A.rows();
  MatrixXd Ak = A, G = symmetric(B * leftDivided(cost.R, B.transpose())), X = cost.Q;
  for (int i = 0; i < kMostDoublings; ++i) {
    const MatrixXd W = MatrixXd::Identity(n, n) + G * X;
    const MatrixXd ofA = leftDivided(W, Ak), ofG = leftDivided(W, G);
    const MatrixXd more = symmetric(Ak.transpose() * X * ofA);
    G += symmetric(Ak * ofG * Ak.transpose());
    Ak = Ak * ofA;
    X += more;
    if (!X.allFinite()) hasNone();
    if (more.norm() <= 1e-16 * X.norm()) break;
  }
  const auto gain = [&](const MatrixXd& x) {
    return leftDivided(cost.R + B.transpose() * x * B, B.transpose() * x * A);
  };
  const auto residual = [&](const MatrixXd& x) {
    const MatrixXd kept = A.transpose() * x * A, saved = A.transpose() * x * B * gain(x);
    return (kept - saved + cost.Q - x).norm() / (x.norm() + kept.norm() + cost.Q.norm());
  };
  return refined(X, residual, [&](const MatrixXd& x) {
    const MatrixXd K = gain(x);
    return solveStein(A - B * K, cost.Q + K.transpose() * cost.R * K);
  });
}

}  // namespace cardan
