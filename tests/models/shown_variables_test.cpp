/// What one-dimensional parts, circuits and heat show against what flows at their connectors.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

constexpr double kShownVariablesAlgebra =
    1e-9;  // of flows of order one, each solved for in its row

struct Part {
  std::string name;
  std::string components;   ///< YAML lines; the part is `e`
  std::string connections;  ///< YAML lines
  std::vector<std::string> zeros;
  std::string flow;  ///< must not stay zero
};

/// Every expression of `zeros` vanishes at all times.
void check(const std::string& frame, const std::vector<Part>& parts) {
  for (const Part& p : parts) {
    CAPTURE(p.name);
    std::string variables, outputs = "flow";
    for (size_t i = 0; i < p.zeros.size(); ++i) {
      variables += fmt::format("  zero{}: \"{}\"\n", i + 1, p.zeros[i]);
      outputs += fmt::format(", zero{}", i + 1);
    }
    const std::string text =
        fmt::format(fmt::runtime(frame), p.components, p.connections, variables, p.flow, outputs);
    Simulation s = Simulation::fromText(catalogue(), text, "shown.yaml");
    Trajectory t;
    s.run(t);
    double most = 0;
    for (double x : t["flow"]) most = std::max(most, std::abs(x));
    CHECK(most > 0.01);
    for (size_t i = 0; i < p.zeros.size(); ++i) {
      CAPTURE(p.zeros[i]);
      double worst = 0;
      for (double x : t[fmt::format("zero{}", i + 1)]) worst = std::max(worst, std::abs(x));
      CHECK(worst < kShownVariablesAlgebra * std::max(1.0, most));
    }
  }
}

/// Two inertias and two masses in motion, the masses apart.
const std::string kDrives = R"(
components:
  J1: {{type: Rotational.Inertia, J: 1.3, phi: {{start: 0.1, fixed: true}}, w: {{start: 2.1, fixed: true}}}}
  J2: {{type: Rotational.Inertia, J: 0.7, phi: {{start: 0.4, fixed: true}}, w: {{start: -1.4, fixed: true}}}}
  m1: {{type: Translational.Mass, m: 1.3, s: {{start: 0.1, fixed: true}}, v: {{start: 0.6, fixed: true}}}}
  m2: {{type: Translational.Mass, m: 0.7, s: {{start: 0.5, fixed: true}}, v: {{start: -0.9, fixed: true}}}}
{}
connections:
{}
variables:
{}  flow: "{}"
simulation: {{stop: 0.8, interval: 0.02, tolerance: 1e-8}}
outputs: [{}]
)";
const std::string kTurning = "  - [J1.flange_b, e.flange_a]\n  - [e.flange_b, J2.flange_a]\n";
const std::string kSliding = "  - [m1.flange_b, e.flange_a]\n  - [e.flange_b, m2.flange_a]\n";

std::string e(const std::string& type, const std::string& parameters) {
  return fmt::format("  e: {{type: {}, {}}}\n", type, parameters);
}

}  // namespace

TEST_CASE("shown variables: drives show the torques and forces of their flanges") {
  const std::string twist = "e.flange_b.phi - e.flange_a.phi", slip = "J2.w - J1.w";
  const std::string gap = "e.flange_b.s - e.flange_a.s", slide = "m2.v - m1.v";
  const std::vector<std::string> between{"e.flange_b.tau - e.tau", "e.flange_a.tau + e.tau"};
  const auto with = [](std::vector<std::string> list, const std::vector<std::string>& more) {
    list.insert(list.end(), more.begin(), more.end());
    return list;
  };
  // An ElastoBacklash from phi_rel0 = 0.05, half of its backlash to either side, with its damper.
  const std::string up = "(9*(" + twist + " - 0.1))", down = "(9*(" + twist + "))";
  const std::string drag = "(4*(" + slip + "))";
  // Spring of an ElastoGap; its damper adds no more than that, and never pulls.
  const std::string push = "(-50*max(0, 0.3 - (" + gap + "))^1.5)";
  const std::vector<std::string> betweenMasses{"e.flange_b.f - e.f", "e.flange_a.f + e.f"};
  check(
      kDrives,
      {
          {"Spring", e("Rotational.Spring", "c: 9, phi_rel0: 0.2"), kTurning,
           with(between, {"e.tau - 9*(" + twist + " - 0.2)"}), "e.tau"},
          {"Damper", e("Rotational.Damper", "d: 0.8"), kTurning,
           with(between, {"e.tau - 0.8*(" + slip + ")", "e.lossPower - e.tau*(" + slip + ")"}),
           "e.tau"},
          {"SpringDamper", e("Rotational.SpringDamper", "c: 9, d: 0.8, phi_rel0: 0.2"), kTurning,
           with(between, {"e.tau - 9*(" + twist + " - 0.2) - 0.8*(" + slip + ")",
                          "e.lossPower - 0.8*(" + slip + ")^2"}),
           "e.tau"},
          {"ElastoBacklash", e("Rotational.ElastoBacklash", "c: 9, d: 4, b: 0.1, phi_rel0: 0.05"),
           kTurning,
           with(between, {"e.tau - (if " + up + " > 0 then max(0, " + up + " + min(" + up + ", " +
                          drag + ")) else if " + down + " < 0 then min(0, " + down + " + max(" +
                          down + ", " + drag + ")) else 0)"}),
           "e.tau"},
          {"Torque2",
           e("Rotational.Torque2", "tau: 2"),
           kTurning,
           {"e.flange_a.tau - 2", "e.flange_b.tau + 2"},
           "e.flange_a.tau"},
          {"Clutch", e("Rotational.Clutch", "mu_pos: [[0, 1.5], [1, 1.2]], f_normalized: 1"),
           kTurning, between, "e.tau"},
          {"IdealGear",
           e("Rotational.IdealGear", "ratio: -2.5") + "  c: {type: Rotational.Spring, c: 5}\n",
           "  - [J1.flange_b, e.flange_a]\n  - [e.flange_b, c.flange_a]\n  - [c.flange_b, "
           "J2.flange_a]\n",
           {"-2.5*e.flange_a.tau + e.flange_b.tau", "e.phi_a + 2.5*e.phi_b"},
           "e.flange_a.tau"},
          {"BearingFriction",
           e("Rotational.BearingFriction", "tau_pos: [[0, 1], [1, 1.3]]"),
           "  - [J1.flange_b, e.flange_a]\n",
           {"e.flange_a.tau + e.flange_b.tau - e.tau", "e.lossPower - e.tau*J1.w"},
           "e.tau"},
          {"Torque",
           e("Rotational.Torque", "tau: 3"),
           "  - [e.flange, J1.flange_a]\n",
           {"e.flange.tau + 3", "1.3*J1.a - 3"},
           "e.flange.tau"},
          {"ConstantTorque",
           e("Rotational.ConstantTorque", "tau_constant: 3"),
           "  - [e.flange, J1.flange_a]\n",
           {"e.flange.tau + e.tau", "e.tau - 3"},
           "e.tau"},
          {"TorqueSensor, PowerSensor",
           e("Rotational.TorqueSensor", "") +
               "  p: {type: Rotational.PowerSensor}\n  c: {type: Rotational.Spring, c: 5}\n",
           "  - [J1.flange_b, e.flange_a]\n  - [e.flange_b, p.flange_a]\n  - [p.flange_b, "
           "c.flange_a]\n  - [c.flange_b, J2.flange_a]\n",
           {"e.tau + c.tau", "e.tau - e.flange_a.tau", "p.power - e.tau*J1.w"},
           "e.tau"},
          {"Translational.Spring", e("Translational.Spring", "c: 9, s_rel0: 0.2"), kSliding,
           with(betweenMasses, {"e.f - 9*(" + gap + " - 0.2)"}), "e.f"},
          {"Translational.Damper", e("Translational.Damper", "d: 0.8"), kSliding,
           with(betweenMasses, {"e.f - 0.8*(" + slide + ")", "e.lossPower - e.f*(" + slide + ")"}),
           "e.f"},
          // 0.4 apart, closing at 1.5: they touch at 0.3 and part again.
          {"ElastoGap", e("Translational.ElastoGap", "c: 50, d: 2, s_rel0: 0.3, n: 1.5"), kSliding,
           with(betweenMasses, {"e.f - " + push + " - max(" + push + ", min(-(" + push + "), 2*(" +
                                slide + ")))"}),
           "e.f"},
          {"Translational.Rod",
           e("Translational.Rod", "L: 0.3") + "  c: {type: Translational.Spring, c: 5}\n",
           "  - [m1.flange_b, e.flange_a]\n  - [e.flange_b, c.flange_a]\n  - [c.flange_b, "
           "m2.flange_a]\n",
           {"e.flange_b.s - e.flange_a.s - 0.3", "e.flange_a.f + e.flange_b.f",
            "e.s - 0.5*(e.flange_a.s + e.flange_b.s)"},
           "e.flange_a.f"},
          {"Translational.Force2",
           e("Translational.Force2", "f: 2"),
           kSliding,
           {"e.flange_a.f - 2", "e.flange_b.f + 2"},
           "e.flange_a.f"},
          {"IdealGearR2T",
           e("Rotational.IdealGearR2T", "ratio: 4") + "  c: {type: Translational.Spring, c: 5}\n",
           "  - [J1.flange_b, e.flangeR]\n  - [e.flangeT, c.flange_a]\n  - [c.flange_b, "
           "m2.flange_a]\n",
           {"4*e.flangeR.tau + e.flangeT.f", "e.flangeR.phi - 4*e.flangeT.s"},
           "e.flangeT.f"},
          {"Inertia",
           e("Rotational.Spring", "c: 9"),
           kTurning,
           {"J1.flange_a.tau + J1.flange_b.tau - 1.3*J1.a",
            "J2.flange_a.tau + J2.flange_b.tau - 0.7*J2.a"},
           "J1.a"},
      });
}

TEST_CASE("shown variables: circuits and motors show the voltages and currents of their pins") {
  const std::string circuit = R"(
components:
  V: {{type: Analog.SineVoltage, V: 5, f: 1}}
  R: {{type: Analog.Resistor, R: 2}}
  g: {{type: Analog.Ground}}
  J: {{type: Rotational.Inertia, J: 0.3, phi: {{fixed: true}}, w: {{start: 0.5, fixed: true}}}}
  m: {{type: Translational.Mass, m: 0.3, s: {{fixed: true}}, v: {{start: 0.5, fixed: true}}}}
{}
connections:
  - [V.p, R.p]
  - [R.n, e.p]
  - [e.n, V.n]
  - [g.p, V.n]
{}
variables:
{}  flow: "{}"
simulation: {{stop: 0.8, interval: 0.02, tolerance: 1e-8}}
outputs: [{}]
)";
  const std::vector<std::string> port{"e.i - e.p.i", "e.p.i + e.n.i", "e.v - e.p.v + e.n.v",
                                      "e.i - R.i",   "V.i + e.i",     "R.v - 2*R.i"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> list = port;
    list.insert(list.end(), more.begin(), more.end());
    return list;
  };
  check(circuit,
        {
            {"Resistor", e("Analog.Resistor", "R: 3"), "", with({"e.v - 3*e.i"}), "e.i"},
            {"Conductor", e("Analog.Conductor", "G: 3"), "", with({"e.i - 3*e.v"}), "e.i"},
            {"Capacitor", e("Analog.Capacitor", "C: 0.1, v: {start: 1, fixed: true}"), "",
             with({"e.i - 0.1*der(e.v)"}), "e.i"},
            {"Inductor", e("Analog.Inductor", "L: 0.4, i: {start: 1, fixed: true}"), "",
             with({"e.v - 0.4*der(e.i)"}), "e.v"},
            {"RotationalEMF", e("Analog.RotationalEMF", "k: 0.8"), "  - [e.flange, J.flange_a]\n",
             with({"e.v - 0.8*J.w", "e.tau + 0.8*e.i", "e.tau - e.flange.tau",
                   "e.tauElectrical + e.tau", "0.3*J.a - e.tauElectrical", "e.w - J.w"}),
             "e.tau"},
            {"TranslationalEMF", e("Analog.TranslationalEMF", "k: 0.8"),
             "  - [e.flange, m.flange_a]\n",
             with({"e.v - 0.8*m.v", "e.f + 0.8*e.i", "e.f - e.flange.f", "e.fElectrical + e.f",
                   "0.3*m.a - e.fElectrical", "e.vel - m.v"}),
             "e.f"},
        });
}

TEST_CASE("shown variables: heat flows as its parts show, and all of it arrives") {
  const std::string heat = R"(
components:
  hot: {{type: Thermal.HeatCapacitor, C: 5, T: {{start: 400, fixed: true}}}}
  cold: {{type: Thermal.HeatCapacitor, C: 3, T: {{start: 300, fixed: true}}}}
{}
connections:
{}
variables:
{}  flow: "{}"
simulation: {{stop: 1, interval: 0.05, tolerance: 1e-8}}
outputs: [{}]
)";
  const std::string ports = "  - [hot.port, e.port_a]\n  - [e.port_b, cold.port]\n";
  const std::vector<std::string> both{"e.port_a.Q_flow - e.Q_flow", "e.port_b.Q_flow + e.Q_flow",
                                      "e.dT - hot.T + cold.T",
                                      "5*hot.T + 3*cold.T - 5*400 - 3*300"};
  const auto with = [&](const std::string& law) {
    std::vector<std::string> list = both;
    list.push_back(law);
    return list;
  };
  check(heat, {
                  {"ThermalConductor", e("Thermal.ThermalConductor", "G: 2"), ports,
                   with("e.Q_flow - 2*e.dT"), "e.Q_flow"},
                  {"ThermalResistor", e("Thermal.ThermalResistor", "R: 0.4"), ports,
                   with("e.dT - 0.4*e.Q_flow"), "e.Q_flow"},
                  {"BodyRadiation", e("Thermal.BodyRadiation", "Gr: 0.02"), ports,
                   with("e.Q_flow - 0.02*5.670374419e-8*(hot.T^4 - cold.T^4)"), "e.Q_flow"},
              });
}
