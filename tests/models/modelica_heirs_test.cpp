// What classes of Modelica files mean where others inherit, modify, redeclare or surround them, and what arrays
// without elements come to: each case is imported, run for 1 s and compared with what the specification says.
#include <doctest/doctest.h>

#include <limits>

#include "tests/models/modelica_run.h"

using namespace cardan;

TEST_CASE(
    "Modelica files: of no elements a sum is 0, a product 1, the least number is the largest") {
  // Source  MLS 3.6, 10.3.4
  test::checkModelica({
      {R"(model M parameter Integer n = 0; Real x[n], v[2] = {time, 1};
function f input Real u[:]; output Real y; algorithm y := (if max(u) < -1e300 then 1 else 0) + (if min(u) > 1e300 then 10 else 0) + sum(u); end f;
Real a = if max(x) < -1e300 then 1 else 0, b = if min(v[2:1]) > 1e300 then 1 else 0, c = sum(x), d = product(v[2:1]);
Real e = if max(v[i] for i in 1:0) < -1e300 then 1 else 0, g = f(x), h = f(v[2:1]), k = f(fill(1, 0));
Real l = sum(zeros(2, 0)), m = product(zeros(0, 3)); parameter Real p = if max(zeros(2, 0)) < -1e300 then 1 else 0; Real q = p;
equation for i in 1:n loop x[i] = time; end for; end M;
)",
       {{"a", 1},
        {"b", 1},
        {"c", 0},
        {"d", 1},
        {"e", 1},
        {"g", 11},
        {"h", 11},
        {"k", 11},
        {"l", 0},
        {"m", 1},
        {"q", 1}}},
  });
}

TEST_CASE(
    "Modelica files: what stands in an inherited class sees what the heir has made of its names") {
  // Source  MLS 3.6, 5.3.1, 7.3.1
  test::checkModelica({
      // Classes of every kind, of a package, of an heir's heir and of a short one.
      {R"(package P
package Base constant Real k = 1; constant Integer n = 2;
model A Real y = k*time; end A; model V Real x[n] = fill(time, n); Real y = sum(x); end V;
record R parameter Real a = k; end R; package Sub constant Real c = k + 1; model In Real y = c*time; end In; end Sub;
type T = Real(start = k); model S T x(fixed = true); equation der(x) = 0; end S;
model Heir extends A; Real z = 2*y; end Heir; model Short = A; function g = f; replaceable model Q = A;
function f input Real x; output Real y; protected Real w[n] = fill(x, n); algorithm y := k*sum(w); end f; end Base;
package D extends Base(k = 10, n = 3); end D;
package E extends D(k = 20); redeclare model Q = V; end E;
package F = E(n = 5);
model M D.A a; D.V v; parameter D.R r; Real ra = r.a, c = D.Sub.c; D.Sub.In i; D.S s; D.Heir h; D.Short t;
Real f = D.f(time), g = D.g(time); D.Q q; E.A ea; E.Q eq; E.Heir eh; F.V fv; F.A fa; F.Sub.In fi; Real ff = F.g(time); Base.A b; Base.V bv;
end M; end P;
)",
       {{"a.y", 10},  {"v.y", 3},   {"ra", 10},  {"c", 11},    {"i.y", 11},
        {"s.x", 10},  {"h.z", 20},  {"t.y", 10}, {"f", 30},    {"g", 30},
        {"q.y", 10},  {"ea.y", 20}, {"eq.y", 3}, {"eh.z", 40}, {"fv.y", 5},
        {"fa.y", 20}, {"fi.y", 21}, {"ff", 100}, {"b.y", 1},   {"bv.y", 2}}},
      // The pattern of Modelica.Media: functions that an heir redeclares, used by models of the base.
      {R"(package P
partial package PM constant Real cp = 1; replaceable function h input Real T; output Real y; algorithm y := cp*T; end h;
model BP Real T, u; equation u = h(T); end BP; end PM;
package Water extends PM(cp = 4); redeclare function h input Real T; output Real y; algorithm y := cp*T + 7; end h; end Water;
package Oil extends PM(cp = 5); redeclare function extends h protected Real z = 3*cp; algorithm y := y + z; end h; end Oil;
package Heavy extends Oil(cp = 6); end Heavy;
model Volume replaceable package Me = PM; Me.BP b; equation b.T = time; end Volume;
model M Volume v(redeclare package Me = Water), w, x(redeclare package Me = Heavy); Real oil = Oil.h(time); end M; end P;
)",
       {{"v.b.u", 11}, {"w.b.u", 1}, {"x.b.u", 24}, {"oil", 20}}},
      // Constants and redeclared classes of what is instantiated.
      {R"(package P
model Gear constant Real k = 2; function f input Real x; output Real y; algorithm y := k*x; end f;
model In Real y = k*time; model Deep Real y = 2*k*time; end Deep; Deep d; end In;
In i; Real z = f(time), q = k*time; end Gear;
model Heir extends Gear(k = 5); Real h = f(time); In j; end Heir;
model Plant replaceable model Q Real y = 1; end Q; model Sub Q q; end Sub; Sub s; Q direct; end Plant;
model Q7 Real y = 7; end Q7;
package PS replaceable model Q Real y = 1; end Q; model Sys Q q; end Sys; end PS;
package DS extends PS(redeclare model Q = Q7); end DS;
model M Gear g(k = 7), o; Heir h; Plant p(redeclare model Q = Q7), n; DS.Sys s; end M; end P;
)",
       {{"g.i.y", 7},
        {"g.i.d.y", 14},
        {"g.z", 7},
        {"g.q", 7},
        {"o.i.y", 2},
        {"o.z", 2},
        {"h.i.y", 5},
        {"h.j.y", 5},
        {"h.h", 5},
        {"p.s.q.y", 7},
        {"p.direct.y", 7},
        {"n.s.q.y", 1},
        {"s.q.y", 7}}},
  });
}

TEST_CASE("Modelica files: a class that extends the inherited one of its name has all of that") {
  // Source  MLS 3.6, 7.3.1
  test::checkModelica({
      {R"(package P
model Base replaceable model Part parameter Real k = 1; Real x(start = 1, fixed = true); Modelica.Blocks.Interfaces.RealOutput y;
equation der(x) = -k*x; y = x; end Part;
replaceable record R Real a = 3; end R; replaceable package K constant Real k = 2; model In Real y = k*time; end In; end K;
replaceable connector C Real v; flow Real i; end C;
Part p; R r; K.In in_; C c; equation c.v = time; end Base;
model Heir extends Base; redeclare model extends Part parameter Real q = 2; Real z = 2*x; end Part;
redeclare record extends R Real b = 4; end R; redeclare package extends K(k = 5) constant Real j = 6; end K;
redeclare connector extends C Real s; flow Real f; end C; Real j = K.j; equation c.s = 2*time; end Heir;
model Next extends Heir; redeclare model extends Part(k = 2) Real w = z + q; end Part; end Next;
package PA replaceable model A Real y = 1; end A; model U A a; end U; end PA;
package PB extends PA; redeclare model extends A Real z = 7*y; end A; end PB;
model M Base b; Heir h; Next n; PB.U u; end M; end P;
)",
       {{"b.p.y", std::exp(-1)},
        {"b.in_.y", 2},
        {"h.p.y", std::exp(-1)},
        {"h.p.z", 2 * std::exp(-1)},
        {"h.r.a", 3},
        {"h.r.b", 4},
        {"h.in_.y", 5},
        {"h.j", 6},
        {"h.c.v", 1},
        {"h.c.s", 2},
        {"n.p.y", std::exp(-2)},
        {"n.p.w", 2 * std::exp(-2) + 2},
        {"n.in_.y", 5},
        {"u.a.y", 1},
        {"u.a.z", 7}}},
  });
}

TEST_CASE("Modelica files: modifiers of a replaceable class hold for what it is redeclared as") {
  // Source  MLS 3.6, 7.3.2
  test::checkModelica({
      {R"(package P
partial model Base parameter Real k = 1, j = 1; Real y; end Base;
model B1 extends Base; equation y = k*j; end B1; model B2 extends Base; equation y = 100*k*j; end B2;
model HC replaceable B1 x(k = 2); end HC;
model HM replaceable model X = B1(k = 2); X x; end HM;
model HK replaceable model X = B1(k = 2) constrainedby Base(j = 3); X x; end HK;
model HH extends HM(redeclare model X = B2(j = 5)); end HH;
model M HC c(redeclare B2 x); HM a, m(redeclare model X = B2), n(redeclare model X = B2(k = 4)); HK k(redeclare model X = B2), l;
HH h, i(X(k = 7)); end M; end P;
)",
       {{"c.x.y", 200},
        {"a.x.y", 2},
        {"m.x.y", 200},
        {"n.x.y", 400},
        {"k.x.y", 300},
        {"l.x.y", 6},
        {"h.x.y", 1000},
        {"i.x.y", 3500}}},
  });
}

TEST_CASE(
    "Modelica files: outer classes, functions, packages and types are the inner ones around them") {
  // Source  MLS 3.6, 5.4
  test::checkModelica({
      {R"(package P
model Zb Real y = 1; end Zb; model Zc Real y = 3; end Zc; model Zd Real y = 5; end Zd;
function fb input Real x; output Real y; algorithm y := x; end fb; function fc input Real x; output Real y; algorithm y := 100*x; end fc;
package Kb constant Real k = 1; end Kb; package Kc constant Real k = 9; end Kc;
model U outer model Z = P.Zb; outer function f = P.fb; outer package K = P.Kb; outer type T = Real; Z z; Real y = f(time); Real k = K.k;
T x(fixed = true); equation der(x) = 0; end U;
model Between U u; end Between;
model Nearer inner model Z = P.Zd; U u; end Nearer;
model M inner replaceable model Z = P.Zc; inner function f = P.fc; inner package K = P.Kc; inner type T = Real(start = 4);
U u; Between b; Nearer n; end M; end P;
)",
       {{"u.z.y", 3},
        {"u.y", 100},
        {"u.k", 9},
        {"u.x", 4},
        {"b.u.z.y", 3},
        {"n.u.z.y", 5},
        {"n.u.k", 9}}},
  });
}

TEST_CASE("Modelica files: of a type that is an array of arrays its own dimensions come first") {
  // Source  MLS 3.6, 10.1
  test::checkModelica({
      {R"(package P
type Vec = Real[3]; type Mat = Vec[2]; type Box = Mat[4];
function f output Mat A; output Real n; algorithm A := {{1, 2, 3}, {4, 5, 6}}; n := 10*size(A, 1) + size(A, 2); end f;
model M parameter Mat A = {{1, 2, 3}, {4, 5, 6}}; parameter Box B = fill(A, 4); Vec v[2] = time*A; Mat X;
parameter Integer n[:] = size(B); Real s = 100*n[1] + 10*n[2] + n[3], y = A[2, 1], z = v[2, 3], x = X[1, 3], g; protected Mat C;
equation (C, g) = f(); for i in 1:2 loop for j in 1:3 loop X[i, j] = j*time; end for; end for; end M; end P;
)",
       {{"s", 423}, {"y", 4}, {"z", 6}, {"x", 3}, {"g", 23}}},
  });
}

TEST_CASE(
    "Modelica files: sections of algorithms stand for themselves, and see what each other gives") {
  test::checkModelica({
      {R"(model M Real x(start = 1, fixed = true), y, z; Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
algorithm y := x; y := y + 1;
algorithm z := 2*y; when time > 0.5 then n := pre(n) + 1; end when;
algorithm when time > 0.6 then m := pre(m) + n; end when;
equation der(x) = -x; end M;
)",
       {{"y", std::exp(-1) + 1}, {"z", 2 * std::exp(-1) + 2}, {"n", 1}, {"m", 1}}},
  });
}

TEST_CASE(
    "Modelica files: what is shorter than 100 eps is divided by that to be normalised, and 0 stays "
    "0") {
  constexpr double least = 100 * std::numeric_limits<double>::epsilon();
  test::checkModelica({
      {R"(model M Real v[2] = {time - 1, 0}; Real e[2] = Modelica.Math.Vectors.normalize(v), x(start = 0, fixed = true);
Real small[2] = Modelica.Math.Vectors.normalize({1e-15*time, 0}), whole[2] = Modelica.Math.Vectors.normalize({3*time, 4});
parameter Real p[2] = Modelica.Math.Vectors.normalize({1e-15, 0}); equation der(x) = e[1] + p[1] - small[2]; end M;
)",
       {{"e[1]", 0},
        {"e[2]", 0},
        {"x", -1 + 1e-15 / least},
        {"small[1]", 1e-15 / least},
        {"whole[1]", 0.6}}},
  });
}

TEST_CASE("Modelica files: classes that only modify one of the library may be modified again") {
  test::checkModelica({
      {R"(package P
block G1 extends Modelica.Blocks.Math.Gain(k = 4); end G1; block G2 extends G1(k = 6); end G2;
block S1 = Modelica.Blocks.Math.Gain(k = 4); block S2 extends S1(k = 7); end S2; block S3 = G2(k = 8); block S4 extends S3; end S4;
model M G1 a(u = time); G2 b(u = time); S2 c(u = time); S4 d(u = time); S4 e(u = time, k = 9); end M; end P;
)",
       {{"a.y", 4}, {"b.y", 6}, {"c.y", 7}, {"d.y", 8}, {"e.y", 9}}},
  });
}

TEST_CASE(
    "Modelica files: functions call themselves as deep as 150 calls, whatever stands around the "
    "call") {
  test::checkModelica({
      {R"(package P
function hanoi input Integer n; output Integer c; algorithm c := if n == 0 then 0 else 2*hanoi(n - 1) + 1; end hanoi;
function depth input Integer n; output Integer y; algorithm if n <= 0 then y := 0; else y := 1 + (if n > 0 then abs(depth(n - 1)) else 0); end if; end depth;
model M parameter Integer a = hanoi(16), b = depth(140); Real x = a*time, y = b*time; end M; end P;
)",
       {{"x", 65535}, {"y", 140}}},
  });
}
