// The decompositions of the engine, by what their results must satisfy.
#include "engine/structure/dense_algebra.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "components/principal_moments.h"
#include "engine/structure/blocks.h"

namespace cardan {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRounding = 1e-12;  // of some hundred operations on elements of order one
constexpr double kTolerance = 1e-9;  // of a rank

/// Elements in [-1, 1), the same ones everywhere.
MatrixXd elements(int rows, int columns, unsigned seed) {
  std::mt19937 random(seed);
  MatrixXd A(rows, columns);
  for (double& a : A.reshaped()) a = 2 * (random() * 0x1p-32) - 1;
  return A;
}

/// m x n of the given rank.
MatrixXd ofRank(int rank, int m, int n) { return elements(m, rank, 1) * elements(rank, n, 2); }

double largest(const MatrixXd& A) { return A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0; }

struct Shape {
  int m, n, rank;
};
const std::vector<Shape> kShapes{{1, 1, 1}, {1, 1, 0}, {4, 4, 4}, {4, 4, 2},   {7, 3, 3},
                                 {7, 3, 1}, {3, 7, 3}, {3, 7, 2}, {20, 20, 19}};
const std::vector<Shape> kEmpty{{0, 0, 0}, {0, 3, 0}, {3, 0, 0}};

}  // namespace

TEST_CASE("DenseLu: solves, again with another matrix, and shows pivots that are none") {
  DenseLu lu;
  for (int n : {1, 5, 40, 5}) {
    const MatrixXd A = elements(n, n, static_cast<unsigned>(n)) + 2 * MatrixXd::Identity(n, n);
    lu.factor(A);
    CHECK(lu.pivotsExceed(1e-6));
    CHECK(lu.reciprocalCondition() > 1e-6);
    const VectorXd wanted = VectorXd::LinSpaced(n, -1, 1);
    VectorXd x(n);
    lu.solve(A * wanted, x);
    CHECK(largest(x - wanted) < 1e6 * kRounding);
    CHECK(largest(A * lu.solve(MatrixXd::Identity(n, n)) - MatrixXd::Identity(n, n)) <
          1e6 * kRounding);
  }
  lu.factor(ofRank(2, 3, 3));
  CHECK_FALSE(lu.pivotsExceed(kTolerance));
  CHECK(lu.reciprocalCondition() < kTolerance);
  MatrixXd undefined = MatrixXd::Identity(3, 3);
  undefined(1, 1) = std::numeric_limits<double>::quiet_NaN();
  lu.factor(undefined);
  CHECK_FALSE(lu.pivotsExceed(0));
}

TEST_CASE("PivotedQr: its rank, its order and its Q belong to the columns of A") {
  for (const Shape& s : kShapes) {
    CAPTURE(s.m);
    CAPTURE(s.n);
    CAPTURE(s.rank);
    const MatrixXd A = ofRank(s.rank, s.m, s.n);
    const PivotedQr qr(A, kTolerance);
    CHECK(qr.rank() == s.rank);
    CHECK((qr.largestPivot() > 0) == (s.rank > 0));
    const MatrixXd Q = qr.Q();
    CHECK(largest(Q.transpose() * Q - MatrixXd::Identity(s.m, s.m)) < kRounding);
    CHECK(largest(Q.rightCols(s.m - s.rank).transpose() * A) < kRounding);
    MatrixXd independent(s.m, s.rank);
    for (int i = 0; i < s.rank; ++i) independent.col(i) = A.col(qr.columnOrder()[i]);
    CHECK(PivotedQr(independent, kTolerance).rank() == s.rank);
    // Normal equations of the least squares.
    const VectorXd b = elements(s.m, 1, 3);
    if (s.rank == s.n) CHECK(largest(A.transpose() * (A * qr.solve(b) - b)) < 1e3 * kRounding);
  }
}

TEST_CASE("OrthogonalFactors: least norm, null space and pseudo-inverse of any rank") {
  std::vector<Shape> shapes = kShapes;
  shapes.insert(shapes.end(), kEmpty.begin(), kEmpty.end());
  for (const Shape& s : shapes) {
    CAPTURE(s.m);
    CAPTURE(s.n);
    CAPTURE(s.rank);
    const MatrixXd A = ofRank(s.rank, s.m, s.n);
    const OrthogonalFactors factors(A, kTolerance);
    CHECK(factors.rank() == s.rank);
    CHECK(largest(factors.rotate(A).bottomRows(s.m - s.rank)) < kRounding);
    const MatrixXd N = factors.nullSpace();
    REQUIRE(N.rows() == s.n);
    REQUIRE(N.cols() == s.n - s.rank);
    CHECK(largest(A * N) < kRounding);
    CHECK(largest(N.transpose() * N - MatrixXd::Identity(N.cols(), N.cols())) < kRounding);
    const VectorXd b = elements(s.m, 1, 3), x = factors.leastNorm(b);
    CHECK(largest(A.transpose() * (A * x - b)) < 1e3 * kRounding);
    CHECK(largest(N.transpose() * x) < 1e3 * kRounding);
    const MatrixXd inverse = factors.pseudoInverse();
    CHECK(largest(inverse * b - x) < 1e3 * kRounding);
    CHECK(largest(A * inverse * A - A) < 1e3 * kRounding);
  }
}

TEST_CASE(
    "kernel: as many columns as the rank leaves, exact zeros where an unknown takes no part") {
  for (const Shape& s : kShapes) {
    const MatrixXd A = ofRank(s.rank, s.m, s.n), N = kernel(A, kTolerance);
    REQUIRE(N.rows() == s.n);
    REQUIRE(N.cols() == s.n - s.rank);
    CHECK(largest(A * N) < 1e3 * kRounding);
    CHECK(OrthogonalFactors(N, kTolerance).rank() == N.cols());
  }
  MatrixXd pair = MatrixXd::Identity(3, 3);
  pair.row(2) = pair.row(0);
  pair(0, 2) = pair(2, 2) = 5;
  const MatrixXd N = kernel(pair, kTolerance);
  REQUIRE(N.cols() == 1);
  CHECK(N(1, 0) == 0);
  CHECK(N(0, 0) == doctest::Approx(-5 * N(2, 0)));
  // What no equation holds is free, and nothing is free of nothing.
  CHECK(kernel(MatrixXd(0, 3), kTolerance) == MatrixXd::Identity(3, 3));
  CHECK(kernel(MatrixXd(3, 0), kTolerance).size() == 0);
  CHECK(kernel(MatrixXd(0, 0), kTolerance).size() == 0);
}

TEST_CASE("Symmetric matrices: solved by their lower half, and known to be definite or not") {
  const MatrixXd half = elements(6, 6, 4), positive = half * half.transpose();
  const VectorXd wanted = VectorXd::LinSpaced(6, -1, 1), b = positive * wanted;
  CHECK(isPositiveDefinite(positive));
  CHECK_FALSE(isPositiveDefinite(-positive));
  CHECK_FALSE(isPositiveDefinite(positive - 10 * MatrixXd::Identity(6, 6)));
  CHECK(largest(solveSymmetric(positive, b) - wanted) < 1e6 * kRounding);
  MatrixXd lower = positive.triangularView<Eigen::Lower>();
  VectorXd x = b;
  solvePositiveInPlace(lower, x);
  CHECK(largest(x - wanted) < 1e6 * kRounding);
}

TEST_CASE("Eigenvalues: those of an inertia tensor, and the signs of any others") {
  const Eigen::Matrix3d turned = PivotedQr(elements(3, 3, 5), kTolerance).Q();
  const Eigen::Vector3d moments =
      principalMoments(turned * Eigen::Vector3d(3, 1, 2).asDiagonal() * turned.transpose());
  CHECK(largest(moments - Eigen::Vector3d(1, 2, 3)) < kRounding);

  // A = T D T^-1 with a pair 2 +- 30 i, an eigenvalue near zero, and others.
  for (const auto& [lowest, stable] :
       {std::pair{1e-9, true}, {1e-3, true}, {-1e-9, false}, {-1.0, false}}) {
    CAPTURE(lowest);
    MatrixXd D = VectorXd::LinSpaced(6, 1, 40).asDiagonal();
    D.topLeftCorner(2, 2) << 2, -30, 30, 2;
    D(5, 5) = lowest;
    const MatrixXd T = elements(6, 6, 6) + 2 * MatrixXd::Identity(6, 6);
    DenseLu inverse;
    inverse.factor(T.transpose());
    CHECK(isPositiveStable(inverse.solve((T * D).transpose()).transpose()) == stable);
  }
  CHECK_FALSE(isPositiveStable(MatrixXd::Zero(2, 2)));
}

TEST_CASE("Small matrices: as the large ones do") {
  for (int n : {1, 3, 12}) {
    const SmallMatrix A = elements(n, n, static_cast<unsigned>(n)) + 2 * MatrixXd::Identity(n, n);
    const SmallMatrix positive = A * A.transpose();
    const SmallVector wanted = VectorXd::LinSpaced(n, -1, 1);
    CHECK(largest(solveSmall(A, A * wanted) - wanted) < 1e6 * kRounding);
    CHECK(largest(solveSmallSymmetric(positive, positive * wanted) - wanted) < 1e6 * kRounding);
    CHECK(largest(invertSmall(A) * A - MatrixXd::Identity(n, n)) < 1e6 * kRounding);
  }
  CHECK_FALSE(solveSmall(SmallMatrix::Zero(2, 2), SmallVector::Ones(2)).allFinite());
  CHECK_FALSE(invertSmall(SmallMatrix::Zero(2, 2)).allFinite());
}

TEST_CASE("Blocks: rows and columns that share elements, in their order; empty columns in none") {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 5), B = A;
  A(0, 3) = A(2, 3) = A(2, 0) = A(1, 1) = 1;
  const std::vector<Block> blocks = blocksOf(A);
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].rows == std::vector{0, 2});
  CHECK(blocks[0].columns == std::vector{0, 3});
  CHECK(blocks[1].columns == std::vector{1});
  CHECK(blocks[2].rows == std::vector{3});
  CHECK(blocks[2].columns.empty());
  B(3, 1) = B(0, 1) = 1;
  CHECK(blocksOf(A, B).size() == 1);
}

}  // namespace cardan
