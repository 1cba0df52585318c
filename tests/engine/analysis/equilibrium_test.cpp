// Equilibria against closed forms; where there is none, it is said.
#include "engine/analysis/equilibrium.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/analysis/modes.h"
#include "engine/equations/model.h"
#include "engine/model_file/model_source.h"
#include "engine/motion_point.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

const std::string kEquilibriumShipped = std::string(CARDAN_SOURCE_DIR) + "/models/";

struct Rested {
  Simulation simulation;
  Equilibrium rest;
  double value(const std::string& unknown) const {
    const Unknowns& l = simulation.model().assembly().layout;
    for (size_t i = 0; i < l.unknowns.size(); ++i) {
      if (l.unknowns[i].name == unknown) return rest.point.y[i];
    }
    FAIL("no unknown " << unknown);
    return 0;
  }
};

Rested restOf(Simulation s, const EquilibriumOptions& options) {
  s.initialise();
  const MotionPoint start{s.source().simulation.start, s.y(), s.yp()};
  Equilibrium rest = findEquilibrium(s, start, options);
  return {std::move(s), std::move(rest)};
}

Rested restOf(const std::string& text, const EquilibriumOptions& options = {}) {
  return restOf(Simulation::fromText(catalogue(), text), options);
}

const HoldingForce& drive(const Rested& r, const std::string& name) {
  const auto f = std::ranges::find(r.rest.held, name, &HoldingForce::name);
  REQUIRE(f != r.rest.held.end());
  return *f;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

/// A point on an arm of 0.5 m that hangs on a turning shaft; phi = 90 deg hangs straight down.
const char* const kGovernor = R"yaml(
world: {g: 9.81, n: [0, 0, -1]}
components:
  bearing: {type: Revolute, n: [0, 0, 1], w: {start: 6, fixed: true}}
  hinge: {type: Revolute, n: [0, 1, 0], phi: {start: 1.2}}
  arm: {type: FixedTranslation, r: [0.5, 0, 0]}
  ball: {type: PointMass, m: 5}
connections:
  - [world.frame_b, bearing.frame_a]
  - [bearing.frame_b, hinge.frame_a]
  - [hinge.frame_b, arm.frame_a]
  - [arm.frame_b, ball.frame_a]
simulation: {stop: 1}
outputs: [hinge.phi]
)yaml";

/// A double pendulum, masses 2 kg and 3 kg at the ends of links of 0.7 m and 0.4 m.
const char* const kEquilibriumArm = R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  shoulder: {type: Revolute, phi: {start: 30 deg}}
  upper: {type: BodyShape, r: [0.7, 0, 0], r_CM: [0.7, 0, 0], m: 2, I_11: 0, I_22: 0, I_33: 0}
  elbow: {type: Revolute, phi: {start: -80 deg}}
  lower: {type: Body, r_CM: [0.4, 0, 0], m: 3, I_11: 0, I_22: 0, I_33: 0}
connections:
  - [world.frame_b, shoulder.frame_a]
  - [shoulder.frame_b, upper.frame_a]
  - [upper.frame_b, elbow.frame_a]
  - [elbow.frame_b, lower.frame_a]
simulation: {stop: 1}
outputs: [elbow.phi]
)yaml";

}  // namespace

TEST_CASE("Equilibrium: a mass on a spring hangs where the spring carries it") {
  const Rested r = restOf(R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  slide: {type: Prismatic, n: [0, -1, 0], s: {start: 0.1}}
  mass: {type: Body, m: 3, r_CM: [0, 0, 0]}
  spring: {type: Spring, c: 200, s_unstretched: 0.2}
connections:
  - [world.frame_b, slide.frame_a]
  - [slide.frame_b, mass.frame_a]
  - [world.frame_b, spring.frame_a]
  - [slide.frame_b, spring.frame_b]
simulation: {stop: 1}
outputs: [slide.s]
)yaml");
  REQUIRE(r.rest.found);
  CHECK(r.value("slide.s") == doctest::Approx(0.2 + 3 * 9.81 / 200).epsilon(1e-10));
}

TEST_CASE("Equilibrium: equations without a mechanism rest where they say, or nowhere") {
  const std::string text = R"(
variables: {x: {start: 5, fixed: true}, y: {start: 0, fixed: true}}
equations: ["der(x) = 2*y - x", "der(y) = 3 - y"]
)";
  const Rested r = restOf(text);
  REQUIRE(r.rest.found);
  CHECK(r.value("x") == doctest::Approx(6).epsilon(1e-9));
  CHECK(r.value("y") == doctest::Approx(3).epsilon(1e-9));
  CHECK(r.rest.unstable == 0);
  CHECK_FALSE(
      restOf("variables: {x: {start: 0, fixed: true}}\nequations: [der(x) = 1]\n").rest.found);
}

TEST_CASE("Equilibrium: a chain between two points hangs in the catenary of its links") {
  // The tangents of the links' angles form an arithmetic sequence: each joint carries one weight.
  constexpr int n = 7;
  std::string text = "world: {g: 9.81, n: [0, -1, 0]}\ncomponents:\n";
  std::string connections = "connections:\n", before = "world.frame_b";
  for (int i = 1; i <= n - 1; ++i) {
    const double x = 5.0 * i / n, y = -2.0 * std::sin(std::numbers::pi * i / n);
    text += fmt::format("  p{}: {{type: PointMass, m: 1, r_0: {{start: [{}, {}, 0]}}}}\n", i, x, y);
  }
  text += "  end: {type: Fixed, r: [5, 0, 0]}\n";
  for (int i = 1; i <= n; ++i) {
    const std::string after = i < n ? fmt::format("p{}.frame_a", i) : "end.frame_b";
    text += fmt::format("  s{}: {{type: SphericalSpherical, rodLength: 1}}\n", i);
    connections +=
        fmt::format("  - [{0}, s{1}.frame_a]\n  - [s{1}.frame_b, {2}]\n", before, i, after);
    before = after;
  }
  const Rested r = restOf(text + connections + "simulation: {stop: 1}\noutputs: [p1.r_0]\n");
  REQUIRE(r.rest.found);
  double x = 0, y = 0, last = 0, step = 0;
  for (int i = 1; i <= n; ++i) {
    const double nextX = i < n ? r.value(fmt::format("p{}.r_0[1]", i)) : 5;
    const double nextY = i < n ? r.value(fmt::format("p{}.r_0[2]", i)) : 0;
    const double tangent = (nextY - y) / (nextX - x);
    CHECK(std::hypot(nextX - x, nextY - y) == doctest::Approx(1).epsilon(1e-9));
    if (i == 2) step = tangent - last;
    if (i > 2) CHECK(tangent - last == doctest::Approx(step).epsilon(1e-8));
    last = tangent;
    x = nextX;
    y = nextY;
  }
  CHECK(step > 0.1);  // it hangs
}

TEST_CASE("Equilibrium: what falls freely, and what is driven, rests nowhere") {
  const Rested r = restOf(R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  body: {type: PointMass, m: 1}
simulation: {stop: 1}
outputs: [body.r_0]
)yaml");
  CHECK_FALSE(r.rest.found);
  REQUIRE(!r.rest.unbalanced.empty());
  CHECK(r.rest.unbalanced.front().name == "body.v_0[2]");
  CHECK(r.rest.unbalanced.front().rate == doctest::Approx(-9.81));
  CHECK(explainNoEquilibrium(r.rest).find("der(body.v_0[2]) = -9.81 (m/s)/s") != std::string::npos);
}

TEST_CASE(
    "Equilibrium: a pendulum ends where it hangs, but stays where it starts exactly upright") {
  const auto pendulum = [](const std::string& phi) {
    return restOf(R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  hinge: {type: Revolute, phi: {start: ")yaml" +
                  phi + R"yaml("}}
  bob: {type: Body, m: 1, r_CM: [1, 0, 0], I_11: 0, I_22: 0, I_33: 0}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, bob.frame_a]
simulation: {stop: 1}
outputs: [hinge.phi]
)yaml");
  };
  for (const char* const nearlyUpright : {"1.5", "pi/2 - 1e-6"}) {
    const Rested r = pendulum(nearlyUpright);
    REQUIRE(r.rest.found);
    CHECK(r.value("hinge.phi") == doctest::Approx(-std::numbers::pi / 2).epsilon(1e-10));
    CHECK(r.rest.unstable == 0);
  }
  Rested r = pendulum("pi/2");
  REQUIRE(r.rest.found);
  CHECK(r.value("hinge.phi") == doctest::Approx(std::numbers::pi / 2).epsilon(1e-10));
  CHECK(r.rest.unstable == 1);
  const LinearModel m = linearise(r.simulation, r.rest.point);
  CHECK(m.kind == LinearModel::Kind::equilibrium);
  const ModalAnalysis a = findModes(m);
  CHECK(a.unstable == 1);
  CHECK(std::abs(a.modes.front().eigenvalue.real()) ==
        doctest::Approx(std::sqrt(9.81)).epsilon(1e-12));
}

TEST_CASE("Equilibrium: a governor's arm in steady turning stands at cos = g/(w^2 l)") {
  const double angle = std::asin(9.81 / (36 * 0.5));  // from the horizontal
  SUBCASE("at a speed that is kept") {
    const Rested r = restOf(kGovernor, {.steady = {"bearing.w"}});
    REQUIRE(r.rest.found);
    CHECK(r.rest.moves);
    CHECK_FALSE(r.rest.turning);
    CHECK(r.value("hinge.phi") == doctest::Approx(angle).epsilon(1e-11));
    CHECK(r.value("bearing.w") == 6);
    CHECK(r.rest.unstable == 0);
    CHECK(r.rest.zeros == 0);
    CHECK(std::abs(drive(r, "drive(bearing.phi)").value) < 1e-9);
    CHECK(drive(r, "drive(bearing.phi)").keeps);
  }
  SUBCASE("with a drive in the model") {
    for (const char* const motor : {"{type: Rotational.Speed, exact: true, w_ref: 6}",
                                    "{type: Rotational.Speed, exact: false, w_ref: 6}"}) {
      std::string text = replaced(kGovernor, "w: {start: 6, fixed: true}", "useAxisFlange: true");
      text = replaced(
          text, "connections:\n",
          std::string("  motor: ") + motor + "\nconnections:\n  - [motor.flange, bearing.axis]\n");
      const Rested r = restOf(text);
      REQUIRE(r.rest.found);
      CHECK(r.rest.moves);
      CHECK(r.value("hinge.phi") == doctest::Approx(angle).epsilon(1e-9));
      CHECK(r.value("bearing.w") == doctest::Approx(6).epsilon(1e-9));
      CHECK(r.rest.unstable == 0);
    }
  }
  SUBCASE("too slow for it: it hangs") {
    const Rested r = restOf(replaced(kGovernor, "start: 6", "start: 4"), {.steady = {"bearing.w"}});
    REQUIRE(r.rest.found);
    CHECK(r.value("hinge.phi") == doctest::Approx(std::numbers::pi / 2).epsilon(1e-9));
    CHECK(r.rest.unstable == 0);
  }
  SUBCASE("hanging where it would rise: told to be unstable") {
    const Rested r =
        restOf(replaced(kGovernor, "start: 1.2", "start: 90 deg"), {.steady = {"*.w"}});
    // The hinge's speed, zero, is kept as well: held in place, nothing is free.
    REQUIRE(r.rest.found);
    CHECK(r.rest.unstable == 0);
    const Rested free =
        restOf(replaced(kGovernor, "start: 1.2", "start: 90 deg"), {.steady = {"bearing.w"}});
    REQUIRE(free.rest.found);
    CHECK(free.value("hinge.phi") == doctest::Approx(std::numbers::pi / 2).epsilon(1e-12));
    CHECK(free.rest.unstable == 1);
  }
  SUBCASE("a damped bearing takes the torque that keeps its speed") {
    std::string text = replaced(kGovernor, "n: [0, 0, 1],", "n: [0, 0, 1], useAxisFlange: true,");
    text = replaced(text, "connections:\n",
                    "  drag: {type: Rotational.Damper, d: 0.3}\nconnections:\n"
                    "  - [drag.flange_a, bearing.support]\n  - [drag.flange_b, bearing.axis]\n");
    const Rested r = restOf(text, {.steady = {"bearing.w"}});
    REQUIRE(r.rest.found);
    CHECK(r.value("hinge.phi") == doctest::Approx(angle).epsilon(1e-11));
    CHECK(drive(r, "drive(bearing.phi)").value == doctest::Approx(0.3 * 6).epsilon(1e-12));
    CHECK(drive(r, "drive(bearing.phi)").unit == "N.m");
  }
}

TEST_CASE("Equilibrium: Watt's governor turns steadily where its forces balance, by own statics") {
  const Rested r = restOf(Simulation(catalogue(), kEquilibriumShipped + "loops/governor.yaml"),
                          {.steady = {"bearing.w"}});
  REQUIRE(r.rest.found);
  CHECK(r.rest.unstable == 0);
  CHECK_FALSE(r.rest.turning);
  // Amended potential of one arm and half the slider by the arm's angle b and the slider's height s.
  const double w2 = 4 * std::numbers::pi * std::numbers::pi, g = 9.81, length = 1, width = 0.01;
  const double rod = 3000 * width * width * length;
  const auto potential = [&](double b, double s) {
    // The rod begins at (0.05, 1) and is turned by b about y from (cos 30, -sin 30).
    const double c = std::cos(b), n = std::sin(b), x0 = std::cos(std::numbers::pi / 6), z0 = -0.5;
    const double ux = c * x0 + n * z0, uz = -n * x0 + c * z0;
    const double inertia =
        5 * std::pow(0.05 + ux, 2) +
        rod * (0.05 * 0.05 + 0.05 * ux + ux * ux / 3 + (width * width / 12) * (1 - ux * ux));
    const double gap = std::hypot(ux / 2, 1 + uz / 2 - s) - 0.5;
    return g * (5 * uz + rod * uz / 2 + 1.5 * s) + 4e5 * gap * gap - w2 * inertia / 2;
  };
  const auto slope = [&](auto f) {
    const double h = 1e-3;
    return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + f(3 * h) - f(-3 * h)) / (60 * h);
  };
  const double b = r.value("armA.hinge.phi"), s = r.value("guide.s");
  // Of forces of magnitude 50 N; the differences of the spring's potential are good to 1e-9 of them.
  CHECK(std::abs(slope([&](double h) { return potential(b + h, s); })) < 1e-6);
  CHECK(std::abs(slope([&](double h) { return potential(b, s + h); })) < 1e-6);
  CHECK(r.value("armB.hinge.phi") == doctest::Approx(-b).epsilon(1e-9));
}

TEST_CASE("Equilibrium: what is not free is held, by the force that it takes") {
  SUBCASE("an arm with a held shoulder hangs from the elbow") {
    const Rested r = restOf(kEquilibriumArm, {.free = {"elbow.*"}});
    REQUIRE(r.rest.found);
    CHECK(r.rest.unstable == 0);
    CHECK(r.value("shoulder.phi") == doctest::Approx(std::numbers::pi / 6).epsilon(1e-14));
    CHECK(r.value("elbow.phi") == doctest::Approx(-2 * std::numbers::pi / 3).epsilon(1e-11));
    REQUIRE(r.rest.held.size() == 1);
    CHECK(drive(r, "drive(shoulder.phi)").value ==
          doctest::Approx(5 * 9.81 * 0.7 * std::cos(std::numbers::pi / 6)).epsilon(1e-11));
    CHECK_FALSE(r.rest.held[0].keeps);
  }
  SUBCASE("what loops tie to the free coordinate follows it") {
    const Rested all =
        restOf(Simulation(catalogue(), kEquilibriumShipped + "loops/fourbar.yaml"), {});
    REQUIRE(all.rest.found);
    const std::string crank = all.simulation.model().assembly().layout.unknowns[0].name;
    const Rested one = restOf(Simulation(catalogue(), kEquilibriumShipped + "loops/fourbar.yaml"),
                              {.free = {crank}});
    REQUIRE(one.rest.found);
    CHECK(one.rest.held.empty());
    for (size_t i = 0; i < all.rest.point.y.size(); ++i) {
      const Layout& l = all.simulation.model().assembly().layout;
      if (static_cast<int>(i) < l.nq)
        CHECK(one.rest.point.y[i] == doctest::Approx(all.rest.point.y[i]).epsilon(1e-8));
    }
  }
  SUBCASE("names that match nothing are errors, all of them") {
    try {
      restOf(kEquilibriumArm, {.free = {"elbwo.phi"}, .steady = {"hand.w"}});
      FAIL("no error");
    } catch (const ModelError& e) {
      const std::string text = e.what();
      CHECK(text.find("--free elbwo.phi: error: no coordinate has this name; did you mean "
                      "'elbow.phi'?") != std::string::npos);
      CHECK(text.find("--steady hand.w: error: no velocity has this name") != std::string::npos);
    }
  }
}

TEST_CASE("Equilibrium: a Stewart platform on springs rests where its potential is stationary") {
  const double g = 9.80665;
  using Vector = Eigen::Vector3d;
  const Vector feet[] = {{0.985, 0.174, 0},   {-0.342, 0.940, 0},  {-0.643, 0.766, 0},
                         {-0.643, -0.766, 0}, {-0.342, -0.940, 0}, {0.985, -0.174, 0}};
  const Vector tips[] = {{0.300, 0.520, 0}, {0.300, 0.520, 0},  {-0.600, 0, 0},
                         {-0.600, 0, 0},    {0.300, -0.520, 0}, {0.300, -0.520, 0}};
  // Of the platform at r, turned by T (columns: its axes); legs are springs with weights on them.
  const auto potential = [&](const Vector& r, const Eigen::Matrix3d& T) {
    double V = 50 * g * (r + T * Vector(0, 0, 0.1))[2];
    for (int i = 0; i < 6; ++i) {
      const Vector tip = r + T * tips[i], line = tip - feet[i];
      const Vector u = line.normalized();
      V += 1000 * std::pow(line.norm() - 1.3, 2);
      V += g * (2 * (feet[i] + 0.3 * u)[2] + 1 * (tip - 0.3 * u)[2]);
    }
    return V;
  };
  const auto turned = [](const Eigen::Matrix3d& T, int axis, double by) {
    return Eigen::Matrix3d(Eigen::AngleAxisd(by, Vector::Unit(axis)).toRotationMatrix() * T);
  };
  const auto slopeAt = [&](const Vector& r, const Eigen::Matrix3d& T) {
    Eigen::Matrix<double, 6, 1> slope;
    const double h = 1e-3;
    for (int k = 0; k < 6; ++k) {
      const auto f = [&](double by) {
        return k < 3 ? potential(r + by * Vector::Unit(k), T) : potential(r, turned(T, k - 3, by));
      };
      slope[k] =
          (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + f(3 * h) - f(-3 * h)) / (60 * h);
    }
    return slope;
  };
  const auto poseOf = [](const Rested& r) {
    const auto Q = [&](int i) { return r.value(fmt::format("platform.Q[{}]", i)); };
    // Q turns vectors of the world into the platform.
    const Eigen::Quaterniond q(Q(4), Q(1), Q(2), Q(3));
    return std::pair{
        Vector(r.value("platform.r_0[1]"), r.value("platform.r_0[2]"), r.value("platform.r_0[3]")),
        Eigen::Matrix3d(q.normalized().toRotationMatrix())};
  };
  const auto path = kEquilibriumShipped + "loops/stewart.yaml";
  SUBCASE("all of it") {
    const Rested r = restOf(Simulation(catalogue(), path), {});
    REQUIRE(r.rest.found);
    CHECK(r.rest.unstable == 0);
    CHECK(r.rest.zeros == 0);
    const auto [position, T] = poseOf(r);
    // Potentials of 600 J by differences of 1e-3: eps * 600/1e-3, times ten.
    CHECK(slopeAt(position, T).cwiseAbs().maxCoeff() < 2e-9);
  }
  SUBCASE("its height alone, the rest held by the forces that the potential says") {
    const Rested r = restOf(Simulation(catalogue(), path), {.free = {"platform.r_0[3]"}});
    REQUIRE(r.rest.found);
    REQUIRE(r.rest.held.size() == 5);
    const auto [position, T] = poseOf(r);
    CHECK(position[0] == doctest::Approx(0.05).epsilon(1e-10));
    CHECK(std::abs(position[1]) < 1e-11);
    const auto slope = slopeAt(position, T);
    // Rates end below 1e-11 of the model's own, weights of 700 N: 7e-9 N, besides the differences.
    CHECK(std::abs(slope[2]) < 2e-8);
    CHECK(drive(r, "drive(platform.r_0[1])").value == doctest::Approx(slope[0]).epsilon(1e-8));
    CHECK(drive(r, "drive(platform.r_0[2])").value == doctest::Approx(slope[1]).epsilon(1e-8));
    Vector torque;  // along the axes of the platform
    for (int i = 0; i < 3; ++i)
      torque[i] = drive(r, fmt::format("drive(platform.w_a[{}])", i + 1)).value;
    CHECK((T * torque - slope.tail<3>()).norm() < 1e-8 * slope.tail<3>().norm());
  }
}

TEST_CASE("Equilibrium: conditions are those of the place found, wherever the search starts") {
  const auto resting = [](double start, const std::string& force,
                          const std::string& variables = "") {
    return fmt::format(R"yaml(
world: {{gravityType: NoGravity}}
components:
  x: {{type: Prismatic, n: [0, 1, 0], useAxisFlange: true, s: {{start: {}}}}}
  mass: {{type: Body, m: 1, r_CM: [0, 0, 0]}}
  f: {{type: Translational.Force, f: "{}"}}
{}connections:
  - [world.frame_b, x.frame_a]
  - [x.frame_b, mass.frame_a]
  - [f.flange, x.axis]
)yaml",
                       start, force, variables);
  };
  const std::string far =
      "variables: {far: x.s > 0.3, more: 'if far then 1000*(x.s - 0.3) else 0'}\n";
  const struct {
    std::string force, variables;
    double at;
  } cases[] = {
      {"-50*(x.s - 0.2) - (if x.s > 0.3 then 1000*(x.s - 0.3) else 0)", "", 0.2},
      {"-50*(x.s - 0.5) - (if x.s > 0.3 then 1000*(x.s - 0.3) else 0)", "", 325.0 / 1050},
      {"-50*(x.s - 0.5) - more", far, 325.0 / 1050},
      {"-50*(x.s - 0.5) - 1000*max(x.s - 0.3, 0)", "", 325.0 / 1050},
      {"-9.81 + (if x.s < 0 then -5000*x.s else 0)", "", -9.81 / 5000},
      {"-50*(x.s - (if x.s > 0.3 then (if x.s > 0.4 then 0.6 else 0.35) else 0.1))", "", NAN}};
  for (const auto& c : cases) {
    for (const double start : {-0.2, 0.05, 0.29, 0.31, 0.5, 0.9}) {
      CAPTURE(c.force);
      CAPTURE(start);
      const Rested r = restOf(resting(start, c.force, c.variables));
      REQUIRE(r.rest.found);
      // Of several the one of the start's branch.
      const double at = std::isfinite(c.at) ? c.at : start > 0.4 ? 0.6 : start > 0.3 ? 0.35 : 0.1;
      CHECK(r.value("x.s") == doctest::Approx(at).epsilon(1e-7));
      CHECK(r.rest.unstable == 0);
    }
  }
  // From either side it rests on the other one.
  for (const double start : {0.0, 0.9}) {
    CHECK_THROWS_WITH_AS(
        restOf(resting(start, "-50*(x.s - (if x.s > 0.2 then 0.1 else 0.3))")),
        "no equilibrium found: where the model rests with 'x.s > 0.2' as it is, that "
        "is not so, and where it rests with it otherwise neither",
        AnalysisError);
  }
}

TEST_CASE("Equilibrium: what it touches on the way holds it, what it leaves does not") {
  const auto text = [](double start, double hangs) {
    return fmt::format(R"yaml(
components:
  wall: {{type: Translational.Fixed}}
  stop: {{type: Translational.ElastoGap, c: 1000, d: 1, s_rel0: 0.2}}
  spring: {{type: Translational.Spring, c: 100, s_rel0: {}}}
  axis: {{type: Prismatic, useAxisFlange: true, n: [1, 0, 0], s: {{start: {}, fixed: true}}}}
  mass: {{type: PointMass, m: 1}}
connections:
  - [wall.flange, stop.flange_a]
  - [wall.flange, spring.flange_a]
  - [stop.flange_b, axis.axis]
  - [spring.flange_b, axis.axis]
  - [world.frame_b, axis.frame_a]
  - [axis.frame_b, mass.frame_a]
)yaml",
                       hangs, start);
  };
  // It touches below 0.2.
  for (const double start : {0.1, 0.5}) {
    for (const double hangs : {0.1, 0.4}) {
      CAPTURE(start);
      CAPTURE(hangs);
      const Rested r = restOf(text(start, hangs));
      CHECK(r.rest.unfit.empty());
      const double s = hangs < 0.2 ? (1000 * 0.2 + 100 * hangs) / 1100 : hangs;
      CHECK(r.value("axis.s") == doctest::Approx(s).epsilon(1e-9));
    }
  }
}

TEST_CASE("Equilibrium: a plate that falls onto a slope rests there, or is said to slide") {
  const auto text = [](double mu, double height) {
    return fmt::format(R"yaml(
world: {{n: [0, 0, -1]}}
components:
  plate: {{type: BodyBox, r: [0.2, 0, 0], width: 0.2, height: 0.02, collide: true, r_0: {{start: [0, 0, {}], fixed: true}}, v_0: {{fixed: true}}, w_0_fixed: true, angles_fixed: true}}
  slope: {{type: Contact.Shape, shape: plane, n: [0.5, 0, 0.8660254037844386]}}
connections:
  - [world.frame_b, slope.frame_a]
contacts: {{defaults: {{mu: {}, penetration: 1e-4}}}}
)yaml",
                       height, mu);
  };
  for (const double height : {0.12, 0.2, 0.3, 0.5, 1.0, 3.0}) {
    CAPTURE(height);
    const Rested r = restOf(text(0.7, height));  // tan 30 deg is 0.577
    REQUIRE(r.rest.found);
    CHECK(r.rest.unfit.empty());
    // Pressure whose middle is below the plate's; it sinks in less above, where its frame is.
    const double depth = 1e-4 * std::sqrt(0.75), shift = 0.01 * std::tan(std::numbers::pi / 6);
    const double above =
        0.5 * r.value("plate.body.r_0[1]") + std::sqrt(0.75) * r.value("plate.body.r_0[3]");
    CHECK(above == doctest::Approx(0.01 - depth * (1 - 6 * shift / 0.2)).epsilon(1e-5));
  }
  const Rested slides = restOf(text(0.5, 0.3));
  CHECK_FALSE(slides.rest.found);
  CHECK(explainNoEquilibrium(slides.rest).find("plate") != std::string::npos);
  CHECK(explainNoEquilibrium(slides.rest)
            .ends_with("\nheld in the modes of the start, which are not those of the place where "
                       "the search ended: "
                       "contact.plate.slope"));
}

TEST_CASE("Equilibrium: parts whose modes are not those of the place found are named") {
  // Stuck at the start; where the spring bears the whole torque, the bearing would have to bear it, too.
  const auto text = [](double torque) {
    return fmt::format(R"yaml(
components:
  wheel: {{type: Rotational.Inertia, J: 1, phi: {{start: 0, fixed: true}}, w: {{start: 0, fixed: true}}}}
  bearing: {{type: Rotational.BearingFriction, tau_pos: [[0, 1]]}}
  spring: {{type: Rotational.SpringDamper, c: 10, d: 1}}
  end: {{type: Rotational.Inertia, J: 1, phi: {{start: 0, fixed: true}}, w: {{start: 0, fixed: true}}}}
  torque: {{type: Rotational.ConstantTorque, tau_constant: {}}}
connections:
  - [wheel.flange_b, bearing.flange_a]
  - [wheel.flange_a, spring.flange_a]
  - [spring.flange_b, end.flange_a]
  - [torque.flange, end.flange_b]
)yaml",
                       torque);
  };
  const Rested holds = restOf(text(0.9)), slips = restOf(text(3));
  REQUIRE(holds.rest.found);
  CHECK(holds.rest.unfit.empty());
  CHECK(warningOfUnfit(holds.rest).empty());
  REQUIRE(slips.rest.found);
  CHECK(slips.rest.unfit == std::vector<std::string>{"bearing"});
  CHECK(warningOfUnfit(slips.rest) ==
        "held in the modes of the start, which are not those of the place found: bearing");
}

TEST_CASE("Equilibrium: a quadruped dropped askew stands on its feet, as symmetric as it is") {
  for (const char* const drop : {"drop=0.12", "drop=1"}) {
    CAPTURE(drop);
    const Rested r =
        restOf(Simulation(catalogue(), kEquilibriumShipped + "robots/quadruped.yaml", {drop}), {});
    REQUIRE(r.rest.found);
    CHECK(r.rest.unstable == 0);
    CHECK(r.rest.unfit.empty());
    // Where it sways to in the end (0.62 m after 4 s); shanks and thighs are 0.3 m long.
    CHECK(r.value("trunk.body.r_0[2]") == doctest::Approx(0.6155).epsilon(0.001));
    const double hip = r.value("leg1.hip.phi");
    CHECK(r.value("leg2.hip.phi") == doctest::Approx(hip).epsilon(1e-6));
    CHECK(r.value("leg3.hip.phi") == doctest::Approx(-hip).epsilon(1e-6));
    CHECK(r.value("leg4.hip.phi") == doctest::Approx(-hip).epsilon(1e-6));
  }
}

TEST_CASE("Equilibrium: what does not move steadily is said not to") {
  // A crank that turns evenly does not let the rest of a slider crank rest.
  const char* const text = R"yaml(
world: {g: 0}
components:
  crank: {type: Revolute, useAxisFlange: true, phi: {start: 0.4}}
  motor: {type: Rotational.Position, exact: true, phi_ref: "0.4 + sin(time)"}
  disc: {type: Body, m: 1, r_CM: [1, 0, 0]}
  hinge: {type: Revolute}
  bob: {type: Body, m: 1, r_CM: [1, 0, 0]}
connections:
  - [world.frame_b, crank.frame_a]
  - [motor.flange, crank.axis]
  - [crank.frame_b, disc.frame_a]
  - [crank.frame_b, hinge.frame_a]
  - [hinge.frame_b, bob.frame_a]
simulation: {stop: 1}
outputs: [hinge.phi]
)yaml";
  CHECK_THROWS_AS(restOf(text), AnalysisError);
}
