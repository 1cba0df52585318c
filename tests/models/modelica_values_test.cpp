// What Modelica files say of variables and how they name values: each case is a model as books have it,
// imported, run for 1 s and compared with its closed form.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/models/modelica_run.h"

using namespace cardan;
using std::cos, std::exp, std::sin, std::sqrt;

TEST_CASE("Modelica files: start values hold, whatever an equation makes of their variable") {
  test::checkModelica({
      {R"(model M Real x; Real y(start=3, fixed=true);
equation der(x) = -x; y = 2*x;
end M;
)",
       {{"y", 3 * exp(-1)}, {"x", 1.5 * exp(-1)}}},
      {R"(model M Real x; Real y(start=3, fixed=true);
equation der(x) = -x; 2*x = y;
end M;
)",
       {{"y", 3 * exp(-1)}}},
      {R"(model M Real x; Real y(start=3, fixed=true) = 2*x;
equation der(x) = -x;
end M;
)",
       {{"y", 3 * exp(-1)}}},
      {R"(model M Real x; Real y(start=3);
equation der(x) = -x; y = x;
end M;
)",
       {{"y", 3 * exp(-1)}}},
      {R"(model M Real x; Real y(start=3,fixed=true);
equation der(x)=-x; if time<2 then y=2*x; else y=3*x; end if;
end M;
)",
       {{"y", 3 * exp(-1)}}},
      {R"(model M Real x[3]; Real y[3](start={1,2,3}, each fixed=true);
equation for i in 1:3 loop der(x[i]) = -x[i]; y[i] = 2*x[i]; end for;
end M;
)",
       {{"y[2]", 2 * exp(-1)}, {"x[3]", 1.5 * exp(-1)}}},
      {R"(model M Real x[3]; Real y[3](start={1,2,3}, fixed={true,true,true});
equation der(x) = -x; y = 2*x;
end M;
)",
       {{"y[2]", 2 * exp(-1)}, {"x[3]", 1.5 * exp(-1)}}},
      {R"(package P
model A Real x; Real y(start=1,fixed=true);
equation der(x)=-x; y=2*x; end A;
model M A a[3](y(start={1,2,3}));
end M; end P;
)",
       {{"a[3].y", 3 * exp(-1)}, {"a[2].x", exp(-1)}}},
      {R"(package P
record R Real p; Real q; end R;
model M R r(p(start=2,fixed=true));
equation der(r.q)=-r.q; r.p=4*r.q;
end M; end P;
)",
       {{"r.q", 0.5 * exp(-1)}}},
      {R"(model M parameter Real y0=3; Real x; Real y(start=2*y0,fixed=true);
equation der(x)=-x; y=2*x;
end M;
)",
       {{"y", 6 * exp(-1)}}},
      {R"(model M Real x(start=1,fixed=true), v(start=2,fixed=true);
equation v=der(x); der(v)=-x;
end M;
)",
       {{"x", cos(1) + 2 * sin(1)}}},
      {R"(model M Real x(start=1,fixed=true); Real v(start=0.5,fixed=true)=der(x);
equation der(v)=-x;
end M;
)",
       {{"x", cos(1) + 0.5 * sin(1)}}},
      {R"(model M Real x(start=1,fixed=true); Real v=der(x);
equation der(v)=-x;
end M;
)",
       {{"x", cos(1)}}},
      {R"(model M Real v(start=0.5,fixed=true)=der(x); Real x(start=1,fixed=true);
equation der(v)=-x;
end M;
)",
       {{"x", cos(1) + 0.5 * sin(1)}}},
      {R"(model M Modelica.Blocks.Interfaces.RealOutput y(start=3,fixed=true); Real x;
equation der(x)=-x; y=2*x;
end M;
)",
       {{"y", 3 * exp(-1)}}},
      {R"(package P
block I Modelica.Blocks.Interfaces.RealInput u;
    Modelica.Blocks.Interfaces.RealOutput y(start=2,fixed=true);
equation der(y)=u; end I;
model M I i; Modelica.Blocks.Sources.Constant c(k=3);
equation connect(c.y,i.u);
end M; end P;
)",
       {{"i.y", 5}}},
      {R"(package P
block I Modelica.Blocks.Interfaces.RealOutput y(start=2,fixed=true);
    Modelica.Blocks.Continuous.Integrator q(initType=Modelica.Blocks.Types.Init.NoInit);
    Modelica.Blocks.Sources.Constant c(k=3);
equation connect(c.y,q.u); connect(q.y,y); end I;
model M I i;
end M; end P;
)",
       {{"i.q.y", 5}}},
      {R"(model M Real x(start=1,fixed=true,stateSelect=StateSelect.prefer,min=0,max=5,nominal=2);
    Real y(min=0,nominal=3,stateSelect=StateSelect.avoid);
equation der(x)=-x; y=2*x;
end M;
)",
       {{"y", 2 * exp(-1)}}},
      {R"(model M Real x(start=1,fixed=true); Real v; Real a(start=-3,fixed=true);
equation der(x)=v; der(v)=a; a=-x-v;
end M;
)",
       {{"x", exp(-0.5) * (cos(sqrt(0.75)) + 2.5 / sqrt(0.75) * sin(sqrt(0.75)))}}},
      {R"(model M Real y(start=-1); Real z(start=1);
equation y^2=4+0*time; z^2=4+time*0;
end M;
)",
       {{"y", -2}, {"z", 2}}},
      {R"(model M Real y(start=-1); Real w;
equation w^2=4+0*time; y=w;
end M;
)",
       {{"y", -2}}},
      {R"(model M Real a,b(start=5,fixed=true),c;
equation der(a)=-1; b=a+c; c=2*a;
end M;
)",
       {{"b", 2}}},
      {R"(model M Real s(start=1,fixed=false); Real v(start=2,fixed=false); initial
equation s=3; v=0;
equation der(s)=v; der(v)=-s;
end M;
)",
       {{"s", 3 * cos(1)}}},
  });
}

TEST_CASE(
    "Modelica files: what types, extends, redeclare and users of a class say of a variable "
    "counts") {
  test::checkModelica({
      {R"(package P
type Angle = Real(start=1, fixed=true); model M Angle a; Real b;
equation der(a) = -a; b=3*a;
end M; end P;
)",
       {{"b", 3 * exp(-1)}}},
      {R"(package P
type Angle = Real(start=1); model M Angle a(fixed=true); Real b;
equation der(b) = -b; a=2*b;
end M; end P;
)",
       {{"b", 0.5 * exp(-1)}}},
      {R"(package P
partial model B Real x; Real y;
equation y=2*x; end B;
model M extends B(y(start=4,fixed=true));
equation der(x)=-x;
end M; end P;
)",
       {{"y", 4 * exp(-1)}}},
      {R"(package P
model A replaceable Real y(start=1,fixed=true); Real x;
equation der(x)=-x; y=2*x; end A;
type T=Real(min=0); model M A a(redeclare T y(start=5,fixed=true));
end M; end P;
)",
       {{"a.y", 5 * exp(-1)}}},
      {R"(package P
  model C
    Modelica.Mechanics.Translational.Interfaces.Flange_a f;
    parameter Real m = 10;
    Real s, v;
  equation
    s = f.s; v = der(s); m*der(v) = f.f;
  end C;
  model M
    C c(s(start=3,fixed=true), v(start=2,fixed=true));
    Modelica.Mechanics.Translational.Sources.ConstantForce q(f_constant=5);
  equation
    connect(q.flange, c.f);
  end M;
end P;
)",
       {{"c.s", 5.25}, {"c.v", 2.5}}},
      {R"(package P
model A Real x(start=1,fixed=true);
equation der(x)=-x; end A;
model B A a; A c; end B;
model M B b(a(x(start=2)),c.x(start=4));
end M; end P;
)",
       {{"b.a.x", 2 * exp(-1)}, {"b.c.x", 4 * exp(-1)}}},
      {R"(package P
record R Real a(start=1,fixed=true); Real b; end R;
model M R r[2](each a(start=3));
equation for i in 1:2 loop der(r[i].a)=-r[i].a; r[i].b=2*r[i].a; end for;
end M; end P;
)",
       {{"r[2].b", 6 * exp(-1)}}},
      {R"(package P partial model F Real x; Real f; end F; model Lin extends F; parameter Real k=1;
    equation f=k*x; end Lin; model Cub extends F; equation f=x^3; end Cub;
 model Osc replaceable Lin law constrainedby F; Real x(start=1,fixed=true);
    Real v(start=0,fixed=true); equation der(x)=v; law.x=x; der(v)=-law.f; end Osc;
    model M Osc a(law(k=4)); Osc b(redeclare Cub law); end M; end P;
)",
       {{"a.x", cos(2)}}},
  });
}

TEST_CASE("Modelica files: parts of one's own on connectors of the library start where they say") {
  test::checkModelica({
      {R"(package P model C Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a port; parameter Real C=2;
    Real T(start=300,fixed=true); equation T = port.T; C*der(T)=port.Q_flow; end C;
model M C c; Modelica.Thermal.HeatTransfer.Sources.FixedHeatFlow q(Q_flow=1);
    equation connect(q.port,c.port); end M; end P;
)",
       {{"c.T", 300.5}}},
      {R"(package P model C Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a port; parameter Real C=2;
    Real T(start=300,fixed=true); Real der_T; equation T=port.T; der_T=der(T);
    C*der_T=port.Q_flow; end C; model R Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a a;
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_b b; Real Q; parameter Real G=1;
    equation Q=G*(a.T-b.T); a.Q_flow=Q; b.Q_flow=-Q; end R;
 model M C c(T(start=350)); C d; R r; equation connect(c.port,r.a); connect(r.b,d.port); end M;
    end P;
)",
       {{"c.T", 325 + 25 * exp(-1)}, {"d.T", 325 - 25 * exp(-1)}}},
      {R"(package P
  model I
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a;
    Real phi(start=0.5), w(start=2);
  equation
    phi = flange_a.phi; w = der(phi); 2*der(w) = flange_a.tau;
  end I;
  model M
    I i; Modelica.Mechanics.Rotational.Sources.ConstantTorque t(tau_constant=4);
  equation
    connect(t.flange, i.flange_a);
  end M;
end P;
)",
       {{"i.phi", 3.5}, {"i.w", 4}}},
      {R"(package P
  model I
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a;
    parameter Real J=2;
    Real phi(start=0.5, fixed=true), w(start=2, fixed=true);
  equation
    phi = flange_a.phi; w = der(phi); J*der(w) = flange_a.tau;
  end I;
  model S extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliant;
    parameter Real c=8; equation tau = c*phi_rel; end S;
  model M
    I i; S s; Modelica.Mechanics.Rotational.Components.Fixed f;
  equation
    connect(f.flange, s.flange_a); connect(s.flange_b,i.flange_a);
  end M;
end P;
)",
       {{"i.phi", 0.5 * cos(2) + sin(2)}}},
      {R"(package P model S extends Modelica.Mechanics.Translational.Interfaces.PartialCompliantWithRelativeStates(s_rel(start=0.7,fixed=true)); equation f = 4*s_rel; end S;
 model M S s; Modelica.Mechanics.Translational.Components.Fixed f;
    Modelica.Mechanics.Translational.Components.Mass m(m=1,v(fixed=true));
    equation connect(f.flange,s.flange_a); connect(s.flange_b,m.flange_a); end M; end P;
)",
       {{"s.s_rel", 0.7 * cos(2)}}},
  });
}

TEST_CASE("Modelica files: Booleans and Integers begin at their start for pre") {
  test::checkModelica({
      {R"(model M Boolean b(start=true,fixed=true) = pre(b) and time<0.5; Real x(start=0,fixed=true);
equation der(x)=if b then 1 else 0;
end M;
)",
       {{"x", 0.5}}},
      {R"(model M Boolean b(start=true); Real x(start=0,fixed=true);
equation b = pre(b) and time<0.5; der(x)=if b then 1 else 0;
end M;
)",
       {{"x", 0.5}}},
      {R"(model M Integer s(start=5,fixed=true); Real x(start=0,fixed=true);
equation s = if x>0.5 then 7 else pre(s); der(x)=1;
end M;
)",
       {{"s", 7}}},
      {R"(model M Integer s(start=5,fixed=true); Real x(start=0,fixed=true);
equation s = if x>2 then 7 else pre(s); der(x)=1;
end M;
)",
       {{"s", 5}}},
      {R"(model M Integer n; Integer k; Real x(start=0,fixed=true);
equation n = if x>0.5 then 2 else 1; k = pre(n); der(x)=1;
end M;
)",
       {{"n", 2}}},
      {R"(model M discrete Real d(start=2,fixed=true); Integer n(start=3); Boolean b(start=true);
equation when time>0.5 then d=pre(d)*2; n=pre(n)+1; b=not pre(b); end when;
end M;
)",
       {{"d", 4}, {"n", 4}, {"b", 0}}},
      {R"(package P
model H Real u; Boolean y(start=true,fixed=true);
equation y = u>2 or pre(y) and u>1; end H;
model M H h(u=1.5), k(u=1.5,y(start=false)); Real x(start=0,fixed=true);
equation der(x)=(if h.y then 1 else 0)+(if k.y then 10 else 0);
end M; end P;
)",
       {{"x", 1}}},
  });
}

TEST_CASE("Modelica files: conditions and sizes know the parameters of other components") {
  test::checkModelica({
      {R"(package P
model S parameter Boolean on=true; Real z=1; end S;
model C Real x(start=1,fixed=true);
equation der(x)=-x; end C;
model M S s(on=false); C c if s.on; C d if not s.on;
end M; end P;
)",
       {{"d.x", exp(-1)}}},
      {R"(model M inner Modelica.Mechanics.MultiBody.World world(enableAnimation=false);
    Modelica.Blocks.Sources.Constant c(k=2) if world.enableAnimation;
    Modelica.Blocks.Sources.Constant d(k=3) if not world.enableAnimation;
    Modelica.Blocks.Sources.Constant e(k=4) if world.driveTrainMechanics3D;
    Modelica.Blocks.Sources.Constant f(k=5) if world.g>5;
end M;
)",
       {{"d.y", 3}, {"e.y", 4}, {"f.y", 5}}},
      {R"(package P
model Part outer Modelica.Mechanics.MultiBody.World world;
    Modelica.Blocks.Sources.Constant e(k=4) if world.enableAnimation and world.g > 9; end Part;
model M Part p; inner Modelica.Mechanics.MultiBody.World world(g=9.81);
end M; end P;
)",
       {{"p.e.y", 4}}},
      {R"(package P
model S parameter Integer n=2; Real z=1; end S;
model M Real x[s.n](each start=1, each fixed=true); S s(n=3);
equation der(x)=-x;
end M; end P;
)",
       {{"x[3]", exp(-1)}}},
      {R"(model M inner Modelica.Mechanics.MultiBody.World world;
    Modelica.Mechanics.MultiBody.Parts.BodyShape s(m=3,r={1,0,0});
    Modelica.Mechanics.MultiBody.Joints.Revolute j; Real w=s.body.m*world.g;
equation connect(world.frame_b,j.frame_a); connect(j.frame_b,s.frame_a);
end M;
)",
       {{"w", 3 * 9.80665}}},
      {R"(model M inner Modelica.Mechanics.MultiBody.World world;
    Modelica.Mechanics.MultiBody.Parts.BodyShape s(m=3,r={1,0,0});
    Modelica.Mechanics.MultiBody.Joints.Revolute j; parameter Real w=s.body.m*2; Real y=w+time;
equation connect(world.frame_b,j.frame_a); connect(j.frame_b,s.frame_a);
end M;
)",
       {{"y", 7}}},
      {R"(package P
type Law=enumeration(lin,quad); model D parameter Law law=Law.lin; Real v(start=1,fixed=true);
equation if law==Law.lin then der(v)=-v; else der(v)=-v^2; end if; end D;
model M D a; D b(law=Law.quad);
end M; end P;
)",
       {{"a.v", exp(-1)}, {"b.v", 0.5}}},
  });
}

TEST_CASE("Modelica files: parts of arrays are lists of their elements") {
  test::checkModelica({
      {R"(model M Real v[5](each start=1, each fixed=true); Real a, b[3], c[2];
equation der(v) = -{1,2,3,4,5}.*v; a=v[end]; b=v[2:4]; c=v[{1,5}];
end M;
)",
       {{"a", exp(-5)}, {"b[3]", exp(-4)}, {"c[2]", exp(-5)}, {"c[1]", exp(-1)}}},
      {R"(model M Real v[3](each start=1, each fixed=true);
equation der(v[1]) = 1; der(v[2:3]) = v[1:2];
end M;
)",
       {{"v[2]", 2.5}, {"v[3]", 1 + 1 + 0.5 + 1.0 / 6}}},
      {R"(model M inner Modelica.Mechanics.MultiBody.World world;
    Modelica.Mechanics.MultiBody.Parts.Body b(m=1,r_0(start={1,2,3},each fixed=true),v_0(each fixed=true)); Real p[2]=b.r_0[1:2]; Real q=b.r_0[end];
equation end M;
)",
       {{"p[1]", 1}, {"p[2]", 2 - 9.80665 / 2}, {"q", 3}}},
      {R"(model M parameter Real p[4]={1,2,3,4}; parameter Real q[2]=p[2:3]; parameter Real r=p[end];
    Real x(start=r,fixed=true);
equation der(x)=q[2];
end M;
)",
       {{"x", 7}}},
      {R"(model M parameter Real A[2,3]=[1,2,3;4,5,6]; Real y[2]=A[:,end]; Real z[2]=A[2,2:3];
    Real w[2,2]=A[1:2,{1,3}];
end M;
)",
       {{"y[2]", 6}, {"z[1]", 5}, {"w[2,2]", 6}}},
      {R"(model M Real x[4];
equation x[1:2]={time,2*time}; x[3]=1; x[end]=sum(x[1:end-1]);
end M;
)",
       {{"x[4]", 4}}},
      {R"(model M parameter Real p[:]={1,2,3}; parameter Integer n=size(p,1);
    Real c[n-1]=p[1:n-1].*p[2:n]; Real x=sum(p[i]*time^(i-1) for i in 1:n);
    Real d[2]=c[end:-1:1];
end M;
)",
       {{"x", 6}, {"d[1]", 6}}},
      {R"(model M Real A[2,2]=[time,1;0,2]; Real b[2]=A[:,1]; Real c[2]=A[2,:]; Real d[1,2]=A[1:1,1:2];
    Real tr=sum(A[i,i] for i in 1:2);
end M;
)",
       {{"tr", 3}, {"d[1,1]", 1}}},
      {R"(package P
block SS parameter Real A[:,size(A,1)]=[-1]; parameter Real B[size(A,1),:]=[1];
    parameter Real C[:,size(A,1)]=[1]; Modelica.Blocks.Interfaces.RealInput u[size(B,2)];
    Modelica.Blocks.Interfaces.RealOutput y[size(C,1)];
    protected Real x[size(A,1)](each fixed=true);
equation der(x)=A*x+B*u; y=C*x; end SS;
model M SS s; Modelica.Blocks.Sources.Step st(startTime=0);
equation connect(st.y,s.u[1]);
end M; end P;
)",
       {{"s.y[1]", 1 - exp(-1)}}},
  });
}

TEST_CASE("Modelica files: an empty slice is an array without elements, wherever it stands") {
  // sample(0.1, 0.1) ticks ten times.
  test::checkModelica({{R"mo(
model M
  parameter Integer n = 1;
  parameter Integer m = 0;
  Real x[n](each start=1, each fixed=true);
  Real z[m](each start=1, each fixed=true);
  Real y[n];
  Real e[m] = 2*z;
  Real s = sum(x[2:n]) + sum(z) + sum(der(z));
  Real p = product(x[2:n]);
  Real c[n] = cat(1, x[1:1], x[2:n]);
  Real d = x[2:n]*y[2:n];
  Integer k = size(x[2:n],1);
  parameter Real q[:] = zeros(0);
  Boolean b = sum(abs(q)) > 0;
  discrete Real h[m];
  discrete Real g[n];
  Real w;
  Real mx = max(cat(1, {0.5}, x[2:n]));
  discrete Real l[n]; Real a[n]; Real u[0]; Boolean none[0]; Real mm[2,0] = zeros(2,0); Real o[2] = mm*u;
algorithm
  a[1] := 2*x[1];
  a[2:n] := x[2:n];
equation
  der(x[1]) = -x[1];
  der(x[2:n]) = x[1:n-1] - 2*x[2:n];
  der(z) = -z;
  y[1] = 2; y[2:n] = x[1:n-1];
  when sample(0.1,0.1) then h = pre(h) + z; g[1] = pre(g[1]) + 1; g[2:n] = pre(g[1:n-1]) + 2*x[2:n]; end when;
  for i in 2:n loop  y[i] = 3; end for;
  none = fill(true, 0);
  when time > 0.5 then l[2:n] = x[2:n]; l[1] = 3; end when;
  when time > 0.6 then u = fill(1.0, 0); end when;
  w = sum(x[i]*y[i] for i in 2:n) + sum(if x[i] > 0 then 1 else 0 for i in 1:0);
  if m > 0 then z[1:m] = x[1:m]; end if;
initial equation
  der(x[2:n]) = zeros(n-1);
  pre(g[2:n]) = x[2:n];
end M;
)mo",
                        {{"x[1]", std::exp(-1)},
                         {"g[1]", 10},
                         {"p", 1},
                         {"c[1]", std::exp(-1)},
                         {"d", 0},
                         {"b", 0},
                         {"w", 0},
                         {"mx", 0.5},
                         {"s", 0},
                         {"k", 0},
                         {"y[1]", 2},
                         {"l[1]", 3},
                         {"a[1]", 2 * std::exp(-1)},
                         {"o[2]", 0}}}});
  Diagnostics diagnostics;
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  CHECK(!modelica::importText(catalogue(), R"mo(
model M
  Real x[3](each start=1, each fixed=true); Real z[0];
equation
  der(x) = -x;
  x[2:1] = 2*x;
  z = {1, 2};
  z[1:0] = time;
end M;
)mo",
                              "m.mo", options, diagnostics));
  const std::string told = diagnostics.format();
  CAPTURE(told);
  for (const char* message : {"6:13: error: an equation between no elements and 3",
                              "7:7: error: an equation between no elements and 2",
                              "8:12: error: an equation between no elements and a scalar"})
    CHECK(told.find(message) != std::string::npos);
}

TEST_CASE("Modelica files: branches that indices and parameters rule out are not looked at") {
  test::checkModelica({
      {R"(model M parameter Integer n=4; Real x[n](each start=1,each fixed=true);
equation for i in 1:n loop der(x[i]) = (if i>1 then x[i-1] else 0) - x[i]; end for;
end M;
)",
       {{"x[1]", exp(-1)}, {"x[2]", 2 * exp(-1)}}},
      {R"(model M parameter Integer n=4;
    Real x[n]={if i==1 then 1 elseif i==n then x[i-1]+1 else x[i-1]+x[i+1]*0 for i in 1:n};
end M;
)",
       {{"x[4]", 2}}},
      {R"(model M Real x[3](each start=1,each fixed=true);
equation for i in 1:3 loop if i<3 then der(x[i])=x[i+1]; else der(x[i])=0; end if; end for;
end M;
)",
       {{"x[2]", 2}}},
  });
}

TEST_CASE("Modelica files: records of variables are given as a whole") {
  test::checkModelica({
      {R"(package P
record R Real a; Real b; end R;
record Q R r(a=7); Real c; end Q;
model Sub parameter R r(a=4, b=5); Real x(start=0,fixed=true); equation der(x)=r.a+10*r.b; end Sub;
model Heir extends Sub(r=R(1,2)); end Heir;
model M Sub s(r=R(2,3)); Heir h; Sub t(r(b=1)); parameter Q q=Q(R(1,2),3); Real y=q.r.a;
end M; end P;
)",
       {{"s.x", 32}, {"h.x", 21}, {"t.x", 14}, {"y", 1}}},
      {R"(package P
record C Real re; Real im; end C;
function f input C c; output Real y;
algorithm y:=c.re^2+c.im^2; end f;
model M Real y=f(C(3,time)); Real z=f(C(im=time,re=2));
end M; end P;
)",
       {{"y", 10}, {"z", 5}}},
      {R"(package P
record C Real re; Real im=7; end C;
record F Real re; Real im; end F;
model M C c=C(3,time); C d=C(re=time); F e; Real s=c.re+d.im;
equation e=F(1,2*time);
end M; end P;
)",
       {{"c.im", 1}, {"d.re", 1}, {"d.im", 7}, {"e.im", 2}, {"s", 10}}},
      {R"(package P
record C Real re; Real im; end C;
function g input C a; output C b;
algorithm b.re:=2*a.re; b.im:=a.im; end g;
model M C c; C d; C e=if time>2 then c else d;
equation c=C(time,1); d=g(c);
end M; end P;
)",
       {{"d.re", 2}, {"e.re", 2}}},
      {R"(package P
record C Real re; Real im; end C;
function f input C c; output Real y;
algorithm y:=c.re+c.im; end f;
model M C c[2]={C(1,time),C(2,3)}; C k(re=time,im=1); Real y=f(k); Real z=f(c[1]);
end M; end P;
)",
       {{"c[1].im", 1}, {"c[2].re", 2}, {"y", 2}, {"z", 2}}},
  });
}

TEST_CASE("Modelica files: an input of the model that nothing drives comes from outside") {
  test::checkModelica({
      {R"(model M Modelica.Blocks.Interfaces.RealInput u(start=2); Real x(start=0,fixed=true);
equation der(x)=u;
end M;
)",
       {{"x", 2}}},
      {R"(model M Modelica.Blocks.Interfaces.RealInput u; Modelica.Blocks.Math.Gain g(k=3);
equation connect(u,g.u);
end M;
)",
       {{"g.y", 0}}},
      {R"(model M input Real u(start=2); Real x(start=0,fixed=true);
equation der(x)=u;
end M;
)",
       {{"x", 2}}},
      {R"(model M Modelica.Blocks.Interfaces.RealInput u[2](start={1,2});
    Modelica.Blocks.Math.Gain g(k=3); Real y=u[1];
equation connect(u[2],g.u);
end M;
)",
       {{"y", 1}, {"g.y", 6}}},
  });
}

TEST_CASE("Modelica files: a fixed start that an equation contradicts is an error") {
  const std::string message = test::messageOfRun(test::modelOfModelica(
      "model M Real y(start = 3, fixed = true);\nequation y = 2*time;\nend M;"));
  CHECK_MESSAGE(message.find("'y' is fixed at 3") != std::string::npos, message);
}

TEST_CASE("Modelica files: literals of one's own are their places in every formula") {
  test::checkModelica({
      // Asked for as an index first; what variables are called has no say in it.
      {R"(package P
type E = enumeration(a, b, c);
model M parameter E m = E.b; parameter Real tab[E] = {10, 20, 30};
Real b = 0.5; Real q = tab[m]; Real r = if m > E.a then 3 else 0; Real s = if m == E.b then 4 else 0;
end M; end P;
)",
       {{"q", 20}, {"r", 3}, {"s", 4}}},
      {R"(package P
type E = enumeration(a, b, c);
function f input E e; output Real y; output E next;
algorithm y := Integer(e); next := if e < E.c then E.c else E.a; end f;
model M parameter E m = E.b; Real c = 5; Real y; E e; equation (y, e) = f(m);
end M; end P;
)",
       {{"y", 2}, {"e", 3}}},
      {R"(package P
type E = enumeration(a, b, c);
model A parameter Real x = 1; end A;
model M parameter E m = E.b; A s(x = 7) if m < E.c; Real y = s.x;
end M; end P;
)",
       {{"y", 7}}},
  });
}

TEST_CASE(
    "Modelica files: what a constraining clause modifies holds for the declaration and all in its "
    "place") {
  test::checkModelica({
      {R"(package K
partial model PB parameter Real k = 2; Real y; end PB;
model B1 extends PB(k = 3); equation y = k*time; end B1;
model B2 extends PB; equation y = 100*k*time; end B2;
model S
  replaceable model Bl = B1 constrainedby PB(k = 10);
  Bl b;
  replaceable model Own = B1(k = 40) constrainedby PB(k = 10);
  Own e;
  replaceable B1 c constrainedby PB(k = 20);
  replaceable B1 d(k = 30) constrainedby PB(k = 20);
end S;
model M
  S s;
  S t(redeclare model Bl = B2, redeclare B2 c, redeclare B2 d);
  S u(redeclare model Bl = B2(k = 5), redeclare B2 c(k = 6), redeclare B2 d(k = 7));
end M; end K;
)",
       {{"s.b.y", 10},
        {"s.e.y", 40},
        {"s.c.y", 20},
        {"s.d.y", 30},
        {"t.b.y", 1000},
        {"t.c.y", 2000},
        {"t.d.y", 2000},
        {"u.b.y", 500},
        {"u.c.y", 600},
        {"u.d.y", 700}}},
  });
}

TEST_CASE("Modelica files: the sizes of variables, and one of a vector of outputs") {
  test::checkModelica({
      {R"(model M
Real v[4]; Real q[2,3]; Real s; Real w[size(q, 2)]; Real x[3](each start = 1, each fixed = true);
Real z = 2*y[1]; Real y[size(w, 1)] = {time, 1, 2}; Real k;
equation
for i in 1:size(v, 1) loop v[i] = i*time; end for;
for i in 1:size(q, 1), j in 1:size(q, 2) loop q[i,j] = i*j; end for;
s = sum(v[i]*(size(v, 1) + 1 - i) for i in 1:size(v, 1));
for i in 1:size(w, 1) loop w[i] = i; end for;
der(x) = fill(1, size(x, 1));
k = size(y, 1) + ndims(q) + size(q[1,:], 1) + size({v[1], v[2]}, 1);
end M;
)",
       {{"s", 20}, {"w[3]", 3}, {"x[2]", 2}, {"z", 2}, {"k", 10}}},
      {R"(package K
model Two Modelica.Blocks.Interfaces.RealOutput y[2]; equation y = {time, 2*time}; end Two;
model One Modelica.Blocks.Interfaces.RealInput u; Real z; equation z = u; end One;
model M Two a; Modelica.Blocks.Math.Gain g(k = 3); One b;
equation connect(a.y[2], g.u); connect(a.y[2], b.u);
end M; end K;
)",
       {{"g.y", 6}, {"b.z", 2}}},
      {R"(model M parameter Integer n = 3; Real x(start = 1, fixed = true); Real z[n] = fill(x, n);
Real q[2,n] = fill(2*x, 2, n); parameter Real none = sum(1:0) + 1; Real y = none*time;
equation der(x) = -x; end M;
)",
       {{"z[3]", exp(-1)}, {"q[2,3]", 2 * exp(-1)}, {"y", 1}}},
      {R"(model M parameter Integer n = 3000; parameter Real t[n] = {i/n for i in 1:n};
Real x[n], w[2*n] = cat(1, x, x), y = x[n] + w[n]; Real z(start = 0, fixed = true);
function f input Real u[:]; output Real v = 0; algorithm for i loop v := v + u[i]; end for; end f;
Real k[300] = (1:300)*time, s = f(k);
equation for i loop x[i] = time*t[i]; end for; der(z) = t[integer(n/2)]; end M;
)",
       {{"y", 2}, {"z", 0.5}, {"s", 45150}}},
      {R"(model M constant Real pi = Modelica.Constants.pi; Real x = sin(pi/6*time); end M;
)",
       {{"x", 0.5}}},
  });
}

TEST_CASE("Modelica files: what a redeclaration modifies stands where the redeclaration does") {
  test::checkModelica({
      {R"(package K
model A parameter Real p = 1; Real y = p*time; end A;
model B extends A; end B;
model Base replaceable A a; end Base;
model Mid extends Base(a(p = 5)); end Mid;
model Own extends Base(redeclare B a(p = 5)); end Own;
model Inner extends Mid; redeclare B a(p = 3); end Inner;
model M
  Mid m(redeclare B a(p = 7)), n(redeclare B a), k(a(p = 6));
  Own o(redeclare B a(p = 7)), q(a(p = 8)), r;
  Inner i, j(a(p = 9));
end M; end K;
)",
       {{"m.a.y", 7},
        {"n.a.y", 5},
        {"k.a.y", 6},
        {"o.a.y", 7},
        {"q.a.y", 8},
        {"r.a.y", 5},
        {"i.a.y", 3},
        {"j.a.y", 9}}},
  });
}

TEST_CASE("Modelica files: an Integer is a Real where another equation gives it") {
  test::checkModelica({
      {R"(model M Real x(start=0, fixed=true), y; Integer i = if time>0.5 then 1 else 2, k, n(start=3, fixed=true);
equation
  der(x) = i; y + 1.5 = k; k = integer(2.5);
  when time > 0.25 then n = pre(n) + 1; end when;
  y + z = n;
public Real z;
end M;
)",
       {{"x", 1.5}, {"y", 0.5}, {"z", 3.5}}},
  });
}

TEST_CASE("Modelica files: 'when' sets parts of arrays, as a shift register does") {
  // Of the samples sin(k/10) the one of four ticks ago is held: the integral over 1 s is that of k = 0 ... 5.
  double sum = 0;
  for (int n = 0; n < 6; ++n) sum += 0.1 * sin(0.1 * n);
  test::checkModelica({{R"mo(
model M
  parameter Integer N = 5;
  discrete Real q[N](each start=0, each fixed=true);
  Integer k[4](start={1, 2, 3, 4}, each fixed=true);
  Real y(start=0, fixed=true);
equation
  when sample(0, 0.1) then
    q[1] = sin(time);
    q[2:N] = pre(q[1:N-1]);
  end when;
  when time > 0.25 then
    k[{4, 1}] = 10*pre(k[{1, 4}]);
    k[2:3] = if q[1] > 0 then {7, 8} else {0, 0};
  end when;
  der(y) = q[N];
end M;
)mo",
                        {{"y", sum},
                         {"q[1]", sin(1.0)},
                         {"q[5]", sin(0.6)},
                         {"k[1]", 40},
                         {"k[2]", 7},
                         {"k[3]", 8},
                         {"k[4]", 10}}}});
}

TEST_CASE("Modelica files: 'if' in 'when' chooses what its variables are set to") {
  test::checkModelica({
      {R"(model M
  Real x(start=0, fixed=true); Boolean b(start=false, fixed=true); Integer n(start=0, fixed=true), m(start=0, fixed=true);
equation
  der(x) = 1;
  when sample(0.05, 0.1) then
    if x > 0.7 then
      n = pre(n) + 1; b = true;
    elseif x > 0.3 then
      b = false;
      if x > 0.5 then n = pre(n) + 10; else n = pre(n) + 100; end if;
    else
      b = not pre(b); n = pre(n);
    end if;
    m = pre(m) + 1;
  end when;
end M;
)",
       {{"n", 223}, {"b", 1}, {"m", 10}}},
  });
}

TEST_CASE("Modelica files: a parameter that the start finds may stand in the model's equations") {
  test::checkModelica({
      {R"(model M parameter Real k(fixed=false, start=1); Real x(start=1, fixed=true);
initial equation der(x) = -3;
equation der(x) = -k*x;
end M;
)",
       {{"x", exp(-3)}, {"k", 3}}},
  });
}

TEST_CASE("Modelica files: initial equations give parameters by others before the run") {
  test::checkModelica({
      {R"(package P
function parts input Integer n; input Real f; output Real a[n]; output Real b;
algorithm for i in 1:n loop a[i] := i*f; end for; b := n + f; end parts;
model M parameter Integer n = 2; parameter Real f = 3; parameter Boolean isLarge = true;
  parameter Real r[n](each fixed = false), s(fixed = false), t(fixed = false), t0(fixed = false);
  parameter Real none[0](each fixed = false);
  Real x[n](each start = 0, each fixed = true), y(start = 0);
initial equation
  if isLarge then t = s*sum(none) + s; else t = -1; end if;
  (r, s) = parts(n, f);
  t0 = time;
equation
  for i in 1:n loop der(x[i]) = r[i]; end for;
  when sample(t0 + 0.25, 0.5) then y = pre(y) + t; end when;
end M; end P;
)",
       {{"x[1]", 3}, {"x[2]", 6}, {"y", 10}}},
      {R"(model M discrete Real next; Boolean isLate;
initial equation pre(next) = time + 0.5;
equation when time > 0.7 then next = 2; end when; isLate = time > next;
end M;
)",
       {{"isLate", 0}, {"next", 2}}},
  });
}

TEST_CASE(
    "Modelica files: of all that is said of a given parameter one initial equation is its value") {
  const std::string start =
      "model M parameter Real a(fixed=false), b(fixed=false), t0(fixed=false); Real x(start=0, "
      "fixed=true), y(start=0); initial equation a = 3; b = sin(2*time) + der(time); t0 = time; ";
  const std::string all = start + "equation a = y; der(x) = y + b + t0; end M;";
  test::checkModelica({{all.c_str(), {{"x", 4}}}});
  // Where no sample needs it, the time of the start is that of the run.
  const test::ModelRun late =
      test::runModel(test::modelOfModelica(all) + "simulation: {start: 6, stop: 7}\n");
  CHECK(std::abs(late.last("x") - (3 + std::sin(12.0) + 1 + 6)) < 1e-9);
  const std::string twice = start + "a = 5; equation y = a; der(x) = y; end M;";
  CHECK(test::messageOfRun(test::modelOfModelica(twice)).find("a = 5") != std::string::npos);
  Diagnostics said;
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  CHECK(!modelica::importText(catalogue(),
                              "model M parameter Integer n(fixed=false); Real x = n*time; initial "
                              "equation n = 2.5; end M;",
                              "m.mo", options, said));
  CHECK(said.format() ==
        "m.mo:1:81: error: 'n' is an Integer, and its value a Real; integer(...) makes one of it");
}

TEST_CASE("Modelica files: blocks of one's own extend what the library's blocks do") {
  test::checkModelica({
      {R"(package P
block B extends Modelica.Blocks.Interfaces.MI2MO(n=2); equation y = u1 + 2*u2; end B;
block D extends Modelica.Blocks.Interfaces.SI2BooleanSO; equation y = u1 > u2; end D;
model M B b; D d; Modelica.Blocks.Math.IntegerToReal r; Integer i = 3;
equation b.u1 = {time, 1}; b.u2 = {1, time}; d.u1 = time; d.u2 = 0.5; r.u = i;
end M; end P;
)",
       {{"b.y[1]", 3}, {"b.y[2]", 3}, {"d.y", 1}, {"r.y", 3}}},
  });
}
