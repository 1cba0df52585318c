#include "engine/study/sampling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "engine/study/distribution.h"
#include "engine/study/philox.h"
#include "engine/study/sobol.h"
#include "engine/study/sobol_directions.h"

using namespace cardan;

namespace {

std::optional<Distribution> distributionOf(const std::string& text, std::string& message) {
  Diagnostics diagnostics;
  const auto d = Distribution::read(text, {"study.yaml", 3, 6}, diagnostics);
  message = diagnostics.format();
  while (!message.empty() && message.back() == '\n') message.pop_back();
  return d;
}

/// x^(2^n - 1) = 1 modulo the polynomial, and no smaller power divides it out: primitive.
bool isPrimitive(std::uint32_t polynomial, int degree) {
  const std::uint32_t period = (1U << static_cast<unsigned>(degree)) - 1;
  std::uint32_t x = 1;
  for (std::uint32_t k = 1; k <= period; ++k) {
    x <<= 1U;
    if ((x >> static_cast<unsigned>(degree)) != 0) x ^= polynomial;
    if (x == 1) return k == period;
  }
  return false;
}

}  // namespace

TEST_CASE("philox: the known answers of its authors") {
  // Random123, tests/kat_vectors, philox4x32 10
  using Words = std::array<std::uint32_t, 4>;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("philox: numbers fill the unit interval, each seed, dimension and purpose another way") {
  constexpr int n = 20000;
  double sum = 0, squares = 0, products = 0;
  for (int i = 0; i < n; ++i) {
    const double u = uniformNumber(7, 0, 0, static_cast<std::uint64_t>(i));
    const double v = uniformNumber(7, 0, 1, static_cast<std::uint64_t>(i));
    CHECK((u > 0 && u < 1));
    sum += u;
    squares += (u - 0.5) * (u - 0.5);
    products += (u - 0.5) * (v - 0.5);
  }
  // Five standard deviations of the means.
  CHECK(std::abs(sum / n - 0.5) < 5 * std::sqrt(1.0 / 12 / n));
  CHECK(std::abs(squares / n - 1.0 / 12) < 5 * std::sqrt(1.0 / 180 / n));
  CHECK(std::abs(products / n) < 5 * (1.0 / 12) / std::sqrt(n));
  const std::set<double> all{uniformNumber(7, 0, 0, 3), uniformNumber(8, 0, 0, 3),
                             uniformNumber(7, 1, 0, 3), uniformNumber(7, 0, 1, 3),
                             uniformNumber(7, 0, 0, 4), uniformNumber(7ULL << 32U, 0, 0, 3)};
  CHECK(all.size() == 6);
}

TEST_CASE("Sobol: the first points are the published ones") {
  // Of the generator of Joe and Kuo; scipy's unscrambled engine has the same.
  constexpr std::array<std::array<double, 3>, 10> points{{{0, 0, 0},
                                                          {0.5, 0.5, 0.5},
                                                          {0.75, 0.25, 0.25},
                                                          {0.25, 0.75, 0.75},
                                                          {0.375, 0.375, 0.625},
                                                          {0.875, 0.875, 0.125},
                                                          {0.625, 0.125, 0.875},
                                                          {0.125, 0.625, 0.375},
                                                          {0.1875, 0.3125, 0.9375},
                                                          {0.6875, 0.8125, 0.4375}}};
  for (size_t i = 0; i < points.size(); ++i) {
    for (int d = 0; d < 3; ++d) {
      CAPTURE(i);
      CAPTURE(d);
      CHECK(sobolCoordinate(i, d) == points[i][static_cast<size_t>(d)]);
    }
  }
}

TEST_CASE("Sobol: polynomials are primitive and distinct, first numbers odd and small") {
  std::set<std::uint32_t> seen;
  for (const SobolDirections& d : kSobolDirections) {
    const auto degree = static_cast<unsigned>(d.degree);
    const std::uint32_t whole = (1U << degree) | (d.polynomial << 1U) | 1U;
    CAPTURE(whole);
    CHECK(isPrimitive(whole, d.degree));
    CHECK(seen.insert(whole).second);
    for (unsigned k = 0; k < degree; ++k) {
      CHECK(d.first[k] % 2 == 1);
      CHECK(d.first[k] < (2U << k));
    }
  }
}

TEST_CASE("Sobol: of the first 2^k points each has a part of every axis to itself") {
  constexpr unsigned k = 10;
  for (int d = 0; d < kMostSobolDimensions; ++d) {
    std::set<long> parts;
    for (std::uint64_t i = 0; i < 1U << k; ++i)
      parts.insert(static_cast<long>(std::ldexp(sobolCoordinate(i, d), k)));
    CAPTURE(d);
    CHECK(parts.size() == 1U << k);
  }
}

TEST_CASE("Sobol: two dimensions spread evenly together") {
  // Of a (t, 2)-sequence each box of volume 2^(t-k) has 2^t of the first 2^k points; t of a pair is
  // at most the sum of the degrees less 2.
  for (int d = 1; d < 5; ++d) {
    const int t = kSobolDirections[static_cast<size_t>(d - 1)].degree - 1;
    std::array<std::array<int, 16>, 16> count{};
    const std::uint64_t n = 1ULL << static_cast<unsigned>(8 + t);
    for (std::uint64_t i = 0; i < n; ++i) {
      ++count[static_cast<size_t>(16 * sobolCoordinate(i, 0))]
             [static_cast<size_t>(16 * sobolCoordinate(i, d))];
    }
    for (const auto& row : count) {
      for (const int c : row) CHECK(c == 1 << t);
    }
  }
}

TEST_CASE("sampling: a Latin hypercube has one point in each part of each axis") {
  constexpr long n = 37;
  const Sampling sampling(SamplingMethod::latin, 3, n, 5, false);
  std::vector<std::vector<long>> orders;
  for (int d = 0; d < 3; ++d) {
    std::vector<long> parts;
    for (long i = 0; i < n; ++i) parts.push_back(static_cast<long>(sampling(i, d) * n));
    orders.push_back(parts);
    std::ranges::sort(parts);
    for (long i = 0; i < n; ++i) CHECK(parts[static_cast<size_t>(i)] == i);
  }
  CHECK(orders[0] != orders[1]);
  CHECK(orders[1] != orders[2]);
}

TEST_CASE("sampling: a point depends on its number, not on what was asked for before") {
  for (const SamplingMethod m :
       {SamplingMethod::random, SamplingMethod::latin, SamplingMethod::sobol}) {
    const Sampling one(m, 2, 20, 9, true), other(m, 2, 20, 9, true);
    std::vector<double> forward, backward;
    for (long i = 0; i < 20; ++i) forward.push_back(one(i, 1));
    for (long i = 20; i-- > 0;) backward.push_back(other(i, 1));
    std::ranges::reverse(backward);
    CHECK(forward == backward);
    if (m == SamplingMethod::sobol) CHECK(forward[0] == 0.5);  // the origin is left out
  }
}

TEST_CASE("normal quantile: agrees with published digits and with the error function") {
  CHECK(normalQuantile(0.5) == doctest::Approx(0).epsilon(1e-16));
  // scipy.stats.norm.ppf
  CHECK(normalQuantile(0.975) == doctest::Approx(1.959963984540054).epsilon(1e-15));
  CHECK(normalQuantile(0.9) == doctest::Approx(1.2815515655446004).epsilon(1e-15));
  CHECK(normalQuantile(1e-10) == doctest::Approx(-6.361340902404056).epsilon(1e-14));
  for (double p = 1e-300; p < 0.5; p *= 3.7) {
    const double x = normalQuantile(p);
    const double back = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    // A relative error e of x is one of x^2 e of the probability.
    CHECK(std::abs(back - p) <= 4e-16 * (1 + x * x) * 4 * p);
    if (p > 1e-10) CHECK(normalQuantile(1 - p) == doctest::Approx(-x).epsilon(1e-6));
  }
}

TEST_CASE("distributions: quantiles are the inverse of closed-form distribution functions") {
  std::string message;
  const auto triangular = distributionOf("triangular(1, 2, 5)", message);
  REQUIRE(triangular);
  for (const double u : {0.0, 0.1, 0.25, 0.6, 0.99}) {
    const double x = triangular->quantile(u);
    const double back =
        x < 2 ? (x - 1) * (x - 1) / (4.0 * 1.0) : 1 - (5 - x) * (5 - x) / (4.0 * 3.0);
    CHECK(back == doctest::Approx(u).epsilon(1e-14));
  }
  CHECK(distributionOf("uniform(2, 4)", message)->quantile(0.25) == 2.5);
  CHECK(distributionOf("normal(1, 0.05)", message)->quantile(0.975) ==
        doctest::Approx(1 + 0.05 * 1.959963984540054).epsilon(1e-15));
  CHECK(std::log(distributionOf("lognormal(0.5, 2)", message)->quantile(0.9)) ==
        doctest::Approx(0.5 + 2 * 1.2815515655446004).epsilon(1e-14));
  CHECK(distributionOf("uniform(-30*deg, 30*deg)", message)->quantile(1) ==
        doctest::Approx(std::numbers::pi / 6).epsilon(1e-15));
  CHECK(distributionOf("triangular(3, 3, 3)", message)->quantile(0.4) == 3);
}

TEST_CASE("distributions: what is wrong is said at its place") {
  std::string message;
  const auto messageOf = [&](const std::string& text) {
    CHECK_FALSE(distributionOf(text, message));
    return message;
  };
  CHECK(messageOf("normal(1, -2)") ==
        "study.yaml:3:6: error: normal: the standard deviation must not be negative, found "
        "'normal(1, -2)'");
  CHECK(messageOf("normal(1)") ==
        "study.yaml:3:6: error: 'normal' takes 2 numbers, found 1; it is normal(mean, standard "
        "deviation)");
  CHECK(messageOf("uniform(0, x)") == "study.yaml:3:17: error: unknown name 'x'");
  CHECK(messageOf("norml(0, 1)")
            .starts_with(
                "study.yaml:3:6: error: unknown distribution 'norml'; did you mean 'normal'?"));
  CHECK(messageOf("5").starts_with(
      "study.yaml:3:6: error: a sample must be a distribution, found '5'; there are uniform("));
  CHECK(messageOf("triangular(1, 5, 2)") ==
        "study.yaml:3:6: error: triangular: the values must be in the order least, most frequent, "
        "most, found 'triangular(1, 5, 2)'");
}
