// der() of what is known: tables, functions of time, inputs and coordinates have exact rates, in
// results and where the motion reads them, by either method.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "engine/integration/input_feed.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kRunTolerance = 1e-10;
/// Of what is integrated over a second or two.
constexpr double kIntegrated = 1e3 * kRunTolerance;
/// First derivatives are exact.
constexpr double kExactRate = 1e-11;
/// Second ones are differences of exact first ones. In what moves they are of order 6, over 2e-4 s: the
/// rounding of some operations on numbers of size 10 comes back as some 1e-15*10/2e-4. In results they
/// are of order 2, over 2e-5 s.
constexpr double kSecond = 1e-9, kSecondOfResults = 2e-8;
/// Curvatures that jump by less than a tenth of the largest are no event: the jump is averaged over
/// these 2e-5 s, so that up to a quarter of it times 1e-5 s is missing at the first point of a table.
constexpr double kUnfelt = 0.1 * 30 * 1e-5 / 4;

test::ModelRun runWith(const std::string& text, const std::string& integrator, double stop,
                       double interval) {
  return test::runModel(text + "simulation: {integrator: " + integrator + "}\n",
                        {.stopTime = stop, .outputInterval = interval, .tolerance = kRunTolerance});
}

/// First and second derivative at t[0] of the cubic through four points.
std::vector<double> slopesOfCubic(const std::vector<double>& t, const std::vector<double>& y) {
  double first = 0, second = 0;
  for (size_t i = 0; i < 4; ++i) {
    double d1 = 0, d2 = 0, denominator = 1;
    for (size_t j = 0; j < 4; ++j) {
      if (j == i) continue;
      denominator *= t[i] - t[j];
      double product = 1;
      for (size_t k = 0; k < 4; ++k) {
        if (k != i && k != j) product *= t[0] - t[k];
      }
      d1 += product;
      for (size_t k = 0; k < 4; ++k) {
        if (k == i || k == j) continue;
        const size_t l = 6 - i - j - k;
        d2 += t[0] - t[l];
      }
    }
    first += y[i] * d1 / denominator;
    second += y[i] * d2 / denominator;
  }
  return {first, second};
}

/// Rows strictly inside an interval of 0.5 s, eight of them: at each one the derivatives of the cubic
/// that it and the three around it lie on.
template <class Check>
void forEachRowInside(const test::ModelRun& r, const std::string& of, Check check) {
  const std::vector<double>& t = r.rows.time();
  for (size_t k = 0; k < t.size(); ++k) {
    const double inPiece = std::fmod(t[k], 0.5) / 0.5;
    if (inPiece < 0.1 || inPiece > 0.9) continue;
    // Three others of the same interval.
    std::vector<double> times{t[k]}, values{r[of][k]};
    for (size_t j = 0; j < t.size() && times.size() < 4; ++j) {
      const double other = std::fmod(t[j], 0.5) / 0.5;
      const bool isSame = std::floor(t[j] / 0.5) == std::floor(t[k] / 0.5);
      if (isSame && other > 0.05 && other < 0.95 && std::abs(t[j] - t[k]) > 0.06) {
        times.push_back(t[j]);
        values.push_back(r[of][j]);
      }
    }
    REQUIRE(times.size() == 4);
    check(k, slopesOfCubic(times, values));
  }
}

const char* const kPoints = "table: [[0, 0], [0.5, 0.3], [1, 1.1], [1.5, 1.4], [2, 1.2], [2.5, 0]]";

}  // namespace

TEST_CASE("der: of a table of each smoothness is the table's own, twice, by either method") {
  for (const char* smoothness :
       {"LinearSegments", "ContinuousDerivative", "MonotoneContinuousDerivative1",
        "MonotoneContinuousDerivative2", "ModifiedContinuousDerivative"}) {
    for (const std::string type : {"CombiTimeTable", "CombiTable1Ds"}) {
      for (const char* integrator : {"ida", "explicit"}) {
        CAPTURE(smoothness);
        CAPTURE(type);
        CAPTURE(integrator);
        const test::ModelRun r = runWith(
            fmt::format(
                "components:\n"
                "  table: {{type: Blocks.{}, {}, smoothness: {}{}}}\n"
                "variables:\n"
                "  v: \"der(table.y[1])\"\n  a: \"der(der(table.y[1]))\"\n  both: \"2*table.y[1] + "
                "time\"\n"
                "  slope: \"der(both)\"\n"
                "  x: {{start: 0, fixed: true}}\n  z: {{start: 0, fixed: true}}\n"
                "equations: [\"der(x) = der(table.y[1])\", \"der(z) = der(der(table.y[1]))\"]\n"
                "outputs: [\"table.y[1]\", v, a, slope, x, z]\n",
                type, kPoints, smoothness, type == "CombiTimeTable" ? "" : ", u: time"),
            integrator, 2.4, 0.0625);
        double jumps = 0;
        forEachRowInside(r, "table.y[1]", [&](size_t k, const std::vector<double>& slopes) {
          CHECK(std::abs(r["v"][k] - slopes[0]) < kExactRate);
          CHECK(std::abs(r["a"][k] - slopes[1]) < kSecond);
          CHECK(std::abs(r["slope"][k] - (2 * slopes[0] + 1)) < kExactRate);
          CHECK(std::abs(r["x"][k] - r["table.y[1]"][k]) < kIntegrated);
          jumps = std::max(jumps, std::abs(slopes[1]));
        });
        const bool isSmooth = std::string(smoothness) != "LinearSegments";
        CHECK((jumps > 0.1) == isSmooth);
        // der(der(y)) knows nothing of what der(y) jumps by, and this is told.
        CHECK(isSmooth == r.report.warnings.empty());
        if (!isSmooth)
          CHECK(r.report.warnings[0].starts_with("'der(table.y)' (model.yaml:2:3) jumps by "));
        for (size_t k = 0; k < r.rows.time().size(); ++k) {
          const double expected = isSmooth ? r["v"][k] - r["v"][0] : 0;
          CHECK(std::abs(r["z"][k] - expected) < kSecond + kIntegrated + kUnfelt);
        }
      }
    }
  }
}

TEST_CASE("der: a table over a coordinate goes by the chain rule, by either method") {
  // phi = 2 t: y = T(2 t).
  for (const char* integrator : {"ida", "explicit"}) {
    CAPTURE(integrator);
    const test::ModelRun r = runWith(
        fmt::format("components:\n"
                    "  J: {{type: Rotational.Inertia, J: 1, phi: {{fixed: true}}, w: {{start: 1, "
                    "fixed: true}}}}\n"
                    "  table: {{type: Blocks.CombiTable1Ds, {}, smoothness: ContinuousDerivative, "
                    "u: J.phi}}\n"
                    "variables: {{v: \"der(table.y[1])\", x: {{start: 0, fixed: true}}}}\n"
                    "equations: [\"der(x) = der(table.y[1])\"]\n"
                    "outputs: [\"table.y[1]\", v, x]\n",
                    kPoints),
        integrator, 2.4, 0.0625);
    forEachRowInside(r, "table.y[1]", [&](size_t k, const std::vector<double>& slopes) {
      CHECK(std::abs(r["v"][k] - slopes[0]) < kIntegrated);
      CHECK(std::abs(r["x"][k] - r["table.y[1]"][k]) < kIntegrated);
    });
  }
}

TEST_CASE("der: a table over a coordinate and time has both parts of its rate, by either method") {
  // Between its points the table is u1 u2, with u1 = phi = t and u2 = 2 t.
  for (const char* integrator : {"ida", "explicit"}) {
    CAPTURE(integrator);
    const test::ModelRun r = runWith(
        "components:\n"
        "  J: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {start: 1, fixed: true}}\n"
        "  plane: {type: Blocks.CombiTable2Ds, table: [[0, 0, 1, 4], [0, 0, 0, 0], [0.7, 0, 0.7, "
        "2.8], [2, 0, 2, 8]], u1: J.phi, u2: 2*time}\n"
        "  steps: {type: Blocks.TimeTable, table: [[0, 1], [0.6, 4], [1.6, 4], [2, 0]]}\n"
        "variables: {v: der(plane.y), a: \"der(der(plane.y))\", slope: der(steps.y), x: {start: 0, "
        "fixed: true}, z: {start: 1, fixed: true}}\n"
        "equations: [\"der(x) = der(plane.y)\", \"der(z) = der(steps.y)\"]\n"
        "outputs: [v, a, slope, x, z, steps.y]\n",
        integrator, 1.9, 0.05);
    for (size_t k = 0; k < r.rows.time().size(); ++k) {
      const double t = r.rows.time()[k];
      const auto isNear = [&](double knot) { return std::abs(t - knot) < 1e-9; };
      CHECK(std::abs(r["v"][k] - 4 * t) < kIntegrated);
      CHECK(std::abs(r["a"][k] - 4) < kSecondOfResults + kIntegrated);
      CHECK(std::abs(r["x"][k] - 2 * t * t) < kIntegrated);
      CHECK(std::abs(r["z"][k] - r["steps.y"][k]) < kIntegrated);
      const double slope = t < 0.6 ? 5 : t < 1.6 ? 0 : -10;
      CHECK((isNear(0.6) || isNear(1.6) || std::abs(r["slope"][k] - slope) < kExactRate));
    }
  }
}

TEST_CASE("der: functions of time have exact rates that equations and motions read") {
  // y = 0.3 sin(3 t) + t^2
  for (const char* integrator : {"ida", "explicit"}) {
    CAPTURE(integrator);
    const test::ModelRun r = runWith(
        "components:\n"
        "  sine: {type: Blocks.Sine, amplitude: 0.3, f: \"3/(2*pi)\"}\n"
        "  speed: {type: Rotational.Speed, exact: true, w_ref: \"der(y)\"}\n"
        "  J: {type: Rotational.Inertia, J: 2}\n"
        "  push: {type: Translational.Accelerate, a_ref: \"der(der(y))\", s: {fixed: true}, v: "
        "{start: 0.9, fixed: true}}\n"
        "  m: {type: Translational.Mass, m: 2}\n"
        "connections: [[speed.flange, J.flange_a], [push.flange, m.flange_a]]\n"
        "variables: {y: \"sine.y + time^2\", v: der(y), a: \"der(der(y))\", again: der(v)}\n"
        "outputs: [y, v, a, again, J.phi, J.w, J.a, m.s, m.v, m.a]\n",
        integrator, 1.5, 0.1);
    for (size_t k = 0; k < r.rows.time().size(); ++k) {
      const double t = r.rows.time()[k];
      const double y = 0.3 * std::sin(3 * t) + t * t, v = 0.9 * std::cos(3 * t) + 2 * t,
                   a = -2.7 * std::sin(3 * t) + 2;
      CHECK(std::abs(r["v"][k] - v) < kExactRate);
      CHECK(std::abs(r["a"][k] - a) < kSecond);
      CHECK(std::abs(r["again"][k] - a) < kSecondOfResults);
      CHECK(std::abs(r["J.phi"][k] - y) < kIntegrated);
      CHECK(std::abs(r["J.w"][k] - v) < kIntegrated);
      CHECK(std::abs(r["J.a"][k] - a) < kSecondOfResults);
      CHECK(std::abs(r["m.s"][k] - y) < kIntegrated);
      CHECK(std::abs(r["m.v"][k] - v) < kIntegrated);
      CHECK(std::abs(r["m.a"][k] - a) < kSecond);
    }
  }
}

TEST_CASE("der: of an input is the slope of its rows, where the motion reads it too") {
  for (const char* integrator : {"ida", "explicit"}) {
    CAPTURE(integrator);
    Simulation s = Simulation::fromText(
        catalogue(),
        fmt::format("inputs: {{u: 0}}\n"
                    "variables: {{w: \"3*u\", rate: der(w), x: {{start: 0, fixed: true}}}}\n"
                    "equations: [\"der(x) = der(w)\"]\noutputs: [u, rate, x]\n"
                    "simulation: {{integrator: {}}}\n",
                    integrator),
        "m.yaml");
    Trajectory rows;
    const auto table = std::make_shared<InputTable>(
        InputTable{"in.csv", {0, 0.5, 1.25, 2}, {"u"}, {{0, 1, -2, 0}}, false});
    s.run(rows,
          {.stopTime = 2, .outputInterval = 0.125, .tolerance = kRunTolerance, .inputs = table});
    for (size_t k = 0; k < rows.time().size(); ++k) {
      const double t = rows.time()[k];
      CHECK(std::abs(rows["x"][k] - 3 * rows["u"][k]) < kIntegrated);
      if (std::abs(t - 0.5) < 1e-9 || std::abs(t - 1.25) < 1e-9 || t == 2) continue;
      const double slope = t < 0.5 ? 2.0 : t < 1.25 ? -4.0 : 8.0 / 3;
      CHECK(std::abs(rows["rate"][k] - 3 * slope) < kExactRate);
    }
  }
}

TEST_CASE(
    "der: of a coordinate is its velocity: it adds no unknown, no step, and any method does") {
  const auto text = [](const std::string& speed) {
    return "components:\n"
           "  m: {type: Translational.Mass, m: 2, s: {start: 0.5, fixed: true}, v: {fixed: true}}\n"
           "  k: {type: Translational.Spring, c: 8}\n  wall: {type: Translational.Fixed}\n"
           "  push: {type: Translational.Force, f: \"-2*" +
           speed +
           "\"}\n"
           "connections:\n  - [m.flange_b, k.flange_a]\n  - [k.flange_b, wall.flange]\n"
           "  - [push.flange, m.flange_b]\n"
           "variables: {stretch: \"m.s - 1\"}\noutputs: [m.s, m.v]\n";
  };
  for (const char* integrator : {"ida", "explicit", "automatic"}) {
    CAPTURE(integrator);
    const test::ModelRun state = runWith(text("m.v"), integrator, 3, 0.1);
    const test::ModelRun rate = runWith(text("der(stretch)"), integrator, 3, 0.1);
    CHECK(rate.report.integrator.steps == state.report.integrator.steps);
    CHECK(rate.report.integrator.newtonMatrices == state.report.integrator.newtonMatrices);
    // s'' + s' + 4 s = 0
    const double w = std::sqrt(3.75);
    for (size_t i = 0; i < rate.rows.time().size(); ++i) {
      const double t = rate.rows.time()[i];
      const double s = 0.5 * std::exp(-0.5 * t) * (std::cos(w * t) + 0.5 / w * std::sin(w * t));
      CHECK(std::abs(rate["m.s"][i] - s) < kIntegrated);
    }
  }
}

TEST_CASE("der: of a place and of an orientation in space is what the frame's motion says") {
  // A pendulum of two angles: r = x e_x + ..., damped by the rate of its height and of a direction.
  const auto text = [](const std::string& of) {
    return "world: {g: 9.81}\n"
           "components:\n"
           "  j1: {type: Revolute, n: [0, 1, 0], phi: {fixed: true}, w: {start: 2, fixed: true}}\n"
           "  j2: {type: Revolute, useAxisFlange: true, phi: {start: 0.4, fixed: true}, w: {fixed: "
           "true}}\n"
           "  b: {type: BodyShape, r: [0.5, 0.2, 0.1], r_CM: [0.2, 0.1, 0], m: 1, I_11: 0.1, I_22: "
           "0.1, I_33: 0.1}\n"
           "  tip: {type: PointMass, m: 0.3}\n"
           "  brake: {type: Rotational.Torque, tau: \"-0.3*" +
           of +
           "\"}\n"
           "connections:\n  - [world.frame_b, j1.frame_a]\n  - [j1.frame_b, j2.frame_a]\n"
           "  - [j2.frame_b, b.frame_a]\n  - [brake.flange, j2.axis]\n"
           "  - [b.frame_b, tip.frame_a]\n"
           "variables:\n"
           "  height: \"tip.r_0[2]\"\n  climb: \"tip.v_0[2]\"\n"
           "  way: \"Frames.resolve1(b.frame_a.R, {0.5, 0.2, 0.1})\"\n"
           "  square: \"tip.r_0[1]^2 + tip.r_0[3]^2\"\n"
           "  away: \"2*(tip.r_0[1]*tip.v_0[1] + tip.r_0[3]*tip.v_0[3])\"\n"
           "outputs: [j1.phi, j2.phi, j2.w]\n";
  };
  for (const char* integrator : {"ida", "explicit"}) {
    for (const auto& [rate, known] :
         {std::pair{"der(height)", "climb"}, {"der(way[2])", "climb"}, {"der(square)", "away"}}) {
      CAPTURE(integrator);
      CAPTURE(rate);
      const test::ModelRun a = runWith(text(rate), integrator, 2, 0.1);
      const test::ModelRun b = runWith(text(known), integrator, 2, 0.1);
      // Newton's method begins and ends alike.
      CHECK(std::abs(a.report.integrator.steps - b.report.integrator.steps) <=
            b.report.integrator.steps / 50);
      for (size_t k = 0; k < a.rows.time().size(); ++k) {
        CHECK(std::abs(a["j2.phi"][k] - b["j2.phi"][k]) < kIntegrated);
        CHECK(std::abs(a["j2.w"][k] - b["j2.w"][k]) < kIntegrated);
      }
    }
  }
}

TEST_CASE("der: a cam follower takes the steps that the motion needs") {
  // Cycloid of 73 points: the follower's force reads der of the distance to the table.
  std::string table;
  for (int i = 0; i <= 72; ++i) {
    const double x = 2 * std::numbers::pi * i / 72;
    table += fmt::format("{}[{:.17g}, {:.17g}]", i ? ", " : "", x,
                         i == 72 ? 0 : 0.01 * (1 - std::cos(x)));
  }
  const auto text = [&](const std::string& damping) {
    return "components:\n"
           "  guide: {type: Translational.Mass, m: 0.3, s: {fixed: true}, v: {fixed: true}}\n"
           "  profile: {type: Blocks.CombiTable1Ds, table: [" +
           table +
           "], smoothness: ContinuousDerivative, extrapolation: Periodic, u: \"20*pi*time\"}\n"
           "  touch: {type: Translational.Force, f: \"-1e6*gap - 200*" +
           damping +
           "\"}\n"
           "connections: [[touch.flange, guide.flange_a]]\n"
           "variables: {gap: \"guide.s - profile.y[1]\"}\noutputs: [guide.s, gap]\n";
  };
  const auto turn = [&](const std::string& damping, const char* integrator) {
    return test::runModel(text(damping) + "simulation: {integrator: " + integrator + "}\n",
                          {.stopTime = 0.1, .outputInterval = 0.001, .tolerance = 1e-8});
  };
  const test::ModelRun r = turn("der(gap)", "ida"), without = turn("guide.v", "ida");
  const auto effort = [](const test::ModelRun& run) {
    return run.report.integrator.steps + run.report.integrator.errorTestFailures;
  };
  CHECK(effort(r) < 1.2 * static_cast<double>(effort(without)));
  const test::ModelRun other = turn("der(gap)", "explicit");
  for (size_t k = 0; k < r.rows.time().size(); ++k)
    CHECK(std::abs(r["guide.s"][k] - other["guide.s"][k]) < 1e-7);
}
