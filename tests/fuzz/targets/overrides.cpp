/// Target: what stands behind `--set`, a line each, on a model with something of every kind to set.
#include "components/catalogue.h"
#include "engine/integration/solver_error.h"
#include "engine/simulation.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"

using namespace cardan;

namespace {

constexpr size_t kMostOverrides = 50;
constexpr size_t kLongest = 10'000;

const std::string kModel = R"(
world: {g: 9.81}
parameters:
  L: 0.5
  half: L/2
  r: [0, L, 0]
  M: [[1, 2], [3, 4]]
  isOn: true
  law: "linear"
submodels:
  Link:
    parameters: {length: 1, color: [1, 2, 3]}
    components:
      bar: {type: BodyBox, r: [length, 0, 0], width: 0.05}
    connectors: {frame_a: bar.frame_a, frame_b: bar.frame_b}
components:
  pin: {type: Revolute, n: [0, 0, 1], phi: {start: 0.1, fixed: true}, useAxisFlange: true}
  link: {type: Link, length: L}
  body: {type: Body, m: 1, r_CM: r, I_11: 0.1}
  motor: {type: Rotational.Torque, tau: sin(time)}
  table: {type: Blocks.CombiTimeTable, table: [[0, 1], [1, 2]]}
connections:
  - [world.frame_b, pin.frame_a]
  - [pin.frame_b, link.frame_a]
  - [link.frame_b, body.frame_a]
  - [motor.flange, pin.axis]
variables: {twice: 2*pin.phi}
simulation: {stop: 0.1}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > kLongest) return -1;
  Overrides overrides(1);
  for (const char c : fuzz::textOf(data, size)) {
    if (c == '\n') {
      overrides.emplace_back();
    } else {
      overrides.back() += c;
    }
  }
  if (overrides.size() > kMostOverrides) return -1;
  try {
    Simulation simulation = Simulation::fromText(catalogue(), kModel, "m.yaml", overrides);
    simulation.initialise();
  } catch (const ModelError& e) {
    fuzz::expect(e.diagnostics().errorCount() > 0, "a refusal names an error");
    fuzz::expectClean(e.what());
  } catch (const SolverError& e) {
    fuzz::expectClean(e.what());
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed, fuzz::mutatedOverrides);
}
