// Models as books and courses have them, one feature each: imported, run for 1 s and compared with their
// closed forms.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/models/modelica_run.h"

using namespace cardan;
using std::cos, std::exp, std::sin, std::sqrt;

TEST_CASE("Modelica files: circuits, tanks and rods on connectors of one's own") {
  test::checkModelica({
      {R"(package P
type Voltage = Real(unit="V"); type Current = Real(unit="A");
connector Pin Voltage v; flow Current i; end Pin;
partial model TwoPin Pin p, n; Voltage v; Current i;
equation v = p.v - n.v; 0 = p.i + n.i; i = p.i; end TwoPin;
model Resistor extends TwoPin; parameter Real R(unit="Ohm"); equation R*i = v; end Resistor;
model Capacitor extends TwoPin; parameter Real C; equation C*der(v) = i; end Capacitor;
model VsourceAC extends TwoPin; parameter Voltage VA = 1; parameter Real w = 2;
equation v = VA*sin(w*time); end VsourceAC;
model Ground Pin p; equation p.v = 0; end Ground;
model M Resistor R1(R=1); Capacitor C(C=1); VsourceAC AC(VA=5); Ground G;
equation connect(AC.p, R1.p); connect(R1.n, C.p); connect(C.n, AC.n); connect(AC.n, G.p);
end M; end P;
)",
       {{"C.v", sin(2) - 2 * cos(2) + 2 * exp(-1)}}},
      {R"(package P
connector Stream Real p; flow Real q; end Stream;
model Tank Stream bottom; parameter Real A=1; Real h(start=4, fixed=true);
equation A*der(h) = bottom.q; bottom.p = h; end Tank;
model Orifice Stream a, b; parameter Real k=1;
equation a.q + b.q = 0; a.q = k*sqrt(a.p - b.p); end Orifice;
model Drain Stream a; equation a.p = 0; end Drain;
model M Tank t; Orifice o(k=1); Drain d; equation connect(t.bottom, o.a); connect(o.b, d.a);
end M; end P;
)",
       {{"t.h", 1.5 * 1.5}}},
      {R"(package P
connector Port Real T; flow Real Q; end Port;
model Rod parameter Integer n = 3; parameter Real G = 1; parameter Real C = 1; Port a, b;
Real T[n](start = {1, 2, 1}, each fixed = true); protected Real Q[n + 1];
equation
Q[1] = 2*G*(a.T - T[1]); Q[n + 1] = 2*G*(T[n] - b.T);
for i in 2:n loop Q[i] = G*(T[i - 1] - T[i]); end for;
for i in 1:n loop C*der(T[i]) = Q[i] - Q[i + 1]; end for;
a.Q = Q[1]; b.Q = -Q[n + 1]; end Rod;
model Bath Port p; parameter Real T = 0; equation p.T = T; end Bath;
model M Rod r; Bath h, c; 
equation connect(h.p, r.a); connect(r.b, c.p); end M; end P;
)",
       {{"r.T[2]", 2 * exp(-1)}, {"h.p.Q", 2 * exp(-1)}}},
      {R"(package P
connector Pin Real v; flow Real i; end Pin;
connector Flange Real phi; flow Real tau; end Flange;
model DC Pin p, n; Flange f; parameter Real R=1, k=0.5; Real i, w;
equation p.i = i; n.i = -i; w = der(f.phi); p.v - n.v = R*i + k*w; f.tau = -k*i; end DC;
model Inertia Flange f; parameter Real J=0.25; Real w(start=0, fixed=true);
equation w = der(f.phi); J*der(w) = f.tau; end Inertia;
model Source Pin p, n; parameter Real V=2; equation p.v - n.v = V; p.i + n.i = 0; end Source;
model Ground Pin p; equation p.v = 0; end Ground;
model M DC m; Inertia j(f.phi(start=0, fixed=true)); Source s; Ground g;
equation connect(s.p, m.p); connect(s.n, m.n); connect(g.p, s.n); connect(m.f, j.f); end M; end P;
)",
       {{"j.w", 4 * (1 - exp(-1))}, {"m.i", 2 * exp(-1)}}},
  });
}

TEST_CASE("Modelica files: connectors made of connectors are connected field by field") {
  const std::string pins = "package P connector Pin Real v; flow Real i; end Pin;\n";
  const std::string phases = pins + R"(connector Plug Pin p[3]; end Plug;
model R3 Plug a, b; parameter Real R = 2;
equation for k in 1:3 loop a.p[k].v - b.p[k].v = R*a.p[k].i; a.p[k].i + b.p[k].i = 0; end for; end R3;
model C3 Plug a, b; parameter Real C = 0.5; Real v[3](start = {1, 2, 3}, each fixed = true);
equation for k in 1:3 loop v[k] = a.p[k].v - b.p[k].v; C*der(v[k]) = a.p[k].i;
a.p[k].i + b.p[k].i = 0; end for; end C3;
model G3 Plug a; equation for k in 1:3 loop a.p[k].v = 0; end for; end G3;
model Box Plug q; R3 r; G3 g; equation connect(q, r.a); connect(r.b, g.a); end Box;
model M C3 c; Box x; G3 g; equation connect(c.a, x.q); connect(c.b, g.a); end M; end P;
)",
                    motor = pins + R"(connector Flange Real phi; flow Real tau; end Flange;
connector Both Flange a; Pin p; end Both;
model DC Both b; parameter Real k = 0.5, R = 1; Real w;
equation w = der(b.a.phi); b.p.v = R*b.p.i + k*w; b.a.tau = -k*b.p.i; end DC;
model Load Both b; parameter Real J = 0.25; Real w(start = 0, fixed = true);
equation w = der(b.a.phi); J*der(w) = b.a.tau; b.p.v = 2; end Load;
model M DC d; Load l(b(a(phi(start = 0, fixed = true)))); equation connect(d.b, l.b); end M; end P;
)",
                    deep = pins + R"(connector Plug Pin p; Pin n; end Plug;
connector Big Plug u[2]; end Big;
model Source Big b; equation for k in 1:2 loop b.u[k].p.v = 10*k; b.u[k].n.v = 0; end for; end Source;
model Res Plug b; parameter Real R = 2;
equation b.p.v - b.n.v = R*b.p.i; b.p.i + b.n.i = 0; end Res;
model M Source s; Res r[2](R = {2, 5}), q; equation connect(s.b.u, r.b); connect(s.b.u[2], q.b);
end M; end P;
)";
  test::checkModelica({
      {phases.c_str(), {{"c.v[2]", 2 * exp(-1)}, {"x.q.p[3].i", 1.5 * exp(-1)}}},
      {motor.c_str(), {{"l.w", 4 * (1 - exp(-1))}, {"d.b.p.i", 2 * exp(-1)}}},
      {deep.c_str(), {{"r[1].b.p.i", 5}, {"s.b.u[2].p.i", -14}}},
  });
  Diagnostics said;
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  options.className = "M";
  CHECK(!modelica::importText(catalogue(), pins + R"(connector One Pin p; end One;
connector Two Pin p, n; end Two; model A One c; end A; model B Two c; end B;
model M A a; B b; equation connect(a.c, b.c); end M; end P;
)",
                              "m.mo", options, said));
  CHECK(said.format().find("'a.c' has no 'n'") != std::string::npos);
}

TEST_CASE("Modelica files: events, states and hysteresis") {
  const double fall = sqrt(2 * 2 / 9.81), left = 1 - fall;
  test::checkModelica({
      {R"(model M parameter Real g=9.81; parameter Real e=0.5; Real h(start=2, fixed=true);
Real v(start=0, fixed=true); Boolean flying(start=true);
equation der(h) = v; der(v) = if flying then -g else 0; flying = true;
when h < 0 then reinit(v, -e*pre(v)); end when;
end M;
)",
       {{"h", 0.5 * 9.81 * fall * left - 9.81 / 2 * left * left}}},
      {R"(package P type Light = enumeration(red, green, yellow);
model M Light s(start=Light.red, fixed=true); Real n; discrete Real t(start=0, fixed=true);
equation when sample(0.3, 0.3) then
s = if pre(s) == Light.red then Light.green elseif pre(s) == Light.green then Light.yellow else Light.red;
t = time; end when; n = if s == Light.red then 10 elseif s == Light.green then 20 else 30;
end M; end P;
)",
       {{"n", 10}, {"t", 0.9}, {"s", 1}}},
      {R"(package P type Mode = enumeration(heat, rest);
model M Mode m(start=Mode.heat, fixed=true); Real T(start=18, fixed=true);
equation m = if pre(m) == Mode.heat and T > 20 then Mode.rest elseif pre(m) == Mode.rest and T < 19
then Mode.heat else pre(m); der(T) = if m == Mode.heat then 3 else -4;
end M; end P;
)",
       {{"T", 19.25}, {"m", 1}}},
      {R"(model M Real T(start=20, fixed=true); Boolean on(start=false);
algorithm when T < 19.5 then on := true; elsewhen T > 20.5 then on := false; end when;
equation der(T) = if on then 2 else -2;
end M;
)",
       {{"T", 20.5 - 1 + 0.5}}},
      {R"(model M Integer n(start=0); Real x(start=0, fixed=true); Boolean b[2](start={true, false});
equation der(x) = 1; when {x > 0.2, x > 0.6} then n = pre(n) + 1; end when;
b[1] = if x > 0.5 then false else pre(b[1]); b[2] = if x > 0.5 then true else pre(b[2]);
end M;
)",
       {{"n", 2}, {"b[1]", 0}, {"b[2]", 1}}},
      {R"(model M Integer k[2](start={3, 4}); Real x(start=0, fixed=true);
equation der(x) = 1; k[1] = if x > 0.5 then pre(k[2]) else pre(k[1]);
when x > 0.25 then k[2] = pre(k[2]) + 1; end when;
end M;
)",
       {{"k[1]", 5}, {"k[2]", 5}}},
  });
}

TEST_CASE("Modelica files: types, records and functions") {
  test::checkModelica({
      {R"(package P package T type Count = Integer(min=0); type Gain = Real(start=2); type Flag = Boolean(start=true);
end T; model M parameter T.Count n = 3; T.Count k(start=2, fixed=true); T.Gain x(fixed=true);
T.Flag f(fixed=true); Real v[n](each start=1, each fixed=true);
equation der(x) = -x; k = if x < 1 then pre(k) + 0 else pre(k); f = pre(f) and x > 0; der(v) = -v;
end M; end P;
)",
       {{"x", 2 * exp(-1)}, {"k", 2}, {"f", 1}, {"v[3]", exp(-1)}}},
      {R"(package P
connector Base Real p; flow Real q; end Base;
connector Port extends Base(p(start=1)); end Port;
record Data Real m = 1; Real c = 4; end Data;
record Heavy extends Data(m = 4); Real d = 0; end Heavy;
model Store Port port; parameter Heavy data; Real x(start=1, fixed=true);
equation data.m*der(x) = port.q; port.p = data.c*x; end Store;
model Leak Port port; equation port.q = port.p; end Leak;
model M Store s, t(data(m=2)), u(data=Heavy(c=8)); Leak l, k, j;
equation connect(s.port, l.port); connect(t.port, k.port); connect(u.port, j.port);
end M; end P;
)",
       {{"s.x", exp(-1)}, {"t.x", exp(-2)}, {"u.x", exp(-2)}}},
      {R"(model M function f input Real x; output Real y; algorithm y := 2*x; end f;
replaceable function g input Real x; output Real y; algorithm y := 3*x; end g;
Real y = f(time); Real z = g(time);
end M;
)",
       {{"y", 2}, {"z", 3}}},
      {R"(package P function cube input Real x; output Real y; algorithm y := x^3; end cube;
model Part replaceable function law input Real x; output Real y; algorithm y := x; end law;
Real x(start=1, fixed=true); equation der(x) = -law(x); end Part;
model M Part a; Part b(redeclare function law = cube); end M; end P;
)",
       {{"a.x", exp(-1)}, {"b.x", 1 / sqrt(3)}}},
      {R"(package P
function horner input Real c[:]; input Real x; output Real y;
protected Integer n = size(c, 1);
algorithm y := c[n]; for i in n - 1:-1:1 loop y := c[i] + x*y; end for; end horner;
function limited input Real x; input Real most = 1; output Real y;
algorithm if x > most then y := most; elseif x < -most then y := -most; else y := x; end if; end limited;
model M Real y = horner({1, 2, 3}, time); Real z = limited(3*time); Real w = limited(-3*time, most=2);
end M; end P;
)",
       {{"y", 6}, {"z", 1}, {"w", -2}}},
      {R"(package P partial function Law input Real u; output Real y; end Law;
function double extends Law; algorithm y := 2*u; end double;
model Block replaceable package Media = Slow; Real x(start=1, fixed=true);
equation der(x) = -Media.rate*x; end Block;
package Slow constant Real rate = 1; end Slow; package Fast constant Real rate = 3; end Fast;
model M Block a, b(redeclare package Media = Fast); Real d = double(time);
end M; end P;
)",
       {{"a.x", exp(-1)}, {"b.x", exp(-3)}, {"d", 2}}},
  });
}

TEST_CASE(
    "Modelica files: what is around, what is there under conditions, what takes another's place") {
  test::checkModelica({
      {R"(package P model Env parameter Real k = 2; Real t = time; end Env;
model Part outer Env env; Real x(start=1, fixed=true); equation der(x) = -env.k*x + 0*env.t; end Part;
model Group Part p; inner Env env(k=3); end Group;
model M inner Env env; Part p; Group g; end M; end P;
)",
       {{"p.x", exp(-2)}, {"g.p.x", exp(-3)}}},
      {R"(package P model Source parameter Real k = 1; Modelica.Blocks.Interfaces.RealOutput y;
equation y = k*time; end Source;
model M parameter Boolean two = true; Source a(k=2); Source b(k=3) if two; Source c if not two;
Modelica.Blocks.Math.MultiSum s(nu=if two then 2 else 1);
equation connect(a.y, s.u[1]); connect(b.y, s.u[2]); connect(c.y, s.u[1]); end M; end P;
)",
       {{"s.y", 5}}},
      {R"(package P partial model Law Real u; Real y; end Law;
model Linear extends Law; parameter Real k = 2; equation y = k*u; end Linear;
model Square extends Law; equation y = u^2; end Square;
model Decay replaceable model L = Linear constrainedby Law; L law; Real x(start=1, fixed=true);
equation law.u = x; der(x) = -law.y; end Decay;
model M Decay a, b(redeclare model L = Square), c(redeclare model L = Linear(k=3)); end M; end P;
)",
       {{"a.x", exp(-2)}, {"b.x", 0.5}, {"c.x", exp(-3)}}},
  });
}

TEST_CASE("Modelica files: what is redeclared again keeps what is said of any, and no more") {
  // MLS 3.6, 7.3.2: the modifiers of the first declaration and of constraining clauses stay.
  test::checkModelica({
      {R"(package P model A parameter Real k = 1; Real y = k; end A;
model B parameter Real k = 50; Real y = k; end B;
model First replaceable A a; end First;
model Given replaceable A a(k=20); end Given;
model Again extends First(redeclare replaceable A a(k=30)); end Again;
model Bound extends First(redeclare replaceable A a(k=30) constrainedby A(k=3)); end Bound;
model Only extends First; redeclare replaceable A a constrainedby A(k=4); end Only;
model Plain extends Again(a(k=6)); end Plain;
model M Again a, b(redeclare B a), c(redeclare B a(k=7)), d(a(k=8));
Given e(redeclare B a); Bound f, g(redeclare B a); Only h, i(redeclare B a), j(redeclare B a(k=9));
Plain k, l(redeclare B a); Again m[2](redeclare each B a), n[2](redeclare B a(k={11, 12}));
end M; end P;
)",
       {{"a.a.y", 30},
        {"b.a.y", 50},
        {"c.a.y", 7},
        {"d.a.y", 8},
        {"e.a.y", 20},
        {"f.a.y", 30},
        {"g.a.y", 3},
        {"h.a.y", 4},
        {"i.a.y", 4},
        {"j.a.y", 9},
        {"k.a.y", 6},
        {"l.a.y", 6},
        {"m[2].a.y", 50},
        {"n[2].a.y", 12}}},
      {R"(package P model A parameter Real k = 1; Real y = k; end A;
model B parameter Real k = 50; Real y = k; end B; model C Real y = 60; end C;
model First replaceable model L = A; L l; end First;
model Again extends First(redeclare replaceable model L = A(k=30)); end Again;
model Bound extends First(redeclare replaceable model L = A(k=30) constrainedby A(k=3)); end Bound;
model Plain extends First(L(k=5)); end Plain;
model M Again a, b(redeclare model L = B), c(redeclare model L = C); Bound d, e(redeclare model L = B);
Plain f, g(redeclare model L = B), h(redeclare model L = B(k=7)); First i(L(k=8)); end M; end P;
)",
       {{"a.l.y", 30},
        {"b.l.y", 50},
        {"c.l.y", 60},
        {"d.l.y", 30},
        {"e.l.y", 3},
        {"f.l.y", 5},
        {"g.l.y", 5},
        {"h.l.y", 7},
        {"i.l.y", 8}}},
      {R"(package P package A model D Real y = 2; end D; end A; package B model D Real y = 4; end D; end B;
package C model D Real y = 6; end D; end C;
model L import P.A.*; import P.B.D; D d; end L; model N import P.A.*; import P.C.{D}; D d; end N;
model M L m; N n; end M; end P;
)",
       {{"m.d.y", 4}, {"n.d.y", 6}}},
  });
}

TEST_CASE("Modelica files: vectors of which some elements have derivatives") {
  test::checkModelica({
      {R"(model M Real x[3](start={1, 0, 0}, fixed={true, false, false});
equation der(x[1]) = -x[1]; x[2] = 2*x[1]; x[3] = x[2] + time;
end M;
)",
       {{"x[2]", 2 * exp(-1)}, {"x[3]", 2 * exp(-1) + 1}}},
      {R"(model M Real q[2](start={1, 0}, each fixed=true), v[2]; Real T[4];
equation v = der(q); der(v[1]) = -q[1]; v[2] = q[1]; T[1] = q[1];
for i in 2:3 loop der(T[i]) = T[i - 1]; end for; T[4] = T[3];
end M;
)",
       {{"q[1]", cos(1)}, {"q[2]", sin(1)}, {"T[2]", sin(1)}, {"T[4]", 1 - cos(1)}}},
  });
}

TEST_CASE("Modelica files: inputs of the model of every kind") {
  test::checkModelica({
      {R"(model M Modelica.Blocks.Interfaces.BooleanInput b(start=true); Modelica.Blocks.Interfaces.IntegerInput n(start=3);
Real x(start=0, fixed=true);
equation der(x) = if b then n else 0;
end M;
)",
       {{"x", 3}}},
      {R"(model M Modelica.Blocks.Interfaces.BooleanInput b; Modelica.Blocks.Logical.Not k;
Modelica.Blocks.Math.BooleanToReal r(realTrue=4); input Boolean c(start=true); input Integer i;
Real y = if c then 5 + i else 0;
equation connect(b, k.u); connect(k.y, r.u);
end M;
)",
       {{"r.y", 4}, {"y", 5}}},
  });
}

TEST_CASE("Modelica files: a parameter that an index hangs on cannot be changed in silence") {
  const std::string text = R"(package P
function pick input Real v[:]; input Integer k; output Real y; algorithm y := v[k]; end pick;
record Data Real a = 1; Real b = 2; end Data;
model Part parameter Real g = 1; Real y = g*time; end Part;
model M parameter Integer k = 2; parameter Integer j = 1; parameter Real p = 3; parameter Real c = 2;
Real x[3] = {1, 2, 3}*time; Real y = x[k];
function scaled input Real u; input Real f; output Real r; algorithm r := f*u; end scaled;
Real z = scaled(time, p); parameter Data d(a = c); Real w = d.a*time; parameter Data e = Data(a = 2*c);
Real v = e.a; Part q(g = p), r(g = scaled(2, p)); parameter Real s = scaled(3, p);
end M; end P;
)";
  const std::string file = test::modelOfModelica(text);
  const test::ModelRun plain = test::runModel(file);
  CHECK(plain.last("y") == doctest::Approx(2));
  CHECK_THROWS(test::runModel(file, {}, {"k=3"}));
  const test::ModelRun set = test::runModel(file, {}, {"p=5", "c=7"});
  CHECK(set.last("z") == doctest::Approx(5));
  CHECK(set.last("w") == doctest::Approx(7));
  CHECK(set.last("v") == doctest::Approx(14));
  CHECK(set.last("q.y") == doctest::Approx(5));
  CHECK(set.last("r.y") == doctest::Approx(10));
}
