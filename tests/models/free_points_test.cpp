// Points without mass that only force elements meet, against closed forms of statics.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kFreePointsTolerance = 1e-10;

Trajectory runFreePoints(const std::string& text, double stop, double interval,
                         const std::vector<std::string>& outputs) {
  return test::runModel(text, {.stopTime = stop,
                               .outputInterval = interval,
                               .tolerance = kFreePointsTolerance,
                               .outputs = outputs})
      .rows;
}

std::string errorOf(const std::string& text) {
  try {
    Simulation s = Simulation::fromText(catalogue(), text, "points.yaml");
    s.initialise();
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE(
    "free point: a mass on two springs in series swings as on one of the sum of compliances") {
  const double c1 = 100, c2 = 300, m = 2, g = 9.81, s0 = 1, start = 1.5;
  const Trajectory t = runFreePoints(
      "world: {g: 9.81}\n"
      "components:\n"
      "  s1: {type: Spring, c: 100, s_unstretched: 0.5}\n"
      "  s2: {type: Spring, c: 300, s_unstretched: 0.5}\n"
      "  j: {type: Prismatic, n: [0, -1, 0], s: {start: 1.5, fixed: true}, v: {fixed: true}}\n"
      "  b: {type: Body, m: 2, r_CM: [0, 0, 0]}\n"
      "connections: [[world.frame_b, s1.frame_a], [s1.frame_b, s2.frame_a], [s2.frame_b, "
      "b.frame_a], [world.frame_b, j.frame_a], [j.frame_b, b.frame_a]]\n",
      3, 0.05, {"j.s", "s1.frame_b.r_0", "s1.f", "s2.f"});
  const double c = c1 * c2 / (c1 + c2), rest = s0 + m * g / c, w = std::sqrt(c / m);
  for (size_t k = 0; k < t.time().size(); ++k) {
    const double s = rest + (start - rest) * std::cos(w * t.time()[k]);
    CHECK(std::abs(t["j.s"][k] - s) < 1000 * kFreePointsTolerance);
    CHECK(std::abs(t["s1.f"][k] - c * (s - s0)) < 1e5 * kFreePointsTolerance);
    CHECK(std::abs(t["s2.f"][k] - t["s1.f"][k]) < 1e5 * kFreePointsTolerance);
    CHECK(std::abs(t["s1.frame_b.r_0[2]"][k] + 0.5 + c * (s - s0) / c1) <
          1000 * kFreePointsTolerance);
    CHECK(std::abs(t["s1.frame_b.r_0[1]"][k]) < 1000 * kFreePointsTolerance);
  }
}

TEST_CASE(
    "free point: a star of three springs of no length hangs at the weighted mean of its ends") {
  const Trajectory t = runFreePoints(
      "components:\n"
      "  f1: {type: Fixed, r: [2, 0, 0]}\n"
      "  f2: {type: Fixed, r: [0, 3, 1]}\n"
      "  f3: {type: Fixed, r: [-1, -1, 0.5]}\n"
      "  s1: {type: Spring, c: 10, fixedRotationAtFrame_b: true}\n"
      "  s2: {type: Spring, c: 20}\n"
      "  s3: {type: Spring, c: 30}\n"
      "connections: [[f1.frame_b, s1.frame_a], [f2.frame_b, s2.frame_a], [f3.frame_b, s3.frame_a], "
      "[s1.frame_b, s2.frame_b], [s2.frame_b, s3.frame_b]]\n",
      1, 0.5, {"s1.frame_b.r_0", "s1.frame_b.R.T"});
  const double wanted[] = {(10 * 2 - 30 * 1) / 60.0, (20 * 3 - 30 * 1) / 60.0,
                           (20 * 1 + 30 * 0.5) / 60.0};
  for (size_t k = 0; k < t.time().size(); ++k) {
    for (size_t i = 0; i < 3; ++i) {
      const std::string element = "[" + std::to_string(i + 1) + "]";
      CHECK(std::abs(t["s1.frame_b.r_0" + element][k] - wanted[i]) < 1e-12);
    }
    CHECK(t["s1.frame_b.R.T[1,1]"][k] == 1);
  }
}

TEST_CASE("free point: with a damper it creeps from its guess to rest, exponentially") {
  // c1 x + c2 (x - 1) + d der(x) = 0 along the line from 0 to 1.
  const double c1 = 30, c2 = 10, d = 20;
  const Trajectory t = runFreePoints(
      "components:\n"
      "  f: {type: Fixed, r: [1, 0, 0]}\n"
      "  s1: {type: Spring, c: 30}\n"
      "  s2: {type: SpringDamperParallel, c: 10, d: 20}\n"
      "  sensor: {type: AbsolutePosition, r: {start: [0.7, 0, 0]}}\n"
      "connections: [[world.frame_b, s1.frame_a], [s1.frame_b, s2.frame_a], [s2.frame_b, "
      "f.frame_b], [s1.frame_b, sensor.frame_a]]\n",
      2, 0.1, {"sensor.r"});
  const double rest = c2 / (c1 + c2);
  for (size_t k = 0; k < t.time().size(); ++k) {
    const double x = rest + (0.7 - rest) * std::exp(-(c1 + c2) / d * t.time()[k]);
    CHECK(std::abs(t["sensor.r[1]"][k] - x) < 1000 * kFreePointsTolerance);
    CHECK(std::abs(t["sensor.r[2]"][k]) < 1e-9);
  }
}

TEST_CASE("free point: the start of r_rel_0 chooses among its equilibria") {
  // Two springs, 1 apart and 1 long, and a weak one that makes both sides of the line differ.
  const auto z = [](double start) {
    const Trajectory t = runFreePoints(
        "components:\n"
        "  f: {type: Fixed, r: [1, 0, 0]}\n"
        "  g: {type: Fixed, r: [0.5, 0, 0.1]}\n"
        "  s1: {type: Spring, c: 100, s_unstretched: 1, "
        "lineForce: {r_rel_0: {start: [0.5, 0, " +
            std::to_string(start) +
            "]}}}\n"
            "  s2: {type: Spring, c: 100, s_unstretched: 1}\n"
            "  s3: {type: Spring, c: 1}\n"
            "connections: [[world.frame_b, s1.frame_a], [f.frame_b, s2.frame_a], [g.frame_b, "
            "s3.frame_a], [s1.frame_b, s2.frame_b], [s2.frame_b, s3.frame_b]]\n",
        1, 0.5, {"s1.r_rel_0"});
    return t["s1.r_rel_0[3]"].front();
  };
  CHECK(z(0.8) == doctest::Approx(std::sqrt(0.75)).epsilon(0.01));
  CHECK(z(-0.8) == doctest::Approx(-std::sqrt(0.75)).epsilon(0.01));
}

TEST_CASE("free point: line forces in series that do not pull leave it free, by name") {
  CHECK(errorOf("components:\n"
                "  s1: {type: Spring, c: 100, s_unstretched: 0.5}\n"
                "  s2: {type: Spring, c: 300, s_unstretched: 0.5}\n"
                "  f: {type: Fixed, r: [1, 0, 0]}\n"
                "connections: [[world.frame_b, s1.frame_a], [s1.frame_b, s2.frame_a], "
                "[s2.frame_b, f.frame_b]]\n") ==
        "points.yaml:2:3: error: Spring 's1': the forces at 's1.frame_b', a point without mass, do "
        "not determine its place; two line forces in series need a PointMass between them, or a "
        "third force");
}

TEST_CASE("free point: a rigid part without mass cannot hang on it") {
  CHECK(errorOf("components:\n"
                "  s1: {type: Spring, c: 100, s_unstretched: 0.2}\n"
                "  s2: {type: Spring, c: 300, s_unstretched: 0.2}\n"
                "  bar: {type: FixedTranslation, r: [0.1, 0, 0]}\n"
                "  f: {type: Fixed, r: [1, 0, 0]}\n"
                "connections: [[world.frame_b, s1.frame_a], [s1.frame_b, bar.frame_a], "
                "[bar.frame_b, s2.frame_a], [s2.frame_b, f.frame_b]]\n") ==
        "points.yaml:2:3: error: Spring 's1': nothing with mass holds 's1.frame_b', which line "
        "forces meet and to which FixedTranslation 'bar' is connected: attach a Body or a "
        "PointMass");
}
