// Rotational parts: flows, relations and their power balance, prescribed motion, sensors,
// friction's modes.
#include <numbers>

#include "tests/components/one_dimensional_bench.h"

namespace cardan {
namespace {

using bench::Bench;
using bench::checkClose;
using bench::Class;
using bench::Matrix;
using bench::Start;
using bench::Values;
using Errors = std::vector<std::string>;
using std::numbers::pi;

// Parts between flanges

TEST_CASE(
    "Spring, Damper, SpringDamper: torque of the relative motion, its loss to the heat port") {
  const FlangeState<double> a{0.2, -1, 3}, b{0.7, 2, 5};
  Bench<Class<"Rotational.Spring">> spring({{"c", 10.0}, {"phi_rel0", 0.1}});
  spring.flange("flange_a") = a;
  spring.flange("flange_b") = b;
  spring.evaluate();
  checkClose(spring.flow("flange_b"), 10 * (0.5 - 0.1));
  CHECK(spring.flow("flange_a") == -spring.flow("flange_b"));
  CHECK(spring.value("tau") == spring.flow("flange_b"));
  checkClose(spring.value("phi_rel"), 0.5);
  checkClose(spring.energy().second, 0.5 * 10 * 0.4 * 0.4);

  Bench<Class<"Rotational.Damper">> damper({{"d", 4.0}, {"useHeatPort", true}});
  damper.flange("flange_a") = a;
  damper.flange("flange_b") = b;
  damper.evaluate();
  checkClose(damper.flow("flange_b"), 12);
  checkClose(damper.flow("heatPort"), -36);  // what the flanges put in goes out
  checkClose(damper.flow("flange_a") * -1 + damper.flow("flange_b") * 2, -damper.flow("heatPort"));
  CHECK(damper.declared.domains.back() == Domain::Thermal);
  CHECK(damper.value("lossPower") == 36);
  CHECK(damper.value("a_rel") == 2);

  Bench<Class<"Rotational.SpringDamper">> both(
      {{"c", 10.0}, {"phi_rel0", 0.1}, {"d", 4.0}, {"phi_rel", Start{0.3, true}}});
  both.flange("flange_a") = a;
  both.flange("flange_b") = b;
  both.evaluate();
  checkClose(both.flow("flange_b"), 4 + 12);
  CHECK(both.described.starts.at("phi_rel").start == 0.3);
  CHECK(both.described.starts.at("phi_rel").fixed);
  CHECK(both.declared.flanges.size() == 2);

  CHECK(Bench<Class<"Rotational.Damper">>({{"d", -1.0}}).reader.errors ==
        Errors{"'d' is out of range"});
  CHECK(Bench<Class<"Rotational.Spring">>({{"s_rel0", 1.0}}).reader.errors ==
        Errors{"unknown key 's_rel0'"});
}

TEST_CASE("Inertia, Disc, Fixed: relations, J a, kinetic energy") {
  Bench<Class<"Rotational.Inertia">> inertia(
      {{"J", 2.0}, {"phi", Start{0.5, true}}, {"a", Start{1, true}}});
  inertia.flange("flange_a") = {0.5, 3, 7};
  inertia.evaluate();
  CHECK(inertia.flow("flange_a") == 14);
  CHECK(inertia.flow("flange_b") == 0);
  CHECK(inertia.declared.affines.at(0).constant == 0);
  CHECK(inertia.declared.inertias == std::vector<int>{0});
  CHECK(inertia.value("phi") == 0.5);
  CHECK(inertia.value("w") == 3);
  CHECK(inertia.value("a") == 7);
  CHECK(inertia.energy().first == 9);
  CHECK(inertia.described.starts.at("a").fixed);

  Bench<Class<"Rotational.Disc">> disc({{"deltaPhi", 0.4}});
  const Affine& shift = disc.declared.affines.at(0);
  CHECK(shift.terms.at(0).first.index == 1);
  CHECK(shift.terms.at(0).second == 1);
  CHECK(shift.constant == 0.4);
  disc.flange("flange_a") = {1, 0, 0};
  checkClose(disc.value("phi"), 1.2);

  Bench<Class<"Rotational.Fixed">> fixed({{"phi0", 0.3}});
  CHECK(fixed.declared.grounds.at(0).second == 0.3);
}

TEST_CASE("ElastoBacklash: free in the gap, pushes beyond it, never pulls") {
  Bench<Class<"Rotational.ElastoBacklash">> b({{"c", 100.0}, {"d", 2.0}, {"b", 0.2}});
  auto torque = [&](double phi, double w) {
    b.flange("flange_b") = {phi, w, 0};
    b.settle();
    b.evaluate();
    CHECK(b.flow("flange_a") == -b.flow("flange_b"));
    return b.flow("flange_b");
  };
  CHECK(torque(0.05, 3) == 0);
  checkClose(torque(0.15, 0), 5);
  checkClose(torque(0.15, 1), 7);
  checkClose(torque(0.15, 10), 10);  // damping not above the spring's torque
  CHECK(torque(0.15, -10) == 0);     // does not pull
  checkClose(torque(-0.15, -1), -7);
  CHECK(b.mode("below") == 1);
  CHECK(b.mode("above") == 0);
  // Up to the event the mode holds: in the gap although phi is beyond it.
  CHECK(torque(0, 0) == 0);
  b.flange("flange_b") = {0.15, 0, 0};
  b.evaluate();
  CHECK(b.flow("flange_b") == 0);
  CHECK(b.events().crossings.size() == 4);
  CHECK(b.events().crossings[0] > 0);
  Bench<Class<"Rotational.ElastoBacklash">> none({{"c", 100.0}});
  none.flange("flange_b") = {0.1, 0, 0};
  none.evaluate();
  checkClose(none.flow("flange_b"), 10);
  CHECK(!none.transition());
}

// Gears

/// Motion at which all relations hold, and multiplier flows: their power must vanish.
void checkPower(const Affine& relation) {
  std::vector<double> w;
  double rest = 0;
  for (size_t i = 0; i + 1 < relation.terms.size(); ++i) {
    w.push_back(0.7 + static_cast<double>(i));
    rest += relation.terms[i].second * w.back();
  }
  w.push_back(-rest / relation.terms.back().second);
  double power = 0;
  for (size_t i = 0; i < w.size(); ++i) power += 5.0 * relation.terms[i].second * w[i];
  checkClose(power, 0);
}

/// sum of coefficients times the positions given by flange.
template <class C>
double relationAt(const Bench<C>& b, std::map<std::string, double> position) {
  double sum = -b.declared.affines.at(0).constant;
  for (auto [f, c] : b.declared.affines.at(0).terms) {
    sum += c * position.at(b.declared.flanges.at(static_cast<size_t>(f.index)));
  }
  return sum;
}

TEST_CASE("gears: ratios relative to the support, and no power lost") {
  Bench<Class<"Rotational.IdealGear">> gear({{"ratio", -99.0}});
  checkClose(relationAt(gear, {{"flange_a", -198}, {"flange_b", 2}}), 0);
  checkPower(gear.declared.affines.at(0));
  Bench<Class<"Rotational.IdealGear">> mounted({{"ratio", 10.0}, {"useSupport", true}});
  checkClose(relationAt(mounted, {{"flange_a", 0.5 + 20}, {"flange_b", 0.5 + 2}, {"support", 0.5}}),
             0);
  checkPower(mounted.declared.affines.at(0));
  mounted.flange("flange_a") = {20.5, 0, 0};
  mounted.flange("support") = {0.5, 0, 0};
  CHECK(mounted.value("phi_a") == 20);

  Bench<Class<"Rotational.IdealPlanetary">> planetary({{"ratio", 2.0}});
  checkClose(relationAt(planetary, {{"carrier", 1}, {"sun", 3}, {"ring", 0}}), 0);
  checkPower(planetary.declared.affines.at(0));

  Bench<Class<"Rotational.IdealGearR2T">> rack({{"ratio", 4.0}, {"useSupportT", true}});
  checkClose(relationAt(rack, {{"flangeR", 8}, {"flangeT", 3}, {"supportT", 1}}), 0);
  CHECK(rack.declared.domains ==
        std::vector<Domain>{Domain::Rotational, Domain::Translational, Domain::Translational});
  checkPower(rack.declared.affines.at(0));
  Bench<Class<"Rotational.IdealRollingWheel">> wheel({{"radius", 0.25}, {"useSupportR", true}});
  checkClose(relationAt(wheel, {{"flangeR", 9}, {"supportR", 1}, {"flangeT", 2}}), 0);
  checkPower(wheel.declared.affines.at(0));
  CHECK(Bench<Class<"Rotational.IdealGear">>({{"ratio", 0.0}}).reader.errors ==
        Errors{"'ratio' must not be zero"});
  CHECK(Bench<Class<"Rotational.Coupling">>({{"offset", 1.0}}).reader.errors ==
        Errors{"'turning' or 'sliding' must have a row"});
}

TEST_CASE("Coupling: what it pulls with has no scale of its factors") {
  for (const double unit : {1.0, 1e-12, 1e9}) {
    CAPTURE(unit);
    Bench<Class<"Rotational.Coupling">> c(
        {{"turning", Matrix{{unit, 0}, {-2 * unit, -3 * unit}}}, {"offset", 0.5 * unit}});
    c.flange("flangeR[1]") = {0.7, 0, 0};
    c.flange("flangeR[2]") = {0.2, 0, 0};
    c.x.multipliers = {1};
    c.evaluate();
    const double first = c.flow("flangeR[1]");
    CHECK(std::abs(first) >= 0.25);
    CHECK(std::abs(first) <= 1);
    checkClose(c.flow("flangeR[2]"), -(2 + 6 * 0.2) * first);
    checkClose(c.x.positionResidues.at(0), (0.5 + 0.7 - 0.4 - 0.12) * first);
  }
}

// Torques

TEST_CASE("Torque, Torque2, ConstantTorque: accelerate the flange, react on the support") {
  Bench<Class<"Rotational.Torque">> torque({{"useSupport", true}});
  torque.x.inputs = {3};
  torque.evaluate();
  CHECK(torque.flow("flange") == -3);
  CHECK(torque.flow("support") == 3);
  Bench<Class<"Rotational.Torque2">> two;
  two.x.inputs = {3};
  two.evaluate();
  CHECK(two.flow("flange_a") == 3);
  CHECK(two.flow("flange_b") == -3);
  Bench<Class<"Rotational.ConstantTorque">> constant({{"tau_constant", 2.0}});
  constant.evaluate();
  CHECK(constant.flow("flange") == -2);
  CHECK(constant.value("tau") == 2);
  CHECK(constant.declared.flanges == Errors{"flange"});
}

TEST_CASE("TorqueStep: the step is at its time event, not before") {
  Bench<Class<"Rotational.TorqueStep">> step(
      {{"stepTorque", 5.0}, {"offsetTorque", 1.0}, {"startTime", 2.0}});
  auto flow = [&] {
    step.evaluate();
    return step.flow("flange");
  };
  step.at(0);
  CHECK(step.events().times == std::vector<double>{2});
  step.x.time = 2;
  CHECK(flow() == -1);
  step.settle();
  CHECK(flow() == -6);
  CHECK(step.value("tau") == 6);
  CHECK(step.events().times.empty());
}

TEST_CASE("speed-dependent torques: both powers and both senses of direction") {
  auto tau = [](auto bench, double w) {
    bench.flange("flange") = {0, w, 0};
    bench.settle();
    bench.evaluate();
    checkClose(bench.value("tau"), -bench.flow("flange"));
    auto n = bench.dual();
    n.flanges[0].velocity.setLane(0, 1);
    bench.evaluateAt(n);
    const double h = 1e-6;
    bench.flange("flange").velocity = w + h;
    bench.evaluate();
    const double up = bench.flow("flange");
    bench.flange("flange").velocity = w - h;
    bench.evaluate();
    checkClose(n.flows[0].lane(0), (up - bench.flow("flange")) / (2 * h), 1e-8);
    return -n.flows[0].v;
  };
  const Values same{{"tau_nominal", -100.0}, {"w_nominal", 200.0}};
  Values turning = same;
  turning["TorqueDirection"] = false;
  checkClose(tau(Bench<Class<"Rotational.LinearSpeedDependentTorque">>(same), 50), -25);
  checkClose(tau(Bench<Class<"Rotational.LinearSpeedDependentTorque">>(same), -50), -25);
  checkClose(tau(Bench<Class<"Rotational.LinearSpeedDependentTorque">>(turning), -50), 25);
  checkClose(tau(Bench<Class<"Rotational.QuadraticSpeedDependentTorque">>(same), -50), -6.25);
  checkClose(tau(Bench<Class<"Rotational.QuadraticSpeedDependentTorque">>(turning), -50), 6.25);
  CHECK(Bench<Class<"Rotational.LinearSpeedDependentTorque">>({{"w_nominal", 0.0}}).reader.errors ==
        Errors{"'w_nominal' is out of range"});
}

// Prescribed motion

TEST_CASE("Position: exact, the flange follows the input and its rate") {
  Bench<Class<"Rotational.Position">> p({{"exact", true}, {"useSupport", true}});
  CHECK(p.declared.inputs.at(0).rate == Rate::Needed);
  p.flange("flange") = {3, 4, 0};
  p.flange("support") = {1, 1, 0};
  p.x.inputs = {1.5};
  p.x.inputRates = {2.5};
  p.x.multipliers = {7};
  p.evaluate();
  CHECK(p.x.positionResidues[0] == 0.5);
  CHECK(p.x.velocityResidues[0] == 0.5);
  CHECK(p.flow("flange") == 7);
  CHECK(p.flow("support") == -7);
  CHECK(p.value("phi") == 2);
  CHECK(p.value("w") == 0);  // MSL's dummy
}

TEST_CASE("Position: filtered, a Bessel filter of second order without overshoot to speak of") {
  Bench<Class<"Rotational.Position">> p({{"f_crit", 2.0}});
  CHECK(p.declared.inputs.at(0).rate == Rate::NotNeeded);
  p.x.inputs = {1};
  // The start is at the reference.
  p.x.y = {1, 0};
  CHECK(p.initial(0) == 0);
  // Step response by the rows: |H| = 1 at rest, and at w_crit |H| = 1/|1 - 0.618 + 1.3617 i|.
  const double w_crit = 2 * pi * 2, h = 1e-4;
  double phi = 0, w = 0, largest = 0;
  for (double t = 0; t < 2; t += h) {
    p.x.y = {phi, w};
    p.x.yp = {0, 0};
    p.flange("flange") = {phi, w, 0};
    p.evaluate();
    CHECK(p.x.positionResidues[0] == 0);
    CHECK(p.x.velocityResidues[0] == 0);
    checkClose(-p.x.residual[1], ((1 - phi) * w_crit - 1.3617 * w) * (w_crit / 0.6180));
    w -= h * p.x.residual[1];
    phi += h * w;
    largest = std::max(largest, phi);
  }
  checkClose(phi, 1, 1e-6);
  CHECK(largest < 1.01);
  p.x.yp = {0, 5};
  CHECK(p.value("a") == 5);
}

TEST_CASE("Speed, Accelerate, Move, ConstantSpeed: rows and residues") {
  Bench<Class<"Rotational.Speed">> exact({{"exact", true}});
  CHECK(exact.declared.constraints.at(0) == std::pair{0, 1});
  exact.flange("flange") = {3, 4, 0};
  exact.x.inputs = {1};
  exact.evaluate();
  CHECK(exact.x.velocityResidues[0] == 3);
  CHECK(exact.described.starts.at("phi").fixed);

  Bench<Class<"Rotational.Speed">> filtered({{"f_crit", 2.0}});
  filtered.x.inputs = {1};
  filtered.x.y = {0.25};
  filtered.x.yp = {3};
  filtered.flange("flange") = {0, 4, 0};
  filtered.evaluate();
  checkClose(filtered.x.residual[0], 3 - 0.75 * 4 * pi);
  CHECK(filtered.x.velocityResidues[0] == 3.75);
  CHECK(filtered.initial(0) == -0.75);

  Bench<Class<"Rotational.Accelerate">> accelerate;
  CHECK(accelerate.described.starts.at("phi").fixed);
  CHECK(accelerate.described.starts.at("w").fixed);
  accelerate.x.inputs = {2};
  accelerate.x.y = {3, 4};
  accelerate.x.yp = {4, 2};
  accelerate.flange("flange") = {3.5, 4.25, 0};
  accelerate.evaluate();
  CHECK(accelerate.x.residual == std::vector<double>{0, 0});
  CHECK(accelerate.x.positionResidues[0] == 0.5);
  CHECK(accelerate.x.velocityResidues[0] == 0.25);

  Bench<Class<"Rotational.Move">> move;
  move.x.inputs = {1, 2, 3};
  move.flange("flange") = {1.5, 2.25, 0};
  move.evaluate();
  CHECK(move.x.positionResidues[0] == 0.5);
  CHECK(move.x.velocityResidues[0] == 0.25);

  Bench<Class<"Rotational.ConstantSpeed">> constant({{"w_fixed", 2.0}, {"useSupport", true}});
  constant.flange("flange") = {0, 5, 0};
  constant.flange("support") = {0, 1, 0};
  constant.x.multipliers = {3};
  constant.evaluate();
  CHECK(constant.x.velocityResidues[0] == 2);
  CHECK(constant.flow("support") == -3);
}

TEST_CASE("InitializeFlange: initial conditions for what is used, and no load") {
  Bench<Class<"Rotational.InitializeFlange">> all;
  CHECK(!all.component.evaluates());
  REQUIRE(all.described.initials.size() == 3);
  all.x.inputs = {1, 2, 3};
  all.flange("flange") = {1.5, 2.25, 3.125};
  CHECK(all.initial(0) == 0.5);
  CHECK(all.initial(1) == 0.25);
  CHECK(all.initial(2) == 0.125);
  CHECK(all.described.initials[2].info.level == Level::Acceleration);
  CHECK(all.value("phi_flange") == 1.5);
  CHECK(all.value("w_flange") == 2.25);
  Bench<Class<"Rotational.InitializeFlange">> one(
      {{"use_phi_start", false}, {"use_a_start", false}});
  CHECK(one.declared.inputs.size() == 1);
  CHECK(one.described.initials.size() == 1);
  CHECK(one.declared.inertias.empty());
}

// Sensors

TEST_CASE("sensors: outputs at their levels, no load") {
  auto motion = [](auto bench, const char* name, Level level, double expected) {
    bench.flange("flange") = {1, 2, 3};
    CHECK(bench.value(name) == expected);
    CHECK(bench.described.variables.at(name).info.output);
    CHECK(bench.described.variables.at(name).info.level == level);
    CHECK(!bench.component.evaluates());
  };
  motion(Bench<Class<"Rotational.AngleSensor">>(), "phi", Level::Position, 1);
  motion(Bench<Class<"Rotational.SpeedSensor">>(), "w", Level::Velocity, 2);
  motion(Bench<Class<"Rotational.AccSensor">>(), "a", Level::Acceleration, 3);
  CHECK(Bench<Class<"Rotational.AccSensor">>().declared.inertias.size() == 1);
  CHECK(Bench<Class<"Rotational.SpeedSensor">>().declared.inertias.empty());

  auto relative = [](auto bench, const char* name, double expected) {
    bench.flange("flange_a") = {1, 2, 3};
    bench.flange("flange_b") = {1.5, 4, 9};
    CHECK(bench.value(name) == expected);
    CHECK(bench.described.variables.at(name).info.output);
  };
  relative(Bench<Class<"Rotational.RelAngleSensor">>(), "phi_rel", 0.5);
  relative(Bench<Class<"Rotational.RelSpeedSensor">>(), "w_rel", 2);
  relative(Bench<Class<"Rotational.RelAccSensor">>(), "a_rel", 6);

  Bench<Class<"Rotational.MultiSensor">> multi;
  multi.given = {5, -5};
  multi.flange("flange_a") = {0, 3, 0};
  CHECK(multi.value("tau") == 5);
  CHECK(multi.value("power") == 15);
  CHECK(multi.value("w") == 3);
  CHECK(multi.declared.affines.at(0).terms.size() == 2);
  Bench<Class<"Rotational.TorqueSensor">> torque;
  torque.given = {2, -2};
  CHECK(torque.value("tau") == 2);
  CHECK(!torque.described.variables.count("power"));
}

}  // namespace
}  // namespace cardan
