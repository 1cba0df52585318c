// Parts of one's own on connectors of the library: each case is a model as books have it, imported, run for
// 1 s and compared with its closed form.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "tests/models/modelica_run.h"

using namespace cardan;
using std::cos, std::exp, std::sin, std::sqrt;

namespace {

/// Parts, and a model M made of them.
std::string modelOfParts(const std::string& parts, const std::string& content) {
  return "package P\n" + parts + "model M\n" + content + "\nend M; end P;\n";
}

const std::string kMassesOfOwn = R"(
import Modelica.Mechanics.Translational.Interfaces.*;
import Modelica.Mechanics.Translational.Components.*;
import Modelica.Mechanics.Translational.Sources.*;
model Own Flange_a a; Flange_b b; parameter Real m = 1; Real s(start = 0), v(start = 0);
equation a.s = s; b.s = s; v = der(s); m*der(v) = a.f + b.f; end Own;
model Long Flange_a a; Flange_b b; parameter Real m = 1; parameter Real L = 0.5;
  Real s(start = 0), v(start = 0);
equation a.s = s - L/2; b.s = s + L/2; v = der(s); m*der(v) = a.f + b.f; end Long;
model Rigid extends PartialRigid(L = 0.4); parameter Real m = 1; Real v(start = 0);
equation v = der(s); m*der(v) = flange_a.f + flange_b.f; end Rigid;
model Lever Flange_a a; Flange_b b; parameter Real ratio = 2;
equation a.s = ratio*b.s; 0 = ratio*a.f + b.f; end Lever;
model Bar Flange_a a; Flange_b b; parameter Real L = 0.5;
equation b.s - a.s = L; a.f + b.f = 0; end Bar;
)";

const std::string kShaftsOfOwn = R"(
import Modelica.Mechanics.Rotational.Interfaces.*;
import Modelica.Mechanics.Rotational.Components.*;
import Modelica.Mechanics.Rotational.Sources.*;
model Own Flange_a a; Flange_b b; parameter Real J = 1; Real phi(start = 0), w(start = 0);
equation phi = a.phi; phi = b.phi; w = der(phi); J*der(w) = a.tau + b.tau; end Own;
model Gear Flange_a a; Flange_b b; parameter Real ratio = 3;
equation a.phi = ratio*b.phi; 0 = ratio*a.tau + b.tau; end Gear;
model Rack Flange_a r; Modelica.Mechanics.Translational.Interfaces.Flange_b t;
  parameter Real radius = 0.5;
equation t.s = radius*r.phi; r.tau = -radius*t.f; end Rack;
)";

const std::string kCircuitsOfOwn = R"(
import Modelica.Electrical.Analog.Interfaces.*;
import Modelica.Electrical.Analog.Basic.Ground;
model Res extends OnePort; parameter Real R = 1; equation R*i = v; end Res;
model Cap extends OnePort; parameter Real C = 1; equation C*der(v) = i; end Cap;
model Ind extends OnePort; parameter Real L = 1; equation L*der(i) = v; end Ind;
model Volt extends OnePort; parameter Real V = 1; equation v = V; end Volt;
model Earth Pin p; equation p.v = 0; end Earth;
)";

const double kHeldBySprings = sqrt(8.0 / 2);  // two springs of 4 N/m on 2 kg

}  // namespace

TEST_CASE("Modelica files: a mass of one's own is between two flanges of the library") {
  const std::string own[] = {
      modelOfParts(kMassesOfOwn,
                   R"(Own m(m = 2, s(start = 0.3, fixed = true), v(start = 1, fixed = true));
        Spring k(c = 4), l(c = 4); Fixed f, g;
        equation connect(f.flange, k.flange_a); connect(k.flange_b, m.a);
        connect(m.b, l.flange_a); connect(l.flange_b, g.flange);)"),
      modelOfParts(kMassesOfOwn,
                   R"(Own m(m = 2, s(start = 3, fixed = true), v(start = 1, fixed = true));
        ConstantForce q(f_constant = 4);
        equation connect(q.flange, m.a);)"),
      modelOfParts(kMassesOfOwn,
                   R"(Own m(m = 2, s(start = 3, fixed = true), v(start = 1, fixed = true));
        ConstantForce q(f_constant = 4);
        equation connect(m.b, q.flange);)"),
      modelOfParts(kMassesOfOwn,
                   R"(Own m(m = 2, s(start = 3, fixed = true), v(start = 1, fixed = true));
        Own n(m = 3); Mass o(m = 5); ConstantForce q(f_constant = 4);
        equation connect(q.flange, m.a); connect(m.b, n.a); connect(n.b, o.flange_a);)"),
      modelOfParts(kMassesOfOwn, R"(Mass o(m = 3), p(m = 4);
        Own m(m = 1, s(start = 3, fixed = true), v(start = 1, fixed = true));
        ConstantForce q(f_constant = 4);
        equation connect(q.flange, o.flange_a); connect(o.flange_b, m.a);
        connect(m.b, p.flange_a);)"),
  };
  test::checkModelica({
      {own[0].c_str(), {{"m.s", 0.3 * cos(kHeldBySprings) + sin(kHeldBySprings) / kHeldBySprings}}},
      {own[1].c_str(), {{"m.s", 5}, {"m.v", 3}, {"m.a.f", 4}, {"m.b.f", 0}}},
      {own[2].c_str(), {{"m.s", 5}, {"m.v", 3}, {"m.a.f", 0}, {"m.b.f", 4}}},
      {own[3].c_str(), {{"m.s", 4.2}, {"n.s", 4.2}, {"o.v", 1.4}, {"n.b.f", -2}, {"m.b.f", -3.2}}},
      {own[4].c_str(), {{"m.s", 4.25}, {"m.a.f", 2.5}, {"m.b.f", -2}}},
  });
}

TEST_CASE("Modelica files: flanges of one's own part are apart, and geared") {
  const std::string own[] = {
      modelOfParts(kMassesOfOwn,
                   R"(Long m(m = 2, s(start = 3, fixed = true), v(start = 1, fixed = true));
        Own n(m = 2); ConstantForce q(f_constant = 4);
        equation connect(q.flange, m.a); connect(m.b, n.a);)"),
      modelOfParts(kMassesOfOwn,
                   R"(Rigid m(m = 2, s(start = 3, fixed = true), v(start = 1, fixed = true));
        Mass n(m = 2); ConstantForce q(f_constant = 4);
        equation connect(q.flange, m.flange_a); connect(m.flange_b, n.flange_a);)"),
      modelOfParts(kMassesOfOwn,
                   R"(Lever l(ratio = 2); Mass n(m = 1); ConstantForce q(f_constant = 4);
        Mass o(m = 4, s(start = 1, fixed = true), v(start = 1, fixed = true));
        equation connect(q.flange, n.flange_a); connect(n.flange_b, l.a);
        connect(l.b, o.flange_a);)"),
      modelOfParts(kMassesOfOwn, R"(Bar l(L = 0.7); ConstantForce q(f_constant = 4);
        Mass o(m = 4, s(start = 1, fixed = true), v(start = 1, fixed = true));
        Mass n(m = 4); equation connect(q.flange, n.flange_a); connect(n.flange_b, l.a);
        connect(l.b, o.flange_a);)"),
      modelOfParts(kShaftsOfOwn,
                   R"(ConstantTorque t(tau_constant = 6); Inertia j(J = 1); Gear g(ratio = 3);
        Own k(J = 2, phi(start = 1, fixed = true), w(start = 2, fixed = true));
        equation connect(t.flange, j.flange_a); connect(j.flange_b, g.a); connect(g.b, k.a);)"),
      modelOfParts(kShaftsOfOwn,
                   R"(ConstantTorque t(tau_constant = 6); Own j(J = 1); Gear g(ratio = 3);
        Inertia k(J = 2, phi(start = 1, fixed = true), w(start = 2, fixed = true));
        equation connect(t.flange, j.a); connect(j.b, g.a); connect(g.b, k.flange_a);)"),
      modelOfParts(kShaftsOfOwn,
                   R"(ConstantTorque t(tau_constant = 6); Own j(J = 1); Rack g(radius = 0.5);
        Modelica.Mechanics.Translational.Components.Mass k(m = 8, s(start = 1, fixed = true),
          v(start = 2, fixed = true));
        equation connect(t.flange, j.a); connect(j.b, g.r); connect(g.t, k.flange_a);)"),
  };
  const double geared = 18.0 / 11, racked = 6 * 0.5 / (8 * 0.25 + 1);
  test::checkModelica({
      {own[0].c_str(), {{"m.s", 4.5}, {"n.s", 4.75}, {"m.b.f", -2}}},
      {own[1].c_str(), {{"m.s", 4.5}, {"n.s", 4.7}}},
      {own[2].c_str(), {{"o.s", 1 + 1 + 0.5}, {"n.s", 5}, {"l.b.f", -4}}},
      {own[3].c_str(), {{"o.s", 2.25}, {"n.s", 1.55}, {"l.a.f", 2}}},
      {own[4].c_str(), {{"j.w", 3 * (2 + geared)}, {"k.w", 2 + geared}, {"g.b.tau", -2 * geared}}},
      {own[5].c_str(), {{"j.w", 3 * (2 + geared)}, {"k.w", 2 + geared}}},
      {own[6].c_str(), {{"k.v", 2 + racked}, {"j.w", 2 * (2 + racked)}}},
  });
}

TEST_CASE(
    "Modelica files: parts of the library read how fast masses and stores of one's own move") {
  const std::string rotor = kShaftsOfOwn + R"(
    model Rotor Flange_a flange; parameter Real J = 2;
      Real phi(start = 1, fixed = true), w(start = 0.5, fixed = true), a;
    equation phi = flange.phi; w = der(phi); a = der(w); J*a = flange.tau; end Rotor;
    model Plain Flange_a flange; parameter Real J = 2; Real w(start = 0.5, fixed = true);
    equation w = der(flange.phi); der(w) = flange.tau/J; end Plain;
  )";
  const std::string own[] = {
      modelOfParts(rotor, R"(Rotor r; Damper d(d = 0.3); Fixed f;
        equation connect(r.flange, d.flange_b); connect(d.flange_a, f.flange);)"),
      modelOfParts(rotor, R"(Plain r; Torque q; Modelica.Mechanics.Rotational.Sensors.SpeedSensor s;
        equation connect(r.flange, s.flange); connect(q.flange, r.flange); q.tau = 1 - 0.4*s.w;)"),
      modelOfParts(rotor, R"(Rotor r; IdealGear g(ratio = 3); Damper d(d = 0.3); Fixed f;
        equation connect(r.flange, g.flange_a); connect(g.flange_b, d.flange_a);
        connect(d.flange_b, f.flange);)"),
      modelOfParts(rotor, R"(Rotor r; BearingFriction b(tau_pos = [0, 0.5; 1, 0.7]);
        ConstantTorque q(tau_constant = 0.2);
        equation connect(r.flange, b.flange_a); connect(q.flange, r.flange);)"),
      modelOfParts(rotor, R"(Rotor r; Modelica.Electrical.Analog.Basic.RotationalEMF e(k = 0.5);
        Modelica.Electrical.Analog.Basic.Resistor R(R = 2); Modelica.Electrical.Analog.Basic.Ground g;
        Modelica.Electrical.Analog.Sources.ConstantVoltage v(V = 3);
        equation connect(v.p, R.p); connect(R.n, e.p); connect(e.n, v.n); connect(g.p, v.n);
        connect(e.flange, r.flange);)"),
      modelOfParts(rotor,
                   R"(Own k(J = 2, w(start = 0.5, fixed = true)), l(J = 1); Damper d(d = 0.3);
        Fixed f; equation connect(k.b, l.a); connect(l.b, d.flange_b); connect(d.flange_a, f.flange);)"),
      modelOfParts(kMassesOfOwn,
                   R"(Own m(m = 2, s(start = 1, fixed = true), v(start = 0.5, fixed = true));
        Damper d(d = 0.3); Fixed f; Modelica.Mechanics.Translational.Sensors.SpeedSensor s;
        equation connect(m.a, d.flange_b); connect(m.b, s.flange); connect(d.flange_a, f.flange);)"),
      modelOfParts(R"(model Store Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a port;
        parameter Real C = 2; Real T(start = 300, fixed = true);
        equation T = port.T; C*der(T) = port.Q_flow; end Store;)",
                   R"(Store s; Modelica.Thermal.HeatTransfer.Components.ThermalConductor g(G = 3);
        Modelica.Thermal.HeatTransfer.Sources.FixedTemperature f(T = 280);
        Modelica.Thermal.HeatTransfer.Sensors.TemperatureSensor t;
        equation connect(s.port, g.port_a); connect(g.port_b, f.port); connect(t.port, s.port);)"),
  };
  const double damped = 0.5 * exp(-0.15), led = 0.5 * exp(-0.3 / 3);
  test::checkModelica({
      {own[0].c_str(), {{"r.w", damped}, {"r.phi", 1 + (0.5 - damped) / 0.15}}},
      {own[1].c_str(), {{"s.w", 2.5 - 2 * exp(-0.2)}}},
      {own[2].c_str(), {{"r.w", 0.5 * exp(-0.3 / 9 / 2)}}},
      {own[3].c_str(), {{"r.w", 2 * exp(-0.1) - 1.5}}},
      {own[4].c_str(), {{"r.w", 6 - 5.5 * exp(-0.0625)}}},
      {own[5].c_str(), {{"k.w", led}, {"l.w", led}, {"k.b.tau", -0.2 * led}}},
      {own[6].c_str(), {{"s.v", damped}, {"m.a.f", -0.3 * damped}}},
      {own[7].c_str(), {{"t.T", 280 + 20 * exp(-1.5)}}},
  });
  for (const std::string& text : own) {
    const test::ModelRun ida = test::runModel(test::modelOfModelica(text)),
                         eight = test::runModel(test::modelOfModelica(text),
                                                {.integrator = IntegratorChoice::explicitMethod});
    const std::string name = text.find("model Store") != std::string::npos ? "t.T"
                             : text.find("Own k") != std::string::npos     ? "k.w"
                             : text.find("Own m(") != std::string::npos    ? "m.v"
                                                                           : "r.w";
    CHECK(ida.last(name) == doctest::Approx(eight.last(name)).epsilon(1e-6));
  }
}

TEST_CASE("Modelica files: 'when' sets speeds and angles of one's own rotors anew") {
  const std::string rotor = kShaftsOfOwn + R"(
    model Rotor Flange_a flange; parameter Real J = 2; Real phi(start = 1, fixed = true);
      Real w(start = 0.5, fixed = true);
    equation phi = 2*flange.phi; w = der(phi); J*der(w) = flange.tau/2; end Rotor;
    model Hit extends Rotor; equation when phi > 1.2 then reinit(w, -0.5*pre(w)); end when; end Hit;
  )";
  const std::string own[] = {
      modelOfParts(rotor, R"(Hit r; Damper d(d = 1.2); Fixed f;
        equation connect(r.flange, d.flange_a); connect(d.flange_b, f.flange);)"),
      modelOfParts(rotor, R"(Rotor r; equation when r.phi > 1.2 then reinit(r.phi, 0.7);
        reinit(r.w, pre(r.w) + 1); end when;)"),
  };
  // The second one comes there at 0.4 s, 0.73 s and 0.93 s.
  const double k = 0.15, hit = -std::log(1 - 0.2 * k / 0.5) / k, after = -0.25 * exp(-k * hit);
  test::checkModelica({
      {own[0].c_str(), {{"r.w", after * exp(-k * (1 - hit))}}},
      {own[1].c_str(), {{"r.w", 3.5}, {"r.phi", 0.7 + 3.5 / 15}}},
  });
}

TEST_CASE(
    "Modelica files: parts of one's own have connectors of the library in arrays and in "
    "connectors") {
  const std::string plugs = kCircuitsOfOwn + R"(
    connector Plug Pin p[3]; end Plug;
    model Star Plug a; parameter Real R = 2;
    equation for k in 1:3 loop a.p[k].v = R*a.p[k].i; end for; end Star;
    model Source Plug a; equation for k in 1:3 loop a.p[k].v = 10*cos(6*time - 2*k); end for; end Source;
    model Box Plug a; Star s; equation connect(a, s.a); end Box;
    connector Both Modelica.Mechanics.Rotational.Interfaces.Flange_a a; Pin p; end Both;
    model DC Both b; parameter Real k = 0.5, R = 1; Real w;
    equation w = der(b.a.phi); b.p.v = R*b.p.i + k*w; b.a.tau = -k*b.p.i; end DC;
    model Load Both b; Modelica.Mechanics.Rotational.Components.Inertia j(J = 0.25,
      phi(start = 0, fixed = true), w(start = 0, fixed = true)); Volt v(V = 2); Ground g;
    equation connect(b.a, j.flange_a); connect(b.p, v.p); connect(v.n, g.p); end Load;
  )";
  const std::string own[] = {
      modelOfParts(
          R"(model Room Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a a[2];
        parameter Real C = 5; Real T(start = 290, fixed = true);
        equation for i in 1:2 loop a[i].T = T; end for; C*der(T) = sum(a.Q_flow); end Room;)",
          R"(Room r; Modelica.Thermal.HeatTransfer.Components.ThermalConductor w[2](G = {1, 2});
        Modelica.Thermal.HeatTransfer.Sources.FixedTemperature o[2](T = {270, 315});
        equation connect(r.a, w.port_a); connect(w.port_b, o.port);)"),
      modelOfParts(kShaftsOfOwn + R"(model Multi Flange_a f[2]; parameter Real J = 2;
        Real phi(start = 1, fixed = true), w(start = 0.5, fixed = true);
        equation f[1].phi = phi; f[2].phi = phi; w = der(phi); J*der(w) = sum(f[i].tau for i in 1:2);
        end Multi;)",
                   R"(Multi m; Damper d(d = 0.3); Fixed x; ConstantTorque t(tau_constant = 0.3);
        equation connect(m.f[1], d.flange_a); connect(d.flange_b, x.flange);
        connect(t.flange, m.f[2]);)"),
      modelOfParts(plugs, R"(Source s; Box b; Star t(R = 5); Ground g; Res r(R = 4);
        equation connect(s.a, b.a); connect(s.a, t.a); connect(r.p, s.a.p[2]); connect(r.n, g.p);)"),
      modelOfParts(plugs, "DC d; Load l; equation connect(d.b, l.b);"),
  };
  test::checkModelica({
      {own[0].c_str(), {{"r.T", 300 - 10 * exp(-0.6)}}},
      {own[1].c_str(), {{"m.w", 1 - 0.5 * exp(-0.15)}}},
      {own[2].c_str(), {{"t.a.p[1].i", 2 * cos(4)}, {"s.a.p[2].i", -9.5 * cos(2)}}},
      {own[3].c_str(), {{"l.j.w", 4 * (1 - exp(-1))}, {"d.b.p.i", 2 * exp(-1)}}},
  });
}

TEST_CASE("Modelica files: motion, temperature and heat of one's own at flanges and ports") {
  const std::string own[] = {
      modelOfParts(R"(import Modelica.Mechanics.Translational.*;
        model Wall Interfaces.Flange_b flange; parameter Real s0 = 2;
        equation flange.s = s0; end Wall;)",
                   R"(Wall f(s0 = 2); Modelica.Mechanics.Translational.Components.Spring k(c = 8);
        Modelica.Mechanics.Translational.Components.Mass m(m = 2, s(start = 3, fixed = true),
          v(fixed = true));
        equation connect(f.flange, k.flange_a); connect(k.flange_b, m.flange_a);)"),
      modelOfParts(R"(import Modelica.Mechanics.Translational.*;
        model Shaker Interfaces.Flange_b flange; parameter Real w = 3;
        equation flange.s = sin(w*time); end Shaker;)",
                   R"(Shaker f; Modelica.Mechanics.Translational.Components.Spring k(c = 8);
        Modelica.Mechanics.Translational.Components.Mass m(m = 2, s(start = 0, fixed = true),
          v(start = -2.4, fixed = true));
        equation connect(f.flange, k.flange_a); connect(k.flange_b, m.flange_a);)"),
      modelOfParts(R"(import Modelica.Thermal.HeatTransfer.Interfaces.*;
        model Lump HeatPort_a a; HeatPort_b b; parameter Real C = 2; Real T(start = 300);
        equation T = a.T; T = b.T; C*der(T) = a.Q_flow + b.Q_flow; end Lump;
        model Bath HeatPort_a port; parameter Real T = 280; equation port.T = T; end Bath;
        model Path HeatPort_a a; HeatPort_b b; parameter Real G = 1;
        equation a.Q_flow = G*(a.T - b.T); a.Q_flow + b.Q_flow = 0; end Path;)",
                   R"(Bath h(T = 280); Path p(G = 2); Lump l(C = 2, T(start = 380, fixed = true));
        Modelica.Thermal.HeatTransfer.Sources.FixedHeatFlow q(Q_flow = 40);
        equation connect(h.port, p.a); connect(p.b, l.a); connect(l.b, q.port);)"),
  };
  // Shaken: s'' = -4 s + 4 sin(3 t), of which -0.8 sin(3 t) is one solution.
  test::checkModelica({
      {own[0].c_str(), {{"m.s", 2 + cos(2)}}},
      {own[1].c_str(), {{"m.s", -0.8 * sin(3)}}},
      {own[2].c_str(),
       {{"l.T", 300 + 80 * exp(-1)}, {"l.b.Q_flow", 40}, {"h.port.Q_flow", 40 + 160 * exp(-1)}}},
  });
}

TEST_CASE("Modelica files: parts of one's own between pins of the library") {
  const std::string own[] = {
      modelOfParts(kCircuitsOfOwn, R"(Res r(R = 2); Cap c(C = 0.5, v(start = 0.3, fixed = true));
        Modelica.Electrical.Analog.Sources.ConstantVoltage s(V = 5); Ground g;
        equation connect(s.p, r.p); connect(r.n, c.p); connect(c.n, s.n); connect(s.n, g.p);)"),
      modelOfParts(kCircuitsOfOwn, R"(Modelica.Electrical.Analog.Basic.Resistor r(R = 2);
        Cap c(C = 0.5, v(start = 0.3, fixed = true)); Volt s(V = 5); Earth g;
        equation connect(s.p, r.p); connect(r.n, c.p); connect(c.n, s.n); connect(s.n, g.p);)"),
      modelOfParts(kCircuitsOfOwn, R"(Res r(R = 0.4); Ind l(L = 0.2, i(start = 0, fixed = true));
        Cap c(C = 0.5, v(start = 0, fixed = true)); Volt s(V = 1); Ground g;
        equation connect(s.p, r.p); connect(r.n, l.p); connect(l.n, c.p); connect(c.n, s.n);
        connect(s.n, g.p);)"),
      modelOfParts(kCircuitsOfOwn, R"(Res r(R = 2), q(R = 2), open; Volt s(V = 8); Ground g;
        equation connect(s.p, r.p); connect(r.n, q.p); connect(q.n, s.n); connect(s.n, g.p);
        connect(open.p, r.n);)"),
      modelOfParts(kCircuitsOfOwn, R"(Res r(R = 2);
        Modelica.Electrical.Analog.Basic.Inductor l(L = 1, i(start = 3, fixed = true)); Ground g;
        equation connect(r.p, l.p); connect(r.n, l.n); connect(r.n, g.p);)"),
  };
  const double ringing = sqrt(10 - 1.0);
  test::checkModelica({
      {own[0].c_str(), {{"c.v", 5 - 4.7 * exp(-1)}}},
      {own[1].c_str(), {{"c.v", 5 - 4.7 * exp(-1)}, {"s.i", -2.35 * exp(-1)}}},
      {own[2].c_str(), {{"c.v", 1 - exp(-1) * (cos(ringing) + sin(ringing) / ringing)}}},
      {own[3].c_str(), {{"q.v", 4}, {"r.i", 2}, {"open.v", 0}}},
      {own[4].c_str(), {{"l.i", 3 * exp(-2)}}},
  });
}

TEST_CASE(
    "Modelica files: parts of one's own that switch, and that are connected with themselves") {
  // A thyristor in any order of its equations; an amplifier whose output is its input.
  for (const int first : {0, 1, 2}) {
    std::string all[] = {"off = s < 0 or pre(off) and not time > 0.1;",
                         "v = s*(if off then 1 else Ron);", "i = s*(if off then Goff else 1);"};
    std::rotate(std::begin(all), std::begin(all) + first, std::end(all));
    const std::string thyristor =
        "model Thy extends OnePort; parameter Real Ron = 0.5, Goff = 0.25; Boolean off(start = "
        "true); Real s;\n"
        "equation " +
        all[0] + all[1] + all[2] + " end Thy;\n";
    const auto driven = [&](const char* V) {
      return modelOfParts(kCircuitsOfOwn + thyristor,
                          std::string("Thy t; Res r(R = 2); Volt s(V = ") + V +
                              "); Ground g; equation connect(s.p, t.p); connect(t.n, r.p);"
                              "connect(r.n, s.n); connect(s.n, g.p);");
    };
    const std::string on = driven("5"), off = driven("-3");
    test::checkModelica({{on.c_str(), {{"r.i", 5 / 2.5}, {"t.off", 0}}},
                         {off.c_str(), {{"r.i", -3 / 6.0}, {"t.off", 1}}}});
  }
  const std::string follower =
      modelOfParts(kCircuitsOfOwn, R"(model Amp Pin p, n, out; parameter Real A = 99;
    Real x(start = 0, fixed = true);
    equation p.i = 0; n.i = 0; out.v = x; der(x) = A*(A*(p.v - n.v) - x); end Amp;
    Amp a; Res r(R = 2); Volt s(V = 5); Ground g;
    equation connect(s.p, a.p); connect(a.n, a.out); connect(a.out, r.p); connect(r.n, s.n);
    connect(s.n, g.p);)");
  test::checkModelica({{follower.c_str(), {{"r.v", 4.95}, {"a.out.i", -2.475}}}});
}

namespace {

constexpr const char* kStores = R"(package P
connector Fl Real p; flow Real q; end Fl;
model Cap Fl f; parameter Real p0 = 0; equation der(f.p) = f.q; initial equation f.p = p0; end Cap;
model Res Fl a, b; equation a.q = a.p - b.p; a.q + b.q = 0; end Res;
)";

/// Stores in a row begin at 1, 4, 9, ...: the one at `i` of `n` after 1 s. The modes of a row with free ends
/// are cosines.
double inRow(int i, int n) {
  const double pi = std::acos(-1.0);
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    const auto mode = [&](int at) { return cos(k * pi * (at - 0.5) / n); };
    double share = 0;
    for (int at = 1; at <= n; ++at) share += at * at * mode(at);
    sum += share * (k == 0 ? 1.0 : 2.0) / n * mode(i) * exp(-(2 - 2 * cos(k * pi / n)));
  }
  return sum;
}

}  // namespace

TEST_CASE(
    "Modelica files: what flows into a store is its rate, and the stores around it keep states of "
    "their own") {
  const std::string row = std::string(kStores) + R"(
    model M Cap c[10](p0 = {i^2 for i in 1:10}); Res r[9];
    equation for i in 1:9 loop connect(c[i].f, r[i].a); connect(r[i].b, c[i + 1].f); end for;
    end M; end P;)";
  // Two pairs in a ring: by symmetry nothing flows between them.
  const std::string ring = std::string(kStores) + R"(
    model S Cap c1(p0 = 1), c2(p0 = 2); Res r; Fl P1, P2;
    equation connect(c1.f, r.a); connect(r.b, c2.f); connect(P1, c1.f); connect(P2, c2.f); end S;
    model M S s, t; Res r1, r2;
    equation connect(s.P1, r1.a); connect(r1.b, t.P1); connect(s.P2, r2.a); connect(r2.b, t.P2);
    end M; end P;)";
  test::checkModelica({
      {row.c_str(),
       {{"c[1].f.p", inRow(1, 10)}, {"c[4].f.p", inRow(4, 10)}, {"c[10].f.p", inRow(10, 10)}}},
      {ring.c_str(),
       {{"s.c1.f.p", 1.5 - 0.5 * exp(-2)}, {"t.c2.f.p", 1.5 + 0.5 * exp(-2)}, {"r1.a.q", 0}}},
  });
}

TEST_CASE("Modelica files: forces and sensors of one's own in space do as those of the library") {
  const std::string parts = R"(
    model Cubic extends Modelica.Mechanics.MultiBody.Interfaces.PartialLineForce;
      parameter Real c = 100, d = 2, s0 = 0.3; equation f = c*(s - s0) + d*der(s); end Cubic;
    model Pull extends Modelica.Mechanics.MultiBody.Interfaces.PartialForce; parameter Real c = 80;
      equation frame_b.f = c*r_rel_b; frame_b.t = zeros(3); end Pull;
    model Height extends Modelica.Mechanics.MultiBody.Interfaces.PartialAbsoluteSensor(n_out = 2);
      equation y = {frame_a.r_0[2], der(frame_a.r_0[2])}; frame_a.f = zeros(3); frame_a.t = zeros(3);
      end Height;
    model Thrown extends Modelica.Mechanics.MultiBody.Parts.Body(m = 1, r_CM = {0.1, 0, 0}, I_11 = 0.01,
      I_22 = 0.02, I_33 = 0.03, r_0(start = {0.3, -0.4, 0.1}, each fixed = true),
      v_0(start = {0.2, 0, 0.3}, each fixed = true), w_0_fixed = true, w_0_start = {1, 2, 3},
      angles_fixed = true); end Thrown;
  )";
  const std::string model = modelOfParts(parts, R"(
    inner Modelica.Mechanics.MultiBody.World world; Thrown a, b; Cubic own; Pull pull; Height h;
    Modelica.Mechanics.MultiBody.Forces.SpringDamperParallel known(c = 100, d = 2, s_unstretched = 0.3);
    Modelica.Mechanics.MultiBody.Forces.Spring knownPull(c = 80, s_unstretched = 0);
    Real e[3] = a.r_0 - b.r_0; Real dh = h.y[1] - a.r_0[2]; Real dv = h.y[2] - a.v_0[2];
    Real fallen = if a.r_0[2] > -0.45 then 1 else 0;
    equation
    connect(world.frame_b, known.frame_a); connect(known.frame_b, a.frame_a);
    connect(world.frame_b, knownPull.frame_a); connect(knownPull.frame_b, a.frame_a);
    connect(world.frame_b, own.frame_a); connect(own.frame_b, b.frame_a);
    connect(world.frame_b, pull.frame_a); connect(pull.frame_b, b.frame_a);
    connect(h.frame_a, b.frame_a);)");
  test::checkModelica(
      {{model.c_str(),
        {{"e[1]", 0}, {"e[2]", 0}, {"e[3]", 0}, {"dh", 0}, {"dv", 0}, {"fallen", 1}}}});
}
