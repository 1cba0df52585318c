// Translational parts: the same physics as the rotational ones under its own names and units; what
// differs.
#include <set>

#include "tests/components/one_dimensional_bench.h"

namespace cardan {
namespace {

using bench::Bench;
using bench::checkClose;
using bench::Class;
using bench::Matrix;
using bench::Start;
using Errors = std::vector<std::string>;

TEST_CASE("Mass: its flanges are L apart, s is in the middle") {
  Bench<Class<"Translational.Mass">> mass({{"m", 2.0}, {"L", 0.4}, {"s", Start{0.5, true}}});
  mass.flange("flange_a") = {1, 3, 7};
  mass.evaluate();
  CHECK(mass.flow("flange_a") == 14);
  CHECK(mass.declared.affines.at(0).constant == 0.4);
  checkClose(mass.value("s"), 1.2);
  CHECK(mass.value("v") == 3);
  CHECK(mass.value("a") == 7);
  CHECK(mass.energy().first == 9);
  CHECK(mass.described.starts.at("s").fixed);
  CHECK(mass.described.variables.at("s").info.unit == "m");
  CHECK(Bench<Class<"Translational.Mass">>({{"m", -1.0}}).reader.errors ==
        Errors{"'m' is out of range"});
  CHECK(Bench<Class<"Translational.Mass">>({{"J", 1.0}}).reader.errors ==
        Errors{"unknown key 'J'"});
}

TEST_CASE("Rod, Fixed, Spring, Damper, SpringDamper: names and values") {
  Bench<Class<"Translational.Rod">> rod({{"L", 0.4}});
  CHECK(rod.declared.affines.at(0).constant == 0.4);
  CHECK(Bench<Class<"Translational.Fixed">>({{"s0", 0.3}}).declared.grounds.at(0).second == 0.3);
  Bench<Class<"Translational.Spring">> spring({{"c", 30.0}, {"s_rel0", 0.1}});
  spring.flange("flange_b") = {0.3, 0, 0};
  spring.evaluate();
  checkClose(spring.flow("flange_b"), 6);
  checkClose(spring.value("f"), 6);
  checkClose(spring.value("s_rel"), 0.3);
  Bench<Class<"Translational.Damper">> damper({{"d", 3.0}, {"useHeatPort", true}});
  damper.flange("flange_b") = {0, 2, 0};
  damper.evaluate();
  CHECK(damper.flow("flange_b") == 6);
  CHECK(damper.flow("heatPort") == -12);
  Bench<Class<"Translational.SpringDamper">> both({{"c", 30.0}, {"d", 3.0}});
  both.flange("flange_b") = {0.1, 2, 0};
  both.evaluate();
  checkClose(both.flow("flange_b"), 9);
  CHECK(both.declared.domains.front() == Domain::Translational);
}

TEST_CASE(
    "ElastoGap: pushes while the sides touch, with damping no larger than the spring's force") {
  Bench<Class<"Translational.ElastoGap">> gap({{"c", 100.0}, {"d", 2.0}, {"s_rel0", 0.5}});
  auto force = [&](double s, double v) {
    gap.flange("flange_b") = {s, v, 0};
    gap.settle();
    gap.evaluate();
    return gap.flow("flange_b");
  };
  CHECK(force(0.6, -1) == 0);
  CHECK(gap.value("contact") == 0);
  checkClose(force(0.4, 0), -10);
  checkClose(force(0.4, -1), -12);
  checkClose(force(0.4, -100), -20);
  CHECK(force(0.4, 100) == 0);
  CHECK(gap.value("contact") == 1);
  Bench<Class<"Translational.ElastoGap">> hertz({{"c", 100.0}, {"d", 0.0}, {"n", 1.5}});
  hertz.flange("flange_b") = {-0.04, 0, 0};
  hertz.settle();
  hertz.evaluate();
  checkClose(hertz.flow("flange_b"), -0.8);
}

TEST_CASE("forces: accelerate the flange; their variable f is the flange's") {
  Bench<Class<"Translational.Force">> force({{"useSupport", true}});
  force.x.inputs = {3};
  force.evaluate();
  CHECK(force.flow("flange") == -3);
  CHECK(force.flow("support") == 3);
  CHECK(force.declared.inputs.at(0).name == "f");
  Bench<Class<"Translational.Force2">> two;
  two.x.inputs = {3};
  two.evaluate();
  CHECK(two.flow("flange_b") == -3);
  Bench<Class<"Translational.ConstantForce">> constant({{"f_constant", 2.0}});
  constant.evaluate();
  CHECK(constant.flow("flange") == -2);
  CHECK(constant.value("f") == -2);
  Bench<Class<"Translational.ForceStep">> step(
      {{"stepForce", 5.0}, {"offsetForce", 1.0}, {"startTime", 2.0}});
  step.at(2);
  step.evaluate();
  CHECK(step.flow("flange") == -6);
  Bench<Class<"Translational.QuadraticSpeedDependentForce">> drag(
      {{"f_nominal", -8.0}, {"v_nominal", 2.0}, {"ForceDirection", false}});
  drag.flange("flange") = {0, -1, 0};
  drag.evaluate();
  CHECK(drag.flow("flange") == -2);
  Bench<Class<"Translational.LinearSpeedDependentForce">> linear(
      {{"f_nominal", -8.0}, {"v_nominal", 2.0}});
  linear.flange("flange") = {0, -1, 0};
  linear.evaluate();
  CHECK(linear.flow("flange") == 4);
}

TEST_CASE("prescribed motion: names of inputs, residues") {
  Bench<Class<"Translational.Position">> p({{"exact", true}});
  CHECK(p.declared.inputs.at(0).name == "s_ref");
  p.flange("flange") = {2, 3, 0};
  p.x.inputs = {1};
  p.x.inputRates = {1};
  p.evaluate();
  CHECK(p.x.positionResidues[0] == 1);
  CHECK(p.x.velocityResidues[0] == 2);
  CHECK(Bench<Class<"Translational.Speed">>().declared.inputs.at(0).name == "v_ref");
  CHECK(Bench<Class<"Translational.Accelerate">>().declared.inputs.at(0).name == "a_ref");
  CHECK(Bench<Class<"Translational.Move">>().declared.inputs.at(0).size == 3);
  CHECK(Bench<Class<"Translational.ConstantSpeed">>({{"v_fixed", 1.0}}).reader.errors.empty());
  Bench<Class<"Translational.InitializeFlange">> start;
  std::set<std::string> names;
  for (const auto& input : start.declared.inputs) names.insert(input.name);
  CHECK(names == std::set<std::string>{"s_start", "v_start", "a_start"});
}

TEST_CASE("sensors: outputs under their translational names") {
  auto output = [](auto bench, const char* name, double expected) {
    for (auto& f : bench.x.flanges) f = {1, 2, 3};
    bench.x.flanges.front() =
        bench.x.flanges.size() == 2 ? FlangeState<double>{0, 0, 0} : FlangeState<double>{1, 2, 3};
    bench.given = {5, -5};
    CHECK(bench.value(name) == expected);
    CHECK(bench.described.variables.at(name).info.output);
  };
  output(Bench<Class<"Translational.PositionSensor">>(), "s", 1);
  output(Bench<Class<"Translational.SpeedSensor">>(), "v", 2);
  output(Bench<Class<"Translational.AccSensor">>(), "a", 3);
  output(Bench<Class<"Translational.RelPositionSensor">>(), "s_rel", 1);
  output(Bench<Class<"Translational.RelSpeedSensor">>(), "v_rel", 2);
  output(Bench<Class<"Translational.RelAccSensor">>(), "a_rel", 3);
  output(Bench<Class<"Translational.ForceSensor">>(), "f", 5);
}

TEST_CASE("SupportFriction: the friction of BearingFriction along a line") {
  Bench<Class<"Translational.SupportFriction">> b({{"f_pos", Matrix{{0, 1}, {1, 2}}}});
  b.flange("flange_a") = {0, 0.5, 0};
  b.settle();
  CHECK(b.mode("mode") == 1);
  b.x.y = {1.5};
  b.evaluate();
  checkClose(b.x.residual[0], 0);
  CHECK(b.flow("flange_a") == 1.5);
  CHECK(b.value("f0") == 1);
  CHECK(b.value("v_relfric") == 0.5);
}

}  // namespace
}  // namespace cardan
