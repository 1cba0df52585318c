// What turns evenly leaves long steps: what happens within a turn, and right behind an impact, is found.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr const char* kMethods[] = {"ida", "explicit", "automatic"};

/// A bar thrown up at `vy` that turns at w, its tip at 0.15 m over a rigid floor.
std::string spinner(double w, double angle, double vy) {
  return fmt::format(
      "world: {{g: 9.81, n: [0, -1, 0]}}\n"
      "components:\n"
      "  py: {{type: Prismatic, n: [0, 1, 0], s: {{start: 0.2, fixed: true}}, v: {{start: {:.17g}, "
      "fixed: true}}}}\n"
      "  r: {{type: Revolute, n: [0, 0, 1], phi: {{start: {:.17g}, fixed: true}}, w: {{start: "
      "{:.17g}, fixed: true}}}}\n"
      "  b: {{type: Body, m: 1, r_CM: [0, 0, 0], I_33: 0.01}}\n"
      "  t: {{type: FixedTranslation, r: [0.15, 0, 0]}}\n"
      "  c: {{type: Contact.PointSurface, height: 0, slope: [0, 0], curvature: [0, 0, 0], rigid: "
      "true, restitution: 0.5}}\n"
      "connections:\n"
      "  - [world.frame_b, py.frame_a]\n"
      "  - [py.frame_b, r.frame_a]\n"
      "  - [r.frame_b, b.frame_a]\n"
      "  - [r.frame_b, t.frame_a]\n"
      "  - [t.frame_b, c.frame_b]\n"
      "  - [world.frame_b, c.frame_a]\n",
      vy, angle, w);
}

/// [s] When its tip meets the floor first, on a fine grid and then by bisection.
double meets(double w, double angle, double vy) {
  const auto height = [&](double t) {
    return 0.2 + vy * t - 0.5 * 9.81 * t * t + 0.15 * std::sin(angle + w * t);
  };
  const double fine = 1e-3 / std::abs(w);
  double t = 0;
  while (height(t + fine) > 0) t += fine;
  double a = t, b = t + fine;
  while (b - a > 1e-13) (height(0.5 * (a + b)) > 0 ? a : b) = 0.5 * (a + b);
  return a;
}

}  // namespace

TEST_CASE(
    "contact: a tip that turns evenly touches the floor when it does, in steps of any length") {
  for (const char* method : kMethods) {
    for (const double tolerance : {1e-5, 1e-8}) {
      for (int i = 0; i < 12; ++i) {
        const double w = (i % 2 == 0 ? -1 : 1) * (20 + 7.3 * i), angle = 0.2 + 0.5 * i,
                     vy = 2 + 0.13 * i;
        CAPTURE(method);
        CAPTURE(tolerance);
        CAPTURE(w);
        const test::ModelRun run =
            test::runModel(spinner(w, angle, vy) +
                           fmt::format("simulation: {{stop: 1.5, tolerance: {}, integrator: {}}}\n"
                                       "outputs: [c.depth]\n",
                                       tolerance, method));
        REQUIRE(!run.report.eventRecords.empty());
        CHECK(std::abs(run.report.eventRecords.front().time - meets(w, angle, vy)) <
              10 * tolerance);
      }
    }
  }
}

TEST_CASE("events: a condition of an angle that goes evenly is met once in every turn") {
  for (const char* method : kMethods) {
    CAPTURE(method);
    const test::ModelRun run = test::runModel(
        fmt::format("components:\n"
                    "  r: {{type: Rotational.Inertia, J: 1, phi: {{start: 0, fixed: true}}, w: "
                    "{{start: 60, fixed: "
                    "true}}}}\n"
                    "variables: {{n: {{start: 0, type: Integer}}}}\n"
                    "when: [{{condition: 'sin(r.phi) > 0.9', set: {{n: 'pre(n) + 1'}}}}]\n"
                    "simulation: {{stop: 10, integrator: {}}}\n"
                    "outputs: [n]\n",
                    method));
    CHECK(run.last("n") == 96);  // 600 rad: 95 turns, and the half of one
  }
}

TEST_CASE("rigid impact: two balls that know nothing of each other bounce as each of them alone") {
  const auto fall = [](double other, const char* method) {
    return test::runModel(
        fmt::format("world: {{g: 9.81, n: [0, -1, 0]}}\n"
                    "components:\n"
                    "  pa: {{type: Prismatic, n: [0, 1, 0], s: {{start: 0.05, fixed: true}}, v: "
                    "{{fixed: true}}}}\n"
                    "  a: {{type: Body, m: 1, r_CM: [0, 0, 0]}}\n"
                    "  pb: {{type: Prismatic, n: [0, 1, 0], s: {{start: {}, fixed: true}}, v: "
                    "{{fixed: true}}}}\n"
                    "  b: {{type: Body, m: 1, r_CM: [0, 0, 0]}}\n"
                    "  ca: {{type: Contact.PointSurface, height: 0, slope: [0, 0], curvature: [0, "
                    "0, 0], rigid: true, "
                    "restitution: 0.2}}\n"
                    "  cb: {{type: Contact.PointSurface, height: 0, slope: [0, 0], curvature: [0, "
                    "0, 0], rigid: true, "
                    "restitution: 0.5}}\n"
                    "connections:\n"
                    "  - [world.frame_b, pa.frame_a]\n"
                    "  - [pa.frame_b, a.frame_a]\n"
                    "  - [a.frame_a, ca.frame_b]\n"
                    "  - [world.frame_b, ca.frame_a]\n"
                    "  - [world.frame_b, pb.frame_a]\n"
                    "  - [pb.frame_b, b.frame_a]\n"
                    "  - [b.frame_a, cb.frame_b]\n"
                    "  - [world.frame_b, cb.frame_a]\n"
                    "simulation: {{stop: 0.6, interval: 0.01, integrator: {}}}\n"
                    "outputs: [pa.s]\n",
                    other, method));
  };
  for (const char* method : kMethods) {
    for (int i = 0; i < 8; ++i) {
      CAPTURE(method);
      CAPTURE(i);
      const test::ModelRun run = fall(0.1132 + 0.001 * i, method);
      CHECK(*std::ranges::min_element(run["pa.s"]) > -1e-9);
      CHECK(std::abs(run.last("pa.s")) < 1e-9);
      CHECK(run.report.eventRecords.size() < 100);
    }
  }
}

TEST_CASE("sticking contact: friction whose modes disagree drives no slip that has turned") {
  // A rod on two rails with one point that sticks: at some tolerances an event finds no modes.
  const std::string model =
      "world: {n: [0, -1, 0], g: 9.81}\n"
      "components:\n"
      "  up: {type: FixedTranslation, r: [0, 0.29073610874269273, 0]}\n"
      "  p: {type: Prismatic, n: [0, 1, 0], s: {fixed: true}, v: {fixed: true}}\n"
      "  pb: {type: Body, m: 1.149421757180597, r_CM: [0, 0, 0]}\n"
      "  p2: {type: Prismatic, n: [1, 0, 0], s: {fixed: true}, v: {start: -0.6742520951887381, "
      "fixed: "
      "true}}\n"
      "  r: {type: Revolute, n: [0, 0, 1], phi: {start: -0.27498322154358396, fixed: true}, w: "
      "{start: "
      "0.6384140336924586, fixed: true}}\n"
      "  l: {type: BodyShape, r: [0.5054629546927452, 0, 0], m: 0.30183819354263863, r_CM: "
      "[0.2527314773463726, 0, 0], I_33: 0.006426457065211004}\n"
      "  c: {type: Contact.PointSurface, height: 0, slope: [0, 0], curvature: [0, 0, 0], rigid: "
      "true, "
      "restitution: 0.3, mu: 0.3, stick: true}\n"
      "connections:\n"
      "  - [world.frame_b, up.frame_a]\n"
      "  - [up.frame_b, p.frame_a]\n"
      "  - [p.frame_b, pb.frame_a]\n"
      "  - [p.frame_b, p2.frame_a]\n"
      "  - [p2.frame_b, r.frame_a]\n"
      "  - [r.frame_b, l.frame_a]\n"
      "  - [world.frame_b, c.frame_a]\n"
      "  - [l.frame_b, c.frame_b]\n";
  for (const char* tolerance : {"1e-6", "1e-7", "3e-8", "1e-8", "1e-9"}) {
    CAPTURE(tolerance);
    const std::vector<double> energy = test::runModel(
        model + fmt::format("simulation: {{stop: 2, interval: 0.01, tolerance: {}}}\n"
                            "outputs: [totalEnergy]\n",
                            tolerance))["totalEnergy"];
    for (size_t i = 1; i < energy.size(); ++i) CHECK(energy[i] < energy[i - 1] + 1e-3);
  }
}

TEST_CASE("shapes: area and mean depth of a patch are those of the law") {
  const auto patch = [](const char* shape, double height, double m) {
    return test::runModel(fmt::format(
        "world: {{g: 9.81, n: [0, 0, -1]}}\n"
        "components:\n"
        "  floor: {{type: Contact.Shape, shape: plane}}\n"
        "  s: {{type: Contact.Shape, {}}}\n"
        "  b: {{type: Body, m: {}, r_CM: [0, 0, 0], I_11: 0.01, I_22: 0.01, I_33: 0.01, r_0: "
        "{{start: [0, "
        "0, {}], fixed: true}}, v_0: {{fixed: true}}, w_0_fixed: true, angles_fixed: true}}\n"
        "connections:\n"
        "  - [world.frame_b, floor.frame_a]\n"
        "  - [b.frame_a, s.frame_a]\n"
        "contacts: {{defaults: {{stiffness: 1e8}}}}\n"
        "simulation: {{stop: 1e-6}}\n"
        "outputs: [contact.floor.s.area, contact.floor.s.depth, contact.floor.s.f_n]\n",
        shape, m, height));
  };
  const double d = 1e-4;
  const test::ModelRun box = patch("shape: box, size: [0.1, 0.2, 0.1]", 0.05 - d, 1);
  CHECK(box.first("contact.floor.s.area") == doctest::Approx(0.02).epsilon(1e-9));
  CHECK(box.first("contact.floor.s.depth") == doctest::Approx(d).epsilon(1e-3));
  // The circle in which the plane cuts a sphere, over which the depth goes from d to nothing.
  const double R = 0.1;
  const test::ModelRun ball = patch("shape: sphere, radius: 0.1", R - d, 1);
  CHECK(ball.first("contact.floor.s.area") ==
        doctest::Approx(std::numbers::pi * (2 * R * d)).epsilon(2 * d / R));
  CHECK(ball.first("contact.floor.s.depth") == doctest::Approx(0.5 * d).epsilon(2 * d / R));
}
