// The short variant of the table: a few draws of every case in this process.
#include <doctest/doctest.h>

#include "tests/identification/coverage.h"

using namespace cardan::identification;

TEST_CASE("Fit: of twelve mechanisms intervals of 95 % hold the truth, a few draws each") {
  constexpr long kDraws = 4;
  REQUIRE(identificationCases().size() == 12);
  long all = 0, missed = 0, far = 0;
  for (const IdentificationCase& one : identificationCases()) {
    CAPTURE(one.name);
    const Coverage c = coverage(one, 1, kDraws);
    CHECK(c.lost == 0);
    for (size_t k = 0; k < one.sought.size(); ++k) {
      all += c.draws;
      missed += c.draws - c.inside[k];
      far += c.far[k];
    }
  }
  // Of n = 164 by 0.05 each: 8.2 +- 2.8; parameters of a fit miss together, by twos or threes: +- 5.
  CHECK(missed >= 1);
  CHECK(missed <= 0.05 * static_cast<double>(all) + 4 * 5);
  CHECK(far <= 5);  // one is to be expected
}

TEST_CASE("Coverage: what is outside is told, and counts survive their text") {
  const Coverage good{1000, 0, {920, 980}, {10, 10}, 0.5};
  CHECK(isGood(good));
  CHECK_FALSE(isGood({1000, 1, {950}, {0}}));
  CHECK_FALSE(isGood({1000, 0, {950, 919}, {0, 0}}));
  CHECK_FALSE(isGood({1000, 0, {950, 981}, {0, 0}}));
  CHECK_FALSE(isGood({1000, 0, {950, 950}, {21, 0}}));
  Coverage twice;
  twice.add(Coverage::of(good.text()));
  twice.add(good);
  CHECK(twice.text() == Coverage{2000, 0, {1840, 1960}, {20, 20}, 1}.text());
}
