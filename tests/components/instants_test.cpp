// Instants: times that are one, and the ticks of clocks, to the last bit.
#include "components/instants.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

using namespace cardan;

TEST_CASE("instants: times within four units of the last place are one, others are not") {
  for (const double t : {1e-9, 0.1, 0.3, 1.0, 1.9999, 86400.1, -7.3}) {
    double there = t;
    for (int i = 0; i < 4; ++i) there = std::nextafter(there, 1e300);
    CHECK(isSameInstant(t, there));
    CHECK(isSameInstant(there, t));
    CHECK(hasCome(there, t));
    CHECK_FALSE(isSameInstant(t, t * (1 + 1e-14)));
    CHECK_FALSE(hasCome(t + 1e-14 * std::abs(t), t));
  }
  const double never = std::numeric_limits<double>::infinity();
  CHECK(isSameInstant(0, 0));
  CHECK_FALSE(isSameInstant(0, 1e-300));
  CHECK_FALSE(hasCome(never, 1));
  CHECK(hasCome(-never, 1));
  CHECK_FALSE(isSameInstant(never, never));
}

TEST_CASE("instants: of times that are one the plainest stands for all, in whatever order") {
  const double odd = 3 * 0.1;
  REQUIRE(odd != 0.3);
  for (const bool swapped : {false, true}) {
    FirstInstant first;
    first.offer(7);
    first.offer(swapped ? 0.3 : odd);
    first.offer(swapped ? odd : 0.3);
    first.offer(0.31);
    CHECK(first.at() == 0.3);
  }
}

TEST_CASE("ticks: clocks of decimal periods, and of products of them, meet at the decimals") {
  constexpr long kTicks = 1000000;
  const Ticks tenths(0, 0.1), threes(0, 0.3), product(0, 3 * 0.1), sevens(0, 0.7),
      sums(0.1 + 0.2 - 0.3 + 0.1, 0.1 + 0.2), shifted(-1000, 0.1);
  long wrong = 0;
  for (long k = 0; k <= kTicks; ++k) {
    const auto n = static_cast<double>(k);
    // A quotient of whole numbers is the double nearest to the decimal.
    wrong += tenths.at(n) == n / 10 ? 0 : 1;
    wrong += threes.at(n) == 3 * n / 10 ? 0 : 1;
    wrong += product.at(n) == threes.at(n) ? 0 : 1;
    wrong += sevens.at(n) == 7 * n / 10 ? 0 : 1;
    wrong += sums.at(n) == (k == 0 ? sums.start() : (1 + 3 * n) / 10) ? 0 : 1;
    wrong += shifted.at(n) == (n - 10000) / 10 ? 0 : 1;
    wrong += threes.at(n) == tenths.at(3 * n) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("ticks: clocks of periods that are no decimals meet within one instant") {
  constexpr long kTicks = 1000000;
  const Ticks thirds(0, 1.0 / 3), twoThirds(1.0 / 3, 2.0 / 3), sevenths(0, 0.7 / 3),
      odd(0.1, 1.0 / 3);
  const Ticks whole(0, 1), tenths(0.1, 1), seven(0, 0.7);
  long wrong = 0;
  for (long k = 0; k <= kTicks; ++k) {
    const auto n = static_cast<double>(k);
    wrong += isSameInstant(thirds.at(3 * n), whole.at(n)) ? 0 : 1;
    wrong += isSameInstant(twoThirds.at(n), thirds.at(2 * n + 1)) ? 0 : 1;
    wrong += isSameInstant(sevenths.at(3 * n), seven.at(n)) ? 0 : 1;
    wrong += isSameInstant(odd.at(3 * n), tenths.at(n)) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("ticks: the first at a time and the first after it") {
  for (const double interval : {0.1, 0.3, 0.7, 1.0 / 3, 0x1p-5, 1e-7, 12345.678}) {
    for (const double start : {0.0, 0.1, -2.5, 1e4}) {
      const Ticks ticks(start, interval);
      for (const double k : {0.0, 1.0, 2.0, 3.0, 7.0, 1e3, 1e6, 123456789.0}) {
        const double at = ticks.at(k), unit = std::nextafter(at, 1e300) - at;
        CAPTURE(at);
        for (const double off : {-2 * unit, 0.0, 2 * unit}) {
          if (!isSameInstant(at, at + off)) continue;
          CHECK(ticks.from(at + off) == k);
          CHECK(ticks.after(at + off) == k + 1);
        }
        CHECK(ticks.from(at + 0.4 * interval) == k + 1);
        CHECK(ticks.after(at - 0.4 * interval) == k);
      }
      CHECK(ticks.from(start - 1000) == 0);
      CHECK(ticks.after(start - 1000) == 0);
    }
  }
}
