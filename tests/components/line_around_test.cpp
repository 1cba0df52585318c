// Lines around spheres and cylinders: closed forms, virtual work, rates, and where they begin to touch.
#include "components/line_around.h"

#include <doctest/doctest.h>

#include <random>

using namespace cardan;
using namespace cardan::line_around;

namespace {

constexpr double kLineAroundRounding =
    1e-11;  // some hundred operations on numbers of order 1 to 30
const Vector3d kRest(0, 0, 0);

Point<double> at(const Vector3d& r) { return {r, kRest, kRest}; }
/// A point of r + v t + a t^2/2.
Point<double> later(const Point<double>& p, double t) {
  return {p.r + t * p.v + t * t / 2 * p.a, p.v + t * p.a, p.a};
}

}  // namespace

TEST_CASE("LineAround: a quarter of a cylinder, and a helix around it") {
  const Obstacle cylinder{false, 0.2}, sphere{true, 0.2};
  const Vector3d p(0.2, -0.5, 0), q(-0.7, 0.2, 0);
  const double flat = 0.5 + 0.7 + 0.2 * std::numbers::pi / 2;
  const int turn = turnAround(cylinder, p, q, nullptr);
  // It is in the way of nothing: the nearest place of the straight line is further away.
  CHECK(turn == 0);
  const Vector3d side(1, 1, 0);
  CHECK(turnAround(cylinder, p, q, &side) == 1);
  CHECK(around(cylinder, at(p), at(q), 1).length.x == doctest::Approx(flat).epsilon(1e-14));
  CHECK(around(sphere, at(p), at(q), -1).length.x == doctest::Approx(flat).epsilon(1e-14));
  const Vector3d up(0, 0, 0.3);
  CHECK(around(cylinder, at(p), at(q + up), 1).length.x ==
        doctest::Approx(std::hypot(flat, 0.3)).epsilon(1e-14));
  // The long way around is that of the other side.
  const Vector3d other = -side;
  CHECK(turnAround(cylinder, p, q, &other) == 0);  // where the straight line is on it
  for (int i = 1; i < kPieces; ++i) {
    const Vector3d r = pointOn(cylinder, p, q + up, 1, i);
    CHECK(std::hypot(r[0], r[1]) == doctest::Approx(0.2).epsilon(1e-14));
  }
}

TEST_CASE("LineAround: what it pulls at is its length's rate, and rates are derivatives") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> one(-1, 1);
  const auto any = [&] { return Vector3d(one(random), one(random), one(random)); };
  int touching = 0;
  for (int i = 0; i < 400; ++i) {
    const Obstacle o{i % 2 == 0, 0.3};
    const Point<double> p{any() * 1.5, any(), any()}, q{any() * 1.5, any(), any()};
    const Vector3d side = any();
    const int turn = turnAround(o, p.r, q.r, i % 3 == 0 ? &side : nullptr);
    if (turn == 0) continue;
    ++touching;
    const Path<double> path = around(o, p, q, turn);
    CHECK(path.pull_p.norm() == doctest::Approx(1).epsilon(kLineAroundRounding));
    CHECK(path.pull_q.norm() == doctest::Approx(1).epsilon(kLineAroundRounding));
    CHECK(path.length.x >= (q.r - p.r).norm());
    CHECK(std::abs(path.length.d + dot(path.pull_p, p.v) + dot(path.pull_q, q.v)) <=
          kLineAroundRounding * 100);
    // Central differences of the pulls' work: of second order in h, with a third derivative that grows as
    // an end comes near the surface.
    constexpr double h = 1e-5;
    const double near = std::min(o.isRound ? p.r.norm() : p.flat().r.norm(),
                                 o.isRound ? q.r.norm() : q.flat().r.norm()) -
                        o.radius;
    if (near < 0.05 || cross(p.r, q.r).norm() < 0.1) continue;
    const auto rate = [&](double t) { return around(o, later(p, t), later(q, t), turn).length.d; };
    CHECK(path.length.dd == doctest::Approx((rate(h) - rate(-h)) / (2 * h)).epsilon(1e-5));
  }
  CHECK(touching > 80);
}

TEST_CASE("LineAround: ends that a sphere is exactly or almost between") {
  const Obstacle o{true, 0.1};
  const auto angle = [](double x) { return std::acos(0.1 / x); };
  const double length =
      std::sqrt(0.08) + std::sqrt(0.15) + 0.1 * (std::numbers::pi - angle(0.3) - angle(0.4));
  const Vector3d side(0, 0.5, 0);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> one(-1, 1);
  const auto any = [&] { return Vector3d(one(random), one(random), one(random)); };
  for (const double off : {0.0, 1e-200, 1e-15, 1e-12, 1e-9, 1e-7}) {
    for (const Vector3d* toSide : {static_cast<const Vector3d*>(nullptr), &side}) {
      CAPTURE(off);
      const Point<double> p{Vector3d(-0.3, 0, 0), any(), any()};
      const Point<double> q{Vector3d(0.4, off, 0), any(), any()};
      const int turn = turnAround(o, p.r, q.r, toSide);
      REQUIRE(turn != 0);
      const Path<double> path = around(o, p, q, turn);
      CHECK(std::abs(path.length.x - length) <= off + 1e-15);
      CHECK(std::abs(path.pull_p.norm() - 1) <= kLineAroundRounding);
      CHECK(std::abs(path.pull_q.norm() - 1) <= kLineAroundRounding);
      // What is pulled at both ends is pulled about the center, and the line is in its plane.
      CHECK((cross(p.r, path.pull_p) + cross(q.r, path.pull_q)).norm() <= kLineAroundRounding);
      CHECK(std::abs(path.length.d + dot(path.pull_p, p.v) + dot(path.pull_q, q.v)) <=
            kLineAroundRounding);
      CHECK(std::isfinite(path.length.dd));
      // It swings in its plane: the rates of a circle, without a loss of digits near that pose.
      const Vector3d n = normalOf(o, p.r, q.r), v = cross(n, q.r);
      const auto swung = around(o, at(p.r), Point<double>{q.r, v, cross(n, v)}, turn).length;
      CHECK(std::abs(swung.d - turn * 0.1) <= kLineAroundRounding);
      CHECK(std::abs(swung.dd) <= kLineAroundRounding);
      for (int i = 1; i < kPieces; ++i)
        CHECK(std::abs(pointOn(o, p.r, q.r, turn, i).norm() - 0.1) <= 1e-15);
    }
  }
  CHECK(turnAround(o, Vector3d(0.3, 0, 0), Vector3d(0.4, 0, 0), &side) == 0);
}

TEST_CASE("LineAround: an end on the surface is not inside") {
  const Vector3d q(-0.3, 0.05, 0);
  const double far = q.norm();
  const double arc = std::atan2(0.05, -0.3) - std::acos(0.1 / far);
  for (const bool isRound : {true, false}) {
    const Obstacle o{isRound, 0.1};
    for (const double off : {-1e-15, -1e-16, 0.0, 1e-16, 1e-15, 1e-12}) {
      CAPTURE(off);
      const Vector3d p(0.1 * (1 + off), 0, 0);
      const int turn = turnAround(o, p, q, nullptr);
      REQUIRE(turn == 1);
      const Path<double> path = around(o, at(p), at(q), turn);
      CHECK(path.length.x ==
            doctest::Approx(0.1 * arc + std::sqrt(far * far - 0.01)).epsilon(1e-11));
      CHECK(path.length.d == 0);
      CHECK(path.length.dd == 0);
      CHECK((path.pull_p - Vector3d::UnitY()).norm() < 2e-6);  // the square root of 2 `off`
      for (int i = 0; i <= kPieces; ++i) CHECK(pointOn(o, p, q, turn, i).allFinite());
      // Away from it, and along it.
      CHECK(turnAround(o, p, Vector3d(0.3, 0.2, 0), nullptr) == 0);
      CHECK(turnAround(o, p, Vector3d(0.2, 0, 0), nullptr) == 0);
    }
    CHECK(turnAround(o, Vector3d(0.0999999, 0, 0), q, nullptr) == 0);
  }
}

TEST_CASE("LineAround: where it begins to touch, it is as long as the straight line") {
  const Obstacle sphere{true, 0.25};
  const Vector3d p(-1, 0.25 - 1e-7, 0.0), q(2, 0.25 - 1e-7, 0.0), away(0, 2e-7, 0);
  const int turn = turnAround(sphere, p, q, nullptr);
  REQUIRE(turn != 0);
  CHECK(turnAround(sphere, p + away, q + away, nullptr) == 0);
  const Path<double> path = around(sphere, at(p), at(q), turn);
  CHECK(path.length.x - 3 == doctest::Approx(0).epsilon(1e-12));
  CHECK((path.pull_p - Vector3d::UnitX()).norm() < 1e-6);
}
