/// The seven hard cases for the contract: parts that strain it, written against its declarations
/// alone.
///
/// BearingFriction and Move are in the catalogue; Revolute and GearConstraint stand here by name;
/// the rolling wheel, a capacitor with an operational amplifier and a node without mass are stated
/// here, and hold what their equations say.
#include <doctest/doctest.h>

#include <type_traits>

#include "components/assemblies/gear_constraint.h"
#include "components/component.h"
#include "components/joints/revolute.h"
#include "tests/components/loads_bench.h"
#include "tests/components/one_dimensional_bench.h"

namespace {

using namespace cardan;

/// Rolling wheel: contact height on position level, no slip along and across on velocity level
/// only.
class RollingWheel final : public ComponentOf<RollingWheel> {
 public:
  void read(ParameterReader& r) override { r.real("R", R_, "m", "radius", kPositive); }
  void declare(Structure& s) override {
    frame_a_ = s.frame("frame_a");
    contact_ = s.constraint("contact", "m", 1, 2);
  }

  /// Ground: the plane y = 0 of the world; the wheel's axis is the frame's z-axis.
  template <class S>
  void physics(View<S>& x) const {
    const FrameState<S>& a = x.frame(frame_a_);
    const Vector3<S> up = Vector3d(0, 1, 0).cast<S>();
    const Vector3<S> axis_0 = frames::resolve1(a.R, Vector3d(0, 0, 1));
    // Towards the ground, in the plane of the wheel; then along the direction of rolling.
    const Vector3<S> down = frames::normalize(Vector3<S>(dot(up, axis_0) * axis_0 - up));
    const Vector3<S> along = frames::normalize(cross(axis_0, up));
    const Vector3<S> arm = R_ * down;
    const Vector3<S> v_0 = a.v_0 + cross(frames::angularVelocity1(a.R), arm);
    x.constrain(contact_, 0, a.r_0[1] + arm[1], v_0[1]);
    x.constrainVelocity(contact_, 1, dot(along, v_0));
    x.constrainVelocity(contact_, 2, dot(cross(along, up), v_0));
    const Vector3<S> rows[] = {up, along, cross(along, up)};
    for (int i = 0; i < 3; ++i) {
      x.react(contact_, i, frame_a_, {rows[i], cross(arm, rows[i])});
    }
  }

 private:
  double R_ = 0.3;  ///< [m] radius
  FrameId frame_a_;
  ConstraintId contact_;
};

/// Capacitor: owns its voltage as a state; the pins' potentials are the network's.
class Capacitor final : public ComponentOf<Capacitor> {
 public:
  void read(ParameterReader& r) override { r.real("C", C_, "F", "capacitance", kPositive); }
  void declare(Structure& s) override {
    p_ = s.flange("p", Domain::Electrical);
    n_ = s.flange("n", Domain::Electrical);
    v_ = s.unknown({"v", "V", "voltage"}, Kind::Differential);
    row_ = s.row("voltage");
    i_ = s.unknown({"i", "A", "current"}, Kind::Algebraic);
    current_ = s.row("current");
  }
  template <class S>
  void physics(View<S>& x) const {
    x.row(row_) = x.unknown(v_) - (x.flange(p_).position - x.flange(n_).position);
    x.row(current_) = C_ * x.rate(v_) - x.unknown(i_);
    x.addFlow(p_, x.unknown(i_));
    x.addFlow(n_, -x.unknown(i_));
  }

 private:
  double C_ = 1e-6;  ///< [F]
  FlangeId p_, n_;
  UnknownId v_, i_;
  RowId row_, current_;
};

/// Ideal operational amplifier: no voltage and no current at its input; its output current is what
/// that takes.
class IdealOpAmp final : public ComponentOf<IdealOpAmp> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    p1_ = s.flange("p1", Domain::Electrical);
    n1_ = s.flange("n1", Domain::Electrical);
    p2_ = s.flange("p2", Domain::Electrical);
    n2_ = s.flange("n2", Domain::Electrical);
    i2_ = s.unknown({"i2", "A", "current of the output"}, Kind::Algebraic);
    input_ = s.row("input");
  }
  template <class S>
  void physics(View<S>& x) const {
    x.row(input_) = x.flange(p1_).position - x.flange(n1_).position;
    x.addFlow(p2_, x.unknown(i2_));
    x.addFlow(n2_, -x.unknown(i2_));
  }

 private:
  FlangeId p1_, n1_, p2_, n2_;
  UnknownId i2_;
  RowId input_;
};

/// Spring between two flanges: where nothing else gives a node mass, its potential is an algebraic
/// unknown of the network.
class MasslessSpring final : public ComponentOf<MasslessSpring> {
 public:
  void read(ParameterReader& r) override { r.real("c", c_, "N.m/rad", "stiffness", kNotNegative); }
  void declare(Structure& s) override {
    a_ = s.flange("flange_a", Domain::Rotational);
    b_ = s.flange("flange_b", Domain::Rotational);
  }
  template <class S>
  void physics(View<S>& x) const {
    const S tau = c_ * (x.flange(b_).position - x.flange(a_).position);
    x.addFlow(b_, tau);
    x.addFlow(a_, -tau);
  }

 private:
  double c_ = 1;  ///< [N.m/rad]
  FlangeId a_, b_;
};

template <class C>
constexpr bool isWhole = std::is_base_of_v<Component, C> && !std::is_abstract_v<C>;

}  // namespace

// Compiling is the claim: the hard cases need no new virtual.
static_assert(isWhole<Revolute> && isWhole<RollingWheel> && isWhole<GearConstraint> &&
              isWhole<Capacitor> && isWhole<IdealOpAmp> && isWhole<MasslessSpring>);

TEST_CASE(
    "contract: a rolling wheel's rows are each other's rates, and its loads their transpose") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    CAPTURE(trial);
    RollingWheel wheel;
    fake::LoadsBench b(wheel, {{"R", 0.4}});
    b.multipliers.assign(3, Dual(0));
    b.positionResidues = b.velocityResidues = b.multipliers;
    b.t->tables.multipliers = b.multipliers.data();
    b.t->tables.positionResidues = b.positionResidues.data();
    b.t->tables.velocityResidues = b.velocityResidues.data();
    b.frame("frame_a") = fake::Path(random).frame();
    const double lambda[] = {1.7, -0.6, 2.3};
    for (size_t i = 0; i < 3; ++i) b.multipliers[i] = Dual(lambda[i]);
    b.evaluate();
    const double gv = b.velocityResidues[0].v;
    CHECK(std::abs(b.positionResidues[0].lane(0) - gv) < 1e-12 * (1 + std::abs(gv)));
    double power = 0;
    for (size_t i = 0; i < 3; ++i) power += lambda[i] * b.velocityResidues[i].v;
    CHECK(std::abs(b.power("frame_a") - power) < 1e-12 * (1 + std::abs(power)));
    CHECK(std::abs(power) > 1e-6);
  }
}

TEST_CASE("contract: capacitor, amplifier and spring state their rows and balance their flows") {
  bench::Bench<Capacitor> c({{"C", 0.5}});
  c.flange("p").position = 7;
  c.flange("n").position = 4;
  c.x.y = {2.5, 0.8};
  c.x.yp = {1.2, 0};
  c.evaluate();
  CHECK(c.x.residual[0] == 2.5 - (7 - 4));
  CHECK(c.x.residual[1] == doctest::Approx(0.5 * 1.2 - 0.8).epsilon(1e-15));
  CHECK(c.flow("p") == 0.8);
  CHECK(c.flow("n") == -0.8);

  bench::Bench<IdealOpAmp> a;
  a.flange("p1").position = 7;
  a.flange("n1").position = 4;
  a.x.y = {0.3};
  a.evaluate();
  CHECK(a.x.residual[0] == 3);
  CHECK(a.flow("p1") == 0);
  CHECK(a.flow("n1") == 0);
  CHECK(a.flow("p2") == 0.3);
  CHECK(a.flow("n2") == -0.3);

  bench::Bench<MasslessSpring> s({{"c", 20.0}});
  s.flange("flange_a").position = 0.1;
  s.flange("flange_b").position = 0.4;
  s.evaluate();
  CHECK(s.flow("flange_b") == doctest::Approx(20 * 0.3).epsilon(1e-15));
  CHECK(s.flow("flange_a") == -s.flow("flange_b"));
}
