#include "engine/integration/vector_operations.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

using namespace cardan;

namespace {

std::vector<double> numbers(size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> draw(-2, 2);
  std::vector<double> x(n);
  for (double& v : x) v = draw(engine);
  return x;
}

}  // namespace

TEST_CASE("vector operations: norms and sums of every length equal those element by element") {
  for (size_t n = 1; n <= 37; ++n) {
    CAPTURE(n);
    const std::vector<double> x = numbers(n, 1), y = numbers(n, 2), w = numbers(n, 3);
    std::vector<double> mask(n);
    long double all = 0, some = 0;
    for (size_t i = 0; i < n; ++i) {
      mask[i] = i % 3 == 0;
      const long double square = std::pow(static_cast<long double>(x[i]) * w[i], 2);
      all += square;
      if (mask[i] > 0) some += square;
    }
    const double eps = std::numeric_limits<double>::epsilon() * n;
    CHECK(vectors::weightedNorm(n, x.data(), w.data()) ==
          doctest::Approx(std::sqrt(static_cast<double>(all / n))).epsilon(eps));
    CHECK(vectors::weightedNorm(n, x.data(), w.data(), mask.data()) ==
          doctest::Approx(std::sqrt(static_cast<double>(some / n))).epsilon(eps));

    std::vector<double> z(n);
    vectors::sum(n, 0.7, x.data(), -1.3, y.data(), z.data());
    const double c[] = {1, -0.5, 3};
    const double* const terms[] = {x.data(), y.data(), w.data()};
    std::vector<double> t(n);
    vectors::combination(n, 3, c, terms, t.data());
    std::vector<double> weights(n);
    vectors::errorWeights(n, 1e-3, mask.data(), x.data(), weights.data());
    for (size_t i = 0; i < n; ++i) {
      CHECK(weights[i] * (1e-3 * std::abs(x[i]) + mask[i]) == doctest::Approx(1).epsilon(4 * eps));
      CHECK(std::abs(z[i] - (0.7 * x[i] - 1.3 * y[i])) <= 1e-15);
      CHECK(std::abs(t[i] - (x[i] - 0.5 * y[i] + 3 * w[i])) <= 3e-15);
    }
  }
}

TEST_CASE("vector operations: the result may take the place of what it is made of") {
  const size_t n = 21;
  const std::vector<double> x = numbers(n, 4), y = numbers(n, 5);
  std::vector<double> apart(n), place = x, other = y;
  vectors::sum(n, 2, x.data(), 3, y.data(), apart.data());
  vectors::sum(n, 2, place.data(), 3, y.data(), place.data());
  CHECK(place == apart);
  vectors::sum(n, 2, x.data(), 3, other.data(), other.data());
  CHECK(other == apart);
  place = x;
  const double c[] = {2, 3};
  const double* const terms[] = {place.data(), y.data()};
  vectors::combination(n, 2, c, terms, place.data());
  CHECK(place == apart);
}

TEST_CASE("vector operations: what the mask leaves out may be no number at all") {
  std::vector<double> x = numbers(12, 6), mask(12, 1.0);
  const std::vector<double> w(12, 1.0);
  x[3] = std::numeric_limits<double>::quiet_NaN();
  mask[3] = 0;
  CHECK(std::isfinite(vectors::weightedNorm(12, x.data(), w.data(), mask.data())));
  CHECK(std::isnan(vectors::weightedNorm(12, x.data(), w.data())));
}

TEST_CASE("vector operations: one element that is not finite is found wherever it is") {
  for (size_t n = 1; n <= 20; ++n) {
    std::vector<double> x = numbers(n, 6);
    CHECK(vectors::allFinite(n, x.data()));
    for (size_t i = 0; i < n; ++i) {
      for (double bad :
           {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::quiet_NaN()}) {
        const double good = std::exchange(x[i], bad);
        CHECK(!vectors::allFinite(n, x.data()));
        x[i] = good;
      }
    }
  }
}
