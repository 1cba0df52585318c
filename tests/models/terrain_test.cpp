// Ground of heights and of triangles: shapes move on it as on planes where it is flat, and as closed forms say.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <string>

#include "tests/models/shape_models.h"

using test::FreeShape;
using test::kShapesG;
using test::kShapesMethods;
using test::kShapesRun;
using test::ModelRun;
using test::ShapeModel;

namespace {

using Height = std::function<double(double x, double y)>;

/// A field of rows by columns as parameters.
std::string heights(int rows, int columns, double spacing, const Height& z) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += i > 0 ? ", [" : "[";
    for (int j = 0; j < columns; ++j) {
      const double x = (j - 0.5 * (columns - 1)) * spacing, y = (i - 0.5 * (rows - 1)) * spacing;
      text += fmt::format("{}{}", j > 0 ? ", " : "", z(x, y));
    }
    text += "]";
  }
  return fmt::format("shape: heights, heights: [{}], spacing: {}", text, spacing);
}
std::string flat() {
  return heights(15, 21, 0.07, [](double, double) { return 0.0; });
}

/// A ball in a bowl of radius `R`, let go at `amplitude` from its middle, by its path as a pendulum's.
struct Bowl {
  double R = 1, ball = 0.05, amplitude = 0.1;  ///< [m]

  ModelRun run(double spacing, double mu) const {
    const int n = 2 * static_cast<int>(std::lround(0.16 / spacing)) + 1;
    const double angle = amplitude / (R - ball);
    ShapeModel m;
    m.contacts = fmt::format("{{defaults: {{penetration: 1e-5, mu: {}}}}}", mu);
    m.fixed("floor", heights(n, n, spacing, [&](double x, double y) {
              return R - std::sqrt(R * R - x * x - y * y);
            }));
    FreeShape b{"ball", fmt::format("shape: sphere, radius: {}", ball)};
    b.I.setConstant(0.4 * ball * ball);
    b.r = {(R - ball) * std::sin(angle), 0, R - (R - ball) * std::cos(angle)};
    return m.add(b).run("automatic", 2.9, 580, "ball_.r_0", 1e-6);
  }
  /// [s]  Between the first and the second time that it comes back through the middle.
  static double periodOf(const ModelRun& r) {
    const std::vector<double>&t = r.rows.time(), &x = r["ball_.r_0[1]"];
    std::vector<double> times;
    for (size_t i = 1; i < t.size(); ++i) {
      if (x[i - 1] > 0 && x[i] <= 0)
        times.push_back(t[i - 1] + (t[i] - t[i - 1]) * x[i - 1] / (x[i - 1] - x[i]));
    }
    REQUIRE(times.size() > 1);
    return times[1] - times[0];
  }
  /// `inertia` [1]: of the ball that turns, over that of the ball that slides.
  double period(double inertia) const {
    const double angle = amplitude / (R - ball);
    return 2 * std::numbers::pi * std::sqrt((R - ball) / kShapesG * inertia) *
           (1 + angle * angle / 16);
  }
};

}  // namespace

TEST_CASE("Terrain: on flat ground shapes fall and tumble as on a plane") {
  for (const std::string& shape :
       {std::string("size: [0.1, 0.08, 0.12]"), std::string("shape: sphere, radius: 0.05"),
        std::string("shape: ellipsoid, radii: [0.04, 0.05, 0.06]"), test::icosahedron(0.06)}) {
    CAPTURE(shape);
    const auto run = [&](const std::string& floor) {
      ShapeModel m;
      m.contacts = "{}";
      FreeShape s{"s", shape};
      s.r = {0.01, 0.02, 0.2};
      s.v = {0.3, 0.2, 0};
      s.w = {1, 2, 1};
      s.angles = {0.3, 0.2, 0.1};
      return m.fixed("floor", floor).add(s).run("automatic", 0.4, 40, "s_.r_0, totalEnergy");
    };
    const ModelRun plane = run("shape: plane"), ground = run(flat());
    for (const char* name : {"s_.r_0[1]", "s_.r_0[2]", "s_.r_0[3]"})
      CHECK(std::abs(plane.last(name) - ground.last(name)) < kShapesRun);
    CHECK(std::abs(plane.last("totalEnergy") - ground.last("totalEnergy")) < kShapesRun);
  }
}

/// Down x at 20 degrees.
TEST_CASE("Terrain: a box sticks on an incline of heights, or slides down it as by Coulomb's law") {
  const double alpha = 20 * std::numbers::pi / 180, c = std::cos(alpha), s = std::sin(alpha);
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    for (const double mu : {0.5, 0.3}) {
      const double v = mu < 0.4 ? 0.2 : 0;
      ShapeModel m;
      m.contacts = fmt::format("{{defaults: {{stiffness: 1e8, mu: {}}}}}", mu);
      m.fixed("floor", heights(5, 31, 0.1, [&](double x, double) { return -std::tan(alpha) * x; }));
      FreeShape b{"box"};
      b.r = {-0.7 * c + 0.05 * s, 0.03, 0.7 * s + 0.05 * c};
      b.v = {v * c, 0, -v * s};
      b.angles = {0, alpha, 0};
      const ModelRun r = m.add(b).run(method, 1, 10, "box_.r_0, box_.v_0");
      const double way =
          (r.last("box_.r_0[1]") - b.r[0]) * c - (r.last("box_.r_0[3]") - b.r[2]) * s;
      // As on a plane: acceptance A6 of the law, of the bristles' 1e-5 m.
      if (mu < 0.4) {
        CHECK(std::abs(way - (v + 0.5 * kShapesG * (s - mu * c))) < 5e-5);
      } else {
        CHECK(std::abs(way) < 25e-6);
        CHECK(std::abs(r.last("box_.v_0[1]")) < 1e-9);
      }
    }
  }
}

/// The chords of a facet lie w^2/(8 R) above the bowl: the period is wrong by some (w/amplitude)^2.
TEST_CASE("Terrain: a ball in a bowl of facets swings and rolls with the period of the bowl") {
  const Bowl bowl;
  for (const auto& [mu, inertia] : {std::pair(0.0, 1.0), {0.5, 1.4}}) {
    CAPTURE(mu);
    for (const double w : {0.02, 0.01}) {
      CAPTURE(w);
      const double square = w / bowl.amplitude * (w / bowl.amplitude);
      const double period = bowl.period(inertia);
      CHECK(std::abs(Bowl::periodOf(bowl.run(w, mu)) - period) < 0.3 * square * period);
    }
  }
}

/// A trough of two slopes of 45 degrees, of which each bears W/sqrt(2).
TEST_CASE("Terrain: a ball rests in a trough of a file of triangles, on both of its sides") {
  const auto path = std::filesystem::temp_directory_path() / "cardan_trough.obj";
  std::ofstream(path) << "v -1 -1 1\nv -1 1 1\nv 0 -1 0\nv 0 1 0\nv 1 -1 1\nv 1 1 1\n"
                         "f 1 3 2\nf 3 4 2\nf 3 5 4\nf 5 6 4\n";
  ShapeModel m;
  const double R = 0.1, kappa = 1e8, weight = kShapesG;
  m.contacts = fmt::format("{{defaults: {{stiffness: {}}}}}", kappa);
  m.fixed("floor", "shape: mesh, fileName: " + path.string());
  FreeShape b{"ball", fmt::format("shape: sphere, radius: {}", R)};
  b.I.setConstant(0.4 * R * R);
  b.r = {0.01, 0, std::sqrt(2.0) * R};
  const ModelRun r = m.add(b).run("ida", 3, 10, "ball_.r_0");
  // pi kappa R d^2 = W/sqrt(2) on each side
  const double depth = std::sqrt(weight / std::sqrt(2.0) / (std::numbers::pi * kappa * R));
  CHECK(std::abs(r.last("ball_.r_0[1]")) < 1e-4);
  CHECK(r.last("ball_.r_0[3]") ==
        doctest::Approx(std::sqrt(2.0) * (R - depth)).epsilon(0.01 * depth / R));
  std::filesystem::remove(path);
}
