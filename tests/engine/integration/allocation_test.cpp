// The inner loop of a run does not allocate; what a start allocates is linear in the model.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/integration/multibody_system.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"

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
  MultibodySystem& system = *s.parts().system;
  const std::vector<double> y = s.y(), yp = s.yp();
  std::vector<double> r(y.size());
  // The counter counts: a vector of the arm's size is one.
  CHECK(allocationsOf([&] { std::vector<double>(y).swap(r); }) == 100);
  CHECK(allocationsOf([&] { system.residual(0.1, y.data(), yp.data(), r.data()); }) == 0);
  CHECK(allocationsOf([&] { system.factor(0.1, 50, y.data(), yp.data()); }) == 0);
  CHECK(allocationsOf([&] { system.solve(r.data(), r.data()); }) == 0);
}

TEST_CASE("a model from its file to its start: allocations are linear in its parts") {
  const auto allocationsOfStart = [](int bodies) {
    std::string components = "components:\n", connections = "connections:\n", end = "world.frame_b";
    for (int i = 1; i <= bodies; ++i) {
      const std::string n = std::to_string(i);
      components += "  j" + n + ": {type: Revolute, phi: {start: 0.1}}\n  b" + n +
                    ": {type: BodyBox, r: [1, 0, 0], width: 0.1}\n";
      connections +=
          "  - [" + end + ", j" + n + ".frame_a]\n  - [j" + n + ".frame_b, b" + n + ".frame_a]\n";
      end = "b" + n + ".frame_b";
    }
    const volatile long& counter = allocations;
    const long before = counter;
    Simulation s = Simulation::fromText(
        catalogue(), components + connections + "outputs: [j1.phi]\n", "chain.yaml", {});
    s.initialise();
    return counter - before;
  };
  const long small = allocationsOfStart(200), middle = allocationsOfStart(400),
             large = allocationsOfStart(800);
  CHECK(large - middle > middle - small);
  CHECK(large - middle < 2.1 * static_cast<double>(middle - small));
}

}  // namespace cardan
#endif
