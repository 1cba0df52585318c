#include "engine/analysis/eigenvalues.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace cardan {

using Eigen::MatrixXd;
using Eigen::Ref;

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;

constexpr double kUnitRounding = std::numeric_limits<double>::epsilon();
constexpr double kUncertain = 100;  // of eps: what eigenvalues are uncertain by
constexpr double kSplit = 1e-5;     // of A: the farthest that a multiple one comes apart
constexpr double kParallel = 0.99;  // of vectors' product
constexpr double kClear = 1e4;      // vectors that need no Schur form

/// An inverse with no pivot below rounding: what is (nearly) dependent becomes as long as 1/eps.
MatrixXcd inverseOf(const MatrixXcd& V) {
  const Eigen::PartialPivLU<MatrixXcd> lu(V);
  MatrixXcd factors = lu.matrixLU();
  for (Complex& pivot : factors.diagonal()) {
    if (!(std::abs(pivot) >= kUnitRounding)) pivot = kUnitRounding;
  }
  MatrixXcd inverse = lu.permutationP() * MatrixXcd::Identity(V.rows(), V.cols());
  factors.triangularView<Eigen::UnitLower>().solveInPlace(inverse);
  factors.triangularView<Eigen::Upper>().solveInPlace(inverse);
  return inverse;
}

/// Columns that are clearly independent, made so.
MatrixXcd orthonormal(MatrixXcd V) {
  for (Index j = 0; j < V.cols(); ++j) {
    const auto before = V.leftCols(j);
    V.col(j) -= (before * (before.adjoint() * V.col(j))).eval();
    V.col(j).normalize();
  }
  return V;
}

/// The first columns of U: the space of those of `all` that are `members`.
MatrixXcd spaceOf(const MatrixXd& A, const Eigen::VectorXcd& all,
                  const std::vector<Index>& members) {
  const SchurForm form = schurForm(A, [&](Complex z) {
    Index nearest = 0;
    (all.array() - z).abs().minCoeff(&nearest);
    return std::ranges::find(members, nearest) != members.end();
  });
  return form.U.leftCols(std::ssize(members));
}

/// Rounding moves either of the two to the other: far only where their vectors are (nearly) one.
bool areOne(const Eigenpairs& e, Index i, Index j, double size) {
  const double apart = std::abs(e.values(i) - e.values(j)),
               moved = kUncertain * kUnitRounding * size;
  if (apart <= moved) return true;
  const double length = std::min(e.left.row(i).norm(), e.left.row(j).norm());
  return apart <= std::min(moved * length, kSplit * size) &&
         std::abs(e.right.col(i).dot(e.right.col(j))) > kParallel;
}

/// Which of the eigenvalues belong together.
std::vector<std::vector<Index>> together(const Eigenpairs& e, double size) {
  const Index n = e.values.size();
  std::vector<std::vector<Index>> groups;
  std::vector<bool> taken(static_cast<size_t>(n));
  for (Index first = 0; first < n; ++first) {
    if (taken[static_cast<size_t>(first)]) continue;
    std::vector<Index> group{first};
    taken[static_cast<size_t>(first)] = true;
    for (size_t at = 0; at < group.size(); ++at) {
      for (Index j = 0; j < n; ++j) {
        if (taken[static_cast<size_t>(j)] || !areOne(e, group[at], j, size)) continue;
        taken[static_cast<size_t>(j)] = true;
        group.push_back(j);
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

/// The z with det(S - z T) = 0 of what QZ makes of a pencil: blocks of one or two rows, T's diagonal.
std::vector<Complex> ofTriangular(const MatrixXd& S, const MatrixXd& T) {
  std::vector<Complex> all;
  const Index n = S.rows();
  for (Index i = 0; i < n; ++i) {
    if (i + 1 == n || S(i + 1, i) == 0) {
      all.emplace_back(S(i, i) / T(i, i));
      continue;
    }
    Eigen::Matrix2d block = S.block<2, 2>(i, i);
    block.row(0) /= T(i, i);
    block.row(1) /= T(i + 1, i + 1);
    const double middle = block.trace() / 2, half = (block(0, 0) - block(1, 1)) / 2;
    const Complex apart = std::sqrt(Complex(half * half + block(0, 1) * block(1, 0)));
    all.insert(all.end(), {middle + apart, middle - apart});
    ++i;
  }
  return all;
}

/// The z with det(A - z E) = 0 where QZ does not come to an end, as it may where the pencil is nearly singular
/// and pairs are there twice: by the eigenvalues of (A - shift E)^-1 E.
std::vector<Complex> aroundShift(const MatrixXd& A, const MatrixXd& E) {
  const double shift = A.norm() / (std::numbers::phi * E.norm());
  const MatrixXd inverse = Eigen::PartialPivLU<MatrixXd>(A - shift * E).solve(E);
  std::vector<Complex> all;
  if (!inverse.allFinite()) return all;
  const Eigen::EigenSolver<MatrixXd> solver(inverse, false);
  for (Index i = 0; solver.info() == Eigen::Success && i < inverse.rows(); ++i) {
    all.push_back(shift + 1.0 / solver.eigenvalues()(i));
  }
  return all;
}

}  // namespace

Eigenpairs eigenpairs(const Ref<const MatrixXd>& A) {
  const Eigen::EigenSolver<MatrixXd> solver(A);
  Eigenpairs e{solver.eigenvalues(), solver.eigenvectors(), {}};
  e.left = inverseOf(e.right);
  return e;
}

std::vector<EigenGroup> eigenGroups(const Ref<const MatrixXd>& A) {
  const Eigenpairs e = eigenpairs(A);
  const double size = A.norm();
  std::vector<EigenGroup> result;
  for (const std::vector<Index>& members : together(e, size)) {
    EigenGroup& g = result.emplace_back();
    g.right = e.right(Eigen::all, members);
    g.left = e.left(members, Eigen::all);
    if (members.size() > 1) {
      const bool isClear = g.left.rowwise().norm().maxCoeff() < kClear;
      g.right = isClear ? orthonormal(g.right) : spaceOf(A, e.values, members);
      if (!isClear) g.left = spaceOf(A.transpose(), e.values, members).transpose();
      g.left = Eigen::PartialPivLU<MatrixXcd>(g.left * g.right).solve(g.left).eval();
    }
    g.value = e.values(members).mean();
    const double moved = kUncertain * kUnitRounding * size * g.left.norm();
    if (std::abs(g.value.imag()) <= moved) g.value.imag(0);
    if (std::abs(g.value) <= moved) g.value = 0;
    const auto unit = MatrixXcd::Identity(g.left.rows(), g.left.rows());
    g.coupling = g.left * A * g.right - g.value * unit;
  }
  return result;
}

Eigen::VectorXcd pencilEigenvalues(const Ref<const MatrixXd>& A, const Ref<const MatrixXd>& E) {
  Eigen::RealQZ<MatrixXd> qz(A.rows());
  qz.compute(A, E, false);
  std::vector<Complex> all =
      qz.info() == Eigen::Success ? ofTriangular(qz.matrixS(), qz.matrixT()) : aroundShift(A, E);
  std::erase_if(all, [](Complex z) { return !std::isfinite(std::abs(z)); });
  return Eigen::Map<const Eigen::VectorXcd>(all.data(), std::ssize(all));
}

SymmetricEigenpairs symmetricEigenpairs(const Ref<const MatrixXd>& K,
                                        const Ref<const MatrixXd>& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SchurForm schurForm(const Ref<const MatrixXd>& A,
                    const std::function<bool(std::complex<double>)>& isFirst) {
  const Eigen::ComplexSchur<MatrixXd> solver(A);
  SchurForm form{solver.matrixT(), solver.matrixU()};
  if (!isFirst) return form;
  const Eigen::Index n = A.rows();
  for (Eigen::Index at = 0; at < n; ++at) {
    if (!isFirst(form.T(at, at))) continue;
    // Two neighbours change places by the rotation that makes the second one's vector the first.
    for (Eigen::Index k = at - 1; k >= form.first; --k) {
      Eigen::JacobiRotation<std::complex<double>> turn;
      turn.makeGivens(form.T(k, k + 1), form.T(k + 1, k + 1) - form.T(k, k));
      form.T.applyOnTheLeft(k, k + 1, turn.adjoint());
      form.T.applyOnTheRight(k, k + 1, turn);
      form.U.applyOnTheRight(k, k + 1, turn);
      form.T(k + 1, k) = 0;
    }
    ++form.first;
  }
  return form;
}

Eigen::VectorXd balancing(const Ref<const MatrixXd>& A) {
  Eigen::VectorXd d = Eigen::VectorXd::Ones(A.rows());
  MatrixXd B = A;
  bool done = false;
  for (int pass = 0; !done && pass < 100; ++pass) {
    done = true;
    for (Eigen::Index i = 0; i < B.rows(); ++i) {
      const double c = B.col(i).cwiseAbs().sum() - std::abs(B(i, i));
      const double r = B.row(i).cwiseAbs().sum() - std::abs(B(i, i));
      if (c == 0 || r == 0) continue;
      const double f = std::exp2(std::round(std::log2(r / c) / 2));
      if (c * f + r / f >= 0.95 * (c + r)) continue;
      done = false;
      d[i] *= f;
      B.col(i) *= f;
      B.row(i) /= f;
    }
  }
  return d;
}

}  // namespace cardan
