/// Orientations that follow from other coordinates: their quaternions and angles go on from step to
/// step, through any number of turns, whatever is written of them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "components/laws/orientation_coordinates.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

Trajectory runContinued(const std::string& text, const std::vector<std::string>& outputs = {},
                        double interval = 0, double stop = 0) {
  Simulation s = Simulation::fromText(catalogue(), text, "turns.yaml");
  Trajectory t;
  RunOptions options;
  options.outputs = outputs;
  if (interval > 0) options.outputInterval = interval;
  if (stop > 0) options.stopTime = stop;
  s.run(t, options);
  return t;
}

/// A body on a shaft about z that turns at `speed`, read in every way there is.
std::string shaft(double speed, const std::string& form) {
  return fmt::format(R"(
world: {{g: 0}}
components:
  j: {{type: Revolute, phi: {{fixed: true}}, w: {{start: {0}, fixed: true}}}}
  b: {{type: Body, r_CM: [0.5, 0, 0], m: 1, {1}}}
  ball: {{type: Spherical, {1}}}
  measured: {{type: FreeMotion, {1}}}
  scalar: {{type: FreeMotionScalarInit, use_angle: true}}
  angles: {{type: AbsoluteAngles}}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [world.frame_b, ball.frame_a]
  - [ball.frame_b, b.frame_a]
  - [world.frame_b, measured.frame_a]
  - [measured.frame_b, b.frame_a]
  - [world.frame_b, scalar.frame_a]
  - [scalar.frame_b, b.frame_a]
  - [b.frame_a, angles.frame_a]
simulation: {{stop: 10, interval: 0.125, tolerance: 1e-8}}
)",
                     speed, form);
}

const std::vector<std::string> kContinuationForms{"orientationStates: quaternions",
                                                  "orientationStates: transformationMatrix",
                                                  "orientationStates: angles"};

}  // namespace

TEST_CASE("derived orientations: quaternion and angles count every turn of a shaft") {
  // Uniform motion: a step may hold many turns, and so may the time between two rows.
  for (const std::string& form : kContinuationForms) {
    for (double speed : {1.0, -300.0}) {
      for (double interval : {0.125, 2.5}) {
        CAPTURE(form);
        CAPTURE(speed);
        CAPTURE(interval);
        const Trajectory t =
            runContinued(shaft(speed, form),
                         {"b.Q", "b.phi", "b.phi_d", "ball.Q", "ball.phi", "measured.Q",
                          "measured.phi", "scalar.angle_3", "angles.angles[3]", "j.phi"},
                         interval);
        for (size_t i = 0; i < t.time().size(); ++i) {
          const double turned = t["j.phi"][i];
          CHECK(std::abs(turned - speed * t.time()[i]) < 1e-6);
          for (const char* part : {"b", "ball", "measured"}) {
            CAPTURE(part);
            const std::string name = part;
            CHECK(std::abs(t[name + ".phi[3]"][i] - turned) < 1e-9);
            CHECK(std::abs(t[name + ".Q[3]"][i] - std::sin(turned / 2)) < 1e-9);
            CHECK(std::abs(t[name + ".Q[4]"][i] - std::cos(turned / 2)) < 1e-9);
          }
          CHECK(std::abs(t["scalar.angle_3"][i] - turned) < 1e-9);
          CHECK(std::abs(t["b.phi_d[3]"][i] - speed) < 1e-9 * std::abs(speed));
          // A sensor shows where the frame is, not how it came there.
          CHECK(std::abs(t["angles.angles[3]"][i]) <= std::numbers::pi);
        }
        CHECK(std::abs(t["b.phi[3]"].back() - 10 * speed) < 1e-6);
      }
    }
  }
}

TEST_CASE(
    "derived orientations: angles that run past their singular place go on from triple to triple") {
  // A ball that turns evenly; its second angle comes within `miss` of a quarter turn.
  const frames::Sequence sequence{1, 2, 3};
  for (const double miss : {0.02, 0.005}) {
    for (const double side : {1.0, -1.0}) {
      const Vector3d w(side * miss * 6, 6, 0.2);
      Vector3d phi(0, 0, 0.3);
      const Matrix3d T = frames::axesRotations(sequence, phi, Vector3d::Zero()).T;
      constexpr int kLooks = 40000;
      for (int k = 1; k <= kLooks; ++k) {
        const double angle = 2.0 * k / kLooks * w.norm();
        const Matrix3d turned =
            T * frames::TransformationMatrices::planarRotation(w.normalized(), angle);
        phi = nearestAngles(frames::Orientation<double>{turned, Vector3d::Zero()}, sequence, phi);
      }
      for (const char* method : {"ida", "explicit"}) {
        CAPTURE(miss);
        CAPTURE(side);
        CAPTURE(method);
        const Trajectory t = runContinued(
            fmt::format(
                "world: {{gravityType: NoGravity}}\n"
                "components:\n"
                "  b: {{type: Body, m: 1, I_11: 0.1, I_22: 0.1, I_33: 0.1, angles_fixed: true, "
                "angles_start: [0, 0, 0.3], w_0_fixed: true, w_0_start: [{}, 6, 0.2], r_0: "
                "{{fixed: "
                "true}}, v_0: {{fixed: true}}}}\n"
                "simulation: {{stop: 2, interval: 0.5, tolerance: 1e-8, integrator: {}}}\n",
                w[0], method),
            {"b.phi"});
        for (int i = 0; i < 3; ++i)
          CHECK(std::abs(t[fmt::format("b.phi[{}]", i + 1)].back() - phi[i]) < 1e-4);
      }
    }
  }
}

TEST_CASE("derived orientations: what is written of them changes nothing") {
  const std::string text = shaft(7, kContinuationForms[0]);
  const Trajectory all =
      runContinued(text, {"b.Q", "b.phi", "ball.Q", "measured.phi", "b.frame_a.f"}, 0.125);
  for (double interval : {0.5, 2.0}) {
    for (const char* only : {"b.Q", "b.phi", "ball.Q", "measured.phi"}) {
      CAPTURE(interval);
      CAPTURE(only);
      const Trajectory few = runContinued(text, {only}, interval);
      for (const Column& c : few.columns()) {
        size_t k = 0;
        for (size_t i = 0; i < few.time().size(); ++i) {
          while (all.time()[k] < few.time()[i]) ++k;
          REQUIRE(all.time()[k] == few.time()[i]);
          CHECK(few[c.name][i] == all[c.name][k]);
        }
      }
    }
  }
}

TEST_CASE("derived orientations: a torque of them winds up as a spring on the shaft does") {
  // From rest at 8 rad/s against 1 N.m/rad and 0.25 kg.m2: 4 rad and back, past half a turn.
  const auto swing = [](const std::string& angle) {
    return runContinued(fmt::format(R"(
world: {{g: 0}}
components:
  j: {{type: Revolute, useAxisFlange: true, phi: {{fixed: true}}, w: {{start: 8, fixed: true}}}}
  b: {{type: Body, I_33: 0.25}}
  motor: {{type: Rotational.Torque, tau: "-{}"}}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [motor.flange, j.axis]
simulation: {{stop: 6, interval: 0.1, tolerance: 1e-9}}
outputs: [j.phi]
)",
                                    angle));
  };
  const Trajectory t = swing("b.phi[3]");
  double most = 0;
  for (size_t i = 0; i < t.time().size(); ++i) {
    CHECK(std::abs(t["j.phi"][i] - 4 * std::sin(2 * t.time()[i])) < 1e-6);
    most = std::max(most, std::abs(t["j.phi"][i]));
  }
  CHECK(most > std::numbers::pi);
}

TEST_CASE("joints that close a loop: events of their angles come after any number of turns") {
  // The pin turns with the crank, but for the swing of the rod.
  const Trajectory t = runContinued(R"--(
world: {g: 0}
components:
  j1: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {start: 5, fixed: true}}
  crank: {type: BodyShape, r: [0.3, 0, 0], r_CM: [0.15, 0, 0], m: 1}
  pin: {type: Revolute, cut: true}
  slider: {type: Prismatic, n: [1, 0, 0], s: {start: 1}}
  j3: {type: Revolute}
  rod: {type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1}
  block: {type: Body, m: 1}
  count: {type: Blocks.Integrator, u: "if pin.phi < -20 then 1 else 0"}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, crank.frame_a]
  - [crank.frame_b, pin.frame_a]
  - [pin.frame_b, rod.frame_a]
  - [rod.frame_b, j3.frame_a]
  - [j3.frame_b, slider.frame_b]
  - [world.frame_b, slider.frame_a]
  - [slider.frame_b, block.frame_a]
simulation: {stop: 8, interval: 2, tolerance: 1e-8}
outputs: [j1.phi, pin.phi, count.y, rod.body.phi]
)--");
  double crossed = 0;
  for (size_t i = 1; i < t.time().size(); ++i) {
    if (t.time()[i] == t.time()[i - 1]) crossed = t.time()[i];
    // Crank and rod: the pin's angle is that between their bodies.
    CHECK(std::abs(t["pin.phi"][i] + t["j1.phi"][i] - t["rod.body.phi[3]"][i]) < 1e-6);
    CHECK(std::abs(t["rod.body.phi[3]"][i]) < 0.4);  // it only swings
  }
  CHECK(t["j1.phi"].back() > 25);
  CHECK(crossed > 2);
  CHECK(std::abs(t["count.y"].back() - (8 - crossed)) < 1e-6);
}
