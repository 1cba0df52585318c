// Columns without common rows in one direction; what the pattern does not know is noticed. Sparse
// factors against dense ones.
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "engine/dynamics/coloured_jacobian.h"
#include "engine/dynamics/sparse_lu.h"

using namespace cardan;

namespace {

/// A matrix that shows itself through directions, lane by lane.
struct Shown {
  Eigen::MatrixXd matrix;
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(matrix.cols(), kLanes);
  Eigen::MatrixXd results = Eigen::MatrixXd::Zero(matrix.rows(), kLanes);
  int evaluations = 0;

  bool fill(ColouredJacobian& sweep, BlockMatrix& A) {
    const bool known = sweep.fill(
        A, [&](int c, int lane, double on) { directions(c, lane) += on; },
        [&](int c, int lane) { directions(c, lane) = 0; },
        [&] {
          ++evaluations;
          results = matrix * directions;
        },
        [&](int i, int lane) { return results(i, lane); });
    if (!known) sweep.learn(A);
    CHECK(directions.isZero(0));
    return known;
  }
};

Eigen::MatrixXd band(int n) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - 1); j < std::min(n, i + 2); ++j) A(i, j) = 1 + i + 0.1 * j;
  }
  return A;
}

}  // namespace

TEST_CASE("ColouredJacobian: a band of three takes three directions, and one to be sure") {
  const int n = 10 * kLanes;
  Shown shown{band(n)};
  ColouredJacobian sweep(Partition::whole(n), Partition::whole(n));
  BlockMatrix A = BlockMatrix::zero(Partition::whole(n), Partition::whole(n));
  CHECK_FALSE(shown.fill(sweep, A));
  CHECK(shown.evaluations == 10);
  CHECK(A.dense() == shown.matrix);
  CHECK(sweep.groups() == 3);
  CHECK(sweep.rows().size() == static_cast<size_t>(3 * n - 2));

  shown.matrix *= 2;
  shown.evaluations = 0;
  CHECK(shown.fill(sweep, A));
  CHECK(shown.evaluations == (4 + kLanes - 1) / kLanes);
  CHECK(A.dense() == shown.matrix);
}

TEST_CASE("ColouredJacobian: an element outside of the pattern is noticed and learnt") {
  const int n = 10 * kLanes;
  Shown shown{band(n)};
  ColouredJacobian sweep(Partition::whole(n), Partition::whole(n));
  BlockMatrix A = BlockMatrix::zero(Partition::whole(n), Partition::whole(n));
  shown.fill(sweep, A);
  shown.matrix(3, n - 1) = 1e-3;
  CHECK_FALSE(shown.fill(sweep, A));
  CHECK(A.dense() == shown.matrix);
  CHECK(shown.fill(sweep, A));
  CHECK(A.dense() == shown.matrix);
  // What was zero once may be so again.
  shown.matrix(3, n - 1) = 0;
  CHECK(shown.fill(sweep, A));
  CHECK(A.dense() == shown.matrix);
}

TEST_CASE("ColouredJacobian: what is not finite teaches nothing") {
  const int n = 10 * kLanes;
  Shown shown{band(n)};
  ColouredJacobian sweep(Partition::whole(n), Partition::whole(n));
  BlockMatrix A = BlockMatrix::zero(Partition::whole(n), Partition::whole(n));
  shown.fill(sweep, A);
  shown.matrix(3, 4) = std::nan("");
  CHECK_FALSE(shown.fill(sweep, A));
  CHECK_FALSE(A.allFinite());
  shown.matrix(3, 4) = 1;
  CHECK_FALSE(shown.fill(sweep, A));
  CHECK(A.dense() == shown.matrix);
  CHECK(shown.fill(sweep, A));
  CHECK(sweep.groups() == 3);
  CHECK(A.dense() == shown.matrix);
}

TEST_CASE("ColouredJacobian: a required element belongs to the pattern while it is zero") {
  const int n = 10 * kLanes;
  Shown shown{band(n)};
  ColouredJacobian sweep(Partition::whole(n), Partition::whole(n));
  sweep.require(7, 2);
  BlockMatrix A = BlockMatrix::zero(Partition::whole(n), Partition::whole(n));
  shown.fill(sweep, A);
  CHECK(sweep.rows().size() == static_cast<size_t>(3 * n - 1));
  shown.matrix(7, 2) = 5;
  CHECK(shown.fill(sweep, A));
  CHECK(A.dense() == shown.matrix);
}

TEST_CASE("ColouredJacobian: a row that all columns share leaves nothing to group") {
  const int n = 4 * kLanes;
  Shown shown{band(n)};
  shown.matrix.row(5).setOnes();
  ColouredJacobian sweep(Partition::whole(n), Partition::whole(n));
  BlockMatrix A = BlockMatrix::zero(Partition::whole(n), Partition::whole(n));
  shown.fill(sweep, A);
  CHECK_FALSE(sweep.grouped());
  CHECK_FALSE(shown.fill(sweep, A));
  CHECK(A.dense() == shown.matrix);
}

TEST_CASE("ColouredJacobian: sets share directions before anything is known of them") {
  // Three sets, their rows and columns among each other.
  const int n = 9 * kLanes;
  std::vector<int> setOf;
  for (int i = 0; i < n; ++i) setOf.push_back(i % 3);
  Shown shown{Eigen::MatrixXd::Zero(n, n)};
  for (int j = 0; j < n; ++j) {
    for (int i = j % 3; i < n; i += 3) shown.matrix(i, j) = 1 + i + 0.1 * j;
  }
  const Partition sets(setOf, 3);
  ColouredJacobian sweep(sets, sets);
  BlockMatrix A = BlockMatrix::zero(sets, sets);
  CHECK_FALSE(shown.fill(sweep, A));
  CHECK(shown.evaluations == 3);
  CHECK(A.dense() == shown.matrix);
  CHECK(A.size() == n * n / 3);
  CHECK_FALSE(sweep.grouped());  // blocks are full
}

TEST_CASE("SparseLu: solves as dense factors do, again with the same pattern, and says singular") {
  const int n = 60;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  Eigen::MatrixXd A = band(n);
  std::vector<int> start{0}, rows;
  for (int c = 0; c < n; ++c) {
    A((7 * c + 3) % n, c) += 0.5;
    for (int i = 0; i < n; ++i) {
      if (A(i, c) != 0) rows.push_back(i);
    }
    start.push_back(static_cast<int>(rows.size()));
  }
  SparseLu lu;
  lu.analyse(start, rows);
  std::vector<double> values(rows.size());
  for (int round = 0; round < 3; ++round) {
    for (int c = 0; c < n; ++c) {
      for (int k = start[static_cast<size_t>(c)]; k < start[static_cast<size_t>(c) + 1]; ++k) {
        const size_t i = static_cast<size_t>(k);
        A(rows[i], c) = values[i] = number(random);
      }
    }
    REQUIRE(lu.factor(values));
    const Eigen::VectorXd wanted = Eigen::VectorXd::LinSpaced(n, -1, 1);
    Eigen::VectorXd b = A * wanted;
    lu.solve({b.data(), static_cast<size_t>(n)});
    CHECK((b - wanted).cwiseAbs().maxCoeff() <
          1e-9 * A.partialPivLu().inverse().cwiseAbs().maxCoeff());
  }
  for (int k = start[4]; k < start[5]; ++k) values[static_cast<size_t>(k)] = 0;
  CHECK_FALSE(lu.factor(values));
}
