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
  force: {type: WorldForce, count: 3}
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

TEST_CASE("Modelica import: classes that a model has several times are submodels") {
  CHECK(importedText(R"(package P
  model Link "a hinge and its rod"
    parameter Real L = 0.5 "length";
    parameter Real phi0;
    final parameter Real m = 2*L;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b;
    Modelica.Mechanics.MultiBody.Joints.Revolute hinge(phi(start = phi0, fixed = true));
    Modelica.Mechanics.MultiBody.Parts.BodyShape rod(r = {L, 0, 0}, m = m);
    Real height = rod.frame_b.r_0[2];
  equation
    connect(frame_a, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(rod.frame_b, frame_b);
  end Link;
  model Arm
    parameter Real size = 1;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a;
    Link upper(L = size, phi0 = 0.1);
    Link lower(L = size/2, phi0 = 0);
  equation
    connect(frame_a, upper.frame_a);
    connect(upper.frame_b, lower.frame_a);
  end Arm;
  model M
    inner Modelica.Mechanics.MultiBody.World world;
    parameter Real size = 2;
    Arm left(size = size);
    Arm right(size = 0.5);
    Link tail(phi0 = 1);
    Link odd(phi0 = 1, rod(animation = false));
  equation
    connect(world.frame_b, left.frame_a);
    connect(world.frame_b, right.frame_a);
    connect(left.lower.frame_b, tail.frame_a);
    connect(world.frame_b, odd.frame_a);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)") == R"(# P.M
model: M
parameters: {size: 2}
submodels:
  Arm:
    parameters: {size: 1}
    components:
      upper: {type: Link, L: size}
      lower: {type: Link, L: size/2, phi0: 0}
    connections:
      - [upper.frame_b, lower.frame_a]
    connectors: {frame_a: upper.frame_a}
  Link:
    description: a hinge and its rod
    parameters:
      L: 0.5  # length
      phi0: 0.1
      m: 2*L
    components:
      hinge: {type: Revolute, phi: {start: phi0, fixed: true}}
      rod: {type: BodyShape, r: [L, 0, 0], m: m}
    connections:
      - [hinge.frame_b, rod.frame_a]
    connectors: {frame_a: hinge.frame_a, frame_b: rod.frame_b}
    variables:
      height: "rod.frame_b.r_0[2]"
components:
  left: {type: Arm, size: size}
  right: {type: Arm, size: 0.5}
  tail: {type: Link, phi0: 1}
  odd.hinge: {type: Revolute, phi: {start: 1, fixed: true}}
  odd.rod: {type: BodyShape, r: [0.5, 0, 0], m: 2*0.5, animation: false}
connections:
  - [world.frame_b, left.frame_a]
  - [left.frame_a, odd.hinge.frame_a]
  - [world.frame_b, right.frame_a]
  - [left.lower.frame_b, tail.frame_a]
  - [odd.hinge.frame_b, odd.rod.frame_a]
variables:
  odd.height: "odd.rod.frame_b.r_0[2]"
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: what a submodel cannot say of the model around it is written out") {
  // The law reads an input, and so a signal from outside; the ports of the others are connectors.
  CHECK(importedText(R"(package P
  block Law
    Modelica.Blocks.Interfaces.RealInput u;
    Modelica.Blocks.Interfaces.RealOutput y;
  equation
    y = 2*u;
  end Law;
  block Chain
    Modelica.Blocks.Interfaces.RealInput u;
    Modelica.Blocks.Interfaces.RealOutput y;
    Modelica.Blocks.Math.Gain a(k = 2), b(k = 3);
  equation
    connect(u, a.u);
    connect(a.y, b.u);
    connect(b.y, y);
  end Chain;
  model M
    Law law[2];
    Chain chain[2];
    Modelica.Blocks.Sources.Sine sine(f = 1);
  equation
    connect(sine.y, chain[1].u);
    connect(chain[1].y, chain[2].u);
    connect(chain[2].y, law[1].u);
    connect(law[1].y, law[2].u);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)") == R"(# P.M
model: M
submodels:
  Chain:
    components:
      a: {type: Blocks.Gain, k: 2}
      b: {type: Blocks.Gain, k: 3}
    connections:
      - [a.y, b.u]
    connectors: {u: a.u, y: b.y}
components:
  chain: {type: Chain, count: 2}
  sine: {type: Blocks.Sine, f: 1}
connections:
  - [sine.y, "chain[1].u"]
  - ["chain[1].y", "chain[2].u"]
variables:
  "law[1].y": "2*chain[2].b.y"
  "law[2].y": "2*law[1].y"
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: an equation may give the input of a component") {
  CHECK(importedText(R"mo(model M
  import Modelica.Blocks.*;
  parameter Real k = 3;
  Continuous.FirstOrder lag(T = 0.1);
  Continuous.FirstOrder two(T = 0.1);
  Math.MultiSum sum(nu = 2);
  Math.Add add[2];
  Real x(start = 1, fixed = true);
equation
  lag.u = k*x + time;
  if time < 0.5 then
    two.u = lag.y;
    der(x) = -x;
  else
    der(x) = -2*x;
    two.u = 0;
  end if;
  for i in 1:2 loop
    sum.u[i] = i*x;
    add[i].u1 = two.y;
    add[i].u2 = i*lag.y;
  end for;
  annotation (experiment(StopTime = 1));
end M;
)mo") == R"yaml(model: M
parameters: {k: 3}
components:
  lag: {type: Blocks.FirstOrder, T: 0.1, u: k*x + time}
  two: {type: Blocks.FirstOrder, T: 0.1, u: if time < 0.5 then lag.y else 0}
  sum: {type: Blocks.MultiSum, nu: 2, u: [1*x, 2*x]}
  "add[1]": {type: Blocks.Add, u1: two.y, u2: 1*lag.y}
  "add[2]": {type: Blocks.Add, u1: two.y, u2: 2*lag.y}
variables:
  x: {start: 1, fixed: true}
equations:
  - "0 = if time < 0.5 then der(x) - (-x) else der(x) - (-2*x)"
simulation: {stop: 1}
)yaml");
}

TEST_CASE("Modelica import: parameters are known by the names that they had before version 4") {
  CHECK(importedText(R"mo(model M
  inner Modelica.Mechanics.MultiBody.World world(mue = 1, gravityType =
    Modelica.Mechanics.MultiBody.Types.GravityTypes.PointGravity);
  Modelica.Blocks.Sources.Sine sine(freqHz = 2);
  Modelica.Blocks.Nonlinear.Limiter limiter(uMax = 1, limitsAtInit = true);
  Modelica.Mechanics.MultiBody.Visualizers.Torus torus(ro = 0.1, ri = 3*torus.ro);
  Modelica.Mechanics.Rotational.Components.OneWayClutch clutch(fn_max = 1, stuck(fixed = true));
  Modelica.Mechanics.Rotational.Components.Fixed fixed;
  Modelica.Mechanics.Rotational.Components.Inertia wheel(J = 1);
equation
  connect(world.frame_b, torus.frame_a);
  connect(sine.y, limiter.u);
  connect(limiter.y, clutch.f_normalized);
  connect(fixed.flange, clutch.flange_a);
  connect(clutch.flange_b, wheel.flange_a);
end M;
)mo") == R"yaml(model: M
world: {mu: 1, gravityType: PointGravity}
components:
  sine: {type: Blocks.Sine, f: 2}
  limiter: {type: Blocks.Limiter, uMax: 1}
  torus: {type: Visualizers.Torus, r: 0.1, R: 3*torus.r}
  clutch: {type: Rotational.OneWayClutch, fn_max: 1}
  fixed: {type: Rotational.Fixed}
  wheel: {type: Rotational.Inertia, J: 1}
connections:
  - [world.frame_b, torus.frame_a]
  - [sine.y, limiter.u]
  - [limiter.y, clutch.f_normalized]
  - [fixed.flange, clutch.flange_a]
  - [clutch.flange_b, wheel.flange_a]
)yaml");
}
