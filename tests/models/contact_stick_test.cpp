// Elastic contacts whose friction sticks and slips, against Coulomb's law in closed forms: within what
// the small displacement z_s, by which they hold, makes of it.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine/integration/solver_error.h"
#include "engine/saved_state.h"
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

/// [m]  so small that little is left of it
constexpr double kBristle = 1e-9;

/// Speed [m/s] and way [m] that are won until the friction of mu f_n, from nothing, has come to its size:
/// its work over z_s is missing, at most.
double wonSpeed(double mu, double f_n, double m) { return std::sqrt(2 * mu * f_n * kBristle / m); }

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
                        "{}, stick: true, z_s: {}}}\n",
                        mu, kBristle),
        kOnFloor, "stop: 2, interval: 1, tolerance: 1e-10",
        {"ball.v_0", "ball.r_0", "c.v_slip", "c.stuck", "c.f_friction"});
    const bool rolls = mu > threshold;
    const double a = rolls ? sine / (1 + J / (m * arm * arm)) : sine - mu * cosine;
    const double won = wonSpeed(mu, m * cosine, m);
    CHECK(std::abs(r.last("ball.v_0[1]") - 2 * a) < (rolls ? 1e-7 : won));
    CHECK(std::abs(r.last("ball.r_0[1]") - 2 * a) < 2 * won);
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
                   "stick: true, z_s: 1e-9}\n",
               kOnFloor, fmt::format("stop: {}, interval: {}, tolerance: 1e-10", 2 * until, until),
               {"ball.v_0", "ball.r_0", "c.v_slip", "c.f_friction", "c.stuck"});
  // It is slower than z_s/T first, then comes to rest against the bristle, which swings.
  REQUIRE(r.report.eventRecords.size() >= 2);
  const double slow = kBristle / 1e-3 / (mu * g * (1 + m * arm * arm / J));
  CHECK(std::abs(r.report.eventRecords[0].time - (until - slow)) < 1e-7);
  CHECK(std::abs(r.report.eventRecords[1].time - until) < 1e-7);
  CHECK(std::abs(r.last("ball.v_0[1]") - 0.6 * share * v) < 1e-7);
  CHECK(std::abs(r.last("ball.v_0[3]") - 0.8 * share * v) < 1e-7);
  CHECK(std::abs(r.last("ball.r_0[3]") - 0.8 * (until * v * (1 + share) / 2 + until * share * v)) <
        1e-7);
  CHECK(r.last("c.stuck") == 1);
  CHECK(r.last("c.f_friction") < 1e-7);
}

TEST_CASE(
    "sticking contacts: a sledge on two runners breaks loose at peak mu m g, and comes to rest") {
  // Runners that carry different loads: each holds in proportion to its own, as displacements are equal.
  const double m = 2, g = kStickGravity, mu = 0.3, peak = 1.25;
  const ModelRun r = stickRun(
      "g: 9.81",
      "  x: {type: Prismatic, s: {fixed: true}, v: {fixed: true}}\n"
      "  y: {type: Prismatic, n: [0, 1, 0], s: {start: 0.049995095, fixed: true}, v: {fixed: "
      "true}}\n"
      "  b: {type: Body, m: 2, r_CM: [0, 0, 0]}\n"
      "  c1: {type: Contact.SpherePlane, radius: 0.05, k: 1e6, exponent: 1, damping: 5, mu: 0.3, "
      "stick: true, peak: 1.25, z_s: 1e-9}\n"
      "  c2: {type: Contact.SpherePlane, radius: 0.05, k: 3e6, exponent: 1, damping: 5, mu: 0.3, "
      "stick: true, peak: 1.25, z_s: 1e-9}\n"
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
  // The instant of breaking away hangs on a bristle of 1e-9 m, ten tolerances of a position.
  CHECK(std::abs(r.at(7.5, "x.v") - (sped(7.5) - sped(loose))) < 1e-5);
  CHECK(std::abs(r.at(8, "x.v") - v8) < 1e-5);
  const double rest = 8 + v8 / (mu * g);
  CHECK(rest < 9);
  CHECK(std::abs(r.last("x.v")) < 1e-8);
  CHECK(std::abs(r.report.eventRecords.back().time - rest) < 1e-6);
  CHECK(r.report.warnings.empty());
}

TEST_CASE("sticking contact: what the integration leaves of slip and gap is no blow, at no event") {
  // On a table that turns at W its centre goes round at 2/7 W; tilted to and fro it never comes off. Clocks tick.
  struct Case {
    const char *tilt, *turn, *spin;
  };
  const double vx = 0.5, vy = 0.2, x = 0.3, R = 0.1, W = 3;
  for (const auto& [tilt, turn, spin] :
       {Case{"0", "3*time", "-(0.2 - 3*0.3)/0.1"}, Case{"0.4*sin(0.7*time)", "0", "-0.2/0.1"}}) {
    for (const char* integrator : {"ida", "explicit", "automatic"}) {
      CAPTURE(tilt);
      CAPTURE(integrator);
      const ModelRun r = runModel(fmt::format(
          R"yaml(
world: {{g: 9.81, n: [0, 0, -1]}}
components:
  tilt: {{type: Revolute, n: [1, 0, 0], useAxisFlange: true}}
  tilts: {{type: Rotational.Position, exact: true, phi_ref: "{}"}}
  turn: {{type: Revolute, n: [0, 0, 1], useAxisFlange: true}}
  turns: {{type: Rotational.Position, exact: true, phi_ref: "{}"}}
  b: {{type: Body, m: 0.2, r_CM: [0, 0, 0], I_11: 0.0008, I_22: 0.0008, I_33: 0.0008, r_0: {{start: [{}, 0, {}], fixed: true}}, v_0: {{start: [{}, {}, 0], fixed: true}}, angles_fixed: true, w_0_fixed: true, w_0_start: ["{}", {}, 2]}}
  c: {{type: Contact.SpherePlane, radius: {}, n: [0, 0, 1], rigid: true, restitution: 0, mu: 5, stick: true}}
connections:
  - [world.frame_b, tilt.frame_a]
  - [tilt.axis, tilts.flange]
  - [tilt.frame_b, turn.frame_a]
  - [turn.axis, turns.flange]
  - [turn.frame_b, c.frame_a]
  - [b.frame_a, c.frame_b]
variables: {{n: {{start: 0}}}}
when: [{{condition: "sin(60*time - 0.3) > 0", set: {{n: pre(n) + 1}}}}]
simulation: {{stop: 5, interval: 0.05, integrator: {}, tolerance: 1e-6}}
outputs: [b.r_0, c.f_n, c.depth, n]
)yaml",
          tilt, turn, x, R, vx, vy, spin, vx / R, R, integrator));
      CHECK(r.report.contactViolations == 0);
      CHECK(r.last("n") == 48);  // at 0.3 + 2 pi k
      for (const auto& e : r.report.eventRecords) {
        if (e.time > 0.1) CHECK(std::ranges::find(e.changed, "c") == e.changed.end());
      }
      for (size_t i = 0; i < r.rows.time().size(); ++i) {
        CHECK(r["c.f_n"][i] > 1);
        CHECK(std::abs(r["c.depth"][i]) < 1e-4);
        if (*turn == '0') continue;
        const double a = 2.0 / 7 * W, t = r.rows.time()[i];
        const double there = x + (vx * std::sin(a * t) - vy * (1 - std::cos(a * t))) / a;
        CHECK(std::abs(r["b.r_0[1]"][i] - there) < 1e-4);
      }
    }
  }
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
                   "0.5, stick: true, z_s: 1e-9}\n",
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
  CHECK(message("SpherePlane, radius: 1, k: 1e5, z_s: 1e-6")
            .ends_with(
                "error: Contact.SpherePlane 'c': 'z_s' needs stick: true, and not rigid: true"));
  CHECK(message("SpherePlane, radius: 1, rigid: true, restitution: 0, stick: true, z_s: 1e-6")
            .ends_with(
                "error: Contact.SpherePlane 'c': 'z_s' needs stick: true, and not rigid: true"));
}

namespace {

/// A box of 2 kg on four feet that stick, on the ground of friction mu.
std::string footedBox(const std::string& start, double mu, double restitution) {
  std::string text =
      "  box: {type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.0133, I_22: 0.0333, I_33: 0.0333, " +
      start + "}\n";
  int k = 0;
  for (const double x : {-0.2, 0.2}) {
    for (const double z : {-0.1, 0.1}) {
      ++k;
      text += fmt::format(
          "  o{0}: {{type: FixedTranslation, r: [{1}, -0.1, {2}]}}\n"
          "  h{0}: {{type: Contact.SpherePlane, radius: 0.01, k: 1e5, restitution: {3}, "
          "v_restitution: 1, mu: {4}, stick: true}}\n",
          k, x, z, restitution, mu);
    }
  }
  return text;
}

std::string footedConnections() {
  std::string text;
  for (int k = 1; k <= 4; ++k) {
    text += fmt::format(
        "{0}[box.frame_a, o{1}.frame_a], [o{1}.frame_b, h{1}.frame_b], [world.frame_b, "
        "h{1}.frame_a]",
        k > 1 ? ", " : "", k);
  }
  return text;
}

}  // namespace

TEST_CASE("sticking contacts: four feet hold a box on a slope, and nothing creeps") {
  const double slope = 0.2, g = kStickGravity;
  for (const std::string integrator : {"ida", "explicit"}) {
    CAPTURE(integrator);
    const ModelRun r = stickRun(
        fmt::format("g: 9.81, n: [{}, {}, 0]", std::sin(slope), -std::cos(slope)),
        footedBox(
            "r_0: {start: [0, 0.1097, 0], fixed: true}, v_0: {fixed: true}, angles_fixed: true, "
            "w_0_fixed: true",
            0.5, 0.1),
        footedConnections(), "stop: 12, interval: 1, tolerance: 1e-8, integrator: " + integrator,
        {"box.r_0", "h1.f_friction", "h2.f_friction", "h3.f_friction", "h4.f_friction", "h1.f_0",
         "h2.f_0", "h3.f_0", "h4.f_0", "h1.stuck"});
    CHECK(std::abs(r.last("box.r_0[1]") - r.at(4, "box.r_0[1]")) < 1e-9);
    CHECK(std::abs(r.last("box.r_0[3]") - r.at(4, "box.r_0[3]")) < 1e-9);
    CHECK(r.last("h1.stuck") == 1);
    double along = 0, up = 0;
    for (int k = 1; k <= 4; ++k) {
      along += r.last(fmt::format("h{}.f_0[1]", k));
      up += r.last(fmt::format("h{}.f_0[2]", k));
    }
    // Friction mu f_n (z + T v)/z_s is known as well as v is, by the tolerance.
    const double known = 0.5 * 2 * g * std::cos(slope) * 1e-3 * 1e-8 / 2e-7;
    CHECK(std::abs(along + 2 * g * std::sin(slope)) < known);
    CHECK(std::abs(up - 2 * g * std::cos(slope)) < 1e-5);
  }
}

TEST_CASE("sticking contacts: rigid feet that rest on a slope below the cone do not creep") {
  // From whatever height they came: between 1 s and 100 s.
  constexpr int kSlopes = 6;
  for (int i = 0; i < kSlopes; ++i) {
    const double mu = 0.2 + 0.2 * i, slope = (0.3 + 0.12 * i) * std::atan(mu),
                 drop = 1e-3 * (i % 2);
    CAPTURE(mu);
    CAPTURE(slope);
    std::string feet, links;
    for (int k = 1; k <= 4; ++k) {
      feet += fmt::format(
          "  o{0}: {{type: FixedTranslation, r: [{1}, -0.09, {2}]}}\n  h{0}: {{type: "
          "Contact.SpherePlane, "
          "radius: 0.01, n: [0, 1, 0], mu: {3}, rigid: true, restitution: 0.3, stick: true}}\n",
          k, k % 2 == 0 ? 0.2 : -0.2, k > 2 ? 0.2 : -0.2, mu);
      links += fmt::format(
          "[box.frame_a, o{0}.frame_a], [o{0}.frame_b, h{0}.frame_b], [world.frame_b, "
          "h{0}.frame_a], ",
          k);
    }
    const ModelRun r = stickRun(
        fmt::format("g: 9.81, n: [{}, {}, 0]", std::sin(slope), -std::cos(slope)),
        fmt::format(
            "  box: {{type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.02, I_22: 0.03, I_33: 0.02, r_0: "
            "{{start: [0, {}, 0], fixed: true}}, v_0: {{fixed: true}}, angles_fixed: true, "
            "w_0_fixed: true}}\n",
            0.1 + drop) +
            feet,
        links, "stop: 100, interval: 1", {"box.r_0"});
    for (const char* x : {"box.r_0[1]", "box.r_0[2]", "box.r_0[3]"})
      CHECK(std::abs(r.last(x) - r.at(1, x)) < 1e-9);
  }
}

TEST_CASE("sticking contacts: a box that falls on its feet, turning, never stops the run") {
  for (int i = 0; i < 8; ++i) {
    CAPTURE(i);
    // Poses, speeds and laws that differ, by fractions of multiples of irrational numbers.
    const auto any = [i](double by, double from, double to) {
      return from + (to - from) * std::fmod((i + 1) * by, 1.0);
    };
    const double mu = any(0.7548776662, 0, 1.5), e = any(0.5698402910, 0.05, 1);
    const ModelRun r = stickRun(
        "g: 9.81",
        footedBox(
            fmt::format("r_0: {{start: [0, 0.4, 0], fixed: true}}, v_0: {{start: [{}, 0, 0.1], "
                        "fixed: true}}, angles_fixed: true, angles_start: [{}, {}, {}], "
                        "w_0_fixed: true, w_0_start: [0, 0, {}]",
                        any(0.8191725134, -1, 1), any(0.6710436067, -0.6, 0.6),
                        any(0.5497004779, -0.6, 0.6), any(0.4503046882, -0.6, 0.6),
                        any(0.3247179572, -2, 2)),
            mu, e),
        footedConnections(), "stop: 1, interval: 0.01", {"totalEnergy"});
    double low = r["totalEnergy"].front();
    for (const double energy : r["totalEnergy"]) {
      // What the bristles store, at most mu f_n z_s/2 each, comes back.
      CHECK(energy < low + 1e-3);
      low = std::min(low, energy);
    }
  }
}

namespace {

struct Walker {
  std::string r_0, v_0, angles;       // of the trunk
  double hip, knee, c, d, e, mu;      // [rad], [N.m/rad], [N.m.s/rad], [1]
  std::vector<double> kneeFrictions;  // [N.m]
};

/// A trunk on four legs of two links; springs in hips and knees, friction and stops in the knees.
std::string walkerModel(const Walker& w) {
  return fmt::format(R"(world: {{g: 9.81}}
parameters: {{corners: [[0.05, -0.05, 0.1], [0.05, -0.05, -0.1], [0.45, -0.05, 0.1], [0.45, -0.05, -0.1]], rub: {}}}
components:
  trunk: {{type: BodyBox, r: [0.5, 0, 0], width: 0.2, height: 0.1, density: 400, r_0: {{start: {}, fixed: true}},
          v_0: {{start: {}, fixed: true}}, angles_fixed: true, angles_start: {}, w_0_fixed: true}}
  at: {{type: FixedTranslation, count: 4, r: "corners[i]"}}
  hip: {{type: Revolute, count: 4, useAxisFlange: true, phi: {{start: {}, fixed: true}}, w: {{fixed: true}}}}
  hipSpring: {{type: Rotational.SpringDamper, count: 4, c: {}, d: {}, phi_rel0: {}}}
  thigh: {{type: BodyCylinder, count: 4, r: [0, -0.25, 0], diameter: 0.04, density: 1000}}
  knee: {{type: Revolute, count: 4, useAxisFlange: true, phi: {{start: {}, fixed: true}}, w: {{fixed: true}}}}
  kneeSpring: {{type: Rotational.SpringDamper, count: 4, c: {}, d: {}, phi_rel0: {}}}
  friction: {{type: Rotational.BearingFriction, count: 4, useSupport: true, tau_pos: [[0, "rub[i]"]]}}
  stop: {{type: Rotational.ElastoBacklash, count: 4, c: {}, d: {}, b: 0.6, phi_rel0: {}}}
  shank: {{type: BodyCylinder, count: 4, r: [0, -0.25, 0], diameter: 0.04, density: 1000}}
  foot: {{type: Contact.SpherePlane, count: 4, radius: 0.03, restitution: {}, mu: {}, rigid: true, stick: true}}
connections:
  - {{for: "i in 1:4", connect: [[trunk.frame_a, "at[i].frame_a"], ["at[i].frame_b", "hip[i].frame_a"],
      ["hip[i].frame_b", "thigh[i].frame_a"], ["thigh[i].frame_b", "knee[i].frame_a"],
      ["knee[i].frame_b", "shank[i].frame_a"], ["shank[i].frame_b", "foot[i].frame_b"],
      [world.frame_b, "foot[i].frame_a"],
      ["hip[i].support", "hipSpring[i].flange_a"], ["hipSpring[i].flange_b", "hip[i].axis"],
      ["knee[i].support", "kneeSpring[i].flange_a"], ["kneeSpring[i].flange_b", "knee[i].axis"],
      ["knee[i].support", "friction[i].support"], ["friction[i].flange_a", "knee[i].axis"],
      ["knee[i].support", "stop[i].flange_a"], ["stop[i].flange_b", "knee[i].axis"]]}}
simulation: {{stop: 1.5, interval: 0.01}}
)",
                     fmt::format("[{}]", fmt::join(w.kneeFrictions, ", ")), w.r_0, w.v_0, w.angles,
                     w.hip, w.c, w.d, w.hip, w.knee, w.c, w.d, w.knee, 10 * w.c, w.d, w.knee, w.e,
                     w.mu);
}

}  // namespace

TEST_CASE(
    "rigid contacts: a walker whose knees rub falls on its feet, in events that come to an end") {
  const Walker falls[] = {
      {"[0, 0.9437, 0]",
       "[-0.3355, 0.361, 0.6838]",
       "[-0.4368, -0.3833, -0.3499]",
       0.8611,
       -1.7222,
       20.96,
       0.01081,
       0.3323,
       0.0809,
       {0.3983, 0.3759, 0.1652, 0.1539}},
      {"[0, 1.1763, 0]",
       "[0.2505, -0.5632, -0.0517]",
       "[0.3952, -0.2626, 0.3106]",
       -0.1299,
       0.2598,
       15.02,
       0.01665,
       0.0876,
       0.6792,
       {0.1995, 0.1687, 0.2638, 0.1691}},
      {"[0, 1.2449, 0]",
       "[0.7553, -0.1902, -0.5975]",
       "[-0.4615, -0.4236, 0.2956]",
       -0.3381,
       0.6762,
       23.19,
       1.421,
       0.1964,
       0.0977,
       {0.1641, 0.4363, 0.3525, 0.4527}},
  };
  for (const Walker& w : falls) {
    CAPTURE(w.r_0);
    const ModelRun run = runModel(walkerModel(w), {.outputs = {"totalEnergy", "foot[*].depth"}});
    CHECK(run.report.events < 2000);
    double least = run.first("totalEnergy");
    for (const double E : run["totalEnergy"]) {
      CHECK(E <= least + 1e-6);
      least = std::min(least, E);
    }
    for (int i = 1; i <= 4; ++i) {
      for (const double depth : run[fmt::format("foot[{}].depth", i)]) CHECK(depth < 1e-6);
    }
  }
}

TEST_CASE(
    "rigid contacts: where events crowd, steps of first order lead over them, told, and saved bit "
    "for bit") {
  const Walker rattles{"[0, 0.8082, 0]",
                       "[0.6044, -0.8601, 0.2125]",
                       "[-0.0059, -0.0889, 0.2654]",
                       -0.5611,
                       1.1223,
                       10.63,
                       0.1179,
                       0.1782,
                       1.1510,
                       {0.3049, 0.4909, 0.0166, 0.0272}};
  const std::string text = walkerModel(rattles);
  const ModelRun whole = runModel(text, {.outputs = {"totalEnergy", "foot[*].depth"}});
  CHECK(whole.report.events < 3000);
  CHECK(whole.report.contactViolations > 0);
  double least = whole.first("totalEnergy");
  for (const double E : whole["totalEnergy"]) {
    CHECK(E <= least + 1e-6);
    least = std::min(least, E);
  }
  for (int i = 1; i <= 4; ++i) {
    for (const double depth : whole[fmt::format("foot[{}].depth", i)]) CHECK(depth < 1e-5);
  }
  const std::vector<MethodChange>& methods = whole.report.methods;
  REQUIRE(methods.size() >= 3);
  CHECK(methods[0].method == "ida");
  CHECK(methods[1].method == "stepping");
  CHECK(methods[2].method == "ida");

  const double inside = 0.5 * (methods[1].time + methods[2].time), behind = methods[2].time + 0.01;
  Simulation one = Simulation::fromText(catalogue(), text);
  one.start({});
  one.advance(inside);
  const auto saved = one.save();
  one.advance(behind);
  Simulation other = one.another();
  other.start({});
  other.restore(saved);
  other.advance(behind);
  CHECK(other.y() == one.y());
  CHECK(other.report().integrator.steps == one.report().integrator.steps);

  // Also from behind a bridge into the next one.
  REQUIRE(methods.size() >= 5);
  Simulation later = one.another();
  later.start({});
  later.restore(one.save());
  for (Simulation* s : {&one, &later}) s->advance(methods[4].time + 0.01);
  CHECK(later.y() == one.y());

  CHECK_THROWS_WITH_AS(runModel(text, {.strict = true}),
                       doctest::Contains("50 events of contact and friction within"), SolverError);
}

TEST_CASE("rigid contacts: a linkage with balls on its joints falls to rest, whatever its modes") {
  // Stopped at 0.984 s ("the equations of the step find no solution"), right behind an event.
  const std::string text = R"YAML(
model: Drop
world: {g: 9.81, n: [0, -1, 0]}
components:
  b: {type: Body, m: 0.5, r_CM: [0, 0, 0], I_11: 0.002, I_22: 0.002, I_33: 0.002, r_0: {start: [0, 0.9, 0], fixed: true}, v_0: {start: [0.2997, 0.9866, -0.368], fixed: true}, angles_fixed: true, angles_start: [-1.204, 2.6074, 0.4747], w_0_fixed: true, w_0_start: [-0.6091, 1.8504, 1.1876]}
  j1: {type: Revolute, n: [0, 0, 1], phi: {start: 0.8022, fixed: true}, w: {start: 2.7355, fixed: true}}
  k1: {type: BodyCylinder, r: [0.3, 0, 0], diameter: 0.03, density: 1459}
  j2: {type: Revolute, n: [0, 0, 1], phi: {start: -0.8022}}
  k2: {type: BodyCylinder, r: [0.45, 0, 0], diameter: 0.03, density: 6248}
  at: {type: FixedTranslation, r: [0.4, 0, 0]}
  j4: {type: Revolute, n: [0, 0, 1], phi: {start: 0.8022}}
  k3: {type: BodyCylinder, r: [0.28, 0, 0], diameter: 0.03, density: 5594}
  j3: {type: RevolutePlanarLoopConstraint, n: [0, 0, 1]}
  h0: {type: Contact.SpherePlane, radius: 0.02, n: [0, 1, 0], restitution: 0.3954, mu: 0.6833, rigid: true, stick: true}
  h1: {type: Contact.SpherePlane, radius: 0.02, n: [0, 1, 0], restitution: 0.3954, mu: 0.6833, rigid: true, stick: true}
  h2: {type: Contact.SpherePlane, radius: 0.02, n: [0, 1, 0], restitution: 0.3954, mu: 0.6833, rigid: true, stick: true}
  h3: {type: Contact.SpherePlane, radius: 0.02, n: [0, 1, 0], restitution: 0.3954, mu: 0.6833, rigid: true, stick: true}
connections:
  - [b.frame_a, j1.frame_a]
  - [j1.frame_b, k1.frame_a]
  - [k1.frame_b, j2.frame_a]
  - [j2.frame_b, k2.frame_a]
  - [b.frame_a, at.frame_a]
  - [at.frame_b, j4.frame_a]
  - [j4.frame_b, k3.frame_a]
  - [k3.frame_b, j3.frame_a]
  - [k2.frame_b, j3.frame_b]
  - [b.frame_a, h0.frame_b]
  - [world.frame_b, h0.frame_a]
  - [k1.frame_b, h1.frame_b]
  - [world.frame_b, h1.frame_a]
  - [k2.frame_b, h2.frame_b]
  - [world.frame_b, h2.frame_a]
  - [at.frame_b, h3.frame_b]
  - [world.frame_b, h3.frame_a]
simulation: {stop: 1, interval: 0.01}
outputs: [totalEnergy, "h*.depth", contactViolation]
)YAML";
  const ModelRun run = runModel(text);
  CHECK(run.report.stopTime == 1);
  double least = run.first("totalEnergy");
  for (const double E : run["totalEnergy"]) {
    CHECK(E <= least + 1e-4);
    least = std::min(least, E);
  }
  for (int i = 0; i < 4; ++i) {
    for (const double depth : run[fmt::format("h{}.depth", i)]) CHECK(depth < 1e-5);
  }
}
