// Nothing that happens between two steps is missed: pulses, switches, impacts and stuck parts
// against closed forms, at three tolerances each.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "engine/integration/solver_error.h"
#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {

constexpr double kRightInTimeTolerances[] = {1e-4, 1e-6, 1e-8};
constexpr double kRightInTimeG = 9.80665;

/// Global errors of the BDF are tens to hundreds of tolerances; across events they add up.
constexpr double kGlobalError = 300;

/// Every case is one for each integrator.
IntegratorChoice integratorOfCase = IntegratorChoice::ida;
void underEachIntegrator() {
  integratorOfCase = IntegratorChoice::ida;
  SUBCASE("explicit") { integratorOfCase = IntegratorChoice::explicitMethod; }
  SUBCASE("automatic") { integratorOfCase = IntegratorChoice::automatic; }
  SUBCASE("ida") {}
}

ModelRun run(const std::string& text, double tolerance, RunOptions options = {},
             const Overrides& overrides = {}) {
  options.tolerance = tolerance;
  options.integrator = integratorOfCase;
  return runModel(text, options, overrides);
}

/// A mass at rest that a force of time alone pushes.
std::string pushed(const std::string& force, double stop) {
  return fmt::format(R"yaml(
components:
  f: {{type: Translational.Force, f: "{}"}}
  m: {{type: Translational.Mass, m: 1, s: {{fixed: true}}, v: {{fixed: true}}}}
connections:
  - [f.flange, m.flange_a]
simulation: {{stop: {}, interval: 0.01}}
outputs: [m.s, m.v]
)yaml",
                     force, stop);
}

double bisect(const std::function<double(double)>& f, double a, double b) {
  for (int i = 0; i < 200; ++i) {
    const double m = 0.5 * (a + b);
    (f(m) * f(a) > 0 ? a : b) = m;
  }
  return 0.5 * (a + b);
}

}  // namespace

TEST_CASE("Right in time: a ball meets a post, whatever happens elsewhere in the same step") {
  underEachIntegrator();
  // Mirrored at a sphere of 0.2 m, 0.05 m off its axis.
  const double sine = 0.05 / 0.2, vx = 20 * (2 * sine * sine - 1);
  for (const double at : {1.0, 1.7, 3.0, 4.3}) {
    for (const double later : {0.01, 0.05, 0.2, -0.03}) {
      CAPTURE(at);
      CAPTURE(later);
      const ModelRun r = run(R"yaml(
parameters: {T: 3, later: 0.05}
world: {gravityType: NoGravity}
components:
  flyer: {type: PointMass, m: 1, r_0: {start: [0, 0.05, 0], fixed: true}, v_0: {start: [20, 0, 0], fixed: true}}
  faller: {type: PointMass, m: 1, r_0: {start: [0, "T + later", 50], fixed: true}, v_0: {start: [0, -1, 0], fixed: true}}
  post: {type: Fixed, r: ["20*T", 0, 0]}
  hit: {type: Contact.SphereSphere, radius_a: 0.1, radius_b: 0.1, rigid: true, restitution: 1}
  floor: {type: Contact.PointSurface, k: 1e5, damping: 0.5, height: 0, slope: [0, 0]}
connections:
  - [post.frame_b, hit.frame_a]
  - [flyer.frame_a, hit.frame_b]
  - [world.frame_b, floor.frame_a]
  - [faller.frame_a, floor.frame_b]
simulation: {stop: 10, interval: 10}
outputs: [flyer.v_0]
)yaml",
                             1e-8, {}, {fmt::format("T={}", at), fmt::format("later={}", later)});
      CHECK(std::abs(r.last("flyer.v_0[1]") - vx) < 1e-6 * 20);
    }
  }
}

TEST_CASE("Right in time: a short window within a step that ends beyond a wide one") {
  underEachIntegrator();
  for (const double a : {20.0, 33.0, 51.3, 70.0}) {
    for (const double apart : {-3.0, -0.5, 0.1, 2.0, 3.0}) {
      for (const double half : {0.4, 1.9, 5.0}) {
        CAPTURE(a);
        CAPTURE(apart);
        CAPTURE(half);
        const ModelRun r = run(fmt::format(R"yaml(
variables: {{x: {{start: 0, fixed: true}}, w: {{start: 0, fixed: true}}, q: {{start: 0, fixed: true}}}}
equations:
  - "der(x) = 1"
  - "der(w) = if (x - {0})^2 < 1e-6 then 1000 else 0"
  - "der(q) = if (x - {1})^2 < {2}^2 then 1 else 0"
simulation: {{stop: 100, interval: 100}}
)yaml",
                                           a, a + apart, half),
                               1e-8);
        // A window of 1e-6 is read to the rounding of its squares.
        CHECK(std::abs(r.last("w") - 2) < 1e-4);
        CHECK(std::abs(r.last("q") - 2 * half) < 1e-6);
      }
    }
  }
}

TEST_CASE("Right in time: every sleeper that is passed is counted") {
  underEachIntegrator();
  for (const double v : {10.0, 9.7, 3.1}) {
    CAPTURE(v);
    const ModelRun r = run(fmt::format(R"yaml(
world: {{gravityType: NoGravity}}
components:
  p: {{type: Prismatic, n: [1, 0, 0], s: {{fixed: true}}, v: {{start: {}, fixed: true}}}}
  b: {{type: Body, m: 1, r_CM: [0, 0, 0]}}
variables: {{n: {{start: 0}}, w: {{start: 0, fixed: true}}}}
equations: ["der(w) = if sin(2*pi*p.s/0.6) > 0.5 then 1 else 0"]
when: [{{condition: "sin(2*pi*p.s/0.6) > 0.5", set: {{n: "pre(n) + 1"}}}}]
connections: [[world.frame_b, p.frame_a], [p.frame_b, b.frame_a]]
simulation: {{stop: 10, interval: 1}}
outputs: [n, w]
)yaml",
                                       v),
                           1e-8);
    // Within a period from a twelfth to five twelfths.
    const double periods = 10 * v / 0.6, whole = std::floor(periods);
    const double rest = std::clamp(periods - whole - 1.0 / 12, 0.0, 1.0 / 3);
    CHECK(r.last("n") == whole + (rest > 0 ? 1 : 0));
    CHECK(std::abs(r.last("w") - (whole / 3 + rest) * 0.6 / v) < 1e-6);
  }
}

TEST_CASE("Right in time: what falls far meets a slab, whenever the run ends") {
  underEachIntegrator();
  for (const double height : {7.0, 12.0, 20.0}) {
    for (const double more : {0.5, 1.0, 1.5}) {
      CAPTURE(height);
      CAPTURE(more);
      const ModelRun r = run(fmt::format(R"yaml(
components:
  b: {{type: Body, m: 1, r_CM: [0, 0, 0], I_11: 1e-3, I_22: 1e-3, I_33: 1e-3,
      r_0: {{start: [0, {}, 0.03], fixed: true}}, v_0: {{fixed: true}}, w_0_fixed: true, angles_fixed: true}}
  ball: {{type: Contact.Shape, shape: sphere, radius: 0.1}}
  slab: {{type: Contact.Shape, shape: box, size: [2, 0.2, 2]}}
connections: [[b.frame_a, ball.frame_a], [world.frame_b, slab.frame_a]]
simulation: {{stop: {}, interval: 0.5}}
outputs: [b.r_0]
)yaml",
                                         height, std::sqrt(2 * height / 9.81) + more),
                             1e-6);
      CHECK(r.last("b.r_0[2]") > 0.1);
    }
  }
}

TEST_CASE("Right in time: what touches is thrown back, however long the step that leads there") {
  underEachIntegrator();
  // Grounds hardly thicker than nothing: a step of the fall before ends metres behind them.
  const std::string plate = "box, size: [9, 9, 2e-3], r: [0, 0, -1e-3]",
                    sheet = "mesh, triangles: [[-5, -5, 0, 5, -5, 0, 0, 9, 0]]",
                    hills =
                        "heights, spacing: 1, heights: [[0, 0, 0, 0], [0, 0, 0.2, -0.2], "
                        "[0, 0, 0.1, 0.2], [0, 0, 0, 0]]";
  for (const std::string& ground : {plate, sheet, hills}) {
    for (const double radius : {5e-4, 3e-3, 0.01}) {
      for (const double height : {0.31, 0.83, 1.9, 4.7}) {
        CAPTURE(ground);
        CAPTURE(radius);
        CAPTURE(height);
        // Of the hills that part is level.
        const double fall = std::sqrt(2 * (height - radius) / kRightInTimeG), more = 0.9 * fall;
        const double I = 4e-4 * radius * radius;
        const ModelRun r = run(fmt::format(R"yaml(
world: {{n: [0, 0, -1], g: {0}}}
components:
  b: {{type: Body, m: 1e-3, r_CM: [0, 0, 0], I_11: {1}, I_22: {1}, I_33: {1}, r_0: {{start: [-1, -0.1, {2}], fixed: true}},
      v_0: {{fixed: true}}, w_0_fixed: true, angles_fixed: true}}
  ball: {{type: Contact.Shape, shape: sphere, radius: {3}}}
  ground: {{type: Contact.Shape, shape: {4}}}
connections: [[b.frame_a, ball.frame_a], [world.frame_b, ground.frame_a]]
contacts: {{defaults: {{restitution: 1, mu: 0, stiffness: 1e14}}}}
simulation: {{stop: {5}, interval: {5}}}
outputs: [b.r_0, totalEnergy]
)yaml",
                                           kRightInTimeG, I, height, radius, ground, fall + more),
                               1e-8);
        // As mirrored, but for what it takes to turn round and for the depth there.
        const double up = radius + kRightInTimeG * more * (fall - 0.5 * more);
        CHECK(std::abs(r.last("b.r_0[3]") - up) < 0.01 * height);
        CHECK(std::abs(r.last("totalEnergy") - 1e-3 * kRightInTimeG * height) < 1e-6 * height);
      }
    }
  }
}

TEST_CASE("Right in time: what an event begins with is as good as the ends of steps") {
  underEachIntegrator();
  const double tolerance = 1e-8;
  // Behind a lag of 1/k, whose steps are as long as is stable, the ramp reaches 1 at 1 + 1/k.
  for (const double k : {50.0, 200.0, 1000.0}) {
    CAPTURE(k);
    const ModelRun r = run(fmt::format(R"yaml(
variables: {{x: {{start: 0, fixed: true}}, y: {{start: 0, fixed: true}}}}
equations: ["der(x) = -{}*(x - time)", "der(y) = if x < 1 then 1 else 5"]
simulation: {{stop: 2, interval: 0.1}}
outputs: [y]
)yaml",
                                       k),
                           tolerance);
    CHECK(std::abs(r.last("y") - (5 * 2 - 4 * (1 + 1 / k))) < kGlobalError * tolerance);
  }
  // Shafts that knock through their play, against the other method at a thousandth of that tolerance.
  const std::vector<Overrides> knocks = {
      {"c=200.48", "d=1.9546", "b=0.06025", "J=0.23269", "w0=1.815"},
      {"c=292.534", "d=2.65665", "b=0.0961876", "J=0.180248", "w0=1.95633"},
      {"c=200", "d=3", "b=0.1", "J=0.3", "w0=2"}};
  const std::string play = R"yaml(
parameters: {c: 200, d: 3, b: 0.1, J: 0.3, w0: 2}
components:
  a: {type: Rotational.Inertia, J: J, phi: {fixed: true}, w: {start: w0, fixed: true}}
  l: {type: Rotational.Inertia, J: 0.5, phi: {fixed: true}, w: {fixed: true}}
  bl: {type: Rotational.ElastoBacklash, c: c, d: d, b: b}
connections: [[a.flange_b, bl.flange_a], [bl.flange_b, l.flange_a]]
simulation: {stop: 1, interval: 0.0437}
outputs: [a.phi, l.w]
)yaml";
  for (const Overrides& knock : knocks) {
    CAPTURE(knock.front());
    RunOptions tight;
    tight.tolerance = 1e-3 * tolerance;
    tight.integrator = integratorOfCase == IntegratorChoice::ida ? IntegratorChoice::explicitMethod
                                                                 : IntegratorChoice::ida;
    const ModelRun exact = runModel(play, tight, knock), r = run(play, tolerance, {}, knock);
    for (const char* name : {"a.phi", "l.w"})
      CHECK(std::abs(r.last(name) - exact.last(name)) < kGlobalError * tolerance);
  }
}

TEST_CASE("Right in time: of two that fall apart one meets a plate and soon the other") {
  underEachIntegrator();
  for (const double apart : {0.1, 0.2, 0.4}) {
    for (const double stop : {0.9, 1.3, 2.0, 3.1}) {
      CAPTURE(apart);
      CAPTURE(stop);
      const ModelRun r = run(fmt::format(R"yaml(
parameters: {{apart: {}}}
world: {{n: [0, 0, -1], g: {}}}
submodels:
  Ball:
    parameters: {{x: 0, z: 0}}
    components:
      b: {{type: Body, m: 1e-3, r_CM: [0, 0, 0], I_11: 4e-8, I_22: 4e-8, I_33: 4e-8, r_0: {{start: [x, 0.1, z], fixed: true}},
          v_0: {{fixed: true}}, w_0_fixed: true, angles_fixed: true}}
      s: {{type: Contact.Shape, shape: sphere, radius: 0.01}}
    connections: [[b.frame_a, s.frame_a]]
components:
  one: {{type: Ball, x: -0.3, z: 3}}
  other: {{type: Ball, x: 0.3, z: 3 + apart}}
  plate: {{type: Contact.Shape, shape: box, size: [4, 4, 1e-3], r: [0, 0, -5e-4]}}
connections: [[world.frame_b, plate.frame_a]]
contacts: {{defaults: {{restitution: 1, mu: 0, stiffness: 1e14}}}}
simulation: {{stop: {}, interval: {}}}
outputs: [one.b.r_0, other.b.r_0, totalEnergy]
)yaml",
                                         apart, kRightInTimeG, stop, stop / 100),
                             1e-8);
      for (const char* height : {"one.b.r_0[3]", "other.b.r_0[3]"})
        CHECK(std::ranges::min(r.rows[height]) > 0.01 - 5e-4);
      CHECK(std::abs(r.last("totalEnergy") - 1e-3 * kRightInTimeG * (6 + apart)) < 1e-5);
    }
  }
}

TEST_CASE(
    "Right in time: what an acceleration or an unknown of an equation does within a step is seen") {
  underEachIntegrator();
  for (const double tolerance : kRightInTimeTolerances) {
    CAPTURE(tolerance);
    const ModelRun r = run(R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  turn: {type: Revolute, phi: {start: 0, fixed: true}, w: {fixed: true}}
  b: {type: PointMass, m: 1}
  rod: {type: FixedTranslation, r: [1, 0, 0]}
variables: {n: {start: 0}, k: {start: 0}, z: {}, x: {start: 0, fixed: true}}
equations: ["der(x) = 1", "z + 0.1*z^3 = 10*cos(x) + 100*cos(x)^3"]
when:
  - {condition: "abs(turn.a) > 9.7", set: {n: "pre(n) + 1"}}
  - {condition: "z > 9.99", set: {k: "pre(k) + 1"}}
connections: [[world.frame_b, turn.frame_a], [turn.frame_b, rod.frame_a], [rod.frame_b, b.frame_a]]
simulation: {stop: 19.5, interval: 5}
outputs: [n, k, turn.phi]
)yaml",
                           tolerance);
    // From rest at a right angle the pull is largest at both ends of each swing, of 4 K(1/2)/sqrt(2) s/sqrt(g).
    const double half = 2 * std::comp_ellint_1(std::sqrt(0.5)) / std::sqrt(9.81);
    CHECK(r.last("n") == std::floor(19.5 / half));
    // 10 cos(x) from z = 10 on, as often as whole turns are passed.
    CHECK(r.last("k") == std::floor(19.5 / (2 * std::numbers::pi)));
  }
}

TEST_CASE("Right in time: every jump of whole parts, of time and of what moves") {
  underEachIntegrator();
  struct Stairs {
    std::string text;  ///< of T
    double (*of)(double);
    double stop;
    size_t bends = 0;  ///< events at which nothing jumps
  };
  const Stairs all[] = {
      {"floor(T)", [](double t) { return std::floor(t); }, 50.5},
      {"integer(300*T)", [](double t) { return std::floor(300 * t); }, 1.001},
      {"integer(30*sin(T) + 0.3)", [](double t) { return std::floor(30 * std::sin(t) + 0.3); }, 10},
      {"div(7*T, 2)", [](double t) { return std::trunc(3.5 * t); }, 30.1},
      {"ceil(5.01*cos(T))", [](double t) { return std::ceil(5.01 * std::cos(t)); }, 20},
      {"floor(T^2/7)", [](double t) { return std::floor(t * t / 7); }, 30},
      {"floor(8.1*exp(-T/3))", [](double t) { return std::floor(8.1 * std::exp(-t / 3)); }, 20},
      // The highest step is the width of no cell of the grid.
      {"floor(500.5*sin(T))", [](double t) { return std::floor(500.5 * std::sin(t)); }, 4},
      {"floor(500.5*sin(2.173*T + 5.211))",
       [](double t) { return std::floor(500.5 * std::sin(2.173 * t + 5.211)); }, 4.198},
      // A kink gives way a hair late, its value does not.
      {"integer(8*max(0, min(0.999, 1.2*sin(T))))",
       [](double t) { return std::floor(8 * std::clamp(1.2 * std::sin(t), 0.0, 0.999)); }, 20, 14},
      {"floor(20*tanh(sin(2*T)))",
       [](double t) { return std::floor(20 * std::tanh(std::sin(2 * t))); }, 7},
      {"sign(sin(3*T) + 0.1)", [](double t) { return std::sin(3 * t) > -0.1 ? 1.0 : -1.0; }, 20},
      {"T - mod(T, 0.7)", [](double t) { return 0.7 * std::floor(t / 0.7); }, 40.1},
      {"2*T - rem(2*T - 3, 0.9)", [](double t) { return 3 + 0.9 * std::trunc((2 * t - 3) / 0.9); },
       20, 2},
  };
  for (const Stairs& c : all) {
    CAPTURE(c.text);
    constexpr int kLooks = 200000;
    std::vector<double> jumps;
    double sum = 0, before = 0, lowest = c.of(c.stop), highest = lowest;
    const double first = c.of(1e-9 * c.stop);
    for (int i = 1; i <= kLooks; ++i) {
      double a = (i - 1) * c.stop / kLooks, b = i * c.stop / kLooks;
      const double was = i == 1 ? first : c.of(a);
      lowest = std::min(lowest, was);
      highest = std::max(highest, was);
      if (std::abs(c.of(b) - was) < 1e-9) continue;
      const auto isOver = [&](double t) { return std::abs(c.of(t) - was) > 1e-9 ? 1.0 : -1.0; };
      jumps.push_back(bisect(isOver, a, b));
      sum += was * (jumps.back() - before);
      before = jumps.back();
    }
    sum += c.of(c.stop) * (c.stop - before);
    for (const std::string of : {"time", "x"}) {
      CAPTURE(of);
      std::string text = c.text;
      for (size_t at = text.find('T'); at != std::string::npos; at = text.find('T'))
        text.replace(at, 1, of);
      const ModelRun r = run(fmt::format(R"yaml(
variables: {{x: {{start: 0, fixed: true}}, z: {{start: 0, fixed: true}}, s: {{}}}}
equations: ["der(x) = 1", "der(z) = s", "s = {}"]
simulation: {{stop: {}, interval: 100}}
)yaml",
                                         text, c.stop),
                             1e-8);
      std::vector<double> events = r.eventTimes();
      std::erase(events, 0.0);
      REQUIRE(events.size() >= jumps.size());
      CHECK(events.size() <= jumps.size() + c.bends);
      for (const double jump : jumps) {
        const auto met = [&](double e) { return std::abs(e - jump) < 1e-7 * c.stop; };
        CHECK(std::ranges::any_of(events, met));
      }
      CHECK(std::ranges::min(r["s"]) > lowest - 1e-6);
      CHECK(std::ranges::max(r["s"]) < highest + 1e-6);
      CHECK(std::abs(r.last("z") - sum) < kGlobalError * 1e-8 * c.stop * (1 + std::abs(sum)));
    }
  }
}

TEST_CASE("Right in time: where a condition is crossed slowly, rounding hides no short window") {
  underEachIntegrator();
  for (int k = 0; k < 30; ++k) {
    CAPTURE(k);
    const double middle = 0.3 + 0.0173 * k;
    // 1 s wide; rounding blurs its edges by far more than an instant.
    const ModelRun r = run(fmt::format(R"yaml(
variables: {{z: {{start: 0, fixed: true}}}}
equations: ["der(z) = if 1 + (time/200 - {})^2 < 1.00000625 then 1 else 0"]
simulation: {{stop: 200, interval: 200}}
)yaml",
                                       middle),
                           1e-6);
    CHECK(r.eventTimes().size() == 2);
    CHECK(std::abs(r.last("z") - 1) < 1e-8);
  }
}

TEST_CASE("Right in time: what begins right after the start of a run happens, wherever that is") {
  underEachIntegrator();
  for (const double start : {0.0, 0.1, 3.0, 5.0, 1e3}) {
    CAPTURE(start);
    for (const char* condition :
         {"time > S", "sin(time - S) > 0", "mod(time - S, 1) > 0", "integer(S - time) < 0",
          "(time - S)^2 > 0", "(time - S)*(time + 3) > 0", "floor(time - S + 1) > 1"}) {
      CAPTURE(condition);
      const ModelRun r = run(fmt::format(R"yaml(
parameters: {{S: {0}}}
variables:
  on: {{start: false}}
  x: {{start: 0, fixed: true}}
equations: ["der(x) = if on then 1 else 0"]
when: [{{condition: "{1}", set: {{on: "true"}}}}]
simulation: {{start: {0}, stop: "S + 2", interval: 1}}
outputs: [x]
)yaml",
                                         start, condition),
                             1e-6);
      const bool isAtOnce = std::string(condition).starts_with("floor") == false;
      CHECK(std::abs(r.last("x") - (isAtOnce ? 2 : 1)) < 1e-8);
    }
  }
  // A whole number that is reached at the start, but for rounding, is no event there.
  for (const double start : {0.3, 0.6, 0.7, 1.2}) {
    CAPTURE(start);
    const ModelRun r = run(fmt::format(R"yaml(
variables: {{n: {{start: 0, type: Integer}}, k: "integer(time/0.1)", x: {{start: 0, fixed: true}}}}
equations: ["der(x) = k"]
when: [{{condition: "change(k)", set: {{n: "pre(n) + 1"}}}}]
simulation: {{start: {0}, stop: {1}, interval: 1}}
)yaml",
                                       start, start + 0.25),
                           1e-6);
    CHECK(r.last("n") == 2);
  }
}

TEST_CASE("Right in time: squares of small differences of large numbers are what they are") {
  underEachIntegrator();
  for (const double far : {1.0, 1e4, 1e6, 4e6}) {
    CAPTURE(far);
    const ModelRun r = run(fmt::format(R"yaml(
parameters: {{E: {}}}
variables:
  p: {{start: "E", fixed: true}}
  q: {{start: "E", fixed: true}}
  x: {{start: 0, fixed: true}}
equations:
  - "der(p) = 1"
  - "der(q) = 1"
  - "der(x) = if (p - E - 5)^2 + (q - E - 5)^2 < 0.01 then 1 else 0"
simulation: {{stop: 10, interval: 10}}
outputs: [x]
)yaml",
                                       far),
                           1e-6);
    // The states are known to some roundings of their size.
    CHECK(std::abs(r.last("x") - 0.2 / std::sqrt(2.0)) < 1e-7 + 1e-14 * far);
  }
}

TEST_CASE("Right in time: what is constant but for rounding costs no steps and no warning") {
  underEachIntegrator();
  const ModelRun r = run(R"yaml(
variables:
  x: {start: 0, fixed: true}
  w: {start: 2, fixed: true}
equations:
  - "der(w) = 0"
  - "der(x) = if 2*w*time + 1.2 <= 2*w*time then 1 else (w*time)/max(w, 1)/max(time, 1e-9)/2"
simulation: {stop: 3, interval: 3}
)yaml",
                         1e-6);
  CHECK(r.report.warnings.empty());
  CHECK(r.report.integrator.steps < 100);
  CHECK(std::abs(r.last("x") - 1.5) < 1e-8);
}

TEST_CASE("Forcing: a short pulse on a mass at rest is felt") {
  underEachIntegrator();
  for (const double tolerance : kRightInTimeTolerances) {
    CAPTURE(tolerance);
    for (const double centre : {5.0, 3.1415, 0.77, 9.2}) {
      CAPTURE(centre);
      const ModelRun r =
          run(pushed(fmt::format("10*exp(-((time-{})/0.05)^2)", centre), 10), tolerance);
      CHECK(std::abs(r.last("m.v") - 0.5 * std::sqrt(std::numbers::pi)) < kGlobalError * tolerance);
    }
  }
}

TEST_CASE("Forcing: a vibration faster than a long step is felt") {
  underEachIntegrator();
  // v = F/w (1 - cos wt), s = F/w (t - sin(wt)/w)
  // Phase errors add up over 40 periods.
  const double w = 2 * std::numbers::pi * 40;
  const double global = 40 * 100;
  for (const double tolerance : kRightInTimeTolerances) {
    CAPTURE(tolerance);
    const ModelRun r = run(pushed(fmt::format("1000*sin({:.17g}*time)", w), 1), tolerance);
    const double s = 1000 / w * (1 - std::sin(w) / w);
    CHECK(std::abs(r.last("m.s") - s) < global * tolerance * s);
  }
}

TEST_CASE("Forcing: what the file's own equations do with time is felt") {
  underEachIntegrator();
  for (const double tolerance : kRightInTimeTolerances) {
    CAPTURE(tolerance);
    for (const double centre : {0.5, 0.31415, 0.077, 0.92}) {
      CAPTURE(centre);
      const ModelRun r = run(fmt::format(R"yaml(
variables:
  x: {{start: 0, fixed: true}}
  unfelt: {{}}
  pulse: "1e3*exp(-((time - {})/1e-3)^2)"
equations: ["der(x) = pulse", "unfelt = sin(600*time)"]
simulation: {{stop: 1, interval: 0.1}}
)yaml",
                                         centre),
                             tolerance);
      CHECK(std::abs(r.last("x") - std::sqrt(std::numbers::pi)) < kGlobalError * tolerance);
    }
  }
}

TEST_CASE("Conditions that change faster than the grid switch each time, or the run tells") {
  underEachIntegrator();
  const auto model = [](double f, double end) {
    return fmt::format(R"yaml(
variables:
  high: {{}}
  x: {{start: 0, fixed: true}}
equations: ["high = if sin(2*pi*{}*time) > 0.1 then 1 else 0", "der(x) = 1"]
when: [{{condition: "time > {}", terminate: enough}}]
simulation: {{stop: 1, interval: 1}}
)yaml",
                       f, end);
  };
  for (const double f : {100.0, 1e3, 2.9e3, 3.2e3, 4096.0, 2.5e4}) {
    CAPTURE(f);
    const ModelRun r = run(model(f, 2), 1e-6);
    CHECK(r.eventTimes().size() == static_cast<size_t>(2 * f));
    CHECK(r.report.warnings.empty());
  }
  CHECK_THROWS_WITH_AS(run(model(1e9, 1e-3), 1e-6), doctest::Contains("sin(2*pi*"), SolverError);
  for (const double f : {1e6, 3.3e7}) {
    CAPTURE(f);
    const ModelRun r = run(model(f, 1e-3), 1e-6);
    REQUIRE(r.report.warnings.size() == 1);
    CHECK(r.report.warnings[0].find("sin(2*pi*") != std::string::npos);
    CHECK(r.report.warnings[0].find("maximum step") != std::string::npos);
  }
}

TEST_CASE("Conditions of time and of what moves: a fast one is seen though the motion is slow") {
  underEachIntegrator();
  const double w = 2 * std::numbers::pi * 300;
  const auto f = [&](double t) { return t - 0.5 - 0.4 * std::sin(w * t); };
  size_t crossings = 0;
  for (int i = 0; i < 1000000; ++i) crossings += f(i * 1e-6) * f((i + 1) * 1e-6) < 0 ? 1 : 0;
  REQUIRE(crossings > 400);
  const ModelRun r = run(fmt::format(R"yaml(
variables:
  x: {{start: 0, fixed: true}}
  n: {{}}
equations: ["der(x) = 1", "n = if x > 0.5 + 0.4*sin({:.17g}*time) then 1 else 0"]
simulation: {{stop: 1, interval: 1}}
)yaml",
                                     w),
                         1e-6);
  CHECK(r.eventTimes().size() == crossings);
}

TEST_CASE("Conditions of time alone switch although nothing moves") {
  underEachIntegrator();
  const double half = 2 / std::numbers::pi * std::acos(0.9999);  // around t = 1
  for (const double tolerance : kRightInTimeTolerances) {
    CAPTURE(tolerance);
    const ModelRun r = run(pushed("if sin(2*pi*time/4) > 0.9999 then 100 else 0", 4), tolerance);
    // The pulse has constant force: any method is exact in v.
    CHECK(std::abs(r.last("m.v") - 200 * half) < 1e-10);
    const std::vector<double> events = r.eventTimes();
    REQUIRE(events.size() == 2);
    CHECK(std::abs(events[0] - (1 - half)) < 1e-12);
    CHECK(std::abs(events[1] - (1 + half)) < 1e-12);
  }
}

TEST_CASE("Results: what compares a jump says in every row what the numbers there say") {
  const struct {
    const char* function;
    std::vector<double> levels;  // some of them, where equality holds for a while
  } jumps[] = {{"floor(3*x)", {-2, 0, 2}},
               {"ceil(3*x)", {-1, 0, 2}},
               {"integer(3*x)", {-2, 0, 1}},
               {"sign(x - 0.3)", {-1, 1}},
               {"div(x, 0.4)", {-1, 0, 2}},
               {"x - mod(x, 0.5)", {-0.5, 0, 0.5}},
               {"x - rem(x, 0.25)", {-0.25, 0, 0.5}},
               {"if floor(3*x) >= 1 then 2 else 1", {1, 2}}};
  // As it stands, by way of a variable, and within another expression.
  std::string variables;
  int count = 0;
  for (const auto& j : jumps) {
    variables += fmt::format("  f{}: \"{}\"\n", &j - jumps, j.function);
    for (const double level : j.levels) {
      for (const char* relation : {"<", "<=", ">", ">=", "==", "<>"}) {
        const std::string direct = fmt::format("({}) {} {}", j.function, relation, level);
        variables += fmt::format("  a{}: \"{}\"\n", ++count, direct);
        variables += fmt::format("  b{}: \"f{} {} {}\"\n", count, &j - jumps, relation, level);
        variables += fmt::format("  c{}: \"if {} then 1 else 0\"\n", count, direct);
        variables += fmt::format("  d{}: \"noEvent(if {} then 1 else 0)\"\n", count, direct);
      }
    }
  }
  for (const char* method : {"ida", "explicit"}) {
    CAPTURE(method);
    const ModelRun r = runModel(
        "variables:\n  x: {start: 0.05, fixed: true}\n  v: {start: 2, fixed: true}\n" + variables +
            "equations: [\"der(x) = v\", \"der(v) = -4*x\"]\n"
            "simulation: {stop: 4, interval: 0.013, integrator: " +
            method + "}\n",
        {.eventRows = false});
    for (int k = 1; k <= count; ++k) {
      CAPTURE(k);
      const std::string n = std::to_string(k);
      CHECK(r["a" + n] == r["d" + n]);
      CHECK(r["b" + n] == r["d" + n]);
      CHECK(r["c" + n] == r["d" + n]);
    }
  }
}

TEST_CASE("Conditions of time that touch zero at the start: no step is as long as a rounding") {
  // From 0 on the third of the three holds; z = 3 t.
  const ModelRun r = runModel(R"yaml(
variables: {z: {start: 0, fixed: true}}
equations:
  - "der(z) = if time*sin(time) >= 2*time then 5 else if cos(2*time) - 4*time < 1 - (cos(2*time) - 4*time) then 3 else 4"
simulation: {start: 0, stop: 1.4, interval: 0.7}
outputs: [z]
)yaml");
  // cos(2 t) - 4 t = 1/2 at 0.1196...: 4 before, 3 after it; 5 at 0 alone.
  double t = 0.1;
  for (int k = 0; k < 50; ++k) t -= (std::cos(2 * t) - 4 * t - 0.5) / (-2 * std::sin(2 * t) - 4);
  CHECK(std::abs(r.last("z") - (4 * t + 3 * (1.4 - t))) < 1e-7);
}

TEST_CASE("Conditions of time alone: many short pulses, each at its time") {
  underEachIntegrator();
  // Open where the product of two sines exceeds a level: 14 windows of different width.
  const auto f = [](double t) { return std::sin(3 * t) * std::sin(7.3 * t) - 0.97; };
  double open = 0;
  int windows = 0;
  for (double a = 0; a < 20; a += 1e-4) {
    if (f(a) <= 0 && f(a + 1e-4) > 0) {
      const double begin = bisect(f, a, a + 1e-4);
      double b = a + 1e-4;
      while (f(b) > 0) b += 1e-4;
      open += bisect(f, b - 1e-4, b) - begin;
      ++windows;
    }
  }
  REQUIRE(windows > 3);
  const ModelRun r = run(pushed("if sin(3*time)*sin(7.3*time) > 0.97 then 10 else 0", 20), 1e-6);
  CHECK(r.eventTimes().size() == 2 * static_cast<size_t>(windows));
  CHECK(std::abs(r.last("m.v") - 10 * open) < 1e-9);
}

TEST_CASE("Friction: a stuck block breaks loose when the pull exceeds its limit") {
  underEachIntegrator();
  const double m = 2, alpha = 20 * std::numbers::pi / 180, g = 9.81, pi = std::numbers::pi;
  const double weight = m * g * std::sin(alpha), normal = m * g * std::cos(alpha);
  const double loose = 1 + std::asin((0.6 * normal - weight) / 12) / pi;
  // Sliding down: m v' = 12 sin(pi t) - weight + 0.4 normal, until it stands still again; stuck as
  // long as the pull lets it.
  const auto slide = [&](double from) {
    const double c = (0.4 * normal - weight) / m;
    const auto v = [=](double t) {
      return 12 / m / pi * (std::cos(pi * from) - std::cos(pi * t)) + c * (t - from);
    };
    double stop = from + 0.01;
    while (v(stop) < 0) stop += 0.01;
    stop = bisect(v, stop - 0.01, stop);
    const double path = 12 / m / pi *
                            (std::cos(pi * from) * (stop - from) -
                             (std::sin(pi * stop) - std::sin(pi * from)) / pi) +
                        0.5 * c * (stop - from) * (stop - from);
    return std::pair{stop, path};
  };
  const auto [stuck, first] = slide(loose);
  const auto second = slide(loose + 2);
  REQUIRE(stuck < loose + 2);
  REQUIRE(second.first > 4);  // still sliding at the end
  const double c = (0.4 * normal - weight) / m, from = loose + 2;
  const double rest =
      12 / m / pi *
          (std::cos(pi * from) * (4 - from) - (std::sin(pi * 4) - std::sin(pi * from)) / pi) +
      0.5 * c * (4 - from) * (4 - from);
  const double end = first + rest;
  CHECK(end == doctest::Approx(-4.77486).epsilon(1e-5));

  const std::string text = R"yaml(
parameters: {m: 2, alpha: 20, mus: 0.6, muk: 0.4}
world: {g: 9.81, n: [0, -1, 0]}
components:
  incline: {type: FixedRotation, n: [0, 0, 1], angle: alpha}
  slide: {type: Prismatic, n: [1, 0, 0], useAxisFlange: true, s: {fixed: true}, v: {fixed: true}}
  block: {type: Body, m: m}
  friction: {type: Translational.SupportFriction, f_pos: [[0, "muk*m*world.g*cos(alpha*deg)"], [1, "muk*m*world.g*cos(alpha*deg)"]], peak: mus/muk
}
  pull: {type: Translational.Force, f: "12*sin(pi*time)"}
connections:
  - [world.frame_b, incline.frame_a]
  - [incline.frame_b, slide.frame_a]
  - [slide.frame_b, block.frame_a]
  - [friction.flange_a, slide.axis]
  - [friction.flange_b, pull.flange]
simulation: {stop: 4, interval: 0.005}
outputs: [slide.s, slide.v, friction.f, friction.locked]
)yaml";
  for (const double tolerance : {1e-3, 1e-4, 1e-6, 1e-8}) {
    CAPTURE(tolerance);
    const ModelRun r = run(text, tolerance);
    const std::vector<double> events = r.eventTimes();
    REQUIRE(events.size() >= 2);
    CHECK(std::abs(events[0] - loose) < 1e-7);
    CHECK(std::abs(r.last("slide.s") - end) < kGlobalError * tolerance);
    for (size_t i = 0; i < r.rows.time().size(); ++i) {
      if (r.rows["friction.locked"][i] == 1) {
        CHECK(std::abs(r.rows["friction.f"][i]) < 0.6 * normal * (1 + 1e-8) + 1e-8);
      }
    }
  }
}

TEST_CASE("Friction: a driven joint that turns back is not stuck there") {
  underEachIntegrator();
  const std::string text = R"yaml(
components:
  drive: {type: Rotational.Position, exact: true, phi_ref: "sin(3*time)"}
  disc: {type: Rotational.Inertia, J: 0.4}
  friction: {type: Rotational.BearingFriction, tau_pos: [[0, 2], [1, 2.5]], peak: 1.2}
connections:
  - [drive.flange, disc.flange_a]
  - [disc.flange_b, friction.flange_a]
simulation: {stop: 3, interval: 0.01}
outputs: [friction.tau, friction.mode, drive.flange.tau]
)yaml";
  const double pi = std::numbers::pi;
  for (const double tolerance : kRightInTimeTolerances) {
    CAPTURE(tolerance);
    const ModelRun r = run(text, tolerance);
    // The slip is 3 cos(3 t): it turns at pi/6, pi/2 and 5 pi/6.
    for (size_t i = 0; i < r.rows.time().size(); ++i) {
      const double t = r.rows.time()[i], w = 3 * std::cos(3 * t);
      if (std::abs(w) < 1e-6) continue;
      CAPTURE(t);
      const double friction = std::copysign(2 + 0.5 * std::abs(w), w);
      CHECK(std::abs(r.rows["friction.tau"][i] - friction) < 1e-9);
      const double drive = 0.4 * -9 * std::sin(3 * t) + friction;
      CHECK(std::abs(r.rows["drive.flange.tau"][i] + drive) < kGlobalError * tolerance);
    }
    for (const double turn : {pi / 6, pi / 2, 5 * pi / 6}) {
      CHECK(
          std::ranges::any_of(r.eventTimes(), [&](double t) { return std::abs(t - turn) < 1e-8; }));
    }
  }
}

TEST_CASE("Friction: a slider is carried through the dead centres of its crank") {
  underEachIntegrator();
  const std::string text = R"yaml(
world: {g: 0}
components:
  crank: {type: Revolute, n: [0, 0, 1], phi: {start: 0.6, fixed: true}, w: {start: 6, fixed: true}}
  arm: {type: BodyBox, r: [0.3, 0, 0]}
  pin: {type: Revolute, n: [0, 0, 1]}
  rod: {type: BodyBox, r: [1, 0, 0]}
  wrist: {type: Revolute, n: [0, 0, 1]}
  slide: {type: Prismatic, n: [1, 0, 0], useAxisFlange: true, s: {start: 1.2}}
  piston: {type: Body, m: 2}
  friction: {type: Translational.SupportFriction, f_pos: [[0, 5], [1, 6]], peak: 1.5}
connections:
  - [world.frame_b, crank.frame_a]
  - [crank.frame_b, arm.frame_a]
  - [arm.frame_b, pin.frame_a]
  - [pin.frame_b, rod.frame_a]
  - [rod.frame_b, wrist.frame_a]
  - [world.frame_b, slide.frame_a]
  - [slide.frame_b, piston.frame_a]
  - [wrist.frame_b, slide.frame_b]
  - [friction.flange_a, slide.axis]
simulation: {stop: 3, interval: 0.01}
outputs: [crank.phi, slide.v, friction.f, totalEnergy]
)yaml";
  for (const double tolerance : kRightInTimeTolerances) {
    CAPTURE(tolerance);
    const ModelRun r = run(text, tolerance);
    const std::vector<double>&t = r.rows.time(), &v = r.rows["slide.v"], &f = r.rows["friction.f"];
    double turns = 0;
    for (size_t i = 1; i < t.size(); ++i) {
      if (t[i] == t[i - 1] && std::abs(v[i]) < 1e-9) {
        const double half = r.rows["crank.phi"][i] / std::numbers::pi;
        CHECK(std::abs(half - std::round(half)) < 1e-8);
        turns = std::max(turns, std::round(half));
      }
      if (std::abs(v[i]) < 1e-6) continue;
      CHECK(std::abs(f[i] - std::copysign(5 + std::abs(v[i]), v[i])) < 1e-9);
      CHECK(r.rows["totalEnergy"][i] <= r.rows["totalEnergy"][i - 1] + kGlobalError * tolerance);
    }
    CHECK(turns == 4);
  }
}

TEST_CASE("Impact: a ball on a stiff stop bounces through, at the times of the closed form") {
  underEachIntegrator();
  const std::string text = R"yaml(
parameters: {c: 1e5}
components:
  b: {type: PointMass, m: 1, r_0: {start: [0, 1, 0], fixed: true}, v_0: {fixed: true}}
  f: {type: WorldForce, force: [0, "if b.r_0[2] < 0 then -c*b.r_0[2] else 0", 0]}
connections: [[f.frame_b, b.frame_a]]
simulation: {stop: 3, interval: 0.01}
outputs: ["b.r_0[2]", "b.v_0[2]"]
)yaml";
  for (const double c : {1e3, 1e5, 1e7, 1e9}) {
    for (const double tolerance : kRightInTimeTolerances) {
      CAPTURE(c);
      CAPTURE(tolerance);
      const double fall = std::sqrt(2 / kRightInTimeG), speed = kRightInTimeG * fall,
                   w = std::sqrt(c);
      const double contact = 2 / w * (std::numbers::pi - std::atan(speed * w / kRightInTimeG));
      const ModelRun r = run(text, tolerance, {}, {fmt::format("c={}", c)});
      const std::vector<double> events = r.eventTimes();
      std::vector<double> exact;
      for (double t = fall; t < 3; t += 2 * fall) {
        exact.push_back(t);
        t += contact;
        if (t < 3) exact.push_back(t);
      }
      REQUIRE(events.size() == exact.size());
      for (size_t i = 0; i < exact.size(); ++i) {
        CHECK(std::abs(events[i] - exact[i]) < kGlobalError * tolerance);
      }
    }
  }
}

TEST_CASE("A condition that is zero at the start switches as soon as it is left") {
  underEachIntegrator();
  const double k = 1000, decay = 5, w = std::sqrt(k - decay * decay);
  const std::string text = R"yaml(
components:
  p: {type: Prismatic, n: [0, 1, 0], s: {start: 0, fixed: true}, v: {start: 0, fixed: true}}
  b: {type: Body, m: 1}
  f: {type: WorldForce, force: [0, "if p.s < 0 then -1000*p.s - 10*p.v else 0", 0]}
connections:
  - [world.frame_b, p.frame_a]
  - [p.frame_b, b.frame_a]
  - [f.frame_b, b.frame_a]
simulation: {stop: 1, interval: 0.01}
outputs: [p.s, p.v]
)yaml";
  for (const double tolerance : kRightInTimeTolerances) {
    CAPTURE(tolerance);
    const ModelRun r = run(text, tolerance);
    for (size_t i = 0; i < r.rows.time().size(); ++i) {
      const double t = r.rows.time()[i];
      const double exact =
          -kRightInTimeG / k *
          (1 - std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t)));
      CHECK(std::abs(r.rows["p.s"][i] - exact) < kGlobalError * tolerance);
    }
  }
}

TEST_CASE("A switch that acts against itself stops the run by name") {
  underEachIntegrator();
  const std::string text = R"yaml(
components:
  p: {type: Prismatic, s: {start: 1, fixed: true}, v: {fixed: true}}
  b: {type: Body, m: 1}
  f: {type: WorldForce, force: ["if p.s + p.v > 0 then -10 else 10", 0, 0]}
connections:
  - [world.frame_b, p.frame_a]
  - [p.frame_b, b.frame_a]
  - [f.frame_b, b.frame_a]
simulation: {stop: 5}
outputs: [p.s]
)yaml";
  const double slides = -1 + std::sqrt(1.2);  // 1 - 5 t^2 - 10 t = 0
  for (const double tolerance : kRightInTimeTolerances) {
    CAPTURE(tolerance);
    try {
      run(text, tolerance);
      FAIL("the run did not stop");
    } catch (const SolverError& e) {
      CHECK(e.details().cause == SolverError::Cause::Chattering);
      CHECK(e.details().time == doctest::Approx(slides).epsilon(1e-3));
      CHECK(std::string(e.what()).find("p.s + p.v > 0") != std::string::npos);
    }
  }
}

TEST_CASE("A pulse far faster than the run stops it by the pulse's name") {
  underEachIntegrator();
  for (const char* period : {"1e-300", "1e-10"}) {
    const std::string text = std::string(R"yaml(
components:
  p: {type: Prismatic, s: {fixed: true}, v: {fixed: true}}
  b: {type: Body, m: 1}
  pulse: {type: Blocks.Pulse, period: )yaml") +
                             period + R"yaml(}
  f: {type: WorldForce, force: [pulse.y, 0, 0]}
connections:
  - [world.frame_b, p.frame_a]
  - [p.frame_b, b.frame_a]
  - [f.frame_b, b.frame_a]
simulation: {stop: 5}
outputs: [p.s]
)yaml";
    CAPTURE(period);
    try {
      run(text, 1e-6);
      FAIL("the run did not stop");
    } catch (const SolverError& e) {
      CHECK(e.details().cause == SolverError::Cause::TooManyTimeEvents);
      CHECK(std::string(e.what()).find("  what switches: pulse\n") != std::string::npos);
    }
  }
}

TEST_CASE("A prescribed position that jumps is told, once; one that bends is not") {
  underEachIntegrator();
  const auto warnings = [](const std::string& phi) {
    Simulation s = Simulation::fromText(catalogue(),
                                        R"yaml(
components:
  j: {type: Revolute, useAxisFlange: true}
  b: {type: Body, m: 1, r_CM: [1, 0, 0]}
  p: {type: Rotational.Position, exact: true, phi_ref: ")yaml" +
                                            phi + R"yaml("}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [p.flange, j.axis]
simulation: {stop: 1}
outputs: [j.phi]
)yaml",
                                        "model.yaml");
    Trajectory t;
    s.run(t);
    return s.report().warnings;
  };
  const auto told = warnings("if time < 0.5 then 0 else if time < 0.7 then 1 else 2");
  REQUIRE(told.size() == 1);
  CHECK(told[0] ==
        "'j.phi' jumps by 1 rad at time = 0.5 s, as the position prescribed for it does: no finite "
        "force moves it so, and the speeds after it are those prescribed");
  CHECK(warnings("if time < 0.5 then 0 else time - 0.5").empty());
}

TEST_CASE("A branch that guards its own domain is left before it ends") {
  underEachIntegrator();
  // phi'' = (-0.5 g cos(phi) + [phi > 0] sqrt(phi)) / (0.25 + 0.001), by Runge-Kutta
  const double J = 0.251;
  double phi = 0.5, w = 0;
  const int n = 200000;
  const double h = 1.0 / n;
  const auto a = [&](double x) {
    return (-0.5 * kRightInTimeG * std::cos(x) + (x > 0 ? std::sqrt(x) : 0.0)) / J;
  };
  for (int i = 0; i < n; ++i) {
    const double k1 = w, l1 = a(phi), k2 = w + h / 2 * l1, l2 = a(phi + h / 2 * k1);
    const double k3 = w + h / 2 * l2, l3 = a(phi + h / 2 * k2), k4 = w + h * l3,
                 l4 = a(phi + h * k3);
    phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  const std::string text = R"yaml(
components:
  j: {type: Revolute, phi: {start: 0.5, fixed: true}, w: {fixed: true}}
  b: {type: Body, r_CM: [0.5, 0, 0]}
  t: {type: WorldTorque, torque: [0, 0, "if j.phi > 0 then sqrt(j.phi) else 0"]}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [t.frame_b, b.frame_a]
simulation: {stop: 1, interval: 0.01}
outputs: [j.phi]
)yaml";
  for (const double tolerance : kRightInTimeTolerances) {
    CAPTURE(tolerance);
    CHECK(std::abs(run(text, tolerance).last("j.phi") - phi) < kGlobalError * tolerance + 1e-7);
  }
}

TEST_CASE("A late start of the run costs no accuracy") {
  underEachIntegrator();
  const std::string text = R"yaml(
components:
  j: {type: Revolute, phi: {start: 0.5, fixed: true}, w: {fixed: true}}
  b: {type: Body, r_CM: [0.5, 0, 0]}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
simulation: {stop: 2, interval: 0.1}
outputs: [j.phi]
)yaml";
  const ModelRun now = run(text, 1e-8);
  RunOptions late;
  late.startTime = 1e9;
  late.stopTime = 1e9 + 2;
  const ModelRun then = run(text, 1e-8, late);
  CHECK(std::abs(then.last("j.phi") - now.last("j.phi")) < 1e-6);
  CHECK(then.report.integrator.steps < 1.1 * static_cast<double>(now.report.integrator.steps));
}

TEST_CASE("Results do not depend on what is recorded, nor on how often") {
  underEachIntegrator();
  const std::string text = R"yaml(
components:
  j: {type: Revolute, useAxisFlange: true, phi: {start: 0.5, fixed: true}, w: {fixed: true}}
  b: {type: BodyBox, r: [0.5, 0, 0], width: 0.1}
  friction: {type: Rotational.BearingFriction, useSupport: true, tau_pos: [[0, 0.3]], peak: 1.2}
  push: {type: WorldTorque, torque: [0, 0, "if sin(5*time) > 0.9 then 20 else 2*sin(3*time)"]}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [friction.flange_a, j.axis]
  - [friction.support, j.support]
  - [push.frame_b, b.frame_b]
simulation: {stop: 3, interval: 0.01}
)yaml";
  RunOptions few, many, odd;
  few.outputs = {"j.phi"};
  few.outputInterval = 3;
  many.outputs = {"**"};
  many.outputInterval = 0.001;
  odd.outputs = {"j.phi", "b.frame_a.f", "friction.tau"};
  odd.outputInterval = 0.0173;
  const ModelRun a = run(text, 1e-6, few), b = run(text, 1e-6, many), c = run(text, 1e-6, odd);
  CHECK(a.last("j.phi") == b.last("j.phi"));
  CHECK(a.last("j.phi") == c.last("j.phi"));
  CHECK(a.report.integrator.steps == b.report.integrator.steps);
  CHECK(a.report.integrator.residuals == b.report.integrator.residuals);
  CHECK(a.eventTimes() == b.eventTimes());
  RunOptions withEvents, without;
  withEvents.outputs = without.outputs = {"j.phi", "j.w", "j.a", "friction.tau"};
  without.eventRows = false;
  const ModelRun e = run(text, 1e-6, withEvents), g = run(text, 1e-6, without);
  REQUIRE(e.rows.time().size() > g.rows.time().size());
  size_t k = 0;
  for (size_t i = 0; i < g.rows.time().size(); ++i) {
    while (e.rows.time()[k] < g.rows.time()[i]) ++k;
    if (k + 1 < e.rows.time().size() && e.rows.time()[k + 1] == e.rows.time()[k]) continue;
    REQUIRE(e.rows.time()[k] == g.rows.time()[i]);
    for (const char* name : {"j.phi", "j.w", "j.a", "friction.tau"})
      CHECK(e[name][k] == g[name][i]);
  }
}
