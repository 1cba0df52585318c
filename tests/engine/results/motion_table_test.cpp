#include "engine/results/motion_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace cardan;

namespace {

/// Largest error of the slopes of sin(3 t) on n equal parts of [0, 2]; inside, or anywhere.
double slopeErrorOfSine(int n, bool inside) {
  std::vector<double> t, x;
  for (int i = 0; i <= n; ++i) {
    t.push_back(2.0 * i / n);
    x.push_back(std::sin(3 * t.back()));
  }
  const std::vector<double> slopes = splineSlopes(t, x);
  double error = 0;
  const size_t margin = inside ? t.size() / 4 : 0;
  for (size_t i = margin; i + margin < t.size(); ++i)
    error = std::max(error, std::abs(slopes[i] - 3 * std::cos(3 * t[i])));
  return error;
}

}  // namespace

TEST_CASE("splineSlopes: exact for cubics, whatever the distances") {
  const std::vector<double> t{-1, -0.9, 0, 0.3, 2, 2.5};
  std::vector<double> x;
  for (const double s : t) x.push_back(2 * s * s * s - s * s + 4 * s - 7);
  const std::vector<double> slopes = splineSlopes(t, x);
  for (size_t i = 0; i < t.size(); ++i)
    CHECK(slopes[i] == doctest::Approx(6 * t[i] * t[i] - 2 * t[i] + 4).epsilon(1e-12));
}

TEST_CASE("splineSlopes: of order four inside, three at the ends; few points have what they have") {
  CHECK(slopeErrorOfSine(40, true) / slopeErrorOfSine(80, true) ==
        doctest::Approx(16).epsilon(0.1));
  CHECK(slopeErrorOfSine(320, false) / slopeErrorOfSine(640, false) ==
        doctest::Approx(8).epsilon(0.1));
  CHECK(splineSlopes({0, 2}, {1, 5}) == std::vector<double>{2, 2});
  CHECK(splineSlopes({0}, {1}) == std::vector<double>{0});
  const std::vector<double> parabola = splineSlopes({0, 1, 3}, {0, 1, 9});
  for (size_t i = 0; i < 3; ++i)
    CHECK(parabola[i] == doctest::Approx(std::vector<double>{0, 2, 6}[i]).epsilon(1e-14));
}

TEST_CASE(
    "MotionTable: takes what is given, and differentiates the rest; a double row is a break") {
  const MotionTable all(ResultTable::parse("time,j.phi,j.w,j.a\n0,1,2,3\n1,4,5,6\n", "m.csv"));
  const MotionTable::Coordinate given = all.coordinate("j.phi", "j.w", "j.a");
  CHECK(given.v == std::vector<double>{2, 5});
  CHECK(given.a == std::vector<double>{3, 6});
  CHECK_FALSE(all.has("j.s"));
  const MotionTable kink(
      ResultTable::parse("time,j.phi\n0,0\n1,1\n2,2\n2,2\n3,0\n4,-2\n", "m.csv"));
  const MotionTable::Coordinate bent = kink.coordinate("j.phi", "j.w", "j.a");
  const std::vector<double> expected{1, 1, 1, -2, -2, -2};
  for (size_t i = 0; i < expected.size(); ++i) {
    CHECK(bent.v[i] == doctest::Approx(expected[i]).epsilon(1e-14));
    CHECK(bent.a[i] == doctest::Approx(0).epsilon(1e-13));
  }
}
