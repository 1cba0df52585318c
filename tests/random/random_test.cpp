// The short variant of the random cases: a few hundred seeds in this process.
#include <doctest/doctest.h>

#include <set>

#include "tests/random/event_case.h"
#include "tests/random/mechanism_case.h"
#include "tests/random/random_numbers.h"

using namespace cardan::random;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kShare = 6;  // every sixth: sanitizers cost about as much
#else
constexpr int kShare = 1;
#endif

/// Limit of a run's processor time [s]; what does not end within is judged as far as it came.
constexpr double kLimit = 0.5;

void check(const Outcome& o) {
  INFO("seed ", o.seed, ": ", word(o.what), ": ", o.kind, ": ", o.detail);
  CHECK(o.good());
}

void checkMechanisms(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed <= last; seed += kShare)
    check(runMechanism(randomMechanism(seed), kLimit));
}

}  // namespace

TEST_CASE("random numbers: the sequence of a seed is that of splitmix64") {
  RandomNumbers rng(1234567);  // reference values of the algorithm's authors
  CHECK(rng.next() == 6457827717110365317ULL);
  CHECK(rng.next() == 3203168211198807973ULL);
  CHECK(rng.next() == 9817491932198370423ULL);
}

TEST_CASE("random mechanisms: a seed alone gives the model") {
  CHECK(randomMechanism(42).text == randomMechanism(42).text);
  CHECK(eventCase(42).text == eventCase(42).text);
  std::set<std::string> texts;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) texts.insert(randomMechanism(seed).text);
  CHECK(texts.size() == 50);
}

TEST_CASE("random mechanisms: runs agree and rows obey the laws, seeds 1 to 30") {
  checkMechanisms(1, 30);
}
TEST_CASE("random mechanisms: runs agree and rows obey the laws, seeds 31 to 60") {
  checkMechanisms(31, 60);
}
TEST_CASE("random mechanisms: runs agree and rows obey the laws, seeds 61 to 90") {
  checkMechanisms(61, 90);
}
TEST_CASE("random mechanisms: runs agree and rows obey the laws, seeds 91 to 120") {
  checkMechanisms(91, 120);
}

TEST_CASE("random events: number and times are those of the closed forms, seeds 1 to 238") {
  for (std::uint64_t seed = 1; seed <= 238; ++seed) check(runEventCase(eventCase(seed), 5));
}
