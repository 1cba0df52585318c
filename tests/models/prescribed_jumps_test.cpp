/// Prescribed velocities that jump: what hangs on them follows as impulses have it.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {

constexpr double kExact = 1e-9;

/// A flywheel of 2 kg.m2 on a free axle carries another one of 1 kg.m2, which `drive` turns against it.
std::string flywheels(const std::string& drive) {
  return R"(
world: {g: 0}
components:
  axle: {type: Revolute, phi: {fixed: true}, w: {fixed: true}}
  large: {type: Body, m: 1, r_CM: [0, 0, 0], I_33: 2}
  shaft: {type: Revolute, useAxisFlange: true}
  small: {type: Body, m: 1, r_CM: [0, 0, 0], I_33: 1}
  drive: )" +
         drive + R"(
connections:
  - [world.frame_b, axle.frame_a]
  - [axle.frame_b, large.frame_a]
  - [axle.frame_b, shaft.frame_a]
  - [shaft.frame_b, small.frame_a]
  - [drive.flange, shaft.axis]
simulation: {stop: 1, interval: 0.25, tolerance: 1e-8}
outputs: [axle.w, shaft.w, "angularMomentum[3]"]
)";
}

/// A trolley is drawn away at 2 m/s from t = 0.5 s on; a bob hangs on it by 1 m.
std::string crane(const std::string& bob, const std::string& connections) {
  return R"(
components:
  rail: {type: Prismatic, useAxisFlange: true}
  trolley: {type: Body, m: 1, r_CM: [0, 0, 0]}
  way: {type: Blocks.CombiTimeTable, table: [[0, 0], [0.5, 0], [1, 1]]}
  drive: {type: Translational.Position, exact: true, s_ref: "way.y[1]"}
  bob: )" +
         bob + R"(
connections:
  - [world.frame_b, rail.frame_a]
  - [rail.frame_b, trolley.frame_a]
  - [drive.flange, rail.axis]
)" + connections +
         R"(
simulation: {stop: 1, interval: 0.05, tolerance: 1e-9}
outputs: [bob.r_0, bob.v_0]
)";
}

}  // namespace

TEST_CASE("prescribed jumps: two flywheels that turn each other keep their angular momentum") {
  std::string drive;
  SUBCASE("a speed that steps") {
    drive = "{type: Rotational.Speed, exact: true, w_ref: \"if time < 0.5 then 0 else 3\"}";
  }
  SUBCASE("an angle with a corner") {
    drive = "{type: Rotational.Position, exact: true, phi_ref: \"3*max(0, time - 0.5)\"}";
  }
  SUBCASE("a motion with a corner") {
    drive =
        "{type: Rotational.Move, u: [\"3*max(0, time - 0.5)\", \"if time < 0.5 then 0 else 3\", "
        "0]}";
  }
  SUBCASE("a speed that steps where the shaft has come to") {
    drive = "{type: Rotational.Speed, exact: true, w_ref: \"if shaft.phi < 0.5 then 1 else 3\"}";
  }
  for (const IntegratorChoice method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
    const ModelRun r = runModel(flywheels(drive), {.integrator = method});
    const double before = r.first("angularMomentum[3]");
    CHECK(std::abs(r.last("shaft.w") - 3) < kExact);
    CHECK(std::abs(r.last("angularMomentum[3]") - before) < kExact);
    // 2 w + (w + 3) is what it was.
    CHECK(std::abs(r.last("axle.w") - (before - 3) / 3) < kExact);
  }
}

TEST_CASE("prescribed jumps: an angle with a corner where another motion has come to") {
  const ModelRun r = runModel(flywheels(R"({type: Rotational.Position, exact: true,
          phi_ref: "if cam.phi < 0.5 then 0 else 3*cam.phi - 1.5"}
  cam: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {start: 1, fixed: true}})"));
  CHECK(std::abs(r.last("shaft.w") - 3) < kExact);
  CHECK(std::abs(r.last("axle.w") + 1) < kExact);
  CHECK(std::abs(r.last("angularMomentum[3]")) < kExact);
}

TEST_CASE("prescribed jumps: a bob is left behind by its trolley, whatever coordinates it has") {
  // Out of a joint's angle, and out of its own position and a rod that holds it.
  const ModelRun joint = runModel(crane(R"({type: PointMass, m: 1}
  pivot: {type: Revolute, phi: {start: "-pi/2", fixed: true}, w: {fixed: true}}
  rope: {type: FixedTranslation, r: [1, 0, 0]})",
                                        R"(
  - [rail.frame_b, pivot.frame_a]
  - [pivot.frame_b, rope.frame_a]
  - [rope.frame_b, bob.frame_a])"));
  const ModelRun rod = runModel(crane(R"({type: PointMass, m: 1, r_0: {start: [0, -1, 0]}}
  rope: {type: SphericalSpherical, rodLength: 1})",
                                      R"(
  - [rail.frame_b, rope.frame_a]
  - [rope.frame_b, bob.frame_a])"));
  for (const std::string name : {"bob.r_0[1]", "bob.r_0[2]", "bob.v_0[1]", "bob.v_0[2]"}) {
    CAPTURE(name);
    CHECK(std::abs(joint.last(name) - rod.last(name)) < 1e-6);
  }
  // Behind the jump the bob is still at rest.
  size_t after = 0;
  while (joint.rows.time()[after] < 0.5) ++after;
  CHECK(std::abs(joint["bob.v_0[1]"][after + 1]) < kExact);
}

TEST_CASE("prescribed jumps: a planetary gear shares the blow out by its lever arms") {
  const ModelRun r = runModel(R"(
components:
  drive: {type: Rotational.Speed, exact: true, w_ref: "if time < 0.5 then 1 else 5"}
  gear: {type: Rotational.IdealPlanetary, ratio: 2}
  carrier: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {fixed: true}}
  ring: {type: Rotational.Inertia, J: 3}
connections:
  - [drive.flange, gear.sun]
  - [gear.carrier, carrier.flange_a]
  - [gear.ring, ring.flange_a]
simulation: {stop: 1, interval: 0.25}
outputs: [carrier.w, ring.w]
)");
  // An impulse P at the sun: 3 P at the carrier, -2 P at the ring; dw_sun + 2 dw_ring = 3 dw_carrier.
  const double P = 4 / (9 + 4.0 / 3);
  CHECK(std::abs(r.last("carrier.w") - r.first("carrier.w") - 3 * P) < kExact);
  CHECK(std::abs(r.last("ring.w") - r.first("ring.w") + 2 * P / 3) < kExact);
}

TEST_CASE("prescribed jumps: a clutch that sticks slips, as friction passes no blow on") {
  const ModelRun r = runModel(R"(
components:
  drive: {type: Rotational.Speed, exact: true, w_ref: "if time < 0.5 then 1 else 5"}
  driven: {type: Rotational.Inertia, J: 1}
  clutch: {type: Rotational.Clutch, mu_pos: [[0, 1]], fn_max: 1, f_normalized: 1}
  load: {type: Rotational.Inertia, J: 1, phi: {fixed: true}, w: {start: 1, fixed: true}}
connections:
  - [drive.flange, driven.flange_a]
  - [driven.flange_b, clutch.flange_a]
  - [clutch.flange_b, load.flange_a]
simulation: {stop: 1, interval: 0.25}
outputs: [driven.w, load.w, clutch.tau]
)");
  CHECK(std::abs(r.last("driven.w") - 5) < kExact);
  CHECK(std::abs(r.last("load.w") - 1.5) < 1e-8);
  CHECK(std::abs(std::abs(r.last("clutch.tau")) - 1) < kExact);
}

TEST_CASE(
    "prescribed jumps: a step of voltage across capacitors in series brings both one charge") {
  std::string step;
  SUBCASE("by time") { step = "if time < 0.5 then 0 else 4"; }
  SUBCASE("by a table") { step = "table.y[1]"; }
  SUBCASE("by a state") { step = "if clock.y < 0.5 then 0 else 4"; }
  const ModelRun r = runModel(R"(
components:
  table: {type: Blocks.CombiTimeTable, table: [[0, 0], [0.5, 0], [0.5, 4], [1, 4]]}
  clock: {type: Blocks.Integrator, u: 1}
  V: {type: Analog.SignalVoltage, v: ")" +
                              step + R"("}
  C1: {type: Analog.Capacitor, C: 1, v: {start: 0}}
  C2: {type: Analog.Capacitor, C: 3, v: {start: 0, fixed: true}}
  R: {type: Analog.Resistor, R: 2}
  ground: {type: Analog.Ground}
connections:
  - [V.p, C1.p]
  - [C1.n, C2.p]
  - [C2.n, V.n]
  - [C2.p, R.p]
  - [R.n, V.n]
  - [ground.p, V.n]
simulation: {stop: 1, interval: 0.5, tolerance: 1e-9}
outputs: [C1.v, C2.v]
)");
  // 3 C each at once; then C2 discharges over R, and C1 takes on what it gives up: (C1 + C2) dv/dt = -v/R.
  const double v2 = std::exp(-0.5 / 8);
  CHECK(std::abs(r.last("C2.v") - v2) < 1e-8);
  CHECK(std::abs(r.last("C1.v") - (4 - v2)) < 1e-8);
}

TEST_CASE("prescribed jumps: a step of current is shared by coils as one flux has it") {
  const ModelRun r = runModel(R"(
components:
  I: {type: Analog.SignalCurrent, i: "if time < 0.5 then 0 else 2"}
  L1: {type: Analog.Inductor, L: 1, i: {start: 0}}
  L2: {type: Analog.Inductor, L: 3, i: {start: 0, fixed: true}}
  ground: {type: Analog.Ground}
connections:
  - [I.n, L1.p]
  - [I.n, L2.p]
  - [L1.n, I.p]
  - [L2.n, I.p]
  - [ground.p, I.p]
simulation: {stop: 1, interval: 0.5}
outputs: [L1.i, L2.i]
)");
  CHECK(std::abs(r.last("L1.i") - 1.5) < kExact);
  CHECK(std::abs(r.last("L2.i") - 0.5) < kExact);
}

TEST_CASE("prescribed jumps: a step of temperature heats what it touches at once, the rest later") {
  const ModelRun r = runModel(R"(
components:
  oven: {type: Thermal.PrescribedTemperature, T: "if time < 0.5 then 300 else 350"}
  near: {type: Thermal.HeatCapacitor, C: 2}
  wall: {type: Thermal.ThermalConductor, G: 3}
  far: {type: Thermal.HeatCapacitor, C: 2, T: {start: 300, fixed: true}}
connections:
  - [oven.port, near.port]
  - [near.port, wall.port_a]
  - [wall.port_b, far.port]
simulation: {stop: 1, interval: 0.5, tolerance: 1e-9}
outputs: [near.T, far.T]
)");
  CHECK(std::abs(r.last("near.T") - 350) < kExact * 350);
  CHECK(std::abs(r.last("far.T") - (350 - 50 * std::exp(-1.5 * 0.5))) < 1e-6);
}

TEST_CASE("prescribed motion: a velocity that is not the rate of its position is told by place") {
  const auto warnings = [](const std::string& type, const std::string& inertia,
                           const std::string& u) {
    const std::string text = "components:\n  drive: {type: " + type + ".Move, u: [" + u +
                             "]}\n  b: {type: " + type + "." + inertia +
                             ": 1}\nconnections:\n  - [drive.flange, b.flange_a]\n"
                             "simulation: {stop: 1}\n";
    std::string all;
    for (const std::string& w : runModel(text).report.warnings) all += w;
    return all;
  };
  CHECK(warnings("Rotational", "Inertia, J", "sin(time), cos(time), -sin(time)").empty());
  const std::string told = warnings("Rotational", "Inertia, J", "sin(time), cos(time) + 0.01, 0");
  CHECK(
      told.starts_with("Rotational.Move 'drive' (model.yaml:2:3): the velocity that it "
                       "prescribes is not the rate of its position but 0.01 rad/s more"));
  // Right at the start alone.
  const std::string later = warnings("Translational", "Mass, m", "time^2, time, 1");
  CHECK(later.find("is not the rate of its position but -") != std::string::npos);
  CHECK(later.find("the acceleration") == std::string::npos);
  // Nothing follows the acceleration.
  const std::string third = warnings("Translational", "Mass, m", "time^2, 2*time, 3");
  CHECK(
      third.starts_with("Translational.Move 'drive' (model.yaml:2:3): the acceleration that it "
                        "prescribes is not the rate of its velocity but 1 m/s2 more"));
}
