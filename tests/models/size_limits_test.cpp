// Models that are read but too large to be solved: refused with the size they ask for.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "components/catalogue.h"
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

TEST_CASE("Size: more freedoms than matrices hold") {
  std::string text = "components:\n";
  for (int i = 0; i < 5000; ++i) text += fmt::format("  b{}: {{type: Body}}\n", i);
  CHECK(errorsOf(text) ==
        "m.yaml: error: a model must not have more than 25000 velocities, algebraic unknowns and "
        "reactions, found 30000; their matrices would take 8 GB each");
}

TEST_CASE("Size: unknowns of implicit equations") {
  CHECK(errorsOf("components: {f: {type: Fixed}}\n"
                 "variables:\n"
                 "  a: {size: 1000}\n"
                 "  b: {size: [1000, 1000]}\n"
                 "equations: [\"a*a = 1\"]\n")
            .starts_with("m.yaml:4:3: error: the variables that equations define must not have "
                         "more than 25000 elements in all, 'b' has 1000000"));
}

TEST_CASE("Size: order of filters and transfer functions, inputs of a sum") {
  const auto block = [](const std::string& parameters) {
    return errorsOf("components: {x: {type: Blocks." + parameters + "}}\n");
  };
  CHECK(block("CriticalDamping, n: 2000000000, u: 1") ==
        "m.yaml:1:52: error: Blocks.CriticalDamping 'x': 'n' must not be of a higher order than "
        "500");
  CHECK(block("TransferFunction, a: 'ones(502)', u: 1") ==
        "m.yaml:1:53: error: Blocks.TransferFunction 'x': 'a' must not be of a higher order than "
        "500");
  CHECK(block("Sum, nin: 10001, u: 1") ==
        "m.yaml:1:42: error: Blocks.Sum 'x': 'nin' must not be greater than 10000");
}
