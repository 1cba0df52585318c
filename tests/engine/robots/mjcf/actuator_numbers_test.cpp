// Actuators of MJCF with gears other than 1, on joints of both kinds with a reference and general inertia.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "tests/engine/robots/started_robot.h"

using namespace cardan;

namespace {

constexpr double kActuatorNumbersRounding = 1e-12;

/// Acceleration of the joint 'h' at q, w and u.
double accelerationOf(const std::string& type, const std::string& joint,
                      const std::string& actuator, double q, double w, double u) {
  const bool turns = type == "hinge";
  test::StartedRobot s(
      test::importedRobot(
          "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody><body name='b' "
          "pos='0.1 0.2 "
          "0.3' euler='0.4 -0.3 0.7'><inertial pos='0.3 -0.2 0.4' mass='1.7' fullinertia='0.3 0.4 "
          "0.35 "
          "0.02 "
          "-0.03 0.01'/><joint name='h' type='" +
              type + "' axis='1 2 -2' " + joint + "/></body></worldbody><actuator>" + actuator +
              "</actuator></mujoco>",
          "r.xml"),
      {fmt::format("h.{}.start={}", turns ? "phi" : "s", q),
       fmt::format("h.{}.start={}", turns ? "w" : "v", w), fmt::format("u={}", u)},
      {"h.a"});
  return s["h.a"];
}

/// Inertia about the axis (1, 2, -2)/3 through the body's origin, or the mass.
double inertiaOf(const std::string& type) {
  if (type != "hinge") return 1.7;
  const double n[3] = {1.0 / 3, 2.0 / 3, -2.0 / 3}, r[3] = {0.3, -0.2, 0.4};
  const double I[3][3] = {{0.3, 0.02, -0.03}, {0.02, 0.4, 0.01}, {-0.03, 0.01, 0.35}};
  double about = 0, along = 0, square = 0;
  for (int i = 0; i < 3; ++i) {
    along += n[i] * r[i];
    square += r[i] * r[i];
    for (int k = 0; k < 3; ++k) about += n[i] * I[i][k] * n[k];
  }
  return about + 1.7 * (square - along * along);
}

}  // namespace

TEST_CASE(
    "MJCF: an actuator's length and force go by its gear, its bias by the joint's reference") {
  const double q = 0.4, w = 0.7, u = 0.9, gear = -1.6;
  for (const std::string type : {"hinge", "slide"}) {
    for (const double ref : {0.0, 0.25}) {
      CAPTURE(type);
      CAPTURE(ref);
      const double J = inertiaOf(type);
      const std::string joint = fmt::format("ref='{}'", ref);
      const auto at = [&](const std::string& actuator) {
        return J * accelerationOf(type, joint, actuator, q, w, u);
      };
      // MuJoCo: q counts from ref; length = gear q, force = gain u + b0 + b1 length + b2 der(length).
      const double length = gear * (q + ref), rate = gear * w;
      const std::string common = fmt::format("name='u' joint='h' gear='{}'", gear);
      CHECK(at("<motor " + common + "/>") ==
            doctest::Approx(gear * u).epsilon(kActuatorNumbersRounding));
      CHECK(at("<general " + common + " gainprm='3' biastype='affine' biasprm='0.5 -2 -0.3'/>") ==
            doctest::Approx(gear * (3 * u + 0.5 - 2 * length - 0.3 * rate))
                .epsilon(kActuatorNumbersRounding));
      CHECK(at("<position " + common + " kp='5'/>") ==
            doctest::Approx(gear * (5 * u - 5 * length)).epsilon(kActuatorNumbersRounding));
      CHECK(at("<velocity " + common + " kv='2'/>") ==
            doctest::Approx(gear * (2 * u - 2 * rate)).epsilon(kActuatorNumbersRounding));
    }
  }
}
