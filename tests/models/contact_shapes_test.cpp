// Rings on planes and points on surfaces that are rigid, or stick, and bodies that rest on more points
// than it takes, against closed forms.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/models/model_run.h"
#include "tests/models/shaken_table.h"

using namespace cardan;

namespace {

constexpr double kContactShapesG = 9.81;
constexpr double kContactShapesTolerance = 1e-9;
/// Of values that the integration touches.
constexpr double kContactShapesRun = 1e3 * kContactShapesTolerance;

test::ModelRun shapeRun(const std::string& world, const std::string& rest, double stop, int rows,
                        const std::string& outputs) {
  return test::runModel(
      fmt::format("world: {{{}}}\n{}simulation: {{stop: {}, interval: {}, tolerance: {}}}\n"
                  "outputs: [{}]\n",
                  world, rest, stop, stop / rows, kContactShapesTolerance, outputs));
}

/// Gravity of a plane y = 0 that is tilted by `alpha` about z, down along x.
std::string incline(double alpha) {
  return fmt::format("g: {}, n: [{}, {}, 0]", kContactShapesG, std::sin(alpha), -std::cos(alpha));
}

constexpr double kRingMass = 0.4, kRingInertia = 0.018, kRingRadius = 0.3;

std::string ring(const std::string& start, const std::string& contact) {
  return fmt::format(
      "components:\n"
      "  ring: {{type: Body, m: {}, r_CM: [0, 0, 0], I_11: 0.01, I_22: 0.01, I_33: {}, {}}}\n"
      "  c: {{type: Contact.TorusPlane, radius: {}, tubeRadius: 0.02, {}}}\n"
      "connections:\n  - [world.frame_b, c.frame_a]\n  - [ring.frame_a, c.frame_b]\n",
      kRingMass, kRingInertia, start, kRingRadius, contact);
}

std::string point(const std::string& start, const std::string& contact) {
  return fmt::format(
      "components:\n"
      "  p: {{type: PointMass, m: 0.2, {}}}\n"
      "  c: {{type: Contact.PointSurface, {}}}\n"
      "connections:\n  - [world.frame_b, c.frame_a]\n  - [c.frame_b, p.frame_a]\n",
      start, contact);
}

/// A plate of the mass m with its centre of mass at (0.05, 0.1) of a rectangle of feet, +-0.4 by +-0.3.
std::string plate(double height, const std::string& contact, const std::string& more = "",
                  double m = 4) {
  std::string components = fmt::format(
      "components:\n  plate: {{type: Body, m: {}, r_CM: [0.05, 0, 0.1], I_11: {}, I_22: {}, I_33: "
      "{}, r_0: {{start: [0, {}, 0], fixed: true}}, v_0: {{fixed: true}}, w_0_fixed: true, "
      "angles_fixed: true}}\n",
      m, 0.075 * m, 0.125 * m, 0.075 * m, height);
  std::string connections = "connections:\n";
  for (int i = 0; i < 4; ++i) {
    components += fmt::format(
        "  p{0}: {{type: FixedTranslation, r: [{1}, 0, {2}]}}\n"
        "  c{0}: {{type: Contact.SpherePlane, radius: 0.1, rigid: true, {3}}}\n",
        i + 1, i % 2 == 0 ? -0.4 : 0.4, i < 2 ? -0.3 : 0.3, contact);
    connections += fmt::format(
        "  - [plate.frame_a, p{0}.frame_a]\n  - [p{0}.frame_b, c{0}.frame_b]\n"
        "  - [world.frame_b, c{0}.frame_a]\n",
        i + 1);
  }
  return components + connections + more;
}

/// Least sum of squares of four forces at the feet that make the force F and the moments F x, F z.
std::array<double, 4> leastShares(double F, double x, double z) {
  std::array<double, 4> f{};
  for (int i = 0; i < 4; ++i) {
    const double at_x = i % 2 == 0 ? -0.4 : 0.4, at_z = i < 2 ? -0.3 : 0.3;
    f[i] = F / 4 * (1 + x * at_x / 0.16 + z * at_z / 0.09);
  }
  return f;
}

bool isToldToShare(const test::ModelRun& run) {
  return std::ranges::any_of(run.report.warnings, [](const std::string& w) {
    return w.starts_with("'c1', 'c2', 'c3' and 'c4' rest together where fewer would do");
  });
}

}  // namespace

TEST_CASE("TorusPlane: a ring rolls down an incline without slip, or slides, by the threshold") {
  const double alpha = 20 * std::numbers::pi / 180, inertia = kRingMass * kRingRadius * kRingRadius;
  const double sine = kContactShapesG * std::sin(alpha), cosine = kContactShapesG * std::cos(alpha);
  const double threshold = std::tan(alpha) / (1 + inertia / kRingInertia);
  for (const double mu : {0.5, 1.001 * threshold, 0.999 * threshold}) {
    CAPTURE(mu);
    const test::ModelRun r = shapeRun(
        incline(alpha),
        ring("r_0: {start: [0, 0.3, 0], fixed: true}, v_0: {fixed: true}, w_0_fixed: true, "
             "angles_fixed: true",
             fmt::format("rigid: true, restitution: 0, mu: {}, stick: true", mu)),
        1, 2, "ring.v_0, ring.w_a, c.f_n, c.stuck, c.v_slip");
    const bool rolls = mu > threshold;
    const double a = rolls ? sine / (1 + kRingInertia / inertia) : sine - mu * cosine;
    const double spin =
        rolls ? a / kRingRadius : mu * kRingMass * cosine * kRingRadius / kRingInertia;
    CHECK(std::abs(r.last("ring.v_0[1]") - a) < kContactShapesRun);
    CHECK(std::abs(r.last("ring.w_a[3]") + spin) < 10 * kContactShapesRun);
    CHECK(std::abs(r.last("c.f_n") - kRingMass * cosine) < kContactShapesRun);
    CHECK(r.last("c.stuck") == (rolls ? 1 : 0));
    if (rolls) CHECK(r.last("c.v_slip") < kContactShapesRun);
  }
}

TEST_CASE("TorusPlane: a coin that leans goes in a circle, as the balance of moments has it") {
  // A thin disc, A about a diameter, C about its axis, leans by an angle towards the centre of the
  // circle on which its own centre goes at the distance b, W about the vertical. Its edge does not
  // slip: R w3 = b W. About its centre, f_n = m g and friction m b W^2 towards the circle's centre:
  // W cos(lean) (C w3 + A W sin(lean)) = m g R sin(lean) - m b W^2 R cos(lean)
  const double m = 0.4, R = 0.3, A = 0.009, C = 0.018, lean = 0.3, W = 4;
  const double b =
      (m * kContactShapesG * R * std::sin(lean) - A * W * W * std::sin(lean) * std::cos(lean)) /
      (W * W * std::cos(lean) * (C / R + m * R));
  const double w3 = b * W / R;
  // It goes along x, the circle's centre is at +z, the vertical is y: the disc leans towards +z by a
  // turn about x; it rolls about -z of itself, turned by lean.
  const test::ModelRun r = shapeRun(
      "g: 9.81, n: [0, -1, 0]",
      fmt::format(
          "components:\n"
          "  ring: {{type: Body, m: {}, r_CM: [0, 0, 0], I_11: {}, I_22: {}, I_33: {}, "
          "r_0: {{start: [0, {}, 0], fixed: true}}, v_0: {{start: [{}, 0, 0], fixed: "
          "true}}, angles_start: [{}, 0, 0], angles_fixed: true, w_0_start: [0, {}, {}], "
          "w_0_fixed: true}}\n"
          "  c: {{type: Contact.TorusPlane, radius: {}, rigid: true, restitution: 0, mu: 1, "
          "stick: true}}\n"
          "connections:\n  - [world.frame_b, c.frame_a]\n  - [ring.frame_a, c.frame_b]\n",
          m, A, A, C, R * std::cos(lean), b * W, lean,
          // w = -w3 e3 + W cos(lean) e2 with e3 = (0, -sin, cos), e2 = (0, cos, sin)
          w3 * std::sin(lean) - W * std::cos(lean) * std::cos(lean),
          -w3 * std::cos(lean) - W * std::cos(lean) * std::sin(lean), R),
      2, 40, "ring.r_0, ring.v_0, c.f_n, c.v_slip, c.tilt, c.stuck");
  double worst = 0;
  for (size_t i = 0; i < r.rows.time().size(); ++i) {
    const double t = r.rows.time()[i];
    worst = std::max({worst, std::abs(r.rows["ring.r_0[1]"][i] - b * std::sin(W * t)),
                      std::abs(r.rows["ring.r_0[2]"][i] - R * std::cos(lean)),
                      std::abs(r.rows["ring.r_0[3]"][i] - b * (1 - std::cos(W * t))),
                      std::abs(r.rows["c.f_n"][i] - m * kContactShapesG), r.rows["c.v_slip"][i]});
  }
  CHECK(worst < 100 * kContactShapesRun);
  CHECK(r.last("c.stuck") == 1);
}

TEST_CASE("TorusPlane: a rigid ring bounces as its restitution has it") {
  const double e = 0.6, h = 0.5, g = 10;
  const test::ModelRun r =
      shapeRun("g: 10, n: [0, -1, 0]",
               ring("r_0: {start: [0, 0.8, 0], fixed: true}, v_0: {fixed: true}, w_0_fixed: true, "
                    "angles_fixed: true",
                    "rigid: true, restitution: 0.6"),
               2, 20, "ring.r_0, ring.v_0, c.touching");
  double t = std::sqrt(2 * h / g), v = g * t;
  REQUIRE(r.report.eventRecords.size() >= 5);
  for (int k = 0; k < 5; ++k) {
    CHECK(r.report.eventRecords[k].time == doctest::Approx(t).epsilon(kContactShapesRun));
    v *= e;
    t += 2 * v / g;
  }
  CHECK(r.last("c.touching") == 1);
  CHECK(std::abs(r.last("ring.r_0[2]") - kRingRadius) < kContactShapesRun);
}

TEST_CASE(
    "PointSurface: a bead in a rigid bowl keeps its energy, its force follows the curvature") {
  const test::ModelRun r =
      shapeRun("g: 9.81, n: [0, -1, 0]",
               point("r_0: {start: [0.5, 0.25, 0], fixed: true}, v_0: {fixed: true}",
                     "rigid: true, restitution: 0, height: \"c.x^2\", slope: [\"2*c.x\", 0], "
                     "curvature: [2, 0, 0]"),
               2, 50, "p.r_0, p.v_0, c.f_n, c.touching, totalEnergy");
  double energy = 0, force = 0;
  for (size_t i = 0; i < r.rows.time().size(); ++i) {
    const double x = r.rows["p.r_0[1]"][i], q = 1 + 4 * x * x;
    const double v2 = std::pow(r.rows["p.v_0[1]"][i], 2) + std::pow(r.rows["p.v_0[2]"][i], 2);
    energy = std::max(energy, std::abs(r.rows["totalEnergy"][i] - 0.2 * kContactShapesG * 0.25));
    force = std::max(force, std::abs(r.rows["c.f_n"][i] - 0.2 * (kContactShapesG / std::sqrt(q) +
                                                                 2 * v2 / std::pow(q, 1.5))));
  }
  CHECK(energy < kContactShapesRun);
  CHECK(force < 10 * kContactShapesRun);
}

TEST_CASE(
    "PointSurface: a point that slides off a rigid round hill leaves it where 3 cos = 2 + v^2/(g "
    "R)") {
  const double R = 0.5, v = 0.4, cosine = (2 + v * v / (kContactShapesG * R)) / 3;
  const test::ModelRun r = shapeRun(
      "g: 9.81, n: [0, -1, 0]",
      point("r_0: {start: [0, 0, 0], fixed: true}, v_0: {start: [0.4, 0, 0], fixed: true}",
            "rigid: true, restitution: 0, height: \"sqrt(0.25 - min(c.x^2, 0.24)) - 0.5\", slope: "
            "[\"-c.x/sqrt(0.25 - min(c.x^2, 0.24))\", 0], curvature: [\"-0.25/(0.25 - min(c.x^2, "
            "0.24))^1.5\", 0, 0]"),
      0.7, 70, "p.r_0, c.touching, c.f_n");
  double left = -1;
  for (size_t i = 0; i < r.rows.time().size() && left < 0; ++i) {
    if (r.rows["c.touching"][i] == 0) left = (r.rows["p.r_0[2]"][i] + R) / R;
  }
  CHECK(left == doctest::Approx(cosine).epsilon(1e-6));
}

TEST_CASE("PointSurface: on a slope a point sticks below the angle of friction, and slides above") {
  // height = x tan(alpha) and y tan(beta) across: the steepest descent has tan^2 = their squares' sum.
  const double sx = 0.3, sy = -0.2, steep = std::sqrt(1 + sx * sx + sy * sy);
  const double tangent = std::sqrt(sx * sx + sy * sy), sine = tangent / steep, cosine = 1 / steep;
  for (const bool rigid : {true, false}) {
    for (const double mu : {1.01 * tangent, 0.6 * tangent}) {
      CAPTURE(rigid);
      CAPTURE(mu);
      // An elastic surface is touched at the depth where k depth steepness = m g cos.
      const double depth = rigid ? 0 : 0.2 * kContactShapesG * cosine / (1e6 * steep);
      const test::ModelRun r = shapeRun(
          "g: 9.81, n: [0, -1, 0]",
          point(
              fmt::format("r_0: {{start: [0, {}, 0], fixed: true}}, v_0: {{fixed: true}}", -depth),
              fmt::format("{}, mu: {}, stick: true, height: \"0.3*c.x - 0.2*c.y\", slope: [0.3, "
                          "-0.2], curvature: [0, 0, 0]",
                          rigid ? "rigid: true, restitution: 0"
                                : "k: 1e6, exponent: 1, damping: 5, z_s: 1e-9",
                          mu)),
          1, 2, "p.v_0, c.f_n, c.stuck, c.f_friction, c.lossPower");
      const double a = mu > tangent ? 0 : kContactShapesG * (sine - mu * cosine);
      // Down, in the world: y is up, x along the surface's x, its y is n x lengthDirection = -z.
      // What holds by a displacement of z_s is not there at once: its work over z_s is missing.
      const double won = rigid || a == 0 ? 0 : std::sqrt(2 * mu * kContactShapesG * cosine * 1e-9);
      const double most = 10 * kContactShapesRun + won;
      CHECK(std::abs(r.last("p.v_0[1]") + a * sx / (tangent * steep)) < most);
      CHECK(std::abs(r.last("p.v_0[2]") + a * sine) < most);
      CHECK(std::abs(r.last("p.v_0[3]") - a * sy / (tangent * steep)) < most);
      CHECK(std::abs(r.last("c.f_n") - 0.2 * kContactShapesG * cosine) < 100 * kContactShapesRun);
      CHECK(r.last("c.stuck") == (a == 0 ? 1 : 0));
      CHECK(std::abs(r.last("c.f_friction") - 0.2 * (kContactShapesG * sine - a)) <
            100 * kContactShapesRun);
    }
  }
}

TEST_CASE("PointSurface: a rigid surface that moves carries its point, and throws it off") {
  // height = A (1 - cos(10 t)) (1 + x/2): at x = 0 the point is carried, held there by a slide.
  const auto shaken = [](double A, double stop) {
    return shapeRun(
        "g: 10, n: [0, -1, 0]",
        fmt::format(
            "components:\n"
            "  guide: {{type: Prismatic, n: [0, 1, 0], s: {{fixed: true}}, v: {{fixed: true}}}}\n"
            "  p: {{type: Body, m: 2, r_CM: [0, 0, 0]}}\n"
            "  c: {{type: Contact.PointSurface, rigid: true, restitution: 0, height: \"{0}*(1 - "
            "cos(10*time))\", slope: [0, 0], rate: \"{0}*10*sin(10*time)\", curvature: [0, 0, 0], "
            "slopeRate: [0, 0], acceleration: \"{0}*100*cos(10*time)\"}}\n"
            "connections:\n  - [world.frame_b, guide.frame_a]\n  - [guide.frame_b, p.frame_a]\n"
            "  - [world.frame_b, c.frame_a]\n  - [p.frame_a, c.frame_b]\n",
            A),
        stop, 50, "guide.s, c.f_n, c.touching");
  };
  test::checkCarriedAndThrownOff(shaken, "guide.s", 0, "c.f_n", kContactShapesRun);
}

TEST_CASE("PointSurface: along a surface that turns a bead is driven out as in a turning tube") {
  // height = tan(w t) x, a rigid line through the origin, without gravity: r'' = w^2 r along it, and the
  // force across is 2 m w r'.
  const double w = 0.8, r0 = 0.2, m = 0.2;
  const test::ModelRun r = shapeRun(
      "gravityType: NoGravity",
      point(
          "r_0: {start: [0.2, 0, 0], fixed: true}, v_0: {start: [0, 0.16, 0], fixed: true}",
          "rigid: true, restitution: 0, height: \"c.x*tan(0.8*time)\", slope: [\"tan(0.8*time)\", "
          "0], rate: \"0.8*c.x/cos(0.8*time)^2\", curvature: [0, 0, 0], slopeRate: "
          "[\"0.8/cos(0.8*time)^2\", 0], acceleration: "
          "\"2*0.64*c.x*sin(0.8*time)/cos(0.8*time)^3\""),
      1.2, 24, "p.r_0, c.f_n, c.touching");
  double worst = 0, force = 0;
  for (size_t i = 0; i < r.rows.time().size(); ++i) {
    const double t = r.rows.time()[i], s = r0 * std::cosh(w * t), v = r0 * w * std::sinh(w * t);
    worst = std::max({worst, std::abs(r.rows["p.r_0[1]"][i] - s * std::cos(w * t)),
                      std::abs(r.rows["p.r_0[2]"][i] - s * std::sin(w * t))});
    force = std::max(force, std::abs(r.rows["c.f_n"][i] - 2 * m * w * v));
  }
  CHECK(worst < 10 * kContactShapesRun);
  CHECK(force < 100 * kContactShapesRun);
}

TEST_CASE(
    "rigid contact: a plate on four feet has the shares of least squares, and they are told") {
  const std::array<double, 4> f = leastShares(40, 0.05, 0.1);
  const auto checkShares = [](const test::ModelRun& r, const std::array<double, 4>& expected) {
    for (int i = 0; i < 4; ++i)
      CHECK(std::abs(r.last(fmt::format("c{}.f_n", i + 1)) - expected[i]) < 1e-5);
    CHECK(isToldToShare(r));
  };
  const std::string outputs = "\"c?.f_n\", plate.r_0, plate.v_0, \"c?.touching\"";
  // Put there, or come down from above.
  for (const double height : {0.1, 0.3}) {
    CAPTURE(height);
    const test::ModelRun r =
        shapeRun("g: 10, n: [0, -1, 0]", plate(height, "restitution: 0.5"), 1, 10, outputs);
    checkShares(r, f);
    CHECK(std::abs(r.last("plate.r_0[2]") - 0.1) < 1e-7);
    CHECK(std::abs(r.last("plate.v_0[2]")) < kContactShapesRun);
  }
  // A load that grows at the place of the fourth foot: 10 N there.
  const test::ModelRun pressed =
      shapeRun("g: 10, n: [0, -1, 0]",
               plate(0.1, "restitution: 0.5", "  - [p4.frame_b, press.frame_b]\n")
                   .insert(12, "  press: {type: WorldForce, force: [0, \"-10*time\", 0]}\n"),
               1, 10, outputs);
  std::array<double, 4> more = leastShares(10, 0.4, 0.3);
  for (int i = 0; i < 4; ++i) more[i] += f[i];
  checkShares(pressed, more);
}

TEST_CASE(
    "rigid contact: a plate on four feet is lifted off two of them, and stands on the others") {
  // A force that grows lifts at x = 0.4; about the feet at x = -0.4 it turns once F 0.8 = 40 0.45.
  const test::ModelRun r =
      shapeRun("g: 10, n: [0, -1, 0]",
               plate(0.1, "restitution: 0",
                     "  - [lift.frame_b, middle.frame_b]\n  - [plate.frame_a, middle.frame_a]\n")
                   .insert(12,
                           "  lift: {type: WorldForce, force: [0, \"20*time\", 0]}\n"
                           "  middle: {type: FixedTranslation, r: [0.4, 0, 0.1]}\n"),
               1.2, 12, "\"c?.touching\", plate.w_a");
  // By least squares c2 bears 95/12 - F 5/12; without it the others have no choice.
  for (const double when : {0.95, 1.125}) {
    CHECK(std::ranges::any_of(r.report.eventRecords, [&](const EventRecord& e) {
      return std::abs(e.time - when) < 1e-5;
    }));
  }
  CHECK(r.last("c2.touching") == 0);
  CHECK(r.last("c4.touching") == 0);
  CHECK(r.last("c1.touching") == 1);
  CHECK(r.last("c3.touching") == 1);
  CHECK(r.last("plate.w_a[3]") > 0.01);
}

TEST_CASE("rigid contact: how four feet share a load does not hang on the unit of mass") {
  const std::array<double, 4> f = leastShares(10, 0.05, 0.1);
  for (const double height : {0.1, 0.3}) {
    size_t events = 0;
    for (const double m : {4.0, 1e-6, 1e6, 1e8}) {
      CAPTURE(height);
      CAPTURE(m);
      const test::ModelRun r =
          shapeRun("g: 10, n: [0, -1, 0]", plate(height, "restitution: 0", "", m), 2, 2,
                   "\"c?.f_n\", \"c?.depth\"");
      for (int i = 0; i < 4; ++i) {
        CHECK(std::abs(r.last(fmt::format("c{}.f_n", i + 1)) / m - f[i]) < 1e-5);
        CHECK(std::abs(r.last(fmt::format("c{}.depth", i + 1))) < 1e-7);
      }
      CHECK(isToldToShare(r));
      if (events == 0) events = r.report.eventRecords.size();
      CHECK(r.report.eventRecords.size() == events);
      CHECK(events < 10);
    }
  }
}

TEST_CASE("rigid contact: each of two plates of very different mass has its own shares") {
  // The light one stands on the heavy one, foot above foot.
  std::string parts =
      "  top: {type: Body, m: 1, r_CM: [0.05, 0, 0.1], I_11: 0.075, I_22: 0.125, I_33: 0.075, r_0: "
      "{start: [0, 0.2, 0], fixed: true}, v_0: {fixed: true}, w_0_fixed: true, angles_fixed: "
      "true}\n";
  std::string links;
  for (int i = 1; i <= 4; ++i) {
    parts += fmt::format(
        "  q{0}: {{type: FixedTranslation, r: [{1}, 0, {2}]}}\n"
        "  d{0}: {{type: Contact.SpherePlane, radius: 0.1, rigid: true, restitution: 0}}\n",
        i, i % 2 == 1 ? -0.4 : 0.4, i < 3 ? -0.3 : 0.3);
    links += fmt::format(
        "  - [top.frame_a, q{0}.frame_a]\n  - [q{0}.frame_b, d{0}.frame_b]\n"
        "  - [plate.frame_a, d{0}.frame_a]\n",
        i);
  }
  const double m = 1e6;
  const test::ModelRun r =
      shapeRun("g: 10, n: [0, -1, 0]", plate(0.1, "restitution: 0", links, m).insert(12, parts), 2,
               2, "\"c?.f_n\", \"d?.f_n\"");
  const std::array<double, 4> f = leastShares(10, 0.05, 0.1);
  for (int i = 0; i < 4; ++i) {
    CHECK(std::abs(r.last(fmt::format("c{}.f_n", i + 1)) / (m + 1) - f[i]) < 1e-5);
    CHECK(std::abs(r.last(fmt::format("d{}.f_n", i + 1)) - f[i]) < 1e-5);
  }
  CHECK(r.report.eventRecords.size() < 10);
}

TEST_CASE("rigid contact: of three feet that stick friction alone is shared, and that is told") {
  const double alpha = 0.2, F = 40;
  const test::ModelRun r = shapeRun(
      fmt::format("g: 10, n: [{}, {}, 0]", std::sin(alpha), -std::cos(alpha)),
      "components:\n"
      "  plate: {type: Body, m: 4, r_CM: [0.05, 0, 0.05], I_11: 0.3, I_22: 0.5, I_33: 0.3, r_0: "
      "{start: [0, 0.1, 0], fixed: true}, v_0: {fixed: true}, w_0_fixed: true, angles_fixed: "
      "true}\n"
      "  p1: {type: FixedTranslation, r: [-0.4, 0, -0.3]}\n"
      "  p2: {type: FixedTranslation, r: [0.4, 0, -0.3]}\n"
      "  p3: {type: FixedTranslation, r: [0, 0, 0.4]}\n"
      "  c1: &c {type: Contact.SpherePlane, radius: 0.1, rigid: true, restitution: 0, mu: 0.6, "
      "stick: true}\n"
      "  c2: *c\n  c3: *c\n"
      "connections:\n"
      "  - [plate.frame_a, p1.frame_a]\n  - [plate.frame_a, p2.frame_a]\n"
      "  - [plate.frame_a, p3.frame_a]\n"
      "  - [p1.frame_b, c1.frame_b]\n  - [p2.frame_b, c2.frame_b]\n  - [p3.frame_b, c3.frame_b]\n"
      "  - [world.frame_b, c1.frame_a]\n  - [world.frame_b, c2.frame_a]\n"
      "  - [world.frame_b, c3.frame_a]\n",
      2, 2, "\"c?.f_n\", \"c?.depth\", \"c?.f_0[1]\"");
  // Balance of forces across the plane, and of moments: the weight acts 0.1 above it.
  const double normal = F * std::cos(alpha), along = F * std::sin(alpha);
  const double f3 = (0.05 + 0.3) * normal / 0.7;
  const double difference = (0.05 * normal + 0.1 * along) / 0.4;
  CHECK(std::abs(r.last("c3.f_n") - f3) < 1e-5);
  CHECK(std::abs(r.last("c2.f_n") - 0.5 * (normal - f3 + difference)) < 1e-5);
  CHECK(std::abs(r.last("c1.f_n") - 0.5 * (normal - f3 - difference)) < 1e-5);
  CHECK(std::abs(r.last("c1.f_0[1]") + r.last("c2.f_0[1]") + r.last("c3.f_0[1]") + along) < 1e-5);
  // Nothing of the normal forces is shared: no foot gives way.
  for (int i = 1; i <= 3; ++i) CHECK(std::abs(r.last(fmt::format("c{}.depth", i))) < 1e-11);
  REQUIRE(r.report.warnings.size() == 1);
  CHECK(r.report.warnings.front() ==
        "'c1', 'c2' and 'c3' are stuck and hold the same motion: they share its load, each in "
        "proportion to what it can hold (first at t = 0 s)");
}

TEST_CASE("rigid contact: masses that are stuck on one rod share by friction, not as contacts") {
  const test::ModelRun r = shapeRun(
      "g: 10",
      "components:\n"
      "  m1: {type: Translational.MassWithStopAndFriction, m: 1, s: {start: 0, fixed: true}, v: "
      "{start: 0, fixed: true}}\n"
      "  m2: {type: Translational.MassWithStopAndFriction, m: 1}\n"
      "  f: {type: Translational.ConstantForce, f_constant: 1}\n"
      "connections:\n  - [m1.flange_b, m2.flange_a]\n  - [f.flange, m2.flange_b]\n",
      1, 2, "m1.v");
  CHECK(std::abs(r.last("m1.v")) < 1e-9);
  REQUIRE(r.report.warnings.size() == 1);
  CHECK(r.report.warnings.front().starts_with(
      "'m1' and 'm2' are stuck and hold the same motion: they share its load"));
}

TEST_CASE("rigid contact: four feet that stick hold a plate on an incline") {
  const double alpha = 0.2;
  const test::ModelRun r =
      shapeRun(fmt::format("g: 10, n: [{}, {}, 0]", std::sin(alpha), -std::cos(alpha)),
               plate(0.1, "restitution: 0, mu: 0.4, stick: true"), 1, 10,
               "\"c?.f_0[1]\", \"c?.f_n\", plate.v_0, \"c?.stuck\"");
  double held = 0, carried = 0;
  for (int i = 1; i <= 4; ++i) {
    held += r.last(fmt::format("c{}.f_0[1]", i));
    carried += r.last(fmt::format("c{}.f_n", i));
    CHECK(r.last(fmt::format("c{}.stuck", i)) == 1);
  }
  CHECK(std::abs(held + 40 * std::sin(alpha)) < 1e-5);
  CHECK(std::abs(carried - 40 * std::cos(alpha)) < 1e-5);
  CHECK(std::abs(r.last("plate.v_0[1]")) < 1e-7);
}

TEST_CASE(
    "rigid contact: surfaces that overlap a little at the start stay closed, without an event") {
  // Plates that stick and slide, and a rod between a wall and the floor, which slides down by
  // w^2 (I + m L^2) = 2 m g L (sin(phi_0) - sin(phi)), L half its length, while both its ends touch.
  for (const double overlap : {1e-8, 1e-6, 1.9e-5}) {
    for (const char* method : {"ida", "explicit"}) {
      CAPTURE(overlap);
      CAPTURE(method);
      const std::string settings =
          fmt::format("simulation: {{stop: 0.3, interval: 0.1, tolerance: {}, integrator: {}}}\n",
                      kContactShapesTolerance, method);
      for (const char* law : {"mu: 0.4, stick: true", "mu: 0"}) {
        CAPTURE(law);
        std::string model = plate(0.1 - overlap, fmt::format("restitution: 0.5, {}", law));
        const std::string flat = "angles_fixed: true";
        model.replace(model.find(flat), flat.size(),
                      fmt::format("{}, angles_start: [{}, 0, -{}]", flat, overlap, overlap));
        const test::ModelRun r = test::runModel("world: {g: 10, n: [0.1, -1, 0]}\n" + model +
                                                settings + "outputs: [\"c?.f_n\", \"c?.depth\"]\n");
        CHECK(r.report.events == 0);
        double carried = 0;
        for (int i = 1; i <= 4; ++i) {
          carried += r.last(fmt::format("c{}.f_n", i));
          CHECK(std::abs(r.last(fmt::format("c{}.depth", i)) - r[fmt::format("c{}.depth", i)][0]) <
                2e-7);
        }
        CHECK(carried == doctest::Approx(40 / std::sqrt(1.01)).epsilon(1e-6));
      }
      const double phi = 1.2, half = 0.5;
      const test::ModelRun rod = test::runModel(
          fmt::format("world: {{g: 10, n: [0, -1, 0]}}\n"
                      "components:\n"
                      "  move: {{type: Planar, s_x: {{start: {:.17g}, fixed: true}}, v_x: {{fixed: "
                      "true}}, s_y: {{start: "
                      "{:.17g}, fixed: true}}, v_y: {{fixed: true}}, phi: {{start: {}, fixed: "
                      "true}}, w: {{fixed: true}}}}\n"
                      "  rod: {{type: Body, m: 2, r_CM: [0, 0, 0], I_33: 0.15}}\n"
                      "  top: {{type: FixedTranslation, r: [{}, 0, 0]}}\n"
                      "  foot: {{type: FixedTranslation, r: [-{}, 0, 0]}}\n"
                      "  wall: {{type: Contact.SpherePlane, radius: 0.02, n: [-1, 0, 0], "
                      "restitution: 0.3, rigid: true, mu: 0}}\n"
                      "  floor: {{type: Contact.SpherePlane, radius: 0.02, n: [0, 1, 0], "
                      "restitution: 0.3, rigid: true, mu: 0}}\n"
                      "connections:\n"
                      "  - [world.frame_b, move.frame_a]\n  - [move.frame_b, rod.frame_a]\n  - "
                      "[rod.frame_a, top.frame_a]\n"
                      "  - [rod.frame_a, foot.frame_a]\n  - [world.frame_b, wall.frame_a]\n  - "
                      "[top.frame_b, wall.frame_b]\n"
                      "  - [world.frame_b, floor.frame_a]\n  - [foot.frame_b, floor.frame_b]\n",
                      -0.02 + overlap - half * std::cos(phi), 0.02 - overlap + half * std::sin(phi),
                      phi, half, half) +
          settings + "outputs: [move.w, move.phi]\n");
      CHECK(rod.report.events == 0);
      const double fallen = std::sin(phi) - std::sin(rod.last("move.phi"));
      CHECK(rod.last("move.w") ==
            doctest::Approx(-std::sqrt(2 * 2 * 10 * half * fallen / (0.15 + 2 * half * half)))
                .epsilon(1e-5));
    }
  }
}

TEST_CASE("PointSurface: what stick and rigid read of a surface must be given") {
  const auto told = [](const std::string& contact) {
    return test::messageOfRun<ModelError>(
        "world: {g: 10}\n" + point("r_0: {fixed: true}", "height: 0, slope: [0, 0], " + contact));
  };
  CHECK(told("rigid: true, restitution: 0").find("curvature") != std::string::npos);
  CHECK(told("k: 1e5, mu: 0.1, stick: true").find("curvature") != std::string::npos);
  CHECK(told("rigid: true, restitution: 0, curvature: [0, 0, 0], rate: 1").find("slopeRate") !=
        std::string::npos);
  const std::string rigid = "rigid: true, restitution: 0, curvature: [0, 0, 0]";
  CHECK(
      told(rigid + ", slopeRate: [0, 0]")
          .find(" error: Contact.PointSurface 'c': 'slopeRate' is of a surface that moves, but no "
                "'rate' is given") != std::string::npos);
  CHECK(told(rigid + ", acceleration: 0").find("'acceleration' is of a surface that moves") !=
        std::string::npos);
  CHECK(told("E_star: 1e9").find("unknown key 'E_star'") != std::string::npos);
}

TEST_CASE("PointSurface: an elastic surface without stick refuses what it would not read") {
  for (const std::string extra : {"curvature: [0, 0, 0]", "slopeRate: [0, 0]", "acceleration: 0"}) {
    CAPTURE(extra);
    const std::string message = test::messageOfRun<ModelError>(
        "world: {g: 10}\n" +
        point("r_0: {fixed: true}", "height: 0, slope: [0, 0], rate: 0, k: 1e5, " + extra));
    CHECK(message.find("'" + extra.substr(0, extra.find(':')) +
                       "' needs stick: true or rigid: true") != std::string::npos);
  }
}
