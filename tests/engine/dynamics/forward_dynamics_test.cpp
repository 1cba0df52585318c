// Rates of the states: they satisfy the equations, and say where these come close to singular ones.
#include "engine/dynamics/forward_dynamics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/integration/multibody_system.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"

using namespace cardan;

namespace {

/// Two rods of 1 m stand on the ground, 1 m apart, joined at their tops by a third: a parallelogram,
/// singular where it lies flat.
const char* const kParallelogram = R"yaml(
world: {g: 9.81}
components:
  base: {type: FixedTranslation, r: [1, 0, 0]}
  foot0: {type: Revolute, phi: {start: 1, fixed: true}}
  up0: {type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1, I_11: 1e-3, I_22: 1/12, I_33: 1/12}
  foot1: {type: Revolute, phi: {start: 1}}
  up1: {type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1, I_11: 1e-3, I_22: 1/12, I_33: 1/12}
  left: {type: Revolute, phi: {start: -1}}
  level: {type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1, I_11: 1e-3, I_22: 1/12, I_33: 1/12}
  right: {type: Revolute}
connections:
  - [world.frame_b, base.frame_a]
  - [world.frame_b, foot0.frame_a]
  - [foot0.frame_b, up0.frame_a]
  - [base.frame_b, foot1.frame_a]
  - [foot1.frame_b, up1.frame_a]
  - [up0.frame_b, left.frame_a]
  - [left.frame_b, level.frame_a]
  - [level.frame_b, right.frame_a]
  - [right.frame_b, up1.frame_b]
)yaml";

}  // namespace

TEST_CASE("ForwardDynamics: rates and all that follows from the states satisfy the equations") {
  for (const char* file :
       {"elementary/double_pendulum", "elementary/free_body_matrix", "elementary/spatial_chain",
        "loops/fourbar", "loops/bricard", "loops/delta", "loops/engine_v6", "robots/arm6"}) {
    CAPTURE(file);
    Simulation s(catalogue(), std::string(CARDAN_SOURCE_DIR) + "/models/" + file + ".yaml");
    s.initialise();
    ForwardDynamics model(*s.parts().equations);
    CHECK(model.obstacle().empty());
    std::vector<double> y = s.y(), yp(y.size(), 0.0), r(y.size());
    // Nothing but the states goes in.
    const Layout& l = s.parts().equations->layout();
    for (int i = l.lambdaOffset(); i < l.size(); ++i) y[static_cast<size_t>(i)] = 0;
    REQUIRE(model.rates(0, y, yp));
    REQUIRE(s.parts().system->residual(0, y.data(), yp.data(), r.data()));
    double largest = 0;
    for (size_t i = 0; i < r.size(); ++i) {
      largest = std::max(largest, std::abs(r[i]) / (1 + std::abs(y[i]) + std::abs(yp[i])));
    }
    CHECK(largest < 1e-9);
    CHECK(model.conditioning() > 1e-9);
  }
}

TEST_CASE("ForwardDynamics: conditioning goes with the square of the way to a singular position") {
  Simulation s = Simulation::fromText(catalogue(), kParallelogram);
  s.initialise();
  ForwardDynamics model(*s.parts().equations);
  const Layout& l = s.parts().equations->layout();
  const auto conditioningAt = [&](double angle) {
    std::vector<double> y = s.y(), yp(y.size(), 0.0);
    for (int i = 0; i < l.nq; ++i) {
      const std::string& name = l.unknowns[static_cast<size_t>(i)].name;
      if (name.starts_with("foot")) y[static_cast<size_t>(i)] = angle;
      if (name.starts_with("left")) y[static_cast<size_t>(i)] = -angle;
      y[static_cast<size_t>(l.nq + i)] = 0;
    }
    model.rates(0, y, yp);
    return model.conditioning();
  };
  for (const double angle : {0.04, 0.01, 0.0025}) {
    CAPTURE(angle);
    CHECK(conditioningAt(angle) / conditioningAt(angle / 4) == doctest::Approx(16).epsilon(0.1));
  }
  CHECK(conditioningAt(1e-9) < 1e-14);
}

TEST_CASE("ForwardDynamics: a tree is never singular, however light a part") {
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
components:
  track: {type: Prismatic, s: {fixed: true}, v: {fixed: true}}
  cart: {type: PointMass, m: 1e-9}
  pin: {type: Revolute, phi: {start: 1.5, fixed: true}, w: {fixed: true}}
  bob: {type: Body, m: 1, r_CM: [0, -1, 0]}
connections: [[world.frame_b, track.frame_a], [track.frame_b, cart.frame_a],
              [track.frame_b, pin.frame_a], [pin.frame_b, bob.frame_a]]
)yaml");
  s.initialise();
  ForwardDynamics model(*s.parts().equations);
  std::vector<double> y = s.y(), yp(y.size(), 0.0);
  CHECK(model.rates(0, y, yp));
  CHECK(model.conditioning() == 1);
}
