// Modelica models as model files: structure, names, and what the values become.
#include "engine/modelica/import.h"

#include <doctest/doctest.h>

#include <string>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "tests/folder.h"

using namespace cardan;

namespace {

std::string importedText(const std::string& text, const std::string& name = "") {
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  options.className = name;
  Diagnostics diagnostics;
  const auto model = modelica::importText(catalogue(), text, "m.mo", options, diagnostics);
  REQUIRE_MESSAGE(model.has_value(), diagnostics.format());
  // The tree and the text are the same model.
  Simulation::fromTree(catalogue(), model->tree(), {"m.mo"});
  Simulation::fromText(catalogue(), model->text());
  return model->text();
}

}  // namespace

TEST_CASE("Modelica import: a pendulum is as short as by hand") {
  CHECK(importedText(R"(model Pendulum "A rod on a damped hinge"
  import Modelica.Mechanics.MultiBody.*;
  import SI = Modelica.Units.SI;
  parameter SI.Length L(min = 0) = 0.5 "length";
  inner World world(n = {0, -1, 0}) annotation (Placement(transformation(extent = {{0, 0}, {1, 1}})));
  Joints.Revolute hinge(useAxisFlange = true, phi(start = 0.3, fixed = true, displayUnit = "deg"), w(each fixed = true));
  Parts.BodyBox box(r = {L, 0, 0}, width = L/10) "the rod";
  Modelica.Mechanics.Rotational.Components.Damper damper(d = 0.1);
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, box.frame_a) annotation (Line(points = {{0, 0}, {1, 1}}));
  connect(damper.flange_b, hinge.axis);
  connect(hinge.support, damper.flange_a);
  annotation (experiment(StopTime = 3, Tolerance = 1e-8));
end Pendulum;
)") == R"(model: Pendulum
description: A rod on a damped hinge
parameters:
  L: 0.5  # length
world: {n: [0, -1, 0]}
components:
  hinge: {type: Revolute, useAxisFlange: true, phi: {start: 0.3, fixed: true}, w: {fixed: true}}
  box: {type: BodyBox, r: [L, 0, 0], width: L/10}  # the rod
  damper: {type: Rotational.Damper, d: 0.1}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, box.frame_a]
  - [damper.flange_b, hinge.axis]
  - [hinge.support, damper.flange_a]
simulation: {stop: 3, tolerance: 1e-8}
)");
}

TEST_CASE("Modelica import: composites are written out, with what they are given") {
  CHECK(importedText(R"(package P
  partial model Base
    parameter Real k = 1;
    replaceable Modelica.Mechanics.Rotational.Components.Spring part(c = k) constrainedby
      Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges;
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a;
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b;
  equation
    connect(flange_a, part.flange_a);
    connect(part.flange_b, flange_b);
  end Base;
  model Soft
    extends Base(k = 10);
  end Soft;
  model Damped
    extends Base(redeclare Modelica.Mechanics.Rotational.Components.SpringDamper part(c = 2*k, d = 1));
  end Damped;
  model M
    Soft a;
    Damped b(k = 7) if true;
    Damped c if not true;
    Modelica.Mechanics.Rotational.Components.Inertia wheel[2](J = {1, 2});
    Modelica.Mechanics.Rotational.Components.Fixed fixed;
  equation
    connect(fixed.flange, a.flange_a);
    connect(a.flange_b, wheel[1].flange_a);
    connect(wheel[1].flange_b, b.flange_a);
    connect(b.flange_b, wheel[2].flange_a);
    connect(c.flange_a, fixed.flange);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)") == R"(# P.M
model: M
components:
  a.part: {type: Rotational.Spring, c: 10}
  b.part: {type: Rotational.SpringDamper, c: 2*7, d: 1}
  "wheel[1]": {type: Rotational.Inertia, J: 1}
  "wheel[2]": {type: Rotational.Inertia, J: 2}
  fixed: {type: Rotational.Fixed}
connections:
  - [fixed.flange, a.part.flange_a]
  - [a.part.flange_b, "wheel[1].flange_a"]
  - ["wheel[1].flange_b", b.part.flange_a]
  - [b.part.flange_b, "wheel[2].flange_a"]
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: signals go through buses, vectors and equations") {
  CHECK(importedText(R"(package P
  expandable connector Bus
    Real ref;
  end Bus;
  model Source
    Bus bus;
    Modelica.Blocks.Sources.Sine sine[2](f = {1, 2});
  equation
    connect(sine[1].y, bus.ref);
    connect(sine[2].y, bus.other);
  end Source;
  block Law
    Modelica.Blocks.Interfaces.RealInput u;
    Modelica.Blocks.Interfaces.RealOutput y;
    parameter Real k = 2;
  equation
    y = if u > 0 then k*u else 0;
  end Law;
  model M
    Bus bus;
    Source source;
    Law law;
    Modelica.Blocks.Math.Gain gain(k = 3), last(k = 1);
    Real x(start = 1, fixed = true);
  equation
    connect(source.bus, bus);
    connect(bus.ref, law.u);
    connect(law.y, gain.u);
    connect(bus.other, last.u);
    der(x) = -x + gain.y;
    annotation (experiment(StopTime = 1));
  end M;
end P;
)") == R"(# P.M
model: M
components:
  "source.sine[1]": {type: Blocks.Sine, f: 1}
  "source.sine[2]": {type: Blocks.Sine, f: 2}
  gain: {type: Blocks.Gain, k: 3, u: law.y}
  last: {type: Blocks.Gain, k: 1}
connections:
  - ["source.sine[2].y", last.u]
variables:
  law.y: "if source.sine[1].y > 0 then 2*source.sine[1].y else 0"
  x: {start: 1, fixed: true}
equations:
  - "der(x) = -x + gain.y"
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: functions of parameters, enumerations and constants have values") {
  CHECK(importedText(R"(package P
  constant Real half = 1/2;
  type Size = enumeration(small, large);
  function total
    input Real x[:];
    output Real y = 0;
  algorithm
    for i in 1:size(x, 1) loop
      y := y + x[i]^2;
    end for;
  end total;
  record Data
    Real m = 1;
    Real r[3] = {0, 0, 1};
  end Data;
  model M
    parameter Size size = Size.large;
    parameter Data data(m = 4);
    inner Modelica.Mechanics.MultiBody.World world;
    Modelica.Mechanics.MultiBody.Joints.Revolute hinge(phi(start = half*Modelica.Constants.pi));
    Modelica.Mechanics.MultiBody.Parts.Body body(m = total({1, 2, data.m}), r_CM = data.r);
    Modelica.Mechanics.MultiBody.Parts.Fixed fixed(r = fill(1, 3)) if size == Size.small;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    assert(total({1}) == 1, "sums");
    annotation (experiment(StopTime = 1));
  end M;
end P;
)") == R"(# P.M
model: M
components:
  hinge: {type: Revolute, phi: {start: 0.5*pi}}
  body: {type: Body, m: 21, r_CM: [0, 0, 1]}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, body.frame_a]
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: names of the library's 3.2.3, 4.0 and 4.1 are the same components") {
  CHECK(importedText(R"(model M
  import SI = Modelica.SIunits;
  import Modelica.SIunits.Conversions.*;
  parameter SI.Angle phi0 = from_deg(30);
  parameter Modelica.Units.SI.Mass m = 2;
  Modelica.Electrical.Analog.Basic.EMF emf(k = 2, useSupport = false);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Electrical.Analog.Basic.Resistor resistor(R = 1);
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 1);
  Modelica.Mechanics.Rotational.Components.Inertia inertia(J = m, phi(start = phi0));
  Modelica.Blocks.Sources.Clock clock;
equation
  connect(source.p, resistor.p);
  connect(resistor.n, emf.p);
  connect(source.n, emf.n);
  connect(ground.p, emf.n);
  connect(emf.flange, inertia.flange_a);
end M;
)") == R"(model: M
parameters: {phi0: from_deg(30), m: 2}
components:
  emf: {type: Analog.RotationalEMF, k: 2, useSupport: false}
  ground: {type: Analog.Ground}
  resistor: {type: Analog.Resistor, R: 1}
  source: {type: Analog.ConstantVoltage, V: 1}
  inertia: {type: Rotational.Inertia, J: m, phi: {start: phi0}}
  clock: {type: Blocks.Clock}
connections:
  - [source.p, resistor.p]
  - [resistor.n, emf.p]
  - [source.n, emf.n]
  - [ground.p, emf.n]
  - [emf.flange, inertia.flange_a]
)");
}

TEST_CASE("Modelica import: parts reach the World, declared or not") {
  CHECK(importedText(R"(model M
  model Part
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
    Modelica.Mechanics.MultiBody.Parts.FixedTranslation t(r = {world.g/10, 0, 0});
    Modelica.Mechanics.MultiBody.Parts.Body b(m = 1, r_CM = {0, 0, 0});
    Modelica.Mechanics.MultiBody.Joints.FreeMotion free;
  equation
    connect(frame_a, t.frame_a);
    connect(t.frame_b, frame_b);
    connect(world.frame_b, free.frame_a);
    connect(free.frame_b, b.frame_a);
  end Part;
  Part p;
  Modelica.Mechanics.MultiBody.Parts.Fixed f;
equation
  connect(f.frame_b, p.frame_a);
end M;
)") == R"(model: M
components:
  p.t: {type: FixedTranslation, r: [world.g/10, 0, 0]}
  p.b: {type: Body, m: 1, r_CM: [0, 0, 0]}
  p.free: {type: FreeMotion}
  f: {type: Fixed}
connections:
  - [f.frame_b, p.t.frame_a]
  - [world.frame_b, p.free.frame_a]
  - [p.free.frame_b, p.b.frame_a]
)");
}

TEST_CASE("Modelica import: arrays of components are connected element by element") {
  CHECK(importedText(R"(model M
  parameter Integer n = 3;
  parameter Real masses[n] = {1, 2, 3};
  inner Modelica.Mechanics.MultiBody.World world(gravityType = Modelica.Mechanics.MultiBody.Types.GravityTypes.NoGravity);
  Modelica.Mechanics.MultiBody.Parts.PointMass p[n](m = masses, each r_0(fixed = true), v_0(each fixed = true));
  Modelica.Mechanics.MultiBody.Forces.WorldForce force[n];
  Modelica.Blocks.Sources.Constant c[n, 3](k = [1, 0, 0; 0, 1, 0; 0, 0, 1]);
equation
  connect(force.frame_b, p.frame_a);
  for i in 1:n loop
    connect(c[i, :].y, force[i].force);
  end for;
end M;
)") == R"(model: M
parameters: {masses: [1, 2, 3]}
world: {gravityType: NoGravity}
components:
  "p[1]": {type: PointMass, m: "masses[1]", r_0: {fixed: true}, v_0: {fixed: true}}
  "p[2]": {type: PointMass, m: "masses[2]", r_0: {fixed: true}, v_0: {fixed: true}}
  "p[3]": {type: PointMass, m: "masses[3]", r_0: {fixed: true}, v_0: {fixed: true}}
  "force[1]": {type: WorldForce}
  "force[2]": {type: WorldForce}
  "force[3]": {type: WorldForce}
  "c[1,1]": {type: Blocks.Constant, k: 1}
  "c[1,2]": {type: Blocks.Constant, k: 0}
  "c[1,3]": {type: Blocks.Constant, k: 0}
  "c[2,1]": {type: Blocks.Constant, k: 0}
  "c[2,2]": {type: Blocks.Constant, k: 1}
  "c[2,3]": {type: Blocks.Constant, k: 0}
  "c[3,1]": {type: Blocks.Constant, k: 0}
  "c[3,2]": {type: Blocks.Constant, k: 0}
  "c[3,3]": {type: Blocks.Constant, k: 1}
connections:
  - ["force[1].frame_b", "p[1].frame_a"]
  - ["force[2].frame_b", "p[2].frame_a"]
  - ["force[3].frame_b", "p[3].frame_a"]
  - ["c[1,1].y", "force[1].force[1]"]
  - ["c[1,2].y", "force[1].force[2]"]
  - ["c[1,3].y", "force[1].force[3]"]
  - ["c[2,1].y", "force[2].force[1]"]
  - ["c[2,2].y", "force[2].force[2]"]
  - ["c[2,3].y", "force[2].force[3]"]
  - ["c[3,1].y", "force[3].force[1]"]
  - ["c[3,2].y", "force[3].force[2]"]
  - ["c[3,3].y", "force[3].force[3]"]
)");
}

TEST_CASE("Modelica import: packages as folders, within and imports find one another") {
  const test::Folder folder;
  folder.write("Lib/package.mo",
               "package Lib\n  import MB = Modelica.Mechanics.MultiBody;\nend Lib;\n");
  folder.write("Lib/Parts/package.mo",
               "within Lib;\npackage Parts\n  constant Real g = 2;\nend Parts;\n");
  folder.write(
      "Lib/Parts/Arm.mo",
      "within Lib.Parts;\nmodel Arm\n  extends MB.Parts.BodyBox(r = {g, 0, 0});\nend Arm;\n");
  folder.write("Lib/Robot.mo",
               "within Lib;\nmodel Robot\n  inner MB.World world;\n  MB.Joints.Revolute j;\n"
               "  Parts.Arm arm(width = 0.1);\nequation\n  connect(world.frame_b, j.frame_a);\n"
               "  connect(j.frame_b, arm.frame_a);\nend Robot;\n");
  folder.write("user.mo", "model User\n  import Lib.Parts.*;\n  Arm arm;\nend User;\n");
  Diagnostics diagnostics;
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  const auto robot =
      modelica::importModel(catalogue(), folder / "Lib/Robot.mo", options, diagnostics);
  REQUIRE_MESSAGE(robot.has_value(), diagnostics.format());
  CHECK(robot->text() == R"(# Lib.Robot
model: Robot
components:
  j: {type: Revolute}
  arm: {type: BodyBox, r: [2, 0, 0], width: 0.1}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, arm.frame_a]
)");
  CHECK(robot->files.size() == 4);
  options.libraries = {folder / ""};
  const auto user = modelica::importModel(catalogue(), folder / "user.mo", options, diagnostics);
  CHECK(user.has_value());
}
