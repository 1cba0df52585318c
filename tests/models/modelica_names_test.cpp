// Names of the language and its library that Modelica files use: each case is a model of one of them, run
// for 1 s and compared with its closed form.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/models/modelica_run.h"

using namespace cardan;
using std::cos, std::exp, std::sin, std::sqrt;

TEST_CASE("Modelica files: functions of the language and of Modelica.Math") {
  test::checkModelica({
      {R"(model M Real x = 2*time - 1; Real y = semiLinear(x, 3, 5); Real z = semiLinear(-x, 3, 5);
end M;
)",
       {{"y", 3}, {"z", -5}}},
      {R"(model M Real y = Modelica.Math.asinh(3*time); Real z = Modelica.Math.acosh(1 + time);
Real n = Modelica.Math.asinh(-3*time); parameter Real p = Modelica.Math.asinh(1e6); Real q = p;
end M;
)",
       {{"y", std::asinh(3)}, {"z", std::acosh(2)}, {"n", -std::asinh(3)}, {"q", std::asinh(1e6)}}},
      {R"(model M import Modelica.Math.Matrices; parameter Real A[3,3] = [2,1,0; 1,3,1; 0,1,4];
Real d = Matrices.det(A); Real x[3] = Matrices.solve(A, {time, 2*time, 3});
Real B[2,2] = Matrices.inv([1 + time, 1; 1, 2]); Real t = Matrices.trace(A);
Real e = Matrices.det([0,2,0,0; 1,0,0,0; 0,0,3,1; 0,0,1,3]);
Real y[4] = Matrices.solve([0,2,0,0; 1,0,0,0; 0,0,3,1; 0,0,1,3], {4, 5, 8, 8});
end M;
)",
       {{"d", 18},
        {"x[1]", 1.0 / 3},
        {"x[2]", 1.0 / 3},
        {"x[3]", 2.0 / 3},
        {"B[1,1]", 2.0 / 3},
        {"B[2,1]", -1.0 / 3},
        {"t", 9},
        {"e", -16},
        {"y[1]", 5},
        {"y[2]", 2},
        {"y[4]", 2}}},
      {R"(model M import Modelica.Math.Vectors.*; Real v[3] = {2*time, 2, 1}; Real n = norm(v);
Real l = length(v); Real e[3] = normalize(v); Real f[3] = normalizeWithAssert(v);
Real s = norm(v, 1); Real m = norm(v, Modelica.Constants.inf); Real r[3] = reverse(v);
end M;
)",
       {{"n", 3}, {"l", 3}, {"e[3]", 1.0 / 3}, {"f[1]", 2.0 / 3}, {"s", 5}, {"m", 2}, {"r[1]", 1}}},
      {R"(model M Real x = time^2; Real y = delay(x, 0.25); Real z = delay(y, 0.5);
parameter Real T = 0.1; Real w = delay(2*time, T) + delay(2*time, 2*T);
end M;
)",
       {{"y", 0.5625}, {"z", 0.0625}, {"w", 3.4}}},
      {R"(package Q
function abs input Real x; output Real y; algorithm y := 7*x; end abs;
model M Real y = abs(-time); Real z = sqrt(4*time); end M;
end Q;
)",
       {{"y", -7}, {"z", 2}}},
  });
}

TEST_CASE("Modelica files: names in quotes") {
  test::checkModelica({
      {R"(model M Real 'x 1'(start=1,fixed=true); parameter Real 'a+b' = 2; Real y;
equation der('x 1') = -'a+b'*'x 1'; y = 'x 1';
end M;
)",
       {{"y", exp(-2)}, {"x_1", exp(-2)}}},
      {R"(package 'my parts' model 'first order' Real 'end'(start=1,fixed=true);
equation der('end') = -'end'; end 'first order';
model M 'first order' 'part one'; Real y = 'part one'.'end'; end M; end 'my parts';
)",
       {{"y", exp(-1)}}},
  });
}

TEST_CASE("Modelica files: how many connections there are decides") {
  test::checkModelica({
      {R"(package P connector Pin Real v; flow Real i; end Pin;
model R Pin p, n; equation p.v - n.v = 2*p.i; p.i + n.i = 0; end R;
model S Pin p; equation if cardinality(p) == 0 then p.v = 7; else p.v = 3; end if; end S;
model G Pin p; equation p.v = 0; end G;
model M S s, t; R r; G g; equation connect(s.p, r.p); connect(r.n, g.p); end M; end P;
)",
       {{"r.p.i", 1.5}, {"t.p.v", 7}}},
      {R"(package P model Part Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a;
Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b; Modelica.Mechanics.MultiBody.Parts.FixedTranslation f(r={1,0,0});
Real n = cardinality(frame_b); equation connect(frame_a, f.frame_a); connect(f.frame_b, frame_b);
assert(cardinality(frame_a) > 0, "not connected"); end Part;
model M inner Modelica.Mechanics.MultiBody.World world; Part p; Part q;
equation connect(world.frame_b, p.frame_a); connect(p.frame_b, q.frame_a); end M; end P;
)",
       {{"p.n", 2}, {"q.n", 1}}},
  });
}

TEST_CASE("Modelica files: the gravity of the world as a function") {
  test::checkModelica({
      {R"(model M parameter Real g0 = 5;
inner Modelica.Mechanics.MultiBody.World world(g = g0, n = {0, 0, -2});
Real a[3] = world.gravityAcceleration({time, 0, 0});
end M;
)",
       {{"a[3]", -5}, {"a[1]", 0}}},
      {R"(model M inner Modelica.Mechanics.MultiBody.World world(mue = 12,
  gravityType = Modelica.Mechanics.MultiBody.Types.GravityTypes.PointGravity);
Real a[3] = world.gravityAcceleration({0, 1 + time, 0});
end M;
)",
       {{"a[2]", -3}}},
      {R"(package P model Part outer Modelica.Mechanics.MultiBody.World world;
Real a[3] = world.gravityAcceleration({1, 0, 0}); end Part;
model M inner Modelica.Mechanics.MultiBody.World world; Part p; end M; end P;
)",
       {{"p.a[2]", -9.80665}}},
  });
}

TEST_CASE("Modelica files: parts of the library's interfaces") {
  test::checkModelica({
      {R"(model M Modelica.Blocks.Sources.IntegerConstant c(k=3); Modelica.Blocks.Routing.IntegerPassThrough p;
Real y = p.y; equation connect(c.y, p.u);
end M;
)",
       {{"y", 3}}},
      {R"(package P
model Motor Modelica.Mechanics.MultiBody.Interfaces.FlangeWithBearing axis;
Modelica.Mechanics.Rotational.Sources.ConstantTorque t(tau_constant=6);
equation connect(t.flange, axis.flange); end Motor;
model M Motor m; Modelica.Mechanics.Rotational.Components.Inertia j(J=2, w(start=1, fixed=true));
Modelica.Mechanics.MultiBody.Interfaces.FlangeWithBearingAdaptor a;
equation connect(m.axis, a.flangeAndFrame); connect(a.flange, j.flange_a);
end M; end P;
)",
       {{"j.w", 4}}},
      {R"(model M inner Modelica.Mechanics.MultiBody.World world(g = 0);
Modelica.Mechanics.MultiBody.Forces.Internal.ZeroForceAndTorque z;
Modelica.Mechanics.MultiBody.Parts.Body b(m=1, r_CM={0,0,0}, v_0(start={1,0,0}, each fixed=true), r_0(each fixed=true));
Modelica.Mechanics.MultiBody.Visualizers.Internal.Lines lines(lines=zeros(2,2,2)) if world.enableAnimation;
Modelica.Mechanics.MultiBody.Visualizers.Advanced.Vector vector(coordinates=b.v_0);
equation connect(z.frame_a, b.frame_a);
end M;
)",
       {{"b.r_0[1]", 1}}},
      {R"(package P
model Hot extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
equation lossPower = 6; end Hot;
model R extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(T=300);
equation LossPower = T_heatPort - 295; end R;
model M Hot h(useHeatPort=true), cold; R r(useHeatPort=true), s;
Modelica.Thermal.HeatTransfer.Components.HeatCapacitor c(C=3, T(start=300,fixed=true)),
d(C=1, T(start=310,fixed=true));
equation connect(h.heatPort, c.port); connect(r.heatPort, d.port);
end M; end P;
)",
       {{"c.T", 302}, {"d.T", 295 + 15 * exp(1)}, {"s.LossPower", 5}}},
      {R"(model M Real x(start=0,fixed=true); discrete Real n(start=0);
equation der(x)=1;
when x > 0.5 then Modelica.Utilities.Streams.print("half"); n = 1; end when;
when x > 0.7 then Modelica.Utilities.Streams.print("more"); end when;
end M;
)",
       {{"n", 1}}},
  });
}

TEST_CASE("Modelica files: what prints and what is not drawn is told") {
  Diagnostics said;
  test::modelOfModelica(R"(model M Real x(start=0,fixed=true); discrete Real n(start=0);
  Modelica.Mechanics.MultiBody.Visualizers.Internal.Lines lines;
equation der(x)=1;
  when x > 0.5 then Modelica.Utilities.Streams.print("half"); n = 1; end when;
end M;
)",
                        said);
  CHECK(said.format() ==
        "m.mo:2:59: warning: 'lines' is a picture that is not drawn\n"
        "m.mo:4:21: warning: 'print' has no influence on the run, and is left out");
}
