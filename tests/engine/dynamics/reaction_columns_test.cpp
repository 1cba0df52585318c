// The reactions of constraints act on the velocities as the constraints' rows read them.
#include "engine/dynamics/reaction_columns.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/dynamics/evaluation_point.h"
#include "engine/equations/model.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"

namespace cardan {
namespace {

// Sums of a dozen products of arms and directions.
constexpr double kOfColumns = 1e-13;

/// Compares all columns of a model in motion with derivatives of its velocity rows; returns how many
/// there are.
int compare(Simulation& s) {
  s.initialise();
  const Layout& l = s.parts().equations->layout();
  std::vector<double> y = s.y(), yp(y.size(), 0.0);
  for (int i = 0; i < l.nv; ++i) y[l.nq + i] += 0.3 * std::sin(1 + 2.1 * i);
  EvaluationPoint at(*s.parts().equations);
  at.setPoint(0, y.data(), yp.data());
  const Purpose motion{.loads = false, .everyFrame = false, .kinematicRows = false};
  at.evaluate(motion);
  ReactionColumns reactions(*s.parts().equations);
  for (int twice = 0; twice < 2; ++twice) reactions.evaluate(at.valueWorkspace());
  Eigen::MatrixXd G(l.nlambda, l.nv);
  at.columns(
      l.nv, motion,
      [&](Workspace<Dual>& w, int c, int lane, double on) { w.y[l.nq + c].setLane(lane, on); },
      [&](const Workspace<Dual>& w, int c, int lane) {
        for (int k = 0; k < l.nlambda; ++k) G(k, c) = w.velocityResidues[k].lane(lane);
      });
  int compared = 0;
  for (int k = 0; k < l.nlambda; ++k) {
    if (!reactions.has(k)) continue;
    CAPTURE(k);
    ++compared;
    const double size = 1 + G.row(k).cwiseAbs().maxCoeff();
    Eigen::VectorXd column = Eigen::VectorXd::Zero(l.nv);
    const Partition& islands = s.parts().equations->islands().unknowns;
    column(islands.range(l.nq, l.nv).members[islands.setOf[l.lambdaOffset() + k]]) =
        reactions.column(k);
    CHECK((G.row(k).transpose() - column).cwiseAbs().maxCoeff() < kOfColumns * size);
  }
  return compared;
}

}  // namespace

TEST_CASE("ReactionColumns: the transpose of the velocity rows, of cut joints and of parts") {
  int compared = 0;
  for (const char* file :
       {"loops/bricard", "loops/delta", "loops/engine_v6", "loops/fourbar", "loops/rolling_coin",
        "loops/slider_crank", "loops/spatial_fourbar", "loops/squeezer", "loops/stewart"}) {
    CAPTURE(file);
    Simulation s(catalogue(), std::string(CARDAN_SOURCE_DIR) + "/models/" + file + ".yaml");
    const int here = compare(s);
    CHECK(here > 0);
    compared += here;
  }
  CHECK(compared > 60);
}

TEST_CASE("ReactionColumns: rods between bodies, of one row and of three") {
  Simulation rod = Simulation::fromText(catalogue(), R"yaml(
components:
  far: {type: Fixed, r: [0.9, 0.3, 0.2]}
  ball: {type: Spherical, useQuaternions: true}
  arm: {type: BodyShape, r: [0.5, 0.1, 0], m: 1}
  rod: {type: SphericalSpherical, rodLength: 0.7, m: 0.2}
  turn: {type: Universal, n_a: [0, 0, 1], n_b: [0, 1, 0]}
  bar: {type: BodyShape, r: [0.2, 0.4, 0.1], m: 1}
  tie: {type: UniversalSpherical, n1_a: [0, 1, 0], rRod_ia: [0.5, 0.2, 0.3]}
connections:
  - [world.frame_b, ball.frame_a]
  - [ball.frame_b, arm.frame_a]
  - [far.frame_b, turn.frame_a]
  - [turn.frame_b, bar.frame_a]
  - [arm.frame_b, rod.frame_a]
  - [rod.frame_b, bar.frame_b]
  - [arm.frame_b, tie.frame_a]
  - [tie.frame_b, bar.frame_a]
)yaml");
  CHECK(compare(rod) >= 2);
}

TEST_CASE("ReactionColumns: drives and gears between joints and inertias") {
  Simulation drives = Simulation::fromText(catalogue(), R"yaml(
components:
  j1: {type: Revolute, n: [1, 2, 3], useAxisFlange: true, phi: {start: 0.3}}
  b1: {type: BodyShape, r: [0.5, 0.1, 0], m: 1}
  j2: {type: Prismatic, n: [3, 1, 2], useAxisFlange: true, s: {start: 0.2}}
  b2: {type: BodyShape, r: [0.1, 0.4, 0], m: 2}
  j3: {type: Revolute, n: [0, 1, 0], useAxisFlange: true}
  b3: {type: BodyShape, r: [0.1, 0.4, 0.3], m: 2}
  rotor: {type: Rotational.Inertia, J: 0.3}
  gear: {type: Rotational.IdealGear, ratio: 3}
  hold: {type: Rotational.Position, exact: true, phi_ref: "0.3 + 0.1*time"}
  move: {type: Translational.Position, exact: true, s_ref: "0.2 + 0.1*sin(time)"}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, b1.frame_a]
  - [b1.frame_b, j2.frame_a]
  - [j2.frame_b, b2.frame_a]
  - [b2.frame_b, j3.frame_a]
  - [j3.frame_b, b3.frame_a]
  - [j1.axis, gear.flange_a]
  - [gear.flange_b, j3.axis]
  - [rotor.flange_a, hold.flange]
  - [move.flange, j2.axis]
)yaml");
  CHECK(compare(drives) == 3);
}

}  // namespace cardan
