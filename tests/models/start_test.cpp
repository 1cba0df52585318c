/// What the start takes for a contradiction.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "components/catalogue.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

/// A joint and a sensor on it, both fixed.
std::string twice(double joint, double sensor) {
  return fmt::format(R"(
world: {{g: 0}}
components:
  j: {{type: Revolute, phi: {{start: {:.17g}, fixed: true}}, w: {{start: 1, fixed: true}}}}
  b: {{type: Body}}
  s: {{type: RelativeAngles, angles: {{start: [0, 0, {:.17g}], fixed: [false, false, true]}}}}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [world.frame_b, s.frame_a]
  - [b.frame_a, s.frame_b]
simulation: {{stop: 1, interval: 1}}
outputs: [j.phi]
)",
                     joint, sensor);
}

}  // namespace

TEST_CASE(
    "start: two fixed values that differ by 1e-7 contradict each other, by roundoff they agree") {
  for (double phi : {0.3, 3.0}) {
    CAPTURE(phi);
    Simulation agreed = Simulation::fromText(catalogue(), twice(phi, phi * (1 + 1e-15)));
    Trajectory t;
    agreed.run(t);
    CHECK(std::abs(t["j.phi"].back() - phi - 1) < 1e-9);
    for (double by : {1e-7, -1e-7, 1e-3}) {
      CAPTURE(by);
      Simulation s = Simulation::fromText(catalogue(), twice(phi, phi + by), "start.yaml");
      try {
        s.initialise();
        FAIL("no contradiction");
      } catch (const ModelError& e) {
        const std::string said = e.what();
        CHECK(said.find("Revolute 'j'") != std::string::npos);
        CHECK(said.find("RelativeAngles 's'") != std::string::npos);
      }
    }
  }
}
