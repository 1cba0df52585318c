// Models that are read but too large to be solved: refused with the size they ask for.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "components/catalogue.h"
#include "engine/integration/solver_error.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

std::string errorsOf(const std::string& text) {
  try {
    Simulation::fromText(catalogue(), text, "m.yaml");
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Size: a model that needs a larger matrix than memory holds" *
          doctest::test_suite("slow")) {
  // Per body seven positions, six velocities and a constraint among the positions: each on its own,
  // as long as no loop has constraints with it, or with what springs tie it to.
  const std::string bodies = "components:\n  b: {type: Body, count: 12000}\n",
                    ties = "  s: {type: Spring, c: 1, count: 11999}\n",
                    loop = "  j: {type: Revolute}\n  k: {type: Revolute}\n",
                    connections =
                        "connections:\n- ['b[1].frame_a', j.frame_a]\n- [j.frame_b, "
                        "'b[2].frame_a']\n"
                        "- ['b[1].frame_a', k.frame_a]\n- [k.frame_b, 'b[2].frame_a']\n";
  CHECK(errorsOf(bodies) == "");
  CHECK(errorsOf(bodies + loop + connections) == "");
  CHECK(errorsOf(bodies + ties + loop + connections +
                 "- {for: 'i in 1:11999', connect: ['b[i].frame_a', 's[i].frame_a']}\n"
                 "- {for: 'i in 1:11999', connect: ['s[i].frame_b', 'b[i+1].frame_a']}\n") ==
        "m.yaml: error: a model must not need a matrix of more than 8 GB, this one has 155999 "
        "unknowns and needs one of 72000 x 72000 numbers, 41 GB");
}

TEST_CASE("Size: unknowns of implicit equations") {
  CHECK(errorsOf("components: {f: {type: Fixed}}\n"
                 "variables:\n"
                 "  a: {size: 1000}\n"
                 "  b: {size: [1000, 1000]}\n"
                 "equations: [\"a*a = 1\"]\n")
            .find("m.yaml:4:3: error: the variables that equations define must not have "
                  "more than 25000 elements in all, 'b' has 1000000") != std::string::npos);
}

TEST_CASE("Size: order of filters and transfer functions, inputs of a sum") {
  const auto block = [](const std::string& parameters) {
    return errorsOf("components: {x: {type: Blocks." + parameters + "}}\n");
  };
  CHECK(block("CriticalDamping, n: 2000000000, u: 1") ==
        "m.yaml:1:51: error: Blocks.CriticalDamping 'x': 'n' must not be of a higher order than "
        "500");
  CHECK(block("TransferFunction, a: 'ones(502)', u: 1") ==
        "m.yaml:1:52: error: Blocks.TransferFunction 'x': 'a' must not be of a higher order than "
        "500");
  CHECK(block("Sum, nin: 10001, u: 1") ==
        "m.yaml:1:41: error: Blocks.Sum 'x': 'nin' must not be greater than 10000");
}

TEST_CASE("Size: turns of a periodic table beyond counting end the run") {
  Simulation s = Simulation::fromText(catalogue(), R"(
components:
  table: {type: Blocks.CombiTimeTable, table: [[0, 1], [1, 2]], timeScale: 1e-300,
          extrapolation: Periodic}
simulation: {start: 1, stop: 2}
)",
                                      "m.yaml");
  Trajectory result;
  try {
    s.run(result);
    FAIL("the run did not stop");
  } catch (const SolverError& e) {
    CHECK(e.details().cause == SolverError::Cause::ComponentFailed);
    CHECK(e.details().unknown == "table");
    CHECK(e.details().where.find("its turns cannot be counted") != std::string::npos);
  }
}

TEST_CASE("Size: an element of an input that no integer can hold") {
  CHECK(errorsOf("components: {f: {type: WorldForce}, c: {type: Blocks.Constant}}\n"
                 "connections: [[c.y, 'f.force[99999999999]']]\n")
            .find("WorldForce 'f': no connector 'force[99999999999]'") != std::string::npos);
}

TEST_CASE("Size: vectors and matrices without elements are refused where they are read") {
  const auto block = [](const std::string& parameters) {
    return errorsOf("components: {x: {type: Blocks." + parameters + "}}\n");
  };
  CHECK(block("CombiTimeTable, offset: 'zeros(0)', table: [[0, 1], [1, 2]]") ==
        "m.yaml:1:55: error: Blocks.CombiTimeTable 'x': 'offset' must be a vector of numbers, "
        "found an empty one");
  CHECK(block("TransferFunction, b: 'zeros(0)', u: 1") ==
        "m.yaml:1:52: error: Blocks.TransferFunction 'x': 'b' must be a vector of numbers, found "
        "an empty one");
  CHECK(block("MatrixGain, K: 'zeros(0, 3)', u: [1, 2]") ==
        "m.yaml:1:46: error: Blocks.MatrixGain 'x': 'K' must be a matrix, a list of rows, found "
        "an empty one");
}
