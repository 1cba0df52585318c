// The explicit integrator and the choice between it and IDA: the same motions, constraints to
// rounding, stiff models and singular positions handed over by name, and all of it repeatable.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "apps/bench/models.h"
#include "engine/equations/model.h"
#include "engine/integration/explicit_integrator.h"
#include "engine/integration/solver_error.h"
#include "engine/saved_state.h"
#include "engine/simulation_parts.h"
#include "tests/models/energy.h"
#include "tests/models/model_run.h"

using namespace cardan;
using test::messageOfRun;
using test::ModelRun;
using test::runModel;

namespace {

const std::string kIntegratorsModels = std::string(CARDAN_SOURCE_DIR) + "/models/";
constexpr IntegratorChoice kIda = IntegratorChoice::ida;
constexpr IntegratorChoice kExplicit = IntegratorChoice::explicitMethod;
constexpr IntegratorChoice kAutomatic = IntegratorChoice::automatic;

std::string methodsOf(const RunReport& report) {
  std::string all;
  for (const MethodChange& m : report.methods) all += (all.empty() ? "" : " ") + m.method;
  return all;
}

/// A pendulum of two bars, dropped from the horizontal.
const char* const kDoublePendulum = R"yaml(
world: {g: 9.81}
components:
  j1: {type: Revolute, phi: {fixed: true}, w: {fixed: true}}
  b1: {type: BodyShape, r: [0.5, 0, 0], r_CM: [0.25, 0, 0], m: 1, I_33: 0.02}
  j2: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {fixed: true}}
  b2: {type: BodyShape, r: [0.5, 0, 0], r_CM: [0.25, 0, 0], m: 1, I_33: 0.02}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, b1.frame_a]
  - [b1.frame_b, j2.frame_a]
  - [j2.frame_b, b2.frame_a]
)yaml";

/// A ball of 1 kg falls from 1 m onto a spring of 1e4 N/m at the ground.
const char* const kIntegratorsBall = R"yaml(
world: {g: 0}
components:
  ball: {type: Translational.Mass, m: 1, s: {start: 1, fixed: true}, v: {fixed: true}}
  push: {type: Translational.Force, f: "if ball.s < 0 then -9.81 - 1e4*ball.s else -9.81"}
connections:
  - [push.flange, ball.flange_a]
simulation: {stop: 3, interval: 0.1}
outputs: [ball.s, ball.v]
)yaml";

/// Two carts, one of which follows half the square of the other's place.
const char* const kFollowing = R"yaml(
world: {g: 0}
components:
  j1: {type: Prismatic, s: {fixed: true}, v: {fixed: true}}
  b1: {type: Body, m: 1, r_CM: [0, 0, 0]}
  push: {type: WorldForce, force: [2, 0, 0]}
  j2: {type: Prismatic, useAxisFlange: true}
  b2: {type: Body, m: 2, r_CM: [0, 0, 0]}
  follow: {type: Translational.Position, exact: true, s_ref: "0.5*j1.s^2"}
connections: [[world.frame_b, j1.frame_a], [j1.frame_b, b1.frame_a], [push.frame_b, b1.frame_a],
              [world.frame_b, j2.frame_a], [j2.frame_b, b2.frame_a], [follow.flange, j2.axis]]
simulation: {integrator: explicit}
)yaml";

/// Inductors in series carry one current.
const char* const kSeries = R"yaml(
components:
  V: {type: Analog.SineVoltage, V: 5, f: 1}
  R: {type: Analog.Resistor, R: 10}
  L: {type: Analog.Inductor, L: 0.1}
  L2: {type: Analog.Inductor, L: 0.2}
  g: {type: Analog.Ground}
connections: [[R.p, V.p], [R.n, L.p], [L.n, L2.p], [L2.n, V.n], [g.p, V.n]]
)yaml";

}  // namespace

TEST_CASE("Integrator: the file chooses it, the command overrules, ida is the default") {
  const std::string text = kDoublePendulum;
  CHECK(methodsOf(runModel(text, {.stopTime = 0.1}).report) == "ida");
  const std::string chosen = text + "simulation: {integrator: explicit}\n";
  CHECK(methodsOf(runModel(chosen, {.stopTime = 0.1}).report) == "explicit");
  CHECK(methodsOf(runModel(chosen, {.stopTime = 0.1, .integrator = kIda}).report) == "ida");
  CHECK(messageOfRun<ModelError>("simulation: {stop: 2, integrator: implicit}\n") ==
        "model.yaml:1:35: error: simulation: 'integrator' must be one of automatic, ida, explicit, "
        "stepping, "
        "found 'implicit'; did you mean 'explicit'?");
}

TEST_CASE(
    "Integrator: explicit refuses what is no explicit ODE, by name, and automatic takes ida") {
  CHECK(messageOfRun<ModelError>(kFollowing) ==
        "model.yaml:12:26: error: the integrator 'explicit' cannot step this model: the motion "
        "reads the rate of 'follow.s_ref', which a signal of the motion gives; 'automatic' and "
        "'ida' can");
  CHECK(messageOfRun<ModelError>(kSeries, {.integrator = kExplicit}) ==
        "error: the integrator 'explicit' cannot step this model: some of its states are tied to "
        "each other by equations; 'automatic' and 'ida' can");
  for (const char* text : {kFollowing, kSeries}) {
    const RunReport report = runModel(text, {.stopTime = 0.5, .integrator = kAutomatic}).report;
    CHECK(methodsOf(report) == "ida");
    CHECK(!report.methods.front().reason.empty());
  }
}

TEST_CASE("Integrator: explicit keeps the energy of a double pendulum for 100 s") {
  const RunOptions options{.stopTime = 100,
                           .tolerance = 1e-12,
                           .integrator = kExplicit,
                           .outputs = {"totalEnergy", "kineticEnergy"}};
  const ModelRun r = runModel(kDoublePendulum, options);
  CHECK(test::energyDrift(r.rows) < 1e-9);
  CHECK(r.report.integrator.steps > 1000);
}

TEST_CASE("Integrator: explicit meets constraints to rounding at every step, however loose it is") {
  const std::vector<std::pair<std::string, double>> models = {
      {bench::fourBar(bench::Pin::revolute), 1},
      {bench::fourBar(bench::Pin::planar), 1},
      {bench::rowOfFourBars(4), 0.6},
      {bench::freeBody(), 3}};
  for (const auto& [text, stop] : models) {
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      CAPTURE(tolerance);
      Simulation s = Simulation::fromText(catalogue(), text);
      s.initialise();
      MultibodySystem& system = *s.parts().system;
      IntegratorOptions options;
      options.relativeTolerance = tolerance;
      ExplicitIntegrator integrator(system, options);
      integrator.start(0, s.y(), s.yp());
      const Equations& e = *s.parts().equations;
      const Layout& l = e.layout();
      std::vector<double> r(s.y().size());
      double position = 0, velocity = 0, rest = 0;
      while (integrator.time() < stop) {
        integrator.step(stop);
        system.residual(integrator.time(), integrator.y().data(), integrator.yp().data(), r.data());
        double speed = 1 / e.state.scales.time;
        for (int i = 0; i < l.nv; ++i) {
          speed = std::max(speed, std::abs(integrator.y()[static_cast<size_t>(l.nq + i)]));
        }
        const Workspace<double>& w = system.lastEvaluated();
        for (size_t k = 0; k < w.velocityResidues.size(); ++k) {
          const double scale = e.positionScale(static_cast<int>(k));
          velocity = std::max(velocity, std::abs(w.velocityResidues[k]) / (scale * speed));
          if (l.muOfLambda[k] >= 0)
            position = std::max(position, std::abs(w.positionResidues[k]) / scale);
        }
        // Equations of motion and Q.Q = 1.
        for (int i = 0; i < l.nq + l.nv; ++i) {
          rest = std::max(rest, std::abs(r[static_cast<size_t>(i)]));
        }
      }
      CHECK(position < 1e-12);
      CHECK(velocity < 1e-12);
      CHECK(rest < 1e-9);  // forces of some hundred newtons, rounded
    }
  }
}

TEST_CASE("Integrator: rows of four-bars pass their common singular position, or stop by name") {
  for (const int n : {10, 40}) {
    const std::string text = bench::rowOfFourBars(n);
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      CAPTURE(n);
      CAPTURE(tolerance);
      RunOptions options{.stopTime = 3,
                         .tolerance = tolerance,
                         .outputs = {"foot*.phi", "totalEnergy", "kineticEnergy"}};
      const auto judge = [&](const ModelRun& r) {
        // All uprights turn on together, and nothing is lost.
        CHECK(r.last("foot0.phi") < -8);
        for (int i = 1; i <= n; ++i) {
          CHECK(std::abs(r.last(fmt::format("foot{}.phi", i)) - r.last("foot0.phi")) < 1e-7);
        }
        CHECK(test::energyDrift(r.rows) < 3000 * tolerance);
      };
      options.integrator = kAutomatic;
      judge(runModel(text, options));
      options.integrator = kExplicit;
      try {
        judge(runModel(text, options));
      } catch (const SolverError& e) {
        CHECK(e.details().cause == SolverError::Cause::SingularPosition);
      }
      if (tolerance == 1e-7) {
        options.integrator = kIda;
        judge(runModel(text, options));
      }
    }
  }
}

TEST_CASE("Integrator: a loop that stops in its singular position is handed over, by name") {
  // The row starts in line: nothing says how it goes on, and small steps stay there.
  std::string text = bench::rowOfFourBars(2);
  const RunOptions automatic{.stopTime = 0.8,
                             .tolerance = 1e-6,
                             .maximumStep = 1e-4,
                             .integrator = kAutomatic,
                             .outputs = {"foot0.phi", "kineticEnergy"}};
  const RunReport report = runModel(text, automatic).report;
  CHECK(methodsOf(report) == "explicit ida");
  CHECK(report.methods.back().reason == "the loops come close to a singular position");
  RunOptions alone = automatic;
  alone.integrator = kExplicit;
  const std::string why = messageOfRun<SolverError>(text, alone);
  CHECK(why.find("the loops come close to a singular position") != std::string::npos);
}

TEST_CASE("Integrator: a stiff arm goes to ida soon, and takes no more steps than there") {
  for (const double tolerance : {1e-3, 1e-6}) {
    CAPTURE(tolerance);
    RunOptions options{.stopTime = 3, .tolerance = tolerance, .integrator = kIda};
    const ModelRun ida = runModel(bench::robot6(), options);
    options.integrator = kAutomatic;
    const ModelRun automatic = runModel(bench::robot6(), options);
    CHECK(methodsOf(automatic.report) == "explicit ida");
    CHECK(automatic.report.methods.back().reason.starts_with("stiff"));
    CHECK(automatic.report.methods.back().time < 0.15);
    // Told within 24 steps, some of them refused; from there on it is a run of IDA.
    CHECK(automatic.report.integrator.rates < 500);
    CHECK(automatic.report.integrator.newtonMatrices < 1.1 * ida.report.integrator.newtonMatrices);
    for (int i = 1; i <= 6; ++i) {
      const std::string name = fmt::format("r{}.phi", i);
      CHECK(std::abs(automatic.last(name) - ida.last(name)) < 1000 * tolerance);
    }
  }
}

TEST_CASE("Integrator: where what fades sets the step, the cheaper method by count goes on") {
  // The accelerations of a delta robot cost as much as a step of IDA.
  Simulation delta(catalogue(), kIntegratorsModels + "loops/delta.yaml");
  Trajectory rows;
  const RunReport automatic = delta.run(rows, {.stopTime = 1, .integrator = kAutomatic});
  CHECK(methodsOf(automatic) == "explicit ida");
  CHECK(automatic.methods.back().reason.starts_with("what fades"));
  const RunReport ida = delta.run(rows, {.stopTime = 1, .integrator = kIda});
  CHECK(automatic.integrator.steps < 1.2 * ida.integrator.steps);
  // A light pendulum that a servo leads fades as fast, and costs nothing.
  const char* const servo = R"yaml(
components:
  hinge: {type: Revolute, useAxisFlange: true, phi: {fixed: true}, w: {fixed: true}}
  motor: {type: Rotational.Torque, useSupport: true, tau: "12*(0.1*sin(20*time) - hinge.phi) - 0.6*hinge.w"}
  arm: {type: BodyShape, r: [0.5, 0, 0], r_CM: [0.1, 0, 0], m: 0.1, I_33: 0.002}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.support, motor.support]
  - [motor.flange, hinge.axis]
  - [hinge.frame_b, arm.frame_a]
)yaml";
  const ModelRun cheap =
      runModel(servo, {.stopTime = 2, .tolerance = 1e-8, .integrator = kAutomatic});
  CHECK(methodsOf(cheap.report) == "explicit");
}

TEST_CASE("Integrator: a smooth chain stays explicit, with a tenth of the steps") {
  RunOptions options{.stopTime = 2, .tolerance = 1e-8, .integrator = kAutomatic};
  const ModelRun automatic = runModel(bench::chain(8), options);
  options.integrator = kIda;
  const ModelRun ida = runModel(bench::chain(8), options);
  CHECK(methodsOf(automatic.report) == "explicit");
  CHECK(10 * automatic.report.integrator.steps < ida.report.integrator.steps);
  CHECK(std::abs(automatic.last("r8.phi") - ida.last("r8.phi")) < 1e-4);
}

TEST_CASE("Integrator: events of a bouncing ball come at the times of the closed form") {
  // The fall takes sqrt(2 h/g); in the spring the ball swings about -m g/c.
  const double g = 9.81, c = 1e4, fall = std::sqrt(2 / g), v = g * fall, w = std::sqrt(c);
  const double contact = (std::numbers::pi + 2 * std::atan(g / (v * w))) / w;
  for (const IntegratorChoice choice : {kExplicit, kAutomatic}) {
    const ModelRun r = runModel(kIntegratorsBall, {.tolerance = 1e-12, .integrator = choice});
    REQUIRE(r.report.eventRecords.size() >= 4);
    double t = fall;
    for (size_t i = 0; i < 4; ++i) {
      CHECK(std::abs(r.report.eventRecords[i].time - t) < 1e-10);
      t += i % 2 == 0 ? contact : 2 * fall;
    }
  }
}

TEST_CASE("Integrator: a run repeats bit for bit, whatever rows are written, saved and restored") {
  for (const IntegratorChoice choice : {kExplicit, kAutomatic}) {
    for (const std::string& text : {bench::robot6(), bench::fourBar(bench::Pin::revolute),
                                    bench::rowOfFourBars(2), std::string(kIntegratorsBall)}) {
      RunOptions options{.stopTime = 1, .tolerance = 1e-7, .integrator = choice};
      Simulation s = Simulation::fromText(catalogue(), text);
      s.start(options);
      s.advance(0.4);
      const auto saved = s.save();
      s.advance(1);
      const std::vector<double> y = s.y();
      const IntegratorStatistics counts = s.report().integrator;
      s.restore(saved);
      CHECK(s.time() == 0.4);
      s.advance(1);
      CHECK(s.y() == y);
      CHECK(s.report().integrator.steps == counts.steps);
      Simulation other = s.another();
      other.start(options);
      other.restore(saved);
      other.advance(1);
      CHECK(other.y() == y);
      CHECK(methodsOf(other.report()) == methodsOf(s.report()));

      options.outputInterval = 1;
      Trajectory few, many;
      s.run(few, options);
      const std::vector<double> end = s.y();
      options.outputInterval = 0.003;
      s.run(many, options);
      CHECK(s.y() == end);
    }
  }
}
