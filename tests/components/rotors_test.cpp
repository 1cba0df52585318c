// Parts of drive trains on moving bodies: Rotor1D, BevelGear1D, Mounting1D against the motion of
// rigid bodies.
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "components/laws/body_base.h"
#include "components/parts/bevel_gear_1d.h"
#include "components/parts/mounting_1d.h"
#include "components/parts/rotor_1d.h"
#include "loads_bench.h"

namespace cardan {
namespace {

using fake::LoadsBench;
using fake::near;

WorldSettings without3D() {
  WorldSettings world;
  world.driveTrainMechanics3D = false;
  return world;
}
void spin(LoadsBench& b, double phi, double w, double a) {
  b.flanges[b.flange("flange_a")] =
      b.flanges[b.flange("flange_b")] = {fake::along(phi, w), fake::along(w, a), Dual(a)};
}

/// A rotor with inertia J about e and nothing else, turning with angle phi, w, a in a frame:
/// angular momentum J e (w + e.w_a), resolved in world, whose rate is the torque on the rotor.
Vector3d torqueOnRotor(const FrameState<Dual>& frame, const Vector3d& e, double J, const Dual& w) {
  const Dual spin_ = w + dot(e, frames::angularVelocity2(frame.R));
  const Vector3<Dual> L = e.cast<Dual>() * (J * spin_);
  return fake::rates(frames::resolve1(frame.R, L));
}

TEST_CASE(
    "Rotor1D: with the rotor at rest in the carrier's inertia, loads and flange torque move it as "
    "a rigid body") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 5; ++trial) {
    const Vector3d n = fake::uniformVector(random), e = n.normalized();
    Rotor1D c;
    LoadsBench b(c, {{"J", 0.7}, {"n", std::vector<double>{n[0], n[1], n[2]}}});
    auto& frame = b.frame("frame_a");
    frame = fake::Path(random).frame();
    spin(b, 0.3, 2.5, -1.7);
    b.evaluate();
    const double tau =
        b.flangeLoads[b.flange("flange_a")].v + b.flangeLoads[b.flange("flange_b")].v;
    const Vector3d all = torqueOnRotor(frame, e, 0.7, fake::along(2.5, -1.7));
    const Vector3d atRest = torqueOnRotor(frame, e, 0.7, fake::along(0, 0));
    const Vector3d axis_0 = fake::values(frames::resolve1(frame.R, Vector3<Dual>(e.cast<Dual>())));
    // The drive's torque acts along the axis, the bearing gives the rest.
    CHECK(near(tau, axis_0.dot(all)));
    CHECK(near(b.t_0("frame_a") + tau * axis_0, Vector3d(all - atRest)));
    CHECK(b.f_0("frame_a").norm() == 0);
    CHECK(near(b.angularMomentumRate(), Vector3d(all - atRest)));
    // Power: the flange's torque turns the rotor against frame_a and, with its reaction there, with
    // it.
    const Vector3d w_0 = fake::values(frames::angularVelocity1(frame.R));
    CHECK(near(tau * (2.5 + axis_0.dot(w_0)) + b.power("frame_a"), b.energyRate()));
  }
}

TEST_CASE("Rotor1D: not exact leaves the carrier's acceleration out of the flange torque only") {
  std::mt19937 random(12);
  const FrameState<Dual> frame = fake::Path(random).frame();
  Rotor1D exact, simple;
  LoadsBench a(exact, {{"J", 2.0}}), b(simple, {{"J", 2.0}, {"exact", false}});
  for (LoadsBench* x : {&a, &b}) {
    x->frame("frame_a") = frame;
    spin(*x, 0, 3, 0.5);
    x->evaluate();
  }
  CHECK(near(b.flangeLoads[0].v, 2 * 0.5));
  CHECK(near(a.flangeLoads[0].v, 2 * (0.5 + frame.z_a[0].v)));
  CHECK(near(a.t_0("frame_a"), b.t_0("frame_a")));
}

TEST_CASE(
    "Rotor1D, BevelGear1D, Mounting1D: without driveTrainMechanics3D frame_a carries nothing and "
    "may be left open") {
  std::mt19937 random(13);
  Rotor1D rotor;
  BevelGear1D gear;
  Mounting1D mounting;
  LoadsBench r(rotor, {{"J", 2.0}}, without3D()), g(gear, {{"ratio", 3.0}}, without3D()),
      m(mounting, {}, without3D());
  for (LoadsBench* b : {&r, &g, &m}) {
    b->frame("frame_a") = fake::Path(random).frame();
    b->evaluate();
    REQUIRE(b->declared.roots.size() == 1);
    CHECK(b->declared.roots[0].law->positions() == 0);
    CHECK(b->f_0("frame_a").norm() + b->t_0("frame_a").norm() == 0);
    CHECK(b->declared.drivenPotentials.empty());
    CHECK(b->declared.constraintCount == 0);
  }
  spin(r, 0, 3, 0.5);
  r.evaluate();
  CHECK(r.flangeLoads[0].v == 1);
  CHECK(r.described.sums(*r.t)[0].v == 9);
}

TEST_CASE("BevelGear1D: all torques on the gear balance in space, and it takes no power") {
  std::mt19937 random(14);
  BevelGear1D c;
  LoadsBench b(c, {{"ratio", 10.0},
                   {"n_a", std::vector<double>{2, 0, 0}},
                   {"n_b", std::vector<double>{0, 1, 1}}});
  auto& frame = b.frame("frame_a");
  frame = fake::Path(random).frame();
  b.multipliers[0] = Dual(-4.2);
  const double w_b = 0.9;
  b.flanges[b.flange("flange_a")] = {fake::along(7.0, 10 * w_b), Dual(10 * w_b), Dual(0)};
  b.flanges[b.flange("flange_b")] = {fake::along(0.6, w_b), Dual(w_b), Dual(0)};
  b.evaluate();
  CHECK(near(b.positionResidues[0].v, 7.0 - 10 * 0.6));
  CHECK(near(b.velocityResidues[0].v, 0));
  CHECK(near(b.positionResidues[0].lane(0), b.velocityResidues[0].v));
  const double tau_a = b.flangeLoads[b.flange("flange_a")].v,
               tau_b = b.flangeLoads[b.flange("flange_b")].v;
  CHECK(near(10 * tau_a + tau_b, 0));
  const Vector3d e_a(1, 0, 0), e_b = Vector3d(0, 1, 1).normalized();
  CHECK(near(b.torque("frame_a"), Vector3d(-tau_a * e_a - tau_b * e_b)));
  const Vector3d w = fake::values(frames::angularVelocity2(frame.R));
  const double power =
      tau_a * (10 * w_b + e_a.dot(w)) + tau_b * (w_b + e_b.dot(w)) + b.power("frame_a");
  CHECK(near(power, 0));
}

TEST_CASE("Mounting1D: the flange rests at phi0 and its torque acts on frame_a, about the axis") {
  std::mt19937 random(15);
  Mounting1D c;
  LoadsBench b(c, {{"phi0", 0.4}, {"n", std::vector<double>{0, 3, 4}}});
  b.frame("frame_a") = fake::Path(random).frame();
  REQUIRE(b.declared.drivenPotentials.size() == 1);
  const auto state = b.declared.drivenPotentials[0].second->evaluate(b.t->view());
  CHECK(state.position.v == 0.4);
  CHECK(state.velocity.v == 0);
  CHECK(state.acceleration.v == 0);
  b.drivingFlows[0] = Dual(5.0);
  b.evaluate();
  CHECK(near(b.torque("frame_a"), Vector3d(0, -3, -4)));
  CHECK(b.f_0("frame_a").norm() == 0);
}

TEST_CASE(
    "Rotor1D with motor and Mounting1D on a body: angular momentum of the whole is that of the "
    "outer torque") {
  // A body with the rotor's inertia in it, free of outer torque: the loads on all connectors must
  // sum to the rate of angular momentum of body and spinning rotor.
  std::mt19937 random(16);
  const FrameState<Dual> frame = fake::Path(random).frame();
  const double J = 0.3, w = 4, a = -2;
  Rotor1D rotor;
  Mounting1D mounting;
  LoadsBench r(rotor, {{"J", J}}), m(mounting, {});
  r.frame("frame_a") = m.frame("frame_a") = frame;
  spin(r, 0, w, a);
  r.evaluate();
  // The motor stands between rotor and mounting: what it puts on the rotor it takes from the
  // mounting.
  const double tau = r.flangeLoads[0].v;
  m.drivingFlows[0] = Dual(-tau);
  m.evaluate();

  BodyBase body;
  body.m = 0;
  body.I = Vector3d(0.5, 0.6, 0.7).asDiagonal();
  const Vector3<Dual> w_a = frames::angularVelocity2(frame.R);
  const Vector3d e(1, 0, 0);
  const Vector3<Dual> L = multiply(body.I, w_a) + e.cast<Dual>() * (J * fake::along(w, a));
  const Vector3d rate = fake::rates(frames::resolve1(frame.R, L));
  const Vector3d w_ = fake::values(w_a), z = fake::values(frame.z_a);
  const Vector3d bodyTorque_a = body.I * z + w_.cross(body.I * w_);
  const Vector3d bodyTorque =
      fake::values(frames::resolve1(frame.R, Vector3<Dual>(bodyTorque_a.cast<Dual>())));
  CHECK(near(Vector3d(bodyTorque + r.t_0("frame_a") + m.t_0("frame_a")), rate));
}

}  // namespace
}  // namespace cardan
