// The inner loop of a run does not allocate.
#include <doctest/doctest.h>

#include <vector>

#include "components/catalogue.h"
#include "engine/integration/multibody_system.h"
#include "engine/simulation.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
extern long allocations;  // counted by malloc in initialisation_test.cpp

namespace cardan {
namespace {

/// Allocations of a hundred calls, after one that may still make room.
template <class F>
long allocationsOf(F call) {
  const volatile long& counter = allocations;
  call();
  const long before = counter;
  for (int i = 0; i < 100; ++i) call();
  return counter - before;
}

}  // namespace

TEST_CASE("residual and Newton matrix: a step of the arm allocates nothing") {
  Simulation s(catalogue(), CARDAN_SOURCE_DIR "/models/robots/arm6.yaml");
  s.initialise();
  MultibodySystem& system = s.system();
  const std::vector<double> y = s.y(), yp = s.yp();
  std::vector<double> r(y.size());
  // The counter counts: a vector of the arm's size is one.
  CHECK(allocationsOf([&] { std::vector<double>(y).swap(r); }) == 100);
  CHECK(allocationsOf([&] { system.residual(0.1, y.data(), yp.data(), r.data()); }) == 0);
  CHECK(allocationsOf([&] { system.factor(0.1, 50, y.data(), yp.data()); }) == 0);
  CHECK(allocationsOf([&] { system.solve(r.data(), r.data()); }) == 0);
}

}  // namespace cardan
#endif
