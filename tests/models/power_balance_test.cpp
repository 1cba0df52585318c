// The law of energy over every force and drive component: what the model's energy loses is what
// the component dissipates or its input takes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

struct PowerBalanceCase {
  std::string name;
  std::string components;   ///< YAML lines
  std::string connections;  ///< YAML lines
  std::string loss;         ///< [W] power that leaves the model
};

/// Two free bodies in general motion under gravity; sensors give angular velocities in the world.
std::string bodies(const PowerBalanceCase& c) {
  return fmt::format(R"(
world: {{g: 3}}
components:
  b1: {{type: Body, m: 1.2, r_CM: [0.1, 0.2, -0.1], I_11: 0.3, I_22: 0.4, I_33: 0.5, I_21: 0.02, r_0: {{fixed: true}},
       v_0: {{start: [0.2, -0.1, 0.4], fixed: true}}, angles_fixed: true, angles_start: [0.3, -0.2, 0.5], w_0_fixed: true, w_0_start: [0.5, 1, -0.7]}}
  b2: {{type: Body, m: 0.8, r_CM: [-0.2, 0.1, 0.1], I_11: 0.5, I_22: 0.3, I_33: 0.4, I_31: 0.03, r_0: {{start: [1.1, 0.6, -0.4], fixed: true}},
       v_0: {{start: [-0.3, 0.5, 0.1], fixed: true}}, angles_fixed: true, angles_start: [-0.6, 0.1, 0.4], w_0_fixed: true, w_0_start: [-0.4, 0.3, 0.9]}}
  w1: {{type: AbsoluteAngularVelocity, resolveInFrame: world}}
  w2: {{type: AbsoluteAngularVelocity, resolveInFrame: world}}
  loss: {{type: Blocks.Integrator, u: "{}"}}
{}
connections:
  - [b1.frame_a, w1.frame_a]
  - [b2.frame_a, w2.frame_a]
{}
simulation: {{stop: 1.5, interval: 0.05, tolerance: 1e-9}}
outputs: [totalEnergy, kineticEnergy, loss.y]
)",
                     c.loss, c.components, c.connections);
}

/// Two inertias that turn against each other.
std::string shafts(const PowerBalanceCase& c) {
  return fmt::format(R"(
components:
  J1: {{type: Rotational.Inertia, J: 1.3, phi: {{fixed: true}}, w: {{start: 2.1, fixed: true}}}}
  J2: {{type: Rotational.Inertia, J: 0.7, phi: {{start: 0.2, fixed: true}}, w: {{start: -1.4, fixed: true}}}}
  loss: {{type: Blocks.Integrator, u: "{}"}}
{}
connections:
{}
simulation: {{stop: 1.5, interval: 0.05, tolerance: 1e-9}}
outputs: [totalEnergy, kineticEnergy, loss.y]
)",
                     c.loss, c.components, c.connections);
}

void checkBalance(const std::string& text) {
  Simulation s = Simulation::fromText(catalogue(), text, "power.yaml");
  Trajectory t;
  s.run(t);
  const auto& energy = t["totalEnergy"];
  const auto& kinetic = t["kineticEnergy"];
  const double scale = *std::max_element(kinetic.begin(), kinetic.end());
  double worst = 0, change = 0;
  for (size_t i = 0; i < energy.size(); ++i) {
    worst = std::max(worst, std::abs(energy[i] + t["loss.y"][i] - energy[0]));
    change = std::max(change, std::abs(kinetic[i] - kinetic[0]));
  }
  CHECK(worst < 1e-6 * scale);  // 1000 tolerances
  CHECK(change > 0.01 * scale);
}

const std::string kBetween = "  - [b1.frame_a, e.frame_a]\n  - [b2.frame_a, e.frame_b]\n";
const std::string kOnShafts = "  - [J1.flange_b, e.flange_a]\n  - [e.flange_b, J2.flange_a]\n";

std::string line(const std::string& type, const std::string& parameters) {
  return fmt::format("  e: {{type: {}{}}}\n", type, parameters);
}

const std::string kPowerBalanceLink =
    "  link: {type: Translational.SpringDamper, c: 20, d: 0.7, s_rel0: 0.8}\n";
const std::string kLinked =
    kBetween + "  - [e.flange_a, link.flange_a]\n  - [e.flange_b, link.flange_b]\n";

}  // namespace

TEST_CASE("power balance: forces between free bodies") {
  const std::vector<PowerBalanceCase> cases{
      {"Spring", line("Spring", ", c: 30, s_unstretched: 0.7"), kBetween, "0"},
      {"Spring with mass", line("Spring", ", c: 30, s_unstretched: 0.7, m: 0.4"), kBetween, "0"},
      {"Damper", line("Damper", ", d: 2"), kBetween, "e.lossPower"},
      {"SpringDamperParallel", line("SpringDamperParallel", ", c: 30, s_unstretched: 0.7, d: 2"),
       kBetween, "e.lossPower"},
      {"SpringDamperSeries", line("SpringDamperSeries", ", c: 30, s_unstretched: 0.7, d: 2"),
       kBetween, "e.lossPower"},
      {"LineForceWithMass",
       line("LineForceWithMass", ", m: 0.4, lengthFraction: 0.3") + kPowerBalanceLink, kLinked,
       "link.lossPower"},
      {"LineForceWithTwoMasses",
       line("LineForceWithTwoMasses", ", m_a: 0.3, m_b: 0.2, L_a: 0.2, L_b: 0.4") +
           kPowerBalanceLink,
       kLinked, "link.lossPower"},
      {"WorldForce", line("WorldForce", ", force: [2, '3*sin(4*time)', -1]"),
       "  - [e.frame_b, b1.frame_a]\n", "-(2*b1.v_0[1] + 3*sin(4*time)*b1.v_0[2] - b1.v_0[3])"},
      {"WorldTorque", line("WorldTorque", ", torque: [1, '2*sin(4*time)', -1]"),
       "  - [e.frame_b, b1.frame_a]\n", "-(w1.w[1] + 2*sin(4*time)*w1.w[2] - w1.w[3])"},
      {"WorldForceAndTorque in frame_b",
       line("WorldForceAndTorque",
            ", resolveInFrame: frame_b, force: [0, 0, 0], torque: [1, '2*sin(4*time)', -1]"),
       "  - [e.frame_b, b1.frame_a]\n", "-(b1.w_a[1] + 2*sin(4*time)*b1.w_a[2] - b1.w_a[3])"},
      {"Torque", line("Torque", ", resolveInFrame: world, torque: [1, 2, -1]"), kBetween,
       "-((w2.w[1] - w1.w[1]) + 2*(w2.w[2] - w1.w[2]) - (w2.w[3] - w1.w[3]))"},
      // Force at frame_b and its reaction at frame_a, with the moment of the arm there.
      {"Force", line("Force", ", resolveInFrame: world, force: [1, 0, 0]"), kBetween,
       "-((b2.v_0[1] - b1.v_0[1]) - (w1.w[2]*(b2.r_0[3] - b1.r_0[3]) - w1.w[3]*(b2.r_0[2] - "
       "b1.r_0[2])))"},
      {"ForceAndTorque",
       line("ForceAndTorque", ", resolveInFrame: world, force: [1, 0, 0], torque: [0, 0, 2]"),
       kBetween,
       "-((b2.v_0[1] - b1.v_0[1]) - (w1.w[2]*(b2.r_0[3] - b1.r_0[3]) - w1.w[3]*(b2.r_0[2] - "
       "b1.r_0[2])) + 2*(w2.w[3] - w1.w[3]))"},
  };
  for (const PowerBalanceCase& c : cases) {
    CAPTURE(c.name);
    checkBalance(bodies(c));
  }
}

TEST_CASE("power balance: drives between two shafts") {
  const std::vector<PowerBalanceCase> cases{
      {"Spring", line("Rotational.Spring", ", c: 9"), kOnShafts, "0"},
      {"Damper", line("Rotational.Damper", ", d: 0.8"), kOnShafts, "e.lossPower"},
      {"SpringDamper", line("Rotational.SpringDamper", ", c: 9, d: 0.8"), kOnShafts, "e.lossPower"},
      {"Clutch", line("Rotational.Clutch", ", mu_pos: [[0, 1.5], [1, 1.2]], f_normalized: 1"),
       kOnShafts, "e.lossPower"},
      {"BearingFriction",
       line("Rotational.BearingFriction", ", tau_pos: [[0, 1], [1, 1.3]]") +
           "  spring: {type: Rotational.Spring, c: 5}\n",
       "  - [J1.flange_b, e.flange_a]\n  - [J1.flange_b, spring.flange_a]\n  - [spring.flange_b, "
       "J2.flange_a]\n",
       "e.lossPower"},
      {"Brake",
       line("Rotational.Brake",
            ", mu_pos: [[0, 1]], fn_max: 2, f_normalized: 'if time < 0.4 then "
            "0 else 1'") +
           "  spring: {type: Rotational.Spring, c: 5}\n",
       "  - [J1.flange_b, e.flange_a]\n  - [J1.flange_b, spring.flange_a]\n  - [spring.flange_b, "
       "J2.flange_a]\n",
       "e.lossPower"},
      {"IdealGear",
       line("Rotational.IdealGear", ", ratio: -2.5") +
           "  spring: {type: Rotational.Spring, c: 5}\n",
       "  - [J1.flange_b, e.flange_a]\n  - [e.flange_b, spring.flange_a]\n  - [spring.flange_b, "
       "J2.flange_a]\n",
       "0"},
      {"Torque", line("Rotational.Torque", ", tau: '3*cos(5*time)'"),
       "  - [e.flange, J1.flange_a]\n", "-3*cos(5*time)*J1.w"},
      {"Torque2", line("Rotational.Torque2", ", tau: 2"), kOnShafts, "-2*(J2.w - J1.w)"},
      {"QuadraticSpeedDependentTorque",
       line("Rotational.QuadraticSpeedDependentTorque", ", tau_nominal: -1, w_nominal: 1"),
       "  - [e.flange, J1.flange_a]\n", "e.flange.tau*J1.w"},
  };
  for (const PowerBalanceCase& c : cases) {
    CAPTURE(c.name);
    checkBalance(shafts(c));
  }
}

TEST_CASE("power balance: friction and stops of joints") {
  const std::string friction = "friction: {mu: 0.2, radius: 0.05, torque: 0.1}";
  const std::string stops = "limits: {min: -0.3, max: 0.5, c: 300, d: 2}";
  const std::vector<PowerBalanceCase> cases{
      {"Revolute", line("Revolute", ", w: {start: 4, fixed: true}, " + friction + ", " + stops), "",
       "e.friction.lossPower + e.limits.lossPower"},
      {"Prismatic",
       line("Prismatic", ", v: {start: 2, fixed: true}, friction: {mu: 0.2, force: 0.1}, " + stops),
       "", "e.friction.lossPower + e.limits.lossPower"},
      {"Cylindrical",
       line("Cylindrical",
            ", v: {start: 2, fixed: true}, w: {start: 4, fixed: true}, prismatic: "
            "{friction: {mu: 0.2}, " +
                stops + "}, revolute: {" + friction + "}"),
       "",
       "e.prismatic.friction.lossPower + e.prismatic.limits.lossPower + "
       "e.revolute.friction.lossPower"},
      {"Universal",
       line("Universal",
            ", w_a: {start: 4, fixed: true}, w_b: {start: 3, fixed: true}, revolute_a: {" +
                friction + "}, revolute_b: {" + stops + "}"),
       "", "e.revolute_a.friction.lossPower + e.revolute_b.limits.lossPower"},
      {"Spherical",
       line("Spherical", ", w_rel_a_start: [2, 1, 3], w_rel_a_fixed: true, " + friction +
                             ", limits: {max: 0.4, c: 300, d: 2}"),
       "", "e.friction.lossPower + e.limits.lossPower"},
  };
  for (const PowerBalanceCase& c : cases) {
    CAPTURE(c.name);
    checkBalance(fmt::format(R"yaml(
world: {{g: 3}}
components:
  arm: {{type: Body, m: 1.2, r_CM: [0.3, 0.2, -0.1], I_11: 0.03, I_22: 0.04, I_33: 0.05, I_21: 0.002}}
  loss: {{type: Blocks.Integrator, u: "{}"}}
{}
connections:
  - [world.frame_b, e.frame_a]
  - [e.frame_b, arm.frame_a]
simulation: {{stop: 1.5, interval: 0.05, tolerance: 1e-9}}
outputs: [totalEnergy, kineticEnergy, loss.y]
)yaml",
                             c.loss, c.components));
  }
}
