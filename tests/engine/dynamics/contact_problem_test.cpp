// ContactProblem beside closed forms: shares, cradles, cones.
#include "engine/dynamics/contact_problem.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <random>

using namespace cardan;

namespace {

constexpr double kSolved = 1e-9;

/// N M^-1 N' of a body of mass m and inertia J about every axis, on points below its centre.
ContactProblem standing(const Eigen::MatrixXd& points, double m, double J, double mu) {
  const Eigen::Index n = points.rows();
  Eigen::MatrixXd N(3 * n, 6);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Vector3d r = points.row(i);
    const Eigen::Vector3d directions[3] = {Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitX(),
                                           Eigen::Vector3d::UnitZ()};
    for (int k = 0; k < 3; ++k)
      N.row(3 * i + k) << directions[k].transpose(), r.cross(directions[k]).transpose();
  }
  Eigen::VectorXd inverse(6);
  inverse << 1 / m, 1 / m, 1 / m, 1 / J, 1 / J, 1 / J;
  return {N * inverse.asDiagonal() * N.transpose(), Eigen::VectorXd::Zero(3 * n),
          Eigen::VectorXd::Constant(n, mu)};
}

Eigen::MatrixXd corners() {
  Eigen::MatrixXd p(4, 3);
  p << 1, -0.5, 1, 1, -0.5, -1, -1, -0.5, 1, -1, -0.5, -1;
  return p;
}

}  // namespace

TEST_CASE("ContactProblem: four corners that land flat share the impulse") {
  ContactProblem c = standing(corners(), 2, 0.3, 0);
  for (int i = 0; i < 4; ++i) c.q[3 * i] = -3;
  for (int i = 0; i < 12; ++i) {
    if (i % 3 > 0) c.W.col(i).setZero();
  }
  const Eigen::VectorXd p = c.solve();
  for (int i = 0; i < 4; ++i) CHECK(p[3 * i] == doctest::Approx(2 * 3 / 4.0).epsilon(1e-6));
  CHECK(c.violation(p) < kSolved);
}

TEST_CASE("ContactProblem: a body that lands flat and slides keeps what its friction leaves") {
  const double vx = 3, vz = 4, mu = 0.2;
  // Feet at the height of the centre: friction turns nothing over.
  Eigen::MatrixXd feet = corners();
  feet.col(1).setZero();
  ContactProblem c = standing(feet, 2, 0.3, mu);
  for (int i = 0; i < 4; ++i) c.q.segment<3>(3 * i) << -1, vx, vz;
  const Eigen::VectorXd p = c.solve(), u = c.q + c.W * p;
  CHECK(c.violation(p) < kSolved);
  for (int i = 0; i < 4; ++i) {
    CHECK(std::abs(u[3 * i]) < kSolved);
    CHECK(u[3 * i + 1] == doctest::Approx(vx - mu * 1 * 0.6));
    CHECK(u[3 * i + 2] == doctest::Approx(vz - mu * 1 * 0.8));
  }
}

TEST_CASE("ContactProblem: bodies that do not move each other are solved as if they were alone") {
  ContactProblem one = standing(corners(), 2, 0.3, 0.2), other = standing(corners(), 1, 0.1, 0.5);
  for (int i = 0; i < 4; ++i) {
    one.q.segment<3>(3 * i) << -1, 3, 4;
    other.q.segment<3>(3 * i) << -0.1 * i, 0.2, 0.1;
  }
  // Their contacts stand in turn.
  ContactProblem both{Eigen::MatrixXd::Zero(24, 24), Eigen::VectorXd(24), Eigen::VectorXd(8)};
  for (int i = 0; i < 4; ++i) {
    both.mu[2 * i] = one.mu[i];
    both.mu[2 * i + 1] = other.mu[i];
    both.q.segment<3>(6 * i) = one.q.segment<3>(3 * i);
    both.q.segment<3>(6 * i + 3) = other.q.segment<3>(3 * i);
    for (int j = 0; j < 4; ++j) {
      both.W.block<3, 3>(6 * i, 6 * j) = one.W.block<3, 3>(3 * i, 3 * j);
      both.W.block<3, 3>(6 * i + 3, 6 * j + 3) = other.W.block<3, 3>(3 * i, 3 * j);
    }
  }
  const Eigen::VectorXd p = both.solve(), first = one.solve(), second = other.solve();
  for (int i = 0; i < 4; ++i) {
    CHECK(p.segment<3>(6 * i) == first.segment<3>(3 * i));
    CHECK(p.segment<3>(6 * i + 3) == second.segment<3>(3 * i));
  }
}

TEST_CASE("ContactProblem: what others push away leaves faster, and gets no impulse") {
  // A rod comes down on one end; its other end, which approaches more slowly, is lifted.
  Eigen::MatrixXd ends(2, 3);
  ends << 1, 0, 0, -1, 0, 0;
  ContactProblem c = standing(ends, 1, 0.1, 0);
  for (int i = 0; i < 6; ++i) {
    if (i % 3 > 0) c.W.col(i).setZero();
  }
  c.q << -2, 0, 0, 0.5, 0, 0;
  const Eigen::VectorXd p = c.solve(), u = c.q + c.W * p;
  // W = 1/m + 1/J and 1/m - 1/J: pressed against both, the second one has the rest.
  Eigen::Matrix2d W;
  W << 11, -9, -9, 11;
  const Eigen::Vector2d both = W.inverse() * Eigen::Vector2d(2, -0.5);
  CHECK(both.minCoeff() > 0);
  CHECK(p[0] == doctest::Approx(both[0]));
  CHECK(p[3] == doctest::Approx(both[1]));
  c.q << -2, 0, 0, 5, 0, 0;
  const Eigen::VectorXd alone = c.solve();
  CHECK(alone[0] == doctest::Approx(2 / 11.0));
  CHECK(alone[3] == 0);
  CHECK(u.allFinite());
}

TEST_CASE(
    "ContactProblem: feet whose velocities do not quite fit on a plate are solved all the same") {
  // Two that rest, with what an integration leaves taken for none, and two that come down.
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-0.5, 0.5);
  for (int run = 0; run < 200; ++run) {
    ContactProblem c = standing(corners(), 2, 0.3, 0.3 + any(random) / 2);
    const double e = 0.5 + any(random);
    const Eigen::Vector3d v(any(random), 0, any(random)), w(0.01 * any(random), any(random), 0.02);
    const Eigen::MatrixXd feet = corners();
    for (int i = 0; i < 4; ++i) {
      const Eigen::Vector3d r = feet.row(i), at = v + w.cross(r);
      c.q.segment<3>(3 * i) << at[1], at[0], at[2];
    }
    const double lift = std::max(c.q[0], c.q[3]);
    for (int i = 0; i < 4; ++i) {
      double& normal = c.q[3 * i];
      normal -= lift;
      normal = normal > -1e-3 ? 0 : normal * (1 + e) + 1e-7 * any(random);
    }
    c.enough = ContactProblem::kNothing;
    const Eigen::VectorXd p = c.solve();
    CHECK(c.violation(p) < 20 * kSolved);
  }
}

TEST_CASE("ContactProblem: what pushes anyhow does so with its least, and rubs by all of it") {
  std::mt19937 random(7);
  std::normal_distribution<double> any;
  int given = 0, more = 0, stuck = 0;
  for (int run = 0; run < 200; ++run) {
    const int n = 1 + run % 4;
    Eigen::MatrixXd J = Eigen::MatrixXd::NullaryExpr(3 * n, 3 * n + 2, [&] { return any(random); });
    ContactProblem c{J * J.transpose(), Eigen::VectorXd(3 * n), Eigen::VectorXd(n)};
    c.given.resize(n);
    for (double& x : c.q) x = any(random);
    // Without more of it than friction may press (Painleve).
    for (double& x : c.mu) x = 0.2 * std::abs(any(random));
    for (double& x : c.given) x = std::abs(any(random));
    const Eigen::VectorXd p = c.solve(), u = c.q + c.W * p;
    if (c.violation(p) > kSolved) continue;  // where there are none
    for (int i = 0; i < n; ++i) {
      const Eigen::Vector2d t = p.segment<2>(3 * i + 1), slip = u.segment<2>(3 * i + 1);
      const double extra = p[3 * i] - c.given[i], bound = c.mu[i] * p[3 * i];
      CHECK(extra >= -kSolved);
      CHECK(u[3 * i] >= -kSolved);
      CHECK(std::min(std::abs(extra), std::abs(u[3 * i])) < 10 * kSolved);
      CHECK(t.norm() <= bound + kSolved);
      (extra > kSolved ? more : given) += 1;
      if (slip.norm() < kSolved) {
        ++stuck;
      } else {
        CHECK((t * slip.norm() + bound * slip).norm() < 100 * kSolved * (1 + slip.norm()));
      }
    }
  }
  CHECK(given > 100);
  CHECK(more > 50);
  CHECK(stuck > 20);
}

TEST_CASE("ContactProblem: where friction presses harder than it lets part, the slip is stopped") {
  // A rod that stands on its lower end and slides (Painleve): the normal mobility beside friction is negative.
  ContactProblem c{Eigen::MatrixXd::Zero(3, 3), Eigen::Vector3d(-1e-8, 0.5, 0),
                   Eigen::VectorXd::Constant(1, 3)};
  c.W.topLeftCorner<2, 2>() << 1.2, 0.9, 0.9, 3.1;
  REQUIRE(c.W(0, 0) - c.mu[0] * c.W(0, 1) < 0);
  const Eigen::VectorXd p = c.solve();
  const Eigen::Vector2d stopped = c.W.topLeftCorner<2, 2>().inverse() * Eigen::Vector2d(1e-8, -0.5);
  CHECK((p.head<2>() - stopped).norm() < kSolved);
}

TEST_CASE("ContactProblem: one contact has a solution however strong its friction") {
  std::mt19937 random(7);
  std::normal_distribution<double> any;
  std::uniform_real_distribution<double> friction(0, 4);
  int pressed = 0;
  for (int i = 0; i < 3000; ++i) {
    CAPTURE(i);
    Eigen::Matrix3d A;
    for (int k = 0; k < 9; ++k) A(k / 3, k % 3) = any(random);
    ContactProblem c{
        A * A.transpose() + 0.01 * Eigen::Matrix3d::Identity(),
        Eigen::Vector3d(-std::pow(10.0, -8 * std::abs(std::sin(i))), any(random), any(random)),
        Eigen::VectorXd::Constant(1, friction(random))};
    const Eigen::Vector2d slip = c.q.tail<2>().normalized();
    if (c.W(0, 0) < c.mu[0] * c.W.block<1, 2>(0, 1).dot(slip)) ++pressed;
    CHECK(c.violation(c.solve()) < 1e-7 * c.q.norm());
  }
  CHECK(pressed > 300);
}

TEST_CASE("ContactProblem: contacts and frictions along an axis obey their laws together") {
  std::mt19937 random(7);
  std::normal_distribution<double> any;
  for (int run = 0; run < 500; ++run) {
    const int contacts = 1 + run % 3, frictions = 1 + run % 4, n = contacts + frictions;
    Eigen::MatrixXd N(3 * n, 3 * n);
    for (double& x : N.reshaped()) x = any(random);
    ContactProblem c{
        {}, Eigen::VectorXd(3 * n), Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n)};
    for (double& x : c.q) x = any(random);
    for (int i = 0; i < contacts; ++i) c.mu[i] = 0.2;
    for (int i = contacts; i < n; ++i) {
      c.most[i] = std::abs(any(random));
      for (const int none : {3 * i, 3 * i + 2}) {
        N.row(none).setZero();
        c.q[none] = 0;
      }
    }
    c.W = N * N.transpose();
    const Eigen::VectorXd p = c.solve(), u = c.q + c.W * p;
    CAPTURE(run);
    REQUIRE(c.violation(p) < 1e-6);
    for (int i = 0; i < contacts; ++i) {
      CHECK(p[3 * i] >= 0);
      CHECK(u[3 * i] > -1e-6);
      CHECK(std::abs(p[3 * i] * u[3 * i]) < 1e-5);
      CHECK(p.segment<2>(3 * i + 1).norm() <= (1 + 1e-9) * c.mu[i] * p[3 * i] + 1e-12);
    }
    for (int i = contacts; i < n; ++i) {
      const double force = p[3 * i + 1], slip = u[3 * i + 1];
      CHECK(std::abs(force) <= (1 + 1e-12) * c.most[i]);
      if (std::abs(slip) > 1e-6)
        CHECK(force == doctest::Approx(slip > 0 ? -c.most[i] : c.most[i]).epsilon(1e-6));
      CHECK(p[3 * i] == 0);
    }
  }
}
