// What an impact of shapes keeps and takes: momentum, energy by its balance, speed by its restitution.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/energy.h"
#include "tests/models/shape_models.h"

using namespace cardan;
using test::kShapesMethods;
using test::kShapesRun;
using test::ModelRun;
using test::ShapeModel;

namespace {

constexpr double kCollisionTolerance = 1e-9;
/// Of momenta and energies of about one, over a collision.
constexpr double kCollisionKept = 1e3 * kCollisionTolerance;

const std::vector<std::pair<std::string, std::string>>& collisionShapes() {
  static const std::vector<std::pair<std::string, std::string>> all{
      {"sphere", "shape: sphere, radius: 0.06"},
      {"capsule", "shape: capsule, radius: 0.03, length: 0.1"},
      {"cylinder", "shape: cylinder, radius: 0.04, length: 0.1"},
      {"box", "size: [0.1, 0.12, 0.08]"},
      {"cone", "shape: cone, radius: 0.05, length: 0.1"},
      {"hull", test::icosahedron(0.06)},
      {"ellipsoid", "shape: ellipsoid, radii: [0.05, 0.04, 0.06]"}};
  return all;
}

/// The energy with what was lost of it, against that of the start.
double worstBalance(const ModelRun& r) {
  double worst = 0;
  for (size_t i = 0; i < r.rows.time().size(); ++i)
    worst =
        std::max(worst, std::abs(r["totalEnergy"][i] + r["loss.y"][i] - r.first("totalEnergy")));
  return worst;
}

double worstChange(const ModelRun& r, const std::string& name) {
  double worst = 0;
  for (const double x : r[name]) worst = std::max(worst, std::abs(x - r.first(name)));
  return worst;
}

/// Two that tumble into each other, without gravity.
ShapeModel collision(const std::string& a, const std::string& b, const std::string& law) {
  ShapeModel s{.contacts = "{defaults: {" + law + "}}", .world = "g: 0"};
  const Eigen::Vector3d I(2e-3, 3e-3, 2.5e-3);
  s.add({.name = "a",
         .shape = a,
         .I = I,
         .r = {0, 0, 0},
         .w = {3, -1, 2},
         .angles = {0.3, 0.4, 0.5}});
  s.add({.name = "b",
         .shape = b,
         .m = 0.7,
         .I = I,
         .r = {0.02, 0.01, 0.16},
         .v = {0.1, 0.2, -1},
         .w = {2, -1, 1},
         .angles = {-0.4, 0.6, 0.2}});
  return s.component("loss: {type: Blocks.Integrator, u: contact.a.b.lossPower}");
}

constexpr const char* kCollisionOutputs =
    "totalEnergy, kineticEnergy, linearMomentum, angularMomentum, loss.y, contact.a.b.f_n";

}  // namespace

TEST_CASE(
    "Contact.Shape: free bodies of any two shapes collide and keep their momenta, losses are "
    "told") {
  const auto& shapes = collisionShapes();
  for (const std::string method : {"ida", "explicit"}) {
    for (size_t i = 0; i < shapes.size(); ++i) {
      for (size_t j = i; j < shapes.size(); ++j) {
        if (shapes[j].first == "ellipsoid") continue;  // touches planes alone
        CAPTURE(method);
        CAPTURE(shapes[i].first);
        CAPTURE(shapes[j].first);
        const ModelRun r = collision(shapes[i].second, shapes[j].second,
                                     "stiffness: 1e8, restitution: 0.4, mu: 0.4")
                               .run(method, 0.3, 10, kCollisionOutputs, kCollisionTolerance);
        CHECK(r.last("loss.y") > 0.2 * r.first("totalEnergy"));
        CHECK(worstBalance(r) < kCollisionKept);
        for (int k = 1; k <= 3; ++k) {
          CHECK(worstChange(r, fmt::format("linearMomentum[{}]", k)) < kCollisionTolerance);
          CHECK(worstChange(r, fmt::format("angularMomentum[{}]", k)) < kCollisionTolerance);
        }
      }
    }
  }
}

TEST_CASE("Contact.Shape: a body of every shape that lands and rolls loses what its contact says") {
  for (const auto& [name, shape] : collisionShapes()) {
    for (const std::string& method : kShapesMethods) {
      CAPTURE(name);
      CAPTURE(method);
      ShapeModel s{.contacts =
                       "{defaults: {stiffness: 1e8, restitution: 0.4, mu: 0.4, rolling: 1e-3}}"};
      s.floor().add({.name = "a",
                     .shape = shape,
                     .I = {2e-3, 3e-3, 2.5e-3},
                     .r = {0, 0, 0.2},
                     .v = {0.4, 0.1, 0},
                     .w = {3, -1, 2},
                     .angles = {0.3, 0.4, 0.5}});
      s.component("loss: {type: Blocks.Integrator, u: contact.floor.a.lossPower}");
      const ModelRun r = s.run(method, 0.6, 10, "totalEnergy, loss.y", kCollisionTolerance);
      CHECK(r.last("loss.y") > 0.2 * r.first("totalEnergy"));
      CHECK(worstBalance(r) < kCollisionKept * r.first("totalEnergy"));
      const auto& loss = r["loss.y"];
      for (size_t i = 1; i < loss.size(); ++i) CHECK(loss[i] >= loss[i - 1] - kCollisionTolerance);
    }
  }
}

TEST_CASE("Contact.Shape: without loss an impact of boxes keeps its energy") {
  const auto hit = [](const std::string& method) {
    return collision("size: [0.1, 0.1, 0.1]", "size: [0.1, 0.1, 0.1]",
                     "stiffness: 1e8, restitution: 1, mu: 0")
        .run(method, 0.3, 60, kCollisionOutputs, kCollisionTolerance);
  };
  for (const std::string method : {"ida", "explicit"}) {
    CAPTURE(method);
    const ModelRun r = hit(method);
    CHECK(worstChange(r, "totalEnergy") < 2e-7 * r.first("totalEnergy"));
    CHECK(worstChange(r, "kineticEnergy") > 1e-3);  // there was one
    CHECK(std::abs(r.last("linearMomentum[3]") - r.first("linearMomentum[3]")) <
          kCollisionTolerance);
    CHECK(r.last("loss.y") == 0);
  }
}

TEST_CASE("Contact.Shape: a flat box leaves the floor with its restitution times its speed") {
  for (const double e : {0.3, 0.7, 0.95}) {
    for (const double v : {0.5, 3.0}) {
      CAPTURE(e);
      CAPTURE(v);
      ShapeModel s{.contacts = fmt::format("{{defaults: {{stiffness: 1e8, restitution: {}}}}}", e),
                   .world = "gravityType: NoGravity"};
      s.floor().add({.name = "b", .r = {0, 0, 0.06}, .v = {0, 0, -v}});
      for (const std::string& method : kShapesMethods) {
        CAPTURE(method);
        const ModelRun r = s.run(method, 0.1, 2, "b_.v_0[3]", kCollisionTolerance);
        CHECK(std::abs(r.last("b_.v_0[3]") / v - e) < 0.002);
      }
    }
  }
}

TEST_CASE("Contact.Shape: a billiard break is as symmetric as the rack, and keeps its momenta") {
  constexpr double R = 0.02625, m = 0.17, I = 0.4 * m * R * R, v = 3, apart = 2 * R + 1e-5;
  const std::string ballShape = fmt::format("shape: sphere, radius: {}", R);
  const auto name = [](int row, int k) { return fmt::format("b{}{}", row, k); };
  ShapeModel s{.contacts = "{defaults: {stiffness: 1e9, restitution: 0.95, mu: 0}}",
               .world = "gravityType: NoGravity"};
  s.add({"cue", ballShape, m, Eigen::Vector3d::Constant(I), {-0.2, 0, 0}, {v, 0, 0}});
  for (int row = 0; row < 5; ++row) {
    for (int k = 0; k <= row; ++k) {
      const Eigen::Vector3d r(row * apart * std::sqrt(3) / 2, (k - row / 2.0) * apart, 0);
      s.add({name(row, k), ballShape, m, Eigen::Vector3d::Constant(I), r});
    }
  }
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    const ModelRun r = s.run(method, 0.3, 30, "'*.v_0', totalEnergy, linearMomentum");
    for (int row = 0; row < 5; ++row) {
      for (int k = 0; k <= row; ++k) {
        const std::string one = name(row, k) + "_.v_0", other = name(row, row - k) + "_.v_0";
        CAPTURE(one);
        CHECK(std::abs(r.last(one + "[1]") - r.last(other + "[1]")) < v * kShapesRun);
        CHECK(std::abs(r.last(one + "[2]") + r.last(other + "[2]")) < v * kShapesRun);
      }
    }
    // The corners leave first, and what they leave with the cue ball has lost.
    CHECK(r.last("b40_.v_0[1]") > 0.4 * v);
    CHECK(r.last("cue_.v_0[1]") < 0);
    CHECK(std::abs(r.last("linearMomentum[1]") - m * v) < m * v * kShapesRun);
    CHECK(r.last("totalEnergy") < r.first("totalEnergy"));
    CHECK(r.last("totalEnergy") > 0.5 * r.first("totalEnergy"));
  }
}
