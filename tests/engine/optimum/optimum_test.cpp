// Optima of mechanisms that closed forms know, and how a search gets there.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "engine/motion_point.h"
#include "engine/optimum/nlopt_search.h"
#include "engine/optimum/quadratic_program.h"
#include "tests/engine/optimum/optimum_of.h"

using namespace cardan;
using test::SoughtOptimum;

namespace {

// A quarter of a car on a road that steps by a centimetre.
const std::string kQuarter = R"(
model: Quarter
parameters: {ms: 300, mu: 40, ks: 4000, kt: 2e4, c: 1500}
variables:
  xs: {start: 0, fixed: true}
  xu: {start: 0, fixed: true}
  vs: {start: 0, fixed: true}
  vu: {start: 0, fixed: true}
  a: {}
equations:
  - der(xs) = vs
  - der(xu) = vu
  - a = (ks*(xu - xs) + c*(vu - vs))/ms
  - der(vs) = a
  - mu*der(vu) = kt*(0.01 - xu) - ks*(xu - xs) - c*(vu - vs)
simulation: {stop: 20, interval: 0.001, tolerance: 1e-9}
)";

const std::string kHung = R"(
model: Hung
parameters: {k: 1000, d: 200}
components:
  slide: {type: Prismatic, n: [0, -1, 0], useAxisFlange: true, s: {start: 0, fixed: true}, v: {fixed: true}}
  spring: {type: Translational.SpringDamper, c: k, d: d}
  body: {type: PointMass, m: 2}
connections:
  - [world.frame_b, slide.frame_a]
  - [slide.frame_b, body.frame_a]
  - [spring.flange_a, slide.support]
  - [spring.flange_b, slide.axis]
simulation: {stop: 20, interval: 0.05, tolerance: 1e-10}
)";

const std::string kDampedSwing = R"(
model: Swing
parameters: {L: 0.5, d: 0.05, m: 2}
components:
  hinge:  {type: Revolute, useAxisFlange: true, n: [0, 0, 1], phi: {start: 1, fixed: true}, w: {fixed: true}}
  damper: {type: Rotational.Damper, d: d}
  rod:    {type: FixedTranslation, r: [0, -L, 0]}
  bob:    {type: PointMass, m: m}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, rod.frame_a]
  - [rod.frame_b, bob.frame_a]
  - [damper.flange_b, hinge.axis]
  - [damper.flange_a, hinge.support]
simulation: {stop: 3, interval: 0.02, tolerance: 1e-9}
)";

}  // namespace

TEST_CASE("Optimum: the damping of a quarter car under white noise is k_s sqrt((m_s + m_u)/k_t)") {
  // A road whose velocity is white noise gives the acceleration the variance of its answer to a single
  // blow of velocity, a step of the road: S (k_s^2 (m_s + m_u)/c + k_t c)/m_s^2 up to a factor, by
  // Parseval's integral of order 4. Rows are straight in between: (w h)^2/12 of a wheel's w = 25 rad/s.
  const OptimumResult r = SoughtOptimum{{"c=100..1e4"}, "rms(a)"}.of(kQuarter);
  const double exact = 4000 * std::sqrt(340 / 2e4);
  CHECK(r.found);
  CHECK(std::abs(r.x[0] - exact) < 25 * 25 * 1e-6 / 12 * 5 * exact);
}

TEST_CASE("Optimum: a static balance determines the softest spring, and the multiplier its price") {
  const OptimumResult r =
      SoughtOptimum{{"k=10..1e5"}, "final(k)", {"final(slide.s) < 0.05"}}.of(kHung);
  const double exact = 2 * 9.80665 / 0.05;
  CHECK(r.found);
  CHECK(std::abs(r.x[0] / exact - 1) < 1e-6);
  CHECK(r.constraints[0].isActive);
  CHECK(std::abs(r.constraints[0].multiplier / (exact / 0.05) - 1) < 1e-4);  // dk/ds
}

TEST_CASE("Optimum: a crane moves its load without swing in the time of four bangs") {
  // Antisymmetric bangs with switches at t1, T/2, T - t1, h = T/2 - t1, leave no swing where
  // 1 - 2 cos(w h) + cos(w T/2) = 0, and carry by d = 2 a (t1^2/2 + t1 h - h^2/2). For w = 2, T = 4:
  const double h = std::acos((1 + std::cos(4.0)) / 2) / 2, t1 = 2 - h;
  const double d = t1 * t1 + 2 * t1 * h - h * h;
  constexpr int kPieces =
      16;  // of even length: bangs are met but for those within which they switch
  std::string levels, u = "0";
  SoughtOptimum s{{"T=5:2..8"}, "final(T)"};
  for (int i = kPieces; i >= 1; --i) {
    levels += fmt::format(", u{}: {}", i, i <= kPieces / 2 ? 0.4 : -0.4);
    u = fmt::format("if time < {}*T/{} then u{} else {}", i, kPieces, i, u);
    s.parameters.push_back(fmt::format("u{}=-1..1", i));
  }
  s.constraints = {fmt::format("final(x) == {}", d), "final(v) == 0", "final(phi) == 0",
                   "final(w) == 0"};
  const OptimumResult r =
      s.of("model: Crane\nparameters: {T: 5" + levels +
           "}\nvariables:\n  x: {start: 0, fixed: true}\n  v: {start: 0, fixed: true}\n"
           "  phi: {start: 0, fixed: true}\n  w: {start: 0, fixed: true}\n  u: {}\nequations:\n"
           "  - u = " +
           u +
           "\n  - der(x) = v\n  - der(v) = u\n  - der(phi) = w\n"
           "  - der(w) = -4*phi - u\nsimulation: {stop: 8, interval: 0.1, tolerance: 1e-9}\n");
  CAPTURE(r.reason);
  CHECK(r.found);
  CHECK(r.x[0] > 4);
  CHECK(r.x[0] < 1.02 * 4);
}

TEST_CASE("OptimumRuns: derivatives of all reductions are differences of tight runs") {
  SoughtOptimum s{{"L", "d", "hinge.phi.start"}, "", {}};
  const std::vector<std::string> kept{"final(hinge.phi)",
                                      "min(hinge.phi)",
                                      "max(hinge.w)",
                                      "mean(hinge.phi^2)",
                                      "rms(hinge.w)",
                                      "at(hinge.phi, 1.234)",
                                      "m*9.81*L*rms(hinge.w)/max(hinge.w) + 1"};
  s.more = [&](OptimumTask& t) {
    Diagnostics diagnostics;
    for (const std::string& k : kept) t.addGoal(k, false, {}, diagnostics);
    t.front = 0;
    t.goals.resize(1);
    CHECK(diagnostics.errorCount() == 0);
  };
  s.in(kDampedSwing, [&](Optimum&, const OptimumRuns& runs) {
    CHECK(runs.differences().empty());
    const std::vector<double> x = runs.start();
    const OptimumOutcome exact = runs({OptimumRun::Kind::derivatives, x});
    REQUIRE(exact.slopes.size() == kept.size() * x.size());
    for (size_t k = 0; k < x.size(); ++k) {
      std::vector<double> up = x, down = x;
      up[k] *= 1 + 1e-4;
      down[k] *= 1 - 1e-4;
      const auto a = runs({OptimumRun::Kind::precise, up}),
                 b = runs({OptimumRun::Kind::precise, down});
      for (size_t v = 0; v < kept.size(); ++v) {
        CAPTURE(kept[v]);
        CAPTURE(k);
        const double difference = (*a.kept[v] - *b.kept[v]) / (up[k] - down[k]);
        // The row of an extremum stays the same over such a change; differences are good to 1e-6.
        CHECK(std::abs(*exact.slopes[v * x.size() + k] - difference) <
              1e-5 * (1 + std::abs(difference)));
      }
    }
    return 0;
  });
}

TEST_CASE("Optimum: a step into where the model cannot be run is shortened") {
  // x = 1/(1 - k t) has no value at 3 s from k = 1/3 on; 50 is reached just before.
  const OptimumResult r = SoughtOptimum{{"k"}, "(log(final(x)) - 3.912023005428146)^2"}.of(
      "model: Blow\nparameters: {k: 0.05}\nvariables: {x: {start: 1, fixed: true}}\n"
      "equations: ['der(x) = k*x^2']\nsimulation: {stop: 3, tolerance: 1e-10}\n");
  CAPTURE(r.reason);
  CHECK(r.found);
  CHECK(std::abs(r.x[0] - 0.98 / 3) < 1e-6);
}

TEST_CASE("Optimum: where there are no sensitivities, differences do, and it is said") {
  SoughtOptimum s{{"L=0.1..2"}, "(first(hinge.phi < 0) - 0.5)^2"};
  s.in(kDampedSwing, [](Optimum& optimum, const OptimumRuns& runs) {
    const OptimumResult r = optimum.run();
    CAPTURE(r.reason);
    CHECK(r.found);
    CHECK(!runs.differences().empty());
    CHECK(r.goals[0] < 1e-10);
    return 0;
  });
}

TEST_CASE("Optimum: what has no derivatives at a point is tried once, and has not failed") {
  const OptimumTask task = SoughtOptimum{{"p=0.01..1.5"}, "(mean(u) + 0.8)^2"}.task();
  Diagnostics d;
  auto tree = parseYaml(
      "model: Pushed\nparameters: {p: 0.6}\n"
      "variables: {x: {start: 0, fixed: true}, u: 'if time < p then 1 else -2'}\n"
      "equations: ['der(x) = u']\nsimulation: {interval: 0.1, tolerance: 1e-9, stop: 2}\n",
      "model.yaml", d);
  const DerivativeTools tools = derivativeTools(catalogue());
  const OptimumRuns runs(task, catalogue(), std::move(*tree), {"model.yaml"}, tools);
  int tried = 0, failed = 0;
  Optimum optimum(runs, [&](const std::vector<OptimumRun>& some) {
    std::vector<OptimumOutcome> all;
    for (const OptimumRun& run : some) {
      all.push_back(runs(run));
      if (run.kind == OptimumRun::Kind::derivatives) ++tried;
      if (all.back().hasFailed()) ++failed;
    }
    return all;
  });
  const OptimumResult r = optimum.run();
  CHECK(r.found);
  CHECK(std::abs(r.x[0] - 0.8) < 1e-4);
  CHECK(r.iterations == 1);
  CHECK(tried == 1);
  CHECK(failed == 0);
  CHECK(optimum.differences().size() == 1);
}

TEST_CASE("Optimum: instants that parameters move count in what is kept") {
  struct Case {
    std::string parts, stop, goal;
    double wanted, optimum;
  };
  const std::string ramp = "variables: {x: {start: 0, fixed: true}}\n";
  const std::string pushed =
      "variables: {x: {start: 0, fixed: true}, u: 'if time < p then 1 else -2'}\n"
      "equations: ['der(x) = u']\n";
  const std::string ended = ramp +
                            "equations: ['der(x) = 1 + p']\ncomponents: {end: {type: "
                            "Blocks.TerminateSimulation, condition: 'x > 1'}}\n";
  const std::string begun = "variables: {x: {start: 1, fixed: true}}\nequations: ['der(x) = -x']\n";
  const std::string reset = ramp +
                            "equations: ['der(x) = 1']\n"
                            "when: [{condition: 'time > p', reinit: {x: 0}}]\n";
  for (const Case& c :
       {Case{ended, "5", "final(time)", 0.8, 0.25},  // 1/(1 + p)
        Case{ended, "5", "mean(time)", 0.4, 0.25},
        Case{pushed, "2", "mean(u)", -0.8, 0.8},  // (p - 2 (2 - p))/2
        Case{pushed, "2", "rms(u)", std::sqrt(2.8), 0.8}, Case{pushed, "2", "max(x)", 0.8, 0.8},
        Case{pushed, "2", "min(x)", -1.6, 0.8},  // p - 2 (2 - p)
        Case{reset, "1", "max(x)", 0.7, 0.7},
        // p + (2 - p)/2
        Case{ramp + "equations: ['der(x) = noEvent(if x > p then 0.5 else 1)']\n", "2", "final(x)",
             1.4, 0.8},
        Case{ramp + "equations: ['der(x) = 3']\n", "p", "final(x)", 2.4, 0.8},
        Case{begun, "2, start: p", "final(x)", std::exp(-1), 1}}) {
    CAPTURE(c.parts);
    CAPTURE(c.goal);
    const OptimumResult r =
        SoughtOptimum{{"p=0.01..1.5"}, "(" + c.goal + " - " + fmt::format("{})^2", c.wanted)}.of(
            "model: Moved\nparameters: {p: 0.6}\n" + c.parts +
            "simulation: {interval: 0.1, tolerance: 1e-9, stop: " + c.stop + "}\n");
    CHECK(r.found);
    CHECK(std::abs(r.x[0] - c.optimum) < 1e-4);
  }
}

TEST_CASE("Optimum: constraints that exclude each other are no optimum") {
  const OptimumResult r =
      SoughtOptimum{{"c=100..1e4"}, "rms(a)", {"max(xs) < 0", "max(a) > 1e3"}}.of(kQuarter);
  CHECK(!r.found);
  CHECK(r.reason.find("constraints cannot be met") != std::string::npos);
  for (const OptimumResult::Constraint& c : r.constraints) {
    CHECK(c.isViolated == (&c == r.constraints.data() ? c.value > 0 : c.value < 1e3));
    CHECK(std::isnan(c.multiplier));
  }
}

TEST_CASE(
    "Optimum: a search that is stopped knows the best of the runs that were made, and no more") {
  const std::string plane =
      "model: Plane\nparameters: {x: 3, y: 3}\nvariables: {z: {start: 0, fixed: true}}\n"
      "equations: ['der(z) = 0']\nsimulation: {stop: 1, interval: 0.5}\n";
  const auto first = [](const std::vector<double>& x) {
    return std::pow(x[0] - 1, 2) + std::pow(x[1] - 2, 2);
  };
  const auto sum = [](const std::vector<double>& x) { return x[0] + x[1]; };
  // By constraints first, which no run but those at the bound comes close to.
  const auto isBetter = [&](const std::vector<double>& a, const std::vector<double>& b) {
    const auto rank = [&](const auto& x) {
      const double violation = std::max(0.0, sum(x) - 2);
      return violation > 1e-6 ? std::pair(violation, 0.0) : std::pair(0.0, first(x));
    };
    return rank(a) < rank(b);
  };
  for (const std::string method : {"local", "several", "front", "cobyla", "global"}) {
    for (size_t most = 0; most < 20; ++most) {
      CAPTURE(method);
      CAPTURE(most);
      SoughtOptimum s{{"x=-5..5", "y=-5..5"}, "final((x - 1)^2 + (y - 2)^2)", {}};
      std::vector<double> best;
      s.mostRuns = most;
      s.constraints = {"final(x + y) < 2"};
      s.after = [&](const OptimumRun& run) {
        if (run.kind == OptimumRun::Kind::plain && (best.empty() || isBetter(run.x, best)))
          best = run.x;
      };
      s.progress = [&](const Optimum::Progress& p) {
        if (method == "front") return;
        CHECK(p.objective == doctest::Approx(first(best)));
        CHECK(p.meetsConstraints == (sum(best) < 2 + 1e-6));
      };
      s.more = [&](OptimumTask& t) {
        Diagnostics d;
        if (method == "front") t.addGoal("final(x^2 + y^2)", false, {}, d);
        if (method == "front") t.front = 4;
        if (method == "several") t.starts = 4;
        if (method == "cobyla" || method == "global") t.method = method;
      };
      std::vector<OptimumResult> results;
      try {
        results = s.in(plane, [&](Optimum& o, const OptimumRuns&) {
          return method == "front" ? o.front() : std::vector{o.run()};
        });
      } catch (const AnalysisError& e) {
        MESSAGE("TEST SKIPPED: " << e.what());
        continue;
      }
      for (const OptimumResult& r : results) {
        CAPTURE(r.reason);
        CHECK((r.found || r.isStopped));
        CHECK(r.isKnown() == (most > 0));
        if (most == 0) {
          CHECK(std::isnan(r.goals[0]));
          CHECK(std::isnan(r.constraints[0].value));
          continue;
        }
        if (method != "front" && !r.found) CHECK(r.x == best);
        CHECK(r.goals[0] == doctest::Approx(first(r.x)));
        if (method == "front" && !r.found)
          CHECK(r.goals[1] == doctest::Approx(r.x[0] * r.x[0] + r.x[1] * r.x[1]));
        CHECK(r.constraints[0].value == doctest::Approx(sum(r.x)));
        CHECK(r.constraints[0].isViolated == (sum(r.x) > 2 + 1e-6));
      }
    }
  }
}

TEST_CASE("Optimum: as many iterations as it may, each a step") {
  int derivatives = 0;
  SoughtOptimum s{{"x=-1.2", "y=1"}, "final(100*(y - x^2)^2 + (1 - x)^2)"};
  const auto within = [&](long iterations) {
    derivatives = 0;
    s.more = [=](OptimumTask& t) { t.iterations = iterations; };
    s.after = [&](const OptimumRun& run) {
      derivatives += run.kind == OptimumRun::Kind::derivatives ? 1 : 0;
    };
    return s.of(
        "model: Valley\nparameters: {x: 1, y: 1}\nvariables: {z: {start: 0, fixed: true}}\n"
        "equations: ['der(z) = 0']\nsimulation: {stop: 1, interval: 0.5}\n");
  };
  const OptimumResult all = within(200);
  REQUIRE(all.found);
  for (const long most : {1L, 2L, 7L}) {
    const OptimumResult r = within(most);
    CHECK_FALSE(r.found);
    CHECK(r.iterations == most);
    CHECK(derivatives == most + 1);  // with those at the start
    CHECK(r.goals[0] < 24.2);        // that of the start
  }
  CHECK(within(all.iterations).found);
  CHECK(within(all.iterations).goals[0] == all.goals[0]);
}

TEST_CASE("Optimum: a front falls, and its ends are those of each goal alone") {
  SoughtOptimum s{{"c=100..1e4"}, "rms(a)"};
  s.more = [](OptimumTask& t) {
    Diagnostics d;
    t.addGoal("max(abs(xs - xu))", false, {}, d);
    t.front = 5;
  };
  const auto front = s.in(kQuarter, [](Optimum& o, const OptimumRuns&) { return o.front(); });
  REQUIRE(front.size() == 5);
  const OptimumResult first = SoughtOptimum{{"c=100..1e4"}, "rms(a)"}.of(kQuarter);
  CHECK(front[0].x[0] == first.x[0]);
  for (size_t i = 0; i < front.size(); ++i) {
    CHECK(front[i].found);
    if (i == 0) continue;
    CHECK(front[i].goals[0] > front[i - 1].goals[0]);
    CHECK(front[i].goals[1] < front[i - 1].goals[1]);
    const double share =
        (front[i].goals[1] - front[0].goals[1]) / (front[4].goals[1] - front[0].goals[1]);
    CHECK(std::abs(share - static_cast<double>(i) / 4) < 1e-4);
  }
}

TEST_CASE("Optimum: NLopt finds the deepest of many valleys") {
  SoughtOptimum s{{"x=2.9:-3..4"}, "final(x^2/10 - cos(6*x))"};
  const std::string model =
      "model: Valleys\nparameters: {x: 1}\nvariables: {z: {start: 0, fixed: true}}\n"
      "equations: ['der(z) = 0']\nsimulation: {stop: 1}\n";
  CHECK(s.of(model).goals[0] > -0.95);  // the local one stays where it is
  for (const std::string& method : nloptMethods()) {
    if (!nloptNeedsBounds(method)) continue;
    CAPTURE(method);
    s.more = [&](OptimumTask& t) {
      t.method = method;
      t.runs = 400;
    };
    try {
      const OptimumResult r = s.of(model);
      CHECK(std::abs(r.goals[0] + 1) < 1e-9);
      CHECK(std::abs(r.first[0] - (2.9 * 2.9 / 10 - std::cos(6 * 2.9))) < 1e-9);
    } catch (const AnalysisError& e) {
      MESSAGE("TEST SKIPPED: " << e.what());
      CHECK(std::string(e.what()).find("libnlopt") != std::string::npos);
    }
  }
}

TEST_CASE("Optimum: what has none, or was not reached, is none") {
  const std::string plane =
      "model: Plane\nparameters: {x: -1.2, y: 1}\nvariables: {z: {start: 0, fixed: true}}\n"
      "equations: ['der(z) = 0']\nsimulation: {stop: 1, interval: 0.5}\n";
  const auto isUnbounded = [&](SoughtOptimum s) {
    const OptimumResult r = s.of(plane);
    CAPTURE(r.reason);
    CHECK_FALSE(r.found);
    CHECK(r.reason.find("no optimum within these bounds") == 0);
  };
  isUnbounded({{"x"}, "final(x)"});
  isUnbounded({{"x=1:0.."}, "final(x^3)", {}, true});
  isUnbounded({{"x", "y"}, "final(x + y)", {"final(y - x) == 1"}});
  CHECK(SoughtOptimum{{"x=-1.2:-1e6..2"}, "final(x)"}.of(plane).x[0] == doctest::Approx(-1e6));
  CHECK(SoughtOptimum{{"x"}, "final(abs(x - 1e6))"}.of(plane).found);
  SoughtOptimum valley{{"x=-5..5", "y=-5..5"}, "final((x - 1)^2 + (y - 2)^2)"};
  for (const long runs : {30L, 1000L}) {
    CAPTURE(runs);
    valley.more = [&](OptimumTask& t) {
      t.method = "cobyla";
      t.runs = runs;
    };
    try {
      const OptimumResult r = valley.of(plane);
      CHECK(r.found == (runs > 30));
      CHECK((r.goals[0] < 1e-12) == r.found);
    } catch (const AnalysisError& e) {
      MESSAGE("TEST SKIPPED: " << e.what());
    }
  }
}

TEST_CASE("Optimum: a value is kept between two bounds, whichever side they are written on") {
  const std::string line =
      "model: Line\nparameters: {x: 0.5}\nvariables: {z: {start: 0, fixed: true}}\n"
      "equations: ['der(z) = 0']\nsimulation: {stop: 1, interval: 0.5}\n";
  for (const char* range : {"0.25 < final(x) < 0.75", "0.75 >= final(x) >= 0.25"}) {
    CAPTURE(range);
    for (const bool most : {false, true}) {
      const OptimumResult r = SoughtOptimum{{"x"}, "final(x)", {range}, most}.of(line);
      CHECK(r.found);
      CHECK(r.x[0] == doctest::Approx(most ? 0.75 : 0.25));
      REQUIRE(r.constraints.size() == 2);
      CHECK(r.constraints[0].value == doctest::Approx(r.x[0]));
    }
  }
}

TEST_CASE(
    "QuadraticProgram: solutions of random ones meet the conditions of Karush, Kuhn, Tucker") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto matrix = [&](int rows, int columns) {
    return Eigen::MatrixXd(
        Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); }));
  };
  int solved = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 9, m = trial % 7, equal = std::min({trial % 3, m, n - 1});
    const Eigen::MatrixXd half = matrix(n, n);
    QuadraticProgram p{half * half.transpose() + 1e-3 * Eigen::MatrixXd::Identity(n, n),
                       matrix(n, 1),
                       matrix(m, n),
                       matrix(m, 1),
                       equal,
                       Eigen::VectorXd::Constant(n, -1.5),
                       Eigen::VectorXd::Constant(n, 2)};
    const auto s = solve(p);
    if (!s) continue;
    ++solved;
    const double size =
        1e-8 * (1 + s->multipliers.lpNorm<1>() + s->atLow.lpNorm<1>() + s->atHigh.lpNorm<1>());
    const Eigen::VectorXd slope =
        p.B * s->d + p.g - p.A.transpose() * s->multipliers - s->atLow + s->atHigh;
    const Eigen::VectorXd rest = p.A * s->d + p.c;
    CHECK(slope.lpNorm<Eigen::Infinity>() < size);
    CHECK(rest.head(equal).norm() < 1e-8);
    CHECK((rest.size() == 0 || rest.minCoeff() > -1e-8));
    CHECK((s->d - p.low).minCoeff() > -1e-8);
    CHECK((p.high - s->d).minCoeff() > -1e-8);
    CHECK(s->atLow.minCoeff() >= 0);
    CHECK(s->atHigh.minCoeff() >= 0);
    for (int i = equal; i < m; ++i) {
      CHECK(s->multipliers[i] >= 0);
      CHECK(s->multipliers[i] * rest[i] < size);
    }
  }
  CHECK(solved > 150);
}

TEST_CASE("OptimumTask: what is wrong is told with its place") {
  const auto refused = [](SoughtOptimum s, const std::string& why) {
    CAPTURE(why);
    try {
      s.of(kQuarter);
      FAIL_CHECK("accepted");
    } catch (const ModelError& e) {
      CAPTURE(e.what());
      CHECK(std::string(e.what()).find(why) != std::string::npos);
    }
  };
  refused({{}, "rms(a)"}, "an optimum must have parameters");
  refused({{"c"}, ""}, "an optimum must have a goal");
  refused({{"c", "c"}, "rms(a)"}, "parameter 'c' must not be given twice");
  refused({{"e"}, "rms(a)"}, "'e' is no parameter");
  refused({{"c=1..10"}, "rms(a)"}, "must start within the bounds of 'c', 1..10, found 1500");
  refused({{"c"}, "a"}, "a kept value must say what of a run it is");
  refused({{"c"}, "rms(b)"}, "b");
  refused({{"c"}, "rms(a)", {"max(a)"}}, "a constraint must be as max(travel) < 0.1");
  refused({{"c"}, "rms(a)", {"0 < max(a) > 1"}}, "or 0 < max(travel) < 0.1, found");
  refused({{"c"}, "rms({xs, xu})"}, "must be one number, found a vector");
  refused({{"c"}, "rms(a)", {}, false, [](OptimumTask& t) { t.starts = 2; }},
          "'c' has none: c=FROM..TO");
  refused({{"c"}, "rms(a)", {}, false, [](OptimumTask& t) { t.method = "lokal"; }},
          "did you mean 'local'?");
  refused({{"c"}, "rms(a)", {}, false, [](OptimumTask& t) { t.front = 3; }},
          "a front must have two goals");
}
