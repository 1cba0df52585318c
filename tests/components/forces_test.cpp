// Forces: balance of forces and moments, balance of power along analytic motions, lines of no
// length, and formulas written down a second time.
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "components/forces/damper.h"
#include "components/forces/gas_force_2.h"
#include "components/forces/line_force_with_mass.h"
#include "components/forces/line_force_with_two_masses.h"
#include "components/forces/load_at_frames.h"
#include "components/forces/spring.h"
#include "components/forces/spring_damper_parallel.h"
#include "components/forces/spring_damper_series.h"
#include "loads_bench.h"

namespace cardan {
namespace {

using fake::kEps;
using fake::kHundreds;
using fake::LoadsBench;
using fake::near;
using fake::uniformVector;

void moveAll(LoadsBench& b, std::mt19937& random) {
  for (auto& frame : b.t->frames) frame = fake::Path(random).frame();
}
bool allFinite(const Dual& x) { return std::isfinite(x.v) && std::isfinite(x.lane(0)); }

/// The load of two frames is a zero wrench together.
void checkBalance(LoadsBench& b) {
  CHECK(near(b.f_0("frame_a"), -b.f_0("frame_b")));
  const Vector3d r_a = fake::values(b.frame("frame_a").r_0),
                 r_b = fake::values(b.frame("frame_b").r_0);
  const Vector3d moment = b.t_0("frame_a") + b.t_0("frame_b") + r_a.cross(b.f_0("frame_a")) +
                          r_b.cross(b.f_0("frame_b"));
  CHECK(moment.norm() <= kHundreds * (1 + b.f_0("frame_b").norm()));
}

Vector3d resolvedIn(LoadsBench& b, const std::string& in, const Vector3d& u) {
  return in == "world"
             ? u
             : fake::values(frames::resolve1(b.frame(in).R, Vector3<Dual>(u.cast<Dual>())));
}

// Loads from signals

template <class C>
void checkWorldLoad(bool hasForce, bool hasTorque) {
  std::mt19937 random(1);
  for (const std::string in : {"world", "frame_b", "frame_resolve"}) {
    CAPTURE(in);
    C c;
    LoadsBench b(c, {{"resolveInFrame", in}});
    CHECK((b.declared.frameIndex.count("frame_resolve") == 1) == (in == "frame_resolve"));
    moveAll(b, random);
    const Vector3d force = hasForce ? uniformVector(random) : Vector3d(0, 0, 0);
    const Vector3d torque = hasTorque ? uniformVector(random) : Vector3d(0, 0, 0);
    if (hasForce) b.input("force", force);
    if (hasTorque) b.input("torque", torque);
    b.evaluate();
    CHECK(near(b.f_0("frame_b"), -resolvedIn(b, in, force)));
    CHECK(near(b.t_0("frame_b"), -resolvedIn(b, in, torque)));
    if (in == "frame_b") CHECK(near(b.f("frame_b"), -force));
    if (in == "frame_resolve") CHECK(b.f_0(in).norm() + b.t_0(in).norm() == 0);
  }
}

TEST_CASE(
    "WorldForce, WorldTorque, WorldForceAndTorque: frame_b gets minus the signals, resolved as "
    "asked") {
  checkWorldLoad<WorldForce>(true, false);
  checkWorldLoad<WorldTorque>(false, true);
  checkWorldLoad<WorldForceAndTorque>(true, true);
}

template <class C>
void checkLoadBetween(bool hasForce, bool hasTorque) {
  std::mt19937 random(2);
  for (const std::string in : {"world", "frame_a", "frame_b", "frame_resolve"}) {
    CAPTURE(in);
    C c;
    LoadsBench b(c, {{"resolveInFrame", in}});
    moveAll(b, random);
    const Vector3d force = hasForce ? uniformVector(random) : Vector3d(0, 0, 0);
    const Vector3d torque = hasTorque ? uniformVector(random) : Vector3d(0, 0, 0);
    if (hasForce) b.input("force", force);
    if (hasTorque) b.input("torque", torque);
    b.evaluate();
    CHECK(near(b.f_0("frame_b"), -resolvedIn(b, in, force)));
    CHECK(near(b.t_0("frame_b"), -resolvedIn(b, in, torque)));
    checkBalance(b);
    if (in == "frame_resolve") CHECK(b.f_0(in).norm() + b.t_0(in).norm() == 0);
    if (hasForce)
      CHECK(near(fake::values(b.described.vector("basicForce.f_b_0", *b.t)), b.f_0("frame_b")));
    if (hasTorque)
      CHECK(near(fake::values(b.described.vector("basicTorque.t_b_0", *b.t)), b.t_0("frame_b")));
  }
}

TEST_CASE("Force, Torque, ForceAndTorque: minus the signals at frame_b, balanced at frame_a") {
  checkLoadBetween<Force>(true, false);
  checkLoadBetween<Torque>(false, true);
  checkLoadBetween<ForceAndTorque>(true, true);
}

// Springs and dampers

TEST_CASE(
    "Spring: force is c (s - s_unstretched) along the line, and its power the rate of its energy") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 5; ++trial) {
    Spring c;
    LoadsBench b(c, {{"c", 30.0}, {"s_unstretched", 0.4}});
    moveAll(b, random);
    b.evaluate();
    const Vector3d r = fake::values(b.frame("frame_b").r_0) - fake::values(b.frame("frame_a").r_0);
    CHECK(near(b.f_0("frame_b"), 30 * (r.norm() - 0.4) * r / r.norm()));
    checkBalance(b);
    CHECK(near(b.power("frame_a") + b.power("frame_b"), b.energyRate()));
    CHECK(near(b.value("f"), 30 * (r.norm() - 0.4)));
    CHECK(near(b.value("length"), r.norm()));
    CHECK(near(fake::values(b.described.vector("e_a", *b.t)),
               fake::values(frames::resolve2(b.frame("frame_a").R,
                                             Vector3<Dual>((r / r.norm()).cast<Dual>())))));
  }
}

TEST_CASE(
    "Spring with mass: power of the loads is the rate of spring, kinetic and potential energy") {
  std::mt19937 random(4);
  for (double fraction : {0.0, 0.3, 1.0}) {
    for (GravityType gravity :
         {GravityType::UniformGravity, GravityType::PointGravity, GravityType::NoGravity}) {
      WorldSettings world;
      world.gravityType = gravity;
      world.mu = 3;
      Spring c;
      LoadsBench b(c, {{"c", 30.0}, {"m", 0.7}, {"lengthFraction", fraction}}, world);
      moveAll(b, random);
      b.evaluate();
      CHECK(near(b.power("frame_a") + b.power("frame_b"), b.energyRate(), 10 * kHundreds));
      // Newton for the mass: all force on the component is der(p) minus weight.
      const Vector3d r_CM = fake::values(b.described.vector("lineForce.r_CM_0", *b.t));
      const Vector3d weight = 0.7 * world.gravityAcceleration(r_CM);
      CHECK(near(b.f_0("frame_a") + b.f_0("frame_b") + weight, b.momentumRate(), 10 * kHundreds));
    }
  }
}

TEST_CASE(
    "Damper and SpringDamperParallel: power of the loads is the rate of energy plus lossPower") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 5; ++trial) {
    Damper damper;
    LoadsBench d(damper, {{"d", 2.0}, {"useHeatPort", true}});
    moveAll(d, random);
    d.evaluate();
    checkBalance(d);
    CHECK(d.value("lossPower") > 0);
    CHECK(near(d.power("frame_a") + d.power("frame_b"), d.value("lossPower")));
    CHECK(near(d.flangeLoads[d.flange("heatPort")].v, -d.value("lossPower")));

    SpringDamperParallel both;
    LoadsBench p(both, {{"c", 30.0}, {"s_unstretched", 0.1}, {"d", 2.0}, {"useHeatPort", true}});
    moveAll(p, random);
    p.evaluate();
    checkBalance(p);
    CHECK(near(p.power("frame_a") + p.power("frame_b"), p.energyRate() + p.value("lossPower")));
    CHECK(near(p.flangeLoads[p.flange("heatPort")].v, -p.value("lossPower")));
    CHECK(near(p.value("f"), 30 * (p.value("length") - 0.1) + p.value("f_d")));
  }
}

TEST_CASE(
    "SpringDamperSeries: damper and spring carry the same force, power is rate of energy plus "
    "lossPower") {
  std::mt19937 random(6);
  SpringDamperSeries c;
  LoadsBench b(c, {{"c", 30.0},
                   {"s_unstretched", 0.1},
                   {"d", 2.0},
                   {"useHeatPort", true},
                   {"s_damper_start", 0.2}});
  CHECK(b.described.starts.at("s_damper").at(0).start == 0.2);
  CHECK(b.described.starts.at("s_damper").at(0).fixed);
  moveAll(b, random);
  b.y[0] = fake::along(0.3, 0);
  b.evaluate();
  const double rate = b.value("f") / 2;  // d der(s_damper) = f
  b.y[0] = fake::along(0.3, rate);
  b.yp[0] = Dual(rate);
  b.evaluate();
  CHECK(near(b.residual[0].v, 0));
  checkBalance(b);
  CHECK(near(b.value("f"), 30 * (b.value("length") - 0.1 - 0.3)));
  CHECK(near(b.power("frame_a") + b.power("frame_b"), b.energyRate() + b.value("lossPower")));
  CHECK(near(b.flangeLoads[b.flange("heatPort")].v, -rate * b.value("f")));
}

TEST_CASE("Line forces: at and below s_small all loads and their derivatives are finite") {
  std::mt19937 random(7);
  for (double distance : {0.0, 1e-200, 1e-14, 0.999e-10, 1e-10, 1e-9}) {
    CAPTURE(distance);
    Spring spring;
    Damper damper;
    SpringDamperParallel parallel;
    SpringDamperSeries series;
    LineForceWithMass one;
    LineForceWithTwoMasses two;
    LoadsBench benches[] = {LoadsBench(spring, {{"c", 30.0}, {"s_unstretched", 0.1}, {"m", 1.0}}),
                            LoadsBench(damper, {{"d", 2.0}}),
                            LoadsBench(parallel, {{"c", 30.0}, {"d", 2.0}}),
                            LoadsBench(series, {{"c", 30.0}, {"d", 2.0}}),
                            LoadsBench(one, {{"m", 1.0}}),
                            LoadsBench(two, {{"m_a", 1.0}, {"m_b", 2.0}, {"L_a", 0.2}})};
    for (LoadsBench& b : benches) {
      moveAll(b, random);
      auto& a = b.frame("frame_a");
      auto& to = b.frame("frame_b");
      for (int i = 0; i < 3; ++i) to.r_0[i].v = a.r_0[i].v;
      to.r_0[0].v += distance;
      b.evaluate();
      for (const auto& load : b.t->loads) {
        for (int i = 0; i < 3; ++i) CHECK(allFinite(load.f_0[i]));
      }
      CHECK(b.value("s") >= 1e-10);
      for (const auto& [flange, potential] : b.declared.drivenPotentials) {
        const auto state = potential->evaluate(b.t->view());
        CHECK(allFinite(state.position));
        CHECK(allFinite(state.velocity));
        CHECK(allFinite(state.acceleration));
      }
    }
  }
}

// Lines with flanges

TEST_CASE("LineForceWithMass: flange_b moves with the length, its force pulls on both frames") {
  std::mt19937 random(8);
  LineForceWithMass c;
  LoadsBench b(c, {});
  moveAll(b, random);
  REQUIRE(b.declared.drivenPotentials.size() == 1);
  REQUIRE(b.declared.drivenPotentials[0].first == static_cast<int>(b.flange("flange_b")));
  const auto state = b.declared.drivenPotentials[0].second->evaluate(b.t->view());
  CHECK(near(state.position.v, b.value("length")));
  CHECK(near(state.position.lane(0), state.velocity.v));
  CHECK(near(state.velocity.lane(0), state.acceleration.v));
  b.drivingFlows[b.flange("flange_b")] = Dual(-5.0);  // a spring that is stretched by 5 N
  b.evaluate();
  CHECK(near(b.f_0("frame_b"), 5 * fake::values(b.described.vector("e_rel_0", *b.t))));
  checkBalance(b);
  CHECK(near(b.power("frame_a") + b.power("frame_b"), 5 * state.velocity.v));
}

TEST_CASE(
    "LineForceWithTwoMasses: loads satisfy Newton, moment of momentum and power, with any flange "
    "force") {
  std::mt19937 random(9);
  for (int trial = 0; trial < 5; ++trial) {
    LineForceWithTwoMasses c;
    LoadsBench b(c, {{"m_a", 1.3}, {"m_b", 0.4}, {"L_a", 0.2}, {"L_b", 0.35}});
    moveAll(b, random);
    b.drivingFlows[b.flange("flange_b")] = Dual(7.0);
    b.evaluate();
    const auto state = b.declared.drivenPotentials[0].second->evaluate(b.t->view());
    const double flangePower = 7 * state.velocity.v;
    const double tolerance = 100 * kHundreds;  // 1/length of a random line
    CHECK(near(b.power("frame_a") + b.power("frame_b") + flangePower, b.energyRate(), tolerance));
    // Sums over both masses, weight included.
    const Vector3d g_0 = b.t->settings.gravityAcceleration(Vector3d(0, 0, 0));
    const Vector3d r_1 = fake::values(b.described.vector("r_CM1_0", *b.t));
    const Vector3d r_2 = fake::values(b.described.vector("r_CM2_0", *b.t));
    CHECK(near(b.f_0("frame_a") + b.f_0("frame_b") + 1.7 * g_0, b.momentumRate(), tolerance));
    const Vector3d moment = fake::values(b.frame("frame_a").r_0).cross(b.f_0("frame_a")) +
                            fake::values(b.frame("frame_b").r_0).cross(b.f_0("frame_b")) +
                            1.3 * r_1.cross(g_0) + 0.4 * r_2.cross(g_0);
    CHECK(near(moment, b.angularMomentumRate(), tolerance));
    CHECK(near(fake::rates(b.described.vector("v_CM1_0", *b.t)),
               fake::values(b.described.vector("ag_CM1_0", *b.t)) + g_0, tolerance));
  }
}

TEST_CASE(
    "LineForceBase: both frames may float as free points, as point masses where the line has "
    "mass") {
  Spring light, heavy;
  LoadsBench a(light, {}), b(heavy, {{"m", 1.0}, {"lengthFraction", 1.0}});
  REQUIRE(a.declared.roots.size() == 2);
  for (const auto& root : a.declared.roots) {
    CHECK(root.rank == RootRank::freePoint);
    CHECK(root.law->positions() == 3);
    CHECK(root.law->velocities() == 0);
    CHECK_FALSE(root.law->plainCoordinates());
  }
  REQUIRE(b.declared.roots.size() == 2);
  CHECK(b.declared.roots[0].rank == RootRank::freePoint);
  CHECK(b.declared.roots[1].rank == RootRank::pointMass);
  CHECK(b.declared.masses == std::vector<int>{b.declared.roots[1].frame});
}

TEST_CASE("FreePoint: position from q, velocity from der(q), no rotation") {
  const FreePoint law;
  const double q[3] = {1, 2, 3}, qd[3] = {4, 5, 6};
  FrameState<double> world{Vector3d::Zero(), frames::nullRotation(), Vector3d::Zero(),
                           Vector3d::Zero(), Vector3d::Zero()};
  FrameState<double> f = world;
  law.forward(world, {q, qd, nullptr}, f);
  CHECK(f.r_0 == Vector3d(1, 2, 3));
  CHECK(f.v_0 == Vector3d(4, 5, 6));
  law.forward(world, {q, nullptr, nullptr}, f);
  CHECK(f.v_0 == Vector3d(0, 0, 0));
  double measured[3];
  law.measure(relativeMotion(world, f), measured, nullptr, nullptr);
  CHECK(measured[2] == 3);
}

// Gas force

struct Crossings final : Guards {
  void crossing(double g) override { values.push_back(g); }
  void timeEvent(double) override {}
  void terminate(const std::string&) override {}
  std::vector<double> values;
};
struct ModeList final : Modes {
  explicit ModeList(std::vector<int>& m) : modes(m) {}
  int get(ModeId m) const override { return m.valid() ? modes[static_cast<size_t>(m.index)] : 0; }
  void set(ModeId m, int mode) override { modes[static_cast<size_t>(m.index)] = mode; }
  std::vector<int>& modes;
};

/// MSL's pressure in bar, written as powers.
double gasPressure(double x, double v_rel) {
  auto polynomial = [x](double a, double b, double c, double d, double e) {
    return a * std::pow(x, 4) + b * std::pow(x, 3) + c * std::pow(x, 2) + d * x + e;
  };
  if (v_rel < 0) {
    return x < 0.986061 ? polynomial(177.4132, -287.2189, 151.8252, -24.9973, 2.4)
                        : polynomial(2836360, -10569296, 14761814, -9158505, 2129670);
  }
  return x > 0.933 ? polynomial(-3929704, 14748765, -20747000, 12964477, -3036495)
                   : polynomial(145.930, -131.707, 17.3438, 17.9272, 2.4);
}

TEST_CASE(
    "GasForce2: pressure, force and state of the gas by branch, and an event where the branch "
    "changes") {
  for (double v_rel : {-1.0, 1.0, 0.0}) {
    for (double x : {0.0, 0.4, 0.93, 0.95, 0.98, 0.99, 1.0}) {
      CAPTURE(v_rel);
      CAPTURE(x);
      GasForce2 c;
      LoadsBench b(c, {{"L", 0.2}, {"d", 0.1}, {"k1", 1.1}, {"k", 1.08}});
      const size_t flange_a = b.flange("flange_a"), flange_b = b.flange("flange_b");
      b.flanges[flange_a] = {Dual(0.5), Dual(0), Dual(0)};
      b.flanges[flange_b] = {Dual(0.5 + 0.2 * (1 - x)), Dual(v_rel), Dual(0)};

      fake::Tables<double> t(b.declared);
      std::vector<FlangeState<double>> flanges{{0.5, 0, 0}, {0.5 + 0.2 * (1 - x), v_rel, 0}};
      t.tables.flangeNode = b.same.data();
      t.tables.flanges = flanges.data();
      t.tables.modes = b.modes.data();
      ModeList modes(b.modes);
      c.transition(t.view(), modes);
      CHECK_FALSE(c.transition(t.view(), modes));
      b.evaluate();

      const double press = 1e5 * gasPressure(x, v_rel);
      const double cancellation = 2e7 * 1e5 * kEps * 100;  // of the large coefficients
      const double V = 0.01 + 1.1 * (1 - x), T = press * V / 1.08;
      CHECK(std::abs(b.value("press") - press) <= cancellation);
      CHECK(std::abs(b.value("f") + press * 3.14159265358979 * 0.01 / 4) <= cancellation);
      CHECK(b.flangeLoads[flange_b].v == b.value("f"));
      CHECK(b.flangeLoads[flange_a].v == -b.value("f"));
      CHECK(near(b.value("V"), V));
      CHECK(near(b.value("T"), T, 1e-6));
      CHECK(near(b.value("dens"), 1.08 / (V * 8.314462618 / 0.0289651159), 1e-6));

      // Each guard changes its sign with the branch.
      Crossings before, after;
      c.guards(t.view(), before);
      flanges[1].velocity = v_rel < 0 ? 1 : -1;
      c.guards(t.view(), after);
      REQUIRE(before.values.size() == 3);
      CHECK(before.values[0] * after.values[0] < 0);
      CHECK(before.values[1] == after.values[1]);
    }
  }
}

}  // namespace
}  // namespace cardan
