// Functions, records and packages of Modelica files as the specification has them: each case is imported, run
// for 1 s and compared with what it says by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/models/modelica_run.h"

using namespace cardan;

TEST_CASE("Modelica files: a function has the statements and the names of what it extends") {
  test::checkModelica({
      {R"(package P
package Q constant Real k = 5; function g input Real u; input Real j = 1; output Real y;
protected Real a = k; algorithm y := a*j*u; end g; end Q;
function f extends Q.g; end f;
function h extends Q.g(j = 4); end h;
function s = h(j = 3);
function t extends s; end t;
model M parameter Real p = f(2); Real y = f(time), z = h(time), q = p*time, w = s(time) + t(time);
function l = Q.g(j = 7); Real v = l(time); function a = Modelica.Math.sin; Real r = a(time);
end M; end P;
)",
       {{"y", 5}, {"z", 20}, {"q", 10}, {"w", 30}, {"v", 35}, {"r", std::sin(1)}}},
      {R"(package P
partial function pf input Real u; output Real y; end pf;
function one extends pf; algorithm y := u; end one;
function times extends pf; input Real k = 2; algorithm y := k*u; end times;
model A replaceable function f = one constrainedby pf; Real y = f(time); end A;
model B replaceable function h = one constrainedby pf; A a(redeclare function f = h); end B;
model C extends A(redeclare function f = times(k = 4)); end C;
model D extends A; redeclare function extends f algorithm y := 9*u; end f; end D;
model E replaceable function f = pf; Real y = f(time); end E;
model F extends E; redeclare function extends f algorithm y := 8*u; end f; end F;
model M parameter Real q = 6; A a(redeclare function f = times(k = q)); A b; A c(redeclare function f = times);
A v(redeclare function f = times(k = time)); B d(redeclare function h = times(k = 7)); C e; F g; end M;
end P;
)",
       {{"a.y", 6}, {"b.y", 1}, {"c.y", 2}, {"v.y", 1}, {"d.a.y", 7}, {"e.y", 4}, {"g.y", 8}}},
  });
}

TEST_CASE("Modelica files: a package that changes what it inherits changes all that hangs on it") {
  test::checkModelica({
      {R"(package P
package Q constant Real k = 1; constant Real j = 2*k; constant Real z = 3;
function f input Real u; output Real y; algorithm y := k*u + g(u); end f;
function g input Real u; output Real y; algorithm y := j*u; end g; end Q;
package S = Q(k = 5);
package E extends Q(k = 7); constant Real own = j + 1; end E;
package R extends Q; redeclare function g input Real u; output Real y; algorithm y := 100*u; end g; end R;
package N = S(k = 9);
package O constant Real z = 50; package I extends Q; constant Real x = z; end I; end O;
model A replaceable package Me = Q; Real y = Me.f(time) + Me.j; end A;
model M Real y = S.k*time + S.j, e = E.f(time), o = E.own, r = R.f(time), n = N.f(time), x = O.I.x, b = Q.f(time);
A a, c(redeclare package Me = E), d(redeclare package Me = Q(k = 3));
end M; end P;
)",
       {{"y", 15},
        {"e", 21},
        {"o", 15},
        {"r", 101},
        {"n", 27},
        {"x", 3},
        {"b", 3},
        {"a.y", 5},
        {"c.y", 35},
        {"d.y", 15}}},
  });
}

TEST_CASE("Modelica files: records in records of parameters are as their whole says") {
  test::checkModelica({
      {R"(package P
record R Real k = 1; Real j = 2; end R;
record S R r; Real b = 3; end S;
record T S s; Real c = 100; end T;
record L R r[2]; Real v[3] = {0, 0, 0}; end L;
function mk input Real u; output S s; algorithm s.r.k := u; s.r.j := 2*u; s.b := 3*u; end mk;
model A parameter S s; parameter R r; Real y = s.r.j*time + s.b; Real z = r.j*time; end A;
model M parameter T t = T(S(R(7, 8), 9), 10); Real a = t.s.r.j*time + t.s.b + t.c;
parameter T u(s = S(R(1, 6), 4)); Real b = u.s.r.j + u.s.b + u.c*time;
parameter T w(s(r = R(4, 5))); Real c = w.s.r.k + 10*w.s.r.j*time;
parameter L l = L(r = {R(7, 8), R(9, 11)}, v = {1, 2, 3}); Real d = l.r[2].j*time + l.r[1].k + l.v[3];
parameter S q = mk(2); Real e = q.r.j*time + q.b;
parameter S x = S(R(7, 8), 9); A f(s = x), g(s(b = 4)), h(r = x.r);
end M; end P;
)",
       {{"a", 27},
        {"b", 110},
        {"c", 54},
        {"d", 21},
        {"e", 10},
        {"f.y", 17},
        {"g.y", 6},
        {"h.z", 8}}},
  });
}

TEST_CASE("Modelica files: a function of scalars is carried out for each element of arrays") {
  test::checkModelica({
      {R"(package P
type Angle = Real(unit = "rad");
function f input Angle u; input Real k = 2; output Real y; algorithm if u > 1.5 then y := k*u; else y := -u; end if;
end f;
model M parameter Real p[2] = f({3, 1}); Real x = p[1]*time + p[2]; Real v[3] = f({time, 2, 3});
Real A[2,2] = f([1, 2; 3, time], 3); Real w[2] = f({2*time, 3}, {4, 5});
end M; end P;
)",
       {{"x", 5},
        {"v[1]", -1},
        {"v[3]", 6},
        {"A[2,1]", 9},
        {"A[2,2]", -1},
        {"w[1]", 8},
        {"w[2]", 15}}},
  });
}

TEST_CASE(
    "Modelica files: functions assign parts of arrays, and end their loops where they know to") {
  test::checkModelica({
      {R"(package P
function f input Real u; output Real v[4]; algorithm v := zeros(4); v[2:3] := {2*u, 3*u}; v[end] := u; end f;
function g input Real u; output Real A[2,3]; algorithm A := zeros(2, 3); A[2,:] := {u, 2*u, 3*u};
A[:,end] := {7*u, 8*u}; A[1,1:2] := A[2,1:2]; end g;
function w input Real u; output Real y; protected Integer i = 4;
algorithm y := 0; while i > 0 loop y := y + i*u; i := i - 1; if i == 1 then break; end if; end while; end w;
model M parameter Real p[4] = f(2); Real a = p[2] + 10*p[3] + 100*p[4]*time; Real b[4] = f(time);
parameter Real Q[2,3] = g(1); Real c = Q[2,3]*time; Real A[2,3] = g(time); Real y = w(time);
end M; end P;
)",
       {{"a", 264},
        {"b[3]", 3},
        {"b[4]", 1},
        {"c", 8},
        {"A[1,3]", 7},
        {"A[1,2]", 2},
        {"A[2,3]", 8},
        {"y", 9}}},
  });
}
