// Friction and stops of joints against closed forms and an independent integration.
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

ModelRun dragRun(const std::string& world, const std::string& joint, const std::string& more,
                 const std::string& settings, const std::vector<std::string>& outputs) {
  const std::string text = "world: {" + world + "}\ncomponents:\n  j: {type: " + joint +
                           "}\n"
                           "  b: {type: Body, m: 1.2, r_CM: [0.5, 0, 0], I_11: 0.05, I_22: 0.05, "
                           "I_33: 0.05}\n" +
                           more + "simulation: {" + settings + "}\n";
  return runModel(text, {.outputs = outputs});
}

/// The pendulum of dragRun with g = 9.81 and friction mu r |m (a - g)| = 0.3 0.04 |m (a - g)|, a the
/// acceleration of its centre of mass: Runge and Kutta's method of fourth order from turning point to
/// turning point, the equation for the acceleration solved by iteration.
struct RoughPendulum {
  std::vector<double> phi, w;  ///< every half second
  double rest = 1e300;         ///< [s]  when it sticks
};

RoughPendulum integratePendulum(double stop) {
  const double m = 1.2, L = 0.5, J = 0.05 + m * L * L, g = 9.81, arm = 0.3 * 0.04;
  const auto load = [&](double phi, double w, double a) {
    return m * std::hypot(g * std::sin(phi) - L * w * w, g * std::cos(phi) + L * a);
  };
  double sense = -1;
  const auto acceleration = [&](double phi, double w) {
    double a = 0;
    for (int i = 0; i < 12; ++i)
      a = (-m * g * L * std::cos(phi) - sense * arm * load(phi, w, a)) / J;
    return a;
  };
  const auto step = [&](double& phi, double& w, double h) {
    const double a1 = acceleration(phi, w), w2 = w + h / 2 * a1;
    const double a2 = acceleration(phi + h / 2 * w, w2), w3 = w + h / 2 * a2;
    const double a3 = acceleration(phi + h / 2 * w2, w3), w4 = w + h * a3;
    const double a4 = acceleration(phi + h * w3, w4);
    phi += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  };
  constexpr double h = 2.5e-4;
  constexpr int kPerRow = 2000;
  RoughPendulum r;
  double phi = 0, w = -1;
  bool rests = false;
  for (int k = 0; k * h <= stop + h / 2; ++k) {
    if (k % kPerRow == 0) {
      r.phi.push_back(phi);
      r.w.push_back(rests ? 0 : w);
    }
    if (rests) continue;
    double phi1 = phi, w1 = w;
    step(phi1, w1, h);
    if (sense * w1 < 0) {
      double low = 0, high = h;
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        double phi2 = phi, w2 = w;
        step(phi2, w2, middle);
        (sense * w2 > 0 ? low : high) = middle;
      }
      step(phi, w, low);
      rests = m * g * L * std::abs(std::cos(phi)) < arm * load(phi, 0, 0);
      if (rests) {
        r.rest = k * h + low;
        continue;
      }
      sense = -sense;
      step(phi, w, h - low);
      continue;
    }
    phi = phi1;
    w = w1;
  }
  return r;
}

const std::string kHung = "connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a]]\n";

}  // namespace

TEST_CASE("Revolute: a pendulum with friction from its bearing's real load, integrated apart") {
  const RoughPendulum expected = integratePendulum(25);
  const ModelRun r = dragRun("g: 9.81",
                             "Revolute, phi: {fixed: true}, w: {start: -1, fixed: true}, friction: "
                             "{mu: 0.3, radius: 0.04}",
                             kHung, "stop: 25, interval: 0.5, tolerance: 1e-11",
                             {"j.phi", "j.w", "j.friction.mode", "j.friction.tau", "j.f_bearing"});
  for (size_t k = 0; k < expected.phi.size(); ++k) {
    CAPTURE(k);
    CHECK(std::abs(r.at(0.5 * static_cast<double>(k), "j.phi") - expected.phi[k]) < 1e-7);
    CHECK(std::abs(r.at(0.5 * static_cast<double>(k), "j.w") - expected.w[k]) < 1e-7);
  }
  CHECK(expected.rest < 25);
  CHECK(std::abs(r.report.eventRecords.back().time - expected.rest) < 1e-7);
  CHECK(r.last("j.friction.mode") == 0);
  // What it holds by: the moment of the weight.
  CHECK(std::abs(r.last("j.friction.tau") + 1.2 * 9.81 * 0.5 * std::cos(r.last("j.phi"))) < 1e-7);
  CHECK(std::abs(r.last("j.f_bearing") - 1.2 * 9.81) < 1e-7);
}

TEST_CASE("Spherical: swinging in a plane, its friction is that of a revolute joint") {
  const std::string of = ", friction: {mu: 0.3, radius: 0.04}";
  const std::string settings = "stop: 6, interval: 0.5, tolerance: 1e-11";
  const RoughPendulum expected = integratePendulum(6);
  const ModelRun r =
      dragRun("g: 9.81",
              "Spherical, w_rel_a_start: [0, 0, -1], w_rel_a_fixed: true, angles_fixed: true" + of,
              kHung, settings, {"j.w_rel", "b.frame_a.R.T", "j.friction.tau"});
  for (size_t k = 0; k < expected.phi.size(); ++k) {
    const double t = 0.5 * static_cast<double>(k);
    CAPTURE(t);
    CHECK(std::abs(r.at(t, "j.w_rel[3]") - expected.w[k]) < 1e-7);
    CHECK(std::abs(r.at(t, "b.frame_a.R.T[1,2]") - std::sin(expected.phi[k])) < 1e-7);
    CHECK(std::abs(r.at(t, "j.w_rel[1]")) < 1e-9);
  }
}

TEST_CASE("Spherical: constant friction stops a spin about any axis along it, in w J/torque") {
  // A body with equal moments of inertia, hung at its centre, turns about a fixed direction.
  const ModelRun r = dragRun(
      "gravityType: NoGravity",
      "Spherical, w_rel_a_start: [2, 1, -2], w_rel_a_fixed: true, angles_fixed: true, friction: "
      "{torque: 0.1, peak: 1.2}",
      "  s: {type: Body, m: 1, r_CM: [0, 0, 0], I_11: 0.05, I_22: 0.05, I_33: 0.05}\n"
      "  p: {type: WorldTorque, torque: ['if time < 2 then 0 else 0.1*(time - 2)', 0, 0]}\n"
      "connections: [[world.frame_b, j.frame_a], [j.frame_b, s.frame_a], [p.frame_b, s.frame_a]]\n",
      "stop: 4, interval: 0.1, tolerance: 1e-10",
      {"j.w_rel", "j.friction.mode", "j.friction.tau", "j.friction.lossPower"});
  for (double t : {0.5, 1.0, 1.4}) {
    CHECK(std::abs(r.at(t, "j.w_rel[1]") - (3 - 2 * t) * 2 / 3) < 1e-8);
    CHECK(std::abs(r.at(t, "j.w_rel[3]") + (3 - 2 * t) * 2 / 3) < 1e-8);
    CHECK(std::abs(r.at(t, "j.friction.lossPower") - 0.1 * (3 - 2 * t)) < 1e-8);
  }
  // Stuck from 1.5 s on, it breaks loose at 0.1 (t - 2) = 1.2*0.1 and then slides about x.
  CHECK(r.at(2.5, "j.friction.mode") == 0);
  const auto size = [&r](double t, const std::string& name) {
    return std::hypot(r.at(t, name + "[1]"), r.at(t, name + "[2]"), r.at(t, name + "[3]"));
  };
  CHECK(std::abs(size(3, "j.friction.tau") - 0.1) < 1e-9);
  const auto brokeLoose = [](const EventRecord& e) { return e.time > 2.5; };
  const auto& events = r.report.eventRecords;
  const auto loose = std::find_if(events.begin(), events.end(), brokeLoose);
  REQUIRE(loose != events.end());
  CHECK(std::abs(loose->time - 3.2) < 1e-7);
  const auto sped = [](double t) { return 0.5 * (t - 2) * (t - 2) - (t - 2); };
  CHECK(std::abs(size(4, "j.w_rel") - 0.1 / 0.05 * (sped(4) - sped(3.2))) < 1e-6);
}

TEST_CASE("Spherical: the edge of its cone throws a body back, with what its damper leaves") {
  // About a fixed axis: J u'' = -c u - d u', thrown off where c u + d u' = 0.
  const double J = 0.05, c = 500, d = 2, w0 = std::sqrt(c / J), D = d / (2 * std::sqrt(c * J));
  const double wd = w0 * std::sqrt(1 - D * D);
  const double touch = 0.4 / 3, held = std::atan2(2 * D * wd * w0, (2 * D * D - 1) * w0 * w0) / wd;
  const ModelRun r = dragRun(
      "gravityType: NoGravity",
      "Spherical, w_rel_a_start: [0, 0, 3], w_rel_a_fixed: true, angles_fixed: true, limits: {max: "
      "0.4, c: 500, d: 2}",
      "  s: {type: Body, m: 1, r_CM: [0, 0, 0], I_11: 0.05, I_22: 0.05, I_33: 0.05}\n"
      "connections: [[world.frame_b, j.frame_a], [j.frame_b, s.frame_a]]\n",
      "stop: 0.3, interval: 0.1, tolerance: 1e-11", {"j.w_rel", "j.limits.angle"});
  REQUIRE(r.report.eventRecords.size() >= 2);
  CHECK(std::abs(r.report.eventRecords[0].time - touch) < 1e-8);
  CHECK(std::abs(r.report.eventRecords[1].time - touch - held) < 1e-7);
  CHECK(std::abs(r.last("j.w_rel[3]") + 3 * std::exp(-D * w0 * held)) < 1e-7);
}

TEST_CASE(
    "Revolute: a stuck arm breaks loose at the load's limit, at the time of the closed form") {
  // The axis is upright: the bearing carries the weight m g, friction sticks up to peak mu r m g.
  const double slides = 0.2 * 0.05 * 1.2 * 9.81;
  const ModelRun r =
      dragRun("n: [0, 0, -1], g: 9.81",
              "Revolute, useAxisFlange: true, phi: {fixed: true}, w: {fixed: true}, friction: {mu: "
              "0.2, radius: 0.05, peak: 1.1}",
              "  t: {type: Rotational.Torque, tau: '0.1*time'}\n"
              "connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a], [t.flange, "
              "j.axis]]\n",
              "stop: 1.5, interval: 0.1, tolerance: 1e-10", {"j.phi", "j.w", "j.f_bearing"});
  REQUIRE(!r.report.eventRecords.empty());
  CHECK(std::abs(r.report.eventRecords.front().time - 1.1 * slides / 0.1) < 1e-7);
  CHECK(std::abs(r.at(1.2, "j.w")) < 1e-12);
  CHECK(std::abs(r.last("j.f_bearing")) > 1.2 * 9.81);
}

TEST_CASE("Prismatic: a constant friction stops a sledge after v/(f/m), and it stays") {
  const ModelRun r =
      dragRun("gravityType: NoGravity",
              "Prismatic, s: {fixed: true}, v: {start: 3, fixed: true}, friction: "
              "{force: 2.4}",
              kHung, "stop: 3, interval: 0.1, tolerance: 1e-10", {"j.s", "j.v", "j.friction.mode"});
  CHECK(std::abs(r.at(1, "j.v") - 1) < 1e-9);
  CHECK(std::abs(r.last("j.s") - 2.25) < 1e-8);
  CHECK(std::abs(r.last("j.v")) < 1e-8);
  CHECK(r.last("j.friction.mode") == 0);
}

TEST_CASE("Prismatic: on an incline it slides by the friction of the force across its axis") {
  const double alpha = 0.6, g = 9.81, mu = 0.3;
  const ModelRun r = dragRun(
      fmt::format("g: {}, n: [{}, {}, 0]", g, std::sin(alpha), -std::cos(alpha)),
      fmt::format("Prismatic, s: {{fixed: true}}, v: {{fixed: true}}, friction: {{mu: {}}}", mu),
      kHung, "stop: 2, interval: 1, tolerance: 1e-10", {"j.s", "j.f_bearing"});
  CHECK(std::abs(r.last("j.s") - 2 * g * (std::sin(alpha) - mu * std::cos(alpha))) < 1e-7);
  CHECK(std::abs(r.last("j.f_bearing") - 1.2 * g * std::cos(alpha)) < 1e-8);
}

TEST_CASE("Prismatic: its stops throw it back and forth, each touch at its time") {
  const double c = 1e4, half = std::numbers::pi * std::sqrt(1.2 / c);
  const ModelRun r =
      dragRun("gravityType: NoGravity",
              "Prismatic, s: {fixed: true}, v: {start: 1, fixed: true}, limits: {min: "
              "-0.1, max: 0.2, c: 1e4}",
              kHung, "stop: 2, interval: 0.1, tolerance: 1e-11", {"j.v", "totalEnergy"});
  REQUIRE(r.report.eventRecords.size() >= 6);
  double t = 0.2;
  for (size_t i = 0; i < 6; ++i) {
    CHECK(std::abs(r.report.eventRecords[i].time - t) < 1e-8);
    t += i % 2 == 0 ? half : 0.3;
  }
  // Ten events, each with an error of the tolerance times its 800 radians a second.
  for (double e : r["totalEnergy"]) CHECK(std::abs(e - 0.6) < 1e-7);
}

TEST_CASE("Revolute: a damped stop holds for the half period of its closed form") {
  // J u'' = -c u - d u' from u = 0, u' = v; thrown off where c u + d u' = 0, at
  // tan(wd t) = 2 D sqrt(1 - D^2)/(2 D^2 - 1), with v exp(-D w0 t).
  const double J = 0.05 + 1.2 * 0.25, c = 800, d = 5, v = 2;
  const double w0 = std::sqrt(c / J), D = d / (2 * std::sqrt(c * J)),
               wd = w0 * std::sqrt(1 - D * D);
  const double held = std::atan2(2 * D * std::sqrt(1 - D * D), 2 * D * D - 1) / wd;
  const ModelRun r = dragRun("gravityType: NoGravity",
                             "Revolute, phi: {fixed: true}, w: {start: 2, fixed: true}, limits: "
                             "{max: 0.3, c: 800, d: 5}",
                             kHung, "stop: 0.5, interval: 0.1, tolerance: 1e-11",
                             {"j.w", "totalEnergy", "j.limits.lossPower"});
  REQUIRE(r.report.eventRecords.size() >= 2);
  CHECK(std::abs(r.report.eventRecords[0].time - 0.3 / v) < 1e-8);
  CHECK(std::abs(r.report.eventRecords[1].time - 0.3 / v - held) < 1e-7);
  CHECK(std::abs(r.last("j.w") + v * std::exp(-D * w0 * held)) < 1e-7);
}

TEST_CASE("Universal, Cylindrical: friction and stops are those of their parts") {
  const ModelRun u = dragRun(
      "gravityType: NoGravity",
      "Universal, phi_a: {fixed: true}, w_a: {fixed: true}, phi_b: {fixed: true}, w_b: {start: 2, "
      "fixed: true}, n_a: [1, 0, 0], n_b: [0, 0, 1], revolute_b: {limits: {max: 0.5, c: 1e3}}, "
      "revolute_a: {friction: {torque: 1}}",
      kHung, "stop: 1, interval: 0.1, tolerance: 1e-10", {"j.w_b", "j.phi_b", "totalEnergy"});
  CHECK(std::abs(u.last("j.w_b") + 2) < 1e-6);
  const ModelRun c = dragRun(
      "gravityType: NoGravity",
      "Cylindrical, s: {fixed: true}, v: {start: 3, fixed: true}, phi: {fixed: true}, w: {fixed: "
      "true}, prismatic: {friction: {force: 2.4}}, revolute: {friction: {torque: 1}}",
      kHung, "stop: 3, interval: 0.1, tolerance: 1e-10", {"j.s", "j.phi"});
  CHECK(std::abs(c.last("j.s") - 2.25) < 1e-8);
  CHECK(std::abs(c.last("j.phi")) < 1e-10);
}

TEST_CASE("joints: wrong friction and limits are told, all in one go") {
  const auto message = [](const std::string& joint) -> std::string {
    try {
      dragRun("", joint, kHung, "stop: 1", {"b.r_0"});
    } catch (const ModelError& e) {
      return e.what();
    }
    return "no error";
  };
  CHECK(message("Revolute, friction: {mu: 0.1}, limits: {min: 1}") ==
        "model.yaml:3:38: error: Revolute 'j': 'friction.mu' needs a radius greater than 0\n"
        "model.yaml:3:58: error: Revolute 'j': 'limits.min' needs a stiffness c");
  CHECK(message("Revolute, friction: {}, limits: {}") ==
        "model.yaml:3:33: error: Revolute 'j': 'friction' must have mu and radius, or torque\n"
        "model.yaml:3:45: error: Revolute 'j': 'limits' must have min, or max, or both");
  CHECK(message("Prismatic, friction: {mu: -1}, limits: {min: 2, max: 1, c: 0}") ==
        "model.yaml:3:34: error: Prismatic 'j': 'friction' must have mu, or force\n"
        "model.yaml:3:39: error: Prismatic 'j': 'friction.mu' must be at least 0, found -1\n"
        "model.yaml:3:66: error: Prismatic 'j': 'limits.max' must not be less than min\n"
        "model.yaml:3:72: error: Prismatic 'j': 'limits.c' must be greater than 0, found 0");
  CHECK(message("Spherical, friction: {peak: 2}, limits: {axis: [0, 0, 0], max: 4, c: 1}") ==
        "model.yaml:3:34: error: Spherical 'j': 'friction' must have mu and radius, or torque\n"
        "model.yaml:3:60: error: Spherical 'j': 'limits.axis' must not be the zero vector\n"
        "model.yaml:3:76: error: Spherical 'j': 'limits.max' must be less than pi");
  CHECK(message("Universal, revolute_a: {friction: {force: 1}}") ==
        "model.yaml:3:47: error: Universal 'j': 'revolute_a.friction' must have mu and radius, or "
        "torque\n"
        "model.yaml:3:48: error: Universal 'j': unknown key 'revolute_a.friction.force'; did you "
        "mean 'mu' (friction coefficient of the force between the frames)? known keys: mu, peak, "
        "radius, torque");
}
