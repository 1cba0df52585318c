// Connectors that files define: what parts on them do, against closed forms.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "tests/engine/modelica/imported_text.h"

using namespace cardan;
using test::importedText;

namespace {

const std::string kElectrical = R"(package P
  connector Pin Real v; flow Real i; end Pin;
  partial model TwoPin Pin p; Pin n; Real v; Real i;
  equation v = p.v - n.v; 0 = p.i + n.i; i = p.i; end TwoPin;
  model Resistor extends TwoPin; parameter Real R = 1; equation R*i = v; end Resistor;
  model Capacitor extends TwoPin; parameter Real C = 1; equation C*der(v) = i; end Capacitor;
  model Inductor extends TwoPin; parameter Real L = 1; equation L*der(i) = v; end Inductor;
  model Source extends TwoPin; parameter Real V = 1; equation v = V; end Source;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Pair Pin p; Pin n; Resistor a(R = 1), b(R = 3);
  equation connect(p, a.p); connect(a.n, b.p); connect(n, b.n); end Pair;
)";

const std::string kRotational = R"(package P
  connector Flange Real phi; flow Real tau; end Flange;
  model Inertia Flange a; Flange b; parameter Real J = 1; Real phi; Real w;
  equation phi = a.phi; phi = b.phi; w = der(phi); J*der(w) = a.tau + b.tau; end Inertia;
  model Spring Flange a; Flange b; parameter Real c = 1;
  equation b.tau = c*(b.phi - a.phi); a.tau + b.tau = 0; end Spring;
  model Damper Flange a; Flange b; parameter Real d = 1; Real phi_rel; Real w_rel;
  equation phi_rel = b.phi - a.phi; w_rel = der(phi_rel); b.tau = d*w_rel; a.tau = -b.tau; end Damper;
  model Gear Flange a; Flange b; parameter Real ratio = 2;
  equation a.phi = ratio*b.phi; 0 = ratio*a.tau + b.tau; end Gear;
  model Fixed Flange f; equation f.phi = 0; end Fixed;
  model Torque Flange f; parameter Real tau = 1; equation f.tau = -tau; end Torque;
)";

const std::string kHydraulic = R"(package P
  connector Port Real p; flow Real m_flow; end Port;
  model Tank parameter Integer n = 1; Port port[n]; Real h(start = 1, fixed = true);
  equation 1000*der(h) = sum(port.m_flow); for i in 1:n loop port[i].p = 9810*h; end for; end Tank;
  model Valve Port a, b; parameter Real k = 1;
  equation a.m_flow + b.m_flow = 0; a.m_flow = k*(a.p - b.p)/9.81; end Valve;
  model Sink Port port; equation port.p = 0; end Sink;
)";

const std::string kPlanar = R"(package P
  connector Frame Real x; Real y; Real phi; flow Real fx; flow Real fy; flow Real t; end Frame;
  model Fixed Frame f; equation {f.x, f.y} = {0, 0}; f.phi = 0; end Fixed;
  model Rod Frame a; Frame b; parameter Real r[2] = {1, 0}; Real R[2, 2]; Real r0[2];
  equation R = {{cos(a.phi), -sin(a.phi)}, {sin(a.phi), cos(a.phi)}}; r0 = R*r;
    a.x + r0[1] = b.x; a.y + r0[2] = b.y; a.phi = b.phi;
    a.fx + b.fx = 0; a.fy + b.fy = 0; a.t + b.t + r0*{b.fy, -b.fx} = 0; end Rod;
  model Revolute Frame a; Frame b; Real phi(start = 0); Real w(start = 0);
  equation w = der(phi); a.x = b.x; a.y = b.y; a.phi + phi = b.phi;
    a.fx + b.fx = 0; a.fy + b.fy = 0; a.t + b.t = 0; a.t = 0; end Revolute;
  model Body Frame a; parameter Real m = 1; parameter Real I = 0.1; Real r[2]; Real v[2]; Real w;
  equation r = {a.x, a.y}; v = der(r); w = der(a.phi); {a.fx, a.fy} + m*{0, -9.81} = m*der(v);
    a.t = I*der(w); end Body;
)";

struct OwnConnectorCase {
  const char* what;
  const std::string& parts;
  const char* model;
  const char* signal;
  double expected;
};

const double kRlc = std::sqrt(10 - 1.0);
const double kDamped = std::sqrt(4 - 0.04);

const OwnConnectorCase kOwnConnectorCases[] = {
    {"a capacitor is charged", kElectrical,
     "Resistor r(R = 2); Capacitor c(C = 0.5, v(start = 0.3, fixed = true)); Source s(V = 5); "
     "Ground g;"
     "equation connect(s.p, r.p); connect(r.n, c.p); connect(c.n, s.n); connect(s.n, g.p);",
     "c.v", 5 - 4.7 * std::exp(-1)},
    {"a resonant circuit rings", kElectrical,
     "Resistor r(R = 0.4); Inductor l(L = 0.2, i(start = 0, fixed = true)); Ground g;"
     "Capacitor c(C = 0.5, v(start = 0, fixed = true)); Source s(V = 1);"
     "equation connect(s.p, r.p); connect(r.n, l.p); connect(l.n, c.p); connect(c.n, s.n);"
     "connect(s.n, g.p);",
     "c.v", 1 - std::exp(-1) * (std::cos(kRlc) + std::sin(kRlc) / kRlc)},
    {"capacitors in parallel are one state", kElectrical,
     "Resistor r(R = 2); Capacitor c(C = 0.5, v(start = 1, fixed = true)); Capacitor d(C = 1.5);"
     "Ground g; equation connect(r.p, c.p); connect(r.p, d.p); connect(r.n, g.p);"
     "connect(c.n, g.p); connect(d.n, g.p);",
     "d.v", std::exp(-0.25)},
    {"capacitors in a row, with one charge", kElectrical,
     "Resistor r(R = 2); Capacitor c(C = 2, v(start = 1, fixed = true));"
     "Capacitor d(C = 2, v(start = 3, fixed = true)); Ground g;"
     "equation connect(r.p, c.p); connect(c.n, d.p); connect(d.n, g.p); connect(r.n, g.p);",
     "d.v", 3 - 2 * (1 - std::exp(-0.5))},
    {"flows add up through composites and arrays of them", kElectrical,
     "Pair t[2]; Source s(V = 8); Ground g; equation connect(s.p, t[1].p);"
     "connect(t[1].n, t[2].p); connect(t[2].n, s.n); connect(s.n, g.p);",
     "t[2].b.p.v", 3},
    {"inductors in a row are one state", kElectrical,
     "Inductor a(L = 1, i(start = 2, fixed = true)); Inductor b(L = 3); Resistor r(R = 2); Ground "
     "g;"
     "equation connect(a.p, r.p); connect(a.n, b.p); connect(b.n, r.n); connect(b.n, g.p);",
     "b.i", 2 * std::exp(-0.5)},
    {"nothing flows where nothing is connected", kElectrical,
     "Resistor r, open; Source s(V = 3); Ground g; equation connect(s.p, r.p); connect(s.p, "
     "open.p);"
     "connect(r.n, s.n); connect(s.n, g.p);",
     "open.n.v", 3},
    {"an inertia swings on a spring with a damper", kRotational,
     "Fixed f; Spring s(c = 4); Damper d(d = 0.4);"
     "Inertia j(phi(start = 1, fixed = true), w(start = 0.5, fixed = true));"
     "equation connect(f.f, s.a); connect(s.b, j.a); connect(f.f, d.a); connect(d.b, j.a);",
     "j.phi", std::exp(-0.2) * (std::cos(kDamped) + (0.5 + 0.2) / kDamped * std::sin(kDamped))},
    {"inertias that are stiffly connected turn as one", kRotational,
     "Torque t(tau = 6); Inertia j(J = 1, phi(start = 1, fixed = true), w(start = 2, fixed = "
     "true));"
     "Inertia k(J = 2); equation connect(t.f, j.a); connect(j.b, k.a);",
     "k.phi", 1 + 2 + 1},
    {"inertias on both sides of a gear", kRotational,
     "Torque t(tau = 6); Inertia j(J = 1); Gear g(ratio = 3);"
     "Inertia k(J = 2, phi(start = 1, fixed = true), w(start = 2, fixed = true));"
     "equation connect(t.f, j.a); connect(j.b, g.a); connect(g.b, k.a);",
     "j.w", 3 * (2 + 18.0 / 11)},
    {"tanks in a row", kHydraulic,
     "Tank t(h(start = 2)); Tank u(n = 2, h(start = 1)); Valve v(k = 1), w(k = 1.5); Sink s;"
     "equation connect(t.port[1], v.a); connect(v.b, u.port[1]); connect(u.port[2], w.a);"
     "connect(w.b, s.port);",
     // Eigenvalues -1/2 and -3 with vectors {2, 1} and {1, -2}: {2, 1} is the first alone.
     "t.h", 2 * std::exp(-0.5)},
    {"tanks that are joined at their feet hold the same", kHydraulic,
     "Tank t(h(start = 2)); Tank u(h(start = 2)); Valve v(k = 1); Sink s;"
     "equation connect(t.port[1], u.port[1]); connect(t.port[1], v.a); connect(v.b, s.port);",
     "u.h", 2 * std::exp(-0.5)},
    {"a planar pendulum keeps its energy", kPlanar,
     "Fixed f; Revolute j(phi(start = 0.4, fixed = true), w(start = 0, fixed = true));"
     "Rod rod(r = {0.5, 0}); Body b(m = 2); Real E = b.v*b.v + 0.05*b.w^2 + 2*9.81*b.r[2];"
     "equation connect(f.f, j.a); connect(j.b, rod.a); connect(rod.b, b.a);",
     "E", 9.81 * std::sin(0.4)},
    {"a planar body falls", kPlanar,
     "Body b(r(start = {1, 2}, each fixed = true), v(start = {3, 4}, each fixed = true),"
     "  w(start = 5, fixed = true)); equation ",
     "b.r[2]", 2 + 4 - 9.81 / 2},
};

}  // namespace

TEST_CASE("Modelica import: parts on connectors of their own do what they should") {
  for (const OwnConnectorCase& one : kOwnConnectorCases) {
    CAPTURE(one.what);
    const std::string text =
        one.parts + "model M " + one.model +
        " annotation (experiment(StopTime = 1, Tolerance = 1e-9)); end M; end P;";
    Trajectory rows;
    Simulation::fromText(catalogue(), importedText(text, "M")).run(rows, {.outputs = {one.signal}});
    CHECK(rows[one.signal].back() == doctest::Approx(one.expected).epsilon(1e-7));
  }
}
