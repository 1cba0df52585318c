// Linear models and modes against closed forms, published figures, the whole pencil and
// differences.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "components/catalogue.h"
#include "engine/analysis/eigenvalues.h"
#include "engine/analysis/equilibrium.h"
#include "engine/analysis/linear_model.h"
#include "engine/analysis/linear_model_files.h"
#include "engine/analysis/modes.h"
#include "engine/equations/model.h"
#include "engine/model_file/model_source.h"
#include "engine/motion_point.h"
#include "engine/simulation.h"
#include "engine/structure/dense_algebra.h"
#include "engine/structure/unknowns.h"
#include "tests/rotor.h"

using namespace cardan;

namespace {

const std::string kLinearModelShipped = std::string(CARDAN_SOURCE_DIR) + "/models/";

struct Linearised {
  Simulation simulation;
  MotionPoint point;
  LinearModel linear;
};

Linearised linearisedAtStart(Simulation simulation, const LinearisationOptions& options = {}) {
  simulation.initialise();
  MotionPoint point{simulation.source().simulation.start, simulation.y(), simulation.yp()};
  LinearModel linear = linearise(simulation, point, options);
  return {std::move(simulation), std::move(point), std::move(linear)};
}

Linearised linearisedText(const std::string& text, const Overrides& overrides = {},
                          const LinearisationOptions& options = {}) {
  return linearisedAtStart(Simulation::fromText(catalogue(), text, "model.yaml", overrides),
                           options);
}

/// Frequencies [rad/s] of pairs, rising.
std::vector<double> frequencies(const ModalAnalysis& a) {
  std::vector<double> result;
  for (const EigenMode& m : a.modes) {
    if (m.isPair()) result.push_back(m.eigenvalue.imag());
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// A chain of n equal masses, links of 1 m, as revolute joints.
std::string chainOfJoints(int n, double link = 1) {
  std::string text = "world: {g: 9.81, n: [0, -1, 0]}\ncomponents:\n",
              connections = "connections:\n";
  std::string before = "world.frame_b";
  for (int i = 1; i <= n; ++i) {
    text += fmt::format("  j{}: {{type: Revolute}}\n", i);
    text += fmt::format(
        "  b{0}: {{type: BodyShape, r: [0, -{1}, 0], r_CM: [0, -{1}, 0], m: 1, I_11: 0, I_22: 0, "
        "I_33: 0}}\n",
        i, link);
    connections +=
        fmt::format("  - [{0}, j{1}.frame_a]\n  - [j{1}.frame_b, b{1}.frame_a]\n", before, i);
    before = fmt::format("b{}.frame_b", i);
  }
  return text + connections + "simulation: {stop: 1}\noutputs: [j1.phi]\n";
}

/// The same as points that rods without mass hold together: constraints alone.
std::string chainOfRods(int n) {
  std::string text = "world: {g: 9.81, n: [0, -1, 0]}\ncomponents:\n",
              connections = "connections:\n";
  std::string before = "world.frame_b";
  for (int i = 1; i <= n; ++i) {
    text += fmt::format("  p{0}: {{type: PointMass, m: 1, r_0: {{start: [0, -{0}, 0]}}}}\n", i);
    text += fmt::format("  s{}: {{type: SphericalSpherical, rodLength: 1}}\n", i);
    connections +=
        fmt::format("  - [{0}, s{1}.frame_a]\n  - [s{1}.frame_b, p{1}.frame_a]\n", before, i);
    before = fmt::format("p{}.frame_a", i);
  }
  return text + connections + "simulation: {stop: 1}\noutputs: [p1.r_0]\n";
}

/// Meijaard, Papadopoulos, Ruina, Schwab, Proc. R. Soc. A 463 (2007) 1955: zeros of Laguerre's
/// polynomial for the chain; the benchmark bicycle below.
constexpr double kChain[] = {1.60795732, 3.72363854, 5.93977582, 8.33737346, 11.13580964};
constexpr double kPrinted = 5e-9;  // digits that are given

/// The benchmark bicycle: x ahead, y left, z up; upright, straight ahead at v.
const char* const kBicycle = R"yaml(
model: Bicycle
parameters: {v: 5, lam: "pi/10", w: 1.02, c: 0.08, rR: 0.3, rF: 0.35, h: 0.9, xs: "w + c - h*tan(lam)"}
world: {g: 9.81, n: [0, 0, -1]}
components:
  free: {type: FreeMotion, r_rel_a: {start: [0, 0, rR]}, v_rel_a: {start: [v, 0, 0]}, w_rel_a_fixed: false, useQuaternions: false}
  frame: {type: Body, r_CM: [0.3, 0, 0.6], m: 85, I_11: 9.2, I_22: 11, I_33: 2.8, I_31: -2.4}
  rearHub: {type: Revolute, n: [0, 1, 0], phi: {start: 0, fixed: true}, w: {start: "v/rR", fixed: true}}
  rear: {type: RollingWheel, radius: rR, m: 2, I_axis: 0.12, I_long: 0.0603, der_angles: {start: [0, "v/rR", 0], fixed: [false, false, true]}}
  toSteer: {type: FixedTranslation, r: [xs, 0, "h - rR"]}
  steering: {type: Revolute, n: ["-sin(lam)", 0, "cos(lam)"], phi: {start: 0, fixed: true}, w: {start: 0, fixed: true}}
  fork: {type: Body, r_CM: ["0.9 - xs", 0, "0.7 - h"], m: 4, I_11: 0.05892, I_22: 0.06, I_33: 0.00708, I_31: 0.00756}
  toFront: {type: FixedTranslation, r: ["w - xs", 0, "rF - h"]}
  frontHub: {type: Revolute, n: [0, 1, 0], w: {start: "v/rF"}}
  front: {type: RollingWheel, radius: rF, m: 3, I_axis: 0.28, I_long: 0.1405, x: {start: w, fixed: false}, y: {fixed: false}, angles: {fixed: false}, der_angles: {start: [0, "v/rF", 0], fixed: false}}
connections:
  - [world.frame_b, free.frame_a]
  - [free.frame_b, frame.frame_a]
  - [free.frame_b, rearHub.frame_a]
  - [rearHub.frame_b, rear.frame_a]
  - [free.frame_b, toSteer.frame_a]
  - [toSteer.frame_b, steering.frame_a]
  - [steering.frame_b, fork.frame_a]
  - [steering.frame_b, toFront.frame_a]
  - [toFront.frame_b, frontHub.frame_a]
  - [frontHub.frame_b, front.frame_a]
simulation: {stop: 3}
outputs: [steering.phi]
)yaml";

/// Eigenvalues other than zeros of the bicycle at v [m/s]: four.
std::vector<std::complex<double>> bicycle(double v) {
  const Linearised l = linearisedText(kBicycle, {fmt::format("v={:.17g}", v)});
  CHECK(l.linear.kind == LinearModel::Kind::steady);
  std::vector<std::complex<double>> values;
  for (const EigenMode& m : findModes(l.linear).modes) {
    values.push_back(m.eigenvalue);
    if (m.isPair()) values.push_back(std::conj(m.eigenvalue));
  }
  return values;
}

/// Where f changes its sign between a and b.
template <class F>
double bisect(F f, double a, double b) {
  const bool low = f(a) > 0;
  for (int i = 0; i < 40; ++i) {
    const double c = (a + b) / 2;
    ((f(c) > 0) == low ? a : b) = c;
  }
  return (a + b) / 2;
}

double distanceTo(std::complex<double> x, const Eigen::VectorXcd& values) {
  double least = 1e300;
  for (Eigen::Index i = 0; i < values.size(); ++i) least = std::min(least, std::abs(values[i] - x));
  return least;
}

/// How far `value` is from the next eigenvalue x of the pencil A - x E: by inverse iteration about a
/// point beside it, in real and imaginary parts.
double distanceToPencil(std::complex<double> value, const Eigen::MatrixXd& A,
                        const Eigen::MatrixXd& E) {
  const Eigen::Index n = A.rows();
  const std::complex<double> beside = value + 1e-6 * std::max(1.0, std::abs(value));
  Eigen::MatrixXd M(2 * n, 2 * n), D = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  M << A - beside.real() * E, beside.imag() * E, -beside.imag() * E, A - beside.real() * E;
  D.topLeftCorner(n, n) = D.bottomRightCorner(n, n) = E;
  DenseLu lu;
  lu.factor(M);
  Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(2 * n, 1, 2), y(2 * n);
  std::complex<double> inverse = 0;  // of eigenvalue - beside
  for (int i = 0; i < 60; ++i) {
    x.normalize();
    const Eigen::VectorXd right = D * x;
    lu.solve(right, y);
    const auto part = [n](const Eigen::VectorXd& z) {
      Eigen::VectorXcd whole(n);
      whole.real() = z.head(n);
      whole.imag() = z.tail(n);
      return whole;
    };
    inverse = part(x).dot(part(y)) / part(x).squaredNorm();
    x = y;
  }
  return std::abs(beside + 1.0 / inverse - value);
}

std::vector<std::string> shippedModels(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& e : std::filesystem::directory_iterator(kLinearModelShipped + folder)) {
    const bool library = e.path().filename() == "link.yaml";
    if (e.path().extension() == ".yaml" && !library) paths.push_back(e.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("LinearModel: a hanging chain of five has the frequencies of Laguerre's polynomial") {
  SUBCASE("as joints") {
    const Linearised l = linearisedText(chainOfJoints(5));
    CHECK(l.linear.kind == LinearModel::Kind::equilibrium);
    CHECK(l.linear.states.size() == 10);
    const ModalAnalysis a = findModes(l.linear);
    CHECK(a.conservative);
    CHECK(a.zeros == 0);
    const std::vector<double> f = frequencies(a);
    REQUIRE(f.size() == 5);
    for (size_t i = 0; i < 5; ++i) CHECK(std::abs(f[i] - kChain[i]) < kPrinted);
  }
  SUBCASE("as rods between points, in two planes") {
    const Linearised l = linearisedText(chainOfRods(5));
    CHECK(l.linear.kind == LinearModel::Kind::equilibrium);
    REQUIRE(l.linear.states.size() == 20);
    const std::vector<double> f = frequencies(findModes(l.linear));
    REQUIRE(f.size() == 10);
    const std::vector<double> joints =
        frequencies(findModes(linearisedText(chainOfJoints(5)).linear));
    for (size_t i = 0; i < 10; ++i) {
      CHECK(std::abs(f[i] - kChain[i / 2]) < kPrinted);
      CHECK(f[i] == doctest::Approx(joints[i / 2]).epsilon(1e-10));
    }
  }
}

TEST_CASE("LinearModel: a hanging chain of 1000 is a symmetric problem, too") {
  const ModalAnalysis a = findModes(linearisedText(chainOfJoints(1000)).linear);
  CHECK(a.conservative);
  CHECK(a.zeros == 0);
  CHECK(a.unstable == 0);
  const std::vector<double> f = frequencies(a);
  REQUIRE(f.size() == 1000);
  // Zeros of Laguerre's polynomial: k L_k = (2 k - 1 - x) L_(k - 1) - (k - 1) L_(k - 2) and
  // x L_n' = n (L_n - L_(n - 1)). Rounding moves w^2 = g x by up to eps |K| |M^-1|: the stiffness of
  // the first joint is g n^2/2, and M^-1 has rows of (1, -4, 6, -4, 1), so x by eps n^2/2 16.
  constexpr double kRounded = 2.2e-16 * 1e6 / 2 * 16;
  for (const size_t mode : {0, 1, 2}) {
    const double x = f[mode] * f[mode] / 9.81;
    double before = 1, here = 1 - x;
    for (int k = 2; k <= 1000; ++k)
      before = std::exchange(here, ((2 * k - 1 - x) * here - (k - 1) * before) / k);
    const double change = here * x / (1000 * (here - before));
    CHECK(std::abs(change) < kRounded);
  }
}

TEST_CASE("LinearModel: a rotor on two springs has the whirl frequencies of its closed form") {
  const std::string text = test::kRotor + std::string("outputs: [x.s]\n");
  const double k = 2e5, l = 0.3, m = 12, It = 0.4, Ip = 0.7;
  for (const double speed : {0.0, 20.0, 150.0, 900.0}) {
    CAPTURE(speed);
    const Linearised r = linearisedText(text, {fmt::format("speed={}", speed)});
    CHECK(r.linear.kind ==
          (speed > 0 ? LinearModel::Kind::steady : LinearModel::Kind::equilibrium));
    const ModalAnalysis a = findModes(r.linear);
    CHECK(a.zeros == 2);
    CHECK(a.freeMovements.front() == "spin.phi");
    const double half = Ip * speed / (2 * It), root = std::sqrt(half * half + 2 * k * l * l / It);
    std::vector<double> expected{std::sqrt(2 * k / m), std::sqrt(2 * k / m), root - half,
                                 root + half};
    std::sort(expected.begin(), expected.end());
    const std::vector<double> f = frequencies(a);
    REQUIRE(f.size() == 4);
    for (size_t i = 0; i < 4; ++i) CHECK(f[i] == doctest::Approx(expected[i]).epsilon(1e-9));
  }
}

TEST_CASE("LinearModel: the benchmark bicycle has the published eigenvalues") {
  // Meijaard, Papadopoulos, Ruina, Schwab, Proc. R. Soc. A 463 (2007) 1955, table 2.
  const std::vector<std::complex<double>> values = bicycle(5);
  REQUIRE(values.size() == 4);
  const Eigen::VectorXcd v = Eigen::Map<const Eigen::VectorXcd>(values.data(), 4);
  CHECK(distanceTo({-14.07838969279825, 0}, v) < 1e-8);
  CHECK(distanceTo({-0.77534188219584, 4.46486771378823}, v) < 1e-8);
  CHECK(distanceTo({-0.32286642900409, 0}, v) < 1e-8);
  const auto growth = [](bool oscillating) {
    return [oscillating](double speed) {
      double most = -1e300;
      for (const auto& x : bicycle(speed)) {
        if ((x.imag() != 0) == oscillating) most = std::max(most, x.real());
      }
      return most;
    };
  };
  CHECK(std::abs(bisect(growth(true), 4.0, 4.6) - 4.29238253634111) < 1e-6);
  CHECK(std::abs(bisect(growth(false), 5.5, 6.5) - 6.02426201538837) < 1e-6);
}

TEST_CASE("LinearModel: coordinates that turn with the motion are told") {
  // The bicycle whose floating root is the rear wheel, which spins.
  std::string text = kBicycle;
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace("  - [free.frame_b, frame.frame_a]\n", "  - [free.frame_b, rear.frame_a]\n");
  replace("[free.frame_b, rearHub", "[frame.frame_a, rearHub");
  replace("[free.frame_b, toSteer", "[frame.frame_a, toSteer");
  replace("w_rel_a_fixed: false, useQuaternions: false", "w_rel_a_start: [0, \"v/rR\", 0]");
  const Linearised l = linearisedText(text);
  CHECK(l.linear.kind == LinearModel::Kind::turning);
  REQUIRE(!l.linear.warnings.empty());
  CHECK(l.linear.warnings.back().find("periodic") != std::string::npos);
}

TEST_CASE("LinearModel: its eigenvalues are among those of the whole pencil where nothing turns") {
  // Along other motions what the constraints leave free turns, and the whole pencil of an instant
  // has other eigenvalues.
  std::vector<Linearised> all;
  all.push_back(linearisedText(chainOfRods(5), {}, {.descriptor = true}));
  all.push_back(linearisedText(kBicycle, {}, {.descriptor = true}));
  size_t rests = 0;
  for (const std::string& path : shippedModels("loops")) {
    Linearised l = linearisedAtStart(Simulation(catalogue(), path));
    try {
      const Equilibrium e = findEquilibrium(l.simulation, l.point);
      if (!e.found) continue;
      l.linear = linearise(l.simulation, e.point, {.descriptor = true});
    } catch (const AnalysisError&) {
      continue;  // a drive moves it
    }
    if (l.linear.kind != LinearModel::Kind::equilibrium) continue;
    ++rests;
    all.push_back(std::move(l));
  }
  CHECK(rests >= 3);
  int conservative = 0;
  for (const Linearised& l : all) {
    CAPTURE(l.linear.name);
    const Eigen::MatrixXd& A = l.linear.A;
    REQUIRE(l.linear.descriptor);
    const Eigenpairs reduced = eigenpairs(A);
    const double largest = reduced.values.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double condition = reduced.left.row(i).norm() * reduced.right.col(i).norm();
      const bool simple = condition < 1e4 && std::abs(reduced.values[i]) > 1e-6 * largest;
      CAPTURE(reduced.values[i]);
      CHECK(distanceToPencil(reduced.values[i], l.linear.descriptor->A, l.linear.descriptor->E) <
            (simple ? 1e-9 : 1e-4) * std::max(1.0, largest));
    }
    // The modes, by whichever way they are found.
    const ModalAnalysis modes = findModes(l.linear);
    conservative += modes.conservative ? 1 : 0;
    for (const EigenMode& m : modes.modes) {
      CAPTURE(m.eigenvalue);
      const bool simple = m.condition < 1e4 && std::abs(m.eigenvalue) > 1e-6 * largest;
      CHECK(distanceTo(m.eigenvalue, reduced.values) <
            (simple ? 1e-9 : 1e-4) * std::max(1.0, largest));
    }
  }
  CHECK(conservative >= 2);
}

TEST_CASE("LinearModel: A and B are what differences of rates say, on all shipped models") {
  for (const char* const folder : {"elementary", "loops", "robots"}) {
    for (const std::string& path : shippedModels(folder)) {
      CAPTURE(path);
      Linearised l = linearisedAtStart(Simulation(catalogue(), path));
      PointEquations equations(l.simulation);
      const Unknowns& layout = equations.unknowns();
      std::map<std::string, size_t> place;
      for (size_t i = 0; i < layout.unknowns.size(); ++i) place[layout.unknowns[i].name] = i;
      MotionPoint here = l.point;
      REQUIRE(equations.makeConsistent(here));
      const double size = l.linear.A.cwiseAbs().maxCoeff();
      for (Eigen::Index k = 0; k < l.linear.A.cols(); ++k) {
        const double h = 1e-5;
        MotionPoint sides[2] = {here, here};
        for (const int side : {0, 1}) {
          MotionPoint& p = sides[side];
          for (size_t i = 0; i < p.y.size(); ++i)
            p.y[i] += (side == 0 ? -h : h) * l.linear.unknowns(static_cast<Eigen::Index>(i), k);
          REQUIRE(equations.makeConsistent(p));
        }
        for (size_t i = 0; i < l.linear.states.size(); ++i) {
          const size_t at = place.at(l.linear.states[i].name);
          const double slope = (sides[1].yp[at] - sides[0].yp[at]) / (2 * h);
          CHECK(std::abs(l.linear.A(static_cast<Eigen::Index>(i), k) - slope) < 1e-5 * size);
        }
      }
    }
  }
}

TEST_CASE("LinearModel: a driven and damped mass has the matrices of its equation") {
  const char* const text = R"yaml(
parameters: {m: 2, c: 50, d: 0.3}
components:
  mass: {type: Translational.Mass, m: m, s: {start: 0}, stateSelect: prefer}
  spring: {type: Translational.SpringDamper, c: c, d: d}
  ground: {type: Translational.Fixed}
  push: {type: Translational.Force, f: 0}
connections:
  - [ground.flange, spring.flange_a]
  - [spring.flange_b, mass.flange_a]
  - [push.flange, mass.flange_b]
variables: {both: "mass.s + 2*mass.v"}
simulation: {stop: 1}
outputs: [mass.s, mass.a, both]
)yaml";
  const LinearModel m = linearisedText(text, {}, {.inputs = {"push.f"}}).linear;
  REQUIRE(m.states.size() == 2);
  CHECK(m.states[0].unit == "m");
  CHECK(m.A(0, 1) == 1);
  CHECK(m.A(1, 0) == doctest::Approx(-25).epsilon(1e-14));
  CHECK(m.A(1, 1) == doctest::Approx(-0.15).epsilon(1e-14));
  CHECK(m.B(1, 0) == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(m.C(1, 0) == doctest::Approx(-25).epsilon(1e-14));
  CHECK(m.C(2, 1) == doctest::Approx(2).epsilon(1e-14));
  CHECK(m.D(1, 0) == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(m.D(0, 0) == 0);
  const ModalAnalysis a = findModes(m);
  REQUIRE(a.modes.size() == 1);
  CHECK(a.modes[0].dampingRatio() == doctest::Approx(0.15 / 2 / 5).epsilon(1e-12));
  CHECK(a.modes[0].timeConstant() == doctest::Approx(2 / 0.15).epsilon(1e-12));
  CHECK(a.modes[0].participation.front().first == m.states[0].name);
}

TEST_CASE(
    "LinearModel: the rate of a flange that springs alone hold leaves the freedoms as they are") {
  // The flange is at a share of the way of the mass; what pushes the mass reads its rate.
  for (double stiffness : {6.0, 7.1, 0.3, 1e5}) {
    for (double mass : {2.0, 0.1, 1e3}) {
      CAPTURE(stiffness);
      CAPTURE(mass);
      const Linearised l = linearisedText(fmt::format(
          "components:\n"
          "  m: {{type: Translational.Mass, m: {}, s: {{start: 0.5, fixed: true}}, "
          "v: {{start: 0.2, fixed: true}}}}\n"
          "  k1: {{type: Translational.Spring, c: {}}}\n"
          "  k2: {{type: Translational.Spring, c: 12}}\n  wall: {{type: Translational.Fixed}}\n"
          "  push: {{type: Translational.Force, f: \"-3*der(k1.flange_b.s)\"}}\n"
          "connections:\n  - [m.flange_b, k1.flange_a]\n  - [k1.flange_b, k2.flange_a]\n"
          "  - [k2.flange_b, wall.flange]\n  - [push.flange, m.flange_b]\noutputs: [m.s]\n",
          mass, stiffness));
      REQUIRE(l.linear.A.rows() == 2);
      const double share = stiffness / (stiffness + 12);
      const double trace = -3 * share / mass, determinant = 12 * share / mass;
      CHECK(std::abs(l.linear.A.trace() - trace) < 1e-9 * std::abs(trace));
      CHECK(std::abs(l.linear.A.determinant() - determinant) < 1e-9 * determinant);
    }
  }
}

TEST_CASE("LinearModel: the .mat file holds the doubles of the JSON") {
  const LinearModel m =
      linearisedAtStart(Simulation(catalogue(), kLinearModelShipped + "loops/fourbar.yaml")).linear;
  const nlohmann::json json = nlohmann::json::parse(linearModelJson(m));
  const std::string mat = linearModelMat(m);
  // Level 4: five integers, a name, doubles by columns.
  std::map<std::string, Eigen::MatrixXd> read;
  for (size_t at = 0; at < mat.size();) {
    std::int32_t head[5];
    std::memcpy(head, mat.data() + at, sizeof head);
    at += sizeof head;
    const std::string name(mat.data() + at);
    at += static_cast<size_t>(head[4]);
    Eigen::MatrixXd A(head[1], head[2]);
    if (A.size() > 0)
      std::memcpy(A.data(), mat.data() + at, sizeof(double) * static_cast<size_t>(A.size()));
    at += sizeof(double) * static_cast<size_t>(A.size());
    read[name] = A;
  }
  for (const char* const name : {"A", "C"}) {
    const Eigen::MatrixXd& A = read.at(name);
    REQUIRE(A.size() > 0);
    REQUIRE(json[name].size() == static_cast<size_t>(A.rows()));
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      for (Eigen::Index k = 0; k < A.cols(); ++k)
        CHECK(json[name][static_cast<size_t>(i)][static_cast<size_t>(k)].get<double>() == A(i, k));
    }
  }
  CHECK(read.at("state_names").rows() == static_cast<Eigen::Index>(m.states.size()));
}

TEST_CASE("LinearModel: at a bend of an expression it says that it holds on one side") {
  const auto bendsAt = [](double start, const std::string& force) {
    return linearisedText(
               fmt::format(
                   "components:\n"
                   "  j: {{type: Prismatic, s: {{start: {}, fixed: true}}, v: {{fixed: true}}}}\n"
                   "  b: {{type: Body, m: 2, r_CM: [0, 0, 0]}}\n"
                   "  f: {{type: WorldForce, force: [\"{}\", 0, 0]}}\n"
                   "connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a], "
                   "[f.frame_b, b.frame_a]]\n",
                   start, force))
        .linear.bends;
  };
  CHECK(bendsAt(0, "-max(j.s, 3*j.s)") == std::vector<std::string>{"-max(j.s, 3*j.s)"});
  CHECK(bendsAt(0.1, "-max(j.s, 3*j.s)").empty());
  CHECK(bendsAt(0, "if j.v > 0 then -1 else 1") ==
        std::vector<std::string>{"if j.v > 0 then -1 else 1"});
  CHECK(bendsAt(0, "if time > 0 then 1 else 2").empty());
}

TEST_CASE("LinearModel: unknown inputs and inputs that prescribe a motion are errors") {
  const std::string path = kLinearModelShipped + "elementary/double_pendulum.yaml";
  CHECK_THROWS_WITH_AS(linearisedAtStart(Simulation(catalogue(), path), {.inputs = {"push.forc"}}),
                       doctest::Contains("'push.forc' is no input of the model that has a number"),
                       ModelError);
  const char* const driven = R"yaml(
components:
  drive: {type: Rotational.Position, phi_ref: 0.2, exact: true}
  wheel: {type: Rotational.Inertia, J: 1}
  spring: {type: Rotational.Spring, c: 3}
  load: {type: Rotational.Inertia, J: 2}
connections:
  - [drive.flange, wheel.flange_a]
  - [wheel.flange_b, spring.flange_a]
  - [spring.flange_b, load.flange_a]
simulation: {stop: 1}
outputs: [load.phi]
)yaml";
  CHECK_THROWS_WITH_AS(linearisedText(driven, {}, {.inputs = {"drive.phi_ref"}}),
                       doctest::Contains("'drive.phi_ref' prescribes a motion"), ModelError);
}
