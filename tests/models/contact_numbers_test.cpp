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
