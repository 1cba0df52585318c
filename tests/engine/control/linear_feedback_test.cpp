// Linear feedback: gains against closed forms, the equations that they solve, and each other.
#include "engine/control/linear_feedback.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>

#include "engine/analysis/eigenvalues.h"
#include "engine/control/held_inputs.h"
#include "engine/motion_point.h"
#include "tests/engine/control/linear_systems.h"

using namespace cardan;
using Eigen::MatrixXd;

namespace {

MatrixXd randomMatrix(int rows, int columns, std::mt19937& random) {
  std::normal_distribution<double> normal;
  MatrixXd A(rows, columns);
  for (double& x : A.reshaped()) x = normal(random);
  return A;
}

QuadraticCost unitCost(int states, int inputs) {
  return {MatrixXd::Identity(states, states), MatrixXd::Identity(inputs, inputs)};
}

}  // namespace

TEST_CASE("Riccati: the double integrator's solution is the closed form") {
  // X = [sqrt(q + 2 sqrt(q r)) ...] for Q = I, R = 1: [[sqrt 3, 1], [1, sqrt 3]].
  const LinearFeedback f = quadraticFeedback(plants::doubleIntegrator(), unitCost(2, 1));
  CHECK((f.cost - Eigen::Matrix2d{{std::sqrt(3), 1}, {1, std::sqrt(3)}}).norm() < 1e-14);
  CHECK((f.K - Eigen::RowVector2d(1, std::sqrt(3))).norm() < 1e-14);
}

TEST_CASE("Riccati: solutions of random systems satisfy their equations, and are stable") {
  std::mt19937 random(7);
  for (int i = 0; i < 50; ++i) {
    CAPTURE(i);
    const int n = 1 + i % 12, m = 1 + i % 3;
    const MatrixXd A = randomMatrix(n, n, random), B = randomMatrix(n, m, random);
    const MatrixXd half = randomMatrix(n, n, random), r = randomMatrix(m, m, random);
    const QuadraticCost cost{half.transpose() * half, r.transpose() * r + MatrixXd::Identity(m, m)};
    const MatrixXd X = solveRiccati(A, B, cost), K = leftDivided(cost.R, B.transpose() * X);
    const MatrixXd left = A.transpose() * X + X * A - X * B * K + cost.Q;
    CHECK(left.norm() < 1e-11 * (X.norm() * A.norm() + cost.Q.norm()));
    CHECK(eigenpairs(A - B * K).values.real().maxCoeff() < 0);
    const MatrixXd Y = solveDiscreteRiccati(A, B, cost);
    const MatrixXd D = leftDivided(cost.R + B.transpose() * Y * B, B.transpose() * Y * A);
    const MatrixXd rest = A.transpose() * Y * A - A.transpose() * Y * B * D + cost.Q - Y;
    CHECK(rest.norm() < 1e-11 * (Y.norm() * (1 + A.norm() * A.norm())));
    CHECK(eigenpairs(A - B * D).values.cwiseAbs().maxCoeff() < 1);
  }
}

TEST_CASE("Riccati: scales of the states that are far apart change nothing") {
  std::mt19937 random(3);
  const int n = 6;
  const MatrixXd A = randomMatrix(n, n, random), B = randomMatrix(n, 2, random);
  const MatrixXd K =
      leftDivided(MatrixXd::Identity(2, 2), B.transpose() * solveRiccati(A, B, unitCost(n, 2)));
  Eigen::VectorXd d(n);
  for (int i = 0; i < n; ++i) d[i] = std::pow(10.0, 2 * i - 5);
  const MatrixXd scaledA = d.asDiagonal() * A * d.cwiseInverse().asDiagonal();
  const MatrixXd scaledB = d.asDiagonal() * B;
  QuadraticCost cost = unitCost(n, 2);
  cost.Q = d.cwiseInverse().cwiseAbs2().asDiagonal();
  const MatrixXd scaledK = scaledB.transpose() * solveRiccati(scaledA, scaledB, cost);
  CHECK((scaledK * d.asDiagonal() - K).norm() < 1e-9 * K.norm());
}

TEST_CASE("Held inputs: a double integrator's sample and its cost in closed form") {
  const double h = 0.3, q = 2, r = 0.5;
  const LinearModel m = plants::doubleIntegrator();
  const HeldInputs s = HeldInputs::over(
      h, m.A, m.B,
      {Eigen::Vector2d(q, 0).asDiagonal().toDenseMatrix(), MatrixXd::Constant(1, 1, r)});
  CHECK((s.A - Eigen::Matrix2d{{1, h}, {0, 1}}).norm() < 1e-15);
  CHECK((s.B - Eigen::Vector2d(h * h / 2, h)).norm() < 1e-15);
  // The integral of q (x + v t + u t^2/2)^2 + r u^2.
  const double h2 = h * h, h3 = h2 * h, h4 = h3 * h, h5 = h4 * h;
  CHECK((s.Q - q * Eigen::Matrix2d{{h, h2 / 2}, {h2 / 2, h3 / 3}}).norm() < 1e-15);
  CHECK((s.N - q * Eigen::Vector2d(h3 / 6, h4 / 8)).norm() < 1e-15);
  CHECK(std::abs(s.R(0, 0) - (q * h5 / 20 + r * h)) < 1e-15);
}

TEST_CASE("Held inputs: of a stiff model what has died out is gone") {
  const LinearModel s = sampled(plants::firstOrder(3, 1e-4), 1);
  CHECK(std::abs(s.A(0, 0)) < 1e-15);
  CHECK(s.B(0, 0) == doctest::Approx(3).epsilon(1e-12));
}

TEST_CASE(
    "Sampled feedback: its cost is that of its own motion, and the continuous one's as samples get "
    "short") {
  const LinearModel m = plants::swinging(2, -0.1);  // grows by itself
  const QuadraticCost cost = unitCost(2, 1);
  const LinearFeedback f = quadraticFeedback(m, cost, 0.2);
  const HeldInputs s = HeldInputs::over(0.2, m.A, m.B, cost);
  Eigen::Vector2d x(1, -0.5);
  const double expected = x.dot(f.cost * x);
  double sum = 0;
  for (int k = 0; k < 400; ++k) {
    const Eigen::VectorXd u = -f.K * x;
    sum += x.dot(s.Q * x) + 2 * x.dot(s.N * u) + u.dot(s.R * u);
    x = s.A * x + s.B * u;
  }
  CHECK(sum == doctest::Approx(expected).epsilon(1e-12));
  const MatrixXd continuous = quadraticFeedback(m, cost).K;
  for (const double h : {1e-3, 5e-4})
    CHECK((quadraticFeedback(m, cost, h).K - continuous).norm() < 10 * h * continuous.norm());
}

TEST_CASE("Sampled feedback: long samples of what grows are exact, or refused") {
  // x' = x + u, Q = R = 1: S in closed form, by numbers of 200 digits.
  LinearModel m =
      plants::linearModel(MatrixXd::Ones(1, 1), MatrixXd::Ones(1, 1), MatrixXd::Ones(1, 1));
  const std::pair<double, double> exact[] = {
      {1, 2.75100759148197}, {5, 8.60822538031485}, {10, 18.488650320316644}};
  for (const auto& [h, S] : exact) {
    CAPTURE(h);
    const LinearFeedback f = quadraticFeedback(m, unitCost(1, 1), h);
    CHECK(f.cost(0, 0) == doctest::Approx(S).epsilon(1e-6));
    CHECK(std::abs(f.poles(0)) < 1);
  }
  for (const double h : {20.0, 25.0, 100.0, 500.0, 1e4}) {
    CAPTURE(h);
    CHECK_THROWS_WITH_AS(quadraticFeedback(m, unitCost(1, 1), h),
                         doctest::Contains("s are too long: what grows"), AnalysisError);
  }
  m.A(0, 0) = -1;  // what settles by itself may be left alone for long
  CHECK(quadraticFeedback(m, unitCost(1, 1), 1e4).cost(0, 0) == doctest::Approx(0.5).epsilon(1e-3));
}

TEST_CASE(
    "Feedback: weights that are not symmetric, or negative, and samples that are none are "
    "refused") {
  const LinearModel m = plants::doubleIntegrator();
  QuadraticCost cost = unitCost(2, 1);
  for (const double h : {-1.0, std::nan(""), HUGE_VAL})
    CHECK_THROWS_WITH_AS(quadraticFeedback(m, cost, h), doctest::Contains("a sample must be"),
                         std::invalid_argument);
  cost.Q(0, 1) = 0.5;
  for (const double h : {0.0, 0.1})
    CHECK_THROWS_WITH_AS(quadraticFeedback(m, cost, h),
                         "weights must be symmetric: Q[1,2] is 0.5, Q[2,1] is 0",
                         std::invalid_argument);
  CHECK_THROWS_AS(kalmanGain(m, cost), std::invalid_argument);
  cost = unitCost(2, 1);
  cost.Q(0, 0) = -1;
  CHECK_THROWS_WITH_AS(quadraticFeedback(m, cost), "weights of states must not be negative",
                       std::invalid_argument);
  LinearModel two = m;
  two.B = MatrixXd::Identity(2, 2);
  cost = unitCost(2, 2);
  cost.R << 1, 0.9, -0.5, 1;
  CHECK_THROWS_WITH_AS(quadraticFeedback(two, cost), doctest::Contains("R[1,2] is 0.9"),
                       std::invalid_argument);
}

TEST_CASE("Kalman gain: of a drifting value that is measured, the closed form") {
  // x' = w, y = x + e: L = sqrt(W/V).
  const LinearModel m =
      plants::linearModel(MatrixXd::Zero(1, 1), MatrixXd::Zero(1, 1), MatrixXd::Ones(1, 1));
  const LinearFeedback f =
      kalmanGain(m, {MatrixXd::Constant(1, 1, 4), MatrixXd::Constant(1, 1, 0.25)});
  CHECK(f.K(0, 0) == doctest::Approx(4).epsilon(1e-14));
  CHECK(f.cost(0, 0) == doctest::Approx(1).epsilon(1e-14));
}

TEST_CASE(
    "Kalman gain of readings: of a drifting value the closed form, of a moving one its equation") {
  const double h = 0.3, W = 4, V = 0.25;
  const LinearModel drift =
      plants::linearModel(MatrixXd::Zero(1, 1), MatrixXd::Zero(1, 1), MatrixXd::Ones(1, 1));
  const LinearFeedback f =
      kalmanGain(drift, {MatrixXd::Constant(1, 1, W), MatrixXd::Constant(1, 1, V)}, h);
  // P = P + W h - P^2/(P + V/h).
  const double P = 0.5 * (W * h + std::sqrt(W * W * h * h + 4 * W * V));
  CHECK(f.cost(0, 0) == doctest::Approx(P).epsilon(1e-13));
  CHECK(f.K(0, 0) == doctest::Approx(P / (P + V / h)).epsilon(1e-13));
  CHECK(f.poles(0).real() == doctest::Approx(1 - P / (P + V / h)).epsilon(1e-13));

  // A place whose speed drifts; sizes of the states change nothing.
  LinearModel moving = plants::linearModel(Eigen::Matrix2d{{0, 1}, {0, 0}}, MatrixXd::Zero(2, 1),
                                           Eigen::RowVector2d(1, 0));
  moving.sizes = Eigen::Vector2d(1e-3, 50);
  QuadraticCost noise{MatrixXd::Zero(2, 2), MatrixXd::Constant(1, 1, V)};
  noise.Q(1, 1) = W;
  const LinearFeedback g = kalmanGain(moving, noise, h);
  const Eigen::Matrix2d F{{1, h}, {0, 1}},
      drives{{W * h * h * h / 3, W * h * h / 2}, {W * h * h / 2, W * h}};
  const double read = g.cost(0, 0) + V / h;
  const Eigen::Vector2d L = F * g.cost.col(0) / read;
  CHECK((g.K.transpose() - L).norm() < 1e-12 * L.norm());
  CHECK((F * g.cost * F.transpose() + drives - read * L * L.transpose() - g.cost).norm() <
        1e-12 * g.cost.norm());
  // Fast readings are as good as all the time.
  CHECK((kalmanGain(moving, noise, 1e-5).K / 1e-5 - kalmanGain(moving, noise).K).norm() < 1e-3);
  CHECK_THROWS_AS(kalmanGain(moving, noise, -1), std::invalid_argument);
}

TEST_CASE("Feedback: what no input reaches, or no weight sees, is named by its mode") {
  // Two pendulums that swing by themselves at 1 and 3 rad/s, one of them pushed.
  const Eigen::Matrix4d A{{0, 1, 0, 0}, {-1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, -9, 0}};
  LinearModel m =
      plants::linearModel(A, Eigen::Vector4d(0, 1, 0, 0), Eigen::RowVector4d(1, 0, 0, 0));
  m.rateOf = {-1, 0, -1, 2};
  CHECK_THROWS_WITH_AS(quadraticFeedback(m, unitCost(4, 1)),
                       "the mode of 0.4775 Hz of 'x3' is not reached by the inputs, and does not "
                       "settle by itself",
                       AnalysisError);
  // One that grows as it swings, (s - 0.8)^2 + 0.6^2: by its oscillation, not by the length of 0.8 + 0.6 i.
  CHECK_THROWS_WITH_AS(
      quadraticFeedback(plants::linearModel(Eigen::Matrix2d{{0, 1}, {-1, 1.6}},
                                            Eigen::Vector2d::Zero(), Eigen::RowVector2d(1, 0)),
                        unitCost(2, 1)),
      doctest::Contains("the mode of 0.09549 Hz of"), AnalysisError);
  LinearModel both = m;
  both.B = MatrixXd::Zero(4, 2);
  both.B(1, 0) = both.B(3, 1) = 1;
  both.inputs.push_back({"u2", "", 0});
  QuadraticCost cost = unitCost(4, 2);
  CHECK_NOTHROW(quadraticFeedback(both, cost));
  cost.Q.topLeftCorner(2, 2).setZero();
  CHECK_THROWS_WITH_AS(quadraticFeedback(both, cost),
                       doctest::Contains("0.1592 Hz of 'x1' has no weight"), AnalysisError);
  CHECK_THROWS_WITH_AS(kalmanGain(m, unitCost(4, 1)),
                       doctest::Contains("0.4775 Hz of 'x3' is not seen in the outputs"),
                       AnalysisError);
  CHECK_THROWS_AS(quadraticFeedback(m, unitCost(3, 1)), std::invalid_argument);
  cost = unitCost(4, 1);
  cost.R(0, 0) = -1;
  CHECK_THROWS_AS(quadraticFeedback(m, cost), std::invalid_argument);
}

TEST_CASE("Feedback: how modes are reached and seen, in parts of the best") {
  Eigen::Matrix4d A{{0, 1, 0, 0}, {-1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, -9, 0}};
  const LinearModel m =
      plants::linearModel(A, Eigen::Vector4d(0, 1, 0, 0.5), Eigen::RowVector4d(0, 0, 1, 0));
  const std::vector<ModeReach> modes = modesReached(m);
  REQUIRE(modes.size() == 2);
  CHECK(std::abs(modes[0].eigenvalue) == doctest::Approx(1));
  CHECK(modes[0].outputs[0] < 1e-12);
  CHECK(modes[1].outputs[0] == doctest::Approx(1));
  CHECK(modes[0].inputs[0] == doctest::Approx(1));
  CHECK(modes[1].inputs[0] > 0.1);
  CHECK(modes[1].inputs[0] < 1);
}

TEST_CASE("Feedback: how modes are reached, where eigenvalues are defective") {
  // A cart x'' = u beside a damped swinger y'' = -4 y - 0.4 y' + b u.
  for (const double zero : {0.0, 1.0}) {  // a double pole at 0, and one at -1
    CAPTURE(zero);
    for (const double b : {1.0, 0.0}) {
      CAPTURE(b);
      const Eigen::Matrix4d A{
          {0, 1, 0, 0}, {-zero, -2 * zero, 0, 0}, {0, 0, 0, 1}, {0, 0, -4, -0.4}};
      LinearModel m =
          plants::linearModel(A, Eigen::Vector4d(0, 1, 0, b), Eigen::RowVector4d(1, 0, 0, 0));
      m.rateOf = {-1, 0, -1, 2};
      const std::vector<ModeReach> modes = modesReached(m);
      REQUIRE(modes.size() == 3);
      for (size_t i = 0; i < 2; ++i) {
        CHECK(modes[i].eigenvalue.real() == doctest::Approx(-zero).epsilon(1e-7));
        CHECK(modes[i].eigenvalue.imag() == 0);
        CHECK(modes[i].name ==
              (zero == 0 ? "the free movement of 'x1'" : "the mode of 'x1' that settles in 1 s"));
        CHECK(modes[i].inputs[0] > 0.1);
        CHECK(modes[i].outputs[0] > 0.1);
      }
      CHECK((b == 0 ? modes[2].inputs[0] < 1e-12 : modes[2].inputs[0] > 0.1));
      CHECK(modes[2].outputs[0] < 1e-12);
    }
  }
}

TEST_CASE("Feedback: of free movements that stand side by side an input reaches its own") {
  // Three carts, each pushed by an input; the first of them at its place alone, where its speed stays.
  MatrixXd A = MatrixXd::Zero(6, 6), B = MatrixXd::Zero(6, 3);
  A.topRightCorner(3, 3).setIdentity();
  B(0, 0) = B(4, 1) = B(5, 2) = 1;
  LinearModel m = plants::linearModel(A, B, MatrixXd::Identity(3, 6));
  m.rateOf = {-1, -1, -1, 0, 1, 2};
  std::map<std::string, std::vector<ModeReach>> of;
  for (const ModeReach& mode : modesReached(m)) of[mode.name].push_back(mode);
  REQUIRE(of.size() == 3);
  for (int k = 0; k < 3; ++k) {
    const auto& own = of["the free movement of 'x" + std::to_string(k + 1) + "'"];
    REQUIRE(own.size() == 2);
    int reached = 0;
    for (const ModeReach& mode : own) {
      for (int j = 0; j < 3; ++j) {
        if (j == k) continue;
        CHECK(mode.inputs[j] < 1e-12);
        CHECK(mode.outputs[j] < 1e-12);
      }
      reached += mode.inputs[k] > 0.1;
      CHECK(mode.outputs[k] > 0.1);
    }
    CHECK(reached == (k == 0 ? 1 : 2));
  }
}
