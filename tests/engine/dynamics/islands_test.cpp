// What the islands of a model do not share no derivative shows; of many alike nothing costs more than
// of one but by their number.
#include "engine/equations/islands.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/dynamics/completion.h"
#include "engine/dynamics/newton_matrix.h"
#include "engine/integration/multibody_system.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"
#include "tests/class_models.h"

namespace cardan {
namespace {

constexpr double kOfRun = 1e-8;

/// Four-bars beside each other, each from its own angle.
std::string grid(int count, const std::string& more = "", const std::string& moreConnections = "") {
  std::string components, connections;
  for (int i = 1; i <= count; ++i) {
    components += fmt::format(
        R"(  a{0}: {{type: Revolute, phi: {{start: {1}, fixed: true}}, w: {{start: 4, fixed: true}}}}
  crank{0}: {{type: BodyShape, r: [0.3, 0, 0], m: 1, r_CM: [0.15, 0, 0], I_33: 0.01}}
  b{0}: {{type: Revolute}}
  coupler{0}: {{type: BodyShape, r: [0.4, 0.6, 0], m: 0.5, r_CM: [0.2, 0.3, 0], I_33: 0.02}}
  pivot{0}: {{type: FixedTranslation, r: [1, 0, 0]}}
  c{0}: {{type: Revolute}}
  rocker{0}: {{type: BodyShape, r: [-0.3, 0.6, 0], m: 0.7, r_CM: [-0.15, 0.3, 0], I_33: 0.03}}
  d{0}: {{type: Revolute}}
)",
        i, 0.1 * ((i - 1) % 4));
    connections += fmt::format(R"(  - [world.frame_b, a{0}.frame_a]
  - [a{0}.frame_b, crank{0}.frame_a]
  - [crank{0}.frame_b, b{0}.frame_a]
  - [b{0}.frame_b, coupler{0}.frame_a]
  - [world.frame_b, pivot{0}.frame_a]
  - [pivot{0}.frame_b, c{0}.frame_a]
  - [c{0}.frame_b, rocker{0}.frame_a]
  - [coupler{0}.frame_b, d{0}.frame_a]
  - [d{0}.frame_b, rocker{0}.frame_b]
)",
                               i);
  }
  return "components:\n" + components + more + "connections:\n" + connections + moreConnections;
}

int islandsOf(const std::string& text) {
  return Simulation::fromText(catalogue(), text).parts().equations->islands().count();
}

/// Looks at every derivative of every row, by y and by its rates, somewhere; returns how many islands
/// there are.
int lookBetween(Simulation& s) {
  const Equations& equations = *s.parts().equations;
  const Islands& islands = equations.islands();
  if (islands.count() == 1) return 1;
  const Layout& l = equations.layout();
  std::vector<double> y, yp(l.size());
  for (const Layout::Unknown& u : l.unknowns) y.push_back(u.start);
  for (size_t i = 0; i < y.size(); ++i) {
    y[i] += 0.1 * std::sin(1 + 2.1 * static_cast<double>(i));
    yp[i] = std::cos(3 + 1.7 * static_cast<double>(i));
  }
  EvaluationPoint at(equations);
  at.setPoint(0.37, y.data(), yp.data());
  int between = 0;
  for (const bool rates : {false, true}) {
    at.columns(
        l.size(), {},
        [&](Workspace<Dual>& w, int c, int lane, double on) {
          (rates ? w.yp : w.y)[static_cast<size_t>(c)].setLane(lane, on);
        },
        [&](const Workspace<Dual>& w, int c, int lane) {
          for (int i = 0; i < l.size(); ++i) {
            const bool apart = islands.rows.setOf[static_cast<size_t>(i)] !=
                               islands.unknowns.setOf[static_cast<size_t>(c)];
            if (apart && w.residual[static_cast<size_t>(i)].lane(lane) != 0) ++between;
          }
        });
  }
  CHECK(between == 0);
  return islands.count();
}

}  // namespace

TEST_CASE(
    "Islands: of what is apart, and of what springs, gears, rods, signals and equations join") {
  const std::string spring = "  tie: {type: Spring, c: 1, s_unstretched: 1}\n",
                    toWorld =
                        "  - [world.frame_b, tie.frame_a]\n  - [tie.frame_b, rocker2.frame_b]\n",
                    between =
                        "  - [rocker1.frame_b, tie.frame_a]\n  - [tie.frame_b, rocker2.frame_b]\n";
  CHECK(islandsOf(grid(3)) == 3);
  CHECK(islandsOf(grid(3, spring, toWorld)) == 3);
  CHECK(islandsOf(grid(3, spring, between)) == 2);
  CHECK(islandsOf(grid(3, "  tie: {type: SphericalSpherical, rodLength: 1}\n", between)) == 2);
  CHECK(islandsOf(grid(2, "  push: {type: WorldForce, force: [\"sin(time)\", 0, 0]}\n",
                       "  - [push.frame_b, rocker1.frame_b]\n")) == 2);
  CHECK(islandsOf(grid(2, "  push: {type: WorldForce, force: [\"a1.phi\", 0, 0]}\n",
                       "  - [push.frame_b, rocker2.frame_b]\n")) == 1);
  CHECK(islandsOf(grid(2) + "variables: {x: {start: 1}}\nequations: [\"der(x) = -a1.phi\"]\n") ==
        1);
  const std::string wheels =
      "components:\n  i: {type: Rotational.Inertia, J: 1}\n  j: {type: Rotational.Inertia, J: 2}\n"
      "  k: {type: Rotational.Inertia, J: 2}\n  s: {type: Rotational.Spring, c: 3}\n"
      "  g: {type: Rotational.IdealGear, ratio: 3}\n";
  CHECK(islandsOf(wheels + "connections:\n  - [i.flange_b, s.flange_a]\n  - [s.flange_b, "
                           "j.flange_a]\n  - [i.flange_a, g.flange_a]\n") == 2);
}

TEST_CASE("Islands: no row of one has a derivative by what is on another, whatever the classes") {
  int several = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    CAPTURE(entry.type);
    for (const bool reversed : {false, true}) {
      Simulation s = classes::load(entry, reversed);
      several += lookBetween(s) > 1;
    }
  }
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(CARDAN_SOURCE_DIR "/models")) {
    const std::string folder = file.path().parent_path().filename().string();
    if (file.path().extension() != ".yaml" || folder == "studies" || folder == "reference")
      continue;
    CAPTURE(file.path().string());
    Simulation s(catalogue(), file.path().string());
    several += lookBetween(s) > 1;
  }
  CHECK(several > 20);
}

TEST_CASE(
    "Islands: of many loops the matrices are as many blocks, and take the evaluations of one") {
  Simulation one = Simulation::fromText(catalogue(), grid(1)),
             many = Simulation::fromText(catalogue(), grid(40));
  const auto sizes = [](Simulation& s) {
    s.initialise();
    Equations& equations = *s.parts().equations;
    Completion completion(equations);
    std::vector<double> y = s.y(), yp(y.size(), 0.0);
    CHECK(completion.complete(0, y, yp));
    NewtonMatrix newton(equations);
    CHECK(newton.factor(0, 100, y.data(), yp.data()));
    return std::pair(completion.matrix().size(), newton.evaluations());
  };
  const auto [ofOne, evaluations] = sizes(one);
  CHECK(sizes(many) == std::pair(40 * ofOne, evaluations));
}

TEST_CASE("Islands: a loop moves among others as it does alone, by every method") {
  for (const auto integrator :
       {IntegratorChoice::ida, IntegratorChoice::explicitMethod, IntegratorChoice::automatic}) {
    RunOptions options;
    options.stopTime = 1;
    options.tolerance = kOfRun;
    options.integrator = integrator;
    options.outputs = {"a1.phi", "c1.w", "d1.frame_a.f"};
    Simulation one = Simulation::fromText(catalogue(), grid(1)),
               many = Simulation::fromText(catalogue(), grid(9));
    Trajectory alone, among;
    one.run(alone, options);
    many.run(among, options);
    REQUIRE(alone.time().size() == among.time().size());
    for (const std::string name : {"a1.phi", "c1.w", "d1.frame_a.f[1]", "d1.frame_a.f[2]"}) {
      double largest = 0, difference = 0;
      for (size_t k = 0; k < alone.time().size(); ++k) {
        largest = std::max(largest, std::abs(alone[name][k]));
        difference = std::max(difference, std::abs(alone[name][k] - among[name][k]));
      }
      CAPTURE(name);
      CHECK(difference < 1000 * kOfRun * largest);
    }
  }
}

}  // namespace cardan
