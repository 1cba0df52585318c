// Functions, arrays, statements, records and packages of Modelica files as the specification has them: each case
// is imported, run for 1 s and compared with what it says by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/models/modelica_run.h"

using namespace cardan;
using std::cos, std::exp, std::sin;

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
       {{"y", 5}, {"z", 20}, {"q", 10}, {"w", 30}, {"v", 35}, {"r", sin(1)}}},
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

TEST_CASE("Modelica files: functions that arrange arrays do so with parameters and variables") {
  test::checkModelica({
      {R"(package P
function f input Real t; output Real A[2,2]; output Real B[2,3]; output Real v[4];
algorithm A := symmetric([t, 2*t; 9, 3]); B := cat(2, [t; 2], [3, 4; 5*t, 6]); v := cat(1, {t, 2}, vector([3*t, 4]));
end f;
model M parameter Real S[2,2] = symmetric([1, 2; 9, 3]); Real s = S[2,1]*time;
Real T[2,2] = symmetric([time, 2*time; 9, 3]); Real a[2] = {time, 2*time}, b[3] = {3, 4, 5*time};
Real v[5] = cat(1, a, b); Real C[2,3] = cat(2, [time; 2], [3, 4; 5*time, 6]); Real D[2,2] = [a, b[1:2]];
Real E[4,1] = [a; b[2:3]]; Real F[3,2] = [D; a[1], 7]; parameter Real G[:,:] = cat(2, [1; 2], [3, 4; 5, 6]);
Real g = G[2,3]*time + size(G, 2); Real H[2,1] = matrix(a), I[2,1] = promote(a, 2); Real j = scalar([time]);
Real k[2] = vector([time, 2]); Real L[1,2] = transpose([a]); Real A[2,2], B[2,3], w[4];
equation (A, B, w) = f(time);
end M; end P;
)",
       {{"s", 2},      {"T[2,1]", 2}, {"T[1,2]", 2}, {"v[2]", 2},   {"v[5]", 5},   {"C[2,2]", 5},
        {"C[1,3]", 4}, {"D[2,1]", 2}, {"D[1,2]", 3}, {"E[2,1]", 2}, {"E[4,1]", 5}, {"F[3,2]", 7},
        {"F[2,2]", 4}, {"g", 9},      {"H[2,1]", 2}, {"I[2,1]", 2}, {"j", 1},      {"k[2]", 2},
        {"L[1,2]", 2}, {"A[2,1]", 2}, {"B[2,2]", 5}, {"w[3]", 3},   {"w[4]", 4}}},
  });
}

TEST_CASE("Modelica files: the power of a matrix is its repeated product") {
  test::checkModelica({
      {R"(package P
function f input Real A[2,2]; output Real B[2,2]; algorithm B := A^3; end f;
model M parameter Real A[2,2] = [1, 1; 0, 1]; parameter Real B[2,2] = A^3; Real b = B[1,2]*time;
Real C[2,2] = [1, time; 0, 1]^4; Real D[2,2] = [time, 2; 3, 4]^0; Real E[2,2] = f([1, time; 0, 1]);
Real R[2,2] = [cos(time), -sin(time); sin(time), cos(time)]^3; Real F[2,2] = [time, 2; 3, 4]^1;
Real v[2] = A^2*{time, 1};
end M; end P;
)",
       {{"b", 3},
        {"C[1,2]", 4},
        {"D[1,1]", 1},
        {"D[2,1]", 0},
        {"E[1,2]", 3},
        {"R[2,1]", sin(3)},
        {"F[2,1]", 3},
        {"v[1]", 3}}},
  });
}

TEST_CASE("Modelica files: an open size is that of what the variable is given") {
  test::checkModelica({
      {R"(package P
function f input Real u[:]; output Real y[size(u, 1)]; algorithm y := 2*u; end f;
function g input Real u[:]; output Real y; algorithm y := sum(u); end g;
record R parameter Real v[:]; end R;
model A Real v[:]; parameter Real p[:]; Real s = sum(v) + sum(p); end A;
model M Real x[3](each start = 1, each fixed = true); Real a[:] = {time, 2*time}; Real b[:] = 2*x; Real c[:] = f(x);
Real d[:] = der(x); Real e[:] = {i*time for i in 1:4}; Real h[:] = e[2:3]; Real i[:] = fill(time, 3);
Real o2[:,:] = {x, b}; Real j[:] = o2*x; Real k[:,:] = [x, b]; Real l[:] = if time > 2 then x else -x;
Real m[:] = sin(x); Real o[:] = cross(x, {0, 0, 1}); Real n = size(a, 1) + 10*size(o2, 2) + 100*size(k, 2);
A q(v = {time, 2}, p = {3}); parameter R r(v = {1, 2, 3}), s = R(v = {4, 5}); Real t = r.v[3]*time + s.v[2];
Real u = g(2*x - {1, 1, 1}) + g(cross(x, {1, 0, 0}));
equation der(x) = -x;
end M; end P;
)",
       {{"a[2]", 2},
        {"b[3]", 2 * exp(-1)},
        {"c[3]", 2 * exp(-1)},
        {"d[1]", -exp(-1)},
        {"e[4]", 4},
        {"h[2]", 3},
        {"i[3]", 1},
        {"j[2]", 6 * exp(-2)},
        {"k[2,2]", 2 * exp(-1)},
        {"l[1]", -exp(-1)},
        {"m[1]", sin(exp(-1))},
        {"o[2]", -exp(-1)},
        {"n", 232},
        {"q.s", 6},
        {"t", 8},
        {"u", 6 * exp(-1) - 3}}},
      {R"(model M inner Modelica.Mechanics.MultiBody.World world(g = 2);
Modelica.Mechanics.MultiBody.Parts.Body b(m = 1, r_0(start = {1, 2, 3}, each fixed = true), v_0(each fixed = true));
Real v[:] = b.r_0 - {1, 0, 0}; Real n = size(v, 1); Real w[:] = b.v_0;
end M;
)",
       {{"v[2]", 1}, {"v[3]", 3}, {"n", 3}, {"w[2]", -2}}},
  });
}

TEST_CASE("Modelica files: an index that changes chooses an element") {
  test::checkModelica({
      {R"(package P
function f input Real t[:]; input Integer i; output Real y; algorithm y := t[i]; end f;
model M parameter Real t[3] = {10, 20, 30}; parameter Real A[2,2] = [1, 2; 3, 4]; Real z[3] = {time, 2, 3};
Integer i(start = 1, fixed = true); Integer j = if time > 0.7 then 1 else 2;
Real a = t[i], b = z[i] + t[i-1+j], c = A[i,j], d[2] = A[i,:], e = z[end+1-i], g = f(z, i); Real h;
algorithm h := z[i];
equation when time > 0.5 then i = 2; end when;
end M; end P;
)",
       {{"a", 20}, {"b", 22}, {"c", 3}, {"d[2]", 4}, {"e", 2}, {"g", 2}, {"h", 2}}},
  });
  const std::string wrong = test::modelOfModelica(R"(model M parameter Real t[3] = {10, 20, 30};
Integer i(start = 1, fixed = true); Real y = t[i]; equation when time > 0.5 then i = 4; end when;
end M;
)");
  CHECK(test::messageOfRun(wrong).find("an index is not from 1 to 3") != std::string::npos);
}

TEST_CASE("Modelica files: algorithms assign records, matrices and parts of arrays") {
  test::checkModelica({
      {R"(package P
record R Real a; Real v[2]; end R; record S R r; Real b; end S;
function f input R r; output Real y; algorithm y := r.a + sum(r.v); end f;
function g input Real u; output R r; output Real y; algorithm r := R(u, {2*u, 3*u}); y := 4*u; end g;
model M R r, p, h; S s; Real a, b, c, d, e;
algorithm r := R(time, {2, 3}); a := r.a + r.v[2]; p.a := 2*time; p.v := {4, 5}; b := f(p) + f(r);
s.r := R(time, {6, 7}); s.b := s.r.v[1]; c := f(s.r) + s.b; (h, d) := g(time); e := h.v[2] + d;
if time > 0.5 then r := R(8, {9, time}); else r.a := 0; end if; r.v[1] := r.v[1] + 1;
end M; end P;
)",
       {{"a", 4},
        {"b", 17},
        {"c", 20},
        {"e", 7},
        {"r.a", 8},
        {"r.v[1]", 10},
        {"r.v[2]", 1},
        {"s.r.v[2]", 7},
        {"h.v[1]", 2}}},
      {R"(model M Real A[2,2], B[2,2], v[4], w[2], x[3], z[3] = {time, 2, 3}; Real s, t, y, n;
algorithm for i in 1:2 loop for j in 1:2 loop A[i,j] := i*10 + j*time; end for; end for; s := sum(A);
B := 2*[1, 2; 3, time]; t := B[2,2] + B[1,2]; B[1,1] := t; B[2,:] := {5, 6*time};
v := {time, 2, 3, 4}; w := v[2:3]; v[{1, 4}] := {7, 8}; x := cross(z, {1, 0, 0}); y := x[2] + x[3];
n := 0; for i in 1:size(v, 1) loop n := n + v[i]; end for; v[end] := v[end] + 1;
end M;
)",
       {{"s", 66},
        {"t", 6},
        {"B[1,1]", 6},
        {"B[1,2]", 4},
        {"B[2,2]", 6},
        {"v[1]", 7},
        {"v[4]", 9},
        {"w[2]", 3},
        {"y", 1},
        {"n", 20}}},
  });
}

TEST_CASE("Modelica files: loops, parts of arrays and choices in 'when'") {
  test::checkModelica({
      {R"(model M parameter Boolean on = true; Real v[3](each start = 0, each fixed = true), w[3](each start = 0, each fixed = true);
Real x[3](each start = 0, each fixed = true), y(start = 0, fixed = true); Integer n(start = 0, fixed = true);
equation der(x) = {1, 2, 3}; der(y) = 1;
when time > 0.5 then for i in 1:3 loop v[i] = pre(v[i]) + i*time; end for; w[1:2] = {1, 2}; w[3] = 3*time;
for i in 1:2 loop if x[i] > 0.75 then reinit(x[i], 0); end if; end for;
if y > 0.75 then reinit(y, 5); else reinit(y, 1); end if; if on then n = 1; end if;
elsewhen time > 0.75 then for i in 1:3 loop v[i] = pre(v[i]) + 10; end for; end when;
end M;
)",
       {{"v[3]", 11.5},
        {"v[1]", 10.5},
        {"w[2]", 2},
        {"w[3]", 1.5},
        {"x[1]", 1},
        {"x[2]", 1},
        {"x[3]", 3},
        {"y", 1.5},
        {"n", 1}}},
      {R"(model M Real x(start = 0, fixed = true), y(start = 0, fixed = true); Real v[3](each start = 0, each fixed = true);
equation der(x) = 1; der(y) = 1;
algorithm when time > 0.5 then reinit(x, 0); v[1:2] := {1, 2*time}; v[3] := v[2];
end when;
end M;
)",
       {{"x", 0.5}, {"y", 1}, {"v[2]", 1}, {"v[3]", 1}}},
  });
}

TEST_CASE("Modelica files: assertions of functions and algorithms hold where they are reached") {
  const auto model = [](const std::string& limit) {
    return R"(package P
function g input Real k; output Real y; algorithm assert(k > 0, "positive only"); y := k; end g;
function f input Real u; output Real y;
algorithm assert(u <= )" +
           limit + R"(, "too large");
if u < 0 then assert(false, "negative"); y := 0; elseif u > 5 then y := g(-1); else assert(u < 2, "very large"); y := 2*u;
end if; end f;
model M Real y = f(time), z; algorithm z := y; if time > 3 then assert(z < 0, "late"); end if;
end M; end P;
)";
  };
  const std::string good = model("1.5");
  test::checkModelica({{good.c_str(), {{"y", 2}, {"z", 2}}}});
  const auto said = [](const std::string& text, double until) {
    return test::messageOfRun(test::modelOfModelica(text), {.stopTime = until});
  };
  CHECK(said(model("0.5"), 1).find("the assertion does not hold: too large") != std::string::npos);
  CHECK(said(model("9"), 3).find("the assertion does not hold: very large") != std::string::npos);
}

TEST_CASE("Modelica files: behind a 'return' of a function under a condition all stays as it is") {
  test::checkModelica({
      {R"(package P
function first input Boolean b[:]; output Integer i;
algorithm i := 0; for k in 1:size(b, 1) loop if b[k] then i := k; return; end if; end for; end first;
function f input Real u; output Real y = 1; output Real z;
algorithm
  z := 10*u; if u > 0.8 then y := 2; if u > 0.9 then return; end if; y := y + 1; else z := 5; end if;
  y := 10*y; z := z + 1;
end f;
model M Integer none = first({time > 2, time > 3}), second = first({time > 2, time > 0.2, time > 0.1});
  Real a, b, c, d, e, g;
equation (a, b) = f(time); (c, d) = f(0.85*time); (e, g) = f(0.5*time); end M; end P;
)",
       {{"none", 0},
        {"second", 2},
        {"a", 2},
        {"b", 10},
        {"c", 30},
        {"d", 9.5},
        {"e", 10},
        {"g", 6}}},
  });
}

TEST_CASE(
    "Modelica files: behind a 'return' under a condition locals count, and calls assert nothing") {
  double s = 0.5;
  for (int i = 1; i <= 9 && s <= 1 + i; ++i) s = s * 1.5 + s * s / 10;
  test::checkModelica({
      {R"(package P
function count input Real x; output Real y; protected Integer k, n; Real s; algorithm
if x < 0 then y := 0; return; end if; s := 0; k := 1; n := 2;
while k < 4 loop s := s + k*x; k := k + 1; end while; for i in 1:n loop s := s + i; end for;
y := s; end count;
function grown input Real x; output Real y; protected Real s; algorithm y := 0; s := x;
for i in 1:9 loop if s > 1 + i then y := s; return; end if; s := s*1.5 + s^2/10; end for;
y := s; end grown;
function place input Real x; output Real y; algorithm y := 0;
for i in 1:30 loop if x < i/32 then y := i; return; end if; end for; end place;
function root input Real x; output Real y;
algorithm assert(x > 0, "negative"); y := sqrt(x); end root;
function safe input Real x; output Real y;
algorithm if x <= 0 then y := 0; return; end if; y := root(x); end safe;
model M Real x = 1 - time/2, a = count(x), b = grown(x), c = safe(x), d = safe(1 - 2*time), e = place(x + 1/64);
end M; end P;
)",
       {{"a", 6}, {"b", s}, {"c", std::sqrt(0.5)}, {"d", 0}, {"e", 17}}},
  });
}

TEST_CASE("Modelica files: assertions that only warn let the run go on, in functions, too") {
  const std::string text = R"(package P
function f input Real u; output Real y;
algorithm assert(u < 0.5, "large", AssertionLevel.warning); y := 2*u; end f;
model M parameter Real p = f(3); Real y = f(time) + p; end M; end P;
)";
  test::checkModelica({{text.c_str(), {{"y", 8}, {"check1", 0}}}});
  Diagnostics said;
  test::modelOfModelica(text, said);
  CHECK(said.format() == "m.mo:3:11: warning: the assertion does not hold: large");
  // Of the start, in 'when', and what is found before all else.
  const std::string others = R"(package P
function f input Real u; output Integer n;
algorithm assert(u < 0.5, "large", AssertionLevel.warning); n := 2; end f;
model M parameter Integer n = f(3); Real x[n](each start=1, each fixed=true);
initial equation assert(x[1] > 1.5, "small", AssertionLevel.warning);
equation for i in 1:n loop der(x[i]) = -1; end for;
when time > 0.5 then assert(x[1] > 1.5, "late", AssertionLevel.warning); end when; end M; end P;
)";
  test::checkModelica({{others.c_str(), {{"x[2]", 0}, {"check1", 0}}}});
  Diagnostics all;
  test::modelOfModelica(others, all);
  CHECK(all.format().find("the assertion does not hold: large") != std::string::npos);
  CHECK(all.format().find("m.mo:7:22: warning: an assertion in 'when' that only warns") !=
        std::string::npos);
}

TEST_CASE("Modelica files: an assertion of the start holds there alone") {
  const auto model = [](const std::string& start) {
    return "model M Real x(start = " + start +
           ", fixed = true); equation der(x) = -1; initial equation assert(x > 0.5, \"low\"); end "
           "M;\n";
  };
  const std::string good = model("1");
  test::checkModelica({{good.c_str(), {{"x", 0}}}});
  CHECK(test::messageOfRun(test::modelOfModelica(model("0.2")), {}).find("low") !=
        std::string::npos);
}

TEST_CASE("Modelica files: what one function makes of records another one takes") {
  test::checkModelica({
      {R"(package P record Z Real re; Real im; end Z;
function mul input Z a; input Z b; output Z c;
algorithm c.re := a.re*b.re - a.im*b.im; c.im := a.re*b.im + a.im*b.re; end mul;
function cube input Z a; output Z c; algorithm c := mul(a, mul(a, a)); end cube;
function abs2 input Z a; output Real y; algorithm y := a.re^2 + a.im^2; end abs2;
record Pair Z a; Real s; end Pair;
function pair input Real u; output Pair r; algorithm r.a := cube(Z(u, 0)); r.s := r.a.re + 1; end pair;
model M Z z, w, v = cube(z); Real y = abs2(mul(z, Z(2, 0))); Pair p = pair(time);
equation z = Z(cos(time), sin(time)); w = mul(z, mul(z, z)); end M; end P;
)",
       {{"w.re", cos(3)}, {"v.im", sin(3)}, {"y", 4}, {"p.s", 2}}},
  });
}

TEST_CASE("Modelica files: texts of numbers, truths and literals") {
  test::checkModelica({
      {R"(package P type E = enumeration(a, b);
model M parameter String s = String(3.5) + String(true) + String(12) + String(E.b);
Real a = if s == "3.5true12b" then 1 else 0; Real b = if String(0.1 + 0.2) == "0.3" then 1 else 0;
end M; end P;
)",
       {{"a", 1}, {"b", 1}}},
      {R"(model M parameter Integer n = 42; parameter Real x = 3.14159;
Real a = if String(x, significantDigits = 3) == "3.14" then 1 else 0;
Real b = if String(n, minimumLength = 5, leftJustified = false) == "   42" then 1 else 0;
Real c = if String(n, minimumLength = 5) == "42   " then 1 else 0;
Real d = if String(12345678.0, significantDigits = 3) == "1.23e+07" then 1 else 0;
end M;
)",
       {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}}},
  });
}

TEST_CASE(
    "Modelica files: literals and Booleans are ranges and indices, and an index has the range of "
    "its use") {
  test::checkModelica({
      {R"(package P type E = enumeration(one, two, three);
model M Real x[E](start = {1, 2, 3}, each fixed = true); Real b[Boolean]; parameter E p = E.two;
parameter Real w[E] = {10, 20, 30}; Real y, q, v, u; Boolean late = time > 0.5; Real none[0];
equation for e in E.two:E.three loop der(x[e]) = -1; end for; der(x[E.one]) = 1; y = x[E.two]; q = x[p];
b[false] = 1; b[true] = 2*time; v = sum(w[e] for e in E.one:p) + sum(1 for e in E.three:E.one);
u = b[late] + sum(if t then 1 else 0 for t in false:true);
end M; end P;
)",
       {{"x[1]", 2}, {"y", 1}, {"q", 1}, {"v", 30}, {"u", 3}}},
      {R"(package P model Part Real y; Real z[2]; parameter Real k = 1; equation y = k*time;
for i loop z[i] = i*y; end for; end Part;
function total input Real a[:], b[:, :]; output Real s = 0;
algorithm for i loop s := s + a[i]; for j loop s := s + b[i, j]; end for; end for; end total;
model M Part p[3](k = {1, 2, 3}); Real s, m[2, 3], t;
equation s = sum(p[i].y*p[i].z[2] for i); for i, j loop m[i, j] = 10*i + j; end for;
t = total({1, 2}*time, m); end M; end P;
)",
       {{"s", 2 + 8 + 18}, {"m[2,3]", 23}, {"t", 3 + 36 + 66}}},
  });
  Diagnostics said;
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  CHECK(!modelica::importText(
      catalogue(),
      "model M Real x[2], y[3]; equation for i loop x[i] = 1; y[i] = 2; end for; end M;", "m.mo",
      options, said));
  CHECK(said.format().find("have 2 and 3 elements") != std::string::npos);
}

TEST_CASE("Modelica files: a function may be the partial derivative of another one") {
  test::checkModelica({
      {R"(package P function f input Real x; input Real y = 2; output Real z;
protected Real s = 0; algorithm for i in 1:2 loop s := s + x^i; end for;
z := if x > 0 then s*y + sin(x) else 0; end f;
function g input Real x; output Real y[2]; algorithm y := {x^3, exp(2*x)}; end g;
function fx = der(f, x); function fxy = der(f, x, y); function fxx = der(f, x, x);
function gx = der(g, x);
model M Real a = fx(time, 3), b = fxy(2*time, time), c = fxx(time, y = 3*time), v[2] = gx(time*time);
parameter Real p = fx(1); Real d = p*time, e = fx(y = 2, x = x); Real x(start = 1, fixed = true);
equation der(x) = -x; end M; end P;
)",
       {{"a", 9 + cos(1)},
        {"b", 5},
        {"c", 6 - sin(1)},
        {"v[1]", 3},
        {"v[2]", 2 * exp(2)},
        {"d", 6 + cos(1)},
        {"e", 2 + 4 * exp(-1) + cos(exp(-1))}}},
  });
}

TEST_CASE(
    "Modelica files: constants of the machine, angles and units by the names of the "
    "library") {
  const double pi = std::acos(-1.0);
  test::checkModelica({
      {R"(model M import ModelicaServices.Machine; import Modelica.Math.*; import Cv = Modelica.Units.Conversions;
Real a = if Machine.eps == Modelica.Constants.eps and Machine.inf == Modelica.Constants.inf and Machine.small > 0 then 1 else 0;
Real b = min(time, ModelicaServices.Machine.inf) + ModelicaServices.Machine.Integer_inf*0; Real c = atan3(time, 1, 6), d = wrapAngle(7*time);
Real e = wrapAngle(-time, true), f = Cv.from_degF(212*time) + Cv.to_degF(273.15*time), g = Cv.from_litre(time);
Real h = Cv.from_kWh(time) + Cv.from_day(time) + Cv.from_Hz(time);
end M;
)",
       {{"a", 1},
        {"b", 1},
        {"c", pi / 4 + 2 * pi},
        {"d", 7 - 2 * pi},
        {"e", 2 * pi - 1},
        {"f", 373.15 + 32},
        {"g", 1e-3},
        {"h", 3.6e6 + 86400 + 2 * pi}}},
  });
  Diagnostics said;
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  CHECK(!modelica::importText(
      catalogue(), R"(model M Real A[2,2] = Modelica.Math.Matrices.exp([0, 1; 0, 0]); end M;)",
      "m.mo", options, said));
  CHECK(said.format().find("'Modelica.Math.Matrices.exp'") != std::string::npos);
}

TEST_CASE("Modelica files: Worlds with the same field are one") {
  test::checkModelica({
      {R"(package P
model A inner Modelica.Mechanics.MultiBody.World world(g = 2, enableAnimation = false); Modelica.Mechanics.MultiBody.Parts.Body b(m = 1);
Modelica.Mechanics.MultiBody.Joints.Prismatic p(n = {0, 1, 0}, s(fixed = true), v(fixed = true));
equation connect(world.frame_b, p.frame_a); connect(p.frame_b, b.frame_a); end A;
model B A a, b; end B;
model M A a; B b; inner Modelica.Mechanics.MultiBody.World world(g = 2);
Modelica.Mechanics.MultiBody.Parts.Body c(m = 1, r_0(each fixed = true), v_0(each fixed = true));
end M; end P;
)",
       {{"a.p.s", -1}, {"b.b.p.s", -1}, {"c.r_0[2]", -1}}},
  });
}

TEST_CASE("Modelica files: conditions choose an equation of the start") {
  test::checkModelica({
      {R"(model M Real x(start = 1, fixed = true), y(start = 0); initial equation if x > 0.5 then y = 1; else y = 2; end if;
equation der(x) = -x; der(y) = -y;
end M;
)",
       {{"y", exp(-1)}}},
  });
}

TEST_CASE(
    "Modelica files: what remembers by pre() has what an event made of it, beside edge() of what "
    "changed") {
  test::checkModelica({
      {R"(model M Boolean b, c = time > 0.5; Integer n(start = 0, fixed = true), k(start = 0, fixed = true), m(start = 5, fixed = true);
algorithm b := time > 0.5; if edge(b) then n := pre(n) + 1; end if;
equation k = if c and not pre(c) then pre(k) + 1 else pre(k); m = if change(b) then pre(n) + 7 else pre(m);
end M;
)",
       {{"n", 1}, {"k", 1}, {"m", 7}}},
  });
}
