// Every mode against the matrix that it is of: A v = lambda v, each of the eigenvalues once, and what
// grows counted as a person would.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <complex>
#include <filesystem>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/analysis/eigenvalues.h"
#include "engine/analysis/linear_model.h"
#include "engine/analysis/modes.h"
#include "engine/equations/model.h"
#include "engine/model_file/model_source.h"
#include "engine/motion_point.h"
#include "engine/simulation.h"

using namespace cardan;
using namespace std::complex_literals;

namespace {

LinearModel linearAtStart(Simulation simulation) {
  simulation.initialise();
  const MotionPoint point{simulation.source().simulation.start, simulation.y(), simulation.yp()};
  return linearise(simulation, point);
}

/// Largest || A v - lambda v || over ||A|| ||v||, each state in its typical size.
double worstResidue(const LinearModel& m, const ModalAnalysis& modes) {
  Eigen::VectorXd size = Eigen::VectorXd::Ones(m.A.rows());
  if (m.sizes.size() == size.size()) size = m.sizes;
  const Eigen::MatrixXd A = size.cwiseInverse().asDiagonal() * m.A * size.asDiagonal();
  double worst = 0;
  for (const EigenMode& mode : modes.modes) {
    REQUIRE(mode.shape.size() == m.A.rows());
    const Eigen::VectorXcd v = size.cwiseInverse().asDiagonal() * mode.shape;
    REQUIRE(v.norm() > 0);
    worst = std::max(worst, (A * v - mode.eigenvalue * v).norm() / (A.norm() * v.norm()));
  }
  return worst;
}

/// Eigenvalues that the analysis accounts for: pairs twice, zeros.
long accounted(const ModalAnalysis& modes) {
  long count = modes.zeros;
  for (const EigenMode& m : modes.modes) count += m.isPair() ? 2 : 1;
  return count;
}

/// A chain of carts on a line, each tied to the next by c and d, the first to the wall by `wall`.
std::string carts(const std::vector<double>& c, const std::vector<double>& d, double wall) {
  std::string components, connections;
  for (size_t i = 1; i <= c.size() + 1; ++i) {
    components += fmt::format(
        "  m{0}: {{type: Translational.Mass, m: {1}, s: {{start: 0, fixed: true}}, v: {{fixed: "
        "true}}}}\n",
        i, 1 + 0.3 * static_cast<double>(i));
  }
  for (size_t i = 1; i <= c.size(); ++i) {
    components += fmt::format("  e{}: {{type: Translational.SpringDamper, c: {}, d: {}}}\n", i,
                              c[i - 1], d[i - 1]);
    connections += fmt::format(
        "  - [m{0}.flange_b, e{0}.flange_a]\n  - [e{0}.flange_b, m{1}.flange_a]\n", i, i + 1);
  }
  if (wall > 0) {
    components += fmt::format(
        "  ground: {{type: Translational.Fixed}}\n  w: {{type: Translational.Spring, c: {}}}\n",
        wall);
    connections += "  - [ground.flange, w.flange_a]\n  - [w.flange_b, m1.flange_a]\n";
  }
  return "components:\n" + components + "connections:\n" + connections;
}

LinearModel linearText(const std::string& text) {
  return linearAtStart(Simulation::fromText(catalogue(), text, "model.yaml"));
}

/// Shares of the coordinates add up to 1, but for those that are too small to be named; a velocity counts
/// for its position.
void checkShares(const LinearModel& m, const EigenMode& mode) {
  double sum = 0, last = 1;
  for (const auto& [name, share] : mode.participation) {
    const auto state = std::ranges::find(m.states, name, &LinearSignal::name);
    REQUIRE(state != m.states.end());
    CHECK(m.rateOf[static_cast<size_t>(state - m.states.begin())] < 0);
    CHECK(share > 0);
    CHECK(share < last + 1e-8);
    last = share;
    sum += share;
  }
  if (mode.participation.empty()) return;
  CHECK(sum < 1 + 1e-12);
  CHECK(sum > 1 - 1.1e-3 * static_cast<double>(m.states.size()));
}

void checkModes(const LinearModel& m) {
  const ModalAnalysis modes = findModes(m);
  CHECK(accounted(modes) == m.A.rows());
  for (const EigenMode& mode : modes.modes) checkShares(m, mode);
  CHECK(worstResidue(m, modes) < 1e-9);  // of a balanced matrix's rounding, and what zeros leave
  const Eigen::VectorXcd whole = eigenpairs(m.A).values;
  // Eigenvalues of zero may be off by the root of rounding where they are multiple.
  const double clear = 1e-5 * m.A.cwiseAbs().maxCoeff();
  const auto grow =
      std::ranges::count_if(whole, [&](std::complex<double> x) { return x.real() > clear; });
  const auto mayGrow =
      std::ranges::count_if(whole, [&](std::complex<double> x) { return x.real() > -clear; });
  CHECK(modes.unstable >= grow);
  CHECK(modes.unstable <= mayGrow);
}

}  // namespace

TEST_CASE("modes: every shape is an eigenvector, and none of the eigenvalues is missing") {
  int models = 0;
  for (const char* const folder : {"elementary", "loops", "robots"}) {
    for (const auto& f : std::filesystem::directory_iterator(std::string(CARDAN_SOURCE_DIR) +
                                                             "/models/" + folder)) {
      if (f.path().extension() != ".yaml") continue;
      CAPTURE(f.path().string());
      try {
        checkModes(linearAtStart(Simulation(catalogue(), f.path().string())));
        ++models;
      } catch (const AnalysisError&) {  // nothing moves in it
      }
    }
  }
  CHECK(models > 15);
}

TEST_CASE("modes: beside rigid motion, with damping, the shapes are still eigenvectors") {
  // Free on the line, so that two eigenvalues are zero, and nothing is symmetric but the stiffness.
  const LinearModel free = linearText(carts({30, 50, 20}, {0.4, 0.1, 0.7}, 0));
  const ModalAnalysis modes = findModes(free);
  CHECK(modes.zeros == 2);
  CHECK(!modes.conservative);
  CHECK(modes.unstable == 0);
  CHECK(modes.modes.size() == 3);
  checkModes(free);
  CHECK(worstResidue(free, modes) < 1e-12);
}

TEST_CASE("modes: what grows is counted by its eigenvalues, a pair as two") {
  const auto unstable = [](const std::string& text) {
    return findModes(linearText(text)).unstable;
  };
  CHECK(unstable(carts({30, 50}, {0.4, 0.1}, 10)) == 0);
  // x'' - 2 a x' + (a^2 + b^2) x = 0 has a +- i b, or a +- b where the last sign is minus; y'' = -4 y
  // neither grows nor decays.
  const auto own = [](const std::string& acceleration) {
    return "variables: {x: {start: 0.1, fixed: true}, v: {start: 0.2, fixed: true}, y: {start: "
           "0.1, "
           "fixed: true}, w: {start: 0, fixed: true}}\n"
           "equations: [\"der(x) = v\", \"der(v) = " +
           acceleration + "\", \"der(y) = w\", \"der(w) = -4*y + 0.3*x\"]\n";
  };
  CHECK(unstable(own("0.6*v - 2.34*x")) == 2);   // 0.3 +- 1.5 i
  CHECK(unstable(own("-0.6*v - 2.34*x")) == 0);  // -0.3 +- 1.5 i
  CHECK(unstable(own("0.6*v + 2.16*x")) == 1);   // 1.8 and -1.2
  CHECK(unstable(own("2.1*v - 1.04*x")) == 2);   // 1.3 and 0.8
  // Pendulums that stand on their heads, of one and of two links: symmetric problems.
  const auto upright = [](int links) {
    std::string components, connections, end = "world.frame_b";
    for (int i = 1; i <= links; ++i) {
      components += fmt::format(
          "  j{0}: {{type: Revolute, phi: {{start: {1}, fixed: true}}, w: {{fixed: true}}}}\n"
          "  b{0}: {{type: BodyShape, r: [0.7, 0, 0], r_CM: [0.4, 0, 0], m: 1.3, I_33: 0.1}}\n",
          i, i == 1 ? "pi/2" : "0");
      connections +=
          fmt::format("  - [{1}, j{0}.frame_a]\n  - [j{0}.frame_b, b{0}.frame_a]\n", i, end);
      end = fmt::format("b{}.frame_b", i);
    }
    return "world: {g: 9.81}\ncomponents:\n" + components + "connections:\n" + connections;
  };
  CHECK(unstable(upright(1)) == 1);
  CHECK(unstable(upright(2)) == 2);
}

TEST_CASE("pencilEigenvalues: the finite ones, real and in pairs, also where QZ comes to no end") {
  // -1, 500 and 2 +- 3 i beside a row that E does not have, in other coordinates.
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(5, 5), E = Eigen::MatrixXd::Identity(5, 5);
  A.diagonal() << -1, 500, 2, 2, 1;
  A(2, 3) = 3;
  A(3, 2) = -3;
  E(4, 4) = 0;
  const Eigen::MatrixXd mixed = Eigen::MatrixXd::Ones(5, 5) + 2 * Eigen::MatrixXd::Identity(5, 5);
  const Eigen::VectorXcd z = pencilEigenvalues(mixed * A * mixed, mixed * E * mixed);
  for (const std::complex<double> expected : {-1. + 0i, 500. + 0i, 2. + 3i, 2. - 3i}) {
    CHECK((z.array() - expected).abs().minCoeff() < 1e-12 * std::abs(expected) * 500);
  }
  // An oscillator beside its mirror image (both swing with 4 rad/s) and rigid motion beside its own.
  const double o = 1.5e-17, c = 5e-17;
  const Eigen::Matrix<double, 9, 9> mirrored{
      {0, 0, 0.5, 0, 0, 0, 0, 0, 0},   {0, 0, 0, 4, 0, 0, 0, 0, 0},
      {0, o, 0, 0, 0, 0, 0, 0, 0.6},   {0, -4, 0, 0, 0, 0, 0, 0, c},
      {0, 0, 0, 0, 0, 0, 0, 0, 0},     {0, -0.25, 0, 0, 0, 0, -o, 4, 0},
      {0, 0, 0, 0, -0.5, 0, 0, 0, 0},  {0, 0, 0, 0, 0, -4, 0, 0, 0},
      {0, 0, 0, 0, 0, 0, 0.6, c, -1.0}};
  E = Eigen::MatrixXd::Identity(9, 9);
  E(8, 8) = 0;
  const Eigen::VectorXcd twice = pencilEigenvalues(mirrored, E);
  // Double ones that are defective: to the root of rounding.
  for (const std::complex<double> expected : {0. + 4i, 0. - 4i}) {
    CHECK((twice.array() - expected).abs().minCoeff() < 1e-6);
  }
}
