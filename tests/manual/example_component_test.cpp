// The component that components/README.md adds, compiled as the page has it (tests/CMakeLists.txt).
#include <doctest/doctest.h>

#include <cmath>

#include "components/catalogue.h"
#include "components/joints/elastic_hinge.h"
#include "engine/simulation.h"
#include "tests/apps/process.h"
#include "tests/manual/markdown.h"

using namespace cardan;

namespace {

Catalogue withHinge() {
  return joined(
      {catalogue(), package("joints", {entry<ElasticHinge>("ElasticHinge", "as the page says")})});
}

/// The model that the page shows.
std::string flag() {
  for (const test::Block& b :
       test::blocksOf(test::readFile(CARDAN_SOURCE_DIR "/components/README.md"))) {
    if (b.kind == "yaml") return b.text;
  }
  return "";
}

}  // namespace

TEST_CASE("components/README: its component runs in its model, and loses what its damper takes") {
  const Catalogue all = withHinge();
  Simulation s = Simulation::fromText(all, flag());
  CHECK(s.warnings().all().empty());
  Trajectory rows;
  s.run(rows);
  CHECK(rows.time().size() == 201);
  CHECK(rows["totalEnergy"].back() < rows["totalEnergy"].front());
}

TEST_CASE("components/README: its component swings with sqrt(c/J), driven from either side") {
  const Catalogue all = withHinge();
  const double c = 40, J = 0.8, phi0 = 0.5, t = 0.9;
  for (const char* ends : {"[world.frame_b, hinge.frame_a]\n  - [hinge.frame_b, body.frame_a]",
                           "[world.frame_b, hinge.frame_b]\n  - [hinge.frame_a, body.frame_a]"}) {
    Simulation s = Simulation::fromText(
        all,
        std::string("world: {gravityType: NoGravity}\ncomponents:\n"
                    "  hinge: {type: ElasticHinge, c: 40, phi: {start: 0.5, fixed: true}, w: "
                    "{fixed: true}}\n"
                    "  body: {type: Body, m: 1, r_CM: [0, 0, 0], I_11: 1, I_22: 1, I_33: 0.8}\n"
                    "connections:\n  - ") +
            ends + "\nsimulation: {stop: 0.9, interval: 0.1, tolerance: 1e-9}\n");
    Trajectory rows;
    s.run(rows);
    const double expected = phi0 * std::cos(std::sqrt(c / J) * t);
    CHECK(rows["hinge.phi"].back() == doctest::Approx(expected).epsilon(1e-6));
  }
}
