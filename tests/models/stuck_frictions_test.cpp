// Frictions that are stuck on one motion share its load, by a split that is unique and said.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {

// What is shared creeps: at most 1e-8 rad/s2 over 10/s, which is 1e-9 rad/s at the limit.
constexpr double kCreepSpeed = 1e-9;
// A share is that creep's acceleration times the limit over 1e-8 rad/s2: the accelerations' rounding,
// 1e-15 of what the torques alone would give, is 1e-7 of it.
constexpr double kStuckFrictionsShare = 1e-6;

ModelRun sharedRun(const std::string& text, const std::string& integrator = "automatic") {
  return runModel(text + "simulation: {stop: 5, interval: 0.25, integrator: " + integrator + "}\n");
}

/// A shaft of 0.5 kg.m2 with two bearings and the torque `load`.
std::string twoBearings(double w, double tau1, double tau2, const std::string& load) {
  return fmt::format(
      "components:\n"
      "  J: {{type: Rotational.Inertia, J: 0.5, phi: {{fixed: true}}, w: {{start: {}, fixed: "
      "true}}}}\n"
      "  b1: {{type: Rotational.BearingFriction, tau_pos: [[0, {}]]}}\n"
      "  b2: {{type: Rotational.BearingFriction, tau_pos: [[0, {}]]}}\n"
      "  t: {{type: Rotational.Torque, tau: '{}'}}\n"
      "connections: [[t.flange, J.flange_a], [J.flange_a, b1.flange_a], [J.flange_b, "
      "b2.flange_a]]\n"
      "outputs: [J.w, J.phi, b1.tau, b2.tau, b1.locked, b2.locked]\n",
      w, tau1, tau2, load);
}

}  // namespace

TEST_CASE("two bearings stop a shaft, hold it together, and break loose together") {
  for (const char* integrator : {"ida", "explicit", "automatic"}) {
    CAPTURE(integrator);
    const ModelRun r =
        sharedRun(twoBearings(1, 1, 3, "if time < 2 then 0 else 2*(time - 2)"), integrator);
    // w J/(1 + 3) = 0.125 s to rest.
    REQUIRE(!r.report.eventRecords.empty());
    CHECK(std::abs(r.report.eventRecords.front().time - 0.125) < 1e-7);
    CHECK(std::abs(r.at(3.75, "J.phi") - 0.0625) < 5 * kCreepSpeed + 1e-7);
    CHECK(std::abs(r.at(3.75, "J.w")) < 2 * kCreepSpeed);
    for (double t : {2.5, 3.0, 3.5}) {
      CHECK(std::abs(r.at(t, "b1.tau") - 0.25 * 2 * (t - 2)) < kStuckFrictionsShare * 4);
      CHECK(std::abs(r.at(t, "b2.tau") - 0.75 * 2 * (t - 2)) < kStuckFrictionsShare * 4);
    }
    // Loose at 2 (t - 2) = 4; then J w' = 2 (t - 2) - 4.
    CHECK(r.at(3.75, "b1.locked") == 1);
    CHECK(r.at(4.25, "b1.locked") == 0);
    CHECK(r.at(4.25, "b2.locked") == 0);
    CHECK(std::abs(r.at(5, "J.w") - 2) < 1e-5);
    REQUIRE(r.report.warnings.size() == 1);
    CHECK(
        r.report.warnings.front() ==
        "'b1' and 'b2' are stuck and hold the same motion: they share its load, each in proportion "
        "to what it can hold (first at t = 0.125 s)");
  }
}

TEST_CASE("equal frictions that are stuck from the start bear equal parts, of least norm") {
  const ModelRun r = sharedRun(twoBearings(0, 2, 2, "3*sin(time)"));
  for (double t : {0.0, 0.5, 1.0, 3.0, 5.0}) {
    CHECK(std::abs(r.at(t, "b1.tau") - 1.5 * std::sin(t)) < kStuckFrictionsShare * 3);
    CHECK(std::abs(r.at(t, "b2.tau") - 1.5 * std::sin(t)) < kStuckFrictionsShare * 3);
  }
  CHECK(std::abs(r.at(5, "J.phi")) < 5 * kCreepSpeed);
  REQUIRE(r.report.warnings.size() == 1);
  CHECK(r.report.warnings.front().ends_with("(first at t = 0 s)"));
}

TEST_CASE("where a brake lets go, what is stuck besides it takes all of the load") {
  const ModelRun r = sharedRun(
      "world: {gravityType: NoGravity}\n"
      "components:\n"
      "  j: {type: Revolute, useAxisFlange: true, phi: {fixed: true}, w: {fixed: true}, friction: "
      "{torque: 2}}\n"
      "  b: {type: Body, m: 1, r_CM: [0.3, 0, 0], I_33: 0.1}\n"
      "  brake: {type: Rotational.Brake, mu_pos: [[0, 1]], fn_max: 3, f_normalized: 'if time < 2.1 "
      "then 2 else 0'}\n"
      "  t: {type: Rotational.Torque, tau: 1.6}\n"
      "connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a], [j.axis, brake.flange_a], "
      "[t.flange, j.axis]]\n"
      "outputs: [j.w, j.friction.tau, brake.tau]\n");
  CHECK(std::abs(r.at(1, "j.friction.tau") - 0.4) < kStuckFrictionsShare * 6);
  CHECK(std::abs(r.at(1, "brake.tau") - 1.2) < kStuckFrictionsShare * 6);
  CHECK(std::abs(r.at(4, "j.friction.tau") - 1.6) < kStuckFrictionsShare * 6);
  CHECK(r.at(4, "brake.tau") == doctest::Approx(0));
  CHECK(std::abs(r.at(5, "j.w")) < 2 * kCreepSpeed);
}

TEST_CASE("gears pass the load on: each friction bears its part at its own speed") {
  // Both in proportion to the limit, the second one's torque counts threefold.
  const ModelRun r = sharedRun(
      "components:\n"
      "  J: {type: Rotational.Inertia, J: 0.5, phi: {fixed: true}, w: {fixed: true}}\n"
      "  g: {type: Rotational.IdealGear, ratio: -3}\n"
      "  b1: {type: Rotational.BearingFriction, tau_pos: [[0, 2]]}\n"
      "  b2: {type: Rotational.BearingFriction, tau_pos: [[0, 6]]}\n"
      "  t: {type: Rotational.Torque, tau: time}\n"
      "connections: [[t.flange, J.flange_a], [J.flange_a, b1.flange_a], [J.flange_b, g.flange_a], "
      "[g.flange_b, b2.flange_a]]\n"
      "outputs: [J.w, b1.tau, b2.tau, b1.locked]\n");
  // T = tau1 - tau2/3 and tau2/6 = -(tau1/2)/3: tau1 = T/(1 + 1/3).
  CHECK(std::abs(r.at(2, "b1.tau") - 1.5) < kStuckFrictionsShare * 6);
  CHECK(std::abs(r.at(2, "b2.tau") + 1.5) < kStuckFrictionsShare * 6);
  // The first one slips at its limit in earnest only when the second one has reached its own, at 4.
  CHECK(std::abs(r.at(3.5, "J.w")) < 1e-7);
  CHECK(r.at(4.25, "J.w") > 1e-3);
}

TEST_CASE("two gears with losses in a row stop, hold, and turn back, each by its table") {
  // Losses on the side of flange_a by the torque there and the sense: MSL 4.0 Rotational.LossyGear.
  struct Gear {
    double ratio, eta1, eta2, bearing;
    double loss(double tau, double sense) const {
      const bool aDrives = sense * tau > 0;  // bearing friction is the same whichever drives
      return (aDrives ? 1 - eta1 : 1 - 1 / eta2) * tau + sense * bearing;
    }
  };
  for (const auto& [first, second, damping] :
       {std::tuple{Gear{3, 0.9, 0.8, 0.1}, Gear{-2, 0.7, 0.6, 0.05}, 1.0},
        std::tuple{Gear{3, 0.9, 0.8, 0}, Gear{2, 0.7, 0.6, 0}, 1.0},
        std::tuple{Gear{0.5, 0.95, 0.5, 0.2}, Gear{-4, 0.8, 0.9, 0}, 3.0}}) {
    CAPTURE(first.ratio);
    const auto gear = [](const char* name, const Gear& g) {
      return fmt::format(
          "  {}: {{type: Rotational.LossyGear, ratio: {}, lossTable: [[0, {}, {}, {}, {}]]}}\n",
          name, g.ratio, g.eta1, g.eta2, g.bearing, g.bearing);
    };
    const ModelRun r = runModel(fmt::format(
        "components:\n"
        "  J1: {{type: Rotational.Inertia, J: 1, phi: {{fixed: true}}, w: {{fixed: true}}}}\n"
        "  J2: {{type: Rotational.Inertia, J: 0.5}}\n"
        "  J3: {{type: Rotational.Inertia, J: 20}}\n{}{}"
        "  d: {{type: Rotational.Damper, d: {}}}\n"
        "  fix: {{type: Rotational.Fixed}}\n"
        "  m: {{type: Rotational.Torque, tau: '5*sin(2*time)'}}\n"
        "connections: [[m.flange, J1.flange_a], [J1.flange_b, g1.flange_a], [g1.flange_b, "
        "J2.flange_a], [J2.flange_b, g2.flange_a], [g2.flange_b, J3.flange_a], [J3.flange_b, "
        "d.flange_a], [d.flange_b, fix.flange]]\n"
        "outputs: [J1.w, J1.a, J2.w, J2.a, J3.w, J3.a, g1.tauLoss, g2.tauLoss, g1.mode, g2.mode]\n"
        "simulation: {{stop: 10, interval: 0.01, tolerance: 1e-8}}\n",
        gear("g1", first), gear("g2", second), damping));
    int moved = 0, turned = 0;
    double before = 1;
    for (size_t i = 0; i < r.rows.time().size(); ++i) {
      const double w = r["J1.w"][i], sense = w > 0 ? 1 : -1;
      if (std::abs(w) < 1e-3) continue;
      ++moved;
      turned += sense != before ? 1 : 0;
      before = sense;
      // Torques at each gear's flange_a, from the inertias before and behind.
      const double tau1 = 5 * std::sin(2 * r.rows.time()[i]) - r["J1.a"][i];
      const double tau2 = first.ratio * (tau1 - r["g1.tauLoss"][i]) - 0.5 * r["J2.a"][i];
      const double tau3 = second.ratio * (tau2 - r["g2.tauLoss"][i]);
      const double sense2 = sense * (first.ratio > 0 ? 1 : -1);
      CHECK(std::abs(tau3 - 20 * r["J3.a"][i] - damping * r["J3.w"][i]) < 1e-6);
      CHECK(std::abs(r["g1.tauLoss"][i] - first.loss(tau1, sense)) < 1e-6);
      CHECK(std::abs(r["g2.tauLoss"][i] - second.loss(tau2, sense2)) < 1e-6);
    }
    CHECK(moved > 500);
    CHECK(turned >= 5);
  }
}

TEST_CASE("freewheels side by side share what they hold back, alike by their strength") {
  const ModelRun r = sharedRun(
      "components:\n"
      "  I1: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {start: 2, fixed: true}}\n"
      "  I2: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {start: 2, fixed: true}}\n"
      "  a: {type: Rotational.OneWayClutch, fn_max: 5, f_normalized: 1}\n"
      "  b: {type: Rotational.OneWayClutch, fn_max: 15, f_normalized: 1}\n"
      "  t: {type: Rotational.Torque, tau: 'sin(3*time)'}\n"
      "connections: [[I1.flange_b, a.flange_a], [a.flange_b, I2.flange_a], [I1.flange_b, "
      "b.flange_a], "
      "[b.flange_b, I2.flange_a], [t.flange, I1.flange_a]]\n"
      "outputs: [I1.w, I2.w, a.tau, b.tau]\n");
  for (double t : {0.25, 1.0, 3.25, 5.0}) {
    CHECK(std::abs(r.at(t, "I1.w") - (2 + (1 - std::cos(3 * t)) / 6)) < 1e-7);
    CHECK(std::abs(r.at(t, "a.tau") + 0.125 * std::sin(3 * t)) < 1e-5);
    CHECK(std::abs(r.at(t, "b.tau") + 0.375 * std::sin(3 * t)) < 1e-5);
  }
}

TEST_CASE("across teeth that hold it a freewheel bears nothing, in no row") {
  // Two gears whose ratios cancel let neither of its flanges turn against the other.
  for (const char* integrator : {"ida", "explicit"}) {
    CAPTURE(integrator);
    const ModelRun r = sharedRun(
        "components:\n"
        "  I1: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {fixed: true}}\n"
        "  I2: {type: Rotational.Inertia, J: 0.1}\n"
        "  I3: {type: Rotational.Inertia, J: 2}\n"
        "  g1: {type: Rotational.IdealGear, ratio: 2}\n"
        "  g2: {type: Rotational.IdealGear, ratio: 0.5}\n"
        "  a: {type: Rotational.OneWayClutch, fn_max: 5, f_normalized: 1}\n"
        "  t: {type: Rotational.Torque, tau: '20*sin(3*time)'}\n"
        "connections: [[t.flange, I1.flange_a], [I1.flange_b, g1.flange_a], [g1.flange_b, "
        "I2.flange_a], [I2.flange_b, g2.flange_a], [g2.flange_b, I3.flange_a], [I1.flange_b, "
        "a.flange_a], [a.flange_b, I3.flange_a]]\n"
        "outputs: [I1.w, I3.w, a.tau]\n",
        integrator);
    const double J = 1 + 0.1 / 4 + 2;
    for (size_t i = 0; i < r.rows.time().size(); ++i) {
      const double t = r.rows.time()[i];
      CHECK(std::abs(r["a.tau"][i]) < 20 * kStuckFrictionsShare);
      CHECK(std::abs(r["I3.w"][i] - 20.0 / 3 * (1 - std::cos(3 * t)) / J) < 1e-5);
    }
  }
}

TEST_CASE(
    "a gear with losses and bearings that stop and go by turns: no step is searched for ever") {
  // The equations of what shares a load have two solutions here, of which one is far from all modes.
  const ModelRun r = runModel(R"yaml(
components:
  I0: {type: Rotational.Inertia, J: 0.05, phi: {start: -0.076, fixed: true}, w: {start: -0.543, fixed: true}}
  I1: {type: Rotational.Inertia, J: 0.727, phi: {start: 0.146, fixed: true}, w: {start: -1.935, fixed: true}}
  I2: {type: Rotational.Inertia, J: 0.388, phi: {start: -0.058, fixed: true}, w: {start: -2.395, fixed: true}}
  e0: {type: Rotational.LossyGear, ratio: -1.5, lossTable: [[0, 0.805, 0.885, 0.034, 0.013], [20, 0.9, 0.8, 0.1, 0.1]], useHeatPort: true}
  se0: {type: Rotational.SpringDamper, c: 32.413, d: 0.1, useHeatPort: true}
  me0: {type: Rotational.Inertia, J: 0.05}
  e1: {type: Rotational.SpringDamper, c: 65.202, d: 0.366, useHeatPort: true}
  f0: {type: Rotational.BearingFriction, tau_pos: [[0, 0.556], [5, 1.057]], useHeatPort: true}
  t1: {type: Rotational.Torque, tau: 0.36*sin(0.708*time)}
  f2: {type: Rotational.BearingFriction, tau_pos: [[0, 0.658], [5, 1.415]], useHeatPort: true}
  cap: {type: Thermal.HeatCapacitor, C: 10, T: {start: 300, fixed: true}}
connections:
  - [I0.flange_b, e0.flange_a]
  - [e0.flange_b, me0.flange_a]
  - [me0.flange_b, se0.flange_a]
  - [se0.flange_b, I1.flange_a]
  - [I1.flange_b, e1.flange_a]
  - [e1.flange_b, I2.flange_a]
  - [I0.flange_a, f0.flange_a]
  - [t1.flange, I1.flange_a]
  - [I2.flange_a, f2.flange_a]
  - [e0.heatPort, cap.port]
  - [se0.heatPort, cap.port]
  - [e1.heatPort, cap.port]
  - [f0.heatPort, cap.port]
  - [f2.heatPort, cap.port]
variables:
  work: {start: 0, fixed: true}
  energy: 0.025*I0.w^2 + 0.727/2*I1.w^2 + 0.194*I2.w^2 + 32.413/2*se0.phi_rel^2 + 0.025*me0.w^2 + 32.601*e1.phi_rel^2
  balance: energy + 10*(cap.T - 300) - work
equations: ["der(work) = t1.tau*I1.w"]
simulation: {stop: 2, interval: 0.02, tolerance: 1e-9}
outputs: [balance]
)yaml");
  CHECK(r.report.stopTime == 2);
  // 1e-9 of some 4 J over a hundred events, and 1e-9 of 300 K times 10 J/K.
  for (const double b : r["balance"]) CHECK(std::abs(b - r.first("balance")) < 3e-6);
}

TEST_CASE("two wheels that stick on a turning axle share what holds it on its circle") {
  // Their axle's direction turns, so that what each rolls by must not count as what both share: F = m v w, each by
  // its normal force, of which F R and the wheels' spin move a part from one to the other.
  const double v = 1, H = 0.3, R = 0.1, m = 3, J = 0.002, g = 9.81;
  for (const double w : {1.0, 3.0}) {
    for (const char* integrator : {"ida", "explicit", "automatic"}) {
      CAPTURE(w);
      CAPTURE(integrator);
      const ModelRun r = runModel(fmt::format(
          R"yaml(
world: {{g: 9.81, n: [0, -1, 0]}}
parameters: {{H: 0.3, w: {}}}
components:
  b: {{type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.05, I_22: 0.05, I_33: 0.05, r_0: {{start: [0, 0.1, 0], fixed: true}}, v_0: {{start: [1, 0, 0], fixed: true}}, angles_fixed: true, w_0_fixed: true, w_0_start: [0, w, 0]}}
  l: {{type: FixedTranslation, r: [0, 0, H]}}
  r: {{type: FixedTranslation, r: [0, 0, "-H"]}}
  jl: {{type: Revolute, n: [0, 0, 1], phi: {{fixed: true}}, w: {{start: "-(1 + w*H)/0.1", fixed: true}}}}
  jr: {{type: Revolute, n: [0, 0, 1], phi: {{fixed: true}}, w: {{start: "-(1 - w*H)/0.1", fixed: true}}}}
  ml: {{type: Body, m: 0.5, r_CM: [0, 0, 0], I_11: 0.001, I_22: 0.001, I_33: 0.002}}
  mr: {{type: Body, m: 0.5, r_CM: [0, 0, 0], I_11: 0.001, I_22: 0.001, I_33: 0.002}}
  left: {{type: Contact.TorusPlane, radius: 0.1, tubeRadius: 0.02, axis: [0, 0, 1], n: [0, 1, 0], rigid: true, restitution: 0, mu: 0.8, stick: true}}
  right: {{type: Contact.TorusPlane, radius: 0.1, tubeRadius: 0.02, axis: [0, 0, 1], n: [0, 1, 0], rigid: true, restitution: 0, mu: 0.8, stick: true}}
connections:
  - [b.frame_a, l.frame_a]
  - [b.frame_a, r.frame_a]
  - [l.frame_b, jl.frame_a]
  - [r.frame_b, jr.frame_a]
  - [jl.frame_b, ml.frame_a]
  - [jr.frame_b, mr.frame_a]
  - [jl.frame_b, left.frame_b]
  - [jr.frame_b, right.frame_b]
  - [world.frame_b, left.frame_a]
  - [world.frame_b, right.frame_a]
simulation: {{stop: 5, interval: 0.05, integrator: {}}}
outputs: [totalEnergy, left.f_n, right.f_n, left.f_friction, right.f_friction, left.v_slip, right.v_slip]
)yaml",
          w, integrator));
      const double F = m * v * w, moved = (F * R + 2 * v / R * J * w) / H, weight = m * g;
      for (size_t i = 0; i < r.rows.time().size(); ++i) {
        const double left = r["left.f_n"][i], right = r["right.f_n"][i];
        CHECK(left + right == doctest::Approx(weight).epsilon(1e-6));
        CHECK(left - right == doctest::Approx(moved).epsilon(1e-5));
        CHECK(r["left.f_friction"][i] == doctest::Approx(F * left / weight).epsilon(1e-4));
        CHECK(r["right.f_friction"][i] == doctest::Approx(F * right / weight).epsilon(1e-4));
        CHECK(r["left.v_slip"][i] < 1e-6);
        CHECK(r["right.v_slip"][i] < 1e-6);
      }
      CHECK(r.last("totalEnergy") == doctest::Approx(r["totalEnergy"].front()).epsilon(1e-5));
      CHECK(r.report.contactViolations == 0);
    }
  }
}

TEST_CASE(
    "frictions that share a load: the explicit method steps, and meets conditions, as far as the "
    "motion lets it") {
  // How they share it is found worse than the motion, which does not hang on it: once both stick, a body flies.
  const std::string model = R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  p: {type: Planar, n: [0,0,1], s_x: {fixed: true}, v_x: {start: 0.753, fixed: true}, s_y: {start: 0.775, fixed: true}, v_y: {fixed: true}, phi: {start: 0.430, fixed: true}, w: {start: 2.682, fixed: true}}
  b: {type: Body, m: 0.5, r_CM: [0,0,0]}
  j1: {type: Revolute, n: [0,0,1], phi: {start: 1.0035, fixed: true}, w: {start: -0.8675, fixed: true}, friction: {torque: 0.164}}
  k1: {type: BodyCylinder, r: [0.3,0,0], diameter: 0.03, density: 2366}
  j2: {type: Revolute, n: [0,0,1], phi: {start: -1.0035}, friction: {mu: 0.3, radius: 0.02}}
  k2: {type: BodyCylinder, r: [0.45,0,0], diameter: 0.03, density: 2037}
  at: {type: FixedTranslation, r: [0.4,0,0]}
  j4: {type: Revolute, n: [0,0,1], phi: {start: 1.0035}}
  k3: {type: BodyCylinder, r: [0.28,0,0], diameter: 0.03, density: 6835}
  j3: {type: Revolute, n: [0,0,1]}
connections:
  - [world.frame_b, p.frame_a]
  - [p.frame_b, b.frame_a]
  - [b.frame_a, j1.frame_a]
  - [j1.frame_b, k1.frame_a]
  - [k1.frame_b, j2.frame_a]
  - [j2.frame_b, k2.frame_a]
  - [b.frame_a, at.frame_a]
  - [at.frame_b, j4.frame_a]
  - [j4.frame_b, k3.frame_a]
  - [k3.frame_b, j3.frame_a]
  - [k2.frame_b, j3.frame_b]
variables: {n: {start: 0}}
when: [{condition: "sin(80*p.prismatic_y.s) > 0", set: {n: pre(n) + 1}}]
outputs: [totalEnergy, n]
)yaml";
  const auto run = [&](const char* integrator) {
    return runModel(model +
                    "simulation: {stop: 1.2, interval: 0.01, tolerance: 1e-8, integrator: " +
                    integrator + "}\n");
  };
  const ModelRun r = run("explicit");
  CHECK(r.last("n") == run("ida").last("n"));
  for (size_t i = 0; i < r.rows.time().size(); ++i) {
    if (r.rows.time()[i] > 0.2)
      CHECK(std::abs(r["totalEnergy"][i] - r.last("totalEnergy")) < 1e-8 * r.last("totalEnergy"));
  }
}
