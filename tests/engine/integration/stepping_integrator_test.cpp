// Steps of one length: first order, constraints, contacts that make no event, and what is refused.
#include "engine/integration/stepping_integrator.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "engine/integration/multibody_system.h"
#include "engine/integration/solver_error.h"
#include "engine/sensitivities/sensitivities.h"
#include "engine/simulation_parts.h"
#include "tests/models/model_run.h"
#include "tests/models/shape_models.h"

using namespace cardan;
using test::messageOfRun;
using test::ModelRun;
using test::runModel;

namespace {

constexpr double kSteppingG = 9.81;  ///< [m/s2]

RunOptions stepping(double step, double stop, double interval = 0) {
  RunOptions options{.stopTime = stop, .integrator = IntegratorChoice::stepping, .step = step};
  if (interval > 0) options.outputInterval = interval;
  return options;
}

Trajectory rowsOf(const char* file, const RunOptions& options) {
  Simulation s(catalogue(), std::string(CARDAN_SOURCE_DIR) + "/models/" + file);
  Trajectory rows;
  s.run(rows, options);
  return rows;
}

/// A ball of 1 kg and radius 0.05 m that falls by 1 m on a plane.
std::string fallingBall(const std::string& contact) {
  return fmt::format(R"yaml(
world: {{g: {}, n: [0, 0, -1]}}
components:
  ball: {{type: Body, m: 1, r_CM: [0, 0, 0], I_11: 1e-3, I_22: 1e-3, I_33: 1e-3, r_0: {{start: [0, 0, 1.05], fixed: true}},
          v_0: {{fixed: true}}, angles_fixed: true, w_0_fixed: true}}
  c: {{type: Contact.SpherePlane, n: [0, 0, 1], radius: 0.05, {}}}
connections:
  - [world.frame_b, c.frame_a]
  - [ball.frame_a, c.frame_b]
simulation: {{stop: 0.9, interval: 0.0005}}
outputs: ["ball.frame_a.r_0[3]", totalEnergy, c.f_n]
)yaml",
                     kSteppingG, contact);
}

/// Speed behind the first impact over that before, by the height reached.
double restitutionOf(const ModelRun& run) {
  const std::vector<double>& z = run["ball.frame_a.r_0[3]"];
  double highest = 0.05;
  for (size_t i = 0; i < z.size(); ++i) {
    if (run.rows.time()[i] > 0.5) highest = std::max(highest, z[i]);
  }
  return std::sqrt(highest - 0.05);
}

/// A box of 1 kg on the corners' balls, or on its faces, where gravity is inclined by atan(0.4).
std::string boxOnSlope(bool rigid) {
  std::string text = fmt::format("world: {{g: {}, n: [0.4, 0, -1]}}\n", kSteppingG);
  text +=
      "components:\n  b: {type: Body, m: 1, r_CM: [0, 0, 0], I_11: 1.6e-3, I_22: 1.6e-3, I_33: "
      "1.6e-3, r_0: "
      "{start: [0, 0, 0.0505], fixed: true}, v_0: {fixed: true}, angles_fixed: true, w_0_fixed: "
      "true}\n";
  std::string connections;
  if (rigid) {
    for (int i = 0; i < 4; ++i) {
      text += fmt::format(
          "  t{0}: {{type: FixedTranslation, r: [{1}, {2}, -0.04]}}\n  c{0}: {{type: "
          "Contact.SpherePlane, n: [0, 0, "
          "1], radius: 0.01, rigid: true, restitution: 0.5, mu: 0.5, stick: true}}\n",
          i, i < 2 ? 0.04 : -0.04, i % 2 == 0 ? 0.04 : -0.04);
      connections += fmt::format(
          "  - [b.frame_a, t{0}.frame_a]\n  - [t{0}.frame_b, c{0}.frame_b]\n  - [world.frame_b, "
          "c{0}.frame_a]\n",
          i);
    }
    return text + "connections:\n" + connections + "outputs: [b.frame_a.r_0, \"c*.f_n\"]\n";
  }
  return text +
         "  s: {type: Contact.Shape, size: [0.1, 0.1, 0.1]}\n  f: {type: Contact.Shape, shape: "
         "plane}\n"
         "connections:\n  - [b.frame_a, s.frame_a]\n  - [world.frame_b, f.frame_a]\n"
         "contacts: {defaults: {restitution: 0.3, mu: 0.5}}\noutputs: [b.frame_a.r_0, "
         "contact.s.f.f_n]\n";
}

}  // namespace

TEST_CASE("stepping: half the step has half the error, in trees, loops and drives") {
  for (const char* file :
       {"elementary/double_pendulum.yaml", "loops/fourbar.yaml", "robots/arm6.yaml"}) {
    CAPTURE(file);
    const double stop = 0.5, interval = 0.1;
    const Trajectory exact =
        rowsOf(file, {.stopTime = stop, .outputInterval = interval, .tolerance = 1e-11});
    const Trajectory coarse = rowsOf(file, stepping(1e-3, stop, interval));
    const Trajectory fine = rowsOf(file, stepping(5e-4, stop, interval));
    for (const Column& c : exact.columns()) {
      CAPTURE(c.name);
      double e1 = 0, e2 = 0, most = 0;
      for (size_t i = 0; i < exact.time().size(); ++i) {
        most = std::max(most, std::abs(exact[c.name][i]));
        e1 = std::max(e1, std::abs(coarse[c.name][i] - exact[c.name][i]));
        e2 = std::max(e2, std::abs(fine[c.name][i] - exact[c.name][i]));
      }
      if (e2 < 1e-7 * (1 + most)) continue;  // of the tolerance
      // e = c h + d h^2: what is not first order is seen in how far the ratio is from 2.
      CHECK(e1 / e2 > 1.8);
      CHECK(e1 / e2 < 2.2);
    }
  }
}

TEST_CASE("stepping: rigid balls keep their restitution, elastic ones what the step leaves of it") {
  const double h = 1e-3, v = std::sqrt(2 * kSteppingG);
  for (const double e : {1.0, 0.5, 0.0}) {
    const ModelRun run =
        runModel(fallingBall(fmt::format("rigid: true, restitution: {}", e)), stepping(h, 0.9));
    // It turns round within v h above the ground; flight loses h g^2/2 a second.
    CHECK(std::abs(restitutionOf(run) * restitutionOf(run) - e * e) < v * h + 0.5 * h * kSteppingG);
    CHECK(run.report.events == 0);
  }
  // Hertz: the impact lasts T = 2.94 d/v, d = (5 m v^2/(4 k))^(2/5); Euler's method damps what has the
  // half period T by exp(-pi^2 h/(2 T)).
  for (const double k : {1e5, 1e6}) {
    const double d = std::pow(5 * v * v / (4 * k), 0.4), T = 2.94 * d / v;
    const ModelRun run =
        runModel(fallingBall(fmt::format("k: {}, restitution: 1", k)), stepping(h, 0.9));
    const double expected = std::exp(-4.93 * h / T);
    CHECK(std::abs(restitutionOf(run) - expected) < 0.5 * (1 - expected) * (1 - expected) + 5 * h);
    CHECK(run.report.events == 0);
  }
}

TEST_CASE("stepping: what rests on a slope below the cone of friction stays where it is") {
  for (const bool rigid : {false, true}) {
    CAPTURE(rigid);
    const ModelRun run = runModel(boxOnSlope(rigid), stepping(1e-3, 3, 0.5));
    for (const char* name : {"b.frame_a.r_0[1]", "b.frame_a.r_0[2]", "b.frame_a.r_0[3]"})
      CHECK(std::abs(run.last(name) - run.at(1, name)) < 1e-9);
    const double weight = kSteppingG / std::sqrt(1.16);
    double f_n = 0;
    for (const Column& c : run.rows.columns()) {
      if (c.name.ends_with("f_n")) f_n += run.last(c.name);
    }
    CHECK(std::abs(f_n - weight) < 1e-6);
    CHECK(run.report.events == 0);
    CHECK(run.report.warnings.empty());
  }
}

TEST_CASE("stepping: a stack of five falls, stands, and its energy never rises") {
  test::ShapeModel s;
  s.contacts = "{defaults: {restitution: 0.4, mu: 0.6}}";
  s.floor();
  for (int i = 0; i < 5; ++i) {
    s.add({.name = fmt::format("b{}", i),
           .r = {0.01 * (i % 2), 0.008 * (i % 3), 0.06 + 0.111 * i},
           .angles = {0, 0, 0.1 * i}});
  }
  const ModelRun run =
      runModel(s.text() + "outputs: [totalEnergy, \"b*_.r_0\"]\n", stepping(1e-3, 4, 0.01));
  CHECK(run.report.warnings.empty());
  CHECK(run.report.events == 0);
  const std::vector<double>& E = run["totalEnergy"];
  for (size_t i = 1; i < E.size(); ++i) CHECK(E[i] <= E[i - 1] + 1e-9);
  for (int i = 0; i < 5; ++i) {
    const std::string z = fmt::format("b{}_.r_0[3]", i);
    CHECK(std::abs(run.last(z) - (0.05 + 0.1 * i)) < 1e-3);
    CHECK(std::abs(run.last(z) - run.at(3.5, z)) < 1e-9);
  }
}

TEST_CASE("stepping: what only slides or is stopped by events does so within a step's error") {
  const auto mass = [](double smax) {
    return fmt::format(
        "components:\n  m: {{type: Translational.MassWithStopAndFriction, m: 1, F_prop: 0, "
        "F_Coulomb: 2, F_Stribeck: "
        "0, smax: {}, smin: -5, s: {{fixed: true}}, v: {{start: 2, fixed: true}}}}\noutputs: [m.s, "
        "m.v]\n",
        smax);
  };
  const double h = 1e-3;
  const ModelRun slides = runModel(mass(9), stepping(h, 3));
  CHECK(std::abs(slides.last("m.s") - 1) < 2 * h);  // v^2/(2 mu g), v h/2 less on the way
  CHECK(std::abs(slides.last("m.v")) < 1e-7);
  const ModelRun stopped = runModel(mass(0.9), stepping(h, 3));
  CHECK(std::abs(stopped.last("m.s") - 0.9) < 1e-9);
  CHECK(stopped.last("m.v") == 0);
  REQUIRE(stopped.eventTimes().size() == 1);
  CHECK(std::abs(stopped.eventTimes()[0] - (1 - std::sqrt(0.1))) < 2 * h);
}

TEST_CASE("stepping: a step is for this method alone, and it needs one") {
  const std::string model = "components: {m: {type: Translational.Mass, m: 1}}\n";
  CHECK(messageOfRun(model + "simulation: {integrator: stepping}\n") ==
        "model.yaml:2:26: error: the integrator 'stepping' needs a 'step' [s]: it does not choose "
        "one");
  CHECK(messageOfRun(model + "simulation: {step: 1e-3}\n") ==
        "model.yaml:2:20: error: simulation: 'step' is for the integrator 'stepping' alone");
  CHECK(messageOfRun(model + "simulation: {integrator: stepping, step: 0}\n")
            .find("model.yaml:2:42: error: simulation: 'step' must be greater than 0, found 0") ==
        0);
  CHECK(messageOfRun(model, {.step = 1e-3})
            .find("a step is for the integrator 'stepping' alone, found 'ida'") !=
        std::string::npos);
  CHECK(
      messageOfRun(model + "simulation: {integrator: stepping, step: 1e-3}\n", {.maximumStep = 0.1})
          .find("a maximum step is for methods that choose their steps") != std::string::npos);
  for (const char* step : {"1.5", "1e300"}) {
    CHECK(
        messageOfRun(model + "simulation: {integrator: stepping, step: " + step + "}\n")
            .find(
                "model.yaml:2:42: error: the step must not be longer than the run, 1 s, found ") ==
        0);
  }
  const ModelRun run = runModel(model + "simulation: {integrator: stepping, step: 0.3}\n");
  CHECK(run.report.integrator.steps == 4);  // the last one as long as what is left
  CHECK(run.report.methods.at(0).method == "stepping");
  // Another method takes no notice of the file's step.
  CHECK(messageOfRun(model + "simulation: {integrator: stepping, step: 0.3}\n",
                     {.integrator = IntegratorChoice::ida})
            .empty());
}

TEST_CASE("stepping: rigid surfaces that overlap at the start are refused, or make no energy") {
  const auto ball = [](double z) {
    std::string text = fallingBall("rigid: true, restitution: 0.5, mu: 0.3");
    const std::string high = "[0, 0, 1.05]";
    return text.replace(text.find(high), high.size(), fmt::format("[0, 0, {}]", z));
  };
  CHECK(messageOfRun<SolverError>(ball(0.049), stepping(1e-3, 0.9))
            .find("c: rigid surfaces overlap by 0.001 m: they must not at the start") !=
        std::string::npos);
  // What a hair's overlap would be parted with, 0.04 m/s, is 0.8 mJ.
  const ModelRun run = runModel(ball(0.05 - 4e-5), stepping(1e-3, 0.9));
  const std::vector<double>& E = run["totalEnergy"];
  for (size_t i = 1; i < E.size(); ++i) CHECK(E[i] <= E[i - 1] + 1e-12);
  CHECK(std::abs(run.last("ball.frame_a.r_0[3]") - (0.05 - 4e-5)) < 1e-12);
  CHECK(std::abs(run.last("c.f_n") - kSteppingG) < 1e-9);
  CHECK(run.report.warnings.empty());
}

TEST_CASE("stepping: what is at rest may begin to move, and leaps are told from there, too") {
  std::string pushed = fallingBall("rigid: true, restitution: 0.5");
  const auto swap = [&pushed](const std::string& old, const std::string& by) {
    pushed.replace(pushed.find(old), old.size(), by);
  };
  swap("[0, 0, 1.05]", "[0, 0, 0.05]");
  swap("connections:",
       "  f: {type: WorldForce, force: [\"if time > 0.5 then 100*(time - 0.5) else 0\", 0, 0]}\n"
       "connections:\n  - [ball.frame_a, f.frame_b]");
  const ModelRun ramp = runModel(pushed, stepping(1e-3, 0.9));
  CHECK(ramp.report.warnings.empty());
  CHECK(ramp.report.integrator.newtonFailures == 0);

  // A force, and a moment, that nothing announces: 1e6 times a sixteenth of a step.
  const ModelRun slide = runModel(R"yaml(
components:
  j: {type: Prismatic, n: [1, 0, 0], useAxisFlange: true, s: {fixed: true}, v: {fixed: true}}
  b: {type: Body, m: 1, r_CM: [0, 0, 0]}
  f: {type: Translational.Force, f: "1e6*tanh(max(0, time - 0.5003)/1e-7)"}
connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a], [f.flange, j.axis]]
)yaml",
                                  stepping(1e-3, 0.6));
  REQUIRE(slide.report.warnings.size() == 1);
  CHECK(slide.report.warnings[0].find("of a step a speed changed by 62.5 m/s, which nothing before "
                                      "explains") != std::string::npos);
  CHECK(slide.report.integrator.newtonFailures == 0);
  const ModelRun turn = runModel(R"yaml(
components:
  j: {type: Revolute, useAxisFlange: true, phi: {fixed: true}, w: {fixed: true}}
  b: {type: Body, m: 1, r_CM: [0, 0, 0], I_33: 1}
  t: {type: Rotational.Torque, tau: "1e6*tanh(max(0, time - 0.5003)/1e-7)"}
connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a], [t.flange, j.axis]]
)yaml",
                                 stepping(1e-3, 0.6));
  REQUIRE(turn.report.warnings.size() == 1);
  CHECK(turn.report.warnings[0].find("a speed changed by 62.5 rad/s") != std::string::npos);
}

TEST_CASE("stepping: rigid surfaces that nothing can part are told once, with the worst") {
  // A ball of 0.1 m between a lid at 0.11 m and a floor that rises by 0.1 m/s whatever comes.
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
components:
  j: {type: Prismatic, n: [0, 0, 1], s: {fixed: true, start: 0.05}, v: {fixed: true}}
  b: {type: Body, m: 1, r_CM: [0, 0, 0]}
  floor: {type: Prismatic, n: [0, 0, 1], useAxisFlange: true}
  p: {type: Translational.Position, s_ref: "0.1*time", exact: true}
  lid: {type: FixedTranslation, r: [0, 0, 0.11]}
  c: {type: Contact.SpherePlane, n: [0, 0, 1], radius: 0.05, rigid: true, restitution: 0}
  d: {type: Contact.SpherePlane, n: [0, 0, -1], radius: 0.05, rigid: true, restitution: 0}
connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a], [b.frame_a, c.frame_b], [p.flange, floor.axis],
  [world.frame_b, floor.frame_a], [floor.frame_b, c.frame_a], [world.frame_b, lid.frame_a], [b.frame_a, d.frame_b], [lid.frame_b, d.frame_a]]
)yaml");
  Trajectory rows;
  s.run(rows, stepping(1e-3, 0.15));
  // Once a contact, in many steps.
  REQUIRE(s.report().warnings.size() <= 2);
  for (const std::string& w : s.report().warnings) {
    CHECK(w.find("of rigid surfaces") != std::string::npos);
    CHECK((w.find(", worst at 'c'") != std::string::npos ||
           w.find(", worst at 'd'") != std::string::npos));
  }
  CHECK(s.report().contactViolations > 10);
  RunOptions strict = stepping(1e-3, 0.15);
  strict.strict = true;
  CHECK_THROWS_WITH_AS(s.run(rows, strict), doctest::Contains("a law of contact cannot be kept"),
                       SolverError);
  WarningTally tally;
  tally.add("a", "1 m/s", 1, 1);
  tally.add("b", "other", 2);
  tally.add("a", "3 m/s", 3, 3);
  tally.add("a", "2 m/s", 4, 2);
  CHECK(tally.texts() == std::vector<std::string>{"3 m/s (the worst of 3, first at t = 1 s)",
                                                  "other (first at t = 2 s)"});
}

TEST_CASE("stepping: the nearest of a step is kept where a second attempt is not computable") {
  // v has no solution (1e3 v^2 - v + 1e3 = 0), and where x has not moved there is no root.
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
variables: {x: {start: 0, fixed: true}, u: {start: 0, fixed: true}, v: {start: 0, fixed: true}}
equations: ["der(x) = 2", "der(u) = sqrt(x - 1.9*time + 1e-4)", "der(v) = 1e6*(v^2 + 1)"]
)yaml");
  s.start();
  MultibodySystem system(*s.parts().equations);
  IntegratorStatistics counts;
  ImplicitStep step(system, 1e-6, false, counts);
  CHECK(step.solve(0, 1e-3, s.y(), s.yp()) == ImplicitStep::Outcome::nearest);
  CHECK(step.size() > 1);
  bool moved = false;
  for (int i = 0; i < system.size(); ++i) {
    if (system.unknownName(i) == "x") moved = std::abs(step.y()[i] - 2e-3) < 1e-12;
  }
  CHECK(moved);
}

TEST_CASE("stepping: a restart leaves nothing of what was before") {
  Simulation s = Simulation::fromText(catalogue(),
                                      "components: {m: {type: Translational.Mass, m: 1, s: {start: "
                                      "1, fixed: true}, v: {start: 2, fixed: true}}}\n");
  s.start();
  MultibodySystem system(*s.parts().equations);
  SteppingIntegrator integrator(system, {.step = 0.1});
  std::vector<double> y(s.y().begin(), s.y().end()), yp(s.yp().begin(), s.yp().end());
  integrator.start(0, y, yp);
  integrator.step(1);
  for (double& x : y) x += 10;
  integrator.restart(0.1, y, yp, 0);
  integrator.mapHistory([&](double* x) {
    for (size_t i = 0; i < y.size(); ++i) x[i] *= 3;
  });
  std::vector<double> at(y.size()), rates(y.size());
  integrator.interpolate(0.1, at, rates);
  for (size_t i = 0; i < y.size(); ++i) {
    CHECK(at[i] == doctest::Approx(3 * y[i]));
    CHECK(rates[i] == doctest::Approx(3 * yp[i]));
  }
}

TEST_CASE("stepping: what spins and bounces makes no energy, in whatever pose it meets others") {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto some = [&](double size) {
    const double x = normal(random), y = normal(random), z = normal(random);
    return Eigen::Vector3d(size * Eigen::Vector3d(x, y, z));
  };
  const char* const shapes[] = {"size: [0.07, 0.13, 0.07]", "size: [0.13, 0.07, 0.04]",
                                "shape: sphere, radius: 0.02",
                                "shape: cylinder, radius: 0.05, length: 0.1"};
  long repeated = 0;
  for (int drop = 0; drop < 6; ++drop) {
    CAPTURE(drop);
    test::ShapeModel s;
    s.contacts = "{defaults: {restitution: 0.96}}";
    s.floor();
    for (int i = 0; i < 4; ++i) {
      s.add({.name = fmt::format("b{}", i),
             .shape = shapes[i],
             .r = {0.02 * normal(random), 0.02 * normal(random), 0.15 + 0.2 * i},
             .v = {0, 0, -2},
             .w = some(50),
             .angles = some(1)});
    }
    const ModelRun run = runModel(s.text() + "outputs: [totalEnergy]\n", stepping(1e-3, 0.5, 1e-3));
    CHECK(run.report.warnings.empty());
    repeated += run.report.integrator.errorTestFailures;
    const std::vector<double>& E = run["totalEnergy"];
    double least = E[0];
    for (const double e : E) {
      CHECK(e - least < 1e-6 * E[0]);
      least = std::min(least, e);
    }
  }
  CHECK(repeated > 0);
}
