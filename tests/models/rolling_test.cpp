// Wheels that roll without slip, against closed forms of classical mechanics.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/models/energy.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kRollingTolerance = 1e-10;
constexpr double kGravity = 9.81;

Trajectory run(const std::string& components, const std::string& connections, double stop,
               double interval, const std::vector<std::string>& outputs) {
  const std::string text = "world: {n: [0, 0, -1], g: 9.81}\ncomponents:\n" + components +
                           "connections: [" + connections + "]\n";
  return test::runModel(text, {.stopTime = stop,
                               .outputInterval = interval,
                               .tolerance = kRollingTolerance,
                               .outputs = outputs})
      .rows;
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (double e : x) most = std::max(most, std::abs(e));
  return most;
}

}  // namespace

TEST_CASE("RollingWheel: a leaning wheel keeps its energy, its contact and the contact's rest") {
  const Trajectory t = run(
      "  wheel: {type: RollingWheel, radius: 0.3, m: 2, I_axis: 0.06, I_long: 0.12,\n"
      "    angles: {start: [0.2, 0.1, 0.3]}, der_angles: {start: [1, 5, 1]}}\n",
      "", 5, 0.01,
      {"totalEnergy", "kineticEnergy", "wheel.rollingWheel.vContact_0", "wheel.rollingWheel.err"});
  // Energy drifts with the global error, some 100 rtol; rows are projected on the constraints.
  CHECK(test::energyDrift(t) < 1000 * kRollingTolerance);
  for (const char* i : {"[1]", "[2]", "[3]"}) {
    CHECK(largest(t[std::string("wheel.rollingWheel.vContact_0") + i]) < 1e-11);
  }
  CHECK(largest(t["wheel.rollingWheel.err"]) < 1e-12);
}

TEST_CASE("RollingWheel: a thin disk in steady precession rolls on the circle of the closed form") {
  // Euler's equations of a disk whose centre goes round at the rate W on a circle of radius R, with
  // its plane leaning by alpha from upright, C and A the inertias along and across the axis:
  //   W^2 (R (C/a + m a) cos(alpha) + A sin(alpha) cos(alpha)) = m g a sin(alpha)
  // No slip: spin about the axis relative to the precession s = -W (R/a + sin(alpha)).
  const double m = 1.5, a = 0.4, C = m * a * a / 2, A = m * a * a / 4;
  const double W = 1.7, alpha = 0.35;
  const double ca = std::cos(alpha), sa = std::sin(alpha);
  const double R = (m * kGravity * a * sa / (W * W) - A * sa * ca) / (ca * (C / a + m * a));
  const double spin = -W * (R / a + sa);
  const Trajectory t =
      run(fmt::format("  wheel: {{type: RollingWheel, radius: {}, m: {}, I_axis: {}, I_long: {},\n"
                      "    y: {{start: {}}}, angles: {{start: [0, 0, {}]}},\n"
                      "    der_angles: {{start: [{}, {}, 0]}}}}\n",
                      a, m, C, A, R, alpha, W + spin * sa, spin * ca),
          "", 8, 0.05,
          {"wheel.x", "wheel.y", "wheel.rollingWheel.z", "wheel.rollingWheel.f_n",
           "wheel.rollingWheel.f_lat", "wheel.rollingWheel.f_long"});
  REQUIRE(R > 0.5);
  REQUIRE(t.time().size() == 161);
  const double tolerance = 1000 * kRollingTolerance;
  for (size_t k = 0; k < t.time().size(); ++k) {
    const double phase = W * t.time()[k];
    // Place and phase on the circle are neutral: errors there add up over the way, 14 rad in all.
    const double place = 2 * (1 + phase) * tolerance;
    CHECK(std::abs(t["wheel.x"][k] + R * std::sin(phase)) < place);
    CHECK(std::abs(t["wheel.y"][k] - R * std::cos(phase)) < place);
    CHECK(std::abs(t["wheel.rollingWheel.z"][k] - a * ca) < tolerance);
    CHECK(std::abs(t["wheel.rollingWheel.f_n"][k] - m * kGravity) < 100 * tolerance);
    CHECK(std::abs(t["wheel.rollingWheel.f_lat"][k] + m * W * W * R) < 100 * tolerance);
    CHECK(std::abs(t["wheel.rollingWheel.f_long"][k]) < 100 * tolerance);
  }
}

TEST_CASE("RollingWheel: rolling straight on, its angle counts every turn, however few the rows") {
  for (double interval : {0.01, 2.0}) {
    const Trajectory t =
        run("  wheel: {type: RollingWheel, radius: 0.3, m: 2, I_axis: 0.06, I_long: 0.12,\n"
            "    der_angles: {start: [0, 7, 0]}}\n",
            "", 4, interval, {"wheel.x", "wheel.angles", "wheel.der_angles"});
    for (size_t k = 0; k < t.time().size(); ++k) {
      const double phi = 7 * t.time()[k];
      CHECK(std::abs(t["wheel.angles[2]"][k] - phi) < 1e-8);
      CHECK(std::abs(t["wheel.der_angles[2]"][k] - 7) < 1e-8);
      CHECK(std::abs(t["wheel.x"][k] - 0.3 * phi) < 1e-8);
      CHECK(std::abs(t["wheel.angles[1]"][k]) < 1e-8);
    }
  }
}

TEST_CASE("RollingWheel: its parts are those of the joint on a body") {
  const std::string start =
      "angles: {start: [0.5, 0.2, 0.3], fixed: true}, der_angles: {start: [1, 5, 1], fixed: true}";
  const Trajectory part = run(
      "  w: {type: RollingWheel, radius: 0.3, m: 2, I_axis: 0.06, I_long: 0.12, " + start + "}\n",
      "", 2, 0.1, {"w.angles", "w.x"});
  const Trajectory joint = run(
      "  w: {type: Joints.RollingWheel, radius: 0.3, x: {fixed: true}, y: {fixed: true}, " + start +
          "}\n  b: {type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.12, I_22: 0.06, I_33: 0.12}\n",
      "[b.frame_a, w.frame_a]", 2, 0.1, {"w.angles", "w.x"});
  for (const char* name : {"w.x", "w.angles[1]", "w.angles[2]", "w.angles[3]"}) {
    for (size_t k = 0; k < part.time().size(); ++k) {
      CHECK(std::abs(part[name][k] - joint[name][k]) < 1000 * kRollingTolerance);
    }
  }
}

TEST_CASE("RollingWheel: a wheel that falls over ends the run before it lies") {
  Simulation s = Simulation::fromText(
      catalogue(),
      "world: {n: [0, 0, -1]}\n"
      "components:\n"
      "  wheel: {type: RollingWheel, radius: 0.3, m: 2, I_axis: 0.06, I_long: 0.12,\n"
      "    angles: {start: [0, 0, 0.1]}}\n",
      "falling.yaml");
  Trajectory t;
  RunOptions options;
  options.stopTime = 20;
  options.outputs = {"wheel.rollingWheel.e_axis_0[3]"};
  const RunReport report = s.run(t, options);
  CHECK(report.terminated.find("lies nearly on the ground") != std::string::npos);
  CHECK(t["wheel.rollingWheel.e_axis_0[3]"].back() == doctest::Approx(0.99).epsilon(1e-6));
}

TEST_CASE("RollingWheelSet: torques drive it straight on and turn it as the closed forms say") {
  const double m = 0.5, I_axis = 0.01, I_long = 0.02, R = 0.1, track = 0.5, tau = 0.3;
  for (double sense : {1.0, -1.0}) {  // of the second torque
    const Trajectory t = run(
        fmt::format("  set: {{type: RollingWheelSet, R_wheel: {}, m_wheel: {}, I_wheelAxis: {}, "
                    "I_wheelLong: {}, track: {}}}\n"
                    "  torque1: {{type: Rotational.Torque, tau: {}}}\n"
                    "  torque2: {{type: Rotational.Torque, tau: {}}}\n",
                    R, m, I_axis, I_long, track, tau, sense * tau),
        "[torque1.flange, set.axis1], [torque2.flange, set.axis2]", 2, 0.1,
        {"set.x", "set.y", "set.phi", "set.theta1", "set.theta2",
         "set.wheelSetJoint.rolling1.f_long", "set.wheelSetJoint.rolling1.f_lat"});
    const double straight = 2 * tau / R / (2 * m + 2 * I_axis / (R * R));
    const double J = 2 * (I_long + m * track * track / 4) + I_axis * track * track / (2 * R * R);
    const double turning = -tau * track / R / J;
    for (size_t k = 0; k < t.time().size(); ++k) {
      const double half = t.time()[k] * t.time()[k] / 2;
      const double x = sense > 0 ? straight * half : 0, phi = sense > 0 ? 0 : turning * half;
      CHECK(std::abs(t["set.x"][k] - x) < 1e-8);
      CHECK(std::abs(t["set.y"][k]) < 1e-8);
      CHECK(std::abs(t["set.phi"][k] - phi) < 1e-8);
      CHECK(std::abs(t["set.theta1"][k] - (x - phi * track / 2) / R) < 1e-8);
      CHECK(std::abs(t["set.theta2"][k] - (x + phi * track / 2) / R) < 1e-8);
      if (sense > 0) {
        // e_long_0 = e_n_0 x e_axis_0 points backwards.
        CHECK(t["set.wheelSetJoint.rolling1.f_long"][k] == doctest::Approx(-m * straight));
        CHECK(std::abs(t["set.wheelSetJoint.rolling1.f_lat"][k]) < 1e-8);
      }
    }
  }
}
