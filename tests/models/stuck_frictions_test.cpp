// Frictions that are stuck on one motion share its load, by a split that is unique and said.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
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
