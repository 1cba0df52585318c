// Contacts whose friction sticks and slips by events, against closed forms.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {

constexpr double kStickGravity = 9.81;
constexpr double kBallMass = 0.4, kBallInertia = 4e-4, kBallRadius = 0.05;  // [kg], [kg.m2], [m]

ModelRun stickRun(const std::string& world, const std::string& components,
                  const std::string& connections, const std::string& settings,
                  const std::vector<std::string>& outputs) {
  const std::string text = "world: {" + world + "}\ncomponents:\n" + components + "connections: [" +
                           connections + "]\nsimulation: {" + settings + "}\n";
  return runModel(text, {.outputs = outputs});
}

std::string stickBall(const std::string& r, const std::string& v, const std::string& w) {
  return fmt::format(
      "  ball: {{type: Body, m: {}, r_CM: [0, 0, 0], I_11: {}, I_22: {}, I_33: {}, r_0: {{start: "
      "[{}], fixed: true}}, v_0: {{start: [{}], fixed: true}}, angles_fixed: true, w_0_fixed: "
      "true, "
      "w_0_start: [{}]}}\n",
      kBallMass, kBallInertia, kBallInertia, kBallInertia, r, v, w);
}

const std::string kOnFloor = "[world.frame_b, c.frame_a], [c.frame_b, ball.frame_a]";

/// Overlap [m] of the ball at rest under the force f_n with k = 2e9, and its arm about the centre.
double restDepth(double f_n) { return std::pow(f_n / 2e9, 2.0 / 3); }

}  // namespace

TEST_CASE(
    "sticking contact: on an incline a ball rolls without creep, or slides, by the threshold") {
  const double alpha = 20 * std::numbers::pi / 180, m = kBallMass, J = kBallInertia;
  const double sine = kStickGravity * std::sin(alpha), cosine = kStickGravity * std::cos(alpha);
  const double depth = restDepth(m * cosine), arm = kBallRadius - 0.5 * depth;
  const double threshold = std::tan(alpha) / (1 + m * arm * arm / J);
  for (double mu : {0.5, 1.001 * threshold, 0.999 * threshold}) {
    CAPTURE(mu);
    const ModelRun r = stickRun(
        fmt::format("g: 9.81, n: [{}, {}, 0]", std::sin(alpha), -std::cos(alpha)),
        stickBall(fmt::format("0, {}, 0", kBallRadius - depth), "0, 0, 0", "0, 0, 0") +
            fmt::format("  c: {{type: Contact.SpherePlane, radius: 0.05, k: 2e9, damping: 5, mu: "
                        "{}, stick: true}}\n",
                        mu),
        kOnFloor, "stop: 2, interval: 1, tolerance: 1e-10",
        {"ball.v_0", "ball.r_0", "c.v_slip", "c.stuck", "c.f_friction"});
    const bool rolls = mu > threshold;
    const double a = rolls ? sine / (1 + J / (m * arm * arm)) : sine - mu * cosine;
    CHECK(std::abs(r.last("ball.v_0[1]") - 2 * a) < 1e-7);
    CHECK(std::abs(r.last("ball.r_0[1]") - 2 * a) < 1e-7);
    CHECK(r.last("c.stuck") == (rolls ? 1 : 0));
    if (rolls) CHECK(r.last("c.v_slip") < 1e-8);
    CHECK(std::abs(r.last("c.f_friction") - m * (sine - a)) < 1e-7);
  }
}

TEST_CASE("sticking contact: a bowling ball goes over from slipping to rolling at an instant") {
  const double m = kBallMass, J = kBallInertia, mu = 0.1, v = 3, g = kStickGravity;
  const double depth = restDepth(m * g), arm = kBallRadius - 0.5 * depth;
  const double share = 1 / (1 + J / (m * arm * arm)), until = v * (1 - share) / (mu * g);
  const ModelRun r =
      stickRun("g: 9.81",
               stickBall(fmt::format("0, {}, 0", kBallRadius - depth),
                         fmt::format("{}, 0, {}", 0.6 * v, 0.8 * v), "0, 0, 0") +
                   "  c: {type: Contact.SpherePlane, radius: 0.05, k: 2e9, damping: 5, mu: 0.1, "
                   "stick: true}\n",
               kOnFloor, fmt::format("stop: {}, interval: {}, tolerance: 1e-10", 2 * until, until),
               {"ball.v_0", "ball.r_0", "c.v_slip", "c.f_friction", "c.stuck"});
  REQUIRE(!r.report.eventRecords.empty());
  CHECK(std::abs(r.report.eventRecords.front().time - until) < 1e-7);
  CHECK(std::abs(r.last("ball.v_0[1]") - 0.6 * share * v) < 1e-7);
  CHECK(std::abs(r.last("ball.v_0[3]") - 0.8 * share * v) < 1e-7);
  CHECK(std::abs(r.last("ball.r_0[3]") - 0.8 * (until * v * (1 + share) / 2 + until * share * v)) <
        1e-7);
  CHECK(r.last("c.stuck") == 1);
  CHECK(r.last("c.f_friction") < 1e-7);
}

TEST_CASE(
    "sticking contacts: a sledge on two runners breaks loose at peak mu m g, and comes to rest") {
  // Runners that carry different loads: each holds in proportion to its own.
  const double m = 2, g = kStickGravity, mu = 0.3, peak = 1.25;
  const ModelRun r = stickRun(
      "g: 9.81",
      "  x: {type: Prismatic, s: {fixed: true}, v: {fixed: true}}\n"
      "  y: {type: Prismatic, n: [0, 1, 0], s: {start: 0.049995095, fixed: true}, v: {fixed: "
      "true}}\n"
      "  b: {type: Body, m: 2, r_CM: [0, 0, 0]}\n"
      "  c1: {type: Contact.SpherePlane, radius: 0.05, k: 1e6, exponent: 1, damping: 5, mu: 0.3, "
      "stick: true, peak: 1.25}\n"
      "  c2: {type: Contact.SpherePlane, radius: 0.05, k: 3e6, exponent: 1, damping: 5, mu: 0.3, "
      "stick: true, peak: 1.25}\n"
      "  pull: {type: WorldForce, force: ['if time < 8 then time else 0', 0, 0]}\n",
      "[world.frame_b, x.frame_a], [x.frame_b, y.frame_a], [y.frame_b, b.frame_a], "
      "[world.frame_b, c1.frame_a], [world.frame_b, c2.frame_a], [b.frame_a, c1.frame_b], "
      "[b.frame_a, c2.frame_b], [pull.frame_b, b.frame_a]",
      "stop: 9, interval: 0.5, tolerance: 1e-10",
      {"x.s", "x.v", "c1.f_0", "c2.f_0", "c1.stuck", "c2.stuck"});
  const double limit = mu * m * g, loose = peak * limit;
  CHECK(std::abs(r.at(4, "x.v")) < 1e-8);
  CHECK(std::abs(r.at(4, "c1.f_0[1]") + 1) < 1e-5);
  CHECK(std::abs(r.at(4, "c2.f_0[1]") + 3) < 1e-5);
  CHECK(r.at(7, "c1.stuck") == 1);
  CHECK(r.at(7.5, "c1.stuck") == 0);
  CHECK(r.at(7.5, "c2.stuck") == 0);
  const auto sped = [&](double t) { return (0.5 * t * t - limit * t) / m; };
  const double v8 = sped(8) - sped(loose);
  CHECK(std::abs(r.at(7.5, "x.v") - (sped(7.5) - sped(loose))) < 1e-6);
  CHECK(std::abs(r.at(8, "x.v") - v8) < 1e-6);
  const double rest = 8 + v8 / (mu * g);
  CHECK(rest < 9);
  CHECK(std::abs(r.last("x.v")) < 1e-8);
  CHECK(std::abs(r.report.eventRecords.back().time - rest) < 1e-6);
  REQUIRE(r.report.warnings.size() == 1);
  CHECK(r.report.warnings.front().starts_with("'c1' and 'c2' are stuck and hold the same motion"));
}

TEST_CASE("sticking contacts: what the energy loses is lossPower") {
  const std::string floor =
      "  c: {type: Contact.SpherePlane, radius: 0.05, n: [0.1, 1, 0.2], k: 1e5, "
      "damping: 0.4, mu: 0.3, stick: true}\n";
  const ModelRun r = stickRun("g: 9.81",
                              stickBall("0.03, 0.08, 0", "0.3, -1, 0.1", "9, 2, -14") + floor +
                                  "  loss: {type: Blocks.Integrator, u: 'c.lossPower'}\n",
                              kOnFloor, "stop: 0.6, interval: 0.01, tolerance: 1e-9",
                              {"totalEnergy", "loss.y", "c.stuck"});
  CHECK(r.last("loss.y") > 0.05);
  for (size_t i = 0; i < r.rows.time().size(); ++i)
    CHECK(std::abs(r["totalEnergy"][i] + r["loss.y"][i] - r["totalEnergy"].front()) < 2e-6);
}

TEST_CASE("sticking contacts: a ball rolls down another ball with the energy of rolling") {
  // It starts beside the top of a fixed ball, rolls, and slips before it leaves; while it rolls,
  // 7/10 m v^2 = m g (R + r) (cos(phi0) - cos(phi)) up to the overlap.
  const double phi0 = 0.2, d = 0.55;
  const ModelRun r =
      stickRun("g: 9.81",
               stickBall(fmt::format("{}, {}, 0", d * std::sin(phi0), d * std::cos(phi0)),
                         "0, 0, 0", "0, 0, 0") +
                   "  c: {type: Contact.SphereSphere, radius_a: 0.5, radius_b: 0.05, k: 2e9, "
                   "damping: 5, mu: "
                   "0.5, stick: true}\n",
               kOnFloor, "stop: 0.5, interval: 0.1, tolerance: 1e-10",
               {"ball.v_0", "ball.r_0", "c.v_slip", "c.stuck", "c.touching"});
  const double vx = r.last("ball.v_0[1]"), vy = r.last("ball.v_0[2]");
  const double fallen = d * std::cos(phi0) - r.last("ball.r_0[2]");
  CHECK(fallen > 0.005);
  CHECK(r.last("c.stuck") == 1);
  CHECK(std::abs(0.7 * (vx * vx + vy * vy) / (kStickGravity * fallen) - 1) < 1e-3);
  CHECK(r.last("c.v_slip") < 1e-7);
}

TEST_CASE("sticking contact: what does not go with it is told") {
  const auto message = [](const std::string& contact) -> std::string {
    try {
      stickRun(
          "", "  c: {type: Contact." + contact + "}\n" + stickBall("0, 0, 0", "0, 0, 0", "0, 0, 0"),
          kOnFloor, "stop: 1", {});
    } catch (const ModelError& e) {
      return e.what();
    }
    return "no error";
  };
  CHECK(message("SpherePlane, radius: 1, k: 1e5, length: 1, width: 1, stick: true") ==
        "model.yaml:3:81: error: Contact.SpherePlane 'c': 'stick' needs an unbounded plane");
  CHECK(
      message("SpherePlane, radius: 1, k: 1e5, v_creep: 1e-3, stick: true") ==
      "model.yaml:3:62: error: Contact.SpherePlane 'c': 'v_creep' must not be given together with "
      "stick");
  CHECK(message("SpherePlane, radius: 1, k: 1e5, peak: 2") ==
        "model.yaml:3:59: error: Contact.SpherePlane 'c': 'peak' needs stick: true");
}
