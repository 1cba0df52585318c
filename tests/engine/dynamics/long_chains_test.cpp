// Accelerations of long chains: joint by joint they satisfy the equations to rounding, whatever the
// joints and the masses.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/dynamics/completion.h"
#include "engine/equations/model.h"
#include "engine/integration/multibody_system.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// `count` joints in a row, each of the next kind, every third the other way round, with a body behind
/// each that is `ratio` times as heavy as the one before; `last` joint: from the end to the world.
std::string chain(const std::vector<std::string>& kinds, int count, double ratio,
                  const std::string& last) {
  std::string components, connections, end = "world.frame_b";
  double m = 1;
  for (int i = 1; i <= count; ++i, m = std::clamp(m * ratio, 1e-6, 1e6)) {
    components += fmt::format(
        "  j{0}: {{type: {1}}}\n  r{0}: {{type: FixedRotation, r: [0.3, 0.9, -0.2], n: [1, 2, 2], "
        "angle: 40}}\n"
        "  b{0}: {{type: Body, m: {2}, r_CM: [0.1, 0.4, 0.05], I_11: {3}, I_22: {4}, I_33: {5}}}\n",
        i, kinds[(i - 1) % kinds.size()], m, 0.1 * m, 0.03 * m, 0.11 * m);
    connections += fmt::format(
        "  - [{0}, j{1}.{2}]\n  - [j{1}.{3}, r{1}.frame_a]\n  - [j{1}.{3}, b{1}.frame_a]\n", end, i,
        i % 3 == 0 ? "frame_b" : "frame_a", i % 3 == 0 ? "frame_a" : "frame_b");
    end = fmt::format("r{}.frame_b", i);
  }
  if (!last.empty()) {
    components += "  last: {type: " + last + ", cut: true}\n";
    connections += "  - [" + end + ", last.frame_a]\n  - [last.frame_b, world.frame_b]\n";
  }
  return "components:\n" + components + "connections:\n" + connections;
}

/// A bent point in motion, on the constraints among the positions of each joint.
std::vector<double> bentPoint(const Layout& l) {
  std::mt19937 random(5);
  std::vector<double> y;
  for (const Layout::Unknown& u : l.unknowns)
    y.push_back(u.start + 0.8 * (static_cast<double>(random()) / 4294967296.0 - 0.5));
  for (const Layout::TreeJoint& s : l.tree) REQUIRE(projectEdge(s, y));
  return y;
}

/// Largest residue of the dynamic rows, in units of eps times the number of bodies times the loads
/// that it is a sum of: m a and I z of all bodies and the reactions, with their arms to the world.
double residueOf(MultibodySystem& system, const std::vector<double>& y,
                 const std::vector<double>& yp) {
  const Layout& l = system.equations().layout();
  Workspace<double> w = system.equations().makeWorkspace<double>();
  w.y = y;
  w.yp = yp;
  system.equations().evaluate(w, {});
  double loads = 0, reach = 1;
  int bodies = 0;
  for (const ClusterTree::Cluster& c : system.equations().clusters().clusters()) {
    if (!c.massive) continue;
    const FrameState<double>& f = w.frames[c.joint->far];
    const double arm = 1 + f.r_0.norm();
    loads += c.m * (f.a_0.norm() + 9.81) * arm +
             (c.h.norm() * arm + c.I.norm()) * (f.z_a.norm() + f.R.w.squaredNorm());
    reach = std::max(reach, arm);
    ++bodies;
  }
  for (int k = 0; k < l.nlambda; ++k) loads += std::abs(y[l.lambdaOffset() + k]) * reach;
  double largest = 0;
  for (int i = l.nq; i < l.nq + l.nv; ++i) largest = std::max(largest, std::abs(w.residual[i]));
  return largest / (kEps * bodies * loads);
}

/// Each body's loads are rounded where they are found, and where each of two sweeps passes them on:
/// some operations each time.
constexpr double kRoundings = 20;

/// Joint by joint and by the matrix of the whole; the second only of chains that are not too long.
void checkChain(const std::vector<std::string>& kinds, int count, double ratio,
                const std::string& end = "") {
  CAPTURE(kinds.front());
  CAPTURE(kinds.size());
  CAPTURE(count);
  CAPTURE(ratio);
  Simulation s = Simulation::fromText(catalogue(), chain(kinds, count, ratio, end));
  const Layout& l = s.parts().equations->layout();
  Completion byJoints(*s.parts().equations);
  byJoints.useTreeSolver();
  std::vector<double> y = bentPoint(l), yp(y.size(), 0.0);
  REQUIRE(byJoints.complete(0, y, yp));
  CHECK(byJoints.recursive());
  CHECK(residueOf(*s.parts().system, y, yp) < kRoundings);
  if (count > 32) return;
  Completion byMatrix(*s.parts().equations);
  std::vector<double> y2 = bentPoint(l), yp2(y.size(), 0.0);
  REQUIRE(byMatrix.complete(0, y2, yp2));
  if (byMatrix.recursive()) return;
  DenseLu lu;
  lu.factor(byMatrix.scaledMatrix().dense());
  double largest = 0, difference = 0;
  for (int i = l.nq; i < l.nq + l.nv; ++i) {
    largest = std::max(largest, std::abs(yp2[i]));
    difference = std::max(difference, std::abs(yp2[i] - yp[i]));
  }
  CHECK(difference < kRoundings * count * kEps / lu.reciprocalCondition() * largest);
}

const std::vector<std::string> kMixed = {"Revolute", "Spherical",   "Prismatic", "Universal",
                                         "Planar",   "Cylindrical", "FreeMotion"};

}  // namespace

TEST_CASE("long chains: accelerations satisfy the equations to rounding, joints of every kind") {
  std::vector<std::vector<std::string>> all{kMixed};
  for (const std::string& kind : kMixed) all.push_back({kind});
  for (const auto& kinds : all) {
    for (const double ratio : {1.0, 0.5, 2.0}) {
      for (const int count : {1, 2, 8, 32, 128}) checkChain(kinds, count, ratio);
    }
    checkChain(kinds, 512, 1);
  }
}

TEST_CASE("long chains: so they do where the last link is held, too") {
  for (const auto& kinds : {kMixed, {"Revolute"}, {"Universal"}, {"Spherical"}}) {
    for (const int count : {8, 32, 128}) checkChain(kinds, count, 1, "Spherical");
  }
}

TEST_CASE("long chains: explicit steps are those of the motion, not of rounding") {
  // A bent chain of 64 rods with ball joints, let go, keeps its energy. Its fastest waves are four times
  // as fast as those of one of 16 that is as long, so it takes no more than four times as many steps;
  // noise would have most of them refused.
  long steps[2] = {};
  for (int k = 0; k < 2; ++k) {
    const int count = k == 0 ? 16 : 64;
    std::string components, connections, end = "world.frame_b";
    const double length = 1.0 / count;
    for (int i = 1; i <= count; ++i) {
      components += fmt::format(
          "  j{0}: {{type: Spherical, angles_start: [0.1, 0.2, -0.1], angles_fixed: true, "
          "w_rel_a_fixed: true}}\n"
          "  b{0}: {{type: BodyShape, m: {1}, r: [{2}, 0, 0], r_CM: [{3}, 0, 0], I_11: {4}, I_22: "
          "{4}, "
          "I_33: {4}}}\n",
          i, length, length, length / 2, length * length * length / 12);
      connections +=
          fmt::format("  - [{0}, j{1}.frame_a]\n  - [j{1}.frame_b, b{1}.frame_a]\n", end, i);
      end = fmt::format("b{}.frame_b", i);
    }
    Simulation s = Simulation::fromText(
        catalogue(),
        "components:\n" + components + "connections:\n" + connections +
            "simulation: {stop: 0.2, interval: 0.1, tolerance: 1e-6, integrator: explicit}\n"
            "outputs: [totalEnergy]\n");
    Trajectory t;
    const RunReport report = s.run(t);
    steps[k] = report.integrator.steps;
    CHECK(report.integrator.errorTestFailures <= steps[k] / 2);
    const std::vector<double>& energy = t["totalEnergy"];
    // The chain has fallen by 0.2 m at most: 0.5*9.81*0.2 J have been exchanged.
    CHECK(std::abs(energy.back() - energy.front()) < 100 * 1e-6 * 0.5 * 9.81 * 0.2);
  }
  CHECK(steps[1] < 4 * steps[0]);
}

TEST_CASE("long chains: slender rods on ball joints are stepped at loose tolerances, too") {
  // What the others' corrections do to a rod's spin about itself is of second order, but its inertia is
  // small: an iteration with the matrix of the point before hardly gets nearer.
  std::string components, connections, end = "world.frame_b";
  for (int i = 1; i <= 16; ++i) {
    components += fmt::format(
        "  j{0}: {{type: Spherical, angles_fixed: true, w_rel_a_start: [{1}, {2}, {3}], "
        "w_rel_a_fixed: true}}\n"
        "  b{0}: {{type: BodyShape, m: 1, r: [1, 0, 0], r_CM: [0.5, 0, 0], I_11: 1e-3, "
        "I_22: 1/12, I_33: 1/12}}\n",
        i, 0.2 * std::sin(i), 0.3 * std::cos(3 * i), 0.3 * std::sin(7 * i));
    connections +=
        fmt::format("  - [{0}, j{1}.frame_a]\n  - [j{1}.frame_b, b{1}.frame_a]\n", end, i);
    end = fmt::format("b{}.frame_b", i);
  }
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-6}) {
    CAPTURE(tolerance);
    Simulation s = Simulation::fromText(catalogue(), "components:\n" + components +
                                                         "connections:\n" + connections +
                                                         "outputs: [totalEnergy, kineticEnergy]\n");
    Trajectory t;
    const RunReport report = s.run(t, {.stopTime = 1, .tolerance = tolerance});
    // Every second step, where it gets nowhere.
    CHECK(report.integrator.newtonFailures < report.integrator.steps / 3);
    const std::vector<double>& energy = t["totalEnergy"];
    const double exchanged = std::ranges::max(t["kineticEnergy"]);
    CHECK(std::abs(energy.back() - energy.front()) < 100 * tolerance * exchanged);
  }
}

}  // namespace cardan
