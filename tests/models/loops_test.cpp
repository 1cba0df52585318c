// Closed loops of plain joints: where they are cut does not matter, redundancy is told and shared.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "apps/bench/models.h"
#include "engine/integration/solver_error.h"
#include "engine/text/diagnostics.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

/// A planar four-bar of four plain revolute joints, cut at one of them.
std::string fourBar(int cut) {
  std::string text = R"(
components:
  crank: {type: BodyBox, r: [0.3, 0, 0], width: 0.03}
  coupler: {type: BodyBox, r: [0.8, 0, 0], width: 0.03}
  rocker: {type: BodyBox, r: [0.6, 0, 0], width: 0.03}
  base: {type: FixedTranslation, r: [0.7, 0, 0]}
)";
  const char* starts[] = {"phi: {start: '60*deg', fixed: true}, w: {start: 1, fixed: true}",
                          "phi: {start: '-40*deg'}", "phi: {start: '-130*deg'}",
                          "phi: {start: '-110*deg'}"};
  for (int j = 1; j <= 4; ++j) {
    text += fmt::format("  j{}: {{type: Revolute, {}{}}}\n", j, starts[j - 1],
                        j == cut ? ", cut: true" : "");
  }
  return text + R"(
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, crank.frame_a]
  - [crank.frame_b, j2.frame_a]
  - [j2.frame_b, coupler.frame_a]
  - [coupler.frame_b, j3.frame_a]
  - [j3.frame_b, rocker.frame_a]
  - [rocker.frame_b, j4.frame_b]
  - [base.frame_b, j4.frame_a]
  - [world.frame_b, base.frame_a]
simulation: {stop: 1, interval: 0.05, tolerance: 1e-10}
outputs: ["j?.phi", "j?.frame_b.f*", "j?.frame_b.t*"]
)";
}

/// A door on two hinges with a common axis: five of the ten closure equations say nothing new.
const char* const kDoor = R"(
world: {n: [0, 0, -1]}
components:
  upperHeight: {type: FixedTranslation, r: [0, 0, 2]}
  lower: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {fixed: true}}
  upper: {type: Revolute, phi: {start: 0.3}}
  edge:  {type: FixedTranslation, r: [0, 0, 2]}
  door:  {type: Body, m: 20, r_CM: [0.4, 0, 1], I_11: 1, I_22: 2, I_33: 1.2}
connections:
  - [world.frame_b, lower.frame_a]
  - [world.frame_b, upperHeight.frame_a]
  - [upperHeight.frame_b, upper.frame_a]
  - [lower.frame_b, edge.frame_a]
  - [edge.frame_b, upper.frame_b]
  - [lower.frame_b, door.frame_a]
simulation: {stop: 0.1, interval: 0.1}
outputs: ["*.frame_b.f*", "*.frame_b.t*"]
)";

Trajectory runLoops(const std::string& text) { return test::runModel(text).rows; }

}  // namespace

TEST_CASE("loops: a four-bar moves the same, whichever of its joints it is cut at") {
  const Trajectory reference = runLoops(fourBar(4));
  for (int cut = 1; cut <= 3; ++cut) {
    CAPTURE(cut);
    const Trajectory other = runLoops(fourBar(cut));
    for (const char* name : {"j1.phi", "j2.phi", "j3.phi", "j4.phi"}) {
      CAPTURE(name);
      REQUIRE(other[name].size() == 21);
      for (size_t i = 0; i < 21; ++i) {
        CHECK(std::abs(other[name][i] - reference[name][i]) < 1e-7);  // 1000 times the tolerance
      }
    }
  }
}

TEST_CASE("loops: reactions of a redundant four-bar do not depend on where it is cut") {
  const Trajectory reference = runLoops(fourBar(4));
  for (int cut = 1; cut <= 3; ++cut) {
    CAPTURE(cut);
    const Trajectory other = runLoops(fourBar(cut));
    double largest = 0, difference = 0;
    for (const Column& c : reference.columns()) {
      if (c.unit != "N" && c.unit != "N.m") continue;
      for (size_t i = 0; i < 21; ++i) {
        largest = std::max(largest, std::abs(reference[c.name][i]));
        difference = std::max(difference, std::abs(other[c.name][i] - reference[c.name][i]));
      }
    }
    CHECK(largest > 10);
    CHECK(difference < 1e-6 * largest);
  }
}

TEST_CASE("loops: two hinges of a door share its load by least norm") {
  const Trajectory t = runLoops(kDoor);
  const double weight = 20 * 9.80665;
  // Along the axis nothing tells the hinges apart: each carries half the weight.
  CHECK(t["lower.frame_b.f[3]"][0] == doctest::Approx(-weight / 2).epsilon(1e-9));
  CHECK(t["upper.frame_b.f[3]"][0] == doctest::Approx(-weight / 2).epsilon(1e-9));
  // Across it both hinges bear a force +-F (2 m apart) and a torque T against the weight's moment
  // M = weight 0.4 m: 2 F + 2 T = M, and F^2 + T^2 is least for F = T = M/4.
  const double M = weight * 0.4;
  CHECK(std::abs(t["upper.frame_b.f[1]"][0]) == doctest::Approx(M / 4).epsilon(1e-9));
  CHECK(std::abs(t["lower.frame_b.f[1]"][0]) == doctest::Approx(M / 4).epsilon(1e-9));
  CHECK(std::abs(t["upper.frame_b.t[2]"][0]) == doctest::Approx(M / 4).epsilon(1e-9));
  CHECK(std::abs(t["lower.frame_b.t[2]"][0]) == doctest::Approx(M / 4).epsilon(1e-9));
}

TEST_CASE("loops: the report names the loop, the joint that opens it and what is redundant") {
  Simulation s = Simulation::fromText(catalogue(), fourBar(2), "loop.yaml");
  const InitialReport report = s.initialise();
  REQUIRE(report.loops.size() == 1);
  CHECK(report.loops[0].format() ==
        "loop over j1, j4, j3, j2, opened at j2: 3 of 5 closure equations are redundant: "
        "displacement along z, rotation about x, rotation about y");
}

TEST_CASE("loops: strict makes redundant constraints an error that names the loop") {
  Simulation s = Simulation::fromText(catalogue(), fourBar(4), "loop.yaml");
  RunOptions options;
  options.strict = true;
  Trajectory result;
  CHECK_THROWS_WITH_AS(
      s.run(result, options),
      "loop.yaml: error: loop over j1, j2, j3, j4, opened at j4: 3 of 5 closure equations are "
      "redundant: displacement along z, rotation about x, rotation about y",
      ModelError);
}

TEST_CASE("loops: a branch that was left to chance is a warning") {
  std::string text = fourBar(4);
  for (const char* guess :
       {"phi: {start: '-40*deg'}", "phi: {start: '-130*deg'}", "phi: {start: '-110*deg'}"}) {
    text.replace(text.find(guess), std::string(guess).size(), "phi: {}");
  }
  Simulation s = Simulation::fromText(catalogue(), text, "loop.yaml");
  const InitialReport report = s.initialise();
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].starts_with(
      "the loop over j1, j2, j3, j4 may close in more than one way and no start value says which"));
}

TEST_CASE("loops: positions and velocities are closed in every row") {
  for (double tolerance : {1e-6, 1e-8}) {
    CAPTURE(tolerance);
    std::string text = fourBar(4);
    text.replace(text.find("stop: 1, interval: 0.05, tolerance: 1e-10"), 41,
                 fmt::format("stop: 10, interval: 0.02, tolerance: {}", tolerance));
    text.replace(text.find("outputs:"), std::string::npos,
                 "outputs: [j4.frame_a.r_0, j4.frame_b.r_0, va.v, vb.v]\n");
    text.replace(text.find("  base:"), 0,
                 "  va: {type: AbsoluteVelocity, resolveInFrame: world}\n"
                 "  vb: {type: AbsoluteVelocity, resolveInFrame: world}\n");
    text.replace(text.find("  - [world.frame_b, base.frame_a]"), 0,
                 "  - [va.frame_a, base.frame_b]\n  - [vb.frame_a, rocker.frame_b]\n");
    const Trajectory t = runLoops(text);
    double gap = 0, speed = 0;
    for (size_t i = 0; i < t.time().size(); ++i) {
      for (const char* k : {"[1]", "[2]", "[3]"}) {
        gap = std::max(gap, std::abs(t[std::string("j4.frame_a.r_0") + k][i] -
                                     t[std::string("j4.frame_b.r_0") + k][i]));
        speed = std::max(speed,
                         std::abs(t[std::string("va.v") + k][i] - t[std::string("vb.v") + k][i]));
      }
    }
    CHECK(t.time().back() == 10);
    CHECK(gap < 1e-10);
    CHECK(speed < 1e-10);
  }
}

TEST_CASE("loops: rows of four-bars swing through the position where all their rods are in line") {
  for (int n : {1, 3, 10}) {
    CAPTURE(n);
    Simulation s = Simulation::fromText(catalogue(), bench::rowOfFourBars(n), "row.yaml");
    CHECK(s.initialise().degreesOfFreedom == 1);
    Trajectory t;
    RunOptions options;
    options.stopTime = 4;
    options.outputInterval = 0.01;
    options.tolerance = 1e-7;
    options.outputs = {"totalEnergy", "kineticEnergy", "foot0.phi", "foot*.phi"};
    const RunReport report = s.run(t, options);
    // Uprights stand at 1/2 m, level rods at 1 m; their kinetic energies are 1/6 and 1/2 J each.
    const auto& energy = t["totalEnergy"];
    CHECK(energy[0] == doctest::Approx(9.81 * (0.5 * (n + 1) + n) + (n + 1) / 6.0 + n / 2.0));
    double drift = 0;
    for (double e : energy) drift = std::max(drift, std::abs(e - energy[0]));
    MESSAGE(fmt::format("N = {}: {} steps, energy drift {:.1e} J of {:.0f} J, {:.0f} ms", n,
                        report.integrator.steps, drift, energy[0],
                        1e3 * report.integrationSeconds));
    CHECK(t.time().back() == 4);
    CHECK(drift < 1e-4 * energy[0]);  // 1000 tolerances
    // The main branch: all uprights turn on and on together.
    CHECK(t["foot0.phi"].back() < -10);
    for (int i = 1; i <= n; ++i) {
      CHECK(t[fmt::format("foot{}.phi", i)].back() ==
            doctest::Approx(t["foot0.phi"].back()).epsilon(1e-8));
    }
  }
}

TEST_CASE("loops: the joint without a start value is the one that is cut, and guesses are kept") {
  Simulation s = Simulation::fromText(catalogue(), bench::rowOfFourBars(2), "row.yaml");
  const InitialReport report = s.initialise();
  REQUIRE(report.loops.size() == 2);
  CHECK(report.loops[0].cut == "right0");
  CHECK(report.loops[1].cut == "right1");
  CHECK(report.warnings.empty());
  for (const InitialReport::Entry& e : report.entries) {
    CAPTURE(e.name);
    CHECK(std::abs(e.moved()) < 1e-12);
  }
}

TEST_CASE("loops: revolute joints all around and a planar pin give one motion") {
  Trajectory of[2];
  for (bench::Pin pin : {bench::Pin::revolute, bench::Pin::planar}) {
    Simulation s = Simulation::fromText(catalogue(), bench::fourBar(pin), "fourbar.yaml");
    RunOptions options;
    options.stopTime = 1;
    options.outputInterval = 0.05;
    options.tolerance = 1e-10;
    options.outputs = {"j?.phi", "j?.frame_b.f[*", "pin.frame_b.f[*"};
    s.run(of[pin == bench::Pin::planar], options);
  }
  for (const Column& c : of[0].columns()) {
    CAPTURE(c.name);
    const double scale = c.unit == "N" ? 100 : 1;
    for (size_t i = 0; i < of[0].time().size(); ++i) {
      CHECK(std::abs(of[0][c.name][i] - of[1][c.name][i]) < 1e-7 * scale);  // 1000 tolerances
    }
  }
}

namespace {

using Vector2d = Eigen::Vector2d;

/// Forces in the pins of bench::fourBar() by the equations of Newton and Euler of its three rods in
/// the plane, from the crank's angle and rate alone: the closed form of the other angles, the rates
/// by differentiation, then nine equations for the crank's acceleration and four forces.
struct PinForces {
  Vector2d a, b, c, d;  ///< [N]  on crank from ground, on coupler from crank, on rocker from
                        ///< coupler, on rocker from ground; resolved in world
  double angles[3];     ///< [rad] of crank, coupler, rocker
};

PinForces inverseDynamics(double phi, double w) {
  constexpr double ground = 0.7, length[] = {0.2, 0.6, 0.4}, g = 9.81;
  auto along = [](double angle) { return Vector2d(std::cos(angle), std::sin(angle)); };
  auto across = [](double angle) { return Vector2d(-std::sin(angle), std::cos(angle)); };
  PinForces f;
  double* q = f.angles;
  q[0] = phi;
  const Vector2d way = Vector2d(ground, 0) - length[0] * along(phi);
  const double r = way.norm();
  q[1] = std::atan2(way[1], way[0]) +
         std::acos((length[1] * length[1] + r * r - length[2] * length[2]) / (2 * length[1] * r));
  const Vector2d tip = length[1] * along(q[1]) - way;
  q[2] = std::atan2(tip[1], tip[0]);
  // l1 along(q1) + l2 along(q2) = ground + l3 along(q3), differentiated once and twice.
  Eigen::Matrix2d A;
  A << length[1] * across(q[1]), -length[2] * across(q[2]);
  const Eigen::Matrix2d inverse = A.inverse();
  const Vector2d perCrank = inverse * (-length[0] * across(q[0]));
  const Vector2d rates = w * perCrank;
  const double v[] = {w, rates[0], rates[1]};
  const Vector2d bias =
      inverse * (length[0] * v[0] * v[0] * along(q[0]) + length[1] * v[1] * v[1] * along(q[1]) -
                 length[2] * v[2] * v[2] * along(q[2]));
  // Accelerations of angles and centres of mass: slope * dw + offset.
  const double slope[] = {1, perCrank[0], perCrank[1]}, offset[] = {0, bias[0], bias[1]};
  auto pin = [&](int k) {
    return std::pair{Vector2d(length[k] * slope[k] * across(q[k])),
                     Vector2d(length[k] * (offset[k] * across(q[k]) - v[k] * v[k] * along(q[k])))};
  };
  const auto [s0, o0] = pin(0);
  const auto [s1, o1] = pin(1);
  const auto [s2, o2] = pin(2);
  const Vector2d centreSlope[] = {s0 / 2, s0 + s1 / 2, s2 / 2};
  const Vector2d centreOffset[] = {o0 / 2, o0 + o1 / 2, o2 / 2};
  // Unknowns: dw, F_a, F_b, F_c, F_d. Each rod: force at its start, minus the next one's at its
  // end.
  Eigen::Matrix<double, 9, 9> M = Eigen::Matrix<double, 9, 9>::Zero();
  Eigen::Matrix<double, 9, 1> rhs = Eigen::Matrix<double, 9, 1>::Zero();
  const int start[] = {1, 3, 7}, end[] = {3, 5, 5};
  const double endSign[] = {-1, -1, 1};
  for (int k = 0; k < 3; ++k) {
    const double m = 5 * length[k], I = m * length[k] * length[k] / 12;
    const Vector2d half = length[k] / 2 * along(q[k]);
    for (int i = 0; i < 2; ++i) {
      M(3 * k + i, start[k] + i) += 1;
      M(3 * k + i, end[k] + i) += endSign[k];
      M(3 * k + i, 0) = -m * centreSlope[k][i];
      rhs[3 * k + i] = m * centreOffset[k][i] + (i == 1 ? m * g : 0);
    }
    auto moment = [&](int column, const Vector2d& arm, double sign) {
      M(3 * k + 2, column) += -sign * arm[1];
      M(3 * k + 2, column + 1) += sign * arm[0];
    };
    moment(start[k], -half, 1);
    moment(end[k], half, endSign[k]);
    M(3 * k + 2, 0) = -I * slope[k];
    rhs[3 * k + 2] = I * offset[k];
  }
  const Eigen::Matrix<double, 9, 1> x = M.fullPivLu().solve(rhs);
  f.a = x.segment<2>(1);
  f.b = x.segment<2>(3);
  f.c = x.segment<2>(5);
  f.d = x.segment<2>(7);
  return f;
}

}  // namespace

TEST_CASE("loops: reactions in the rows are those of inverse dynamics") {
  for (bench::Pin pin : {bench::Pin::revolute, bench::Pin::planar}) {
    CAPTURE(pin == bench::Pin::planar);
    Simulation s = Simulation::fromText(catalogue(), bench::fourBar(pin), "fourbar.yaml");
    Trajectory t;
    RunOptions options;
    options.stopTime = 5;
    options.outputInterval = 0.01;
    options.tolerance = 1e-6;
    options.outputs = {"j1.phi", "j1.w", "*.frame_b.f[*", "j?.frame_b.t[*"};
    s.run(t, options);
    double largest = 0, difference = 0;
    for (size_t i = 0; i < t.time().size(); ++i) {
      const PinForces f = inverseDynamics(t["j1.phi"][i], t["j1.w"][i]);
      auto compare = [&](const char* joint, const Vector2d& wanted, double angle) {
        const Vector2d local(t[fmt::format("{}.frame_b.f[1]", joint)][i],
                             t[fmt::format("{}.frame_b.f[2]", joint)][i]);
        const Vector2d force = -(Eigen::Rotation2Dd(angle) * local);
        largest = std::max(largest, wanted.norm());
        difference = std::max(difference, (force - wanted).norm());
      };
      compare("j1", f.a, f.angles[0]);
      compare("j2", f.b, f.angles[1]);
      compare("pin", f.c, f.angles[2]);
      compare("j3", f.d, f.angles[2]);
    }
    MESSAGE(fmt::format("largest force {:.0f} N, difference {:.1e} N", largest, difference));
    CHECK(t.time().size() == 501);
    CHECK(largest > 50);
    CHECK(difference < 1e-8 * largest);
  }
}

TEST_CASE("loops: a spatial loop with spherical joints closes from rough guesses") {
  // Crank and rocker about z, a coupler of 1 m between two spherical joints. With the crank at 0
  // the rocker's tip must be 1 m from (0.3, 0, 0): q.phi = 1.70512 on this side.
  for (const char* guess : {"0.5", "1", "1.2", "1.4", "2", "2.5"}) {
    CAPTURE(guess);
    Simulation s = Simulation::fromText(catalogue(),
                                        fmt::format(R"(
components:
  r: {{type: Revolute, phi: {{fixed: true}}, w: {{fixed: true}}}}
  crank: {{type: BodyShape, r: [0.3, 0, 0], r_CM: [0.15, 0, 0], m: 1}}
  s: {{type: Spherical}}
  coupler: {{type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0.05, 0.02], m: 0.5}}
  ground: {{type: FixedTranslation, r: [1, 0.1, 0.05]}}
  q: {{type: Revolute, phi: {{start: {}}}}}
  rocker: {{type: BodyShape, r: [0.7, 0, 0], r_CM: [0.35, 0, 0], m: 1}}
  t: {{type: Spherical}}
connections:
  - [world.frame_b, r.frame_a]
  - [r.frame_b, crank.frame_a]
  - [crank.frame_b, s.frame_a]
  - [s.frame_b, coupler.frame_a]
  - [world.frame_b, ground.frame_a]
  - [ground.frame_b, q.frame_a]
  - [q.frame_b, rocker.frame_a]
  - [coupler.frame_b, t.frame_a]
  - [t.frame_b, rocker.frame_b]
)",
                                                    guess),
                                        "spatial.yaml");
    const InitialReport report = s.initialise();
    bool found = false;
    for (const InitialReport::Entry& e : report.entries) {
      if (e.name != "q.phi") continue;
      found = true;
      const double x = 1 + 0.7 * std::cos(e.reached) - 0.3, y = 0.1 + 0.7 * std::sin(e.reached);
      CHECK(std::hypot(x, y, 0.05) == doctest::Approx(1).epsilon(1e-10));
      CHECK(e.reached == doctest::Approx(1.70512).epsilon(1e-5));
    }
    CHECK(found);
  }
}

TEST_CASE("loops: a rod that is too short is told with the gap and the joints of its loop") {
  Simulation s = Simulation::fromText(catalogue(), R"(
components:
  slide:  {type: Prismatic, n: [1, 0, 0], s: {start: 0.1}}
  body:   {type: Body, m: 1, r_CM: [0, 0, 0]}
  post:   {type: FixedTranslation, r: [0, 1, 0]}
  rod:    {type: SphericalSpherical, rodLength: 0.8}
connections:
  - [world.frame_b, slide.frame_a]
  - [slide.frame_b, body.frame_a]
  - [world.frame_b, post.frame_a]
  - [post.frame_b, rod.frame_a]
  - [rod.frame_b, slide.frame_b]
)",
                                      "rod.yaml");
  CHECK_THROWS_WITH_AS(s.initialise(),
                       "rod.yaml:6:3: error: SphericalSpherical 'rod': its loop cannot be closed: "
                       "a gap of 0.2 m remains between its frames; joints of the loop: 'slide'",
                       ModelError);
}

TEST_CASE("loops: one that cannot be closed is told alone, the others are closed") {
  Simulation s = Simulation::fromText(catalogue(), R"(
components:
  slide1: {type: Prismatic, n: [1, 0, 0], s: {start: 0.1}}
  body1:  {type: Body, m: 1, r_CM: [0, 0, 0]}
  slide2: {type: Prismatic, n: [1, 0, 0], s: {start: 0.1}}
  body2:  {type: Body, m: 1, r_CM: [0, 0, 0]}
  post:   {type: FixedTranslation, r: [0, 1, 0]}
  long:   {type: SphericalSpherical, rodLength: 3}
  short:  {type: SphericalSpherical, rodLength: 0.8}
connections:
  - [world.frame_b, slide1.frame_a]
  - [slide1.frame_b, body1.frame_a]
  - [world.frame_b, slide2.frame_a]
  - [slide2.frame_b, body2.frame_a]
  - [world.frame_b, post.frame_a]
  - [post.frame_b, long.frame_a]
  - [long.frame_b, slide1.frame_b]
  - [post.frame_b, short.frame_a]
  - [short.frame_b, slide2.frame_b]
)",
                                      "rods.yaml");
  CHECK_THROWS_WITH_AS(
      s.initialise(),
      "rods.yaml:9:3: error: SphericalSpherical 'short': its loop cannot be closed: "
      "a gap of 0.2 m remains between its frames; joints of the loop: 'slide2'",
      ModelError);
}

TEST_CASE("loops: a joint that is to be cut has nothing at its axis that could not act then") {
  std::string text = fourBar(2);
  const std::string joint = "j2: {type: Revolute,";
  text.replace(text.find(joint), joint.size(), joint + " friction: {torque: 0.1},");
  CHECK_THROWS_WITH_AS(
      Simulation::fromText(catalogue(), text, "loop.yaml"),
      "loop.yaml:8:3: error: Revolute 'j2': 'cut: true' of a joint whose axis is in use, by a "
      "flange, "
      "friction or limits, leaves nothing that these could act on: cut a joint free of them",
      ModelError);
}

TEST_CASE("loops: a redundancy that ends stops the run by name, with the rows so far") {
  // Two drives turn the feet of a parallelogram alike, until 0.5 s.
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
components:
  base:   {type: FixedTranslation, r: [1, 0, 0]}
  foot0:  {type: Revolute, useAxisFlange: true, phi: {start: 1}}
  foot1:  {type: Revolute, useAxisFlange: true, phi: {start: 1}}
  drive0: {type: Rotational.Position, exact: true, phi_ref: "1 + 0.3*sin(time)"}
  drive1: {type: Rotational.Position, exact: true, phi_ref: "1 + 0.3*sin(time) + 0.01*max(0, time - 0.5)^3"}
  up0:    {type: BodyShape, r: [1, 0, 0], m: 1, r_CM: [0.5, 0, 0]}
  up1:    {type: BodyShape, r: [1, 0, 0], m: 1, r_CM: [0.5, 0, 0]}
  left:   {
type:
  Revolute, phi : {
  start:
    -1
  }
}
  level:  {type: BodyShape, r: [1, 0, 0], m: 1, r_CM: [0.5, 0, 0]}
  pin:    {type: RevolutePlanarLoopConstraint}
connections:
  - [world.frame_b, foot0.frame_a]
  - [world.frame_b, base.frame_a]
  - [base.frame_b, foot1.frame_a]
  - [foot0.frame_b, up0.frame_a]
  - [foot1.frame_b, up1.frame_a]
  - [up0.frame_b, left.frame_a]
  - [left.frame_b, level.frame_a]
  - [level.frame_b, pin.frame_a]
  - [pin.frame_b, up1.frame_b]
  - [drive0.flange, foot0.axis]
  - [drive1.flange, foot1.axis]
simulation: {stop: 1, interval: 0.01}
outputs: [foot0.phi, foot1.phi]
)yaml",
                                      "twice.yaml");
  Trajectory t;
  try {
    s.run(t);
    FAIL("the run should stop");
  } catch (const SolverError& e) {
    CHECK(e.details().cause == SolverError::Cause::RedundancyEnded);
    CHECK(std::string(e.what()).find("constraint: 'pin.displacement across the axis") !=
          std::string::npos);
    CHECK(e.details().time > 0.5);
    CHECK(e.details().time < 0.6);
  }
  REQUIRE(t.time().size() > 50);
  CHECK(t.time().back() > 0.5);
  CHECK(t.time().back() < 0.6);
}
