#include "engine/analysis/modes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "engine/analysis/eigenvalues.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kZero = 1e-11;       // of a balanced matrix's pivots: its null space
constexpr double kNothing = 1e-15;    // of the largest element of a row
constexpr double kRounding = 1e-12;   // relative
constexpr double kShown = 1e-3;       // share of a coordinate that is worth its name
constexpr double kSymmetric = 1e-9;   // relative
constexpr double kOnTheAxis = 1e-10;  // a real part, relative: neither grows nor decays

/// Names of coordinates: a velocity counts for the position whose rate it is.
std::vector<int> coordinateOf(const LinearModel& m) {
  std::vector<int> of(m.states.size());
  std::iota(of.begin(), of.end(), 0);
  for (size_t i = 0; i < of.size(); ++i) {
    if (m.rateOf[i] >= 0) of[i] = m.rateOf[i];
  }
  return of;
}

void setShares(const LinearModel& m, const VectorXd& parts, EigenMode& mode) {
  const std::vector<int> of = coordinateOf(m);
  std::vector<double> shares(m.states.size(), 0.0);
  double sum = 0;
  for (size_t i = 0; i < of.size(); ++i) {
    shares[of[i]] += parts[i];
    sum += parts[i];
  }
  for (size_t i = 0; i < shares.size(); ++i) {
    if (sum > 0 && shares[i] > kShown * sum)
      mode.participation.emplace_back(m.states[i].name, shares[i] / sum);
  }
  std::stable_sort(mode.participation.begin(), mode.participation.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second + 1e-9; });
}

/// Zeros of a matrix A split off: rows and columns that are left, with the eigenvectors' way back.
struct Deflated {
  MatrixXd A;
  struct Level {
    MatrixXd null, rest;  ///< orthonormal bases: of what A sends to zero, and of all else
    MatrixXd coupling;    ///< null' A rest
  };
  std::vector<Level> levels;
  int zeros = 0;

  explicit Deflated(const MatrixXd& matrix) : A(matrix) {
    while (A.rows() > 0) {
      const MatrixXd null = A.isZero(0) ? MatrixXd(MatrixXd::Identity(A.rows(), A.rows()))
                                        : OrthogonalFactors(A, kZero).nullSpace();
      const Index k = null.cols();
      if (k == 0) break;
      Level level;
      const MatrixXd Q = PivotedQr(null, kRounding).Q();
      level.null = Q.leftCols(k);
      level.rest = Q.rightCols(A.rows() - k);
      level.coupling = level.null.transpose() * A * level.rest;
      zeros += k;
      A = (level.rest.transpose() * A * level.rest).eval();
      levels.push_back(std::move(level));
    }
  }

  /// Eigenvectors of what is left as those of the whole.
  VectorXcd right(VectorXcd v, std::complex<double> value) const {
    for (size_t i = levels.size(); i-- > 0;) {
      const Level& l = levels[i];
      v = (l.rest * v + l.null * ((l.coupling * v) / value)).eval();
    }
    return v;
  }
  VectorXcd left(VectorXcd w) const {
    for (size_t i = levels.size(); i-- > 0;) w = (levels[i].rest * w).eval();
    return w;
  }
};

/// A without what is rounding beside the largest of its row, in typical sizes of the states: zeros
/// that balancing would take for something small.
MatrixXd withoutRounding(const LinearModel& m) {
  MatrixXd A = m.A;
  if (m.sizes.size() != A.rows()) return A;
  for (Index i = 0; i < A.rows(); ++i) {
    const Eigen::RowVectorXd row = A.row(i).cwiseAbs().cwiseProduct(m.sizes.transpose());
    const double least = kNothing * row.maxCoeff();
    for (Index k = 0; k < A.cols(); ++k) {
      if (row[k] < least) A(i, k) = 0;
    }
  }
  return A;
}

void general(const LinearModel& m, ModalAnalysis& out) {
  const MatrixXd A = withoutRounding(m);
  const VectorXd d = balancing(A);
  const MatrixXd balanced = d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
  const Deflated deflated(balanced);
  out.zeros = deflated.zeros;
  VectorXd moves = VectorXd::Zero(m.A.rows());
  if (!deflated.levels.empty()) moves = deflated.levels[0].null.rowwise().norm();
  for (Index i = 0; i < moves.size(); ++i) {
    if (moves[i] > 1e-6) out.freeMovements.push_back(m.states[i].name);
  }
  if (deflated.A.rows() == 0) return;
  const Eigenpairs pairs = eigenpairs(deflated.A);
  for (Index k = 0; k < pairs.values.size(); ++k) {
    if (pairs.values[k].imag() < 0) continue;
    EigenMode mode;
    mode.eigenvalue = pairs.values[k];
    const VectorXcd v = deflated.right(pairs.right.col(k), pairs.values[k]);
    const VectorXcd w = deflated.left(pairs.left.row(k).transpose());
    mode.condition = w.norm() * v.norm();
    if (!std::isfinite(mode.condition)) mode.condition = std::numeric_limits<double>::infinity();
    mode.shape = d.asDiagonal() * v;
    const VectorXd parts = v.cwiseProduct(w).cwiseAbs();
    if (parts.allFinite()) setShares(m, parts, mode);
    out.modes.push_back(std::move(mode));
  }
}

/// The modes of an eigenvalue of M v' = -K q: an oscillation where the square of its frequency is
/// positive, else one that grows and one that fades.
void addModes(const LinearModel& m, double square, const VectorXd& shape,
              const std::vector<Index>& positions, const std::vector<Index>& velocities,
              ModalAnalysis& out) {
  const VectorXd parts = shape.cwiseProduct(m.mass * shape).cwiseAbs();
  const double root = std::sqrt(std::abs(square));
  std::vector<std::complex<double>> values{{0.0, root}};
  if (square < 0) values = {{root, 0.0}, {-root, 0.0}};
  for (const std::complex<double> value : values) {
    EigenMode mode;
    mode.eigenvalue = value;
    mode.shape.setZero(m.A.rows());
    VectorXd shares = VectorXd::Zero(m.A.rows());
    for (Index i = 0; i < shape.size(); ++i) {
      const Index q = positions[i], v = velocities[i];
      mode.shape[q] = shape[i];
      mode.shape[v] = value * shape[i];
      shares[q] = parts[i];
    }
    setShares(m, shares, mode);
    out.modes.push_back(std::move(mode));
  }
}

/// Positions whose rates are the velocities, and nothing but M v' = -K q with symmetric matrices:
/// the squares of the frequencies are eigenvalues of a symmetric problem. False: it is none.
bool conservative(const LinearModel& m, ModalAnalysis& out) {
  const Index n = m.A.rows() / 2;
  if (m.A.rows() != 2 * n || n == 0 || m.mass.rows() != n || m.stiffness.rows() != n) return false;
  std::vector<Index> positions, velocities;
  for (size_t i = 0; i < m.states.size(); ++i) {
    if (m.rateOf[i] < 0) continue;
    velocities.push_back(i);
    positions.push_back(m.rateOf[i]);
  }
  if (std::ssize(velocities) != n) return false;
  MatrixXd of(n, n), K(n, n);
  double damping = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < n; ++k) {
      of(i, k) = m.A(velocities[i], positions[k]);
      damping = std::max(damping, std::abs(m.A(velocities[i], velocities[k])));
      K(i, k) = m.stiffness(i, positions[k]);
    }
  }
  const double stiff = of.cwiseAbs().maxCoeff();
  if (damping > kRounding * std::sqrt(stiff)) return false;
  const double size = K.cwiseAbs().maxCoeff(), mass = m.mass.cwiseAbs().maxCoeff();
  // Parts whose own unknowns follow the accelerations are missing in the mass.
  if ((m.mass * of + K).cwiseAbs().maxCoeff() > kSymmetric * std::max(size, mass * stiff))
    return false;
  if ((K - K.transpose()).cwiseAbs().maxCoeff() > kSymmetric * size) return false;
  if ((m.mass - m.mass.transpose()).cwiseAbs().maxCoeff() > kSymmetric * mass) return false;
  if (!isPositiveDefinite(m.mass)) return false;
  const SymmetricEigenpairs pairs = symmetricEigenpairs((K + K.transpose()) / 2, m.mass);
  const double largest = pairs.values.cwiseAbs().maxCoeff();
  VectorXd moves = VectorXd::Zero(n);
  for (Index k = 0; k < n; ++k) {
    const double square = pairs.values[k];
    const VectorXd shape = pairs.vectors.col(k);
    if (std::abs(square) <= kRounding * largest) {
      out.zeros += 2;
      moves += shape.cwiseAbs() / shape.cwiseAbs().maxCoeff();
      continue;
    }
    addModes(m, square, shape, positions, velocities, out);
  }
  for (Index i = 0; i < n; ++i) {
    if (moves[i] > 1e-6) out.freeMovements.push_back(m.states[positions[i]].name);
  }
  out.conservative = true;
  return true;
}

}  // namespace

double EigenMode::frequency() const { return std::abs(eigenvalue.imag()) / (2 * std::numbers::pi); }

double EigenMode::dampingRatio() const {
  return eigenvalue.real() == 0 ? 0 : -eigenvalue.real() / std::abs(eigenvalue);
}

double EigenMode::timeConstant() const {
  return std::abs(eigenvalue.real()) <= kOnTheAxis * std::abs(eigenvalue)
             ? std::numeric_limits<double>::infinity()
             : 1 / std::abs(eigenvalue.real());
}

ModalAnalysis findModes(const LinearModel& model) {
  ModalAnalysis out;
  if (!conservative(model, out)) general(model, out);
  std::stable_sort(out.modes.begin(), out.modes.end(), [](const EigenMode& a, const EigenMode& b) {
    return std::abs(a.eigenvalue) < std::abs(b.eigenvalue);
  });
  for (const EigenMode& m : out.modes) {
    if (m.eigenvalue.real() > kOnTheAxis * std::abs(m.eigenvalue))
      out.unstable += m.isPair() ? 2 : 1;
  }
  return out;
}

}  // namespace cardan
