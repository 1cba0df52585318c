/// Connectors against the laws of mechanics: what holds two bodies together passes force and moment
/// on whole, does no work, and pulls the same whichever way the model is taken apart.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/models/energy.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kConnectorBalanceTolerance = 1e-10;
// Loads follow from accelerations at the row's own positions: algebra of a dozen numbers near 10,
// solved for through matrices of condition 1e3 or so.
constexpr double kConnectorBalanceAlgebra = 1e-8;
// Global error of half a second of motion, in loads that grow with it.
constexpr double kConnectorBalanceSameMotion = 3000 * kConnectorBalanceTolerance;

Trajectory runBalance(const std::string& text, const std::vector<std::string>& outputs = {}) {
  return test::runModel(text, {.tolerance = kConnectorBalanceTolerance, .outputs = outputs}).rows;
}

Vector3d vectorOf(const Trajectory& t, const std::string& name, size_t row) {
  Vector3d v;
  for (int i = 0; i < 3; ++i) v[i] = t[fmt::format("{}[{}]", name, i + 1)][row];
  return v;
}

/// What a frame connector shows at one instant, resolved in world.
struct Connector {
  Vector3d r, f, t, v, w;

  Connector(const Trajectory& rows, const std::string& frame, size_t row) {
    Matrix3d T;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        T(i, j) = rows[fmt::format("{}.R.T[{},{}]", frame, i + 1, j + 1)][row];
    }
    r = vectorOf(rows, frame + ".r_0", row);
    f = T.transpose() * vectorOf(rows, frame + ".f", row);
    t = T.transpose() * vectorOf(rows, frame + ".t", row);
    w = T.transpose() * vectorOf(rows, frame + ".R.w", row);
  }
  Vector3d momentAboutOrigin() const { return t + r.cross(f); }
};

std::vector<std::string> connectorOutputs(const std::vector<std::string>& frames) {
  std::vector<std::string> outputs;
  for (const std::string& f : frames) {
    for (const char* v : {".r_0", ".f", ".t", ".R.T", ".R.w"}) outputs.push_back(f + v);
  }
  return outputs;
}

/// A part between two frames, with what the motion starts from.
struct Edge {
  std::string type, parameters, start;
  bool moves = true;
};

/// Every axis is oblique and every frame is turned and shifted, so that no arm and no rotation can
/// be left out unnoticed.
const std::vector<Edge> kEdges{
    {"Revolute", "n: [1, 2, -1]", "phi: {start: 0.4, fixed: true}, w: {start: 1.1, fixed: true}"},
    {"Prismatic", "n: [1, -2, 2]", "s: {start: 0.4, fixed: true}, v: {start: 0.7, fixed: true}"},
    {"Cylindrical", "n: [2, 1, -1]",
     "s: {start: 0.3, fixed: true}, v: {start: -0.6, fixed: true}, phi: {start: 0.5, fixed: true}, "
     "w: {start: 1.3, fixed: true}"},
    {"Universal", "n_a: [1, 2, 0], n_b: [0, 1, 3]",
     "phi_a: {start: 0.3, fixed: true}, w_a: {start: 0.9, fixed: true}, phi_b: {start: -0.4, "
     "fixed: true}, w_b: {start: 1.2, fixed: true}"},
    {"Planar", "n: [1, 2, -2], n_x: [2, -1, 0]",
     "s_x: {start: 0.3, fixed: true}, v_x: {start: 0.5, fixed: true}, s_y: {start: -0.2, fixed: "
     "true}, v_y: {start: 0.4, fixed: true}, phi: {start: 0.6, fixed: true}, w: {start: -0.9, "
     "fixed: true}"},
    {"Spherical", "",
     "angles_fixed: true, angles_start: [0.3, -0.2, 0.5], w_rel_a_fixed: true, w_rel_a_start: "
     "[0.7, -0.5, 0.9]"},
    {"FixedTranslation", "r: [0.3, -0.2, 0.5]", "", false},
    {"FixedRotation", "r: [0.3, -0.2, 0.5], n: [1, -1, 2], angle: 50", "", false},
};

/// base (moving on a revolute joint) - edge - body, each turned and shifted against the next.
std::string chainWith(const Edge& e, bool cut) {
  std::string inside = e.parameters;
  for (const std::string& more : {e.start, std::string(cut ? "cut: true" : "")}) {
    if (!more.empty()) inside += (inside.empty() ? "" : ", ") + more;
  }
  return fmt::format(R"(
world: {{g: 3, n: [0.3, -1, 0.2]}}
components:
  drive: {{type: Revolute, n: [2, -1, 1], phi: {{start: 0.2, fixed: true}}, w: {{start: 0.8, fixed: true}}}}
  base: {{type: FixedRotation, r: [0.3, -0.2, 0.5], n: [1, 2, -1], angle: 40}}
  carriage: {{type: Body, m: 2, r_CM: [-0.1, 0.1, 0.2], I_11: 0.5, I_22: 0.4, I_33: 0.6, I_32: 0.03}}
  edge: {{type: {}, {}}}
  tip: {{type: FixedRotation, r: [0.2, 0.4, -0.1], n: [2, -1, 1], angle: 70}}
  body: {{type: Body, m: 1.2, r_CM: [0.1, 0.2, -0.1], I_11: 0.3, I_22: 0.4, I_33: 0.5, I_21: 0.02}}
connections:
  - [world.frame_b, drive.frame_a]
  - [drive.frame_b, base.frame_a]
  - [base.frame_b, carriage.frame_a]
  - [base.frame_b, edge.frame_a]
  - [edge.frame_b, tip.frame_a]
  - [tip.frame_b, body.frame_a]
simulation: {{stop: 0.5, interval: 0.05}}
)",
                     e.type, inside);
}

/// Largest violation of the balance of force and moment at two connectors, over all rows.
double imbalance(const Trajectory& t, const std::vector<std::string>& frames) {
  double worst = 0;
  for (size_t row = 0; row < t.time().size(); ++row) {
    Vector3d f = Vector3d::Zero(), m = Vector3d::Zero();
    for (const std::string& frame : frames) {
      const Connector c(t, frame, row);
      f += c.f;
      m += c.momentAboutOrigin();
    }
    worst = std::max({worst, f.norm(), m.norm()});
  }
  return worst;
}

double largest(const Trajectory& t, const std::string& name) {
  double most = 0;
  for (size_t row = 0; row < t.time().size(); ++row)
    most = std::max(most, vectorOf(t, name, row).norm());
  return most;
}

}  // namespace

TEST_CASE("connectors: joints and rigid parts pass force and moment on, in the tree and as cuts") {
  std::vector<std::string> outputs = connectorOutputs({"edge.frame_a", "edge.frame_b"});
  for (const char* more : {"body.r_0", "body.v_0", "body.frame_a.f", "body.frame_a.t",
                           "carriage.frame_a.f", "carriage.frame_a.t", "kineticEnergy"}) {
    outputs.push_back(more);
  }
  for (const Edge& e : kEdges) {
    CAPTURE(e.type);
    const Trajectory tree = runBalance(chainWith(e, false), outputs);
    const Trajectory cut = runBalance(chainWith(e, true), outputs);
    CHECK(imbalance(tree, {"edge.frame_a", "edge.frame_b"}) < kConnectorBalanceAlgebra);
    CHECK(imbalance(cut, {"edge.frame_a", "edge.frame_b"}) < kConnectorBalanceAlgebra);
    CHECK(largest(tree, "edge.frame_a.f") > 0.5);
    CHECK((e.type == "Spherical" || largest(tree, "edge.frame_a.t") > 0.05));
    REQUIRE(tree.time().size() == cut.time().size());
    for (const Column& c : tree.columns()) {
      CAPTURE(c.name);
      const std::vector<double>&x = tree[c.name], &y = cut[c.name];
      double worst = 0;
      for (size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
      CHECK(worst < kConnectorBalanceSameMotion);
    }
  }
}

TEST_CASE("connectors: what has no mass passes force and moment on whole, and does no work") {
  struct Part {
    std::string type, parameters;
    bool ideal = true;  ///< keeps the energy
  };
  const std::vector<Part> parts{
      {"Constraints.Revolute", "n: [1, 2, -1]"},
      {"Constraints.Prismatic", "x_locked: true, y_locked: false, z_locked: true"},
      {"Constraints.Universal", "n_a: [1, 2, 0], n_b: [2, -1, 3]"},
      {"Constraints.Spherical", "x_locked: true, y_locked: true, z_locked: false"},
      {"SphericalSpherical", "rodLength: 0.8"},
      {"UniversalSpherical", "n1_a: [0, 1, 2], rRod_ia: [0.6, 0.3, -0.2]"},
      {"Spring", "c: 20, s_unstretched: 0.3"},
      {"Damper", "d: 3", false},
      {"SpringDamperParallel", "c: 20, s_unstretched: 0.3, d: 2", false},
      {"SpringDamperSeries", "c: 20, s_unstretched: 0.3, d: 2", false},
      {"Force", "resolveInFrame: frame_a, force: [1, -2, 3]", false},
      {"Force", "resolveInFrame: world, force: [1, -2, 3]", false},
      {"Torque", "resolveInFrame: frame_b, torque: [1, -2, 3]", false},
      {"ForceAndTorque", "resolveInFrame: frame_b, force: [1, -2, 3], torque: [2, 1, -1]", false},
      {"CutForceAndTorque", ""},
      {"Power", ""},
  };
  std::vector<std::string> outputs = connectorOutputs({"edge.frame_a", "edge.frame_b"});
  outputs.insert(outputs.end(), {"totalEnergy", "kineticEnergy"});
  for (const Part& p : parts) {
    CAPTURE(p.type + ", " + p.parameters);
    const Trajectory t = runBalance(chainWith({p.type, p.parameters, ""}, false), outputs);
    CHECK(imbalance(t, {"edge.frame_a", "edge.frame_b"}) < kConnectorBalanceAlgebra);
    CHECK(std::max(largest(t, "edge.frame_a.f"), largest(t, "edge.frame_a.t")) > 0.1);
    if (p.ideal) CHECK(test::energyDrift(t) < kConnectorBalanceSameMotion);
  }
}

TEST_CASE(
    "GearConstraint: its shafts stand at r_a and r_b, turn by its ratio, and all is balanced") {
  for (double ratio : {2.5, -2.5}) {
    CAPTURE(ratio);
    std::vector<std::string> outputs =
        connectorOutputs({"gear.frame_a", "gear.frame_b", "gear.bearing"});
    outputs.insert(outputs.end(),
                   {"gear.actuatedRevolute_a.phi", "gear.phi_b", "gear.actuatedRevolute_a.tau",
                    "gear.actuatedRevolute_b.tau", "totalEnergy", "kineticEnergy"});
    const Trajectory t = runBalance(fmt::format(R"(
world: {{g: 3, n: [0.3, -1, 0.2]}}
components:
  place: {{type: FixedRotation, r: [0.3, -0.2, 0.5], n: [1, 2, -1], angle: 40}}
  gear: {{type: GearConstraint, ratio: {}, n_a: [1, 2, 0], n_b: [0, 1, 3], r_a: [0.1, 0.2, 0.3], r_b: [-0.4, 0.5, 0.6],
         phi_b: {{start: 0.1, fixed: true}}, w_b: {{start: 1, fixed: true}}}}
  a: {{type: Body, m: 1, r_CM: [0.1, 0.2, 0.05], I_11: 0.3, I_22: 0.4, I_33: 0.5}}
  b: {{type: Body, m: 2, r_CM: [-0.1, 0.1, 0.2], I_11: 0.2, I_22: 0.1, I_33: 0.15}}
connections:
  - [world.frame_b, place.frame_a]
  - [place.frame_b, gear.bearing]
  - [gear.frame_a, a.frame_a]
  - [gear.frame_b, b.frame_a]
simulation: {{stop: 1, interval: 0.1}}
)",
                                                ratio),
                                    outputs);
    CHECK(imbalance(t, {"gear.frame_a", "gear.frame_b", "gear.bearing"}) <
          kConnectorBalanceAlgebra);
    CHECK(test::energyDrift(t) < kConnectorBalanceSameMotion);
    Matrix3d bearing;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        bearing(i, j) = t[fmt::format("gear.bearing.R.T[{},{}]", i + 1, j + 1)].front();
    }
    const Vector3d r_a(0.1, 0.2, 0.3), r_b(-0.4, 0.5, 0.6);
    for (size_t row = 0; row < t.time().size(); ++row) {
      const Vector3d origin = vectorOf(t, "gear.bearing.r_0", row);
      CHECK((vectorOf(t, "gear.frame_a.r_0", row) - origin - bearing.transpose() * r_a).norm() <
            1e-14);
      CHECK((vectorOf(t, "gear.frame_b.r_0", row) - origin - bearing.transpose() * r_b).norm() <
            1e-14);
      CHECK(std::abs(t["gear.actuatedRevolute_a.phi"][row] - ratio * t["gear.phi_b"][row]) <
            kConnectorBalanceAlgebra);
      CHECK(std::abs(ratio * t["gear.actuatedRevolute_a.tau"][row] +
                     t["gear.actuatedRevolute_b.tau"][row]) < kConnectorBalanceAlgebra);
    }
    CHECK(std::abs(t["gear.phi_b"].back() - t["gear.phi_b"].front()) > 0.1);
  }
}
