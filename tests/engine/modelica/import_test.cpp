// Modelica models as model files: structure, names, and what the values become.
#include "engine/modelica/import.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "tests/engine/modelica/imported_text.h"
#include "tests/folder.h"

using namespace cardan;
using test::importedText;

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

TEST_CASE("Modelica import: functions of variables become expressions") {
  CHECK(importedText(R"(package P
  function hardening "force of a spring that stiffens"
    input Real x;
    input Real c;
    input Real k = 0.5;
    output Real f;
  protected
    Real y;
  algorithm
    y := c*x;
    if x > 1 then
      y := y + k*(x - 1)^2;
    elseif x < -1 then
      y := y - k*(x + 1)^2;
    end if;
    f := y;
  end hardening;
  function turned
    input Real v[2];
    input Real angle;
    output Real r[2];
  protected
    Real T[2, 2] = [cos(angle), sin(angle); -sin(angle), cos(angle)];
  algorithm
    r := T*v;
  end turned;
  function polynomial
    input Real u;
    input Real a[:];
    output Real y;
  algorithm
    y := a[1];
    for i in 2:size(a, 1) loop
      y := a[i] + u*y;
    end for;
  end polynomial;
  function clipped
    input Real u;
    output Real y = polynomial(u, {2, 0});
  algorithm
    y := if noEvent(u > 0) then y else 0;
  end clipped;
  model M
    Real x = 2*sin(time);
    Real f = hardening(x, 3);
    Real p = polynomial(x, {1, -2, 3});
    Real r[2] = turned({x, 1}, time);
    Real z[2] = {time, 1};
    Real s[2] = turned(z, 0.5);
    Real c = clipped(time - 1);
    annotation (experiment(StopTime = 3));
  end M;
end P;
)",
                     "M") == R"(# P.M
model: M
variables:
  x: 2*sin(time)
  f: "if x > 1 then 3*x + 0.5*(x - 1)^2 else if x < -1 then 3*x - 0.5*(x + 1)^2 else 3*x"
  p: 3 + x*(-2 + x)
  r: "{cos(time)*x + sin(time), (-sin(time))*x + cos(time)}"
  z: "{time, 1}"
  s: "{0.8775825618903728*z[1] + 0.479425538604203*z[2], (-0.479425538604203)*z[1] + 0.8775825618903728*z[2]}"
  c: "if time - 1 > 0 then (time - 1)*2 else 0"
simulation: {stop: 3}
)");
}

TEST_CASE(
    "Modelica import: arrays that functions return keep their size, and signs their meaning") {
  const std::string text = importedText(R"(package P
  function plus
    input Real x;
    output Real y;
  algorithm
    y := +(x*x) .- (+x);
  end plus;
  function direction
    input Real x;
    input Real k;
    output Real c[3];
  algorithm
    c := k*Modelica.Math.Vectors.normalize({x, 1, 2});
  end direction;
  function along
    input Real x;
    output Real y;
  algorithm
    y := {1, 2, 3}*Modelica.Math.Vectors.normalize({x, 2, 2});
  end along;
  function each3
    input Real x;
    output Real y[3];
  algorithm
    y := {1, 2, 3}.*Modelica.Math.Vectors.normalize({x, 2, 2});
  end each3;
  function turned
    input Real x;
    output Real y[3];
  protected
    Real n[3];
  algorithm
    n := Modelica.Math.Vectors.normalize({x, 2, 2});
    y := {n, Modelica.Math.Vectors.normalize({2, x, 2}), {0, 0, x}}*{1, 2, 3};
  end turned;
  model M
    Real x = 2*time;
    Real p = plus(x);
    Real z[3] = direction(x, 0);
    Real n[3] = direction(x, 1);
    Real s = z[2] + x;
    Real a = along(x);
    Real e[3] = each3(x);
    Real t[3] = turned(x);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                                        "M");
  Trajectory rows;
  Simulation::fromText(catalogue(), text).run(rows, {});
  const auto is = [&](const char* name, double value) {
    CAPTURE(name);
    CHECK(rows[name].back() == doctest::Approx(value));
  };
  // At the end x = 2: of {2, 1, 2} the length is 3, of {2, 2, 2} it is 2 sqrt(3).
  is("p", 4 - 2);
  is("z[1]", 0);
  is("z[3]", 0);
  is("s", 2);
  is("n[1]", 2.0 / 3);
  is("n[2]", 1.0 / 3);
  is("a", 6 / std::sqrt(3));
  is("e[1]", 1 / std::sqrt(3));
  is("e[3]", 3 / std::sqrt(3));
  is("t[1]", 6 / std::sqrt(3));
  is("t[3]", 6);
}

TEST_CASE("Modelica import: what flows into a composite is what flows into its parts") {
  const std::string text = importedText(R"(package P
  model Half
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a;
    Modelica.Mechanics.Rotational.Components.Inertia i(J = 1);
    Modelica.Mechanics.Rotational.Components.Damper d(d = 2);
    Modelica.Mechanics.Rotational.Components.Fixed f;
  equation
    connect(flange_a, i.flange_a);
    connect(i.flange_a, d.flange_a);
    connect(d.flange_b, f.flange);
  end Half;
  model Outer
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a;
    Half half;
    Modelica.Mechanics.Rotational.Components.Inertia k(J = 3);
  equation
    connect(half.flange_a, flange_a);
    connect(flange_a, k.flange_b);
  end Outer;
  model M
    Outer whole;
    Modelica.Mechanics.Rotational.Components.Inertia j(J = 1, w(start = 1, fixed = true), phi(fixed = true));
    Real tau = whole.flange_a.tau;
  equation
    connect(j.flange_b, whole.flange_a);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                                        "M");
  CHECK(
      text.find(
          "tau: whole.half.i.flange_a.tau + whole.half.d.flange_a.tau + whole.k.flange_b.tau\n") !=
      std::string::npos);
  // In all 5 kg.m2 against 2 N.m.s/rad: w = exp(-0.4 t), and j alone takes J der(w).
  Trajectory rows;
  Simulation s = Simulation::fromText(catalogue(), text);
  RunOptions options;
  s.run(rows, options);
  for (size_t i = 0; i < rows.time().size(); ++i)
    CHECK(rows["tau"][i] == doctest::Approx(0.4 * std::exp(-0.4 * rows.time()[i])).epsilon(1e-4));
}

TEST_CASE("Modelica import: an orientation with a value is another name for it") {
  const std::string text = importedText(R"(model M
  import Modelica.Mechanics.MultiBody.*;
  import Modelica.Mechanics.MultiBody.Frames.{angularVelocity1, angularVelocity2, resolve1};
  inner World world;
  Parts.Body body(m = 1, w_0_fixed = true, w_0_start = {1, 2, 3}, r_0(each fixed = true), v_0(each fixed = true));
  Frames.Orientation R = body.frame_a.R;
  Real difference[3] = angularVelocity1(R) - resolve1(R, angularVelocity2(R));
  annotation (experiment(StopTime = 1));
end M;
)");
  Trajectory rows;
  Simulation::fromText(catalogue(), text).run(rows, {});
  CHECK(rows["difference[1]"].back() == doctest::Approx(0).epsilon(1e-12));
  CHECK(text.find("angularVelocity1(body.frame_a.R)") != std::string::npos);
}

TEST_CASE("Modelica import: a variable with a value starts where it is fixed") {
  CHECK(importedText(R"(model M
  Modelica.Mechanics.Rotational.Components.Inertia j(J = 1, phi(fixed = true));
  Real twice(start = 3, fixed = true) = 2*j.w;
  annotation (experiment(StopTime = 1));
end M;
)") == R"(model: M
components:
  j: {type: Rotational.Inertia, J: 1, phi: {fixed: true}}
variables:
  twice: {start: 3, fixed: true}
equations:
  - "twice = 2*j.w"
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: elements of a variable with a value start where they are fixed") {
  CHECK(importedText(R"(model M
  Real z[2];
  Real q[2](start = {1, 2}, fixed = {false, true}) = 2*z;
  Real A[2, 1](start = {{3}, {4}}, fixed = [true; false]) = {{z[1]}, {z[2]}};
  Real free[2](start = {1, 2}, each fixed = false) = 3*z;
equation
  der(z) = -z;
  annotation (experiment(StopTime = 1));
end M;
)") == R"(model: M
variables:
  z: {size: [2]}
  q: {size: [2], start: [1, 2], fixed: [false, true]}
  A: {size: [2, 1], start: [[3], [4]], fixed: [[true], [false]]}
  free: {size: [2], start: [1, 2], fixed: false}
equations:
  - "q = 2*z"
  - "A = {{z[1]}, {z[2]}}"
  - "free = 3*z"
  - "der(z) = -z"
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: a connector of a composite starts where it is fixed") {
  CHECK(importedText(R"(package P
  model Half
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange;
    Modelica.Mechanics.Rotational.Components.Inertia i(J = 1);
  equation
    connect(flange, i.flange_a);
  end Half;
  model Hung
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame;
    Modelica.Mechanics.MultiBody.Parts.Body b(m = 1);
  equation
    connect(frame, b.frame_a);
  end Hung;
  model M
    inner Modelica.Mechanics.MultiBody.World world;
    Half a(flange(phi(start = 0.5, fixed = true)));
    Half b(flange(phi(start = 0.25)));
    Hung h(frame(r_0(start = {1, 2, 3}, each fixed = true)));
    Modelica.Mechanics.Rotational.Components.Spring s(c = 10);
  equation
    connect(a.flange, s.flange_a);
    connect(s.flange_b, b.flange);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                     "M") == R"(# P.M
model: M
components:
  a.i: {type: Rotational.Inertia, J: 1}
  b.i: {type: Rotational.Inertia, J: 1}
  h.b: {type: Body, m: 1}
  s: {type: Rotational.Spring, c: 10}
connections:
  - [s.flange_a, a.i.flange_a]
  - [s.flange_b, b.i.flange_a]
initial_equations:
  - "s.flange_a.phi = 0.5"
  - "h.b.frame_a.r_0[1] = 1"
  - "h.b.frame_a.r_0[2] = 2"
  - "h.b.frame_a.r_0[3] = 3"
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: a Gearbox is its gear and its elasticity") {
  const std::string text = importedText(R"(model M
  Modelica.Mechanics.Rotational.Components.Gearbox gear(ratio = 2, c = 100, phi_rel(fixed = true));
  Modelica.Mechanics.Rotational.Components.Inertia a(J = 1, w(fixed = true, start = 1), phi(fixed = true));
  Modelica.Mechanics.Rotational.Components.Inertia b(J = 1, w(fixed = true, start = 0.5));
equation
  connect(a.flange_b, gear.flange_a);
  connect(gear.flange_b, b.flange_a);
  annotation (experiment(StopTime = 1));
end M;
)");
  CHECK(text.find("gear.lossyGear: {type: Rotational.LossyGear, ratio: 2") != std::string::npos);
  CHECK(text.find("gear.elastoBacklash: {type: Rotational.ElastoBacklash") != std::string::npos);
  Trajectory rows;
  Simulation::fromText(catalogue(), text + "outputs: [b.phi, gear.phi_rel]\n").run(rows, {});
  // No load: everything turns on as it does.
  CHECK(rows["b.phi"].back() == doctest::Approx(0.5));
  CHECK(rows["gear.phi_rel"].back() == doctest::Approx(0));
}

TEST_CASE("Modelica import: what is not there is connected with nothing, and said") {
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  Diagnostics diagnostics;
  const auto model = modelica::importText(catalogue(), R"(model M
  Modelica.Mechanics.Translational.Components.Mass m(m = 1, s(fixed = true), v(fixed = true));
  Modelica.Mechanics.Translational.Sources.Force force(useSupport = false);
  Modelica.Mechanics.Translational.Components.Fixed fixed;
  Modelica.Blocks.Continuous.LimPID pid(k = 1, limiter(u(start = 0)));
  Modelica.Blocks.Sources.Constant one(k = 1);
equation
  connect(force.flange, m.flange_a);
  connect(fixed.flange, force.support);
  connect(one.y, pid.u_s);
  connect(one.y, pid.u_m);
  connect(pid.y, force.f);
  annotation (experiment(StopTime = 1));
end M;
)",
                                          "m.mo", options, diagnostics);
  REQUIRE_MESSAGE(model.has_value(), diagnostics.format());
  CHECK(
      diagnostics.format() ==
      R"(m.mo:5:48: warning: Blocks.LimPID 'pid' takes no start value for 'limiter', which is left out
m.mo:9:25: warning: 'force.support' is not there, as useSupport is false: nothing is connected with it)");
  CHECK(model->text().find("support") == std::string::npos);
}

TEST_CASE("Modelica import: blocks of equations alone are written out, however many there are") {
  CHECK(importedText(R"(package P
  block Scaled
    extends Modelica.Blocks.Interfaces.SISO;
    parameter Real k = 1;
  equation
    y = k*u;
  end Scaled;
  model M
    Scaled a(k = 2);
    Scaled b(k = 3);
    Modelica.Blocks.Sources.Sine sine(f = 1);
  equation
    connect(sine.y, a.u);
    connect(a.y, b.u);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                     "M") == R"(# P.M
model: M
components:
  sine: {type: Blocks.Sine, f: 1}
variables:
  a.y: 2*sine.y
  b.y: 3*a.y
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: a force law between connectors, by its equations") {
  const std::string text = importedText(R"(package P
  import Modelica.Mechanics.Translational.Interfaces.*;
  model HardSpring
    Flange_a flange_a;
    Flange_b flange_b;
    parameter Real c = 1;
    parameter Real d = 0;
    Real s_rel = flange_b.s - flange_a.s;
    Real f;
  equation
    f = c*s_rel + d*der(s_rel);
    flange_b.f = f;
    flange_a.f = -f;
  end HardSpring;
  model Heater
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a port;
  equation
    port.Q_flow = -5*(300 - port.T);
  end Heater;
  model M
    HardSpring s1(c = 4);
    HardSpring s2(c = 9, d = 0.3);
    Modelica.Mechanics.Translational.Components.Mass m1(m = 1, s(start = 1, fixed = true), v(fixed = true));
    Modelica.Mechanics.Translational.Components.Mass m2(m = 1, s(start = 1, fixed = true), v(fixed = true));
    Modelica.Mechanics.Translational.Components.Fixed fixed;
    Heater heater;
    Modelica.Thermal.HeatTransfer.Components.HeatCapacitor lump(C = 10, T(start = 400, fixed = true));
  equation
    connect(fixed.flange, s1.flange_a);
    connect(s1.flange_b, m1.flange_a);
    connect(fixed.flange, s2.flange_a);
    connect(s2.flange_b, m2.flange_a);
    connect(heater.port, lump.port);
    annotation (experiment(StopTime = 2, Tolerance = 1e-9));
  end M;
end P;
)",
                                        "M");
  CHECK(text.find("  s1.flange_a_flow: {type: Translational.Force, f: -s1.flange_a.f}\n") !=
        std::string::npos);
  Trajectory rows;
  Simulation::fromText(catalogue(), text + "outputs: [m1.s, m2.s, lump.T, s1.flange_b.f]\n")
      .run(rows, {});
  const double t = 2, delta = 0.15, w = std::sqrt(9 - delta * delta);
  CHECK(rows["m1.s"].back() == doctest::Approx(std::cos(2 * t)).epsilon(1e-7));
  CHECK(rows["s1.flange_b.f"].back() == doctest::Approx(4 * std::cos(2 * t)).epsilon(1e-7));
  CHECK(rows["m2.s"].back() ==
        doctest::Approx(std::exp(-delta * t) * (std::cos(w * t) + delta / w * std::sin(w * t)))
            .epsilon(1e-7));
  CHECK(rows["lump.T"].back() == doctest::Approx(300 + 100 * std::exp(-0.5 * t)).epsilon(1e-7));
}

TEST_CASE("Modelica import: a force law between frames, by its equations") {
  const std::string text = importedText(R"(model M
  import Modelica.Mechanics.MultiBody.*;
  model Line
    extends Interfaces.PartialTwoFrames;
    parameter Real c = 20;
    Real r[3] = frame_b.r_0 - frame_a.r_0;
  equation
    frame_b.f = Frames.resolve2(frame_b.R, c*r);
    frame_a.f = -Frames.resolve2(frame_a.R, c*r);
    frame_a.t = zeros(3);
    frame_b.t = zeros(3);
  end Line;
  inner World world(n = {0, -1, 0});
  Parts.Body a(m = 2, I_11 = 1, I_22 = 2, I_33 = 3, r_0(start = {1, 0, 0}, each fixed = true),
    v_0(start = {0, 0, 1}, each fixed = true), angles_fixed = true, w_0_fixed = true, w_0_start = {1, 2, 3});
  Line line;
equation
  connect(world.frame_b, line.frame_a);
  connect(line.frame_b, a.frame_a);
  annotation (experiment(StopTime = 1, Tolerance = 1e-9));
end M;
)");
  Trajectory rows;
  Simulation::fromText(catalogue(), text + "outputs: [a.r_0]\n").run(rows, {});
  const double w = std::sqrt(10.0), hang = -9.80665 / 10;
  CHECK(rows["a.r_0[1]"].back() == doctest::Approx(std::cos(w)).epsilon(1e-7));
  CHECK(rows["a.r_0[2]"].back() == doctest::Approx(hang - hang * std::cos(w)).epsilon(1e-7));
  CHECK(rows["a.r_0[3]"].back() == doctest::Approx(std::sin(w) / w).epsilon(1e-6));
}

TEST_CASE("Modelica import: vectors of signals by their elements, protected inputs") {
  CHECK(importedText(R"(package P
  block Doubled
    Modelica.Blocks.Interfaces.RealInput u;
    Modelica.Blocks.Interfaces.RealOutput y[2];
  protected
    Modelica.Blocks.Interfaces.RealInput inner_u;
    Modelica.Blocks.Interfaces.RealInput v[2];
    Real w[2];
  equation
    inner_u = 3*u;
    connect(u, v[1]);
    connect(inner_u, v[2]);
    w = 2*v;
    y = w;
  end Doubled;
  model M
    Modelica.Blocks.Sources.Sine sine(f = 1);
    Modelica.Blocks.Math.Sum sum(nin = 2);
    Doubled d;
    Modelica.Blocks.Routing.Multiplex2 both;
    Real z = 2*time;
    Modelica.Blocks.Interfaces.RealOutput o;
  equation
    o = z;
    connect(sine.y, d.u);
    connect(d.y, sum.u);
    connect(o, both.u1[1]);
    connect(o, both.u2[1]);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                     "M") == R"(# P.M
model: M
components:
  sine: {type: Blocks.Sine, f: 1}
  sum: {type: Blocks.Sum, nin: 2, u: d.y}
  both: {type: Blocks.Multiplex2, u1: [o], u2: [o]}
variables:
  d.y: d.w
  d.inner_u: 3*sine.y
  d.w: "2*{sine.y, d.inner_u}"
  z: 2*time
  o: z
simulation: {stop: 1}
)");
}

TEST_CASE(
    "Modelica import: arrays of components and records are named whole, in parts, from the end") {
  CHECK(importedText(R"(package P
  record Link
    parameter Modelica.Units.SI.Length L = 1;
    parameter Modelica.Units.SI.Mass m = 2*L;
  end Link;
  record Short = Link(L = 0.5);
  record Heavy
    extends Link(m = 9);
  end Heavy;
  model M
    parameter Link links[3] = {Link(L = 2), Short(), Heavy(L = 3)};
    inner Modelica.Mechanics.MultiBody.World world;
    Modelica.Mechanics.MultiBody.Joints.Revolute rev[3](each useAxisFlange = true);
    Modelica.Mechanics.MultiBody.Parts.BodyShape body[3](m = links.m, r = {{l, 0, 0} for l in links.L});
    Modelica.Mechanics.Rotational.Components.Damper d[2](each d = 0.1);
    Real phi[3] = rev.phi;
    Real w[2] = rev[2:end].w;
    Real total;
  equation
    connect(world.frame_b, rev[1].frame_a);
    connect(rev.frame_b, body.frame_a);
    connect(body[1:end - 1].frame_b, rev[2:end].frame_a);
    connect(d.flange_a, rev[{1, 3}].support);
    connect(d.flange_b, rev[{1, 3}].axis);
    total = sum(rev.w) + rev[end].phi;
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                     "M") == R"(# P.M
model: M
components:
  rev: {type: Revolute, useAxisFlange: true, count: 3}
  "body[1]": {type: BodyShape, m: 4, r: [2, 0, 0]}
  "body[2]": {type: BodyShape, m: 1, r: [0.5, 0, 0]}
  "body[3]": {type: BodyShape, m: 9, r: [3, 0, 0]}
  d: {type: Rotational.Damper, d: 0.1, count: 2}
connections:
  - [world.frame_b, "rev[1].frame_a"]
  - ["rev[1].frame_b", "body[1].frame_a"]
  - ["rev[2].frame_b", "body[2].frame_a"]
  - ["rev[3].frame_b", "body[3].frame_a"]
  - ["body[1].frame_b", "rev[2].frame_a"]
  - ["body[2].frame_b", "rev[3].frame_a"]
  - ["d[1].flange_a", "rev[1].support"]
  - ["d[2].flange_a", "rev[3].support"]
  - ["d[1].flange_b", "rev[1].axis"]
  - ["d[2].flange_b", "rev[3].axis"]
variables:
  phi: "{rev[1].phi, rev[2].phi, rev[3].phi}"
  w: "{rev[2].w, rev[3].w}"
  total: "sum({rev[1].w, rev[2].w, rev[3].w}) + rev[3].phi"
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: functions with several results, with records and named arguments") {
  CHECK(importedText(R"(package P
  record Point
    Real x;
    Real y = 1;
  end Point;
  function polar
    input Real x;
    input Real y;
    output Real r;
    output Real phi;
  algorithm
    r := sqrt(x^2 + y^2);
    phi := atan2(u1 = y, u2 = x);
  end polar;
  function around
    input Real x;
    output Point p;
    output Point q[2];
  protected
    Real r, phi;
  algorithm
    (r, phi) := polar(x, 4);
    p.x := r;
    q[2].y := 2*r;
    (, q[1].x) := polar(0, 1);
  end around;
  model M
    parameter Point p = around(3);
    Real x = time;
    Real r, phi, other;
    Real n[3] = Modelica.Math.Vectors.normalize(v = {x, 1, 0});
    parameter Real none[:] = 2*fill(1.0, 0) - zeros(0);
  equation
    (r, phi) = polar(x, 2);
    (, other) = polar(y = x, x = p.x + p.y);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                     "M") == R"yaml(# P.M
model: M
variables:
  x: time
  r: sqrt(x^2 + 4)
  phi: "atan2(2, x)"
  other: "atan2(x, 6)"
  n: {size: [3]}
equations:
  - "n = normalize({x, 1, 0})"
simulation: {stop: 1}
)yaml");
}

TEST_CASE("Modelica import: outputs that the equations of their block determine are unknowns") {
  CHECK(importedText(R"(package P
  block Lag
    extends Modelica.Blocks.Interfaces.SISO(y(start = 2, fixed = true));
    parameter Real T = 0.1;
    Modelica.Blocks.Interfaces.BooleanOutput late;
  equation
    T*der(y) = u - y;
    when time > 0.5 then
      late = true;
    end when;
  end Lag;
  model M
    Lag lag(T = 0.2);
    Modelica.Blocks.Sources.Sine sine(f = 1);
    Modelica.Blocks.Math.Gain gain(k = 2);
    Modelica.Blocks.Interfaces.RealOutput z[2](each start = 1, each fixed = true);
  equation
    connect(sine.y, lag.u);
    connect(lag.y, gain.u);
    for i in 1:2 loop
      der(z[i]) = -i*z[i] + gain.y;
    end for;
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                     "M") == R"(# P.M
model: M
components:
  sine: {type: Blocks.Sine, f: 1}
  gain: {type: Blocks.Gain, k: 2, u: lag.y}
variables:
  lag.y: {start: 2, fixed: true}
  lag.late: {type: Boolean}
  z: {size: [2], start: 1, fixed: true}
equations:
  - "der(z[1]) = -1*z[1] + gain.y"
  - "der(z[2]) = -2*z[2] + gain.y"
  - "0.2*der(lag.y) = sine.y - lag.y"
when:
  - {condition: "time > 0.5", set: {lag.late: true}}
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: enumerations are sizes, ranges and indices") {
  CHECK(importedText(R"(package P
  type Gear = enumeration(low, high "the fast one");
  model Part
    parameter Gear gear = Gear.low;
    parameter String name = "a";
    Modelica.Blocks.Sources.Constant k(k = (if gear == Gear.high then 10 else 1) + (if name == "b" then 0.5 else 0));
  end Part;
  model M
    parameter Real ratio[Gear] = {3, 1};
    parameter Real squares[:] = {ratio[g]^2 for g in Gear};
    Part a(gear = Gear.high);
    Part b(name = "b");
    Modelica.Blocks.Sources.Constant c(k = ratio[Gear.high] + Integer(Gear.high));
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                     "M") == R"(# P.M
model: M
parameters: {squares: [9, 1]}
components:
  a.k: {type: Blocks.Constant, k: 10 + 0}
  b.k: {type: Blocks.Constant, k: 1 + 0.5}
  c: {type: Blocks.Constant, k: 1 + 2}
simulation: {stop: 1}
)");
}

TEST_CASE("Modelica import: laws of springs extend the library's interfaces") {
  CHECK(importedText(R"(package P
  model Cubic
    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliant;
  equation
    f = 2*s_rel^3;
  end Cubic;
  model Damped
    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates;
  equation
    tau = 3*phi_rel + 0.1*w_rel;
  end Damped;
  model M
    Modelica.Mechanics.Translational.Components.Mass mass(m = 1, s(start = 1, fixed = true), v(fixed = true));
    Modelica.Mechanics.Translational.Components.Fixed fixed;
    Cubic cubic;
    Modelica.Mechanics.Rotational.Components.Inertia inertia(J = 1, phi(start = 1, fixed = true), w(fixed = true));
    Modelica.Mechanics.Rotational.Components.Fixed wall;
    Damped damped;
    Modelica.Blocks.Sources.BooleanTable table(table = {0.2, 0.4});
  equation
    connect(fixed.flange, cubic.flange_a);
    connect(cubic.flange_b, mass.flange_a);
    connect(wall.flange, damped.flange_a);
    connect(damped.flange_b, inertia.flange_a);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                     "M") == R"yaml(# P.M
model: M
components:
  mass: {type: Translational.Mass, m: 1, s: {start: 1, fixed: true}, v: {fixed: true}}
  fixed: {type: Translational.Fixed}
  inertia: {type: Rotational.Inertia, J: 1, phi: {start: 1, fixed: true}, w: {fixed: true}}
  wall: {type: Rotational.Fixed}
  table.combiTimeTable: {type: Blocks.CombiTimeTable, table: [[0.2, 0], [0.2, 1], [0.4, 0]], smoothness: ConstantSegments, extrapolation: HoldLastPoint, startTime: -1e100, shiftTime: 0}
  cubic.flange_a_flow: {type: Translational.Force, f: -cubic.flange_a.f}
  cubic.flange_b_flow: {type: Translational.Force, f: -cubic.flange_b.f}
  damped.flange_a_flow: {type: Rotational.Torque, tau: -damped.flange_a.tau}
  damped.flange_b_flow: {type: Rotational.Torque, tau: -damped.flange_b.tau}
connections:
  - [fixed.flange, cubic.flange_a_flow.flange]
  - [mass.flange_a, cubic.flange_b_flow.flange]
  - [wall.flange, damped.flange_a_flow.flange]
  - [inertia.flange_a, damped.flange_b_flow.flange]
variables:
  cubic.s_rel: {start: 0}
  cubic.f: cubic.flange_b.f
  damped.phi_rel: {start: 0}
  damped.w_rel: {start: 0}
  damped.a_rel: {start: 0}
  damped.tau: damped.flange_b.tau
  table.y: "table.combiTimeTable.y[1] > 0.5"
  cubic.flange_a.f: {}
  cubic.flange_b.f: {}
  damped.flange_a.tau: {}
  damped.flange_b.tau: {}
equations:
  - "cubic.s_rel = mass.flange_a.s - fixed.flange.s"
  - "cubic.flange_a.f = -cubic.f"
  - "cubic.f = 2*cubic.s_rel^3"
  - "damped.phi_rel = inertia.flange_a.phi - wall.flange.phi"
  - "damped.w_rel = der(damped.phi_rel)"
  - "damped.a_rel = der(damped.w_rel)"
  - "damped.flange_a.tau = -damped.tau"
  - "damped.tau = 3*damped.phi_rel + 0.1*damped.w_rel"
simulation: {stop: 1}
)yaml");
}

TEST_CASE(
    "Modelica import: an equation of arrays of components or of records is one for each part") {
  CHECK(importedText(R"(model M
  record State
    Real x;
    Real v;
  end State;
  State s(x(start = 1, fixed = true), v(start = 0, fixed = true));
  State copy;
  Modelica.Mechanics.Rotational.Sources.Torque torque[2];
  Modelica.Mechanics.Rotational.Components.Inertia inertia[2](each J = 1, each phi(fixed = true), each w(fixed = true));
  Real tau[2];
equation
  der(s.x) = s.v;
  der(s.v) = -s.x;
  copy = s;
  tau = 2*inertia.w;
  torque.tau = tau;
  connect(torque.flange, inertia.flange_a);
  annotation (experiment(StopTime = 1));
end M;
)") == R"yaml(model: M
components:
  "torque[1]": {type: Rotational.Torque, tau: "tau[1]"}
  "torque[2]": {type: Rotational.Torque, tau: "tau[2]"}
  inertia: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {fixed: true}, count: 2}
connections:
  - ["torque[1].flange", "inertia[1].flange_a"]
  - ["torque[2].flange", "inertia[2].flange_a"]
variables:
  s.x: {start: 1, fixed: true}
  s.v: {start: 0, fixed: true}
  copy.x: s.x
  copy.v: s.v
  tau: "2*{inertia[1].w, inertia[2].w}"
equations:
  - "der(s.x) = s.v"
  - "der(s.v) = -s.x"
simulation: {stop: 1}
)yaml");
}

TEST_CASE(
    "Modelica import: packages change the constants that they inherit, models redeclare packages") {
  CHECK(importedText(R"(package P
  package Steel
    constant Real rho = 7850;
    constant Real color[3] = Modelica.Mechanics.MultiBody.Types.Defaults.RodColor;
    function mass
      input Real volume;
      output Real m = 7850*volume;
    algorithm
    end mass;
  end Steel;
  package Light
    extends Steel(rho = 2700);
  end Light;
  model Part
    replaceable package Material = Steel;
    Modelica.Mechanics.MultiBody.Parts.BodyBox box(r = {1, 0, 0}, density = Material.rho, color = Material.color);
    Modelica.Mechanics.MultiBody.Parts.Body body(m = Steel.mass(2));
  end Part;
  model M
    inner Modelica.Mechanics.MultiBody.World world;
    Part a(redeclare package Material = Light);
    Part b;
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
                     "M") == R"yaml(# P.M
model: M
components:
  a.box: {type: BodyBox, r: [1, 0, 0], density: 2700, color: [155, 155, 155]}
  a.body: {type: Body, m: 15700}
  b.box: {type: BodyBox, r: [1, 0, 0], density: 7850, color: [155, 155, 155]}
  b.body: {type: Body, m: 15700}
simulation: {stop: 1}
)yaml");
}

TEST_CASE("Modelica import: a loop that gives every element of a variable gives the variable") {
  CHECK(importedText(R"(model M
  parameter Integer n = 2;
  Real p[n], w[n], s[n + 1], x[n](each start = 1, each fixed = true), open[2];
equation
  for i in 1:n loop
    p[i] = i + time;
    w[i] = -1/p[i]^2;
    s[i + 1] = s[i] + w[i];
    der(x[i]) = -x[i];
  end for;
  s[1] = 0;
  open[1] = 1;
  open[1] + open[2] = 3;
  annotation (experiment(StopTime = 1));
end M;
)") == R"yaml(model: M
variables:
  p: {size: [2]}
  w: {size: [2]}
  s: {size: [3]}
  x: {size: [2], start: 1, fixed: true}
  open: {size: [2]}
equations:
  - "p = {1 + time, 2 + time}"
  - "w = {-1/p[1]^2, -1/p[2]^2}"
  - "s = {0, s[1] + w[1], s[2] + w[2]}"
  - "der(x[1]) = -x[1]"
  - "der(x[2]) = -x[2]"
  - "open[1] = 1"
  - "open[1] + open[2] = 3"
simulation: {stop: 1}
)yaml");
}

TEST_CASE("Modelica import: equations in a circle hold between unknowns") {
  CHECK(importedText(R"(model M
  block Doubled
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = 2*u + 1;
  end Doubled;
  Doubled a;
  Real x(start = 4), y, z;
  Modelica.Blocks.Interfaces.RealOutput out;
equation
  x = 3*y - 1 + time;
  y = 0.5*x + 2;
  z = x + y;
  out = -0.5*a.y + z;
  connect(out, a.u);
  annotation (experiment(StopTime = 1));
end M;
)") == R"yaml(model: M
variables:
  a.y: {}
  x: {start: 4}
  y: 0.5*x + 2
  z: x + y
  out: {}
equations:
  - "x = 3*y - 1 + time"
  - "a.y = 2*out + 1"
  - "out = -0.5*a.y + z"
simulation: {stop: 1}
)yaml");
}

TEST_CASE("Modelica import: arrays keep their form, and elements are taken of any expression") {
  CHECK(importedText(R"(package P
  model M
    import Modelica.Mechanics.MultiBody.*;
    inner World world;
    parameter Boolean held[3] = {true, false, true};
    Parts.Body body[2](each r_CM = {0, 0, 0}, each r_0(each start = 1, each fixed = true),
                       each v_0(fixed = held));
    Frames.Orientation R = Frames.planarRotation({0, 0, 1}, time, 0), same = body[1].frame_a.R;
    Real v[3] = body[1].v_0, row[1, 3] = [1, 2, time], last = row[1, 3], T = R.T[1, 2] + same.T[1, 2];
    Real second = (cross(v, {0, 0, 1}))[2], first[2] = ([1, time; 3, 4])[1, :];
    Real turned[3] = Frames.resolve2(R, v);
    Real lists[3, 2] = {i + 10*j*time for i in 1:2, j in 1:3};
    Real blocks[2, 4] = [identity(2), lists[2:3, :]], none[0], sum0 = time + sum(none);
  equation
    none = fill(time, 0);
  end M;
end P;
)",
                     "P.M") == R"yaml(# P.M
model: M
components:
  body: {type: Body, r_CM: [0, 0, 0], r_0: {start: [1, 1, 1], fixed: true}, v_0: {fixed: [true, false, true]}, count: 2}
variables:
  R: {type: Frames.Orientation}
  v: "body[1].v_0"
  row: "{{1, 2, time}}"
  last: "row[1,3]"
  T: "R.T[1,2] + body[1].frame_a.R.T[1,2]"
  second: "cross(v, {0, 0, 1})[2]"
  first: "[1, time; 3, 4][1, :]"
  turned: {size: [3]}
  lists: "{{1 + 10*1*time, 2 + 10*1*time}, {1 + 10*2*time, 2 + 10*2*time}, {1 + 10*3*time, 2 + 10*3*time}}"
  blocks: "[1, 0, lists[2,1], lists[2,2]; 0, 1, lists[3,1], lists[3,2]]"
  sum0: time + 0
equations:
  - "R = Modelica.Mechanics.MultiBody.Frames.planarRotation({0, 0, 1}, time, 0)"
  - "turned = Modelica.Mechanics.MultiBody.Frames.resolve2(R, v)"
)yaml");
}

TEST_CASE("Modelica import: what an assertion says, and what is left out, is told") {
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  Diagnostics diagnostics;
  const auto model = modelica::importText(catalogue(), R"(model M
  model Half
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange;
    Modelica.Mechanics.Rotational.Components.Inertia i(J = 1);
  equation
    connect(flange, i.flange_a);
  end Half;
  parameter Real k = 2;
  Half half(flange(phi(start = 0.25)));
equation
  assert(k < 1, "k is " + String(k), AssertionLevel.warning);
  assert(half.i.w < k, "faster than " + String(k) + " at " + String(time) + " s");
end M;
)",
                                          "m.mo", options, diagnostics);
  REQUIRE(model.has_value());
  CHECK(
      diagnostics.format() ==
      R"(m.mo:9:24: warning: 'half.flange' is what its parts connect with it, and takes no start value for 'phi', which is left out
m.mo:11:3: warning: the assertion does not hold: k is 2)");
  CHECK(model->text() == R"(model: M
parameters: {k: 2}
components:
  half.i: {type: Rotational.Inertia, J: 1}
assert:
  - {condition: half.i.w < k, message: faster than 2 at ... s}
)");
}
