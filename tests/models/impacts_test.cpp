// Rigid impact against closed forms: balls, a rod on its end, mechanisms that hit a wall, friction,
// balances of momentum and energy, and the end of bouncing.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/model_run.h"
#include "tests/models/shaken_table.h"

using namespace cardan;

namespace {

constexpr double kImpactsTolerance = 1e-9;
/// Of values that the integration touches.
constexpr double kImpactsRun = 1e3 * kImpactsTolerance;

test::ModelRun impactRun(const std::string& model, double stop, const std::string& outputs,
                         const std::string& more = "") {
  return test::runModel(
      fmt::format("{}simulation: {{stop: {}, interval: {}, tolerance: {}{}}}\noutputs: [{}]\n",
                  model, stop, stop / 50, kImpactsTolerance, more, outputs));
}

/// Balls in a row, the first of which comes with 3 m/s; what each parts with from the one before.
test::ModelRun ballRow(const std::vector<double>& masses, double gap,
                       const std::vector<double>& restitutions, const std::string& more = "") {
  std::string components, connections;
  for (size_t i = 0; i < masses.size(); ++i) {
    components += fmt::format(
        "  b{0}: {{type: Body, m: {1}, r_CM: [0, 0, 0], r_0: {{start: [{2}, 0, 0], fixed: "
        "true}}, "
        "v_0: {{start: [{3}, 0, 0], fixed: true}}}}\n",
        i, masses[i], static_cast<double>(i) * (0.1 + gap) + (i > 0 ? 0.01 : 0), i == 0 ? 3 : 0);
    if (i == 0) continue;
    components += fmt::format(
        "  c{}: {{type: Contact.SphereSphere, radius_a: 0.05, rigid: true, restitution: {}}}\n", i,
        restitutions[i - 1]);
    connections += fmt::format("  - [b{}.frame_a, c{}.frame_a]\n  - [b{}.frame_a, c{}.frame_b]\n",
                               i - 1, i, i, i);
  }
  return impactRun("world: {g: 0}\ncomponents:\n" + components + "connections:\n" + connections,
                   0.1, "b*.v_0[1], totalEnergy", more);
}

/// A thin rod of 1 m and 3 kg without weight comes down on its end, a ball of 20 mm, at 2 m/s and slides with `u`.
struct RodImpact {
  double m = 3, a = 0.6, r = 0.02, v = 2, J = 0.25;
  double x = -0.5 * std::cos(a), y = -0.5 * std::sin(a) - r;
  double n = 1 / m + x * x / J, t = 1 / m + y * y / J, nt = -x * y / J;  ///< mobilities

  test::ModelRun strikes(double u, double e, double mu, const std::string& law,
                         const std::string& method = "ida") const {
    return impactRun(
        fmt::format(
            "world: {{n: [0, -1, 0], g: 0}}\ncomponents:\n"
            "  rod: {{type: Body, m: {0}, r_CM: [0, 0, 0], I_11: {1}, I_22: {1}, I_33: {1}, "
            "r_0: {{start: [0, {2}, 0], fixed: true}}, v_0: {{start: [{3}, {4}, 0], fixed: true}}, "
            "w_0_fixed: true, angles_start: [0, 0, {5}], angles_fixed: true}}\n"
            "  end: {{type: FixedTranslation, r: [-0.5, 0, 0]}}\n"
            "  floor: {{type: Contact.SpherePlane, radius: {6}, rigid: true, restitution: {7}, mu: "
            "{8}}}\n"
            "connections:\n  - [rod.frame_a, end.frame_a]\n  - [world.frame_b, floor.frame_a]\n"
            "  - [end.frame_b, floor.frame_b]\n",
            m, J, 0.2 - y, u, -v, a, r, e, mu),
        0.15, "rod.v_0, rod.w_a, totalEnergy",
        fmt::format(", impact: {}, integrator: {}", law, method));
  }
  /// That it leaves by the impulses pn, pt.
  void check(const test::ModelRun& run, double u, double pn, double pt) const {
    CHECK(run.last("rod.v_0[1]") == doctest::Approx(u + pt / m).epsilon(kImpactsRun));
    CHECK(run.last("rod.v_0[2]") == doctest::Approx(-v + pn / m).epsilon(kImpactsRun));
    CHECK(run.last("rod.w_a[3]") == doctest::Approx((x * pn - y * pt) / J).epsilon(kImpactsRun));
  }
};

/// A block of 0.2 m by 0.6 m rocks from its right lower corner onto its left one.
test::ModelRun rockingBlock(const std::string& law) {
  const double b = 0.1, h = 0.3, m = 6, tilt = 0.05;
  return impactRun(
      fmt::format(
          "world: {{n: [0, -1, 0]}}\ncomponents:\n"
          "  p: {{type: Planar, n: [0, 0, 1], s_x: {{start: {0}, fixed: true}}, v_x: {{fixed: "
          "true}}, s_y: {{start: {1}, fixed: true}}, v_y: {{fixed: true}}, phi: {{start: {2}, "
          "fixed: "
          "true}}, w: {{fixed: true}}}}\n"
          "  block: {{type: Body, m: {3}, r_CM: [0, 0, 0], I_33: {4}}}\n"
          "  left: {{type: FixedTranslation, r: [{5}, {6}, 0]}}\n"
          "  right: {{type: FixedTranslation, r: [{7}, {6}, 0]}}\n"
          "  A: {{type: Contact.PointSurface, height: 0, slope: [0, 0], curvature: [0, 0, 0], "
          "rigid: "
          "true, restitution: 0, mu: 2, stick: true, n: [0, 1, 0]}}\n"
          "  B: {{type: Contact.PointSurface, height: 0, slope: [0, 0], curvature: [0, 0, 0], "
          "rigid: "
          "true, restitution: 0, mu: 2, stick: true, n: [0, 1, 0]}}\n"
          "connections:\n  - [world.frame_b, p.frame_a]\n  - [p.frame_b, block.frame_a]\n"
          "  - [p.frame_b, left.frame_a]\n  - [p.frame_b, right.frame_a]\n"
          "  - [world.frame_b, A.frame_a]\n  - [right.frame_b, A.frame_b]\n"
          "  - [world.frame_b, B.frame_a]\n  - [left.frame_b, B.frame_b]\n",
          -b * std::cos(tilt) + h * std::sin(tilt), b * std::sin(tilt) + h * std::cos(tilt), -tilt,
          m, m * (b * b + h * h) / 3, -b, -h, b),
      0.6, "p.w, A.touching, B.touching, totalEnergy", ", impact: " + law);
}

/// A ball over the floor, which may slip.
std::string ball(const std::string& contact, const std::string& start) {
  return fmt::format(
      "world: {{n: [0, -1, 0], g: 10}}\n"
      "components:\n"
      "  ball: {{type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.008, I_22: 0.008, I_33: 0.008, {}}}\n"
      "  floor: {{type: Contact.SpherePlane, radius: 0.1, rigid: true, {}}}\n"
      "connections:\n"
      "  - [world.frame_b, floor.frame_a]\n"
      "  - [ball.frame_a, floor.frame_b]\n",
      start, contact);
}

}  // namespace

TEST_CASE("rigid impact: a ball bounces at the times and speeds of its restitution") {
  const double e = 0.8, g = 10, h = 1.25;
  const test::ModelRun run = impactRun(
      ball("restitution: 0.8", "r_0: {start: [0, 1.35, 0], fixed: true}, v_0: {fixed: true}"), 5,
      "ball.r_0, ball.v_0, floor.touching, totalEnergy");
  // Bounce k at t0 (1 + 2 (e + ... + e^(k-1))), its speed after v0 e^k.
  const double t0 = std::sqrt(2 * h / g), v0 = g * t0;
  double t = t0, v = v0;
  size_t k = 0;
  for (const EventRecord& r : run.report.eventRecords) {
    if (k >= 12) break;
    CHECK(r.time == doctest::Approx(t).epsilon(kImpactsRun));
    v *= e;
    t += 2 * v / g;
    ++k;
  }
  CHECK(k == 12);
  double worst = 0;
  for (size_t i = 0; i < run.rows.time().size(); ++i) {
    // Height in flight.
    double begin = 0, speed = 0, top = h;
    double next = t0, out = v0;
    const double now = run.rows.time()[i];
    bool flight = true;
    while (now >= next) {
      out *= e;
      if (out < 1e-3 * e) {
        flight = false;
        break;
      }
      begin = next;
      speed = out;
      top = 0;
      next += 2 * out / g;
    }
    const double s = now - begin;
    const double y = flight ? top + speed * s - 0.5 * g * s * s : 0;
    worst = std::max(worst, std::abs(run.rows["ball.r_0[2]"][i] - 0.1 - y));
  }
  CHECK(worst < kImpactsRun);
  // It comes to rest below v_rest, after ln(1e-3/5)/ln(0.8) = 38.2 bounces.
  CHECK(run.report.events >= 39);
  CHECK(run.report.events <= 42);
  CHECK(run.last("floor.touching") == 1);
  CHECK(std::abs(run.last("ball.v_0[2]")) < kImpactsRun);
  for (size_t i = 1; i < run.rows.time().size(); ++i)
    CHECK(run.rows["totalEnergy"][i] <= run.rows["totalEnergy"][i - 1] + 20 * kImpactsRun);
}

TEST_CASE(
    "rigid impact: bounces end without a speed of rest, too, where they are too low to be any") {
  const test::ModelRun run =
      impactRun(ball("restitution: 0.8, v_rest: 0",
                     "r_0: {start: [0, 1.35, 0], fixed: true}, v_0: {fixed: true}"),
                5, "ball.v_0, floor.touching");
  // All of them together take 0.5 s (1 + 2 (e + e^2 + ...)) = 4.5 s; of the speeds 5 m/s (0.8)^n 46 let it rise by 1e-9 m
  // at least, and the last of these lose a little of theirs, as they come down from within that.
  CHECK(run.report.eventRecords.size() > 40);
  CHECK(run.report.eventRecords.size() <= 47);
  CHECK(run.report.eventRecords.back().time == doctest::Approx(4.5).epsilon(1e-3));
  CHECK(run.last("floor.touching") == 1);
  CHECK(std::abs(run.last("ball.v_0[2]")) < kImpactsRun);
  CHECK(run.report.contactViolations == 0);
}

TEST_CASE("rigid impact: two balls, momentum and energy in closed form") {
  for (const double e : {1.0, 0.6, 0.0}) {
    CAPTURE(e);
    const test::ModelRun run = impactRun(
        fmt::format(
            "world: {{g: 0}}\ncomponents:\n"
            "  a: {{type: Body, m: 2, r_CM: [0, 0, 0], r_0: {{start: [0, 0, 0], fixed: true}}, "
            "v_0: {{start: [3, 0, 0], fixed: true}}}}\n"
            "  b: {{type: Body, m: 5, r_CM: [0, 0, 0], r_0: {{start: [1, 0.12, 0], fixed: true}}, "
            "v_0: {{start: [-1, 0, 0], fixed: true}}}}\n"
            "  c: {{type: Contact.SphereSphere, radius_a: 0.1, rigid: true, restitution: {}}}\n"
            "connections:\n  - [a.frame_a, c.frame_a]\n  - [b.frame_a, c.frame_b]\n",
            e),
        0.5, "a.v_0, b.v_0, a.w_a");
    // Oblique: centres 0.2 apart, offset 0.12: normal (0.8, 0.6).
    const double approach = 4 * 0.8, p = (1 + e) * approach / (1 / 2.0 + 1 / 5.0);
    CHECK(run.last("a.v_0[1]") == doctest::Approx(3 - 0.8 * p / 2).epsilon(kImpactsRun));
    CHECK(run.last("a.v_0[2]") == doctest::Approx(-0.6 * p / 2).epsilon(kImpactsRun));
    CHECK(run.last("b.v_0[1]") == doctest::Approx(-1 + 0.8 * p / 5).epsilon(kImpactsRun));
    CHECK(run.last("b.v_0[2]") == doctest::Approx(0.6 * p / 5).epsilon(kImpactsRun));
    CHECK(run.report.warnings.empty());
  }
}

TEST_CASE("rigid impact: a row of balls hands a blow on, one to the next, with gaps or without") {
  for (const std::vector<double>& masses : {std::vector<double>(5, 1.0), {5, 4, 3, 2, 1}}) {
    const test::ModelRun run = ballRow(masses, 1e-6, {1, 1, 1, 1});
    double arrives = 3;
    for (size_t i = 0; i + 1 < masses.size(); ++i) {
      const double sum = masses[i] + masses[i + 1];
      CHECK(run.last(fmt::format("b{}.v_0[1]", i)) ==
            doctest::Approx((masses[i] - masses[i + 1]) / sum * arrives)
                .scale(1)
                .epsilon(kImpactsRun));
      arrives *= 2 * masses[i] / sum;
    }
    CHECK(run.last("b4.v_0[1]") == doctest::Approx(arrives).epsilon(kImpactsRun));
  }
  // What touches is struck at one instant: momentum and order stay, and no energy comes of it.
  const test::ModelRun touching = ballRow(std::vector<double>(5, 1.0), 0, {1, 1, 1, 1});
  double momentum = 0, before = -1e9;
  for (int i = 0; i < 5; ++i) {
    const double v = touching.last(fmt::format("b{}.v_0[1]", i));
    CHECK(v >= before - kImpactsRun);
    momentum += v;
    before = v;
  }
  CHECK(momentum == doctest::Approx(3).epsilon(kImpactsRun));
  CHECK(touching.last("totalEnergy") <= 4.5 * (1 + kImpactsRun));
}

TEST_CASE("rigid impact: friction sticks inside its cone and slips outside") {
  // A ball of J = 2/5 m R^2 comes down with v_x = 1: to stick takes 2/7 m v_x, there is mu (1+e) m v_y.
  const double vy = 5, e = 0.5;
  for (const double mu : {0.02, 0.5}) {
    CAPTURE(mu);
    const test::ModelRun run =
        impactRun(ball(fmt::format("restitution: {}, mu: {}", e, mu),
                       "r_0: {start: [0, 1.35, 0], fixed: true}, v_0: {start: [1, 0, 0], fixed: "
                       "true}, w_0_fixed: true"),
                  0.7, "ball.v_0, ball.w_a");
    const double needed = 2.0 / 7 * 2 * 1, most = mu * (1 + e) * 2 * vy;
    const double p = std::min(needed, most);
    CHECK(run.last("ball.v_0[1]") == doctest::Approx(1 - p / 2).epsilon(kImpactsRun));
    CHECK(run.last("ball.w_a[3]") == doctest::Approx(-p * 0.1 / 0.008).epsilon(kImpactsRun));
  }
}

TEST_CASE("rigid impact: a rod that lands on its end turns by the impulse") {
  const RodImpact rod;
  rod.check(rod.strikes(0, 0.4, 0, "moreau"), 0, 1.4 * rod.v / rod.n, 0);
}

TEST_CASE("rigid impact: a row of three touching balls by each law") {
  struct Case {
    double first, second;
    std::vector<double> speeds, byPoisson;  ///< [1]  of the first one's before
  };
  const Case cases[] = {
      // One restitution: all the same.
      {1, 1, {-1 / 3.0, 2 / 3.0, 2 / 3.0}, {-1 / 3.0, 2 / 3.0, 2 / 3.0}},
      {0.5, 0.5, {0, 0.5, 0.5}, {0, 0.5, 0.5}},
      // The second pair does not approach; compression is 2/3 and 1/3 of the first one's momentum.
      {0.5, 0.8, {0, 0.5, 0.5}, {0, 0.4, 0.6}},
      {0, 1, {1 / 3.0, 1 / 3.0, 1 / 3.0}, {1 / 6.0, 1 / 6.0, 2 / 3.0}}};
  for (const Case& c : cases) {
    for (const char* law : {"moreau", "newton", "poisson"}) {
      for (const char* method : {"ida", "explicit", "automatic"}) {
        CAPTURE(c.second);
        CAPTURE(law);
        const test::ModelRun run =
            ballRow({1, 1, 1}, 0, {c.first, c.second},
                    fmt::format(", impact: {}, integrator: {}", law, method));
        const bool isPoisson = std::string(law) == "poisson";
        for (size_t i = 0; i < 3; ++i)
          CHECK(run.last(fmt::format("b{}.v_0[1]", i)) ==
                doctest::Approx(3 * (isPoisson ? c.byPoisson : c.speeds)[i])
                    .scale(1)
                    .epsilon(kImpactsRun));
        CHECK(run.report.warnings.size() == (c.first > 0 || isPoisson ? 1 : 0));
        CHECK(run.report.contactViolations == 0);
      }
    }
  }
}

TEST_CASE("rigid impact: a rod that hits obliquely, with friction, by each law") {
  const RodImpact rod;
  const double e = 0.4, det = rod.n * rod.t - rod.nt * rod.nt;
  const auto impulses = [&](double parts, double u) {  // what sticks
    return std::pair((rod.t * parts + rod.nt * u) / det, (-rod.nt * parts - rod.n * u) / det);
  };
  for (const char* method : {"ida", "explicit", "automatic"}) {
    CAPTURE(method);
    // It sticks: of Newton's law it parts with e v, of Poisson's with e (v + u nt/t), as what stops the slip
    // takes part in the compression.
    const double u = 1;
    const auto [pn, pt] = impulses((1 + e) * rod.v, u);
    REQUIRE(std::abs(pt) < pn);
    rod.check(rod.strikes(u, e, 1, "newton", method), u, pn, pt);
    rod.check(rod.strikes(u, e, 1, "moreau", method), u, pn, pt);
    const auto [cn, ct] = impulses(rod.v, u);
    REQUIRE(std::abs(ct) < cn);
    REQUIRE(std::abs(rod.nt) < rod.t);
    rod.check(rod.strikes(u, e, 1, "poisson", method), u, (1 + e) * cn,
              ct - rod.nt / rod.t * e * cn);
    // It slides all the time: all are one.
    const double mu = 0.1, p = (1 + e) * rod.v / (rod.n - mu * rod.nt);
    REQUIRE(2 + p * (rod.nt - mu * rod.t) > 0);
    for (const char* law : {"moreau", "newton", "poisson"})
      rod.check(rod.strikes(2, e, mu, law, method), 2, p, -mu * p);
  }
}

TEST_CASE("rigid impact: a rocking block loses what Housner says, by each law") {
  // G. W. Housner, Bull. Seism. Soc. Am. 53 (1963): turning on about the other corner it keeps
  // 1 - 3/2 sin^2 of the angle of its diagonal of the speed, if nothing springs back and the foot sticks.
  for (const char* law : {"moreau", "newton", "poisson"}) {
    CAPTURE(law);
    const test::ModelRun run = rockingBlock(law);
    REQUIRE(!run.report.eventRecords.empty());
    const double t = run.report.eventRecords.front().time;
    const std::vector<double>&time = run.rows.time(), &w = run.rows["p.w"];
    size_t before = 0;
    while (time[before] < t) ++before;
    size_t after = before;
    while (after + 1 < time.size() && time[after + 1] == time[before]) ++after;
    REQUIRE(after > before);
    CHECK(w[before] > 0.1);
    CHECK(w[after] / w[before] == doctest::Approx(1 - 1.5 * 0.1).epsilon(kImpactsRun));
    CHECK(run.rows["A.touching"][after] == 0);
    CHECK(run.rows["B.touching"][after] == 1);
  }
}

TEST_CASE("rigid impact: which law is a setting of the run") {
  const std::string text = ball("restitution: 0.8", "r_0: {start: [0, 1.35, 0]}");
  const auto told = [&](const std::string& setting) {
    const std::string all =
        test::messageOfRun<ModelError>(text + "simulation: {" + setting + "}\n");
    return all.substr(all.find("error: ") + 7);
  };
  CHECK(told("impact: poison") ==
        "simulation: 'impact' must be one of moreau, newton, poisson, found 'poison'; did you mean "
        "'poisson'?");
  CHECK(told("impact: newton, integrator: stepping, step: 1e-3") ==
        "the integrator 'stepping' has the law of impact 'moreau' alone, found 'newton'");
}

TEST_CASE("rigid impact: a double pendulum that hits a wall, joints held") {
  // Both hang straight down and turn with w1, w2; the tip hits a wall at x = 0 from the left.
  // Point masses m1, m2 at the ends of L1, L2: M = [[(m1+m2) L1^2, m2 L1 L2], [m2 L1 L2, m2 L2^2]],
  // n = (L1, L2), p = -(1 + e) n.w/(n M^-1 n).
  const double L1 = 0.7, L2 = 0.5, m1 = 2, m2 = 1, e = 0.5, w1 = 1.5, w2 = 2;
  const test::ModelRun run = impactRun(
      fmt::format("world: {{n: [0, -1, 0], g: 0}}\ncomponents:\n"
                  "  j1: {{type: Revolute, phi: {{start: {4}, fixed: true}}, w: {{start: {2}, "
                  "fixed: true}}}}\n"
                  "  r1: {{type: FixedTranslation, r: [0, {0}, 0]}}\n"
                  "  b1: {{type: PointMass, m: 2}}\n"
                  "  j2: {{type: Revolute, phi: {{start: {5}, fixed: true}}, w: {{start: {3}, "
                  "fixed: true}}}}\n"
                  "  r2: {{type: FixedTranslation, r: [0, {1}, 0]}}\n"
                  "  b2: {{type: PointMass, m: 1}}\n"
                  "  wall: {{type: Contact.SpherePlane, radius: 0.05, n: [-1, 0, 0], rigid: true, "
                  "restitution: 0.5}}\n"
                  "  at: {{type: FixedTranslation, r: [0.05, 0, 0]}}\n"
                  "connections:\n  - [world.frame_b, j1.frame_a]\n  - [j1.frame_b, r1.frame_a]\n"
                  "  - [r1.frame_b, b1.frame_a]\n  - [r1.frame_b, j2.frame_a]\n"
                  "  - [j2.frame_b, r2.frame_a]\n  - [r2.frame_b, b2.frame_a]\n"
                  "  - [world.frame_b, at.frame_a]\n  - [at.frame_b, wall.frame_a]\n"
                  "  - [r2.frame_b, wall.frame_b]\n",
                  -L1, -L2, w1, w2 - w1, 0.0, 0.0),
      1e-6, "j1.w, j2.w");
  // The start is the impact: the tip is at the wall, and approaches it.
  const double a = (m1 + m2) * L1 * L1, b = m2 * L1 * L2, c = m2 * L2 * L2, d = a * c - b * b;
  const double n1 = (c * L1 - b * L2) / d, n2 = (a * L2 - b * L1) / d;  // M^-1 n
  const double p = -(1 + e) * (L1 * w1 + L2 * w2) / (L1 * n1 + L2 * n2);
  CHECK(run.last("j1.w") == doctest::Approx(w1 + n1 * p).epsilon(1e-4));
  CHECK(run.last("j2.w") == doctest::Approx(w2 - w1 + (n2 - n1) * p).epsilon(1e-4));
}

TEST_CASE("rigid impact: a crank drive's loop and flywheel take part") {
  // The piston of a slider-crank hits a stop; energy is the same for e = 1, and the crank turns back.
  const std::string model =
      "world: {n: [0, -1, 0], g: 0}\ncomponents:\n"
      "  crank: {type: Revolute, useAxisFlange: true, phi: {start: 1, fixed: true}, w: {start: -3, "
      "fixed: true}}\n"
      "  fly: {type: Rotational.Inertia, J: 0.05}\n"
      "  arm: {type: BodyBox, r: [0.1, 0, 0], width: 0.02}\n"
      "  pin: {type: Revolute}\n"
      "  rod: {type: BodyBox, r: [0.3, 0, 0], width: 0.02}\n"
      "  wrist: {type: Revolute}\n"
      "  piston: {type: Body, m: 0.5, r_CM: [0, 0, 0]}\n"
      "  guide: {type: Prismatic, n: [1, 0, 0], s: {start: 0.35}}\n"
      "  stop: {type: FixedTranslation, r: [0.45, 0, 0]}\n"
      "  hit: {type: Contact.SpherePlane, radius: 0.06, n: [-1, 0, 0], rigid: true, restitution: "
      "1}\n"
      "connections:\n"
      "  - [world.frame_b, crank.frame_a]\n  - [crank.frame_b, arm.frame_a]\n  - [crank.axis, "
      "fly.flange_a]\n"
      "  - [arm.frame_b, pin.frame_a]\n  - [pin.frame_b, rod.frame_a]\n  - [rod.frame_b, "
      "wrist.frame_a]\n"
      "  - [wrist.frame_b, guide.frame_b]\n  - [world.frame_b, guide.frame_a]\n"
      "  - [guide.frame_b, piston.frame_a]\n  - [world.frame_b, stop.frame_a]\n"
      "  - [stop.frame_b, hit.frame_a]\n  - [guide.frame_b, hit.frame_b]\n";
  const test::ModelRun run = impactRun(model, 0.4, "crank.w, guide.v, totalEnergy, guide.s");
  double least = 1e9, most = -1e9;
  for (const double energy : run.rows["totalEnergy"]) {
    least = std::min(least, energy);
    most = std::max(most, energy);
  }
  CHECK(most - least < 1e-6 * most);
  CHECK(run.rows["crank.w"].front() < 0);
  CHECK(run.last("crank.w") > 0);
  CHECK(*std::ranges::max_element(run.rows["guide.s"]) < 0.39 + 1e-9);
}

TEST_CASE("rigid impact: several at once are solved together, and it is said") {
  // A plate on two feet comes down flat: each takes half.
  const test::ModelRun run = impactRun(
      "world: {n: [0, -1, 0], g: 10}\ncomponents:\n"
      "  plate: {type: Body, m: 4, r_CM: [0, 0, 0], I_11: 0.3, I_22: 0.3, I_33: 0.3, r_0: {start: "
      "[0, "
      "0.6, 0], fixed: true}, v_0: {fixed: true}, w_0_fixed: true}\n"
      "  left: {type: FixedTranslation, r: [-0.4, 0, 0]}\n"
      "  right: {type: FixedTranslation, r: [0.4, 0, 0]}\n"
      "  a: {type: Contact.SpherePlane, radius: 0.1, rigid: true, restitution: 0.5}\n"
      "  b: {type: Contact.SpherePlane, radius: 0.1, rigid: true, restitution: 0.5}\n"
      "connections:\n  - [plate.frame_a, left.frame_a]\n  - [plate.frame_a, right.frame_a]\n"
      "  - [world.frame_b, a.frame_a]\n  - [left.frame_b, a.frame_b]\n"
      "  - [world.frame_b, b.frame_a]\n  - [right.frame_b, b.frame_b]\n",
      0.4, "plate.v_0, plate.w_a");
  const double fall = std::sqrt(2 * 0.5 / 10);
  CHECK(run.last("plate.v_0[2]") ==
        doctest::Approx(0.5 * 10 * fall - 10 * (0.4 - fall)).epsilon(kImpactsRun));
  CHECK(std::abs(run.last("plate.w_a[3]")) < kImpactsRun);
  REQUIRE(run.report.warnings.size() == 1);
  CHECK(run.report.warnings[0].starts_with("'a', 'b' act on each other at the same instant"));
}

TEST_CASE("rigid contact: what rests is held, slides, and leaves") {
  const auto shaken = [](double amplitude, double stop) {
    return impactRun(
        fmt::format(
            "world: {{n: [0, -1, 0], g: 10}}\ncomponents:\n"
            "  table: {{type: Prismatic, n: [0, 1, 0], useAxisFlange: true, s: {{fixed: true}}, v: "
            "{{fixed: true}}}}\n"
            "  drive: {{type: Translational.Position, exact: true, s_ref: \"{0}*(1 - "
            "cos(10*time))\"}}\n"
            "  ball: {{type: Body, m: 2, r_CM: [0, 0, 0], r_0: {{start: [0, 0.1, 0]}}}}\n"
            "  floor: {{type: Contact.SpherePlane, radius: 0.1, rigid: true, restitution: 0.3}}\n"
            "connections:\n  - [world.frame_b, table.frame_a]\n  - [drive.flange, table.axis]\n"
            "  - [table.frame_b, floor.frame_a]\n  - [ball.frame_a, floor.frame_b]\n",
            amplitude),
        stop, "ball.r_0, table.s, floor.f_n, floor.touching, ball.v_0");
  };
  test::checkCarriedAndThrownOff(shaken, "ball.r_0[2]", 0.1, "floor.f_n", kImpactsRun);
}

TEST_CASE("rigid contact: wrong parameters are told") {
  const auto told = [](const std::string& contact) {
    const std::string text =
        test::messageOfRun<ModelError>(ball(contact, "r_0: {start: [0, 1, 0]}"));
    return text.substr(text.find("floor': ") + 8);
  };
  CHECK(told("k: 3, restitution: 0.5") == "'k' must not be given together with rigid: true");
  CHECK(told("restitution: 1.5") == "'restitution' must not be greater than 1");
  CHECK(told("mu: 0.1") == "'restitution' must be given with rigid: true");
  CHECK(told("restitution: 0.5, length: 1, width: 1")
            .starts_with("'rigid' needs an unbounded plane"));
}

TEST_CASE("rigid contact: however small a ball is, what is pressed on a plane stays there") {
  // A ladder slides with its end on the ground, pressed all the time; the gap is as exact as the
  // integration makes it, which knows nothing of the radius.
  const std::string text = R"yaml(
world: {g: 9.81}
parameters: {R: 1e-2}
components:
  y: {type: Prismatic, n: [0, 1, 0], s: {start: "0.4 + R", fixed: true}, v: {fixed: true}}
  j: {type: Revolute, n: [0, 0, 1], phi: {start: "-asin(0.4/0.6)",
  fixed : true
},
    w : {
fixed:
  true
}
}
  ladder: {type: BodyShape, r: [0.6, 0, 0], r_CM: [0.3, 0, 0], m: 1, I_33: 0.03}
  slide: {type: Body, m: 0.2, r_CM: [0, 0, 0]}
  c: {type: Contact.SpherePlane, radius: R, rigid: true, restitution: 0, mu: 0.1}
  top: {type: FixedTranslation, r: [0, 1, 0]}
  s: {type: Spring, c: 60, s_unstretched: 0.52}
  push: {type: WorldForce, force: [0, "if sin(40*time) > 0 then 1 else -1", 0]}
connections:
  - [world.frame_b, y.frame_a]
  - [y.frame_b, slide.frame_a]
  - [y.frame_b, j.frame_a]
  - [j.frame_b, ladder.frame_a]
  - [ladder.frame_b, c.frame_b]
  - [world.frame_b, c.frame_a]
  - [push.frame_b, slide.frame_a]
  - [world.frame_b, top.frame_a]
  - [top.frame_b, s.frame_a]
  - [s.frame_b, slide.frame_a]
simulation: {stop: 1, interval: 0.01}
outputs: [c.touching, c.depth, c.f_n]
)yaml";
  for (const double radius : {1e-2, 1e-3, 1e-6, 1e-9}) {
    CAPTURE(radius);
    const test::ModelRun r = test::runModel(text, {}, {fmt::format("R={}", radius)});
    CHECK(*std::ranges::min_element(r["c.touching"]) == 1);
    CHECK(*std::ranges::min_element(r["c.f_n"]) > 1);
    for (const double depth : r["c.depth"]) CHECK(std::abs(depth) < 1e-6);
  }
}

TEST_CASE("rigid contact: a foot whose friction jams it stops at once, and the run goes on") {
  // A leg that hops along a guide. Where sliding friction leaves nothing of the mobility along the normal, the
  // normal force grows beyond all bounds.
  const auto leg = [](double start, double bend, double c, double d, double e, double mu) {
    return test::runModel(fmt::format(R"yaml(
world: {{g: 9.81, n: [0, -1, 0]}}
components:
  guide: {{type: Prismatic, n: [0, 1, 0], s: {{start: {0}, fixed: true}}, v: {{fixed: true}}}}
  trunk: {{type: BodyBox, r: [0.1, 0, 0], width: 0.1, density: 3000}}
  at: {{type: FixedTranslation, r: [0.1, -0.05, 0]}}
  hip: {{type: Revolute, useAxisFlange: true, phi: {{start: {1}, fixed: true}}, w: {{fixed: true}}}}
  hipSpring: {{type: Rotational.SpringDamper, c: {2}, d: {3}, phi_rel0: {1}}}
  thigh: {{type: BodyCylinder, r: [0, -0.25, 0], diameter: 0.04, density: 1000}}
  knee: {{type: Revolute, useAxisFlange: true, phi: {{start: {4}, fixed: true}}, w: {{fixed: true}}}}
  kneeSpring: {{type: Rotational.SpringDamper, c: {2}, d: {3}, phi_rel0: {4}}}
  shank: {{type: BodyCylinder, r: [0, -0.25, 0], diameter: 0.04, density: 1000}}
  foot: {{type: Contact.SpherePlane, radius: 0.03, restitution: {5}, mu: {6}, rigid: true}}
connections:
  - [world.frame_b, guide.frame_a]
  - [guide.frame_b, trunk.frame_a]
  - [trunk.frame_a, at.frame_a]
  - [at.frame_b, hip.frame_a]
  - [hip.support, hipSpring.flange_a]
  - [hipSpring.flange_b, hip.axis]
  - [hip.frame_b, thigh.frame_a]
  - [thigh.frame_b, knee.frame_a]
  - [knee.support, kneeSpring.flange_a]
  - [kneeSpring.flange_b, knee.axis]
  - [knee.frame_b, shank.frame_a]
  - [shank.frame_b, foot.frame_b]
  - [world.frame_b, foot.frame_a]
simulation: {{stop: 1.5, interval: 0.01}}
outputs: [totalEnergy, foot.depth]
)yaml",
                                      start, bend, c, d, -2 * bend, e, mu));
  };
  int jammed = 0;
  for (const test::ModelRun& h : {leg(1.2967, 0.4083, 24.5, 1.295, 0.4609, 1.4313),
                                  leg(0.9581, -0.3675, 72.97, 0.07472, 0.882, 0.885),
                                  leg(1.2793, -0.3897, 25.62, 0.2763, 0.8553, 1.0641)}) {
    CHECK(h.report.stopTime == 1.5);
    const std::vector<double>&t = h.rows.time(), &E = h.rows["totalEnergy"];
    for (size_t i = 1; i < t.size(); ++i) CHECK(E[i] < E[i - 1] + 1e-6 * E[0]);
    for (const std::string& w : h.report.warnings) {
      const size_t at = w.find(" jams");
      if (at == std::string::npos) continue;
      ++jammed;
    }
    CHECK(*std::ranges::max_element(h.rows["foot.depth"]) < 1e-6);
  }
  CHECK(jammed == 3);
}

namespace {

/// The tip of a double pendulum of rods of length 1 and mass 1 when it hits the floor, by the angles
/// from the vertical: normal and along the floor.
struct TipImpact {
  TipImpact(double q1, double q2, double w1, double w2) {
    const double c = std::cos(q2 - q1) / 2, det = 4.0 / 9 - c * c;
    const double J[2][2] = {{std::sin(q1), std::sin(q2)}, {std::cos(q1), std::cos(q2)}};
    const double inverse[2][2] = {{1.0 / 3 / det, -c / det}, {-c / det, 4.0 / 3 / det}};
    for (int i = 0; i < 2; ++i) {
      v[i] = J[i][0] * w1 + J[i][1] * w2;
      for (int j = 0; j < 2; ++j) {
        D[i][j] = 0;
        for (int k = 0; k < 4; ++k) D[i][j] += J[i][k / 2] * inverse[k / 2][k % 2] * J[j][k % 2];
      }
    }
  }
  /// What the energy gains where the tip leaves with e times its speed, and sticks meanwhile; `least`:
  /// the least coefficient of friction that can do this.
  double gain(double e, double& least) const {
    const double det = D[0][0] * D[1][1] - D[0][1] * D[1][0], a = -(1 + e) * v[0], b = -v[1];
    const double p = (D[1][1] * a - D[0][1] * b) / det, q = (D[0][0] * b - D[1][0] * a) / det;
    least = std::abs(q / p);
    return p * (v[0] + a / 2) + q * (v[1] + b / 2);
  }
  double v[2], D[2][2];
};

}  // namespace

TEST_CASE("rigid impact: the tip of a double pendulum parts with as much as gives no energy") {
  // Kane and Levinson's example (Dynamics, 1985): by e = 0.7 and mu = 0.5 the energy would become 2.8
  // times what it was.
  const double q1 = std::numbers::pi / 9, q2 = std::numbers::pi / 6, w1 = -0.1, w2 = -0.2;
  const std::string model = fmt::format(R"yaml(
parameters: {{L: 1, q1: {:.17g}, q2: {:.17g}}}
world: {{gravityType: NoGravity}}
components:
  j1: {{type: Revolute, n: [0, 0, 1], phi: {{start: q1, fixed: true}}, w: {{start: -0.1, fixed: true}}}}
  rod1: {{type: Body, m: 1, r_CM: [0, "-L/2", 0], I_11: 1, I_22: 1, I_33: "L^2/12"}}
  arm1: {{type: FixedTranslation, r: [0, "-L", 0]}}
  j2: {{type: Revolute, n: [0, 0, 1], phi: {{start: "q2 - q1", fixed: true}}, w: {{start: -0.1, fixed: true}}}}
  rod2: {{type: Body, m: 1, r_CM: [0, "-L/2", 0], I_11: 1, I_22: 1, I_33: "L^2/12"}}
  arm2: {{type: FixedTranslation, r: [0, "-L", 0]}}
  floor: {{type: FixedTranslation, r: [0, "-L*(cos(q1) + cos(q2)) - 1e-5", 0]}}
  tip: {{type: Contact.PointSurface, height: 0, slope: [0, 0], curvature: [0, 0, 0], rigid: true,
        restitution: 0.7, v_rest: 1e-6, mu: 0.5, stick: true, n: [0, 1, 0]}}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, rod1.frame_a]
  - [j1.frame_b, arm1.frame_a]
  - [arm1.frame_b, j2.frame_a]
  - [j2.frame_b, rod2.frame_a]
  - [j2.frame_b, arm2.frame_a]
  - [world.frame_b, floor.frame_a]
  - [floor.frame_b, tip.frame_a]
  - [arm2.frame_b, tip.frame_b]
)yaml",
                                        q1, q2);
  const test::ModelRun run = impactRun(model, 1e-3, "j1.w, j2.w, totalEnergy");
  // By Poisson's law less of the restitution is needed for that, if any.
  const test::ModelRun other = impactRun(model, 1e-3, "totalEnergy", ", impact: poisson");
  CHECK(other.last("totalEnergy") < other.rows["totalEnergy"].front() * (1 + 1e-6));
  CHECK(other.report.contactViolations == 0);
  const TipImpact impact(q1, q2, w1, w2);
  double low = 0, high = 0.7, least = 0;
  for (int i = 0; i < 60; ++i) {
    const double e = (low + high) / 2;
    (impact.gain(e, least) > 0 ? high : low) = e;
  }
  CHECK(impact.gain(0.7, least) > 0);
  impact.gain(low, least);
  CHECK(least < 0.5);  // it sticks
  REQUIRE(!run.report.eventRecords.empty());
  const double t = run.report.eventRecords.front().time;
  CHECK(t == doctest::Approx(1e-5 / -impact.v[0]).epsilon(1e-4));
  REQUIRE(run.report.warnings.size() == 1);
  const std::string part = fmt::format("it parts with {:.3g} of its restitution", low / 0.7);
  CHECK_MESSAGE(run.report.warnings.front().find(part) != std::string::npos,
                run.report.warnings.front());
  // On the way there velocities change by their squares times 1e-4 s.
  const std::vector<double>&time = run.rows.time(), &E = run.rows["totalEnergy"];
  size_t after = 0;
  while (time[after] <= t) ++after;
  const double u1 = run.rows["j1.w"][after - 1], u2 = u1 + run.rows["j2.w"][after - 1];
  CHECK(std::sin(q1) * u1 + std::sin(q2) * u2 == doctest::Approx(-low * impact.v[0]).epsilon(1e-3));
  CHECK(std::abs(std::cos(q1) * u1 + std::cos(q2) * u2) < 1e-4);
  CHECK(std::abs(E.back() - E.front()) < 1e-6 * 0.0232);
}
