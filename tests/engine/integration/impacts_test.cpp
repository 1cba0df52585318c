// Impacts beside runs: what is asked of the equations, and what is not.
#include "engine/integration/impacts.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/integration/event_system.h"
#include "engine/integration/solver_error.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"

using namespace cardan;

namespace {

/// A plate that a slide holds level stands on two feet: one of them would do.
const char* const kTwoFeet = R"yaml(
world: {n: [0, -1, 0], g: 10}
components:
  guide: {type: Prismatic, n: [0, 1, 0], s: {start: 0.1, fixed: true}, v: {fixed: true}}
  plate: {type: Body, m: 4, r_CM: [0, 0, 0]}
  left: {type: FixedTranslation, r: [-0.4, 0, 0]}
  right: {type: FixedTranslation, r: [0.4, 0, 0]}
  a: {type: Contact.SpherePlane, radius: 0.1, rigid: true, restitution: 0.5}
  b: {type: Contact.SpherePlane, radius: 0.1, rigid: true, restitution: 0.5}
connections:
  - [world.frame_b, guide.frame_a]
  - [guide.frame_b, plate.frame_a]
  - [plate.frame_a, left.frame_a]
  - [plate.frame_a, right.frame_a]
  - [world.frame_b, a.frame_a]
  - [left.frame_b, a.frame_b]
  - [world.frame_b, b.frame_a]
  - [right.frame_b, b.frame_b]
simulation: {stop: 0.1}
outputs: [a.f_n, b.f_n]
)yaml";

}  // namespace

TEST_CASE("Impacts: surfaces that know their mobility do not ask for it again") {
  Simulation s = Simulation::fromText(catalogue(), kTwoFeet);
  s.start();
  CHECK(s.value(s.variable("a.f_n")) == doctest::Approx(20));
  CHECK(s.value(s.variable("b.f_n")) == doctest::Approx(20));
  Equations& equations = *s.parts().equations;
  ContactViolations violations(equations);
  Impacts impacts(equations, violations);
  Completion completion(equations);
  Workspace<double> w = equations.makeWorkspace<double>();
  const std::vector<int> open(equations.flatModel().instances.size(), 1);
  const auto mobilities = [&] {
    return impacts.openMobilities(0, s.y(), s.yp(), open, completion, w);
  };
  CHECK(std::ranges::all_of(mobilities(), [](double m) { return m == 0; }));
  // As at the first instant, when nothing was known: a force parts each foot from the floor by 1/m.
  const FlatModel& flat = equations.flatModel();
  for (size_t i = 0; i < flat.modes.size(); ++i) {
    if (flat.modes[i].name.ends_with("sharedMobility")) equations.state.modes[i] = 0;
  }
  const std::vector<double> found = mobilities();
  CHECK(std::ranges::count_if(found, [](double m) { return m == doctest::Approx(0.25); }) == 2);
}
