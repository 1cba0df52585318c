// Contacts with general numbers: unequal radii and masses, losses near to none, spin about any axis.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>

#include <cmath>
#include <string>

#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {

Vector3d firstVector(const ModelRun& r, const std::string& name) {
  Vector3d v;
  for (int i = 0; i < 3; ++i) v[i] = r.first(fmt::format("{}[{}]", name, i + 1));
  return v;
}

/// A free ball without a turned start: its own axes are those of world at the first row.
std::string freeBall(const std::string& name, double m, double J, const Vector3d& r,
                     const Vector3d& v, const Vector3d& w) {
  return fmt::format(
      "  {}: {{type: Body, m: {}, r_CM: [0, 0, 0], I_11: {}, I_22: {}, I_33: {}, r_0: {{start: "
      "[{}, {}, "
      "{}], fixed: true}}, v_0: {{start: [{}, {}, {}], fixed: true}}, angles_fixed: true, "
      "w_0_fixed: true, "
      "w_0_start: [{}, {}, {}]}}\n",
      name, m, J, J, J, r[0], r[1], r[2], v[0], v[1], v[2], w[0], w[1], w[2]);
}

}  // namespace

TEST_CASE("SphereSphere: unequal spheres press and rub as Hertz and Coulomb say, at one point") {
  const double ra = 0.03, rb = 0.05, ma = 0.4, mb = 0.7, Ja = 3e-4, Jb = 5e-4, E = 1e7, mu = 0.4,
               a = 0.2;
  const Vector3d n = Vector3d(1, 2, -2) / 3;
  const double depth = 0.0012;
  const Vector3d r = n * (ra + rb - depth), va(0.3, -0.1, 0.2), vb(-0.4, 0.2, 0.5), wa(3, -2, 5),
                 wb(-4, 1, 2);
  const ModelRun run = runModel(
      "world: {gravityType: NoGravity}\ncomponents:\n" +
          freeBall("a", ma, Ja, Vector3d::Zero(), va, wa) + freeBall("b", mb, Jb, r, vb, wb) +
          fmt::format(
              "  c: {{type: Contact.SphereSphere, radius_a: {}, radius_b: {}, E_star: {}, damping: "
              "{}, mu: {}, v_creep: 1e-4}}\n",
              ra, rb, E, a, mu) +
          "connections: [[a.frame_a, c.frame_a], [c.frame_b, b.frame_a]]\n"
          "simulation: {stop: 1e-6, interval: 1e-6, tolerance: 1e-8}\n",
      {.outputs = {"a.a_0", "b.a_0", "a.z_a", "b.z_a", "c.depth", "c.f_n", "c.lossPower"}});
  CHECK(run.first("c.depth") == doctest::Approx(depth).epsilon(1e-10));
  // Hertz: 4/3 E* sqrt(R) depth^1.5 (1 + a der(depth)), 1/R = 1/ra + 1/rb.
  const double rate = -n.dot(vb - va);
  const double f_n =
      4.0 / 3 * E * std::sqrt(1 / (1 / ra + 1 / rb)) * std::pow(depth, 1.5) * (1 + a * rate);
  CHECK(run.first("c.f_n") == doctest::Approx(f_n).epsilon(1e-9));
  // Both act at the middle of the overlap, where a's surface and b's slip on each other.
  const Vector3d arm_a = n * (ra - depth / 2), arm_b = -n * (rb - depth / 2);
  const Vector3d difference = vb + wb.cross(arm_b) - va - wa.cross(arm_a);
  const Vector3d slip = difference - n * n.dot(difference);
  REQUIRE(slip.norm() > 0.05);  // far above v_creep: sliding with mu f_n
  const Vector3d onB = n * f_n - slip.normalized() * mu * f_n;
  const double size = f_n / ma;
  CHECK((firstVector(run, "b.a_0") * mb - onB).norm() < 1e-6 * f_n);
  CHECK((firstVector(run, "a.a_0") * ma + onB).norm() < 1e-6 * f_n);
  CHECK((firstVector(run, "b.z_a") * Jb - arm_b.cross(onB)).norm() < 1e-6 * f_n * rb);
  CHECK((firstVector(run, "a.z_a") * Ja + arm_a.cross(onB)).norm() < 1e-6 * f_n * ra);
  CHECK(size > 1);
  // What is lost: friction, and the part of the normal force that the rate makes.
  const double elastic = f_n / (1 + a * rate);
  CHECK(run.first("c.lossPower") ==
        doctest::Approx(mu * f_n * slip.norm() + (f_n - elastic) * rate).epsilon(1e-6));
}

TEST_CASE("contact: a restitution near to 1 loses as little as it says") {
  for (const double e : {0.99995, 0.9999, 0.99985, 0.999}) {
    for (const double v : {0.4, 3.0}) {
      CAPTURE(e);
      CAPTURE(v);
      const ModelRun run = runModel(
          "world: {gravityType: NoGravity}\ncomponents:\n" +
              freeBall("b", 0.4, 4e-4, {0, 0.06, 0}, {0, -v, 0}, {0, 0, 0}) +
              fmt::format(
                  "  c: {{type: Contact.SpherePlane, radius: 0.05, k: 2e6, restitution: {}, "
                  "v_restitution: {}}}\n",
                  e, v) +
              "connections: [[world.frame_b, c.frame_a], [c.frame_b, b.frame_a]]\n" +
              fmt::format("simulation: {{stop: {0}, interval: {0}, tolerance: 1e-11}}\n", 0.1 / v),
          {.outputs = {"b.v_0"}});
      CHECK(std::abs(run.last("b.v_0[2]") / v - e) < 0.01 * (1 - e));
    }
  }
}

TEST_CASE(
    "rigid contact: four wheels bear a cart, of which two spin and two roll, from the start on") {
  // Rows of the four normal forces are dependent, friction with the slip makes their forces move the cart:
  // what is open is a force and an acceleration together. Along the cart, about each axle:
  // M v' = -sum F, J w' = R F of its wheel; rolling on with v = -R w:
  const double M = 7, J = 0.002, R = 0.1, w = 20, end = 2 * J * w / (4 * J + M * R * R);
  for (const char* friction : {", stick: true", ""}) {
    CAPTURE(friction);
    const std::string text = fmt::format(
        "world: {{g: 9.81, n: [0, -1, 0]}}\n"
        "parameters: {{x: [-0.3, -0.3, 0.3, 0.3], z: [-0.2, 0.2, -0.2, 0.2]}}\n"
        "components:\n"
        "  body: {{type: Body, m: 5, r_CM: [0, 0, 0], I_11: 0.1, I_22: 0.1, I_33: 0.1, r_0: "
        "{{start: "
        "[0, 0.2, 0], fixed: true}}, v_0: {{fixed: true}}, angles_fixed: true, w_0_fixed: true}}\n"
        "  at: {{type: FixedTranslation, count: 4, r: [\"x[i]\", -0.1, \"z[i]\"]}}\n"
        "  axle: {{type: Revolute, count: 4, n: [0, 0, 1], phi: {{fixed: true}}, w: {{start: \"if "
        "i < "
        "3 then {} else 0\", fixed: true}}}}\n"
        "  wheel: {{type: Body, count: 4, m: 0.5, r_CM: [0, 0, 0], I_11: 0.001, I_22: 0.001, I_33: "
        "{}}}\n"
        "  tyre: {{type: Contact.TorusPlane, count: 4, radius: {}, tubeRadius: 0.02, axis: [0, 0, "
        "1], "
        "mu: 0.3, restitution: 0, rigid: true{}}}\n"
        "connections:\n"
        "  - {{for: \"i in 1:4\", connect: [[body.frame_a, \"at[i].frame_a\"], [\"at[i].frame_b\", "
        "\"axle[i].frame_a\"], [\"axle[i].frame_b\", \"wheel[i].frame_a\"], [\"axle[i].frame_b\", "
        "\"tyre[i].frame_b\"], [world.frame_b, \"tyre[i].frame_a\"]]}}\n"
        "outputs: [\"tyre[*].f_n\", body.v_0, \"axle[*].w\"]\n",
        w, J, R, friction);
    const ModelRun r = runModel(text, {.stopTime = 1, .outputInterval = 0.01});
    // Wheels creep by their smooth friction until they roll.
    const double close = *friction == ',' ? 1e-6 : 1e-4;
    for (const char* wheel : {"axle[1].w", "axle[3].w"})
      CHECK(r.last(wheel) == doctest::Approx(end).epsilon(close));
    CHECK(r.last("body.v_0[1]") == doctest::Approx(-R * end).epsilon(close));
    for (size_t k = 0; k < r.rows.time().size(); ++k) {
      double sum = 0;
      for (int i = 1; i <= 4; ++i) sum += r[fmt::format("tyre[{}].f_n", i)][k];
      CHECK(sum == doctest::Approx(M * 9.81).epsilon(1e-6));
      // Left and right bear alike, also where nothing but the least sum of squares says so.
      for (int i : {1, 3}) {
        CHECK(r[fmt::format("tyre[{}].f_n", i)][k] ==
              doctest::Approx(r[fmt::format("tyre[{}].f_n", i + 1)][k]).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("rigid contact: what bearings hold, too, rests at a wall, and the run goes on") {
  // Both ends of a double pendulum lie at the wall while the bearings stick: each of the two motions is held
  // twice.
  const ModelRun r = runModel(
      "world: {g: 9.81, n: [0, -1, 0]}\n"
      "components:\n"
      "  wall: {type: FixedTranslation, r: [0.107, 0, 0]}\n"
      "  j0: {type: Revolute, n: [0, 0, 1], useAxisFlange: true, phi: {start: 2.1655, fixed: "
      "true}, w: "
      "{start: -3.165, fixed: true}}\n"
      "  k0: {type: BodyCylinder, r: [0.4, 0, 0], diameter: 0.03}\n"
      "  h0: {type: Contact.SpherePlane, radius: 0.02, n: [-1, 0, 0], mu: 0.3, restitution: 0, "
      "rigid: "
      "true}\n"
      "  f0: {type: Rotational.BearingFriction, useSupport: true, tau_pos: [[0, 0.6064]]}\n"
      "  j1: {type: Revolute, n: [0, 0, 1], useAxisFlange: true, phi: {start: 0.09, fixed: true}, "
      "w: "
      "{start: -3.203, fixed: true}}\n"
      "  k1: {type: BodyCylinder, r: [0.4, 0, 0], diameter: 0.03}\n"
      "  h1: {type: Contact.SpherePlane, radius: 0.02, n: [-1, 0, 0], mu: 0.3, restitution: 0, "
      "rigid: "
      "true}\n"
      "  f1: {type: Rotational.BearingFriction, useSupport: true, tau_pos: [[0, 2.4103]]}\n"
      "connections:\n"
      "  - [world.frame_b, wall.frame_a]\n"
      "  - [world.frame_b, j0.frame_a]\n"
      "  - [j0.support, f0.support]\n"
      "  - [f0.flange_a, j0.axis]\n"
      "  - [j0.frame_b, k0.frame_a]\n"
      "  - [k0.frame_b, h0.frame_b]\n"
      "  - [wall.frame_b, h0.frame_a]\n"
      "  - [k0.frame_b, j1.frame_a]\n"
      "  - [j1.support, f1.support]\n"
      "  - [f1.flange_a, j1.axis]\n"
      "  - [j1.frame_b, k1.frame_a]\n"
      "  - [k1.frame_b, h1.frame_b]\n"
      "  - [wall.frame_b, h1.frame_a]\n"
      "outputs: [\"h*.f_n\", \"h*.depth\", \"f*.tau\"]\n",
      {.stopTime = 3});
  CHECK(r.rows.time().back() == 3);
  for (const char* contact : {"h0", "h1"}) {
    CHECK(r.last(std::string(contact) + ".f_n") >= 0);
    CHECK(std::abs(r.last(std::string(contact) + ".depth")) < 1e-7);
  }
  CHECK(std::abs(r.last("f0.tau")) <= 0.6064 * (1 + 1e-6));
  CHECK(std::abs(r.last("f1.tau")) <= 2.4103 * (1 + 1e-6));
}
