/// Dense linear algebra: the decompositions that the engine takes, each for what it is good at.
///
/// Eigen's decompositions are long templates. Each is included by one file of this folder (that of
/// eigenvalues: analysis/eigenvalues.h); all others include <Eigen/Core> for matrices, sums and
/// products. Tolerances of ranks are relative to the largest pivot. Elements must be finite, except
/// where it says otherwise.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "engine/structure/indices.h"

namespace cardan {

/// LU factors of a square matrix, rows exchanged for the largest pivot of each column (partial
/// pivoting). A new matrix of the same size allocates nothing.
class DenseLu {
 public:
  DenseLu();
  ~DenseLu();

  /// Factorises A (n x n). Always succeeds: ask pivotsExceed() whether the factors can be used.
  void factor(const Eigen::Ref<const Eigen::MatrixXd>& A);
  /// All pivots are larger than `bound` in magnitude; none that is not a number is.
  bool pivotsExceed(double bound) const;
  /// Magnitude of the smallest pivot: of a matrix with rows and columns of magnitude 1, how far it
  /// is from a singular one.
  double smallestPivot() const;
  /// Estimate of 1 / (|A|_1 |A^-1|_1): zero where A is singular.
  double reciprocalCondition() const;

  /// A x = b; both of length n, not the same. Allocates nothing.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> x) const;
  /// A^-1 B, with B of n rows.
  Eigen::MatrixXd solve(const Eigen::Ref<const Eigen::MatrixXd>& B) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// A P = Q R of any matrix (m x n) by Householder reflections, columns exchanged by P for the
/// longest remainder: the factors that show a rank.
class PivotedQr {
 public:
  /// Pivots up to `tolerance` times the largest count as zero. A matrix without elements has rank 0,
  /// and nothing else.
  PivotedQr(const Eigen::Ref<const Eigen::MatrixXd>& A, double tolerance);
  ~PivotedQr();

  int rank() const;
  double largestPivot() const;
  double pivot(int i) const;  ///< magnitude of the i-th, from 0; they do not grow
  /// Columns of A in the order of their pivots: the first rank() are independent.
  Eigen::VectorXi columnOrder() const;
  /// The orthogonal factor (m x m): its first rank() columns span the columns of A.
  Eigen::MatrixXd Q() const;
  /// Least squares: x of length n with the shortest A x - b; exact zeros among the pivots give
  /// elements of zero.
  Eigen::VectorXd solve(const Eigen::Ref<const Eigen::VectorXd>& b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// A P = Q [T 0; 0 0] Z of any matrix (m x n), T of the size of the rank: the complete orthogonal
/// decomposition, which leaves nothing open where A determines nothing.
class OrthogonalFactors {
 public:
  /// Pivots up to `tolerance` times the largest count as zero. A matrix without elements has rank 0:
  /// all x are in its null space, no b is reached.
  OrthogonalFactors(const Eigen::Ref<const Eigen::MatrixXd>& A, double tolerance);
  OrthogonalFactors(OrthogonalFactors&& other) noexcept;
  ~OrthogonalFactors();

  int rank() const;
  /// Q' B, with B of m rows: its last m - rank() rows are what A x cannot reach.
  Eigen::MatrixXd rotate(const Eigen::Ref<const Eigen::MatrixXd>& B) const;
  /// Of all x of length n with the shortest A x - b the shortest.
  Eigen::VectorXd leastNorm(const Eigen::Ref<const Eigen::VectorXd>& b) const;
  /// Orthonormal basis of the x with A x = 0, a column each: n x (n - rank).
  Eigen::MatrixXd nullSpace() const;
  /// A^+ (n x m): leastNorm() of any b is A^+ b.
  Eigen::MatrixXd pseudoInverse() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// The tolerance of a rank that leaves only the rounding of A itself: eps times its smaller side.
double roundingTolerance(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// Basis of the x with A x = 0, a column each, no columns where A has full column rank. By LU with
/// complete pivoting: not orthonormal, but with exact zeros where an unknown takes no part.
Eigen::MatrixXd kernel(const Eigen::Ref<const Eigen::MatrixXd>& A, double tolerance);

/// b becomes the solution x of A x = b, A symmetric and positive definite (n x n, the lower half is
/// read); A becomes its Cholesky factor. Allocates nothing.
void solvePositiveInPlace(Eigen::Ref<Eigen::MatrixXd> A, Eigen::Ref<Eigen::VectorXd> b);
/// The same with the factor that it has left in the lower half.
void solveByCholesky(const Eigen::Ref<const Eigen::MatrixXd>& factor,
                     Eigen::Ref<Eigen::VectorXd> b);
/// x of A x = b, A symmetric and semidefinite (n x n, the lower half is read).
Eigen::VectorXd solveSymmetric(const Eigen::Ref<const Eigen::MatrixXd>& A,
                               const Eigen::Ref<const Eigen::VectorXd>& b);
/// Of a symmetric matrix, by its lower half.
bool isPositiveDefinite(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// All eigenvalues of A (n x n) have a positive real part; false where one of them is too small for
/// its sign to be known.
bool isPositiveStable(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// Matrices of one joint's positions: as large as need be, on the stack.
using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxPerEdge, kMaxPerEdge>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxPerEdge, 1>;

/// x of A x = b, A square; not finite where A is singular.
SmallVector solveSmall(const SmallMatrix& A, const SmallVector& b);
/// x of A x = b, A symmetric and semidefinite.
SmallVector solveSmallSymmetric(const SmallMatrix& A, const SmallVector& b);
/// A^-1; not finite where A is singular.
SmallMatrix invertSmall(const SmallMatrix& A);

}  // namespace cardan
