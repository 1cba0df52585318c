// Models with one or two moving parts, simple enough that every event has a closed form.
#include "tests/random/event_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "tests/random/bounded_run.h"
#include "tests/random/model_text.h"
#include "tests/random/random_numbers.h"

namespace cardan::random {
namespace {

using std::numbers::pi;

/// A state's error after a run, in tolerances of its size: the sum of those of its steps.
constexpr double kGlobalError = 1000;
/// [1]  of the run's time: conditions of time alone are as exact as time itself.
constexpr double kRoundoff = 1e-12;

class Cases {
 public:
  explicit Cases(std::uint64_t seed) : rng_(seed * 0x9e3779b97f4a7c15ULL + 7) {
    c_.seed = seed;
    c_.tolerance = rng_.pick({1e-5, 1e-6, 1e-8});
  }

  EventCase make() {
    using Family = void (Cases::*)();
    static constexpr Family families[] = {
        &Cases::ballistic,     &Cases::oscillator, &Cases::grazing,      &Cases::sineOfTime,
        &Cases::rareSine,      &Cases::pulses,     &Cases::tableLevel,   &Cases::breakLoose,
        &Cases::bouncing,      &Cases::oneInstant, &Cases::endInstant,   &Cases::startsAtZero,
        &Cases::humpOfForce,   &Cases::shortForce, &Cases::slidingStops, &Cases::bentInput,
        &Cases::clocksThatMeet};
    (this->*families[c_.seed % std::size(families)])();
    // Output rows must not matter: sometimes hardly any, sometimes many.
    const double interval = c_.stop / rng_.pick({2.0, 7.0, 50.0, 500.0});
    c_.text =
        fmt::format("{}simulation: {{stop: {}, interval: {}, tolerance: {}}}\noutputs: [{}]\n",
                    c_.text, number(c_.stop), number(interval), c_.tolerance, outputs_);
    return c_;
  }

 private:
  void watch(const std::string& column, const std::string& more = "") {
    c_.column = column;
    outputs_ = column + (more.empty() ? "" : ", " + more);
  }
  void end(const std::string& column, double value, double bound) {
    c_.endColumn = column;
    c_.endValue = value;
    c_.endBound = bound;
  }
  /// Keeps the times within the run, away from both ends.
  void keep(double t) {
    if (t > 0 && t < c_.stop) c_.times.push_back(t);
  }
  /// Moves a stop near to an event into the middle between two, so that it is clear what is within.
  void clearStop(const std::vector<double>& times) {
    double before = 0, after = 1e300;
    for (const double t : times) {
      if (t <= c_.stop) before = std::max(before, t);
      if (t > c_.stop) after = std::min(after, t);
    }
    if (std::min(after - c_.stop, c_.stop - before) < 0.01 * c_.stop)
      c_.stop = after < 1e300 ? 0.5 * (before + after) : 1.1 * c_.stop;
    for (const double t : times) keep(t);
  }

  static constexpr const char* kMass = R"(
components:
  f: {{type: Translational.Force, f: "{}"}}
  m: {{type: Translational.Mass, m: {}, s: {{start: {}, fixed: true}}, v: {{start: {}, fixed: true}}}}
connections:
  - [f.flange, m.flange_a]
)";

  /// A point thrown across a plane.
  void ballistic() {
    c_.family = "ballistic point crosses a plane";
    c_.stop = rng_.uniform(0.5, 2);
    const double g = rng_.uniform(1, 20);
    const Vector3d n = rng_.direction(), down = rng_.direction();
    const Vector3d r = rng_.vector(0, 2), v = rng_.vector(0, 8);
    // n.r(t) - h = p t^2 + q t + k
    const double p = 0.5 * g * n.dot(down), q = n.dot(v);
    double k = rng_.uniform(-1.5, 1.5);
    if (std::abs(k) < 0.05) k += 0.1;
    const double h = n.dot(r) - k, square = q * q - 4 * p * k;
    std::vector<double> roots;
    double slowest = 1e-3;
    if (square > 0) {
      const double s = std::sqrt(square), x = -0.5 * (q + std::copysign(s, q));
      roots = {x / p, k / x};
      std::sort(roots.begin(), roots.end());
      slowest = std::max(s, 1e-3);
    }
    clearStop(roots);
    c_.bound = kGlobalError * c_.tolerance * (10 + 0.5 * g * c_.stop * c_.stop) / slowest;
    c_.text = fmt::format(R"(world: {{g: {}, n: {}}}
components:
  b: {{type: PointMass, m: 1, r_0: {{start: {}, fixed: true}}, v_0: {{start: {}, fixed: true}}}}
variables:
  hit: "if {}*b.r_0[1] + {}*b.r_0[2] + {}*b.r_0[3] > {} then 1 else 0"
)",
                          number(g), list(down), list(r), list(v), number(n[0]), number(n[1]),
                          number(n[2]), number(h));
    watch("hit");
  }

  /// x = A cos(w t + p) on a spring; crosses the level A c.
  void swing(double level) {
    const double A = rng_.logUniform(0.1, 10), w = rng_.logUniform(1, 20);
    const double p = rng_.uniform(-pi, pi), m = rng_.logUniform(0.1, 10);
    c_.stop = rng_.uniform(0.7, 3) * 2 * pi / w;
    std::vector<double> times;
    if (std::abs(level) < 1) {
      const double a = std::acos(level);
      for (int k = -2; k <= 6; ++k) {
        times.push_back((2 * pi * k + a - p) / w);
        times.push_back((2 * pi * k - a - p) / w);
      }
      std::sort(times.begin(), times.end());
    }
    std::erase_if(times, [](double t) { return t < 0; });
    // Not on the threshold at the start.
    if (!times.empty() && times.front() < 0.01 / w) return swing(level);
    clearStop(times);
    const double slope = w * std::sqrt(std::max(1 - level * level, 1e-6));
    c_.bound = kGlobalError * c_.tolerance * w * c_.stop / slope;
    c_.text = fmt::format(R"(
components:
  wall: {{type: Translational.Fixed}}
  c: {{type: Translational.Spring, c: {}}}
  m: {{type: Translational.Mass, m: {}, s: {{start: {}, fixed: true}}, v: {{start: {}, fixed: true}}}}
connections:
  - [wall.flange, c.flange_a]
  - [c.flange_b, m.flange_a]
variables:
  above: "if m.s > {} then 1 else 0"
)",
                          number(m * w * w), number(m), number(A * std::cos(p)),
                          number(-A * w * std::sin(p)), number(A * level));
    watch("above");
  }
  void oscillator() {
    c_.family = "oscillator crosses a level";
    swing(rng_.uniform(-0.9, 0.9));
  }
  void grazing() {
    c_.family = "oscillator touches a level";
    // The error of the motion must be far below the depth, else the number is not determined.
    c_.tolerance = 1e-8;
    const double depth = rng_.logUniform(1e-3, 3e-2);
    const double level = rng_.chance(0.7) ? 1 - depth : 1 + depth;
    swing(rng_.sign() * level);
  }

  /// Times at which sin(w t + p) = c.
  std::vector<double> crossings(double w, double p, double c) const {
    std::vector<double> times;
    const double a = std::asin(c);
    for (int k = -2; k < 2 + static_cast<int>(w * c_.stop / 2 / pi) + 2; ++k) {
      for (const double x : {2 * pi * k + a, 2 * pi * k + pi - a}) {
        const double t = (x - p) / w;
        if (t > 0 && t < c_.stop) times.push_back(t);
      }
    }
    std::sort(times.begin(), times.end());
    return times;
  }
  /// A mass that a force of time switches; it stands still before.
  void sine(double w, double p, double c) {
    c_.bound = kRoundoff * c_.stop + 4e-16 / w / std::sqrt(1 - c * c);
    c_.times = crossings(w, p, c);
    const double m = rng_.logUniform(0.1, 10), F = rng_.logUniform(0.1, 10);
    c_.text = fmt::format(fmt::runtime(kMass),
                          fmt::format("if sin({}*time + {}) > {} then {} else 0", number(w),
                                      number(p), number(c), number(F)),
                          number(m), 0, 0);
    watch("f.f", "m.v");
    // v = F/m times the time for which the condition has held.
    double on = 0, since = std::sin(p) > c ? 0 : -1;
    for (const double t : c_.times) {
      if (since < 0) {
        since = t;
      } else {
        on += t - since;
        since = -1;
      }
    }
    if (since >= 0) on += c_.stop - since;
    end("m.v", F / m * on, kGlobalError * c_.tolerance * std::max(F / m * c_.stop, 1e-3));
  }
  void sineOfTime() {
    c_.family = "condition on a sine of time";
    c_.stop = rng_.logUniform(0.1, 100);
    const double w = rng_.logUniform(1, 60) / c_.stop, p = rng_.uniform(-pi, pi);
    sine(w, p, rng_.uniform(-0.9, 0.9));
  }
  void rareSine() {
    c_.family = "condition of time that holds for a moment";
    c_.stop = rng_.logUniform(0.1, 100);
    const double w = rng_.logUniform(4, 30) / c_.stop, p = rng_.uniform(-pi, pi);
    sine(w, p, 1 - rng_.logUniform(1e-4, 1e-2));
  }

  void pulses() {
    c_.family = "pulses of a source";
    c_.stop = rng_.logUniform(0.1, 100);
    const double period = rng_.uniform(0.03, 0.6) * c_.stop, width = rng_.uniform(0.5, 99.5);
    const double start = rng_.uniform(-0.5, 0.5) * c_.stop;
    const bool truth = rng_.chance(0.5);
    std::vector<double> times;
    for (int k = 0; start + k * period < 2 * c_.stop; ++k) {
      times.push_back(start + k * period);
      times.push_back(start + k * period + width / 100 * period);
    }
    clearStop(times);
    c_.bound = kRoundoff * c_.stop;
    const std::string force = truth ? "if p.y then 1 else 0" : "p.y";
    c_.text = fmt::format(fmt::runtime(kMass), force, 1, 0, 0);
    c_.text.insert(c_.text.find("  f:"),
                   fmt::format("  p: {{type: Blocks.{}, width: {}, period: {}, startTime: {}}}\n",
                               truth ? "BooleanPulse" : "Pulse", number(width), number(period),
                               number(start)));
    watch("f.f");
  }

  /// A piecewise linear table crosses a level; its knots are events, too.
  void tableLevel() {
    c_.family = "table crosses a level";
    c_.stop = rng_.logUniform(0.5, 50);
    const int points = rng_.integer(3, 8);
    const double level = rng_.uniform(-0.5, 0.5), rate = rng_.uniform(0.6, 1.4);
    std::vector<double> t, y;
    for (int i = 0; i < points; ++i) {
      t.push_back(c_.stop * (i == 0            ? 0
                             : i == points - 1 ? 1
                                               : (i + rng_.uniform(-0.3, 0.3)) / (points - 1)));
      double value = rng_.uniform(-1, 1);
      if (std::abs(value - level) < 0.05) value += 0.1;
      y.push_back(value * rate);
    }
    std::string rows;
    double steepest = 1e300;
    for (int i = 0; i < points; ++i) {
      const size_t k = static_cast<size_t>(i);
      rows += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", number(t[k]), number(y[k]));
      if (i == 0) continue;
      const double a = y[k - 1] - level * rate, b = y[k] - level * rate;
      if (a * b < 0) {
        keep(t[k - 1] + (t[k] - t[k - 1]) * a / (a - b));
        steepest = std::min(steepest, std::abs(a - b) / (t[k] - t[k - 1]));
      }
    }
    c_.bound = kRoundoff * c_.stop + 1e-14 / steepest;
    c_.alone = false;
    c_.text = fmt::format(R"(
components:
  table: {{type: Blocks.CombiTimeTable, table: [{}]}}
  f: {{type: Translational.Force, f: "if table.y[1] > {} then 1 else 0"}}
  m: {{type: Translational.Mass, m: 1, s: {{fixed: true}}, v: {{fixed: true}}}}
connections:
  - [f.flange, m.flange_a]
)",
                          rows, number(level * rate));
    watch("f.f");
  }

  /// Friction holds a mass until a ramp or a sine exceeds its limit.
  void breakLoose() {
    c_.family = "stuck friction breaks loose";
    const double m = rng_.logUniform(0.1, 10), slide = rng_.logUniform(0.1, 20);
    const double peak = rng_.chance(0.3) ? 1 : rng_.uniform(1, 2), limit = peak * slide;
    c_.stop = rng_.logUniform(0.5, 10);
    const double t1 = rng_.uniform(0.2, 0.8) * c_.stop;
    const double k = limit / t1;  // force k t
    c_.times = {t1};
    c_.bound = kGlobalError * c_.tolerance * c_.stop;
    c_.alone = false;  // it starts to slide, and a hair later it slides
    c_.text = fmt::format(R"(
components:
  f: {{type: Translational.Force, f: "{}*time"}}
  m: {{type: Translational.Mass, m: {}, s: {{fixed: true}}, v: {{fixed: true}}}}
  r: {{type: Translational.SupportFriction, f_pos: [[0, {}]], peak: {}}}
connections:
  - [f.flange, m.flange_a]
  - [m.flange_b, r.flange_a]
)",
                          number(k), number(m), number(slide), number(peak));
    watch("r.locked", "m.s");
    const double d = c_.stop - t1;
    const double s = ((limit - slide) * d * d / 2 + k * d * d * d / 6) / m;
    // However short the way: some of the absolute tolerance, that of 1 m.
    end("m.s", s, c_.tolerance * (10 + kGlobalError * s));
  }

  /// A mass that slides to rest under friction and stays.
  void slidingStops() {
    c_.family = "sliding mass comes to rest";
    const double m = rng_.logUniform(0.1, 10), slide = rng_.logUniform(0.1, 20);
    const double v = rng_.sign() * rng_.logUniform(0.1, 10), t1 = m * std::abs(v) / slide;
    c_.stop = t1 * rng_.uniform(1.2, 3);
    c_.times = {t1};
    c_.bound = kGlobalError * c_.tolerance * t1;
    c_.text = fmt::format(R"(
components:
  m: {{type: Translational.Mass, m: {}, s: {{fixed: true}}, v: {{start: {}, fixed: true}}}}
  r: {{type: Translational.SupportFriction, f_pos: [[0, {}]]}}
connections:
  - [m.flange_b, r.flange_a]
)",
                          number(m), number(v), number(slide));
    watch("r.locked", "m.s");
    end("m.s", v * t1 / 2, kGlobalError * c_.tolerance * std::abs(v * t1));
  }

  /// A ball on an elastic floor without loss: falls, touches, is thrown back, again and again.
  void bouncing() {
    c_.family = "bouncing on an elastic gap";
    const double g = rng_.uniform(2, 20), h = rng_.logUniform(0.1, 3), m = rng_.logUniform(0.1, 10);
    const double w = rng_.logUniform(20, 2000);
    const double fall = std::sqrt(2 * h / g), v = g * fall;
    const double touch = 2 * (pi - std::atan(v * w / g)) / w;
    c_.stop = rng_.uniform(0.5, 6) * (2 * fall + touch);
    std::vector<double> times;
    for (double t = fall; t < 1.1 * c_.stop; t += 2 * fall) {
      times.push_back(t);
      t += touch;
      times.push_back(t);
    }
    // The stop may lie close to a touch, which is short: move it into the flight.
    for (size_t i = 0; i < times.size(); i += 2) {
      if (std::abs(c_.stop - times[i]) < 0.1 * fall + touch)
        c_.stop = times[i] + touch + 0.3 * fall;
    }
    std::erase_if(times, [&](double t) { return t > c_.stop; });
    c_.times = times;
    c_.bound = kGlobalError * c_.tolerance * c_.stop;
    c_.text = fmt::format(R"(
components:
  floor: {{type: Translational.Fixed}}
  gap: {{type: Translational.ElastoGap, c: {}, d: 0}}
  m: {{type: Translational.Mass, m: {}, s: {{start: {}, fixed: true}}, v: {{fixed: true}}}}
  weight: {{type: Translational.ConstantForce, f_constant: {}}}
connections:
  - [floor.flange, gap.flange_a]
  - [gap.flange_b, m.flange_a]
  - [weight.flange, m.flange_b]
)",
                          number(m * w * w), number(m), number(h), number(-m * g));
    watch("gap.contact");
  }

  /// Several conditions of time that change at one instant: one event.
  void oneInstant() {
    c_.family = "several events at one instant";
    c_.stop = rng_.logUniform(0.5, 50);
    const double t1 = rng_.uniform(0.1, 0.9) * c_.stop, F = rng_.uniform(0.5, 2);
    c_.times = {t1};
    c_.bound = kRoundoff * c_.stop;
    c_.text = fmt::format(R"(
components:
  step: {{type: Blocks.Step, startTime: {0}}}
  ramp: {{type: Blocks.Ramp, height: 0.04, startTime: {0}, duration: {1}}}
  truth: {{type: Blocks.BooleanStep, startTime: {0}}}
  f: {{type: Translational.Force, f: "(if time > {0} then {2} else 0) + (if time < {0} then 1 else 0) + (if truth.y then step.y else 0) + ramp.y"}}
  m: {{type: Translational.Mass, m: 1, s: {{fixed: true}}, v: {{fixed: true}}}}
connections:
  - [f.flange, m.flange_a]
)",
                          number(t1), number(2 * c_.stop), number(F));
    watch("f.f", "m.v");
    const double d = c_.stop - t1;
    const double v = t1 + (1 + F) * d + 0.04 * d * d / (4 * c_.stop);
    end("m.v", v, kGlobalError * c_.tolerance * v);
  }

  /// A condition that changes exactly at the stop time: the last row is the one after.
  void endInstant() {
    c_.family = "event at the stop time";
    c_.stop = rng_.logUniform(0.5, 50);
    c_.times = {c_.stop};
    c_.bound = kRoundoff * c_.stop;
    const std::string condition = rng_.chance(0.5)
                                      ? fmt::format("if time >= {} then 1 else 0", number(c_.stop))
                                      : fmt::format("if time < {} then 0 else 1", number(c_.stop));
    const double v = rng_.uniform(-1, 1);
    c_.text = fmt::format(fmt::runtime(kMass), condition, 1, 0, v);
    watch("f.f");
  }

  /// A floor under a mass that rests exactly on it at the start and sinks in.
  void startsAtZero() {
    c_.family = "condition that is zero at the start";
    const double g = rng_.uniform(1, 20), m = rng_.logUniform(0.1, 10);
    const double w = rng_.logUniform(5, 200), D = rng_.uniform(0.05, 0.9);
    c_.stop = rng_.uniform(0.5, 3) * 2 * pi / w;
    const double c = m * w * w, d = 2 * D * m * w, wd = w * std::sqrt(1 - D * D);
    const double height = rng_.chance(0.5) ? 0.0 : rng_.uniform(-1, 1);
    // Never lifts off: x = -g/w^2 (1 - exp(-D w t) (cos + D w/wd sin)) stays below zero.
    const double t = c_.stop;
    const double x =
        -g / w / w *
        (1 - std::exp(-D * w * t) * (std::cos(wd * t) + D * w / wd * std::sin(wd * t)));
    c_.text = fmt::format(
        fmt::runtime(kMass),
        fmt::format("-{} + (if m.s < {} then -{}*(m.s - {}) - {}*m.v else 0)", number(m * g),
                    number(height), number(c), number(height), number(d)),
        number(m), number(height), 0);
    watch("m.s");
    c_.column.clear();
    end("m.s", height + x, kGlobalError * c_.tolerance * (std::abs(height) + g / w / w));
  }

  /// A smooth force that is felt for a moment only, on a mass at rest.
  void humpOfForce() {
    c_.family = "short smooth force on a mass at rest";
    c_.stop = rng_.logUniform(1, 50);
    const double middle = rng_.uniform(0.2, 0.8) * c_.stop,
                 width = c_.stop * rng_.logUniform(2e-3, 3e-2);
    const double F = rng_.logUniform(0.1, 100), m = rng_.logUniform(0.1, 10);
    c_.text = fmt::format(
        fmt::runtime(kMass),
        fmt::format("{}*exp(-((time - {})/{})^2)", number(F), number(middle), number(width)),
        number(m), 0, 0);
    watch("m.v");
    c_.column.clear();
    const double v = F / m * width * std::sqrt(pi);
    end("m.v", v, kGlobalError * c_.tolerance * std::max(v, 1.0));
  }

  /// A force of time that jumps twice, with a state that nothing else moves.
  void shortForce() {
    c_.family = "short jump of a force on a mass at rest";
    c_.stop = rng_.logUniform(1, 50);
    const double t1 = rng_.uniform(0.1, 0.9) * c_.stop, d = c_.stop * rng_.logUniform(1e-6, 1e-2);
    const double F = rng_.logUniform(1, 100);
    c_.times = {t1, t1 + d};
    c_.bound = kRoundoff * c_.stop;
    c_.text = fmt::format(fmt::runtime(kMass),
                          fmt::format("if time > {} and time < {} then {} else 0", number(t1),
                                      number(t1 + d), number(F)),
                          1, 0, 0);
    watch("f.f", "m.v");
    end("m.v", F * d, kGlobalError * c_.tolerance * std::max(F * d, 1e-3));
  }

  /// A file of inputs, straight between its rows: `u` bends and jumps, `p` jumps with it.
  void bentInput() {
    c_.family = "input that bends and jumps";
    c_.tolerance = rng_.pick({1e-5, 1e-6, 1e-8, 1e-10});
    c_.stop = rng_.uniform(1, 5);
    auto in = std::make_shared<InputTable>(InputTable{"in.csv", {}, {"u", "p"}, {{}, {}}, false});
    double t = 0, u = rng_.uniform(-1, 1), p = 0, x = 0, s = 0;
    double longest = 0;
    const auto row = [&] {
      in->time.push_back(t);
      in->values[0].push_back(u);
      in->values[1].push_back(p);
    };
    row();
    while (t < c_.stop) {
      const double h = std::min(rng_.logUniform(1e-7, 1), c_.stop - t);
      // Level, a ramp, or a steep one of some area.
      const double before = u, began = t;
      u = rng_.chance(0.3) ? u : rng_.uniform(-1, 1) * (rng_.chance(0.3) ? 0.1 / h : 1);
      t = h < c_.stop - t ? t + h : c_.stop;
      const double d = t - began;
      s += d * x + d * d * (2 * before + u) / 6;
      x += d * (before + u) / 2;
      longest = std::max(longest, std::abs(u));
      row();
      if (t >= c_.stop || !rng_.chance(0.2)) continue;
      c_.times.push_back(t);
      u = rng_.uniform(-1, 1);
      p += 1;
      row();
    }
    c_.inputs = in;
    c_.bound = kRoundoff * c_.stop;
    c_.text = R"(
inputs: {u: 0, p: 0}
variables: {x: {fixed: true}, s: {fixed: true}}
equations: [der(x) = u, der(s) = x]
)";
    watch("p", "x, s");
    const double size = 1 + std::abs(x) + std::abs(s);
    // Times have their last digit, and so have steep ramps their areas.
    const double rounding = 1e-14 * c_.stop * longest;
    if (rng_.chance(0.5)) {
      end("x", x, kGlobalError * c_.tolerance * size + rounding);
    } else {
      end("s", s, (kGlobalError * c_.tolerance * size + rounding) * (1 + c_.stop));
    }
  }

  /// Two clocks, the period of one a multiple of that of the other, from a common instant on.
  void clocksThatMeet() {
    c_.family = "clocks of periods that go into each other";
    struct Period {
      const char* text;
      double s;
    };
    const Period periods[] = {{"0.1", 0.1},      {"0.2", 0.2},      {"0.3", 0.3},
                              {"0.7", 0.7},      {"0.05", 0.05},    {"1/3", 1.0 / 3},
                              {"0.1*0.3", 0.03}, {"0.7/3", 0.7 / 3}};
    const Period& fast = periods[rng_.integer(0, std::size(periods) - 1)];
    const int ratio = rng_.integer(2, 9), ticks = rng_.integer(2, 61);
    const double offset = rng_.pick({0.0, 0.1, 0.3, 1.7});
    const bool atStop = rng_.chance(0.5);  // the last tick
    c_.stop = offset + (ticks - (atStop ? 1 : 0.5)) * fast.s;
    double sum = 0;
    for (int n = 1; n <= ticks; n += ratio) {
      sum += n;
      const double t = offset + (n - 1) * fast.s;
      if (t > 0) c_.times.push_back(std::min(t, c_.stop));
    }
    c_.bound = kRoundoff * c_.stop;
    c_.alone = false;
    c_.text = fmt::format(R"yaml(
variables:
  n: {{start: 0, type: Integer}}
  k: {{start: 0, type: Integer}}
  sum: {{start: 0}}
  x: {{fixed: true}}
equations: [der(x) = 1]
when:
  - {{condition: "sample({0}, {1}*({2}))", set: {{k: pre(k) + 1, sum: pre(sum) + n}}}}
  - {{condition: "sample({0}, {2})", set: {{n: pre(n) + 1}}}}
)yaml",
                          number(offset), ratio, fast.text);
    watch("k", "sum");
    end("sum", sum, 0);
  }

  RandomNumbers rng_;
  EventCase c_;
  std::string outputs_;
};

/// Times where the column changes, each at two rows of one time; -1 where it changes between rows
/// of different times.
std::vector<double> jumps(const Rows& rows, const std::string& column) {
  std::vector<double> times;
  const std::vector<double>&t = rows.time(), &x = rows[column];
  for (size_t i = 1; i < rows.size(); ++i) {
    const bool jumped = t[i] == t[i - 1] ? x[i] != x[i - 1] : std::abs(x[i] - x[i - 1]) > 0.05;
    if (jumped && (t[i] != t[i - 1] || times.empty() || times.back() != t[i]))
      times.push_back(t[i] == t[i - 1] ? t[i] : -1);
  }
  return times;
}

long eventInstants(const Rows& rows) {
  long count = 0;
  const std::vector<double>& t = rows.time();
  for (size_t i = 1; i < t.size(); ++i) {
    if (t[i] == t[i - 1] && (i < 2 || t[i - 2] != t[i])) ++count;
  }
  return count;
}

}  // namespace

EventCase eventCase(std::uint64_t seed) { return Cases(seed).make(); }

Outcome runEventCase(const EventCase& c, double cpuSeconds) {
  const std::clock_t begun = std::clock();
  Outcome o;
  o.seed = c.seed;
  const BoundedRun run = runBounded(c.text, {c.tolerance, 0, cpuSeconds, 0, c.inputs});
  o.steps = run.report.integrator.steps;
  o.seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  auto bad = [&](Outcome::Class what, const std::string& kind, const std::string& detail) {
    o.what = what;
    o.kind = c.family + ": " + kind;
    o.detail = detail;
    return o;
  };
  using Class = Outcome::Class;
  // Nothing here is singular: a run that stops is as wrong as one that misses an event.
  if (run.end == BoundedRun::End::unfinished) return bad(Class::hang, "no end", run.message);
  if (run.end != BoundedRun::End::completed)
    return bad(Class::broken, kindOfMessage(run.message), run.message);
  const Rows rows(run.rows);
  if (rows.time().back() != c.stop)
    return bad(Class::violation, "ends elsewhere",
               fmt::format("{} for {}", rows.time().back(), c.stop));
  if (!c.column.empty()) {
    const std::vector<double> found = jumps(rows, c.column);
    if (found.size() != c.times.size())
      return bad(Class::violation, "number of events",
                 fmt::format("{} for {}: [{}] for [{}]", found.size(), c.times.size(),
                             fmt::join(found, ", "), fmt::join(c.times, ", ")));
    for (size_t i = 0; i < found.size(); ++i) {
      if (std::abs(found[i] - c.times[i]) > c.bound)
        return bad(Class::violation, "time of an event",
                   fmt::format("{} for {}: off by {:g}, at most {:g}", found[i], c.times[i],
                               std::abs(found[i] - c.times[i]), c.bound));
    }
    if (const long all = eventInstants(rows); c.alone && all != static_cast<long>(c.times.size()))
      return bad(Class::violation, "events that are none",
                 fmt::format("{} instants for {}", all, c.times.size()));
  }
  if (!c.endColumn.empty()) {
    const double x = rows[c.endColumn].back();
    if (!(std::abs(x - c.endValue) <= c.endBound))
      return bad(Class::violation, "value at the end",
                 fmt::format("{} = {} for {}: off by {:g}, at most {:g}", c.endColumn, x,
                             c.endValue, std::abs(x - c.endValue), c.endBound));
  }
  o.kind = c.family;
  return o;
}

}  // namespace cardan::random
