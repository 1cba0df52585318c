// Contact against closed forms, conservation laws, another program and an independent integration.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine/integration/solver_error.h"
#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {

constexpr double kContactGravity = 9.81;

double most(const ModelRun& r, const std::string& name) {
  return *std::ranges::max_element(r[name]);
}

/// `world`: inside of world: {...}; `settings`: of the simulation.
ModelRun contactRun(const std::string& world, const std::string& components,
                    const std::string& connections, const std::string& settings,
                    const std::vector<std::string>& outputs = {}) {
  const std::string text = "world: {" + world + "}\ncomponents:\n" + components + "connections: [" +
                           connections + "]\nsimulation: {" + settings + "}\n";
  return runModel(text, {.outputs = outputs});
}

const std::string kNoGravity = "gravityType: NoGravity";
const std::string kOnGround = "[world.frame_b, c.frame_a], [c.frame_b, ball.frame_a]";

/// A homogeneous ball of 0.4 kg and radius 0.05 m; `more`: its other start values.
std::string ball(const Vector3d& r, const Vector3d& v, const std::string& name = "ball",
                 const std::string& w = "0, 0, 0") {
  return fmt::format(
      "  {}: {{type: Body, m: 0.4, r_CM: [0, 0, 0], I_11: 4e-4, I_22: 4e-4, I_33: 4e-4, r_0: "
      "{{start: [{}, {}, {}], fixed: true}}, v_0: {{start: [{}, {}, {}], fixed: true}}, "
      "angles_fixed: true, w_0_fixed: true, w_0_start: [{}]}}\n",
      name, r[0], r[1], r[2], v[0], v[1], v[2], w);
}

/// A ball that hits the ground at the speed v, without gravity, and leaves it.
ModelRun impact(double v, const std::string& law) {
  return contactRun(kNoGravity,
                    ball({0, 0.06, 0}, {0, -v, 0}) +
                        "  c: {type: Contact.SpherePlane, radius: 0.05, k: 2e6, " + law + "}\n",
                    kOnGround,
                    fmt::format("stop: {}, interval: {}, tolerance: 1e-10", 0.2 / v, 0.00001 / v),
                    {"ball.v_0", "c.depth", "c.f_n", "totalEnergy"});
}

double largestRise(const std::vector<double>& x) {
  double rise = 0, least = x.front();
  for (double value : x) {
    rise = std::max(rise, value - least);
    least = std::min(least, value);
  }
  return rise;
}

}  // namespace

TEST_CASE("SpherePlane: depth and duration of an impact are those of Hertz") {
  const double m = 0.4, k = 2e6;
  for (double v : {0.1, 1.0, 7.0}) {
    CAPTURE(v);
    const ModelRun r = impact(v, "exponent: 1.5");
    const double depth = std::pow(5 * m * v * v / (4 * k), 0.4);
    // The largest row is within a millionth of the vertex: 300 rows to the contact, and more.
    CHECK(std::abs(most(r, "c.depth") / depth - 1) < 1e-4);
    CHECK(most(r, "c.depth") < depth * (1 + 1e-8));
    REQUIRE(r.report.events == 2);
    const double duration = r.report.eventRecords[1].time - r.report.eventRecords[0].time;
    CHECK(std::abs(duration / (2.943275 * depth / v) - 1) < 1e-6);
    CHECK(std::abs(r.report.eventRecords[0].time - 0.01 / v) < 1e-9);
    CHECK(std::abs(r.last("ball.v_0[2]") / v - 1) < 1e-7);
  }
}

TEST_CASE("SpherePlane: the depth of an impact by energy, at a row of its own") {
  // At the instant of the closed form's vertex, 1.471637 depth/v after the touch.
  const double m = 0.4, k = 2e6, v = 1, depth = std::pow(5 * m * v * v / (4 * k), 0.4);
  const ModelRun r = contactRun(
      kNoGravity,
      ball({0, 0.06, 0}, {0, -v, 0}) + "  c: {type: Contact.SpherePlane, radius: 0.05, k: 2e6}\n",
      kOnGround,
      fmt::format("stop: {}, interval: 0.001, tolerance: 1e-10", 0.01 + 1.471637 * depth),
      {"c.depth"});
  CHECK(std::abs(r.last("c.depth") / depth - 1) < 1e-8);
}

TEST_CASE("SpherePlane: the restitution asked for is reached, at three speeds each") {
  for (double v : {0.05, 1.0, 6.0}) {
    for (double e : {0.95, 0.6, 0.2}) {
      CAPTURE(v);
      CAPTURE(e);
      const ModelRun r = impact(v, fmt::format("restitution: {}, v_restitution: {}", e, v));
      CHECK(std::abs(r.last("ball.v_0[2]") / v - e) < 1e-6);
      CHECK(r.report.events == 2);
      CHECK(largestRise(r["totalEnergy"]) < 1e-9 * v * v);
    }
  }
}

TEST_CASE("SpherePlane: at other speeds the restitution is that of the law's first integral") {
  // a v (1 + e) = ln((1 + a v)/(1 - e a v)), here with a = 0.8 s/m.
  for (double v : {0.3, 2.0, 8.0}) {
    const ModelRun r = impact(v, "damping: 0.8");
    const double e = r.last("ball.v_0[2]") / v, x = 0.8 * v;
    CHECK(std::abs(std::log((1 + x) / (1 - e * x)) / (x * (1 + e)) - 1) < 1e-6);
  }
}

TEST_CASE("SpherePlane: ten bounces come at the times of the closed form, two events each") {
  // exponent 1 without damping: in contact the ball swings about -m g/k.
  const double g = kContactGravity, k = 4e4, w = std::sqrt(k / 0.4), fall = std::sqrt(2 * 0.5 / g);
  const double v = g * fall, touch = (std::numbers::pi + 2 * std::atan(g / (v * w))) / w;
  const ModelRun r = contactRun("g: 9.81",
                                ball({0, 0.55, 0}, {0, 0, 0}) +
                                    "  c: {type: Contact.SpherePlane, radius: 0.05, k: 4e4, "
                                    "exponent: 1}\n",
                                kOnGround, "stop: 6.5, interval: 0.01, tolerance: 1e-12",
                                {"totalEnergy", "kineticEnergy"});
  REQUIRE(r.report.eventRecords.size() >= 20);
  double t = fall;
  for (size_t i = 0; i < 20; ++i) {
    CHECK(std::abs(r.report.eventRecords[i].time - t) < 1e-8);
    t += i % 2 == 0 ? touch : 2 * fall;
  }
}

TEST_CASE(
    "SpherePlane: the explicit method stays with a ball that is harder than its steps are short") {
  // A contact of 1e-7 s behind a fall in one step.
  const ModelRun r = contactRun(
      "g: 9.81",
      ball({0, 0.55, 0}, {0, 0, 0}) + "  c: {type: Contact.SpherePlane, radius: 0.05, k: 1e15}\n",
      kOnGround, "stop: 2, tolerance: 1e-6, integrator: automatic",
      {"totalEnergy", "kineticEnergy"});
  REQUIRE(r.report.eventRecords.size() >= 4);
  CHECK(r.report.methods.size() == 1);
  // Of a depth below the tolerance a bounce is that exact in the speed alone: some 100 of it.
  CHECK(std::abs(r.last("totalEnergy") / r.first("totalEnergy") - 1) < 1e-3);
}

TEST_CASE("SpherePlane: a damped ball comes to rest, with at most three events a bounce") {
  const ModelRun r =
      contactRun("g: 9.81",
                 ball({0, 0.55, 0}, {0.4, 0, 0}, "ball", "3, 0, 9") +
                     "  c: {type: Contact.SpherePlane, radius: 0.05, k: 2e6, restitution: 0.5, "
                     "v_restitution: 3, mu: 0.2}\n",
                 kOnGround, "stop: 8, interval: 0.002, tolerance: 1e-8",
                 {"totalEnergy", "c.touching", "c.f_n", "c.depth", "ball.v_0[2]"});
  // Local errors of a few thousand steps.
  CHECK(largestRise(r["totalEnergy"]) < 1e-5);
  long touches = 0;
  for (size_t i = 1; i < r.rows.time().size(); ++i)
    touches += r["c.touching"][i] > r["c.touching"][i - 1];
  CHECK(touches > 10);
  CHECK(r.report.events <= 3 * touches);
  CHECK(*std::ranges::min_element(r["c.f_n"]) >= 0);
  CHECK(std::abs(r.last("c.depth") - std::pow(0.4 * 9.81 / 2e6, 2.0 / 3)) < 1e-6);
}

TEST_CASE("SpherePlane: a ball at rest stays there in long steps") {
  const double depth = std::pow(0.4 * kContactGravity / 2e6, 2.0 / 3);
  const ModelRun r =
      contactRun("g: 9.81",
                 ball({0, 0.05 - depth, 0}, {0, 0, 0}) +
                     "  c: {type: Contact.SpherePlane, radius: 0.05, "
                     "k: 2e6, damping: 0.5, mu: 0.3}\n",
                 kOnGround, "stop: 100, interval: 1, tolerance: 1e-6", {"c.depth", "ball.r_0"});
  CHECK(r.report.integrator.steps < 500);
  CHECK(std::abs(r.last("c.depth") - depth) < 1e-8);
  CHECK(std::abs(r.last("ball.r_0[1]")) < 1e-8);
}

TEST_CASE("SpherePlane: on an incline a ball rolls, or slides beyond the threshold") {
  const double alpha = 20 * std::numbers::pi / 180, m = 0.4, J = 4e-4, k = 2e9, R = 0.05;
  const double sine = kContactGravity * std::sin(alpha), cosine = kContactGravity * std::cos(alpha);
  const double depth = std::pow(m * cosine / k, 2.0 / 3), arm = R - 0.5 * depth;
  const double threshold = std::tan(alpha) / (1 + m * arm * arm / J);
  CHECK(std::abs(threshold / (2.0 / 7 * std::tan(alpha)) - 1) < 1e-4);
  const auto roll = [&](double mu) {
    return contactRun(
        fmt::format("g: 9.81, n: [{}, {}, 0]", std::sin(alpha), -std::cos(alpha)),
        ball({0, R - depth, 0}, {0, 0, 0}) +
            fmt::format("  c: {{type: Contact.SpherePlane, radius: 0.05, k: 2e9, damping: 5, mu: "
                        "{}, v_creep: 1e-4}}\n",
                        mu),
        kOnGround, "stop: 2, interval: 1, tolerance: 1e-9", {"ball.v_0", "c.v_slip", "c.touching"});
  };
  for (double mu : {0.5, 1.05 * threshold}) {
    const ModelRun r = roll(mu);
    const double a = r.last("ball.v_0[1]") - r["ball.v_0[1]"][r.rows.time().size() - 2];
    CHECK(std::abs(a / (sine / (1 + J / (m * arm * arm))) - 1) < 1e-6);
    CHECK(std::abs(a / (5.0 / 7 * sine) - 1) < 1e-4);
    // What sticks creeps: mu_needed/mu = s/sqrt(1 + s^2), s = v_slip/v_creep.
    const double needed = threshold / mu, s = needed / std::sqrt(1 - needed * needed);
    CHECK(std::abs(r.last("c.v_slip") / (s * 1e-4) - 1) < 1e-3);
  }
  const double mu = 0.9 * threshold;
  const ModelRun r = roll(mu);
  const double a = r.last("ball.v_0[1]") - r["ball.v_0[1]"][r.rows.time().size() - 2];
  CHECK(std::abs(a / (sine - mu * cosine) - 1) < 1e-6);
  CHECK(r.last("c.v_slip") > 0.1);
  CHECK(r.last("c.touching") == 1);
}

TEST_CASE("SpherePlane: a bowling ball slips until it rolls with 5/7 of its speed") {
  const double m = 0.4, J = 4e-4, k = 2e9, R = 0.05, mu = 0.1, v = 3, g = kContactGravity;
  const double depth = std::pow(m * g / k, 2.0 / 3), arm = R - 0.5 * depth;
  const double share = 1 / (1 + J / (m * arm * arm));
  const double until = v * (1 - share) / (mu * g);
  CHECK(std::abs(share / (5.0 / 7) - 1) < 1e-4);
  const ModelRun r = contactRun(
      "g: 9.81",
      ball({0, R - depth, 0}, {v, 0, 0}) +
          "  c: {type: Contact.SpherePlane, radius: 0.05, k: "
          "2e9, damping: 5, mu: 0.1, v_creep: 1e-5}\n",
      kOnGround, fmt::format("stop: {}, interval: {}, tolerance: 1e-9", 2 * until, until / 2),
      {"ball.v_0", "ball.r_0", "c.v_slip"});
  REQUIRE(r.rows.time().size() >= 5);
  CHECK(std::abs(r["ball.v_0[1]"][1] - (v - mu * g * until / 2)) < 1e-6);
  CHECK(std::abs(r.last("ball.v_0[1]") - share * v) < 1e-6);
  // In the last instants of slip friction fades; of the order of v_creep for v_creep/(mu g).
  CHECK(std::abs(r.last("ball.r_0[1]") - (until * v * (1 + share) / 2 + until * share * v)) < 1e-5);
  CHECK(r.last("c.v_slip") < 1e-8);
}

namespace {

/// Five balls of 0.1 kg in a row, `gap` between them; the first comes at 1 m/s.
ModelRun rowOfBalls(double gap) {
  std::string components, connections;
  for (int i = 0; i < 5; ++i) {
    const double x = i * (0.02 + gap);
    components += fmt::format(
        "  b{}: {{type: PointMass, m: 0.1, r_0: {{start: [{}, 0, 0], fixed: true}}, v_0: {{start: "
        "[{}, 0, 0], fixed: true}}}}\n",
        i, x, i == 0 ? 1 : 0);
    if (i == 0) continue;
    components += fmt::format("  c{}: {{type: Contact.SphereSphere, radius_a: 0.01, k: 1e8}}\n", i);
    connections += fmt::format("{}[b{}.frame_a, c{}.frame_a], [c{}.frame_b, b{}.frame_a]",
                               i == 1 ? "" : ", ", i - 1, i, i, i);
  }
  return contactRun(kNoGravity, components, connections,
                    fmt::format("stop: {}, interval: 0.01, tolerance: 1e-11", 0.002 + 5 * gap),
                    {"b*.v_0", "linearMomentum", "totalEnergy"});
}

}  // namespace

TEST_CASE("SphereSphere: in a row with gaps the last ball takes all of the first one's speed") {
  const ModelRun r = rowOfBalls(0.001);
  for (int i = 0; i < 4; ++i) CHECK(std::abs(r.last(fmt::format("b{}.v_0[1]", i))) < 1e-7);
  CHECK(std::abs(r.last("b4.v_0[1]") - 1) < 1e-7);
  CHECK(r.report.events == 8);
}

TEST_CASE("SphereSphere: touching balls part as the chain of Hertz springs integrated elsewhere") {
  // scipy 1.10 solve_ivp, DOP853, rtol 1e-13: m x_i'' = k (d_{i-1}^1.5 - d_i^1.5), d = overlap >= 0.
  const double expected[] = {-0.07108502, -0.03027376, -0.01446363, 0.12704499, 0.98877742};
  const ModelRun r = rowOfBalls(0);
  for (int i = 0; i < 5; ++i) {
    CHECK(std::abs(r.last(fmt::format("b{}.v_0[1]", i)) - expected[i]) < 1e-7);
  }
  CHECK(std::abs(r.last("linearMomentum[1]") - 0.1) < 1e-12);
  CHECK(std::abs(r.last("totalEnergy") - 0.05) < 1e-9);
}

TEST_CASE("SphereSphere: an oblique collision keeps linear and angular momentum") {
  const ModelRun r = contactRun(
      kNoGravity,
      ball({-0.5, 0.06, 0.02}, {2, 0, 0}, "ball", "3, -40, 9") +
          ball({0, 0, 0}, {0, 0, 0}, "other") +
          "  c: {type: Contact.SphereSphere, radius_a: 0.05, k: 1e7, damping: 0.1, mu: 0.3}\n",
      "[ball.frame_a, c.frame_a], [c.frame_b, other.frame_a]",
      "stop: 0.5, interval: 0.01, tolerance: 1e-9",
      {"linearMomentum", "angularMomentum", "totalEnergy", "other.w_a"});
  for (const char* name : {"linearMomentum", "angularMomentum"}) {
    for (int i = 1; i <= 3; ++i) {
      const auto& p = r[fmt::format("{}[{}]", name, i)];
      for (double value : p) CHECK(std::abs(value - p.front()) < 1e-7);
    }
  }
  CHECK(largestRise(r["totalEnergy"]) < 1e-8);
  CHECK(r["totalEnergy"].front() - r.last("totalEnergy") > 0.02);
  CHECK(std::abs(r.last("other.w_a[2]")) > 1);
}

TEST_CASE("contact: nothing passes through unseen, however fast and however long the steps") {
  // A step of a fiftieth of the run is 80 m long, the plate has no thickness.
  const ModelRun bullet = contactRun(
      kNoGravity,
      ball({0.01, 50, 0.02}, {1, -800, 2}) +
          "  c: {type: Contact.SpherePlane, radius: 0.05, k: 1e10, length: 10, width: 10}\n",
      kOnGround, "stop: 5, interval: 0.5, tolerance: 1e-9", {"ball.v_0"});
  CHECK(bullet.report.events == 2);
  CHECK(std::abs(bullet.last("ball.v_0[2]") - 800) < 1e-3);
  for (double y : {0.02, 0.07, 0.0999}) {
    CAPTURE(y);
    const ModelRun pass =
        contactRun(kNoGravity,
                   ball({-50, y, 0}, {100, 0, 0}) + ball({0, 0, 0}, {0, 0, 0}, "other") +
                       "  c: {type: Contact.SphereSphere, radius_a: 0.05, k: 1e9}\n",
                   "[ball.frame_a, c.frame_a], [c.frame_b, other.frame_a]",
                   "stop: 5, interval: 0.5, tolerance: 1e-9", {"other.v_0"});
    CHECK(pass.report.events == 2);
    CHECK(pass.last("other.v_0[2]") < 0);
  }
  const ModelRun miss =
      contactRun(kNoGravity,
                 ball({-50, 0.1001, 0}, {100, 0, 0}) + ball({0, 0, 0}, {0, 0, 0}, "other") +
                     "  c: {type: Contact.SphereSphere, radius_a: 0.05, k: 1e9}\n",
                 "[ball.frame_a, c.frame_a], [c.frame_b, other.frame_a]",
                 "stop: 5, interval: 0.5, tolerance: 1e-9", {"other.v_0"});
  CHECK(miss.report.events == 0);
  CHECK(miss.last("other.v_0[2]") == 0);
}

TEST_CASE("contact: a plate that is too soft is a violation by name, which strict makes an error") {
  const std::string told =
      "c: the sphere's centre has come to the plate: it is too soft for this load or speed";
  const std::string soft =
      "  c: {type: Contact.SpherePlane, radius: 0.05, k: 1, length: 1, width: 1}\n";
  const ModelRun run =
      contactRun(kNoGravity, ball({0, 0.06, 0}, {0, -10, 0}) + soft, kOnGround,
                 "stop: 0.1, interval: 0.001, tolerance: 1e-6", {"contactViolation", "ball.r_0"});
  CHECK(run.report.contactViolations == 1);
  const auto isTold = [&](const std::string& w) { return w.starts_with("'c'" + told.substr(1)); };
  CHECK(std::ranges::count_if(run.report.warnings, isTold) == 1);
  // It goes through at 10 m/s, all but free, and one row says when.
  CHECK(run.last("ball.r_0[2]") == doctest::Approx(0.06 - 1).epsilon(1e-3));
  const std::vector<double>& violation = run["contactViolation"];
  CHECK(std::ranges::count(violation, 1.0) == 1);
  CHECK(std::ranges::count(violation, 0.0) == std::ssize(violation) - 1);
  CHECK(test::messageOfRun<SolverError>(
            "world: {gravityType: NoGravity}\ncomponents:\n" + ball({0, 0.06, 0}, {0, -10, 0}) +
                soft + "connections: [" + kOnGround + "]\nsimulation: {stop: 0.1}\n",
            {.strict = true})
            .find("a law of contact cannot be kept, which --strict makes an error") !=
        std::string::npos);
}

TEST_CASE("contact: rigid surfaces that nothing can part pass through each other") {
  // Both are driven: 1 m/s towards a plane from 0.01 m above it, and back after 0.02 s.
  const std::string text = R"yaml(
components:
  p: {type: Prismatic, n: [0, 1, 0], useAxisFlange: true}
  drive: {type: Translational.Position, exact: true, s_ref: "0.06 - 0.02*sin(time*10*pi)"}
  b: {type: Body, m: 1}
  c: {type: Contact.SpherePlane, radius: 0.05, rigid: true, restitution: 0.5}
connections:
  - [world.frame_b, p.frame_a]
  - [p.frame_b, b.frame_a]
  - [drive.flange, p.axis]
  - [world.frame_b, c.frame_a]
  - [b.frame_a, c.frame_b]
simulation: {stop: 0.2, interval: 0.001}
outputs: [b.frame_a.r_0, contactViolation]
)yaml";
  const ModelRun run = runModel(text);
  CHECK(run.report.contactViolations >= 1);
  CHECK(run.last("b.frame_a.r_0[2]") == doctest::Approx(0.06).epsilon(1e-9));
  const std::vector<double>& y = run["b.frame_a.r_0[2]"];
  CHECK(*std::ranges::min_element(y) == doctest::Approx(0.04).epsilon(1e-6));
  CHECK(*std::ranges::max_element(run["contactViolation"]) == 1);
}

TEST_CASE("SpherePlane: a ball leaves a plate over its edge") {
  // It rolls off, and falls beside the plate, which is not touched from below again.
  const ModelRun r = contactRun(
      "g: 9.81",
      ball({0, 0.0499, 0}, {1, 0, 0}, "ball", "0, 0, -20") +
          "  c: {type: Contact.SpherePlane, radius: 0.05, k: 2e6, damping: 0.5, mu: 0.5, length: "
          "0.4, width: 1}\n",
      kOnGround, "stop: 1, interval: 0.01, tolerance: 1e-8",
      {"ball.r_0", "ball.v_0", "totalEnergy", "c.touching"});
  CHECK(r.last("ball.r_0[2]") < -2);
  CHECK(r.last("ball.v_0[1]") > 0.9);
  CHECK(r.last("c.touching") == 0);
  CHECK(largestRise(r["totalEnergy"]) < 1e-6);
}

TEST_CASE("SpherePlane: agrees with HuntCrossleyForce of Simbody 3.6") {
  // A half space and a sphere of stiffness 1e7 each, dissipation 0.4, friction 0.01 throughout,
  // RungeKuttaMerson at accuracy 1e-12, steps up to 1e-5 s. Two equal stiffnesses K make
  // k = 4/3 K sqrt(R)/2^1.5, the dissipation c makes a = 1.5 c. The ball slips all the time, so that
  // the two programs' ways to smooth friction do not matter.
  struct Row {
    double time, x, y, vx, vy, vz, wz;
  };
  const Row rows[] = {
      {0.2, 0.0579203715, 0.1037402367, 0.2714746477, 0.4663206814, 0.1809830985, -1.3750519588},
      {0.4, 0.1116606153, 0.0674692991, 0.2550788792, 0.4748468155, 0.1700525861, -2.1757022442},
      {0.6, 0.1618482658, 0.0657669427, 0.2433423970, -0.0766035739, 0.1622282647, -2.7520588548}};
  const ModelRun r = contactRun(
      "g: 9.81",
      ball({0, 0.25, 0}, {0.3, -1, 0.2}) +
          fmt::format("  c: {{type: Contact.SpherePlane, radius: 0.05, k: {}, damping: 0.6, mu: "
                      "0.01, v_creep: 1e-6}}\n",
                      4.0 / 3 * 1e7 * std::sqrt(0.05) / std::pow(2, 1.5)),
      kOnGround, "stop: 0.6, interval: 0.2, tolerance: 1e-11",
      {"ball.r_0", "ball.v_0", "ball.w_a"});
  size_t k = 0;
  for (const Row& row : rows) {
    while (k + 1 < r.rows.time().size() && r.rows.time()[k] < row.time - 1e-9) ++k;
    CHECK(std::abs(r["ball.r_0[1]"][k] - row.x) < 1e-6);
    CHECK(std::abs(r["ball.r_0[2]"][k] - row.y) < 1e-6);
    CHECK(std::abs(r["ball.v_0[1]"][k] - row.vx) < 1e-6);
    CHECK(std::abs(r["ball.v_0[2]"][k] - row.vy) < 1e-6);
    CHECK(std::abs(r["ball.v_0[3]"][k] - row.vz) < 1e-6);
  }
}

TEST_CASE("SpherePlane: a tippe top turns over, and keeps what Jellett found it to keep") {
  // Angular momentum about the centre of mass times the vector from there to the touching point is
  // constant whatever the friction, but for the overlap, a thousandth of the radius.
  const double R = 0.02, a = 0.006;
  Simulation s(catalogue(), std::string(CARDAN_SOURCE_DIR) + "/models/contact/tippe_top.yaml");
  Trajectory t;
  RunOptions options;
  options.outputs = {"up", "top.w_a", "top.frame_a.R.T", "table.touching"};
  s.run(t, options);
  CHECK(t["up"].front() > 0.99);
  CHECK(t["up"].back() < -0.96);
  const double J = 0.4 * 0.006 * R * R;
  const auto jellett = [&](size_t k) {
    const Vector3d up(t["top.frame_a.R.T[1,2]"][k], t["top.frame_a.R.T[2,2]"][k],
                      t["top.frame_a.R.T[3,2]"][k]);
    const Vector3d L(0.9 * J * t["top.w_a[1]"][k], J * t["top.w_a[2]"][k],
                     0.9 * J * t["top.w_a[3]"][k]);
    return L.dot(Vector3d(0, a, 0) - R * up);
  };
  for (size_t k = 0; k < t.time().size(); ++k) CHECK(std::abs(jellett(k) / jellett(0) - 1) < 3e-3);
}

TEST_CASE("PointSurface: in a bowl without friction a point keeps its energy over its bounces") {
  const ModelRun r = contactRun(
      "g: 9.81",
      "  p: {type: PointMass, m: 0.1, r_0: {start: [0.3, 0.3, 0.1], fixed: true}, v_0: {start: [0, "
      "0, 0.5], fixed: true}}\n"
      "  c: {type: Contact.PointSurface, k: 1e6, height: 'c.x^2 + 0.5*c.y^2', slope: ['2*c.x', "
      "c.y]}\n",
      "[world.frame_b, c.frame_a], [c.frame_b, p.frame_a]",
      "stop: 3, interval: 0.01, tolerance: 1e-10",
      {"totalEnergy", "c.touching", "c.depth", "p.r_0"});
  CHECK(r.report.events > 10);
  for (double e : r["totalEnergy"]) CHECK(std::abs(e - r["totalEnergy"].front()) < 1e-6);
  // y is measured along n x lengthDirection, here -z of the world.
  const double x = r.last("p.r_0[1]"), z = r.last("p.r_0[3]");
  CHECK(std::abs(r.last("c.depth") - (x * x + 0.5 * z * z - r.last("p.r_0[2]"))) < 1e-12);
}

TEST_CASE("PointSurface: a surface that rises throws a point at twice its speed") {
  const ModelRun r = contactRun(
      kNoGravity,
      "  p: {type: PointMass, m: 0.1, r_0: {start: [0, 0.5, 0], fixed: true}, v_0: {fixed: true}}\n"
      "  c: {type: Contact.PointSurface, k: 1e7, height: '2*time', slope: [0, 0], rate: 2, "
      "restitution: 0.5, v_restitution: 2}\n",
      "[world.frame_b, c.frame_a], [c.frame_b, p.frame_a]",
      "stop: 0.5, interval: 0.01, tolerance: 1e-10", {"p.v_0"});
  CHECK(std::abs(r.last("p.v_0[2]") - 3) < 1e-6);
}

TEST_CASE(
    "TorusPlane: a ring rolls upright, and one that leans and slides without friction keeps "
    "its energy through all tilts") {
  const auto ring = [](const std::string& law, const std::string& v, const std::string& w,
                       const std::string& angles) {
    return contactRun(
        "g: 9.81",
        "  ring: {type: Body, m: 0.5, r_CM: [0, 0, 0], I_11: 0.01, I_22: 0.01, I_33: 0.02, r_0: "
        "{start: [0, 0.2, 0], fixed: true}, v_0: {start: [" +
            v + "], fixed: true}, angles_fixed: true, angles_start: [" + angles +
            "], w_0_fixed: true, w_0_start: [" + w +
            "]}\n  c: {type: Contact.TorusPlane, radius: 0.2, tubeRadius: 0.02, " + law + "}\n",
        "[world.frame_b, c.frame_a], [c.frame_b, ring.frame_a]",
        "stop: 2, interval: 0.01, tolerance: 1e-9",
        {"totalEnergy", "c.tilt", "c.v_slip", "c.depth", "ring.v_0", "c.touching"});
  };
  const ModelRun rolling = ring("k: 1e8, damping: 1, mu: 0.4", "1, 0, 0", "0, 0, -5", "0, 0, 0");
  CHECK(std::abs(rolling.last("ring.v_0[1]") - 1) < 1e-3);
  CHECK(rolling.last("c.v_slip") < 1e-6);
  CHECK(std::abs(rolling.last("c.tilt")) < 1e-6);
  const ModelRun falling = ring("k: 1e6, flat: 0.05", "0, 0, 0", "0, 1, 0", "0.3, 0, 0");
  // It comes to lie flat, or nearly, and rises again.
  CHECK(*std::ranges::min_element(falling["c.tilt"]) < -1.45);
  for (double e : falling["totalEnergy"])
    CHECK(std::abs(e - falling["totalEnergy"].front()) < 1e-5);
}

TEST_CASE("TorusPlane: a ring that touches and leaves many times gains nothing, at any tolerance") {
  // Turning fast, it touches within a step; its quaternion, interpolated there, is not of length one,
  // and the touch seems to come a hair earlier than it does.
  for (const double tolerance : {1e-7, 1e-8, 3e-9, 1e-9}) {
    const ModelRun r = contactRun(
        "g: 9.81",
        "  ring: {type: Body, m: 0.5, r_CM: [0, 0, 0], I_11: 0.01, I_22: 0.01, I_33: 0.02, r_0: "
        "{start: "
        "[0, 0.2, 0], fixed: true}, v_0: {fixed: true}, angles_fixed: true, angles_start: [0.3, 0, "
        "0], "
        "w_0_fixed: true, w_0_start: [0, 1, 0]}\n"
        "  c: {type: Contact.TorusPlane, radius: 0.2, tubeRadius: 0.02, k: 1e6, flat: 0.05}\n",
        "[world.frame_b, c.frame_a], [c.frame_b, ring.frame_a]",
        fmt::format("stop: 2, interval: 0.01, tolerance: {}", tolerance), {"totalEnergy"});
    CAPTURE(tolerance);
    CHECK(r.report.events > 20);
    // About a hundred tolerances a touch, of an energy of 1 J.
    for (double e : r["totalEnergy"])
      CHECK(std::abs(e - r["totalEnergy"].front()) < 300 * tolerance);
  }
}

TEST_CASE("contact: what the energy loses is lossPower, in every class") {
  struct Case {
    const char* name;
    std::string law, start;
  };
  const std::string law = ", k: 1e5, damping: 0.4, mu: 0.3, v_creep: 0.02";
  const Case cases[] = {
      {"plane", "Contact.SpherePlane, radius: 0.05, n: [0.1, 1, 0.2]" + law, ""},
      {"plate", "Contact.SpherePlane, radius: 0.05, length: 0.1, width: 3" + law, ""},
      {"torus", "Contact.TorusPlane, radius: 0.05, tubeRadius: 0.01" + law, ""},
      {"surface",
       "Contact.PointSurface, height: '0.02*sin(9*c.x) - 0.05', slope: ['0.18*cos(9*c.x)', 0]" +
           law,
       ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const ModelRun r = contactRun("g: 9.81",
                                  ball({0.03, 0.08, 0}, {0.3, -1, 0.1}, "ball", "9, 2, -14") +
                                      "  c: {type: " + c.law +
                                      "}\n  loss: {type: Blocks.Integrator, u: 'c.lossPower'}\n",
                                  kOnGround, "stop: 0.6, interval: 0.01, tolerance: 1e-9",
                                  {"totalEnergy", "loss.y", "c.touching"});
    CHECK(r.last("loss.y") > 0.05);
    for (size_t i = 0; i < r.rows.time().size(); ++i) {
      CHECK(std::abs(r["totalEnergy"][i] + r["loss.y"][i] - r["totalEnergy"].front()) < 2e-6);
    }
  }
}

TEST_CASE("contact: its losses heat what its heat port is connected to") {
  const ModelRun r = contactRun(
      "g: 9.81",
      ball({0, 0.2, 0}, {1, 0, 0}) +
          "  c: {type: Contact.SpherePlane, radius: 0.05, k: 1e6, damping: 0.4, mu: 0.3, "
          "useHeatPort: true}\n  heat: {type: Thermal.HeatCapacitor, C: 2, T: {start: 300, fixed: "
          "true}}\n",
      kOnGround + ", [c.heatPort, heat.port]", "stop: 2, interval: 0.1, tolerance: 1e-9",
      {"totalEnergy", "heat.T"});
  CHECK(std::abs(2 * (r.last("heat.T") - 300) + r.last("totalEnergy") - r["totalEnergy"].front()) <
        1e-5);
}

TEST_CASE("contact: wrong parameters are told, all in one go") {
  const auto message = [](const std::string& parameters) -> std::string {
    try {
      Simulation::fromText(catalogue(), "components:\n  c: {type: Contact." + parameters +
                                            "}\n"
                                            "  b: {type: Body, m: 1}\n"
                                            "connections:\n  - [world.frame_b, c.frame_a]\n"
                                            "  - [c.frame_b, b.frame_a]\n");
    } catch (const ModelError& e) {
      return e.what();
    }
    return "no error";
  };
  CHECK(message("SpherePlane, radius: 1") ==
        "model.yaml:2:3: error: Contact.SpherePlane 'c': 'k' or 'E_star' must be given, one of "
        "them");
  CHECK(message("SpherePlane, k: 1e5") ==
        "model.yaml:2:3: error: Contact.SpherePlane 'c': 'radius' must be given");
  CHECK(message("SpherePlane, radius: 1, k: 1e5, E_star: 1e9") ==
        "model.yaml:2:48: error: Contact.SpherePlane 'c': 'k' or 'E_star' must be given, one of "
        "them");
  CHECK(message("SpherePlane, radius: 1, E_star: 1e9, exponent: 1") ==
        "model.yaml:2:68: error: Contact.SpherePlane 'c': 'exponent' must be 1.5 where E_star is "
        "given");
  CHECK(message("SphereSphere, radius_a: 1, k: 1, restitution: 0.5, damping: 1") ==
        "model.yaml:2:81: error: Contact.SphereSphere 'c': 'damping' must not be given together "
        "with restitution");
  CHECK(message("SphereSphere, radius_a: 1, k: 1, restitution: 1.5") ==
        "model.yaml:2:67: error: Contact.SphereSphere 'c': 'restitution' must not be greater than "
        "1");
  CHECK(message("SpherePlane, radius: 1, k: 1, n: [0, 0, 0], length: 3") ==
        "model.yaml:2:3: error: Contact.SpherePlane 'c': 'width' and 'length' must both be given, "
        "or none\n"
        "model.yaml:2:54: error: Contact.SpherePlane 'c': 'n' must not be the zero vector");
  CHECK(message("TorusPlane, radius: 1, k: 1, tubeRadius: 2") ==
        "model.yaml:2:62: error: Contact.TorusPlane 'c': 'tubeRadius' must be less than radius");
  CHECK(message("SpherePlane, radius: 1, k: 1, lengthDirection: [0, 2, 0]") ==
        "model.yaml:2:68: error: Contact.SpherePlane 'c': 'lengthDirection' must not be parallel "
        "to n, nor zero");
}
