// Rigid contacts whose motion joints guide: what no force moves, what jams, what is stuck on a joint.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kGuidedTolerance = 1e-9;

test::ModelRun guidedRun(const std::string& model, double stop, const std::string& method,
                         const std::string& outputs) {
  return test::runModel(
      fmt::format("{}simulation: {{stop: {}, interval: {}, tolerance: {}, integrator: {}}}\n"
                  "outputs: [{}]\n",
                  model, stop, stop / 100, kGuidedTolerance, method, outputs));
}

/// A ball of 1 kg on a rail along (cos a, sin a), whose lowest point is `gap` above the plane across n.
std::string onRail(double a, const std::string& n, double gap, const std::string& contact) {
  return fmt::format(
      "world: {{n: [0, -1, 0], g: 10}}\n"
      "parameters: {{n: {}}}\n"
      "components:\n"
      "  rail: {{type: Prismatic, n: [{:.17g}, {:.17g}, 0], s: {{fixed: true}}, v: {{start: 1, "
      "fixed: true}}}}\n"
      "  ball: {{type: Body, m: 1, r_CM: [0, 0, 0]}}\n"
      "  down: {{type: FixedTranslation, r: \"-{} * n\"}}\n"
      "  plane: {{type: Contact.SpherePlane, radius: 0.1, n: n, rigid: true, {}}}\n"
      "connections:\n"
      "  - [world.frame_b, rail.frame_a]\n"
      "  - [rail.frame_b, ball.frame_a]\n"
      "  - [rail.frame_b, plane.frame_b]\n"
      "  - [world.frame_b, down.frame_a]\n"
      "  - [down.frame_b, plane.frame_a]\n",
      n, std::cos(a), std::sin(a), 0.1 + gap, contact);
}

}  // namespace

TEST_CASE("rigid contact: what a rail holds off a plane slides along it without a force") {
  for (const double a : {0.0, 0.3, 0.7, 1.1, 1.3}) {
    const std::string n = fmt::format("[{:.17g}, {:.17g}, 0]", -std::sin(a), std::cos(a));
    for (const char* method : {"ida", "explicit", "automatic"}) {
      for (const char* law : {"restitution: 0.5", "restitution: 0.5, mu: 0.3, stick: true"}) {
        CAPTURE(a);
        CAPTURE(method);
        CAPTURE(law);
        const test::ModelRun run =
            guidedRun(onRail(a, n, 0, law), 0.2, method, "rail.s, rail.v, plane.f_n");
        CHECK(run.last("rail.v") == doctest::Approx(1 - 10 * std::sin(a) * 0.2).epsilon(1e-8));
        for (const double f : run["plane.f_n"]) CHECK(f == 0);
      }
    }
  }
}

TEST_CASE("rigid impact: a ball on a rail bounces off a plane, or jams by its friction") {
  // The rail goes into the plane by 0.2 in 1: friction of more than that holds against any push.
  const double a = -std::atan(0.2), g = -10 * std::sin(a), e = 0.5;
  const double s = 0.05 / -std::sin(a), v = std::sqrt(1 + 2 * g * s);
  for (const char* method : {"ida", "automatic"}) {
    for (const double mu : {0.0, 0.1, 0.25, 0.3, 0.8}) {
      CAPTURE(method);
      CAPTURE(mu);
      const test::ModelRun run =
          guidedRun(onRail(a, "[0, 1, 0]", 0.05,
                           fmt::format("restitution: {}, mu: {}, stick: {}", e, mu, mu > 0)),
                    0.6, method, "rail.s, rail.v, totalEnergy");
      const std::vector<EventRecord>& events = run.report.eventRecords;
      REQUIRE(!events.empty());
      CHECK(events.front().time == doctest::Approx((v - 1) / g).epsilon(1e-7));
      const std::vector<double> speed = run["rail.v"], at = run["rail.s"],
                                energy = run["totalEnergy"];
      if (mu <= 0.1) {
        CHECK(*std::ranges::min_element(speed) == doctest::Approx(-e * v).epsilon(1e-6));
      } else {
        CHECK(std::abs(speed.back()) < 1e-6);
        CHECK(at.back() == doctest::Approx(s).epsilon(1e-6));
        CHECK(*std::ranges::min_element(speed) > -1e-6);
      }
      for (size_t i = 1; i < energy.size(); ++i) CHECK(energy[i] < energy[i - 1] + 1e-6);
    }
  }
}

TEST_CASE("sticking contact: a pendulum on a ball joint comes to rest on the floor") {
  // The end may go along a circle on the floor alone: two motions, of which the contact holds three.
  const std::string model =
      "world: {n: [0, -1, 0], g: 9.81}\n"
      "components:\n"
      "  up: {type: FixedTranslation, r: [0, 0.56, 0]}\n"
      "  pivot: {type: Spherical, angles_start: [0.5, 0, 0.3], angles_fixed: true, "
      "w_rel_a_fixed: true, w_rel_a_start: [0, 1, 0.5]}\n"
      "  rod: {type: Body, m: 1, r_CM: [0, -0.5, 0], I_11: 0.01, I_22: 0.01, I_33: 0.01}\n"
      "  end: {type: FixedTranslation, r: [0, -0.5, 0]}\n"
      "  touch: {type: Contact.SpherePlane, radius: 0.1, rigid: true, stick: true, mu: 0.3, "
      "restitution: 0.3}\n"
      "connections:\n"
      "  - [world.frame_b, up.frame_a]\n"
      "  - [up.frame_b, pivot.frame_a]\n"
      "  - [pivot.frame_b, rod.frame_a]\n"
      "  - [pivot.frame_b, end.frame_a]\n"
      "  - [end.frame_b, touch.frame_b]\n"
      "  - [world.frame_b, touch.frame_a]\n";
  for (const char* method : {"ida", "explicit", "automatic"}) {
    CAPTURE(method);
    const test::ModelRun run = guidedRun(
        model, 3, method, "totalEnergy, touch.v_slip, touch.depth, touch.stuck, contactViolation");
    const std::vector<double> energy = run["totalEnergy"];
    for (size_t i = 1; i < energy.size(); ++i) CHECK(energy[i] < energy[i - 1] + 1e-6);
    CHECK(run.last("touch.stuck") == 1);
    CHECK(run.last("touch.v_slip") < 1e-7);
    CHECK(std::abs(run.last("touch.depth")) < 1e-6);
    CHECK(*std::ranges::max_element(run["contactViolation"]) == 0);
  }
}

TEST_CASE(
    "sticking contact: pendulums on ball joints roll on the floor with friction that is definite") {
  // Joints hold the end along the line to the pivot: friction has no share there, whatever is left of slips.
  for (int i = 1; i <= 15; ++i) {
    const auto any = [i](double by, double from, double to) {
      return from + (to - from) * std::fmod(i * by, 1.0);
    };
    const std::string model = fmt::format(
        "world: {{n: [0, -1, 0], g: 9.81}}\n"
        "components:\n"
        "  up: {{type: FixedTranslation, r: [0, {}, 0]}}\n"
        "  pivot: {{type: Spherical, angles_start: [{}, {}, {}], angles_fixed: true, "
        "w_rel_a_fixed: true, w_rel_a_start: [{}, {}, {}]}}\n"
        "  rod: {{type: Body, m: 1, r_CM: [0, -0.5, 0], I_11: {}, I_22: 0.01, I_33: 0.01}}\n"
        "  end: {{type: FixedTranslation, r: [0, -0.5, 0]}}\n"
        "  touch: {{type: Contact.SpherePlane, radius: 0.1, rigid: true, stick: true, mu: {}, "
        "restitution: 0}}\n"
        "connections:\n"
        "  - [world.frame_b, up.frame_a]\n"
        "  - [up.frame_b, pivot.frame_a]\n"
        "  - [pivot.frame_b, rod.frame_a]\n"
        "  - [pivot.frame_b, end.frame_a]\n"
        "  - [end.frame_b, touch.frame_b]\n"
        "  - [world.frame_b, touch.frame_a]\n"
        "simulation: {{stop: 3, interval: 0.03}}\n"
        "outputs: [totalEnergy, touch.stuck, touch.f_friction, touch.f_n]\n",
        any(0.7548776662, 0.5, 0.59), any(0.5698402910, 0.6, 1.1), any(0.8191725134, -1, 1),
        any(0.6710436067, -0.3, 0.3), any(0.5497004779, -2, 2), any(0.4503046882, -3, 3),
        any(0.3247179572, -2, 2), any(0.4301597090, 0.002, 0.02), any(0.2207440846, 0.2, 0.5));
    for (const IntegratorChoice method :
         {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
      CAPTURE(i);
      CAPTURE(word(method));
      const test::ModelRun run = test::runModel(model, {.integrator = method});
      for (const std::string& w : run.report.warnings) {
        CAPTURE(w);
        CHECK(w.find("no modes were found") == std::string::npos);
        CHECK(w.find("no step can be made") == std::string::npos);
        CHECK(w.find("50 events") == std::string::npos);
      }
      double least = run.first("totalEnergy");
      for (const double E : run["totalEnergy"]) {
        CHECK(E < least + 2e-5);
        least = std::min(least, E);
      }
      for (size_t k = 0; k < run.rows.time().size(); ++k)
        CHECK(run["touch.f_friction"][k] <= 0.5 * run["touch.f_n"][k] + 1e-6);
    }
  }
}

TEST_CASE("sticking contact: a chain that lies down does not rattle between two ways to slip") {
  // Four rods on hinges with balls at their ends: where one of these lets go the others' normal forces change, and
  // it slides another way than it was held. Asked one by one it stuck and slipped 1400 times in a hundredth of a
  // second; and an impact had velocities that did not quite fit.
  const std::string model = R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
parameters: {start: START}
components:
  b: {type: Body, m: 0.5, r_CM: [0, 0, 0], I_11: 0.002, I_22: 0.002, I_33: 0.002, r_0: {start: [0, 0.9, 0], fixed: true}, v_0: {start: [-0.0763, -0.5109, 0.355], fixed: true}, angles_fixed: true, angles_start: [-0.032, 1.3038, -1.7061], w_0_fixed: true, w_0_start: [0.0141, -1.587, 0.8425]}
  h: {type: Contact.SpherePlane, radius: 0.02, n: [0, 1, 0], restitution: 0.5465, mu: 1.1216, rigid: true, stick: true}
  j0: {type: Revolute, n: [1, 0, 0], phi: {start: "-0.3587 + start*1e-6", fixed: true}, w: {start: 0.3336, fixed: true}}
  k0: {type: BodyCylinder, r: [0.15, 0, 0], diameter: 0.03, density: 2032}
  h0: {type: Contact.SpherePlane, radius: 0.02, n: [0, 1, 0], restitution: 0.5465, mu: 1.1216, rigid: true, stick: true}
  j1: {type: Revolute, n: [0, 0, 1], phi: {start: -0.3676, fixed: true}, w: {start: -1.1056, fixed: true}}
  k1: {type: BodyCylinder, r: [0.15, 0, 0], diameter: 0.03, density: 6894}
  h1: {type: Contact.SpherePlane, radius: 0.02, n: [0, 1, 0], restitution: 0.5465, mu: 1.1216, rigid: true, stick: true}
  j2: {type: Revolute, n: [1, 0, 0], phi: {start: -1.3158, fixed: true}, w: {start: 1.5136, fixed: true}}
  k2: {type: BodyCylinder, r: [0.15, 0, 0], diameter: 0.03, density: 1721}
  h2: {type: Contact.SpherePlane, radius: 0.02, n: [0, 1, 0], restitution: 0.5465, mu: 1.1216, rigid: true, stick: true}
  j3: {type: Revolute, n: [1, 0, 0], phi: {start: -1.2478, fixed: true}, w: {start: 0.0296, fixed: true}}
  k3: {type: BodyCylinder, r: [0.15, 0, 0], diameter: 0.03, density: 6709}
  h3: {type: Contact.SpherePlane, radius: 0.02, n: [0, 1, 0], restitution: 0.5465, mu: 1.1216, rigid: true, stick: true}
connections:
  - [b.frame_a, h.frame_b]
  - [world.frame_b, h.frame_a]
  - [b.frame_a, j0.frame_a]
  - [j0.frame_b, k0.frame_a]
  - [k0.frame_b, h0.frame_b]
  - [world.frame_b, h0.frame_a]
  - [k0.frame_b, j1.frame_a]
  - [j1.frame_b, k1.frame_a]
  - [k1.frame_b, h1.frame_b]
  - [world.frame_b, h1.frame_a]
  - [k1.frame_b, j2.frame_a]
  - [j2.frame_b, k2.frame_a]
  - [k2.frame_b, h2.frame_b]
  - [world.frame_b, h2.frame_a]
  - [k2.frame_b, j3.frame_a]
  - [j3.frame_b, k3.frame_a]
  - [k3.frame_b, h3.frame_b]
  - [world.frame_b, h3.frame_a]
simulation: {stop: 1.5, interval: 0.01}
outputs: [totalEnergy, "h*.depth", "h*.f_n"]
)yaml";
  // Each micron makes another fall of it; one in four has a crowd of events.
  int quiet = 0;
  for (int start = 0; start < 5; ++start) {
    std::string text = model;
    text.replace(text.find("START"), 5, std::to_string(start));
    const test::ModelRun run = test::runModel(text);
    CHECK(run.report.stopTime == 1.5);
    CHECK(run.report.events < 700);
    quiet += run.report.contactViolations <= 1 ? 1 : 0;
    const std::vector<double>& E = run["totalEnergy"];
    for (size_t i = 1; i < E.size(); ++i) CHECK(E[i] < E[i - 1] + 1e-5);
  }
  CHECK(quiet >= 3);
}

TEST_CASE(
    "rigid contact: balls on a rail along any direction that rub do not pass through each other") {
  std::mt19937 random(7);
  const auto number = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  for (int draw = 0; draw < 40; ++draw) {
    const char* method = draw % 3 == 0 ? "ida" : draw % 3 == 1 ? "explicit" : "automatic";
    const int balls = 2 + draw % 3;
    std::string components =
        fmt::format("  tilt: {{type: FixedRotation, n: [{:.4f}, {:.4f}, {:.4f}], angle: {:.2f}}}\n",
                    number(-1, 1), number(-1, 1), number(0.1, 1), number(-90, 90));
    std::string links = "  - [world.frame_b, tilt.frame_a]\n", outputs = "totalEnergy";
    double s = 0;
    const bool isStacked = draw % 4 < 2;  // each rail on the ball before
    for (int i = 0; i < balls; ++i) {
      s = (isStacked ? 0 : s) + number(0.11, 0.4);
      components += fmt::format(
          "  g{0}: {{type: Prismatic, n: n, s: {{start: {1:.4f}, fixed: true}}, v: {{start: "
          "{2:.4f}, "
          "fixed: true}}}}\n  b{0}: {{type: Body, m: {3:.4g}, r_CM: [{4:.4f}, 0, 0], I_33: "
          "0.01}}\n",
          i, s, number(-2, 2), std::pow(10, number(-1, 1)), number(0, 0.05));
      links += fmt::format("  - [{}.frame_b, g{}.frame_a]\n  - [g{}.frame_b, b{}.frame_a]\n",
                           isStacked && i > 0 ? fmt::format("g{}", i - 1) : "tilt", i, i, i);
      if (i == 0) continue;
      components += fmt::format(
          "  h{0}: {{type: Contact.SphereSphere, radius_a: 0.05, radius_b: 0.05, rigid: true, "
          "restitution: {1:.3f}, mu: {2:.3f}{3}}}\n",
          i, number(0, 1), number(0.1, 1.2), draw % 2 == 0 ? ", stick: true" : "");
      links += fmt::format("  - [g{}.frame_b, h{}.frame_a]\n  - [g{}.frame_b, h{}.frame_b]\n",
                           i - 1, i, i, i);
      outputs += fmt::format(", h{}.depth", i);
    }
    const std::string model = fmt::format(
        "world: {{g: 9.81, n: [0, -1, 0]}}\nparameters: {{n: [{:.3f}, {:.3f}, {:.3f}]}}\n"
        "components:\n{}connections:\n{}",
        number(-1, 1), number(0.1, 1), number(-1, 1), components, links);
    CAPTURE(model);
    CAPTURE(method);
    const test::ModelRun run = guidedRun(model, 1.2, method, outputs);
    const std::vector<double>& energy = run["totalEnergy"];
    double scale = 1;
    for (const double e : energy) scale = std::max(scale, std::abs(e));
    for (size_t k = 1; k < energy.size(); ++k)
      CHECK(energy[k] - energy[k - 1] < 1e3 * kGuidedTolerance * scale);
    for (int i = 1; i < balls; ++i) {
      const std::vector<double>& depth = run[fmt::format("h{}.depth", i)];
      CHECK(*std::ranges::max_element(depth) < 1e3 * kGuidedTolerance);
    }
  }
}

TEST_CASE("rigid contacts: what no step leads on from is led over, whatever event came last") {
  // Balls that fall between two walls and stick to each other. They jam where an event has changed nothing.
  const test::ModelRun run = test::runModel(R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  pb0: {type: Planar, n: [0,0,1], s_x: {start: -0.00076, fixed: true}, v_x: {start: 0.00000, fixed: true}, s_y: {start: 0.05100, fixed: true}, v_y: {start: 0.00000, fixed: true}, phi: {start: 0.00000, fixed: true}, w: {start: 0.00000, fixed: true}}
  b0: {type: Body, m: 1.9416, r_CM: [0,0,0], I_33: 0.001}
  h0: {type: Contact.SpherePlane, radius: 0.05, n: [0,1,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  pb1: {type: Planar, n: [0,0,1], s_x: {start: -0.00090, fixed: true}, v_x: {start: 0.00000, fixed: true}, s_y: {start: 0.15300, fixed: true}, v_y: {start: 0.00000, fixed: true}, phi: {start: 0.00000, fixed: true}, w: {start: -0.00000, fixed: true}}
  b1: {type: Body, m: 1.0052, r_CM: [0,0,0], I_33: 0.001}
  h1: {type: Contact.SpherePlane, radius: 0.05, n: [0,1,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  s10: {type: Contact.SphereSphere, radius_a: 0.05, radius_b: 0.05, restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  pb2: {type: Planar, n: [0,0,1], s_x: {start: -0.00055, fixed: true}, v_x: {start: 0.00000, fixed: true}, s_y: {start: 0.25500, fixed: true}, v_y: {start: 0.00000, fixed: true}, phi: {start: 0.00000, fixed: true}, w: {start: -0.00000, fixed: true}}
  b2: {type: Body, m: 0.52888, r_CM: [0,0,0], I_33: 0.001}
  h2: {type: Contact.SpherePlane, radius: 0.05, n: [0,1,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  s20: {type: Contact.SphereSphere, radius_a: 0.05, radius_b: 0.05, restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  s21: {type: Contact.SphereSphere, radius_a: 0.05, radius_b: 0.05, restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  pb3: {type: Planar, n: [0,0,1], s_x: {start: 0.00017, fixed: true}, v_x: {start: 0.00000, fixed: true}, s_y: {start: 0.35700, fixed: true}, v_y: {start: 0.00000, fixed: true}, phi: {start: 0.00000, fixed: true}, w: {start: -0.00000, fixed: true}}
  b3: {type: Body, m: 1.5242, r_CM: [0,0,0], I_33: 0.001}
  h3: {type: Contact.SpherePlane, radius: 0.05, n: [0,1,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  s30: {type: Contact.SphereSphere, radius_a: 0.05, radius_b: 0.05, restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  s31: {type: Contact.SphereSphere, radius_a: 0.05, radius_b: 0.05, restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  s32: {type: Contact.SphereSphere, radius_a: 0.05, radius_b: 0.05, restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  w: {type: FixedTranslation, r: [-0.12,0,0]}
  w2: {type: FixedTranslation, r: [0.12,0,0]}
  a0: {type: Contact.SpherePlane, radius: 0.05, n: [1,0,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  c0: {type: Contact.SpherePlane, radius: 0.05, n: [-1,0,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  a1: {type: Contact.SpherePlane, radius: 0.05, n: [1,0,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  c1: {type: Contact.SpherePlane, radius: 0.05, n: [-1,0,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  a2: {type: Contact.SpherePlane, radius: 0.05, n: [1,0,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  c2: {type: Contact.SpherePlane, radius: 0.05, n: [-1,0,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  a3: {type: Contact.SpherePlane, radius: 0.05, n: [1,0,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
  c3: {type: Contact.SpherePlane, radius: 0.05, n: [-1,0,0], restitution: 0.7000, mu: 0.8000, rigid: true, stick: true}
connections:
  - [world.frame_b, pb0.frame_a]
  - [pb0.frame_b, b0.frame_a]
  - [b0.frame_a, h0.frame_b]
  - [world.frame_b, h0.frame_a]
  - [world.frame_b, pb1.frame_a]
  - [pb1.frame_b, b1.frame_a]
  - [b1.frame_a, h1.frame_b]
  - [world.frame_b, h1.frame_a]
  - [b0.frame_a, s10.frame_a]
  - [b1.frame_a, s10.frame_b]
  - [world.frame_b, pb2.frame_a]
  - [pb2.frame_b, b2.frame_a]
  - [b2.frame_a, h2.frame_b]
  - [world.frame_b, h2.frame_a]
  - [b0.frame_a, s20.frame_a]
  - [b2.frame_a, s20.frame_b]
  - [b1.frame_a, s21.frame_a]
  - [b2.frame_a, s21.frame_b]
  - [world.frame_b, pb3.frame_a]
  - [pb3.frame_b, b3.frame_a]
  - [b3.frame_a, h3.frame_b]
  - [world.frame_b, h3.frame_a]
  - [b0.frame_a, s30.frame_a]
  - [b3.frame_a, s30.frame_b]
  - [b1.frame_a, s31.frame_a]
  - [b3.frame_a, s31.frame_b]
  - [b2.frame_a, s32.frame_a]
  - [b3.frame_a, s32.frame_b]
  - [world.frame_b, w.frame_a]
  - [world.frame_b, w2.frame_a]
  - [b0.frame_a, a0.frame_b]
  - [w.frame_b, a0.frame_a]
  - [b0.frame_a, c0.frame_b]
  - [w2.frame_b, c0.frame_a]
  - [b1.frame_a, a1.frame_b]
  - [w.frame_b, a1.frame_a]
  - [b1.frame_a, c1.frame_b]
  - [w2.frame_b, c1.frame_a]
  - [b2.frame_a, a2.frame_b]
  - [w.frame_b, a2.frame_a]
  - [b2.frame_a, c2.frame_b]
  - [w2.frame_b, c2.frame_a]
  - [b3.frame_a, a3.frame_b]
  - [w.frame_b, a3.frame_a]
  - [b3.frame_a, c3.frame_b]
  - [w2.frame_b, c3.frame_a]
simulation: {stop: 1.2, interval: 0.008}
outputs: [totalEnergy, "**.depth"]
)yaml");
  CHECK(run.report.stopTime == 1.2);
  CHECK(run.report.contactViolations > 0);
  const std::vector<double>& E = run["totalEnergy"];
  for (size_t i = 1; i < E.size(); ++i) CHECK(E[i] < E[i - 1] + 1e-6);
  for (const char* depth : {"h0.depth", "s10.depth", "s32.depth", "a1.depth", "c3.depth"}) {
    for (const double d : run[depth]) CHECK(d < 1e-5);
  }
}
