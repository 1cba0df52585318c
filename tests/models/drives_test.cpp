// Drives, friction and control against closed forms, through the whole chain from YAML to rows.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {

/// A mass on a belt of speed 1, held by a spring: friction 1.5 to break loose, 1 while it slides.
std::string belt(double tolerance) {
  return fmt::format(R"(
components:
  belt: {{type: Rotational.ConstantSpeed, w_fixed: 1}}
  friction: {{type: Rotational.BearingFriction, useSupport: true, tau_pos: [[0, 1]], peak: 1.5}}
  mass: {{type: Rotational.Inertia, J: 1, phi: {{start: 0, fixed: true}}, w: {{start: 1, fixed: true}}}}
  spring: {{type: Rotational.Spring, c: 4}}
  wall: {{type: Rotational.Fixed}}
connections:
  - [belt.flange, friction.support]
  - [mass.flange_a, friction.flange_a]
  - [wall.flange, spring.flange_a]
  - [spring.flange_b, mass.flange_b]
simulation: {{stop: 20, interval: 0.5, tolerance: {}}}
outputs: [mass.phi, mass.w, friction.mode]
)",
                     tolerance);
}

struct StickSlip {
  double breakLoose, slide, stick;  // first break, time of sliding, time of sticking

  static StickSlip closedForm() {
    const double J = 1, c = 4, kinetic = 1, peak = 1.5, speed = 1, omega = std::sqrt(c / J);
    const double amplitude = (peak - 1) * kinetic / c;
    StickSlip s;
    s.breakLoose = peak * kinetic / c / speed;
    // phi = kinetic/c + amplitude cos + speed/omega sin until phi' = speed again, where
    // phi = kinetic/c - amplitude.
    s.slide = (2 * std::numbers::pi - 2 * std::atan(amplitude * omega / speed)) / omega;
    s.stick = 2 * amplitude / speed;
    return s;
  }
  std::vector<double> events(double stop) const {
    std::vector<double> times;
    for (double t = breakLoose; t < stop; t += stick) {
      times.push_back(t);
      t += slide;
      if (t < stop) times.push_back(t);
    }
    return times;
  }
};

/// Largest error of an event time.
double worstEvent(double tolerance) {
  const ModelRun r = runModel(belt(tolerance));
  const std::vector<double> wanted = StickSlip::closedForm().events(20);
  const std::vector<double> found = r.eventTimes();
  double worst = 0;
  for (double w : wanted) {
    double nearest = 1e300;
    for (double f : found) nearest = std::min(nearest, std::abs(f - w));
    worst = std::max(worst, nearest);
  }
  return worst;
}

}  // namespace

TEST_CASE("stick-slip: break and stick times on a belt are the analytic ones to 1e-7") {
  REQUIRE(StickSlip::closedForm().events(20).size() >= 10);
  CHECK(worstEvent(1e-10) < 1e-7);
}

TEST_CASE("stick-slip: the error of the events falls with the tolerance") {
  const double coarse = worstEvent(1e-5), fine = worstEvent(1e-8);
  CHECK(coarse < 1e-2);
  CHECK(fine < 1e-2 * coarse);  // BDF: some power near 5/6 of the 1e-3
}

TEST_CASE("PID: a pendulum is held where it shall stand, by the torque of its weight") {
  const ModelRun r = runModel(R"(
components:
  joint: {type: Revolute, useAxisFlange: true, phi: {fixed: true}, w: {fixed: true}}
  arm: {type: Body, m: 2, r_CM: [0.5, 0, 0], I_33: 0.1}
  control: {type: Blocks.PID, k: 200, Ti: 0.5, Td: 0.15, u: "0.5 - joint.phi"}
  motor: {type: Rotational.Torque, tau: control.y}
connections:
  - [world.frame_b, joint.frame_a]
  - [joint.frame_b, arm.frame_a]
  - [motor.flange, joint.axis]
simulation: {stop: 20, interval: 1, tolerance: 1e-8}
outputs: [joint.phi, motor.tau, control.y]
)");
  CHECK(r.rows["joint.phi"].back() == doctest::Approx(0.5).epsilon(1e-7));
  CHECK(r.rows["motor.tau"].back() ==
        doctest::Approx(2 * 9.80665 * 0.5 * std::cos(0.5)).epsilon(1e-6));
  CHECK(r.rows["motor.tau"].back() == r.rows["control.y"].back());
}

TEST_CASE("cart: a constant force from a step gives s = F (t - t0)^2/2m") {
  const ModelRun r = runModel(R"(
components:
  rail: {type: Prismatic, n: [1, 0, 0], useAxisFlange: true, s: {fixed: true}, v: {fixed: true}}
  cart: {type: Body, m: 4}
  push: {type: Blocks.Step, height: 3, startTime: 0.7}
  motor: {type: Translational.Force}
connections:
  - [world.frame_b, rail.frame_a]
  - [rail.frame_b, cart.frame_a]
  - [motor.flange, rail.axis]
  - [push.y, motor.f]
simulation: {stop: 2, interval: 0.1, tolerance: 1e-8}
outputs: [rail.s]
)");
  for (size_t i = 0; i < r.rows.time().size(); ++i) {
    const double t = std::max(0.0, r.rows.time()[i] - 0.7);
    CHECK(r.rows["rail.s"][i] == doctest::Approx(3.0 / 8 * t * t).epsilon(1e-7));
  }
}

TEST_CASE("friction: a shaft and the clutch on it lock and break loose at the analytic times") {
  // The drive rises as t up to 4 and then is 1.5. The bearing holds 2, the clutch carries at most
  // 0.9 and turns an inertia of 3 of its own: shaft J = 1.
  const ModelRun r = runModel(R"(
components:
  drive: {type: Rotational.Torque, tau: "if time < 4 then time else 1.5"}
  shaft: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {fixed: true}}
  bearing: {type: Rotational.BearingFriction, tau_pos: [[0, 2]]}
  clutch: {type: Rotational.Clutch, mu_pos: [[0, 0.9]], f_normalized: 1}
  wheel: {type: Rotational.Inertia, J: 3, phi: {fixed: true}, w: {fixed: true}}
connections:
  - [drive.flange, shaft.flange_a]
  - [shaft.flange_b, bearing.flange_a]
  - [bearing.flange_b, clutch.flange_a]
  - [clutch.flange_b, wheel.flange_a]
simulation: {stop: 12, interval: 0.5, tolerance: 1e-10}
outputs: [shaft.w, wheel.w, bearing.mode, clutch.mode]
)");
  // Together from t = 2: w = (t - 2)^2/8; the clutch carries 3 (t - 2)/4 = 0.9 at t = 3.2. Then the
  // shaft runs ahead: w' = t - 2.9, the wheel w' = 0.3.
  const auto& t = r.rows.time();
  const std::vector<double> events = r.eventTimes();
  auto has = [&](double wanted) {
    double nearest = 1e300;
    for (double e : events) nearest = std::min(nearest, std::abs(e - wanted));
    return nearest;
  };
  CHECK(has(2) < 1e-7);
  CHECK(has(3.2) < 1e-7);
  // At 4 the shaft is 0.56 - 0.24 ahead; then it slows down by 1.4, the wheel still gains 0.3.
  const double lock = 4 + 0.32 / 1.7;
  CHECK(has(lock) < 1e-7);
  // Locked again, both slow down by (2 - 1.5)/4 until they stand.
  const double w1 = 0.18 + 0.3 * (lock - 3.2);
  CHECK(has(lock + w1 / 0.125) < 1e-6);
  CHECK(std::abs(r.rows["shaft.w"].back()) < 1e-7);
  CHECK(std::abs(r.rows["wheel.w"].back()) < 1e-7);
  CHECK(t.back() == 12);
}

TEST_CASE("friction: clutches in series lock one after the other, and carry what is behind them") {
  // 10 rad/s on one side; the clutches carry 2 and 1.2: first 10 - 2 t = 1.6 t, then 0.8 and 0.6 in 1.4.
  const ModelRun r = runModel(R"(
components:
  motor: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {start: 10, fixed: true}}
  first: {type: Rotational.Clutch, mu_pos: [[0, 2]], f_normalized: 1}
  middle: {type: Rotational.Inertia, J: 0.5, phi: {fixed: true}, w: {fixed: true}}
  second: {type: Rotational.Clutch, mu_pos: [[0, 1.2]], f_normalized: 1}
  load: {type: Rotational.Inertia, J: 2, phi: {fixed: true}, w: {fixed: true}}
connections:
  - [motor.flange_b, first.flange_a]
  - [first.flange_b, middle.flange_a]
  - [middle.flange_b, second.flange_a]
  - [second.flange_b, load.flange_a]
simulation: {stop: 6, interval: 0.5, tolerance: 1e-10}
outputs: [motor.w, middle.w, load.w, first.mode, second.mode, first.tau]
)");
  const double once = 10 / 3.6, twice = once + once / 1.4;
  const std::vector<double> events = r.eventTimes();
  // The second one slips at once: what rests on both sides of it is driven.
  REQUIRE(events.size() == 3);
  CHECK(events[0] < 1e-7);
  CHECK(std::abs(events[1] - once) < 1e-7);
  CHECK(std::abs(events[2] - twice) < 1e-7);
  for (size_t i = 0; i < r.rows.time().size(); ++i) {
    const double t = r.rows.time()[i];
    const double w = t < once ? 10 - 2 * t : t < twice ? 1.6 * once - 0.8 * (t - once) : 10 / 3.5;
    CHECK(std::abs(r["motor.w"][i] - w) < 1e-7);
    CHECK(std::abs(r["load.w"][i] - std::min(0.6 * t, 10 / 3.5)) < 1e-7);
    // Between both instants the first one brings the motor down with the middle.
    if (t > once + 0.1 && t < twice - 0.1)
      CHECK(std::abs(r["first.tau"][i]) == doctest::Approx(0.8).epsilon(1e-7));
  }
}

TEST_CASE(
    "Drives: a bevel gear on a resting housing moves what hangs on its flanges, inertias or none") {
  // Without effects on the housing it is an ideal gear between the same parts.
  const char* spring = R"(
  J1: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {start: 4, fixed: true}}
  s:  {type: Rotational.Spring, c: 20}
  d:  {type: Rotational.Damper, d: 2}
  g:  {type: Rotational.Fixed}
connections:
  - [J1.flange_b, s.flange_a]
  - [s.flange_b, bv.flange_a]
  - [g.flange, d.flange_a]
  - [d.flange_b, J2.flange_b])";
  const char* torque = R"(
  T:  {type: Rotational.ConstantTorque, tau_constant: 1}
connections:
  - [T.flange, bv.flange_a])";
  for (const char* drive : {spring, torque}) {
    const auto run = [&](const char* effects) {
      return test::runModel(std::string("world: {gravityType: NoGravity, driveTrainMechanics3D: ") +
                            effects + R"(}
components:
  fixed: {type: Fixed}
  bv: {type: BevelGear1D, ratio: 2}
  J2: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {fixed: true}})" +
                            drive + R"(
  - [fixed.frame_b, bv.frame_a]
  - [bv.flange_b, J2.flange_a]
simulation: {stop: 1, interval: 0.1}
outputs: [J2.phi, J2.w, J2.a, bv.flange_a.tau]
)");
    };
    const test::ModelRun with = run("true"), without = run("false");
    for (const char* name : {"J2.phi", "J2.w", "J2.a", "bv.flange_a.tau"}) {
      CAPTURE(name);
      for (const double t : {0.0, 0.3, 1.0}) {
        CAPTURE(t);
        CHECK(with.at(t, name) == doctest::Approx(without.at(t, name)).epsilon(1e-5));
      }
    }
    CHECK(std::abs(with.last("J2.w")) > 0.1);
  }
}

TEST_CASE("Drives: a torque against the motion by exp is the same far from rest") {
  for (const char* method : {"ida", "explicit"}) {
    CAPTURE(method);
    const test::ModelRun run = test::runModel(std::string(R"(
components:
  J: {type: Rotational.Inertia, phi: {fixed: true}, w: {start: -500, fixed: true}}
  t: {type: Rotational.SignTorque, tau_nominal: -3}
connections: [[J.flange_b, t.flange]]
simulation: {stop: 1, interval: 0.5, integrator: )") +
                                              method + "}\noutputs: [J.w, t.tau]\n");
    CHECK(run.last("J.w") == doctest::Approx(-497));
    CHECK(run.last("t.tau") == doctest::Approx(3));
  }
}
