// Contact against textbook problems: rocking and tipping blocks, Painleve's rod, the woodpecker toy, dominoes,
// Euler's disc, a rolling cone, a cradle, a point in a round bowl.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "tests/models/model_run.h"
#include "tests/models/shape_models.h"

using namespace cardan;
using test::kShapesG;
using test::ModelRun;

namespace {

constexpr double kClassicTolerance = 1e-9;
/// Of values that the integration touches.
constexpr double kClassicRun = 1e3 * kClassicTolerance;

ModelRun classicRun(const std::string& model, double stop, double interval,
                    const std::string& outputs) {
  return test::runModel(
      model + fmt::format("simulation: {{stop: {}, interval: {}, tolerance: {}}}\noutputs: [{}]\n",
                          stop, interval, kClassicTolerance, outputs));
}

/// A rigid flat surface, whose parameters besides are `law`.
std::string flatSurface(const std::string& n, const std::string& law) {
  return fmt::format(
      "{{type: Contact.PointSurface, n: {}, lengthDirection: [{}], height: 0, slope: [0, 0], "
      "curvature: [0, 0, 0], rigid: true, {}}}",
      n, n == "[0, 1, 0]" ? "1, 0, 0" : "0, 1, 0", law);
}

/// The integral of f by Simpson's rule; f is smooth.
double simpson(double from, double to, const std::function<double(double)>& f) {
  constexpr int kParts = 400;
  const double h = (to - from) / kParts;
  double sum = f(from) + f(to);
  for (int i = 1; i < kParts; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(from + i * h);
  return sum * h / 3;
}

}  // namespace

TEST_CASE("rigid impact: a block rocks from edge to edge, and turns on with 1 - 3/2 sin^2 of it") {
  // Housner (1963): half width b, half height h, it tilts about one edge with R from there to its middle, until
  // the other edge strikes and sticks.
  const double b = 0.1, h = 0.4, R = std::hypot(b, h), slender = std::atan(b / h), start = 0.1;
  const ModelRun r = classicRun(
      fmt::format("world: {{g: {0}, n: [0, -1, 0]}}\n"
                  "components:\n"
                  "  p: {{type: Planar, n: [0, 0, 1], s_x: {{fixed: true}}, v_x: {{fixed: true}}, "
                  "s_y: {{start: {1}, "
                  "fixed: true}}, v_y: {{fixed: true}}, phi: {{start: {2}, fixed: true}}, w: "
                  "{{fixed: true}}}}\n"
                  "  block: {{type: Body, m: 2, r_CM: [0, 0, 0], I_33: {3}}}\n"
                  "  o: {{type: FixedTranslation, count: 2, r: [\"{4}*(2*i - 3)\", {5}, 0]}}\n"
                  "  k: {6}\n"
                  "connections:\n  - [world.frame_b, p.frame_a]\n  - [p.frame_b, block.frame_a]\n"
                  "  - {{for: \"i in 1:2\", connect: [[block.frame_a, \"o[i].frame_a\"], "
                  "[\"o[i].frame_b\", "
                  "\"k[i].frame_b\"], [world.frame_b, \"k[i].frame_a\"]]}}\n",
                  kShapesG, b * std::sin(start) + h * std::cos(start), start, 2 * R * R / 3, b, -h,
                  flatSurface("[0, 1, 0]", "count: 2, restitution: 0, mu: 5, stick: true")),
      1.2, 0.1, "p.phi, p.w");
  // Turning about an edge: w^2 = 2 p^2 (cos(slender - start) - cos(slender - phi)), p^2 = 3 g/(4 R).
  const double p2 = 3 * kShapesG / (4 * R);
  const auto speed = [&](double phi) {
    return std::sqrt(2 * p2 * (std::cos(slender - start) - std::cos(slender - phi)));
  };
  const double quarter = simpson(0, std::sqrt(start), [&](double u) {
    const double phi = start - u * u;
    return u > 0 ? 2 * u / speed(phi) : 2 / std::sqrt(2 * p2 * std::sin(slender - start));
  });
  const double kept = 1 - 1.5 * std::sin(slender) * std::sin(slender);
  const std::vector<double> times = r.eventTimes();
  REQUIRE(times.size() >= 3);
  CHECK(times[0] == doctest::Approx(quarter).epsilon(kClassicRun));
  double before = speed(0);
  size_t strikes = 0;
  for (size_t i = 1; i < r.rows.time().size(); ++i) {
    if (r.rows.time()[i] != r.rows.time()[i - 1]) continue;
    ++strikes;
    CHECK(std::abs(r["p.w"][i - 1]) == doctest::Approx(before).epsilon(kClassicRun));
    CHECK(r["p.w"][i] == doctest::Approx(kept * r["p.w"][i - 1]).epsilon(kClassicRun));
    before *= kept;
  }
  CHECK(strikes == times.size());
}

TEST_CASE(
    "rigid contact: a box on four corners tips at the angle of its edge, slides at that of mu") {
  const double b = 0.1, h = 0.4, R = std::hypot(b, h), off = 1e-4;
  const auto onIncline = [&](double alpha, double mu) {
    return classicRun(
        fmt::format(
            "world: {{g: {0}, n: [{1}, {2}, 0]}}\n"
            "parameters: {{c: [[-{3}, -{4}, -{3}], [{3}, -{4}, -{3}], [-{3}, -{4}, {3}], [{3}, "
            "-{4}, {3}]]}}\n"
            "components:\n"
            "  block: {{type: Body, m: 2, r_CM: [0, 0, 0], I_11: {5}, I_22: 0.02, I_33: {5}, r_0: "
            "{{start: [0, "
            "{4}, 0], fixed: true}}, v_0: {{fixed: true}}, angles_fixed: true, w_0_fixed: true}}\n"
            "  o: {{type: FixedTranslation, count: 4, r: \"c[i]\"}}\n  k: {6}\n"
            "connections:\n  - {{for: \"i in 1:4\", connect: [[block.frame_a, \"o[i].frame_a\"], "
            "[\"o[i].frame_b\", \"k[i].frame_b\"], [world.frame_b, \"k[i].frame_a\"]]}}\n",
            kShapesG, std::sin(alpha), -std::cos(alpha), b, h, 2 * R * R / 3,
            flatSurface("[0, 1, 0]",
                        fmt::format("count: 4, restitution: 0, mu: {}, stick: true", mu))),
        1, 1, "block.v_0, block.w_a");
  };
  const double tips = std::atan(b / h), mu = 0.2, slides = std::atan(mu);
  for (const auto& [angle, friction] : {std::pair(tips, 5.0), {slides, mu}}) {
    const ModelRun stays = onIncline(angle - off, friction);
    CHECK(std::abs(stays.last("block.v_0[1]")) < 1e-8);
    CHECK(std::abs(stays.last("block.w_a[3]")) < 1e-8);
  }
  // An inverted pendulum `off` from its upright position.
  const double p = std::sqrt(3 * kShapesG / (4 * R));
  CHECK(onIncline(tips + off, 5).last("block.w_a[3]") ==
        doctest::Approx(-off * p * std::sinh(p)).epsilon(1e-3));
  const ModelRun sliding = onIncline(slides + off, mu);
  CHECK(sliding.last("block.v_0[1]") ==
        doctest::Approx(kShapesG * std::sin(off) / std::cos(slides)).epsilon(1e-4));
  CHECK(std::abs(sliding.last("block.w_a[3]")) < 1e-8);
}

namespace {

/// A uniform rod of 1 kg, of the half length 0.5 m, at the angle phi over the floor, on which its lower end slides.
struct PainleveRod {
  double mu, phi, w, v;

  static constexpr double kHalf = 0.5;
  ModelRun run(double stop) const {
    return classicRun(
        fmt::format(
            "world: {{g: {}, n: [0, -1, 0]}}\ncomponents:\n"
            "  p: {{type: Planar, n: [0, 0, 1], s_x: {{fixed: true}}, v_x: {{start: {}, fixed: "
            "true}}, s_y: "
            "{{start: {}, fixed: true}}, v_y: {{start: {}, fixed: true}}, phi: {{start: {}, fixed: "
            "true}}, w: "
            "{{start: {}, fixed: true}}}}\n"
            "  rod: {{type: Body, m: 1, r_CM: [0, 0, 0], I_33: {}}}\n"
            "  end: {{type: FixedTranslation, r: [-{}, 0, 0]}}\n  k: {}\n"
            "connections:\n  - [world.frame_b, p.frame_a]\n  - [p.frame_b, rod.frame_a]\n"
            "  - [rod.frame_a, end.frame_a]\n  - [end.frame_b, k.frame_b]\n"
            "  - [world.frame_b, k.frame_a]\n",
            kShapesG, v - kHalf * std::sin(phi) * w, kHalf * std::sin(phi),
            kHalf * std::cos(phi) * w, phi, w, kHalf * kHalf / 3, kHalf,
            flatSurface("[0, 1, 0]", fmt::format("restitution: 0, mu: {}, stick: true", mu))),
        stop, stop, "p.phi, p.w, p.v_x, p.v_y, k.f_n, k.v_slip_0");
  }
  /// Mobilities of its end: normal, across, and of both.
  static double normal(double a) { return 1 + 3 * std::cos(a) * std::cos(a); }
  static double across(double a) { return 1 + 3 * std::sin(a) * std::sin(a); }
  static double both(double a) { return -3 * std::sin(a) * std::cos(a); }
  /// What is left of the normal one beside sliding friction, for a slip towards -x.
  double left() const { return normal(phi) + mu * both(phi); }
  /// That its slip v stops at the angle `a` without parting: the turn that it gets.
  static double stopped(double a, double v) {
    const double f = -v / (across(a) - both(a) * both(a) / normal(a)), n = -both(a) / normal(a) * f;
    return 3 / kHalf * (f * std::sin(a) - n * std::cos(a));
  }
};

}  // namespace

TEST_CASE("Painleve's rod: slides by its normal force, or stops at once where there is none") {
  // Mobility left: (n g - half w^2 sin)/left is the normal force.
  const PainleveRod slides{1.2, 0.785, 1, -2};
  REQUIRE(slides.left() > 0);
  const double pressed = kShapesG - PainleveRod::kHalf * std::sin(slides.phi);
  CHECK(slides.run(0.01).first("k.f_n") ==
        doctest::Approx(pressed / slides.left()).epsilon(kClassicRun));
  // Indeed both: no normal force lets it slide on, at the start ...
  for (const PainleveRod& rod : {PainleveRod{1.8, 0.785, 0, -2}, PainleveRod{1.8, 1.2, 0, -2}}) {
    CAPTURE(rod.phi);
    REQUIRE(rod.left() < 0);
    const ModelRun r = rod.run(1e-3);
    const std::vector<double>& w = r["p.w"];
    const double turn = PainleveRod::stopped(rod.phi, rod.v);
    CHECK(*std::ranges::max_element(w) == doctest::Approx(turn).epsilon(1e-2));
    // The end stays where it is, as a hinge: at the event to rounding, then by d'Alembert.
    CHECK(std::abs(r.last("k.v_slip_0[1]")) < 1e-7);
    size_t jump = 1;
    while (jump < w.size() && r.rows.time()[jump] != r.rows.time()[jump - 1]) ++jump;
    REQUIRE(jump < w.size());
    CHECK(w[jump] == doctest::Approx(turn).epsilon(kClassicRun));
  }
  // ... or where it comes to such an angle.
  const ModelRun r = PainleveRod{1.8, 0.6, 3, -10}.run(0.1);
  size_t jump = 1;
  while (jump < r.rows.time().size() && r.rows.time()[jump] != r.rows.time()[jump - 1]) ++jump;
  REQUIRE(jump < r.rows.time().size());
  const double phi = r["p.phi"][jump];
  CHECK(r["k.f_n"][jump - 1] > 1e3 * kShapesG);
  CHECK(r["p.w"][jump] - r["p.w"][jump - 1] ==
        doctest::Approx(PainleveRod::stopped(phi, r["k.v_slip_0[1]"][jump - 1]))
            .epsilon(kClassicRun));
  CHECK(std::ranges::any_of(r.report.warnings,
                            [](const std::string& w) { return w.starts_with("'k' jams"); }));
}

namespace {

/// The woodpecker toy of Glocker (1995) and of Leine, van Campen and Glocker (2003), linear in its angles: height of
/// the sleeve, its angle, the bird's.
struct Woodpecker {
  static constexpr double mM = 3e-4, JM = 5e-9, mS = 4.5e-3, JS = 7e-7, c = 5.6e-3, mu = 0.3,
                          r0 = 2.5e-3, rM = 3.1e-3, hM = 5.8e-3, lM = 1e-2, lG = 1.5e-2, hS = 2e-2,
                          lS = 2.01e-2;
  /// The angles of the bird at which a turn is counted, and its published speeds there.
  static constexpr double kAngle = -0.2788, kFall = -0.3411, kNod = -7.4583;

  struct Cycle {
    double period = 0, drop = 0;
    Eigen::Vector3d u{kFall, 0, kNod};
  };

  /// From the published state to the next time that the bird has this angle, by Moreau's time stepping.
  static Cycle stepped(double dt) {
    using Eigen::Vector3d;
    const Vector3d normal[3] = {{0, 0, -hS}, {0, hM, 0}, {0, -hM, 0}},
                   along[3] = {{1, lM, lG - lS}, {1, rM, 0}, {1, rM, 0}};
    const double gap[3] = {lM + lG - lS - r0, rM - r0, rM - r0}, e[3] = {0.5, 0, 0};
    Eigen::Matrix3d M, K;
    M << mM + mS, mS * lM, mS * lG, mS * lM, JM + mS * lM * lM, mS * lM * lG, mS * lG, mS * lM * lG,
        JS + mS * lG * lG;
    K << 0, 0, 0, 0, c, -c, 0, -c, c;
    const Eigen::Matrix3d response = M.inverse();
    const Vector3d weight = -kShapesG * Vector3d(mM + mS, mS * lM, mS * lG);
    Vector3d q(0, -(rM - r0) / hM, kAngle), u(kFall, 0, kNod);
    for (int k = 1; k * dt < 1; ++k) {
      const Vector3d before = q, was = u;
      q += 0.5 * dt * u;
      u += response * (weight - K * q) * dt;
      double P[3] = {}, Q[3] = {};
      for (double moved = 1; moved > 1e-14;) {
        moved = 0;
        for (int i = 0; i < 3; ++i) {
          if (gap[i] + normal[i].dot(q) > 0) continue;
          const auto push = [&](const Vector3d& d, double& p, double v, double low, double high) {
            const double next = std::clamp(p - v / d.dot(response * d), low, high);
            u += response * d * (next - p);
            moved += std::abs(next - p);
            p = next;
          };
          push(normal[i], P[i], normal[i].dot(u) + e[i] * normal[i].dot(was), 0, 1);
          push(along[i], Q[i], along[i].dot(u), -mu * P[i], mu * P[i]);
        }
      }
      q += 0.5 * dt * u;
      if (before[2] > kAngle && q[2] <= kAngle) {
        const double s = (kAngle - before[2]) / (q[2] - before[2]);
        return {(k - 1 + s) * dt, -(before[0] + s * (q[0] - before[0])), was + s * (u - was)};
      }
    }
    return {};
  }

  /// The same in the plane: what lies across the pole is 1/eps as long, so that angles are eps as large, and all is
  /// linear in them but for eps.
  static ModelRun run(double eps, double stop) {
    const auto at = [&](double x, double y) { return fmt::format("{}, {}, 0", x / eps, y / eps); };
    const auto wall = [](const char* e) {
      return flatSurface("[1, 0, 0]", fmt::format("restitution: {}, mu: {}, stick: true", e, mu));
    };
    const double play = rM - r0, tilt = -play / hM;
    const auto linked = [](const std::vector<std::pair<std::string, std::string>>& pairs) {
      std::string text = "connections:\n";
      for (const auto& [a, b] : pairs) text += fmt::format("  - [{}.{}]\n", a, b);
      return text;
    };
    std::string text = fmt::format("world: {{g: {}, n: [0, -1, 0]}}\ncomponents:\n", kShapesG);
    text += fmt::format(
        "  pole: {{type: Prismatic, n: [0, 1, 0], s: {{fixed: true}}, v: {{start: {}, fixed: "
        "true}}}}\n"
        "  tilt: {{type: Revolute, n: [0, 0, 1], phi: {{start: {}, fixed: true}}, w: {{fixed: "
        "true}}}}\n"
        "  nod: {{type: Revolute, n: [0, 0, 1], useAxisFlange: true, phi: {{start: {}, fixed: "
        "true}}, w: "
        "{{start: {}, fixed: true}}}}\n",
        kFall, eps * tilt, eps * (kAngle - tilt), eps * kNod);
    text += fmt::format(
        "  sleeve: {{type: Body, m: {}, r_CM: [0, 0, 0], I_33: {}}}\n"
        "  bird: {{type: Body, m: {}, r_CM: [0, 0, 0], I_33: {}}}\n"
        "  spring: {{type: Rotational.Spring, c: {}}}\n",
        mM, JM / (eps * eps), mS, JS / (eps * eps), c / (eps * eps));
    for (const auto& [name, r] :
         {std::pair("arm", at(lM, 0)),
          {"body", at(lG, 0)},
          {"tip", at(lG - lS, hS)},
          {"foot", at(rM, -hM)},
          {"head", at(rM, hM)},
          {"side", fmt::format("{}, 0, 0", rM / eps - play)},
          {"front", fmt::format("{}, 0, 0", (lM + lG - lS) / eps - (lM + lG - lS - r0))}})
      text += fmt::format("  {}: {{type: FixedTranslation, r: [{}]}}\n", name, r);
    text += "  beak: " + wall("0.5") + "\n  low: " + wall("0") + "\n  high: " + wall("0") + "\n";
    text += linked({{"world.frame_b, pole", "frame_a"},  {"pole.frame_b, tilt", "frame_a"},
                    {"tilt.frame_b, sleeve", "frame_a"}, {"tilt.frame_b, arm", "frame_a"},
                    {"arm.frame_b, nod", "frame_a"},     {"nod.frame_b, body", "frame_a"},
                    {"body.frame_b, bird", "frame_a"},   {"nod.support, spring", "flange_a"},
                    {"nod.axis, spring", "flange_b"},    {"nod.frame_b, tip", "frame_a"},
                    {"tilt.frame_b, foot", "frame_a"},   {"tilt.frame_b, head", "frame_a"},
                    {"world.frame_b, side", "frame_a"},  {"world.frame_b, front", "frame_a"},
                    {"front.frame_b, beak", "frame_a"},  {"tip.frame_b, beak", "frame_b"},
                    {"side.frame_b, low", "frame_a"},    {"foot.frame_b, low", "frame_b"},
                    {"side.frame_b, high", "frame_a"},   {"head.frame_b, high", "frame_b"}});
    text += fmt::format(
        "variables: {{angle: \"(tilt.phi + nod.phi)/{0}\", nods: \"(tilt.w + nod.w)/{0}\"}}\n",
        eps);
    return classicRun(text, stop, 5e-4, "pole.s, pole.v, angle, nods");
  }

  /// Where the bird has the angle again and again, on straight lines between rows.
  static std::vector<Cycle> cyclesOf(const ModelRun& r) {
    std::vector<Cycle> all;
    double since = 0, from = 0;
    for (size_t i = 1; i < r.rows.time().size(); ++i) {
      const double a = r["angle"][i - 1], b = r["angle"][i];
      if (!(a > kAngle && b <= kAngle)) continue;
      const auto there = [&](const std::vector<double>& x) {
        return x[i - 1] + (kAngle - a) / (b - a) * (x[i] - x[i - 1]);
      };
      const double t = there(r.rows.time()), s = there(r["pole.s"]);
      all.push_back({t - since, from - s, {there(r["pole.v"]), 0, there(r["nods"])}});
      since = t;
      from = s;
    }
    return all;
  }
};

}  // namespace

TEST_CASE("rigid impact: the woodpecker toy comes down its pole in the published limit cycle") {
  constexpr double eps = 1e-3, dt = 1e-5;
  const ModelRun run = Woodpecker::run(eps, 1.5);
  const std::vector<Woodpecker::Cycle> cycles = Woodpecker::cyclesOf(run);
  REQUIRE(cycles.size() >= 10);
  // Stepping is of first order in impacts, of which there are eight a cycle, at up to 25 rad/s.
  const Woodpecker::Cycle stepped = Woodpecker::stepped(dt);
  CHECK(cycles[0].period == doctest::Approx(stepped.period).epsilon(eps));
  CHECK(cycles[0].drop == doctest::Approx(stepped.drop).epsilon(3 * eps));
  CHECK(cycles[0].u[0] == doctest::Approx(stepped.u[0]).epsilon(3 * eps));
  CHECK(cycles[0].u[2] == doctest::Approx(stepped.u[2]).epsilon(3 * eps));
  // It comes to the cycle from either side in turn, and the published state is on it.
  for (size_t i = 3; i < cycles.size(); ++i) {
    const double now = cycles[i].period - cycles[i - 1].period;
    const double before = cycles[i - 1].period - cycles[i - 2].period;
    CHECK(now * before < 0);
    CHECK(std::abs(now) < 0.95 * std::abs(before));
  }
  CHECK(cycles.back().u[0] == doctest::Approx(Woodpecker::kFall).epsilon(0.01));
  CHECK(cycles.back().u[2] == doctest::Approx(Woodpecker::kNod).epsilon(0.002));
  CHECK(run.report.contactViolations == 0);
}

namespace {

/// Frictionless dominoes that topple about their lower edge and do not bounce (van Leeuwen, Am. J. Phys. 78, 2010): those
/// behind the first that stands lean on each other, and move as one.
struct Dominoes {
  static constexpr double h = 0.048, d = 0.0075, gap = 0.016, pitch = gap + d, m = 0.01, kPush = 4;
  static constexpr int kCount = 6;

  /// Angles of n of them by that of the foremost, and how fast they turn by it.
  struct Train {
    Train(double foremost, int n) : angle{foremost}, rate{1} {
      for (int i = 1; i < n; ++i) {
        const double before = angle.back();
        const double more = std::asin((pitch * std::cos(before) - d) / h);
        angle.push_back(before + more);
        rate.push_back(rate.back() * (1 - pitch * std::sin(before) / (h * std::cos(more))));
      }
    }
    double inertia() const {
      double sum = 0;
      for (const double r : rate) sum += r * r;
      return kInertia * sum;
    }
    double potential() const {
      double sum = 0;
      for (const double a : angle) sum += m * kShapesG / 2 * (h * std::cos(a) + d * std::sin(a));
      return sum;
    }
    std::vector<double> angle, rate;
  };
  static constexpr double kInertia = m * (h * h + d * d) / 3;

  /// Of each hit: when it is, and how fast both turn after it.
  struct Hit {
    double time, w;
  };
  static std::vector<Hit> hits() {
    const double meets = std::asin(gap / h);
    std::vector<Hit> all;
    double t = 0, w = kPush;
    for (int n = 1; n < kCount; ++n) {
      const Train first(0, n);
      const double energy = first.inertia() * w * w / 2 + first.potential();
      const auto rate = [&](double angle) {
        const Train now(angle, n);
        return std::sqrt(2 * (energy - now.potential()) / now.inertia());
      };
      t += simpson(0, meets, [&](double angle) { return 1 / rate(angle); });
      const double inertia = Train(meets, n).inertia();
      w = rate(meets) * inertia / (inertia + kInertia);
      all.push_back({t, w});
    }
    return all;
  }
};

}  // namespace

TEST_CASE("rigid impact: dominoes hand on their fall, and lean on each other") {
  using D = Dominoes;
  const ModelRun r = classicRun(
      fmt::format(
          "world: {{g: {}, n: [0, -1, 0]}}\nparameters: {{N: {}}}\ncomponents:\n"
          "  at: {{type: FixedTranslation, count: N, r: [\"i*{}\", 0, 0]}}\n"
          "  j: {{type: Revolute, count: N, n: [0, 0, -1], phi: {{fixed: true}}, w: {{start: \"if "
          "i == 1 then {} "
          "else 0\", fixed: true}}}}\n"
          "  b: {{type: Body, count: N, m: {}, r_CM: [-{}, {}, 0], I_33: {}}}\n"
          "  top: {{type: FixedTranslation, count: N, r: [0, {}, 0]}}\n"
          "  back: {{type: FixedTranslation, count: N, r: [-{}, 0, 0]}}\n"
          "  floor: {}\n  hit: {}\n"
          "connections:\n"
          "  - {{for: \"i in 1:N\", connect: [[world.frame_b, \"at[i].frame_a\"], "
          "[\"at[i].frame_b\", "
          "\"j[i].frame_a\"], [\"j[i].frame_b\", \"b[i].frame_a\"], [\"b[i].frame_a\", "
          "\"top[i].frame_a\"], "
          "[\"b[i].frame_a\", \"back[i].frame_a\"], [world.frame_b, \"floor[i].frame_a\"], "
          "[\"back[i].frame_b\", "
          "\"floor[i].frame_b\"]]}}\n"
          "  - {{for: \"i in 1:N-1\", connect: [[\"back[i+1].frame_b\", \"hit[i].frame_a\"], "
          "[\"top[i].frame_b\", \"hit[i].frame_b\"]]}}\n",
          kShapesG, D::kCount, D::pitch, D::kPush, D::m, D::d / 2, D::h / 2,
          D::m * (D::h * D::h + D::d * D::d) / 12, D::h, D::d,
          flatSurface("[0, 1, 0]", "count: N, restitution: 0"),
          flatSurface("[-1, 0, 0]", "count: \"N - 1\", restitution: 0")),
      0.33, 0.33, "'j[*].phi', 'j[*].w', 'hit[*].touching'");
  size_t row = 0;
  int n = 1;
  for (const D::Hit& hit : D::hits()) {
    CAPTURE(n);
    const std::string touching = fmt::format("hit[{}].touching", n);
    while (row < r.rows.time().size() && r[touching][row] == 0) ++row;
    REQUIRE(row < r.rows.time().size());
    CHECK(r.rows.time()[row] == doctest::Approx(hit.time).epsilon(kClassicRun));
    const D::Train train(std::asin(D::gap / D::h), n);
    for (int i = 1; i <= n; ++i) {
      const size_t behind = static_cast<size_t>(n - i);
      CHECK(r[fmt::format("j[{}].phi", i)][row] ==
            doctest::Approx(train.angle[behind]).epsilon(kClassicRun));
      CHECK(r[fmt::format("j[{}].w", i)][row] ==
            doctest::Approx(hit.w * train.rate[behind]).epsilon(10 * kClassicRun));
    }
    CHECK(r[fmt::format("j[{}].w", n + 1)][row] ==
          doctest::Approx(hit.w).epsilon(10 * kClassicRun));
    ++n;
  }
}

TEST_CASE("PointSurface: in a round bowl a point swings as a pendulum, far out, too") {
  const double R = 0.5, far = 1.2;
  const std::string root = "(0.25 - c.x^2 - c.y^2)";
  const ModelRun r =
      classicRun(fmt::format("world: {{g: {0}, n: [0, -1, 0]}}\ncomponents:\n"
                             "  p: {{type: PointMass, m: 0.2, r_0: {{start: [{1}, {2}, 0], fixed: "
                             "true}}, v_0: {{fixed: true}}}}\n"
                             "  c: {{type: Contact.PointSurface, rigid: true, restitution: 0, "
                             "height: \"0.5 - sqrt({3})\", slope: "
                             "[\"c.x/sqrt({3})\", \"c.y/sqrt({3})\"], curvature: [\"(0.25 - "
                             "c.y^2)/{3}^1.5\", \"c.x*c.y/{3}^1.5\", "
                             "\"(0.25 - c.x^2)/{3}^1.5\"]}}\n"
                             "connections: [[world.frame_b, c.frame_a], [c.frame_b, p.frame_a]]\n",
                             kShapesG, R * std::sin(far), R * (1 - std::cos(far)), root),
                 4 * std::sqrt(R / kShapesG) * std::comp_ellint_1(std::sin(far / 2)), 1,
                 "p.r_0, p.v_0, c.f_n");
  // After one period it is where it was, and at rest.
  CHECK(std::abs(r.last("p.r_0[1]") - R * std::sin(far)) < kClassicRun);
  CHECK(std::abs(r.last("p.v_0[1]")) < 10 * kClassicRun);
  CHECK(r.last("c.f_n") ==
        doctest::Approx(0.2 * kShapesG * std::cos(far)).epsilon(10 * kClassicRun));
}

TEST_CASE(
    "Contact.Shape: of balls in a row with gaps the last takes all of the first one's speed") {
  // Stiff enough for one to have parted before the next one is there.
  test::ShapeModel s{.contacts = "{defaults: {stiffness: 1e13, restitution: 1, mu: 0}}",
                     .world = "gravityType: NoGravity"};
  for (int i = 0; i < 5; ++i)
    s.add({.name = fmt::format("b{}", i),
           .shape = "shape: sphere, radius: 0.05",
           .I = Eigen::Vector3d::Constant(1e-3),
           .r = {0.101 * i + (i > 0 ? 0.02 : 0), 0, 0},
           .v = {i == 0 ? 2.0 : 0.0, 0, 0}});
  for (const std::string& method : test::kShapesMethods) {
    CAPTURE(method);
    const ModelRun r = s.run(method, 0.05, 1, "'b*_.v_0'");
    CHECK(r.last("b4_.v_0[1]") == doctest::Approx(2).epsilon(test::kShapesRun));
    for (int i = 0; i < 4; ++i)
      CHECK(std::abs(r.last(fmt::format("b{}_.v_0[1]", i))) < 2 * test::kShapesRun);
  }
}

TEST_CASE(
    "Contact.Shape: a coin's wobble dies by rolling resistance alone, whatever the restitution") {
  // Its middle all but at rest, a thin disc of tilt a goes round by W^2 = 4 g/(R sin a) with the energy 3/2 m g R sin a
  // and turns by W sin a along the line to where it touches. The torque `lever` m g against that gives
  // sqrt(a) = sqrt(a_0) - 2 lever/(3 R) sqrt(g/R) t, for small a. (Losses by the speed at which the touching point
  // goes round would give a^(3/2) in place of sqrt(a).)
  const double R = 0.04, m = 0.1, start = 0.1, lever = 2e-4, stop = 1;
  const double turns = std::sqrt(4 * kShapesG / (R * std::sin(start))), I = m * R * R / 4;
  for (const double e : {0.1, 0.7}) {
    CAPTURE(e);
    const std::string text = fmt::format(
        "world: {{g: {}, n: [0, 0, -1]}}\ncomponents:\n"
        "  floor: {{type: Contact.Shape, shape: plane}}\n"
        "  disc: {{type: Body, m: {}, r_CM: [0, 0, 0], I_11: {}, I_22: {}, I_33: {}, r_0: {{start: "
        "[0, 0, {}], fixed: "
        "true}}, v_0: {{fixed: true}}, angles_fixed: true, angles_start: [{}, 0, 0], w_0_fixed: "
        "true, w_0_start: [0, "
        "{}, {}]}}\n"
        "  rim: {{type: Contact.Shape, shape: cylinder, radius: {}, length: 2e-3, r: [0, 0, "
        "1e-3]}}\n"
        "connections: [[world.frame_b, floor.frame_a], [disc.frame_a, rim.frame_a]]\n"
        "contacts: {{defaults: {{stiffness: 1e13, mu: 0.8, restitution: {}, rolling: {}}}}}\n"
        "simulation: {{stop: {}, interval: {}, tolerance: 1e-7}}\noutputs: [disc.frame_a.R.T]\n",
        kShapesG, m, I, I, 2 * I, R * std::sin(start), start,
        turns * std::sin(start) * std::cos(start), turns * std::sin(start) * std::sin(start), R, e,
        lever, stop, stop / 100);
    const ModelRun r = test::runModel(text);
    // The tilt swings a little about that: its mean over the last tenth.
    double mean = 0, count = 0;
    for (size_t i = 0; i < r.rows.time().size(); ++i) {
      if (r.rows.time()[i] < 0.9 * stop) continue;
      mean += std::hypot(r["disc.frame_a.R.T[3,1]"][i], r["disc.frame_a.R.T[3,2]"][i]);
      ++count;
    }
    const double root =
        std::sqrt(start) - 2 * lever / (3 * R) * std::sqrt(kShapesG / R) * 0.95 * stop;
    CHECK(mean / count == doctest::Approx(root * root).epsilon(0.03));
  }
}

TEST_CASE("Contact.Shape: a cone on its side swings on an incline about the line of its descent") {
  // It rolls about its apex; about the line where it touches it turns by cot(A) of its swing, A half its angle.
  const double R = 0.03, H = 0.12, m = 1, A = std::atan(R / H), alpha = 0.3, start = 0.3,
               mass = 0.75 * H;
  const double along = 0.3 * m * R * R, middle = m * (3 * R * R / 20 + 3 * H * H / 80);
  const double apex = middle + m * mass * mass;
  const double J = (along * std::cos(A) * std::cos(A) + apex * std::sin(A) * std::sin(A)) /
                   (std::tan(A) * std::tan(A));
  const double pull = m * kShapesG * std::sin(alpha) * mass * std::cos(A);
  const double period = 4 * std::sqrt(J / pull) * std::comp_ellint_1(std::sin(start / 2));
  const ModelRun r = test::runModel(fmt::format(
      "world: {{g: {}, n: [{}, 0, {}]}}\ncomponents:\n"
      "  floor: {{type: Contact.Shape, shape: plane}}\n"
      "  cone: {{type: Body, m: {}, r_CM: [0, 0, 0], I_11: {}, I_22: {}, I_33: {}, r_0: {{start: "
      "[{}, {}, {}], fixed: "
      "true}}, v_0: {{fixed: true}}, sequence_start: [3, 2, 3], angles_fixed: true, angles_start: "
      "[{}, {}, 0], "
      "w_0_fixed: true}}\n"
      "  s: {{type: Contact.Shape, shape: cone, radius: {}, length: {}, r: [0, 0, {}]}}\n"
      "connections: [[world.frame_b, floor.frame_a], [cone.frame_a, s.frame_a]]\n"
      "contacts: {{defaults: {{stiffness: 1e11, mu: 0.9}}}}\n"
      "simulation: {{stop: {}, interval: {}, tolerance: 1e-8}}\noutputs: [cone.r_0, "
      "contact.floor.s.f_n]\n",
      kShapesG, std::sin(alpha), -std::cos(alpha), m, middle, middle, along,
      mass * std::cos(A) * std::cos(start), mass * std::cos(A) * std::sin(start),
      mass * std::sin(A), start, -std::numbers::pi / 2 - A, R, H, H / 4, 1.01 * period,
      period / 100));
  // Of the slopes where it lands and sticks, and of how deep it lies: 1e-5 m at R.
  const auto angle = [&](double t) {
    return std::atan2(r.at(t, "cone.r_0[2]"), r.at(t, "cone.r_0[1]"));
  };
  CHECK(angle(0.5 * period) == doctest::Approx(-start).epsilon(0.01));
  CHECK(angle(period) == doctest::Approx(start).epsilon(0.01));
  CHECK(std::abs(angle(0.25 * period)) < 0.01 * start);
  CHECK(std::abs(angle(0.75 * period)) < 0.01 * start);
}
