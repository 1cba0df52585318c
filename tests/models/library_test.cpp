// Classes of the library beyond mechanics' core against closed forms: gears with losses, freewheels,
// tables, limits, sampled and logical blocks, ideal circuits, DC machine, lever.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "engine/text/diagnostics.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kLibraryTolerance = 1e-8;
/// What a run at that tolerance may be off.
constexpr double kLibraryRun = 100 * kLibraryTolerance;
/// Values that no integration touches.
constexpr double kExact = 1e-12;

Simulation libraryModel(const std::string& text) {
  return Simulation::fromText(catalogue(), text, "library.yaml");
}

Trajectory libraryRun(const std::string& text) {
  Simulation s = libraryModel(text);
  Trajectory rows;
  RunOptions options;
  options.eventRows = false;
  s.run(rows, options);
  return rows;
}

/// The largest difference of `name` from f(t), where no jump is within a hair.
template <class F>
double farthest(const Trajectory& t, const std::string& name, F f) {
  double worst = 0;
  for (size_t i = 0; i < t.time().size(); ++i)
    worst = std::max(worst, std::abs(t[name][i] - f(t.time()[i])));
  return worst;
}

std::string signalModel(const std::string& components, const std::string& outputs, double stop = 3,
                        double interval = 0.0173) {
  return fmt::format(
      "components:\n{}simulation: {{stop: {}, interval: {}, tolerance: {}}}\n"
      "outputs: [{}]\n",
      components, stop, interval, kLibraryTolerance, outputs);
}

}  // namespace

TEST_CASE("OneWayClutch: what is driven is taken along, and overtakes") {
  const Trajectory t = libraryRun(R"yaml(
components:
  drive: {type: Rotational.Speed, exact: true, w_ref: "1 + 0.5*sin(time)"}
  shaft: {type: Rotational.Inertia, J: 0.1}
  clutch: {type: Rotational.OneWayClutch, fn_max: 1, f_normalized: 0}
  wheel: {type: Rotational.Inertia, J: 2, phi: {fixed: true}, w: {start: 1, fixed: true}}
connections:
  - [drive.flange, shaft.flange_a]
  - [shaft.flange_b, clutch.flange_a]
  - [clutch.flange_b, wheel.flange_a]
simulation: {stop: 7, interval: 0.05, tolerance: 1e-8}
outputs: [wheel.w, clutch.w_rel]
)yaml");
  CHECK(farthest(t, "wheel.w", [](double time) {
          return time < 0.5 * std::numbers::pi ? 1 + 0.5 * std::sin(time) : 1.5;
        }) < kLibraryRun);
  CHECK(farthest(t, "clutch.w_rel", [](double time) {
          return time < 0.5 * std::numbers::pi ? 0 : 0.5 - 0.5 * std::sin(time);
        }) < kLibraryRun);
}

TEST_CASE("LossyGear: efficiency and bearing friction of the side that drives") {
  const double Ja = 0.3, Jb = 1.7, i = 3, eta1 = 0.8, eta2 = 0.7, bf1 = 0.5, bf2 = 0.9;
  const auto gear = [&](double tau_a, double tau_b, double w) {
    return libraryRun(fmt::format(R"yaml(
components:
  push: {{type: Rotational.ConstantTorque, tau_constant: {}}}
  load: {{type: Rotational.ConstantTorque, tau_constant: {}}}
  a: {{type: Rotational.Inertia, J: {}, phi: {{fixed: true}}, w: {{start: {}, fixed: true}}}}
  gear: {{type: Rotational.LossyGear, ratio: {}, lossTable: [[0, {}, {}, {}, {}]]}}
  b: {{type: Rotational.Inertia, J: {}}}
connections:
  - [push.flange, a.flange_a]
  - [a.flange_b, gear.flange_a]
  - [gear.flange_b, b.flange_a]
  - [b.flange_b, load.flange]
simulation: {{stop: 1, interval: 0.1, tolerance: 1e-8}}
outputs: [a.w, b.w, gear.tauLoss, gear.lossPower, gear.mode, a.a]
)yaml",
                                  tau_a, tau_b, Ja, w, i, eta1, eta2, bf1, bf2, Jb));
  };
  {  // flange_a drives: the gear gets eta1 tau_a - bf1
    const Trajectory t = gear(4, 0, 0);
    const double a = i * i * (eta1 * 4 - bf1) / (Jb + i * i * eta1 * Ja);
    CHECK(farthest(t, "a.w", [&](double time) { return a * time; }) < kLibraryRun);
    CHECK(farthest(t, "b.w", [&](double time) { return a * time / i; }) < kLibraryRun);
    CHECK(t["gear.mode"].back() == 1);
    const double tau = 4 - Ja * a;
    CHECK(t["gear.tauLoss"].back() == doctest::Approx((1 - eta1) * tau + bf1).epsilon(1e-9));
  }
  {  // flange_b drives backward rolling: the gear gets tau_a/eta2 with bf2
    const Trajectory t = gear(0, 9, 1);
    // w_a > 0 and flange_a.tau < 0: flange_a.tau/eta2 - bf2 = -(b's torque)/i
    const double a = (9 / i - bf2) / (Jb / (i * i) + Ja / eta2);
    CHECK(farthest(t, "a.w", [&](double time) { return 1 + a * time; }) < kLibraryRun);
  }
  {  // below the friction at rest nothing moves
    const Trajectory t = gear(0.6, 0, 0);
    CHECK(farthest(t, "a.w", [](double) { return 0; }) < kLibraryRun);
    CHECK(t["gear.mode"].back() == 0);
    CHECK(t["gear.tauLoss"].back() == doctest::Approx(0.6).epsilon(1e-9));
  }
}

TEST_CASE("Sources of speed: reciprocal, of constant size, eddy current") {
  const auto brake = [](const std::string& source, double w) {
    return libraryRun(fmt::format(R"yaml(
components:
  brake: {{type: Rotational.{}}}
  wheel: {{type: Rotational.Inertia, J: 2, phi: {{fixed: true}}, w: {{start: {}, fixed: true}}}}
connections: [[brake.flange, wheel.flange_a]]
simulation: {{stop: 1, interval: 0.05, tolerance: 1e-8}}
outputs: [wheel.w]
)yaml",
                                  source, w));
  };
  CHECK(farthest(brake("InverseSpeedDependentTorque, tau_nominal: 3, w_nominal: 2, w0: 0.01", 1),
                 "wheel.w", [](double t) { return std::sqrt(1 + 6 * t); }) < kLibraryRun);
  // Linear below w0 = 1, reached at t = 0.5: then w = exp(-(t - 0.5)).
  CHECK(farthest(brake("SignTorque, tau_nominal: -2, reg: Linear, w0: 1", 1.5), "wheel.w",
                 [](double t) { return t < 0.5 ? 1.5 - t : std::exp(0.5 - t); }) < kLibraryRun);
  // J w' = -2 M u/(1 + u^2), u = w/w_nominal: ln u + u^2/2 falls by 2 M t/(J w_nominal).
  const Trajectory eddy = brake("EddyCurrentTorque, tau_nominal: 3, w_nominal: 2", 5);
  const auto potential = [](double w) { return std::log(w / 2) + w * w / 8; };
  CHECK(farthest(eddy, "wheel.w", [](double) { return 0; }) > 1);
  for (size_t i = 0; i < eddy.time().size(); ++i) {
    CHECK(std::abs(potential(eddy["wheel.w"][i]) - potential(5) + 1.5 * eddy.time()[i]) <
          kLibraryRun);
  }
}

TEST_CASE("Vehicle: rolls down a slope towards the speed at which drag and slope are even") {
  const Trajectory t = libraryRun(R"yaml(
components:
  car: {type: Translational.Vehicle, m: 1000, J: 10, R: 0.5, A: 2, Cd: 0.3, CrConstant: 0, inclinationConstant: -0.1,
        s: {fixed: true}, v: {fixed: true}}
simulation: {stop: 60, interval: 1, tolerance: 1e-8}
outputs: [car.v]
)yaml");
  const double mass = 1000 + 10 / 0.25, force = 1000 * 9.80665 * 0.1 / std::sqrt(1.01);
  const double drag = 0.5 * 0.3 * 2 * 1.2, top = std::sqrt(force / drag);
  CHECK(farthest(t, "car.v", [&](double time) {
          return top * std::tanh(time * std::sqrt(force * drag) / mass);
        }) < kLibraryRun * top);
}

TEST_CASE("SlewRateLimiter: a ramp up to the input, then its time constant") {
  const Trajectory t =
      libraryRun(signalModel("  limiter: {type: Blocks.SlewRateLimiter, Rising: 2, Falling: -1, "
                             "Td: 0.1, u: \"if time < 0.5 "
                             "then 0 else 1\"}\n",
                             "limiter.y", 2));
  CHECK(farthest(t, "limiter.y", [](double time) {
          if (time < 0.5) return 0.0;
          return time < 0.9 ? 2 * (time - 0.5) : 1 - 0.2 * std::exp(-(time - 0.9) / 0.1);
        }) < kLibraryRun);
}

TEST_CASE("LimIntegrator: waits at the limit until the input turns") {
  const Trajectory t = libraryRun(signalModel(
      "  y: {type: Blocks.LimIntegrator, outMax: 1.5, outMin: -0.25, u: \"sin(time)\"}\n", "y.y",
      6.5));
  // 1 - cos t up to 1.5, from pi on 1.5 - (1 + cos t), down to -0.25.
  CHECK(farthest(t, "y.y", [](double time) {
          if (time < std::numbers::pi) return std::min(1.5, 1 - std::cos(time));
          if (time < 2 * std::numbers::pi) return std::max(-0.25, 0.5 - std::cos(time));
          return -0.25 + 1 - std::cos(time);
        }) < kLibraryRun);
}

TEST_CASE("CombiTable1Ds: linear, constant, held and periodic") {
  const std::string u = "u: \"4*sin(time)\"";
  const std::string points = "table: [[0, 1], [1, 3], [3, 2]], ";
  const Trajectory t = libraryRun(signalModel(
      "  line: {type: Blocks.CombiTable1Ds, " + points + u + "}\n" +
          "  hold: {type: Blocks.CombiTable1Ds, extrapolation: HoldLastPoint, " + points + u +
          "}\n  steps: {type: Blocks.CombiTable1Dv, smoothness: ConstantSegments, extrapolation: "
          "HoldLastPoint, " +
          points + "u: [\"4*sin(time)\"]}\n" +
          "  turns: {type: Blocks.CombiTable1Ds, table: [[0, 1], [1, 3], [3, 1]], extrapolation: "
          "Periodic, " +
          u + "}\n",
      "\"*.y[1]\"", 7));
  const auto line = [](double x) { return x < 1 ? 1 + 2 * x : 3 - 0.5 * (x - 1); };
  const auto of = [](auto f) { return [f](double time) { return f(4 * std::sin(time)); }; };
  CHECK(farthest(t, "line.y[1]", of(line)) < kExact);
  CHECK(farthest(t, "hold.y[1]", of([&](double x) { return line(std::clamp(x, 0.0, 3.0)); })) <
        kExact);
  CHECK(farthest(t, "steps.y[1]", of([](double x) { return x < 1 ? 1 : x < 3 ? 3 : 2; })) == 0);
  CHECK(farthest(t, "turns.y[1]", of([](double x) {
                   const double r = x - 3 * std::floor(x / 3);
                   return r < 1 ? 1 + 2 * r : 3 - (r - 1);
                 })) < kExact);
}

TEST_CASE("CombiTable2Ds: bilinear, steps, and Akima's surface, which keeps planes") {
  const std::string table =
      "table: [[0, 0, 1, 2, 4], [0, 1, 2, 3, 5], [1, 3, 4, 5, 7], [3, 7, 8, 9, 11], [4, 9, 10, 11, "
      "13]]";
  const std::string in = "u1: \"2 + 3*sin(time)\", u2: \"2 + 3*cos(1.3*time)\"";
  const Trajectory t = libraryRun(signalModel(
      "  plane: {type: Blocks.CombiTable2Ds, " + table + ", " + in + "}\n" +
          "  akima: {type: Blocks.CombiTable2Ds, smoothness: ContinuousDerivative, " + table +
          ", " + in + "}\n  hold: {type: Blocks.CombiTable2Ds, extrapolation: HoldLastPoint, " +
          table + ", " + in +
          "}\n  cell: {type: Blocks.CombiTable2Ds, table: [[0, 0, 1], [0, 1, 2], [1, 3, 7]], u1: "
          "\"0.5 + "
          "0.4*sin(time)\", u2: \"0.5 + 0.4*cos(time)\"}\n"
          "  steps: {type: Blocks.CombiTable2Ds, smoothness: ConstantSegments, table: [[0, 0, 1], "
          "[0, 1, "
          "2], [1, 3, 7]], extrapolation: HoldLastPoint, u1: \"0.5 + sin(time)\", u2: \"0.5 + "
          "cos(time)\"}\n",
      "\"*.y\"", 6));
  const auto u1 = [](double time) { return 2 + 3 * std::sin(time); };
  const auto u2 = [](double time) { return 2 + 3 * std::cos(1.3 * time); };
  const auto plane = [](double a, double b) { return 1 + 2 * a + b; };
  for (const char* name : {"plane.y", "akima.y"}) {
    CAPTURE(name);
    CHECK(farthest(t, name, [&](double time) { return plane(u1(time), u2(time)); }) < 1e-10);
  }
  CHECK(farthest(t, "hold.y", [&](double time) {
          return plane(std::clamp(u1(time), 0.0, 4.0), std::clamp(u2(time), 0.0, 4.0));
        }) < 1e-11);
  CHECK(farthest(t, "cell.y", [](double time) {
          const double a = 0.5 + 0.4 * std::sin(time), b = 0.5 + 0.4 * std::cos(time);
          return 1 + 2 * a + b + 3 * a * b;
        }) < 1e-11);
  CHECK(farthest(t, "steps.y", [](double time) {
          const bool a = 0.5 + std::sin(time) >= 1, b = 0.5 + std::cos(time) >= 1;
          return a ? (b ? 7 : 3) : (b ? 2 : 1);
        }) == 0);
}

TEST_CASE("CombiTable2Dv: each pair of elements is looked up by itself") {
  const std::string table = "table: [[0, 0, 1], [0, 1, 2], [1, 3, 7]]";
  const std::string u = "\"0.5 + 0.9*sin(time)\"", w = "\"0.5 + 0.9*cos(time)\"";
  for (const char* smoothness : {"LinearSegments", "ConstantSegments", "ContinuousDerivative"}) {
    CAPTURE(smoothness);
    const std::string law =
        table + ", smoothness: " + smoothness + ", extrapolation: HoldLastPoint";
    const Trajectory t = libraryRun(signalModel(
        fmt::format(
            "  both: {{type: Blocks.CombiTable2Dv, n: 2, {0}, u1: [{1}, {2}], u2: [{2}, {1}]}}\n"
            "  one: {{type: Blocks.CombiTable2Ds, {0}, u1: {1}, u2: {2}}}\n"
            "  other: {{type: Blocks.CombiTable2Ds, {0}, u1: {2}, u2: {1}}}\n",
            law, u, w),
        "\"*.y*\""));
    for (size_t i = 0; i < t.time().size(); ++i) {
      CHECK(t["both.y[1]"][i] == t["one.y"][i]);
      CHECK(t["both.y[2]"][i] == t["other.y"][i]);
    }
    CHECK(t["one.y"].front() != t["other.y"].front());
  }
}

/// The rates are x1 and 3 x2, and x1 + x2 = 2: their squares have the smallest sum at x1 = 9 x2.
TEST_CASE("StateSpace: of the states with the output asked for it starts with the slowest") {
  const Trajectory t = libraryRun(
      signalModel("  s: {type: Blocks.StateSpace, A: [[1, 0], [0, 3]], B: [[1], [1]], C: [[1, 1]], "
                  "initType: InitialOutput, y_start: [2], u: [0]}\n",
                  "\"s.x*\""));
  CHECK(t["s.x[1]"].front() == doctest::Approx(1.8).epsilon(1e-12));
  CHECK(t["s.x[2]"].front() == doctest::Approx(0.2).epsilon(1e-12));
}

/// An inverting adder by an amplifier of 15000, which stays within its limits: no Newton iteration that
/// begins beyond them may be the last.
TEST_CASE("a limit that no event tells of is not passed in silence") {
  const Trajectory t = libraryRun(R"yaml(
variables:
  v: {start: 0}
  n: {start: 0}
equations:
  - 3*n = 5 + 5*sin(20*pi*time) + v
  - v = smooth(0, min(15, max(-15, -15000*n)))
simulation: {stop: 1, interval: 0.001, tolerance: 1e-6}
outputs: [v]
)yaml");
  CHECK(t.time().back() == 1);
  const double scale = 1 / (1 + 3 / 15000.0);
  CHECK(farthest(t, "v", [&](double time) {
          return -scale * (5 + 5 * std::sin(20 * std::numbers::pi * time));
        }) < 1e-9);
}

TEST_CASE(
    "CombiTable2Ds: beyond the table steps go on straight, and so does the slope at an edge") {
  const std::string table = "table: [[0, 0, 5, 10], [0, 4, 6, 9], [5, 2, 8, 1]]";
  const Trajectory t = libraryRun(
      signalModel("  steps: {type: Blocks.CombiTable2Ds, smoothness: ConstantSegments, " + table +
                      ", u1: \"2\", u2: \"8 + 4*time\"}\n"
                      "  one: {type: Blocks.CombiTable2Ds, smoothness: ConstantSegments, table: "
                      "[[1, 1], [2, 4], "
                      "[3, 9]], u1: \"time\", u2: \"3*time\"}\n"
                      "  akima: {type: Blocks.CombiTable2Ds, smoothness: ContinuousDerivative, "
                      "table: [[0, 0, 1], [0, 0, 1], [1, 1, 2]], u1: \"time - 1\", u2: \"time\"}\n"
                      "  rate: {type: Blocks.Der, u: akima.y}\n",
                  "\"*.y\"", 2));
  // Beyond u2 = 10 the plane through the last cell: its edges at u1 = 0 and 5, and u1 = 2 between them.
  const auto steps = [](double time) {
    const double u2 = 8 + 4 * time;
    if (u2 < 10) return 6.0;
    const double beyond = (u2 - 10) / 5;
    return 0.6 * (9 + beyond * (9 - 6)) + 0.4 * (1 + beyond * (1 - 8));
  };
  for (size_t i = 0; i < t.time().size(); ++i) {
    const double time = t.time()[i];
    if (std::abs(time - 0.5) > 1e-6) CHECK(std::abs(t["steps.y"][i] - steps(time)) < 1e-11);
    if (time < 2 - 1e-6) CHECK(std::abs(t["one.y"][i] - (4 + 5 * (time - 2))) < 1e-11);
    // A plane, up to its edges and beyond.
    CHECK(std::abs(t["akima.y"][i] - (2 * time - 1)) < 1e-11);
    // The slope at an edge is a difference over a thousandth of the table: 1e3 times the rounding.
    CHECK(std::abs(t["rate.y"][i] - 2) < 1e-9);
  }
}

TEST_CASE("CombiTable1Ds: leaving a table that must not be extrapolated ends the run by name") {
  Simulation s =
      libraryModel(signalModel("  table: {type: Blocks.CombiTable1Ds, table: [[0, 1], [1, 3]], "
                               "extrapolation: NoExtrapolation, u: "
                               "\"time\"}\n",
                               "\"table.y[1]\""));
  Trajectory t;
  std::string why;
  try {
    s.run(t);
  } catch (const std::exception& e) {
    why = e.what();
  }
  CHECK(why.find("table: 'u' is ") != std::string::npos);
  CHECK(why.find("must not be extrapolated") != std::string::npos);
  CHECK(t.time().back() == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("IdealDiode: rectifies, with its resistances and its knee") {
  const Trajectory t = libraryRun(R"yaml(
components:
  source: {type: Analog.SineVoltage, V: 2, f: 0.5}
  diode: {type: Analog.IdealDiode, Ron: 0.1, Goff: 0.01, Vknee: 0.5}
  load: {type: Analog.Resistor, R: 3}
  ground: {type: Analog.Ground}
connections:
  - [source.p, diode.p]
  - [diode.n, load.p]
  - [load.n, source.n]
  - [source.n, ground.p]
simulation: {stop: 5, interval: 0.0173, tolerance: 1e-8}
outputs: [load.i, diode.off]
)yaml");
  // Both lines meet at v = Vknee, i = Goff Vknee: the source is 0.5 + 0.015 there.
  const auto current = [](double time) {
    const double V = 2 * std::sin(std::numbers::pi * time);
    return V > 0.515 ? (V - 0.5 + 0.1 * 0.005) / 3.1 : V / (3 + 100);
  };
  CHECK(farthest(t, "load.i", current) < kLibraryRun);
}

TEST_CASE("IdealClosingSwitch, IdealOpeningSwitch: one conducts when the other does not") {
  const Trajectory t = libraryRun(R"yaml(
components:
  source: {type: Analog.ConstantVoltage, V: 2}
  a: {type: Analog.IdealClosingSwitch, Ron: 1, Goff: 0.25, control: "time > 0.5"}
  b: {type: Analog.IdealOpeningSwitch, Ron: 1, Goff: 0.25, control: "time > 0.5"}
  ground: {type: Analog.Ground}
connections: [[source.p, a.p], [source.p, b.p], [a.n, ground.p], [b.n, ground.p], [source.n, ground.p]]
simulation: {stop: 1, interval: 0.07}
outputs: [a.i, b.i]
)yaml");
  CHECK(farthest(t, "a.i", [](double time) { return time > 0.5 ? 2 : 0.5; }) < kExact);
  CHECK(farthest(t, "b.i", [](double time) { return time > 0.5 ? 0.5 : 2; }) < kExact);
}

TEST_CASE("two-ports: transformer, gyrator and controlled sources between a source and a load") {
  // A source of 6 V behind 1 Ohm at port 1, 3 Ohm at port 2.
  const auto port = [](const std::string& part, double v1, double v2) {
    CAPTURE(part);
    const Trajectory t = libraryRun(fmt::format(R"yaml(
components:
  source: {{type: Analog.ConstantVoltage, V: 6}}
  inner: {{type: Analog.Resistor, R: 1}}
  part: {{type: Analog.{}}}
  load: {{type: Analog.Resistor, R: 3}}
  ground: {{type: Analog.Ground}}
connections:
  - [source.p, inner.p]
  - [inner.n, part.p1]
  - [part.n1, ground.p]
  - [source.n, ground.p]
  - [part.p2, load.p]
  - [load.n, ground.p]
  - [part.n2, ground.p]
simulation: {{stop: 0.1, interval: 0.1}}
outputs: [part.v1, part.v2]
)yaml",
                                                part));
    CHECK(t["part.v1"].back() == doctest::Approx(v1).epsilon(1e-10));
    CHECK(t["part.v2"].back() == doctest::Approx(v2).epsilon(1e-10));
  };
  port("IdealTransformer, n: 2", 6 * 12.0 / 13, 6 * 6.0 / 13);  // 3 Ohm looks like 12
  port("Gyrator, G1: 0.5, G2: 0.5", 6 / (1 + 0.75), 0.5 * 3 * 6 / (1 + 0.75));  // 1/(3 G^2)
  port("VCV, gain: 2", 6, 12);
  port("VCC, transConductance: 0.5", 6, -9);
  port("CCV, transResistance: 0.5", 0, 3);
  port("CCC, gain: 0.5", 0, -9);
}

TEST_CASE("Diode: the exponential law") {
  const Trajectory t = libraryRun(R"yaml(
components:
  source: {type: Analog.RampVoltage, V: 1, duration: 1, offset: -0.2}
  diode: {type: Analog.Diode}
  ground: {type: Analog.Ground}
connections: [[source.p, diode.p], [diode.n, ground.p], [source.n, ground.p]]
simulation: {stop: 1, interval: 0.02}
outputs: [diode.i]
)yaml");
  CHECK(farthest(t, "diode.i", [](double time) {
          const double v = time - 0.2, u = v / 0.04;
          const double law = u > 15 ? std::exp(15.0) * (1 + u - 15) : std::exp(u);
          return 1e-6 * (law - 1) + v / 1e8;
        }) < 82 * kLibraryRun);  // the steepest slope is exp(15) Ids/Vt = 82 S
}

TEST_CASE("PadeDelay: a slow sine comes a delay later") {
  const Trajectory t = libraryRun(
      signalModel("  delay: {type: Blocks.PadeDelay, delayTime: 0.5, n: 6, u: \"1 - cos(time)\"}\n",
                  "delay.y", 4));
  // The transfer function differs from exp(-s T) by n!^2 (w T)^(2n+1)/(2n)!/(2n+1)!; the jerk at the
  // start is not slow.
  CHECK(farthest(t, "delay.y",
                 [](double time) { return time < 0.5 ? 0 : 1 - std::cos(time - 0.5); }) < 1e-3);
  CHECK(std::abs(t["delay.y"].back() - 1 + std::cos(3.5)) < 1e-5);
}

TEST_CASE("sampled blocks: what they hold between the instants") {
  const Trajectory t = libraryRun(signalModel(
      "  sampler: {type: Blocks.Sampler, samplePeriod: 0.25, startTime: 0.5, u: \"time^2\"}\n"
      "  zero: {type: Blocks.ZeroOrderHold, samplePeriod: 0.25, u: \"time^2\"}\n"
      "  first: {type: Blocks.FirstOrderHold, samplePeriod: 0.25, u: \"time^2\"}\n"
      "  count: {type: Blocks.UnitDelay, samplePeriod: 0.25, u: \"count.y + 1\"}\n"
      "  late: {type: Blocks.UnitDelay, samplePeriod: 0.25, u: zero.y}\n"
      "  follows: {type: Blocks.Discrete.TransferFunction, samplePeriod: 0.25, b: [1], a: [1], u: "
      "\"2*sampler.y\"}\n",
      "sampler.y, zero.y, first.y, count.y, late.y, follows.y"));
  const auto sample = [](double time) { return 0.25 * std::floor(time / 0.25); };
  const auto square = [](double x) { return x * x; };
  CHECK(farthest(t, "zero.y", [&](double time) { return square(sample(time)); }) < kExact);
  CHECK(farthest(t, "sampler.y",
                 [&](double time) { return time < 0.5 ? 0 : square(sample(time)); }) < kExact);
  CHECK(farthest(t, "follows.y",
                 [&](double time) { return time < 0.5 ? 0 : 2 * square(sample(time)); }) < kExact);
  CHECK(farthest(t, "count.y", [&](double time) { return sample(time) / 0.25 + 1; }) < kExact);
  CHECK(farthest(t, "late.y",
                 [&](double time) { return square(std::max(0.0, sample(time) - 0.25)); }) < kExact);
  CHECK(farthest(t, "first.y", [&](double time) {
          const double now = sample(time), before = std::max(0.0, now - 0.25);
          return square(before) + (square(now) - square(before)) / 0.25 * (time - now);
        }) < kExact);
}

TEST_CASE("sampled blocks: a run that begins between two instants holds what the input is there") {
  const test::ModelRun r = test::runModel(R"(
components:
  sampler: {type: Blocks.Sampler, samplePeriod: 0.1, u: "time"}
  zero: {type: Blocks.ZeroOrderHold, samplePeriod: 0.1, u: "time"}
  later: {type: Blocks.Sampler, samplePeriod: 0.1, startTime: 0.6, u: "time"}
  latest: {type: Blocks.ZeroOrderHold, samplePeriod: 0.1, startTime: 0.6, u: "time"}
simulation: {start: 0.35, stop: 0.65, interval: 0.1}
outputs: ["*.y"]
)");
  // As `when {sampleTrigger, initial()}` has it.
  CHECK(r.first("sampler.y") == 0.35);
  CHECK(r.first("zero.y") == 0.35);
  CHECK(r.first("later.y") == 0.35);
  CHECK(r.first("latest.y") == 0.35);
  CHECK(r.at(0.55, "sampler.y") == 0.5);
  CHECK(r.at(0.55, "later.y") == 0.35);
  CHECK(r.at(0.55, "latest.y") == 0.35);
  for (const std::string of : {"sampler.y", "zero.y", "later.y", "latest.y"})
    CHECK(r.last(of) == 0.6);
}

TEST_CASE("Discrete.TransferFunction and Discrete.StateSpace: the recursion they stand for") {
  const Trajectory t = libraryRun(signalModel(
      "  tf: {type: Blocks.Discrete.TransferFunction, samplePeriod: 0.1, b: [0.2, 0.3], a: [2, -1, "
      "0.25], u: \"sin(time)\"}\n"
      "  ss: {type: Blocks.Discrete.StateSpace, samplePeriod: 0.1, A: [[0.5, 0.1], [0, 0.8]], B: "
      "[[1], [2]], C: [[1, -1]], D: [[0.5]], u: [\"sin(time)\"]}\n",
      "tf.y, \"ss.y[1]\""));
  std::vector<double> tf, ss;
  std::array<double, 2> y{}, u{}, x{};
  for (int k = 0; k < 40; ++k) {
    const double now = std::sin(0.1 * k);
    // 2 y_k - y_(k-1) + 0.25 y_(k-2) = 0.2 u_(k-1) + 0.3 u_(k-2)
    tf.push_back((0.2 * u[0] + 0.3 * u[1] + y[0] - 0.25 * y[1]) / 2);
    y = {tf.back(), y[0]};
    u = {now, u[0]};
    ss.push_back(x[0] - x[1] + 0.5 * now);
    x = {0.5 * x[0] + 0.1 * x[1] + now, 0.8 * x[1] + 2 * now};
  }
  const auto at = [](const std::vector<double>& list, double time) {
    return list[static_cast<size_t>(std::floor(time / 0.1 + 1e-9))];
  };
  CHECK(farthest(t, "tf.y", [&](double time) { return at(tf, time); }) < kExact);
  CHECK(farthest(t, "ss.y[1]", [&](double time) { return at(ss, time); }) < kExact);
}

TEST_CASE("sampled control: a plant under a sampled controller is its exact discretisation") {
  // x' = u, u = -3 x sampled every 0.2: x is multiplied by 1 - 0.6 a period.
  const Trajectory t = libraryRun(R"yaml(
components:
  plant: {type: Blocks.Integrator, y_start: 1, u: control.y}
  control: {type: Blocks.ZeroOrderHold, samplePeriod: 0.2, u: "-3*plant.y"}
simulation: {stop: 2, interval: 0.2, tolerance: 1e-8}
outputs: [plant.y]
)yaml");
  CHECK(farthest(t, "plant.y", [](double time) { return std::pow(0.4, std::round(time / 0.2)); }) <
        kLibraryRun);
}

TEST_CASE("triggers: edges sample, set and clear, and count time") {
  const Trajectory t = libraryRun(signalModel(
      "  pulse: {type: Blocks.BooleanPulse, period: 1, width: 40, startTime: 0.2}\n"
      "  edge: {type: Blocks.Edge, u: pulse.y}\n"
      "  fall: {type: Blocks.FallingEdge, u: pulse.y}\n"
      "  change: {type: Blocks.Change, u: pulse.y}\n"
      "  atRise: {type: Blocks.TriggeredSampler, u: \"time\", trigger: edge.y, y_start: -1}\n"
      "  atFall: {type: Blocks.TriggeredSampler, u: \"time\", trigger: fall.y, y_start: -1}\n"
      "  atChange: {type: Blocks.TriggeredSampler, u: \"time\", trigger: change.y, y_start: -1}\n"
      "  largest: {type: Blocks.TriggeredMax, u: \"sin(3*time)\", trigger: pulse.y}\n"
      "  flip: {type: Blocks.RSFlipFlop, S: \"time > 0.5 and time < 0.6\", R: \"time > 1.5 and "
      "time < "
      "1.6\"}\n"
      "  timer: {type: Blocks.Timer, u: pulse.y}\n"
      "  late: {type: Blocks.LogicalDelay, delayTime: 0.15, u: pulse.y}\n"
      "  trapezoid: {type: Blocks.TriggeredTrapezoid, amplitude: 2, rising: 0.1, falling: 0.2, "
      "offset: "
      "1, u: pulse.y}\n",
      "atRise.y, atFall.y, atChange.y, largest.y, flip.Q, flip.QI, timer.y, late.y1, late.y2, "
      "trapezoid.y"));
  const auto rises = [](double time) { return 0.2 + std::floor(time - 0.2); };
  CHECK(farthest(t, "atRise.y", [&](double time) { return time < 0.2 ? -1 : rises(time); }) <
        kExact);
  CHECK(farthest(t, "atFall.y", [&](double time) {
          return time < 0.6 ? -1 : 0.6 + std::floor(time - 0.6);
        }) < kExact);
  CHECK(farthest(t, "atChange.y", [&](double time) {
          if (time < 0.2) return -1.0;
          return time - rises(time) < 0.4 ? rises(time) : rises(time) + 0.4;
        }) < kExact);
  CHECK(farthest(t, "largest.y", [](double time) {
          double most = 0;
          for (double at = 0.2; at < time; at += 1)
            most = std::max(most, std::abs(std::sin(3 * at)));
          return most;
        }) < 1e-9);
  CHECK(farthest(t, "flip.Q", [](double time) { return time > 0.5 && time < 1.5 ? 1 : 0; }) == 0);
  CHECK(farthest(t, "flip.QI", [](double time) { return time > 0.5 && time < 1.5 ? 0 : 1; }) == 0);
  CHECK(farthest(t, "timer.y", [&](double time) {
          return time > 0.2 && time - rises(time) < 0.4 ? time - rises(time) : 0;
        }) < kExact);
  CHECK(farthest(t, "late.y1", [&](double time) {
          return time > 0.2 && time - rises(time) < 0.55 ? 1 : 0;
        }) == 0);
  CHECK(farthest(t, "late.y2", [&](double time) {
          const double since = time - rises(time);
          return time > 0.2 && since > 0.15 && since < 0.4 ? 1 : 0;
        }) == 0);
  CHECK(farthest(t, "trapezoid.y", [&](double time) {
          if (time < 0.2) return 1.0;
          const double since = time - rises(time);
          return since < 0.4 ? 1 + std::min(2.0, 20 * since)
                             : std::max(1.0, 3 - 10 * (since - 0.4));
        }) < 1e-9);
}

TEST_CASE("OnOffController: a heated body swings between the limits of the band") {
  Simulation s = libraryModel(signalModel(
      "  control: {type: Blocks.OnOffController, bandwidth: 0.2, reference: 1, u: level.y}\n"
      "  level: {type: Blocks.Integrator, y_start: 0.5, u: \"if control.y then 1 else -1\"}\n",
      "level.y, control.y", 2));
  Trajectory t;
  s.run(t);
  // Up from 0.5 to 1.1, then down and up by 0.2.
  std::vector<double> events;
  for (size_t i = 1; i < t.time().size(); ++i) {
    if (t.time()[i] == t.time()[i - 1]) events.push_back(t.time()[i]);
  }
  REQUIRE(events.size() >= 6);
  for (size_t k = 0; k < 6; ++k)
    CHECK(std::abs(events[k] - 0.6 - 0.2 * static_cast<double>(k)) < kLibraryRun);
}

TEST_CASE("Bushing: every direction swings with its own stiffness, and energy stays") {
  const auto mount = [](const std::string& start) {
    return libraryRun(fmt::format(R"yaml(
world: {{gravityType: NoGravity}}
components:
  mount: {{type: Bushing, c: [20, 30, 40], c_rot: [2, 3, 4], r_rel0: [0.1, 0, 0]}}
  body: {{type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.1, I_22: 0.2, I_33: 0.3, v_0: {{fixed: true}}, {}}}
connections:
  - [world.frame_b, mount.frame_a]
  - [mount.frame_b, body.frame_a]
simulation: {{stop: 2, interval: 0.05, tolerance: 1e-8}}
outputs: ["body.r_0[1]", "body.r_0[2]", "body.r_0[3]", "mount.theta[2]", totalEnergy]
)yaml",
                                  start));
  };
  const Trajectory along =
      mount("r_0: {start: [0.11, 0.02, 0.03], fixed: true}, angles_fixed: true, w_0_fixed: true");
  const double start[3] = {0.01, 0.02, 0.03};
  for (int i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(farthest(along, fmt::format("body.r_0[{}]", i + 1), [&](double time) {
            return (i == 0 ? 0.1 : 0) + start[i] * std::cos(time * std::sqrt((20 + 10 * i) / 2.0));
          }) < kLibraryRun);
  }
  const Trajectory about = mount(
      "r_0: {start: [0.1, 0, 0], fixed: true}, angles_fixed: true, angles_start: [0, 1.2, 0], "
      "w_0_fixed: true");
  CHECK(farthest(about, "mount.theta[2]", [](double time) {
          return 1.2 * std::cos(time * std::sqrt(3 / 0.2));
        }) < 10 * kLibraryRun);
  const Trajectory general = mount(
      "r_0: {start: [0.3, 0.1, -0.2], fixed: true}, angles_fixed: true, angles_start: [1, -0.8, "
      "0.7], "
      "w_0_fixed: true, w_0_start: [1, -2, 1]");
  CHECK(farthest(general, "totalEnergy", [&](double) { return general["totalEnergy"].front(); }) <
        10 * kLibraryRun * general["totalEnergy"].front());
}

TEST_CASE("totalEnergy: springs with a gap store what they take") {
  const Trajectory t = libraryRun(R"yaml(
components:
  m: {type: Translational.Mass, m: 2, s: {start: 0, fixed: true}, v: {start: 1.5, fixed: true}}
  hard: {type: Translational.ElastoGap, c: 300, d: 0, s_rel0: 0.8, n: 1.5}
  soft: {type: Translational.ElastoGap, c: 40, d: 0, s_rel0: -0.2}
  left: {type: Translational.Fixed, s0: -1}
  right: {type: Translational.Fixed, s0: 0.3}
  J: {type: Rotational.Inertia, J: 0.1, phi: {start: 0.1, fixed: true}, w: {start: 2, fixed: true}}
  loose: {type: Rotational.ElastoBacklash, c: 20, b: 0.6, phi_rel0: 0.05}
  tight: {type: Rotational.ElastoBacklash2, c: 5, b: 0, phi_rel0: 0.2}
  housing: {type: Rotational.Fixed}
connections:
  - [left.flange, hard.flange_a]
  - [hard.flange_b, m.flange_a]
  - [m.flange_b, soft.flange_a]
  - [soft.flange_b, right.flange]
  - [housing.flange, loose.flange_a]
  - [loose.flange_b, J.flange_a]
  - [housing.flange, tight.flange_a]
  - [tight.flange_b, J.flange_b]
simulation: {stop: 3, interval: 0.01, tolerance: 1e-9}
outputs: [m.v, J.w, totalEnergy, hard.contact, soft.contact]
)yaml");
  for (const char* contact : {"hard.contact", "soft.contact"}) {
    CHECK(std::ranges::count(t[contact], 1.0) > 10);
    CHECK(std::ranges::count(t[contact], 0.0) > 10);
  }
  const double E = t["totalEnergy"].front();
  CHECK(E > 0.5 * 2 * 1.5 * 1.5 + 0.5 * 0.1 * 2 * 2);
  CHECK(farthest(t, "totalEnergy", [E](double) { return E; }) < 1e-7 * E);
}

TEST_CASE("DC_PermanentMagnet: a step of voltage turns it up as two first-order lags do") {
  const double V = 24, R = 0.6, L = 0.004, J = 0.002, Jload = 0.003;
  const double k = (24 - 0.6 * 5) / 150;  // (VaNominal - Ra IaNominal)/wNominal
  const Trajectory t = libraryRun(fmt::format(R"yaml(
components:
  source:  {{type: Analog.ConstantVoltage, V: {}}}
  ground:  {{type: Analog.Ground}}
  machine: {{type: Machines.DC_PermanentMagnet, VaNominal: 24, IaNominal: 5, wNominal: 150, Ra: {},
             La: {}, Jr: {}, ia: {{fixed: true}}, phiMechanical: {{fixed: true}}, wMechanical: {{fixed: true}}}}
  load:    {{type: Rotational.Inertia, J: {}}}
connections:
  - [source.p, machine.pin_ap]
  - [source.n, machine.pin_an]
  - [source.n, ground.p]
  - [machine.flange, load.flange_a]
simulation: {{stop: 0.5, interval: 0.01, tolerance: 1e-9}}
outputs: [machine.wMechanical, machine.ia, machine.tauElectrical, machine.tauShaft, machine.va]
)yaml",
                                              V, R, L, J, Jload));
  // L J w'' + R J w' + k^2 w = k V, w(0) = w'(0) = 0.
  const double all = J + Jload;
  const std::complex<double> root = std::sqrt(std::complex<double>(R * R - 4 * k * k * L / all, 0));
  const std::complex<double> fast = (-R - root) / (2 * L), slow = (-R + root) / (2 * L);
  for (size_t i = 0; i < t.time().size(); ++i) {
    const double time = t.time()[i];
    const std::complex<double> a = slow / (fast - slow), b = -fast / (fast - slow);
    const double w = V / k * (1.0 + a * std::exp(fast * time) + b * std::exp(slow * time)).real();
    const double wdot =
        V / k * (a * fast * std::exp(fast * time) + b * slow * std::exp(slow * time)).real();
    CAPTURE(time);
    CHECK(std::abs(t["machine.wMechanical"][i] - w) < 1e-6 * V / k);
    CHECK(std::abs(t["machine.ia"][i] - all * wdot / k) < 1e-6 * V / R);
    CHECK(std::abs(t["machine.tauElectrical"][i] - all * wdot) < 1e-6 * k * V / R);
    CHECK(std::abs(t["machine.tauShaft"][i] - Jload * wdot) < 1e-6 * k * V / R);
    CHECK(t["machine.va"][i] == doctest::Approx(V).epsilon(1e-12));
  }
}

TEST_CASE("DC_PermanentMagnet: at its nominal voltage and torque it turns at its nominal speed") {
  // MSL's default data; a warm armature loses what its resistance gains.
  for (const double warmer : {0.0, 40.0}) {
    const double alpha = 0.0039;
    const double R = 0.05 * (1 + alpha * warmer), k = (100 - 0.05 * 100) / 149.2256510455152;
    const Trajectory t = libraryRun(fmt::format(R"yaml(
components:
  source:  {{type: Analog.ConstantVoltage, V: 100}}
  ground:  {{type: Analog.Ground}}
  machine: {{type: Machines.DC_PermanentMagnet, alpha20a: {}, TaOperational: {}, useSupport: true,
             ia: {{fixed: true}}, phiMechanical: {{fixed: true}}, wMechanical: {{fixed: true}}}}
  bench:   {{type: Rotational.Fixed}}
  load:    {{type: Rotational.Torque, tau: {}}}
connections:
  - [source.p, machine.pin_ap]
  - [source.n, machine.pin_an]
  - [source.n, ground.p]
  - [machine.support, bench.flange]
  - [machine.flange, load.flange]
simulation: {{stop: 10, interval: 1, tolerance: 1e-8}}
outputs: [machine.wMechanical, machine.ia, machine.lossPower]
)yaml",
                                                alpha, 293.15 + warmer, -k * 100));
    CHECK(t["machine.ia"].back() == doctest::Approx(100).epsilon(1e-6));
    CHECK(t["machine.wMechanical"].back() == doctest::Approx((100 - R * 100) / k).epsilon(1e-6));
    CHECK(t["machine.lossPower"].back() == doctest::Approx(R * 1e4).epsilon(1e-6));
  }
}

TEST_CASE("IdealLever: masses at its ends, with the pivot fixed and on a support") {
  const Trajectory t = libraryRun(R"yaml(
components:
  push:  {type: Translational.Force, f: 3}
  a:     {type: Translational.Mass, m: 2, s: {fixed: true}, v: {fixed: true}}
  lever: {type: Translational.IdealLever, L_a: 0.5, L_b: 0.2, useSupport: true}
  b:     {type: Translational.Mass, m: 5}
  pivot: {type: Translational.Mass, m: 4, s: {fixed: true}, v: {fixed: true}}
connections:
  - [push.flange, a.flange_a]
  - [a.flange_b, lever.flange_a]
  - [lever.flange_b, b.flange_a]
  - [lever.support, pivot.flange_a]
simulation: {stop: 1, interval: 0.1, tolerance: 1e-9}
outputs: [a.a, b.a, pivot.a, lever.flange_a.f, lever.flange_b.f]
)yaml");
  for (size_t i = 0; i < t.time().size(); ++i) {
    const double a = t["a.a"][i], b = t["b.a"][i], p = t["pivot.a"][i];
    CHECK((b - p) * 0.5 == doctest::Approx(-(a - p) * 0.2).epsilon(1e-9));
    CHECK(2 * a + 5 * b + 4 * p == doctest::Approx(3).epsilon(1e-9));
    // Moments about the pivot: what acts on the lever.
    CHECK((3 - 2 * a) * 0.5 == doctest::Approx(-5 * b * 0.2).epsilon(1e-9));
    CHECK(t["lever.flange_a.f"][i] == doctest::Approx(3 - 2 * a).epsilon(1e-9));
    CHECK(t["lever.flange_b.f"][i] == doctest::Approx(-5 * b).epsilon(1e-9));
  }
}

TEST_CASE("FreeMotionScalarInit: its outputs go by the names of MSL's inner parts as well") {
  const std::pair<const char*, const char*> pairs[] = {
      {"r_rel_a_", "initPosition.r_rel_a[{}]"},
      {"v_rel_a_", "derv[{}].y"},
      {"a_rel_a_", "dera[{}].y"},
      {"angle_", "initAngle.angle[{}]"},
      {"angle_d_", "derd[{}].y"},
      {"angle_dd_", "derdd[{}].y"},
      {"w_rel_b_", "initAngularVelocity.w_rel_b[{}]"},
      {"z_rel_b_", "derz[{}].y"},
      {"r_rel_a_", "derv[{}].u"},
      {"v_rel_a_", "dera[{}].u"},
      {"angle_", "derd[{}].u"},
      {"angle_d_", "derdd[{}].u"},
      {"w_rel_b_", "derz[{}].u"}};
  std::vector<std::pair<std::string, std::string>> names;
  std::string outputs;
  for (const auto& [own, inner] : pairs) {
    for (int i = 1; i <= 3; ++i) {
      names.emplace_back(fmt::format("free.{}{}", own, i),
                         "free." + fmt::format(fmt::runtime(inner), i));
      outputs += fmt::format("\"{}\", \"{}\", ", names.back().first, names.back().second);
    }
  }
  const Trajectory t = libraryRun(R"yaml(
components:
  free: {type: FreeMotionScalarInit, use_r: true, use_v: true, use_a: true, use_angle: true, use_angle_d: true,
         use_angle_dd: true, use_w: true, use_z: true, v_rel_a_1: {start: 2, fixed: true},
         w_rel_b_1: {start: 1, fixed: true}, w_rel_b_3: {start: 3, fixed: true}}
  body: {type: Body, m: 1, r_CM: [0.1, 0, 0], I_11: 1, I_22: 2, I_33: 3}
connections:
  - [world.frame_b, free.frame_a]
  - [free.frame_b, body.frame_a]
simulation: {stop: 0.5, interval: 0.1}
outputs: [)yaml" + outputs + "]\n");
  for (const auto& [own, alias] : names) {
    CAPTURE(alias);
    for (size_t k = 0; k < t.time().size(); ++k) CHECK(t[alias][k] == t[own][k]);
  }
}

TEST_CASE("FreeMotionScalarInit: a start that is a guess holds where nothing else says") {
  const char* const groups[] = {"r_rel_a", "v_rel_a", "angle", "angle_d", "w_rel_b"};
  for (const char* select : {"", ", angle_1_stateSelect: always, angle_2_stateSelect: always"}) {
    for (const bool byRates : {true, false}) {
      std::string starts = byRates ? "use_angle_d: true" : "use_w: true", outputs;
      for (int g = 0; g < 5; ++g) {
        if (g == (byRates ? 4 : 3)) continue;
        for (int i = 1; i <= 3; ++i) {
          starts += fmt::format(", {}_{}: {{start: {}}}", groups[g], i, 0.1 * (g + 1) * i);
          outputs += fmt::format("free.{}_{}, ", groups[g], i);
        }
      }
      const Trajectory t = libraryRun(fmt::format(R"yaml(
components:
  base: {{type: FixedRotation, r: [1, 2, 3], n: [1, 2, 3], angle: 40}}
  free: {{type: FreeMotionScalarInit, use_r: true, use_v: true, use_angle: true, {}{}}}
  body: {{type: Body, m: 1, r_CM: [0.1, 0, 0], I_11: 1, I_22: 2, I_33: 3}}
connections:
  - [world.frame_b, base.frame_a]
  - [base.frame_b, free.frame_a]
  - [free.frame_b, body.frame_a]
simulation: {{stop: 0.1, interval: 0.1}}
outputs: [{}]
)yaml",
                                                  starts, select, outputs));
      for (int g = 0; g < 5; ++g) {
        for (int i = 1; i <= 3 && g != (byRates ? 4 : 3); ++i)
          CHECK(t[fmt::format("free.{}_{}", groups[g], i)].front() ==
                doctest::Approx(0.1 * (g + 1) * i).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("MassWithStopAndFriction: slides to rest, as Stribeck friction says") {
  const Trajectory t = libraryRun(
      "components:\n"
      "  plain: {type: Translational.MassWithStopAndFriction, m: 2, smax: 9, smin: -9, F_prop: 0,"
      " F_Coulomb: 5, F_Stribeck: 0, s: {fixed: true}, v: {start: 3, fixed: true}}\n"
      "  stribeck: {type: Translational.MassWithStopAndFriction, m: 2, L: 0.4, smax: 9, smin: -9,"
      " F_prop: 0.7, F_Coulomb: 1, F_Stribeck: 2, fexp: 1.5, s: {fixed: true},"
      " v: {start: 3, fixed: true}}\n"
      "variables:\n"
      "  v: {start: 3, fixed: true}\n"
      "  s: {start: 0, fixed: true}\n"
      "equations:\n"
      "  - 2*der(v) = -(0.7*v + 1 + 2*exp(-1.5*v))\n"
      "  - der(s) = v\n"
      "simulation: {stop: 1, interval: 0.0173, tolerance: 1e-8}\n"
      "outputs: [plain.s, plain.v, stribeck.s, stribeck.v, stribeck.flange_b.s, s, v]\n");
  for (size_t i = 0; i < t.time().size(); ++i) {
    CHECK(std::abs(t["stribeck.v"][i] - t["v"][i]) < kLibraryRun);
    CHECK(std::abs(t["stribeck.s"][i] - t["s"][i]) < kLibraryRun);
    CHECK(std::abs(t["stribeck.flange_b.s"][i] - t["s"][i] - 0.2) < kLibraryRun);
  }
  const Trajectory rest = libraryRun(
      "components:\n"
      "  plain: {type: Translational.MassWithStopAndFriction, m: 2, smax: 9, smin: -9, F_prop: 0,"
      " F_Coulomb: 5, F_Stribeck: 0, s: {fixed: true}, v: {start: 3, fixed: true}}\n"
      "simulation: {stop: 3, interval: 0.0173, tolerance: 1e-8}\n"
      "outputs: [plain.s, plain.v, plain.mode]\n");
  // 5 N against 2 kg: at rest after 1.2 s and 1.8 m.
  CHECK(farthest(rest, "plain.s", [](double s) {
          const double u = std::min(s, 1.2);
          return 3 * u - 1.25 * u * u;
        }) < kLibraryRun);
  CHECK(rest["plain.v"].back() == doctest::Approx(0).epsilon(kExact));
  CHECK(rest["plain.mode"].back() == 0);
}

TEST_CASE("MassWithStopAndFriction: a stop ends its motion, and all that is fixed to it") {
  // It meets smax at 0.5 s, is pulled off from 1 s on with 3 N against 1 N of friction, meets smin.
  const Trajectory t = libraryRun(
      "components:\n"
      "  a: {type: Translational.MassWithStopAndFriction, m: 0.4, L: 0.2, smax: 1.1, smin: -1.1,"
      " F_prop: 0, F_Coulomb: 0, F_Stribeck: 0, s: {fixed: true}, v: {start: 2, fixed: true}}\n"
      "  b: {type: Translational.Mass, m: 0.6}\n"
      "  pull: {type: Translational.ForceStep, stepForce: -3, startTime: 1}\n"
      "  c: {type: Translational.MassWithStopAndFriction, m: 1, smax: 1, smin: -1, F_prop: 0,"
      " F_Coulomb: 1, F_Stribeck: 0, s: {start: 1, fixed: true}, v: {fixed: true}}\n"
      "  weak: {type: Translational.ForceStep, stepForce: 100, startTime: 0}\n"
      "  strong: {type: Translational.ForceStep, stepForce: -103, startTime: 1}\n"
      "connections:\n"
      "  - [a.flange_b, b.flange_a]\n"
      "  - [b.flange_b, pull.flange]\n"
      "  - [c.flange_b, weak.flange]\n"
      "  - [c.flange_b, strong.flange]\n"
      "simulation: {stop: 2, interval: 0.0173, tolerance: 1e-8}\n"
      "outputs: [a.s, a.v, b.v, a.stopped, c.s, c.f, c.stopped]\n");
  const double off = 1 + std::sqrt(2 * 2.0 / 3);  // 1 kg under 3 N over 2 m
  CHECK(farthest(t, "a.s", [&](double s) {
          if (s < 0.5) return 2 * s;
          if (s < 1) return 1.0;
          return std::max(-1.0, 1 - 1.5 * (s - 1) * (s - 1));
        }) < kLibraryRun);
  // c is pressed against its stop, then pulled off with 3 N against 1 N of friction.
  CHECK(farthest(t, "c.s", [](double s) {
          return s < 1 ? 1.0 : std::max(-1.0, 1 - (s - 1) * (s - 1));
        }) < kLibraryRun);
  for (size_t i = 0; i < t.time().size(); ++i) {
    const double s = t.time()[i];
    CHECK(std::abs(t["a.v"][i] - t["b.v"][i]) < kExact);
    if (s > 0.51 && s < 0.99) {
      CHECK(t["a.stopped"][i] == 1);
      CHECK(std::abs(t["a.v"][i]) < kLibraryRun);
      CHECK(std::abs(t["c.f"][i] - 100) < kLibraryRun);
    }
    if (s > off + 0.01) CHECK(t["a.stopped"][i] == -1);
  }
}

TEST_CASE("MassWithStopAndFriction: what lies beyond its stops is refused") {
  const auto said = [](const std::string& parameters) {
    try {
      libraryRun("components:\n  a: {type: Translational.MassWithStopAndFriction, " + parameters +
                 "}\nsimulation: {stop: 1}\n");
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(said("smax: 1, smin: 1").find("'smax' must be more than smin + L") != std::string::npos);
  CHECK(said("smax: 1, smin: -1, s: {start: 2, fixed: true}, v: {fixed: true}")
            .find("the mass is 1 m beyond its stop") != std::string::npos);
}

TEST_CASE(
    "OneWayClutch: what would turn in the direction that it holds is refused, not let through") {
  const auto said = [](double w_a) {
    try {
      libraryRun(
          fmt::format("components:\n"
                      "  I1: {{type: Rotational.Inertia, J: 1, w: {{start: {}, fixed: true}}}}\n"
                      "  I2: {{type: Rotational.Inertia, J: 1, w: {{start: 0, fixed: true}}}}\n"
                      "  c: {{type: Rotational.OneWayClutch, fn_max: 5, f_normalized: 1}}\n"
                      "connections: [[I1.flange_b, c.flange_a], [c.flange_b, I2.flange_a]]\n"
                      "simulation: {{stop: 1}}\n",
                      w_a));
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(said(-3).empty());
  CHECK(said(0).empty());
  CHECK(said(3).find("flange_a turns faster than flange_b, by 3 rad/s") != std::string::npos);
}

TEST_CASE("UnitConversions: known values, and back again") {
  struct Known {
    const char* unit;
    double si, other;
  };
  const std::vector<Known> known = {{"degC", 273.15, 0},
                                    {"degF", 373.15, 212},
                                    {"degRk", 273.15, 491.67},
                                    {"deg", 1, 180 / std::numbers::pi},
                                    {"rpm", 2 * std::numbers::pi, 60},
                                    {"kmh", 10, 36},
                                    {"day", 43200, 0.5},
                                    {"hour", 1800, 0.5},
                                    {"minute", 90, 1.5},
                                    {"litre", 0.25, 250},
                                    {"kWh", 1.8e6, 0.5},
                                    {"bar", 2e5, 2},
                                    {"gps", 0.5, 500}};
  for (const Known& k : known) {
    CAPTURE(k.unit);
    const std::string unit = k.unit;
    const Trajectory t =
        libraryRun(fmt::format("components:\n"
                               "  to: {{type: Blocks.To_{0}, u: {1:.17g}}}\n"
                               "  from: {{type: Blocks.From_{0}, u: to.y}}\n"
                               "simulation: {{stop: 1}}\n"
                               "outputs: [to.y, from.y]\n",
                               unit, k.si));
    CHECK(t["to.y"].back() == doctest::Approx(k.other).epsilon(kExact));
    CHECK(t["from.y"].back() == doctest::Approx(k.si).epsilon(kExact));
  }
}

TEST_CASE("Prismatic, Revolute: an offset is a rigid part behind the joint") {
  const auto chain = [](const std::string& slide, const std::string& turn,
                        const std::string& behind) {
    return libraryRun(
        "world: {n: [0, -1, 0]}\n"
        "components:\n"
        "  hinge: {type: Revolute, n: [0, 1, 2], phi: {start: 0.2, fixed: true},"
        " w: {start: 1, fixed: true}" +
        turn +
        "}\n"
        "  slide: {type: Prismatic, n: [1, 2, 2], s: {start: 0.1, fixed: true}, v: {fixed: true}" +
        slide +
        "}\n"
        "  body: {type: Body, m: 2, r_CM: [0.1, 0.3, 0]}\n" +
        behind +
        "simulation: {stop: 1, interval: 0.05, tolerance: 1e-9}\n"
        "outputs: [slide.s, hinge.phi, body.r_0, body.frame_a.f]\n");
  };
  const Trajectory with = chain(", s_offset: 0.3", ", phi_offset: 0.4",
                                "connections:\n"
                                "  - [world.frame_b, hinge.frame_a]\n"
                                "  - [hinge.frame_b, slide.frame_a]\n"
                                "  - [slide.frame_b, body.frame_a]\n");
  const Trajectory parts = chain("", "",
                                 "  turned: {type: FixedRotation, n: [0, 1, 2], angle: 0.4 rad}\n"
                                 "  away: {type: FixedTranslation, r: [0.1, 0.2, 0.2]}\n"
                                 "connections:\n"
                                 "  - [world.frame_b, hinge.frame_a]\n"
                                 "  - [hinge.frame_b, turned.frame_a]\n"
                                 "  - [turned.frame_b, slide.frame_a]\n"
                                 "  - [slide.frame_b, away.frame_a]\n"
                                 "  - [away.frame_b, body.frame_a]\n");
  REQUIRE(with.time().size() == parts.time().size());
  for (const char* name :
       {"slide.s", "hinge.phi", "body.r_0[1]", "body.r_0[3]", "body.frame_a.f[2]"}) {
    CAPTURE(name);
    for (size_t i = 0; i < with.time().size(); ++i)
      CHECK(std::abs(with[name][i] - parts[name][i]) < kLibraryRun);
  }
}

TEST_CASE("Prismatic: an offset in a loop moves the coordinate, not the mechanism") {
  const auto crank = [](const std::string& slider, double start) {
    return libraryRun(
        fmt::format("world: {{n: [0, -1, 0]}}\n"
                    "components:\n"
                    "  crank: {{type: Revolute, phi: {{start: 0.5, fixed: true}}, w: {{start: 3, "
                    "fixed: true}}}}\n"
                    "  arm: {{type: BodyBox, r: [0.2, 0, 0], width: 0.02}}\n"
                    "  pin: {{type: Revolute, phi: {{start: -0.7}}}}\n"
                    "  rod: {{type: BodyBox, r: [0.6, 0, 0], width: 0.02}}\n"
                    "  end: {{type: Revolute}}\n"
                    "  slider: {{type: Prismatic, s: {{start: {}}}{}}}\n"
                    "  mass: {{type: Body, m: 1}}\n"
                    "connections:\n"
                    "  - [world.frame_b, crank.frame_a]\n"
                    "  - [crank.frame_b, arm.frame_a]\n"
                    "  - [arm.frame_b, pin.frame_a]\n"
                    "  - [pin.frame_b, rod.frame_a]\n"
                    "  - [rod.frame_b, end.frame_a]\n"
                    "  - [end.frame_b, slider.frame_b]\n"
                    "  - [slider.frame_b, mass.frame_a]\n"
                    "  - [world.frame_b, slider.frame_a]\n"
                    "simulation: {{stop: 1, interval: 0.02, tolerance: 1e-9}}\n"
                    "outputs: [slider.s, crank.phi]\n",
                    start, slider));
  };
  const Trajectory plain = crank("", 0.75), shifted = crank(", s_offset: 0.5", 0.25);
  REQUIRE(plain.time().size() == shifted.time().size());
  for (size_t i = 0; i < plain.time().size(); ++i) {
    CHECK(std::abs(plain["slider.s"][i] - shifted["slider.s"][i] - 0.5) < kLibraryRun);
    CHECK(std::abs(plain["crank.phi"][i] - shifted["crank.phi"][i]) < kLibraryRun);
  }
}

TEST_CASE("Visualizers: what MSL's classes have inside are results") {
  const Trajectory t = libraryRun(
      "components:\n"
      "  wheel: {type: Visualizers.VoluminousWheel, rTire: 0.5, rRim: 0.9, width: 0.6,"
      " rCurvature: 0.5}\n"
      "  torus: {type: Visualizers.Torus, n_R: 12, n_r: 7}\n"
      "connections:\n"
      "  - [world.frame_b, wheel.frame_a]\n"
      "  - [world.frame_b, torus.frame_a]\n"
      "simulation: {stop: 1}\n"
      "outputs: [wheel.rw, wheel.rCurvature2, wheel.kw, wheel.h, wheel.ri, wheel.rRim2,"
      " torus.surface.nu, torus.surface.nv]\n");
  // A circle of radius 0.5 cut at 0.3: 3-4-5.
  const std::vector<std::pair<const char*, double>> expected = {
      {"wheel.rw", 0.3},        {"wheel.rCurvature2", 0.5},
      {"wheel.kw", 0.6},        {"wheel.h", 0.4},
      {"wheel.ri", 0},          {"wheel.rRim2", 0.4},
      {"torus.surface.nu", 12}, {"torus.surface.nv", 7}};
  for (const auto& [name, value] : expected) {
    CAPTURE(name);
    CHECK(t[name].back() == doctest::Approx(value).epsilon(kExact));
  }
}
