// The search alone: bounds, losses, reasons to stop; and Student's intervals.
#include "engine/fit/least_squares.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "engine/fit/student.h"

using namespace cardan;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

VectorXd vectorOf(std::initializer_list<double> x) {
  VectorXd v(std::ssize(x));
  std::copy(x.begin(), x.end(), v.begin());
  return v;
}

/// Rosenbrock's valley: 10 (y - x^2), 1 - x.
LeastSquaresProblem valley() {
  LeastSquaresProblem p;
  p.residuals = [](const VectorXd& x) -> std::optional<VectorXd> {
    return vectorOf({10 * (x[1] - x[0] * x[0]), 1 - x[0]});
  };
  p.jacobian = [](const VectorXd& x, const VectorXd&) -> std::optional<MatrixXd> {
    MatrixXd J(2, 2);
    J << -20 * x[0], 10, -1, 0;
    return J;
  };
  p.low = VectorXd::Constant(2, -kInfinite);
  p.high = VectorXd::Constant(2, kInfinite);
  p.scale = VectorXd::Zero(2);
  return p;
}

}  // namespace

TEST_CASE("leastSquares: Rosenbrock's valley to its end, and along a bound") {
  LeastSquaresProblem p = valley();
  LeastSquaresResult r = leastSquares(p, vectorOf({-1.2, 1}));
  CHECK(isFound(r.stop));
  CHECK((r.x - vectorOf({1, 1})).norm() < 1e-9);
  // With x <= 0.5 the minimum is (0.5, 0.25): the gradient along x presses on.
  p.high[0] = 0.5;
  r = leastSquares(p, vectorOf({-1.2, 1}));
  CHECK(isFound(r.stop));
  CHECK(r.x[0] == 0.5);
  CHECK(std::abs(r.x[1] - 0.25) < 1e-9);
  CHECK(r.active == std::vector<int>{1, 0});
  // With y >= 1.5 as well: (sqrt(1.5), 1.5) is out of reach.
  p.low[1] = 1.5;
  r = leastSquares(p, vectorOf({0, 2}));
  CHECK(r.x == vectorOf({0.5, 1.5}));
  CHECK(r.active == std::vector<int>{1, -1});
}

TEST_CASE("leastSquares: what residuals cannot tell stays where it was") {
  // x y = 6 alone: the step is along the gradient, which keeps y^2 - x^2 nearly.
  LeastSquaresProblem p = valley();
  p.residuals = [](const VectorXd& x) -> std::optional<VectorXd> {
    return vectorOf({x[0] * x[1] - 6, 0});
  };
  p.jacobian = [](const VectorXd& x, const VectorXd&) -> std::optional<MatrixXd> {
    MatrixXd J = MatrixXd::Zero(2, 2);
    J << x[1], x[0], 0, 0;
    return J;
  };
  const LeastSquaresResult r = leastSquares(p, vectorOf({2, 2}));
  CHECK(std::abs(r.x[0] * r.x[1] - 6) < 1e-8);
  CHECK(r.x[0] == doctest::Approx(r.x[1]));
}

TEST_CASE("leastSquares: places without residuals are not gone to") {
  LeastSquaresProblem p = valley();
  const auto all = p.residuals;
  int refused = 0;
  p.residuals = [&](const VectorXd& x) -> std::optional<VectorXd> {
    if (x[0] < -1.3 || x[1] > 2) return ++refused, std::nullopt;
    return all(x);
  };
  const LeastSquaresResult r = leastSquares(p, vectorOf({-1.2, 1}), {.firstRadius = 100});
  CHECK((r.x - vectorOf({1, 1})).norm() < 1e-9);
  p.residuals = [](const VectorXd&) -> std::optional<VectorXd> { return std::nullopt; };
  CHECK(leastSquares(p, vectorOf({-1.2, 1})).stop == LeastSquaresStop::noStart);
}

TEST_CASE("leastSquares: robust losses are those of scipy.optimize.least_squares") {
  // a exp(-b t), every fourth value an outlier. x and cost: scipy 1.10.1, least_squares(f, [1, 1],
  // loss=..., f_scale=0.1, xtol=ftol=gtol=1e-15).
  const int n = 21;
  VectorXd t(n), y(n);
  for (int i = 0; i < n; ++i) {
    t[i] = 0.1 * i;
    y[i] = 2 * std::exp(-0.7 * t[i]) + 0.05 * std::sin(13.0 * i) + (i % 4 == 1 ? 0.8 : 0);
  }
  LeastSquaresProblem p = valley();
  p.residuals = [&](const VectorXd& x) -> std::optional<VectorXd> {
    return VectorXd(x[0] * (-x[1] * t.array()).exp() - y.array());
  };
  p.jacobian = [&](const VectorXd& x, const VectorXd&) -> std::optional<MatrixXd> {
    MatrixXd J(n, 2);
    J.col(0) = (-x[1] * t.array()).exp();
    J.col(1) = -x[0] * t.array() * (-x[1] * t.array()).exp();
    return J;
  };
  const struct {
    const char* loss;
    double a, b, cost;
  } cases[] = {
      {"linear", 2.24750000807, 0.631004413217, 1.2148249812321},
      {"soft_l1", 2.0657098833, 0.685219241583, 0.35135989115841},
      {"huber", 2.06152131692, 0.690615538757, 0.3752628913924},
      {"cauchy", 2.02728916533, 0.698144267912, 0.11249363967696},
  };
  for (const auto& c : cases) {
    CAPTURE(c.loss);
    LeastSquaresOptions o;
    o.loss = *lossOf(c.loss);
    o.lossScale = 0.1;
    o.costTolerance = 1e-15;
    const LeastSquaresResult r = leastSquares(p, vectorOf({1, 1}), o);
    CHECK(isFound(r.stop));
    CHECK(r.x[0] == doctest::Approx(c.a).epsilon(1e-7));
    CHECK(r.x[1] == doctest::Approx(c.b).epsilon(1e-7));
    CHECK(r.cost == doctest::Approx(c.cost).epsilon(1e-10));
  }
}

TEST_CASE("leastSquares: progress ends a search, and so do iterations") {
  int calls = 0;
  LeastSquaresOptions o;
  o.progress = [&](const LeastSquaresStep& s) { return ++calls, s.iteration < 3; };
  CHECK(leastSquares(valley(), vectorOf({-1.2, 1}), o).stop == LeastSquaresStop::interrupted);
  CHECK(calls == 4);
  CHECK(leastSquares(valley(), vectorOf({-1.2, 1}), {.mostIterations = 2}).stop ==
        LeastSquaresStop::iterations);
}

TEST_CASE("studentInterval: closed forms of one and two freedoms, and the normal distribution") {
  const double pi = std::acos(-1.0);
  for (const double share : {0.5, 0.9, 0.95, 0.999}) {
    CAPTURE(share);
    CHECK(studentInterval(share, 1) == doctest::Approx(std::tan(pi * share / 2)).epsilon(1e-12));
    CHECK(studentInterval(share, 2) ==
          doctest::Approx(share * std::sqrt(2 / (1 - share * share))).epsilon(1e-12));
  }
  CHECK(studentInterval(0.95, 1e6) == doctest::Approx(1.959966).epsilon(1e-6));
  CHECK(std::isinf(studentInterval(0.95, 0)));
}
