// A simulation whose states a test integrates: rates, margins, events, what cannot be integrated from outside.
#include "engine/motion_exchange.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "components/catalogue.h"
#include "engine/results/run_options.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

constexpr double kRounding = 1e-13;

const char* const kPendulum = R"(
world: {g: 10, n: [0, -1, 0]}
components:
  hinge: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {start: 2, fixed: true}}
  bob: {type: Body, m: 2, r_CM: [0.5, 0, 0], I_33: 0}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, bob.frame_a]
variables: {high: "hinge.phi > 0.5"}
simulation: {stop: 1}
outputs: [hinge.phi, high]
)";

}  // namespace

TEST_CASE("MotionExchange: rates at any point are those of the closed form, and values follow") {
  Simulation s = Simulation::fromText(catalogue(), kPendulum);
  MotionExchange exchange(s);
  CHECK(exchange.start({}) == "");
  REQUIRE(exchange.states().size() == 2);
  CHECK(exchange.states()[0] == 0.3);
  std::vector<double> rates(2), margins(exchange.margins());
  REQUIRE(margins.size() == 2);
  for (const double phi : {0.3, -1.0, 2.0}) {
    exchange.setStates(std::vector<double>{phi, 1.5});
    exchange.setTime(0.25);
    CHECK(exchange.rates(rates));
    CHECK(rates[0] == 1.5);
    CHECK(std::abs(rates[1] + 10 / 0.5 * std::cos(phi)) < 100 * kRounding);
    CHECK(exchange.margins(margins));
    CHECK((margins[0] > 0) == (phi < 0.5));
    CHECK(s.value(s.variable("hinge.phi")) == phi);
    CHECK(s.time() == 0.25);
  }
}

TEST_CASE(
    "MotionExchange: behind an event all margins are positive, whichever side a function is on") {
  Simulation s = Simulation::fromText(catalogue(), kPendulum);
  MotionExchange exchange(s);
  CHECK(exchange.start({}) == "");
  std::vector<double> margins(exchange.margins());
  double t = 0;
  for (const double phi : {0.6, 0.4, 0.5 + 1e-9, 0.5 - 1e-9}) {
    exchange.setTime(t += 0.1);
    exchange.setStates(std::vector<double>{phi, 1});
    CHECK(exchange.margins(margins));
    CHECK(margins[0] < 0);
    CHECK(margins[1] == -1);
    CHECK(exchange.passStep());
    const MotionExchange::Event event = exchange.passEvent();
    CHECK(event.happened);
    CHECK(!event.statesChanged);
    CHECK(event.next == std::numeric_limits<double>::infinity());
    CHECK(exchange.margins(margins));
    CHECK(margins[0] > 0);
    CHECK(margins[1] == 1);
    CHECK((s.value(s.variable("high")) != 0) == (phi > 0.5));
  }
  // On the edge there is no side yet; the first clear value gives one.
  exchange.setStates(std::vector<double>{0.5, 1});
  exchange.passEvent();
  for (const double phi : {0.4, 0.3}) {
    exchange.setTime(t += 0.1);
    exchange.setStates(std::vector<double>{phi, 1});
    CHECK(exchange.margins(margins));
    CHECK(margins[0] > 0);
    CHECK(!exchange.passStep());
  }
}

TEST_CASE("MotionExchange: states that leave their constraints are put back by an event") {
  Simulation s = Simulation::fromText(catalogue(), R"(
components:
  ball: {type: Spherical, enforceStates: true, useQuaternions: true, w_rel_a_fixed: true, w_rel_a_start: [1, 2, 3]}
  body: {type: Body, r_CM: [0.3, 0, 0], m: 1}
connections:
  - [world.frame_b, ball.frame_a]
  - [ball.frame_b, body.frame_a]
simulation: {stop: 1, tolerance: 1e-6}
outputs: [body.r_0]
)");
  MotionExchange exchange(s);
  CHECK(exchange.start({}) == "");
  const std::vector<double> x(exchange.states().begin(), exchange.states().end());
  const std::vector<double> nominals = exchange.nominals();
  std::vector<double> good(x.size()), off(x.size()), moved = x;
  CHECK(exchange.rates(good));
  const auto scaled = [&](double by) {
    for (size_t i = 0; i < 4; ++i) moved[i] = x[i] * by;  // Q.Q = by^2
    exchange.setStates(moved);
    CHECK(exchange.rates(off));
    for (size_t i = 0; i < x.size(); ++i) CHECK(std::abs(off[i] - good[i]) < 1000 * kRounding);
  };
  exchange.setTime(0.1);
  scaled(1 + 1e-6);
  CHECK(!exchange.passStep());
  exchange.setTime(0.2);
  scaled(1 + 1e-4);
  CHECK(exchange.passStep());
  const MotionExchange::Event event = exchange.passEvent();
  CHECK(event.statesChanged);
  CHECK(!event.happened);
  for (size_t i = 0; i < x.size(); ++i) CHECK(std::abs(exchange.states()[i] - x[i]) < kRounding);
}

TEST_CASE("MotionExchange: what cannot be integrated from outside is said by name") {
  const auto why = [](const std::string& text) {
    Simulation s = Simulation::fromText(catalogue(), text);
    return MotionExchange(s).start({});
  };
  CHECK(why(R"(
variables: {x: {start: 1, fixed: true}}
equations: ["der(x) = -late.y"]
components: {late: {type: Blocks.FixedDelay, u: x, delayTime: 0.1}}
simulation: {stop: 1}
)") == "'late' reads what a signal was, which is known up to the step before only");
  CHECK(why(R"(
variables: {x: {start: 1, fixed: true}}
equations: ["der(x) = -x"]
simulation: {stop: 1, integrator: stepping, step: 0.01}
)") == "its steps have one length ('integrator: stepping')");
  CHECK(why(R"(
inputs: {u: {start: 0}}
components:
  rail: {type: Prismatic, useAxisFlange: true}
  body: {type: Body, m: 1, r_CM: [0, 0, 0]}
  drive: {type: Translational.Position, exact: true, s_ref: "u"}
connections:
  - [world.frame_b, rail.frame_a]
  - [rail.frame_b, body.frame_a]
  - [drive.flange, rail.axis]
simulation: {stop: 1}
)") == "its motion reads rates of signals, and inputs have none that are told");
}
