// Wrong and unsupported Modelica files: what is said of them, and where.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/expression/functions.h"
#include "engine/modelica/import.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

/// All messages about a file, from reading it to the components made of it; "" if it is fine.
std::string saidOf(const std::string& text) {
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  Diagnostics diagnostics;
  try {
    const auto model = modelica::importText(catalogue(), text, "m.mo", options, diagnostics);
    diagnostics.throwIfErrors();
    REQUIRE(model.has_value());
    Simulation::fromTree(catalogue(), model->tree(), {"m.mo"});
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

/// Of two functions the second one calls `called`, and the first one, f, asserts.
std::string asserting(const std::string& called) {
  return R"(function f
  input Real x;
algorithm
  assert(x > 0, "positive only");
  if x > 5 then
    Modelica.Utilities.Streams.error("boo");
  end if;
end f;
function g
  input Real x;
  output Real y;
algorithm
  y := x;
  )" + called +
         R"((x);
end g;
)";
}

struct WrongFile {
  const char* what;
  std::string text;
  const char* said;
};

const std::vector<WrongFile> kWrongFiles = {
    {"a size of fill",
     R"(model M
  Real x = time;
  Real z[2] = fill(x, 2.5);
end M;
)",
     R"(m.mo:3:15: error: a size must be a whole number, found 2.5)"},
    {"kinds of values",
     R"(model M
  Integer i = 2*time, k = 3/2, j;
  Boolean b = time;
  Real x = time > 0.5;
equation
  j = if b then 1 else 0.5;
end M;
)",
     R"(m.mo:2:16: error: 'i' is an Integer, and its value a Real; integer(...) makes one of it
m.mo:2:28: error: 'k' is an Integer, and its value a Real; integer(...) makes one of it
m.mo:3:15: error: 'b' is a Boolean, and its value a number
m.mo:4:17: error: 'x' is a Real, and its value a Boolean
m.mo:6:7: error: 'j' is an Integer, and its value a Real; integer(...) makes one of it)"},
    {"sizes of variables",
     R"(model M
  inner Modelica.Mechanics.MultiBody.World world;
  Modelica.Mechanics.MultiBody.Parts.Body body(r_CM = {0, 0, 0});
  Real a[2] = time*{1, 2, 3}, b = time*{1, 2, 3}, c[3] = time;
  Real d[2, 3] = [1, 2; 3, 4; 5, time];
  Real e[2], f, g[3];
equation
  e = time*{1, 2, 3};
  {1, time} = f;
  if time > 1 then g = {time, 1}; else g = {1, time}; end if;
end M;
)",
     R"(m.mo:4:19: error: 'a' is an array of 2, its value an array of 3
m.mo:4:39: error: 'b' is a scalar, its value an array of 3
m.mo:4:58: error: 'c' is an array of 3, its value a scalar
m.mo:5:18: error: 'd' is an array of 2 x 3, its value an array of 3 x 2
m.mo:8:11: error: 'e' is an array of 2, its value an array of 3
m.mo:9:3: error: 'f' is a scalar, its value an array of 2
m.mo:10:3: error: 'g' is an array of 3, its value an array of 2)"},
    {"size of a variable of the catalogue",
     R"(model M
  inner Modelica.Mechanics.MultiBody.World world;
  Modelica.Mechanics.MultiBody.Parts.Body body(r_CM = {0, 0, 0});
  Modelica.Mechanics.Rotational.Components.Inertia i(J = 1);
  Real v[2] = body.v_0, w[3] = 2*i.phi, s = body.frame_a.f*2;
end M;
)",
     R"(m.mo:5:15: error: 'v' is an array of 2, its value an array of 3
m.mo:5:59: error: 's' is a scalar, its value an array of 3)"},
    {"size of a variable of a class that has no sizes by its names",
     R"(model M
  Modelica.Mechanics.Rotational.Components.Inertia i(J = 1);
  Real w[3] = 2*i.phi;
end M;
)",
     R"(m.mo:3:16: error: 'w' has another size than its expression)"},
    {"values of arrays of components",
     R"(model A
  Real w;
end A;
model M
  parameter Real p[3] = {1, 2, 3};
  Modelica.Mechanics.Rotational.Components.Inertia i[2](J = {1, 2, 3}), k[2](J = p);
  A a[2](w = {1, 2, time});
end M;
)",
     R"(m.mo:6:61: error: the array of components has 2 elements, this value 3
m.mo:6:82: error: the array of components has 2 elements, this value 3
m.mo:7:14: error: the array of components has 2 elements, this value 3)"},
    {"a text for a number of a component",
     R"(model M
  Modelica.Mechanics.Rotational.Components.Inertia i(J = "2*3");
end M;
)",
     R"(m.mo:2:58: error: 'i.J' must not be given a text)"},
    {"inherited and declared otherwise",
     R"(partial model A
  Real w(start = 2) = 1;
  parameter Real p[2] = {1, 2};
end A;
model M
  extends A;
  Real w(start = 2) = 2;
  parameter Real p[2] = {1, 2};
end M;
)",
     R"(m.mo:7:8: error: component 'w' is declared twice, and not in the same way
m.mo:2:8: note: first declared here)"},
    {"branches in when that set other variables",
     R"(model M
  discrete Real x(start = 0), y(start = 0);
equation
  when time > 0.5 then
    if time > 0.7 then
      x = 1;
    else
      y = 1;
    end if;
  end when;
end M;
)",
     R"(m.mo:5:5: error: 'if' in 'when' must have 'else', and equations of the same variables in every branch)"},
    {"a connector of the catalogue beside flows of one's own",
     R"(connector C
  Modelica.Mechanics.Rotational.Interfaces.Flange_a flange;
  Real u;
  flow Real q;
end C;
model M
  C c;
end M;
)",
     R"(m.mo:1:11: error: connector 'C': connectors of the catalogue beside variables with 'flow' are not supported)"},
    {"unknown class",
     R"(model M
  Modelica.Fluid.Pipe pipe;
end M;
)",
     R"(m.mo:2:3: error: class 'Modelica.Fluid.Pipe' is not in Cardan's catalogue, and no file given defines it)"},
    {"unknown simple class",
     R"(model M
  Bdoy b;
end M;
)",
     R"(m.mo:2:3: error: class 'Bdoy' is not in Cardan's catalogue, and no file given defines it)"},
    {"suggested class",
     R"(package P
  model Body end Body;
  model M
    Bodi b;
    annotation (experiment(StopTime=1));
  end M;
end P;
)",
     R"(m.mo:4:5: error: class 'Bodi' is not in Cardan's catalogue, and no file given defines it; did you mean 'Body'?)"},
    {"unknown class in known package",
     R"(model M
  Modelica.Mechanics.MultiBody.Joints.Revolut r;
end M;
)",
     R"(m.mo:2:3: error: class 'Modelica.Mechanics.MultiBody.Joints.Revolut' is not in Cardan's catalogue, and no file given defines it)"},
    {"package as class",
     R"(model M
  Modelica.Mechanics.MultiBody.Joints j;
end M;
)",
     R"(m.mo:2:3: error: 'Modelica.Mechanics.MultiBody.Joints' is a package, and no class for a component)"},
    {"function as class",
     R"(function f
  output Real y;
end f;
model M
  f x;
end M;
)",
     R"(m.mo:5:3: error: 'f' is a function, and no class for a component)"},
    {"type in extends",
     R"(model M
  extends Nothing;
end M;
)",
     R"(m.mo:2:11: error: class 'Nothing' is not in Cardan's catalogue, and no file given defines it)"},
    {"extends catalogue and adds",
     R"(model M
  extends Modelica.Mechanics.MultiBody.Parts.Body;
  Real x;
end M;
)",
     R"(m.mo:2:11: error: class 'M' extends 'Body' of Cardan's catalogue and adds to it; make that a component instead)"},
    {"cyclic extends",
     R"(model A
  extends B;
end A;
model B
  extends A;
end B;
model M
  A a;
end M;
)",
     R"(m.mo:1:7: error: class 'A' extends itself: A -> B -> A)"},
    {"extends itself",
     R"(model M
  extends M;
end M;
)",
     R"(m.mo:1:7: error: class 'M' extends itself: M -> M)"},
    {"short class circle",
     R"(type A = B;
type B = A;
model M
  A x;
end M;
)",
     R"(m.mo:1:10: error: class 'B' is defined by itself)"},
    {"contains itself",
     R"(model A
  A a;
end A;
model M
  A a;
end M;
)",
     R"(m.mo:2:5: error: components are nested deeper than 60 levels; does class 'A' contain itself?)"},
    {"missing inner",
     R"(model A
  outer Modelica.Mechanics.MultiBody.Parts.Fixed ground;
end A;
model M
  A a;
end M;
)",
     R"(m.mo:2:50: error: no 'inner Modelica.Mechanics.MultiBody.Parts.Fixed ground' is around this 'outer' component)"},
    {"declared twice",
     R"(model M
  Real x;
  Real x;
end M;
)",
     R"(m.mo:3:8: error: component 'x' is declared twice
m.mo:2:8: note: first declared here)"},
    {"unknown modifier",
     R"(model A
  parameter Real k = 1;
end A;
model M
  A a(kk = 2);
end M;
)",
     R"(m.mo:5:7: error: class 'A' has no element 'kk'; did you mean 'k'?)"},
    {"field of a record that its declaration gives as a whole",
     R"(record R
  Real a;
  Real b;
end R;
model Sub
  parameter R r = R(1, 2);
  Real x = r.a + r.b;
end Sub;
model Heir
  extends Sub(r(b = 5));
end Heir;
model M
  Sub s(r(a = 4));
  Heir h;
end M;
)",
     R"(m.mo:10:17: error: 'b' must not be given alone: the record 'r' is given as a whole
m.mo:13:11: error: 'a' must not be given alone: the record 'r' is given as a whole)"},
    {"field of a record of variables, and of a record within one",
     R"(record Q
  Real a;
end Q;
record R
  Q q;
  Real b;
end R;
model Sub
  R r = R(Q(time), 2);
end Sub;
model M
  Sub s(r(b = 4, q(a = 5)));
end M;
)",
     R"(m.mo:12:11: error: 'b' must not be given alone: the record 'r' is given as a whole
m.mo:12:20: error: 'a' must not be given alone: the record 'q' is given as a whole)"},
    {"unknown modifier in extends",
     R"(model A
  parameter Real k = 1;
end A;
model M
  extends A(q = 2);
end M;
)",
     R"(m.mo:5:13: error: class 'A' has no element 'q')"},
    {"unknown attribute",
     R"(model M
  parameter Real k(strat = 1) = 2;
end M;
)",
     R"(m.mo:2:20: error: Real 'k' has no attribute 'strat'; did you mean 'start'?)"},
    {"unknown key of a component",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Body b(mass = 1);
end M;
)",
     R"(m.mo:2:45: error: Body 'b': unknown key 'mass'; did you mean 'm'? known keys: I_11, I_21, I_22, I_31, I_32, I_33, a_0, angles_fixed, angles_start, animation, cylinderColor, cylinderDiameter, enforceStates, m, orientationStates, r_0, r_CM, sequence_angleStates, sequence_start, specularCoefficient, sphereColor, sphereDiameter, useQuaternions, v_0, w_0_fixed, w_0_start, z_0_fixed, z_0_start)"},
    {"modified twice",
     R"(model A
  parameter Real k = 1;
end A;
model M
  A a(k = 2, k = 3);
end M;
)",
     R"(m.mo:5:14: error: 'k' is modified twice)"},
    {"final modified",
     R"(model A
  final parameter Real k = 1;
end A;
model M
  A a(k = 2);
end M;
)",
     R"(m.mo:5:7: error: 'k' is final and must not be modified)"},
    {"not replaceable",
     R"(model A
  Modelica.Mechanics.Rotational.Components.Spring s(c=1);
end A;
model M
  A a(redeclare Modelica.Mechanics.Rotational.Components.Damper s(d=1));
end M;
)",
     R"(m.mo:5:7: error: component 's' is not replaceable)"},
    {"text for a number",
     R"(model M
  parameter Real k = "a";
end M;
)",
     R"(m.mo:2:22: error: 'k' must be a number, found a text)"},
    {"number for Boolean",
     R"(model M
  parameter Boolean b = 1;
end M;
)",
     R"(m.mo:2:25: error: 'b' must be true or false, found 1)"},
    {"fraction for Integer",
     R"(model M
  parameter Integer n = 2.5;
end M;
)",
     R"(m.mo:2:25: error: 'n' must be a whole number, found 2.5)"},
    {"number for String",
     R"(model M
  parameter String s = 3;
end M;
)",
     R"(m.mo:2:24: error: 's' must be a text, found 3)"},
    {"wrong size",
     R"(model M
  parameter Real r[3] = {1, 2};
end M;
)",
     R"(m.mo:2:25: error: 'r' is an array of 3, its value an array of 2)"},
    {"scalar for array",
     R"(model M
  parameter Real r[3] = 1;
end M;
)",
     R"(m.mo:2:25: error: 'r' is an array of 3, its value a scalar)"},
    {"negative size",
     R"(model M
  parameter Integer n = -1;
  Real x[n];
end M;
)",
     R"(m.mo:3:10: error: the size of 'x' must be a whole number from 0 to a million, found -1)"},
    {"size of text",
     R"(model M
  Real x["a"];
end M;
)",
     R"(m.mo:2:10: error: the size of 'x' must be a whole number from 0 to a million, found a text)"},
    {"parameter without value",
     R"(model M
  parameter Integer n;
  Real x[n];
end M;
)",
     R"(m.mo:2:21: error: parameter 'n' has no value)"},
    {"parameter circle",
     R"(model M
  parameter Real a = b;
  parameter Real b = a;
  Modelica.Mechanics.MultiBody.Parts.Fixed f(r = {a, 0, 0});
end M;
)",
     R"(m.mo:2:18: error: parameters must not depend on themselves: a -> b -> a)"},
    {"unknown name",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f(r = {L, 0, 0});
end M;
)",
     R"(m.mo:2:51: error: unknown name 'L')"},
    {"suggested name",
     R"(model M
  parameter Real length = 1;
  Modelica.Mechanics.MultiBody.Parts.Fixed f(r = {lenght, 0, 0});
end M;
)",
     R"(m.mo:3:51: error: unknown name 'lenght'; did you mean 'length'?)"},
    {"unknown function",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f(r = {sinn(1), 0, 0});
end M;
)",
     R"(m.mo:2:51: error: function 'sinn' is not known to Cardan; did you mean 'sin'?)"},
    {"unknown function of a comprehension",
     R"(model M
  parameter Real x[3] = {1, 2, 3};
  Real y = sun(x[i]*time for i in 1:3);
end M;
)",
     R"(m.mo:3:12: error: unknown function 'sun'; did you mean 'sin'?)"},
    {"condition no Boolean",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f if 1;
end M;
)",
     R"(m.mo:2:49: error: the condition of 'f' must be true or false, found 1)"},
    {"condition a variable",
     R"(model M
  Real x = time;
  Modelica.Mechanics.MultiBody.Parts.Fixed f if x > 0;
end M;
)",
     R"(m.mo:2:8: error: 'x' is a variable, which has no value before the run)"},
    {"connect of components",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f;
  Modelica.Mechanics.MultiBody.Parts.Fixed g;
equation
  connect(f, g.frame_b);
end M;
)",
     R"(m.mo:5:11: error: 'connect' is between connectors, found component 'f')"},
    {"connect of unknown",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f;
equation
  connect(f.frame_b, g.frame_b);
end M;
)",
     R"(m.mo:4:22: error: unknown name 'g.frame_b')"},
    {"connect of variable",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f;
  Real x = 1;
equation
  connect(f.frame_b, x);
end M;
)",
     R"(m.mo:5:22: error: 'connect' is between connectors, found variable 'x')"},
    {"connect unknown connector",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f;
  Modelica.Mechanics.MultiBody.Parts.Fixed g;
equation
  connect(f.frame_b, g.frame_c);
end M;
)",
     R"(m.mo:5:11: error: Fixed 'g': no connector 'frame_c'; did you mean 'frame_b'? it has frame_b)"},
    {"connect different kinds",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f;
  Modelica.Mechanics.Rotational.Components.Inertia i(J=1);
equation
  connect(f.frame_b, i.flange_a);
end M;
)",
     R"(m.mo:5:11: error: cannot connect 'f.frame_b', a frame, with 'i.flange_a', a rotational flange)"},
    {"connect wrong counts",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f[2];
  Modelica.Mechanics.MultiBody.Parts.Body b[3](each m=1, each r_CM={0,0,0});
equation
  connect(f.frame_b, b.frame_a);
end M;
)",
     R"(m.mo:5:11: error: 'connect' is between 2 and 3 connectors)"},
    {"index out of range",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f[2];
  Modelica.Mechanics.MultiBody.Parts.Body b(m=1, r_CM={0,0,0});
equation
  connect(f[3].frame_b, b.frame_a);
end M;
)",
     R"(m.mo:5:11: error: there is no 'f[3]': 'f' has 2 elements)"},
    {"array without index",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f[2];
  Real x = f.frame_b.r_0[1];
end M;
)",
     R"(m.mo:3:12: error: 'x' is a scalar, its value an array of 2)"},
    {"a list for a variable of another size",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f[2];
  Real x[3];
  Real y;
equation
  x = f.frame_b.r_0[1];
  y = {time, 2};
end M;
)",
     R"(m.mo:6:7: error: 'x' is an array of 3, its value an array of 2
m.mo:7:7: error: 'y' is a scalar, its value an array of 2)"},
    {"several results of what has one",
     R"(model M
  function f
    input Real x;
    output Real y;
  algorithm
    y := x;
  end f;
  Real a, b;
equation
  (a, b) = f(time);
end M;
)",
     R"(m.mo:10:12: error: function 'f' has 1 result, and none that is number 2)"},
    {"a result for what is no variable",
     R"(model M
  function f
    input Real x;
    output Real y = x;
    output Real z = 2*x;
  algorithm
  end f;
  Real a, b;
equation
  (a, b + 1) = f(time);
end M;
)",
     R"(m.mo:10:9: error: the results of a function are for variables)"},
    {"a function of a package that modifies it",
     R"(package P
  package A
    constant Real k = 1;
    function f
      input Real x;
      output Real y = k*x;
    algorithm
    end f;
  end A;
  package B
    extends A(f(x = 2));
  end B;
  model M
    parameter Real y = B.f(3);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
     R"(m.mo:14:24: error: function 'B.f' is inherited by a package that modifies it, which is not supported)"},
    {"slices of different lengths",
     R"(model M
  Modelica.Mechanics.Rotational.Sources.Torque t[2];
equation
  t.tau = {1, 2, 3};
end M;
)",
     R"(m.mo:4:9: error: an equation between 2 and 3 elements)"},
    {"several results of a known function",
     R"(model M
  Real a, b;
equation
  (a, b) = sin(time);
end M;
)",
     R"(m.mo:4:12: error: several results must come from a function of the files)"},
    {"an index beyond the end",
     R"(model M
  inner Modelica.Mechanics.MultiBody.World world;
  Modelica.Mechanics.MultiBody.Parts.Fixed f[2];
  Real x[3] = f[end + 1].frame_b.r_0;
end M;
)",
     R"(m.mo:4:15: error: there is no 'f[3]': 'f' has 2 elements)"},
    {"two sources",
     R"(model M
  Modelica.Blocks.Sources.Constant a(k=1), b(k=2);
  Modelica.Blocks.Math.Gain g(k=1);
equation
  connect(a.y, g.u);
  connect(b.y, g.u);
end M;
)",
     R"(m.mo:5:11: error: 'b.y' and 'a.y' both say what the signal is that is connected here)"},
    {"unbound input",
     R"(model M
  Modelica.Blocks.Math.Gain g(k=1);
end M;
)",
     R"(m.mo:2:29: error: Blocks.Gain 'g': input 'u' is not bound: give it a number or an expression, or connect an output)"},
    {"while of a variable",
     R"(model M
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -x;
algorithm
  y := 0;
  while y < x loop
    y := y + 1;
  end while;
end M;
)",
     R"(m.mo:8:3: error: the condition of 'while' in a model must be known before the run)"},
    {"while without end",
     R"(model M
  Real y;
algorithm
  y := 0;
  while y < 1 loop
    y := y - 1;
  end while;
end M;
)",
     R"(m.mo:5:3: error: 'while' must end, found more than 10000 rounds)"},
    {"break under a condition of variables",
     R"(model M
  Real y;
algorithm
  y := 0;
  for i in 1:3 loop
    if time > i then
      break;
    end if;
    y := y + i;
  end for;
end M;
)",
     R"(m.mo:6:5: error: 'break' and 'return' under a condition of variables)"},
    {"reinit out of when",
     R"(model M
  Real x;
algorithm
  x := 1;
  reinit(x, 2);
end M;
)",
     R"(m.mo:5:3: error: 'reinit' must be an assertion or a function of the files, to stand as a statement or an equation)"},
    {"a function called for what it asserts",
     R"(function rises
  input Real v[:];
algorithm
  for i in 2:size(v, 1) loop
    assert(v[i] > v[i - 1], "element " + String(i) + " falls");
  end for;
end rises;
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
initial algorithm
  rises({1, 3, 2});
end M;
)",
     R"(m.mo:5:5: error: the assertion does not hold: element 3 falls)"},
    {"a function called at the start for what it asserts of a variable",
     R"(function f
  input Real x;
algorithm
  assert(x > 0, "positive only");
end f;
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -2;
initial equation
  f(x);
end M;
)",
     R"(m.mo:7:8: error: 'x' is a variable, which has no value before the run)"},
    {"a function calls another one for what it asserts", asserting("f") + R"(model M
  Real y;
equation
  y = g(-1);
end M;
)",
     R"(m.mo:4:3: error: the assertion does not hold: positive only)"},
    {"a function of a function ends with an error", asserting("f") + R"(model M
  Real y;
equation
  y = g(7);
end M;
)",
     R"(m.mo:6:5: error: boo)"},
    {"a function calls what is not there", asserting("nosuch") + R"(model M
  Real y;
equation
  y = g(time);
end M;
)",
     R"(m.mo:14:3: error: 'nosuch' must be an assertion or a function of the files, to stand as a statement or an equation)"},
    {"a result of a function without any", asserting("f") + R"(model M
  Real y;
equation
  y = f(time);
end M;
)",
     R"(m.mo:19:7: error: function 'f' has 0 results, and none that is number 1)"},
    {"external function",
     R"(function f
  input Real x;
  output Real y;
external "C" y = f(x);
end f;
model M
  Modelica.Mechanics.MultiBody.Parts.Fixed g(r = {f(1), 0, 0});
end M;
)",
     R"(m.mo:7:51: error: function 'f' is external, which is not supported)"},
    {"stream connector",
     R"(connector Port
  Real p;
  stream Real h;
end Port;
model M
  Port p;
end M;
)",
     R"(m.mo:3:15: error: connector 'Port': 'stream' variables of connectors that the catalogue has not are not supported)"},
    {"connector with nothing that gives its potential",
     R"(connector Port
  Real p;
  flow Real q;
end Port;
model M
  Port p;
end M;
)",
     R"(m.mo:2:8: error: the model's equations must be as many as its unknowns, found 0 for 1 unknown: no equation is left for 'p.p')"},
    {"connector with more flows than potentials",
     R"(connector Port
  Real p;
  flow Real q[2];
end Port;
model M
  Port p;
end M;
)",
     R"(m.mo:1:11: error: connector 'Port' must have as many variables without 'flow' as with it, found 1 and 2)"},
    {"connectors of different kinds",
     R"(package P
  connector Pin Real v; flow Real i; end Pin;
  connector Port Real p; flow Real i; end Port;
  model A Pin p; equation p.v = 0; end A;
  model B Port p; equation p.p = 0; end B;
  model M
    A a;
    B b;
  equation
    connect(a.p, b.p);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
     R"(m.mo:10:13: error: connectors 'a.p' and 'b.p' must have the same elements: 'a.p' has no 'p')"},
    {"a connector and another thing",
     R"(package P
  connector Pin Real v; flow Real i; end Pin;
  model A Pin p; equation p.v = 0; end A;
  model M
    A a;
    Modelica.Electrical.Analog.Basic.Ground g;
  equation
    connect(a.p, g.p);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
     R"(m.mo:8:13: error: 'connect' is between connectors of the same kind, found 'a.p' of class 'Pin' and another one)"},
    {"two sources of the same potential",
     R"(package P
  connector Pin Real v; flow Real i; end Pin;
  model A Pin p; parameter Real V = 0; equation p.v = V; end A;
  model M
    A a;
    A b(V = 2);
  equation
    connect(a.p, b.p);
    annotation (experiment(StopTime = 1));
  end M;
end P;
)",
     R"(m.mo:8:13: error: the equations are too many: '0 = 2' has nothing left to determine, as the others determine all of it)"},
    {"when in when",
     R"(model M
  Real x;
equation
  when time > 1 then
    when time > 2 then
      x = 2;
    end when;
  end when;
end M;
)",
     R"(m.mo:5:5: error: in 'when' equations of variables, 'reinit', 'assert' and 'terminate' are supported)"},
    {"when for a variable of a component",
     R"(model M
  Modelica.Blocks.Sources.Sine s;
equation
  when time > 1 then
    s.y = 2;
  end when;
end M;
)",
     R"(m.mo:5:5: error: in 'when' an equation must have a variable of the model on its left)"},
    {"connect under variable if",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f;
  Modelica.Mechanics.MultiBody.Parts.Body b(m=1, r_CM={0,0,0});
equation
  if time > 1 then
    connect(f.frame_b, b.frame_a);
  end if;
end M;
)",
     R"(m.mo:5:3: error: 'if' around 'connect' must have a condition that is known before the run)"},
    {"uneven if",
     R"(model M
  Real x;
equation
  if time > 1 then
    x = 1;
  end if;
end M;
)",
     R"(m.mo:4:3: error: 'if' must have 'else', and as many equations in every branch)"},
    {"call as equation",
     R"(model M
equation
  Connections.root(a);
end M;
)",
     R"(m.mo:3:3: error: 'Connections.root' must be an assertion or a function of the files, to stand as a statement or an equation)"},
    {"false assertion",
     R"(model M
  parameter Real m = -1;
equation
  assert(m > 0, "the mass must be positive");
end M;
)",
     R"(m.mo:4:3: error: the assertion does not hold: the mass must be positive)"},
    {"a function without statements",
     R"(model M
  function f
    input Real x;
    output Real y;
  end f;
  Real x = f(time);
end M;
)",
     R"(m.mo:6:12: error: function 'f' has no statements)"},
    {"while in a function of a variable",
     R"(function f
  input Real x;
  output Real y;
algorithm
  y := x;
  while y > 1 loop
    y := y/2;
  end while;
end f;
model M
  Real x = f(time);
end M;
)",
     R"(m.mo:6:3: error: 'while' with a condition of variables in a function is not supported)"},
    {"break under a condition of a variable in a function",
     R"(function f
  input Real x;
  output Real y;
algorithm
  for i in 1:3 loop
    if x > 1 then
      break;
    end if;
    y := i*x;
  end for;
end f;
model M
  Real x = f(time);
end M;
)",
     R"(m.mo:6:5: error: 'break' under a condition of variables is not supported)"},
    {"false assert in a function of a variable",
     R"(function f
  input Real x;
  output Real y;
algorithm
  assert(1 > 2, "too large");
  y := x;
end f;
model M
  Real x = f(time);
end M;
)",
     R"(m.mo:5:3: error: the assertion does not hold: too large)"},
    {"loop over a variable in a function",
     R"(function f
  input Real x;
  output Real y;
algorithm
  y := 0;
  for i in 1:integer(x) loop
    y := y + i;
  end for;
end f;
model M
  Real x = f(time);
end M;
)",
     R"(m.mo:6:14: error: 'time' has no value before the run)"},
    {"function of a variable calls itself",
     R"(function f
  input Real x;
  output Real y;
algorithm
  y := if x > 1 then x*f(x - 1) else 1;
end f;
model M
  Real x = f(time);
end M;
)",
     R"(m.mo:5:24: error: calls of functions are nested too deep)"},
    {"function of a variable grows",
     R"(function f
  input Real x;
  output Real y;
algorithm
  y := x;
  for i in 1:30 loop
    y := y + sin(y);
  end for;
end f;
model M
  Real x = f(time);
end M;
)",
     R"(m.mo:7:12: error: the expression is too long with all statements of the function put in)"},
    {"function of a variable with an array of unknown size",
     R"(function f
  input Real x[:];
  output Real y;
algorithm
  y := x[1];
end f;
model M
  Modelica.Blocks.Sources.CombiTimeTable t(table = [0, 1; 1, 2]);
  Real x = f(t.y);
end M;
)",
     R"(m.mo:9:14: error: the size of 'x' is not known)"},
    {"function endless",
     R"(function f
  input Real x;
  output Real y;
algorithm
  y := 0;
  while true loop
    y := y + 1;
  end while;
end f;
model M
  parameter Real k = 1;
  Modelica.Mechanics.MultiBody.Parts.Fixed g(r = {f(k), 0, 0});
end M;
)",
     R"(m.mo:7:12: error: more than 2000000 steps of loops and functions)"},
    {"function recursion",
     R"(function f
  input Real x;
  output Real y;
algorithm
  y := f(x);
end f;
model M
  Modelica.Mechanics.MultiBody.Parts.Fixed g(r = {f(1), 0, 0});
end M;
)",
     R"(m.mo:5:8: error: calls of functions are nested too deep)"},
    {"missing argument",
     R"(function f
  input Real x;
  input Real z;
  output Real y;
algorithm
  y := x;
end f;
model M
  Modelica.Mechanics.MultiBody.Parts.Fixed g(r = {f(1), 0, 0});
end M;
)",
     R"(m.mo:9:51: error: function 'f': input 'z' has no value)"},
    {"too many arguments",
     R"(function f
  input Real x;
  output Real y;
algorithm
  y := x;
end f;
model M
  Modelica.Mechanics.MultiBody.Parts.Fixed g(r = {f(1, 2), 0, 0});
end M;
)",
     R"(m.mo:8:51: error: function 'f' has 1 inputs, found 2 arguments)"},
    {"division by zero",
     R"(model M
  parameter Integer n = 1;
  Real x[div(n, 0)];
end M;
)",
     R"(m.mo:3:10: error: division by zero in 'div(1, 0)')"},
    {"flow of a composite that connects its connectors",
     R"(model A
  Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a;
  Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b;
  Modelica.Mechanics.Rotational.Components.Inertia i(J=1);
  Real t = flange_a.tau;
equation
  connect(flange_a, i.flange_a);
  connect(flange_a, flange_b);
end A;
model M
  A a;
end M;
)",
     R"(m.mo:5:12: error: 'a.flange_a.tau' is what flows through a connector that its model connects with no component)"},
    {"two worlds",
     R"(model M
  inner Modelica.Mechanics.MultiBody.World world;
  inner Modelica.Mechanics.MultiBody.World world2(g = 2);
end M;
)",
     R"(m.mo:3:44: error: a model must have one World, found 'world' and 'world2')"},
    {"partial model",
     R"(partial model M
end M;
)",
     R"(m.mo: error: the file holds no model that could be imported)"},
    {"partial component",
     R"(partial model A
end A;
model M
  A a;
end M;
)",
     R"(m.mo:4:5: error: class 'A' of component 'a' is partial and makes no component)"},
    {"no model",
     R"(package P
end P;
)",
     R"(m.mo: error: the file holds no model that could be imported)"},
    {"only a function",
     R"(function f
  output Real y;
end f;
)",
     R"(m.mo: error: the file holds no model that could be imported)"},
    {"defined twice",
     R"(model M
end M;
model M
end M;
)",
     R"(m.mo:3:7: error: class 'M' is defined twice
m.mo:1:7: note: first defined here)"},
    {"several models",
     R"(package P
  model A
    annotation (experiment(StopTime=1));
  end A;
  model B
    annotation (experiment(StopTime=1));
  end B;
end P;
)",
     R"(m.mo:1:9: error: the file holds several models; name one of P.A, P.B)"},
    {"value of wrong range",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Body b(m = -1, r_CM={0,0,0});
end M;
)",
     R"(m.mo:2:49: error: Body 'b': 'm' must be at least 0, found -1)"},
    {"wrong literal",
     R"(model M
  Modelica.Mechanics.MultiBody.World world(gravityType = Modelica.Mechanics.MultiBody.Types.GravityTypes.Nothing);
end M;
)",
     R"(m.mo:2:58: error: unknown name 'Modelica.Mechanics.MultiBody.Types.GravityTypes.Nothing')"},
    {"stop before start",
     R"(model M
  annotation (experiment(StartTime=2, StopTime=1));
end M;
)",
     R"(m.mo:2:48: error: simulation: 'stop' must be greater than 'start' (2), found 1)"},
    {"clocked",
     R"(model M
  Real x = sample(time);
end M;
)",
     R"(m.mo:2:12: error: 'sample' takes 2 arguments, found 1)"},
    {"text variable",
     R"(model M
  String s = "a";
end M;
)",
     R"(m.mo:2:10: error: variable 's' must be a number, a Boolean or of an enumeration)"},
    {"named argument",
     R"(model M
  Modelica.Mechanics.MultiBody.Parts.Fixed f(r = linspace(n = 3, x1 = 0, x2 = 1));
end M;
)",
     R"(m.mo:2:50: error: named arguments of 'linspace' are not supported)"},
    {"array beyond memory",
     R"(model M
  parameter Real x[:] = fill(1, 10000000);
end M;
)",
     R"(m.mo:2:25: error: an array must not have more than a million elements)"},
    {"array of arrays beyond memory",
     R"(model M
  parameter Real x[:,:,:,:] = fill(fill(fill(fill(1, 100), 100), 100), 100);
end M;
)",
     R"(m.mo:2:31: error: an array must not have more than a million elements)"},
    {"assertion in a function",
     R"(function f
  input Real x;
  output Real y;
algorithm
  assert(x > 0, "positive only");
  y := x;
end f;
model M
  Modelica.Mechanics.MultiBody.Parts.Fixed g(r = {f(-1), 0, 0});
end M;
)",
     R"(m.mo:5:3: error: the assertion does not hold: positive only)"},
    {"chain of operators",
     R"(model M
  parameter Real x = 1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1;
end M;
)",
     R"(m.mo:2:623: error: more than 300 operators in a row)"},
    {"doubled parameters",
     R"(model A
  parameter Real a1 = a0*2 + sin(a0);
  parameter Real a2 = a1*2 + sin(a1);
  parameter Real a3 = a2*2 + sin(a2);
  parameter Real a4 = a3*2 + sin(a3);
  parameter Real a5 = a4*2 + sin(a4);
  parameter Real a6 = a5*2 + sin(a5);
  parameter Real a7 = a6*2 + sin(a6);
  parameter Real a8 = a7*2 + sin(a7);
  parameter Real a9 = a8*2 + sin(a8);
  parameter Real a10 = a9*2 + sin(a9);
  parameter Real a11 = a10*2 + sin(a10);
  parameter Real a12 = a11*2 + sin(a11);
  parameter Real a13 = a12*2 + sin(a12);
  parameter Real a14 = a13*2 + sin(a13);
  parameter Real a15 = a14*2 + sin(a14);
  parameter Real a16 = a15*2 + sin(a15);
  parameter Real a17 = a16*2 + sin(a16);
  parameter Real a18 = a17*2 + sin(a17);
  parameter Real a19 = a18*2 + sin(a18);
  parameter Real a20 = a19*2 + sin(a19);
  parameter Real a21 = a20*2 + sin(a20);
  parameter Real a22 = a21*2 + sin(a21);
  parameter Real a23 = a22*2 + sin(a22);
  parameter Real a24 = a23*2 + sin(a23);
  parameter Real a25 = a24*2 + sin(a24);
  parameter Real a26 = a25*2 + sin(a25);
  parameter Real a27 = a26*2 + sin(a26);
  parameter Real a28 = a27*2 + sin(a27);
  parameter Real a29 = a28*2 + sin(a28);
  parameter Real a30 = a29*2 + sin(a29);
  parameter Real a31 = a30*2 + sin(a30);
  parameter Real a32 = a31*2 + sin(a31);
  parameter Real a33 = a32*2 + sin(a32);
  parameter Real a34 = a33*2 + sin(a33);
  parameter Real a35 = a34*2 + sin(a34);
  parameter Real a36 = a35*2 + sin(a35);
  parameter Real a37 = a36*2 + sin(a36);
  parameter Real a38 = a37*2 + sin(a37);
  parameter Real a39 = a38*2 + sin(a38);
  parameter Real a0;
  Real y = a39;
end A;
model M
  Real t = time;
  A a(a0 = t);
end M;
)",
     R"(m.mo:16:24: error: the expression is too long with all parameters put in)"},
    {"parameter of a variable",
     R"(model A
  parameter Real k;
  Modelica.Mechanics.MultiBody.Parts.Fixed f(r = {k, 0, 0});
end A;
model M
  Real t = time;
  A a(k = t);
end M;
)",
     R"(m.mo:3:51: error: 't' has no value before the run: a parameter cannot depend on a variable)"},
    {"fixed is no Boolean",
     R"(model M
  Real z[2];
  Real q[2](start = {1, 2}, fixed = {1, 2}) = 2*z;
equation
  der(z) = -z;
end M;
)",
     R"(m.mo:3:29: error: 'fixed' of 'q' must be true or false for each of its elements, found 1)"},
    {"fixed of too few elements",
     R"(model M
  Real z[2];
  Real q[2](start = {1, 2}, fixed = {true}) = 2*z;
equation
  der(z) = -z;
end M;
)",
     R"(m.mo:3:8: error: 'start' and 'fixed' of 'q' must have as many elements as it has)"},
    {"fixed of a connector is no Boolean",
     R"(model A
  Modelica.Mechanics.Rotational.Interfaces.Flange_a flange(phi(fixed = 2));
  Modelica.Mechanics.Rotational.Components.Inertia i(J = 1);
equation
  connect(flange, i.flange_a);
end A;
model M
  A a;
end M;
)",
     R"(m.mo:2:64: error: 'fixed' of 'a.flange.phi' must be true or false, found 2)"},
    {"an outer class without an inner one, and a class that extends none of its name",
     R"(model M
  model A Real y = 1; end A;
  model U outer model A = M.A; A a; end U;
  U u;
  model B redeclare model extends A end A; A a; end B;
  B b;
end M;
)",
     R"(m.mo:3:23: error: no 'inner model A' is around this 'outer' class
m.mo:5:35: error: class 'B' has no element 'A'; did you mean 'a'?
m.mo:5:35: error: no class 'A' is inherited here)"},
    {"sizes and kinds that functions declare",
     R"(package P
  type Vec = Real[3];
  function a input Real a[:]; input Real b[size(a, 1)]; output Real y; algorithm y := a*b; end a;
  function b input Real A[2, :]; output Real y; algorithm y := sum(A); end b;
  function c input Integer n; output Real y; algorithm y := n/2; end c;
  function d input Real x; output Integer n; algorithm n := x; end d;
  function e input Real x; output Real y; protected Real v[2] = {1, 2, 3}; algorithm y := v[3] + x; end e;
  function f input Real x; output Vec v; algorithm v := {x, 2}; end f;
  function g input Boolean b; output Real y; algorithm y := if b then 1 else 2; end g;
  function h input Real x; output Real y; protected Integer k[2]; algorithm k[2] := 1.5; y := x; end h;
  model M
    Integer i = 2;
    Real r1 = a({1, 2}, {1, 2, 3}), r2 = a(b = {1, time}, a = {1, 2, 3}), r3 = b([1, 2; 3, 4; time, 5]);
    Real r4 = c(2.7), r5 = c(time), r6 = c({1, time}), r7 = d(2.5), r8 = d(time);
    Real r9 = e(time), r10[3] = f(1), r11 = g(1), r12 = g(time), r13 = h(time);
    Real ok = a({1, time}, {2, 3}) + b(zeros(2, 0)) + b({{1, 2, 3}, {4, 5, time}}) + c(i) + c(i + 1) + g(time > 1);
    annotation(experiment(StopTime = 1));
  end M;
end P;
)",
     R"(m.mo:6:56: error: 'n' is of type Integer, its value is 2.5
m.mo:6:56: error: 'n' is an Integer, and its value a Real; integer(...) makes one of it
m.mo:7:65: error: 'v' is an array of 2, its value an array of 3
m.mo:8:52: error: 'v' is an array of 3, its value an array of 2
m.mo:10:77: error: 'k' is of type Integer, its value is 1.5
m.mo:13:25: error: 'b' is an array of 2, its value an array of 3
m.mo:13:48: error: 'b' is an array of 3, its value an array of 2
m.mo:13:82: error: 'A' is an array of 2 x :, its value an array of 3 x 2
m.mo:14:17: error: 'n' is of type Integer, its value is 2.7
m.mo:14:30: error: 'n' is an Integer, and its value a Real; integer(...) makes one of it
m.mo:14:44: error: 'n' is an Integer, and its value a Real; integer(...) makes one of it
m.mo:15:47: error: 'b' is of type Boolean, its value is 1
m.mo:15:59: error: 'b' is a Boolean, and its value a number)"},
    {"parameters of what is around a class or a function",
     R"(package P
  model A
    parameter Real k = 1; constant Real c = 2;
    function h input Real x; output Real y; algorithm y := c*k*x; end h;
    model Z Real y = k*time, z = c*time; end Z;
    record R Real a = k; end R;
    Z z; R r; Real y = h(time);
  end A;
  model M
    A a(k = 5); Real b = A.h(time);
    annotation(experiment(StopTime = 1));
  end M;
end P;
)",
     R"(m.mo:4:62: error: 'k' is no constant but a parameter of 'A' (m.mo:3:20), which a class or function inside does not see
m.mo:5:22: error: 'k' is no constant but a parameter of 'A' (m.mo:3:20), which a class or function inside does not see
m.mo:6:23: error: 'k' is no constant but a parameter of 'A' (m.mo:3:20), which a class or function inside does not see)"},
    {"a variable of two algorithms",
     R"(model M
  Real x;
algorithm
  x := 1;
algorithm
  x := 2;
end M;
)",
     R"(m.mo:6:3: error: the model's equations must be as many as its unknowns, found 1 for 0 unknowns: 'x = 2' contains none of them)"},
    {"a package that modifies a class that it inherits",
     R"(package P
  package B model A parameter Real k = 1; Real y = k; end A; end B;
  package D extends B(A(k = 5)); end D;
  model M D.A a; annotation(experiment(StopTime = 1)); end M;
end P;
)",
     R"(m.mo:4:11: error: class 'P.B.A' is inherited by a package that modifies it, which is not supported)"},
    {"fields that a record has not, or that are given nothing or a wrong kind",
     R"(package P
  record R Real a; Integer b; Real c[2]; end R;
  model M
    R r = R(a = 1, b = 2, d = 3);
    R q = R(a = time, b = 1);
    R s = R(time, 1.5, {1, 2});
    parameter R p = R(true, 1, {1, 2});
    parameter R t = R(1, 1, {1, 2, 3});
    Real x = p.a + t.a + q.a + s.a + r.a;
  end M;
end P;
)",
     R"(m.mo:4:31: error: record 'R' has no field 'd'
m.mo:5:11: error: field 'c' of 'q' is given no value
m.mo:6:19: error: 'b' is an Integer, and its value a Real; integer(...) makes one of it
m.mo:7:23: error: 'a' is a Real, and its value a Boolean
m.mo:8:29: error: 'c' is an array of 2, its value an array of 3)"},
    {"several at once",
     R"(model M
  Modelica.Fluid.Pipe pipe;
  parameter Real r[3] = {1, 2};
  Modelica.Mechanics.MultiBody.Parts.Fixed f(r = {L, 0, 0});
equation
  connect(f, pipe);
end M;
)",
     R"(m.mo:2:3: error: class 'Modelica.Fluid.Pipe' is not in Cardan's catalogue, and no file given defines it
m.mo:3:25: error: 'r' is an array of 3, its value an array of 2
m.mo:4:51: error: unknown name 'L'
m.mo:6:11: error: 'connect' is between connectors, found component 'f')"},
};

}  // namespace

TEST_CASE("Modelica: parameters that are final, or that sizes hang on, are not overridden") {
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  Diagnostics diagnostics;
  const auto model = modelica::importText(catalogue(), R"(model M
  record R
    Real a = 1;
  end R;
  parameter R d;
  parameter Integer n = 2;
  parameter Real free = 1;
  final parameter Real q = 3;
  Real x[n] = fill(time*d.a*q*free, n);
end M;
)",
                                          "m.mo", options, diagnostics);
  REQUIRE(model.has_value());
  CHECK_NOTHROW(model->checkOverrides({"free=2", "dd=1"}));
  for (const char* name : {"d.a", "n", "q"}) {
    const std::string whole = std::string(name).substr(0, 1);
    std::string said;
    try {
      model->checkOverrides({std::string(name) + "=4"});
    } catch (const ModelError& e) {
      said = e.what();
    }
    CHECK(said == std::string("--set ") + name + ": error: parameter '" + whole +
                      "' is fixed when the file is read");
  }
}

TEST_CASE("Modelica: every mistake of a file is named with its place") {
  CHECK(kWrongFiles.size() >= 60);
  for (const WrongFile& file : kWrongFiles) {
    CAPTURE(file.what);
    CHECK(saidOf(file.text) == file.said);
  }
}

TEST_CASE(
    "Modelica: every known function says how many arguments it takes, in equations and functions") {
  for (const std::string& name : functionNames()) {
    const FunctionInfo& known = *findFunction(name);
    const bool isOfSizes = name == "zeros" || name == "ones" || name == "fill";
    for (int count = 0; count <= 4; ++count) {
      if (count >= known.minArguments && (count <= known.maxArguments || isOfSizes)) continue;
      std::string call = name + "(";
      for (int i = 0; i < count; ++i) call += i == 0 ? "x" : ", x";
      call += ")";
      CAPTURE(call);
      const std::string said = fmt::format("error: '{}' takes {}", name, known.minArguments);
      CHECK(saidOf("model M Real x = time, y = " + call + "; end M;").find(said) !=
            std::string::npos);
      const std::string function = "function f input Real x; output Real y; algorithm y := " + call;
      for (const char* used : {"f(time)", "f(1)"})
        CHECK(saidOf(function + "; end f; model M Real y = " + used + "; end M;").find(said) !=
              std::string::npos);
    }
  }
}

TEST_CASE("Modelica: a signal that has two sources is an error, whoever they are") {
  const std::string parts = R"(package P
connector In = input Real; connector Out = output Real;
block K parameter Real k = 1; Out y; equation y = k; end K;
block G In u; Out y; equation y = 2*u; end G;
block V In u[2]; Out y[2]; equation y = 2*u; end V;
block S extends Modelica.Blocks.Interfaces.SISO; equation y = 3*u; end S;
block Two Out y; K a, b; equation connect(a.y, y); connect(b.y, y); end Two;
model M
)";
  for (const char* model : {
           "K k, l; G g; equation connect(k.y, g.u); connect(l.y, g.u);",
           "K k, l; G g, h; equation connect(k.y, g.u); connect(g.u, h.u); connect(h.u, l.y);",
           "K k; G g(u = 1); equation connect(k.y, g.u);",
           "K k; G g; equation connect(k.y, g.u); g.u = 5;",
           "K k, l; equation connect(k.y, l.y);",
           "S g(u = 1); Modelica.Blocks.Sources.Constant k(k = 2); equation connect(k.y, g.u);",
           "K k; Modelica.Blocks.Sources.Constant c(k = 2); G g; equation connect(k.y, g.u); "
           "connect(c.y, g.u);",
           "K k, l; Modelica.Blocks.Math.Gain g(k = 2); equation connect(k.y, g.u); connect(l.y, "
           "g.u);",
           "V v, w; K k; equation connect(v.y, w.u); connect(k.y, w.u[2]); v.u = {1, 2};",
           "In u; K k; G g; equation connect(u, g.u); connect(k.y, g.u);",
           "Two t; Real z = t.y;",
       }) {
    CAPTURE(model);
    CHECK(saidOf(parts + model + "\nannotation(experiment(StopTime=1)); end M; end P;")
              .find("both say what the signal is") != std::string::npos);
  }
  for (const char* model : {
           "K k; G g, h; equation connect(k.y, g.u); connect(g.u, h.u);",
           "V v, w; equation connect(v.y, w.u); v.u = {1, 2};",
           "V w; K k, l; equation connect(k.y, w.u[1]); connect(l.y, w.u[2]);",
           "In u; G g, h; equation connect(u, g.u); connect(u, h.u);",
           "S g; Modelica.Blocks.Sources.Constant k(k = 2); Real z = g.y; equation connect(k.y, "
           "g.u);",
       }) {
    CAPTURE(model);
    CHECK(saidOf(parts + model + "\nannotation(experiment(StopTime=1)); end M; end P;") == "");
  }
}
