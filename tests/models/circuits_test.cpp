/// Circuits and heat against closed forms, their balance of energy, and what is wrong with some.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kCircuitsTolerance = 1e-9;
constexpr double kIntegration =
    1000 * kCircuitsTolerance;  // of values of order one, over many steps

Trajectory runCircuits(const std::string& text) {
  return test::runModel(text, {.tolerance = kCircuitsTolerance}).rows;
}

/// Largest distance of a column from f(t), relative to 1 + |f|, from `from` on.
template <class F>
double distance(const Trajectory& t, const std::string& column, F f, double from = 0) {
  double largest = 0;
  const auto& x = t[column];
  for (size_t i = 0; i < x.size(); ++i) {
    if (t.time()[i] < from) continue;
    const double wanted = f(t.time()[i]);
    largest = std::max(largest, std::abs(x[i] - wanted) / (1 + std::abs(wanted)));
  }
  return largest;
}

std::string messageOfCircuits(const std::string& text) {
  return test::messageOfRun<ModelError>(text);
}

}  // namespace

TEST_CASE("Circuit: currents meet at the nodes of one that hardly anything ties to ground") {
  for (const char* leak : {"1", "1e9"}) {
    const Trajectory t =
        test::runModel(fmt::format(R"(
components:
  source: {{type: Analog.SineCurrent, I: 1, f: 1}}
  d: {{type: Analog.Diode, Vt: 1e-4}}
  r: {{type: Analog.Resistor, R: 10}}
  leak: {{type: Analog.Resistor, R: {}}}
  g: {{type: Analog.Ground}}
  s: {{type: Analog.VoltageSensor}}
  int: {{type: Blocks.Integrator, u: s.v}}
connections: [[source.p, d.n], [d.p, source.n], [d.p, r.p], [d.n, r.n], [r.n, leak.p], [leak.n, g.p], [s.p, d.p], [s.n, d.n]]
simulation: {{stop: 1, interval: 0.05}}
outputs: [int.y, d.i, r.i, source.i]
)",
                                   leak),
                       {.tolerance = 1e-8, .integrator = IntegratorChoice::explicitMethod})
            .rows;
    for (size_t i = 0; i < t.time().size(); ++i)
      CHECK(std::abs(t["d.i"][i] + t["r.i"][i] - t["source.i"][i]) < 1e-9);
  }
}

TEST_CASE("Circuit: a capacitor charges over a resistor as V (1 - exp(-t/RC)), and warms it") {
  const Trajectory t = runCircuits(R"(
components:
  V: {type: Analog.StepVoltage, V: 5, startTime: 0.1}
  R: {type: Analog.Resistor, R: 100, useHeatPort: true}
  C: {type: Analog.Capacitor, C: 1e-3, v: {start: 0, fixed: true}}
  g: {type: Analog.Ground}
  mass: {type: Thermal.HeatCapacitor, C: 0.01, T: {start: 300, fixed: true}}
connections: [[V.p, R.p], [R.n, C.p], [C.n, V.n], [g.p, V.n], [R.heatPort, mass.port]]
simulation: {stop: 0.6, interval: 0.01}
outputs: [C.v, R.i, V.i, R.LossPower, mass.T]
)");
  auto decay = [](double time) { return std::exp(-(time - 0.1) / 0.1); };
  const double after = 0.105;
  CHECK(distance(
            t, "C.v", [&](double s) { return 5 * (1 - decay(s)); }, after) < kIntegration);
  CHECK(distance(
            t, "R.i", [&](double s) { return 0.05 * decay(s); }, after) < kIntegration);
  CHECK(distance(
            t, "V.i", [&](double s) { return -0.05 * decay(s); }, after) < kIntegration);
  // Half of what the source gives ends up in the capacitor: the heat is C (V^2 - (V - v)^2)/2.
  auto heat = [&](double s) { return 0.5e-3 * 25 * (1 - decay(s) * decay(s)); };
  CHECK(distance(
            t, "mass.T", [&](double s) { return 300 + heat(s) / 0.01; }, after) < kIntegration);
}

TEST_CASE("Circuit: RL and RLC follow their closed forms") {
  const Trajectory t = runCircuits(R"(
components:
  V: {type: Analog.ConstantVoltage, V: 12}
  R1: {type: Analog.Resistor, R: 3}
  L1: {type: Analog.Inductor, L: 0.6, i: {fixed: true}}
  R2: {type: Analog.Conductor, G: 0.5}
  L2: {type: Analog.Inductor, L: 0.5, i: {start: 0, fixed: true}}
  C2: {type: Analog.Capacitor, C: 0.02, v: {start: 0, fixed: true}}
  g: {type: Analog.Ground}
connections: [[V.p, R1.p], [R1.n, L1.p], [L1.n, V.n], [g.p, V.n],
              [V.p, R2.p], [R2.n, L2.p], [L2.n, C2.p], [C2.n, V.n]]
simulation: {stop: 2, interval: 0.01}
outputs: [L1.i, C2.v, L2.i]
)");
  CHECK(distance(t, "L1.i", [](double s) { return 4 * (1 - std::exp(-5 * s)); }) < kIntegration);
  // delta = R/(2 L) = 2, omega^2 = 1/(L C) - delta^2 = 96
  const double w = std::sqrt(96.0);
  CHECK(distance(t, "C2.v", [w](double s) {
          return 12 * (1 - std::exp(-2 * s) * (std::cos(w * s) + 2 / w * std::sin(w * s)));
        }) < kIntegration);
}

TEST_CASE("Circuit: operational amplifiers integrate and control as their feedback says") {
  const Trajectory t = runCircuits(R"(
components:
  V: {type: Analog.SineVoltage, V: 2, f: 0.5}
  R: {type: Analog.Resistor, R: 1000}
  C: {type: Analog.Capacitor, C: 1e-4, v: {fixed: true}}
  op: {type: Analog.IdealOpAmp}
  R2: {type: Analog.Resistor, R: 500}
  R3: {type: Analog.Resistor, R: 2000}
  C3: {type: Analog.Capacitor, C: 1e-4, v: {fixed: true}}
  op3: {type: Analog.IdealOpAmp3Pin}
  y: {type: Analog.PotentialSensor}
  z: {type: Analog.PotentialSensor}
  g: {type: Analog.Ground}
connections: [[V.n, g.p], [V.p, R.p], [R.n, op.n1], [op.p1, g.p], [op.n2, g.p], [C.p, op.n1],
              [C.n, op.p2], [y.p, op.p2], [V.p, R2.p], [R2.n, op3.in_n], [op3.in_p, g.p],
              [R3.p, op3.in_n], [R3.n, C3.p], [C3.n, op3.out], [z.p, op3.out]]
simulation: {stop: 3, interval: 0.02}
outputs: [y.phi, z.phi]
)");
  const double w = std::numbers::pi;
  auto u = [w](double s) { return 2 * std::sin(w * s); };
  auto integral = [w](double s) { return 2 / w * (1 - std::cos(w * s)); };
  CHECK(distance(t, "y.phi", [&](double s) { return -10 * integral(s); }) < kIntegration);
  CHECK(distance(t, "z.phi", [&](double s) { return -4 * u(s) - 20 * integral(s); }) <
        kIntegration);
}

TEST_CASE("Circuit: a DC motor runs up as its two time constants say") {
  const Trajectory t = runCircuits(R"(
components:
  V: {type: Analog.ConstantVoltage, V: 10}
  R: {type: Analog.Resistor, R: 0.5}
  L: {type: Analog.Inductor, L: 0.05, i: {fixed: true}}
  emf: {type: Analog.RotationalEMF, k: 0.8}
  J: {type: Rotational.Inertia, J: 0.02, phi: {fixed: true}, w: {fixed: true}}
  i: {type: Analog.CurrentSensor}
  g: {type: Analog.Ground}
connections: [[V.p, R.p], [R.n, L.p], [L.n, emf.p], [emf.n, i.p], [i.n, V.n], [g.p, V.n],
              [emf.flange, J.flange_a]]
simulation: {stop: 1, interval: 0.005}
outputs: [J.w, i.i, emf.tauElectrical]
)");
  // L J w'' + R J w' + k^2 w = k V: delta = 5, omega0^2 = k^2/(L J) = 640
  const double d = 5, w1 = std::sqrt(640.0 - 25);
  CHECK(distance(t, "J.w", [&](double s) {
          return 12.5 * (1 - std::exp(-d * s) * (std::cos(w1 * s) + d / w1 * std::sin(w1 * s)));
        }) < kIntegration);
  CHECK(distance(t, "i.i", [&](double s) {
          return 10 / 0.05 / w1 * std::exp(-d * s) * std::sin(w1 * s);
        }) < kIntegration);
}

TEST_CASE("Circuit: states that parts force upon each other follow each other") {
  // Inductors in series carry one current, a capacitor across a source has its voltage.
  const Trajectory t = runCircuits(R"(
components:
  V: {type: Analog.SineVoltage, V: 5, f: 1}
  C: {type: Analog.Capacitor, C: 1e-3}
  R: {type: Analog.Resistor, R: 10}
  L: {type: Analog.Inductor, L: 0.1}
  L2: {type: Analog.Inductor, L: 0.2}
  g: {type: Analog.Ground}
connections: [[V.p, C.p], [V.n, C.n], [R.p, V.p], [R.n, L.p], [L.n, L2.p], [L2.n, V.n], [g.p, V.n]]
simulation: {stop: 1, interval: 0.01}
outputs: [C.i, C.v, L.i, L2.i]
)");
  const double w = 2 * std::numbers::pi, R = 10, X = w * 0.3;
  CHECK(distance(t, "C.v", [w](double s) { return 5 * std::sin(w * s); }) < kIntegration);
  CHECK(distance(t, "C.i", [w](double s) { return 5e-3 * w * std::cos(w * s); }) < 1e-5);
  CHECK(distance(t, "L2.i", [&](double s) {
          return 5 / (R * R + X * X) *
                 (R * std::sin(w * s) - X * std::cos(w * s) + X * std::exp(-R * s / 0.3));
        }) < kIntegration);
}

TEST_CASE("Heat: a hot mass cools by convection as exp(-Gc t/C); conduction shares heat") {
  const Trajectory t = runCircuits(R"(
components:
  hot: {type: Thermal.HeatCapacitor, C: 50, T: {start: 373.15, fixed: true}}
  convection: {type: Thermal.Convection, Gc: 20}
  air: {type: Thermal.Celsius.FixedTemperature, T: 25}
  celsius: {type: Thermal.Celsius.TemperatureSensor}
  flow: {type: Thermal.HeatFlowSensor}
  a: {type: Thermal.HeatCapacitor, C: 10, T: {start: 400, fixed: true}}
  b: {type: Thermal.HeatCapacitor, C: 30, T: {start: 300, fixed: true}}
  bar: {type: Thermal.ThermalConductor, G: 5}
  r: {type: Thermal.ThermalResistor, R: 0}
connections: [[hot.port, convection.solid], [convection.fluid, flow.port_a],
              [flow.port_b, air.port], [celsius.port, hot.port], [a.port, bar.port_a],
              [bar.port_b, r.port_a], [r.port_b, b.port]]
simulation: {stop: 5, interval: 0.05}
outputs: [hot.T, celsius.T, flow.Q_flow, a.T, b.T]
)");
  auto T = [](double s) { return 25 + 75 * std::exp(-0.4 * s); };
  CHECK(distance(t, "celsius.T", T) < kIntegration);
  CHECK(distance(t, "hot.T", [&](double s) { return T(s) + 273.15; }) < kIntegration);
  CHECK(distance(t, "flow.Q_flow", [&](double s) { return 20 * (T(s) - 25); }) < kIntegration);
  // Common end at 325 K, rate G (1/Ca + 1/Cb) = 2/3
  CHECK(distance(t, "a.T", [](double s) { return 325 + 75 * std::exp(-s / 1.5); }) < kIntegration);
  CHECK(distance(t, "b.T", [](double s) { return 325 - 25 * std::exp(-s / 1.5); }) < kIntegration);
}

TEST_CASE("Heat: what dampers, friction and resistors lose arrives at the heat port") {
  const Trajectory t = runCircuits(R"(
components:
  i: {type: Rotational.Inertia, J: 2, phi: {fixed: true}, w: {start: 3, fixed: true}}
  d: {type: Rotational.Damper, d: 0.5, useHeatPort: true}
  b: {type: Rotational.BearingFriction, tau_pos: [[0, 0.2], [1, 0.3]], useHeatPort: true}
  f: {type: Rotational.Fixed}
  L: {type: Analog.Inductor, L: 2, i: {start: 1, fixed: true}}
  R: {type: Analog.Resistor, R: 5, alpha: 0.01, T_ref: 300, useHeatPort: true}
  g: {type: Analog.Ground}
  mass: {type: Thermal.HeatCapacitor, C: 2, T: {start: 300, fixed: true}}
connections: [[f.flange, d.flange_a], [d.flange_b, i.flange_a], [i.flange_b, b.flange_a],
              [L.p, R.p], [L.n, R.n], [g.p, L.n], [d.heatPort, mass.port], [b.heatPort, mass.port],
              [R.heatPort, mass.port]]
simulation: {stop: 8, interval: 0.05}
variables:
  energy: 0.5*i.J*i.w^2 + 0.5*L.L*L.i^2 + mass.C*(mass.T - 300)
outputs: [energy, i.w]
)");
  CHECK(distance(t, "energy", [](double) { return 10.0; }) < kIntegration);
  CHECK(std::abs(t["i.w"].back()) < 1e-8);  // stuck by then
}

TEST_CASE("Circuit: what is wrong is said by name") {
  const std::string resistor = R"(components:
  V1: {type: Analog.ConstantVoltage, V: 5}
  R: {type: Analog.Resistor, R: 10}
)",
                    loop = "connections: [[V1.p, R.p], [V1.n, R.n]";
  CHECK(messageOfCircuits(resistor + loop + "]\n") ==
        "model.yaml:2:3: error: Analog.ConstantVoltage 'V1': its circuit has no ground, so that no "
        "potential is known: connect an Analog.Ground");
  const std::string grounded = resistor + "  g: {type: Analog.Ground}\n";
  CHECK(messageOfCircuits(grounded + loop + ", [g.p, V1.n]]\n") == "");
  for (const char* V : {"4", "5"}) {
    CHECK(messageOfCircuits(grounded + "  V2: {type: Analog.ConstantVoltage, V: " + V + "}\n" +
                            loop + ", [g.p, V1.n], [V2.p, V1.p], [V2.n, V1.n]]\n") ==
          "model.yaml:2:3: error: nothing determines 'V1.i', 'V2.i': no path leads there, or two "
          "parts "
          "prescribe the same quantity");
  }
  CHECK(messageOfCircuits(R"(components:
  C1: {type: Analog.Capacitor, C: 1e-3, v: {start: 1, fixed: true}}
  C2: {type: Analog.Capacitor, C: 1e-3, v: {start: 2, fixed: true}}
  g: {type: Analog.Ground}
connections: [[C1.p, C2.p], [C1.n, C2.n], [g.p, C1.n]]
)")
            .find("Analog.Capacitor 'C2': 'v' is fixed at 2 but") != std::string::npos);
  CHECK(
      messageOfCircuits(R"(components:
  f: {type: Rotational.Fixed}
  i: {type: Rotational.Inertia, w: {start: 1, fixed: true}}
  d: {type: Rotational.Damper, d: 1, useHeatPort: true}
connections: [[f.flange, d.flange_a], [d.flange_b, i.flange_a]]
)") ==
      "model.yaml:4:3: error: nothing determines 'd.heatPort.T': no path leads there, or two parts "
      "prescribe the same quantity");
  CHECK(messageOfCircuits(grounded + loop + ", [g.p, V1.n]]\nvariables: {rate: der(R.i)}\n") ==
        "model.yaml:6:23: error: the derivative of 'R.i' is not available: it is no position, "
        "velocity or state, nor a function of these");
  CHECK(messageOfCircuits(grounded + "  h: {type: Thermal.FixedTemperature, T: 300}\n" + loop +
                          ", [g.p, h.port]]\n")
            .find("cannot connect 'g.p', an electrical pin, with 'h.port', a heat port") !=
        std::string::npos);
}
