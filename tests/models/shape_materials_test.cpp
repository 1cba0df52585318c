// What two materials make of each other, seen by the depth of a box, its slide and its bounce.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/models/shape_models.h"

using namespace cardan;
using test::kShapesG;
using test::kShapesRun;
using test::ModelRun;
using test::ShapeModel;

namespace {

/// A box of 0.1 m and 1 kg on a slab 0.2 m thick; `contacts` names their materials `box` and `slab`.
ShapeModel onSlab(const std::string& contacts) {
  ShapeModel s{.contacts = contacts};
  s.fixed("slab", "size: [4, 4, 0.2], r: [0, 0, -0.1], material: slab");
  return s.add({.name = "b", .shape = "size: [0.1, 0.1, 0.1], material: box"});
}

/// [Pa/m]  by the depth in which the box rests.
double kappaOf(const std::string& contacts) {
  const ModelRun r = onSlab(contacts).run("automatic", 1, 2, "b_.r_0[3]");
  return kShapesG / (0.01 * (0.05 - r.last("b_.r_0[3]")));
}

/// By the deceleration of the box.
double muOf(const std::string& contacts) {
  ShapeModel s{.contacts = contacts};
  s.fixed("slab", "size: [4, 4, 0.2], r: [0, 0, -0.1], material: slab");
  s.add({.name = "b", .shape = "size: [0.1, 0.1, 0.1], material: box", .v = {2, 0, 0}});
  const ModelRun r = s.run("automatic", 0.2, 2, "b_.v_0[1]");
  return (r.at(0.1, "b_.v_0[1]") - r.last("b_.v_0[1]")) / (0.1 * kShapesG);
}

/// By the speed with which the box leaves the slab.
double restitutionOf(const std::string& contacts) {
  ShapeModel s{.contacts = contacts, .world = "gravityType: NoGravity"};
  s.fixed("slab", "size: [4, 4, 0.2], r: [0, 0, -0.1], material: slab");
  s.add({.name = "b",
         .shape = "size: [0.1, 0.1, 0.1], material: box",
         .r = {0, 0, 0.06},
         .v = {0, 0, -2}});
  return s.run("explicit", 0.1, 2, "b_.v_0[3]").last("b_.v_0[3]") / 2;
}

std::string materials(const std::string& box, const std::string& slab,
                      const std::string& more = "") {
  return fmt::format("{{materials: {{box: {{{}}}, slab: {{{}}}}}{}}}", box, slab, more);
}

/// [Pa/m]  A layer of the thickness h, held at its sides.
double layer(double E, double nu, double h) { return E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) / h; }

bool near(double x, double y, double relative = 1e-3) { return std::abs(x / y - 1) < relative; }

}  // namespace

TEST_CASE("materials of shapes: layers half as thick as the shapes give way in series") {
  // At the rim of a face the pressure is that of its nearest side: 1e-3 of the force.
  const double box = layer(1e7, 0.3, 0.05), slab = layer(2e7, 0.4, 0.1);
  CHECK(near(kappaOf(materials("E: 1e7, nu: 0.3", "E: 2e7, nu: 0.4")), box * slab / (box + slab)));
  CHECK(near(kappaOf(materials("E: 1e7", "E: 2e7, nu: 0.4")), box * slab / (box + slab)));
  CHECK(near(kappaOf(materials("stiffness: 2e8", "stiffness: 6e8")), 1.5e8));
  CHECK(near(kappaOf(materials("stiffness: 2e8", "E: 2e7, nu: 0.4")), 2e8 * slab / (2e8 + slab)));
}

TEST_CASE(
    "materials of shapes: what one of them says holds, else the defaults, else what is built in") {
  CHECK(near(kappaOf(materials("stiffness: 2e8", "mu: 0.3", ", defaults: {stiffness: 1e8}")), 2e8));
  CHECK(near(kappaOf(materials("mu: 0.3", "stiffness: 2e8")), 2e8));
  CHECK(near(kappaOf(materials("", "", ", defaults: {stiffness: 3e8}")), 3e8));
  // 1e-4 of the box, 1e-5 m
  CHECK(near(kappaOf(materials("", "")), kShapesG / (0.01 * 1e-5)));
  CHECK(near(muOf(materials("mu: 0.3", "", ", defaults: {mu: 0.7}")), 0.3));
  CHECK(near(muOf(materials("", "", ", defaults: {mu: 0.7}")), 0.7));
  CHECK(near(muOf(materials("", "")), 0.5));
  CHECK(std::abs(restitutionOf(materials("", "restitution: 0.6")) - 0.6) < 0.002);
  CHECK(std::abs(restitutionOf(materials("", "")) - 0.3) < 0.002);
}

TEST_CASE(
    "materials of shapes: friction is the geometric mean of both, restitution the quadratic one") {
  CHECK(near(muOf(materials("mu: 0.2", "mu: 0.8")), 0.4));
  CHECK(std::abs(restitutionOf(materials("restitution: 0.3", "restitution: 0.9")) -
                 std::sqrt((0.09 + 0.81) / 2)) < 0.002);
}

TEST_CASE(
    "materials of shapes: what the pair says goes before its materials, the later item first") {
  const std::string pairs =
      ", pairs: [{between: [b, slab], mu: 0.6, stiffness: 5e8}, {between: [b, slab], mu: 0.1}]";
  CHECK(near(muOf(materials("mu: 0.2", "mu: 0.8", pairs)), 0.1));
  CHECK(near(kappaOf(materials("mu: 0.2", "E: 1e7", pairs)), 5e8));
}

TEST_CASE("materials: what is wrong with one is said once, whichever pairs have it on which side") {
  ShapeModel s{.contacts = "{materials: {rough: {mu: -1}}}"};
  for (const char* name : {"a", "b", "c"})
    s.add({.name = name, .shape = "size: [0.1, 0.1, 0.1], material: rough"});
  std::string why;
  try {
    test::runModel(s.text());
  } catch (const ModelError& e) {
    why = e.what();
  }
  CHECK(why.find("must be at least 0, found -1") != std::string::npos);
  CHECK(why.find("found -1") == why.rfind("found -1"));
}
