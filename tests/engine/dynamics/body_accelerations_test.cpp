// Accelerations joint by joint where parts reach further than one of them.
#include "engine/dynamics/body_accelerations.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "components/catalogue.h"
#include "engine/dynamics/forward_dynamics.h"
#include "engine/equations/model.h"
#include "engine/integration/multibody_system.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"

using namespace cardan;

namespace {

/// Largest part of der(v) by which rates() misses the equations, at the start.
double missOf(Simulation& s) {
  s.initialise();
  const Equations& equations = *s.parts().equations;
  const Layout& l = equations.layout();
  REQUIRE(BodyAccelerations(equations).fits());
  ForwardDynamics model(equations);
  std::vector<double> y = s.y(), yp(y.size(), 0.0), r(y.size());
  // Nothing but the states goes in.
  for (int i = l.lambdaOffset(); i < l.size(); ++i) y[static_cast<size_t>(i)] = 0;
  REQUIRE(model.rates(0, y, yp));
  REQUIRE(s.parts().system->residual(0, y.data(), yp.data(), r.data()));
  double largest = 0, moves = 0;
  for (size_t i = 0; i < r.size(); ++i) {
    largest = std::max(largest, std::abs(r[i]) / (1 + std::abs(y[i]) + std::abs(yp[i])));
    if (l.unknowns[i].differential) moves = std::max(moves, std::abs(yp[i]));
  }
  CHECK(moves > 0.01);
  return largest;
}

/// Two bodies on `first` and `second` with a line between them that has mass, in three ways.
std::string betweenBodies(const std::string& first, const std::string& second) {
  return R"yaml(
components:
  one: )yaml" +
         first + R"yaml(
  two: )yaml" +
         second + R"yaml(
  here: {type: BodyShape, r: [0.5, 0.2, 0], r_CM: [0.2, 0, 0.1], m: 2, I_11: 0.1, I_22: 0.2, I_33: 0.3}
  apart: {type: FixedTranslation, r: [1.5, 0, 0.2]}
  there: {type: BodyShape, r: [0, 0.5, 0.1], r_CM: [0.1, 0, 0.1], m: 3, I_11: 0.3, I_22: 0.2, I_33: 0.3}
  line: {type: LineForceWithMass, m: 1.5, lengthFraction: 0.3}
  spring: {type: Translational.Spring, c: 50, s_rel0: 0.5}
  strut: {type: LineForceWithTwoMasses, m_a: 0.7, m_b: 0.4, L_a: 0.2, L_b: 0.3}
  pull: {type: Translational.Spring, c: 30, s_rel0: 0.5}
  soft: {type: Bushing, c: [10, 20, 30], b: [0.1, 0.2, 0.3], b_rot: [0.03, 0.01, 0.02]}
connections:
  - [world.frame_b, one.frame_a]
  - [one.frame_b, here.frame_a]
  - [world.frame_b, apart.frame_a]
  - [apart.frame_b, two.frame_a]
  - [two.frame_b, there.frame_a]
  - [here.frame_b, line.frame_a]
  - [there.frame_b, line.frame_b]
  - [line.flange_a, spring.flange_a]
  - [line.flange_b, spring.flange_b]
  - [here.frame_b, strut.frame_b]
  - [there.frame_a, strut.frame_a]
  - [strut.flange_a, pull.flange_a]
  - [strut.flange_b, pull.flange_b]
  - [here.frame_b, soft.frame_a]
  - [there.frame_b, soft.frame_b]
)yaml";
}

const char* const kTurn = "{type: Revolute, n: [0.2, 0.1, 1], phi: {start: 0.3}, w: {start: 1}}";
const char* const kSlide = "{type: Prismatic, n: [0.2, 1, 0.1], s: {start: 0.3}, v: {start: 1}}";
const char* const kBall =
    "{type: Spherical, w_rel_a_start: [1, 0.5, 2], angles_start: [0.1, 0.2, 0.3]}";
const char* const kFree =
    "{type: FreeMotion, r_rel_a: {start: [0.1, 0.2, 0.3]}, v_rel_a: {start: [1, 0, 2]}, "
    "angles_start: [0.1, "
    "0.2, 0.3], w_rel_a_start: [1, 0.5, 2]}";
const char* const kPlane =
    "{type: Planar, s_x: {start: 0.1}, phi: {start: 0.3}, w: {start: 2}, v_x: {start: 0.3}}";

/// A motor with its gear between two links, its rotor felt by what carries it; shafts of their own
/// behind it, on a planetary gear and a spring; and a joint whose motion is given.
const char* const kDrives = R"yaml(
world: {driveTrainMechanics3D: true}
components:
  base: {type: Revolute, n: [0, 1, 0], useAxisFlange: true}
  given: {type: Rotational.Position, exact: true, phi_ref: "0.3*sin(2*time + 1)"}
  column: {type: BodyBox, r: [0, 0.5, 0], width: 0.1}
  shoulder: {type: Revolute, useAxisFlange: true, phi: {start: 0.4}, w: {start: 1}}
  upper: {type: BodyBox, r: [0.5, 0, 0], width: 0.1}
  elbow: {type: Revolute, n: [0.1, 0, 1], useAxisFlange: true, phi: {start: 0.7}, w: {start: -2}}
  lower: {type: BodyBox, r: [0.5, 0, 0], width: 0.05}
  rotor: {type: Rotor1D, J: 0.02, n: [0, 0, 1]}
  gear: {type: Rotational.IdealGear, ratio: 20}
  planets: {type: Rotational.IdealPlanetary, ratio: 2}
  sun: {type: Rotational.Inertia, J: 0.1, w: {start: 3}}
  ring: {type: Rotational.Inertia, J: 0.3, w: {start: 1}}
  shaft: {type: Rotational.SpringDamper, c: 30, d: 1}
  wheel: {type: Rotational.Inertia, J: 0.2, phi: {start: 0.1}, w: {start: 1}}
connections:
  - [world.frame_b, base.frame_a]
  - [given.flange, base.axis]
  - [base.frame_b, column.frame_a]
  - [column.frame_b, shoulder.frame_a]
  - [shoulder.frame_b, upper.frame_a]
  - [upper.frame_b, elbow.frame_a]
  - [elbow.frame_b, lower.frame_a]
  - [upper.frame_a, rotor.frame_a]
  - [rotor.flange_b, gear.flange_a]
  - [gear.flange_b, elbow.axis]
  - [sun.flange_b, planets.sun]
  - [ring.flange_b, planets.ring]
  - [planets.carrier, shoulder.axis]
  - [ring.flange_a, shaft.flange_a]
  - [shaft.flange_b, wheel.flange_a]
)yaml";

}  // namespace

TEST_CASE("BodyAccelerations: masses between two bodies count in the motion of both") {
  for (const char* first : {kTurn, kSlide, kBall, kFree, kPlane}) {
    for (const char* second : {kTurn, kSlide, kBall, kFree, kPlane}) {
      CAPTURE(first);
      CAPTURE(second);
      Simulation s = Simulation::fromText(catalogue(), betweenBodies(first, second));
      CHECK(missOf(s) < 1e-10);
    }
  }
}

TEST_CASE("BodyAccelerations: rotors, shafts and gears, and motions that are given") {
  Simulation s = Simulation::fromText(catalogue(), kDrives);
  CHECK(missOf(s) < 1e-10);
}

TEST_CASE("BodyAccelerations: rods with mass between bodies in loops") {
  Simulation s(catalogue(), CARDAN_SOURCE_DIR "/models/loops/delta.yaml");
  CHECK(missOf(s) < 1e-9);
}
