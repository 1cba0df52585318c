// Sensitivities against closed forms, an independent integration and differences of runs.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "components/catalogue.h"
#include "engine/integration/input_table.h"
#include "engine/motion_point.h"
#include "engine/sensitivities/sensitivities.h"

using namespace cardan;

namespace {

Trajectory sensitivitiesOf(const std::string& text, const std::vector<std::string>& parameters,
                           const std::vector<std::string>& outputs, double stop,
                           IntegratorChoice method = IntegratorChoice::ida,
                           double tolerance = 1e-11,
                           std::shared_ptr<const InputTable> inputs = {}) {
  Simulation nominal = Simulation::fromText(catalogue(), text, "m.yaml");
  Sensitivities s(
      nominal,
      [&](const Overrides& more) {
        return Simulation::fromText(catalogue(), text, "m.yaml", more);
      },
      parameters, outputs, catalogue());
  Trajectory rows;
  s.run(rows, {.stopTime = stop,
               .tolerance = tolerance,
               .integrator = method,
               .inputs = std::move(inputs)});
  return rows;
}

/// Each of them in a pass of the test.
IntegratorChoice anyMethod() {
  IntegratorChoice method = IntegratorChoice::ida;
  SUBCASE("ida") {}
  SUBCASE("explicit") { method = IntegratorChoice::explicitMethod; }
  SUBCASE("automatic") { method = IntegratorChoice::automatic; }
  return method;
}

std::string refusalOf(const std::string& text, const std::vector<std::string>& parameters,
                      const std::vector<std::string>& outputs) {
  try {
    sensitivitiesOf(text, parameters, outputs, 0.1);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

/// Largest distance of a column from wanted(t, row), where `from` < t [s], relative to the largest.
template <class F>
double distance(const Trajectory& rows, const std::string& column, F wanted, double from = -1) {
  const std::vector<double>&t = rows.time(), &x = rows[column];
  double most = 0;
  for (size_t i = 0; i < t.size(); ++i) {
    if (t[i] > from) most = std::max(most, std::abs(x[i] - wanted(t[i])));
  }
  return most / largest(x);
}

constexpr const char* kSwing = R"yaml(
parameters: {L: 1.2}
components:
  revolute: {type: Revolute, phi: {start: -0.5, fixed: true}, w: {fixed: true}}
  body:     {type: Body, m: 1, r_CM: [L, 0, 0], I_11: 0, I_22: 0, I_33: 0}
connections:
  - [world.frame_b, revolute.frame_a]
  - [revolute.frame_b, body.frame_a]
outputs: [revolute.phi]
)yaml";

/// phi, phi', and their derivatives by L, g and the first angle: phi'' = -(g/L) cos(phi).
using Variation = std::array<double, 8>;
Variation ratesOfSwing(const Variation& x, double L, double g) {
  const double s = std::sin(x[0]), c = std::cos(x[0]);
  return {x[1], -g / L * c,
          x[3], g / L * s * x[2] + g / (L * L) * c,
          x[5], g / L * s * x[4] - c / L,
          x[7], g / L * s * x[6]};
}

/// sn and cn of modulus k, by Gauss's transformation (Abramowitz, Stegun 16.4).
std::pair<double, double> jacobi(double u, double k) {
  constexpr size_t n = 8;
  std::array<double, n + 1> a{1}, c{k};
  double b = std::sqrt(1 - k * k), power = 1;
  for (size_t i = 0; i < n; ++i) {
    a[i + 1] = (a[i] + b) / 2;
    c[i + 1] = (a[i] - b) / 2;
    b = std::sqrt(a[i] * b);
    power *= 2;
  }
  double phi = power * a[n] * u;
  for (size_t i = n; i > 0; --i) phi = (phi + std::asin(c[i] * std::sin(phi) / a[i])) / 2;
  return {std::sin(phi), std::cos(phi)};
}

/// By the classical method of order 4, over `t` in steps of about 1e-4 s.
Variation swingAfter(double t, Variation x, double L, double g) {
  const int n = 1 + static_cast<int>(t / 1e-4);
  const double h = t / n;
  const auto plus = [](Variation a, const Variation& b, double f) {
    for (size_t i = 0; i < a.size(); ++i) a[i] += f * b[i];
    return a;
  };
  for (int k = 0; k < n; ++k) {
    const Variation k1 = ratesOfSwing(x, L, g), k2 = ratesOfSwing(plus(x, k1, h / 2), L, g),
                    k3 = ratesOfSwing(plus(x, k2, h / 2), L, g),
                    k4 = ratesOfSwing(plus(x, k3, h), L, g);
    for (size_t i = 0; i < x.size(); ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return x;
}

}  // namespace

TEST_CASE("Sensitivities: a pendulum's angle by length, gravity and start") {
  const IntegratorChoice method = anyMethod();
  const double g = 9.80665;
  const Trajectory rows =
      sensitivitiesOf(kSwing, {"L", "world.g", "revolute.phi.start"},
                      {"revolute.phi", "revolute.w", "body.frame_a.f[1]"}, 6, method);
  CHECK(rows.columns().size() == 12);
  CHECK(rows.columns()[3].name == "d(revolute.phi)/d(L)");
  CHECK(rows.columns()[4].unit == "rad/(m/s2)");
  Variation x{-0.5, 0, 0, 0, 0, 0, 1, 0};
  double before = 0;
  std::array<double, 6> worst{};
  for (size_t i = 0; i < rows.time().size(); ++i) {
    x = swingAfter(rows.time()[i] - before, x, 1.2, g);
    before = rows.time()[i];
    size_t k = 0;
    for (const char* p : {"L", "world.g", "revolute.phi.start"}) {
      for (const char* y : {"phi", "w"}) {
        const double d = rows[fmt::format("d(revolute.{})/d({})", y, p)][i];
        worst[k] = std::max(worst[k], std::abs(d - x[2 + k]));
        ++k;
      }
    }
  }
  for (const double w : worst) CHECK(w < 1e-7);
}

TEST_CASE("Sensitivities: a pendulum's angle by length and gravity, in closed form") {
  const IntegratorChoice method = anyMethod();
  // theta = phi + pi/2 from the lowest point: sin(theta/2) = k sn(K - w0 t), w0 = sqrt(g/L). Length
  // and gravity only change w0, so that d(phi)/dL = -t w/(2 L), d(phi)/dg = t w/(2 g).
  const double g = 9.80665, L = 1.2, w0 = std::sqrt(g / L);
  const double k = std::sin((std::numbers::pi / 2 - 0.5) / 2), K = std::comp_ellint_1(k);
  const Trajectory rows =
      sensitivitiesOf(kSwing, {"L", "world.g"}, {"revolute.phi", "revolute.w"}, 6, method, 1e-10);
  std::array<double, 5> worst{};
  for (size_t i = 0; i < rows.time().size(); ++i) {
    const double t = rows.time()[i];
    const auto [sn, cn] = jacobi(K - w0 * t, k);
    const double theta = 2 * std::asin(k * sn), w = -2 * k * w0 * cn,
                 a = -w0 * w0 * std::sin(theta);
    const std::array<double, 5> off{rows["revolute.phi"][i] - (theta - std::numbers::pi / 2),
                                    rows["d(revolute.phi)/d(L)"][i] + t * w / (2 * L),
                                    rows["d(revolute.phi)/d(world.g)"][i] - t * w / (2 * g),
                                    rows["d(revolute.w)/d(L)"][i] + (t * a + w) / (2 * L),
                                    rows["d(revolute.w)/d(world.g)"][i] - (t * a + w) / (2 * g)};
    for (size_t j = 0; j < off.size(); ++j) worst[j] = std::max(worst[j], std::abs(off[j]));
  }
  for (const double w : worst) CHECK(w < 1e-7);
}

TEST_CASE("Sensitivities: of a run that begins in touch with a contact") {
  const IntegratorChoice method = anyMethod();
  // s = s0 - F/c (1 - cos(w t)), w^2 = c/m; s0 is where both the mass and the spring begin.
  const double F = 9.81, c = 2e4, m = 1;
  for (const double tolerance : {1e-8, 1e-10, 1e-11, 1e-12, 1e-13}) {
    CAPTURE(tolerance);
    const Trajectory rows =
        sensitivitiesOf(R"yaml(
components:
  gap: {type: Translational.ElastoGap, c: 2e4, d: 0, s_rel0: 0.1}
  wall: {type: Translational.Fixed}
  mass: {type: Translational.Mass, m: 1, s: {start: 0.1, fixed: true}, v: {fixed: true}}
  weight: {type: Translational.Force, f: -9.81}
connections: [[wall.flange, gap.flange_a], [gap.flange_b, mass.flange_a], [weight.flange, mass.flange_b]]
)yaml",
                        {"gap.c", "mass.m", "gap.s_rel0"}, {"mass.s"}, 0.03, method, tolerance);
    const double w = std::sqrt(c / m), rounded = std::max(1e-5, 100 * tolerance);
    CHECK(distance(rows, "d(mass.s)/d(gap.c)", [&](double t) {
            return F / (c * c) * (1 - std::cos(w * t)) - F / c * std::sin(w * t) * w * t / (2 * c);
          }) < rounded);
    CHECK(distance(rows, "d(mass.s)/d(mass.m)",
                   [&](double t) { return F / c * std::sin(w * t) * w * t / (2 * m); }) < rounded);
    // Contact is taken up where they overlap by 1e-10 m, later by t = sqrt(2e-10 m/F): about w t of
    // the derivative is missing.
    CHECK(distance(rows, "d(mass.s)/d(gap.s_rel0)", [&](double t) { return 1 - std::cos(w * t); }) <
          2 * w * std::sqrt(2e-10 * m / F));
  }
}

TEST_CASE("Sensitivities: of a loop, against differences of runs") {
  const IntegratorChoice method = anyMethod();
  const std::string path = std::string(CARDAN_SOURCE_DIR) + "/models/loops/fourbar.yaml";
  const std::vector<std::string> outputs{"rocker_joint.phi", "coupler.frame_b.r_0[2]",
                                         "rocker_joint.frame_a.f[1]"};
  const auto load = [&](const Overrides& more) { return Simulation(catalogue(), path, more); };
  Simulation nominal = load({});
  Sensitivities s(nominal, load, {"crank.r[1]", "coupler.m"}, outputs, catalogue());
  Trajectory rows;
  RunOptions options{.stopTime = 2, .outputInterval = 0.05, .tolerance = 1e-10};
  options.integrator = method;
  s.run(rows, options);
  for (const auto& [name, value] : {std::pair{"crank.r[1]", 0.3}, std::pair{"coupler.m", 0.5}}) {
    const double h = 1e-3 * value;
    std::vector<Trajectory> runs(4);
    const std::array<double, 4> at{-2, -1, 1, 2}, weight{1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    for (size_t k = 0; k < 4; ++k) {
      RunOptions tight = options;
      tight.tolerance = 1e-12;
      tight.outputs = outputs;
      load({fmt::format("{}={:.17g}", name, value + at[k] * h)}).run(runs[k], tight);
    }
    for (const std::string& y : outputs) {
      CAPTURE(y);
      const std::vector<double>& d = rows[fmt::format("d({})/d({})", y, name)];
      REQUIRE(d.size() == runs[0].time().size());
      double worst = 0;
      for (size_t i = 0; i < d.size(); ++i) {
        double difference = 0;
        for (size_t k = 0; k < 4; ++k) difference += weight[k] * runs[k][y][i] / h;
        worst = std::max(worst, std::abs(d[i] - difference));
      }
      CHECK(worst < 1e-6 * largest(d));
    }
  }
}

TEST_CASE("Sensitivities: through the bounces of a ball, and of what is noted at them") {
  const IntegratorChoice method = anyMethod();
  const double h0 = 1, g = 9.81, e = 0.8;
  const Trajectory rows = sensitivitiesOf(R"yaml(
parameters: {g: 9.81, e: 0.8, h0: 1}
variables:
  h: {start: h0, fixed: true}
  v: {start: 0, fixed: true}
  last: {start: 0}
equations: ["der(h) = v", "der(v) = -g"]
when:
  - condition: "h < 0"
    reinit: {v: "-e*pre(v)"}
    set: {last: time}
)yaml",
                                          {"e", "g", "h0"}, {"h", "v", "last"}, 2.5, method);
  // Bounce n is at T = t1 (1 + 2 e + ... + 2 e^(n-1)) and ends with the speed e^n sqrt(2 g h0).
  const auto wanted = [&](double t, const std::string& what) {
    const double t1 = std::sqrt(2 * h0 / g), v0 = g * t1;
    double T = 0, Te = 0, next = t1, nextE = 0;
    int n = 0;
    while (next < t) {
      ++n;
      T = next;
      Te = nextE;
      next += 2 * std::pow(e, n) * t1;
      nextE += 2 * n * std::pow(e, n - 1) * t1;
    }
    const double V = n > 0 ? std::pow(e, n) * v0 : 0, tau = t - T, H = n > 0 ? 0 : h0;
    const double Ve = n > 0 ? n * std::pow(e, n - 1) * v0 : 0;
    const double v = V - g * tau, Tg = -T / (2 * g), Vg = V / (2 * g), Th = T / (2 * h0),
                 Vh = V / (2 * h0), Hh = H / h0;
    if (what == "last/e") return Te;
    if (what == "h/e") return Ve * tau - v * Te;
    if (what == "v/e") return Ve + g * Te;
    if (what == "h/g") return Vg * tau - v * Tg - tau * tau / 2;
    if (what == "v/g") return Vg + g * Tg - tau;
    if (what == "h/h0") return Hh + Vh * tau - v * Th;
    return Vh + g * Th;
  };
  for (const std::string what : {"h/e", "v/e", "h/g", "v/g", "h/h0", "v/h0", "last/e"}) {
    CAPTURE(what);
    const size_t slash = what.find('/');
    const std::string column = "d(" + what.substr(0, slash) + ")/d(" + what.substr(slash + 1) + ")";
    const std::vector<double>&t = rows.time(), &x = rows[column];
    double worst = 0;
    for (size_t i = 0; i < t.size(); ++i) {
      const bool event = (i > 0 && t[i] == t[i - 1]) || (i + 1 < t.size() && t[i] == t[i + 1]);
      if (!event) worst = std::max(worst, std::abs(x[i] - wanted(t[i], what)));
    }
    CHECK(worst < 1e-7 * largest(x));
  }
}

TEST_CASE("Sensitivities: through an impact on a spring of contact") {
  const IntegratorChoice method = anyMethod();
  // The ball meets the ground at 0.01 s, is thrown back after half a period, pi sqrt(m/k).
  const double m = 0.4, k = 2e4, v = 1;
  const Trajectory rows =
      sensitivitiesOf(R"yaml(
world: {gravityType: NoGravity}
components:
  ball: {type: Body, m: 0.4, r_CM: [0, 0, 0], I_11: 4e-4, I_22: 4e-4, I_33: 4e-4, r_0: {start: [0, 0.06, 0], fixed: true}, v_0: {start: [0, -1, 0], fixed: true}, angles_fixed: true, w_0_fixed: true}
  c: {type: Contact.SpherePlane, radius: 0.05, k: 2e4, exponent: 1}
connections: [[world.frame_b, c.frame_a], [c.frame_b, ball.frame_a]]
)yaml",
                      {"c.k", "ball.m", "c.radius"}, {"ball.r_0[2]"}, 0.05, method);
  const double half = std::numbers::pi * std::sqrt(m / k), left = 0.01 + half;
  // The explicit method takes differences of forces, over radii that differ by 2^-17 of themselves on
  // either side: half of that path with the stiffness k/m is missing in the speed it leaves with.
  const double seen = 0.5 * 2 * 0.05 * 0x1p-17 / v * k / m * (0.05 - left);
  const double bound = method == IntegratorChoice::ida ? 1e-6 : seen;
  const auto near = [&](const char* p, double value) {
    CAPTURE(p);
    CHECK(distance(
              rows, fmt::format("d(ball.r_0[2])/d({})", p), [&](double) { return value; },
              left + 1e-6) < bound);
  };
  near("c.k", v * half / (2 * k));
  near("ball.m", -v * half / (2 * m));
  near("c.radius", 2);
}

/// Through slip, sticking by bristles within microseconds, and parting.
TEST_CASE(
    "Sensitivities: through an impact of a ball with friction that sticks, against differences") {
  const std::string text = R"yaml(
world: {g: 9.81, n: [0, 0, -1]}
parameters: {mu: 0.4, e: 0.5, depth: 1e-5, z0: 0.25}
contacts: {defaults: {mu: mu, restitution: e, penetration: depth}}
components:
  floor: {type: Contact.Shape, shape: plane}
  ball: {type: Contact.Shape, shape: sphere, radius: 0.1}
  body: {type: Body, m: 1, r_CM: [0, 0, 0], I_11: 4e-3, I_22: 5e-3, I_33: 6e-3, r_0: {start: [0, 0, z0], fixed: true}, v_0: {start: [0.5, 0.1, -0.5], fixed: true}, angles_start: [0.5, 0.6, -0.3], angles_fixed: true, w_0_start: [1, 2, 0], w_0_fixed: true}
connections:
  - [world.frame_b, floor.frame_a]
  - [body.frame_a, ball.frame_a]
)yaml";
  const double stop = 0.2;
  const std::vector<std::pair<std::string, double>> parameters{
      {"mu", 0.4}, {"e", 0.5}, {"depth", 1e-5}, {"z0", 0.25}};
  const std::vector<std::string> outputs{"body.r_0[1]", "body.r_0[2]", "body.r_0[3]"};
  const Trajectory rows =
      sensitivitiesOf(text, {"mu", "e", "depth", "z0"}, outputs, stop, IntegratorChoice::ida, 1e-9);
  for (const auto& [name, at] : parameters) {
    CAPTURE(name);
    const double h = 1e-4 * at;
    const auto run = [&](double value) {
      Simulation s = Simulation::fromText(catalogue(), text, "m.yaml",
                                          {fmt::format("{}={:.17g}", name, value)});
      Trajectory r;
      s.run(r, {.stopTime = stop, .tolerance = 1e-12, .outputs = outputs});
      return r;
    };
    const Trajectory more = run(at + h), less = run(at - h);
    Eigen::Vector3d wanted, found;
    for (int i = 0; i < 3; ++i) {
      wanted[i] = (more[outputs[i]].back() - less[outputs[i]].back()) / (2 * h);
      found[i] = rows[fmt::format("d({})/d({})", outputs[i], name)].back();
    }
    CHECK((found - wanted).norm() < 1e-3 * wanted.norm());
  }
}

TEST_CASE("Sensitivities: through a clutch that locks") {
  const IntegratorChoice method = anyMethod();
  const std::string text = R"yaml(
parameters: {J1: 1, J2: 3, w0: 10, f: 2}
components:
  one: {type: Rotational.Inertia, J: J1, phi: {fixed: true}, w: {start: w0, fixed: true}}
  clutch: {type: Rotational.Clutch, mu_pos: [[0, 1]], fn_max: f, f_normalized: 1}
  two: {type: Rotational.Inertia, J: J2, phi: {fixed: true}, w: {fixed: true}}
connections:
  - [one.flange_b, clutch.flange_a]
  - [clutch.flange_b, two.flange_a]
)yaml";
  const double J1 = 1, J2 = 3, w0 = 10, f = 2;
  const double lock = w0 / (f * (1 / J1 + 1 / J2)), w = J1 * w0 / (J1 + J2);
  const Trajectory rows =
      sensitivitiesOf(text, {"J1", "w0", "f"}, {"two.phi", "two.w", "one.w", "one.phi"}, 8, method);
  CHECK(lock < 4);
  const auto near = [&](const std::string& column, auto wanted) {
    CAPTURE(column);
    CHECK(distance(rows, column, wanted, lock + 1e-9) < 1e-7);
  };
  // Then both turn with w; phi2 = f lock^2/(2 J2) + w (t - lock).
  const double wJ = w0 * J2 / ((J1 + J2) * (J1 + J2)), ww = J1 / (J1 + J2);
  const double lockJ = w0 / f * J2 * J2 / ((J1 + J2) * (J1 + J2)), lockw = lock / w0;
  for (const char* y : {"one.w", "two.w"}) {
    near(fmt::format("d({})/d(J1)", y), [&](double) { return wJ; });
    near(fmt::format("d({})/d(w0)", y), [&](double) { return ww; });
  }
  near("d(two.phi)/d(f)", [&](double) { return lock * lock / (2 * J2); });
  near("d(two.phi)/d(J1)",
       [&](double t) { return f * lock / J2 * lockJ + wJ * (t - lock) - w * lockJ; });
  near("d(two.phi)/d(w0)",
       [&](double t) { return f * lock / J2 * lockw + ww * (t - lock) - w * lockw; });
}

TEST_CASE("Sensitivities: through what blocks hold between samples, by gains and by periods") {
  // A first-order plant under the block `h`, which reads it.
  const std::vector<std::pair<std::string, std::string>> blocks{
      {"Blocks.ZeroOrderHold, samplePeriod: T, u: '-K*z'", "h.y"},
      {"Blocks.Sampler, samplePeriod: T, u: '-K*z'", "h.y"},
      {"Blocks.FirstOrderHold, samplePeriod: T, u: '-K*z'", "h.y"},
      {"Blocks.UnitDelay, samplePeriod: T, u: '-K*z', y_start: 0.1*K", "h.y"},
      {"Blocks.Discrete.TransferFunction, samplePeriod: T, u: '-K*z', b: [0.5, 0.1], a: [1, 0.4*K]",
       "h.y"},
      {"Blocks.Discrete.StateSpace, samplePeriod: T, u: ['-K*z'], A: [[0.5*K]], B: [[1]], C: "
       "[[1]], "
       "D: [[0.2]]",
       "h.y[1]"},
      {"Blocks.TriggeredSampler, u: '-K*z', trigger: 'sin(10*K*time) > 0.3'", "h.y"},
      {"Blocks.TriggeredMax, u: '-K*z', trigger: 'sin(10*K*time) > 0.3'", "h.y"},
      {"Blocks.TriggeredTrapezoid, u: 'sin(3*K*time) > 0.3', rising: 0.3, falling: 0.2*K, "
       "amplitude: K",
       "h.y"},
      {"Blocks.Timer, u: 'sin(3*K*time) > 0.3'", "h.y"},
      {"Blocks.Integrator, u: '-K*z', use_reset: true, reset: 'sin(4*K*time) > 0.5', use_set: "
       "true, "
       "set: 0.1*K*time",
       "h.y"}};
  const auto textOf = [](const auto& block, double K, double T) {
    return fmt::format(
        "parameters: {{K: {}, T: {}}}\nvariables: {{z: {{start: 0.5, fixed: true}}}}\n"
        "equations: ['der(z) = {} - 0.3*z']\ncomponents: {{h: {{type: {}}}}}\n",
        K, T, block.second, block.first);
  };
  const double K = 1.3, T = 0.11, stop = 1.03, h = 1e-5;
  const auto endOf = [&](const auto& block, double gain, double period) {
    Simulation s = Simulation::fromText(catalogue(), textOf(block, gain, period), "m.yaml");
    Trajectory rows;
    s.run(rows, {.stopTime = stop, .tolerance = 1e-11, .outputs = {"z"}});
    return rows["z"].back();
  };
  const IntegratorChoice method = anyMethod();
  for (const auto& block : blocks) {
    INFO(block.first);
    const Trajectory rows = sensitivitiesOf(textOf(block, K, T), {"K", "T"}, {"z"}, stop, method);
    const double byK = (endOf(block, K + h, T) - endOf(block, K - h, T)) / (2 * h);
    const double byT = (endOf(block, K, T + h) - endOf(block, K, T - h)) / (2 * h);
    // What the third derivative leaves of the differences, and the runs' tolerance over h.
    CHECK(std::abs(rows["d(z)/d(K)"].back() - byK) < 1e-5 * (1 + std::abs(byK)));
    CHECK(std::abs(rows["d(z)/d(T)"].back() - byT) < 1e-5 * (1 + std::abs(byT)));
  }
}

TEST_CASE("Sensitivities: by the instant of a step") {
  const IntegratorChoice method = anyMethod();
  for (const std::string tau : {"\"if time < t0 then 0 else 2\"", "step.y"}) {
    CAPTURE(tau);
    const std::string step =
        tau == "step.y" ? "  step: {type: Blocks.Step, height: 2, startTime: t0}\n" : "";
    const Trajectory rows =
        sensitivitiesOf("parameters: {t0: 0.4}\ncomponents:\n" + step +
                            "  torque: {type: Rotational.Torque, tau: " + tau +
                            "}\n"
                            "  shaft: {type: Rotational.Inertia, J: 0.5, phi: {fixed: true}, w: "
                            "{fixed: true}}\n"
                            "connections: [[torque.flange, shaft.flange_a]]\n",
                        {"t0", "shaft.J"}, {"shaft.phi", "shaft.w"}, 1, method);
    CHECK(distance(
              rows, "d(shaft.w)/d(t0)", [](double) { return -4.0; }, 0.4) < 1e-9);
    CHECK(distance(
              rows, "d(shaft.phi)/d(t0)", [](double t) { return -4 * (t - 0.4); }, 0.4) < 1e-9);
    CHECK(distance(
              rows, "d(shaft.w)/d(shaft.J)", [](double t) { return -8 * (t - 0.4); }, 0.4) < 1e-9);
    CHECK(distance(rows, "d(shaft.w)/d(t0)", [](double) { return -4.0; }) > 0.5);  // 0 before
  }
}

TEST_CASE(
    "Sensitivities: where nothing moves but by the parameter, the steps follow its derivative") {
  // y rests at 0; its derivative by the force is (1 - cos(w t))/c.
  const Trajectory rows = sensitivitiesOf(R"yaml(
parameters: {F: 0}
variables: {x: {start: 0, fixed: true}, v: {start: 0, fixed: true}}
equations: ["der(x) = v", "der(v) = F - 400*x"]
)yaml",
                                          {"F"}, {"x"}, 5, IntegratorChoice::ida, 1e-9);
  const double off =
      distance(rows, "d(x)/d(F)", [](double t) { return (1 - std::cos(20 * t)) / 400; });
  CHECK(off * largest(rows["d(x)/d(F)"]) < 100 * 1e-9);
}

TEST_CASE("Sensitivities: wrong names and what cannot vary, all told at once") {
  const std::string text = std::string(kSwing) + R"yaml(
when:
  - condition: "time > 0.05"
    set: {n: "1"}
variables: {n: {start: 0, type: Integer}}
)yaml";
  const std::string told =
      refusalOf(text, {"l", "revolute.n", "revolute.useAxisFlange", "body.m"}, {"n", "nothing"});
  CAPTURE(told);
  CHECK(told.find("'l' is no parameter of the model or of a component; did you mean 'L'?") !=
        std::string::npos);
  CHECK(told.find("'revolute.n' is a vector of 3: ask for an element, as 'revolute.n[1]'") !=
        std::string::npos);
  CHECK(told.find("'revolute.useAxisFlange' is no number") != std::string::npos);
  CHECK(told.find("output 'n' only jumps") != std::string::npos);
  CHECK(told.find("nothing") != std::string::npos);
  CHECK(told.find("m.yaml: error: ") == 0);
}

TEST_CASE("Sensitivities: what moves the start of the run is refused") {
  const std::string told = refusalOf(
      "parameters: {t0: 0.2}\nvariables: {x: {start: 1, fixed: true}}\nequations: [der(x) = -x]\n"
      "simulation: {start: t0}\n",
      {"t0"}, {"x"});
  CHECK(told.find("'t0' cannot be varied about its value 0.2: it changes when the run starts") !=
        std::string::npos);
}

TEST_CASE("sensitivities: by a start value of a joint, at what it is") {
  // Of what the start determines through it: y = sin(phi) at phi = 1.
  const Trajectory rows = sensitivitiesOf(R"yaml(
components:
  j1:  {type: Revolute, n: [0, 0, 1], phi: {start: 1, fixed: true}, w: {fixed: true}}
  rod: {type: Body, m: 1, r_CM: [0, -0.5, 0]}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, rod.frame_a]
variables: {y: {}}
equations: ["der(y) = 0*j1.w"]
initial_equations: ["y = sin(j1.phi)"]
)yaml",
                                          {"j1.phi.start"}, {"y"}, 0.1);
  CHECK(rows["d(y)/d(j1.phi.start)"].back() == doctest::Approx(std::cos(1.0)).epsilon(1e-8));
}

TEST_CASE("sensitivities: of what begins by an initial equation, and is held") {
  // r = p sin(phi) is held from the start on: y = r t.
  const Trajectory rows = sensitivitiesOf(R"yaml(
parameters: {p: 3}
variables: {phi: {start: 1, fixed: true}, y: {start: 0, fixed: true}, r: {}}
equations: ["der(phi) = 1", "der(y) = r"]
initial_equations: ["pre(r) = p*sin(phi)"]
when: [{condition: "time > 0.2", set: {r: "2*pre(r)"}}]
)yaml",
                                          {"p", "phi.start"}, {"y"}, 0.4);
  CHECK(rows["d(y)/d(p)"].back() == doctest::Approx(0.6 * std::sin(1.0)).epsilon(1e-6));
  CHECK(rows["d(y)/d(phi.start)"].back() == doctest::Approx(1.8 * std::cos(1.0)).epsilon(1e-6));
}

TEST_CASE("Sensitivities: by start values of what composites show of their parts") {
  const std::vector<std::string> starts{"j.s_x.start",   "j.v_x.start", "j.phi.start",
                                        "c.s.start",     "c.v.start",   "c.w.start",
                                        "u.phi_a.start", "u.w_b.start", "turn[2].phi.start"};
  const std::vector<std::string> shown{"j.s_x", "j.v_x",   "j.phi",   "c.s",        "c.v",
                                       "c.w",   "u.phi_a", "u.phi_b", "turn[2].phi"};
  const Trajectory rows = sensitivitiesOf(R"yaml(
world: {gravityType: NoGravity}
components:
  j: {type: Planar, s_x: {start: 0.1, fixed: true}, v_x: {start: 1, fixed: true}, s_y: {fixed: true}, v_y: {fixed: true}, phi: {fixed: true}, w: {fixed: true}}
  c: {type: Cylindrical, s: {start: 0.1, fixed: true}, v: {start: 1, fixed: true}, phi: {fixed: true}, w: {fixed: true}}
  u: {type: Universal, phi_a: {start: 0.1, fixed: true}, w_a: {fixed: true}, phi_b: {fixed: true}, w_b: {fixed: true}}
  turn: {type: Revolute, count: 2, phi: {start: 0.1, fixed: true}, w: {fixed: true}}
  b: {type: Body, m: 1, I_11: 1, I_22: 1, I_33: 1, count: 5}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, "b[1].frame_a"]
  - [world.frame_b, c.frame_a]
  - [c.frame_b, "b[2].frame_a"]
  - [world.frame_b, u.frame_a]
  - [u.frame_b, "b[3].frame_a"]
  - [world.frame_b, "turn[1].frame_a"]
  - ["turn[1].frame_b", "b[4].frame_a"]
  - [world.frame_b, "turn[2].frame_a"]
  - ["turn[2].frame_b", "b[5].frame_a"]
)yaml",
                                          starts, shown, 0.7);
  // Free of forces: positions are s + t v, all else stays; each by its own start alone.
  const auto owner = [](const std::string& name) { return name.substr(0, name.find('.')); };
  for (const std::string& start : starts) {
    for (const std::string& x : shown) {
      CAPTURE(start);
      CAPTURE(x);
      const std::string of = start.substr(0, start.rfind('.'));
      double wanted = of == x ? 1 : 0;
      if (of == "j.v_x" && x == "j.s_x") wanted = 0.7;
      if (of == "c.v" && x == "c.s") wanted = 0.7;
      if (of == "u.w_b" && x == "u.phi_b") wanted = 0.7;
      // Angles of a universal joint turn each other from second order on.
      if (owner(of) == "u" && of != x && wanted == 0) continue;
      CHECK(std::abs(rows["d(" + x + ")/d(" + start + ")"].back() - wanted) < 1e-6);
    }
  }
}

TEST_CASE(
    "Sensitivities: a body that tumbles through changes of its charts, one method as the other") {
  const std::string text = R"yaml(
world: {gravityType: NoGravity}
parameters: {I1: 0.1, w2: 6}
components:
  body: {type: Body, m: 1, r_CM: [0.05, 0, 0], I_11: I1, I_22: 0.2, I_33: 0.15, useQuaternions: false, r_0: {start: [0, 0, 0], fixed: true}, v_0: {start: [0.1, 0, 0], fixed: true}, angles_fixed: true, w_0_start: [0.02, w2, 0.03], w_0_fixed: true}
outputs: ["body.r_0[*]", "body.frame_a.R.T[1,1]", "body.frame_a.R.T[2,3]"]
)yaml";
  const auto of = [&](IntegratorChoice method) {
    return sensitivitiesOf(text, {"I1", "w2"}, {}, 4, method, 1e-11);
  };
  const Trajectory implicit = of(IntegratorChoice::ida),
                   explicitly = of(IntegratorChoice::explicitMethod);
  REQUIRE(implicit.columns().size() == explicitly.columns().size());
  for (const Column& c : implicit.columns()) {
    CAPTURE(c.name);
    const std::vector<double>&a = implicit[c.name], &b = explicitly[c.name];
    REQUIRE(a.size() == b.size());
    double worst = 0;
    for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    CHECK(worst < 1e-6 * std::max(1.0, largest(a)));
  }
}

TEST_CASE(
    "Sensitivities: a tolerance below what differences leave is met by the model, and the run "
    "ends") {
  // The links come near one line, which the explicit method alone does not pass.
  IntegratorChoice method = IntegratorChoice::ida;
  SUBCASE("ida") {}
  SUBCASE("automatic") { method = IntegratorChoice::automatic; }
  const std::string text = R"yaml(
components:
  crank: {type: Revolute, phi: {fixed: true}, w: {start: 4, fixed: true}}
  bar1: {type: BodyShape, r: [0.3, 0, 0], m: 1, r_CM: [0.15, 0, 0], I_33: 0.01}
  elbow: {type: Revolute}
  bar2: {type: BodyShape, r: [0.4, 0.6, 0], m: 0.5, r_CM: [0.2, 0.3, 0], I_33: 0.02}
  pivot: {type: FixedTranslation, r: [1, 0, 0]}
  rocker: {type: Revolute, cut: true}
  bar3: {type: BodyShape, r: [-0.3, 0.6, 0], m: 0.7, r_CM: [-0.15, 0.3, 0], I_33: 0.03}
  tip: {type: Revolute}
connections:
  - [world.frame_b, crank.frame_a]
  - [crank.frame_b, bar1.frame_a]
  - [bar1.frame_b, elbow.frame_a]
  - [elbow.frame_b, bar2.frame_a]
  - [world.frame_b, pivot.frame_a]
  - [pivot.frame_b, rocker.frame_a]
  - [rocker.frame_b, bar3.frame_a]
  - [bar2.frame_b, tip.frame_a]
  - [tip.frame_b, bar3.frame_b]
)yaml";
  const auto of = [&](const std::string& length, double tolerance) {
    const auto load = [&](const Overrides& more) {
      return Simulation::fromText(catalogue(), text, "m.yaml", more);
    };
    Simulation nominal = load({});
    Sensitivities s(nominal, load, {length}, {"rocker.phi"}, catalogue());
    Trajectory rows;
    s.run(rows, {.stopTime = 2, .tolerance = tolerance, .integrator = method});
    return rows["d(rocker.phi)/d(" + length + ")"].back();
  };
  for (const char* length : {"bar1.r[1]", "bar2.r[1]", "bar3.r[2]"}) {
    CAPTURE(length);
    const double usual = of(length, 1e-9);
    for (const double tolerance : {1e-11, 1e-12})
      CHECK(of(length, tolerance) == doctest::Approx(usual).epsilon(1e-6));
  }
}

TEST_CASE("Sensitivities: IDA takes over where the motion is stiff") {
  // der(x) = -k (x - a sin t), der(y) = x: behind the first instants x = a sin t - a/k cos t + ...
  const Trajectory rows =
      sensitivitiesOf(R"yaml(
parameters: {k: 20000, a: 2}
variables: {x: {start: 0, fixed: true}, y: {start: 0, fixed: true}}
equations: ["der(x) = -k*(x - a*sin(time))", "der(y) = x"]
)yaml",
                      {"a", "k"}, {"x", "y"}, 3, IntegratorChoice::automatic, 1e-9);
  const double k = 2e4, a = 2, n = 1 + 1 / (k * k);
  CHECK(distance(
            rows, "d(x)/d(a)", [&](double t) { return (std::sin(t) - std::cos(t) / k) / n; },
            0.01) < 1e-6);
  CHECK(distance(
            rows, "d(x)/d(k)",
            [&](double t) {
              return a * (std::cos(t) / (k * k) + 2 * std::sin(t) / (k * k * k)) / (n * n);
            },
            0.01) < 1e-3);
}

TEST_CASE(
    "Sensitivities: by a parameter whose value happens to be tiny, by what is typical of it") {
  // x = (p - 5)^2 t: of p = 1e-15 a neighbour 2^-17 of it apart is no neighbour beside 5.
  const std::string text =
      "parameters: {p: 1e-15}\nvariables: {x: {start: 0, fixed: true}}\n"
      "equations: [\"der(x) = (p - 5)^2\"]\n";
  const auto load = [&](const Overrides& more) {
    return Simulation::fromText(catalogue(), text, "m.yaml", more);
  };
  Simulation nominal = load({});
  Sensitivities s(nominal, load, {"p"}, {"x"}, catalogue(), {1.0});
  Trajectory rows;
  s.run(rows, {.stopTime = 1});
  CHECK(distance(rows, "d(x)/d(p)", [](double t) { return -10 * t; }) < 1e-9);
}

TEST_CASE(
    "Sensitivities: what an input that jumps sets is set by what the input is behind the jump") {
  const IntegratorChoice method = anyMethod();
  auto inputs = std::make_shared<InputTable>(
      InputTable{"inputs", {0, 0.5, 0.5, 1}, {"u"}, {{0, 0, 3, 3}}, false});
  const Trajectory rows = sensitivitiesOf(R"yaml(
parameters: {p: 2}
inputs: {u: 0}
variables: {n: {start: 0}, x: {start: 1, fixed: true}}
equations: ["der(x) = 0"]
when: [{condition: "u > 0.5", set: {n: "u*p"}, reinit: {x: "u*p^2"}}]
)yaml",
                                          {"p"}, {"n", "x"}, 1, method, 1e-9, inputs);
  CHECK(std::abs(rows["d(n)/d(p)"].back() - 3) < 1e-7);
  CHECK(std::abs(rows["d(x)/d(p)"].back() - 12) < 1e-7);
}

TEST_CASE("Sensitivities: of what a prescribed speed that steps does to the rest") {
  // The speed of the axle is -J w/(I + J) behind the step, by which it turns from then on.
  const IntegratorChoice method = anyMethod();
  const Trajectory rows = sensitivitiesOf(R"yaml(
parameters: {I: 2, J: 1, w: 3}
world: {g: 0}
components:
  axle: {type: Revolute, phi: {fixed: true}, w: {fixed: true}}
  large: {type: Body, m: 1, r_CM: [0, 0, 0], I_33: I}
  shaft: {type: Revolute, useAxisFlange: true}
  small: {type: Body, m: 1, r_CM: [0, 0, 0], I_33: J}
  drive: {type: Rotational.Speed, exact: true, w_ref: "if time < 0.5 then 0 else w"}
connections:
  - [world.frame_b, axle.frame_a]
  - [axle.frame_b, large.frame_a]
  - [axle.frame_b, shaft.frame_a]
  - [shaft.frame_b, small.frame_a]
  - [drive.flange, shaft.axis]
)yaml",
                                          {"I", "J", "w"}, {"axle.w", "axle.phi"}, 1, method, 1e-9);
  const double I = 2, J = 1, w = 3, sum = (I + J) * (I + J);
  CHECK(std::abs(rows["d(axle.w)/d(I)"].back() - J * w / sum) < 1e-7);
  CHECK(std::abs(rows["d(axle.w)/d(J)"].back() + I * w / sum) < 1e-7);
  CHECK(std::abs(rows["d(axle.phi)/d(w)"].back() + 0.5 * J / (I + J)) < 1e-7);
}

TEST_CASE("Sensitivities: an instant that only rounding moves is moved by no parameter") {
  // The table begins anew at 0.1 + 1.1 s, which is no double.
  const Trajectory rows = sensitivitiesOf(R"yaml(
parameters: {a: 0.4}
variables: {x: {start: 0, fixed: true}}
equations: ["der(x) = table.y[1]"]
components:
  table: {type: Blocks.CombiTimeTable, table: [[0, 0], [a, 1], [1, 0]], extrapolation: Periodic, startTime: 0.1, timeScale: 1.1}
)yaml",
                                          {"a"}, {"x"}, 2.3);
  // The triangle has the same area whatever a is.
  CHECK(std::abs(rows["d(x)/d(a)"].back()) < 1e-9);
}

namespace {

/// A mass of 2 kg at 1 m/s, pushed along its way x by a formula.
std::string pushed(const std::string& force, double c) {
  return fmt::format(R"yaml(
parameters: {{c: {}}}
world: {{g: 0}}
components:
  slide: {{type: Prismatic, n: [1, 0, 0], s: {{fixed: true}}, v: {{start: 1, fixed: true}}}}
  body: {{type: PointMass, m: 2}}
  push: {{type: WorldForce, force: ["{}", 0, 0]}}
variables: {{x: slide.s}}
connections: [[world.frame_b, slide.frame_a], [slide.frame_b, body.frame_a], [push.frame_b, body.frame_a]]
)yaml",
                     c, force);
}

/// A mass on a spring of 0.3 m that begins 1 m and `aside` from its other end.
std::string sprung(double aside) {
  return fmt::format(R"yaml(
parameters: {{c: 20}}
world: {{g: 0}}
components:
  slide: {{type: Prismatic, n: [1, 0, 0], s: {{start: 1, fixed: true}}, v: {{fixed: true}}}}
  aside: {{type: Prismatic, n: [0, 1, 0], v: {{start: {}, fixed: true}}, s: {{fixed: true}}}}
  body: {{type: PointMass, m: 2}}
  spring: {{type: Spring, c: c, s_unstretched: 0.3}}
variables: {{x: slide.s}}
connections:
  - [world.frame_b, slide.frame_a]
  - [slide.frame_b, aside.frame_a]
  - [aside.frame_b, body.frame_a]
  - [world.frame_b, spring.frame_a]
  - [spring.frame_b, body.frame_a]
)yaml",
                     aside);
}

}  // namespace

TEST_CASE("Sensitivities: where a force jumps that is no event they end by name, in time") {
  const double acosOfPass = std::acos(-3.0 / 7), w = std::sqrt(10.0), u = std::sqrt(2.0);
  struct Case {
    std::string model, who;
    double when;
  };
  const std::string bushing = R"yaml(
parameters: {c: 2}
variables: {x: turn.phi}
components:
  turn: {type: Revolute, n: [0, 0, 1], phi: {fixed: true}, w: {start: 5, fixed: true}}
  body: {type: Body, m: 1, r_CM: [0, 0, 0], I_33: 1}
  mount: {type: Bushing, c_rot: [0, 0, c]}
connections:
  - [world.frame_b, turn.frame_a]
  - [turn.frame_b, body.frame_a]
  - [world.frame_b, mount.frame_a]
  - [mount.frame_b, body.frame_a]
)yaml";
  const std::string own =
      "parameters: {c: 0.5}\nvariables: {x: {start: 0, fixed: true}}\n"
      "equations: ['der(x) = noEvent(if x > c then 0.5 else 1)']\n";
  for (const Case& c :
       {Case{sprung(0), "Spring 'spring'", acosOfPass / w},  // 0.3 + 0.7 cos(w t) = 0
        Case{bushing, "Bushing 'mount'", std::asin(std::numbers::pi * u / 5) / u},
        Case{pushed("noEvent(if slide.s > c then -1 else 0)", 0.5), "WorldForce 'push'", 0.5},
        Case{pushed("noEvent(if time > c then -1 else 0)", 0.5), "WorldForce 'push'", 0.5},
        Case{pushed("atan2(sin(c*slide.s), cos(c*slide.s)) - c*slide.s", 4), "WorldForce 'push'",
             std::numbers::pi / 4},
        Case{pushed("noEvent(floor(c*slide.s))", 4), "WorldForce 'push'", 0.25},
        Case{own, "der(x)", 0.5}}) {
    for (const double tolerance : {1e-5, 1e-8}) {
      for (const auto method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
        CAPTURE(c.model);
        CAPTURE(tolerance);
        std::string told;
        try {
          sensitivitiesOf(c.model, {"c"}, {"x"}, 1.5, method, tolerance);
        } catch (const AnalysisError& e) {
          told = e.what();
        }
        CAPTURE(told);
        double when = 0;
        CHECK(std::sscanf(told.c_str(), "at time = %lf s", &when) == 1);
        CHECK(std::abs(when - c.when) < 1e-3);
        CHECK(told.ends_with("s " + c.who +
                             " jumps, which is no event, and 'c' moves that instant: there is no "
                             "derivative after it"));
      }
    }
  }
}

TEST_CASE(
    "Sensitivities: go on where a jump stays in its place, and where forces bend or are steep") {
  const IntegratorChoice method = anyMethod();
  const double tolerance = 1e-9;
  const Trajectory timed = sensitivitiesOf(pushed("noEvent(if time > 0.5 then -c else 0)", 3),
                                           {"c"}, {"x"}, 1.5, method, tolerance);
  CHECK(distance(timed, "d(x)/d(c)",
                 [](double t) { return t > 0.5 ? -0.25 * (t - 0.5) * (t - 0.5) : 0; }) < 1e-5);
  // Up to x = 0.5, and on against a spring.
  const Trajectory bent =
      sensitivitiesOf(pushed("noEvent(if slide.s > 0.5 then -c*(slide.s - 0.5) else 0)", 1e6),
                      {"c"}, {"x"}, 0.502, method, tolerance);
  const double w = std::sqrt(5e5);
  const auto wanted = [&](double t) {
    const double p = w * (t - 0.5);
    return t > 0.5 ? (p * std::cos(p) - std::sin(p)) / (4 * w * w * w) : 0;
  };
  CHECK(std::abs(bent["d(x)/d(c)"].back() - wanted(0.502)) < 1e-3 * std::abs(wanted(0.502)));
  // Past each other.
  const std::string past = sprung(0.2);
  const Trajectory rows = sensitivitiesOf(past, {"c"}, {"x"}, 1.5, method, tolerance);
  const double step = 1e-3;
  const auto at = [&](double c) {
    Simulation s = Simulation::fromText(catalogue(), past, "m.yaml", {fmt::format("c={:.17g}", c)});
    Trajectory run;
    s.run(run, {.stopTime = 1.5, .tolerance = 1e-12, .outputs = {"x"}});
    return run["x"].back();
  };
  const double difference = (at(20 + step) - at(20 - step)) / (2 * step);
  CHECK(std::abs(rows["d(x)/d(c)"].back() - difference) < 1e-5 * std::abs(difference));
}
