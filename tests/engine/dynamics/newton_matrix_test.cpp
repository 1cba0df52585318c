// Laws of the Newton matrix over the whole catalogue and over random trees: it is the derivative of
// the residual, and the condensed factorisation solves with it.
#include "engine/dynamics/newton_matrix.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/dynamics/completion.h"
#include "engine/integration/multibody_system.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"
#include "tests/class_models.h"

namespace cardan {
namespace {

using classes::kParameters;
using classes::load;
using classes::modelOf;

// Differences of fourth order with the step h: the rounding error is eps |F| / h = 2e-13 |F|, what
// the series leaves out h^4 / 30 |F^(5)| = 3e-14 |F^(5)|; 1e-7 leaves room for derivatives that
// grow like (1 / length)^5 where springs and sensors are close to their singular places.
constexpr double kStep = 1e-3;
constexpr double kDifferences = 1e-7;
// Backward error of a solution: LU of the condensed matrix, and cj times what was eliminated.
constexpr double kSolved = 1e-9;
// Loads summed in another order, over chains of a dozen arms.
constexpr double kOfLoads = 1e-12;
constexpr double kTime = 0.37;  // [s]  not at an event of the sources

using Random = std::mt19937;

double uniform(Random& random, double least, double most) {
  // std::uniform_real_distribution differs between libraries.
  return least + (most - least) * static_cast<double>(random()) / 4294967296.0;
}

std::vector<double> around(Random& random, const std::vector<double>& centre, double width) {
  std::vector<double> x = centre;
  for (double& value : x) value += uniform(random, -width, width);
  return x;
}

std::vector<double> startOf(const Layout& l) {
  std::vector<double> y;
  for (const Layout::Unknown& u : l.unknowns) y.push_back(u.start);
  return y;
}

/// J by differences of the residual in the direction (e_j, cj e_j) of (y, y').
Eigen::MatrixXd differences(MultibodySystem& system, double cj, const std::vector<double>& y,
                            const std::vector<double>& yp) {
  const int n = system.size();
  Eigen::MatrixXd J(n, n);
  for (int j = 0; j < n; ++j) {
    const auto moved = [&](double h) {
      std::vector<double> yh = y, yph = yp;
      yh[static_cast<size_t>(j)] += h;
      yph[static_cast<size_t>(j)] += cj * h;
      Eigen::VectorXd r(n);
      CHECK(system.residual(kTime, yh.data(), yph.data(), r.data()));
      return r;
    };
    J.col(j) = (8 * (moved(kStep) - moved(-kStep)) - (moved(2 * kStep) - moved(-2 * kStep))) /
               (12 * kStep);
  }
  return J;
}

/// Points at which the recursion over the tree was checked.
int overTree = 0;

/// What moves together is merged: the residual by clusters is that of the sweeps over all frames, but
/// for the rounding of their other order.
void checkClusters(const Equations& equations, const std::vector<double>& y,
                   const std::vector<double>& yp) {
  Workspace<double> all = equations.makeWorkspace<double>();
  Workspace<double> merged = equations.makeWorkspace<double>();
  for (Workspace<double>* w : {&all, &merged}) {
    w->y = y;
    w->yp = yp;
    w->tables.time = kTime;
  }
  for (Workspace<double>* w : {&all, &merged}) {
    equations.evaluate(*w, {.everyFrame = w == &all});
  }
  const Eigen::Map<const Eigen::VectorXd> a(all.residual.data(), static_cast<int>(y.size())),
      b(merged.residual.data(), static_cast<int>(y.size()));
  double loads = 1;
  for (const Wrench<double>& l : all.loads)
    loads = std::max({loads, l.f_0.cwiseAbs().maxCoeff(), l.t_0.cwiseAbs().maxCoeff()});
  CHECK((a - b).cwiseAbs().maxCoeff() < kOfLoads * loads);
}

int recursions = 0;  ///< points at which accelerations were solved joint by joint

/// Accelerations and multipliers joint by joint are those of the matrix.
void checkCompletion(const Equations& equations, const std::vector<double>& y) {
  const Layout& l = equations.layout();
  Completion byMatrix(equations), byRecursion(equations);
  byRecursion.useTreeSolver();
  std::vector<double> y1 = y, y2 = y, yp1(y.size(), 0.0), yp2(yp1);
  const bool solved1 = byMatrix.complete(kTime, y1, yp1);
  const bool solved2 = byRecursion.complete(kTime, y2, yp2);
  CHECK(solved1 == solved2);
  if (!solved1 || byMatrix.singular() || !byRecursion.recursive()) return;
  ++recursions;
  double size = 1, worst = 0;
  for (int i = 0; i < l.size(); ++i) {
    const auto k = static_cast<size_t>(i);
    size = std::max({size, std::abs(yp1[k]), std::abs(y1[k])});
    worst = std::max({worst, std::abs(yp1[k] - yp2[k]), std::abs(y1[k] - y2[k])});
  }
  CHECK(worst < kSolved * size);
}

/// J itself: dF/dy + cj dF/dy', a column each.
Eigen::MatrixXd denseMatrix(const Equations& equations, double t, double cj, const double* y,
                            const double* yp) {
  const int n = equations.layout().size();
  Eigen::MatrixXd J(n, n);
  EvaluationPoint at(equations);
  at.setPoint(t, y, yp);
  at.columns(
      n, {.everyFrame = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        w.y[static_cast<size_t>(c)].setLane(lane, on);
        w.yp[static_cast<size_t>(c)].setLane(lane, on * cj);
      },
      [&](const Workspace<Dual>& w, int c, int lane) {
        for (int i = 0; i < n; ++i) J(i, c) = w.residual[static_cast<size_t>(i)].lane(lane);
      });
  return J;
}

/// Both laws at one point. An element counts relative to the largest of its row, of J and of F.
void checkNewtonMatrix(MultibodySystem& system, double cj, std::vector<double> y,
                       const std::vector<double>& yp, Random& random) {
  const int n = system.size();
  Eigen::VectorXd F(n);
  REQUIRE(system.residual(kTime, y.data(), yp.data(), F.data()));
  const Eigen::MatrixXd J = denseMatrix(system.equations(), kTime, cj, y.data(), yp.data());
  const Eigen::MatrixXd D = differences(system, cj, y, yp);
  int worstRow = 0, worstColumn = 0;
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const double scale = 1 + std::abs(F[i]) + J.row(i).cwiseAbs().maxCoeff();
    for (int j = 0; j < n; ++j) {
      const double error = std::abs(J(i, j) - D(i, j)) / scale;
      if (error <= worst) continue;
      worst = error;
      worstRow = i;
      worstColumn = j;
    }
  }
  CHECK_MESSAGE(worst < kDifferences,
                "row " << worstRow << ", unknown '" << system.unknownName(worstColumn) << "': "
                       << J(worstRow, worstColumn) << " against " << D(worstRow, worstColumn));

  Eigen::VectorXd wanted(n), x(n);
  for (int i = 0; i < n; ++i) wanted[i] = uniform(random, -1, 1);
  // What the condensed matrix leaves out, d(G^T mu)/dq, vanishes with mu, as it does on solutions.
  const Layout& l = system.equations().layout();
  std::fill_n(y.begin() + l.muOffset(), l.nmu, 0.0);
  // The recursion takes frames for rigid, which they are where Q.Q = 1.
  for (const Layout::TreeJoint& s : l.tree) {
    if (s.nq == s.nv + 1) Eigen::Map<Eigen::Vector4d>(y.data() + s.q + s.nq - 4).normalize();
  }
  checkClusters(system.equations(), y, yp);
  checkCompletion(system.equations(), y);
  const Eigen::MatrixXd J0 = denseMatrix(system.equations(), kTime, cj, y.data(), yp.data());
  const Eigen::VectorXd b = J0 * wanted;
  for (NewtonMatrix::Form form : {NewtonMatrix::Form::condensed, NewtonMatrix::Form::tree}) {
    const bool tree = form == NewtonMatrix::Form::tree;
    system.newton().setForm(form);
    REQUIRE_MESSAGE(system.factor(kTime, cj, y.data(), yp.data()), "singular");
    if (tree && !system.newton().overTree()) continue;
    overTree += tree ? 1 : 0;
    system.solve(b.data(), x.data());
    const Eigen::VectorXd size = J0.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
    const double scale = std::max(1.0, size.maxCoeff());
    const Eigen::VectorXd residue = (J0 * x - b).cwiseAbs();
    CHECK_MESSAGE(residue.maxCoeff() < kSolved * scale,
                  (tree ? "recursion" : "dense") << ": J x - b: " << residue.transpose());
  }
}

/// The factors at the model's point solve with the matrix itself, where the rows that are left out
/// ask for nothing; what the kinematic rows ask for included.
void checkFactors(Simulation& s, double t, double cj, double carriedFrom = 0) {
  MultibodySystem& system = *s.parts().system;
  const Layout& l = system.equations().layout();
  const int n = system.size();
  std::vector<double> y = s.y();
  std::fill_n(y.begin() + l.muOffset(), l.nmu, 0.0);
  const Eigen::MatrixXd J = denseMatrix(system.equations(), t, cj, y.data(), s.yp().data());
  Random random(3);
  Eigen::VectorXd wanted(n), x(n);
  for (int i = 0; i < n; ++i) wanted[i] = uniform(random, -1, 1);
  for (int k = 0; k < l.nlambda; ++k) {
    if (!system.equations().state.redundant[static_cast<size_t>(k)]) continue;
    wanted[l.lambdaOffset() + k] = 0;
    wanted[l.muOffset() + l.muOfLambda[static_cast<size_t>(k)]] = 0;
  }
  const Eigen::VectorXd b = J * wanted;
  REQUIRE(system.factor(t, carriedFrom > 0 ? carriedFrom : cj, y.data(), s.yp().data()));
  if (carriedFrom > 0) REQUIRE(system.carryTo(cj));
  system.solve(b.data(), x.data());
  CHECK((J * x - b).cwiseAbs().maxCoeff() <
        kSolved * (J.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs()).maxCoeff());
}

// Random trees
// ----------------------------------------------------------------------------------------

constexpr unsigned kOnAxes = 4, kAllJoints = 11;  // classes of joints

std::string vectorOf(Random& random, double least, double most) {
  const auto number = [&] { return std::to_string(uniform(random, least, most)); };
  const std::string x = number(), y = number(), z = number();
  return "[" + x + ", " + y + ", " + z + "]";
}

/// A joint of one of the first `classes` classes that the tree may contain, with what its axis
/// carries, as components.
std::string randomJoint(Random& random, const std::string& k, std::string& connections,
                        unsigned classes) {
  const auto axis = [&] { return vectorOf(random, 0.1, 1); };
  std::string more;
  const auto onAxis = [&](const std::string& domain, const std::string& parameters) {
    more = "  d" + k + ": {type: " + domain + ".SpringDamper, " + parameters + "}\n";
    connections += "  - [j" + k + ".support, d" + k + ".flange_a]\n  - [d" + k + ".flange_b, j" +
                   k + ".axis]\n";
  };
  const std::string j = "  j" + k + ": {type: ";
  switch (random() % classes) {
    case 0:
      return j + "Revolute, n: " + axis() + "}\n";
    case 1: {
      onAxis("Rotational", "c: 30, d: 2, phi_rel0: 0.1");
      if (classes == kOnAxes) {
        more += "  i" + k + ": {type: Rotational.Inertia, J: 0.3}\n";
        connections += "  - [i" + k + ".flange_a, j" + k + ".axis]\n";
      }
      return j + "Revolute, useAxisFlange: true, n: " + axis() + "}\n" + more;
    }
    case 2:
      return j + "Prismatic, n: " + axis() + "}\n";
    case 3: {
      onAxis("Translational", "c: 50, d: 3, s_rel0: 0.2");
      return j + "Prismatic, useAxisFlange: true, n: " + axis() + "}\n" + more;
    }
    case 4:
      return j + "Cylindrical, n: " + axis() + "}\n";
    case 5:
      return j + "Universal, n_a: [1, 0, 0], n_b: [0, 1, 0]}\n";
    case 6:
      return j + "Planar, n: [0, 0, 1], n_x: [1, 0, 0]}\n";
    case 7:
      return j + "Spherical}\n";
    case 8:
      return j + "FreeMotion}\n";
    case 9:
      return j + "Spherical, useQuaternions: false}\n";
    default:
      return j + "FreeMotion, useQuaternions: false}\n";
  }
}

/// A tree of `joints` joints, each at a random earlier body, every second one entered at frame_b,
/// some with another joint and no mass between, some bodies under forces of the world. With
/// `pointGravity` every load depends on the place. Of kOnAxes classes: on axes alone, and nothing reads
/// a frame.
std::string randomTree(Random& random, int joints, bool pointGravity = false,
                       unsigned classes = kAllJoints) {
  std::string components, connections;
  for (int i = 1; i <= joints; ++i) {
    const std::string k = std::to_string(i);
    const std::string mass = std::to_string(uniform(random, 0.5, 3));
    const std::string r_CM = vectorOf(random, -0.3, 0.3), r = vectorOf(random, -0.5, 0.5);
    components += randomJoint(random, k, connections, classes);
    components += "  b" + k + ": {type: BodyShape, m: " + mass + ", r: " + r + ", r_CM: " + r_CM +
                  ", I_11: 0.2, I_22: 0.3, I_33: 0.4, I_21: 0.05, I_32: -0.02}\n";
    const unsigned parent = random() % static_cast<unsigned>(i);
    std::string near = parent == 0 ? "world.frame_b" : "b" + std::to_string(parent) + ".frame_b";
    if (random() % 3 == 0) {
      components += "  m" + k + ": {type: Prismatic, n: " + vectorOf(random, 0.1, 1) + "}\n  t" +
                    k + ": {type: FixedRotation, r: " + r + ", n: [1, 2, 3], angle: 50}\n";
      connections +=
          "  - [" + near + ", m" + k + ".frame_a]\n  - [m" + k + ".frame_b, t" + k + ".frame_a]\n";
      near = "t" + k + ".frame_b";
    }
    if (classes != kOnAxes && random() % 3 == 0) {
      components += "  f" + k + ": {type: WorldForceAndTorque, force: " + vectorOf(random, -9, 9) +
                    ", torque: " + vectorOf(random, -2, 2) + "}\n  c" + k +
                    ": {type: SpringDamperParallel, c: 20, d: 2, s_unstretched: 0.3}\n  o" + k +
                    ": {type: Fixed, r: [3, 2, 1]}\n";
      connections += "  - [f" + k + ".frame_b, b" + k + ".frame_b]\n  - [o" + k + ".frame_b, c" +
                     k + ".frame_a]\n  - [c" + k + ".frame_b, b" + k + ".frame_b]\n";
    }
    const bool atB = i % 2 == 0;
    connections += "  - [" + near + ", j" + k + (atB ? ".frame_b]\n" : ".frame_a]\n");
    connections += "  - [j" + k + (atB ? ".frame_a" : ".frame_b") + ", b" + k + ".frame_a]\n";
  }
  return std::string(pointGravity ? "world: {gravityType: PointGravity, mu: 30}\n" : "") +
         "components:\n" + components + "connections:\n" + connections;
}

// Exchanged frames
// ------------------------------------------------------------------------------------

/// A joint and the same motion seen from its other frame.
struct ExchangedJoint {
  std::string forward, backward;
};
const std::vector<ExchangedJoint> kExchangedJoints{
    {"Revolute, n: [1, 2, 3], phi: {start: 0.3}, w: {start: 1}",
     "Revolute, n: [-1, -2, -3], phi: {start: 0.3}, w: {start: 1}"},
    {"Revolute, n: [1, 2, 3], phi: {start: 0.3}, w: {start: 1}",
     "Revolute, n: [1, 2, 3], phi: {start: -0.3}, w: {start: -1}"},
    {"Prismatic, n: [1, 2, 3], s: {start: 0.3}, v: {start: 1}",
     "Prismatic, n: [-1, -2, -3], s: {start: 0.3}, v: {start: 1}"},
    {"Cylindrical, n: [1, 2, 3], s: {start: 0.3}, v: {start: 1}, phi: {start: 0.4}, w: {start: 1}",
     "Cylindrical, n: [1, 2, 3], s: {start: -0.3}, v: {start: -1}, phi: {start: -0.4}, w: {start: "
     "-1}"},
    {"Universal, n_a: [1, 0, 0], n_b: [0, 1, 0], phi_a: {start: 0.3}, phi_b: {start: 0.4}, w_a: "
     "{start: 1}",
     "Universal, n_a: [0, 1, 0], n_b: [1, 0, 0], phi_b: {start: -0.3}, phi_a: {start: -0.4}, w_b: "
     "{start: -1}"},
    {"Planar, n: [0, 0, 1], n_x: [1, 0, 0]", "Planar, n: [0, 0, 1], n_x: [1, 0, 0]"},
    {"Spherical", "Spherical"},
    {"FreeMotion", "FreeMotion"},
    {"FreeMotionScalarInit", "FreeMotionScalarInit"},
    {"FixedTranslation, r: [0.1, 0.2, 0.3]", "FixedTranslation, r: [-0.1, -0.2, -0.3]"},
    {"FixedRotation, n: [1, 2, 3], angle: 40", "FixedRotation, n: [1, 2, 3], angle: -40"},
};

/// Arm on a revolute, the joint (given by `joint`), a body that a torque and gravity move.
std::string armWith(const std::string& joint, bool exchanged, const std::string& components = "",
                    const std::string& connections = "") {
  const std::string in = exchanged ? ".frame_b" : ".frame_a";
  const std::string out = exchanged ? ".frame_a" : ".frame_b";
  return "components:\n"
         "  r0: {type: Revolute, n: [1, 3, 2], phi: {start: 0.2, fixed: true}, w: {start: 1, "
         "fixed: "
         "true}}\n"
         "  arm: {type: BodyShape, m: 1, r: [0.4, 0.1, 0.2], r_CM: [0.2, 0, 0.1]}\n"
         "  joint: {type: " +
         joint +
         "}\n"
         "  end: {type: Body, m: 1.5, r_CM: [0.2, -0.1, 0.15], I_11: 0.2, I_22: 0.3, I_33: 0.4}\n"
         "  push: {type: WorldTorque, torque: [\"0.3*sin(5*time)\", 0.2, -0.1]}\n" +
         components +
         "connections:\n"
         "  - [world.frame_b, r0.frame_a]\n  - [r0.frame_b, arm.frame_a]\n"
         "  - [arm.frame_b, joint" +
         in + "]\n  - [joint" + out +
         ", end.frame_a]\n"
         "  - [end.frame_a, push.frame_b]\n" +
         connections;
}

constexpr double kTolerance = 1e-8;

Trajectory poses(const std::string& model) {
  Simulation s = Simulation::fromText(catalogue(), model);
  Trajectory t;
  RunOptions options;
  options.stopTime = 1;
  options.outputInterval = 0.05;
  options.tolerance = kTolerance;
  options.outputs = {"arm.frame_b.r_0", "end.frame_a.r_0", "end.frame_a.R.T"};
  s.run(t, options);
  return t;
}

double largestDifference(const Trajectory& a, const Trajectory& b) {
  REQUIRE(a.time() == b.time());
  REQUIRE(a.columns().size() == b.columns().size());
  double largest = 0;
  for (const Column& c : a.columns()) {
    const std::vector<double>&x = a[c.name], &y = b[c.name];
    for (size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  }
  return largest;
}

}  // namespace

TEST_CASE("Newton matrix: the residual's derivative for every class, in both directions") {
  for (const CatalogueEntry& entry : catalogue()) {
    for (bool reversed : {false, true}) {
      CAPTURE(entry.type);
      CAPTURE(reversed);
      try {
        Simulation s = load(entry, reversed);
        MultibodySystem& system = *s.parts().system;
        Random random(reversed ? 11 : 7);
        for (double cj : {3.0, 100.0}) {
          const std::vector<double> y = around(random, startOf(system.equations().layout()), 0.5);
          const std::vector<double> yp = around(random, std::vector<double>(y.size(), 0.0), 1);
          checkNewtonMatrix(system, cj, y, yp, random);
        }
      } catch (const std::runtime_error& e) {
        FAIL_CHECK(std::string(e.what()) << "\n" << modelOf(entry, reversed));
      }
    }
  }
  CHECK(overTree > 50);    // bodies, joints and world forces at least
  CHECK(recursions > 50);  // with sensors, springs and constraints
}

TEST_CASE("Newton matrix: the residual's derivative for random trees") {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::string text = randomTree(random, 3 + static_cast<int>(seed % 10), seed % 7 == 0);
    CAPTURE(text);
    Simulation s = Simulation::fromText(catalogue(), text);
    MultibodySystem& system = *s.parts().system;
    const std::vector<double> y = around(random, startOf(system.equations().layout()), 0.5);
    const std::vector<double> yp = around(random, std::vector<double>(y.size(), 0.0), 1);
    checkNewtonMatrix(system, 20, y, yp, random);
    CHECK(system.newton().overTree());
  }
}

TEST_CASE("BodyTree: residual, accelerations and Newton matrix are those over frames") {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::string text = randomTree(random, 1 + static_cast<int>(seed % 12), false, kOnAxes);
    CAPTURE(text);
    Simulation s = Simulation::fromText(catalogue(), text);
    MultibodySystem& system = *s.parts().system;
    const Equations& equations = system.equations();
    const std::vector<double> y = around(random, startOf(equations.layout()), 0.5);
    const std::vector<double> yp = around(random, std::vector<double>(y.size(), 0.0), 1);
    const int before = recursions;
    checkNewtonMatrix(system, 20, y, yp, random);
    CHECK(recursions == before + 1);
    CHECK(system.newton().overTree());
  }
}

TEST_CASE("BodyTree: an inertia that the start finds is that of the run") {
  // A pendulum that is to begin with phi'' = -5 rad/s2 = -m g L cos(phi) / (m L^2 + I).
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  pin: {type: Revolute, phi: {start: 0.4, fixed: true}, w: {fixed: true}, a: {start: -5, fixed: true}}
  rod: {type: Body, m: 2, r_CM: [1, 0, 0], I_33: {fixed: false, start: 0.1}}
connections: [[world.frame_b, pin.frame_a], [pin.frame_b, rod.frame_a]]
)yaml");
  s.initialise();
  CHECK(s.parts().equations->clusters().bodies().links()[1].I(2, 2) ==
        doctest::Approx(2 * 9.81 * std::cos(0.4) / 5).epsilon(1e-9));
  std::vector<double> y = s.y(), yp(y.size(), 0.0);
  Completion completion(*s.parts().equations);
  completion.useTreeSolver();
  REQUIRE(completion.complete(0, y, yp));
  CHECK(completion.recursive());
  CHECK(yp[static_cast<size_t>(s.parts().equations->layout().nq)] ==
        doctest::Approx(-5).epsilon(1e-9));
}

TEST_CASE("Newton matrix: a large tree takes the same steps over the tree as densely") {
  // The same Newton steps up to the conditioning of the mass matrix: one step more or less at most,
  // and the same motion to the tolerance.
  std::string components, connections, end = "world.frame_b";
  for (int i = 1; i <= 40; ++i) {
    const std::string k = std::to_string(i);
    const std::string revolute = std::string("Revolute, n: ") +
                                 (i % 2 ? "[0, 1, 0]" : "[0, 0, 1]") +
                                 ", phi: {start: 0.1, fixed: true}, w: {fixed: true}";
    const std::string spherical = "Spherical, angles_fixed: true, w_rel_a_fixed: true";
    components += "  r" + k + ": {type: " + (i % 5 == 0 ? spherical : revolute) + "}\n  b" + k +
                  ": {type: BodyShape, r: [0.1, 0, 0], r_CM: [0.05, 0, 0], m: 0.1, I_11: 1e-5, "
                  "I_22: 1e-4, I_33: 1e-4}\n";
    connections +=
        "  - [" + end + ", r" + k + ".frame_a]\n  - [r" + k + ".frame_b, b" + k + ".frame_a]\n";
    end = "b" + k + ".frame_b";
  }
  std::vector<double> final[2];
  long steps[2] = {0, 0};
  for (int form = 0; form < 2; ++form) {
    Simulation s = Simulation::fromText(
        catalogue(), "components:\n" + components + "connections:\n" + connections);
    MultibodySystem& system = *s.parts().system;
    system.newton().setForm(form == 0 ? NewtonMatrix::Form::condensed
                                      : NewtonMatrix::Form::automatic);
    Trajectory t;
    RunOptions options;
    options.stopTime = 0.2;
    options.tolerance = kTolerance;
    options.outputs = {"b*.frame_b.r_0", "totalEnergy"};
    const RunReport report = s.run(t, options);
    CHECK(system.newton().overTree() == (form == 1));
    steps[form] = report.integrator.steps;
    for (const Column& c : t.columns()) final[form].push_back(t[c.name].back());
    const std::vector<double>& energy = t["totalEnergy"];
    CHECK(std::abs(energy.back() - energy[0]) < 100 * kTolerance * std::abs(energy[0]));
  }
  CHECK(std::abs(steps[0] - steps[1]) <= 1);
  for (size_t i = 0; i < final[0].size(); ++i)
    CHECK(std::abs(final[0][i] - final[1][i]) < 100 * kTolerance);
}

TEST_CASE("Newton matrix: many loops are differentiated together and factorised sparsely") {
  // Four-bars one above the other on posts of their own: three of five closure equations redundant.
  std::string components, connections;
  for (int i = 1; i <= 12; ++i) {
    components += fmt::format(R"(  base{0}: {{type: FixedTranslation, r: [0.7, {0}, 0]}}
  post{0}: {{type: FixedTranslation, r: [0, {0}, 0]}}
  a{0}: {{type: Revolute, phi: {{start: 1, fixed: true}}, w: {{start: {0}, fixed: true}}}}
  b{0}: {{type: Revolute, phi: {{start: -0.8}}}}
  c{0}: {{type: Revolute, phi: {{start: 1.2}}}}
  d{0}: {{type: Revolute}}
  crank{0}: {{type: BodyBox, r: [0.3, 0, 0], width: 0.03}}
  coupler{0}: {{type: BodyBox, r: [0.8, 0, 0], width: 0.03}}
  rocker{0}: {{type: BodyBox, r: [0.6, 0, 0], width: 0.03}}
)",
                              i);
    connections += fmt::format(R"(  - [world.frame_b, post{0}.frame_a]
  - [world.frame_b, base{0}.frame_a]
  - [post{0}.frame_b, a{0}.frame_a]
  - [a{0}.frame_b, crank{0}.frame_a]
  - [crank{0}.frame_b, b{0}.frame_a]
  - [b{0}.frame_b, coupler{0}.frame_a]
  - [base{0}.frame_b, c{0}.frame_a]
  - [c{0}.frame_b, rocker{0}.frame_a]
  - [coupler{0}.frame_b, d{0}.frame_a]
  - [d{0}.frame_b, rocker{0}.frame_b]
  - [rocker{0}.frame_b, tie{0}.frame_a]
)",
                               i);
    // What is felt by nobody makes one island of all.
    components += fmt::format("  tie{}: {{type: Spring, c: 1e-9, s_unstretched: 1}}\n", i);
    connections += i < 12 ? fmt::format("  - [tie{}.frame_b, rocker{}.frame_b]\n", i, i + 1)
                          : "  - [tie12.frame_b, bob.frame_a]\n";
  }
  // A pendulum whose quaternion has zeros at the start, when the pattern is learnt.
  components +=
      R"(  ball: {type: Spherical, enforceStates: true, angles_fixed: true, angles_start: [0.8, 0, 0], w_rel_a_fixed: true}
  bob: {type: Body, m: 1, r_CM: [0.3, 0.1, 0.2], I_11: 0.1, I_22: 0.2, I_33: 0.3}
)";
  connections += "  - [world.frame_b, ball.frame_a]\n  - [ball.frame_b, bob.frame_a]\n";
  Simulation s = Simulation::fromText(
      catalogue(), "components:\n" + components + "connections:\n" + connections);
  Trajectory t;
  RunOptions options;
  options.stopTime = 1.5;
  options.tolerance = kTolerance;
  options.outputs = {"totalEnergy", "kineticEnergy"};
  const RunReport report = s.run(t, options);
  MultibodySystem& system = *s.parts().system;
  const Layout& l = system.equations().layout();
  CHECK(l.nlambda == 60);
  CHECK(system.newton().sparse());
  // 3 positions and 2 lambda of a loop touch its rows, then 2 mu; single columns would take 12
  // times as many directions.
  CHECK(system.newton().evaluations() <= (8 + kLanes - 1) / kLanes + (3 + kLanes - 1) / kLanes);
  CHECK(report.integrator.newtonFailures == 0);
  const std::vector<double>& energy = t["totalEnergy"];
  CHECK(std::abs(energy.back() - energy[0]) < 1000 * kTolerance * t["kineticEnergy"][0]);

  checkFactors(s, 1.5, 300);
  CHECK(system.newton().sparse());
}

TEST_CASE(
    "Newton matrix: pairs of bodies that do not touch are left out, and come in as they touch") {
  std::string components = "  floor: {type: Contact.Shape, shape: plane}\n",
              connections = "  - [world.frame_b, floor.frame_a]\n";
  constexpr int kBalls = 12;
  for (int i = 1; i <= kBalls; ++i) {
    // The first ones overlap the floor a little; the others land one after the other.
    const double height = i < 4 ? 0.0499 : 0.05 + 1e-3 * i * i;
    components += fmt::format(
        "  b{0}: {{type: Body, m: 1, r_CM: [0, 0, 0], I_11: 0.001, I_22: 0.001, I_33: 0.001, r_0: "
        "{{start: [{1}, 0, {2}], fixed: true}}, v_0: {{start: [0.1, 0, 0], fixed: true}}, "
        "angles_fixed: true, angles_start: [0.1, 0.2, 0.3], w_0_fixed: true}}\n  s{0}: {{type: "
        "Contact.Shape, shape: sphere, radius: 0.05}}\n",
        i, 0.2 * i, height);
    connections += fmt::format("  - [b{0}.frame_a, s{0}.frame_a]\n", i);
  }
  Simulation s =
      Simulation::fromText(catalogue(), "world: {g: 9.81, n: [0, 0, -1]}\ncomponents:\n" +
                                            components + "connections:\n" + connections);
  MultibodySystem& system = *s.parts().system;
  const Layout& l = system.equations().layout();
  CHECK(l.nx == 4 * (kBalls + 1) * kBalls / 2);
  for (const double stop : {1e-3, 0.1, 0.25}) {
    CAPTURE(stop);
    Trajectory t;
    RunOptions options;
    options.stopTime = stop;
    options.tolerance = 1e-6;
    options.outputs = {"totalEnergy"};
    s.run(t, options);
    checkFactors(s, stop, 1e3);
    // Of a ball and its bristle on the floor: no column of a pair of balls.
    CHECK(system.newton().evaluations() <= (7 * kBalls + 3 * kBalls + kLanes - 1) / kLanes);
  }
}

TEST_CASE("Newton matrix: a small loop is differentiated in one go, multipliers and all") {
  Simulation s(catalogue(), CARDAN_SOURCE_DIR "/models/loops/fourbar.yaml");
  s.initialise();
  const Layout& l = s.parts().equations->layout();
  const std::vector<bool>& redundant = s.parts().equations->state.redundant;
  const int rows = static_cast<int>(std::count(redundant.begin(), redundant.end(), false));
  checkFactors(s, 0, 200);
  CHECK(s.parts().system->newton().evaluations() == (l.nq + l.nv + rows + kLanes - 1) / kLanes);
}

TEST_CASE("Newton matrix: of inertia and constraints alone, factors are carried to any cj") {
  // At rest without forces. A loop with revolute joints, and quaternions.
  Simulation s = Simulation::fromText(catalogue(), R"(
world: {g: 0}
components:
  base: {type: FixedTranslation, r: [0.7, 0, 0]}
  a: {type: Revolute, phi: {start: 1, fixed: true}, w: {start: 0, fixed: true}}
  b: {type: Revolute, phi: {start: -0.8}}
  c: {type: Revolute, phi: {start: 1.2}}
  d: {type: Revolute}
  crank: {type: BodyBox, r: [0.3, 0, 0], width: 0.03}
  coupler: {type: BodyBox, r: [0.8, 0, 0], width: 0.03}
  rocker: {type: BodyBox, r: [0.6, 0, 0], width: 0.03}
  ball: {type: Spherical, enforceStates: true, angles_fixed: true, angles_start: [0.8, 0, 0], w_rel_a_fixed: true}
  bob: {type: Body, m: 1, r_CM: [0.3, 0.1, 0.2], I_11: 0.1, I_22: 0.2, I_33: 0.3}
connections:
  - [world.frame_b, a.frame_a]
  - [world.frame_b, base.frame_a]
  - [a.frame_b, crank.frame_a]
  - [crank.frame_b, b.frame_a]
  - [b.frame_b, coupler.frame_a]
  - [base.frame_b, c.frame_a]
  - [c.frame_b, rocker.frame_a]
  - [coupler.frame_b, d.frame_a]
  - [d.frame_b, rocker.frame_b]
  - [rocker.frame_a, ball.frame_a]
  - [ball.frame_b, bob.frame_a]
)");
  s.initialise();
  for (const double cj : {3.0, 250.0, 1e4}) {
    for (const double ratio : {0.01, 0.7, 2.0, 300.0}) {
      CAPTURE(cj);
      CAPTURE(ratio);
      checkFactors(s, 0, cj, cj * ratio);
    }
  }
}

TEST_CASE("Newton matrix: kinematic rows hold from the prediction of a step on") {
  Simulation s(catalogue(), CARDAN_SOURCE_DIR "/models/loops/fourbar.yaml");
  s.initialise();
  const MultibodySystem& system = *s.parts().system;
  const Layout& l = system.equations().layout();
  Random random(5);
  std::vector<double> y = around(random, s.y(), 0.1), yp = around(random, s.yp(), 0.1);
  const double cj = 70;
  std::vector<double> e(y.size(), 0.0);
  system.correctRates(cj, y.data(), yp.data(), e.data());
  for (size_t i = 0; i < e.size(); ++i) {
    y[i] += e[i];
    yp[i] += cj * e[i];
  }
  std::vector<double> residual(y.size());
  REQUIRE(s.parts().system->residual(0, y.data(), yp.data(), residual.data()));
  for (int i = 0; i < l.nq; ++i) CHECK(std::abs(residual[static_cast<size_t>(i)]) < 1e-11);
  for (int i = 0; i < l.nv; ++i) CHECK(e[static_cast<size_t>(l.nq + i)] == 0);
}

TEST_CASE("Newton matrix: signals that results alone read do not keep a tree from its recursion") {
  // The same gain of the tip's place, read by nobody, or by a torque.
  const auto chain = [](const std::string& torque) {
    return Simulation::fromText(catalogue(), R"(
components:
  a: {type: Revolute, phi: {start: 1, fixed: true}, w: {fixed: true}}
  b: {type: Revolute, phi: {start: 0.5, fixed: true}, w: {fixed: true}}
  upper: {type: BodyBox, r: [0.5, 0, 0], width: 0.1}
  lower: {type: BodyBox, r: [0.5, 0, 0], width: 0.1}
  tip: {type: AbsoluteSensor, get_r: true}
  height: {type: Blocks.Gain, k: 2}
)" + torque + R"(connections:
  - [world.frame_b, a.frame_a]
  - [a.frame_b, upper.frame_a]
  - [upper.frame_b, b.frame_a]
  - [b.frame_b, lower.frame_a]
  - [lower.frame_b, tip.frame_a]
  - ["tip.r[2]", height.u]
)" + (torque.empty() ? "" : "  - [lower.frame_b, push.frame_b]\n"));
  };
  for (const bool isRead : {false, true}) {
    CAPTURE(isRead);
    Simulation s = chain(isRead ? "  push: {type: WorldTorque, torque: [0, 0, 'height.y']}\n" : "");
    Trajectory t;
    s.run(t, {.stopTime = 1,
              .outputInterval = 0.1,
              .tolerance = 1e-6,
              .outputs = {"height.y", "tip.r[2]"}});
    CHECK(s.parts().system->newton().overTree() == !isRead);
    for (const SignalSource& source : s.model().assembly().signals->sources()) {
      CAPTURE(source.name);
      CHECK(source.felt == isRead);
    }
    double moved = 0;
    for (size_t i = 0; i < t.time().size(); ++i) {
      CHECK(t["height.y"][i] == 2 * t["tip.r[2]"][i]);
      moved = std::max(moved, std::abs(t["height.y"][i] - t["height.y"][0]));
    }
    CHECK(moved > 0.1);
  }
}

TEST_CASE("joints: exchanging frame_a and frame_b does not change the motion") {
  for (const ExchangedJoint& j : kExchangedJoints) {
    CAPTURE(j.forward);
    const Trajectory forward = poses(armWith(j.forward, false));
    const Trajectory backward = poses(armWith(j.backward, true));
    CHECK(std::abs(forward["end.frame_a.r_0[3]"].back() - forward["end.frame_a.r_0[3]"][0]) > 0.01);
    CHECK(largestDifference(forward, backward) < 100 * kTolerance);
  }
}

TEST_CASE("sensors: they do not change the motion, not even in the last digit") {
  const std::string joint = "Spherical";
  const Trajectory without = poses(armWith(joint, false));
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.package != "sensors" || entry.type.starts_with("Transform")) continue;
    CAPTURE(entry.type);
    const auto given = kParameters.find(entry.type);
    const std::string parameters = given == kParameters.end() ? "" : ", " + given->second;
    const bool cuts = entry.type.starts_with("Cut") || entry.type == "Power";
    std::string components = "  s: {type: " + entry.type + parameters + "}\n", connections;
    if (cuts) {
      components += "  tip: {type: Body, m: 0, I_11: 0, I_22: 0, I_33: 0}\n";
      connections = "  - [end.frame_a, s.frame_a]\n  - [s.frame_b, tip.frame_a]\n";
    } else {
      connections = "  - [end.frame_a, s.frame_a]\n";
      if (!entry.type.starts_with("Absolute")) connections += "  - [arm.frame_a, s.frame_b]\n";
    }
    const Trajectory with = poses(armWith(joint, false, components, connections));
    CHECK(largestDifference(without, with) == 0);
  }
}

}  // namespace cardan
